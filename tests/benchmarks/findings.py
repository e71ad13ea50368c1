"""How often `diagnose` finds a planted fault, and faults that are not there: `python -m tests.benchmarks.findings`.

Each scenario is one law of labels: who labels which items, how often coders are right, and what goes wrong. In clean
ones all coders, or all categories, are alike, so that any finding of the kind looked at is a false alarm. All data
sets of a scenario are diagnosed together (`by=` the data set), in chunks. `--only` names scenarios by a part of their
names. 1,000 clean data sets give a share of .05 a standard error of .007, and 200 planted ones .035 at most.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

import pandas_agreement  # noqa: F401
from tests.benchmarks.runner import asked

SEED = 2910
CHUNK = 100  # data sets that are diagnosed together
CROWDS = 40  # data sets of scenarios with very many coders
CODER, MARGINS, BELOW, CONFUSED = (
    "coder out of line",
    "margins differ",
    "category below the others",
    "categories confused",
)
CAMPS, CHANCE = "two camps", "category no better than chance"
Table = np.ndarray


@dataclass(frozen=True)
class Scenario:
    """A law of labels; `planted` maps a kind of finding to what it should be about."""

    name: str
    draw: Callable[[np.random.Generator, int], Table]  # (items, coders), NaN for no label
    n_items: int
    kinds: Sequence[str] = (CODER,)  # kinds that are counted
    planted: dict[str, Sequence[str]] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)


def found(scenario: Scenario, runs: int, seed: int) -> list[list[str]]:
    """Of each kind: the share of data sets in which what was planted is found, and something else."""
    rng, start = np.random.default_rng([seed, *scenario.name.encode()]), time.perf_counter()
    hits, others = dict.fromkeys(scenario.kinds, 0), dict.fromkeys(scenario.kinds, 0)
    chunk = CHUNK if "crowd" not in scenario.name else 5
    for done in range(0, runs, chunk):
        n = min(chunk, runs - done)
        rows = _diagnosed(scenario.draw(rng, n), n, scenario)
        for kind in scenario.kinds:
            own, wanted = rows[rows["finding"] == kind], set(scenario.planted.get(kind, ()))
            right = own["about"].astype(str).isin(wanted)
            number = own[right].groupby("run")["about"].nunique()
            hits[kind] += int((number == (1 if kind == CAMPS else len(wanted))).sum())  # either side may come first
            others[kind] += own[~right]["run"].nunique()
    seconds = f"{time.perf_counter() - start:.0f}"
    shares = {kind: f"{hits[kind] / runs:.3f}" if scenario.planted.get(kind) else "" for kind in scenario.kinds}
    return [
        [scenario.name, str(runs), kind, shares[kind], f"{others[kind] / runs:.3f}", seconds] for kind in scenario.kinds
    ]


def _diagnosed(table: Table, runs: int, scenario: Scenario) -> pd.DataFrame:
    """The findings of all data sets; what is said of a coder out of line is a row of its own."""
    names = [f"c{number}" for number in range(table.shape[1])]
    df = pd.DataFrame(table, columns=names)
    if not scenario.options:
        df = df.apply(lambda column: column.map(lambda code: chr(97 + int(code)), na_action="ignore"))
    df["run"] = np.repeat(np.arange(runs), scenario.n_items)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = df.agree.diagnose(*names, by="run", **scenario.options, detail=True).reset_index()
    also = rows[(rows["finding"] == CODER) & rows["evidence"].str.contains("chooses")]
    return pd.concat([rows, also.assign(finding=MARGINS)])


# ----------------------------------------------------------------------------------------------------------- labels


def who(rng: np.random.Generator, n: int, n_coders: int, low: int, high: int, loads: Any = 1.0) -> Table:
    """Which coders label which items, `low` to `high` each: (n, C) of bool; `loads` are relative."""
    order = np.argsort(rng.exponential(size=(n, n_coders)) / loads, axis=1)
    rank = np.argsort(order, axis=1)
    return rank < rng.integers(low, high + 1, n)[:, None]


def labels(rng: np.random.Generator, truth: Table, right: Any, K: int, copy: Any = None) -> Table:
    """The truth with probability `right` (n, C); else another label, or one drawn from the shares `copy`."""
    shape = np.broadcast_shapes(truth[:, None].shape, np.shape(right))
    shape = len(truth), shape[1]
    wrong = (truth[:, None] + rng.integers(1, K, shape)) % K if copy is None else rng.choice(K, shape, p=copy)
    return np.where(rng.random(shape) < right, truth[:, None], wrong).astype(float)


def skewed(K: int, top: float) -> Table:
    return np.append(top, np.full(K - 1, (1 - top) / (K - 1)))


def coders(
    name: str,
    n: int,
    C: int,
    r: tuple[int, int],
    right: Any = 0.8,
    K: int = 3,
    top: float | None = None,
    bad: Sequence[int] = (),
    bad_right: float = 0.35,
    loads: Any = 1.0,
    hard: float = 0.0,
) -> Scenario:
    """Coders of one accuracy, but for those who are bad; a part of the items is hard for everybody."""
    accuracy = np.full(C, right, float)
    accuracy[list(bad)] = bad_right

    def draw(rng: np.random.Generator, runs: int) -> Table:
        truth = rng.choice(K, n * runs, p=np.full(K, 1 / K) if top is None else skewed(K, top))
        chance = np.where(rng.random((n * runs, 1)) < hard, 0.5, accuracy)
        return np.where(who(rng, n * runs, C, *r, loads), labels(rng, truth, chance, K), np.nan)

    return Scenario(name, draw, n, planted={CODER: [f"c{place}" for place in bad]} if bad else {})


def batches(
    name: str, n: int, C: int, n_batches: int, team: int, r: tuple[int, int], shuffled: bool = False
) -> Scenario:
    """Batches of different difficulty, each labelled by a team of coders."""

    def draw(rng: np.random.Generator, runs: int) -> Table:
        batch = np.arange(n) * n_batches // n
        if shuffled:
            batch = rng.permutation(batch)
        batch = (np.arange(runs)[:, None] * n_batches + batch).ravel()
        members = who(rng, runs * n_batches, C, team, team)[batch]
        right = rng.uniform(0.5, 0.95, runs * n_batches)[batch][:, None] * np.ones(C)
        rank = np.where(members, rng.random(members.shape), 2.0).argsort(1).argsort(1)
        here = rank < rng.integers(r[0], r[1] + 1, len(batch))[:, None]
        return np.where(here, labels(rng, rng.integers(0, 3, len(batch)), right, 3), np.nan)

    return Scenario(name, draw, n)


def hard_for_one(name: str, n: int, shuffled: bool = False) -> Scenario:
    """Coder 0 of six labels only hard items, which come in runs of 60."""

    def draw(rng: np.random.Generator, runs: int) -> Table:
        hard = np.arange(n) // 60 % 2 == 1
        hard = np.concatenate([rng.permutation(hard) if shuffled else hard for _ in range(runs)])
        order = rng.random((n * runs, 6))
        order[~hard, 0] = 2.0
        here = order.argsort(1).argsort(1) < 2
        right = np.where(hard, 0.55, 0.9)[:, None] * np.ones(6)
        return np.where(here, labels(rng, rng.integers(0, 3, n * runs), right, 3), np.nan)

    return Scenario(name, draw, n)


def scores(
    name: str, n: int, r: tuple[int, int], level: str, C: int = 6, bad: float = 1.0, law: str = "normal"
) -> Scenario:
    """A value plus an error, rounded to five steps at the ordinal level; the error of coder 0 is `bad` times larger."""

    def draw(rng: np.random.Generator, runs: int) -> Table:
        size = n * runs
        value = rng.exponential(size=size) - 1 if law == "exponential" else rng.standard_normal(size)
        error = 0.6 * rng.standard_normal((size, C)) * np.append(bad, np.ones(C - 1))
        told = value[:, None] + error
        told = np.searchsorted([-1.2, -0.4, 0.4, 1.2], told).astype(float) if law == "steps" else told
        return np.where(who(rng, size, C, *r), told, np.nan)

    return Scenario(name, draw, n, planted={CODER: ["c0"]} if bad > 1 else {}, options={"level": level})


def categories(
    name: str,
    n: int,
    r: int,
    K: int,
    law: str = "copying",
    top: float = 0.4,
    right: float = 0.8,
    border: float = 0.0,
    merged: float = 0.0,
) -> Scenario:
    """Two coders or more who label all items.

    `border`: the part of the items that are either in the last category or in one of the others, at random. `merged`:
    the part of the labels of the last two categories that are either of the two at random.
    """
    shares = skewed(K, top)
    last, before = K - 1, K - 2

    def draw(rng: np.random.Generator, runs: int) -> Table:
        truth = rng.choice(K, n * runs, p=shares)
        chance = np.full((n * runs, r), right)
        if law == "easy and hard":
            chance[rng.random(n * runs) < 0.3] = 0.4
        told = labels(rng, truth, chance, K, None if law == "errors" else shares)
        if border:
            either = np.where(rng.random(told.shape) < 0.5, last, rng.integers(0, last, (len(told), 1)))
            told = np.where(rng.random((len(told), 1)) < border, either, told)
        if merged:
            either = np.isin(told, (before, last)) & (rng.random(told.shape) < merged)
            told = np.where(either, rng.integers(before, K, told.shape), told)
        return told

    a, b = chr(97 + before), chr(97 + last)
    planted = {BELOW: [b]} if border else {CONFUSED: [f"{a} and {b}"]} if merged else {}
    return Scenario(name, draw, n, (BELOW, CONFUSED), planted)


def usage(name: str, n: int, C: int, r: tuple[int, int], moved: float, top: float = 0.4) -> Scenario:
    """Coder 0 turns a part of the labels into the first category."""

    def draw(rng: np.random.Generator, runs: int) -> Table:
        told = labels(rng, rng.choice(3, n * runs, p=skewed(3, top)), np.full(C, 0.85), 3)
        told[rng.random(len(told)) < moved, 0] = 0
        return np.where(who(rng, n * runs, C, *r), told, np.nan)

    kinds = (MARGINS, CODER) if moved else (MARGINS,)
    return Scenario(name, draw, n, kinds, {MARGINS: ["c0"], CODER: ["c0"]} if moved else {})


def drifting(name: str, n: int) -> Scenario:
    """Items become easier along the rows, and coders come and go."""

    def draw(rng: np.random.Generator, runs: int) -> Table:
        time = np.tile(np.arange(n) / n, runs)
        at_work = np.exp(-8 * (time[:, None] - np.linspace(0, 1, 7)) ** 2)
        right = (0.55 + 0.4 * time)[:, None] * np.ones(7)
        here = who(rng, n * runs, 7, 2, 3, at_work)
        return np.where(here, labels(rng, rng.integers(0, 4, n * runs), right, 4), np.nan)

    return Scenario(name, draw, n, (CODER, MARGINS))


def sorted_rows(name: str, n: int) -> Scenario:
    """Rows sorted by the label of the first coder, then of the second; the coder is bad."""

    def draw(rng: np.random.Generator, runs: int) -> Table:
        right = np.append(0.4, np.full(5, 0.9))
        told = np.where(who(rng, n * runs, 6, 2, 2), labels(rng, rng.integers(0, 3, n * runs), right, 3), np.nan)
        run = np.repeat(np.arange(runs), n)
        return told[np.lexsort((*told.T[:0:-1], told[:, 0], run))]

    return Scenario(name, draw, n, planted={CODER: ["c0"]})


def camps(name: str, n: int, C: int, r: int, apart: float) -> Scenario:
    """Every second coder sees another truth in a part of the items."""

    def draw(rng: np.random.Generator, runs: int) -> Table:
        truth = rng.integers(0, 3, n * runs)
        other = np.where(rng.random(n * runs) < apart, rng.integers(0, 3, n * runs), truth)
        seen = np.where(np.arange(C) % 2, other[:, None], truth[:, None])
        told = np.where(rng.random(seen.shape) < 0.85, seen, rng.integers(0, 3, seen.shape)).astype(float)
        return np.where(who(rng, n * runs, C, r, r), told, np.nan)

    sides = [", ".join(f"c{place}" for place in range(side, C, 2)) for side in (0, 1)]
    both = [f"{sides[0]} against {sides[1]}", f"{sides[1]} against {sides[0]}"]
    return Scenario(name, draw, n, (CAMPS, CODER), {CAMPS: both} if apart else {})


CLEAN = [
    coders("2 of 6, n 600", 600, 6, (2, 2)),
    coders("2 of 6, n 2,000", 2000, 6, (2, 2)),
    coders("2 of 12, n 100, 5 labels", 100, 12, (2, 2), K=5),
    coders("2 of 3, n 30", 30, 3, (2, 2)),
    coders("2 of 4, n 200, .95/.05", 200, 4, (2, 2), 0.95, K=2, top=0.95),
    coders("2 of 8, loads 8:1, 30 % hard items", 400, 8, (2, 2), 0.9, loads=np.linspace(8, 1, 8), hard=0.3),
    coders("2-3 of 6, n 330", 330, 6, (2, 3)),
    coders("2-5 of 10, 12 labels", 330, 10, (2, 5), K=12),
    coders("all of 3, n 50", 50, 3, (3, 3)),
    coders("all of 5, .9/.1", 200, 5, (5, 5), 0.9, K=2, top=0.9),
    batches("10 batches of 3 coders in row order", 600, 8, 10, 3, (2, 2)),
    batches("26 batches in row order, n 2,000", 2000, 8, 26, 3, (2, 2)),
    hard_for_one("c0 on hard items only, in row order", 600),
    batches("batches in row order, 3 labels", 600, 8, 10, 4, (3, 3)),
    batches("batches in row order, 2-3 labels", 600, 8, 10, 4, (2, 3)),
    scores("scores, 2 of 6", 300, (2, 2), "interval"),
    scores("exponential scores, 2 of 6", 300, (2, 2), "interval", law="exponential"),
    scores("5 steps, squared differences, 2 of 6", 300, (2, 2), "interval", law="steps"),
    scores("scores, 2-4 of 8", 300, (2, 4), "interval", 8),
]
LIMITS = [
    batches("limit: 10 batches, rows shuffled", 600, 8, 10, 3, (2, 2), shuffled=True),
    hard_for_one("limit: c0 on hard items only, shuffled", 600, shuffled=True),
]
PLANTED = [
    coders("2 of 6, n 600, .35/.9", 600, 6, (2, 2), 0.9, bad=[0]),
    coders("2 of 6, n 150, .35/.9", 150, 6, (2, 2), 0.9, bad=[0]),
    coders("2 of 6, n 60, .35/.9", 60, 6, (2, 2), 0.9, bad=[0]),
    coders("2 of 6, n 330, .55/.76", 330, 6, (2, 2), 0.76, bad=[0], bad_right=0.55),
    coders("2 of 6, n 1,000, .55/.76", 1000, 6, (2, 2), 0.76, bad=[0], bad_right=0.55),
    coders("2-3 of 6, n 330, .55/.76", 330, 6, (2, 3), 0.76, bad=[0], bad_right=0.55),
    coders("2 of 3, n 150, .6/.9", 150, 3, (2, 2), 0.9, bad=[0], bad_right=0.6),
    coders("2 of 12, n 600, .5/.9", 600, 12, (2, 2), 0.9, bad=[0], bad_right=0.5),
    coders("two bad of 6, n 600", 600, 6, (2, 2), 0.9, bad=[0, 1]),
    coders("all of 4, n 100, .65/.85", 100, 4, (4, 4), 0.85, bad=[0], bad_right=0.65),
    coders("3 of 6, n 200, .6/.85", 200, 6, (3, 3), 0.85, bad=[0], bad_right=0.6),
    scores("scores, error x 2, n 300", 300, (2, 2), "interval", bad=2.0),
    scores("5 steps, error x 2, n 300", 300, (2, 2), "interval", bad=2.0, law="steps"),
]
OF_CATEGORIES = [
    categories("copying, 3 labels of .3", 150, 2, 3, top=0.34),
    categories("copying, 5 labels, top .8", 400, 2, 5, top=0.8),
    categories("copying, 8 labels, 4 coders", 300, 4, 8),
    categories("easy and hard items, 5 labels", 400, 2, 5, "easy and hard"),
    categories("uniform errors, 4 labels, top .25", 400, 2, 4, "errors", 0.25),
    categories("uniform errors, 5 labels, top .6", 600, 2, 5, "errors", 0.6),
    categories("uniform errors, 6 labels, top .8", 1000, 2, 6, "errors", 0.8),
]
PLANTED_CATEGORIES = [
    categories("kappa lower by .29, n 150", 150, 2, 4, "copying", 0.28, 0.95, 0.53),
    categories("kappa lower by .29, n 300", 300, 2, 4, "copying", 0.28, 0.95, 0.53),
    categories("kappa lower by .29, n 600", 600, 2, 4, "copying", 0.28, 0.95, 0.53),
    categories("kappa lower by .29, 4 labels, n 300", 300, 4, 4, "copying", 0.28, 0.95, 0.53),
    categories("two confused of 3, n 500", 500, 2, 3, right=0.85, merged=0.6),
    categories("two confused of 4, n 200", 200, 2, 4, right=0.85, merged=0.6),
    categories("two confused of 6, n 150", 150, 2, 6, right=0.9, merged=0.8),
]
OF_USAGE = [
    usage("margins, 2 of 6, n 600", 600, 6, (2, 2), 0.0),
    usage("margins, 2-3 of 6, top .8", 300, 6, (2, 3), 0.0, 0.8),
    usage("margins, all of 4, n 200", 200, 4, (4, 4), 0.0),
    usage("margins, 2 of 12, n 200", 200, 12, (2, 2), 0.0),
]
PLANTED_USAGE = [
    usage("30 % moved, 2 of 6, n 600", 600, 6, (2, 2), 0.3),
    usage("30 % moved, all of 4, n 200", 200, 4, (4, 4), 0.3),
]
OWN = [
    drifting("own: items become easier, coders come and go", 500),
    coders("own: 2 of 9, loads by Zipf, skewed", 500, 9, (2, 2), 0.85, K=4, top=0.6, loads=1 / np.arange(1, 10)),
    coders("own: crowd of 250, 2-3 labels, n 3,000", 3000, 250, (2, 3), 0.75),
    coders("own: 1-4 of 7, half of the items hard", 400, 7, (1, 4), 0.95, K=4, hard=0.5),
    scores("own: 5 steps, ordinal, 2-3 of 5", 250, (2, 3), "ordinal", 5, law="steps"),
    camps("own: no camps, 3 of 6", 300, 6, 3, 0.0),
    sorted_rows("own: rows sorted by labels, .4/.9", 300),
    coders("own: 1-4 of 7, n 400, .5/.85", 400, 7, (1, 4), 0.85, K=4, bad=[0], bad_right=0.5),
    coders(
        "own: crowd of 250, .3/.85", 3000, 250, (2, 3), 0.85, bad=[0], bad_right=0.3, loads=np.append(8, np.ones(249))
    ),
    camps("own: two camps, 4 of 6, n 300", 300, 6, 4, 0.4),
    scores("own: 5 steps, ordinal, error x 2, 2-3 of 5", 250, (2, 3), "ordinal", 5, 2.0, "steps"),
    categories("own: border items of one of 7, 3 labels", 400, 3, 7, "copying", 0.2, 0.9, 0.4),
]
EVERY = [*CLEAN, *LIMITS, *PLANTED, *OF_CATEGORIES, *PLANTED_CATEGORIES, *OF_USAGE, *PLANTED_USAGE, *OWN]


def main() -> None:
    chosen = asked(__doc__, clean=1000, planted=200, only="", seed=SEED)
    print("| scenario | data sets | finding | found | something else | seconds |\n|---|---|---|---|---|---|")
    for scenario in EVERY:
        if chosen.only in scenario.name:
            runs = chosen.planted if scenario.planted else chosen.clean
            for row in found(scenario, min(runs, CROWDS) if "crowd" in scenario.name else runs, chosen.seed):
                print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
