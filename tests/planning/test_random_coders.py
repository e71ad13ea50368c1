"""Intervals in which coders are a random sample: what more items and more coders can do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import f

from pandas_agreement import InputError, plan
from pandas_agreement.planning.scores import shares_of

FORMS = ["icc_a1", "icc_ak"]


def scored(n: int, k: int, coder: float, error: float, seed: int) -> pd.DataFrame:
    """Scores of n items by k coders: standard deviations of coders and error, items have 1."""
    rng = np.random.default_rng(seed)
    values = rng.normal(0, 1, (n, 1)) + rng.normal(0, coder, k) + rng.normal(0, error, (n, k))
    return pd.DataFrame(values, columns=[f"c{place}" for place in range(k)])


def components(df: pd.DataFrame) -> tuple[float, float, float]:
    """Variances of items, coders and error by the analysis of variance."""
    x = df.to_numpy()
    n, k = x.shape
    items = k * ((x.mean(1) - x.mean()) ** 2).sum() / (n - 1)
    coders = n * ((x.mean(0) - x.mean()) ** 2).sum() / (k - 1)
    rest = x - x.mean(1, keepdims=True) - x.mean(0) + x.mean()
    error = (rest**2).sum() / ((n - 1) * (k - 1))
    return (items - error) / k, (coders - error) / n, error


def as_arrays(result: pd.DataFrame) -> list[Any]:
    names = ["estimate", "ci_low", "ci_high", "n_items", "n_coders", "ci_level"]
    return [result[name].to_numpy(dtype=float) for name in names]


@pytest.mark.parametrize("form", FORMS)
def test_the_variances_come_back_from_the_interval(form: str) -> None:
    sizes = [(8, 2), (30, 3), (100, 5), (169, 5), (25, 3), (300, 2)]
    for seed, (n, k) in enumerate(sizes):
        for coder in (0.0, 0.3, 1.0):
            df = scored(n, k, coder, 0.7, seed)
            result = df.agree.summary(metrics=[form], detail=True)
            item, coders, error = components(df)
            found = shares_of(*as_arrays(result), np.array([form == "icc_ak"]))
            whole = item + coders + error
            assert (found.item[0], found.coder[0]) == pytest.approx((item / whole, coders / whole), abs=1e-5)


def width_by_hand(item: float, coder: float, error: float, n: float, k: float) -> float:
    """McGraw and Wong's interval of ICC(A,1) at the expected mean squares."""
    rows, columns = k * item + error, n * coder + error
    rho = item / (item + coder + error)
    a, b = k * rho / (n * (1 - rho)), 1 + k * rho * (n - 1) / (n * (1 - rho))
    df = (a * columns + b * error) ** 2 / ((a * columns) ** 2 / (k - 1) + (b * error) ** 2 / ((n - 1) * (k - 1)))
    low_f, high_f = f.ppf(0.975, n - 1, df), f.ppf(0.975, df, n - 1)
    rest = k * columns + (k * n - k - n) * error
    low = n * (rows - low_f * error) / (low_f * rest + n * rows)
    return float(n * (high_f * rows - error) / (rest + n * high_f * rows) - low)


def test_items_and_coders_are_the_fewest_that_do() -> None:
    few, many = scored(40, 4, 0.2, 0.6, 1), scored(40, 4, 0.9, 0.6, 3)
    item, coder, error = components(few)
    needed = plan.more_items(few.agree.icc_a1(detail=True), 0.15).iloc[0]
    n = needed["needed_items"]
    assert width_by_hand(item, coder, error, n, 4) <= 0.15 < width_by_hand(item, coder, error, n - 1, 4)
    assert needed["more_items"] == n - 40
    assert needed["note"] == ""
    item, coder, error = components(many)
    found = plan.more_items(many.agree.icc_a1(detail=True), 0.35).iloc[0]
    assert pd.isna(found["needed_items"])
    assert pd.isna(found["more_items"])
    least = width_by_hand(item, coder, error, 1e7, 4)
    assert least > 0.35
    k = next(k for k in range(4, 1000) if width_by_hand(item, coder, error, 40, k) <= 0.35)
    assert found["note"] == (
        f"the 4 coders limit it: with any number of items it stays {least:.2g} wide or wider; "
        f"about {k} coders of 40 items give the width"
    )


def test_as_many_coders_give_the_width() -> None:
    pilot = scored(60, 3, 0.5, 0.7, 5)
    item, coder, error = components(pilot)
    note = plan.more_items(pilot.agree.icc_a1(detail=True), 0.25)["note"].iloc[0]
    k = int(note.partition("about ")[2].partition(" coders")[0])
    runs = []
    for run in range(150):
        df = scored(60, k, (coder / item) ** 0.5, (error / item) ** 0.5, 100 + run)
        runs.append(df.agree.icc_a1().iloc[0])
    widths = [run["ci_high"] - run["ci_low"] for run in runs]
    assert np.median(widths) == pytest.approx(0.25, abs=0.03)


def test_where_neither_alone_is_enough() -> None:
    note = plan.more_items(scored(10, 3, 1.0, 0.7, 3).agree.icc_a1(detail=True), 0.05)["note"].iloc[0]
    assert note.endswith("; it takes more coders and more than 10 items")


def test_other_correlations_need_items_only() -> None:
    metrics = ["icc_1", "icc_c1", "icc_ck", "ccc", "cronbach_alpha"]
    df = scored(100, 3, 0.5, 0.7, 2)
    small, large = (frame.agree.summary(metrics=metrics) for frame in (df, pd.concat([df] * 16)))
    target = (small["ci_high"] - small["ci_low"]) / 4
    found = pd.concat([plan.more_items(small.loc[[name]], target[name]) for name in metrics])
    assert (found["note"] == "").all()
    assert found["needed_items"].astype(float).tolist() == pytest.approx([1600] * 5, rel=0.05)
    assert (large["ci_high"] - large["ci_low"]).tolist() == pytest.approx(target.tolist(), rel=0.05)


def test_missing_scores_are_not_planned_for() -> None:
    df = scored(40, 3, 0.5, 0.7, 2)
    df.iloc[3, 1] = np.nan
    found = plan.more_items(df.agree.summary(metrics=["icc_a1", "icc_c1"], detail=True), 0.2)
    assert found["note"].tolist() == ["scores are missing: items and coders limit it, and how much is not known", ""]
    assert found["needed_items"].isna().tolist() == [True, False]


def test_the_number_of_coders_must_be_known() -> None:
    agree = scored(40, 3, 0.5, 0.7, 2).agree
    for result in (agree.icc_a1(), agree.icc(), agree.icc(form="Ak")):
        with pytest.raises(InputError, match=r"^The interval of icc_a[1k] depends on the number of coders, which the "):
            plan.more_items(result, 0.2)
    assert plan.more_items(agree.icc(form="C1"), 0.2)["needed_items"].notna().all()


def test_groups_are_the_loop_over_groups() -> None:
    df = pd.concat([scored(30, 3, coder, 0.7, 1).assign(site=coder) for coder in (0.1, 0.5, 1.5)])
    coders = ["c0", "c1", "c2"]
    found = plan.more_items(df.agree.icc_a1(*coders, by="site", detail=True), 0.25)
    parts = [plan.more_items(part.agree.icc_a1(*coders, detail=True), 0.25) for _, part in df.groupby("site")]
    assert found["note"].tolist() == [part["note"].iloc[0] for part in parts]
    assert found["needed_items"].tolist() == [part["needed_items"].iloc[0] for part in parts]
