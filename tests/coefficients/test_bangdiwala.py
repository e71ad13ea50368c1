"""Bangdiwala's B: other packages, pairs of coders, degenerate tables, and the chart that shows it."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement.coefficients.bangdiwala import b_of_table
from tests.data_sets import scores

# tables with B and its standard error: R's irrCAC 1.4 (Gwet), whose variance divides by n and not by n - 1. The first
# two are those of R's vcd 1.4-11 (SexualFun; the patients of Winnipeg), whose agreementplot gives the same B.
TABLES = {
    "Hout 1987": ([[7, 7, 2, 3], [2, 8, 3, 7], [1, 5, 4, 9], [2, 8, 9, 14]], 0.14646237043713387, 0.042585685821765994),
    "Winnipeg": (
        [[38, 5, 0, 1], [33, 11, 3, 0], [10, 14, 5, 6], [3, 7, 3, 10]],
        0.27209789083883434,
        0.050775452658422676,
    ),
}


@pytest.mark.parametrize(("table", "b", "se"), TABLES.values(), ids=TABLES)
def test_it_is_that_of_other_packages(table: list[list[int]], b: float, se: float) -> None:
    n = int(np.sum(table))
    row = (
        pd.DataFrame(table)
        .set_axis(list("abcd"))
        .set_axis(list("abcd"), axis=1)
        .agree.crosstab()
        .bangdiwala_b()
        .iloc[0]
    )
    assert row["estimate"] == pytest.approx(b, abs=1e-12)
    assert row["se"] == pytest.approx(se * math.sqrt(n / (n - 1)), abs=1e-12)
    assert b_of_table(np.array(table)) == pytest.approx(b, abs=1e-12)


def test_the_standard_error_is_gwets_formula() -> None:
    df = scores(200, 2, gaps=0)
    p = pd.crosstab(df["ann"], df["bob"]).to_numpy() / 200
    rows, columns, diagonal = p.sum(1), p.sum(0), np.diag(p)
    area, pooled = float(rows @ columns), (rows + columns) / 2
    b = float((diagonal**2).sum()) / area
    cross = (p * np.outer(columns, rows)).sum()
    inner = 2 * (diagonal**2 * (diagonal - 2 * b * pooled)).sum() + b**2 * ((pooled * rows * columns).sum() + cross)
    row = df.agree.bangdiwala_b().iloc[0]
    assert row["estimate"] == pytest.approx(b, abs=1e-12)
    assert row["se"] == pytest.approx(math.sqrt(2 * inner / area**2 / 199), rel=1e-12)


def test_of_several_coders_it_is_the_mean_over_pairs() -> None:
    df = scores(80, 4)
    pairs = df.agree.by_pair(metric="bangdiwala_b")
    assert df.agree.bangdiwala_b()["estimate"].iloc[0] == pytest.approx(pairs["estimate"].mean(), abs=1e-12)
    each = [df.agree.bangdiwala_b(*pair)["estimate"].iloc[0] for pair in combinations(df.columns, 2)]
    assert pairs["estimate"].tolist() == pytest.approx(each, abs=1e-12)


def test_a_perfect_pair_adds_nothing_to_the_standard_error() -> None:
    df = scores(60, 2, gaps=0).assign(twin=lambda x: x["ann"])  # B is (1 + 2 B(ann, bob)) / 3
    three, two = df.agree.bangdiwala_b().iloc[0], df.agree.bangdiwala_b("ann", "bob").iloc[0]
    assert three["estimate"] == pytest.approx((1 + 2 * two["estimate"]) / 3)
    assert three["se"] == pytest.approx(2 / 3 * two["se"])


def test_observed_and_expected_are_those_of_kappa() -> None:
    df = scores(50, 2)
    b, kappa = df.agree.bangdiwala_b().iloc[0], df.agree.kappa().iloc[0]
    assert (b["observed"], b["expected"]) == pytest.approx((kappa["observed"], kappa["expected"]))


def test_coders_without_a_category_in_common() -> None:
    rng = np.random.default_rng(0)
    df = pd.DataFrame({"ann": rng.choice([1, 2, 3], 30), "bob": rng.choice([4, 5, 6], 30), "cleo": [1] * 30})
    with pytest.warns(pandas_agreement.AgreementWarning, match=r"no category in common"):
        row = df.agree.bangdiwala_b("ann", "bob", categories=range(1, 7)).iloc[0]
    assert np.isnan(row["estimate"])
    row = df.agree.bangdiwala_b("ann", "bob", "cleo", categories=range(1, 7)).iloc[0]
    assert row["note"] == "bangdiwala_b undefined and left out: ann and bob, bob and cleo"
    assert row["estimate"] == pytest.approx(df.agree.bangdiwala_b("ann", "cleo")["estimate"].iloc[0])


def test_coders_who_never_agree_have_zero() -> None:
    df = pd.DataFrame({"ann": [1, 2, 3, 1], "bob": [2, 3, 1, 3]})
    assert df.agree.bangdiwala_b()["estimate"].tolist() == [0.0]


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_resamples_are_tables(method: str) -> None:
    df = scores(60, 2, gaps=0)
    row = df.agree.bangdiwala_b(method=method, n_resamples=400, rng=1).iloc[0]
    rng, values = np.random.default_rng(5), []
    cells = 4 * (df["ann"].to_numpy(int) - 1) + df["bob"].to_numpy(int) - 1  # of the 4 x 4 table
    for _ in range(400):
        table = np.bincount(cells[rng.integers(0, 60, 60)], minlength=16).reshape(4, 4)
        values.append(b_of_table(table))
    assert row["se"] == pytest.approx(np.std(values), rel=0.15)
    assert row["ci_low"] < row["estimate"] < row["ci_high"]


def test_words_for_kappa_do_not_apply_to_it() -> None:
    result = scores(40, 2).agree.summary(metrics=["kappa", "bangdiwala_b"])
    words = pandas_agreement.interpret(result)
    assert words.notna().tolist() == [True, False]


def test_its_interval_stays_between_zero_and_one() -> None:
    truth = [1, 2, 3, 4] * 4
    nearly = pd.DataFrame({"ann": truth, "bob": [*truth[:-1], 1]}).agree.bangdiwala_b().iloc[0]
    assert nearly["ci_high"] == 1
    hardly = pd.DataFrame({"ann": truth, "bob": [truth[0], *truth[:-1]]}).agree.bangdiwala_b().iloc[0]
    assert hardly["ci_low"] == 0
