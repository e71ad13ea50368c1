"""What all plots share: Axes, colours, shortened names, readable text. No plot is drawn here.

matplotlib is imported when a plot is drawn, and not before. rcParams are never changed, so the user's style applies
to fonts, sizes, text and background, light or dark. The colours are those of Okabe and Ito, which colour-blind people
can tell apart; shape, text or hatching repeat their meaning, so that a print in grey can be read too.

Constrained layout places what is drawn. What it does not do, `settle` does once, when a plot is complete: names that
touch are tilted and thinned, long lines are broken, and the legend stands below. A long name is shortened, and
`text.get_label()` has the full one. (Not the gid: it becomes an id in SVG, and the ids of several plots on one page
would clash.)
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from os.path import commonprefix
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pandas_agreement import formatting
from pandas_agreement.characters import visible
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.errors import InputError, called, nearest, plain, shown, wrong_value
from pandas_agreement.options import FOREIGN_OPTIONS, OPTIONS, unknown_option
from pandas_agreement.plotting import fonts
from pandas_agreement.plotting.notebooks import follow_theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

Array = NDArray[Any]
Size = tuple[float, float] | None
Look = dict[str, Any]  # keywords of matplotlib

BLUE, ORANGE = "#0072B2", "#D55E00"
MUTED = "#757575"  # of lines; contrast of 4.5 or more on white and on black
GRID, SHADE, LIGHT_SHADE = (0.5, 0.5, 0.5, 0.3), (0.5, 0.5, 0.5, 0.12), (0.5, 0.5, 0.5, 0.04)
COLOURS = (BLUE, ORANGE, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", MUTED)
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES = ("-", "--", "-.", ":")
BRIGHT = 0.179  # luminance on which black and white have the same contrast
SMALL = "small"  # the smallest text: legible where a plot is 400 pixels wide
HATCH = "/////"
MAX_NAME_CHARACTERS = 24  # characters of a name on a plot
MIN_LINE_LETTERS = 12  # of a line of a title, however narrow the plot
INCHES_PER_LETTER = 0.085  # inches, roughly
MAX_NAMES = 210  # names that the axis of the largest plot has room for
MAX_NAMES_LISTED = 6  # names in a list below a plot
MAX_WIDTH = 5.6  # inches of a new figure: its small text is read where a page shows it 400 pixels wide
TILT: Look = {"ha": "right", "rotation_mode": "anchor"}
TILTED = 1.5  # lines of text that a name at 45 degrees takes from its neighbour
OWN = ("coder_1", "coder_2", "coder", "category", "coefficient")  # levels that are no group keys


def pyplot() -> ModuleType:
    """matplotlib.pyplot, or the line that installs it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError(
            "df.agree.plot needs matplotlib. Install it with: pip install 'pandas-agreement[plot]'"
        ) from None
    return plt


class Canvas(NamedTuple):
    """Where a plot is drawn and how it looks: the options that all plots share."""

    ax: Axes | None = None
    figsize: Size = None
    title: str | None = None
    style: Look = {}  # noqa: RUF012  (never changed)

    def axes(self, size: tuple[float, float]) -> Axes:
        """The Axes to draw on: the user's, or those of a new figure of `figsize`, by default `size`, in inches."""
        if self.ax is None:
            figure, ax = pyplot().subplots(figsize=self.figsize or size, layout="constrained")
            follow_theme(figure)
            return ax
        figure = root(self.ax)
        if figure.get_layout_engine() is None:
            figure.set_layout_engine("constrained")
        if self.figsize is not None:
            figure.set_size_inches(self.figsize)  # as pandas does
        return self.ax


