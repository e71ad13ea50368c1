"""Documents, spans that differ, and segments, as rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.errors import InputError
from tests.spans import helpers
from tests.spans.helpers import BOOK, COLUMNS, ROLES, SEVERAL, corpus, frame_of

SHORT = ["doc", "coder_1", "coder_2", "kind", "start_1", "end_1", "start_2", "end_2"]


def listed(frame: pd.DataFrame) -> list[tuple[object, ...]]:
    return [tuple(None if pd.isna(cell) else cell for cell in row) for row in frame.itertuples(index=False)]


def test_the_worked_example() -> None:
    frame = SEVERAL[(SEVERAL["who"] != "c") & (SEVERAL["doc"] != "d3")]
    found = frame.agree.spans(**ROLES, length={"d1": 20, "d2": 15}).disagreements()
    assert listed(found[SHORT]) == [
        ("d1", "a", "b", "boundary", 8, 12, 9, 12),
        ("d2", "a", "b", "missing", 3, 7, None, None),
    ]
    assert found["row_1"].tolist() == [1, 5]
    assert found["row_2"].isna().tolist() == [False, True]


KINDS = {
    "label": (("A", 0, 5), ("B", 0, 5)),
    "boundary": (("A", 0, 5), ("A", 0, 4)),
    "both": (("A", 0, 5), ("B", 3, 7)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind: str) -> None:
    rows = [("d", who, start, end, tag) for who, (tag, start, end) in zip("ab", KINDS[kind], strict=True)]
    assert pd.DataFrame(rows, columns=COLUMNS).agree.spans(**ROLES).disagreements()["kind"].tolist() == [kind]


def test_what_both_have_is_taken_away_before_the_rest_is_paired() -> None:
    """b's 2-5 shares positions only with 0-5, which b has too: it is alone."""
    frame = frame_of({"a": [(0, 5)], "b": [(0, 5), (2, 5)]})
    found = frame.agree.spans(**ROLES).disagreements()
    assert listed(found[SHORT]) == [("d", "a", "b", "missing", None, None, 2, 5)]


def test_hits_and_differences_account_for_every_span() -> None:
    for seed in range(10):
        frame, lengths = corpus(seed, overlap=True)
        spans = frame.agree.spans(**ROLES, length=lengths, unmarked="absent")
        found, marked = spans.disagreements(), frame.dropna()
        seen = helpers.seen_by(frame)
        sides = [found[["coder_1", "coder_2", f"row_{side}"]].dropna().drop_duplicates() for side in (1, 2)]
        total = sum((len(seen[doc]) - 1) * (marked["doc"] == doc).sum() for doc in seen)
        hits = sum(spans.by_pair()["estimate"].fillna(0) * spans.by_pair()["n_spans"])
        assert len(sides[0]) + len(sides[1]) + round(hits) == total


def test_detail_adds_the_other_columns_of_both_spans() -> None:
    frame = BOOK.assign(text=[f"t{number}" for number in range(len(BOOK))], score=range(len(BOOK)))
    spans = frame.agree.spans(**ROLES, length=60)
    found = spans.disagreements("a", "b", detail=True)
    pd.testing.assert_frame_equal(found[spans.disagreements().columns], spans.disagreements("a", "b"))
    assert found.loc[0, ["text_1", "text_2"]].tolist() == ["t1", "t7"]
    assert found["score_2"].dtype == "Int64"
    assert found["text_1"].isna().tolist() == found["row_1"].isna().tolist()


def test_disagreements_name_the_rows_of_the_frame() -> None:
    frame = BOOK.set_axis([f"r{number}" for number in range(len(BOOK))])
    found = frame.agree.spans(**ROLES, length=60).disagreements().dropna(subset="row_1")
    np.testing.assert_array_equal(frame.loc[found["row_1"], "start"], found["start_1"])


def test_by_item_is_each_document_alone() -> None:
    frame, lengths = corpus(4, 8)
    table = frame.agree.spans(**ROLES, length=lengths, unmarked="absent").by_item()
    assert table.index.tolist() == frame["doc"].unique().tolist()
    for doc, row in table.iterrows():
        own = frame[frame["doc"] == doc]
        assert (row["n_coders"], row["length"]) == (own["who"].nunique(), lengths[str(doc)])
        if row["n_coders"] > 1:
            expected = helpers.f1(own, 1), helpers.alpha(own, lengths)
            assert (row["f1"], row["u_alpha"]) == pytest.approx(expected, nan_ok=True)


def test_segments_cover_every_document_once_for_each_coder() -> None:
    frame, lengths = corpus(4, 8)
    long = frame.agree.spans(**ROLES, length=lengths, unmarked="absent").to_long()
    assert list(long.columns) == ["doc", "start", "width", "who", "tag"]
    widths = long.groupby(["doc", "who"])["width"].sum()
    assert set(widths.index) == {(doc, who) for doc, coders in helpers.seen_by(frame).items() for who in coders}
    assert widths.tolist() == [lengths[doc] for doc, _ in widths.index]
    marked = long[long["tag"] != "(none)"].groupby(["doc", "who"])["width"].sum()
    spans = frame.dropna()
    expected = (spans["end"] - spans["start"]).groupby([spans["doc"], spans["who"]]).sum()
    assert marked.to_dict() == expected[marked.index].to_dict()


def test_a_column_of_the_user_that_segments_need_is_refused() -> None:
    frame = BOOK.rename(columns={"tag": "width"})
    spans = frame.agree.spans(**ROLES | {"label": "width"}, length=60)
    with pytest.raises(InputError, match="cannot be called 'start' or 'width'"):
        spans.to_long()
