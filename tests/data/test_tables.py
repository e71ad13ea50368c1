"""Tables of counts as data."""

from __future__ import annotations

import pandas as pd
import pytest

from pandas_agreement import ColumnError, InputError
from tests.helpers import refuses, same

COUNTS = pd.DataFrame({"bug": [3, 0, 2, 1, 2], "praise": [0, 3, 1, 2, 1]})
WIDER = COUNTS.assign(total=3, text=list("abcde"))


def test_counts_may_be_huge() -> None:
    counts = pd.DataFrame({"x": [5_000_000_000, 0, 10], "y": [0, 5_000_000_000, 10]})
    small = pd.DataFrame({"x": [50, 0, 10], "y": [0, 50, 10]})
    big, little = (frame.agree.counts().pi(ci=None)["estimate"].iloc[0] for frame in (counts, small))
    assert big == pytest.approx(little, abs=0.02)


def test_named_categories_leave_the_other_columns_to_the_reader() -> None:
    named = WIDER.agree.counts("bug", "praise")
    same(named.summary(), COUNTS.agree.counts().summary())
    assert list(named.disagreements(n=1, detail=True).columns[:4]) == ["bug", "praise", "total", "text"]
    same(WIDER.groupby("total").agree.counts("bug", "praise").pi(), named.pi(by="total"))
    assert list(
        WIDER.groupby("total").agree.counts("bug", "praise").disagreements(n=1, detail=True).columns[:4]
    ) == list(WIDER)
    with pytest.raises(ColumnError, match=r"No column 'prase'\. Did you mean 'praise'"):
        WIDER.agree.counts("bug", "prase").pi()


def test_a_column_of_totals_is_refused() -> None:
    totals = COUNTS.assign(total=COUNTS.sum(axis=1))
    message = "Column 'total' is the sum of all others in every row, and so no category. Name the categories: "
    with refuses(InputError, message + "df.agree.counts('bug', 'praise')."):
        totals.agree.counts().pi()
    assert totals.agree.counts("bug", "praise").pi(detail=True)["n_categories"].iloc[0] == 2
    assert (
        totals.head(4).agree.counts().pi(detail=True)["n_categories"].iloc[0] == 3
    )  # so few rows may add up by chance
    assert totals.assign(total=[3, 3, 3, 3, 4]).agree.counts().pi(detail=True)["n_categories"].iloc[0] == 3


def test_a_table_that_has_its_margins_by_chance() -> None:
    """Declared categories say that the last one is no sum."""
    table = pd.DataFrame([[2, 0, 2], [0, 1, 1], [2, 1, 3]], index=list("abc"), columns=list("abc"))
    with pytest.raises(InputError, match="are the sums of the others"):
        table.agree.crosstab().kappa()
    assert table.agree.crosstab().kappa(categories=list("abc"))["n_items"].tolist() == [12]
