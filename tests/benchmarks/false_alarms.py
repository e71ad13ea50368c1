"""How often `diagnose` finds what is not there, and what is: `python -m tests.benchmarks.false_alarms`.

Clean data: all coders are alike, so that any difference between them is noise. An item has a type (its true category,
and whether it is hard); all coders draw their labels from the distribution of that type. Every true value follows
from the types, and a finding is a false alarm where the true value lies on the other side of its threshold. Three laws:
coders copy the truth, else draw from the shares; coders err towards any other category equally often (sensitivity and
specificity); items are easy or hard. Scenarios are drawn at random from the grid of `GRID`.

On a scale: items have a value, normal or skewed, and coders add errors of one size, or larger ones on hard items. They
round it to steps (`level="ordinal"`) or give it as it is (scores). All coders are alike, so that whatever is said about
single coders is a false alarm.

Planted troubles, of which a test draws some: one of the coders guesses on 40 % of the items, a category is labelled at
random, or half of the coders see another truth in a part of the items.

All data sets of a scenario are one call (`by=` the data set). Everything is seeded: the same versions of numpy and of
this package print the same tables. The rules were chosen on scenarios of seeds 1 to 8 and 20260; the documentation
quotes the default seed. In five minutes: `python -m tests.benchmarks.false_alarms`. `--quick` is a
tenth of the data sets.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from pandas_agreement import AgreementWarning
from pandas_agreement.breakdown.diagnose import OPEN, RULES
from pandas_agreement.core.arrays import Array
from tests.benchmarks.runner import asked, markdown

SEED = 20270
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
NO_BETTER = 0.4  # kappa of a category that is no guess
GUESSED = 0.4  # part of the items on which the planted coder guesses
FACTS = (  # statements about the data at hand: there is nothing to be wrong about
    "code for a missing label?",
    "value far from all others",
    "decimal commas?",
    "not tested",
    "undefined",
    "same label, spelt differently",
    "rare category",
    "wide interval",
    "many items with one label",
)


KINDS = tuple(rule.name for rule in RULES if rule.name not in (*FACTS, OPEN))  # statements about other items too


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


def findings(df: pd.DataFrame, **options: str) -> pd.DataFrame:
    """The findings of every data set: run, finding, about."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)
        found = df.agree.diagnose(*(name for name in df if name != "run"), by="run", **options)
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


def scenarios(number: int, seed: int = SEED) -> list[Scenario]:
    """Scenarios drawn at random from the grid."""
    rng = np.random.default_rng([seed, 1])
    drawn = [{name: values[rng.integers(len(values))] for name, values in GRID.items()} for _ in range(number)]
    return [Scenario(**values) for values in drawn]


def false_alarms(scenario: Scenario, runs: int, seed: Sequence[int]) -> dict[str, float]:
    """The share of data sets with a false alarm, for each kind of finding that was one."""
    found = findings(data_sets(scenario, runs, np.random.default_rng(seed)))
    truth = scenario.truth()
    wrong = [is_false(finding, about, truth) for finding, about in zip(found["finding"], found["about"], strict=True)]
    return (found[np.array(wrong, bool)].groupby("finding")["run"].nunique() / runs).to_dict()


def clean(number: int, runs: int, seed: int = SEED) -> pd.DataFrame:
    """One row per scenario: its parts, and the share of data sets with a false alarm of each kind."""
    rows = []
    for place, scenario in enumerate(scenarios(number, seed)):
        alarms = false_alarms(scenario, runs, [seed, 2, place])
        rows.append(asdict(scenario) | {kind: alarms.get(kind, 0.0) for kind in KINDS})
    return pd.DataFrame(rows)


# -------------------------------------------------------------------------------------------------- planted troubles


def found_guesser(scenario: Scenario, runs: int, rng: np.random.Generator) -> float:
    """The share of data sets in which the guesser is called out of line."""
    found = findings(data_sets(scenario, runs, rng, guesser=True))
    hit = (found["finding"] == "coder out of line") & (found["about"] == f"coder {scenario.n_coders - 1}")
    return found[hit]["run"].nunique() / runs


def found_category(scenario: Scenario, share: float, runs: int, rng: np.random.Generator) -> float:
    """The share of data sets in which the random category is called no better than chance."""
    found = findings(random_category(scenario, share, runs, rng))
    last = "abcdef"[scenario.n_categories]
    hit = (found["finding"] == "category no better than chance") & (found["about"] == last)
    return found[hit]["run"].nunique() / runs


def found_camps(scenario: Scenario, apart: float, runs: int, rng: np.random.Generator) -> float:
    """The share of data sets in which two camps are found: half of the coders see another truth in a part of items."""
    types, labels = scenario.types()
    size, half = scenario.n_items * runs, scenario.n_coders // 2
    kind = rng.choice(len(types), size, p=types / types.sum())
    other = np.where(rng.random(size) < apart, rng.choice(len(types), size, p=types / types.sum()), kind)
    parts = [(kind, half), (other, scenario.n_coders - half)]
    codes = np.concatenate([_draw(labels.cumsum(1)[seen], number, rng) for seen, number in parts], 1)
    found = findings(_frame(codes, scenario, runs, rng))
    return found[found["finding"] == "two camps"]["run"].nunique() / runs


