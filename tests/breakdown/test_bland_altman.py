"""Breakdowns of numeric ratings: published values, ways in, groups."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from scipy import stats

from pandas_agreement import AgreementWarning, InputError, LabelTypeError
from pandas_agreement.results import schemas
from tests import bruteforce
from tests.data_sets import rows_of, scores
from tests.helpers import refuses

CODERS = ["ann", "bob", "cleo", "dev"]

# Shrout, P. E. and Fleiss, J. L. (1979). Psychological Bulletin 86, 420-428, table 2
TARGETS = pd.DataFrame(
    {"j1": [9, 6, 8, 7, 10, 6], "j2": [2, 1, 4, 1, 5, 2], "j3": [5, 3, 6, 2, 6, 4], "j4": [8, 2, 8, 6, 9, 7]}
)


FORMS = {"1": "icc_1", "C1": "icc_c1", "A1": "icc_a1", "1k": "icc_1k", "Ck": "icc_ck", "Ak": "icc_ak"}


def test_a_form_is_one_row() -> None:
    table = TARGETS.agree.icc()
    assert table.index.tolist() == list(FORMS.values())
    for form, name in FORMS.items():
        for written in (form, form.lower(), form.upper()):
            assert_frame_equal(TARGETS.agree.icc(form=written), table.loc[[name]])
        assert_frame_equal(TARGETS.agree.icc(form=form), getattr(TARGETS.agree, name)())
    for wrong in ("A2", ""):
        with pytest.raises(InputError, match=rf"^form='{wrong}' is not known\. Use one of '1', 'C1', 'A1', '1k', 'Ck'"):
            TARGETS.agree.icc(form=wrong)


def test_f_tests_are_those_of_the_analysis_of_variance() -> None:
    """Shrout and Fleiss' table 3: mean squares between items 11.24, coders 32.49, within 6.26, error 1.02."""
    table = TARGETS.agree.icc(detail=True)
    ss = TARGETS.to_numpy(float)
    items, coders = 4 * ss.mean(1).var(ddof=1), 6 * ss.mean(0).var(ddof=1)
    error = ((ss - ss.mean(1, keepdims=True) - ss.mean(0) + ss.mean()) ** 2).sum() / 15
    within = ss.var(1, ddof=1).mean()
    assert [round(square, 2) for square in (items, coders, within, error)] == [11.24, 32.49, 6.26, 1.02]
    for name, row in table.iterrows():
        square, df2 = (within, 18) if "_1" in str(name) else (error, 15)
        assert row[["f", "df1", "df2"]].tolist() == pytest.approx([items / square, 5, df2])
        assert row["p_value"] == pytest.approx(stats.f.sf(items / square, 5, df2))
        assert row["p_coders"] == pytest.approx(stats.f.sf(coders / error, 3, 15))
    further = (TARGETS + np.array([0, 5, 10, 20])).agree.icc(detail=True)  # items differ as before
    assert further.loc["icc_c1", "f"] == pytest.approx(table.loc["icc_c1", "f"])
    assert (further["p_coders"] < table["p_coders"]).all()


def test_components_make_the_intraclass_correlation() -> None:
    table = TARGETS.agree.icc(detail=True)
    parts = table[["var_items", "var_coders", "var_error"]]
    assert (parts.nunique() == 1).all()
    row = table.loc["icc_a1"]
    assert row["var_items"] / parts.loc["icc_a1"].sum() == pytest.approx(row["estimate"])
    grouped = pd.concat([TARGETS, TARGETS * 2]).assign(g=[1] * 6 + [2] * 6).agree.icc(*TARGETS, by="g", detail=True)
    ratio = grouped.loc[2, parts.columns] / grouped.loc[1, parts.columns]
    assert ratio.to_numpy() == pytest.approx(4)


def test_the_standard_error_of_measurement_is_that_of_the_form() -> None:
    table = TARGETS.agree.icc(detail=True)
    coders, error = table.loc["icc_a1", ["var_coders", "var_error"]]
    within = TARGETS.var(axis=1).mean()
    single = {"icc_1": within, "icc_c1": error, "icc_a1": coders + error}
    for name, variance in single.items():
        assert table.loc[name, "sem"] == pytest.approx(np.sqrt(variance))
        assert table.loc[name.replace("1", "k") if name != "icc_1" else "icc_1k", "sem"] == pytest.approx(
            np.sqrt(variance / 4)
        )


