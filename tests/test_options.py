"""Options are checked when a method is called: unknown ones, impossible values, words of other packages."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import InputError
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.options import OPTIONS, Options, check_keyword, make_options
from tests.fuzz.calls import METHODS
from tests.helpers import all_refused, as_subject, documented, reach, refuses

DF = pd.DataFrame({"ann": [1, 2, 3, 1, 2, 3, 1, 2], "bob": [1, 2, 3, 1, 3, 3, 2, 2], "cleo": [1, 2, 2, 1, 2, 3, 1, 1]})


def call(name: str, **options: Any) -> Any:
    coders: tuple[Any, ...] = (["ann", "bob"], ["ann", "cleo"]) if name == "compare" else ("ann", "bob", "cleo")
    needed = {"ac2": {"weights": "linear"}}.get(name, {})
    if name in ("test.groups", "pooled"):
        needed = {"by": [1, 1, 1, 1, 2, 2, 2, 2]}
    if name == "retest":
        coders = ({"ann": ["ann", "bob"]},)
    return reach(DF.agree, name)(*coders, **(needed | options))


# ------------------------------------------------------------------------------------------------------ unknown options


@pytest.mark.parametrize("name", METHODS)
def test_every_method_refuses_an_option_that_does_not_exist(name: str) -> None:
    with pytest.raises(InputError) as caught:
        call(name, bye="batch")
    assert str(caught.value).startswith(f"{as_subject(name)} has no option 'bye'. Did you mean 'by'?")
    assert (caught.value.option, caught.value.code) == ("bye", "unknown option")


@pytest.mark.parametrize("name", METHODS)
def test_every_method_takes_the_options_of_its_signature_and_no_others(name: str) -> None:
    shown = inspect.signature(documented(name)).parameters
    assert not [one for one in shown.values() if one.kind is one.VAR_KEYWORD]
    several = "level" in shown and name not in REGISTRY
    for option in OPTIONS.keys() - shown.keys():
        given = {option: OPTIONS[option].default}
        if option == "weights" and several:  # it stands for `level`
            call(name, **given)
            continue
        with pytest.raises(InputError, match=f"{as_subject(name)} has no option '{option}'"):
            call(name, **given)


@pytest.mark.parametrize("name", METHODS)
def test_a_method_has_at_most_sixteen_options_and_a_coefficient_only_those_of_all(name: str) -> None:
    parameters = inspect.signature(documented(name)).parameters.values()
    shown = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]
    assert len(shown) <= 16
    if name in REGISTRY:
        assert {*shown} <= {*OF_COEFFICIENTS.split()}
        assert len(shown) <= 15


#: those that a coefficient may have: a new need gets none of its own
OF_COEFFICIENTS = """
by overall weights level sep pool categories missing ci method clusters frequency sampling n_resamples rng progress
detail
"""


WORDS: dict[str, tuple[str, Any]] = {
    "Write ci=0.9": ("confidence", 0.9),
    "Write ci=0.8": ("confidence_level", 0.8),
    "Write ci=0.95 (the level, not its complement)": ("alpha", 0.05),
    "Write level='ordinal' for alpha, and weights='ordinal' for the other coefficients": (
        "level_of_measurement",
        "ordinal",
    ),
    "Write n_resamples=500 with method='percentile' or method='bca'": ("n_boot", 500),
    "Write rng=1": ("seed", 1),
    "Write rng=2": ("random_state", 2),
    "Write by='batch'": ("group", "batch"),
    "Write by='week'": ("groupby", "week"),
    "Write the names of the coders one by one, as in df.agree.kappa('ann', 'bob')": ("raters", ["ann"]),
}


@pytest.mark.parametrize("name", ["kappa", "summary", "by_pair", "by_category", "report"])
def test_words_of_other_packages_show_our_own(name: str) -> None:
    calls = {
        f"{as_subject(name)} has no option {word!r}. {remedy}.": partial(call, name, **{word: value})
        for remedy, (word, value) in WORDS.items()
    }
    all_refused(InputError, calls)


# -------------------------------------------------------------------------------------------------- impossible values

IMPOSSIBLE: dict[str, list[tuple[Any, str]]] = {
    "detail": [("yes", "detail='yes' must be True or False."), (1, "detail=1 must be True or False.")],
    "overall": [("yes", "overall='yes' must be True or False.")],
    "missing": [("drop", "missing='drop' is not known. Use one of 'pairable', 'all', 'complete', 'raise'.")],
    "ci": [
        (1.5, "ci=1.5 must be a level between 0 and 1, such as 0.95, or None. Did you mean ci=0.015?"),
        (95, "ci=95 must be a level between 0 and 1, such as 0.95, or None. Did you mean ci=0.95?"),
        (100, "ci=100 must be a level between 0 and 1, such as 0.95, or None."),
        (0, "ci=0 must be a level between 0 and 1, such as 0.95, or None."),
        (1, "ci=1 must be a level between 0 and 1, such as 0.95, or None."),
        (True, "ci=True must be a level between 0 and 1, such as 0.95, or None."),
        ("0.95", "ci='0.95' must be a level between 0 and 1, such as 0.95, or None."),
    ],
    "method": [
        (
            "foo",
            "method='foo' is not known. Use one of 'auto', 'score', 'analytic', 'log', 'jackknife', 'percentile', "
            "'bca'.",
        ),
        (
            "bootstrap",
            "method='bootstrap' can mean two intervals here. Write method='percentile' (plain) or method='bca' "
            "(corrected for bias and skew).",
        ),
    ],
    "n_resamples": [
        (99, "n_resamples=99 must be a whole number of 100 or more. 5000 is customary."),
        (1e4, "n_resamples=10000.0 must be a whole number of 100 or more. 5000 is customary."),
        (True, "n_resamples=True must be a whole number of 100 or more. 5000 is customary."),
        (
            10**9,
            "n_resamples=1000000000 would need about 50 GB for each group. 5000 is customary, and the maximum is "
            "10,000,000.",
        ),
    ],
    "rng": [
        ("x", "rng='x' must be a whole number of 0 or more, a numpy Generator, or None."),
        (-1, "rng=-1 must be a whole number of 0 or more, a numpy Generator, or None."),
        (True, "rng=True must be a whole number of 0 or more, a numpy Generator, or None."),
    ],
    "progress": [("yes", "progress='yes' must be True or False.")],
    "weights": [
        (
            "cubic",
            "weights='cubic' is not known. Use one of 'nominal', 'linear', 'quadratic', 'ordinal', 'radical', 'ratio', "
            "'circular', 'bipolar'.",
        )
    ],
    "pool": [("all", "pool='all' is not known. Use one of 'coders', 'pairs'.")],
    "sampling": [("raters", "sampling='raters' is not known. Use one of 'items', 'coders', 'both'.")],
}


def test_a_value_that_is_never_valid_is_an_error_even_where_it_is_idle() -> None:
    """Without an interval most of these options are not needed."""
    for option, cases in IMPOSSIBLE.items():
        for value, message in cases:
            idle = {} if option == "ci" else {"ci": None}
            with refuses(InputError, message) as caught:
                DF.agree.kappa("ann", "bob", **{option: value}, **idle)
            assert caught.value.option == option


def test_impossible_values_are_tried_for_every_option_that_the_data_do_not_decide() -> None:
    decided_by_data = {"by", "categories", "clusters", "frequency", "level", "sep"}
    assert set(IMPOSSIBLE) == set(OPTIONS) - decided_by_data


def test_a_switch_is_true_or_false() -> None:
    for name, switch in {"by_category": "multilabel", "by_pair": "full", "compare": "common"}.items():
        with refuses(InputError, f"{switch}='yes' must be True or False."):
            call(name, **{switch: "yes"})


def test_a_method_that_a_coefficient_does_not_have_is_refused_without_an_interval() -> None:
    for name in [name for name, record in REGISTRY.items() if "kalpha" not in record.methods]:
        with pytest.raises(InputError, match="method='kalpha' is not known"):
            call(name, method="kalpha", ci=None)


# ---------------------------------------------------------------------------------------------- idle, but valid values


def test_one_dictionary_of_options_serves_several_calls() -> None:
    options: dict[str, Any] = {"rng": 1, "n_resamples": 200, "progress": False, "missing": "pairable"}
    for name in ("kappa", "alpha", "observed", "icc_a1", "summary", "by_pair"):
        pd.testing.assert_frame_equal(call(name, **options), call(name))


# --------------------------------------------------------------------------------------- words that mean one thing here


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("squared", "quadratic"),
        ("interval", "quadratic"),
        ("equal", "linear"),
        ("identity", "nominal"),
        ("unweighted", "nominal"),
    ],
)
def test_weights_of_other_packages_carry_our_word(theirs: str, ours: str) -> None:
    found = DF.agree.kappa("ann", "bob", weights=theirs, detail=True)
    pd.testing.assert_frame_equal(found, DF.agree.kappa("ann", "bob", weights=ours, detail=True))
    assert found.loc["kappa", "weights"] == ours
    summary = DF.agree.summary("ann", "bob", weights=theirs, detail=True)
    pd.testing.assert_frame_equal(summary, DF.agree.summary("ann", "bob", weights=ours, detail=True))


@pytest.mark.parametrize(("theirs", "ours"), [("quadratic", "interval"), ("squared", "interval")])
def test_levels_of_other_packages_carry_our_word(theirs: str, ours: str) -> None:
    found = DF.agree.alpha(level=theirs, detail=True)
    pd.testing.assert_frame_equal(found, DF.agree.alpha(level=ours, detail=True))
    assert found.loc["alpha", "weights"] == ours


@pytest.mark.parametrize(
    ("theirs", "ours"), [("fleiss", "pi"), ("conger", "kappa"), ("krippendorff", "alpha"), ("gwet", "ac1")]
)
def test_methods_of_other_packages_are_ours(theirs: str, ours: str) -> None:
    pd.testing.assert_frame_equal(getattr(DF.agree, theirs)(), getattr(DF.agree, ours)())
    pd.testing.assert_frame_equal(DF.agree.summary(metrics=[theirs]), DF.agree.summary(metrics=[ours]))


def test_weighted_kappa_asks_for_weights() -> None:
    calls: list[Callable[[], Any]] = [
        lambda: DF.agree.weighted_kappa("ann", "bob"),
        lambda: DF.agree.summary(metrics=["alpha", "weighted_kappa"]),
        lambda: DF.agree.by_pair(metrics="weighted_kappa"),
        lambda: DF.agree.compare(["ann", "bob"], ["ann", "cleo"], metrics="weighted_kappa"),
        lambda: pandas_agreement.stream([DF], metrics="weighted_kappa"),
    ]
    for wrong in calls:
        with refuses(
            InputError, "weighted_kappa needs weights=, for instance weights='linear' or weights='quadratic'."
        ):
            wrong()


def test_icc_in_capitals_is_icc() -> None:
    pd.testing.assert_frame_equal(DF.agree.ICC(), DF.agree.icc())
    assert "ICC" not in dir(DF.agree)


# --------------------------------------------------------------------------------------------------- other wrong calls


BY_NAME = "Long takes the columns of items, coders and labels by name. Write df.agree.long(item='doc', coder='who', "


def test_a_wrong_call_shows_the_right_one() -> None:
    calls: dict[str, Callable[[], Any]] = {
        "df.agree is not a function. Name what to compute, as in df.agree.kappa('ann', 'bob') or "
        "df.agree.summary().": lambda: DF.agree("ann", "bob"),
        f"{BY_NAME}label='tag').": lambda: DF.agree.long("doc", "who", "tag"),
        f"{BY_NAME}label='tags').": lambda: DF.groupby("ann").agree.long("doc", "who", "tags"),
        f"{BY_NAME}label=...).": lambda: DF.agree.long("doc", coder="who"),
        "Long has no option 'coders'. Did you mean 'coder'?": lambda: DF.agree.long(
            item="doc", coders="who", label="tag"
        ),
        "metrics= is empty. Name at least one, such as metrics=['rate'].": lambda: DF.agree.by_category(metrics=[]),
        "n=-1 must be a whole number above 0: how many to show.": lambda: DF.agree.disagreements(n=-1),
        "tests= is empty. Name one, such as 'bowker'.": lambda: DF.agree.test.margins("ann", "bob", tests=[]),
        "by= is missing: name the column of the groups to pool.": lambda: DF.agree.pooled("ann", "bob"),
        "by= is missing: name the column of the groups to compare.": lambda: DF.agree.test.groups("ann", "bob"),
        "pooled has no option 'sampling'. There are: 'metrics', 'by', 'categories', 'missing', 'ci', 'clusters', "
        "'frequency', 'detail', 'weights', 'level'.": lambda: DF.agree.pooled("ann", "bob", by="cleo", sampling="both"),
        "rng= is for groups of items, and these are sets of coders.": lambda: DF.agree.compare(
            ["ann", "bob"], ["ann", "cleo"], rng=1
        ),
    }
    all_refused(InputError, calls)


# ------------------------------------------------------------------------------------------------------- the object


def test_options_know_what_was_given() -> None:
    options = make_options({"ci": None, "weights": "squared"}, "kappa", [REGISTRY["kappa"]])
    assert options.given == {"ci", "weights"}
    assert (options.ci, options.weights, options.missing) == (None, "quadratic", "pairable")
    assert options.but(missing="all").given == {"ci", "weights", "missing"}
    assert options.without("weights").weights == "nominal"
    assert options.only("ci").given == {"ci"}


def test_options_are_frozen_and_can_be_sent_to_workers() -> None:
    options = Options(ci=0.9)
    with pytest.raises(AttributeError):
        options.ci = 0.5  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(options)).ci == 0.9


def test_what_holds_if_nothing_is_said() -> None:
    said = {"ci": 0.95, "n_resamples": 5000, "progress": False, "method": "auto", "missing": "pairable", "rng": None}
    assert {name: getattr(Options(), name) for name in said} == said
    assert len(DF.agree.disagreements(n=1)) == 1


@pytest.mark.parametrize("name", ["margin", "epsilon"])
def test_what_a_judge_is_given_is_below_1(name: str) -> None:
    assert [check_keyword(name, value) for value in (0, 0.99)] == [0, 0.99]
    with pytest.raises(InputError, match="must be a number from 0 to below 1"):
        check_keyword(name, 1)


def test_a_part_of_the_differences_is_between_0_and_1() -> None:
    for share in (0, 1, 1.5, True):
        with pytest.raises(
            InputError, match="must lie between 0 and 1: the share of the differences within the limits"
        ):
            DF.agree.bland_altman("ann", "bob", share=share)


def test_the_date_of_a_report_is_a_date() -> None:
    with pytest.raises(InputError, match="date='yesterday' must be a date"):
        DF.agree.report("ann", "bob", date="yesterday")
