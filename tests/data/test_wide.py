"""Wide data: names of coders, clusters, large columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from pandas_agreement import (
    InputError,
)
from pandas_agreement.data import read_wide
from tests.data_sets import scores


def test_clusters_as_a_series_are_aligned_and_are_no_coder() -> None:
    df = scores(40, 2).assign(doc=np.arange(40) // 4)
    expected = df.agree.kappa("ann", "bob", clusters="doc")
    assert_frame_equal(df.agree.kappa("ann", "bob", clusters=df["doc"].sample(frac=1, random_state=1)), expected)
    assert_frame_equal(df.agree.kappa(clusters=df["doc"]), expected)


def test_coders_as_columns_are_refused() -> None:
    df = scores(10, 2)
    with pytest.raises(InputError) as caught:
        df.agree.kappa(df["ann"], df["bob"])
    assert str(caught.value) == "Coders are given one by one, not as a Series: write the names of the columns."


def test_tuples_may_name_coders() -> None:
    df = scores(20, 3).set_axis(pd.MultiIndex.from_product([["coder"], ["a", "b", "c"]]), axis=1)
    pairs = df.agree.by_pair()
    assert pairs.index[0][:2] == (("coder", "a"), ("coder", "b"))
    with pytest.raises(InputError, match=r"^'coder' stands for 3 columns\. Name one as a tuple of all levels\.$"):
        df.agree.kappa("coder", ("coder", "a"))


def test_tuples_name_coders_in_every_frame() -> None:
    df = scores(30, 3).set_axis(pd.MultiIndex.from_product([["coder"], ["a", "b", "c"]]), axis=1)
    assert df.agree.margins().index[0] == (("coder", "a"), 1)
    assert df.agree.by_coder().index[0] == ("coder", "a")
    assert len(df.agree.test.margins()) == 9
    df.agree.diagnose()


@pytest.mark.parametrize("gaps", [0.0, 0.3, 0.8])
def test_values_that_are_nearly_all_different(gaps: float) -> None:
    rng = np.random.default_rng(3)
    truth = rng.normal(size=3000)
    table = truth[:, None] + rng.normal(scale=0.3, size=(3000, 3))
    table[rng.random(table.shape) < gaps] = np.nan
    table[:5] = 1.5  # some labels agree exactly, and one is the same for several items
    df = pd.DataFrame(table, columns=list("abc"))
    got = df.agree.alpha(level="interval", detail=True).iloc[0]
    n = (~np.isnan(table)).sum(1)
    use, n = table[n > 1], n[n > 1]
    pooled = use[~np.isnan(use)]
    observed = (2 * n / (n - 1) * n * np.nanvar(use, axis=1)).sum() / n.sum()
    expected = 2 * pooled.var() * len(pooled) / (len(pooled) - 1)
    assert got["estimate"] == pytest.approx(1 - observed / expected, rel=1e-12)
    assert got["n_categories"] == 0  # values, not categories
    assert len(read_wide(df, list("abc")).category_set) == len(np.unique(table[~np.isnan(table)]))
