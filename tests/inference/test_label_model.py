"""The models of labels: their variance is that of the influence, by enumeration of all patterns of labels."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from pandas_agreement.coefficients.registry import REGISTRY, find
from pandas_agreement.core.distances import Distance, Nominal, Table
from pandas_agreement.core.ratings import WideRatings
from pandas_agreement.inference.evaluation import Evaluation, evaluate
from pandas_agreement.inference.label_model import model_of

N = 1e9  # items that stand for an endless sample
LEVELS = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9)
SCORED = [name for name, record in REGISTRY.items() if record.at_shares is not None]
QUADRATIC = 1 - np.array([[0, 1, 4], [1, 0, 1], [4, 1, 0]]) / 4


def population(shares: list[float], level: float, sizes: list[int]) -> WideRatings:
    """Every pattern of labels, with its probability under the mean of the two models; `sizes` are equally frequent."""
    K, C, c = len(shares), max(sizes), np.sqrt(level)
    columns, weights = [], []
    for size, labels in product(sizes, product(range(K), repeat=C)):
        if any(labels[size:]):
            continue
        seen = labels[:size]
        copied = sum(p * np.prod([c * (k == x) + (1 - c) * shares[x] for x in seen]) for k, p in enumerate(shares))
        easy = shares[seen[0]] * (len(set(seen)) == 1)
        hard = np.prod([shares[x] for x in seen])
        columns.append([*seen, *[-1] * (C - size)])
        weights.append((copied + level * easy + (1 - level) * hard) / 2 / len(sizes))
    codes = np.array(columns).T
    return WideRatings(C, K, 1, None, N * np.array(weights), tuple(codes))


def evaluated(name: str, ratings: WideRatings, distance: Distance) -> Evaluation:
    return evaluate(find(name), ratings, distance)


def distance_of(kind: str, K: int) -> Distance:
    return Nominal(K, "nominal") if kind == "nominal" else Table(K, "quadratic", matrix=1 - QUADRATIC)


@pytest.mark.parametrize("sizes", [[2], [3], [5], [2, 3, 4]], ids=str)
@pytest.mark.parametrize("kind", ["nominal", "quadratic"])
@pytest.mark.parametrize("name", SCORED)
def test_the_variance_is_that_of_the_influence_under_the_models(name: str, kind: str, sizes: list[int]) -> None:
    if name == "kappa" and len(sizes) > 1:
        pytest.skip("kappa with gaps weighs coders by their labels: the models are an approximation")
    shares, distance = [0.7, 0.2, 0.1], distance_of(kind, 3)
    for level in (0.0, 0.3, 0.8):
        ratings = population(shares, level, sizes)
        evaluation = evaluated(name, ratings, distance)
        model = model_of(find(name), evaluation)
        influence = evaluation.influence()
        variance = ratings.sum(influence**2) / N
        assert model.level(evaluation.value) == pytest.approx(level, abs=1e-6)
        assert model.variance_at(np.array([level])) == pytest.approx(variance, rel=1e-6)


def test_two_coders_and_two_categories_give_the_variance_of_bloch_and_kraemer() -> None:
    """V = (1 - k) ((1 - k) (1 - 2k) + k (2 - k) / (2 p (1 - p)))."""
    p = 0.05
    model = model_of(find("pi"), evaluated("pi", population([1 - p, p], 0.5, [2]), Nominal(2, "nominal")))
    for k in LEVELS:
        wanted = (1 - k) * ((1 - k) * (1 - 2 * k) + k * (2 - k) / (2 * p * (1 - p)))
        assert model.variance_at(np.array([k])) == pytest.approx(wanted, rel=1e-6)
