"""Columns that `detail=True` adds to single coefficients and to pairs of coders.

kappa has its bounds and the indices of Byrt, Bishop and Carlin, ccc its two factors, intraclass correlations the
variance components and F tests behind them, Kendall's W its test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.coder_scores import counted_scores, pair_index
from pandas_agreement.breakdown.marginal_tests import pair_tables
from pandas_agreement.coefficients.numeric import association, concordance
from pandas_agreement.coefficients.numeric.icc import Design, icc
from pandas_agreement.coefficients.numeric.records import FORMS
from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.pairs import Pairs, pair_up
from pandas_agreement.core.scores import CoderPairs, over_pairs
from pandas_agreement.core.selection import keep
from pandas_agreement.data import Reading
from pandas_agreement.engine import distance_for
from pandas_agreement.errors import InputError, warn
from pandas_agreement.hypothesis_tests import kappa_bounds
from pandas_agreement.options import Options
from pandas_agreement.results import schemas

TOO_LARGE = "the variances of such numbers are beyond the range of floats"


OfPairs = tuple[Pairs | CoderPairs, dict[str, Array]]  # pairs of coders, and columns (P,) each


# ------------------------------------------------------------------------------------------------------ of two coders


def _of_kappa(reading: Reading, record: Coefficient, options: Options) -> OfPairs:
    """Bounds of kappa given the margins, and the indices of prevalence and bias."""
    ratings, _ = keep(reading.ratings, options.missing, reading.coders)
    pairs = pair_up(ratings)
    weights = 1 - distance_for(record, reading, options, quiet=True).as_matrix()
    blocks = [kappa_bounds.indices(table, weights) for table in pair_tables(pairs, ratings.n_categories)]
    columns = [np.concatenate(parts) for parts in zip(*blocks, strict=True)]
    return pairs, dict(zip(schemas.KAPPA_DETAIL, columns, strict=True))


def _of_ccc(reading: Reading, record: Coefficient, options: Options) -> OfPairs:
    """Precision and accuracy of Lin's concordance correlation, and the shifts behind the accuracy."""
    scores = counted_scores(reading, record.name, options.missing)
    pairs, found = over_pairs(scores, concordance.ccc)
    columns = found.rho, found.accuracy, found.location_shift, found.scale_shift
    return pairs, dict(zip(schemas.CCC_DETAIL, columns, strict=True))


PairColumns = Callable[[Reading, Coefficient, Options], OfPairs]
OF_PAIRS: dict[str, PairColumns] = {"kappa": _of_kappa, "ccc": _of_ccc}


def of_pairs(result: pd.DataFrame, reading: Reading, record: Coefficient, options: Options) -> pd.DataFrame:
    """The result of `by_pair`, with the columns of each pair if `detail=True` asks for them."""
    if not options.detail or record.name not in OF_PAIRS:
        return result
    pairs, found = OF_PAIRS[record.name](reading, record, options)
    rows: Any = result.index
    index = pair_index(reading, pairs)
    rows = rows.droplevel("coefficient") if "coefficient" in rows.names else rows
    place = np.arange(len(rows)) if rows.equals(index) else index.get_indexer(rows)
    columns = {name: np.append(values, np.nan)[place] for name, values in found.items()}
    return _beside(result, columns)


def swapped(pairs: pd.DataFrame) -> pd.DataFrame:
    """The columns of pairs as those of the second coder and the first."""
    turned = {"bias_index": -1, "location_shift": -1}
    out = pairs.assign(**{name: sign * pairs[name] for name, sign in turned.items() if name in pairs})
    return out.assign(scale_shift=1 / out["scale_shift"]) if "scale_shift" in out else out


def _of_one_pair(reading: Reading, record: Coefficient, options: Options) -> dict[str, Array]:
    """The columns of two coders, (G,) each; NaN for more."""
    schema = schemas.KAPPA_DETAIL if record.name == "kappa" else schemas.CCC_DETAIL
    columns = {name: np.full(reading.ratings.n_groups, np.nan) for name in schema}
    if len(reading.coders) == 2:
        pairs, found = OF_PAIRS[record.name](reading, record, options)
        for name, values in found.items():
            columns[name][pairs.owner] = values
    return columns


# --------------------------------------------------------------------------------------------------------- of scores


def _of_icc(reading: Reading, record: Coefficient, options: Options) -> dict[str, Array]:
    """Variance components, standard error of measurement, and F tests of an intraclass correlation."""
    scores = counted_scores(reading, record.name, options.missing)
    if not np.all((scores.unit > 1e-150) & (scores.unit < 1e150)):
        raise InputError(TOO_LARGE, "divide the scores first")
    design, model = Design(scores), record.name[4]
    test = icc(design, "ICC(1)" if model == "1" else "ICC(C,1)")
    within = design.one_way.MSE * scores.unit**2
    if reading.ratings.identified:
        parts, p_coders = design.components(), design.bias().p
        _check(design)
        item, coder, rest = parts.item, parts.coder, parts.error
    else:  # coders are not told apart
        one_way, unknown = design.one_way, np.full(scores.n_groups, np.nan)
        item = (one_way.MSR - one_way.MSE) / one_way.k * scores.unit**2
        coder, rest, p_coders = unknown, within, unknown
    error = {"1": within, "c": rest, "a": coder + rest}[model]
    sem = np.sqrt(error / test.k if record.name.endswith("k") else error)
    columns = item, coder, rest, sem, test.statistic, test.df1, test.df2, test.p, p_coders
    return dict(zip(schemas.ICC_DETAIL, columns, strict=True))


def _check(design: Design) -> None:
    """Warn of components that are not the maximum of the likelihood."""
    if not design.converged.all():
        lost = f"{(~design.converged).sum()} of {len(design.converged)} groups"
        problem = f"the variance components of {lost} are not the best"
        warn(problem, "the search did not converge", code="not converged")


def _of_kendall(reading: Reading, record: Coefficient, options: Options) -> dict[str, Array]:
    """The chi-squared test of unrelated rankings, on the items that every coder rated."""
    found = association.kendall_w(counted_scores(reading, record.name, options.missing))
    return dict(zip(schemas.KENDALL_DETAIL, (found.statistic, found.df, found.p), strict=True))


Columns = Callable[[Reading, Coefficient, Options], dict[str, Array]]
DETAILS: dict[str, Columns] = {
    "kappa": _of_one_pair,
    "ccc": _of_one_pair,
    "kendall_w": _of_kendall,
    **dict.fromkeys(FORMS.values(), _of_icc),
}


def with_details(
    result: pd.DataFrame, reading: Reading, records: Sequence[Coefficient], options: Options
) -> pd.DataFrame:
    """The result of coefficients that share such columns, with these."""
    if any(record.name not in DETAILS for record in records):
        return result
    parts = [DETAILS[record.name](reading, record, options) for record in records]
    return _beside(result, {name: np.stack([part[name] for part in parts], -1).ravel() for name in parts[0]})


def _beside(result: pd.DataFrame, columns: Mapping[str, Array]) -> pd.DataFrame:
    """The result with further columns."""
    return result.assign(**{name: np.asarray(values, float) for name, values in columns.items()})
