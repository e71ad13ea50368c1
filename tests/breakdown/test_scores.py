"""Breakdowns of numeric ratings: published values, ways in, groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from scipy import stats

from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.results import schemas
from tests import bruteforce
from tests.data_sets import LONG, as_long, rows_of, scores, to_long
from tests.helpers import same

CODERS = ["ann", "bob", "cleo", "dev"]

# Shrout, P. E. and Fleiss, J. L. (1979). Psychological Bulletin 86, 420-428, table 2
TARGETS = pd.DataFrame(
    {"j1": [9, 6, 8, 7, 10, 6], "j2": [2, 1, 4, 1, 5, 2], "j3": [5, 3, 6, 2, 6, 4], "j4": [8, 2, 8, 6, 9, 7]}
)


def test_shrout_and_fleiss() -> None:
    table = TARGETS.agree.icc()
    published = {"icc_1": 0.17, "icc_a1": 0.29, "icc_c1": 0.71, "icc_1k": 0.44, "icc_ak": 0.62, "icc_ck": 0.91}
    assert table["estimate"].round(2).to_dict() == published
    limits = table[["ci_low", "ci_high"]].round(4)
    assert limits.loc["icc_a1"].tolist() == [0.0188, 0.7611]
    assert limits.loc["icc_ak"].tolist() == [0.0711, 0.9272]
    assert TARGETS.agree.icc2()["estimate"].iloc[0] == table.loc["icc_a1", "estimate"]
    assert TARGETS.agree.kendall_w()["estimate"].iloc[0] == pytest.approx(0.887037, abs=5e-7)
    cronbach = TARGETS.agree.cronbach_alpha()
    assert cronbach[["estimate", "ci_low", "ci_high"]].round(4).iloc[0].tolist() == [0.9093, 0.6757, 0.9859]


def test_the_tests_are_named_for_what_they_test() -> None:
    table = TARGETS.agree.score_tests()
    assert list(table.columns) == list(schemas.SCORE_TESTS)
    assert table.loc["kendall_chi2", "statistic"] == pytest.approx(17.7407, abs=5e-5)
    level = TARGETS + np.array([0, 5, 10, 20])  # coders further apart: items differ as before
    moved = level.agree.score_tests()
    assert moved.loc["icc_c", "statistic"] == pytest.approx(table.loc["icc_c", "statistic"])
    assert moved.loc["coder_bias", "statistic"] > table.loc["coder_bias", "statistic"]
    mean_squares = TARGETS.to_numpy().mean(0).var(ddof=1) * 6
    error = (
        (TARGETS.sub(TARGETS.mean(axis=1), axis=0).sub(TARGETS.mean() - TARGETS.to_numpy().mean()) ** 2)
        .to_numpy()
        .sum()
    )
    assert table.loc["coder_bias", "statistic"] == pytest.approx(mean_squares / (error / 15))


def test_components_make_the_intraclass_correlation() -> None:
    row = TARGETS.agree.components().iloc[0]
    total = row["items"] + row["coders"] + row["error"]
    assert row["items"] / total == pytest.approx(TARGETS.agree.icc_a1()["estimate"].iloc[0])
    grouped = pd.concat([TARGETS, TARGETS * 2]).assign(g=[1] * 6 + [2] * 6).agree.components(*TARGETS.columns, by="g")
    assert (grouped.loc[2, ["items", "coders", "error"]] / grouped.loc[1, ["items", "coders", "error"]]).tolist() == (
        pytest.approx([4, 4, 4])
    )


def test_concordance_is_quadratic_kappa() -> None:
    df = scores(40, 2, gaps=0)
    row = df.agree.concordance().iloc[0]
    kappa = df.agree.kappa(weights="quadratic")["estimate"].iloc[0]
    assert row["ccc"] == pytest.approx(kappa)
    assert row["precision"] * row["accuracy"] == pytest.approx(kappa)
    assert df.agree.ccc()["estimate"].iloc[0] == pytest.approx(kappa)
    many = scores(40, 4, gaps=0.2)
    assert many.agree.ccc()["estimate"].iloc[0] == pytest.approx(
        many.agree.kappa(weights="quadratic")["estimate"].iloc[0]
    )


def test_limits_of_agreement() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(100, 15, 50)
    df = pd.DataFrame({"a": x, "b": x + rng.normal(2, 3, 50)})
    row = df.agree.bland_altman("a", "b").iloc[0]
    difference = df["a"] - df["b"]
    assert row["bias"] == pytest.approx(difference.mean())
    assert row["lower"] == pytest.approx(difference.mean() - 1.959964 * difference.std(), rel=1e-5)
    assert row["bias_low"] < row["bias"] < row["bias_high"]
    assert list(df.agree.bland_altman().columns) == list(schemas.LIMITS)


def test_association_is_not_agreement() -> None:
    df = scores(60, 3, gaps=0)
    pairs = df.agree.by_pair(metric="pearson")
    expected = df.corr().to_numpy()[np.triu_indices(3, 1)]
    np.testing.assert_allclose(pairs["estimate"], expected)
    assert pairs["ci_low"].notna().all()
    mean = df.agree.pearson().iloc[0]
    assert mean["estimate"] == pytest.approx(expected.mean())
    assert np.isnan(mean["ci_low"])
    ranks = df.agree.by_pair(metric="spearman")["estimate"]
    np.testing.assert_allclose(ranks, df.corr(method="spearman").to_numpy()[np.triu_indices(3, 1)])


@pytest.mark.parametrize("metric", ["alpha", "cronbach_alpha", "icc_a1", "kappa"])
def test_without_each_coder(metric: str) -> None:
    df = scores(60, 4, gaps=0).assign(batch=["x", "y"] * 30)
    table = df.agree.without(*CODERS, metric=metric, by="batch")
    assert table.index.names == ["batch", "coder", "coefficient"]
    rest = getattr(df.agree, metric)("ann", "cleo", "dev", by="batch", categories=[1, 2, 3, 4])
    assert_frame_equal(table.xs("bob", level="coder"), rest)


#: options, among them those for which it matters that only dev gave a 5
WITHOUT = [
    {"metric": "ac1"},
    {"metric": "alpha", "level": "ordinal", "missing": "complete"},
    {"metric": "alpha", "level": "interval", "clusters": "site"},
    {"metric": "kappa", "categories": "group"},
    {"metric": "s", "categories": [1, 2, 3, 4, 5, 6]},
    {"metric": "icc_c1"},
]


@pytest.mark.parametrize("options", WITHOUT, ids=lambda options: "-".join(map(str, options.values())))
@pytest.mark.parametrize("fractions", [0.0, 0.5])
def test_without_is_the_call_with_all_others(options: dict[str, Any], fractions: float) -> None:
    df = scores(60, 4).assign(batch=["x", "y", "z"] * 20)
    df.loc[::7, "dev"] = 5
    if "categories" not in options:
        df[CODERS] += fractions
    df["site"] = np.arange(60) // 4
    metric, given = options["metric"], {name: value for name, value in options.items() if name != "metric"}
    keys = ("batch", "site")
    for data in (df.agree, to_long(df, keys).agree.long(**LONG)):
        found = data.without(*CODERS, by="batch", **options)
        for coder in CODERS:
            rest = [name for name in CODERS if name != coder]
            same(found.xs(coder, level="coder"), getattr(data, metric)(*rest, by="batch", **given))


def test_averages_without_variance_are_undefined_and_say_so() -> None:
    df = pd.DataFrame({"a": [1.0, 3, 1, 3], "b": [3.0, 1, 3, 1]})
    for name in ("icc_1k", "icc_ck", "cronbach_alpha"):
        with pytest.warns(AgreementWarning, match="no reliability of means"):
            row = getattr(df.agree, name)().iloc[0]
        assert np.isnan([row["estimate"], row["ci_low"], row["ci_high"]]).all()
        assert row["note"] == "no reliability of means: their variance is estimated as 0 or less"


@pytest.mark.parametrize("coders", [2, 3])
def test_the_standard_error_of_concordance_is_the_one_of_its_interval(coders: int) -> None:
    row = TARGETS.iloc[:, :coders].agree.ccc().iloc[0]
    width = (np.arctanh(row["ci_high"]) - np.arctanh(row["ci_low"])) / 2
    assert width == pytest.approx(stats.t.ppf(0.975, 5) * row["se"] / (1 - row["estimate"] ** 2))
    assert row["ci_method"] == "jackknife z"


def test_concordance_with_a_constant_coder_has_no_interval() -> None:
    row = pd.DataFrame({"a": [1, 2, 3, 5], "b": [3, 3, 3, 3]}).agree.ccc().iloc[0]
    assert row["estimate"] == 0
    assert np.isnan([row["ci_low"], row["ci_high"], row["se"]]).all()
    assert row["note"] == "same without each item: no se"


SCALES = [lambda df: df * 1e200, lambda df: df * 1e-200, lambda df: df.astype("Int64") + 2**60]


@pytest.mark.parametrize("change", SCALES, ids=["large", "small", "integers"])
@pytest.mark.parametrize("gap", [False, True])
def test_numbers_at_the_edge_are_like_any_other(change: Callable[[pd.DataFrame], pd.DataFrame], gap: bool) -> None:
    df = scores(40, 3).astype(float)
    if gap:
        df.iloc[::5, 1] = np.nan
    edge = change(df)
    names = ["icc_1", "icc_a1", "icc_ck", "ccc", "pearson", "spearman", "kendall_w", "cronbach_alpha"]
    assert_frame_equal(edge.agree.summary(metrics=names), df.agree.summary(metrics=names), rtol=1e-9)
    calls = [("alpha", {"level": level}) for level in ("interval", "bipolar", "ordinal")]
    calls += [("kappa", {"weights": weights}) for weights in ("linear", "quadratic", "radical", "ordinal")]
    for name, options in calls:
        found, expected = (
            getattr(frame.agree, name)(**options).drop(columns="n_categories")  # fractions are not categories
            for frame in (edge, df)
        )
        assert_frame_equal(found, expected, rtol=1e-9)


def test_groups_of_very_different_magnitude() -> None:
    df = scores(30, 3).astype(float)
    together = pd.concat([(df * factor).assign(g=factor) for factor in (1e-200, 1.0, 1e200)])
    found = together.agree.summary("ann", "bob", "cleo", by="g", metrics=["icc_a1", "ccc", "pearson"])["estimate"]
    assert np.ptp(found.unstack("g").to_numpy(), axis=1) == pytest.approx(0, abs=1e-9)
    limits = together.agree.bland_altman("ann", "bob", "cleo", by="g")["upper"].unstack("g")
    assert (limits[1e200] / 1e200).to_numpy() == pytest.approx(limits[1.0].to_numpy())
    with pytest.raises(InputError, match=r"^the variances of such numbers are beyond the range of floats; divide"):
        together.agree.components("ann", "bob", "cleo", by="g")


def test_ratios_of_integers_that_floats_do_not_hold_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        (TARGETS + 2**60).agree.kappa(weights="ratio")
    assert str(caught.value) == (
        "weights='ratio' needs numbers that a float holds exactly, and a label is beyond 2^53; use 'quadratic' or "
        "'interval' instead"
    )


def test_items_with_gaps_are_counted_where_they_cannot_be_used() -> None:
    df = TARGETS.astype(float)
    df.loc[0, "j1"] = np.nan
    row = df.agree.cronbach_alpha().iloc[0]
    assert row["note"] == "1 item with gaps left out"
    assert row["estimate"] == pytest.approx(TARGETS.iloc[1:].agree.cronbach_alpha()["estimate"].iloc[0])


def test_kendall_uses_items_with_gaps_unless_told_otherwise() -> None:
    df = TARGETS.astype(float)
    df.loc[0, "j1"] = np.nan
    row = df.agree.kendall_w().iloc[0]
    assert row["estimate"] == pytest.approx(bruteforce.kendall_w_with_gaps(rows_of(df)))
    assert (row["note"], row["n_items"]) == ("", 6)
    complete = df.agree.kendall_w(missing="complete").iloc[0]
    assert complete["estimate"] == pytest.approx(TARGETS.iloc[1:].agree.kendall_w()["estimate"].iloc[0])
    assert complete["n_items"] == 5


def test_scores_are_the_same_in_long_form_and_by_group() -> None:
    df = scores(60, 3).assign(batch=["x", "y"] * 30)
    door = as_long(df, ("batch",))
    coders = ["ann", "bob", "cleo"]
    for name in ("score_tests", "components", "bland_altman", "concordance"):
        wide = getattr(df.agree, name)(*coders, by="batch")
        assert_frame_equal(getattr(door, name)(by="batch"), wide, rtol=1e-6)
