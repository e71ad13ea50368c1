"""All ratings of an item in one cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import ColumnError, InputError
from pandas_agreement.coefficients.registry import REGISTRY
from tests.data_sets import CATEGORIES, scores, to_counts, to_long
from tests.helpers import as_subject, call, reach, refuses, same

ANONYMOUS = [name for name, record in REGISTRY.items() if not record.needs_coders]
WIDE = scores(40, 4)
LISTS = [[x for x in row if not np.isnan(x)] for row in WIDE.to_numpy()]
FRAME = pd.DataFrame({"scores": LISTS, "batch": ["x", "y"] * 20}, index=[f"i{n}" for n in range(40)])


def cells(values: list[Any], sep: str | None = None) -> Any:
    return pd.DataFrame({"scores": values}).agree.cells("scores", sep=sep)


@pytest.mark.parametrize("name", ANONYMOUS)
@pytest.mark.parametrize("by", [None, "batch"])
def test_lists_equal_the_columns_of_coders(name: str, by: str | None) -> None:
    wide = WIDE.set_axis(FRAME.index, axis=0).assign(batch=FRAME["batch"])
    coders = [name for name in WIDE.columns if not by or name != by]
    found = call(FRAME.agree.cells("scores"), name, by=by)
    same(found, call(wide.agree, name, *coders, by=by))


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio", "linear"])
def test_alpha_at_every_level_equals_that_of_counts(level: str) -> None:
    counts = to_counts(WIDE, CATEGORIES).agree.counts()
    same(FRAME.agree.cells("scores").alpha(level=level), counts.alpha(level=level), rtol=1e-10)


def test_icc_1_of_lists_counts_and_anonymous_long_data_is_that_of_the_coders() -> None:
    expected = WIDE.agree.icc_1()
    same(FRAME.agree.cells("scores").icc_1(), expected)
    same(to_counts(WIDE, CATEGORIES).agree.counts().icc_1(), expected)
    same(to_long(WIDE).agree.long(item="doc", label="tag").icc_1(), expected)


def test_items_keep_the_index_of_the_frame_and_disagreements_its_columns() -> None:
    frame = FRAME.assign(text="t")
    items = frame.agree.cells("scores").by_item()
    same(items, WIDE.set_axis(FRAME.index, axis=0).agree.by_item(*WIDE.columns))
    worst = frame.agree.cells("scores").disagreements(n=3, detail=True)
    assert list(worst.columns[:3]) == ["scores", "batch", "text"]
    assert list(frame.agree.cells("scores").disagreements(n=3).columns) == ["scores", "agreement", "influence"]
    assert worst["scores"].equals(frame["scores"].loc[worst.index])


def test_a_grouped_frame_equals_by() -> None:
    same(FRAME.groupby("batch").agree.cells("scores").alpha(), FRAME.agree.cells("scores").alpha(by="batch"))


@pytest.mark.parametrize(
    ("kind", "values"),
    {
        "lists": [[1, 2], [3, 3, 3], [], None, [2, 2]],
        "tuples": [(1, 2), (3, 3, 3), (), None, (2, 2)],
        "arrays": [np.array([1, 2]), np.array([3, 3, 3]), np.array([]), None, np.array([2, 2])],
        "gaps": [[1, None, 2], [3, 3, np.nan, 3], [None], np.nan, [2, 2, pd.NA]],
    }.items(),
)
def test_lists_of_any_kind(kind: str, values: list[Any]) -> None:
    agree = cells(values)
    assert agree.by_item()["n_labels"].tolist() == [2, 3, 0, 0, 2]
    assert agree.alpha(level="interval")["estimate"].iloc[0] == pytest.approx(
        cells([[1, 2], [3, 3, 3], [2, 2]]).alpha(level="interval")["estimate"].iloc[0]
    )


def test_lists_of_arrow() -> None:
    pa = pytest.importorskip("pyarrow")
    column = pd.array([[1, 2], [3, 3, None], None], dtype=pd.ArrowDtype(pa.list_(pa.int64())))
    assert pd.DataFrame({"s": column}).agree.cells("s").by_item()["n_labels"].tolist() == [2, 2, 0]


def test_text_is_split_and_becomes_numbers_if_every_part_is_one() -> None:
    text = cells(["1|2.0", " 2 | 2 |", "", None, "-1e1|3"], sep="|")
    assert text.by_item()["n_labels"].tolist() == [2, 2, 0, 0, 2]
    same(text.icc_1(), cells([[1, 2], [2, 2], [], [], [-10, 3]]).icc_1())
    assert cells(["007|7", "1|1"], sep="|").pi(detail=True)["n_categories"].tolist() == [3]  # 007 is a name
    with pytest.raises(TypeError, match="'yes' is text"):
        cells(["1|yes", "1|1"], sep="|").alpha(level="interval")


def test_what_is_no_list_is_refused_with_its_row() -> None:
    start = "The cell in row 1, column 'scores', holds"
    with refuses(InputError, f"{start} 3. A list per cell is expected."):
        cells([[1, 2], 3]).alpha()
    remedy = "Name the text between two ratings, as in df.agree.cells('scores', sep='|')."
    with refuses(InputError, f"{start} '1|2'. {remedy}"):
        cells([[1, 2], "1|2"]).alpha()
    with refuses(InputError, f"{start} {{1}}. A set drops repeated labels, so use a list of all of them."):
        cells([[1, 2], {1}]).alpha()
    with pytest.raises(ColumnError, match=r"No column 'score'\. Did you mean 'scores'"):
        FRAME.agree.cells("score").alpha()


def test_what_needs_the_coders_refuses() -> None:
    agree = FRAME.agree.cells("scores")
    for name in ("kappa", "by_pair", "by_coder", "icc_a1", "confusion", "test.margins"):
        named = as_subject(name)
        message = f"^{named} needs the coder of each label, which these data do not contain"
        with pytest.raises(InputError, match=message):
            reach(agree, name)()
    with refuses(InputError, "The raters are anonymous, so none can be selected."):
        agree.alpha("ann", "bob")
    assert "kappa" not in agree.summary().index