def test_raters_who_are_not_told_apart_have_no_coder_variance() -> None:
    row = TARGETS.stack().rename("s").reset_index().agree.long(item="level_0", label="s").icc(form="1", detail=True)
    row = row.iloc[0]
    assert row["sem"] ** 2 == pytest.approx(row["var_error"])
    assert row["var_items"] / (row["var_items"] + row["var_error"]) == pytest.approx(row["estimate"])
    assert row[["var_coders", "p_coders"]].isna().all()


def test_kendall_has_its_test_beside_it() -> None:
    row = TARGETS.agree.kendall_w(detail=True).iloc[0]
    assert row["chi2"] == pytest.approx(17.7407, abs=5e-5)
    assert (row["df"], row["p_value"]) == (5, pytest.approx(stats.chi2.sf(row["chi2"], 5)))
    assert list(schemas.KENDALL_DETAIL) == ["chi2", "df", "p_value"]


def test_pairs_of_concordance_have_their_parts() -> None:
    df = scores(40, 4, gaps=0.2).assign(g=[1, 2] * 20)
    found = df.agree.by_pair(*CODERS, metrics="ccc", by="g", detail=True, full=True)
    assert set(schemas.CCC_DETAIL) < set(found.columns)
    for (g, one, two), row in found.iterrows():
        alone = df[df["g"] == g].agree.ccc(one, two, detail=True).iloc[0]
        assert row[list(schemas.CCC_DETAIL)].tolist() == pytest.approx(alone[list(schemas.CCC_DETAIL)].tolist())
        both = df.loc[df["g"] == g, [one, two]].dropna()
        assert row["precision"] == pytest.approx(both.corr().iloc[0, 1])
        assert row["scale_shift"] == pytest.approx(both[one].std() / both[two].std())
        assert np.sign(row["location_shift"]) == np.sign(round(both[one].mean() - both[two].mean(), 12))
    assert df.agree.ccc(*CODERS, by="g", detail=True)[list(schemas.CCC_DETAIL)].isna().all(axis=None)


def test_limits_of_agreement() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(100, 15, 50)
    df = pd.DataFrame({"a": x, "b": x + rng.normal(2, 3, 50)})
    row = df.agree.bland_altman("a", "b").iloc[0]
    difference = df["a"] - df["b"]
    assert row["bias"] == pytest.approx(difference.mean())
    assert row["lower"] == pytest.approx(difference.mean() - 1.959964 * difference.std(), rel=1e-5)
    assert row["bias_low"] < row["bias"] < row["bias_high"]
    assert list(df.agree.bland_altman().columns) == list(schemas.LIMITS.shown)
    detailed = df.agree.bland_altman(detail=True)
    assert list(detailed.columns) == list(schemas.LIMITS)
    for limit in ("lower", "upper"):  # Bland and Altman (1999): t times the error of a limit
        width = stats.t.ppf(0.975, 49) * difference.std() * np.sqrt(1 / 50 + 1.959964**2 / (2 * 49))
        assert detailed[f"{limit}_low"].item() == pytest.approx(row[limit] - width, rel=1e-5)
        assert detailed[f"{limit}_high"].item() == pytest.approx(row[limit] + width, rel=1e-5)


#: peak flow in litres per minute of 17 people, by two meters, twice each (Bland and Altman 1986, table 1)
PEAK_FLOW = {
    "wright_1": [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427],
    "wright_2": [490, 397, 512, 401, 470, 611, 415, 431, 638, 429, 420, 633, 275, 492, 165, 372, 421],
    "mini_1": [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451],
    "mini_2": [525, 415, 508, 444, 500, 625, 460, 390, 642, 432, 420, 605, 227, 467, 268, 370, 443],
}
METERS = {"wright": ["wright_1", "wright_2"], "mini": ["mini_1", "mini_2"]}


