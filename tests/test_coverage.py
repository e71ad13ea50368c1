"""A slice of `tests.benchmarks.coverage` and `tests.benchmarks.sizes`: intervals cover, and tests hold their level.

The scenarios were chosen by their numbers, before they were run; all are of the half that was not used to choose.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.benchmarks.coverage import Scenario, cover, draw, parts, table
from tests.benchmarks.sizes import rejected_sets, rejections

FEW, MANY = (1, 3, 5, 7, 11, 13), tuple(range(401, 481, 2))


def covered(numbers: tuple[int, ...], runs: int, large: int) -> pd.DataFrame:
    rows = [row for number in numbers for row in cover(draw(number), runs, ("auto", "analytic"), large=large)]
    return pd.DataFrame(rows)


def test_the_default_interval_covers() -> None:
    found = covered(FEW, runs=250, large=100_000)
    scored = found[found["method"] == "auto"]
    assert len(scored) == 5 * len(FEW)
    assert scored.loc[scored["noted"] < 0.5, "coverage"].min() > 0.95 - 4 * np.sqrt(0.95 * 0.05 / 250)
    assert scored["coverage"].min() > 0.8  # a few labels in categories far from the others, with quadratic weights
    assert 0.94 < scored["coverage"].mean() < 0.99
    assert found.loc[found["method"] == "analytic", "coverage"].min() < 0.9  # what the default is there for


@pytest.mark.slow
def test_the_default_interval_covers_over_the_grid() -> None:
    lines = table(covered(MANY, runs=400, large=200_000))
    assert lines.loc["auto", "scenarios"] == 5 * len(MANY)
    assert lines.loc["auto", "mean"] == pytest.approx(0.963, abs=0.01)
    assert lines.loc["auto", "at least .93"] > 0.9
    assert lines.loc["auto", "minimum"] > 0.7  # six coders, 25 items, and one of them with another category
    assert lines.loc["auto", "width / analytic"] < 1.15
    assert lines.loc["analytic", "at least .93"] < 0.85


def test_a_rare_category_and_two_coders_without_agreement() -> None:
    """The worst case of the analytic interval, which held the true value in four of ten samples."""
    scenario = Scenario(0, "copying", (0.95, 0.05), 0.0, 2, 100, 0.0, "nominal")
    found = pd.DataFrame(cover(scenario, 500, ("auto", "analytic"), large=200_000))
    kappa = found[found["coefficient"] == "kappa"].set_index("method")
    assert kappa.loc["analytic", "coverage"] < 0.5
    assert kappa.loc["auto", "coverage"] > 0.92


def test_items_of_a_cluster_that_are_alike() -> None:
    """Documents of five sentences whose truth and difficulty are partly those of the document."""
    rng = np.random.default_rng(2)
    runs, docs, size = 400, 40, 5
    shape = runs, docs, size
    truth = np.where(rng.random(shape) < 0.6, rng.random((runs, docs, 1)) < 0.2, rng.random(shape) < 0.2)
    hard = np.where(rng.random(shape) < 0.7, rng.random((runs, docs, 1)) < 0.5, rng.random(shape) < 0.5)
    labels = [np.where(hard, rng.random(shape) < 0.2, truth).ravel() for _ in range(3)]
    run, doc, _ = np.indices(shape).reshape(3, -1)
    df = pd.DataFrame({"run": run, "doc": doc, "a": labels[0], "b": labels[1], "c": labels[2]})
    for name in ("kappa", "alpha"):
        true = getattr(df.agree, name)("a", "b", "c", ci=None)["estimate"].item()
        shares = []
        for clusters in ("doc", None):
            found = getattr(df.agree, name)("a", "b", "c", by="run", clusters=clusters)
            shares.append(((found["ci_low"] <= true) & (true <= found["ci_high"])).mean())
        assert 0.92 < shares[0] < 0.985
        assert shares[1] < shares[0] - 0.03


@pytest.mark.parametrize("number", [5])
def test_tests_of_groups_hold_their_level(number: int) -> None:
    rows = pd.DataFrame(rejections(draw(number), runs=200)).set_index(["truth", "method"])
    size = rows.loc[("equal", "auto"), ["equality", "trend", "contrast"]].astype(float)
    assert size.max() < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 200)


@pytest.mark.parametrize(("top", "strength", "few"), [(0.8, 0.6, 10), (0.8, 0.6, 25), (0.9, 0.9, 25)])
def test_a_set_on_few_items_is_compared_at_its_level(top: float, strength: float, few: int) -> None:
    size = rejected_sets(top, strength, 200, few, runs=400)
    assert size["auto"] < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 400)
    assert size["analytic"] > 0.1  # it takes a few items without disagreement for certain


def test_only_the_half_that_was_not_used_to_choose_is_reported() -> None:
    rows = covered((4, 5), runs=40, large=20_000)
    assert set(parts(rows)["all"]["number"]) == {5}
