"""`bias`: which columns of the frame go with the difference between a judge and the humans.

The label of the judge minus the mean of the human labels is regressed on the columns by least squares, for each group
and judge. The standard errors are those of the jackknife over items (HC3), or with clusters over these (CR3), and the
degrees of freedom are the number of items or clusters on which a coefficient rests.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import blocks
from pandas_agreement.core.quantiles import level_of, t_quantile, t_test
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError, plain, shown
from pandas_agreement.hypothesis_tests.margins import holm
from pandas_agreement.judges.panel import Judged, judged_index, note_invalid
from pandas_agreement.judges.reference import Items
from pandas_agreement.results import frames, schemas

PER_UNIT = "(per unit)"  # in place of a level, for numbers
MAX_LEVELS = 50  # of a column that is not of numbers
FEW = 5  # items or clusters on which a coefficient rests
ROUNDING = 1e-9
MAX_ENTRIES = 1 << 22  # of the matrices of items or clusters that are left out at a time


# ------------------------------------------------------------------------------------------------------------- columns


@dataclass(frozen=True, eq=False)
class Term:
    """One coefficient: of a column of numbers, or of a level of another column beside its first level."""

    column: Hashable
    level: str
    reference: str
    x: Array  # (I,) the number, or whether the item has the level; NaN where the column is missing


def terms_of(column: pd.Series, name: Hashable) -> list[Term]:
    """The coefficients of a column with one value per item: (I,) of any dtype."""
    column = column.infer_objects()
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        values = column.to_numpy(dtype=float, na_value=np.nan)
        return [Term(name, PER_UNIT, "", np.where(np.isfinite(values), values, np.nan))]
    if column.dtype.kind in "mM":
        problem = f"column {shown(name)} has dates or times, and bias needs numbers or categories"
        raise InputError(problem, "convert it to a number, such as days", column=name, code="unusable label")
    levels = column.astype("category").cat.remove_unused_categories()
    names = [str(plain(level)) for level in levels.cat.categories]
    if len(names) > MAX_LEVELS:
        problem = f"column {shown(name)} has {len(names):,} levels, and bias takes at most {MAX_LEVELS}"
        raise InputError(problem, "group them, or convert numbers in text", column=name, code="too large")
    codes = levels.cat.codes.to_numpy()
    has = [np.where(codes < 0, np.nan, codes == level) for level in range(len(names))]
    if len(names) < 2:
        return [Term(name, "".join(names), "", np.where(codes < 0, np.nan, 1.0))]
    return [Term(name, level, names[0], own) for level, own in zip(names[1:], has[1:], strict=True)]


def scores(judged: Judged) -> tuple[Array, str]:
    """The number of each category; of two labels the second is 1, and named."""
    category_set = judged.reading.category_set
    if judged.wrong:
        problem = "invalid='wrong' gives labels outside the categories no number"
        raise InputError(problem, "use invalid='missing'", option="invalid")
    labels, numbers = category_set.labels, category_set.numbers()
    if numbers is not None and labels.dtype.kind not in "bmM":
        return numbers, ""
    if len(labels) > 2:
        some = ", ".join(map(shown, labels[:4])) + (", ..." if len(labels) > 4 else "")
        problem = f"bias is for judges of numbers or of two categories, and there are {len(labels)} labels: {some}"
        remedy = "compare one of them with the rest, as in (df == 'yes'), or give categories= and invalid='missing'"
        raise InputError(problem, remedy, code="no numbers")
    return np.arange(float(len(labels))), str(plain(labels[1])) if len(labels) == 2 else ""


# ---------------------------------------------------------------------------------------------------------- regression


@dataclass(frozen=True, eq=False)
class Fitted:
    """Coefficients of one group and judge without the intercept: (P,) each; NaN where they are undefined."""

    estimate: Array
    se: Array
    df: Array
    reason: str = "no variation"  # why coefficients are undefined: a code of `REASONS`


REASONS = {
    "no items": "no item with a label of the judge, a human label and all columns",
    "few items": "no more items than coefficients",
    "undefined": "the columns are collinear",
    "no variation": "all items have the same value",
}


def fit(x: Array, y: Array, clusters: Array | None) -> Fitted:
    """Least squares of y (n,) on an intercept and x (n, P), with the standard errors of the jackknife."""
    n, unknown = len(x), np.full(x.shape[1], np.nan)
    if not n:
        return Fitted(unknown, unknown, unknown, "no items")
    varies, centred = (x != x[0]).any(0), x - x.mean(0)
    scale = np.sqrt((centred**2).mean(0))
    z = np.column_stack([np.ones(n), centred[:, varies] / scale[varies]])  # (n, Q)
    Q = z.shape[1]
    if Q == 1 or n <= Q or np.linalg.matrix_rank(z) < Q:
        return Fitted(unknown, unknown, unknown, "no variation" if Q == 1 else "few items" if n <= Q else "undefined")
    shares = np.linalg.pinv(z)  # (Q, n) of each item in each coefficient
    beta = shares @ y
    residual = y - z @ beta
    residual[np.abs(residual) <= ROUNDING * np.abs(y).max()] = 0.0
    unit = np.arange(n) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    variance = (_without_each(z, residual, unit) ** 2).sum(0)
    weight = np.stack([np.bincount(unit, share**2) for share in shares], -1)  # (U, Q)
    df = np.minimum(weight.sum(0) ** 2 / (weight**2).sum(0), n - Q if clusters is None else len(weight) - 1)
    found = np.full((3, len(varies)), np.nan)
    found[:, varies] = beta[1:] / scale[varies], np.sqrt(variance[1:]) / scale[varies], df[1:]
    return Fitted(*found)


def _without_each(z: Array, residual: Array, unit: Array) -> Array:
    """Change of the coefficients without each item or cluster, NaN where it alone decides one: (U, Q)."""
    Q, U = z.shape[1], int(unit.max()) + 1
    order, whole, changes = np.argsort(unit, kind="stable"), z.T @ z, np.empty((U, Q))
    starts = np.append(np.searchsorted(unit[order], np.arange(U)), len(unit))
    for some in blocks(U, MAX_ENTRIES // Q**2 + 1):
        first = starts[some.start : some.stop + 1]
        rows = order[first[0] : first[-1]]
        own = z[rows]
        of_units = np.add.reduceat(own[:, :, None] * own[:, None, :], first[:-1] - first[0])
        gradient = np.add.reduceat(own * residual[rows, None], first[:-1] - first[0])
        size, axes = np.linalg.eigh(whole - of_units)  # (u, Q), (u, Q, Q)
        lost = size < ROUNDING * len(z)
        along = (axes * gradient[:, :, None]).sum(1) / np.where(lost, np.inf, size)
        changes[some] = (axes * along[:, None, :]).sum(2)
        changes[some][((np.abs(axes) > np.sqrt(ROUNDING)) & lost[:, None, :]).any(2)] = np.nan
    return changes


# --------------------------------------------------------------------------------------------------------------- table


class Regression(NamedTuple):
    """That of one group and judge."""

    fit: Fitted
    used: Array  # positions of its items
    left_out: int  # items with labels, and without a value in some column


def bias(judged: Judged, columns: Sequence[tuple[Hashable, pd.Series]], ci: float | None) -> pd.DataFrame:
    """One row per group, judge, column and level; `columns` have one value per item of the reading."""
    values, category = scores(judged)
    terms = [term for name, column in columns for term in terms_of(column, name)]
    found = list(_regressions(Items.of(judged, None, values), np.stack([term.x for term in terms], -1), values))
    shape = len(found), len(terms)
    estimate, se, df = (
        np.reshape([getattr(one.fit, name) for one in found], shape) for name in ("estimate", "se", "df")
    )
    table = _tested(estimate, se, df, ci)
    remarks = _remarks(judged, found, table)
    table["n_items"] = np.repeat([len(one.used) for one in found], len(terms))
    table["n_level"] = np.array([_n_level(term, one.used) for one in found for term in terms])
    flat: dict[str, Any] = {name: np.ravel(part) for name, part in (table | remarks.columns()).items()}
    flat["p_holm"] = holm(flat["p_value"])
    flat["ci_level"] = np.full(len(flat["p_holm"]), level_of(ci))
    flat["reference"] = np.array([term.reference for term in terms] * len(found), object)
    flat["category"] = np.full(len(flat["p_holm"]), category, object)
    return _frame(judged, terms, flat)


def _regressions(items: Items, x: Array, values: Array) -> Iterator[Regression]:
    """The groups and, within them, the judges; x is (I, P), and `values` has the number of each category."""
    complete = ~np.isnan(x.sum(1))
    labelled = np.flatnonzero(items.labelled)
    ends = np.bincount(items.row[labelled], minlength=items.n_rows).cumsum()
    for counts in np.split(labelled[np.argsort(items.row[labelled], kind="stable")], ends)[:-1]:
        rows = counts[complete[items.item[counts]]]
        used, clusters = items.item[rows], None if items.cluster is None else items.cluster[rows]
        found = fit(x[used], values[items.judge[rows]] - items.standard[rows], clusters)
        yield Regression(found, used, len(counts) - len(rows))


def _n_level(term: Term, used: Array) -> int:
    """The number of items with a level, or of all."""
    return len(used) if term.level == PER_UNIT else int(np.count_nonzero(term.x[used]))


def _tested(estimate: Array, se: Array, df: Array, ci: float | None) -> dict[str, Array]:
    """Estimates with intervals and tests: (R, P) each."""
    statistic = divide(estimate, se)
    width = t_quantile(df, level_of(ci)) * se
    return {
        "estimate": estimate,
        "ci_low": estimate - width,
        "ci_high": estimate + width,
        "se": se,
        "statistic": statistic,
        "df": df,
        "p_value": t_test(statistic, df),
    }


def _frame(judged: Judged, terms: Sequence[Term], columns: dict[str, Any]) -> pd.DataFrame:
    groups, judges = judged.levels()
    levels = {
        "judge": [judge for judge in judges for _ in terms],
        "column": [term.column for term in terms] * len(judges),
        "level": [term.level for term in terms] * len(judges),
    }
    index = judged_index(schemas.BIAS, None if groups is None else groups.repeat(len(terms)), levels)
    return frames.result(index, columns, schemas.BIAS)


def _remarks(judged: Judged, found: Sequence[Regression], table: dict[str, Array]) -> Remarks:
    undefined = np.isnan(table["estimate"])
    remarks = Remarks(undefined.shape)
    reasons = np.array([one.fit.reason for one in found])[:, None]
    for code, text in REASONS.items():
        remarks.undefined(undefined & (reasons == code), code, text)
    unsure = ~undefined & np.isnan(table["se"])
    remarks.add(unsure, "no se", "it rests on one item or cluster: no se")
    remarks.add(~undefined & (table["se"] == 0), "se is 0", "all items lie on the line: se is 0")
    few = f"it rests on fewer than {FEW} items or clusters: rough interval"
    remarks.add((table["se"] > 0) & (table["df"] < FEW), "few items", few)
    what = "item without a value in some column left out", "items without a value in some column left out"
    left_out = np.array([one.left_out for one in found], np.int64)[:, None]
    remarks.count(np.broadcast_to(left_out, undefined.shape), "left out", *what)
    note_invalid(judged, remarks, "left out")
    remarks.warn("estimate")
    return remarks
