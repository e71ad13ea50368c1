"""How often 95 % intervals hold the true value: `python -m tests.benchmarks.coverage`.

Scenarios are drawn at random from a grid: the share of the largest category .5 to .97, true values 0 to .95, 20 to 500
items, 2 to 8 coders, 2 to 6 categories, up to 40 % of the labels missing, five laws of how coders err, three in ten
with weights. Each is simulated many times; all its data sets are measured in one call (`by=` the data set). The true
value is that of a very large sample of the same law. Samples without an interval (the coefficient is undefined) count
neither as hit nor as miss; their share is given apart.

The scenarios of even number were used to choose, those of odd number are reported. Everything is seeded. To repeat
the table of the documentation, in about twenty minutes on one core:

    python -m tests.benchmarks.coverage --scenarios 640 --runs 2000 --reported

`--reported` leaves out the scenarios of even number. `--json FILE` writes every number, `--chart FILE` the picture of
the documentation. `--resamples 400` adds the bootstrap, on a fortieth of the data sets.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement import AgreementWarning
from pandas_agreement.core.arrays import Array
from tests.benchmarks.runner import asked, markdown, rows_of, save

LAWS = ("copying", "strength", "sensitivity", "easy and hard", "neighbours")
METHODS = ("auto", "analytic", "log")
RESAMPLING = ("percentile", "bca")
NOMINAL = ("kappa", "pi", "alpha", "ac1", "s")
WEIGHTED = ("kappa", "pi", "alpha", "ac2", "s")
LEVELS = {"linear": "ordinal", "quadratic": "interval"}  # of alpha, beside the weights of the others
SEED = 20260
LARGE = 400_000  # items of the sample that gives the true value


@dataclass(frozen=True)
class Scenario:
    """What coders do, and how much of it is seen."""

    number: int
    law: str
    shares: tuple[float, ...]
    strength: float  # probability that a coder knows the category; its square is the agreement of two coders
    n_coders: int
    n_items: int
    gaps: float  # share of labels that are missing
    weights: str  # "nominal", "linear" or "quadratic"

    @property
    def coefficients(self) -> tuple[str, ...]:
        return NOMINAL if self.weights == "nominal" else WEIGHTED

    def rng(self, use: int) -> np.random.Generator:
        return np.random.default_rng([SEED, self.number, use])

    def labels(self, size: int, use: int) -> Array:
        """The labels of `size` items without gaps: (C, size)."""
        rng, K = self.rng(use), len(self.shares)
        truth = rng.choice(K, size, p=self.shares)
        guesses = rng.choice(K, (self.n_coders, size), p=self.shares)
        knows = rng.random((self.n_coders, size)) < self._knowing(truth, rng)
        wrong = self._wrong(truth, guesses, rng)
        return np.where(knows, truth, wrong)

    def _knowing(self, truth: Array, rng: np.random.Generator) -> Array:
        """Probability that each coder knows each item; (C, size) or broadcasts to it."""
        fixed = self.rng(0)  # the habits of coders and categories do not change from sample to sample
        if self.law == "strength":
            return np.clip(self.strength + fixed.uniform(-0.25, 0.25, (self.n_coders, 1)), 0.0, 1.0)
        if self.law == "sensitivity":
            errors = (1 - self.strength) * fixed.uniform(0.3, 1.7, (self.n_coders, len(self.shares)))
            return 1 - np.clip(errors, 0.0, 1.0)[:, truth]
        if self.law == "easy and hard":
            return (rng.random(len(truth)) < self.strength**2).astype(float)
        return np.full((1, 1), self.strength)

    def _wrong(self, truth: Array, guesses: Array, rng: np.random.Generator) -> Array:
        """The label of a coder who does not know the category."""
        K = len(self.shares)
        if self.law == "sensitivity":
            return (truth + rng.integers(1, K, guesses.shape)) % K
        if self.law == "neighbours":
            step = np.where(rng.random(guesses.shape) < 0.5, -1, 1)
            return np.where((truth + step < 0) | (truth + step >= K), truth - step, truth + step)
        return guesses

    def frame(self, n_items: int, runs: int, use: int, gaps: float = 0.0) -> pd.DataFrame:
        """`runs` data sets of `n_items` rows, told apart by the column `run`."""
        codes = self.labels(n_items * runs, use)
        codes[self.rng(use + 1).random(codes.shape) < gaps] = -1
        columns: dict[str, Any] = {"run": np.repeat(np.arange(runs), n_items)}
        categories = pd.CategoricalDtype(range(len(self.shares)), ordered=True)
        for coder, code in enumerate(codes):
            columns[f"coder {coder}"] = pd.Categorical.from_codes(code, dtype=categories)
        return pd.DataFrame(columns)

    def measure(self, frame: pd.DataFrame, **options: Any) -> pd.DataFrame:
        """All coefficients in every data set."""
        if self.weights != "nominal":
            options |= {"weights": self.weights, "level": LEVELS[self.weights]}
        coders = [name for name in frame if name != "run"]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AgreementWarning)  # undefined samples are counted
            return frame.agree.summary(*coders, metrics=list(self.coefficients), by="run", **options)


def draw(number: int) -> Scenario:
    """A scenario of the grid."""
    rng = np.random.default_rng([SEED, number])
    K, top = int(rng.integers(2, 7)), rng.uniform(0.5, 0.97)
    rest = rng.dirichlet(np.full(K - 1, 2.0)) * (1 - top)
    shares = np.insert(rest, rng.integers(0, K), top)
    weights = str(rng.choice(["nominal", "linear", "quadratic"], p=[0.7, 0.15, 0.15])) if K > 2 else "nominal"
    return Scenario(
        number,
        law=str(rng.choice(LAWS)),
        shares=tuple(shares / shares.sum()),
        strength=float(np.sqrt(rng.uniform(0.0, 0.95))),
        n_coders=int(rng.integers(2, 9)),
        n_items=round(20 * 25 ** rng.random()),
        gaps=float(rng.choice([0.0, rng.uniform(0.0, 0.4)])),
        weights=weights,
    )


def cover(
    scenario: Scenario, runs: int, methods: Sequence[str] = METHODS, resamples: int = 0, large: int = LARGE
) -> list[dict[str, Any]]:
    """One row per method and coefficient."""
    truth = scenario.measure(scenario.frame(large, 1, use=1), ci=None)["estimate"].droplevel("run")
    frame = scenario.frame(scenario.n_items, runs, use=3, gaps=scenario.gaps)
    small = frame[frame["run"] < runs // 40]
    rows = []
    for method in (*methods, *(RESAMPLING if resamples else ())):
        extra = {"n_resamples": resamples, "rng": scenario.number} if method in RESAMPLING else {}
        found = scenario.measure(small if extra else frame, method=method, **extra)
        for name in scenario.coefficients:
            part = found.xs(name, level="coefficient")
            seen = _coverage(part, truth[name])
            rows.append(asdict(scenario) | {"method": method, "coefficient": name, "truth": truth[name]} | seen)
    return rows


def _coverage(found: pd.DataFrame, truth: float) -> dict[str, float]:
    low, high = (found[end].to_numpy(float) for end in ("ci_low", "ci_high"))
    known = ~(np.isnan(low) | np.isnan(high))
    low, high, slack = low[known], high[known], 1e-9
    missed = {"too_high": np.mean(low > truth + slack), "too_low": np.mean(high < truth - slack)}
    noted = (found["note"] != "").mean()
    width = {"width": np.mean(high - low), "undefined": 1 - known.mean(), "noted": noted}
    return {name: float(value) for name, value in ({"coverage": 1 - sum(missed.values())} | missed | width).items()}


# ------------------------------------------------------------------------------------------------------- the table


def table(rows: pd.DataFrame) -> pd.DataFrame:
    """One row per method: mean and least coverage, and the width where the analytic interval covers too."""
    keys = ["number", "coefficient"]
    wide = rows.pivot(index=keys, columns="method", values=["coverage", "width"])
    covers = wide["coverage"]["analytic"] >= 0.93
    lines = {}
    for method in rows["method"].unique():
        coverage = wide["coverage"][method].dropna()
        ratio = (wide["width"][method] / wide["width"]["analytic"])[covers]
        lines[method] = {
            "scenarios": len(coverage),
            "mean": coverage.mean(),
            "minimum": coverage.min(),
            "at least .93": (coverage >= 0.93).mean(),
            "below .88": int((coverage < 0.88).sum()),
            "width / analytic": ratio.mean(),
        }
    whole = dict.fromkeys(["scenarios", "below .88"], int)
    return pd.DataFrame(lines).T.rename_axis("method").astype(whole)


def parts(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rows that are reported, whole and by what may matter."""
    rows = rows[rows["number"] % 2 == 1]
    top = rows["shares"].map(max)
    return {
        "all": rows,
        "nominal": rows[rows["weights"] == "nominal"],
        "nominal, fewer than 30 items": rows[(rows["weights"] == "nominal") & (rows["n_items"] < 30)],
        "weighted": rows[rows["weights"] != "nominal"],
        "largest share below .8": rows[top < 0.8],
        "largest share .8 to .9": rows[(top >= 0.8) & (top < 0.9)],
        "largest share .9 and more": rows[top >= 0.9],
        **{f"law: {law}": rows[rows["law"] == law] for law in LAWS},
        **{name: rows[rows["coefficient"] == name] for name in dict.fromkeys(NOMINAL + WEIGHTED)},
    }


