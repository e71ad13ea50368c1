"""Coverage and size of the intervals and tests about judges: `python -m tests.benchmarks.judges`.

Every coder knows the true label of an item with some probability and else draws one from the shares of the categories.
Kappa of two coders is then the product of the two probabilities, whatever the shares. All data sets of a cell are the
groups of one call. `PRINTED` holds the figures of 2,000 data sets, whose standard errors are .004 to .011; with 8,000
data sets all are within .025 of these. `FURTHER` has options and tables with fewer cells; the level is given beside.
`TAILS` has the share of 95 % intervals that lie above the true difference of `versus_humans`, and below it: .025 each.
`DESIGNS` are those of the regressions of `bias`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import pandas_agreement  # noqa: F401  (registers df.agree)
from tests.benchmarks.runner import asked, held

KNOW = 0.8  # of a human
HUMANS = ["ann", "bob", "cleo", "dora", "emil"]
RUNS = 2000
BALANCED, FOUR, RARE = (0.5, 0.5), (0.25,) * 4, (0.9, 0.1)


@dataclass(frozen=True)
class Cell:
    """A kind of data set."""

    shares: tuple[float, ...]
    n_items: int
    n_humans: int = 3
    cluster: int = 1  # items that share their truth, and who knows it
    spread: float = 0.0  # of the humans' probabilities of knowing
    know: float = KNOW  # the probability of a human
    gaps: float = 0.0  # share of the human labels that are missing
    step: bool = False  # who does not know gives a label next to the true one

    def draw(self, judge: float, runs: int, seed: int = 0, second: float | None = None) -> pd.DataFrame:
        """`runs` data sets, one below the other, of a judge with this probability of knowing."""
        rng = np.random.default_rng(seed)
        n, K = runs * self.n_items, len(self.shares)
        doc = np.arange(n) // self.cluster
        truth = rng.choice(K, doc[-1] + 1, p=self.shares)[doc]
        names = ["gpt", *(["claude"] if second is not None else []), *HUMANS[: self.n_humans]]
        frame: dict[str, Any] = {"run": np.arange(n) // self.n_items, "doc": doc}
        for name in names:
            know = np.full(runs, {"gpt": judge, "claude": second}.get(name, self.know), float)
            if name in HUMANS:
                know = know + self.spread * rng.uniform(-1, 1, runs)
            knows = rng.random(doc[-1] + 1)[doc] < know[frame["run"]]
            guess = rng.choice(K, n, p=self.shares)
            if self.step:
                guess = np.clip(truth + rng.choice([-1, 1], n), 0, K - 1)
            frame[name] = np.where(knows, truth, guess)
            if name in HUMANS and self.gaps:
                frame[name] = np.where(rng.random(n) < self.gaps, np.nan, frame[name])
        return pd.DataFrame(frame)

    def judged(self, frame: pd.DataFrame) -> Any:
        judges = [name for name in ("gpt", "claude") if name in frame]
        return frame.agree.judges(*judges, humans=HUMANS[: self.n_humans], categories=range(len(self.shares)))

    @property
    def beyond(self) -> float:
        """Disagreement by chance."""
        return 1 - sum(share**2 for share in self.shares)

    def knowing(self, difference: float, metric: str) -> float:
        """The judge's probability of knowing at which the difference to the humans has this value."""
        scale = self.beyond if metric == "observed" else 1.0
        return (self.know**2 + difference / scale) / self.know


def coverage(cell: Cell, metric: str = "kappa", runs: int = RUNS, seed: int = 0, **options: Any) -> float:
    """Of the difference, for a judge like the humans."""
    frame = cell.draw(KNOW, runs, seed)
    return held(cell.judged(frame).versus_humans(by="run", metrics=metric, **options), 0.0, "difference")