# ------------------------------------------------------------------------------------------------------- on a scale

OF_CODERS = (
    "coder out of line",
    "coder who hardly varies",
    "margins differ",
    "label of one coder only",
    "coders differ in level",
)
SCALE_GRID = {
    "level": ("ordinal", "scores"),
    "n_coders": (3, 4, 5, 8),
    "n_items": (30, 50, 100, 200, 500),
    "n_steps": (3, 5, 7),
    "noise": (0.4, 0.7, 1.0),
    "skewed": (False, True),
    "hard": (False, True),
    "gaps": (0.0, 0.2, 0.4),
}


@dataclass(frozen=True)
class OnScale:
    """What alike coders do with items that have a value."""

    level: str
    n_coders: int
    n_items: int
    n_steps: int
    noise: float
    skewed: bool
    hard: bool
    gaps: float = 0.0

    def data_sets(self, runs: int, rng: np.random.Generator) -> pd.DataFrame:
        size = self.n_items * runs
        value = rng.exponential(size=size) - 1 if self.skewed else rng.standard_normal(size)
        spread = self.noise * np.where(self.hard & (rng.random(size) < 0.3), 2.5, 1.0)
        error = rng.standard_normal((size, self.n_coders)) * spread[:, None]
        scores = value[:, None] + error
        if self.level == "ordinal":
            edges = np.linspace(-1.2, 1.2, self.n_steps - 1)
            scores = np.searchsorted(edges, scores).astype(float)
        scores = np.where(rng.random(scores.shape) < self.gaps, np.nan, scores)
        columns = {f"coder {n}": column for n, column in enumerate(scores.T)}
        return pd.DataFrame({"run": np.repeat(np.arange(runs), self.n_items)} | columns)

    def findings(self, runs: int, rng: np.random.Generator) -> pd.DataFrame:
        return findings(self.data_sets(runs, rng), **({"level": "ordinal"} if self.level == "ordinal" else {}))


def scale_alarms(scenario: OnScale, runs: int, seed: Sequence[int]) -> dict[str, float]:
    """The share of data sets with each finding about coders, all of them false alarms."""
    found = scenario.findings(runs, np.random.default_rng(seed))
    share = found.groupby("finding")["run"].nunique() / runs
    return {kind: float(share.get(kind, 0.0)) for kind in OF_CODERS}


def on_scale(number: int, runs: int, seed: int = SEED) -> pd.DataFrame:
    """One row per scenario on a scale: its parts, and the share of data sets with each finding about coders."""
    rng = np.random.default_rng([seed, 5])
    rows = []
    for place in range(number):
        drawn = {name: values[rng.integers(len(values))] for name, values in SCALE_GRID.items()}
        rows.append(drawn | scale_alarms(OnScale(**drawn), runs, [seed, 6, place]))
    return pd.DataFrame(rows)


def again(table: pd.DataFrame, kind: str, runs: int, seed: int = SEED) -> pd.DataFrame:
    """The five scenarios on a scale with the most alarms of a kind, with the share in new data sets."""
    worst = table.nlargest(5, kind)
    scenarios = [OnScale(**parts) for parts in worst[list(SCALE_GRID)].to_dict("records")]
    new = [scale_alarms(scenario, runs, [seed, 8, place])[kind] for place, scenario in enumerate(scenarios)]
    return worst[[*SCALE_GRID, kind]].assign(again=new)


# ---------------------------------------------------------------------------------------------------------- printing


def worst(table: pd.DataFrame, kinds: Sequence[str] = KINDS) -> pd.DataFrame:
    """Of each kind of finding the mean, the 95 % quantile and the largest share of false alarms over scenarios."""
    found = table[list(kinds)]
    columns = {"mean": found.mean(), "95 % of scenarios": found.quantile(0.95), "worst scenario": found.max()}
    return pd.DataFrame(columns).map("{:.3f}".format).rename_axis("finding")


def main() -> None:
    chosen = asked(__doc__, scenarios=80, runs=200, seed=SEED, quick=False)
    runs = max(chosen.runs // 10, 10) if chosen.quick else chosen.runs
    alarms = clean(chosen.scenarios, runs, chosen.seed)
    print(f"False alarms: {chosen.scenarios} scenarios, {runs} data sets each\n\n{markdown(worst(alarms))}")
    for level, part in on_scale(chosen.scenarios, runs, chosen.seed).groupby("level"):
        print(f"\nFalse alarms about coders, {level}: {len(part)} scenarios\n\n{markdown(worst(part, OF_CODERS))}")
        for kind in [kind for kind in OF_CODERS if part[kind].max() > 0.05]:
            print(f"\n{kind}: the five worst scenarios in {5 * runs} new data sets each\n")
            print(markdown(again(part, kind, 5 * runs, chosen.seed).set_index("level")))


if __name__ == "__main__":
    main()