def chart(rows: pd.DataFrame, file: str) -> None:
    """How many scenarios have which coverage, with the default and with the analytic interval."""
    import matplotlib.pyplot as plt

    names = {"auto": "default: score interval", "analytic": "estimate plus and minus t standard errors"}
    figure, axes = plt.subplots(2, 1, figsize=(7, 4), sharex=True, layout="constrained")
    for axis, (method, title) in zip(axes, names.items(), strict=True):
        coverage = rows.loc[rows["method"] == method, "coverage"].dropna()
        axis.hist(coverage.clip(0.8), np.arange(0.795, 1.01, 0.01), color="#3b6fb6", edgecolor="white")
        axis.axvline(0.95, color="#444444", linewidth=1)
        axis.set_title(f"{title}: {(coverage >= 0.93).mean():.0%} at .93 or more", loc="left", fontsize=10)
        axis.set_ylabel("coefficients")
        axis.spines[["top", "right"]].set_visible(False)
    axes[1].set_xlabel("share of the samples whose 95 % interval holds the true value (.80: or less)")
    figure.savefig(file)


def main() -> None:
    chosen = asked(__doc__, scenarios=60, runs=400, resamples=0, jobs=1, reported=False, json=None, chart=None)
    one = partial(cover, runs=chosen.runs, resamples=chosen.resamples)
    numbers = range(chosen.scenarios)[1::2] if chosen.reported else range(chosen.scenarios)
    rows = rows_of(one, map(draw, numbers), chosen.jobs)
    save(rows, chosen.json)
    if chosen.chart:
        chart(rows.query("number % 2 == 1"), chosen.chart)
    print(f"{chosen.scenarios} scenarios, half of them reported; {chosen.runs} data sets each")
    for name, part in parts(rows).items():
        if len(part):
            print(f"\n{name}\n\n{markdown(table(part))}")
    last = rows.query("method == 'auto' and number % 2 == 1").nsmallest(12, "coverage")
    columns = ["number", "law", "n_coders", "n_items", "gaps", "weights", "coefficient", "truth", "coverage"]
    print("\nleast covered\n\n" + last.assign(top=last["shares"].map(max))[[*columns, "top"]].round(3).to_string())


if __name__ == "__main__":
    main()
