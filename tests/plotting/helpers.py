"""Labels to draw, and what a picture shows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.plotting import style
from tests.data_sets import scores


def labels(n_coders: int = 3, n_categories: int = 4, n_items: int = 150, long: bool = False) -> pd.DataFrame:
    """Labels with gaps; the names of coders and categories are long if asked for."""
    rng = np.random.default_rng(n_coders * 100 + n_categories)
    more = " of the second team in Lisbon, whose name is long" if long else ""
    names = np.array([f"category {place:02d}{more}" for place in range(n_categories)], dtype=object)
    truth = rng.integers(0, n_categories, n_items)
    frame = {}
    for place in range(n_coders):
        column = names[np.where(rng.random(n_items) < 0.7, truth, rng.integers(0, n_categories, n_items))]
        column[rng.random(n_items) < 0.1] = None
        frame[f"coder {place:02d}{more}"] = column
    return pd.DataFrame(frame)


def title(ax: Any) -> str:
    return ax.get_title(loc="left")


def ticks(ax: Any, axis: str) -> list[str]:
    return [text.get_text() for text in getattr(ax, f"get_{axis}ticklabels")()]


def shown(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


def dots(ax: Any) -> tuple[np.ndarray, np.ndarray]:
    """Values and rows of all dots of a picture with one row per estimate."""
    drawn = [container.lines[0] for container in ax.containers]
    x = np.concatenate([line.get_xdata() for line in drawn])
    y = np.concatenate([line.get_ydata() for line in drawn])
    return x[np.argsort(y, kind="stable")], np.sort(y)


def ends(ax: Any) -> np.ndarray:
    """Ends of the intervals, one row each."""
    bars = [segment for container in ax.containers for segment in container.lines[2][0].get_segments()]
    return np.array([[bar[0][0], bar[1][0]] for bar in bars if len(bar)])


def is_outside_tick(ax: Any, text: Any) -> bool:
    """matplotlib keeps ticks beyond the ends of an axis, and does not draw them."""
    x, y = text.get_position()
    low, high = sorted(ax.get_xlim())
    bottom, top = sorted(ax.get_ylim())
    return (text in ax.get_xticklabels() and not low <= x <= high) or (
        text in ax.get_yticklabels() and not bottom <= y <= top
    )


def wide() -> pd.DataFrame:
    return scores(60, 3, 3, gaps=0.1, seed=4).assign(batch=["x", "y", "z"] * 20)


RATED = ["ann", "bob", "cleo"]


def contrast(one: Any, other: Any) -> float:
    """Contrast of two colours, 1 to 21; text is read without effort from 4.5 on."""
    low, high = sorted((style.luminance(one), style.luminance(other)))
    return (high + 0.05) / (low + 0.05)
