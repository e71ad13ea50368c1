"""How often tests reject a true hypothesis, and a false one: `python -m tests.benchmarks.sizes`.

Scenarios are drawn from the grid of `tests.benchmarks.coverage`. Groups of the
same law are compared (size: should be .05 at most), and groups with weaker and weaker coders (power). The
tests with standard errors at the common value stand beside Wald's (`method="analytic"`).

    python -m tests.benchmarks.sizes --scenarios 120 --runs 400
"""

from __future__ import annotations

import warnings
from dataclasses import asdict, replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement import AgreementWarning
from pandas_agreement.breakdown.contrasts import TAILS, differences, equality_and_trend, groups_of
from pandas_agreement.breakdown.contrasts import p_values as of_groups
from pandas_agreement.coefficients.registry import find
from pandas_agreement.data import read_wide
from pandas_agreement.options import Options, make_options
from tests.benchmarks.coverage import LEVELS, Scenario, draw
from tests.benchmarks.runner import asked, rows_of, save

LEVEL = 0.05


def grouped(scenario: Scenario, n_groups: int, runs: int, weaker: float, use: int) -> pd.DataFrame:
    """`runs` data sets of `n_groups` groups; each knows less than the one before, the last by the factor `weaker`."""
    parts = []
    for group in range(n_groups):
        law = replace(scenario, strength=scenario.strength * weaker ** (group / (n_groups - 1)))
        parts.append(law.frame(scenario.n_items, runs, use + 2 * group, scenario.gaps).assign(group=group))
    return pd.concat(parts, ignore_index=True)


def p_values(scenario: Scenario, frame: pd.DataFrame, n_groups: int, method: str) -> pd.DataFrame:
    """One row per data set: the p-values of equality, trend, and first against last; all data sets at once."""
    rng = np.random.default_rng(scenario.number)
    record = find(str(rng.choice(scenario.coefficients)))
    given: dict[str, Any] = {"method": method}
    if scenario.weights != "nominal":
        given |= {"level": LEVELS[scenario.weights]} if record.name == "alpha" else {"weights": scenario.weights}
    coders = [name for name in frame if name not in ("run", "group")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)
        reading = read_wide(frame, coders, Options(by=["run", "group"]))
        groups = groups_of(reading, record, make_options(given, record.name, [record]))
    estimates = groups.estimates
    members = np.arange(len(estimates.value)).reshape(-1, n_groups)
    chi2, trend = equality_and_trend(estimates, members, np.arange(float(n_groups)))
    pair = differences(estimates, members[:, 0], members[:, -1], 0.0, TAILS["two-sided"], None)
    equality, rise = of_groups(chi2, trend, n_groups, groups.df(members))
    return pd.DataFrame({"equality": equality, "trend": rise, "contrast": pair["p_value"]})


def rejections(scenario: Scenario, runs: int) -> list[dict[str, Any]]:
    """One row per method and hypothesis."""
    n_groups = int(np.random.default_rng([7, scenario.number]).integers(2, 11))
    rows = []
    for truth, weaker in {"equal": 1.0, "different": 0.75}.items():
        frame = grouped(scenario, n_groups, runs, weaker, use=100)
        for method in ("auto", "analytic"):
            found = p_values(scenario, frame, n_groups, method)
            shares = (found < LEVEL).sum() / found.notna().sum()
            row = {"truth": truth, "method": method, "n_groups": n_groups, "tested": found["equality"].notna().mean()}
            rows.append(asdict(scenario) | row | shares.to_dict())
    return rows


def rejected_sets(
    top: float, strength: float, n_items: int, few: int, runs: int, weaker: float = 1.0
) -> dict[str, float]:
    """How often `compare` finds a difference between ann, bob on all items and ann, llm on a few, by method.

    The model knows as much as the people, or less by the factor `weaker`.
    """
    scenario = Scenario(0, "copying", (top, 1 - top), strength, 3, n_items, 0.0, "nominal")
    frame = scenario.frame(n_items, runs, use=1).set_axis(["run", "ann", "bob", "llm"], axis=1)
    weak = replace(scenario, strength=strength * weaker).frame(n_items, runs, use=1)
    frame["llm"] = weak["coder 2"].where(np.tile(np.arange(n_items) < few, runs))  # the same truth and guesses
    sets, found = (["ann", "bob"], ["ann", "llm"]), {}
    for method in ("auto", "analytic"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AgreementWarning)
            p = frame.agree.compare(*sets, by="run", method=method)["p_value"]
        found[method] = float((p < LEVEL).sum() / p.notna().sum())
    return found


def table_of_sets(runs: int) -> pd.DataFrame:
    """Size and power of `compare`: one row per setting."""
    rows = []
    sizes = [(300, 10), (300, 25), (300, 100), (50, 50), (200, 200)]
    for top, strength, (n, few), weaker in product((0.5, 0.8, 0.9), (0.6, 0.9), sizes, (1.0, 0.75)):
        row = {"top": top, "strength": strength, "items": n, "few": few, "weaker": weaker}
        rows.append(row | rejected_sets(top, strength, n, few, runs, weaker))
    return pd.DataFrame(rows)


def main() -> None:
    chosen = asked(__doc__, scenarios=20, runs=100, jobs=1, json=None)
    rows = rows_of(partial(rejections, runs=chosen.runs), map(draw, range(chosen.scenarios)), chosen.jobs)
    save(rows, chosen.json)
    print("compare: all items against a few, rejected\n\n" + table_of_sets(2 * chosen.runs).round(3).to_string())
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
