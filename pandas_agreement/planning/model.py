"""The model of labels behind sample sizes, and what a coefficient does under it.

A coder copies the true category with some probability, else draws from the category shares. The standard deviation that
one item contributes to a coefficient comes from the influence values under this model.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pandas_agreement.coefficients.registry import Coefficient, find, require
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.contingency import distinct
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.quantiles import t_quantile
from pandas_agreement.core.ratings import Ratings, WideRatings
from pandas_agreement.core.weights import CategoryValues, make_distance
from pandas_agreement.errors import InputError
from pandas_agreement.inference.evaluation import Evaluation, Uncertainty, analytic, evaluate
from pandas_agreement.inference.intervals import Curve, interval
from pandas_agreement.options import is_nominal, own_option
from pandas_agreement.planning.checks import ALTERNATIVES, check_shares, error_quantile

MAX_PATTERNS = 1 << 14  # patterns of labels of an item that are enumerated; more are simulated
N_ITEMS_BEHIND_PATTERNS = 1e9  # items the patterns stand for: alpha's correction for few labels must vanish
MAX_SIMULATED_LABELS = 1 << 22  # labels of a simulated sample
SEED = 20240229


def _model(level: float, n_coders: int, shares: Array) -> Ratings:
    """Labels of coders who copy the truth with probability sqrt(level), else draw from the shares: kappa is `level`."""
    copies, K = math.sqrt(level), len(shares)
    if K**n_coders > MAX_PATTERNS:
        return _simulated(copies, n_coders, shares)
    patterns = np.indices((K,) * n_coders).reshape(n_coders, -1)  # (C, patterns)
    given = copies * np.eye(K) + (1 - copies) * shares  # (truth, label)
    joint = np.repeat(shares[:, None], patterns.shape[1], axis=1)
    for labels in patterns:
        joint = joint * given[:, labels]
    chance = joint.sum(0)
    possible = chance > 0
    return WideRatings(n_coders, K, 1, None, N_ITEMS_BEHIND_PATTERNS * chance[possible], tuple(patterns[:, possible]))


def _simulated(copies: float, n_coders: int, shares: Array) -> Ratings:
    """The same model as a large sample of fixed seed."""
    rng, K = np.random.default_rng(SEED), len(shares)
    n_items = min(MAX_SIMULATED_LABELS // n_coders, MAX_SIMULATED_LABELS >> 5)
    truth = rng.choice(K, n_items, p=shares)
    codes = []
    for _ in range(n_coders):
        codes.append(np.where(rng.random(n_items) < copies, truth, rng.choice(K, n_items, p=shares)))
    return distinct(WideRatings(n_coders, K, 1, None, None, tuple(codes)), True)


def _distance(record: Coefficient, weights: Any, n_categories: int) -> Distance:
    """The distance between categories 0, 1, ... that a coefficient uses with these weights."""
    own = own_option(record)
    if not is_nominal(weights) and not record.accepts(own):
        problem = f"{record.name} has no weights"
        raise InputError(problem, "kappa, pi and alpha have them", option="weights", code="unknown option")
    places = np.arange(n_categories)
    return make_distance(own, "weights", weights, CategoryValues(places, places.astype(float), ordered=True))


@dataclass(frozen=True, eq=False)
class Planner:
    """A coefficient and the category shares for which it is planned."""

    record: Coefficient
    shares: Array
    distance: Distance

    @classmethod
    def of(cls, metric: str, shares: Iterable[float], weights: Any = "nominal") -> Planner:
        record, checked = find(metric), check_shares("shares", shares)
        require(record, "plan", "cannot be planned for")
        return cls(record, checked, _distance(record, weights, len(checked)))

    def evaluated(self, ratings: Ratings) -> Evaluation:
        return evaluate(self.record, ratings, self.distance)

    def level(self, name: str, target: float) -> float:
        """The level of the model at which the coefficient has the target value.

        Two coders are enough: with complete labels a coefficient depends on pairs only.
        """
        from scipy.optimize import brentq

        def value(level: float) -> float:
            return float(self.evaluated(_model(level, 2, self.shares)).value[0])

        low, high = value(0.0), value(1.0)
        if not low - 1e-9 <= target < high - 1e-9:
            bounds = (
                f"is {low:.3g} for coders who guess, and must stay below {high:.3g}, where all agree and nothing varies"
            )
            problem = f"{name}={target:g} cannot be reached: with these shares {self.record.name} {bounds}"
            raise InputError(problem, option=name, code="out of reach")
        return 0.0 if target <= low + 1e-9 else float(brentq(lambda level: value(level) - target, 0.0, 1.0, xtol=1e-14))

    def model(self, value: float, n_coders: int, name: str = "estimate") -> Ratings:
        return _model(self.level(name, value), n_coders, self.shares)

    def sd(self, name: str, value: float, n_coders: int) -> float:
        """Standard deviation of an item's influence if the coefficient has the target value."""
        ratings = self.model(value, n_coders, name)
        influence = self.evaluated(ratings).influence()
        if np.isnan(influence).any():
            problem = f"{name}={value:g} is chance, where {self.record.name} has no standard error"
            raise InputError(problem, "choose a larger value", option=name)
        return math.sqrt(float(ratings.sum(influence**2)[0]) / float(ratings.weights.sum()))

    def sample(self, model: Ratings, n_items: float) -> tuple[Evaluation, Uncertainty]:
        """The coefficient of n items that look exactly as the model predicts."""
        weight = model.weights * (n_items / model.weights.sum())
        evaluation = self.evaluated(replace(model, weight=weight))
        return evaluation, analytic(evaluation)

    def limits(self, model: Ratings, n_items: float, level: float) -> tuple[float, float]:
        """The interval that `df.agree` gives by default."""
        method = "analytic" if self.record.at_shares is None else "score"
        low, high = interval(self.record, *self.sample(model, n_items), level, method)
        return float(low[0]), float(high[0])

    def width(self, model: Ratings, n_items: float, level: float) -> float:
        low, high = self.limits(model, n_items, level)
        return high - low

    def power(
        self, value: float, null: float, n_coders: int, alpha: float, alternative: str
    ) -> Callable[[float], float]:
        """The probability that the interval of n items leaves out the null value, by n."""
        from scipy.special import ndtr

        z = error_quantile(value, null, alpha, alternative)
        sd_null, sd = self.sd("null", null, n_coders), self.sd("estimate", value, n_coders)
        model, level = self.model(value, n_coders), 1 - 2 * alpha / ALTERNATIVES[alternative][0]

        def at(n: float) -> float:
            bound = z * sd_null
            if self.record.at_shares is not None:
                at_null = Curve.of(self.record, *self.sample(model, n)).variance_at(np.array([null]))
                bound = float((t_quantile(n - 1, level) * np.sqrt(at_null))[0])
            return float(ndtr((abs(value - null) * math.sqrt(n) - bound) / sd))

        return at
