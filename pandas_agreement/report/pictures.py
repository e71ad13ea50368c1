"""The pictures of a report: drawn by `plotting` from the frames of the report, as SVG.

matplotlib is optional. Without it a report has no pictures and says how to get them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from io import BytesIO
from typing import Any

import pandas as pd

from pandas_agreement import plotting
from pandas_agreement.formatting import coefficient_name, count, within
from pandas_agreement.report.contents import Picture
from pandas_agreement.report.data import ReportData

MAX_ROWS = 40  # of a picture with a row a category or group
MAX_CODERS = 25  # of a picture with a row a coder
MAX_CATEGORIES = 15  # of a picture with a column a category
MAX_POINTS = 2000  # of a picture with a dot an item
NO_GLYPH = r"Glyph \d+ .* missing from"  # matplotlib, of a sign that its font does not have
GET_PICTURES = "Pictures need matplotlib, which is not installed: pip install 'pandas-agreement[plot]'."


def can_draw() -> bool:
    return find_spec("matplotlib") is not None


def drawn(data: ReportData, draw: Callable[..., Iterator[Picture]], *rows: Any) -> Iterator[Picture]:
    """The pictures, if they are wanted and possible."""
    if data.asked.pictures and can_draw():
        yield from draw(data, *rows)


def picture(draw: Callable[[], Any], alt: str) -> Picture:
    """Draw, keep the picture as SVG and close it; letters become outlines, so that no font is needed."""
    import matplotlib.pyplot as plt

    before = set(plt.get_fignums())
    settings: dict[str, Any] = {"svg.fonttype": "path", "svg.hashsalt": "pandas_agreement", "text.parse_math": False}
    metadata: dict[str, Any] = {"Date": None, "Creator": None}
    file = BytesIO()
    with plt.ioff(), plt.style.context(["default", settings]):  # a dark style of the user's would not show on white
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", NO_GLYPH, UserWarning)  # a box stands for it, and the table has it
                draw().figure.savefig(file, format="svg", bbox_inches="tight", metadata=metadata)
        finally:
            for figure in set(plt.get_fignums()) - before:  # also one that could not be finished
                plt.close(figure)
    return Picture(file.getvalue(), alt)


def _is_known(result: pd.DataFrame) -> bool:
    """There is something to draw."""
    return bool(result["estimate"].notna().any())


def coefficients(data: ReportData) -> Iterator[Picture]:
    if not _is_known(data.summary):
        return
    bands = data.scale(data.main) or None
    alt = f"Estimates and intervals of {count(len(data.summary), 'coefficient')}, as in the table."
    yield picture(lambda: plotting.forest(data.summary, bands=bands, title="Coefficients and their intervals"), alt)


def groups(data: ReportData, rows: pd.DataFrame) -> Iterator[Picture]:
    if not _is_known(rows):
        return
    name, bands = within(coefficient_name(data.main)), data.scale(data.main) or None
    alt = f"Estimates and intervals of {name} in {count(len(rows), 'group')}, as in the table."
    title = f"{data.main.name} by {', '.join(data.keys)}"
    yield picture(lambda: plotting.forest(rows, bands=bands, title=title), alt)


def categories(data: ReportData, rows: pd.DataFrame) -> Iterator[Picture]:
    if not _is_known(rows):
        return
    alt = f"Rates and intervals of {count(len(rows), 'category')}, as in the table."
    yield picture(lambda: plotting.by_category(rows, sort=False), alt)


def coders(data: ReportData) -> Iterator[Picture]:
    """Who favours what."""
    fits = len(data.coders) <= MAX_CODERS and len(data.labels) <= MAX_CATEGORIES
    if fits and len(data.margins):
        alt = "How often each coder chose each category, against the mean coder."
        yield picture(lambda: plotting.bias(data.margins), alt)


def pairs(data: ReportData, rows: pd.DataFrame) -> Iterator[Picture]:
    """Every pair of coders with enough items."""
    if len(rows) > 1 and len(data.coders) <= MAX_CODERS and _is_known(rows):
        name = within(coefficient_name(data.main))
        yield picture(lambda: plotting.pairwise(rows), f"{name} of every pair of coders, as a heat map.")


def limits(data: ReportData, rows: pd.DataFrame) -> Iterator[Picture]:
    """Differences of scores: a dot an item for one pair, else a line a pair."""
    if not rows["bias"].notna().any():
        return
    points = data.differences if len(rows) == 1 and rows["n_items"].iloc[0] <= MAX_POINTS else None
    alt = f"Mean difference and limits of agreement of {count(len(rows), 'pair')} of coders, as in the table."
    yield picture(lambda: plotting.bland_altman(rows, points), alt)


def confusion(data: ReportData) -> Iterator[Picture]:
    """What two coders said of the same items."""
    if len(data.labels) <= MAX_CATEGORIES and data.confusion.to_numpy().any():
        alt = "How often each label of the first coder met each label of the second."
        yield picture(lambda: plotting.confusion(data.confusion), alt)
