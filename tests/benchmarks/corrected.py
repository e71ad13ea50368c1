"""How often intervals of corrected rates and means hold the true value: `python -m tests.benchmarks.corrected`.

Judge labels of all items, human labels of some. In the cells of a random subset a human label is of class 1 with
probability `share`, and the judge is right with probability `sensitivity` or `specificity`; in those of a separate set
the calibration set has another mix of classes. Cells of several categories have a judge who copies the human with
probability .8 and else draws from the shares. Tables of counts are drawn, 2,000 per cell, as the estimators are
functions of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.quantiles import normal_quantile
from pandas_agreement.inference.means import post_stratified_limits
from pandas_agreement.judges.corrected import lang_reiczigel
from tests.benchmarks.runner import asked

#: share, sensitivity, specificity, human labels, judged items; coverage and width that were printed
RANDOM = [
    (0.5, 0.9, 0.8, 50, 2000, 0.955, 0.200),
    (0.8, 0.9, 0.7, 50, 2000, 0.950, 0.179),
    (0.8, 0.9, 0.7, 200, 2000, 0.946, 0.093),
    (0.9, 0.95, 0.8, 50, 2000, 0.966, 0.125),
    (0.95, 0.97, 0.8, 100, 5000, 0.953, 0.066),
    (0.7, 0.8, 0.6, 100, 1000, 0.949, 0.165),
    (0.98, 0.98, 0.6, 100, 2000, 0.994, 0.049),
]
#: the same designs, where the calibration set of so many labels is half of each class
SEPARATE = [(*cell[:5],) for cell in RANDOM]
#: shares of several categories
SHARES = [
    (0.5, 0.3, 0.2),
    (0.7, 0.2, 0.1),
    (0.9, 0.05, 0.03, 0.02),
    (0.4, 0.25, 0.15, 0.1, 0.06, 0.04),
    (0.3, *[0.1] * 7),
]
SEED = 20261


def tables(shares: Sequence[float], judge: Array, n: int, N: int, runs: int, seed: int) -> tuple[Array, Array]:
    """Judged items by the judge's label, (runs, S), and the human labels among them, (runs, S, K).

    `judge` (K, S) holds the probability of each label of the judge given the human's.
    """
    rng = np.random.default_rng([SEED, seed])
    joint = (np.asarray(shares)[:, None] * judge).T  # (S, K)
    x = rng.multinomial(n, joint.ravel(), runs).reshape(runs, *joint.shape).astype(float)
    return x.sum(-1) + rng.multinomial(N - n, joint.sum(-1), runs), x


def covered(low: Array, high: Array, truth: Array) -> dict[str, Array]:
    known = ~np.isnan(low)
    inside = (low <= truth + 1e-12) & (truth <= high + 1e-12)
    return {
        "coverage": np.where(known, inside, 0).sum(0) / known.sum(0),
        "width": np.nanmean(high - low, axis=0),
        "undefined": 1 - known.mean(0),
    }


def binary(sensitivity: float, specificity: float) -> Array:
    return np.array([[sensitivity, 1 - sensitivity], [1 - specificity, specificity]])


def random_cell(cell: Sequence[float], runs: int, seed: int) -> dict[str, float]:
    """Coverage and width for the first of two classes; samples with too many unlabelled items have no interval."""
    share, sensitivity, specificity, n, N = cell[:5]
    rows, x = tables((share, 1 - share), binary(sensitivity, specificity), int(n), int(N), runs, seed)
    low, high = _limits(rows, x)
    return {name: float(values[0]) for name, values in covered(low, high, np.array([share, 1 - share])).items()}


def _limits(rows: Array, x: Array) -> tuple[Array, Array]:
    counts = np.moveaxis(x, -2, -1)  # by class of the human and label of the judge
    strata = rows[..., None, :], x.sum(-1)[..., None, :], counts, counts
    low, high = post_stratified_limits(*strata, 1 / x.shape[-1], np.array(normal_quantile(0.95)))
    empty = (rows * (x.sum(-1) == 0)).sum(-1) / rows.sum(-1) > 0.1
    return np.where(empty[:, None], np.nan, low), np.where(empty[:, None], np.nan, high)


def separate_cell(cell: Sequence[float], runs: int, seed: int) -> dict[str, float]:
    """Coverage and width, with a calibration set that is half of each class."""
    share, sensitivity, specificity, n, N = cell[:5]
    rng = np.random.default_rng([SEED, seed])
    m = np.full(runs, n / 2)
    p = rng.binomial(int(N), share * sensitivity + (1 - share) * (1 - specificity), runs) / N
    q1, q0 = rng.binomial(int(n / 2), sensitivity, runs) / m, rng.binomial(int(n / 2), specificity, runs) / m
    z, size = np.full(runs, normal_quantile(0.95)), np.full(runs, float(N))
    low, high = lang_reiczigel(p, size, q0, m, q1, m, z, np.ones(runs))
    below = q0 + q1 <= 1
    low, high = (np.where(below, np.nan, end)[:, None] for end in (low, high))
    return {name: float(values[0]) for name, values in covered(low, high, np.array([share])).items()}


def several_cell(shares: Sequence[float], n: int, runs: int, seed: int) -> dict[str, Array]:
    """Coverage and width of each category."""
    K = len(shares)
    judge = 0.8 * np.eye(K) + 0.2 * np.asarray(shares)
    return covered(*_limits(*tables(shares, judge, n, 2000, runs, seed)), np.asarray(shares))


def main() -> None:
    runs = asked(__doc__, runs=2000).runs
    names = ["share", "sensitivity", "specificity", "n", "N", "printed"]
    kinds = {"random subset": (RANDOM, random_cell), "separate set": (SEPARATE, separate_cell)}
    for title, (cells, simulate) in kinds.items():
        rows = [dict(zip(names, cell, strict=False)) | simulate(cell, runs, seed) for seed, cell in enumerate(cells)]
        print(f"\n{title}\n{pd.DataFrame(rows).round(3).to_string(index=False)}")
    print("\nseveral categories, random subset of 2,000 items")
    for place, shares in enumerate(SHARES):
        for n in (50, 100, 200):
            found = several_cell(shares, n, runs, place)
            print(n, shares, found["coverage"].round(3), found["width"].round(3), found["undefined"][0].round(3))


if __name__ == "__main__":
    main()
