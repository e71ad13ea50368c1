"""Tests against chance: all permutations, closed forms, and where they meet."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.data_sets import scores

# ------------------------------------------------------------------------------------------------------- against chance


def test_moments_of_two_coders_are_those_of_all_permutations() -> None:
    from itertools import permutations

    df = pd.DataFrame({"a": list("xxyyz"), "b": list("xyyzz")})
    row = df.agree.chance_test(tests="moments").iloc[0]
    agreed = [np.mean([x == y for x, y in zip(df["a"], order, strict=True)]) for order in permutations(df["b"])]
    assert row["expected"] == pytest.approx(np.mean(agreed))
    assert row["statistic"] == pytest.approx((row["observed"] - np.mean(agreed)) / np.std(agreed))


def test_permutation_and_moments_meet() -> None:
    df = scores(60, 3, gaps=0, seed=9)
    shuffled = df.apply(lambda column: np.random.default_rng(1).permutation(column))
    table = shuffled.agree.chance_test(rng=0, n_resamples=4000, alternative="greater")
    assert table.loc["permutation", "expected"] == pytest.approx(table.loc["moments", "expected"], abs=0.003)
    assert table.loc["permutation", "statistic"] == pytest.approx(table.loc["moments", "statistic"], abs=0.1)
    assert table.loc["permutation", "p_value"] == pytest.approx(table.loc["moments", "p_value"], abs=0.06)


def test_the_null_test_of_fleiss() -> None:
    # Wikipedia's 10 x 14 table: kappa .209931, null standard error .016965
    text = "0 0 0 0 14 0 2 6 4 2 0 0 3 5 6 0 3 9 2 0 2 2 8 1 1 7 7 0 0 0 3 2 6 3 0 2 5 3 2 2 6 5 2 1 0 0 2 2 3 7"
    counts = np.array(text.split(), int).reshape(10, 5)
    rows = [np.repeat(np.arange(5), row) for row in counts]
    df = pd.DataFrame(rows, columns=[f"c{i}" for i in range(14)])
    row = df.agree.chance_test(tests="fleiss_nee_landis").iloc[0]
    assert row["statistic"] == pytest.approx(0.209931 / 0.016965, rel=1e-3)


def test_gaps_leave_only_permutation() -> None:
    df = scores(60, 3, gaps=0.2)
    table = df.agree.chance_test(rng=0, n_resamples=500)
    assert table.loc["permutation", "p_value"] == pytest.approx(2 / 501)
    assert table.loc["moments", "note"] == "no closed form with gaps and three coders or more; use tests='permutation'"
    grouped = df.assign(g=[1, 2] * 30).agree.chance_test("ann", "bob", "cleo", by="g", rng=0, n_resamples=500)
    assert grouped.index.names == ["g", "test"]


# -------------------------------------------------------------------------------------------------- clusters everywhere


def test_expected_agreement_is_known_when_none_is_observed() -> None:
    df = pd.DataFrame({"a": list("xxyy"), "b": list("yyxx")})
    assert df.agree.chance_test(tests="moments")["expected"].iloc[0] == pytest.approx(0.5)
