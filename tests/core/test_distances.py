"""Distances of many values need no matrix and give the same numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from pandas_agreement import InputError, scales
from tests import bruteforce
from tests.data_sets import rows_of, scores
from tests.helpers import reach


@pytest.mark.parametrize("weights", ["linear", "ordinal", "radical", "ratio", "bipolar", "quadratic"])
@pytest.mark.parametrize("name", ["kappa", "pi", "ac2", "s", "observed", "light_kappa", "bias"])
def test_many_values_need_no_matrix(monkeypatch: pytest.MonkeyPatch, weights: str, name: str) -> None:
    df = scores(50, 3, 30).assign(batch=["x", "y"] * 25)
    options = {"weights": weights, "by": "batch", "categories": list(range(1, 31))}
    matrix = getattr(df.agree, name)("ann", "bob", "cleo", **options)
    monkeypatch.setattr("pandas_agreement.core.weights.MAX_DENSE_CATEGORIES", 3)
    assert_frame_equal(getattr(df.agree, name)("ann", "bob", "cleo", **options), matrix)
    monkeypatch.setattr("pandas_agreement.core.ratings.dense_is_small", lambda *sizes: False)
    assert_frame_equal(getattr(df.agree, name)("ann", "bob", "cleo", **options), matrix)


@pytest.mark.parametrize("level", ["linear", "radical", "ratio", "bipolar", "interval", "ordinal"])
def test_alpha_of_many_values_follows_the_definition(monkeypatch: pytest.MonkeyPatch, level: str) -> None:
    rng = np.random.default_rng(3)
    df = pd.DataFrame(rng.uniform(0, 10, (12, 3)).round(2), columns=list("abc"))
    low, high = df.min().min(), df.max().max()
    distances = {
        "linear": bruteforce.linear_distance,
        "radical": bruteforce.radical_distance,
        "ratio": bruteforce.ratio_distance,
        "bipolar": bruteforce.bipolar_distance(low, high),
        "interval": bruteforce.interval_distance,
        "ordinal": "ordinal",
    }
    expected = float(bruteforce.alpha(rows_of(df), distances[level]))
    matrix = df.agree.alpha(level=level)
    assert matrix["estimate"].iloc[0] == pytest.approx(expected)
    monkeypatch.setattr("pandas_agreement.core.weights.MAX_DENSE_CATEGORIES", 3)
    assert_frame_equal(df.agree.alpha(level=level), matrix)


@pytest.mark.parametrize("level", ["linear", "radical"])
def test_alpha_of_groups_of_many_values_is_on_the_scale_of_each_group(
    monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    df = scores(60, 3, 30).assign(batch=["x", "y", "z"] * 20)
    df.loc[df["batch"] == "y", ["ann", "bob", "cleo"]] *= 10
    options = {"level": level, "by": "batch"}
    matrix = df.agree.alpha("ann", "bob", "cleo", **options)
    apart = df[df["batch"] == "y"].agree.alpha("ann", "bob", "cleo", **options)
    columns = ["estimate", "se", "observed", "expected"]
    assert_frame_equal(matrix.loc[["y"], columns], apart[columns])
    monkeypatch.setattr("pandas_agreement.core.weights.MAX_DENSE_CATEGORIES", 3)
    assert_frame_equal(df.agree.alpha("ann", "bob", "cleo", **options), matrix)


def test_a_thousand_continuous_scores_take_little_memory() -> None:
    import tracemalloc

    rng = np.random.default_rng(0)
    x = rng.normal(size=5000)
    df = pd.DataFrame({"a": x, "b": x + rng.normal(size=5000)})
    df.agree.alpha(level="interval")
    for call in (
        lambda: df.agree.alpha(level="interval"),
        lambda: df.agree.kappa(weights="linear"),
        lambda: df.agree.alpha(level="linear"),
        lambda: df.agree.observed(weights=scales.within(1)),
    ):
        tracemalloc.start()
        call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 100e6


def test_offsets_cost_no_digits() -> None:
    df = scores(40, 3)
    for name, options in (("alpha", {"level": "interval"}), ("icc_a1", {}), ("ccc", {})):
        near, far = (getattr(frame.agree, name)(**options)["estimate"].iloc[0] for frame in (df, df + 1e9))
        assert far == pytest.approx(near, abs=1e-7)


@pytest.mark.parametrize("method", ["test.chance", "kappa", "by_pair"])
def test_tables_of_too_many_labels_are_refused(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pandas_agreement.core.distances.MAX_SQUARE", 99)
    frame = pd.DataFrame({"ann": range(10), "bob": range(10)})
    problem = "A table of all pairs of 10 different labels would need about 0 GB"
    with pytest.raises(InputError) as caught:
        reach(frame.agree, method)("ann", "bob", detail=True)
    assert str(caught.value) == f"{problem}. Merge labels, or use icc and limits for numbers."


def test_a_distance_of_all_pairs_is_refused_for_too_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pandas_agreement.core.weights.MAX_PAIRED", 1100)
    values = np.exp(np.random.default_rng(5).normal(size=1200))
    with pytest.raises(InputError) as caught:
        pd.DataFrame({"a": values, "b": values}).agree.alpha(level="radical")
    assert str(caught.value) == (
        "'radical' compares all pairs of 1,200 different numbers, more than the maximum of 1,100. Round the numbers, "
        "or "
        "use 'quadratic' or 'interval'."
    )
