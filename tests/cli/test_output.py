"""What the command line prints: formats, tables, pairs, coders."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from tests.cli.helpers import LONG, as_csv, section_of, small
from tests.data_sets import CODERS


def test_csv_is_the_summary_and_nothing_else(run, labels):
    status, out, err = run("labels.csv", "--coders", *CODERS, "--by", "batch", "--format", "csv")
    assert (status, err) == (0, "")
    expected = labels.agree.summary(*CODERS, metrics=["observed", "kappa", "alpha", "ac1"], by="batch").reset_index()
    got = as_csv(out)
    assert list(got.columns) == list(expected.columns)
    assert len(got) == 24
    np.testing.assert_allclose(got["estimate"], expected["estimate"], rtol=1e-12)
    np.testing.assert_allclose(got["ci_low"], expected["ci_low"], rtol=1e-12)


def test_json_is_the_same(run, labels):
    arguments = ("labels.csv", "--coders", *CODERS, "--metrics", "alpha", "pi")
    _, table, _ = run(*arguments, "--format", "csv")
    status, out, err = run(*arguments, "--format", "json")
    assert (status, err) == (0, "")
    records = json.loads(out)
    expected = as_csv(table)
    assert [record["coefficient"] for record in records] == ["alpha", "pi"]
    assert list(records[0]) == list(expected.columns)
    np.testing.assert_allclose([record["estimate"] for record in records], expected["estimate"], rtol=1e-12)


def test_undefined_is_null_in_json_and_empty_in_csv(run, tmp_path):
    small(tmp_path / "same.csv", "a,b\nyes,yes\nyes,yes\n")
    arguments = ("same.csv", "--coders", "a", "b", "--metrics", "kappa")
    status, out, err = run(*arguments, "--format", "json")
    assert status == 0
    assert json.loads(out)[0]["estimate"] is None
    assert err.count("\n") == 1
    assert err.startswith("pandas_agreement: note: ")
    assert as_csv(run(*arguments, "--format", "csv")[1])["estimate"].isna().all()
    assert "undefined" in run(*arguments)[1]


def test_markdown_tables_are_rectangular(run, labels):
    status, out, _ = run("labels.csv", "--coders", *CODERS, "--by", "batch", "--format", "markdown")
    assert status == 0
    lines = out.splitlines()
    assert [line for line in lines if line.startswith("### Agreement by batch")]
    start = next(i for i, line in enumerate(lines) if line.startswith("| batch |"))
    assert lines[start + 1] == "| --- | ---: | ---: | ---: | ---: | ---: |"
    assert {line.count("|") for line in lines[start : start + 8]} == {7}
    assert lines[start + 8] == ""


def test_pipes_in_labels_do_not_break_markdown(run, tmp_path):
    small(tmp_path / "p.csv", "a,b\nx|y,x|y\nz,z\nz,x|y\n")
    _, out, _ = run("p.csv", "--coders", "a", "b", "--format", "markdown")
    assert "| x\\|y |" in out


def test_a_wide_table_goes_on_below(run):
    _, out, _ = run("--metrics", "observed", "kappa", "pi", "alpha", "ac1", "s")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 100
    assert sum(line.startswith("2026-w01") for line in lines) == 2


def test_two_coders_are_shown_as_a_table(run, tmp_path):
    small(tmp_path / "two.csv", "a,b\nyes,no\nyes,yes\nno,no\nno,no\n")
    _, out, _ = run("two.csv", "--coders", "b", "a")
    assert "Items by the labels of b (down) and a (across)\n     no  yes\nno    2    1\nyes   0    1\n" in out
    assert "Pairwise" not in out


def test_many_categories_are_cut_to_the_lowest(run, tmp_path):
    rng = np.random.default_rng(1)
    pd.DataFrame(rng.integers(0, 12, (200, 2)), columns=["a", "b"]).to_csv(tmp_path / "k.csv", index=False)
    _, out, _ = run("k.csv", "--coders", "a", "b")
    assert "Agreement by category, the lowest 10 of 12: estimate [95% interval]" in out
    assert "Items by the labels" not in out


def test_weights_are_named_where_there_are_any(run, tmp_path):
    small(tmp_path / "n.csv", "a,b\n1,2\n2,2\n3,1\n3,3\n")
    _, out, _ = run("n.csv", "--weights", "linear", "--level", "ordinal")
    assert "\nweights: observed linear, kappa linear, alpha ordinal, ac2 linear\n" in out
    _, out, _ = run("n.csv")
    assert "weights:" not in out


def test_no_intervals(run):
    _, out, _ = run("--ci", "none", "--metrics", "kappa")
    assert "[" not in out.partition("In Python:")[0]
    _, out, _ = run("--ci", "0.9", "--metrics", "kappa")
    assert "[90% interval]" in out


def test_many_coders_are_listed_not_drawn(run, tmp_path):
    rng = np.random.default_rng(1)
    pd.DataFrame(rng.choice(["x", "y"], (40, 9)), columns=[f"c{i}" for i in range(9)]).to_csv(
        tmp_path / "crowd.csv", index=False
    )
    status, out, _ = run("crowd.csv")
    assert status == 0
    assert "\nPairwise kappa [95% interval]: the lowest 10 of 36 pairs with 10 shared items or more\n" in out
    assert "\nCoders: the lowest 9 of 9 coders with 10 shared items or more\n" in out


def crowd(n_items: int, per_item: int) -> pd.DataFrame:
    """Judgments of 40 coders, a few for each item."""
    rng = np.random.default_rng(5)
    rows = [
        (f"d{i}", f"w{w:02d}", rng.choice(["neg", "neu", "pos"], p=[0.6, 0.2, 0.2] if i % 2 else [0.1, 0.2, 0.7]))
        for i in range(n_items)
        for w in rng.choice(40, per_item, replace=False)
    ]
    return pd.DataFrame(rows, columns=["doc", "who", "tag"])


@pytest.mark.filterwarnings("ignore::pandas_agreement.errors.AgreementWarning")
def test_pairs_of_a_crowd_are_those_that_share_enough_items(run, tmp_path):
    frame = crowd(400, 5)
    frame.to_csv(tmp_path / "crowd.csv", index=False)
    pairs = frame.agree.long(item="doc", coder="who", label="tag").pairwise(ci=None)
    enough = pairs[pairs["n_items"] >= 10]
    assert 10 < len(enough) < len(pairs)
    status, out, err = run("crowd.csv", *LONG)
    assert (status, err) == (0, "")
    title = f"Pairwise kappa [95% interval]: the lowest 10 of {len(enough)} pairs with 10 shared items or more"
    lines = section_of(out, f"{title} ({len(pairs)} in all)\n")
    assert lines[0].split() == ["coder", "coder", "kappa", "items"]
    lowest = enough["estimate"].sort_values(kind="stable").head(10).round(2)
    assert [tuple(line.split()[:2]) for line in lines[1:]] == [key[:2] for key in lowest.index]
    assert [float(line.split()[2]) for line in lines[1:]] == lowest.tolist()
    coders = section_of(out, "Coders: the lowest 10 of 40 coders with 10 shared items or more\n")
    assert len(coders) == 1 + 10 + 3
    assert max(map(len, out.splitlines())) <= 100
    assert len(out.splitlines()) <= 55


@pytest.mark.filterwarnings("ignore::pandas_agreement.errors.AgreementWarning")
def test_pairs_of_a_thin_crowd_are_those_with_most_items(run, tmp_path):
    frame = crowd(60, 3)
    frame.to_csv(tmp_path / "crowd.csv", index=False)
    pairs = frame.agree.long(item="doc", coder="who", label="tag").pairwise(ci=None)
    status, out, _ = run("crowd.csv", *LONG)
    assert status == 0
    title = f"Pairwise kappa [95% interval]: the 10 pairs with the most items, of {len(pairs)} (none shares 10 items)\n"
    counts = [int(line.split()[-1]) for line in section_of(out, title)[1:]]
    assert counts == pairs["n_items"].sort_values(ascending=False).head(10).tolist()


def test_no_interval_of_no_width(run, tmp_path):
    small(tmp_path / "x.csv", "a,b\nx,y\ny,x\n")
    _, out, _ = run("x.csv", "--metrics", "kappa", "observed")
    lines = section_of(out, "Agreement: ")
    assert [line.split(maxsplit=1) for line in lines[1:]] == [
        ["kappa", "-1.00 [no interval]      2"],
        ["observed", "0.00 [no interval]      2"],
    ]
    small(tmp_path / "y.csv", "a,b\nx,x\ny,y\n")
    _, out, _ = run("y.csv", "--metrics", "kappa")
    kappa = pd.DataFrame({"a": ["x", "y"], "b": ["x", "y"]}).agree.kappa("a", "b").iloc[0]
    assert kappa["ci_low"] < kappa["ci_high"] == 1
    assert f"kappa        1.00 [{kappa['ci_low']:.2f}, 1.00]      2" in out


def test_the_coders(run, labels):
    _, out, _ = run("labels.csv", "--coders", *CODERS)
    table = labels.agree.coders(*CODERS)
    lines = section_of(out, "Coders\n")
    assert lines[0].split() == ["labels", "agreement", "alpha", "without", "favours"]
    for line, (name, row) in zip(lines[1:5], table.iterrows(), strict=True):
        assert line.split() == [
            *(name, str(row["n_labels"]), f"{row['agreement']:.2f}", f"{row['alpha_without']:.2f}"),
            *(f"({row['alpha_change']:+.2f})", row["favours"], f"+{100 * row['favours_by']:.0f}%"),
        ]
    bias = labels.agree.bias(*CODERS).iloc[0]
    assert lines[5:] == [
        "agreement: with the others; alpha without: alpha of the others (and the change).",
        "favours: how far its share of their labels exceeds that of the mean coder.",
        f"bias {bias['estimate']:.4f} [{bias['ci_low']:.4f}, {bias['ci_high']:.4f}]; "
        "0: all coders use the categories equally often.",
    ]


def test_of_two_coders_only_what_each_favours(run, labels):
    _, out, _ = run("labels.csv", "--coders", "ann", "dev")
    assert section_of(out, "Coders\n")[:3] == [
        "     labels       favours",
        "ann     527  question +6%",
        "dev     458       bug +8%",
    ]


def test_singly_labelled_items_count_everywhere_but_in_pairs(run, labels):
    status, out, err = run("labels.csv", "--coders", *CODERS, "--missing", "all", "--metrics", "kappa")
    assert (status, err) == (0, "")
    expected = labels.agree.kappa(*CODERS, missing="all")["estimate"].iloc[0]
    assert f"kappa        {expected:.2f} [" in out
    pairs = labels.agree.pairwise(*CODERS)["estimate"]
    assert section_of(out, "Pairwise kappa\n")[1].split()[2:] == [f"{value:.2f}" for value in pairs.iloc[:3]]


def test_weights_of_pairs_are_named(run, tmp_path):
    small(tmp_path / "n.csv", "a,b,c\n1,2,1\n2,2,3\n3,1,3\n3,3,3\n")
    assert "\nPairwise kappa (linear weights)\n" in run("n.csv", "--weights", "linear")[1]