def test_limits_of_replicates_as_published() -> None:
    """Bland and Altman (1986): -2.1 and 38.8 for the first readings, 37.7 from the means of both, whose sd is 33.2."""
    df = pd.DataFrame(PEAK_FLOW)
    first, both = (df.agree.bland_altman(*each).iloc[0] for each in (("wright_1", "mini_1"), (METERS,)))
    assert [round(first["bias"], 1), round(first["sd"], 1)] == [-2.1, 38.8]
    assert [round(both["bias"], 1), round(both["sd"], 1)] == [-6.0, 37.7]
    half = stats.t.ppf(0.975, 16) * 33.20414 / np.sqrt(17)
    assert both[["bias_low", "bias_high"]].tolist() == pytest.approx(
        [both["bias"] - half, both["bias"] + half], rel=1e-6
    )


def test_the_axis_of_replicates_names_the_coders() -> None:
    pytest.importorskip("matplotlib", reason="pictures need matplotlib")
    assert pd.DataFrame(PEAK_FLOW).agree.plot.bland_altman(METERS).get_ylabel() == "wright minus mini"


def test_limits_of_unequal_replicates() -> None:
    """The definition in a loop over pairs, with missing readings, a coder who read once, and groups."""
    rng = np.random.default_rng(5)
    names = {"a": ["a1", "a2", "a3"], "b": ["b1", "b2"], "c": ["c1"]}
    value = rng.normal(50, 10, 40)
    df = pd.DataFrame({name: value + rng.normal(0, 3, 40) for each in names.values() for name in each})
    df = df.mask(rng.random(df.shape) < 0.2).astype("Float64").assign(g=[1, 2] * 20)
    found = df.agree.bland_altman(names, by="g", detail=True)
    for (g, one, two), row in found.iterrows():
        part = df[df["g"] == g].astype(float)
        part = part[part[names[one]].notna().any(axis=1) & part[names[two]].notna().any(axis=1)]
        difference = part[names[one]].mean(axis=1) - part[names[two]].mean(axis=1)
        single, noise = difference.var(), 2 * difference.var() ** 2 / (len(part) - 1)
        for coder in (one, two):
            m = part[names[coder]].count(axis=1)
            df_within = (m - 1).sum()
            if df_within:
                squares = part[names[coder]].sub(part[names[coder]].mean(axis=1), axis=0).to_numpy() ** 2
                more = (1 - (1 / m).mean()) * np.nansum(squares) / df_within
                single, noise = single + more, noise + 2 * more**2 / df_within
        assert row[["bias", "sd", "n_items"]].tolist() == pytest.approx([difference.mean(), np.sqrt(single), len(part)])
        error = np.sqrt(difference.var() / len(part) + 1.959964**2 * noise / (4 * single))
        width = stats.t.ppf(0.975, len(part) - 1) * error
        assert row["upper_high"] - row["upper"] == pytest.approx(width, rel=1e-5)
    assert set(found.index.get_level_values("coder_2")) == {"b", "c"}


def test_replicates_that_cannot_be_used() -> None:
    df = pd.DataFrame(PEAK_FLOW)
    remedy = "Write df.agree.bland_altman({'ann': ['ann_1', 'ann_2'], 'bob': ['bob_1', 'bob_2']})."
    with refuses(InputError, f"bland_altman needs a list of its columns for each coder, and 'w' has 'w1'. {remedy}"):
        df.agree.bland_altman({"w": "w1"})
    words = df.astype(str).replace(r"^(\d)", r"no \1", regex=True)
    with pytest.raises(LabelTypeError, match="bland_altman needs numbers"):
        words.agree.bland_altman(METERS)
    long = df.rename_axis("item").stack().rename_axis(["item", "who"]).rename("flow").reset_index()
    with refuses(InputError, "bland_altman takes a dict of columns for wide data. Give the coders' names."):
        long.agree.long(item="item", coder="who", label="flow").bland_altman(METERS)