def tails(
    cell: Cell, difference: float = 0.0, metric: str = "kappa", runs: int = RUNS, seed: int = 8, **options: Any
) -> tuple[float, float]:
    """Shares of the intervals that lie above the true difference, and below it."""
    frame = cell.draw(cell.knowing(difference, "kappa"), runs, seed)
    found = cell.judged(frame).versus_humans(by="run", metrics=metric, **options)
    above, below = found["difference_low"] > difference, found["difference_high"] < difference
    return float(above.mean()), float(below.mean())


def size(cell: Cell, margin: float, metric: str = "kappa", runs: int = RUNS, seed: int = 1, **options: Any) -> float:
    """How often a judge who is below the humans by the margin passes."""
    frame = cell.draw(cell.knowing(-margin, metric), runs, seed)
    found = cell.judged(frame).versus_humans(by="run", metrics=metric, margin=margin, **options, detail=True)
    return float((found["p_noninferior"] <= 0.05).mean())


def power(cell: Cell, margin: float, metric: str = "kappa", runs: int = RUNS, seed: int = 2) -> float:
    """How often a judge like the humans passes."""
    found = cell.judged(cell.draw(KNOW, runs, seed)).versus_humans(by="run", metrics=metric, margin=margin, detail=True)
    return float((found["p_noninferior"] <= 0.05).mean())


def guessing(cell: Cell, metric: str = "kappa", runs: int = RUNS, seed: int = 7) -> float:
    """How often the verdict on a judge who guesses is 'as good' or 'better', one data set at a time."""
    sets = cell.draw(0.0, runs, seed).groupby("run")
    verdicts = [cell.judged(part).versus_humans(metrics=metric)["verdict"].iloc[0] for _, part in sets]
    return float(np.isin(verdicts, ["as good", "better"]).mean())


def equivalence_size(cell: Cell, margin: float, metric: str = "kappa", runs: int = RUNS, seed: int = 3) -> float:
    """How often a judge above the humans by the margin is equivalent."""
    frame = cell.draw(cell.knowing(margin, metric), runs, seed)
    found = cell.judged(frame).versus_humans(by="run", metrics=metric, margin=margin, detail=True)
    return float((found["p_equivalent"] <= 0.05).mean())


def contrast_coverage(cell: Cell, metric: str = "kappa", runs: int = RUNS, seed: int = 4) -> float:
    """Of the difference between two judges, who know 80 and 60 %."""
    frame = cell.draw(KNOW, runs, seed, second=0.6)
    scale = cell.beyond if metric == "observed" else 1.0
    return held(
        cell.judged(frame).versus_humans(by="run", metrics=metric, contrast=True), 0.2 * KNOW * scale, "difference"
    )


def rate_coverage(cell: Cell, column: str, runs: int = RUNS, seed: int = 5, judge: float = 0.7) -> float:
    """Of `sensitivity`, `precision` or `favours` of the first category, against one human."""
    found = cell.judged(cell.draw(judge, runs, seed)).error_rates(by="run", reference="ann", detail=True)
    found = found.xs(0, level="category")
    share, both = cell.shares[0], judge * KNOW
    truth = {"favours": 0.0}.get(column, both + (1 - both) * share)
    return held(found, truth, column)


def accuracy_coverage(cell: Cell, coefficient: str, runs: int = RUNS, seed: int = 6, judge: float = 0.7) -> float:
    """Of a coefficient of `accuracy` against one human; the truth is that of a million items."""
    many = Cell(cell.shares, 1_000_000, cell.n_humans)
    large = many.judged(many.draw(judge, 1, 99)).accuracy(reference="ann").loc[("gpt", coefficient), "estimate"]
    found = cell.judged(cell.draw(judge, runs, seed)).accuracy(reference="ann", by="run")
    found = found.xs("gpt", level="coder").xs(coefficient, level="coefficient")
    return held(found, float(large))


K2 = {n: Cell(BALANCED, n) for n in (50, 100, 300)}
K4 = {n: Cell(FOUR, n) for n in (50, 100, 300)}
SKEWED = {n: Cell(RARE, n) for n in (50, 100, 300)}
CHATS = Cell(BALANCED, 200, cluster=4)
CROWD = Cell(BALANCED, 300, n_humans=5, spread=0.15)

