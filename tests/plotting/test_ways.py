"""The pictures on every way into the data, and the conventions of pandas that they keep."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import plotting
from pandas_agreement.accessor.plots import KINDS, Plots
from tests.data_sets import LONG, to_counts, to_long
from tests.helpers import as_subject
from tests.plotting.helpers import RATED, wide

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")
import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure


@cache
def ways() -> dict[str, Callable[[], Any]]:
    """The same data on each way in, grouped and not."""
    df = wide()
    long = to_long(df, ("batch",))
    counts = to_counts(df[RATED], [1, 2, 3])
    return {
        "wide": lambda: df[RATED].agree,
        "long": lambda: long.drop(columns="batch").agree.long(**LONG),
        "crosstab": lambda: pd.crosstab(df["ann"], df["bob"]).agree.crosstab(),
        "counts": lambda: counts.agree.counts(),
        "grouped wide": lambda: df.groupby("batch").agree,
        "grouped long": lambda: long.groupby("batch").agree.long(**LONG),
        "grouped counts": lambda: counts.assign(batch=df["batch"]).groupby("batch").agree.counts(),
    }


PAIR = ("confusion", "bland_altman")  # kinds of two coders
ONE_GROUP = ("confusion", "by_pair", "margins")
NEED_CODERS = ("confusion", "by_pair", "margins", "by_coder", "bland_altman")


def makes_sense(kind: str, way: str) -> bool:
    if way == "crosstab" and kind == "by_item":  # a table has no items
        return False
    if "counts" in way and kind in NEED_CODERS:
        return False
    if "grouped" in way:
        return kind not in ONE_GROUP
    return kind != "trend"


SENSIBLE = [(kind, way) for kind in KINDS for way in ways() if makes_sense(kind, way)]


def bare() -> Axes:
    """Axes without a layout, which takes most of the time of a picture."""
    return Figure().subplots()


def call(kind: str, way: str, **keywords: Any) -> Axes:
    coders = ("ann", "bob") if kind in PAIR and way in ("wide", "long") else ()
    return getattr(ways()[way]().plot, kind)(*coders, **keywords)


@pytest.mark.parametrize(("kind", "way"), SENSIBLE)
def test_every_kind_draws_on_the_axes_given_and_returns_them(kind: str, way: str) -> None:
    ax = bare()
    assert call(kind, way, ax=ax, title="Ours") is ax
    assert ax.get_title(loc="left") == "Ours"
    assert ax.has_data()
    assert not plt.get_fignums()


def drawn(ax: Axes) -> list[Any]:
    """What is on the Axes, as numbers and texts."""
    lines = [np.nan_to_num(np.asarray(line.get_xydata(), float)).round(9).tolist() for line in ax.lines]
    images = [np.ma.filled(image.get_array(), -1).round(9).tolist() for image in ax.images]
    boxes = [(*patch.get_extents().extents.round(6),) for patch in ax.patches]
    texts = [text.get_text() for text in [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels()]]
    return [lines, images, boxes, texts, ax.get_title(loc="left"), ax.get_xlabel(), ax.get_ylabel()]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "trend"])
def test_wide_and_long_give_the_same_picture(kind: str) -> None:
    assert drawn(call(kind, "wide", ax=bare())) == drawn(call(kind, "long", ax=bare()))


def test_options_go_to_the_statistics_and_style_to_matplotlib() -> None:
    df, style = wide(), {"color": "C3"}
    ax = df.agree.plot.forest("ann", "bob", by="batch", metrics="kappa", weights="linear", ci=0.9, style=style, ax=None)
    result = df.agree.kappa("ann", "bob", by="batch", weights="linear", ci=0.9)
    line = ax.containers[0].lines[0]
    assert line.get_xdata().tolist() == result["estimate"].tolist()
    assert line.get_color() == "C3"
    assert style == {"color": "C3"}
    assert "estimate  [90% interval]" in [text.get_text() for text in ax.texts]


def test_every_kind_passes_style_on() -> None:
    plot = wide()[RATED].agree.plot
    assert plot.confusion("ann", "bob", ax=bare(), style={"cmap": "Greys"}).images[0].get_cmap().name == "Greys"
    assert plot.by_pair(ax=bare(), style={"vmin": 0.5, "zorder": 0.5}).images[0].get_clim() == (0.5, 1)
    assert plot.margins(ax=bare(), style={"cmap": "PuOr"}).images[0].get_cmap().name == "PuOr"
    assert plot.by_item(ax=bare(), style={"color": "C3"}).patches[0].get_facecolor() == mpl.colors.to_rgba("C3")
    squares = plot.bland_altman("ann", "bob", ax=bare(), style={"marker": "s"})
    assert squares.collections[0].get_paths()[0].codes is not None
    assert call("trend", "grouped wide", ax=bare(), style={"linestyle": ":"}).lines[0].get_linestyle() == ":"
    for kind in ("by_category", "by_coder"):
        ax = getattr(plot, kind)(ax=bare(), style={"color": "C3"})
        assert ax.containers[0].lines[0].get_color() == "C3"


@pytest.mark.parametrize("kind", KINDS)
def test_the_signature_shows_every_option(kind: str) -> None:
    shown = inspect.signature(getattr(Plots, kind)).parameters
    assert {each.kind for each in list(shown.values())[2:]} == {inspect.Parameter.KEYWORD_ONLY}
    assert list(shown)[-4:] == ["ax", "figsize", "title", "style"]
    assert ("by" in shown) == (kind not in ONE_GROUP)
    assert ("ci" in shown) == (kind in ("forest", "trend", "by_category", "bland_altman"))
    assert {"categories", "frequency"} <= set(shown) or kind == "bland_altman"
    assert not {"options", "look", "progress", "full", "detail", "metric"} & set(shown)


WRONG = {
    "df.agree.plot.forest has no option 'wieghts'. Did you mean 'weights'?": {"wieghts": "linear"},
    "df.agree.plot.forest has no option 'metrcs'. Did you mean 'metrics'?": {"metrcs": ["kappa"]},
    "df.agree.plot.forest has no option 'band'. Did you mean 'bands'?": {"band": "altman"},
    "df.agree.plot.forest has no option 'seed'. Write rng=1.": {"seed": 1},
    "df.agree.plot.forest has no option 'color'. Keywords for Axes.errorbar of matplotlib go into style=, as in "
    "style={'color': 'C3'}.": {"color": "C3"},
    "df.agree.plot.forest has no option 'alpha'. Keywords for Axes.errorbar of matplotlib go into style=, as in "
    "style={'alpha': 0.5}.": {"alpha": 0.5},
    "style='C3' must be a dict of keywords for Axes.errorbar of matplotlib, such as style={'color': 'C3'}.": {
        "style": "C3"
    },
    "'sort' is an option of the plot. Write sort= outside of style=": {"style": {"sort": True}},
}


@pytest.mark.parametrize("message", WRONG)
def test_a_wrong_option_is_named_before_anything_is_drawn(message: str) -> None:
    with pytest.raises(pandas_agreement.InputError) as error:
        wide().agree.plot.forest("ann", "bob", **WRONG[message])
    assert str(error.value) == message
    assert not plt.get_fignums()


def test_functions_of_results_check_their_options_too() -> None:
    result = wide()[RATED].agree.summary()
    with pytest.raises(pandas_agreement.InputError) as error:
        plotting.forest(result, sotr=True)
    assert str(error.value) == "Forest has no option 'sotr'. Did you mean 'sort'?"
    with pytest.raises(pandas_agreement.InputError) as error:
        pandas_agreement.plot(result, show="both")
    assert str(error.value).startswith("Forest has no option 'show'")


ARTISTS = {
    "margins": "Axes.imshow",
    "bland_altman": "Axes.scatter",
    "confusion": "Axes.imshow",
    "by_item": "Axes.bar",
    "trend": "Axes.plot",
    "by_pair": "Axes.imshow",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_keyword_that_matplotlib_does_not_take_is_named_and_no_figure_is_left(kind: str) -> None:
    with pytest.raises(pandas_agreement.InputError) as error:
        call(kind, "grouped wide" if kind == "trend" else "wide", style={"glitter": 1})
    artist = ARTISTS.get(kind, "Axes.errorbar")
    assert str(error.value).startswith(f"style= has a keyword that {artist} of matplotlib does not take: ")
    assert str(error.value).endswith("got an unexpected keyword argument 'glitter'.")
    assert isinstance(error.value.__cause__, (AttributeError, TypeError))
    assert not plt.get_fignums()


def test_figures_of_others_stay_open_when_drawing_fails() -> None:
    theirs = plt.figure()
    with pytest.raises(pandas_agreement.InputError, match=r"Axes\.errorbar .* for keyword argument 'xerr'"):
        wide().agree.plot.forest(*RATED, style={"xerr": 1})
    with pytest.raises(ValueError, match="glitter"):  # matplotlib's own words
        wide().agree.plot.forest(*RATED, style={"color": "glitter"})
    assert plt.get_fignums() == [theirs.number]


def test_ax_is_one_of_the_axes() -> None:
    figure = Figure()
    cases = {
        "not a numpy ndarray. Pass one of them, as in ax=ax[0, 0].": figure.subplots(2, 2),
        "not a list. Pass one of them, as in ax=ax[0].": figure.axes,
        "not a matplotlib Figure. Make them with plt.subplots().": figure,
    }
    df = wide()
    for message, ax in cases.items():
        for draw in (df.agree.plot.forest, lambda ax: pandas_agreement.plot(df[RATED].agree.summary(), ax=ax)):
            with pytest.raises(pandas_agreement.InputError) as error:
                draw(ax=ax)
            assert str(error.value) == f"ax= must be matplotlib Axes, {message}"


def test_the_kinds_are_listed_and_documented() -> None:
    plot = wide().agree.plot
    assert [name for name in dir(plot) if not name.startswith("_")] == sorted(KINDS)
    assert repr(plot) == f"Plots of agreement. Kinds: {', '.join(KINDS)}."
    for kind in KINDS:
        doc, shown = inspect.getdoc(getattr(Plots, kind)) or "", inspect.signature(getattr(plot, kind)).parameters
        assert not re.search("{[A-Za-z]", doc)
        assert {"coders", "ax", "figsize", "title"} <= set(shown)
        listed = re.findall(r"^([\w, ]+) : ", doc, re.MULTILINE)
        assert set(shown) - {"coders"} == {name for names in listed for name in names.split(", ")}
    with pytest.raises(pandas_agreement.AgreementError) as error:
        _ = plot.forrest
    assert str(error.value) == "df.agree.plot has no kind 'forrest'. Did you mean 'forest'?"
    assert not hasattr(plot, "frost")
    for name, message in GONE.items():
        with pytest.raises(pandas_agreement.AgreementError) as error:
            getattr(plot, name)
        assert str(error.value).startswith(f"df.agree.plot has no kind {name!r}. {message}")
    for name, kind in {"coders": "by_coder", "pairwise": "by_pair", "items": "by_item"}.items():
        assert getattr(plot, name) == getattr(plot, kind)
        assert name not in dir(plot)


GONE = {
    "over": "Use plot.trend",
    "bias": "Use plot.margins",
    "heatmap": "Use plot.by_pair or plot.confusion",
    "by_coders": "Did you mean 'by_coder'?",
    "replicates": "There are: 'forest', 'trend', ",
    "agreement_chart": "There are: 'forest', 'trend', ",
}


def test_pictures_say_what_they_cannot_draw() -> None:
    df = wide()
    with pytest.raises(pandas_agreement.InputError) as error:
        df.agree.plot.trend(*RATED)
    assert str(error.value) == "by= is missing: name the column of the batches, or of dates or Periods."
    expected = (
        "{} draws one group, and this result has the group key 'batch'. Choose one, as in "
        "result.xs('x', level='batch'), and draw it with pandas_agreement.plot."
    )
    for kind in ONE_GROUP:
        with pytest.raises(pandas_agreement.InputError) as error:
            getattr(df.groupby("batch").agree.plot, kind)("ann", "bob")
        assert str(error.value) == expected.format(as_subject(kind))
        with pytest.raises(pandas_agreement.InputError) as error:
            getattr(df.agree.plot, kind)("ann", "bob", by="batch")
        message = f"df.agree.plot.{kind} draws one group, and has no option 'by'. Choose the rows of the group before "
        assert str(error.value) == message + ".agree."
    with pytest.raises(pandas_agreement.InputError) as error:
        df.agree.plot.confusion("ann", "bob", show="share")
    assert str(error.value) == "show='share' is not known. Use one of 'counts', 'rows', 'both'."
    with pytest.raises(pandas_agreement.InputError) as error:
        df.agree.plot.forest("ann", "bob", bands="landis")
    assert str(error.value).startswith("bands='landis' is not known. Use one of 'landis_koch', 'fleiss', ")
    with pytest.raises(pandas_agreement.InputError, match="needs the coder of each label"):
        ways()["counts"]().plot.by_coder()
    assert not plt.get_fignums()


@pytest.mark.parametrize("kind", ["confusion", "by_category", "margins", "by_coder", "by_item"])
def test_no_data_give_no_picture(kind: str) -> None:
    with pytest.raises(pandas_agreement.InputError) as error:
        getattr(pd.DataFrame({"ann": [], "bob": []}).agree.plot, kind)()
    assert str(error.value) == "The result has no rows to draw."
    assert not plt.get_fignums()


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    df = wide()
    for draw in (df.agree.plot.forest, lambda: pandas_agreement.plot(df[RATED].agree.summary())):
        with pytest.raises(ImportError) as error:
            draw()
        message = "df.agree.plot needs matplotlib. Install it with: pip install 'pandas-agreement[plot]'"
        assert str(error.value) == message
    assert "forest" in dir(df.agree.plot)


def test_undefined_data_warn_once_and_are_drawn() -> None:
    df = pd.DataFrame({"ann": list("aaaa"), "bob": list("aaaa")})
    with pytest.warns(pandas_agreement.AgreementWarning, match="undefined") as caught:
        ax = df.agree.plot.forest()
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert ax.get_xlabel().endswith("\nundefined: kappa, pi, alpha, AC1, S")
