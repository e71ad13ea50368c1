"""How often `diagnose` finds what is not there, and what is: `python -m tests.benchmarks.false_alarms`.

Clean data: all coders are alike, so that any difference between them is noise. An item has a type (its true category,
and whether it is hard); all coders draw their labels from the distribution of that type. Every true value follows
from the types, and a finding is a false alarm where the true value lies on the other side of its threshold. Three laws:
coders copy the truth, else draw from the shares; coders err towards any other category equally often (sensitivity and
specificity); items are easy or hard. Scenarios are drawn at random from the grid of `GRID`.

Planted troubles: one of the coders guesses on 40 % of the items, or a category is labelled at random.

All data sets of a scenario are one call (`by=` the data set). Everything is seeded: the same versions of numpy and of
this package print the same tables. Thresholds were chosen with `--seed 1`; the documentation quotes the default seed.
To repeat its tables, in some ten minutes: `python -m tests.benchmarks.false_alarms`. `--quick` is a tenth.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product

import numpy as np
import pandas as pd

from pandas_agreement import AgreementWarning
from pandas_agreement.core.arrays import Array
from tests.benchmarks.coverage import markdown

SEED = 20260
LAWS = ("copying", "errors", "easy and hard")
GRID = {
    "law": LAWS,
    "n_coders": (2, 3, 4, 5, 8),
    "n_items": (30, 50, 100, 200, 500, 1000),
    "n_categories": (2, 3, 4, 5),
    "top": (0.5, 0.7, 0.85, 0.95),  # share of the most frequent category
    "alpha": (0.4, 0.5, 0.6, 0.667, 0.75, 0.85, 0.95),
    "gaps": (0.0, 0.0, 0.2, 0.4),
}
EASY, HARD = 0.98, 0.1  # alpha of easy and of hard items
GUESSED = 0.4  # part of the items on which the planted coder guesses
FACTS = (  # statements about the data at hand: there is nothing to be wrong about
    "undefined",
    "same label, spelt differently",
    "rare category",
    "wide interval",
    "many items with one label",
)


@dataclass(frozen=True)
class Scenario:
    """What alike coders do with what kind of items."""

    law: str
    n_coders: int
    n_items: int
    n_categories: int
    top: float
    alpha: float
    gaps: float = 0.0

    @property
    def shares(self) -> Array:
        """The rarer categories fall by half each; the first has the share `top`."""
        rest = 0.5 ** np.arange(self.n_categories - 1)
        return np.append(self.top, (1 - self.top) * rest / rest.sum())

    def types(self) -> tuple[Array, Array]:
        """The share of each type of item, (T,), and the distribution of its labels, (T, K)."""
        shares, K = self.shares, self.n_categories
        if self.law == "errors":
            return shares, _errors(shares, self.alpha)
        copied = [self.alpha] if self.law == "copying" else [EASY, HARD]
        labels = [np.sqrt(level) * np.eye(K) + (1 - np.sqrt(level)) * shares for level in copied]
        easy = 1.0 if self.law == "copying" else (self.alpha - HARD) / (EASY - HARD)
        return np.concatenate([easy * shares, (1 - easy) * shares])[: K * len(copied)], np.concatenate(labels)

    def truth(self) -> Truth:
        return Truth.of(*self.types())


def _errors(shares: Array, alpha: float) -> Array:
    """Distribution of labels by true category if errors towards all other categories are equally frequent."""
    K = len(shares)
    low, high = 0.0, 1 - 1 / K
    for _ in range(60):
        wrong = (low + high) / 2
        labels = np.full((K, K), wrong / (K - 1)) + (1 - wrong - wrong / (K - 1)) * np.eye(K)
        low, high = (wrong, high) if Truth.of(shares, labels).alpha > alpha else (low, wrong)
    return labels


@dataclass(frozen=True)
class Truth:
    """The values of an endless sample."""

    observed: float
    alpha: float
    ac1: float
    rates: Array  # of each category
    kappas: Array  # of each category against the rest

    @classmethod
    def of(cls, types: Array, labels: Array) -> Truth:
        p, joint = types @ labels, types @ labels**2  # (K,)
        same, observed = (p**2).sum(), joint.sum()
        chance = (1 - same) / (len(p) - 1)
        alpha, ac1 = (observed - same) / (1 - same), (observed - chance) / (1 - chance)
        return cls(observed, alpha, ac1, joint / (2 * p - joint), (joint - p**2) / (p * (1 - p)))


# ------------------------------------------------------------------------------------------------------- data sets


def data_sets(scenario: Scenario, runs: int, rng: np.random.Generator, guesser: bool = False) -> pd.DataFrame:
    """`runs` data sets of one scenario, told apart by the column `run`; the last coder may be a guesser."""
    types, labels = scenario.types()
    size = scenario.n_items * runs
    kind = rng.choice(len(types), size, p=types / types.sum())
    codes = _draw(labels.cumsum(1)[kind], scenario.n_coders, rng)
    if guesser:
        guessed = rng.random(size) < GUESSED
        codes[guessed, -1] = rng.choice(scenario.n_categories, guessed.sum(), p=types @ labels)
    return _frame(codes, scenario, runs, rng)


def random_category(scenario: Scenario, share: float, runs: int, rng: np.random.Generator) -> pd.DataFrame:
    """A further category, the last one, that every coder puts on any item with the same probability."""
    types, labels = scenario.types()
    size = scenario.n_items * runs
    kind = rng.choice(len(types), size, p=types)
    codes = _draw(labels.cumsum(1)[kind], scenario.n_coders, rng)
    codes[rng.random(codes.shape) < share] = scenario.n_categories
    return _frame(codes, scenario, runs, rng)


def _draw(cumulated: Array, n_coders: int, rng: np.random.Generator) -> Array:
    """Labels of all coders from the distribution of each item: (items, coders)."""
    u = rng.random((len(cumulated), n_coders))
    return sum((u > cumulated[:, [category]]).astype(np.int64) for category in range(cumulated.shape[1] - 1))


def _frame(codes: Array, scenario: Scenario, runs: int, rng: np.random.Generator) -> pd.DataFrame:
    codes = np.where(rng.random(codes.shape) < scenario.gaps, -1, codes)
    names = list("abcdef"[: max(scenario.n_categories, codes.max() + 1)])
    columns = {f"coder {n}": pd.Categorical.from_codes(column, names) for n, column in enumerate(codes.T)}
    return pd.DataFrame({"run": np.repeat(np.arange(runs), scenario.n_items)} | columns)


def findings(df: pd.DataFrame) -> pd.DataFrame:
    """The findings of every data set: run, finding, about."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)
        found = df.agree.diagnose(*(name for name in df if name != "run"), by="run")
    return found.reset_index()


