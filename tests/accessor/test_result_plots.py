"""`.plot` on judges, truth, groups of coders and preferences: each kind is the plot of the method's result."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("matplotlib", reason="plots need matplotlib: pip install 'pandas-agreement[plot]'")
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

import pandas_agreement
from pandas_agreement.accessor.result_plots import ResultPlots
from tests.data_sets import CODERS

EXAMPLE = pandas_agreement.load_example()
VERDICTS = pd.DataFrame({"a": list("xxyyzz"), "b": list("yzzxxy"), "won": list("xxzxzy")})
SOURCES: dict[str, Any] = {
    "judges": EXAMPLE.agree.judges("dev", humans=["ann", "bob", "cleo"]),
    "truth": EXAMPLE.agree.truth(*CODERS, method="dawid_skene"),
    "coder_groups": EXAMPLE.agree.coder_groups({"first": ["ann", "bob"], "second": ["cleo", "dev"]}),
    "preferences": VERDICTS.agree.preferences(first="a", second="b", winner="won"),
}
KINDS = {
    "judges": ["versus_humans", "ceilings"],
    "truth": ["by_coder", "confusions"],
    "coder_groups": ["within", "across", "compare"],
    "preferences": ["strengths", "position_bias"],
}
EVERY = [(source, kind) for source, kinds in KINDS.items() for kind in kinds]


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def drawn(ax: Any) -> list[Any]:
    """What is on the Axes."""
    lines = [np.nan_to_num(np.asarray(line.get_xydata(), float)).tolist() for line in ax.lines]
    return [lines, [text.get_text() for text in ax.texts], [text.get_text() for text in ax.get_yticklabels()]]


@pytest.mark.parametrize(("source", "kind"), EVERY)
def test_a_kind_is_the_plot_of_the_result(source: str, kind: str) -> None:
    made = SOURCES[source]
    method = getattr(made, made.plot._methods[kind])
    ax = getattr(made.plot, kind)(ax=Figure().subplots(), title="Ours")
    assert ax.get_title(loc="left") == "Ours"
    detail = {"detail": True} if "detail" in inspect.signature(method).parameters else {}
    assert drawn(ax) == drawn(pandas_agreement.plot(method(**detail), ax=Figure().subplots()))
    assert getattr(made.plot, kind)(figsize=(7, 6)).figure.get_size_inches().tolist() == [7, 6]
    shown = list(inspect.signature(getattr(made.plot, kind)).parameters)
    assert shown == [*inspect.signature(method).parameters, "ax", "figsize", "title", "style"]


def test_options_go_to_the_method() -> None:
    ax = SOURCES["judges"].plot.versus_humans(metric="alpha", by="batch", margin=0.1)
    assert ax.get_title(loc="left") == "Judge minus humans, alpha"
    assert len(ax.get_yticklabels()) == 6
    ax = SOURCES["coder_groups"].plot.within(metric="kappa", by_category=True)
    assert len(ax.get_yticklabels()) == 8


@pytest.mark.parametrize("source", KINDS)
def test_the_kinds_are_listed_and_an_unknown_one_names_the_nearest(source: str) -> None:
    plot = SOURCES[source].plot
    assert dir(plot) == sorted(KINDS[source])
    assert repr(plot) == f"Plots of tables. Kinds: {', '.join(KINDS[source])}."
    kind = KINDS[source][0]
    with pytest.raises(pandas_agreement.AgreementError) as error:
        getattr(plot, f"{kind}s")
    assert str(error.value) == f"Plot has no kind '{kind}s'. Did you mean {kind!r}?"
    assert isinstance(copy.copy(plot), ResultPlots)
    with pytest.raises(pandas_agreement.InputError, match="ax= must be matplotlib Axes"):
        getattr(plot, kind)(ax=1)
