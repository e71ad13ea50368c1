"""Wide data: names of coders, clusters, large columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from pandas_agreement import (
    InputError,
)
from tests.data_sets import scores


@pytest.mark.parametrize("n_labels", [5, 6000])
def test_objects_coded_in_blocks_are_coded_as_a_whole(n_labels: int) -> None:
    rng = np.random.default_rng(2)
    codes = rng.integers(-1, n_labels, (2, 70_000))
    codes[1, ::2] = codes[0, ::2]
    names = np.array([*[f"label {i}" for i in range(n_labels)], None], dtype=object)
    df = pd.DataFrame(
        {"ann": pd.Series(names[codes[0]], dtype=object), "bob": pd.Series(names[codes[1]], dtype=object)}
    )
    expected = pd.DataFrame(np.where(codes.T < 0, np.nan, codes.T), columns=["ann", "bob"]).agree.kappa(detail=True)
    columns = ["estimate", "se", "n_items", "n_categories"]
    np.testing.assert_allclose(df.agree.kappa(detail=True)[columns], expected[columns], rtol=1e-12)


def test_clusters_as_a_series_are_aligned_and_are_no_coder() -> None:
    df = scores(40, 2).assign(doc=np.arange(40) // 4)
    expected = df.agree.kappa("ann", "bob", clusters="doc")
    assert_frame_equal(df.agree.kappa("ann", "bob", clusters=df["doc"].sample(frac=1, random_state=1)), expected)
    assert_frame_equal(df.agree.kappa(clusters=df["doc"]), expected)


def test_coders_as_columns_are_refused() -> None:
    df = scores(10, 2)
    with pytest.raises(InputError) as caught:
        df.agree.kappa(df["ann"], df["bob"])
    assert str(caught.value) == "coders are given one by one, not as a Series: write the names of the columns"


def test_tuples_may_name_coders() -> None:
    df = scores(20, 3).set_axis(pd.MultiIndex.from_product([["coder"], ["a", "b", "c"]]), axis=1)
    pairs = df.agree.by_pair()
    assert pairs.index[0][:2] == (("coder", "a"), ("coder", "b"))
    with pytest.raises(InputError, match=r"^'coder' stands for 3 columns; name one as a tuple of all levels$"):
        df.agree.kappa("coder", ("coder", "a"))


def test_tuples_name_coders_in_every_frame() -> None:
    df = scores(30, 3).set_axis(pd.MultiIndex.from_product([["coder"], ["a", "b", "c"]]), axis=1)
    assert df.agree.margins().index[0] == (("coder", "a"), 1)
    assert df.agree.by_coder().index[0] == ("coder", "a")
    assert df.agree.by_coder().index[0] == ("coder", "a")
    assert len(df.agree.test.margins()) == 9
    df.agree.diagnose()
