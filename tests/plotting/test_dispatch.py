"""Any result finds its picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import InputError
from pandas_agreement.interpreting import BENCHMARKS
from tests.helpers import refuses
from tests.plotting.helpers import RATED, dots, ends, shown, ticks, title, wide

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")
from matplotlib.figure import Figure

from pandas_agreement import plot

LOST = "The result has no column 'estimate', which its plot needs. Plot what df.agree returned, with all its columns."

DRAWN: dict[str, tuple[Callable[[Any], pd.DataFrame], str]] = {
    "kappa": (lambda agree: agree.kappa(), "Kappa, 60 items"),
    "summary": (lambda agree: agree.summary(), "Coefficients"),
    "by_pair": (lambda agree: agree.by_pair(), "Kappa of every pair of coders"),
    "by_category": (lambda agree: agree.by_category(), "Agreement on each category (rate)"),
    "margins": (lambda agree: agree.margins(), "Choices of each coder against the others"),
    "by_coder": (lambda agree: agree.by_coder(), "Each coder against the others"),
    "by_item": (lambda agree: agree.by_item(), "Agreement within 60 items"),
    "confusion": (lambda agree: agree.confusion("ann", "bob"), "Same label on 61% of 51 items"),
    "bland_altman": (lambda agree: agree.bland_altman(), "Bias and limits of agreement"),
    "compare": (lambda agree: agree.compare(["ann", "bob"], ["ann", "cleo"]), "Differences of coefficients"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_any_result_finds_its_picture(name: str) -> None:
    compute, begins = DRAWN[name]
    ax = Figure().subplots()
    assert plot(compute(wide()[RATED].agree), ax=ax) is ax
    assert " ".join(ax.get_title(loc="left").split()).startswith(begins)


JUDGED = pandas_agreement.load_example().agree.judges("dev", humans=["ann", "bob", "cleo"])
SWAPS = pd.DataFrame({"prompt": [1, 1, 2, 2], "a": list("xyxy"), "b": list("yxyx"), "won": list("xxxy")})
VERDICTS = SWAPS.agree.preferences(first="a", second="b", winner="won", item="prompt")
GROUPS = wide()[RATED].agree.coder_groups({"one": ["ann", "bob"], "two": ["cleo"]})
#: methods whose plot has marks that only the columns of details allow
DETAILED: dict[str, tuple[Callable[..., pd.DataFrame], str]] = {
    "kappa": (lambda **given: wide().agree.kappa("ann", "bob", by="batch", **given), "Kappa by batch"),
    "by_pair": (lambda **given: wide()[RATED].agree.by_pair(**given), "Kappa of every pair of coders"),
    "by_category": (lambda **given: wide()[RATED].agree.by_category(**given), "Agreement on each category (rate)"),
    "margins": (lambda **given: wide()[RATED].agree.margins(**given), "Choices of each coder against the others"),
    "by_coder": (lambda **given: wide()[RATED].agree.by_coder(**given), "Each coder against the others"),
    "compare": (lambda **given: wide().agree.compare("ann", "bob", by="batch", **given), "Differences of coefficients"),
    "bland_altman": (lambda **given: wide()[RATED].agree.bland_altman(**given), "Bias and limits of agreement"),
    "versus_humans": (lambda **given: JUDGED.versus_humans(by="batch", **given), "Judge minus humans, kappa"),
    "by_human": (lambda **given: JUDGED.versus_humans(by_human=True, **given), "The judge against each human"),
    "ceilings": (lambda **given: JUDGED.ceilings(**given), "Judge minus human"),
    "strengths": (lambda **given: VERDICTS.strengths(**given), "Strengths of the candidates"),
    "position_bias": (lambda **given: VERDICTS.position_bias(**given), "Effect of the position"),
    "coder_groups": (lambda **given: GROUPS.compare(**given), "Differences of coefficients"),
}


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
@pytest.mark.parametrize("name", DETAILED)
def test_details_add_marks_and_change_none(name: str) -> None:
    compute, begins = DETAILED[name]
    plain, detailed = (plot(compute(**given), ax=Figure().subplots()) for given in ({}, {"detail": True}))
    for ax in (plain, detailed):
        assert " ".join(title(ax).split()).startswith(begins)
    assert ticks(plain, "x") == ticks(detailed, "x") or name == "versus_humans"  # the margin is on the axis
    assert ticks(plain, "y") == ticks(detailed, "y")
    if plain.containers:
        np.testing.assert_array_equal(np.stack(dots(plain)), np.stack(dots(detailed)))
        np.testing.assert_array_equal(ends(plain), ends(detailed))
    else:
        assert shown(plain) == shown(detailed)


def test_the_level_of_the_intervals_is_told_without_details() -> None:
    df = wide()
    df.loc[df["batch"] == "x", ["ann", "bob"]] = 1.0
    with pytest.warns(pandas_agreement.AgreementWarning, match="undefined"):  # and has no interval
        some = df.agree.kappa("ann", "bob", ci=0.9, by="batch")
    for result in (some, df.agree.compare(RATED, ["ann", "bob"], ["ann", "cleo"], ci=0.9)):
        ax = plot(result)
        assert "[90% interval]" in " ".join(shown(ax))


def test_results_of_groups_find_their_picture() -> None:
    df = wide()
    for result in (
        df.agree.by_pair(*RATED, by="batch"),
        df.agree.compare("ann", "bob", by="batch"),
        df.agree.pooled("ann", "bob", by="batch"),
    ):
        ax = plot(result)
        assert len(ax.get_yticklabels()) == len(result)


CAN = (
    "These can: coefficients, by_category, by_coder, by_pair, by_item, confusion, margins, bland_altman, compare, and "
    "some tables of judges, truth and preferences."
)


def test_tests_and_foreign_frames_are_refused() -> None:
    df = wide()
    cases = {
        f"Results of test.margins cannot be plotted. {CAN}": df[RATED].agree.test.margins(),
        f"Results of judges.bias cannot be plotted. {CAN}": df.agree.judges("bob", humans=["ann", "cleo"]).bias(
            "batch"
        ),
        f"Results of test.groups cannot be plotted. {CAN}": df.agree.test.groups(*RATED, by="batch")[["p_value"]],
        "The result has no rows to draw.": df[RATED].agree.kappa().iloc[:0],
        "Plot draws a DataFrame that a method of df.agree returned, not a pandas Series.": df["ann"],
        "This frame is not a result of df.agree: its index is unnamed and its columns begin with "
        "'ann', 'bob', 'cleo', 'batch'. Plot what df.agree returned, with all its columns.": df,
    }
    for message, frame in cases.items():
        with pytest.raises(InputError) as error:
            plot(frame)
        assert str(error.value) == message


def noted(result: pd.DataFrame, /, **facts: Any) -> pd.DataFrame:
    """A copy of the result whose `attrs` say these facts."""
    result = result.copy()
    result.attrs = {"agree": facts}
    return result


def test_a_coefficient_without_a_level_is_named_by_a_column_or_by_attrs() -> None:
    flat = wide().agree.kappa("ann", "bob", by="batch")
    assert title(plot(flat)) == "Kappa by batch"
    assert title(plot(flat.assign(coefficient="pi"))) == "Pi by batch"
    level = wide().agree.summary("ann", "bob", by="batch", metrics=["kappa"])
    assert title(plot(noted(level, coefficient="alpha"))) == "Kappa by batch"  # a level comes first
    assert title(plot(noted(flat.assign(coefficient="pi"), coefficient="alpha"))) == "Pi by batch"
    ax = plot(noted(flat))
    assert title(ax) == "Estimate by batch"
    assert not any(text.get_text() in BENCHMARKS["landis_koch"].words for text in ax.texts)
    pairs = wide()[RATED].agree.by_pair(metrics="pi")
    assert title(plot(pairs)) == "Pi of every pair of coders"
    assert title(plot(noted(pairs))) == "Estimate of every pair of coders"


def test_attrs_say_what_a_result_is_that_has_lost_columns() -> None:
    result = wide().agree.kappa("ann", "bob", by="batch")
    part = result[["estimate", "ci_low", "ci_high"]]
    ax = plot(noted(part, result="kappa", coefficient="kappa", ci_level=0.9))
    assert title(ax) == "Kappa by batch"
    assert "estimate  [90% interval]" in [text.get_text() for text in ax.texts]
    with refuses(InputError, LOST):
        plot(noted(result[["ci_low"]], result="kappa"))
    with pytest.raises(InputError, match=r"^Results of test\.chance cannot be plotted\. These can: coefficients, "):
        plot(noted(pd.DataFrame({"estimate": [0.3]}), result="test.chance"))


def test_attrs_are_not_trusted_before_levels_and_columns() -> None:
    margins = wide()[RATED].agree.margins()
    assert title(plot(noted(margins, result="kappa", coefficient="kappa"))).startswith("Choices of each coder")
    with pytest.raises(InputError, match=r"^This frame is not a result of df\.agree"):  # there are no levels of pairs
        plot(noted(wide()[["ann"]], result="by_pair"))
    foreign = wide()
    foreign.attrs = {"agree": "yes, I do"}
    with pytest.raises(InputError, match=r"^This frame is not a result of df\.agree"):
        plot(foreign)
