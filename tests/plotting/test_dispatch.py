"""Any result finds its picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from pandas_agreement import InputError
from pandas_agreement.interpret import BENCHMARKS
from tests.helpers import refuses
from tests.plotting.helpers import RATED, title, wide

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")
from matplotlib.figure import Figure

from pandas_agreement import plot

LOST = "the result has no column 'estimate', which its plot needs; plot what df.agree returned, with all its columns"

DRAWN: dict[str, tuple[Callable[[Any], pd.DataFrame], str]] = {
    "kappa": (lambda agree: agree.kappa(), "kappa, 60 items"),
    "summary": (lambda agree: agree.summary(), "Coefficients"),
    "pairwise": (lambda agree: agree.by_pair(), "kappa of every pair of coders"),
    "by_category": (lambda agree: agree.by_category(), "Agreement on each category (rate, specific)"),
    "margins": (lambda agree: agree.margins(), "Choices of each coder against the mean coder"),
    "coders": (lambda agree: agree.coders(), "Each coder against the others"),
    "items": (lambda agree: agree.items(), "Agreement within 60 items"),
    "confusion": (lambda agree: agree.confusion("ann", "bob"), "Same label on 61% of 51 items"),
    "limits": (lambda agree: agree.bland_altman(), "Bias and limits of agreement"),
    "compare": (lambda agree: agree.compare(["ann", "bob"], ["ann", "cleo"]), "Differences of coefficients"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_any_result_finds_its_picture(name: str) -> None:
    compute, begins = DRAWN[name]
    ax = Figure().subplots()
    assert plot(compute(wide()[RATED].agree), ax=ax) is ax
    assert " ".join(ax.get_title(loc="left").split()).startswith(begins)


def test_results_of_groups_find_their_picture() -> None:
    df = wide()
    for result in (
        df.agree.pairwise(*RATED, by="batch"),
        df.agree.contrasts("ann", "bob", by="batch"),
        df.agree.pooled("ann", "bob", by="batch"),
    ):
        ax = plot(result)
        assert len(ax.get_yticklabels()) == len(result)


CAN = (
    "these can: coefficients, by_category, by_coder, by_pair, by_item, confusion, margins, bland_altman, compare, and "
    "some tables of judges, truth and preferences"
)


def test_tests_and_foreign_frames_are_refused() -> None:
    df = wide()
    cases = {
        f"Results of homogeneity cannot be plotted; {CAN}": df[RATED].agree.homogeneity(),
        f"Results of heterogeneity cannot be plotted; {CAN}": df.agree.heterogeneity(*RATED, by="batch"),
        "the result has no rows, so there is nothing to draw": df[RATED].agree.kappa().iloc[:0],
        "plot draws a DataFrame that a method of df.agree returned, not a Series": df["ann"],
        "this frame is not a result of df.agree: its index is unnamed and its columns begin with "
        "'ann', 'bob', 'cleo', 'batch'; plot what df.agree returned, with all its columns": df,
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
    result = wide().agree.kappa("ann", "bob", by="batch")
    flat = result.droplevel("coefficient")
    assert title(plot(noted(flat, result="kappa", coefficient="kappa"))) == "kappa by batch"
    assert title(plot(flat.assign(coefficient="pi"))) == "pi by batch"
    assert title(plot(noted(result, coefficient="alpha"))) == "kappa by batch"  # a level comes first
    assert title(plot(noted(flat.assign(coefficient="pi"), coefficient="alpha"))) == "pi by batch"
    ax = plot(flat)
    assert title(ax) == "estimate by batch"
    assert not any(text.get_text() in BENCHMARKS["landis_koch"].words for text in ax.texts)
    pairs = wide()[RATED].agree.pairwise().droplevel("coefficient")
    assert title(plot(noted(pairs, coefficient="kappa"))) == "kappa of every pair of coders"


def test_attrs_say_what_a_result_is_that_has_lost_columns() -> None:
    result = wide().agree.kappa("ann", "bob", by="batch")
    part = result[["estimate", "ci_low", "ci_high"]]
    ax = plot(noted(part, result="kappa", ci_level=0.9))
    assert title(ax) == "kappa by batch"
    assert "estimate  [90% interval]" in [text.get_text() for text in ax.texts]
    with refuses(InputError, LOST):
        plot(noted(result[["ci_low"]], result="kappa"))
    with pytest.raises(InputError, match=r"^Results of test\.chance cannot be plotted; these can: coefficients, "):
        plot(noted(pd.DataFrame({"estimate": [0.3]}), result="test.chance"))


def test_attrs_are_not_trusted_before_levels_and_columns() -> None:
    margins = wide()[RATED].agree.margins()
    assert title(plot(noted(margins, result="kappa", coefficient="kappa"))).startswith("Choices of each coder")
    with pytest.raises(InputError, match=r"^this frame is not a result of df\.agree"):  # there are no levels of pairs
        plot(noted(wide()[["ann"]], result="by_pair"))
    foreign = wide()
    foreign.attrs = {"agree": "yes, I do"}
    with pytest.raises(InputError, match=r"^this frame is not a result of df\.agree"):
        plot(foreign)
