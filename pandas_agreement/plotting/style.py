"""What all pictures share: colours, Axes, shortened names, readable text. No picture is drawn here.

matplotlib is imported when a picture is drawn, and not before. rcParams are never changed, so the user's style applies
to fonts, sizes, text and background, light or dark. The colours are those of Okabe and Ito, which colour-blind people
can tell apart; shape, text or hatching repeat their meaning, so that a print in grey can be read too. A long name is
shortened, and `text.get_label()` has the full one. (Not the gid: it becomes an id in SVG, and the ids of several
pictures on one page would clash.)
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pandas_agreement import formatting
from pandas_agreement.characters import visible
from pandas_agreement.errors import InputError, nearest, plain, shown, wrong_value
from pandas_agreement.options import FOREIGN_OPTIONS, OPTIONS, unknown_option
from pandas_agreement.plotting import fonts
from pandas_agreement.plotting.notebooks import follow_theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

Given = ParamSpec("Given")
Array = NDArray[Any]
Size = tuple[float, float] | None
Look = dict[str, Any]  # keywords of matplotlib

BLUE, ORANGE = "#0072B2", "#D55E00"
MUTED = "#757575"  # contrast of 4.5 or more on white and on black
GRID, SHADE, LIGHT_SHADE = (0.5, 0.5, 0.5, 0.3), (0.5, 0.5, 0.5, 0.12), (0.5, 0.5, 0.5, 0.04)
COLOURS = (BLUE, ORANGE, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", MUTED)
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES = ("-", "--", "-.", ":")
SMALL = "small"  # the smallest text: legible where a picture is 400 pixels wide
HATCH = "/////"
MAX_NAME_CHARACTERS = 24  # characters of a name on a picture
MIN_LINE_LETTERS = 12  # of a line of a title, however narrow the picture
INCHES_PER_LETTER = 0.085  # inches, roughly
MAX_NAMES = 210  # names that the axis of the largest picture has room for; of more, half as many are tried
MAX_NAMES_LISTED = 6  # names in a list below a picture
MAX_WIDTH = 5.6  # inches of a new figure: its small text is read where a page shows it 400 pixels wide
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


#: the end of the parameters and the beginning of "Returns", to which a docstring may add a line
DRAWING = """\
ax, figsize, title
    Axes to draw on (default: new ones), size of the figure in inches, title (default: a generated one).
style : dict, optional
    Keywords for {artist}, such as ``{such}``.

