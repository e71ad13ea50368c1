"""The example to draw, and what holds for every picture: it is not shown, and nothing is left behind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

import pandas_agreement


@pytest.fixture(scope="session")
def example() -> pd.DataFrame:
    return pandas_agreement.load_example()


@pytest.fixture(autouse=True)
def nothing_shown_and_nothing_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pictures never call show, and leave matplotlib's settings as they are."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    def show(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("show was called")

    monkeypatch.setattr(plt, "show", show)
    plt.close("all")  # pictures that tests of other folders left open
    before = mpl.rcParams.copy()
    yield
    assert mpl.rcParams == before
    plt.close("all")
