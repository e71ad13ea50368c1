"""Bangdiwala's agreement chart."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.plotting.helpers import title

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")
from pandas_agreement import plotting


def bangdiwala(table: np.ndarray) -> float:
    return float((np.diag(table) ** 2).sum() / (table.sum(axis=0) * table.sum(axis=1)).sum())


def test_the_agreement_chart_is_bangdiwalas() -> None:
    # Westlund and Kurland's (1953) 69 patients of New Orleans, as in vcd::MSPatients
    counts = np.array([[5, 3, 0, 0], [3, 11, 4, 0], [2, 13, 3, 4], [1, 2, 4, 14]])
    table = pd.DataFrame(counts, index=[1, 2, 3, 4], columns=[1, 2, 3, 4])
    ax = plotting.agreement_chart(table)
    outer, partial, exact = (ax.patches[start : start + 4] for start in (0, 4, 8))
    assert [box.get_width() for box in outer] == counts.sum(axis=0).tolist()
    assert [box.get_height() for box in outer] == counts.sum(axis=1).tolist()
    assert [(box.get_width(), box.get_height()) for box in exact] == [(n, n) for n in np.diag(counts)]
    assert [box.get_width() for box in partial] == [8, 27, 11, 18]  # columns, up to one row away
    assert [box.get_height() for box in partial] == [8, 18, 20, 18]
    for place, (box, frame) in enumerate(zip(exact, outer, strict=True)):  # after the labels that come before
        assert box.get_x() == frame.get_x() + counts[:place, place].sum()
        assert box.get_y() == frame.get_y() + counts[place, :place].sum()
    for inner in (partial, exact):
        for box, frame in zip(inner, outer, strict=True):
            assert frame.get_x() <= box.get_x() <= box.get_x() + box.get_width() <= frame.get_x() + frame.get_width()
            assert frame.get_y() <= box.get_y() <= box.get_y() + box.get_height() <= frame.get_y() + frame.get_height()
    assert title(ax) == f"Agreement chart, B = {bangdiwala(counts):.2f}"
    assert len(plotting.agreement_chart(table, steps=0).patches) == 8


def test_the_order_of_names_means_nothing_to_the_chart(example: pd.DataFrame) -> None:
    assert len(example.agree.plot.agreement_chart("ann", "bob").patches) == 8
    order = pd.CategoricalDtype(["question", "request", "complaint", "bug"], ordered=True)
    ordered = example.astype({"ann": order, "bob": order})
    assert len(ordered.agree.plot.agreement_chart("ann", "bob").patches) == 12