Returns
-------
Axes"""
STYLE = inspect.Parameter("style", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="Look | None")


def picture(artist: str, such: str = '{"color": "C3"}') -> Callable[[Callable[Given, Axes]], Callable[Given, Axes]]:
    """Decorate a function that draws its first argument; the keywords in `style`, its ``**kwargs``, go to `artist`.

    An empty result, an `ax` that is no Axes, an unknown option and a keyword that matplotlib does not take are errors.
    After an error no new figure is left open.
    """

    def prepared(draw: Callable[Given, Axes]) -> Callable[Given, Axes]:
        signature = inspect.signature(draw)
        own = {name: each for name, each in signature.parameters.items() if each.kind is not each.VAR_KEYWORD}
        first = next(iter(own))
        shared = DRAWING.format(artist=artist, such=f"style={such}")
        draw.__doc__ = inspect.cleandoc(draw.__doc__ or "").replace("{DRAWING}", shared)

        @functools.wraps(draw)
        def drawn(*args: Given.args, **kwargs: Given.kwargs) -> Axes:
            plt = pyplot()
            given: dict[str, Any] = dict(kwargs)
            look = check_style(given.pop("style", None), artist, own)
            check_axes(given.get("ax"))
            for name in given.keys() - own.keys():
                raise unknown_keyword(draw.__name__, name, given, [*own, "style"], artist)
            result = args[0] if args else given.get(first)
            if isinstance(result, pd.DataFrame) and result.empty:
                raise InputError("the result has no rows, so there is nothing to draw", code="no rows")
            before = plt.get_fignums()
            fonts.in_words.clear()
            whole: Any = given | look
            try:
                ax = draw(*args, **whole)
            except BaseException as error:
                close_new(before)
                refused = _refused(draw, args, whole) if isinstance(error, (AttributeError, TypeError)) else None
                if refused:
                    raise _refusal(refused, artist) from error
                raise
            if is_cramped(ax):
                _squeeze(ax)
            note_fonts(ax)
            take_literally(ax)
            _wrap_all(ax)
            _thin_numbers(ax)
            return ax

        drawn.__signature__ = signature.replace(parameters=[*own.values(), STYLE])  # type: ignore[attr-defined]
        return drawn

    return prepared


def check_style(style: Any, artist: str, own: Iterable[str]) -> Look:
    """The keywords of `artist` in `style`; raises unless it is a mapping of names that are not options of the plot."""
    if style is None:
        return {}
    if not isinstance(style, Mapping) or not all(isinstance(name, str) for name in style):
        why = f"must be a dict of keywords for {artist} of matplotlib"
        raise wrong_value("style", style, why, "such as style={'color': 'C3'}")
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


def close_new(before: Iterable[int]) -> None:
    """Close the figures that were not there before."""
    for number in set(pyplot().get_fignums()) - set(before):
        pyplot().close(number)


def _refused(draw: Callable[..., Axes], args: Sequence[Any], kwargs: Look) -> str | None:
    """The first keyword with which matplotlib does not draw on new Axes, although it does without any."""
    own = inspect.signature(draw).parameters
    ours = {name: value for name, value in kwargs.items() if name in own} | {"ax": None}
    theirs = [name for name in kwargs if name not in own]
    if not theirs or not _is_drawn(draw, args, ours):
        return None
    return next((name for name in theirs if not _is_drawn(draw, args, {**ours, name: kwargs[name]})), None)


def _is_drawn(draw: Callable[..., Axes], args: Sequence[Any], kwargs: Look) -> bool:
    before = pyplot().get_fignums()
    try:
        draw(*args, **kwargs)
    except (AttributeError, KeyError, TypeError):  # while another error is handled, a repeated keyword is a KeyError
        return False
    finally:
        close_new(before)
    return True


def _refusal(keyword: str, artist: str) -> InputError:
    return InputError(
        f"style= has the keyword {keyword!r}, which {artist} of matplotlib does not take",
        nearest(keyword, ["color"], hint=False),
        option="style",
        code="unknown option",
    )


def check_axes(ax: Any) -> None:
    """Raise an error unless `ax` is None or single Axes, not the array that `plt.subplots` returns for several."""
    if isinstance(ax, pyplot().Axes) or ax is None:
        return
    several = isinstance(ax, (np.ndarray, Sequence))
    first = f"ax[{', '.join('0' * np.ndim(ax))}]"
    remedy = f"pass one of them, as in ax={first}" if several else "plt.subplots() makes them"
    raise InputError(f"ax must be matplotlib Axes, not a {type(ax).__name__}", remedy, option="ax")


def axes_for(ax: Axes | None, figsize: tuple[float, float] | None, size: tuple[float, float]) -> Axes:
    """The Axes to draw on: the user's, or those of a new figure of `figsize`, by default `size`, in inches."""
    if ax is None:
        figure, ax = pyplot().subplots(figsize=figsize or size, layout="constrained")
        follow_theme(figure)
    elif figsize is not None:
        root(ax).set_size_inches(figsize)  # as pandas does
    take_literally(ax)
    return ax


def take_literally(ax: Axes) -> None:
    """Draw dollar signs as they are, since "$5 to $10" and "$x^{$" are names and no formulas; make all text visible."""
    legend = ax.get_legend()
    texts = [ax._left_title, ax.xaxis.label, ax.yaxis.label, *ax.texts]  # type: ignore[attr-defined]
    for text in [*texts, *(legend.get_texts() if legend else [])]:
        text.set_parse_math(False)
        text.set_text(visible(fonts.in_parts(text.get_text())))
        fonts.dress(text)


def note_fonts(ax: Axes) -> None:
    """Say below the Axes, once, that characters are written in words."""
    if fonts.in_words and fonts.NOTE not in ax.get_xlabel():
        ax.set_xlabel(f"{ax.get_xlabel()}\n{fonts.NOTE}".lstrip())


def root(ax: Axes) -> Any:
    """The figure that holds the Axes, also where they are part of a subfigure."""
    figure: Any = ax.figure
    while figure.figure is not figure:
        figure = figure.figure
    return figure


def ink(ax: Axes) -> Any:
    """The colour of the user's text."""
    return ax.xaxis.label.get_color()


def paper(ax: Axes) -> Any:
    """The colour that the user draws on."""
    return ax.get_facecolor()


def arrange(ax: Axes) -> None:
    """Compute the layout, as drawing would, without drawing."""
    figure = root(ax)
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    ax.apply_aspect()


def finish(ax: Axes, title: str, grid: str = "", pad: float | None = None) -> None:
    """A title on the left, light lines where values are read, no box."""
    entitle(ax, title, pad)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(GRID)
    ax.spines[["left", "bottom"]].set_in_layout(False)  # the names beside them reach farther, and measuring takes time
    ax.tick_params(color=GRID)
    ax.set_axisbelow(True)
    ax.grid(False)
    if grid:
        ax.grid(True, axis=grid, color=GRID, linewidth=0.6)  # type: ignore[arg-type]


def entitle(ax: Axes, title: str, pad: float | None = None) -> None:
    """A title on the left; small and close to its Axes where no layout engine makes room for it."""
    cramped = is_cramped(ax)
    ax.set_title(title, loc="left", fontsize=SMALL if cramped else "medium", pad=3 if cramped else pad)


