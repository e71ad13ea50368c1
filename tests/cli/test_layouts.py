"""Files in other layouts: frequencies, composite items, anonymous raters, ratings in one cell, named counts."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.cli.helpers import LONG, as_csv, small

PATTERNS = pd.DataFrame({"g": list("uuvvv"), "ann": list("xyxyx"), "bob": list("xyyyx"), "n": [5, 2, 3, 0, 4]})
VOTES = pd.DataFrame({"id": list("abcd"), "bug": [2, 0, 1, 3], "praise": [1, 3, 1, 0], "n": [3, 1, 2, 2]})
JUDGED = pd.DataFrame(
    {
        "sys": list("AAAABBBB"),
        "doc": [1, 1, 2, 2] * 2,
        "who": list("pq") * 4,
        "tag": list("xxyxyyxy"),
        "n": [2, 2, 1, 1, 3, 3, 1, 1],
    }
)
NUMBERS = ["estimate", "se", "ci_low", "ci_high", "n_items"]


@pytest.fixture
def result(run, tmp_path):
    """The coefficients of a frame that is written to a file."""

    def call(frame: pd.DataFrame, *options: str, file: str = "x.csv") -> pd.DataFrame:
        frame.to_csv(tmp_path / file, index=False)
        status, out, err = run(file, *options, "--format", "csv")
        assert (status, err) == (0, "")
        return as_csv(out)

    return call


def expanded(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.loc[frame.index.repeat(frame["n"])].drop(columns="n")


@pytest.mark.parametrize(
    ("frame", "options"),
    [
        (PATTERNS, ("--coders", "ann", "bob")),
        (PATTERNS, ("--coders", "ann", "bob", "--by", "g")),
        (PATTERNS.drop(columns="g"), ()),
        (VOTES, ("--counts", "bug", "praise")),
        (VOTES.drop(columns="id"), ("--counts",)),
    ],
)
def test_frequencies_give_the_numbers_of_repeated_rows(result, frame, options):
    weighted, repeated = result(frame, *options, "--frequency", "n"), result(expanded(frame), *options)
    pd.testing.assert_frame_equal(weighted[NUMBERS], repeated[NUMBERS], rtol=1e-12)


def test_frequencies_of_judgments_are_those_of_items(result):
    repeated = pd.concat(
        [
            part.assign(doc=f"{name}{copy}")
            for name, part in JUDGED.groupby(["sys", "doc"])
            for copy in range(part["n"].max())
        ]
    )
    weighted = result(JUDGED, "--item", "sys", "doc", *LONG[2:], "--frequency", "n")
    pd.testing.assert_frame_equal(weighted[NUMBERS], result(repeated, *LONG)[NUMBERS], rtol=1e-12)


def test_judges_are_compared_on_the_items_that_a_row_stands_for(result):
    frame = PATTERNS.assign(gpt=list("xxyxx"))
    options = ("--judge", "gpt", "--humans", "ann", "bob")
    weighted, repeated = result(frame, *options, "--frequency", "n"), result(expanded(frame), *options)
    pd.testing.assert_frame_equal(weighted, repeated, rtol=1e-12)


def test_two_columns_name_an_item_together(result):
    joined = JUDGED.assign(doc=JUDGED["sys"] + JUDGED["doc"].astype(str))
    both = result(JUDGED, "--item", "sys", "doc", *LONG[2:])
    assert both["n_items"].tolist() == [4] * 4
    pd.testing.assert_frame_equal(both, result(joined, *LONG))


def test_anonymous_raters_have_the_numbers_of_counts(result):
    anonymous = result(JUDGED.drop(columns="who"), "--item", "sys", "doc", "--label", "tag")
    counts = pd.crosstab([JUDGED["sys"], JUDGED["doc"]], JUDGED["tag"]).reset_index()
    assert anonymous["coefficient"].tolist() == ["observed", "pi", "alpha", "ac1"]
    pd.testing.assert_frame_equal(anonymous[NUMBERS], result(counts, "--counts", "x", "y")[NUMBERS], rtol=1e-12)


def test_a_column_that_may_name_the_anonymous_raters_is_noted(run, tmp_path):
    JUDGED.rename(columns={"who": "the worker"}).to_csv(tmp_path / "x.csv", index=False)
    status, _, err = run("x.csv", "--item", "sys", "doc", "--label", "tag")
    assert status == 0
    assert err == (
        "pandas_agreement: note: without --coder the raters are anonymous; if column 'the worker' names them, add "
        "--coder 'the worker'\n"
    )


def test_ratings_in_one_cell_have_the_numbers_of_anonymous_raters(result, run, tmp_path):
    ratings = JUDGED.groupby(["sys", "doc"])["tag"]
    anonymous = result(JUDGED.drop(columns="who"), "--item", "sys", "doc", "--label", "tag")
    joined = ratings.agg("/".join).reset_index()
    pd.testing.assert_frame_equal(result(joined, "--cells", "tag", "--sep", "/"), anonymous)
    lists = ratings.agg(list).reset_index()
    small(tmp_path / "x.jsonl", lists.to_json(orient="records", lines=True))
    pd.testing.assert_frame_equal(as_csv(run("x.jsonl", "--cells", "tag", "--format", "csv")[1]), anonymous)


def test_the_worst_counts_have_the_other_columns(run, tmp_path):
    VOTES.to_csv(tmp_path / "x.csv", index=False)
    status, out, _ = run("x.csv", "--counts", "bug", "praise", "--worst", "2", "--format", "csv")
    assert status == 0
    assert as_csv(out)[["row", "id", "bug", "praise", "n"]].to_numpy().tolist() == [
        [3, "c", 1, 1, 2],
        [1, "a", 2, 1, 3],
    ]


def test_repeated_judgments_as_a_set(result):
    tagged = pd.DataFrame({"doc": [1, 1, 1, 2, 2, 3, 3], "who": list("ppqpqpq"), "tag": list("xyxyyxx")})
    sets = result(tagged, *LONG, "--duplicates", "set", "--level", "masi")
    joined = tagged.groupby(["doc", "who"])["tag"].agg("|".join).reset_index()
    pd.testing.assert_frame_equal(sets[NUMBERS], result(joined, *LONG, "--sep", "|", "--level", "masi")[NUMBERS])


def test_help_names_the_layouts(run):
    _, out, _ = run("--help")
    text = " ".join(out.split())
    assert "--frequency COLUMN how many items a row stands for" in text
    assert "--cells COLUMN the column with all ratings of an item in one cell" in text
    assert "several columns name it together" in text
    assert "(left out: anonymous raters)" in text


def test_scores_need_no_names_of_coders(run, tmp_path):
    """They share hardly a number, which is no sign of other columns."""
    small(tmp_path / "x.csv", "ann,bob\n1.25,1.5\n3.75,3.5\n2.25,2.5\n4.75,4.5\n")
    chosen = ("--metrics", "icc_c1", "--format", "csv")
    expected = run("x.csv", "--coders", "ann", "bob", *chosen)
    assert (expected[0], run("x.csv", *chosen)) == (0, expected)


def test_a_coder_may_be_the_condition(run, tmp_path):
    """Of the items that bob calls 1; his labels stay what they are beside text."""
    rows = [("1", "1"), ("x", "1"), ("2", "2"), ("1", "1"), ("x", "2"), ("2", "1")]
    small(tmp_path / "x.csv", "ann,bob\n" + "".join(f"{ann},{bob}\n" for ann, bob in rows))
    chosen = ("--coders", "ann", "bob", "--metrics", "observed", "--format", "csv")
    status, out, err = run("x.csv", *chosen, "--where", "bob=1")
    assert (status, err, as_csv(out)["estimate"].tolist()) == (0, "", [0.5])


def test_a_column_of_comments_is_no_coder(run, tmp_path):
    small(tmp_path / "x.csv", "ann,bob,comment\nx,y,\ny,y,hard one\nx,x,\ny,x,unsure\n")
    assert "x.csv: column 'comment' does not look like a coder's; name the coders: " in run("x.csv")[2]
