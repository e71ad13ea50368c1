"""Intraclass correlations from sums over items, beside the kernel on each resample."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.scores import Scores
from pandas_agreement.inference import evaluation

FORMS = ["icc_1", "icc_1k", "icc_c1", "icc_ck", "icc_a1", "icc_ak"]
#: share of missing scores, and the standard deviation of the items: some resamples have no gap, or lack a coder, or
#: have no variance between items
DATA = {"complete": (0.0, 10.0), "one gap": (0.03, 10.0), "gaps": (0.25, 10.0), "few": (0.6, 5.0), "noise": (0.25, 0.1)}


def scores(data: str, n: int = 16) -> Scores:
    gaps, sd = DATA[data]
    rng = np.random.default_rng(5)
    truth = rng.normal(50, sd, n)
    columns = [truth + rng.normal(0, 4, n) + rng.normal(0, 2) for _ in range(3)]
    for column in columns:
        column[rng.random(n) < gaps] = np.nan
    found = Scores.from_columns(columns)
    return found.select(found.sizes > 1)


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("form", FORMS)
def test_sums_give_what_the_kernel_gives(form: str, data: str) -> None:
    """On resamples, and on the samples without one item."""
    values, record, rng = scores(data), find(form), np.random.default_rng(1)
    n = values.n_items
    drawn = rng.integers(0, n, (40, n))
    drawn = np.concatenate([drawn, [np.resize(np.delete(np.arange(n), item), n) for item in range(n)]])
    table, value = record.item_sums(values)  # type: ignore[misc]
    found = value(np.stack([table[items].sum(0) for items in drawn]), False)
    group = np.repeat(np.arange(len(drawn)), n)
    expected = record.kernel(values.take(drawn.ravel(), group, len(drawn)), 0.0).value
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("form", ["icc_c1", "icc_a1", "icc_ak"])
def test_one_step_is_close_to_the_fit(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    """The influence of many items: a step from the estimate of all."""
    values = scores("gaps", n=1000)  # above, one step is taken
    exact = evaluation._influence_of_scores(find(form), values)
    monkeypatch.setattr(evaluation, "MAX_ITEMS_LEFT_OUT", 10)
    step = evaluation._influence_of_scores(find(form), values)
    np.testing.assert_allclose(step, exact, atol=0.01 * np.abs(exact).max())
    assert (step**3).sum() / (step**2).sum() ** 1.5 == pytest.approx(
        (exact**3).sum() / (exact**2).sum() ** 1.5, abs=1e-3
    )


def test_groups_do_not_influence_one_another() -> None:
    rng = np.random.default_rng(2)
    truth = rng.normal(0, 5, 60)
    frame = pd.DataFrame({name: truth + rng.normal(0, 3, 60) for name in "abc"}).mask(rng.random((60, 3)) < 0.2)
    frame["group"] = np.arange(60) % 4
    found = frame.agree.icc("a", "b", "c", by="group")[["estimate", "ci_low", "ci_high"]]
    loop = [part.agree.icc("a", "b", "c")[found.columns] for _, part in frame.groupby("group")]
    np.testing.assert_allclose(found, pd.concat(loop), rtol=1e-9, atol=1e-10)
    again = frame.agree.icc_a1("a", "b", "c", by="group", method="bca", rng=1, n_resamples=100)
    alone = frame[frame["group"] < 3].agree.icc_a1("a", "b", "c", by="group", method="bca", rng=1, n_resamples=100)
    pd.testing.assert_frame_equal(again.iloc[:3], alone)


def test_an_interval_of_many_items() -> None:
    rng = np.random.default_rng(3)
    truth = rng.normal(0, 5, 3000)
    frame = pd.DataFrame({name: truth + rng.normal(0, 3, 3000) for name in "abc"}).mask(rng.random((3000, 3)) < 0.2)
    row = frame.agree.icc_c1(method="bca", rng=1, n_resamples=100).iloc[0]
    analytic = frame.agree.icc_c1().iloc[0]
    assert row["ci_high"] - row["ci_low"] == pytest.approx(analytic["ci_high"] - analytic["ci_low"], rel=0.35)