def is_crowded(ax: Axes) -> bool:
    """Several Axes share the figure."""
    return len(root(ax).axes) > 1


def is_cramped(ax: Axes) -> bool:
    """Several Axes share the figure, and no layout engine makes room for titles and labels."""
    return is_crowded(ax) and root(ax).get_layout_engine() is None


def _squeeze(ax: Axes) -> None:
    """Make the label below the Axes small, and one line if it fits, so that it does not touch the next title."""
    line = ax.get_xlabel().replace("\n", "; ").removeprefix("; ")
    if len(line) * INCHES_PER_LETTER * 0.75 < ax.bbox.width / root(ax).dpi:  # of small letters
        ax.set_xlabel(line)
    ax.xaxis.labelpad = 1
    ax.tick_params(labelsize=SMALL)


# --------------------------------------------------------------------------------------------------------- names


def text_of(name: Hashable) -> str:
    """A name in full; a set of labels as '{a, b}'."""
    return formatting.label_text(name) if isinstance(name, frozenset) else str(name)


def shorten(name: Hashable, width: int = MAX_NAME_CHARACTERS) -> str:
    """A name of at most `width` characters; what is left out of the middle becomes an ellipsis.

    >>> shorten("annotator-0042-second-round", 16)
    'annotator…-round'
    """
    text = fonts.readable(visible(fonts.in_parts(" ".join(text_of(name).split())))) or "(empty)"
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
    short = [shorten(name, width) for name in full]
    if _clash(full, short):
        start = _common_start(full)
        short = [shorten(f"…{name[start:]}" if start else name, width) for name in full]
    if _clash(full, short):
        number = {name: place for place, name in enumerate(dict.fromkeys(full), 1)}
        short = [f"{number[name]}: {shorten(name, width - 4)}" for name in full]
    return short


def room(ax: Axes, axis: str) -> int:
    """Letters for a name: fewer where several Axes share a figure, and names must not crowd out what is drawn."""
    inches = (ax.bbox.width if axis == "y" else ax.bbox.height) / root(ax).dpi
    return (
        int(np.clip(0.3 * inches / INCHES_PER_LETTER, 10, MAX_NAME_CHARACTERS))
        if is_crowded(ax)
        else MAX_NAME_CHARACTERS
    )


def _common_start(names: list[str]) -> int:
    """How many letters all names begin with."""
    columns = zip(*names, strict=False)
    return next((place for place, letters in enumerate(columns) if len(set(letters)) > 1), min(map(len, names)))


def _clash(full: list[str], short: list[str]) -> bool:
    return len(set(short)) < len(set(full))


def listed(names: Iterable[Hashable], what: str) -> str:
    """'undefined: a, b and 3 more', as lines of their own; empty for no names."""
    texts = shorten_all(names)
    return "\n" + "\n".join(textwrap.wrap(f"{what}: {formatting.listed(texts, MAX_NAMES_LISTED)}", 56)) if texts else ""


