"""Breakdowns of scores: tests, variance components, limits of agreement, and parts of concordance."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.numeric import association, concordance
from pandas_agreement.coefficients.numeric.icc import Design, icc
from pandas_agreement.core.missing import keep
from pandas_agreement.core.scores import CoderPairs, Scores, over_pairs
from pandas_agreement.data import Reading
from pandas_agreement.data.scores import scores_of
from pandas_agreement.errors import InputError, warn
from pandas_agreement.results import frames, schemas

NULLS = {
    "icc_1": "items do not differ (coders not told apart)",
    "icc_c": "items do not differ",
    "coder_bias": "coders have equal means",
    "kendall_chi2": "rankings are unrelated",
    "kendall_f": "rankings are unrelated",
}


def counted_scores(reading: Reading, what: str, missing: str) -> Scores:
    """The scores of the items that count."""
    return keep(scores_of(reading, what), missing, reading.coders)[0]


def score_tests(reading: Reading, missing: str) -> pd.DataFrame:
    """One row per group and test."""
    scores = counted_scores(reading, "score_tests", missing)
    design, ranks = Design(scores), association.kendall_w(scores)
    one, two, bias = icc(design, "ICC(1)"), icc(design, "ICC(C,1)"), design.bias()
    paired = scores.sum((scores.sizes >= 2).astype(float))
    nan = np.full(scores.n_groups, np.nan)
    rows = {
        "icc_1": (one.statistic, one.df1, one.df2, one.p, paired),
        "icc_c": (two.statistic, two.df1, two.df2, two.p, paired),
        "coder_bias": (bias.statistic, bias.df1, bias.df2, bias.p, paired),
        "kendall_chi2": (ranks.statistic, ranks.df, nan, ranks.p, ranks.n),
        "kendall_f": (ranks.F, ranks.df1, ranks.df2, ranks.p_f, ranks.n),
    }
    names = ("statistic", "df1", "df2", "p_value", "n_items")
    columns = {name: np.stack([row[i] for row in rows.values()], -1).ravel() for i, name in enumerate(names)}
    columns["null"] = np.array(list(NULLS.values()) * scores.n_groups, object)
    groups = None if reading.groups is None else reading.groups.repeat(len(rows))
    index = frames.index_of(groups, {"test": list(rows) * scores.n_groups})
    return frames.result(index, columns, schemas.SCORE_TESTS)


def components(reading: Reading, missing: str) -> pd.DataFrame:
    """One row per group; a single row without groups."""
    scores = counted_scores(reading, "components", missing)
    if not np.all((scores.unit > 1e-150) & (scores.unit < 1e150)):
        raise InputError("the variances of such numbers are beyond the range of floats", "divide the scores first")
    found = Design(scores).components()
    if not found.converged.all():
        problem = f"the variance components of {(~found.converged).sum()} of {scores.n_groups} groups are not the best"
        warn(problem, "the search did not converge", code="not converged")
    columns = {
        "items": found.item,
        "coders": found.coder,
        "error": found.error,
        "n_items": scores.sum((scores.sizes >= 2).astype(float)),
        "n_coders": scores.active_coders(),
    }
    index = reading.groups if reading.groups is not None else pd.RangeIndex(1)
    return frames.result(index, columns, schemas.COMPONENTS)


def _pair_index(reading: Reading, pairs: CoderPairs) -> pd.Index:
    groups = None if reading.groups is None else reading.groups.take(pairs.owner)
    return frames.index_of(groups, frames.pair_levels(reading.coders, pairs.first, pairs.second))


def limits(reading: Reading, ci: float, share: float, progress: bool = False) -> pd.DataFrame:
    """Bland and Altman's limits of agreement: one row per pair of coders."""
    scores = counted_scores(reading, "limits", "pairable")
    pairs, found = over_pairs(scores, lambda part: concordance.bland_altman(part, ci, share), progress)
    unit = scores.unit[pairs.owner]
    columns = {"bias": found.value, "bias_low": found.low, "bias_high": found.high, "p_value": found.p}
    columns["n_items"] = found.n
    columns |= {name: getattr(found, name) for name in schemas.LIMITS if name not in columns}
    columns = {name: part if name in ("p_value", "n_items") else part * unit for name, part in columns.items()}
    return frames.result(_pair_index(reading, pairs), columns, schemas.LIMITS)


def concordance_table(reading: Reading, ci: float, progress: bool = False) -> pd.DataFrame:
    """Lin's concordance, its precision and accuracy: one row per pair of coders."""
    scores = counted_scores(reading, "concordance", "pairable")
    pairs, found = over_pairs(scores, lambda part: concordance.ccc(part, ci), progress)
    columns = {
        "ccc": found.value,
        "ci_low": found.low,
        "ci_high": found.high,
        "precision": found.rho,
        "accuracy": found.accuracy,
        "location_shift": found.location_shift,
        "scale_shift": found.scale_shift,
        "n_items": found.n,
    }
    return frames.result(_pair_index(reading, pairs), columns, schemas.CONCORDANCE)
