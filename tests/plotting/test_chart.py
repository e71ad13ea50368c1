"""Bangdiwala's agreement chart."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.plotting.helpers import title

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")
from pandas_agreement import plotting
from pandas_agreement.plotting import chart


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


def test_many_categories_are_one_collection_of_the_same_rectangles(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = np.random.default_rng(0).integers(9, size=(12, 12))
    table = pd.DataFrame(counts, index=range(12), columns=range(12))
    single = plotting.agreement_chart(table, linewidth=2)
    monkeypatch.setattr(chart, "MAX_PATCHES", 10)
    many = plotting.agreement_chart(table, linewidth=2)
    assert len(many.patches) == len(many.collections) == 3
    for part, first in enumerate(many.patches):
        boxes = single.patches[12 * part : 12 * part + 12]
        assert first.get_bbox().bounds == boxes[0].get_bbox().bounds
        for path, box in zip(many.collections[part].get_paths(), boxes[1:], strict=True):
            assert path.get_extents().bounds == pytest.approx(box.get_bbox().bounds)
        assert (many.collections[part].get_facecolor() == boxes[1].get_facecolor()).all()
    texts = [[text.get_text() for text in ax.get_legend().get_texts()] for ax in (single, many)]
    assert texts[0] == texts[1]