def picture(artist: str) -> Callable[[Callable[..., Axes]], Callable[..., Axes]]:
    """Decorate a function that draws a result on a `Canvas`, whose `style` has keywords for `artist`.

    An empty result, an `ax` that is no Axes, an unknown option and a keyword that matplotlib does not take are errors.
    After an error no new figure is left open.
    """

    def prepared(draw: Callable[..., Axes]) -> Callable[..., Axes]:
        own = [*list(inspect.signature(draw).parameters)[2:], "ax", "figsize", "title"]

        @functools.wraps(draw)
        def drawn(result: pd.DataFrame, *, style: Look | None = None, **given: Any) -> Axes:
            plt = pyplot()
            look = check_style(style, artist, own)
            check_axes(given.get("ax"))
            for name in given.keys() - set(own):
                raise unknown_keyword(draw.__name__, name, given, [*own, "style"], artist)
            if result.empty:
                raise InputError("the result has no rows to draw", code="no rows")
            shared = {name: given.pop(name) for name in ("ax", "figsize", "title") if name in given}
            before = plt.get_fignums()
            try:
                ax = draw(result, Canvas(**shared, style=look), **given)
                settle(ax)
            except BaseException as error:
                for number in set(plt.get_fignums()) - set(before):
                    plt.close(number)
                if look and isinstance(error, (AttributeError, TypeError)):
                    problem = f"style= has a keyword that {artist} of matplotlib does not take: {error}"
                    raise InputError(problem, option="style", code="unknown option") from error
                raise
            return ax

        return drawn

    return prepared


def check_style(style: Any, artist: str, own: Iterable[str]) -> Look:
    """The keywords of `artist` in `style`; raises unless it is a mapping of names that are not options of the plot."""
    if style is None:
        return {}
    if not isinstance(style, Mapping) or not all(isinstance(name, str) for name in style):
        why = f"must be a dict of keywords for {artist} of matplotlib, such as style={{'color': 'C3'}}"
        raise wrong_value("style", style, why)
    for name in own:
        if name in style:
            raise InputError(f"{name!r} is an option of the plot", f"write {name}= outside of style=", option="style")
    return dict(style)


def unknown_keyword(kind: str, name: str, given: Look, allowed: Sequence[str], artist: str) -> InputError:
    """The error for a keyword that a plot does not have: a similar option, or else a keyword of matplotlib."""
    similar = nearest(name, allowed, hint=False)
    if similar or name in OPTIONS or (name in FOREIGN_OPTIONS and name != "alpha"):  # which is transparency, too
        return unknown_option(kind, name, given, allowed)
    remedy = f"keywords for {artist} of matplotlib go into style=, as in style={{{name!r}: {shown(given[name])}}}"
    return InputError(f"{kind} has no option {name!r}", remedy, option=name, code="unknown option")


def check_axes(ax: Any) -> None:
    """Raise an error unless `ax` is None or single Axes, not the array that `plt.subplots` returns for several."""
    if isinstance(ax, pyplot().Axes) or ax is None:
        return
    several = isinstance(ax, (np.ndarray, Sequence))
    first = f"ax[{', '.join('0' * np.ndim(ax))}]"
    remedy = f"pass one of them, as in ax={first}" if several else "make them with plt.subplots()"
    raise InputError(f"ax= must be matplotlib Axes, not {called(ax)}", remedy, option="ax")


def root(ax: Axes) -> Any:
    """The figure that holds the Axes, also where they are part of a subfigure."""
    figure: Any = ax.figure
    while figure.figure is not figure:
        figure = figure.figure
    return figure


def ink(ax: Axes) -> Any:
    """The colour of the user's text."""
    return ax.xaxis.label.get_color()


def quiet(ax: Axes) -> Look:
    """The look of text beside the plot: small, and paler than the user's text on any background."""
    return {"fontsize": SMALL, "color": ink(ax), "alpha": 0.75}


def paper(ax: Axes) -> Any:
    """The colour that the user draws on."""
    return ax.get_facecolor()


def finish(ax: Axes, title: str, grid: str = "", pad: float | None = None) -> None:
    """A title on the left, light lines where values are read, no box."""
    ax.set_title(title, loc="left", fontsize="medium", pad=pad)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(GRID)
    ax.tick_params(color=GRID)
    ax.set_axisbelow(True)
    ax.grid(False)
    if grid:
        ax.grid(True, axis=grid, color=GRID, linewidth=0.6)  # type: ignore[arg-type]


# --------------------------------------------------------------------------------------------------------- names


def coefficient(name: str, start: bool = False) -> str:
    """The name of a coefficient for readers, as a sentence has it or at its start; other names as they are."""
    text = formatting.short_name(REGISTRY[name]) if name in REGISTRY else name
    return text[:1].upper() + text[1:] if start else text


def text_of(name: Hashable) -> str:
    """A name in full; a set of labels as '{a, b}'."""
    return formatting.label_text(name) if isinstance(name, frozenset) else str(name)