Figure = tuple[Callable[..., float], tuple[Any, ...], dict[str, Any], float]


def _three(
    name: str, function: Callable[..., float], cells: dict[int, Cell], values: Sequence[float], *rest: Any
) -> Any:
    metric = {"metric": "observed"} if "observed" in name else {}
    return {f"{name}, {n} items": (function, (cells[n], *rest), metric, v) for n, v in zip(cells, values, strict=True)}


PRINTED: dict[str, Figure] = {
    **_three("coverage, kappa, balanced", coverage, K2, (0.955, 0.956, 0.953)),
    **_three("coverage, kappa, 4 categories", coverage, K4, (0.963, 0.961, 0.959)),
    **_three("coverage, kappa, 90/10", coverage, SKEWED, (0.983, 0.970, 0.950)),
    **_three("size at .1, kappa, balanced", size, K2, (0.040, 0.043, 0.041), 0.1),
    **_three("size at .1, kappa, 4 categories", size, K4, (0.039, 0.043, 0.037), 0.1),
    **_three("size at .1, kappa, 90/10", size, SKEWED, (0.024, 0.046, 0.051), 0.1),
    **_three("power at .1, kappa, balanced", power, K2, (0.209, 0.393, 0.809), 0.1),
    **_three("coverage, observed, balanced", coverage, K2, (0.956, 0.958, 0.955)),
    **_three("coverage, observed, 4 categories", coverage, K4, (0.961, 0.958, 0.957)),
    **_three("coverage, observed, 90/10", coverage, SKEWED, (0.995, 0.970, 0.954)),
    **_three("size at .05, observed, balanced", size, K2, (0.065, 0.075, 0.059), 0.05),
    **_three("size at .05, observed, 4 categories", size, K4, (0.058, 0.065, 0.055), 0.05),
    **_three("size at .05, observed, 90/10", size, SKEWED, (0.083, 0.084, 0.076), 0.05),
}
FURTHER: dict[str, Figure] = {
    **{
        f"coverage, {m}, balanced, 100": (coverage, (K2[100],), {"metric": m}, 0.95)
        for m in ("pi", "alpha", "ac1", "s")
    },
    **{
        f"coverage, {m}, 90/10, 300": (coverage, (SKEWED[300],), {"metric": m}, 0.95)
        for m in ("pi", "alpha", "ac1", "s")
    },
    "coverage, kappa quadratic, 100": (coverage, (K4[100],), {"weights": "quadratic"}, 0.95),
    "coverage, observed quadratic, 100": (coverage, (K4[100],), {"metric": "observed", "weights": "quadratic"}, 0.95),
    "coverage, kappa, 50 clusters of 4": (coverage, (CHATS,), {"clusters": "doc"}, 0.95),
    "the same, clusters ignored": (coverage, (CHATS,), {}, 0.95),
    "coverage, observed, 50 clusters of 4": (coverage, (CHATS,), {"clusters": "doc", "metric": "observed"}, 0.95),
    "coverage, kappa, other humans too": (coverage, (CROWD,), {"sampling": "both"}, 0.95),
    "the same, these humans only": (coverage, (CROWD,), {}, 0.95),
    "coverage, observed, other humans too": (coverage, (CROWD,), {"sampling": "both", "metric": "observed"}, 0.95),
    "size of equivalence at .1, kappa, 300": (equivalence_size, (K2[300], 0.1), {}, 0.05),
    "size of equivalence at .05, observed, 300": (equivalence_size, (K2[300], 0.05), {"metric": "observed"}, 0.05),
    "coverage, contrast of judges, kappa, 100": (contrast_coverage, (K2[100],), {}, 0.95),
    "coverage, contrast of judges, observed, 100": (contrast_coverage, (K2[100],), {"metric": "observed"}, 0.95),
    **{
        f"coverage, {name}, 4 categories, 100": (accuracy_coverage, (K4[100], name), {}, 0.95)
        for name in ("accuracy", "balanced_accuracy", "macro_f1", "kappa")
    },
    **{
        f"coverage, {name} of error_rates, balanced, 100": (rate_coverage, (K2[100], name), {}, 0.95)
        for name in ("sensitivity", "precision", "favours")
    },
    **{
        f"coverage, {name} of error_rates, 90/10, 100": (rate_coverage, (SKEWED[100], name), {}, 0.95)
        for name in ("sensitivity", "precision", "favours")
    },
    **{
        f"a guessing judge, people know {know:.0%}, {metric}, {name}": (
            guessing,
            (Cell(shares, 100, know=know), metric),
            {},
            0.05,
        )
        for know, metric, name, shares in (
            (0.1, "kappa", "50/50", BALANCED),
            (0.25, "kappa", "90/10", RARE),
            (0.1, "alpha", "50/50", BALANCED),
        )
    },
}

