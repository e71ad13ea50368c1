"""One word for all coefficients: `level` or `weights` stands for both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import pandas_agreement
from pandas_agreement.core.weights import LEVEL_OF_WEIGHTS
from pandas_agreement.errors import AgreementError, AgreementWarning
from tests.data_sets import scores

DF = scores(40, 3, gaps=0.2, seed=3)
D = np.array([[0, 1, 3, 5], [1, 0, 2, 4], [3, 2, 0, 1], [5, 4, 1, 0]])
TAGS = pd.DataFrame({"ann": ["a|b", "b", "c", "a"], "bob": ["a", "b", "c|a", "a"]})
LEFT_OUT = "Observed, kappa, pi, ac1 and s have no form for sets of labels and are left out. metrics=['alpha'] says "
LEFT_OUT += "that you know."


@pytest.mark.parametrize("weights", LEVEL_OF_WEIGHTS)
def test_weights_and_their_level_are_the_same_call(weights: str) -> None:
    level = LEVEL_OF_WEIGHTS[weights]
    found = DF.agree.summary(weights=weights)
    assert_frame_equal(found, DF.agree.summary(level=level))
    assert_frame_equal(found.loc[["alpha"]], DF.agree.alpha(level=level))
    assert_frame_equal(found.loc[["kappa"]], DF.agree.kappa(weights=weights))
    assert_frame_equal(found, pandas_agreement.stream([DF.iloc[:17], DF.iloc[17:]], level=level))
    assert found.index.tolist()[-2] == ("ac1" if weights == "nominal" else "ac2")


def test_both_given_each_as_it_stands() -> None:
    found = DF.agree.summary(weights="linear", level="nominal")
    assert_frame_equal(found.loc[["alpha"]], DF.agree.alpha())
    assert_frame_equal(found.loc[["ac2"]], DF.agree.ac2(weights="linear"))


def test_your_own_distances_and_weights() -> None:
    """D are the weights 1 - D / max D, and W the distances 1 - W; a function is the same as its table."""
    by_distance, by_weights = DF.agree.summary(level=D), DF.agree.summary(weights=1 - D / 5)
    assert_frame_equal(
        by_distance.loc[["kappa", "pi", "s"]], DF.agree.summary(metrics=["kappa", "pi", "s"], weights=1 - D / 5)
    )
    assert_frame_equal(by_distance.loc[["alpha"]], DF.agree.alpha(level=D))
    assert_frame_equal(by_weights.loc[["alpha"]], DF.agree.alpha(level=D / 5))
    labels = [1.0, 2.0, 3.0, 4.0]
    table = pd.DataFrame(D, index=labels, columns=labels).iloc[::-1]
    assert_frame_equal(DF.agree.summary(level=table), by_distance)
    assert_frame_equal(DF.agree.summary(level=lambda a, b: float(D[int(a) - 1, int(b) - 1])), by_distance)


def test_the_largest_distance_of_your_own_is_that_of_the_option_that_counts() -> None:
    """Weights are a share of the largest distance there is, a level of the largest between two labels in use."""
    used = DF.where(DF < 4)
    given: dict[str, Any] = {"categories": [1, 2, 3, 4]}
    found = used.agree.summary(metrics=["kappa"], level=D, **given)
    assert_frame_equal(found, used.agree.kappa(weights=1 - D / 5, **given))
    found = used.agree.summary(metrics=["alpha"], weights=1 - D / 5, **given)
    assert_frame_equal(found, used.agree.alpha(level=D / 5, **given))


def test_one_word_for_a_single_coefficient() -> None:
    assert_frame_equal(DF.agree.summary(metrics="kappa", level="interval"), DF.agree.kappa(weights="quadratic"))
    assert_frame_equal(DF.agree.summary(metrics="alpha", weights="squared"), DF.agree.alpha(level="interval"))
    assert_frame_equal(DF.agree.by_item(weights="linear"), DF.agree.by_item(level="linear"))
    assert_frame_equal(
        DF.agree.by_item(metrics="kappa", level="linear"), DF.agree.by_item(metric="kappa", weights="linear")
    )
    assert_frame_equal(DF.agree.test.chance(level="interval"), DF.agree.test.chance(weights="quadratic"))
    assert_frame_equal(DF.agree.by_coder(weights="ordinal"), DF.agree.by_coder(level="ordinal"))


def test_sets_leave_only_alpha() -> None:
    with pytest.warns(AgreementWarning) as said:
        found = TAGS.agree.summary(level="masi", sep="|")
    assert [str(one.message) for one in said] == [LEFT_OUT]
    assert_frame_equal(found, TAGS.agree.alpha(level="masi", sep="|"))
    assert_frame_equal(found, TAGS.agree.summary(metrics=["alpha"], level="masi", sep="|"))  # no warning


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"metrics": ["kappa", "ac1"], "weights": "linear"},
            "ac1 has no form with weights='linear'. The weighted form is 'ac2'.",
        ),
        (
            {"metrics": ["kappa"], "level": "masi"},
            "Kappa has no form with level='masi'. Compare sets by metrics='alpha'.",
        ),
        (
            {"metrics": ["perreault_leigh"], "level": D},
            "perreault_leigh has no form with level= of your own. Leave it out, or leave out the option.",
        ),
        (
            {"metrics": ["perreault_leigh"], "weights": "linear", "level": "nominal"},
            "perreault_leigh has no form with weights='linear'. Leave it out, or leave out the option.",
        ),
        (
            {"level": "ordnal"},
            "level='ordnal' is not known. Use one of 'nominal', 'ordinal', 'interval', 'linear', 'radical', 'ratio', "
            "'circular', 'bipolar', 'jaccard', 'masi'; did you mean 'ordinal'?",
        ),
        ({"weights": D}, "weights= must be 1 on the diagonal: they are agreement weights, 1 is full agreement."),
    ],
)
def test_coefficients_without_such_a_form(given: dict[str, Any], message: str) -> None:
    with pytest.raises(AgreementError) as caught:
        DF.agree.summary(**given)
    assert str(caught.value) == message


@pytest.mark.parametrize("word", ["level", "weights"])
def test_messages_name_the_option_that_was_given(word: str) -> None:
    text = DF.map({1: "a", 2: "b", 3: "c", 4: "d"}.get)
    with pytest.raises(AgreementError) as caught:
        text.agree.summary(**{word: "ordinal"})
    assert str(caught.value).startswith(f"{word}='ordinal' needs labels that are numbers or have an order")


def test_scores_ignore_the_word() -> None:
    found = DF.agree.summary(metrics=["icc_1", "alpha"], level="ordinal")
    assert_frame_equal(found.loc[["icc_1"]], DF.agree.icc_1())


# ------------------------------------------------------------------------------------------------------------- crowds


def crowd(control: int = 0) -> pd.DataFrame:
    """Sixty coders, three on each of 150 items, and all on some control items."""
    rng = np.random.default_rng(2)
    who = np.concatenate([rng.choice(60, 3, replace=False) for _ in range(150)])
    own = pd.DataFrame({"item": np.repeat(np.arange(150), 3), "who": who})
    every = pd.DataFrame({"item": np.repeat(np.arange(control) + 1000, 60), "who": np.tile(np.arange(60), control)})
    df = pd.concat([own, every], ignore_index=True)
    return df.assign(tag=rng.choice(list("xy"), len(df)))


LONG = {"item": "item", "coder": "who", "label": "tag"}


def test_kappa_of_a_crowd_names_the_pool() -> None:
    view = crowd().agree.long(**LONG)
    never = "crowd: see pool='pairs'"
    found = view.summary(metrics=["kappa", "alpha", "pi"], detail=True)
    assert found["remarks"].tolist() == [never, "", ""]
    assert found["note"].tolist() == ["crowd", "", ""]
    assert never not in view.kappa(pool="pairs", detail=True)["remarks"].iloc[0]
    few = crowd().query("who < 15").agree.long(**LONG)
    assert few.kappa()["note"].tolist() == [""]


def test_items_that_carry_most_of_the_weight() -> None:
    """Eight of 158 items have 60 labels: 5 % of the items have 45 % of the labels, and nearly all pairs."""
    view = crowd(8).agree.long(**LONG)
    labels, pairs = 7 * 60 / (450 + 480), 7 * 60 * 59 / (150 * 6 + 8 * 60 * 59)
    assert labels < 0.5
    assert view.alpha()["note"].tolist() == [""]
    assert view.kappa(pool="pairs", detail=True)["remarks"].iloc[0].endswith(f"5% of items carry {pairs:.0%} of weight")
    wide = pd.DataFrame(np.random.default_rng(1).integers(0, 2, (40, 100)).astype(float)).rename(columns=str)
    wide.iloc[2:, 2:] = np.nan
    share = 2 * 100 / (2 * 100 + 38 * 2)
    assert wide.agree.alpha(detail=True)["remarks"].iloc[0] == f"5% of items carry {share:.0%} of weight"
    assert wide.agree.alpha()["note"].iloc[0] == "few weigh"
    assert wide.agree.observed()["note"].iloc[0] == ""


def test_long_sets_are_named_by_their_size() -> None:
    df = pd.DataFrame(np.random.default_rng(1).integers(0, 2, (40, 9))).rename(columns="c{}".format)
    names = list(df.columns)
    found = df.agree.compare(names[:2], names[:7], names[:6] + names[7:])
    assert found.index.get_level_values("first").unique().tolist()[:2] == ["c0, c1", "c0, c1 and 5 more"]
    same = df.agree.compare(names[:7], [*names[:6], names[8]])
    assert same.index.tolist() == [("1: c0, c1 and 5 more", "2: c0, c1 and 5 more")]
