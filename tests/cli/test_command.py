"""The command line, run as a user runs it, and the example it shows."""

from __future__ import annotations

import ast
import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import load_example
from pandas_agreement.cli import main
from pandas_agreement.example import make_example

CODERS = ["ann", "bob", "cleo", "dev"]
LABELS = ["bug", "question", "request", "complaint"]
ROOT = Path(pandas_agreement.__file__).parents[1]


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run the command line in an empty folder: status, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        status = main(list(arguments))
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture
def labels(tmp_path) -> pd.DataFrame:
    """The example, written to labels.csv in the folder where `run` runs."""
    frame = load_example()
    frame.to_csv(tmp_path / "labels.csv", index=False)
    return frame


def small(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def as_csv(out: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(out), keep_default_na=False, na_values=[""])


# ----------------------------------------------------------------------------------------------- the example


def test_the_script_writes_the_shipped_file_byte_for_byte():
    shipped = Path(make_example.__file__).with_name("annotations.csv")
    assert shipped.read_bytes() == make_example.example_csv().encode("utf-8")
    assert shipped.stat().st_size < 40_000


def test_the_example_is_fresh_each_time():
    first = load_example()
    first["ann"] = "spoiled"
    second = load_example()
    assert list(second.columns) == ["item", "batch", "text_length", *CODERS]
    assert len(second) == 600
    assert isinstance(second.index, pd.RangeIndex)
    assert set(second[CODERS].stack().dropna()) == {"bug", "question", "request", "complaint"}
    assert "spoiled" not in set(second["ann"])


def test_the_example_has_gaps_of_every_size():
    given = load_example()[CODERS].notna().sum(axis=1)
    assert set(given) == {0, 1, 2, 3, 4}
    assert 0.15 < 1 - given.sum() / 2400 < 0.25


@pytest.mark.parametrize("name", ["kappa", "alpha"])
def test_the_retraining_shows(name):
    by_batch = getattr(load_example().agree, name)(*CODERS, by="batch")
    before, after = by_batch.iloc[:3], by_batch.iloc[3:]
    assert before["ci_high"].max() < after["ci_low"].min()


def test_dev_stands_out():
    pairs = load_example().agree.pairwise(*CODERS)["estimate"]
    with_dev = ["dev" in key for key in pairs.index]
    assert pairs[with_dev].max() < pairs[np.invert(with_dev)].min() - 0.05
    assert load_example()["dev"].eq("bug").mean() > load_example()["ann"].eq("bug").mean() + 0.05


def test_complaint_is_the_weak_category():
    rates = load_example().agree.by_category(*CODERS)["estimate"].xs("rate", level="coefficient")
    assert rates.idxmin() == "complaint"
    assert rates["complaint"] < rates.drop("complaint").min() - 0.1


def test_long_tickets_are_harder():
    frame = load_example()
    long = frame["text_length"] > 40
    assert frame[long].agree.alpha(*CODERS)["estimate"].iloc[0] < frame[~long].agree.alpha(*CODERS)["estimate"].iloc[0]


# -------------------------------------------------------------------------------------------- without a file


def test_without_arguments_the_example_is_shown(run):
    status, out, err = run()
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 100
    assert len(lines) <= 55
    assert lines[0].startswith("The example that ships with pandas_agreement (made-up data)")
    titles = [line.partition(":")[0] for line in lines]
    for title in (
        "Agreement by batch",
        "Agreement by category",
        "Pairwise kappa",
        "Coders",
        "In Python",
    ):
        assert titles.count(title) == 1
    for batch in make_example.BATCHES:
        assert sum(line.startswith(batch) for line in lines) == 1
    assert "Lowest: complaint" in out
    assert "Lowest mean: dev" in out


def test_the_table_holds_the_numbers_of_the_summary(run):
    _, out, _ = run()
    expected = load_example().agree.kappa(*CODERS, by="batch").iloc[0]
    cell = f"{expected['estimate']:.2f} [{expected['ci_low']:.2f}, {expected['ci_high']:.2f}]"
    line = next(line for line in out.splitlines() if line.startswith("2026-w01"))
    assert cell in line
    assert str(expected["n_items"]) in line.split()


def test_help_and_version(run):
    status, out, err = run("--help")
    assert (status, err) == (0, "")
    assert out.startswith("usage: python -m pandas_agreement [FILE] [options]\n")
    assert run("--version") == (0, f"pandas_agreement {pandas_agreement.__version__}\n", "")


# --------------------------------------------------------------------------------------------------- formats


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


def section_of(out: str, title: str) -> list[str]:
    """The lines of one section, without its title."""
    return next(part for part in out.split("\n\n") if part.startswith(title)).splitlines()[1:]


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


# --------------------------------------------------------------------------------------- items to adjudicate


def test_worst_items_of_a_wide_file(run, labels):
    arguments = ("labels.csv", "--coders", *CODERS, "--worst", "3")
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert out.split("\n\n")[1].splitlines() == [
        "To adjudicate first: 3 of 280 items whose labels differ (580 have two labels or more)",
        "row  item   batch     text_length  ann        bob      cleo      dev       majority  agreement",
        "103  t0103  2026-w02           36  complaint  request  question  bug       tie            0.00",
        "189  t0189  2026-w02           57  complaint  bug      request   question  tie            0.00",
        " 75  t0075  2026-w01           16  question            request   bug       tie            0.00",
    ]
    _, out, _ = run(*arguments, "--format", "markdown")
    assert out.splitlines()[6:8] == [
        "| ---: | --- | --- | ---: | --- | --- | --- | --- | --- | ---: |",
        "| 103 | t0103 | 2026-w02 | 36 | complaint | request | question | bug | tie | 0.00 |",
    ]
    expected = labels.agree.disagreements(*CODERS, n=3)
    got = as_csv(run(*arguments, "--format", "csv")[1])
    assert got["row"].tolist() == [103, 189, 75]
    assert list(got.columns) == ["row", *expected.columns]
    np.testing.assert_allclose(got["influence"], expected["influence"], rtol=1e-12)
    records = json.loads(run(*arguments, "--format", "json")[1])
    assert [record["row"] for record in records] == [103, 189, 75]
    assert (records[2]["ann"], records[2]["bob"], records[2]["majority"]) == ("question", None, None)


def test_worst_items_of_a_long_file(run, labels, tmp_path):
    names = labels.assign(length=labels["text_length"])
    long = names.melt(["item", "batch", "length"], CODERS, var_name="who", value_name="tag").dropna(subset="tag")
    long.assign(minute=range(len(long))).to_csv(tmp_path / "long.csv", index=False)
    arguments = ("long.csv", "--item", "item", "--coder", "who", "--label", "tag", "--by", "batch", "--worst", "2")
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert out.split("\n\n")[1].splitlines() == [
        "To adjudicate first: 2 of 280 items whose labels differ (580 have two labels or more)",
        "item   batch     length  ann        bob      cleo      dev       majority  agreement",
        "t0103  2026-w02      36  complaint  request  question  bug       tie            0.00",
        "t0189  2026-w02      57  complaint  bug      request   question  tie            0.00",
    ]
    got = as_csv(run(*arguments, "--format", "csv")[1])
    assert got["item"].tolist() == ["t0103"] * 4 + ["t0189"] * 4
    assert got["who"].tolist() == CODERS * 2
    assert list(got.columns[:6]) == ["item", "batch", "length", "who", "tag", "minute"]


def test_a_report_is_written_and_nothing_else_is_printed(run, labels, tmp_path):
    arguments = ("labels.csv", "--coders", *CODERS, "--by", "batch")
    assert run(*arguments, "--report", "out.html") == (0, "out.html: wrote the agreement report of labels.csv\n", "")
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<title>Agreement report: labels.csv</title>" in page
    assert "<h2>By batch</h2>" in page
    alpha = labels.agree.alpha(*CODERS)["estimate"].iloc[0]
    assert f"Krippendorff&#x27;s alpha is {alpha:.3f} " in page


def test_a_report_as_markdown_with_the_options(run, labels, tmp_path):
    arguments = ("labels.csv", "--coders", *CODERS, "--metrics", "kappa", "--ci", "0.9", "--worst", "3")
    assert run(*arguments, "--report", "out.md") == (0, "out.md: wrote the agreement report of labels.csv\n", "")
    text = (tmp_path / "out.md").read_text(encoding="utf-8")
    options = {"metrics": ["kappa"], "ci": 0.9, "n": 3, "pictures": False, "title": "Agreement report: labels.csv"}
    assert text == labels.agree.report(*CODERS, **options).to_markdown()


def test_a_report_of_a_long_file(run, labels, tmp_path):
    long = labels.melt(id_vars=["item", "batch"], value_vars=CODERS, var_name="who", value_name="tag")
    long.to_csv(tmp_path / "long.csv", index=False)
    roles = ("--item", "item", "--coder", "who", "--label", "tag")
    status, out, err = run("long.csv", *roles, "--report", "out.md")
    assert (status, out, err) == (0, "out.md: wrote the agreement report of long.csv\n", "")
    assert "| t0103 | 2026-w02 | complaint: ann; request: bob; " in (tmp_path / "out.md").read_text(encoding="utf-8")


def test_a_report_of_the_example(run, tmp_path):
    assert run("--report", "out.md") == (0, "out.md: wrote the agreement report of the example\n", "")
    assert (tmp_path / "out.md").exists()


def test_a_report_does_not_hide_a_failure(run, labels, tmp_path):
    arguments = ("labels.csv", "--coders", *CODERS, "--fail-under", "alpha=0.8", "--report", "out.md")
    status, out, err = run(*arguments)
    assert (status, out) == (1, "out.md: wrote the agreement report of labels.csv\n")
    assert err == "pandas_agreement: labels.csv: alpha is 0.5087: --fail-under asks for 0.8\n"
    assert (tmp_path / "out.md").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--report", "out.pdf"],
            "argument --report: 'out.pdf' must end in .html or .md, which says what to write; see ",
        ),
        (["--report", "no/out.md"], "labels.csv: cannot write 'no/out.md': there is no folder 'no'; make it first\n"),
        (
            ["--report", "out.md", "--format", "csv"],
            "labels.csv: --format csv means nothing with --report, whose ending says what to write\n",
        ),
        (
            ["--report", "out.md", "--coders", "ann"],
            "labels.csv: --coders: 'ann' alone has nobody to agree with; name two or more columns\n",
        ),
    ],
)
def test_what_is_wrong_with_a_report_is_said_before_the_work(run, labels, tmp_path, arguments, message):
    status, out, err = run("labels.csv", "--coders", *CODERS, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"pandas_agreement: {message}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["labels.csv"]


def test_worst_items_of_a_crowd_say_who_said_what(run, tmp_path):
    said = {1: "xyx", 2: "xx", 3: "xxzxxzyxx"}
    rows = [f"{doc},w{i},{label}\n" for doc, labels in said.items() for i, label in enumerate(labels, 1)]
    small(tmp_path / "crowd.csv", "doc,who,tag\n" + "".join(rows))
    _, out, _ = run("crowd.csv", *LONG, "--worst", "5")
    assert section_of(out, "To adjudicate first: 2 of 2 items whose labels differ (3 have two labels or more)\n") == [
        "doc  labels           majority  agreement",
        "  1  x: w1 w3; y: w2  x              0.33",
        "  3  x 6, z 2, y 1    x              0.44",
    ]


def test_worst_items_on_the_scale_that_was_asked_for(run, tmp_path):
    small(tmp_path / "n.csv", "text,a,b\none,1,2\ntwo,1,3\nthree,3,3\nfour,,3\n")
    arguments = ("n.csv", "--coders", "a", "b", "--worst", "1", "--format", "csv")
    frame = pd.DataFrame({"a": [1, 1, 3, np.nan], "b": [2, 3, 3, 3]})
    for options, settings in (
        (("--level", "interval"), {"level": "interval"}),
        (("--weights", "linear"), {"metric": "kappa", "weights": "linear"}),
    ):
        got = as_csv(run(*arguments, *options)[1])
        assert got["text"].tolist() == ["two"]
        expected = frame.agree.disagreements("a", "b", n=1, **settings)
        assert got["agreement"].tolist() == expected["agreement"].tolist()
    assert run(*arguments[:-4], "--worst", "3", "--format", "csv")[1].splitlines()[1].startswith("2,two,1,3,")


def test_whole_numbers_with_gaps_stay_whole(run, tmp_path):
    small(tmp_path / "n.csv", "a,b,c\n1,2,\n1,3,3\n3,3,3\n,3,1\n")
    _, out, _ = run("n.csv", "--worst", "9", "--format", "csv")
    assert [line.split(",")[:4] for line in out.splitlines()] == [
        ["row", "a", "b", "c"],
        ["4", "", "3", "1"],
        ["1", "1", "2", ""],
        ["2", "1", "3", "3"],
    ]


def test_long_texts_are_cut_in_the_table_only(run, tmp_path):
    text = "word " * 60
    small(tmp_path / "t.csv", f'text,a,b\n"{text}",x,y\n"first\nsecond",y,x\n')
    _, out, _ = run("t.csv", "--coders", "a", "b", "--worst", "2")
    assert "  1  word word word word word word word word word ...  x  y       0.00\n" in out
    assert "  2  first second" in out
    assert (
        f"| 1 | {text.strip()} | x | y | 0.00 |"
        in run("t.csv", "--coders", "a", "b", "--worst", "2", "--format", "markdown")[1]
    )
    assert as_csv(run("t.csv", "--coders", "a", "b", "--worst", "2", "--format", "csv")[1])["text"].iloc[0] == text


def test_nothing_to_adjudicate(run, tmp_path):
    small(tmp_path / "x.csv", "a,b\nx,x\ny,y\ny,\n")
    _, out, _ = run("x.csv", "--worst", "3")
    assert "\n\nNothing to adjudicate: the labels of all 2 items with two or more are the same\n\n" in out
    assert json.loads(run("x.csv", "--worst", "3", "--format", "json")[1]) == []


def test_worst_items_and_a_threshold(run, labels):
    arguments = ("labels.csv", "--coders", *CODERS, "--worst", "1", "--format", "csv")
    status, out, err = run(*arguments, "--fail-under", "alpha=0.9")
    alpha = labels.agree.alpha(*CODERS)["estimate"].iloc[0]
    assert status == 1
    assert len(as_csv(out)) == 1
    assert err == f"pandas_agreement: labels.csv: alpha is {alpha:.4f}: --fail-under asks for 0.9\n"


def test_sets_among_the_worst_items(run, tmp_path):
    small(tmp_path / "s.jsonl", '{"a": ["y", "x"], "b": ["x"]}\n{"a": ["y"], "b": ["y"]}\n')
    arguments = ("s.jsonl", "--coders", "a", "b", "--worst", "1", "--format")
    assert json.loads(run(*arguments, "json")[1])[0]["a"] == ["x", "y"]
    assert as_csv(run(*arguments, "csv")[1])["a"].tolist() == ["{x, y}"]


# ---------------------------------------------------------------------------------------------- what is read


def test_na_none_and_null_stay_labels(run, tmp_path):
    small(tmp_path / "na.csv", "a,b\nNA,NA\nNone,NA\nnull,null\nn/a,n/a\nnan,nan\n,NA\n")
    status, out, _ = run("na.csv", "--coders", "a", "b", "--metrics", "observed", "--format", "csv")
    row = as_csv(out).iloc[0]
    assert status == 0
    assert (row["n_items"], row["n_categories"], row["estimate"]) == (5, 5, 0.8)


def test_long_equals_wide(run, labels, tmp_path):
    long = labels.melt(["item", "batch"], CODERS, var_name="who", value_name="tag").dropna(subset="tag")
    long.sample(frac=1, random_state=0).to_csv(tmp_path / "long.csv", index=False)
    options = ("--by", "batch", "--metrics", "kappa", "alpha", "--format", "csv")
    columns = ("--item", "item", "--coder", "who", "--label", "tag")
    wide = as_csv(run("labels.csv", "--coders", *CODERS, *options)[1])
    pd.testing.assert_frame_equal(as_csv(run("long.csv", *columns, *options)[1]), wide)
    two = as_csv(run("labels.csv", "--coders", "ann", "dev", *options)[1])
    pd.testing.assert_frame_equal(as_csv(run("long.csv", *columns, "--coders", "ann", "dev", *options)[1]), two)
    status, out, err = run("long.csv", *columns)
    assert (status, err) == (0, "")
    assert "Lowest mean: dev" in out


def test_coders_of_a_long_file_may_be_numbers(run, tmp_path):
    small(tmp_path / "long.csv", "doc,who,tag\n1,1,x\n1,2,x\n2,1,y\n2,2,x\n3,1,y\n3,2,y\n3,3,y\n")
    status, out, _ = run(
        *("long.csv", "--item", "doc", "--coder", "who", "--label", "tag", "--coders", "1", "2"),
        *("--metrics", "observed", "--format", "csv"),
    )
    assert status == 0
    assert as_csv(out)["estimate"].iloc[0] == pytest.approx(2 / 3)


def test_a_judgment_given_twice(run, tmp_path):
    small(tmp_path / "long.csv", "doc,who,tag\n1,p,x\n1,q,x\n1,q,y\n2,p,y\n2,q,y\n")
    arguments = ("long.csv", "--item", "doc", "--coder", "who", "--label", "tag", "--metrics", "observed")
    status, out, err = run(*arguments, "--format", "csv")
    assert (status, out) == (2, "")
    assert err.startswith("pandas_agreement: long.csv: ")
    assert err.count("\n") == 1
    _, out, _ = run(*arguments, "--format", "csv", "--duplicates", "last")
    assert as_csv(out)["estimate"].iloc[0] == 0.5


@pytest.mark.parametrize("name", ["x.tsv", "x.jsonl", "x.ndjson", "x.json", "x.csv.gz", "x.jsonl.gz", "x.txt"])
def test_formats_of_files(run, labels, tmp_path, name):
    frame = labels[CODERS]
    lines = "".join(json.dumps(record) + "\n" for record in json.loads(frame.to_json(orient="records")))
    texts = {
        "x.tsv": frame.to_csv(index=False, sep="\t"),
        "x.jsonl": lines,
        "x.ndjson": lines + "\n",
        "x.json": frame.to_json(orient="records"),
        "x.csv.gz": frame.to_csv(index=False),
        "x.jsonl.gz": lines,
        "x.txt": frame.to_csv(index=False),
    }
    data = texts[name].encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    options = ("--metrics", "alpha", "--format", "csv")
    expected = run("labels.csv", "--coders", *CODERS, *options)
    assert run(name, *options) == expected
    assert expected[0] == 0


def test_parquet(run, labels, tmp_path):
    pytest.importorskip("pyarrow")
    options = ("--coders", *CODERS, "--metrics", "alpha", "--format", "csv")
    labels.to_parquet(tmp_path / "x.parquet")
    assert run("x.parquet", *options) == run("labels.csv", *options)
    labels.set_index(["batch", "item"]).to_parquet(tmp_path / "y.parquet")
    assert run("y.parquet", *options, "--by", "batch")[1] == run("labels.csv", *options, "--by", "batch")[1]


def test_standard_input(run, labels, monkeypatch):
    options = ("--metrics", "alpha", "--format", "csv", "--coders", *CODERS)
    expected = run("labels.csv", *options)
    monkeypatch.setattr(sys, "stdin", io.StringIO(labels.to_csv(index=False)))
    assert run("-", *options) == expected


def test_a_byte_order_mark_does_not_matter(run, tmp_path):
    (tmp_path / "x.csv").write_bytes(b'\xef\xbb\xbf"a","b"\nyes,yes\nno,no\nno,yes\n')
    status, out, _ = run("x.csv", "--coders", "a", "b", "--metrics", "observed", "--format", "csv")
    assert (status, as_csv(out)["estimate"].iloc[0]) == (0, pytest.approx(2 / 3))


def test_blanks_around_labels_count_and_are_noted(run, tmp_path):
    small(tmp_path / "x.csv", "a , b,g\nyes,yes,1\nno,no ,1\nno,yes,1\n yes,yes,1\n")
    status, out, err = run("x.csv", "--coders", "a", "b", "--metrics", "observed", "--format", "csv")
    assert status == 0
    assert err == (
        "pandas_agreement: note: the labels 'no' and 'no ' differ only in the blanks around them and count as "
        "different (1 more like it); take the blanks out of the file if they should not\n"
    )
    assert as_csv(out)["estimate"].iloc[0] == 0.25
    assert "4 categories (' yes', 'no ', no, yes)" in run("x.csv", "--coders", "a", "b")[1]


def test_a_label_of_blanks_is_noted(run, tmp_path):
    small(tmp_path / "x.csv", "a,b\nyes,yes\nno,  \n")
    assert run("x.csv", "--coders", "a", "b", "--format", "csv")[2] == (
        "pandas_agreement: note: the label '  ' is made of blanks and counts as a label; "
        "only an empty cell is missing\n"
    )


def test_blanks_around_numbers_do_not_matter(run, tmp_path):
    small(tmp_path / "x.csv", "a, b\n1, 1\n2, 2\n2 , 1\n")
    status, out, err = run("x.csv", "--metrics", "observed", "--format", "csv")
    assert (status, err) == (0, "")
    assert as_csv(out)["estimate"].iloc[0] == pytest.approx(2 / 3)


def test_the_help_says_what_is_a_label(run):
    _, out, _ = run("--help")
    assert "Only an empty cell is missing: NA, None, null and n/a are labels like any other.\n" in out
    assert 'Cells are taken as they are: "x " and "x" are two labels.' in out


def test_numbers_become_numbers_so_that_weights_work(run, tmp_path):
    small(tmp_path / "n.csv", "a,b\n1,2\n2,2\n10,10\n,1\n9,10\n1,1\n2,9\n")
    status, out, _ = run("n.csv", "--coders", "a", "b", "--metrics", "kappa", "--weights", "linear", "--format", "csv")
    frame = pd.DataFrame({"a": [1, 2, 10, np.nan, 9, 1, 2], "b": [2, 2, 10, 1, 10, 1, 9]})
    expected = frame.agree.kappa("a", "b", weights="linear")["estimate"].iloc[0]
    assert status == 0
    assert as_csv(out)["estimate"].iloc[0] == pytest.approx(expected, rel=1e-12)


def test_declared_categories_are_numbers_where_the_labels_are(run, tmp_path):
    small(tmp_path / "n.csv", "a,b\n1,2\n2,2\n1,1\n")
    arguments = ("n.csv", "--coders", "a", "b", "--metrics", "s", "--format", "csv")
    _, out, _ = run(*arguments, "--categories", "1", "2", "3")
    assert as_csv(out)["n_categories"].iloc[0] == 3
    assert as_csv(out)["estimate"].iloc[0] == pytest.approx(0.5)


def test_names_with_leading_zeros_stay_names(run, tmp_path):
    small(tmp_path / "z.csv", "a,b\n01,1\n01,01\n1,1\n")
    _, out, _ = run("z.csv", "--coders", "a", "b", "--metrics", "observed", "--format", "csv")
    assert as_csv(out)["estimate"].iloc[0] == pytest.approx(2 / 3)


def test_lists_of_labels_are_sets(run, tmp_path):
    small(
        tmp_path / "s.jsonl",
        '{"a": ["x", "y"], "b": ["x"]}\n{"a": ["y"], "b": ["y"]}\n{"a": ["x"], "b": ["x"]}\n',
    )
    status, out, _ = run("s.jsonl", "--coders", "a", "b", "--metrics", "alpha", "--level", "masi")
    frame = pd.DataFrame({"a": [("x", "y"), ("y",), ("x",)], "b": [("x",), ("y",), ("x",)]}).map(frozenset)
    expected = frame.agree.alpha("a", "b", level="masi")["estimate"].iloc[0]
    assert status == 0
    assert f"alpha        {expected:.2f} [" in out
    assert "3 categories ({x, y}, {x}, {y})" in out


def test_an_empty_text_is_missing_in_json_too(run, tmp_path):
    small(tmp_path / "s.jsonl", '{"a": "x", "b": ""}\n{"a": "y", "b": "y"}\n{"a": "x", "b": null}\n')
    _, out, _ = run("s.jsonl", "--coders", "a", "b", "--metrics", "observed", "--format", "csv")
    assert (as_csv(out)["n_items"].iloc[0], as_csv(out)["n_categories"].iloc[0]) == (1, 2)


def test_the_order_of_words_is_given_by_categories(run, tmp_path):
    small(tmp_path / "w.csv", "a,b\nlow,mid\nmid,mid\nhigh,high\nlow,low\nhigh,low\n")
    arguments = (
        "w.csv",
        "--coders",
        "a",
        "b",
        "--metrics",
        "kappa",
        "--weights",
        "linear",
        "--format",
        "csv",
    )
    status, out, _ = run(*arguments, "--categories", "low", "mid", "high")
    frame = pd.DataFrame({"a": [0, 1, 2, 0, 2], "b": [1, 1, 2, 0, 0]})
    expected = frame.agree.kappa("a", "b", weights="linear")["estimate"].iloc[0]
    assert (status, as_csv(out)["estimate"].iloc[0]) == (0, pytest.approx(expected))
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert "; give the 3 labels in their order with --categories LOWEST ... HIGHEST" in err


# ------------------------------------------------------------------------------------------------- in Python

LONG = ("--item", "doc", "--coder", "who", "--label", "tag")
RECIPES = {
    "NA is a label": ("x.csv", "a,b\nNA,NA\nNone,NA\nnull,null\nn/a,n/a\n,NA\n", ()),
    "names of columns that are numbers": ("x.csv", "1,2\nx,x\ny,x\ny,y\n", ("--coders", "1", "2")),
    "codes": ("x.csv", "a,b\n01,1\n01,01\n1,1\n02,02\n", ()),
    "true and false": ("x.csv", "a,b\nTrue,True\nFalse,maybe\nTrue,False\n", ()),
    "numbers in one column only": ("x.csv", "a,b\n1,1\n2,x\n1,2\n", ()),
    "numbers as groups": (
        "x.csv",
        "a,b,g\n01,01,2\n02,01,10\n01,01,10\n02,02,2\n",
        ("--coders", "a", "b", "--by", "g"),
    ),
    "codes as groups": ("x.csv", "a,b,g\n1,1,02\n2,1,10\n1,1,10\n2,2,02\n", ("--coders", "a", "b", "--by", "g")),
    "all options": (
        "x.csv",
        "a,b,c,g,h\n1,2,1,u,v\n2,2,,u,v\n3,1,3,u,w\n3,3,3,u,w\n1,1,2,u,w\n2,1,1,u,v\n",
        (
            *("--coders", "a", "b", "c", "--by", "g", "h", "--weights", "linear", "--level", "ordinal"),
            *("--categories", "1", "2", "3", "4", "--missing", "all", "--metrics", "cohen_kappa", "alpha"),
            *("--ci", "0.9", "--fail-under", "s=-1"),
        ),
    ),
    "no interval": ("x.csv", "a,b\nx,y\ny,y\nx,x\n", ("--ci", "none")),
    "ordered words": (
        "x.csv",
        "a,b\nlow,it's\nit's,it's\nhigh,high\nlow,low\n",
        ("--weights", "quadratic", "--categories", "low", "it's", "high"),
    ),
    "semicolons": ("x.csv", "a;b\nx;y\ny;y\nx;x\n", ("--sep", ";")),
    "tabs": ("x.tsv", "a\tb\nx\ty\ny\ty\nx\tx\n", ()),
    "blanks": ("x.csv", "a , b\nx,x \nx,x\ny,y\n", ()),
    "long": ("x.csv", "doc,who,tag\n1,p,x\n1,q,x\n2,p,y\n2,q,x\n3,q,y\n3,p,y\n", LONG),
    "long, all numbers": (
        "x.csv",
        "doc,who,tag\n1,1,1\n1,02,1\n01,1,2\n01,02,1\n3,1,2\n3,02,2\n3,5,2\n",
        (*LONG, "--coders", "1", "02", "--weights", "linear"),
    ),
    "long, repeated": ("x.csv", "doc,who,tag\n1,p,x\n1,q,x\n1,q,y\n2,p,y\n2,q,y\n", (*LONG, "--duplicates", "last")),
    "many coders": (
        "x.csv",
        ",".join(f"coder_{i}" for i in range(40)) + "\n" + "\n".join(",".join("xxxy" * 10) for _ in range(3)) + "\n",
        (),
    ),
    "JSON lines": (
        "x.jsonl",
        '{"1": 1, "b": 1, "date": 5}\n\n{"1": 2, "b": 1}\n{"1": 2, "b": null}\n{"1": 2, "b": 2}\n',
        ("--coders", "1", "b"),
    ),
    "JSON with empty texts and numbers as text": (
        "x.json",
        '[{"a": "1", "b": "2"}, {"a": "2", "b": "2"}, {"a": "", "b": "2"}, {"a": "10", "b": "10"}]',
        ("--weights", "linear"),
    ),
    "lists": (
        "x.jsonl",
        '{"a": ["x", "y"], "b": ["x"], "t": ["u"]}\n{"a": ["y"], "b": null}\n{"a": ["x"], "b": ["x"]}\n',
        ("--coders", "a", "b", "--metrics", "alpha", "--level", "masi"),
    ),
    "long JSON with numbers for coders": (
        "x.jsonl",
        "".join(f'{{"doc": {i // 2}, "who": {i % 2}, "tag": {i // 2 % 2 + i // 7}}}\n' for i in range(12)),
        (*LONG, "--coders", "1", "0"),
    ),
}


def printed_lines(out: str) -> list[str]:
    """The lines of Python at the end of what was printed."""
    lines = out.partition("\nIn Python")[2].partition("\n\n")[0].splitlines()[1:]
    assert all(line.startswith("  ") and len(line) <= 100 for line in lines)
    return [line.removeprefix("  ") for line in lines]


def value_of(lines: list[str]) -> pd.DataFrame:
    """Execute lines of Python; the value of the last expression."""
    *before, last = ast.parse("\n".join(lines)).body
    assert isinstance(last, ast.Expr)
    names: dict[str, object] = {}
    exec(compile(ast.Module(before, []), "printed", "exec"), names)
    return eval(compile(ast.Expression(last.value), "printed", "eval"), names)


@pytest.mark.filterwarnings("default::pandas_agreement.errors.AgreementWarning")
@pytest.mark.parametrize("name", RECIPES)
def test_the_printed_lines_give_the_printed_numbers(run, tmp_path, name):
    file, text, options = RECIPES[name]
    small(tmp_path / file, text)
    status, table, _ = run(file, *options)
    assert status == 0
    again = value_of(printed_lines(table)).reset_index().to_csv(index=False, lineterminator="\n")
    assert again == run(file, *options, "--format", "csv")[1]
    status, table, _ = run(file, *options, "--worst", "3")
    assert status == 0
    pd.testing.assert_frame_equal(
        value_of(printed_lines(table)).reset_index(drop=True)[["n_labels", "agreement", "share", "tie"]],
        as_csv(run(file, *options, "--worst", "3", "--format", "csv")[1])[["n_labels", "agreement", "share", "tie"]],
    )


def test_the_printed_lines_in_full(run, tmp_path):
    small(tmp_path / "x.csv", RECIPES["all options"][1])
    assert printed_lines(run("x.csv", *RECIPES["all options"][2])[1]) == [
        "import pandas as pd",
        "import pandas_agreement",
        "df = pd.read_csv('x.csv', keep_default_na=False, na_values=[''])",
        "df.agree.summary('a', 'b', 'c', metrics=['kappa', 'alpha', 's'], by=['g', 'h'], weights='linear',",
        "    level='ordinal', ci=0.9, missing='all', categories=[1, 2, 3, 4])",
    ]
    small(tmp_path / "y.csv", "a;b;g\n01;01;2\n02;01;10\n")
    assert printed_lines(run("y.csv", "--coders", "a", "b", "--by", "g", "--sep", ";")[1])[2:5] == [
        "df = pd.read_csv('y.csv', sep=';', keep_default_na=False, na_values=[''], dtype=str)",
        "numbers = ['g']",
        "df[numbers] = df[numbers].apply(pd.to_numeric)",
    ]


def test_the_printed_lines_of_the_example(run):
    again = value_of(printed_lines(run("--weights", "linear", "--categories", "bug", *LABELS[1:])[1]))
    expected = run("--weights", "linear", "--categories", "bug", *LABELS[1:], "--format", "csv")[1]
    assert again.reset_index().to_csv(index=False, lineterminator="\n") == expected


def test_the_printed_lines_for_standard_input(run, tmp_path, monkeypatch):
    text = "a,b\nNA,NA\nx,NA\nx,x\n"
    small(tmp_path / "labels.csv", text)
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    _, out, _ = run("-")
    assert "\nIn Python, with the input saved as labels.csv:\n" in out
    assert value_of(printed_lines(out))["estimate"].iloc[0] == pytest.approx(2 / 3)


def test_the_printed_lines_for_parquet(run, labels, tmp_path):
    pytest.importorskip("pyarrow")
    lists = {1: [["x", "y"], ["y"], None, ["x"], ["y"]], 2: [["x"], ["y"], ["y"], ["x"], ["x"]], "g": list("uuvvv")}
    frame = pd.DataFrame(lists)
    frame.set_index("g").to_parquet(tmp_path / "x.parquet")
    options = ("--coders", "1", "2", "--by", "g", "--metrics", "alpha", "--level", "jaccard")
    status, out, err = run("x.parquet", *options)
    assert (status, err) == (0, "")
    again = value_of(printed_lines(out)).reset_index().to_csv(index=False, lineterminator="\n")
    assert again == run("x.parquet", *options, "--format", "csv")[1]


# ------------------------------------------------------------------------------------------------ fail-under


def test_fail_under_passes(run, labels):
    arguments = ("labels.csv", "--coders", *CODERS, "--format", "csv")
    status, _, err = run(*arguments, "--fail-under", "alpha=0.3", "--fail-under", "observed=0.5")
    assert (status, err) == (0, "")


def test_fail_under_names_the_rows(run, labels):
    alpha = labels.agree.alpha(*CODERS, by="batch")["estimate"].droplevel("coefficient")
    low = alpha[alpha < 0.6]
    assert list(low.index) == ["2026-w01", "2026-w02", "2026-w03"]
    status, out, err = run(
        *("labels.csv", "--coders", *CODERS, "--by", "batch", "--metrics", "kappa", "--format", "csv"),
        *("--fail-under", "krippendorff_alpha=0.6"),
    )
    assert status == 1
    assert set(as_csv(out)["coefficient"]) == {"kappa", "alpha"}
    assert err == "".join(
        f"pandas_agreement: labels.csv: alpha is {value:.4f}, in batch {batch}: --fail-under asks for 0.6\n"
        for batch, value in low.items()
    )


def test_undefined_fails(run, tmp_path):
    small(tmp_path / "same.csv", "a,b\nyes,yes\nyes,yes\n")
    status, _, err = run("same.csv", "--coders", "a", "b", "--format", "csv", "--fail-under", "kappa=-1")
    assert status == 1
    assert err.splitlines()[-1] == "pandas_agreement: same.csv: kappa is undefined: --fail-under asks for -1"


# ------------------------------------------------------------------------------------------- what goes wrong

FILES = {
    "good.csv": "item,batch,ann,bob\n" + "".join(f"t{i},w{i % 2},{'xy'[i % 2]},{'xyy'[i % 3]}\n" for i in range(12)),
    "long.csv": "doc,who,tag\n" + "".join(f"d{i // 2},{'pq'[i % 2]},{'xyy'[i % 3]}\n" for i in range(12)),
    "semi.csv": "ann;bob\nx;y\ny;y\n",
    "ragged.csv": "ann,bob\nx,y\nx,y,z\n",
    "shifted.csv": "ann,bob\nx,y,\ny,y,\n",
    "empty.csv": "",
    "header.csv": "ann,bob\n",
    "broken.jsonl": '{"ann": "x", "bob": "y"}\n{"ann": "x", \n',
    "broken.json": '[{"ann": "x"},\n nonsense]\n',
    "object.json": '{"ann": ["x"], "bob": ["y"]}\n',
    "values.jsonl": "1\n2\n",
    "numbers.csv": "ann,bob\n1,2\n2,2\n",
    "twice.csv": "ann,bob, ann\nx,y,x\n",
    "twice.jsonl": '{"ann": "x", "bob": "y", "ann": "z"}\n',
    "quoted.csv": '"ann", "bob"\n"x", "y"\n',
    "quoted_labels.csv": 'ann,bob\nx, "y"\ny,y\n',
    "record.jsonl": '{"ann": "x", "bob": "y"}\n{"ann": {"k": 1}, "bob": "y"}\n',
    "nested.jsonl": '{"ann": "x", "bob": [["x"]]}\n{"ann": "x", "bob": "y"}\n',
    "huge.json": json.dumps([{"ann": {"text": "a" * 100}, "bob": "y"}]),
    "anonymous.csv": "doc,who,tag\n1,p,x\n1,,x\n2,p,y\n2,q,y\n",
    "reserved.csv": "ann,bob,category\nx,y,1\nx,x,1\n",
    "column.csv": "ann,bob,share\nx,y,1\nx,x,1\n",
    "kinds.jsonl": '{"ann": 1, "bob": "1"}\n{"ann": 2, "bob": "x"}\n',
    "zeros.csv": "ann,bob\n01,02\n01,01\n",
    "hours.csv": "ann,bob\n1,2\n5,5\n",
    "gap.csv": "ann,bob\nx,\nx,x\ny,y\n",
}

ERRORS = [
    (["nowhere.tsv"], "nowhere.tsv: no such file; check the path"),
    (["god.csv"], "god.csv: no such file; did you mean 'good.csv'?"),
    (["."], ".: this is a directory; name a file in it"),
    (["latin.csv"], "latin.csv: the text is not UTF-8; save the file as UTF-8"),
    (["bad.csv.gz"], "bad.csv.gz: cannot be read (Not a gzipped file (b'an'))"),
    (["bad.parquet", "--coders", "ann", "bob"], None),
    (["empty.csv"], "empty.csv: the file is empty; the first line should hold the names of the columns"),
    (["header.csv"], "header.csv: there are no rows; the first line should hold the names of the columns"),
    (
        ["ragged.csv"],
        ("ragged.csv: Expected 2 fields in line 3, saw 3; check that line, or name the separator, such as --sep ';'"),
    ),
    (
        ["shifted.csv"],
        "shifted.csv: the rows have more cells than the first line has names; give every column a name",
    ),
    (
        ["broken.jsonl"],
        (
            "broken.jsonl: line 2 is not JSON (Expecting property name enclosed in double quotes); "
            "expected a record a line"
        ),
    ),
    (["broken.json"], "broken.json: line 2 is not JSON (Expecting value); a record a line is .jsonl"),
    (["object.json"], "object.json: expected a list of records: [{...}, {...}]"),
    (["values.jsonl"], 'values.jsonl: expected a record a line: {"item": ..., "ann": ...}'),
    (
        ["good.csv", "--coders", "ann", "bbo"],
        "good.csv: --coders: no column 'bbo'; did you mean 'bob'?",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--by", "month"],
        "good.csv: --by: no column 'month'; there are: 'item', 'batch', 'ann', 'bob'",
    ),
    (
        ["semi.csv", "--coders", "ann", "bob"],
        "semi.csv: --coders: no column 'ann'; the only column is 'ann;bob': should it be --sep ';'?",
    ),
    (["semi.csv"], "semi.csv: the only column is 'ann;bob': should it be --sep ';'?"),
    (
        ["good.csv"],
        (
            "good.csv: not every column looks like a coder's: 'item', 'batch' (all values differ, or "
            "no other column "
            "shares them); name the coders: --coders ann bob"
        ),
    ),
    (
        ["long.csv"],
        (
            "long.csv: not every column looks like a coder's: 'doc', 'who', 'tag' (all values "
            "differ, or no other "
            "column shares them); name the columns: --coders A B, or, for a row a judgment, --item I "
            "--coder C "
            "--label L"
        ),
    ),
    (
        ["good.csv", "--coders", "ann"],
        "good.csv: --coders: 'ann' alone has nobody to agree with; name two or more columns",
    ),
    (["good.csv", "--coders", "ann", "ann"], "good.csv: --coders: column 'ann' is named twice"),
    (
        ["good.csv", "--coders", "ann", "bob", "--by", "bob"],
        "good.csv: column 'bob' cannot be both a coder (--coders) and a group (--by)",
    ),
    (
        ["long.csv", "--item", "doc", "--label", "tag"],
        "long.csv: --item, --coder and --label go together; --coder is missing",
    ),
    (
        ["long.csv", "--item", "doc", "--coder", "whom", "--label", "tag"],
        "long.csv: --coder: no column 'whom'; did you mean 'who'?",
    ),
    (
        ["numbers.csv", "--coders", "ann", "bob", "--categories", "1", "two"],
        "numbers.csv: --categories: 'two' is not a number, but the labels in the file are",
    ),
    (["semi.csv", "--sep", ";;"], "semi.csv: --sep ';;' must be a single character, or \\t for a tab"),
    (["object.json", "--sep", ";"], "object.json: --sep is for text files such as CSV, not for .json"),
    (
        ["--coders", "ann", "bob", "labels.csv"],
        (
            "the example: --coders: no column 'labels.csv'; there are: 'item', 'batch', "
            "'text_length', 'ann', 'bob', "
            "'cleo', 'dev' (no FILE was named; it comes first, before the options)"
        ),
    ),
    (
        ["--item", "doc", "--coder", "who", "--label", "tag"],
        ("the example: --item, --coder, --label and --sep describe a file: python -m pandas_agreement FILE ..."),
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--metrics", "kapa"],
        "good.csv: no coefficient 'kapa'; did you mean 'kappa'?",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--fail-under", "alfa=1"],
        "good.csv: no coefficient 'alfa'; did you mean 'alpha'?",
    ),
    (
        ["--ci", "95"],
        (
            "argument --ci: '95' must lie between 0 and 1, such as 0.95, or be none; see python -m "
            "pandas_agreement --help"
        ),
    ),
    (
        ["--fail-under", "0.8"],
        "argument --fail-under: '0.8' should read like alpha=0.8; see python -m pandas_agreement --help",
    ),
    (["twice.csv"], "twice.csv: column 'ann' stands twice in the first line; give each column a name of its own"),
    (["twice.jsonl"], "twice.jsonl: column 'ann' stands twice in a record; give each column a name of its own"),
    (
        ["quoted.csv"],
        "quoted.csv: the name ' \"bob\"' has a blank before its quotation mark, which makes the mark a part of it; "
        "take out the blanks after the separators",
    ),
    (
        ["quoted_labels.csv"],
        "quoted_labels.csv: the label ' \"y\"' has a blank before its quotation mark, which makes the mark a part of "
        "it; take out the blanks after the separators",
    ),
    (
        ["record.jsonl", "--coders", "ann", "bob"],
        "record.jsonl: column 'ann' holds {\"k\": 1} in record 2; "
        "a cell is a text, a number, true, false or a list of these",
    ),
    (
        ["nested.jsonl", "--coders", "ann", "bob"],
        "nested.jsonl: column 'bob' holds [[\"x\"]] in record 1; "
        "a cell is a text, a number, true, false or a list of these",
    ),
    (
        ["huge.json", "--coders", "ann", "bob"],
        f'huge.json: column \'ann\' holds {{"text": "{"a" * 50}... in record 1; '
        "a cell is a text, a number, true, false or a list of these",
    ),
    (
        ["anonymous.csv", "--item", "doc", "--coder", "who", "--label", "tag"],
        "anonymous.csv: 1 rows have a label but no 'who' (the first is row 2, not counting the names); fill it in, or "
        "take them out of the file",
    ),
    (
        ["reserved.csv", "--coders", "ann", "bob", "--by", "category"],
        "reserved.csv: a group key cannot be called 'category', as results have that name; "
        "rename that column in the file",
    ),
    (
        ["column.csv", "--coders", "ann", "bob", "--worst", "3"],
        "column.csv: the file has a column 'share', and --worst adds one; rename that column in the file",
    ),
    (
        ["kinds.jsonl", "--coders", "ann", "bob"],
        "kinds.jsonl: column 'ann' has the label 1 and column 'bob' the text '1', which never agree; "
        "write them alike in the file",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--weights", "linear"],
        "good.csv: --weights linear needs labels that are numbers or have an order, and 'x' is text; "
        "give the 2 labels in their order with --categories LOWEST ... HIGHEST",
    ),
    (
        ["zeros.csv", "--weights", "linear"],
        "zeros.csv: --weights linear needs labels that are numbers, and these are numbers written as text, such as "
        "'01'; write them as plain numbers in the file",
    ),
    (
        ["hours.csv", "--weights", "circular", "--categories", "1", "2", "5"],
        "hours.csv: 'circular' cannot tell the length of the circle from labels that are not equally spaced; "
        "list all labels of the circle with --categories",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--metrics", "ac1", "--weights", "linear"],
        "good.csv: --weights means nothing to these coefficients; the weighted form is ac2",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--metrics", "alpha", "--weights", "linear"],
        "good.csv: --weights means nothing to these coefficients; use --level",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--metrics", "kappa", "--level", "ordinal"],
        "good.csv: --level means nothing to these coefficients; use --weights",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--metrics", "ccc"],
        "good.csv: ccc needs numbers, and 'x' (of 'ann') is not one; write the labels as numbers in the file",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--duplicates", "first"],
        "good.csv: --duplicates means nothing for wide data; it is for long files (--item, --coder and --label)",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--missing", "al"],
        "good.csv: --missing al is not known; use one of 'pairable', 'all', 'complete', 'raise'; did you mean 'all'?",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--categories", "x"],
        "good.csv: column 'ann' has the label 'y' in 6 rows, which is not among the categories 'x'; "
        "correct it or add it to --categories",
    ),
    (
        ["gap.csv", "--missing", "raise"],
        "gap.csv: --missing raise: 1 of 3 items lack a label ('bob': 1); fill them in, or choose --missing pairable, "
        "'all' or 'complete'",
    ),
    (
        ["--worst", "0"],
        "argument --worst: '0' must be a whole number above 0, such as 10; see python -m pandas_agreement --help",
    ),
    (["--sepp=;"], "unrecognized arguments: --sepp=;; see python -m pandas_agreement --help"),
]


@pytest.fixture
def bad_files(tmp_path):
    for name, text in FILES.items():
        small(tmp_path / name, text)
    (tmp_path / "latin.csv").write_bytes("ann,bob\nä,ö\n".encode("latin-1"))
    (tmp_path / "bad.csv.gz").write_bytes(b"ann,bob\n")
    (tmp_path / "bad.parquet").write_bytes(b"ann,bob\n")


@pytest.mark.parametrize(("arguments", "message"), ERRORS, ids=[" ".join(arguments) for arguments, _ in ERRORS])
def test_errors_are_one_line(run, bad_files, arguments, message):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    if message is not None:
        assert err == f"pandas_agreement: {message}\n"


def test_parquet_without_an_engine(run, bad_files, monkeypatch):
    def missing(path):
        raise ImportError("Unable to find a usable engine")

    monkeypatch.setattr(pd, "read_parquet", missing)
    assert run("bad.parquet") == (
        2,
        "",
        ("pandas_agreement: bad.parquet: reading Parquet needs pyarrow; install it with: pip install pyarrow\n"),
    )


def test_notes_are_for_a_shell(run, tmp_path):
    small(tmp_path / "g.csv", "ann,bob,g\nx,y,1\nx,x,\ny,y,1\n")
    assert run("g.csv", "--coders", "ann", "bob", "--by", "g", "--format", "csv")[2] == (
        "pandas_agreement: note: 1 of 3 rows have no group key and are left out; "
        "give them one in the file to have them counted\n"
    )
    small(tmp_path / "s.jsonl", '{"ann": ["x"], "bob": "x"}\n{"ann": ["y"], "bob": "y"}\n')
    assert run("s.jsonl", "--metrics", "observed", "--coders", "ann", "bob")[2] == (
        "pandas_agreement: note: labels of different kinds are compared: sets in 'ann', text in 'bob'; "
        "if that is not meant, write them alike in the file\n"
    )
    small(tmp_path / "one.csv", "ann,bob\nx,x\nx,x\n")
    assert run("one.csv", "--metrics", "s")[2] == (
        "pandas_agreement: note: the estimate is undefined (NaN): "
        "only one category; declare the others with --categories\n"
    )


def test_orders_that_differ(run, tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame(
        {
            "ann": pd.Categorical(["low", "high"], ["low", "high"], ordered=True),
            "bob": pd.Categorical(["low", "high"], ["high", "low"], ordered=True),
        }
    )
    frame.to_parquet(tmp_path / "x.parquet")
    assert run("x.parquet") == (
        2,
        "",
        "pandas_agreement: x.parquet: the orders of two columns differ: 'high' < 'low' in 'bob', 'low' < 'high' in "
        "'ann'; give the order of all labels with --categories ...\n",
    )


def test_labels_that_look_like_options_stay_what_they_are(run, tmp_path):
    small(tmp_path / "x.csv", "ann,bob\nlevel=3,x\nx,x\n")
    assert run("x.csv", "--categories", "x", "--coders", "ann", "bob")[2] == (
        "pandas_agreement: x.csv: column 'ann' has the label 'level=3' in 1 row, which is not among the categories "
        "'x'; correct it or add it to --categories\n"
    )


def test_columns_that_are_not_used_may_hold_anything(run, tmp_path):
    small(
        tmp_path / "x.jsonl",
        '{"ann": "x", "bob": "x", "meta": {"k": 1}, "spans": [[1, 2]]}\n{"ann": "y", "bob": "x", "meta": {}}\n',
    )
    status, out, err = run("x.jsonl", "--coders", "ann", "bob", "--metrics", "observed", "--format", "csv")
    assert (status, err, as_csv(out)["estimate"].iloc[0]) == (0, "", 0.5)


@pytest.fixture
def broken(monkeypatch):
    """A program with a mistake in it."""

    def set_up(error: BaseException) -> None:
        def fail(*arguments: object) -> None:
            raise error

        monkeypatch.setattr("pandas_agreement.cli.command.report", fail)

    monkeypatch.delenv("PANDAS_AGREEMENT_TRACEBACK", raising=False)
    return set_up


def test_the_unexpected_is_one_line_and_status_2(run, broken, labels):
    broken(ZeroDivisionError("division\nby   zero."))
    assert run("labels.csv", "--coders", *CODERS) == (
        2,
        "",
        "pandas_agreement: labels.csv: unexpected ZeroDivisionError: division by zero; "
        "to see where, set PANDAS_AGREEMENT_TRACEBACK=1\n",
    )


def test_developers_see_the_traceback(run, broken, monkeypatch):
    broken(ZeroDivisionError("division by zero"))
    monkeypatch.setenv("PANDAS_AGREEMENT_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError, match=r"^division by zero$"):
        run()


def test_an_interrupt_is_status_130(run, broken):
    broken(KeyboardInterrupt())
    assert run() == (130, "", "pandas_agreement: interrupted\n")


# ----------------------------------------------------------------------------------- as a process of its own


def process(*arguments: str, cwd: Path, **more) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    command = [sys.executable, "-m", "pandas_agreement", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, check=False, **more)


def test_the_module_runs(tmp_path):
    done = process("--format", "json", "--metrics", "alpha", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [record["batch"] for record in json.loads(done.stdout)] == list(make_example.BATCHES)


def test_the_status_reaches_the_shell(tmp_path):
    done = process("-", "--coders", "a", "c", cwd=tmp_path, input="a,b\nx,x\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "pandas_agreement: standard input: --coders: no column 'c'; there are: 'a', 'b'\n"


@pytest.mark.skipif(os.name != "posix", reason="needs a pipe that can be closed early")
def test_a_closed_pipe_is_no_error(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "pandas_agreement", "--metrics", "kappa"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with os.fdopen(writer, "wb") as out:
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, cwd=tmp_path, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_letters_the_terminal_does_not_have(tmp_path):
    small(tmp_path / "x.csv", "a,b\nja\u00df,ja\u00df\nnein,ja\u00df\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "pandas_agreement", "x.csv"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False)
    assert done.returncode == 0
    assert "ja\\xdf" in done.stdout
