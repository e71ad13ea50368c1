"""Any result finds its picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import pandas_agreement
from tests.plotting.helpers import RATED, wide

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")
from matplotlib.figure import Figure

DRAWN: dict[str, tuple[Callable[[Any], pd.DataFrame], str]] = {
    "kappa": (lambda agree: agree.kappa(), "kappa, 60 items"),
    "summary": (lambda agree: agree.summary(), "Coefficients"),
    "pairwise": (lambda agree: agree.by_pair(), "kappa of every pair of coders"),
    "by_category": (lambda agree: agree.by_category(), "Agreement on each category (rate, specific)"),
    "margins": (lambda agree: agree.margins(), "Choices of each coder against the mean coder"),
    "coders": (lambda agree: agree.by_coder(), "Each coder against the others"),
    "items": (lambda agree: agree.by_item(), "Agreement within 60 items"),
    "confusion": (lambda agree: agree.confusion("ann", "bob"), "Same label on 61% of 51 items"),
    "replicates": (lambda agree: agree.replicates(n_resamples=100, rng=0), "kappa in 100 resamples"),
    "limits": (lambda agree: agree.bland_altman(), "Bias and limits of agreement"),
    "compare": (lambda agree: agree.compare(["ann", "bob"], ["ann", "cleo"]), "Differences of coefficients"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_any_result_finds_its_picture(name: str) -> None:
    compute, begins = DRAWN[name]
    ax = Figure().subplots()
    assert pandas_agreement.plot_result(compute(wide()[RATED].agree), ax=ax) is ax
    assert " ".join(ax.get_title(loc="left").split()).startswith(begins)


def test_results_of_groups_find_their_picture() -> None:
    df = wide()
    for result in (
        df.agree.by_pair(*RATED, by="batch"),
        df.agree.compare("ann", "bob", by="batch"),
        df.agree.pooled("ann", "bob", by="batch"),
    ):
        ax = pandas_agreement.plot_result(result)
        assert len(ax.get_yticklabels()) == len(result)


def test_tests_and_foreign_frames_are_refused() -> None:
    df = wide()
    cases = {
        "there is no picture of a table of tests; read the table": df[RATED].agree.test.margins(),
        "there is no picture of a table of tests of groups; read the table": df.agree.test.groups(*RATED, by="batch"),
        "the result has no rows, so there is nothing to draw": df[RATED].agree.kappa().iloc[:0],
        "plot_result draws a DataFrame that a method of df.agree returned, not a Series": df["ann"],
        "this frame is not a result of df.agree: its index is unnamed and its columns begin with "
        "'ann', 'bob', 'cleo', 'batch'; draw what df.agree returned, with all its columns": df,
    }
    for message, frame in cases.items():
        with pytest.raises(pandas_agreement.InputError) as error:
            pandas_agreement.plot_result(frame)
        assert str(error.value) == message
