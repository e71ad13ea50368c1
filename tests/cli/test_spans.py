"""Files of spans: `--start` and `--end`, and exports whose question holds spans."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import pandas_agreement  # noqa: F401  (df.agree)
from tests.cli.helpers import as_csv, section_of, small
from tests.pages import printed, write_spans
from tests.spans.helpers import SEVERAL

COLUMNS = ("--item", "doc", "--coder", "who", "--start", "start", "--end", "end")
ROLES = (*COLUMNS, "--label", "tag")


@pytest.fixture
def spans(tmp_path: Path) -> pd.DataFrame:
    """The spans of the guide, as spans.csv and as exports of tools."""
    write_spans(tmp_path)
    return pd.read_csv(tmp_path / "spans.csv")


def summary(frame: pd.DataFrame, **options: object) -> pd.DataFrame:
    roles = {"item": "doc", "coder": "who", "start": "start", "end": "end", "label": "tag", "length": "n_chars"}
    return frame.agree.spans(**roles).summary(**options).reset_index()


def test_numbers_are_those_of_python(run, spans):
    status, out, err = run(
        "spans.csv", *ROLES, "--length", "n_chars", "--by", "genre", "--ci", "0.9", "--format", "csv"
    )
    assert (status, err) == (0, "")
    expected = summary(spans, by="genre", ci=0.9)
    pd.testing.assert_frame_equal(as_csv(out).fillna({"note": ""}), expected, check_dtype=False)
    two = run("spans.csv", *ROLES, "--length", "n_chars", "--coders", "ann", "bob", "--format", "json")[1]
    assert json.loads(two)[0]["estimate"] == pytest.approx(0.8197, abs=1e-4)


def test_the_page_has_pairs_categories_and_the_lines_of_python(run, spans):
    status, out, _ = run("spans.csv", *ROLES, "--length", "n_chars")
    assert status == 0
    assert section_of(out, "Agreement on spans")[2].split() == ["f1", "0.792", "0.706", "to", "0.858", "178", "12"]
    assert [len(section_of(out, title)) for title in ("Pairs of coders", "Categories")] == [2 + 3, 2 + 9]
    code = "\n".join(section_of(out, "In Python"))
    assert "0.792" in printed(code, {})


def test_without_labels_a_number_as_length_and_a_rule_for_missing_rows(run, tmp_path):
    SEVERAL.to_csv(tmp_path / "x.csv", index=False)
    status, out, err = run("x.csv", *COLUMNS)
    assert (status, out) == (2, "")
    assert err == (
        "pandas_agreement: x.csv: 3 of 9 pairs of document and coder have no row, such as 'd2' and 'c'; write "
        "--unmarked seen if these coders saw the document and marked nothing, --unmarked absent if they did not see "
        "it\n"
    )
    found = as_csv(run("x.csv", *COLUMNS, "--length", "20", "--unmarked", "absent", "--format", "csv")[1])
    assert found["coefficient"].tolist() == ["f1", "f1_iou", "u_alpha", "u_alpha_marking", "kappa"]
    assert found["n_items"].tolist() == [2] * 5


@pytest.mark.parametrize("path", ["project", "brat"])
def test_an_export_of_spans_needs_no_columns(run, spans, path):
    field = "NamedEntity.value" if path == "project" else "spans"
    status, out, err = run(path, "--field", field, "--format", "csv")
    assert (status, err) == (0, "")
    assert as_csv(out)["estimate"].tolist() == pytest.approx(summary(spans)["estimate"].tolist(), rel=1e-14)
    page = run(path, "--field", field)[1]
    assert page.splitlines()[0].startswith(f"{path}: {'WebAnno TSV' if path == 'project' else 'brat'}, 1 question")
    assert section_of(page, "In Python")[-2:] == ["spans = df.agree.spans()", "spans.summary()"]


def test_a_gate_for_spans(run, spans):
    limits = ("--fail-under", "f1=0.8", "--fail-under", "u_alpha.ci_low=0.7", "--min-items", "50")
    status, _, err = run("spans.csv", *ROLES, "--length", "n_chars", *limits)
    assert status == 1
    assert [line.partition(": ")[2] for line in err.splitlines()] == [
        "spans.csv: f1 is 0.7921: --fail-under requires 0.8",
        "spans.csv: f1 rests on 12 items: --min-items requires 50",
        "spans.csv: u_alpha rests on 12 items: --min-items requires 50",
    ]
    assert run("spans.csv", *ROLES, "--fail-under", "f2=0.8")[0] == 2


ERRORS = {
    ("--item", "doc", "--coder", "who", "--start", "start"): "--start goes with --end; a file of spans has --item",
    ("--item", "doc", "--start", "start", "--end", "end"): "--start goes with --coder",
    ("--length", "n"): "--length goes with --start",
    (*ROLES, "--metrics", "kappa"): "--metrics is about labels, and spans have coefficients of their own",
    (*ROLES, "--length", "size"): "--length: no column 'size'",
    (
        *COLUMNS[:-1],
        "tag",
    ): "--end must hold whole numbers, and row 1 holds 'A'; write whole numbers in the file",
    (): "the file has one row per span; name the columns: --item doc --coder who --label tag --start start --end end",
    (*ROLES, "--unmarked", "no"): "--unmarked no is not known; use one of 'raise', 'seen', 'absent'",
}


def test_a_span_that_is_there_twice(run, tmp_path):
    pd.concat([SEVERAL, SEVERAL.head(1)]).to_csv(tmp_path / "x.csv", index=False)
    err = run("x.csv", *ROLES, "--unmarked", "seen")[2]
    assert err.endswith("1 row, such as 9: the same span of the same coder again; keep it once in the file\n")


@pytest.mark.parametrize("options", ERRORS)
def test_errors(run, tmp_path, options):
    SEVERAL.to_csv(tmp_path / "x.csv", index=False)
    status, out, err = run("x.csv", *options)
    assert (status, out) == (2, "")
    assert err.startswith(f"pandas_agreement: x.csv: {ERRORS[options]}")


def test_a_pipe_of_spans_is_saved_first(run, monkeypatch, tmp_path):
    small(tmp_path / "x.csv", "doc,who,start,end\nd,a,0,5\nd,b,0,4\n")
    with open(tmp_path / "x.csv", encoding="utf-8") as file:
        monkeypatch.setattr("sys.stdin", file)
        out = run("-", *COLUMNS, "--length", "9")[1]
    assert "df = pd.read_csv('labels.csv')" in out
