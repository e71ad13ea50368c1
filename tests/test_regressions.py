"""Mistakes that were once made here, each with the input that showed it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import pandas_agreement
from pandas_agreement import (
    AgreementWarning,
    ColumnError,
    InputError,
    LabelTypeError,
)
from pandas_agreement.core import group_blocks, judgments, ratings
from pandas_agreement.results import frames, schemas
from tests.data_sets import scores, to_long


def test_a_renamed_index_does_not_reach_the_next_result() -> None:
    df = scores(20, 2)
    df.agree.kappa().index.name = "mine"
    assert df.agree.kappa().index.name == "coefficient"


@pytest.mark.parametrize("level", ["interval", "ordinal", lambda a, b: (a - b) ** 2])
@pytest.mark.parametrize("factor", [0.01, 1, 1000])
def test_the_limit_of_perfect_agreement_does_not_depend_on_the_unit(level: object, factor: float) -> None:
    df = pd.DataFrame({"a": [1, 2, 3, 4] * 5, "b": [1, 2, 3, 4] * 5}) * factor
    row = df.agree.alpha(level=level).iloc[0]
    least = 0.025 ** (1 / 20)
    assert row["ci_low"] == pytest.approx((least - row["expected"]) / (1 - row["expected"]))


@pytest.mark.parametrize("values", ["normal", "whole"])
def test_rounding_does_not_hide_perfect_agreement(values: str) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=30).round(1) if values == "normal" else rng.choice([1.0, 2, 4, 5, 7], 30)
    df = pd.DataFrame({"a": x, "b": x, "c": x})
    df.loc[::4, "c"] = np.nan
    for result in (df.agree.alpha(level="interval"), df.agree.pi(weights="quadratic"), df.agree.alpha(level="ordinal")):
        row = result.iloc[0]
        assert (row["estimate"], row["se"]) == (1, 0)
        assert row["ci_low"] < 0.95


def test_perfect_agreement_of_two_clusters_is_little_evidence() -> None:
    df = pd.DataFrame({"a": [1, 2] * 50, "b": [1, 2] * 50, "doc": [0, 1] * 50})
    loose, tight = (df.agree.kappa("a", "b", clusters=c)["ci_low"].iloc[0] for c in ("doc", None))
    assert loose == pytest.approx(1 - (1 - 0.025**0.5) / 0.5)
    assert tight > 0.9


def test_clusters_as_a_series_are_aligned_and_are_no_coder() -> None:
    df = scores(40, 2).assign(doc=np.arange(40) // 4)
    expected = df.agree.kappa("ann", "bob", clusters="doc")
    assert_frame_equal(df.agree.kappa("ann", "bob", clusters=df["doc"].sample(frac=1, random_state=1)), expected)
    assert_frame_equal(df.agree.kappa(clusters=df["doc"]), expected)


def test_observed_and_expected_are_on_the_groups_own_scale() -> None:
    df = pd.DataFrame({"a": [1, 2, 3, 100, 200], "b": [1, 3, 2, 150, 200], "g": list("xxxyy")})
    grouped = df.agree.alpha("a", "b", level="interval", by="g", ci=None)
    for name in "xy":
        part = df[df["g"] == name].agree.alpha("a", "b", level="interval", ci=None)
        columns = ["observed", "expected", "estimate"]
        assert_frame_equal(grouped.loc[name][columns], part[columns])


def test_a_coder_named_twice_is_refused_in_long_data_too() -> None:
    door = to_long(scores(10, 3)).agree.long(item="doc", coder="who", label="tag")
    with pytest.raises(InputError, match=r"^coder 'ann' is named twice; a coder always agrees with themselves$"):
        door.kappa("ann", "ann", "bob")
    with pytest.raises(InputError, match=r"^coders are given one by one, not as a list: "):
        door.kappa(["ann", "bob"])


def test_coders_as_columns_are_refused() -> None:
    df = scores(10, 2)
    with pytest.raises(InputError) as caught:
        df.agree.kappa(df["ann"], df["bob"])
    assert str(caught.value) == "coders are given one by one, not as a Series: write the names of the columns"


def test_pairs_without_a_common_item_are_there_and_undefined() -> None:
    df = pd.DataFrame({"a": ["x", None, "y"], "b": [None, "y", None], "c": ["x", "y", "x"]})
    with pytest.warns(AgreementWarning, match="no item has two or more labels"):
        result = df.agree.pairwise(categories=["x", "y"], metric="observed")
    assert result.index.droplevel(2).tolist() == [("a", "b"), ("a", "c"), ("b", "c")]
    assert result["n_items"].tolist() == [0, 2, 1]
    assert np.isnan(result["estimate"].iloc[0])


def test_a_standard_error_of_nothing_is_noted() -> None:
    df = pd.DataFrame({"a": ["x"] * 6, "b": ["y"] * 6})
    assert "all items alike" in df.agree.observed()["note"].iloc[0]
    one = df.iloc[:1].agree.kappa()["note"].iloc[0]
    assert one.startswith("one item or cluster: no standard error")


def test_counts_may_be_huge() -> None:
    counts = pd.DataFrame({"x": [5_000_000_000, 0, 10], "y": [0, 5_000_000_000, 10]})
    small = pd.DataFrame({"x": [50, 0, 10], "y": [0, 50, 10]})
    big, little = (frame.agree.counts().pi(ci=None)["estimate"].iloc[0] for frame in (counts, small))
    assert big == pytest.approx(little, abs=0.02)


def test_tuples_may_name_coders() -> None:
    df = scores(20, 3).set_axis(pd.MultiIndex.from_product([["coder"], ["a", "b", "c"]]), axis=1)
    pairs = df.agree.pairwise()
    assert pairs.index[0][:2] == (("coder", "a"), ("coder", "b"))
    with pytest.raises(InputError, match=r"^'coder' stands for 3 columns; name one as a tuple of all levels$"):
        df.agree.kappa("coder", ("coder", "a"))


def test_a_matrix_of_weights_may_have_true_and_false_as_labels() -> None:
    df = pd.DataFrame({"a": [True, False, True], "b": [True, True, True]})
    frame = pd.DataFrame([[1, 0.5], [0.5, 1]], index=[True, False], columns=[True, False])
    assert df.agree.observed(weights=frame)["estimate"].iloc[0] == pytest.approx(2.5 / 3)
    with pytest.raises(InputError, match=r"^weights= has the label True twice$"):
        df.agree.observed(weights=frame.set_axis([True, True], axis=0))


def test_confusion_of_nothing_is_empty() -> None:
    df = pd.DataFrame({"a": [None, None], "b": [None, None]}, dtype=object)
    assert df.agree.confusion("a", "b").shape == (0, 0)


def test_numbers_written_as_text_are_to_be_converted() -> None:
    df = pd.DataFrame({"a": ["1", "10", "2"], "b": ["1", "2", "10"]})
    with pytest.raises(LabelTypeError) as caught:
        df.agree.alpha(level="interval")
    assert str(caught.value) == (
        "level='interval' needs labels that are numbers, and these are numbers written as text, such as '1'; convert "
        "the columns, for instance with pd.to_numeric"
    )


def test_a_name_of_another_type_is_pointed_out() -> None:
    long = pd.DataFrame({"item": [1, 1, 2, 2], "coder": [1, 2, 1, 2], "label": list("xyxx")})
    with pytest.raises(ColumnError) as caught:
        long.agree.long(item="item", coder="coder", label="label").kappa("1", "2")
    assert str(caught.value) == "no coder '1'; there is 1, of another type (int, not str)"
    with pytest.raises(InputError) as repeated:
        pd.concat([long, long]).agree.long(item="item", coder="coder", label="label").kappa()
    assert "coder 1 labelled item 1 2 times" in str(repeated.value)


def test_item_ids_may_be_large() -> None:
    long = pd.DataFrame({"item": np.array([2**63, 2**63, 2**63 + 1, 2**63 + 1], np.uint64)})
    long = long.assign(coder=list("abab"), label=list("xyxx"))
    assert long.agree.long(item="item", coder="coder", label="label").pi()["n_items"].iloc[0] == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "circular", "period": "x"}, "period='x' must be a positive number: the length of the whole circle"),
        (
            {"level": lambda a, b: None},
            "level= is a function that gives no number for some pair of labels: float() argument must be a string or a "
            "real number, not 'NoneType'",
        ),
    ],
)
def test_odd_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        scores(10, 2).agree.alpha(**options)
    assert str(caught.value) == message
    with pytest.raises(InputError, match=r"^a coefficient is given by its name, such as 'kappa', and not as "):
        scores(10, 2).agree.pairwise(metric=["kappa"])


def test_the_same_coefficient_twice_is_one_row() -> None:
    assert scores(10, 2).agree.summary(metrics=["kappa", "cohen_kappa"]).index.tolist() == ["kappa"]


def test_a_selection_of_a_groupby_chooses_coders_and_categories() -> None:
    df = scores(40, 3).assign(batch=["x", "y"] * 20)
    picked = df.groupby("batch")[["ann", "cleo"]].agree.kappa()
    assert_frame_equal(picked, df.agree.kappa("ann", "cleo", by="batch"))
    counts = pd.DataFrame({"x": [2, 1], "y": [0, 1], "z": [5, 5], "g": [1, 1]})
    assert counts.groupby("g")[["x", "y"]].agree.counts().pi()["n_categories"].tolist() == [2]


@pytest.mark.parametrize("metric", ["kappa", "pi", "alpha", "light_kappa", "bias"])
@pytest.mark.parametrize("method", ["analytic", "jackknife"])
def test_blocks_of_groups_give_the_same_numbers(monkeypatch: pytest.MonkeyPatch, metric: str, method: str) -> None:
    df = scores(200, 4).assign(batch=np.random.default_rng(1).choice(list("stuvwxyz"), 200))
    door = to_long(df, ("batch",)).agree.long(item="doc", coder="who", label="tag")
    options = {"by": "batch", "method": method}
    whole, pairs = getattr(door, metric)(**options), door.pairwise(metric=metric, **options)
    clustered = df.agree.kappa(*df.columns[:4], by="batch", clusters=np.arange(200) // 3)
    monkeypatch.setattr(group_blocks.split_groups, "__defaults__", (40,))
    assert_frame_equal(getattr(door, metric)(**options), whole)
    assert_frame_equal(door.pairwise(metric=metric, **options), pairs)
    assert_frame_equal(df.agree.kappa(*df.columns[:4], by="batch", clusters=np.arange(200) // 3), clustered)


def test_one_large_group_does_not_make_room_for_its_coders_in_all_others() -> None:
    groups = [np.arange(3), np.array([3])]
    item = np.array([0, 0, 1, 1, 2, 2, *[3] * 50])
    coder = np.array([0, 1, 0, 1, 0, 1, *range(50)])
    triples = ratings.Triples(50, 2, 4, np.arange(4), None, judgments.Labels(item, coder, coder % 2), 4)
    blocks = group_blocks.split_groups(triples, 100)
    assert [block.tolist() for block in blocks] == [group.tolist() for group in groups]
    part, items = group_blocks.only_groups(triples, blocks[0])
    assert (part.n_groups, part.n_items, items.tolist()) == (3, 3, [True, True, True, False])
    assert part.coder_totals().shape == (3, 2, 2)


def test_load_example_is_fresh() -> None:
    first = pandas_agreement.load_example()
    first["ann"] = "x"
    assert pandas_agreement.load_example()["ann"].nunique() > 1


def test_a_perfect_group_keeps_its_part_of_the_pooled_standard_error() -> None:
    rng = np.random.default_rng(0)
    noisy = rng.choice(["x", "y"], 40)
    df = pd.DataFrame({"a": ["x", "y"] * 40 + list(noisy), "b": ["x", "y"] * 40 + list(rng.choice(["x", "y"], 40))})
    df["g"] = [1] * 80 + [2] * 40
    row = df.agree.pooled("a", "b", by="g").iloc[0]
    total = 0.0
    for _, part in df.groupby("g"):
        values = [df.drop(index=i).agree.pooled("a", "b", by="g")["estimate"].iloc[0] for i in part.index]
        n = len(part)
        total += (n - 1) / n * ((np.array(values) - np.mean(values)) ** 2).sum()
    assert row["se"] == pytest.approx(np.sqrt(total), rel=0.03)


def test_tuples_name_coders_in_every_frame() -> None:
    df = scores(30, 3).set_axis(pd.MultiIndex.from_product([["coder"], ["a", "b", "c"]]), axis=1)
    assert df.agree.margins().index[0] == (("coder", "a"), 1)
    assert df.agree.without(metric="pi").index[0] == (("coder", "a"), "pi")
    assert df.agree.coders().index[0] == ("coder", "a")
    assert len(df.agree.homogeneity()) == 9
    df.agree.diagnose()


def test_sets_reach_every_method() -> None:
    df = pd.DataFrame({"a": ["p|q", "q", "", "p"], "b": ["p", "q", "r", "p"], "c": ["p|q", "r", "", "p|r"]})
    whole = df.agree.alpha("a", "b", level="masi", sep="|")["estimate"].iloc[0]
    pairs = df.agree.pairwise(metric="alpha", level="masi", sep="|")
    assert pairs.loc[("a", "b", "alpha"), "estimate"] == pytest.approx(whole)
    compared = df.agree.compare(["a", "b"], ["a", "c"], metric="alpha", level="masi", sep="|")
    assert compared["estimate_1"].iloc[0] == pytest.approx(whole)


@pytest.mark.parametrize("frame", [scores(0, 2), scores(5, 2) * np.nan])
def test_nothing_at_all_breaks_no_method(frame: pd.DataFrame) -> None:
    import warnings

    df = frame.assign(g=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)
        assert np.isnan(df.agree.pooled("ann", "bob", by="g")["estimate"].iloc[0])
        for name in ("coders", "margins", "homogeneity", "indices", "by_category", "items", "diagnose", "pairwise"):
            getattr(df.agree, name)("ann", "bob")
        for name in ("icc", "score_tests", "components", "limits", "concordance", "chance_test"):
            getattr(df.agree, name)("ann", "bob")
        df.agree.compare(["ann", "bob"], ["bob", "ann"])
        df.agree.heterogeneity("ann", "bob", by="g")
        df.agree.confusion("ann", "bob")
        df.agree.disagreements("ann", "bob")


def test_a_key_that_clashes_with_a_level_is_refused_where_it_clashes() -> None:
    df = scores(40, 2).assign(test=["p", "q"] * 20)
    assert len(df.agree.kappa("ann", "bob", by="test")) == 2
    with pytest.raises(InputError) as caught:
        df.agree.homogeneity("ann", "bob", by="test")
    assert str(caught.value) == (
        "a group key cannot be called 'test', as this result has that name; rename it, for instance with "
        "df.rename(columns={'test': 'test_key'})"
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda df: df.agree.by_category(metrics=[]), "metrics= is empty; name at least one, such as metrics=['rate']"),
        (lambda df: df.agree.disagreements(n=-1), "n=-1 must be a whole number above 0: how many items to show"),
        (
            lambda df: df.agree.chance_test(n_resamples="many"),
            "n_resamples='many' must be a whole number of 100 or more; 5000 is customary",
        ),
        (
            lambda df: df.agree.chance_test(tests=[]),
            "tests= is empty; name one of 'permutation', 'moments', 'fleiss_nee_landis'",
        ),
        (
            lambda df: df.agree.kappa(method="bca", rng=-1),
            "rng=-1 must be a whole number of 0 or more, a numpy Generator, or None",
        ),
    ],
)
def test_empty_and_negative_arguments_are_refused(call: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        call(scores(20, 2))  # type: ignore[operator]
    assert str(caught.value) == message


def test_continuous_scores_of_many_groups_are_one_block() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=3000)
    df = pd.DataFrame({"a": x, "b": x + rng.normal(size=3000), "g": np.arange(3000) // 10})
    table = df.agree.icc_c1("a", "b", by="g")
    alone = df[df["g"] == 7].agree.icc_c1("a", "b")
    assert table.loc[(7, "icc_c1"), "estimate"] == pytest.approx(alone["estimate"].iloc[0])


@pytest.mark.parametrize("ready", [True, False])
def test_a_column_of_a_result_has_memory_of_its_own(monkeypatch: pytest.MonkeyPatch, ready: bool) -> None:
    """Columns that hold the same nothing were one array, and writing into one of them changed the others."""
    if not ready:
        monkeypatch.setattr(frames, "FROM_ARRAYS", None)
    df = pd.DataFrame({"ann": list("xxyy"), "bob": list("xyyy"), "batch": [1, 1, 2, 2]})
    result = df.agree.observed("ann", "bob", by="batch", ci=None)
    result.iloc[0, result.columns.get_loc("se")] = 5.0
    assert result["ci_low"].isna().all()
    assert result["ci_high"].isna().all()
    assert df.agree.observed("ann", "bob", by="batch", ci=None)["se"].isna().all()


def test_an_empty_frame_has_no_groups() -> None:
    empty = pd.DataFrame({"ann": [], "bob": [], "batch": []}, dtype=object)
    assert empty.agree.summary("ann", "bob", by="batch").shape == (0, len(schemas.RESULT))


def test_a_grouped_long_frame_knows_its_groups() -> None:
    df = scores(60, 2).assign(batch=[1, 2, 3] * 20)
    long = to_long(df.drop(columns="batch")).assign(batch=lambda frame: frame["doc"] % 3)
    columns = {"item": "doc", "coder": "who", "label": "tag"}
    by_key = long.agree.long(**columns).contrasts(metric="alpha", by="batch")
    assert_frame_equal(long.groupby("batch").agree.long(**columns).contrasts(metric="alpha"), by_key)


def test_words_for_intraclass_correlations() -> None:
    result = scores(60, 3).agree.icc_a1()
    assert pandas_agreement.interpret(result, "koo_li").notna().all()
