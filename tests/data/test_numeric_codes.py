"""Numbers to codes, where nearly all are different."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.data import read_wide


@pytest.mark.parametrize("gaps", [0.0, 0.3, 0.8])
def test_values_that_are_nearly_all_different(gaps: float) -> None:
    """Sorted where hashing would find nothing to merge; counted row by row where there are few gaps."""
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
