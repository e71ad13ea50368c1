"""Every registered coefficient keeps the same promises."""

from __future__ import annotations

import inspect
import warnings
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import pandas_agreement
from pandas_agreement import scales
from pandas_agreement.accessor.coefficients import method_of
from pandas_agreement.accessor.docs import INTERVALS, methods_of
from pandas_agreement.coefficients.registry import COMMON, REGISTRY, Coefficient
from pandas_agreement.options import OPTIONS
from pandas_agreement.results import schemas
from tests import bruteforce
from tests.contract import EVERY, NAMES, NUMERIC, VALUES, bare, call, oracle, same, value
from tests.data_sets import LONG, rows_of, scores, to_counts, to_long
from tests.helpers import defaults, every

CORRECTED = [name for name in NAMES if REGISTRY[name].corrected]
RULES = ("pairable", "all", "complete")
WEIGHTS = ("nominal", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar")
LEVELS = ("nominal", "ordinal", "interval", "linear", "radical", "ratio", "circular", "bipolar")


def data(name: str, n_coders: int = 3) -> pd.DataFrame:
    """Scores with gaps; fewer of numbers, whose variance components are found by iteration."""
    return scores(24 if name in NUMERIC else 60, n_coders)


# ------------------------------------------------------------------------------------------------- invariances


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("n_coders", [2, 3])
def test_the_order_of_coders_and_items_does_not_matter(name: str, n_coders: int) -> None:
    df = data(name, n_coders)
    expected = call(df.agree, name)
    same(call(df.sample(frac=1, random_state=1).agree, name), expected)
    turned = call(df[df.columns[::-1]].agree, name)
    shifts = {"location_shift", "scale_shift"} & set(expected)  # of the first coder to the second
    same(turned.drop(columns=shifts), expected.drop(columns=shifts))


@pytest.mark.parametrize("name", [name for name in NAMES if not REGISTRY[name].needs_weights])
def test_renamed_labels_do_not_matter_to_nominal_coefficients(name: str) -> None:
    df = scores()
    same(call(df.replace({1: "zeta", 2: "b", 3: "yes", 4: "a"}).agree, name), call(df.agree, name))


@pytest.mark.parametrize("name", NAMES)
def test_data_taken_twice_give_the_same_value(name: str) -> None:
    df = scores()
    once, twice = value(df.agree, name), value(pd.concat([df, df]).agree, name)
    if REGISTRY[name].unit == "label":  # alpha corrects for the size of the sample
        n = int(df[df.notna().sum(axis=1) >= 2].notna().sum().sum())
        once = 1 - (1 - once) * (n / (n - 1)) * (2 * n - 1) / (2 * n)
    assert twice == pytest.approx(once, abs=1e-12)


def at_observed(monkeypatch: pytest.MonkeyPatch, agreement: float) -> None:
    """Let the definitions find this observed agreement, whatever the data are."""
    disagreements = bruteforce.alpha_disagreements
    monkeypatch.setattr(bruteforce, "observed", lambda *args: agreement)
    monkeypatch.setattr(bruteforce, "kappa_observed", lambda *args: agreement)
    monkeypatch.setattr(bruteforce, "alpha_disagreements", lambda *args: (1 - agreement, disagreements(*args)[1]))
    monkeypatch.setitem(bruteforce.ORACLES, "observed", lambda *args, **options: agreement)


@pytest.mark.parametrize("name", [name for name in NAMES if REGISTRY[name].perfect is not None])
@pytest.mark.parametrize("gaps", [0, 3])
def test_perfect_agreement_is_one_with_a_bound(name: str, gaps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lower limit is the value at the least agreement that looks perfect in 8 items once in 40 samples."""
    truth = [1.0, 2, 3, 1, 2, 2, 3, 4]
    df = pd.DataFrame({"ann": truth, "bob": truth, "cleo": truth})
    df.iloc[8 - gaps :, 2] = np.nan
    row = call(df.agree, name).iloc[0]
    assert row["estimate"] == REGISTRY[name].perfect
    assert (row["se"], row["ci_high"]) == (0, 1)
    assert row["note"] in ("perfect", "perfect+")
    assert row["remarks"].startswith("perfect: ci_low is a bound")
    at_observed(monkeypatch, 0.025 ** (1 / 8))
    weights = defaults(name).get("weights", "nominal")
    assert row["ci_low"] == pytest.approx(max(REGISTRY[name].range[0], oracle(name, weights)(rows_of(df))), abs=1e-12)


def test_perfect_agreement_has_no_bias() -> None:
    df = pd.DataFrame({"ann": [1, 2, 3], "bob": [1, 2, 3]})
    assert value(df.agree, "bias") == 0


@pytest.mark.parametrize("name", EVERY)
def test_nothing_is_done_to_the_frame(name: str) -> None:
    df = scores().assign(batch="x")
    before = df.copy(deep=True)
    call(df.agree, name, by="batch")
    call(df.agree, name, "ann", "bob")
    assert_frame_equal(df, before)


# ------------------------------------------------------------------------------------------------- ways in and groups


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("n_coders", [2, 4])
def test_wide_and_long_are_the_same(name: str, n_coders: int) -> None:
    df = data(name, n_coders)
    door = to_long(df).sample(frac=1, random_state=2).agree.long(**LONG)

    def check(coders: list[str], missing: str) -> None:
        same(call(door, name, *coders, missing=missing), call(df.agree, name, *coders, missing=missing))

    cases: dict[str, Any] = {rule: ([], rule) for rule in RULES}
    every(cases | ({"chosen": (["ann", "bob"], "pairable")} if n_coders > 2 else {}), check)


@pytest.mark.parametrize("name", EVERY)
def test_wide_and_crosstab_are_the_same(name: str) -> None:
    df = scores(n_coders=2)
    table = pd.crosstab(df["ann"], df["bob"])
    same(call(table.agree.crosstab(), name), call(df.agree, name))


@pytest.mark.parametrize("name", [name for name in NAMES if not REGISTRY[name].needs_coders])
@pytest.mark.parametrize("missing", ["pairable", "all"])
def test_wide_and_counts_are_the_same(name: str, missing: str) -> None:
    df = scores()
    counts = to_counts(df, [1, 2, 3, 4])
    same(call(counts.agree.counts(), name, missing=missing), call(df.agree, name, missing=missing))


@pytest.mark.parametrize("name", [name for name in EVERY if REGISTRY[name].needs_coders])
def test_counts_refuse_what_needs_coders(name: str) -> None:
    with pytest.raises(pandas_agreement.InputError, match="needs the coder of each label"):
        call(pd.DataFrame({1: [2, 1], 2: [0, 1]}).agree.counts(), name)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("n_coders", [2, 3])
def test_groups_are_the_same_on_every_road(name: str, n_coders: int) -> None:
    coders = ["ann", "bob", "cleo"][:n_coders]
    rtol = 1e-6 if name in NUMERIC else 1e-10  # variance components are found by iteration
    df = data(name, n_coders).astype("Int64").astype(pd.CategoricalDtype([1, 2, 3, 4], ordered=True))
    df["batch"] = np.random.default_rng(3).choice(["x", "y"], len(df))
    door = to_long(df, ("batch",)).astype({"tag": df["ann"].dtype}).agree.long(**LONG)
    parts = df.groupby("batch")

    def check(missing: str) -> None:
        grouped = call(df.agree, name, *coders, by="batch", missing=missing)
        same(call(parts.agree, name, *coders, missing=missing), grouped, rtol)
        each = parts[coders].apply(lambda g: call(g.agree, name, *coders, missing=missing))
        same(each.droplevel("coefficient"), grouped.drop(columns="coefficient"), rtol)
        same(call(door, name, by="batch", missing=missing), grouped, rtol)

    rules = RULES if n_coders > 2 else RULES[:2]  # complete items of two coders are the pairable ones
    rules = RULES[:1] if name in NUMERIC else rules  # those of numbers are compared above
    every({rule: (rule,) for rule in rules}, check)


@pytest.mark.parametrize("name", EVERY)
def test_two_keys_make_two_levels(name: str) -> None:
    df = scores(100).assign(batch=["x", "y"] * 50, site=[1, 1, 2, 2] * 25)
    grouped = call(df.agree, name, by=["batch", "site"])
    assert grouped.index.names == ["batch", "site"]
    assert (grouped["coefficient"] == name).all()
    one = df[(df["batch"] == "y") & (df["site"] == 2)][["ann", "bob", "cleo"]]
    same(bare(grouped.loc[[("y", 2)]]), bare(call(one.agree, name)))


# ------------------------------------------------------------------------------------------------- definitions


def named(*options: Any) -> dict[str, tuple[Any, ...]]:
    """Every combination of options, by its name."""
    return {" ".join(map(str, case)): case for case in product(*options)}


@pytest.mark.parametrize("name", NAMES)
def test_value_and_standard_error_follow_the_definition(name: str) -> None:
    weights = WEIGHTS if REGISTRY[name].accepts("weights") else WEIGHTS[:1]
    every(named([name], weights[:2], RULES, (2, 3)) | named([name], weights[2:], ["pairable"], (3,)), check_definition)


def check_definition(name: str, weights: str, missing: str, n_coders: int) -> None:
    df = scores(24, n_coders, gaps=0.25, seed=n_coders)
    options = {"weights": weights} if REGISTRY[name].accepts("weights") else {}
    row = getattr(df.agree, name)(missing=missing, categories=VALUES, **options).iloc[0]
    function, rows = oracle(name, weights, missing), rows_of(df)
    assert row["estimate"] == pytest.approx(float(function(rows)), abs=1e-12)
    rule = REGISTRY[name].rule(missing)
    assert row["se"] == pytest.approx(bruteforce.influence_se(function, rows, rule), rel=1e-9)


@pytest.mark.parametrize("name", NUMERIC)
@pytest.mark.parametrize("n_coders", [2, 3])
def test_the_value_of_numbers_follows_the_definition(name: str, n_coders: int) -> None:
    df = scores(20, n_coders, gaps=0, seed=n_coders)
    expected = bruteforce.ORACLES[name](df.to_numpy().tolist())
    assert value(df.agree, name) == pytest.approx(expected, abs=1e-12)


DISTANCES: dict[str, Any] = {
    "nominal": bruteforce.nominal_distance,
    "ordinal": "ordinal",
    "interval": bruteforce.interval_distance,
    "linear": bruteforce.linear_distance,
    "radical": bruteforce.radical_distance,
    "ratio": bruteforce.ratio_distance,
    "circular": bruteforce.circular_distance(4),
    "bipolar": bruteforce.bipolar_distance(1, 4),
}


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_and_its_standard_error_follow_the_definition(level: str) -> None:
    every(named([level], RULES, (4,)) | named([level], ["pairable"], (2,)), check_alpha)


def check_alpha(level: str, missing: str, n_coders: int) -> None:
    df = scores(16, n_coders, gaps=0.3, seed=7)
    row = df.agree.alpha(level=level, missing=missing, categories=VALUES).iloc[0]
    rule = "complete" if missing == "complete" else "pairable"
    rows = rows_of(df)

    def function(rows: Any, omega: Any = None) -> Any:
        return bruteforce.alpha(rows, DISTANCES[level], missing=rule, omega=omega, categories=VALUES)

    assert row["estimate"] == pytest.approx(float(function(rows)), abs=1e-12)
    assert row["se"] == pytest.approx(bruteforce.influence_se(function, rows, rule), rel=1e-9)


@pytest.mark.parametrize("missing", ["pairable", "complete"])
def test_kappa_pooled_over_pairs_follows_the_definition(missing: str) -> None:
    df = scores(20, 4, gaps=0.3, seed=5)
    row = df.agree.kappa(pool="pairs", missing=missing).iloc[0]

    def function(rows: Any, omega: Any = None) -> Any:
        return bruteforce.kappa(rows, missing=missing, pool="pairs", omega=omega)

    rows = rows_of(df)
    assert row["estimate"] == pytest.approx(float(function(rows)), abs=1e-12)
    assert row["se"] == pytest.approx(bruteforce.influence_se(function, rows, missing), rel=1e-9)


@pytest.mark.parametrize("name", [*NAMES, "pooled", "ordinal"])
def test_jackknife_leaves_out_one_item_at_a_time(name: str) -> None:
    df = scores(14, 3, gaps=0.1, seed=11)
    df = df[df.notna().sum(axis=1) >= 2]  # so that leaving out a row is leaving out an item that counts
    special = {"pooled": ("kappa", {"pool": "pairs"}), "ordinal": ("alpha", {"level": "ordinal"})}
    method, options = special.get(name, (name, {}))
    options = options | {"categories": VALUES, "ci": None}

    def function(rows: Any) -> float:
        part = pd.DataFrame(rows, columns=df.columns)
        return value(part.agree, method, **options)

    se = call(df.agree, method, **(options | {"ci": 0.95, "method": "jackknife"}))["se"].iloc[0]
    assert se == pytest.approx(bruteforce.jackknife_se(function, df.to_numpy().tolist()), rel=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_clusters_of_one_item_change_nothing_but_the_degrees_of_freedom(name: str) -> None:
    df = scores().assign(doc=range(60))
    df = df[df[["ann", "bob", "cleo"]].notna().sum(axis=1) >= 2]
    clustered = call(df.agree, name, clusters="doc")
    same(clustered, call(df.drop(columns="doc").agree, name))


@pytest.mark.parametrize("name", NAMES)
def test_items_in_pairs_have_the_standard_error_of_half_the_sample(name: str) -> None:
    df = scores(60, gaps=0.2)
    df = df[df.notna().sum(axis=1) >= 2].reset_index(drop=True)
    twice = pd.concat([df, df]).assign(doc=[*range(len(df))] * 2)
    se = call(twice.agree, name, clusters="doc")["se"].iloc[0]
    once = call(df.agree, name)["se"].iloc[0]
    loose = 0.02 if REGISTRY[name].unit == "label" else 1e-9  # alpha itself moves a little
    assert se == pytest.approx(once, rel=loose)


def test_many_categories_give_the_same_numbers_as_few(monkeypatch: pytest.MonkeyPatch) -> None:
    df = scores(80, 4, 6).assign(batch=["x", "y"] * 40)
    metrics = [name for name in NAMES if name != "ac2"]
    calls: dict[str, Any] = {
        "nominal": lambda: df.agree.summary(metrics=metrics, by="batch", detail=True),
        "weighted": lambda: df.agree.summary(
            metrics=["kappa", "ac2"], weights="linear", by="batch", method="jackknife", detail=True
        ),
        "rates": lambda: df.agree.by_category(by="batch", detail=True),
    }
    dense = {name: method() for name, method in calls.items()}
    monkeypatch.setattr("pandas_agreement.core.ratings.dense_is_small", lambda *sizes: False)
    for module in ("contingency", "pairs"):
        monkeypatch.setattr(f"pandas_agreement.core.{module}.is_sparse", lambda *sizes: True)
    for name, method in calls.items():
        same(method(), dense[name])


# ------------------------------------------------------------------------------------------------- results


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ci", [None, 0.9])
def test_the_result_has_the_one_schema(name: str, ci: float | None) -> None:
    shown = call(scores().agree, name, ci=ci, detail=False)
    assert list(shown.columns) == list(schemas.RESULT.shown)
    result = call(scores().agree, name, ci=ci)
    assert list(result.columns) == [*schemas.RESULT, *(schemas.KAPPA_DETAIL if name == "kappa" else ())]
    assert_frame_equal(result[shown.columns], shown)
    for column, (dtype, _) in schemas.RESULT.items():
        expected = pd.Series(["x"]).dtype if dtype == "str" else np.dtype(dtype)
        assert result[column].dtype == expected, column
    assert type(result) is pd.DataFrame
    assert result.index.names == ["coefficient"]
    assert result.index.tolist() == [name]
    row = result.iloc[0]
    assert row["ci_method"] == ("" if ci is None else "score" if REGISTRY[name].at_shares else "analytic")
    interval = row[["se", "ci_low", "ci_high", "ci_level"]]
    assert interval.isna().all() if ci is None else interval.notna().all()


@pytest.mark.parametrize("name", NAMES)
def test_limits_stay_in_range_and_around_the_estimate(name: str) -> None:
    low, high = REGISTRY[name].range
    for method in REGISTRY[name].all_methods:
        row = call(scores(12, gaps=0).agree, name, method=method).iloc[0]
        assert low <= row["ci_low"] <= row["estimate"] <= row["ci_high"] <= high


@pytest.mark.parametrize("name", CORRECTED)
def test_the_log_interval_is_symmetric_for_the_log_of_disagreement(name: str) -> None:
    row = call(scores(300).agree, name, method="log").iloc[0]
    gap = np.log(1 - row[["ci_low", "estimate", "ci_high"]].astype(float))
    assert gap.iloc[0] - gap.iloc[1] == pytest.approx(gap.iloc[1] - gap.iloc[2])


@pytest.mark.parametrize("name", NAMES)
def test_one_category_is_undefined_with_one_warning(name: str) -> None:
    df = pd.DataFrame({"ann": [1, 1, 1], "bob": [1, 1, 1]})
    record = REGISTRY[name]
    if not record.corrected:
        assert value(df.agree, name) == (0 if record.perfect is None else 1)
        return
    with pytest.warns(pandas_agreement.AgreementWarning, match="undefined") as caught:
        row = getattr(df.agree, name)(detail=True, **defaults(name)).iloc[0]
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert np.isnan(row["estimate"])
    assert np.isnan(row["se"])
    assert row["n_items"] == 3
    assert row["note"] == ("one categor+" if name == "light_kappa" else "one category")
    assert row["remarks"].startswith(
        "only one category: give categories=" if record.depends_on_k else "only one category used"
    )
    if record.depends_on_k:
        assert value(df.agree, name, categories=[1, 2]) == 1


@pytest.mark.parametrize("name", EVERY)
def test_nothing_to_compare_is_undefined_and_says_so(name: str) -> None:
    df = pd.DataFrame({"ann": [1.0, None, 2], "bob": [None, 2.0, None]})
    with pytest.warns(pandas_agreement.AgreementWarning, match="no item with two labels"):
        row = call(df.agree, name).iloc[0]
    assert np.isnan(row["estimate"])
    assert (row["n_items"], row["n_coders"]) == (0, 0)


@pytest.mark.parametrize("name", EVERY)
def test_no_rows_at_all_is_undefined(name: str) -> None:
    with pytest.warns(pandas_agreement.AgreementWarning, match="no item with two labels"):
        row = call(scores().iloc[:0].agree, name).iloc[0]
    assert np.isnan(row["estimate"])
    assert row["n_items"] == 0


@pytest.mark.parametrize("name", EVERY)
def test_bad_groups_do_not_spoil_the_others(name: str) -> None:
    df = pd.concat([scores(40, 2), pd.DataFrame({"ann": [1.0, 1], "bob": [1.0, None]})], ignore_index=True)
    df["batch"] = ["good"] * 40 + ["bad"] * 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = call(df.agree, name, by="batch")
    assert len(caught) <= 1
    same(result.loc[["good"]], call(df[df["batch"] == "good"].agree, name, by="batch", categories=[1, 2, 3, 4]))


@pytest.mark.parametrize("name", NAMES)
def test_one_item_has_no_standard_error(name: str) -> None:
    row = call(pd.DataFrame({"ann": [1], "bob": [2]}).agree, name).iloc[0]
    assert np.isnan(row["se"])
    assert np.isnan(row["ci_low"])
    assert row["note"] != ""


# ------------------------------------------------------------------------------------------------- names and docs


@pytest.mark.parametrize("name", EVERY)
def test_it_is_documented(name: str) -> None:
    doc = inspect.getdoc(method_of(REGISTRY[name])) or ""
    for section in ("Parameters", "Returns", "Notes", "References", "Examples"):
        assert f"\n{section}\n{'-' * len(section)}\n" in doc, section
    shown = inspect.signature(method_of(REGISTRY[name])).parameters
    record: Coefficient = REGISTRY[name]
    assert set(shown) == {"self", "coders", *COMMON, *record.all_options}
    for option in (*COMMON, *record.all_options):
        assert f"{option} : {methods_of(record) if option == 'method' else OPTIONS[option].type}" in doc
    assert all(f"'{method}'" in doc for method in record.all_methods)
    assert not any(f"'{method}'" in doc for method in INTERVALS if method not in record.all_methods)


@pytest.mark.parametrize("name", EVERY)
def test_aliases_give_the_canonical_name(name: str) -> None:
    agree = data(name).agree
    for alias in REGISTRY[name].aliases:
        options = {"weights": "linear"} if alias == "weighted_kappa" else defaults(name)  # it asks for weights
        same(getattr(agree, alias)(detail=True, **options), call(agree, name, **options))
        assert alias not in dir(agree)


def test_the_catalogue_shows_the_registry() -> None:
    catalog = pandas_agreement.catalog()
    assert catalog.index.tolist() == EVERY
    assert catalog.loc["kappa", "title"] == REGISTRY["kappa"].title
    assert (catalog["use_when"] != "").all()


def test_summary_is_its_coefficients() -> None:
    df = scores(45).assign(batch=["x", "y", "z"] * 15)
    metrics = [name for name in EVERY if name != "ac2"]
    summary = df.agree.summary(metrics=metrics, by="batch", detail=True)
    for name in metrics:
        each = call(df.agree, name, by="batch").drop(columns="coefficient")
        same(summary.xs(name, level="coefficient"), each[summary.columns])
    assert summary.index.get_level_values("coefficient")[: len(metrics)].tolist() == metrics


# ------------------------------------------------------------------------------------------------- odd weights


def test_only_kappa_of_two_coders_sees_the_direction_of_a_matrix() -> None:
    df = scores(40, 2, 3)
    matrix = np.array([[1, 0.5, 0], [0.25, 1, 0.5], [0, 0, 1]])
    turned = df[["bob", "ann"]]
    with pytest.warns(pandas_agreement.AgreementWarning, match="weights= is not symmetric"):
        first = df.agree.summary(metrics=["kappa", "observed", "pi", "s", "ac2"], weights=matrix)
    with pytest.warns(pandas_agreement.AgreementWarning, match="weights= is not symmetric"):
        second = turned.agree.summary(metrics=["kappa", "observed", "pi", "s", "ac2"], weights=matrix)
    same(first.drop("kappa"), second.drop("kappa"))
    assert abs(first.loc["kappa", "estimate"] - second.loc["kappa", "estimate"]) > 0.001
    weight = bruteforce.from_matrix([1, 2, 3], matrix.tolist())
    assert first.loc["kappa", "estimate"] == pytest.approx(bruteforce.kappa(rows_of(df), weight), abs=1e-12)


def test_a_matrix_of_weights_is_matched_by_label() -> None:
    df = scores(40, 2, 3)
    labels = [3, 1, 2]
    frame = pd.DataFrame([[1 - abs(a - b) / 2 for b in labels] for a in labels], index=labels, columns=labels)
    matched, named = (df.agree.kappa(weights=weights, detail=True) for weights in (frame, "linear"))
    same(matched.drop(columns="weights"), named.drop(columns="weights"))
    assert matched["weights"].tolist() == ["custom"]


def test_labels_that_count_as_the_same_leave_nothing_to_measure() -> None:
    df = pd.DataFrame({"ann": [0, 7, 0], "bob": [7, 0, 0]})
    with pytest.warns(pandas_agreement.AgreementWarning, match="labels count as the same"):
        assert np.isnan(value(df.agree, "alpha", level=scales.circular(7)))
