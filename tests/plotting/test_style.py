"""Names and numbers in pictures never touch and are never cut off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.data_sets import CODERS
from tests.plotting.helpers import contrast, dots, is_outside_tick, labels, shown, ticks

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")
import matplotlib.pyplot as plt
from matplotlib.colors import to_rgb

from pandas_agreement import plotting
from pandas_agreement.plotting import style


def test_what_is_written_beside_the_pictures_can_be_read() -> None:
    assert contrast(style.MUTED, "white") >= 4.5
    assert contrast(style.MUTED, "black") >= 4.5


LINE = 100 / 72  # pixels of a point


def assert_apart(texts: Sequence[Any]) -> None:
    """No two boxes overlap, except those of tilted names, which have to be one and a half lines apart."""
    tilted = [text for text in texts if text.get_rotation() == 45]
    starts = np.sort([text.get_window_extent().x1 for text in tilted])
    assert (np.diff(starts) > 1.4 * LINE * max([text.get_fontsize() for text in tilted], default=0)).all()
    texts = [text for text in texts if text not in tilted]
    boxes = np.array([text.get_window_extent().extents for text in texts if text.get_visible() and text.get_text()])
    low, high = boxes[:, None, :2], boxes[None, :, 2:]
    over = ((high - low).min(axis=2) > 0.5) & ((high - low).min(axis=2).T > 0.5)
    np.fill_diagonal(over, False)
    assert not over.any(), [texts[place].get_text() for place in np.argwhere(over)[0]]


def assert_legible(ax: Any, all_names: bool = True) -> None:
    """Where everything is drawn, no name touches another, and nothing is cut off."""
    ax.figure.draw_without_rendering()
    everything = [*ax.get_xticklabels(), *ax.get_yticklabels(), *ax.texts, ax.xaxis.label, ax.yaxis.label]
    everything += [ax._left_title]
    assert_apart(everything)
    page = ax.figure.bbox
    for text in everything:
        if text.get_text() and text.get_visible() and not is_outside_tick(ax, text):
            box = text.get_window_extent()
            assert page.padded(1).count_contains(box.corners()) == 4, text.get_text()


@pytest.mark.parametrize(("kind", "n"), [("confusion", 30), ("by_category", 5), ("margins", 2), ("margins", 30)])
def test_names_of_categories_never_touch(kind: str, n: int) -> None:
    df = labels(2, n, long=n == 5)
    ax = getattr(df.agree.plot, kind)()
    assert_legible(ax)
    axis, most = {"confusion": ("x", 20), "margins": ("x", 15)}.get(kind, ("y", n))
    assert len(ticks(ax, axis)) == min(n, most)


@pytest.mark.parametrize(("kind", "n"), [("by_pair", 10), ("by_pair", 40), ("margins", 10), ("by_coder", 40)])
def test_names_of_coders_never_touch(kind: str, n: int) -> None:
    ax = getattr(labels(n, 3, 60, long=n == 10).agree.plot, kind)()
    assert_legible(ax)
    shown = min(n, {"margins": 20, "by_coder": 30, "by_pair": 16}[kind])  # the worst; of pairs the best and the worst
    assert len(ticks(ax, "y")) == shown
    if kind == "by_pair":
        assert len(ax.texts) == shown * (shown - 1)
        assert ("of 40" in ax.get_xlabel()) == (n == 40)


def test_very_many_rows_are_summarised() -> None:
    result = labels(14, 3, 60).agree.by_pair()
    ax = plotting.forest(result)
    assert_legible(ax)
    ranked = result["estimate"].sort_values(ascending=False).to_numpy()
    np.testing.assert_allclose(dots(ax)[0], [*ranked[:20], *ranked[-20:]])
    assert ax.get_xlabel() == "kappa\nthe 20 highest and the 20 lowest of 91 rows"


def test_long_batches_beside_a_legend_and_words_never_touch(example: pd.DataFrame) -> None:
    for more in ("", " of the campaign in the north"):
        df = example.assign(batch=[f"2026-w{place * 8 // 600:02d}{more}" for place in range(600)])
        ax = df.agree.plot.trend(*CODERS, metrics=["kappa", "alpha"], by="batch", bands="krippendorff")
        assert_legible(ax)
        assert len(ticks(ax, "x")) == 8


def test_long_titles_are_broken_and_numbers_stay_apart(example: pd.DataFrame) -> None:
    words = "A title that says everything there is to say about these coders, and then says it again"
    for kind in ("by_item", "forest", "by_pair", "by_coder"):
        assert_legible(getattr(example.agree.plot, kind)(*CODERS, title=words))
    contrasts = example.assign(batch=example["batch"] + " of the campaign").agree.compare(*CODERS, by="batch")
    assert_legible(plotting.differences(contrasts))


@pytest.mark.parametrize("kind", ["forest", "margins", "by_pair", "confusion"])
def test_text_is_legible_at_400_pixels(example: pd.DataFrame, kind: str) -> None:
    """Of the size that letters have where the picture is shown 400 pixels wide: 7 pixels or more."""
    ax = getattr(example.agree.plot, kind)(*(CODERS[:2] if kind == "confusion" else CODERS))
    scale = 400 / ax.figure.get_size_inches()[0] / 72
    texts = [*ax.get_xticklabels(), *ax.get_yticklabels(), *ax.texts, ax.xaxis.label, ax.yaxis.label, ax._left_title]
    assert min(text.get_fontsize() * scale for text in texts if text.get_text()) > 7


def test_numbers_leave_cells_that_are_too_small() -> None:
    df = labels(2, 30)
    ax = df.agree.plot.confusion(figsize=(2.5, 2.5))
    assert not ax.texts
    assert_apart(ax.get_xticklabels())


def test_long_names_are_shortened_and_kept_in_full() -> None:
    df = labels(3, 3, long=True)
    ax = df.agree.plot.by_pair(order="given")
    assert ticks(ax, "y")[0] == "coder 00 of th…e is long"
    assert [text.get_label() for text in ax.get_yticklabels()] == list(df.columns)
    ax = df.agree.plot.by_category(sort=False)
    assert ax.get_yticklabels()[0].get_label() == "category 00 of the second team in Lisbon, whose name is long"


def test_names_are_not_formulas() -> None:
    df = pd.DataFrame({"$5 to $10": list("aabb"), "under_$5": ["a", "b", "b", ""]})
    ax = df.agree.plot.confusion()
    ax.figure.draw_without_rendering()
    assert not any(text.get_parse_math() for text in [*ax.get_xticklabels(), ax.xaxis.label, ax.yaxis.label])
    assert ticks(ax, "x") == ["(empty)", "a", "b"]


PLAIN: dict[str, Any] = {"figsize": (10, 8)}


def four(example: pd.DataFrame, **keywords: Any) -> list[Any]:
    figure, axes = plt.subplots(2, 2, **(PLAIN | keywords))
    plot = example.agree.plot
    plot.forest(*CODERS, ax=axes[0, 0])
    plot.trend("ann", "bob", by="batch", bands="altman", threshold=0.8, ax=axes[0, 1])
    plot.by_category(*CODERS, metrics=["rate", "specific"], ax=axes[1, 0])
    plot.forest("ann", "bob", by="batch", ax=axes[1, 1])
    figure.draw_without_rendering()
    return list(axes.flat)


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_of_several_axes_no_text_lies_on_another(example: pd.DataFrame, layout: str | None) -> None:
    axes = four(example, layout=layout)
    texts = [[*ax.get_xticklabels(), *ax.get_yticklabels(), *ax.texts, ax.xaxis.label, ax._left_title] for ax in axes]
    everything = [text for ax, some in zip(axes, texts, strict=True) for text in some if not is_outside_tick(ax, text)]
    assert_apart(everything)
    assert "estimate  [95% interval]" in shown(axes[0])
    assert [text.get_text() for text in axes[1].get_legend().get_texts()] == ["threshold 0.8"]
    assert shown(axes[2])[-1] == "labels"


def test_a_figure_with_a_layout_of_its_own_keeps_it(example: pd.DataFrame) -> None:
    figure, axes = plt.subplots(1, 2, layout="tight")
    example.agree.plot.by_pair(*CODERS, ax=axes[0])
    assert type(figure.get_layout_engine()).__name__ == "TightLayoutEngine"
    plain, ax = plt.subplots()
    example.agree.plot.by_pair(*CODERS, ax=ax)
    with pytest.warns(UserWarning, match="layout has changed to tight"):
        plain.tight_layout()  # also with a colour bar


@pytest.mark.parametrize("look", ["default", "dark_background"])
def test_text_beside_a_plot_is_legible_on_any_background(example: pd.DataFrame, look: str) -> None:
    with plt.style.context(look):
        ax = plotting.forest(example.agree.kappa("ann", "bob", by="batch"))
        assert ax.texts
        for text in ax.texts:
            ink, paper = (np.array(to_rgb(colour)) for colour in (text.get_color(), ax.get_facecolor()))
            assert contrast(text.get_alpha() * ink + (1 - text.get_alpha()) * paper, paper) > 7