# ---------------------------------------------------------------------------------------------------- false alarms


def is_false(finding: str, about: str, truth: Truth) -> bool:
    """Whether a finding is wrong where all coders are alike."""
    place = "abcdef".find(about) if len(about) == 1 else -1
    if finding == "low agreement":
        return truth.alpha >= 0.667 - 1e-9
    if finding == "high agreement, low kappa":
        return not (truth.observed >= 0.8 and truth.alpha < 0.6 and truth.ac1 - truth.alpha >= 0.2)
    if finding == "category nobody agrees on":
        return truth.rates[place] >= 0.3
    if finding == "category no better than chance":
        return truth.kappas[place] >= NO_BETTER
    return finding not in FACTS


NO_BETTER = 0.4


def scenarios(number: int, seed: int = SEED) -> list[Scenario]:
    rng = np.random.default_rng([seed, 1])
    return [Scenario(**{name: values[rng.integers(len(values))] for name, values in GRID.items()}) for _ in range(number)]


def false_alarms(scenario: Scenario, runs: int, seed: Sequence[int]) -> dict[str, float]:
    """The share of data sets with a false alarm, for each kind of finding."""
    found = findings(data_sets(scenario, runs, np.random.default_rng(seed)))
    truth = scenario.truth()
    wrong = [is_false(finding, about, truth) for finding, about in zip(found["finding"], found["about"], strict=True)]
    return (found[np.array(wrong, bool)].groupby("finding")["run"].nunique() / runs).to_dict()
