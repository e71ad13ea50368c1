"""What is read, and every mistake in the rows: an error that counts them and says what to do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.errors import AgreementError
from tests.spans.helpers import COLUMNS, LENGTHS, ROLES, SEVERAL

pytestmark = pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")

SEEN = {"unmarked": "seen"}
BOTH = "Leave both empty for a document that was seen and not marked."
SECONDS = "For seconds write (df['end'] * 1000).round()."
WHOLE = "must hold whole numbers (characters, tokens, milliseconds), and"
UNMARKED = "Write unmarked='seen' if these coders saw the document and marked nothing, unmarked='absent' if they did "
UNMARKED += "not see it."


def rows(*spans: tuple[Any, ...], **columns: Any) -> pd.DataFrame:
    return pd.DataFrame(list(spans), columns=COLUMNS).assign(**columns)


ONE = ("d", "a", 0, 5, "A")
TWO = ("d", "b", 0, 5, "A")
SEVEN = [("d", who, n, n + 1, "A") for n in range(4) for who in "ab"]

WRONG: dict[str, tuple[pd.DataFrame, dict[str, Any]]] = {
    f"3 of 9 pairs of document and coder have no row, such as 'd2' and 'c'. {UNMARKED}": (SEVERAL, {}),
    f"6 of 12 pairs of document and coder have no row, such as 'd2' and 'c'. {UNMARKED}": (
        SEVERAL,
        {"length": LENGTHS | {"d4": 9}},
    ),
    "2 rows, such as 4, 7: a span ends where it starts, or before. Spans are half-open: the last position plus 1 is "
    "the end.": (rows(*SEVEN[:4], ("d", "a", 4, 4, "A"), *SEVEN[4:6], ("d", "b", 9, 3, "A")), {}),
    "1 row, such as 0: a span starts below 0. Count from the start of the document.": (
        rows(("d", "a", -1, 5, "A"), TWO),
        {},
    ),
    "1 row, such as 0: a span ends after its document (11 > 10). length= and end= count in different units?": (
        rows(("d", "a", 0, 11, "A"), TWO),
        {"length": 10},
    ),
    f"1 row, such as 0: start or end is missing. {BOTH}": (rows(("d", "a", 0, None, "A"), TWO), {}),
    "1 row, such as 0: a label without start and end. Leave all three empty for a document that was seen and not "
    "marked.": (rows(("d", "a", None, None, "A"), TWO), {}),
    "1 row, such as 0: a span has no label. Label or drop it, or leave label= out.": (
        rows(("d", "a", 0, 5, None), TWO),
        {},
    ),
    "1 row, such as 1: the same span of the same coder again. "
    "Drop it with df.drop_duplicates(['doc', 'who', 'start', 'end', 'tag']).": (rows(ONE, ONE, TWO), {}),
    "1 row, such as 0: no document or no coder. Drop them.": (rows((None, "a", 0, 5, "A"), ONE, TWO), {}),
    f"end= {WHOLE} row 0 holds 3.5. {SECONDS}": (rows(("d", "a", 0, 3.5, "A"), TWO), {}),
    f"start= {WHOLE} row 1 holds 'x'. For text write pd.to_numeric(df['start']).": (
        rows(("d", "a", "0", 5, "A"), ("d", "b", "x", 5, "A")),
        {},
    ),
    f"end= {WHOLE} row 0 holds '5'. For text write pd.to_numeric(df['end']).": (rows(("d", "a", 0, "5", "A"), TWO), {}),
    f"end= {WHOLE} row 0 holds True. {SECONDS}": (rows(ONE, TWO, end=True), {}),
    f"end= {WHOLE} row 1 holds inf. {SECONDS}": (rows(ONE, ("d", "b", 0, np.inf, "A")), {}),
    "Document 'd' has two lengths. Give every document one length.": (rows(ONE, TWO, n=[9, 8]), {"length": "n"}),
    "1 document has no length, such as 'd'. Give every document one length.": (
        rows(ONE, TWO),
        {"length": {"e": 5}} | SEEN,
    ),
    f"length= {WHOLE} document 'd' holds 9.5. Count the positions of the document.": (
        rows(ONE, TWO, n=9.5),
        {"length": "n"},
    ),
    f"length= {WHOLE} document 'd' holds 9.5. Count": (rows(ONE, TWO), {"length": 9.5}),
    "1 document has no length, such as 'd'. Give": (rows(ONE, TWO), {"length": -1}),
    "No column 'size'. There are: 'doc', 'who', 'start', 'end', 'tag'.": (rows(ONE, TWO), {"length": "size"}),
    "unmarked='ignore' is not known. Use one of 'raise', 'seen', 'absent'.": (rows(ONE, TWO), {"unmarked": "ignore"}),
    "item=[] must name at least one column.": (rows(ONE, TWO), {"item": []}),
    "Spans has no option 'tags'. There are: ": (rows(ONE, TWO), {"tags": "tag"}),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_mistake_in_the_rows_says_how_many_and_what_to_do(message: str) -> None:
    frame, options = WRONG[message]
    with pytest.raises(AgreementError) as caught:
        frame.agree.spans(**{**ROLES, **options})
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(("option", "what"), [("by", "groups"), ("clusters", "clusters")])
def test_a_document_is_in_one_group(option: str, what: str) -> None:
    spans = rows(ONE, TWO, half=["x", "y"]).agree.spans(**ROLES)
    with pytest.raises(AgreementError) as caught:
        spans.f1(**{option: "half"})
    assert str(caught.value) == f"Document 'd' is in two {what}. A document belongs to only one."


def test_a_document_without_rows_has_no_group() -> None:
    spans = rows(ONE, TWO, half="x").agree.spans(**ROLES, length={"d": 5, "e": 5}, unmarked="seen")
    with pytest.raises(AgreementError, match="1 document has no row, such as 'e', and therefore no group"):
        spans.f1(by="half")


def test_columns_are_named() -> None:
    with pytest.raises(AgreementError) as caught:
        rows(ONE, TWO).agree.spans("doc", "who", "start", "end")
    remedy = "write df.agree.spans(item='doc', coder='who', start='start', end='end')"
    assert caught.value.remedy == remedy


def test_columns_called_by_their_role_are_found() -> None:
    frame = rows(ONE, TWO).rename(columns={"doc": "item", "who": "coder", "tag": "label"}).assign(length=9)
    named = frame.agree.spans(item="item", coder="coder", start="start", end="end", label="label", length="length")
    pd.testing.assert_frame_equal(frame.agree.spans().summary(), named.summary())
    assert len(frame.agree.spans(item="item").summary()) == 5  # a named column: label= was left out


def test_what_a_missing_row_means_moves_alpha() -> None:
    found = [SEVERAL.agree.spans(**ROLES, length=20, unmarked=word).alpha(ci=None) for word in ("seen", "absent")]
    assert [result["n_items"].iloc[0] for result in found] == [3, 2]
    assert found[0]["estimate"].iloc[0] < found[1]["estimate"].iloc[0]


def test_documents_that_only_the_lengths_know_count_where_everybody_saw_them() -> None:
    frame, lengths = rows(ONE, TWO), {"d": 10, "e": 30}
    seen, absent = (frame.agree.spans(**ROLES, length=lengths, unmarked=word) for word in ("seen", "absent"))
    assert seen.by_item()["length"].to_dict() == lengths
    assert absent.by_item()["length"].to_dict() == {"d": 10}
    assert seen.f1()["n_items"].iloc[0] == 2


LENGTH = {
    "a column": "n",
    "a number": 10,
    "a dict": {"d": 10},
    "a Series": pd.Series({"d": 10}),
    "a column with gaps": "gaps",
}


@pytest.mark.parametrize("way", LENGTH)
def test_lengths_are_given_in_any_way(way: str) -> None:
    frame = rows(ONE, TWO, n=10, gaps=[None, 10])
    assert frame.agree.spans(**ROLES, length=LENGTH[way]).by_item()["length"].tolist() == [10]


DTYPES = {
    "Int64": lambda column: column.astype("Int64"),
    "object": lambda column: column.astype(object),
    "float": lambda column: column.astype(float),
    "int32": lambda column: column.astype("int32"),
}


@pytest.mark.parametrize("dtype", DTYPES)
def test_positions_of_any_dtype(dtype: str) -> None:
    frame = rows(ONE, ("d", "b", 1, 5, "A"))
    changed = frame.assign(start=DTYPES[dtype](frame["start"]), end=DTYPES[dtype](frame["end"]))
    pd.testing.assert_frame_equal(changed.agree.spans(**ROLES).summary(), frame.agree.spans(**ROLES).summary())


def test_several_columns_name_a_document() -> None:
    frame = SEVERAL.assign(corpus="x", page=SEVERAL["doc"].str[1].astype(int))
    roles = ROLES | {"item": ["corpus", "page"]}
    lengths = {("x", int(name[1])): length for name, length in LENGTHS.items()}
    found = frame.agree.spans(**roles, length=lengths, unmarked="absent")
    single = SEVERAL.agree.spans(**ROLES, length=LENGTHS, unmarked="absent")
    pd.testing.assert_frame_equal(found.summary(), single.summary())
    assert found.by_item().index.names == ["corpus", "page"]
    assert list(found.disagreements().columns[:3]) == ["corpus", "page", "coder_1"]


def test_the_frame_is_not_changed() -> None:
    frame = SEVERAL.copy()
    spans = frame.agree.spans(**ROLES, length=LENGTHS, unmarked="absent")
    for name in ("summary", "by_pair", "by_category", "by_item", "disagreements", "to_long"):
        getattr(spans, name)()
    pd.testing.assert_frame_equal(frame, SEVERAL)


def test_frames_without_spans() -> None:
    empty = SEVERAL.iloc[:0].agree.spans(**ROLES)
    assert empty.summary()["estimate"].isna().all()
    assert empty.by_item().empty
    assert empty.disagreements().empty
    assert empty.to_long().empty
    nothing = SEVERAL.assign(start=None, end=None, tag=None).agree.spans(**ROLES, length=5, unmarked="seen")
    assert nothing.summary()["estimate"].isna().all()
    assert nothing.by_category().empty
