"""How often 95 % intervals hold the true value: `python -m tests.benchmarks.coverage`.

Coders copy the truth of an item with probability rho and otherwise draw a label of their own from the shares of the
categories, so the true value of every coefficient is known exactly. Many data sets are simulated from each such law,
all of them measured in one call (`by=` the data set), and the share of intervals that hold the true value is printed:
two short tables, then every coefficient in every situation. Samples without an interval (the coefficient is undefined,
or too many of its resamples are) count neither as hit nor as miss; their share is reported beside the coverage.

The methods without resampling are cheap and take four times the data sets that `--runs` says, those with resampling
half of them. With `--runs 400` and a true coverage of .95 the standard error of one share is .005 and .015, with
`--runs 2000` .002 and .007. `--quick` is a tenth; `--json` gives every number, with widths and misses on either side.

Everything is seeded: the same versions of numpy and of this package print the same tables. To repeat the table in the
documentation, in some eight minutes: `python -m tests.benchmarks.coverage --runs 2000`; without options it takes two.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement import AgreementWarning

COEFFICIENTS = ("kappa", "pi", "alpha", "ac1", "s", "observed")
PLAIN = ("analytic", "log", "jackknife")
RESAMPLING = ("percentile", "bca")
FAMILIES = (("kappa", "pi", "alpha"), ("ac1", "s", "observed"))  # alike in coverage: the rare category matters, or not
SHARES = {"1/2 1/2": (1 / 2, 1 / 2), "1/3 1/3 1/3": (1 / 3, 1 / 3, 1 / 3), ".9 .1": (0.9, 0.1)}
COPYING = (0.5, 0.9)  # kappa .25 and .81
CODERS = (2, 5)
ITEMS = (20, 50, 200)
RESAMPLES = 400
SEED = 20260


@dataclass(frozen=True)
class Law:
    """What the coders do: copy the truth with probability `rho`, else draw from `shares`."""

    shares: tuple[float, ...]
    rho: float
    n_coders: int

    def truth(self, coefficient: str) -> float:
        """The value in an endless sample; coders are alike, so those of all coders are those of two."""
        K, same = len(self.shares), sum(share**2 for share in self.shares)
        copied = self.rho**2  # both coders of a pair copied; else two independent draws from the shares
        observed = copied + (1 - copied) * same
        if coefficient == "observed":
            return observed
        expected = {"ac1": (1 - same) / (K - 1), "s": 1 / K}.get(coefficient, same)
        return (observed - expected) / (1 - expected)

    def sample(self, n_items: int, runs: int, rng: np.random.Generator) -> pd.DataFrame:
        """`runs` data sets of `n_items` rows, told apart by the column `run`."""
        K, size = len(self.shares), n_items * runs
        truth = rng.choice(K, size, p=self.shares)
        columns: dict[str, Any] = {"run": np.repeat(np.arange(runs), n_items)}
        for coder in range(self.n_coders):
            codes = np.where(rng.random(size) < self.rho, truth, rng.choice(K, size, p=self.shares))
            columns[f"coder {coder}"] = pd.Categorical.from_codes(codes, list("abc"[:K]))
        return pd.DataFrame(columns)


@dataclass(frozen=True)
class Row:
    """One method on one coefficient in one situation."""

    shares: str
    rho: float
    n_coders: int
    n_items: int
    method: str
    coefficient: str
    truth: float
    coverage: float  # among the samples with an interval
    undefined: float  # share of samples without an interval
    too_high: float  # share of intervals that lie wholly above the truth
    too_low: float
    width: float
    runs: int


def cover(
    name: str,
    rho: float,
    n_coders: int,
    n_items: int,
    runs: int,
    methods: Sequence[str] = PLAIN,
    coefficients: Sequence[str] = COEFFICIENTS,
    resamples: int = RESAMPLES,
) -> list[Row]:
    """Simulate one situation: `runs` data sets for every method."""
    law = Law(SHARES[name], rho, n_coders)
    # a seed of the situation's own: with as many runs, a slice of the table is the same as in the whole
    seed = [SEED, list(SHARES).index(name), round(100 * rho), n_coders, n_items]
    df = law.sample(n_items, runs, np.random.default_rng(seed))
    coders = [column for column in df if column != "run"]
    rows = []
    for method in methods:
        options: dict[str, Any] = {"n_resamples": resamples, "rng": sum(seed)} if method in RESAMPLING else {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AgreementWarning)  # undefined samples are counted below
            found = df.agree.summary(*coders, metrics=list(coefficients), by="run", method=method, **options)
        for coefficient in coefficients:
            known = (name, rho, n_coders, n_items, method, coefficient, law.truth(coefficient))
            rows.append(Row(*known, *_shares(found.xs(coefficient, level="coefficient"), known[-1])))
    return rows


def _shares(found: pd.DataFrame, truth: float) -> tuple[float, float, float, float, float, int]:
    """The last columns of a row."""
    low, high = (found[end].to_numpy(float) for end in ("ci_low", "ci_high"))
    known = ~(np.isnan(low) | np.isnan(high))
    low, high, slack = low[known], high[known], 1e-9
    above, below = float(np.mean(low > truth + slack)), float(np.mean(high < truth - slack))
    return 1 - above - below, float(1 - known.mean()), above, below, float(np.mean(high - low)), len(found)


def situations() -> Iterator[tuple[str, float, int, int]]:
    """Every combination of shares, copying, coders and items."""
    return product(SHARES, COPYING, CODERS, ITEMS)


# ------------------------------------------------------------------------------------------------------- printing


def markdown(table: pd.DataFrame) -> str:
    """A table of text with its index, as Markdown."""
    flat = table.reset_index().astype(str)
    lines = [list(map(str, flat.columns)), ["---"] * flat.shape[1], *flat.to_numpy().tolist()]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def short(value: float) -> str:
    """Two digits without the zero in front."""
    return "" if np.isnan(value) else f"{value:.2f}".replace("0.", ".", 1)


def full(rows: pd.DataFrame) -> pd.DataFrame:
    """Every situation and method, a column a coefficient, and the share of samples without an interval for kappa."""
    keys = ["shares", "rho", "n_coders", "n_items", "method"]
    table = rows.pivot_table("coverage", keys, "coefficient", sort=False)[list(COEFFICIENTS)].map(short)
    lost = rows[rows["coefficient"] == "kappa"].set_index(keys)["undefined"]
    return table.assign(**{"no interval for kappa": lost.map(short)})


def compact(rows: pd.DataFrame, family: Sequence[str]) -> pd.DataFrame:
    """Mean coverage of some coefficients, 'two coders / five coders', a column a method."""
    mine = rows[rows["coefficient"].isin(family)]
    shares = np.where(mine["shares"] == ".9 .1", ".9 .1", "balanced")
    mine = mine.assign(shares=shares, kappa=(mine["rho"] ** 2).map(short)).rename(columns={"n_items": "items"})
    keys = ["shares", "kappa", "items"]
    columns = {method: _by_coders(mine[mine["method"] == method], keys, "coverage") for method in PLAIN + RESAMPLING}
    for method in ("analytic", "bca"):
        columns[f"no {method} interval"] = _by_coders(mine[mine["method"] == method], keys, "undefined")
    return pd.DataFrame(columns)


def _by_coders(rows: pd.DataFrame, keys: list[str], column: str) -> pd.Series:
    means = rows.groupby([*keys, "n_coders"], sort=False)[column].mean().map(short).unstack("n_coders", sort=False)
    return means[CODERS[0]] + " / " + means[CODERS[1]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=400, help="data sets in each situation")
    parser.add_argument("--quick", action="store_true", help="a tenth of the data sets")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    runs = max(chosen.runs // 10, 10) if chosen.quick else chosen.runs
    sizes = {PLAIN: 4 * runs, RESAMPLING: runs // 2}
    rows = [
        row
        for one in situations()
        for methods, size in sizes.items()
        for row in cover(*one, runs=size, methods=methods)
    ]
    if chosen.json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
        return
    table = pd.DataFrame(rows)
    for methods, size in sizes.items():
        print(f"{', '.join(methods)}: {size} data sets a situation")
    print(f"{RESAMPLES} resamples of each")
    for family in FAMILIES:
        print(f"\n{', '.join(family)}: two coders / five coders\n\n" + markdown(compact(table, family)))
    print("\nevery situation\n\n" + markdown(full(table)))


if __name__ == "__main__":
    main()
