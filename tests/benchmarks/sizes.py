"""How often tests reject a true hypothesis, and a false one: `python -m tests.benchmarks.sizes`.

Scenarios are drawn from the grid of `tests.benchmarks.coverage`, some with shares that differ by group. Groups of the
same law are compared (size: should be .05 at most), and groups of which every second has weaker coders (power). The
tests with standard errors at the common value stand beside Wald's (`method="analytic"`).

    python -m tests.benchmarks.sizes --scenarios 200 --runs 500 --jobs 2
"""

from __future__ import annotations

import argparse
import json
import warnings
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement import AgreementWarning
from tests.benchmarks.coverage import LEVELS, Scenario, draw

LEVEL = 0.05


def grouped(scenario: Scenario, n_groups: int, runs: int, weaker: float, use: int) -> pd.DataFrame:
    """`runs` data sets of `n_groups` groups; every second group knows less, by the factor `weaker`."""
    parts = []
    for group in range(n_groups):
        law = replace(scenario, strength=scenario.strength * (weaker if group % 2 else 1.0))
        parts.append(law.frame(scenario.n_items, runs, use + 2 * group, scenario.gaps).assign(group=group))
    return pd.concat(parts, ignore_index=True)


def p_values(scenario: Scenario, frame: pd.DataFrame, method: str) -> pd.DataFrame:
    """One row per data set: the p-values of equality, trend and the first contrast."""
    rng = np.random.default_rng(scenario.number)
    metric = str(rng.choice(scenario.coefficients))
    options: dict[str, Any] = {"metric": metric, "by": "group", "method": method}
    if scenario.weights != "nominal":
        options |= {"level": LEVELS[scenario.weights]} if metric == "alpha" else {"weights": scenario.weights}
    coders = [name for name in frame if name not in ("run", "group")]
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)
        for _, data in frame.groupby("run"):
            both = data.agree.heterogeneity(*coders, **options)["p_value"]
            pair = data[data["group"] < 2].agree.contrasts(*coders, **options)["p_value"].iloc[0]
            rows.append({"equality": both["equality"], "trend": both["trend"], "contrast": pair})
    return pd.DataFrame(rows)


def rejections(scenario: Scenario, runs: int) -> list[dict[str, Any]]:
    """One row per method and hypothesis."""
    n_groups = int(np.random.default_rng([7, scenario.number]).integers(2, 11))
    rows = []
    for truth, weaker in {"equal": 1.0, "different": 0.8}.items():
        frame = grouped(scenario, n_groups, runs, weaker, use=100)
        for method in ("auto", "analytic"):
            found = p_values(scenario, frame, method)
            shares = (found < LEVEL).sum() / found.notna().sum()
            row = {"truth": truth, "method": method, "n_groups": n_groups, "tested": found["equality"].notna().mean()}
            rows.append(asdict(scenario) | row | shares.to_dict())
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--scenarios", type=int, default=20)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", metavar="FILE")
    chosen = parser.parse_args()
    with ProcessPoolExecutor(chosen.jobs) as pool:
        found = list(pool.map(partial(rejections, runs=chosen.runs), map(draw, range(chosen.scenarios))))
    rows = pd.DataFrame([row for part in found for row in part])
    if chosen.json:
        with open(chosen.json, "w") as file:
            json.dump(rows.to_dict("records"), file)
    tests = ["equality", "trend", "contrast"]
    for truth in ("equal", "different"):
        part = rows[rows["truth"] == truth]
        print(f"\nrejected where groups are {truth}\n")
        print(part.groupby("method")[tests].describe(percentiles=[0.05, 0.95]).round(3).T.to_string())
    size = rows[rows["truth"] == "equal"].set_index(["number", "method"])[tests].unstack()
    power = rows[rows["truth"] == "different"].set_index(["number", "method"])[tests].unstack()
    for test in tests:
        holds = size[test]["analytic"] <= 0.07
        kept = power[test]["auto"][holds].sum() / power[test]["analytic"][holds].sum()
        above = {method: float((size[test][method] > 0.07).mean()) for method in ("auto", "analytic")}
        print(f"{test}: above .07 in {above}; power kept where Wald's test holds its size: {kept:.3f}")


if __name__ == "__main__":
    main()