def name_ticks(
    ax: Axes, axis: str, places: Sequence[float] | Array, names: Sequence[Hashable], texts: Sequence[str] | None = None
) -> None:
    """Write names along an axis, shortened or as `texts`; `settle` removes those that do not fit.

    Of thousands only every so many become ticks: matplotlib would take seconds to measure what has no room.
    """
    texts = shorten_all(names, room(ax, axis)) if texts is None else texts
    which = getattr(ax, f"{axis}axis")
    some = slice(None, None, 1 if len(names) <= MAX_NAMES else -(-2 * len(names) // MAX_NAMES))
    which.set_ticks(list(places)[some], list(texts)[some])
    for text, name in zip(which.get_ticklabels(), names[some], strict=True):
        text.set_label(text_of(name))
        text.set_parse_math(False)
        fonts.dress(text)


def settle(ax: Axes) -> None:
    """Turn and thin the names of both axes until none touches another, in the present layout; the first ones stay."""
    take_literally(ax)
    for _ in range(4):  # each change moves what is beside it
        arrange(ax)
        if not (_turn_names(ax) or _wrap_title(ax)):
            break
    for axis in "xy":
        _thin(ax, axis, _kept(ax, axis))


def _turn_names(ax: Axes) -> bool:
    """Turn the names of the x axis upright if not all have a place; False if nothing was done.

    Not where they would cover the title of the Axes below, because no layout engine makes room.
    """
    place = ax.get_subplotspec()
    if is_cramped(ax) and place is not None and not place.is_last_row():
        return False
    names = _names(ax, "x")
    is_full = len(_kept(ax, "x")) < len(names) and names[0].get_rotation() != 90
    if is_full:
        ax.tick_params(axis="x", labelrotation=90)
    return is_full


def _wrap_title(ax: Axes) -> bool:
    """Break a title that is wider than the figure, or than one of several Axes; False if nothing was done."""
    title: Any = ax._left_title  # type: ignore[attr-defined]
    box, end = title.get_window_extent(), (ax.bbox if is_crowded(ax) else root(ax).bbox).x1
    return _wrap(title, end - box.x0)


def _wrap(text: Any, width: float) -> bool:
    """Break the lines of a text that are wider than so many pixels; False if there are none."""
    now, lines = text.get_window_extent().width, text.get_text().split("\n")
    longest = max(map(len, lines))
    if now <= 0.96 * width or longest <= MIN_LINE_LETTERS:  # letters are wider at other resolutions
        return False
    letters = max(int(longest * width / now) - 1, MIN_LINE_LETTERS)
    text.set_text("\n".join(part for line in lines for part in textwrap.wrap(line, letters) or [""]))
    return True


def _thin_numbers(ax: Axes) -> None:
    """Fewer numbers on the x axis if they touch each other."""
    from matplotlib.ticker import MaxNLocator

    for n in (4, 3, 2):
        low, high = sorted(ax.get_xlim())
        texts = zip(ax.get_xticks(), ax.get_xticklabels(), strict=True)
        boxes = [text.get_window_extent() for place, text in texts if low <= place <= high]
        if all(one.x1 + 4 <= two.x0 for one, two in pairwise(boxes)) or _names(ax, "x"):
            return
        if not isinstance(ax.xaxis.get_major_locator(), MaxNLocator):
            return
        ax.xaxis.set_major_locator(MaxNLocator(n, steps=[1, 2, 2.5, 5, 10]))


def _wrap_all(ax: Axes) -> None:
    """Break the title and the label below the Axes where they are wider than the figure."""
    figure, label = root(ax), ax.xaxis.label
    around = (ax._left_title, label)  # type: ignore[attr-defined]
    inches = max(len(line) for text in around for line in text.get_text().split("\n")) * INCHES_PER_LETTER
    if inches < 0.8 * ax.bbox.width / figure.dpi:
        return
    arrange(ax)
    _wrap_title(ax)
    middle = (ax.bbox.x0 + ax.bbox.x1) / 2
    _wrap(label, 2 * min(middle, figure.bbox.x1 - middle) if not is_crowded(ax) else ax.bbox.width)


def _names(ax: Axes, axis: str) -> list[Text]:
    """The names on an axis; none if it has numbers or dates, whose ticks matplotlib places."""
    from matplotlib.ticker import FixedLocator

    which = getattr(ax, f"{axis}axis")
    return list(which.get_ticklabels()) if isinstance(which.get_major_locator(), FixedLocator) else []


def _kept(ax: Axes, axis: str) -> list[int]:
    """Positions of the names that fit beside each other, chosen greedily from the beginning of the axis."""
    names = _names(ax, axis)
    level = axis == "x" and not is_cramped(ax) and any(text.get_rotation() == 0 for text in names)
    side, gap = ("intervalx", 8.0 if level else 4.0) if axis == "x" else ("intervaly", 0.0)
    extents = [sorted(getattr(text.get_window_extent(), side)) for text in names]
    if axis == "x" and is_crowded(ax) and not is_cramped(ax):  # a layout will make these Axes narrower for the others
        gap += 0.4 * max((high - low for low, high in extents), default=0.0)
    kept: list[int] = []
    for place, (start, end) in enumerate(extents):
        low, high = start - gap, end + gap
        if all(high <= extents[other][0] or low >= extents[other][1] for other in kept):
            kept.append(place)
    return kept


def _thin(ax: Axes, axis: str, kept: list[int]) -> None:
    """Remove all names but those at the positions `kept`."""
    which, texts = getattr(ax, f"{axis}axis"), _names(ax, axis)
    if len(kept) == len(texts):
        return
    full = [str(text.get_label()) for text in texts]
    which.set_ticks(np.asarray(which.get_ticklocs())[kept], [texts[place].get_text() for place in kept])
    for text, place in zip(which.get_ticklabels(), kept, strict=True):
        text.set_label(full[place])
        fonts.dress(text)


# --------------------------------------------------------------------------------------------------------- text


def luminance(colour: Any) -> float:
    """Relative luminance of a colour, 0 (black) to 1 (white), as the web's accessibility guidelines define it."""
    from matplotlib.colors import to_rgb

    channels = np.asarray(to_rgb(colour))
    linear = np.where(channels <= 0.03928, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(one: Any, other: Any) -> float:
    """Contrast of two colours, 1 to 21; text is read without effort from 4.5 on."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink_on(colour: Any) -> str:
    """Black or white, whichever is read more easily on the colour; the contrast is never below 4.5."""
    return max(("black", "white"), key=lambda ink: contrast(ink, colour))


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
