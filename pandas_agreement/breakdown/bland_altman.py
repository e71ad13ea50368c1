"""Bland and Altman's limits of agreement of scores."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from pandas_agreement.coefficients.numeric import concordance
from pandas_agreement.coefficients.numeric.concordance import Replicates
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.scores import CoderPairs, Scores, over_pairs
from pandas_agreement.core.selection import keep
from pandas_agreement.data import Reading
from pandas_agreement.data.reading import scores_of
from pandas_agreement.results import frames, schemas


def counted_scores(reading: Reading, what: str, missing: str) -> Scores:
    """The scores of the items that count."""
    return keep(scores_of(reading, what), missing, reading.coders)[0]


def _pair_index(reading: Reading, pairs: CoderPairs) -> pd.Index:
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
    return frames.result(_pair_index(reading, pairs), columns, schemas.LIMITS)
