"""Figures are closed after each test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

import pandas_agreement

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")
import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def example() -> pd.DataFrame:
    return pandas_agreement.load_example()


@pytest.fixture(autouse=True)
def nothing_shown_and_nothing_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pictures never call show, and leave matplotlib's settings as they are."""

    def show(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("show was called")

    monkeypatch.setattr(plt, "show", show)
    before = mpl.rcParams.copy()
    yield
    assert mpl.rcParams == before
    plt.close("all")
