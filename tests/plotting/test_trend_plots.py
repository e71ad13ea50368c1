"""Agreement over time or batches."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.data_sets import scores
from tests.plotting.helpers import ticks

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")
from pandas_agreement import plotting


def test_over_draws_the_band_of_the_intervals_and_a_threshold(example: pd.DataFrame) -> None:
    result = example.agree.kappa("ann", "bob", by="batch")
    ax = plotting.trend(result, threshold=0.8, bands="altman")
    line, threshold = ax.lines
    np.testing.assert_allclose(line.get_ydata(), result["estimate"])
    assert threshold.get_ydata() == [0.8, 0.8]
    band = ax.collections[0].get_paths()[0].vertices
    np.testing.assert_allclose(sorted(set(band[:, 1].round(12))), np.unique(result[["ci_low", "ci_high"]].round(12)))
    assert ticks(ax, "x") == result.index.get_level_values("batch").tolist()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["threshold 0.8"]
    assert len(ax.patches) == 5


def dated(n: int = 400) -> pd.DataFrame:
    return scores(n, gaps=0).assign(date=pd.date_range("2026-01-01", periods=n, freq="12h"))


def test_over_dates_the_axis_is_a_time() -> None:
    df = dated()
    weekly = df.agree.kappa("ann", "bob", by=pd.Grouper(key="date", freq="W"))
    ax = plotting.trend(weekly)
    assert ax.xaxis.get_major_formatter().__class__.__name__ == "ConciseDateFormatter"
    stamps = ax.lines[0].get_xdata()
    assert pd.DatetimeIndex(stamps).equals(pd.DatetimeIndex(weekly.index.get_level_values("date").to_numpy()))
    daily = df.assign(day=df["date"].dt.date).agree.observed("ann", "bob", by="day")
    assert np.issubdtype(plotting.trend(daily).lines[0].get_xdata().dtype, np.datetime64)
    monthly = df.assign(month=df["date"].dt.to_period("M")).agree.kappa("ann", "bob", by="month")
    stamps = plotting.trend(monthly).lines[0].get_xdata()
    assert pd.DatetimeIndex(stamps).strftime("%Y-%m").tolist() == [f"2026-0{month}" for month in range(1, 8)]


def test_lines_go_on_in_time_whatever_the_order_of_the_rows() -> None:
    df = scores(300, gaps=0).assign(week=np.repeat([1, 2, 6], 100))
    result = df.agree.kappa("ann", "bob", by="week")
    line = plotting.trend(result.iloc[[2, 0, 1]]).lines[0]
    assert line.get_xdata().tolist() == [1, 2, 6]
    assert line.get_ydata().tolist() == result["estimate"].tolist()
    days = dated(100).assign(week=lambda df: df["date"].dt.to_period("W"))
    weekly = days.agree.observed("ann", "bob", by="week")
    line = plotting.trend(weekly.iloc[::-1]).lines[0]
    assert (np.diff(line.get_xdata()) > np.timedelta64(0, "D")).all()
    assert line.get_ydata().tolist() == weekly["estimate"].tolist()


def test_other_keys_and_coefficients_are_lines_of_their_own() -> None:
    df = dated().assign(site=["Lisbon", "_Porto"] * 200, week=np.arange(400) // 100)
    ax = plotting.trend(df.agree.kappa("ann", "bob", by=["site", "week"]), threshold=0.5)
    assert [text.get_text().strip() for text in ax.get_legend().get_texts()] == ["Lisbon", "_Porto", "threshold 0.5"]
    assert ax.lines[0].get_xdata().tolist() == [0, 1, 2, 3]
    ax = plotting.trend(df.agree.summary("ann", "bob", metrics=["kappa", "ac1"], by="week"))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["kappa", "AC1"]


def test_a_batch_alone_between_gaps_shows_its_interval() -> None:
    result = dated().assign(week=np.arange(400) // 100).agree.kappa("ann", "bob", by="week")
    result.loc[[1], "estimate"] = np.nan
    ax = plotting.trend(result)
    (bars,) = (container for container in ax.containers if container)
    segment = bars.lines[2][0].get_segments()[0]
    np.testing.assert_allclose(segment[:, 1], result[["ci_low", "ci_high"]].iloc[0])


def test_the_default_is_the_coefficient_of_the_report(example: pd.DataFrame) -> None:
    drawn = example.agree.plot.trend("ann", "bob", by="batch").lines[0].get_ydata()
    text = example.agree.report("ann", "bob", by="batch").to_markdown()
    assert f"By batch it runs from {drawn.min():.3f} (2026-w01) to {drawn.max():.3f} (2026-w04)." in text


def test_the_default_of_scores_is_that_of_the_report_too() -> None:
    frame = (scores(60, 2, gaps=0) + 0.5).assign(batch=["x", "y"] * 30)
    drawn = frame.agree.plot.trend("ann", "bob", by="batch")
    assert drawn.get_ylabel() == "ICC(A,1)"
    text = frame.agree.report("ann", "bob", by="batch", pictures=False).to_markdown()
    assert all(f"{value:.3f}" in text.partition("ICC(A,1) by batch:")[2] for value in drawn.lines[0].get_ydata())
    assert frame.agree.plot.trend("ann", "bob", by="batch", level="interval").get_ylabel() == "alpha"
    long = frame.melt("batch", ["ann", "bob"], value_name="label", ignore_index=False).reset_index(names="item")
    assert long.agree.long(item="item", label="label").plot.trend(by="batch").get_ylabel() == "alpha"
