"""Weighted kappa at the sizes of clinical studies: how often 95 % intervals hold, and how wide they are.

`python -m tests.benchmarks.clinic` simulates scenarios that were not used to choose the method: labels on a scale whose
errors are mostly of one step. Columns: share of the data sets whose interval holds the true value, shares that lie
wholly above and below it, median width over that of the ideal interval (2 x 1.96 standard deviations of the estimate),
and for the difference of two pairs of equally good coders how often it is significant at .05, and how often its p-value
and its interval contradict each other. Everything is seeded; 2,000 data sets have a standard error of .005.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from pandas_agreement import AgreementWarning
from pandas_agreement.core.arrays import Array
from tests.benchmarks.runner import asked, markdown, rows_of

LARGE = 400_000  # items of the sample that gives the true value
EVEN, SKEW, HUMP = (0.25,) * 4, (0.6, 0.25, 0.1, 0.05), (0.1, 0.4, 0.35, 0.15)
Errors = Callable[[np.random.Generator, Array, int, int], Array]  # truth, coders, K -> labels (C, I)


def stepping(share: float) -> Errors:
    """Errors of one step in so large a share of the labels."""

    def labels(rng: np.random.Generator, truth: Array, n_coders: int, K: int) -> Array:
        step = np.where(rng.random((n_coders, len(truth))) < 0.5, -1, 1)
        step = np.where((truth + step < 0) | (truth + step >= K), -step, step)
        return np.where(rng.random(step.shape) < share, truth + step, truth)

    return labels


def guessing(share: float, random: float) -> Errors:
    """Errors of one step, and labels at random."""

    def labels(rng: np.random.Generator, truth: Array, n_coders: int, K: int) -> Array:
        stepped = stepping(share)(rng, truth, n_coders, K)
        return np.where(rng.random(stepped.shape) < random, rng.integers(0, K, stepped.shape), stepped)

    return labels


def latent(noise: float, bias: float = 0.0) -> Errors:
    """Normal errors about a normal value, cut into steps; the last coder may be biased."""

    def labels(rng: np.random.Generator, truth: Array, n_coders: int, K: int) -> Array:
        value = truth + rng.uniform(-0.5, 0.5, len(truth)) + noise * rng.standard_normal((n_coders, len(truth)))
        value[-1] += bias
        return np.clip(np.rint(value), 0, K - 1).astype(int)

    return labels


def hard(share: float, noise: float) -> Errors:
    """Some items are hard, the others easy."""

    def labels(rng: np.random.Generator, truth: Array, n_coders: int, K: int) -> Array:
        noisy = latent(noise)(rng, truth, n_coders, K)
        return np.where(rng.random(len(truth)) < share, noisy, truth)

    return labels


@dataclass(frozen=True)
class Scenario:
    name: str
    shares: tuple[float, ...]
    errors: Errors
    n_items: int
    n_coders: int = 2
    weights: str = "quadratic"
    metric: str = "kappa"

    def frame(self, seed: int, n_items: int, runs: int) -> pd.DataFrame:
        rng, K = np.random.default_rng([seed, len(self.name), n_items]), len(self.shares)
        truth = rng.choice(K, n_items * runs, p=self.shares)
        codes = self.errors(rng, truth, max(self.n_coders, 3), K)  # the third coder is for comparisons
        df = pd.DataFrame({f"c{place}": pd.Categorical(code, range(K)) for place, code in enumerate(codes)})
        return df.assign(run=np.repeat(np.arange(runs), n_items))

    @property
    def options(self) -> dict[str, str]:
        return {"level": self.weights} if self.metric == "alpha" else {"weights": self.weights}


TEN = tuple(np.r_[0.4, 0.2, 0.12, 0.08, 0.06, 0.05, 0.04, 0.03, 0.02].round(2))
SCENARIOS = [
    *(Scenario("one step, even", EVEN, stepping(0.28), n) for n in (20, 40, 100, 300)),
    *(Scenario("hardly any errors", EVEN, stepping(0.14), n) for n in (20, 40)),
    Scenario("one step, skew", SKEW, stepping(0.2), 40),
    Scenario("one step, linear weights", HUMP, stepping(0.25), 50, weights="linear"),
    Scenario("one step and 3 % at random", (0.2,) * 5, guessing(0.15, 0.03), 50),
    Scenario("normal errors", HUMP, latent(0.6), 60),
    Scenario("normal errors, one coder biased", (0.15, 0.2, 0.3, 0.2, 0.15), latent(0.5, 0.5), 80),
    Scenario("a third of the items hard", (0.2,) * 5, hard(0.35, 1.2), 60),
    Scenario("nine categories, skew", TEN, latent(0.8), 40),
    Scenario("ordinal alpha, three coders", EVEN, stepping(0.25), 40, 3, "ordinal", "alpha"),
    Scenario("interval alpha, five coders", HUMP, latent(0.9), 30, 5, "interval", "alpha"),
    Scenario("AC2", SKEW, stepping(0.3), 60, 2, "quadratic", "ac2"),
]


def measure(number: int, runs: int) -> list[dict[str, object]]:
    """One row of the table."""
    scenario = SCENARIOS[number]
    coders = [f"c{place}" for place in range(scenario.n_coders)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)
        whole = scenario.frame(1, LARGE, 1)
        truth = getattr(whole.agree, scenario.metric)(*coders, ci=None, **scenario.options)["estimate"].item()
        df = scenario.frame(2, scenario.n_items, runs)
        row: dict[str, object] = {"scenario": scenario.name, "items": scenario.n_items, "truth": truth}
        for method in ("auto", "analytic"):
            found = getattr(df.agree, scenario.metric)(*coders, by="run", method=method, **scenario.options)
            found = found[found["ci_low"].notna()]
            above, below = (found["ci_low"] > truth).mean(), (found["ci_high"] < truth).mean()
            width = (found["ci_high"] - found["ci_low"]).median() / (2 * 1.96 * found["estimate"].std())
            measured = {"coverage": 1 - above - below, "above": above, "below": below, "width": width}
            row |= {f"{method}: {name}": value for name, value in measured.items()}
        if scenario.n_coders == 2:
            sets = ["c0", "c1"], ["c0", "c2"]
            difference = df.agree.compare(*sets, metrics=scenario.metric, by="run", **scenario.options)
            outside = (difference["difference_low"] > 0) | (difference["difference_high"] < 0)
            row |= {"size": (difference["p_value"] < 0.05).mean()}
            row |= {"contradicts": (outside != (difference["p_value"] < 0.05)).mean()}
    return [row]


def main() -> None:
    chosen = asked(__doc__, runs=2000, jobs=1)
    rows = rows_of(partial(measure, runs=chosen.runs), range(len(SCENARIOS)), chosen.jobs)
    print(markdown(rows.set_index("scenario")))


if __name__ == "__main__":
    main()
