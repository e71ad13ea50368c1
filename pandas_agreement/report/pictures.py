"""The pictures of a report: drawn by `plotting` from the frames of the report, as SVG in the colours of the page.

Ink, paper and grey are drawn in stand-ins, which become colours of the style sheet: a picture is dark where the page
is, also in a notebook, whose theme need not be that of the system.

matplotlib is optional: without it a report has a line about how to install it instead of pictures.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from io import BytesIO
from typing import Any
from zlib import crc32

import pandas as pd

from pandas_agreement import plotting
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.formatting import coefficient_name, count, within
from pandas_agreement.interpreting import family
from pandas_agreement.report.contents import Picture
from pandas_agreement.report.data import ReportData

MAX_ROWS = 40  # of a picture with one row per category or group
MAX_CODERS = 25  # of a picture with one row per coder
MAX_CATEGORIES = 15  # of a picture with one column per category
MAX_POINTS = 2000  # of a picture with one dot per item
NO_GLYPH = r"Glyph \d+ .* missing from"  # matplotlib's warning about a character that its font does not have
INK, PAPER = "#010203", "#fefdfc"  # stand-ins
COLOURS = {INK: "currentColor", PAPER: "var(--paper)", plotting.style.MUTED: "var(--faint)"}
SETTINGS: dict[str, Any] = {
    "svg.fonttype": "path",  # letters become outlines, so that no font is needed
    "svg.hashsalt": "pandas_agreement",
    "text.parse_math": False,
    "axes.facecolor": PAPER,
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
}
NO_PICTURE = re.compile(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", re.DOTALL)  # style.css has the style
IDS = re.compile(r'\b(id="|href="#|url\(#)')
GET_PICTURES = "Plots need matplotlib, which is not installed: pip install 'pandas-agreement[plot]'."


def can_draw() -> bool:
    return find_spec("matplotlib") is not None


def drawn(data: ReportData, draw: Callable[..., Iterator[Picture]], *rows: Any) -> Iterator[Picture]:
    """The pictures, if the report has pictures and matplotlib is installed."""
    if data.request.pictures and can_draw():
        yield from draw(data, *rows)


def picture(draw: Callable[[], Any], alt: str) -> Picture:
    """Draw a picture as SVG and close its figure."""
    import matplotlib.pyplot as plt

    before = set(plt.get_fignums())
    metadata: dict[str, Any] = {"Date": None, "Creator": None}
    file = BytesIO()
    with plt.ioff(), plt.style.context(["default", SETTINGS]):  # the user may have a dark style
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", NO_GLYPH, UserWarning)  # the table has the character
                draw().figure.savefig(file, format="svg", bbox_inches="tight", metadata=metadata)
        finally:
            for figure in set(plt.get_fignums()) - before:  # also one that could not be finished
                plt.close(figure)
    return Picture(_on_page(file.getvalue().decode()), alt)


def _on_page(svg: str) -> bytes:
    """The element for a page: in its colours, and with ids that no other picture has."""
    element = NO_PICTURE.sub("", svg[svg.index("<svg") :])
    for colour, name in COLOURS.items():
        element = element.replace(colour, name)
    return IDS.sub(rf"\g<1>p{crc32(svg.encode()):08x}-", element).encode()


def _has_estimate(result: pd.DataFrame) -> bool:
    return bool(result["estimate"].notna().any())


def _forest(data: ReportData, rows: pd.DataFrame, title: str, about: str) -> Iterator[Picture]:
    """Estimates of coefficients, before the bands of their benchmark if all have the same."""
    if _has_estimate(rows):
        named = rows.index.get_level_values("coefficient").unique()
        found = {data.benchmark(REGISTRY[name]) for name in named if family(name)}
        bands = (found.pop() if len(found) == 1 else "") or None
        alt = f"Estimates and intervals of {about}, as in the table."
        yield picture(lambda: plotting.forest(rows, bands=bands, title=title), alt)


def coefficients(data: ReportData) -> Iterator[Picture]:
    about = count(len(data.summary), "coefficient")
    yield from _forest(data, data.summary, "Coefficients and their intervals", about)


def groups(data: ReportData, rows: pd.DataFrame) -> Iterator[Picture]:
    about = f"{within(data.name(data.main))} in {count(len(rows), 'group')}"
    yield from _forest(data, rows, f"{data.name(data.main)} by {', '.join(data.keys)}", about)


def categories(data: ReportData, rows: pd.DataFrame) -> Iterator[Picture]:
    if _has_estimate(rows):
        alt = f"Rates and intervals of {count(len(rows), 'category')}, as in the table."
        yield picture(lambda: plotting.by_category(rows, sort=False), alt)


def coders(data: ReportData) -> Iterator[Picture]:
    """How often each coder chose each category."""
    fits = len(data.coders) <= MAX_CODERS and len(data.labels) <= MAX_CATEGORIES
    if fits and len(data.margins):
        alt = "How often each coder chose each category, compared with the others."
        yield picture(lambda: plotting.margins(data.margins), alt)


def pairs(data: ReportData, rows: pd.DataFrame) -> Iterator[Picture]:
    """Every pair of coders with enough items."""
    if len(rows) > 1 and len(data.coders) <= MAX_CODERS and _has_estimate(rows):
        what = f"{coefficient_name(data.main, 2)} of every pair of coders"
        yield picture(lambda: plotting.by_pair(rows, title=what), f"{within(what)}, as a heat map.")


def limits(data: ReportData, rows: pd.DataFrame) -> Iterator[Picture]:
    """Differences of scores: one dot per item for a single pair, else one line per pair."""
    if rows["bias"].notna().any():
        points = data.differences if len(rows) == 1 and rows["n_items"].iloc[0] <= MAX_POINTS else None
        alt = f"Mean difference and limits of agreement of {count(len(rows), 'pair')} of coders, as in the table."
        yield picture(lambda: plotting.bland_altman(rows, points=points), alt)


def confusion(data: ReportData) -> Iterator[Picture]:
    """The contingency table of two coders."""
    if len(data.labels) <= MAX_CATEGORIES and data.confusion.to_numpy().any():
        alt = "How often each label of the first coder met each label of the second."
        yield picture(lambda: plotting.confusion(data.confusion), alt)
