"""`corrected_mean`: the mean score that the humans would have given, from a judge's scores and some human ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.quantiles import t_quantile
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError
from pandas_agreement.inference.means import critical, squares
from pandas_agreement.judges.corrected import (
    NO_HUMAN,
    NO_LABEL,
    PROBABILITY,
    SEPARATE,
    check_design,
    design_based,
    note_items,
    result_of,
)
from pandas_agreement.judges.panel import Judged
from pandas_agreement.judges.reference import MEAN, Items, check_reference
from pandas_agreement.options import Options
from pandas_agreement.results import schemas


def corrected_mean(
    judged: Judged, design: Any, reference: Any, probability: Array | None, options: Options
) -> pd.DataFrame:
    """One row per group and judge."""
    values = _values(judged)
    items = Items.of(judged, check_reference(reference, judged.humans, MEAN), values, probability)
    design = check_design(design, items, probability is not None)
    if design == SEPARATE:
        problem = "design='separate' needs error rates, which scores do not have"
        raise InputError(problem, "use design='random' or probability=, or corrected_rate", option="design")
    f, y = values[items.judge], np.where(items.labelled, items.standard, 0.0)
    remarks, level = Remarks((items.n_rows, 1)), options.ci or 0.95
    if design == PROBABILITY:
        estimate, se, df = design_based(items, f[:, None], y[:, None], remarks)
        found = _interval(estimate[:, 0], se[:, 0] ** 2, critical(df[:, 0], level))
    else:
        found = _powered(items, f, y, level, remarks)
    human = Sums(items, items.labelled)
    found |= {
        "judge_mean": Sums(items, items.judge >= 0).mean(f),
        "human_mean": human.mean(y),
        "reliability": divide(human.covariance(f, y) ** 2, human.covariance(f, f) * human.covariance(y, y)),
        "worth": divide(human.covariance(y, y), found["se"] ** 2),
        "n_items": items.table(items.judge >= 0),
        "n_human": human.n,
    }
    columns = {name: column[:, None] for name, column in found.items()}
    note_items(judged, items, columns["n_human"], remarks)
    method = "design-based" if design == PROBABILITY else "ppi++"
    return result_of(judged, columns, {}, schemas.CORRECTED_MEAN, design, method, remarks, options)


def _values(judged: Judged) -> Array:
    """The score of each category."""
    category_set = judged.reading.category_set
    values = category_set.numbers()
    if values is None:
        problem = f"corrected_mean needs scores, and {category_set.first_text()!r} is not a number"
        raise InputError(problem, "use corrected_rate for labels", code="no numbers")
    if judged.wrong:
        problem = "invalid='wrong' gives labels outside the categories no score"
        raise InputError(problem, "use invalid='missing'", option="invalid")
    return values + category_set.origin


class Sums:
    """Means, variances and covariances of chosen items by row, all with n in the denominator: (R,)."""

    def __init__(self, items: Items, chosen: Array) -> None:
        self._row, self._chosen, self._n_rows = items.row[chosen], chosen, items.n_rows
        self.n = np.bincount(self._row, minlength=items.n_rows).astype(float)

    def mean(self, values: Array) -> Array:
        return divide(np.bincount(self._row, values[self._chosen], self._n_rows), self.n)

    def covariance(self, one: Array, two: Array) -> Array:
        gaps = [values[self._chosen] - self.mean(values)[self._row] for values in (one, two)]
        return divide(np.bincount(self._row, gaps[0] * gaps[1], self._n_rows), self.n)


def _powered(items: Items, f: Array, y: Array, level: float, remarks: Remarks) -> dict[str, Array]:
    """Prediction-powered inference with the best share of the judge's scores (PPI++), and t in place of z."""
    human, other, every = Sums(items, items.labelled), Sums(items, ~items.labelled), Sums(items, items.judge >= 0)
    n, N = human.n, other.n
    spread = every.covariance(f, f) * divide(every.n, every.n - 1)
    power = divide(human.covariance(y, f), spread * (1 + divide(n, N)))
    power = np.clip(np.nan_to_num(power), 0, 1)
    rest = y - power[items.row] * f
    estimate = human.mean(rest) + np.nan_to_num(power * other.mean(f))
    variance = divide(human.covariance(rest, rest), n - 1) + np.nan_to_num(power**2 * divide(other.covariance(f, f), N))
    variance = np.where(n > 1, variance, np.nan)
    df = n - 1
    if items.cluster is not None:
        influence = np.where(
            items.labelled,
            (rest - human.mean(rest)[items.row]) / np.maximum(n, 1)[items.row],
            power[items.row] * (f - np.nan_to_num(other.mean(f))[items.row]) / np.maximum(N, 1)[items.row],
        )
        total, units = squares(influence, items.row, items.n_rows, items.cluster)
        variance, df = divide(units, units - 1) * total, np.minimum(units, n) - 1
    remarks.undefined((every.n == 0)[:, None], *NO_LABEL)
    remarks.undefined(((every.n > 0) & (n == 0))[:, None], *NO_HUMAN)
    remarks.add((n == 1)[:, None], "no se", "one human score: no se")
    return _interval(estimate, variance, t_quantile(df, level))


def _interval(estimate: Array, variance: Array, quantile: Array) -> dict[str, Any]:
    se = np.where(np.isnan(estimate), np.nan, np.sqrt(variance))
    width = quantile * se
    return {"estimate": estimate, "ci_low": estimate - width, "ci_high": estimate + width, "se": se}