CLUSTERED = Cell((0.85, 0.15), 200, cluster=5)
STEPS = Cell((0.2,) * 5, 100, step=True)
GAPS = Cell((0.7, 0.2, 0.1), 80, n_humans=4, gaps=0.3)
SIX = Cell((0.8, 0.2), 150, n_humans=5, spread=0.1)
SKEWED_SIXTY, RARE_SIXTY = Cell(RARE, 60), Cell((0.95, 0.05), 60)

#: cell, difference, options
TAILS: dict[str, tuple[Cell, float, dict[str, Any]]] = {
    "kappa, 90/10, 60 items": (SKEWED_SIXTY, 0.0, {}),
    "alpha, 95/5, 60 items": (RARE_SIXTY, 0.0, {"metric": "alpha"}),
    "kappa, 90/10, 120 items": (Cell(RARE, 120), 0.0, {}),
    "kappa, 90/10, 300 items": (Cell(RARE, 300), 0.0, {}),
    "AC1, 90/10, 60 items": (SKEWED_SIXTY, 0.0, {"metric": "ac1"}),
    "kappa, 50/30/20, 60 items": (Cell((0.5, 0.3, 0.2), 60), 0.0, {}),
    "kappa, 60 items, 2 humans, 60/30/10": (Cell((0.6, 0.3, 0.1), 60, n_humans=2), 0.0, {}),
    "AC1, the same": (Cell((0.6, 0.3, 0.1), 60, n_humans=2), 0.0, {"metric": "ac1"}),
    "kappa, 97/3, 200 items": (Cell((0.97, 0.03), 200), 0.0, {}),
    "kappa, people know 95 %, 40 items": (Cell(BALANCED, 40, know=0.95), 0.0, {}),
    "kappa, 30 % of the human labels missing": (GAPS, 0.0, {}),
    "the same, judge .1 below": (GAPS, -0.1, {}),
    "kappa, 50 clusters of 4": (CHATS, 0.0, {"clusters": "doc"}),
    "the same, judge .1 below ": (CHATS, -0.1, {"clusters": "doc"}),
    "alpha, 40 clusters of 5, 85/15": (CLUSTERED, 0.0, {"metric": "alpha", "clusters": "doc"}),
    "kappa, other humans too": (CROWD, 0.0, {"sampling": "both"}),
    "the same, judge .1 below  ": (CROWD, -0.1, {"sampling": "both"}),
    "alpha, other humans too, 80/20": (SIX, 0.0, {"metric": "alpha", "sampling": "both"}),
    "kappa, quadratic, errors of one step": (STEPS, 0.0, {"weights": "quadratic"}),
    "kappa, linear, errors of one step": (STEPS, 0.0, {"weights": "linear"}),
    "alpha, interval, errors of one step": (STEPS, 0.0, {"metric": "alpha", "level": "interval"}),
    "kappa, linear, clusters and missing labels": (
        Cell((0.4, 0.3, 0.2, 0.1), 160, cluster=4, gaps=0.2),
        0.0,
        {"weights": "linear", "clusters": "doc"},
    ),
}