def shorten(name: Hashable, width: int = MAX_NAME_CHARACTERS) -> str:
    """A name of at most `width` characters; what is left out of the middle becomes an ellipsis.

    >>> shorten("annotator-0042-second-round", 16)
    'annotator…-round'
    """
    text = visible(" ".join(text_of(name).split())) or "(empty)"
    if len(text) <= width:
        return text
    tail = (width - 1) * 2 // 5
    return f"{text[: width - 1 - tail]}…{text[len(text) - tail :]}"


def shorten_all(names: Iterable[Hashable], width: int = MAX_NAME_CHARACTERS) -> list[str]:
    """Short names that still differ: without their common beginning, or numbered, where that is needed.

    >>> shorten_all(["team-1-reviewer-north-a", "team-1-reviewer-south-a"], 12)
    ['…north-a', '…south-a']
    """
    full = list(map(text_of, names))
    start = len(commonprefix(full))  # noqa: RUF071  (names, no paths)
    number = {name: place for place, name in enumerate(dict.fromkeys(full), 1)}
    forms: tuple[Callable[[str], str], ...] = (
        lambda name: shorten(name, width),
        lambda name: shorten(f"…{name[start:]}", width),
        lambda name: f"{number[name]}: {shorten(name, width - 4)}",
    )
    tried = ([form(name) for name in full] for form in forms)
    return next((short for short in tried if len(set(short)) == len(number)), [])


def listed(names: Iterable[Hashable], what: str) -> str:
    """'undefined: a, b and 3 more', as lines of their own; empty for no names."""
    texts = shorten_all(names)
    return f"\n{what}: {formatting.listed(texts, MAX_NAMES_LISTED)}" if texts else ""


