"""Statistics of coders who give scores: each coder beside the others, and Bland and Altman's limits of pairs.

The columns of each coder are those of `by_coder`: agreement by squared differences, mean difference, alpha without the
coder. All sums are over scores and items, whatever the number of different values.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.coders import remarks_on
from pandas_agreement.coefficients.numeric import concordance
from pandas_agreement.coefficients.numeric.concordance import Replicates
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.pairs import Pairs
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.scores import CoderPairs, Scores, over_pairs, span
from pandas_agreement.core.selection import keep
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.data.reading import scores_of
from pandas_agreement.results import frames, schemas


def coders_of_scores(reading: Reading, scores: Scores) -> pd.DataFrame:
    """One row per group and active coder."""
    sums = ScoreSums(scores)
    n_items = sums.n_shared
    unit = sums.largest[scores.cell_owner]
    without, whole = sums.alpha_without(), sums.alpha_of_all()
    nothing = np.full(len(n_items), np.nan)
    columns = {
        "n_labels": scores.cell_sizes,
        "n_items": n_items,
        "agreement": 1 - divide(divide(scores.per_cell(np.where(sums.paired, sums.disagreement, 0.0)), n_items), unit),
        "alpha_without": without,
        "alpha_change": without - whole[scores.cell_owner],
        "difference": sums.mean_difference(),
        "favours": np.full(len(n_items), None, dtype=object),
        **remarks_on(n_items),
    }
    columns |= dict.fromkeys(("kappa_majority", "entropy", "bias", "favours_by"), nothing)
    groups = None if reading.groups is None else reading.groups.take(scores.cell_owner)
    index = frames.index_of(groups, {"coder": [reading.coders[int(coder)] for coder in scores.cell_coder]})
    return frames.result(index, columns, schemas.CODERS)


class ScoreSums:
    """Sums over the scores of items with two or more, centred within their group; scores (N,), items (I,)."""

    def __init__(self, scores: Scores) -> None:
        self.scores = scores
        self.size = scores.sizes[scores.item].astype(float)
        self.paired = self.size > 1
        self.x = scores.centred
        self.total, self.squares = (sums(self.x)[scores.item] for sums in (scores.per_item, scores.squares_per_item))
        r = self.size
        self.apart = np.maximum(r * self.x**2 - 2 * self.x * self.total + self.squares, 0.0)
        self.disagreement = self.apart / np.maximum(r - 1, 1)  # mean squared difference from the others
        self.difference = self.x - (self.total - self.x) / np.maximum(r - 1, 1)

    @property
    def n_shared(self) -> Array:
        """Items of each coder with another score: (M,)."""
        return self.scores.per_cell(self.paired.astype(float))

    def mean_difference(self) -> Array:
        """Mean difference of each coder's scores from the others of the same items: (M,)."""
        total = self.scores.per_cell(np.where(self.paired, self.difference, 0.0))
        return divide(total, self.n_shared) * self.scores.unit[self.scores.cell_owner]

    @property
    def largest(self) -> Array:
        """The largest squared difference of each group: (G,)."""
        paired, G = self.paired, self.scores.n_groups
        width = span(self.x[paired], self.scores.owner[paired], G) ** 2
        return np.where(width > 0, width, 1.0)

    def _sums(self) -> tuple[Array, Array, Array, Array]:
        """Of each group: disagreement, number of scores, their sum and the sum of their squares."""
        parts = self.disagreement, np.ones(len(self.x)), self.x, self.x**2
        disagreement, n, total, squares = (self.scores.per_group(np.where(self.paired, part, 0.0)) for part in parts)
        return disagreement, n, total, squares

    def alpha_of_all(self) -> Array:
        return _alpha(*self._sums())

    def alpha_without(self) -> Array:
        """Alpha of the other coders: (M,). An item left with one score is dropped together with that score."""
        scores, r, x = self.scores, self.size, self.x
        pairs = 2 * (r * self.squares - self.total**2)  # of the item, all ordered pairs
        after = np.where(r > 2, (pairs - 2 * self.apart) / np.maximum(r - 2, 1), 0.0)
        partner = self.total - x
        two = r == 2
        lost = (
            pairs / np.maximum(r - 1, 1) - after,
            np.where(two, 2.0, 1.0),
            np.where(two, x + partner, x),
            np.where(two, self.squares, x**2),
        )
        whole = (sums[scores.cell_owner] for sums in self._sums())
        gone = (scores.per_cell(np.where(self.paired, part, 0.0)) for part in lost)
        return _alpha(*(one - other for one, other in zip(whole, gone, strict=True)))


def _alpha(disagreement: Array, n: Array, total: Array, squares: Array) -> Array:
    """Alpha at the interval level from sums."""
    expected = divide(2 * (n * squares - total**2), n - 1)
    varies = expected > 1e-12 * np.maximum(squares, 1e-300)
    return np.where(varies, 1 - divide(disagreement, expected), np.nan)


# -------------------------------------------------------------------------------------------------- limits of agreement


def counted_scores(reading: Reading, what: str, missing: str) -> Scores:
    """The scores of the items that count."""
    return keep(scores_of(reading, what), missing, reading.coders)[0]


def pair_index(reading: Reading, pairs: Pairs | CoderPairs) -> pd.Index:
    """The group and the coders of each pair."""
    groups = None if reading.groups is None else reading.groups.take(pairs.owner)
    return frames.index_of(groups, frames.pair_levels(reading.coders, pairs.first, pairs.second))


def limits(
    reading: Reading, ci: float, share: float, progress: bool = False, replicates: Sequence[Reading] = ()
) -> pd.DataFrame:
    """Bland and Altman's limits of agreement: one row per pair of coders.

    Of scores that are means `replicates` has two readings of the same items and coders: the number of replicates, and
    the sum of their squared deviations.
    """
    scores, behind = counted_scores(reading, "bland_altman", "pairable"), None
    if replicates:
        number, spread = (counted_scores(each, "bland_altman", "pairable").value for each in replicates)
        behind = Replicates(scores.item, scores.coder, number, spread / scores.unit[scores.owner] ** 2)
    pairs, found = over_pairs(scores, lambda part: concordance.bland_altman(part, ci, share, behind), progress)
    unit = scores.unit[pairs.owner]
    columns = {"bias": found.value, "bias_low": found.low, "bias_high": found.high, "sd": found.sd}
    columns |= {
        end: getattr(found, end) for limit in ("lower", "upper") for end in (limit, f"{limit}_low", f"{limit}_high")
    }
    columns = {name: part * unit for name, part in columns.items()}
    remarks = Remarks(len(found.n))
    remarks.undefined(found.n == 0, "no pairs", "no item rated by both")
    remarks.warn("bias")
    remarks.add(found.n == 1, "undefined", "one item: limits undefined")
    columns |= {"p_value": found.p, "n_items": found.n} | remarks.columns()
    return frames.result(pair_index(reading, pairs), columns, schemas.LIMITS)