@dataclass(frozen=True)
class Design:
    """Items of a regression: words, and a family with a share of the items; both may describe the clusters of items."""

    n_items: int
    share: float = 0.5
    skewed: bool = False  # words are lognormal, and errors grow with them
    cluster: int = 1
    of_clusters: bool = False

    def draw(self, runs: int, seed: int) -> pd.DataFrame:
        """Two people who give the truth, and a judge who adds 0.2 per word, 0.3 for the family and errors."""
        rng = np.random.default_rng(seed)
        doc = np.arange(runs * self.n_items) // self.cluster
        unit = doc * self.cluster if self.of_clusters else np.arange(len(doc))  # the item that describes each item
        words = (rng.lognormal(size=len(doc)) if self.skewed else rng.normal(size=len(doc)))[unit]
        family = (rng.random(len(doc)) < self.share)[unit]
        error = rng.normal(size=len(doc)) * (1 + words if self.skewed else 1)
        error += 0.7 * rng.normal(size=doc[-1] + 1)[doc] if self.cluster > 1 else 0
        truth = rng.normal(size=len(doc))
        frame = pd.DataFrame({"gpt": truth + 0.2 * words + 0.3 * family + error, "ann": truth, "bob": truth})
        return frame.assign(words=words, family=family, doc=doc, run=np.arange(len(doc)) // self.n_items)


def bias_coverage(design: Design, runs: int = 1000, seed: int = 9) -> tuple[float, float]:
    """Of the coefficients of words and of the family, where they have a standard error."""
    judged = design.draw(runs, seed).agree.judges("gpt", humans=["ann", "bob"])
    found = judged.bias("words", "family", by="run", clusters="doc" if design.cluster > 1 else None).dropna(subset="se")
    by_column = [found.xs(name, level="column") for name in ("words", "family")]
    return held(by_column[0], 0.2), held(by_column[1], 0.3)


DESIGNS = {
    "30 items": Design(30),
    "100 items": Design(100),
    "50 items, a tenth in the family": Design(50, share=0.1),
    "100 items, a tenth in the family": Design(100, share=0.1),
    "100 items, skewed": Design(100, skewed=True),
    "300 items, skewed": Design(300, skewed=True),
    "20 clusters": Design(100, cluster=5),
    "40 clusters": Design(200, cluster=5),
    "10 clusters, described": Design(50, cluster=5, of_clusters=True),
    "20 clusters, described": Design(100, cluster=5, of_clusters=True),
    "40 clusters, described": Design(200, cluster=5, of_clusters=True),
    "40 clusters, described, a seventh in the family": Design(200, share=0.15, cluster=5, of_clusters=True),
    "100 clusters, described, a tenth in the family": Design(500, share=0.1, cluster=5, of_clusters=True),
    "40 clusters, described, skewed": Design(200, skewed=True, cluster=5, of_clusters=True),
}


def main() -> None:
    chosen = asked(__doc__, runs=RUNS, only="")
    for title, (function, args, options, expected) in (PRINTED | FURTHER).items():
        if chosen.only in title:
            value = function(*args, runs=chosen.runs, **options)
            print(f"{title:50} {value:.3f} ({expected:.3f})", flush=True)
    for title, (cell, difference, options) in TAILS.items():
        if chosen.only in title:
            above, below = tails(cell, difference, runs=chosen.runs, **options)
            print(f"{title:50} above {above:.4f}, below {below:.4f}", flush=True)
    for title, design in DESIGNS.items():
        if chosen.only in f"bias, {title}":
            words, family = bias_coverage(design, chosen.runs)
            print(f"{f'bias, {title}':60} words {words:.3f}, family {family:.3f}", flush=True)


if __name__ == "__main__":
    main()