def name_ticks(
    ax: Axes, axis: str, places: Sequence[float] | Array, names: Sequence[Hashable], texts: Sequence[str] | None = None
) -> None:
    """Write names along an axis, shortened or as `texts`; `settle` removes those that do not fit.

    Of thousands only every so many become ticks: matplotlib would take seconds to measure what has no room.
    """
    some = slice(None, None, 1 + len(names) // MAX_NAMES)
    full = [text_of(name) for name in names]
    _set_ticks(getattr(ax, f"{axis}axis"), list(places)[some], (texts or shorten_all(names))[some], full[some])
    ax.tick_params(axis=axis, labelsize=SMALL)  # type: ignore[arg-type]


def _set_ticks(which: Any, places: Sequence[float], texts: Sequence[str], full: Sequence[str]) -> None:
    which.set_ticks(places, texts)
    for text, name in zip(which.get_ticklabels(), full, strict=True):
        text.set_label(name)


# --------------------------------------------------------------------------------------------------------- layout


def arrange(ax: Axes) -> None:
    """Compute the layout, as drawing would, without drawing.

    Dollar signs are drawn as they are, since "$5 to $10" and "$x^{$" are names and no formulas.
    """
    from matplotlib.text import Text

    for text in ax.findobj(Text):
        text.set_parse_math(False)
        fonts.dress(text)
    figure = root(ax)
    if figure.get_layout_engine() is not None:
        figure.get_layout_engine().execute(figure)
    ax.apply_aspect()


def settle(ax: Axes) -> None:
    """Make what is written legible in the layout of the complete plot."""
    named = ax.get_legend_handles_labels()[1]
    if named:
        look: Look = {"fontsize": SMALL, "frameon": False, "borderaxespad": 0.2, "borderpad": 0}
        ax.legend(loc="upper left", ncols=legend_columns(named), **look).set_in_layout(False)
    arrange(ax)
    if _fit_names(ax, "x") | _fit_names(ax, "y"):
        arrange(ax)
    title: Any = ax._left_title  # type: ignore[attr-defined]
    whole = len(root(ax).axes) == 1
    _wrap(title, (root(ax).bbox.x1 if whole else ax.bbox.x1) - title.get_window_extent().x0)
    middle = (ax.bbox.x0 + ax.bbox.x1) / 2
    _wrap(ax.xaxis.label, 2 * min(middle, root(ax).bbox.x1 - middle) if whole else ax.bbox.width)
    if ax.get_legend() is not None:
        _put_below(ax, ax.get_legend())


def legend_columns(names: Sequence[str]) -> int:
    """How many names of a legend stand in a line."""
    return max(1, 48 // (max(map(len, names), default=1) + 4))


def _fit_names(ax: Axes, axis: str) -> bool:
    """Tilt the names of the x axis if they touch each other, and leave some out if they still do.

    Numbers and dates are left to matplotlib. Returns whether something was changed.
    """
    from matplotlib.ticker import FixedLocator

    which = getattr(ax, f"{axis}axis")
    texts: list[Text] = which.get_ticklabels()
    if not isinstance(which.get_major_locator(), FixedLocator) or len(texts) < 2 or texts[0].get_rotation():
        return False
    places, along = which.get_ticklocs(), "xy".index(axis)
    room = np.abs(np.diff(ax.transData.transform(np.column_stack([places, places]))[:, along])).min()
    sizes = np.array([text.get_window_extent().size for text in texts]).max(axis=0)
    need, height = sizes[along], sizes[1]
    turned = axis == "x" and need + 4 > room
    if turned:
        slope = 45 if room > TILTED * height else 90
        need = TILTED * height if slope == 45 else height
        for text in texts:
            text.set(rotation=slope, **(TILT if slope == 45 else {}))
    step = int(np.ceil(need / room))
    if step > 1:
        shown, full = [text.get_text() for text in texts], [str(text.get_label()) for text in texts]
        _set_ticks(which, places[::step], shown[::step], full[::step])
    return turned or step > 1


def _wrap(text: Any, width: float) -> None:
    """Break the lines of a text that are wider than so many pixels."""
    now, lines = text.get_window_extent().width, text.get_text().split("\n")
    longest = max(map(len, lines))
    if now > 0.96 * width and longest > MIN_LINE_LETTERS:  # letters are wider at other resolutions
        letters = max(int(longest * width / now) - 1, MIN_LINE_LETTERS)
        text.set_text("\n".join(part for line in lines for part in textwrap.wrap(line, letters) or [""]))


def _put_below(ax: Axes, legend: Any) -> None:
    """Move the legend below the label of the x axis."""
    from matplotlib.transforms import ScaledTranslation

    figure = root(ax)
    down = (ax.bbox.y0 - ax.xaxis.label.get_window_extent().y0) / figure.dpi
    below = ax.transAxes + ScaledTranslation(0, -down - 0.02, figure.dpi_scale_trans)
    legend.set_bbox_to_anchor((0, 0), below)
    legend.set_in_layout(True)


# --------------------------------------------------------------------------------------------------------- text


def luminance(colour: Any) -> float:
    """Relative luminance of a colour, 0 (black) to 1 (white), as the web's accessibility guidelines define it."""
    from matplotlib.colors import to_rgb

    channels = np.asarray(to_rgb(colour))
    linear = np.where(channels <= 0.03928, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))


def ink_on(colour: Any) -> str:
    """Black or white, whichever is read more easily on the colour; the contrast is never below 4.5."""
    return "black" if luminance(colour) > BRIGHT else "white"


def fits(ax: Axes, texts: Iterable[str], box: tuple[float, float], size: float) -> bool:
    """Whether each text, of a size in points, lies within a box given in data units."""
    longest = max(texts, key=lambda text: max(map(len, text.split("\n"))), default="")
    probe: Text = ax.text(0, 0, longest, fontsize=size, parse_math=False)
    extent = probe.get_window_extent()
    probe.remove()
    corners = ax.transData.transform([(0.0, 0.0), box])
    width, height = np.abs(corners[1] - corners[0])
    return bool(extent.width <= 0.92 * width and extent.height <= 0.92 * height)


def span(longest: Iterable[Hashable]) -> float:
    """The width in inches that the longest of the names takes, roughly."""
    return INCHES_PER_LETTER * max((len(shorten(name)) for name in longest), default=0)


def check_one_group(index: pd.Index, kind: str) -> None:
    """Raise an error for a result with group keys; the only level of a confusion is named after a coder."""
    keys = [(place, name) for place, name in enumerate(index.names) if name not in OWN]
    if index.nlevels == 1 or not keys:
        return
    place, key = keys[0]
    first = plain(index.get_level_values(place)[0])
    raise InputError(
        f"{kind} draws one group, and this result has the group key {key!r}",
        f"choose one, as in result.xs({first!r}, level={key!r}), and draw it with pandas_agreement.plot",
        code="several groups",
    )