def test_limits_of_agreement_say_why_they_are_undefined() -> None:
    df = pd.DataFrame({"a": [1.0, 2, 3, None], "b": [2.0, 2, 5, None], "c": [1.5, None, None, 3]})
    found = df.agree.bland_altman(detail=True)
    assert found.loc[("a", "c"), "bias"] == -0.5
    assert found.loc[("a", "c"), ["sd", "lower", "upper"]].isna().all()
    assert found.loc[("a", "c"), ["note", "remarks"]].tolist() == ["undefined", "one item: limits undefined"]
    assert found.loc[("a", "b"), ["note", "remarks"]].tolist() == ["", ""]
    with pytest.warns(AgreementWarning, match=r"^The bias is undefined \(NaN\): no item rated by both"):
        apart = df.iloc[1:].agree.bland_altman("a", "c", detail=True).iloc[0]
    assert apart[["note", "remarks"]].tolist() == ["no pairs", "no item rated by both"]
    assert (apart["n_items"], apart["bias"]) == (0, pytest.approx(np.nan, nan_ok=True))


def test_averages_without_variance_are_undefined_and_say_so() -> None:
    df = pd.DataFrame({"a": [1.0, 3, 1, 3], "b": [3.0, 1, 3, 1]})
    for name in ("icc_1k", "icc_ck", "cronbach_alpha"):
        with pytest.warns(AgreementWarning, match="no reliability of means"):
            row = getattr(df.agree, name)(detail=True).iloc[0]
        assert np.isnan([row["estimate"], row["ci_low"], row["ci_high"]]).all()
        assert row["remarks"] == "no reliability of means: their variance is estimated as 0 or less"


@pytest.mark.parametrize("coders", [2, 3])
def test_the_standard_error_of_concordance_is_the_one_of_its_interval(coders: int) -> None:
    row = TARGETS.iloc[:, :coders].agree.ccc(detail=True).iloc[0]
    width = (np.arctanh(row["ci_high"]) - np.arctanh(row["ci_low"])) / 2
    assert width == pytest.approx(stats.t.ppf(0.975, 5) * row["se"] / (1 - row["estimate"] ** 2))
    assert row["ci_method"] == "jackknife z"


def test_concordance_with_a_constant_coder_has_no_interval() -> None:
    row = pd.DataFrame({"a": [1, 2, 3, 5], "b": [3, 3, 3, 3]}).agree.ccc(detail=True).iloc[0]
    assert row["estimate"] == 0
    assert np.isnan([row["ci_low"], row["ci_high"], row["se"]]).all()
    assert row["remarks"] == "same without each item: no se"


SCALES = [lambda df: df * 1e200, lambda df: df * 1e-200, lambda df: df.astype("Int64") + 2**60]


@pytest.mark.parametrize("change", SCALES, ids=["large", "small", "integers"])
@pytest.mark.parametrize("gap", [False, True])
def test_numbers_at_the_edge_are_like_any_other(change: Callable[[pd.DataFrame], pd.DataFrame], gap: bool) -> None:
    df = scores(40, 3).astype(float)
    if gap:
        df.iloc[::5, 1] = np.nan
    edge = change(df)
    names = ["icc_1", "icc_a1", "icc_ck", "ccc", "pearson", "spearman", "kendall_w", "cronbach_alpha"]
    found, expected = (frame.agree.summary(metrics=names, detail=True) for frame in (edge, df))
    assert_frame_equal(found, expected, rtol=1e-9)
    calls = [("alpha", {"level": level}) for level in ("interval", "bipolar", "ordinal")]
    calls += [("kappa", {"weights": weights}) for weights in ("linear", "quadratic", "radical", "ordinal")]
    for name, options in calls:
        found, expected = (
            getattr(frame.agree, name)(**options, detail=True).drop(
                columns="n_categories"
            )  # fractions are not categories
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
    with pytest.raises(InputError, match=r"^The variances of such numbers are beyond the range of floats\. Divide"):
        together.agree.icc("ann", "bob", "cleo", by="g", detail=True)


def test_ratios_of_integers_that_floats_do_not_hold_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        (TARGETS + 2**60).agree.kappa(weights="ratio")
    assert str(caught.value) == (
        "weights='ratio' needs numbers that a float represents exactly, and a label is beyond 2^53. Use 'quadratic' or "
        "'interval' instead."
    )


def test_items_with_gaps_are_counted_where_they_cannot_be_used() -> None:
    df = TARGETS.astype(float)
    df.loc[0, "j1"] = np.nan
    row = df.agree.cronbach_alpha(detail=True).iloc[0]
    assert (row["note"], row["remarks"]) == ("left out", "1 item with missing values left out")
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
