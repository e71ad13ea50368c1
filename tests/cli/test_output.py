"""What the command line prints: formats, tables, pairs, coders."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from tests.cli.helpers import as_csv, section_of, small
from tests.data_sets import CODERS
from tests.helpers import same


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
    assert "## By batch" in lines
    start = next(i for i, line in enumerate(lines) if line.startswith("| batch |"))
    assert lines[start + 1] == "| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: |"
    assert {line.count("|") for line in lines[start : start + 8]} == {9}
    assert lines[start + 8] == ""
    assert "    df = pd.read_csv('labels.csv')" in lines


def test_pipes_in_labels_do_not_break_markdown(run, tmp_path):
    small(tmp_path / "p.csv", "a,b\nx|y,x|y\nz,z\nz,x|y\n")
    _, out, _ = run("p.csv", "--coders", "a", "b", "--format", "markdown")
    assert "| x\\|y |" in out


def test_two_coders_are_shown_as_a_table(run, tmp_path):
    small(tmp_path / "two.csv", "a,b\nyes,no\nyes,yes\nno,no\nno,no\n")
    _, out, _ = run("two.csv", "--coders", "b", "a")
    assert section_of(out, "Confusions") == [
        "Where b and a differ, the most frequent first:",
        "b   a    items  of all that differ",
        "no  yes      1                100%",
        "Items by the labels of b (down) and a (across):",
        "     no  yes",
        "no    2    1",
        "yes   0    1",
    ]


def test_many_categories_are_cut_to_the_lowest(run, tmp_path):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.integers(0, 12, (200, 2)), columns=["a", "b"]).map("k{:02d}".format)
    frame.to_csv(tmp_path / "k.csv", index=False)
    _, out, _ = run("k.csv", "--coders", "a", "b")
    lines = section_of(out, "Categories")
    rates = frame.agree.by_category("a", "b")["estimate"].sort_values(kind="stable")
    assert [line.split()[0] for line in lines[2:12]] == rates.index[:10].tolist()
    assert lines[12] == "... and 2 more categories"
    assert "Items by the labels" not in out


def test_weights_are_named_where_there_are_any(run, tmp_path):
    small(tmp_path / "n.csv", "a,b\n1,2\n2,2\n3,1\n3,3\n")
    _, out, _ = run("n.csv", "--weights", "linear", "--level", "ordinal")
    lines = section_of(out, "How much agreement")
    assert lines[1].split()[-1] == "weights"  # the benchmark follows below
    kinds = [line.split()[-1] for line in lines[2:6]]
    assert kinds == ["linear", "linear", "ordinal", "linear"]
    assert "weights" not in run("n.csv")[1]


def test_no_intervals(run):
    _, out, _ = run("--ci", "none", "--metrics", "kappa")
    assert "interval" not in out
    _, out, _ = run("--ci", "0.9", "--metrics", "kappa")
    assert "90% interval" in section_of(out, "How much agreement")[1]


def test_many_different_numbers_are_scores(run, tmp_path):
    """As in `df.agree.report`; what is printed, written for programs and checked rests on the same coefficients."""
    rng = np.random.default_rng(2)
    truth = rng.normal(50, 10, 40)
    frame = pd.DataFrame({name: (truth + rng.normal(0, 3, 40)).round(1) for name in "abc"})
    frame.to_csv(tmp_path / "scores.csv", index=False)
    status, out, err = run("scores.csv", "--format", "csv", "--fail-under", "alpha=0.8")
    assert (status, err) == (0, "")
    expected = frame.agree.summary(metrics=["icc_a1", "icc_c1", "ccc", "alpha"], level="interval")
    same(as_csv(out), as_csv(expected.reset_index().to_csv(index=False)))
    _, out, _ = run("scores.csv")
    assert f"ICC(A,1) is {expected['estimate'].iloc[0]:.3f} " in out
    for options in (("--metrics", "alpha"), ("--level", "nominal")):
        nominal = frame.agree.alpha()["estimate"].iloc[0]
        assert as_csv(run("scores.csv", *options, "--format", "csv")[1]).set_index("coefficient").loc[
            "alpha", "estimate"
        ] == pytest.approx(nominal)
