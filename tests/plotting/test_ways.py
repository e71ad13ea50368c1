"""The pictures on every way into the data, and the conventions of pandas that they keep."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement.accessor.plots import KINDS, Plots
from tests.data_sets import LONG, to_counts, to_long
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


PAIR = ("confusion", "agreement_chart", "bland_altman")  # kinds of two coders
ONE_GROUP = ("confusion", "agreement_chart", "pairwise", "bias")
NEED_CODERS = ("confusion", "agreement_chart", "pairwise", "bias", "coders", "bland_altman")
OPTIONS: dict[str, dict[str, Any]] = {"replicates": {"n_resamples": 200, "rng": 0}}


def makes_sense(kind: str, way: str) -> bool:
    if way == "crosstab" and kind == "items":  # a table has no items
        return False
    if "counts" in way and kind in NEED_CODERS:
        return False
    if "grouped" in way:
        return kind not in ONE_GROUP
    return kind != "over"


SENSIBLE = [(kind, way) for kind in KINDS for way in ways() if makes_sense(kind, way)]


def bare() -> Axes:
    """Axes without a layout, which takes most of the time of a picture."""
    return Figure().subplots()


def call(kind: str, way: str, **keywords: Any) -> Axes:
    coders = ("ann", "bob") if kind in PAIR and way in ("wide", "long") else ()
    keywords = OPTIONS.get(kind, {}) | keywords
    if kind == "replicates" and "counts" in way:
        keywords["metric"] = "alpha"
    return getattr(ways()[way]().plot, kind)(*coders, **keywords)


@pytest.mark.parametrize(("kind", "way"), SENSIBLE)
def test_every_kind_draws_on_the_axes_given_and_returns_them(kind: str, way: str) -> None:
    ax = bare()
    assert call(kind, way, ax=ax, title="Ours") is ax
    assert ax.get_title(loc="left") == "Ours"
    assert ax.has_data()
    assert not plt.get_fignums()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_makes_axes_of_the_size_asked_for(kind: str) -> None:
    ax = call(kind, "grouped wide" if kind == "over" else "wide", figsize=(7, 6))
    assert isinstance(ax, Axes)
    assert ax.figure.get_size_inches().tolist() == [7, 6]
    assert plt.gcf() is ax.figure
    assert ax.figure.get_layout_engine().__class__.__name__ == "ConstrainedLayoutEngine"
    other = Figure(figsize=(3, 3)).subplots()
    call(kind, "grouped wide" if kind == "over" else "wide", ax=other, figsize=(5, 6))
    assert other.figure.get_size_inches().tolist() == [5, 6]  # as pandas does


def drawn(ax: Axes) -> list[Any]:
    """What is on the Axes, as numbers and texts."""
    lines = [np.nan_to_num(np.asarray(line.get_xydata(), float)).round(9).tolist() for line in ax.lines]
    images = [np.ma.filled(image.get_array(), -1).round(9).tolist() for image in ax.images]
    boxes = [(*patch.get_extents().extents.round(6),) for patch in ax.patches]
    texts = [text.get_text() for text in [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels()]]
    return [lines, images, boxes, texts, ax.get_title(loc="left"), ax.get_xlabel(), ax.get_ylabel()]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "over"])
def test_wide_and_long_give_the_same_picture(kind: str) -> None:
    assert drawn(call(kind, "wide", ax=bare())) == drawn(call(kind, "long", ax=bare()))


@pytest.mark.parametrize("kind", ["forest", "over", "coders"])
def test_by_and_groupby_give_the_same_picture(kind: str) -> None:
    ours = getattr(wide().agree.plot, kind)(by="batch", ax=bare())
    assert drawn(ours) == drawn(call(kind, "grouped wide", ax=bare()))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if makes_sense(kind, "crosstab")])
def test_a_crosstab_gives_the_picture_of_its_coders(kind: str) -> None:
    table = call(kind, "crosstab", ax=bare())
    both = getattr(wide().agree.plot, kind)("ann", "bob", ax=bare(), **OPTIONS.get(kind, {}))
    assert table.get_title(loc="left") == both.get_title(loc="left")


def test_options_go_to_the_statistics_and_the_rest_to_matplotlib() -> None:
    df = wide()
    ax = df.agree.plot.forest("ann", "bob", by="batch", metric="kappa", weights="linear", ci=0.9, color="C3", ax=None)
    result = df.agree.kappa("ann", "bob", by="batch", weights="linear", ci=0.9)
    line = ax.containers[0].lines[0]
    assert line.get_xdata().tolist() == result["estimate"].tolist()
    assert line.get_color() == "C3"
    assert "estimate  [90% interval]" in [text.get_text() for text in ax.texts]


def test_every_kind_passes_keywords_on() -> None:
    agree = wide()[RATED].agree
    assert agree.plot.confusion("ann", "bob", ax=bare(), cmap="Greys").images[0].get_cmap().name == "Greys"
    assert agree.plot.pairwise(ax=bare(), vmin=0.5).images[0].get_clim() == (0.5, 1)
    assert agree.plot.bias(ax=bare(), alpha=0.5).collections[0].get_alpha() == 0.5
    assert agree.plot.items(ax=bare(), color="C3").patches[0].get_facecolor() == mpl.colors.to_rgba("C3")
    assert agree.plot.agreement_chart("ann", "bob", ax=bare(), linewidth=3).patches[0].get_linewidth() == 3
    assert agree.plot.bland_altman("ann", "bob", ax=bare(), marker="s").collections[0].get_paths()[0].codes is not None
    assert call("replicates", "wide", ax=bare(), alpha=0.9).collections[-1].get_alpha() == 0.9
    assert call("over", "grouped wide", ax=bare(), linestyle=":").lines[0].get_linestyle() == ":"


def test_a_misspelled_option_is_not_taken_for_matplotlibs() -> None:
    with pytest.raises(pandas_agreement.InputError) as error:
        wide().agree.plot.forest("ann", "bob", wieghts="linear")
    assert str(error.value) == "df.agree.plot.forest has no option 'wieghts'; did you mean 'weights'?"


@pytest.mark.parametrize(
    ("kind", "wrong", "right"),
    [
        ("forest", "metrics", "metric"),
        ("forest", "metrcs", "metric"),
        ("over", "metrics", "metric"),
        ("pairwise", "metrics", "metric"),
        ("items", "metrics", "metric"),
        ("replicates", "metrics", "metric"),
        ("by_category", "metric", "metrics"),
        ("by_category", "metrcs", "metrics"),
    ],
)
def test_options_have_the_name_that_the_picture_gives_them(kind: str, wrong: str, right: str) -> None:
    with pytest.raises(pandas_agreement.InputError) as error:
        call(kind, "grouped wide" if kind == "over" else "wide", **{wrong: ["kappa"]})
    assert str(error.value) == f"df.agree.plot.{kind} has no option {wrong!r}; did you mean {right!r}?"
    assert not plt.get_fignums()


ARTISTS = {
    "agreement_chart": "Rectangle",
    "bias": "Axes.scatter",
    "bland_altman": "Axes.scatter",
    "confusion": "Axes.imshow",
    "items": "Axes.bar",
    "over": "Axes.plot",
    "pairwise": "Axes.imshow",
    "replicates": "Axes.fill_between",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_keyword_that_nobody_takes_is_named_and_no_figure_is_left(kind: str) -> None:
    with pytest.raises(pandas_agreement.InputError) as error:
        call(kind, "grouped wide" if kind == "over" else "wide", glitter=1)
    artist = ARTISTS.get(kind, "Axes.errorbar")
    assert str(error.value) == f"{kind} has no option 'glitter', and {artist} of matplotlib does not take it"
    assert isinstance(error.value.__cause__, (AttributeError, TypeError))
    assert not plt.get_fignums()


def test_figures_of_others_stay_open_when_drawing_fails() -> None:
    theirs = plt.figure()
    with pytest.raises(pandas_agreement.InputError) as error:
        wide().agree.plot.forest(*RATED, colour="red")
    message = "forest has no option 'colour', and Axes.errorbar of matplotlib does not take it; did you mean 'color'?"
    assert str(error.value) == message
    with pytest.raises(pandas_agreement.InputError, match="does not take it; did you mean 'bands'"):
        wide().agree.plot.forest(*RATED, band="altman")
    with pytest.raises(pandas_agreement.InputError, match="has no option 'xerr'"):
        wide().agree.plot.forest(*RATED, xerr=1)
    with pytest.raises(ValueError, match="glitter"):  # matplotlib's own words
        wide().agree.plot.forest(*RATED, color="glitter")
    assert plt.get_fignums() == [theirs.number]


def test_matplotlibs_keywords_are_not_taken_for_misspelled_options() -> None:
    assert wide()[RATED].agree.plot.pairwise(zorder=0.5).images[0].get_zorder() == 0.5


def test_ax_is_one_of_the_axes() -> None:
    figure = Figure()
    cases = {
        "not a ndarray; pass one of them, as in ax=ax[0, 0]": figure.subplots(2, 2),
        "not a list; pass one of them, as in ax=ax[0]": figure.axes,
        "not a Figure; plt.subplots() makes them": figure,
    }
    df = wide()
    for message, ax in cases.items():
        for draw in (df.agree.plot.forest, lambda ax: pandas_agreement.plot_result(df[RATED].agree.summary(), ax=ax)):
            with pytest.raises(pandas_agreement.InputError) as error:
                draw(ax=ax)
            assert str(error.value) == f"ax must be matplotlib Axes, {message}"


def test_the_level_of_an_interval_lies_between_0_and_1() -> None:
    draws = wide()[RATED].agree.replicates(n_resamples=100, rng=0)
    message = "ci=95 must be a level between 0 and 1, such as 0.95, or None; did you mean ci=0.95?"
    for draw in (lambda: call("replicates", "wide", ci=95), lambda: pandas_agreement.plot_result(draws, ci=95)):
        with pytest.raises(pandas_agreement.InputError) as error:
            draw()
        assert str(error.value) == message
    assert call("replicates", "wide", ci=None).get_xlabel() == "kappa; dot: estimate"


def test_the_kinds_are_listed_and_documented() -> None:
    plot = wide().agree.plot
    assert [name for name in dir(plot) if not name.startswith("_")] == KINDS
    assert repr(plot) == f"Pictures of agreement. Kinds: {', '.join(KINDS)}."
    for kind in KINDS:
        doc, shown = inspect.getdoc(getattr(Plots, kind)) or "", inspect.signature(getattr(plot, kind)).parameters
        assert "{" not in doc.partition("Examples")[0].replace("{'", "")
        assert {"coders", "ax", "figsize", "title"} <= set(shown)
        for name in set(shown) - {"coders", "keywords"}:
            assert f"\n{name} : " in doc, (kind, name)
    with pytest.raises(pandas_agreement.AgreementError) as error:
        _ = plot.forrest
    assert str(error.value) == "df.agree.plot has no kind 'forrest'; did you mean 'forest'?"
    assert not hasattr(plot, "frost")


def test_pictures_say_what_they_cannot_draw() -> None:
    df = wide()
    with pytest.raises(pandas_agreement.InputError) as error:
        df.agree.plot.over(*RATED)
    assert str(error.value) == "by= is missing: name the column of the batches, or of dates or Periods"
    expected = (
        "{} draws one group, and this result has the group key 'batch'; choose one, as in "
        "result.xs('x', level='batch'), and draw it with pandas_agreement.plot_result"
    )
    for kind in ONE_GROUP:
        with pytest.raises(pandas_agreement.InputError) as error:
            getattr(df.agree.plot, kind)("ann", "bob", by="batch")
        assert str(error.value) == expected.format(kind)
    with pytest.raises(pandas_agreement.InputError) as error:
        df.agree.plot.agreement_chart("ann", "bob", steps=4)
    assert str(error.value) == "steps=4 must be a whole number from 0 (exact agreement only) to 3"
    with pytest.raises(pandas_agreement.InputError) as error:
        df.agree.plot.confusion("ann", "bob", show="share")
    assert str(error.value) == "show='share' is not known; use one of 'counts', 'rows', 'both'"
    with pytest.raises(pandas_agreement.InputError) as error:
        df.agree.plot.forest("ann", "bob", bands="landis")
    assert str(error.value).startswith("bands='landis' is not known; use one of 'landis_koch', 'fleiss', ")
    with pytest.raises(pandas_agreement.InputError, match="by_coder needs the coder of each label"):
        ways()["counts"]().plot.coders()
    assert not plt.get_fignums()


@pytest.mark.parametrize("kind", ["confusion", "by_category", "bias", "coders", "items"])
def test_no_data_give_no_picture(kind: str) -> None:
    with pytest.raises(pandas_agreement.InputError) as error:
        getattr(pd.DataFrame({"ann": [], "bob": []}).agree.plot, kind)()
    assert str(error.value) == "the result has no rows, so there is nothing to draw"
    assert not plt.get_fignums()


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    df = wide()
    for draw in (df.agree.plot.forest, lambda: pandas_agreement.plot_result(df[RATED].agree.summary())):
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
    assert ax.get_xlabel().endswith("\nundefined: kappa, pi, alpha, ac1, s")
    with pytest.warns(pandas_agreement.AgreementWarning, match="undefined") as caught:
        ax = df.agree.plot.replicates(n_resamples=100, rng=0)
    assert len(caught) == 1
    assert "undefined: 100 of 100 resamples" in ax.get_xlabel()
    ax = df.agree.plot.agreement_chart()
    assert ax.get_title(loc="left") == "Agreement chart, B = 1.00"


def test_the_frame_is_left_alone() -> None:
    df = wide()
    before = df.copy(deep=True)
    result = df.agree.by_pair(*RATED)
    kept = result.copy(deep=True)
    for kind in ("forest", "pairwise", "by_category", "bias", "items"):
        getattr(df.agree.plot, kind)(*RATED, ax=bare())
    pandas_agreement.plot_result(result, ax=bare())
    pd.testing.assert_frame_equal(df, before)
    pd.testing.assert_frame_equal(result, kept)
