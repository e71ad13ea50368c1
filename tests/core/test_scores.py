"""Scores are read, ranked and paired as codes of the same numbers would be."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from scipy.stats import rankdata

from pandas_agreement.breakdown.items import items
from pandas_agreement.coefficients.registry import find
from pandas_agreement.core import scores as module
from pandas_agreement.core.scores import Scores, average_ranks
from pandas_agreement.data import Needs, read_wide
from pandas_agreement.engine import measure_pairs
from pandas_agreement.options import Options
from tests.data_sets import scores

NAMES = ["ann", "bob", "cleo", "dev"]


def frame(n: int = 60) -> pd.DataFrame:
    """Halves with gaps and many equal ones, in three groups."""
    return (scores(n, 4, gaps=0.3) / 2).assign(group=np.arange(n) % 3, times=1 + np.arange(n) % 2)


@pytest.mark.parametrize("by", [None, "group"])
@pytest.mark.parametrize("metric", ["icc_a1", "spearman", "alpha"])
def test_pairs_of_scores_are_those_of_codes(by: str | None, metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PAIRS", 20)  # several blocks
    options = Options().at("level", "interval") if metric == "alpha" else Options()
    coded, numbers = (read_wide(frame(), NAMES, Options(by=by), Needs(scores=way)) for way in (False, True))
    expected, found = (measure_pairs(read, find(metric), options) for read in (coded, numbers))
    assert_frame_equal(found, expected, rtol=1e-12)


@pytest.mark.parametrize("by", [None, "group"])
@pytest.mark.parametrize("frequency", [None, "times"])
@pytest.mark.parametrize("n_labels", [2, 9])
def test_items_of_numbers_are_those_of_codes(by: str | None, frequency: str | None, n_labels: int) -> None:
    df = frame()
    df[NAMES] = df[NAMES].clip(upper=n_labels / 2)  # fewer different numbers than coders, or more
    given = Options(by=by, frequency=frequency)
    coded = read_wide(df, NAMES, given)
    numbers = read_wide(df, NAMES, given, Needs(scores="values"))
    assert isinstance(numbers.ratings, Scores)
    options = Options(frequency=frequency).at("level", "interval")
    expected, found = (items(read, df, find("alpha"), options) for read in (coded, numbers))
    assert_frame_equal(found, expected, rtol=1e-12)


@pytest.mark.parametrize("n", [5, 2500])
def test_ranks_of_few_and_of_many_values(n: int) -> None:
    rng = np.random.default_rng(1)
    owner, value = rng.permutation(np.repeat([0, 1], [n, n + 3])), rng.integers(0, 50, 2 * n + 3) / 4
    ranks = average_ranks(owner, value)
    for one in (0, 1):
        np.testing.assert_array_equal(ranks[owner == one], rankdata(value[owner == one]))


def test_blocks_of_pairs_need_no_order_of_the_coders(monkeypatch: pytest.MonkeyPatch) -> None:
    df = frame()[NAMES]
    ordered = Scores.from_columns([df[name].to_numpy() for name in NAMES])
    place = np.lexsort((-ordered.coder, ordered.item))
    turned = Scores(4, 0, 1, None, None, ordered.item, ordered.coder[place], ordered.value[place], ordered.n_items)
    monkeypatch.setattr(module, "MAX_PAIRS", 20)

    def sums(values: Scores) -> dict[tuple[int, int], float]:
        parts = [(part, part.sum(part.x - 2 * part.y)) for part in values.pair_blocks()]
        return {(int(a), int(b)): s for part, of in parts for a, b, s in zip(part.first, part.second, of, strict=True)}

    assert sums(turned) == pytest.approx(sums(ordered), rel=1e-12)
    assert len(sums(turned)) == 6
