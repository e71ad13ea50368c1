"""Tables as pictures: confusion, pairs, bias."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from tests.data_sets import CODERS
from tests.plotting.helpers import contrast, labels, shown, ticks, title

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")
from matplotlib.colors import to_rgb

from pandas_agreement import plotting
from pandas_agreement.formatting import DASH, number, signed, typeset
from pandas_agreement.plotting import style

# ------------------------------------------------------------------------------------------------------------ confusion


def test_confusion_writes_counts_and_row_shares(example: pd.DataFrame) -> None:
    table = example.agree.confusion("ann", "bob")
    ax = plotting.confusion(table)
    counts = table.to_numpy()
    shares = counts / counts.sum(axis=1, keepdims=True)
    assert shown(ax) == [f"{n}\n{share:.0%}" for n, share in zip(counts.ravel(), shares.ravel(), strict=True)]
    np.testing.assert_allclose(ax.images[0].get_array(), shares)
    assert ticks(ax, "x") == ticks(ax, "y") == ["bug", "complaint", "question", "request"]
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("label of ann", "label of bob")
    assert title(ax) == "Same label on 74% of 418 items"


def test_one_coder_against_all_others_counts_pairs_of_labels(example: pd.DataFrame) -> None:
    """An item with three other labels is in the table three times."""
    ax = plotting.confusion(example.agree.confusion("dev", "ann", "bob", "cleo"))
    assert title(ax) == "Same label on 62% of 1,144 pairs of labels"


@pytest.mark.parametrize(("show", "first"), [("counts", "147"), ("rows", "82%")])
def test_confusion_shows_one_of_them(example: pd.DataFrame, show: str, first: str) -> None:
    table = example.agree.confusion("ann", "bob")
    ax = plotting.confusion(table, show=show)
    assert shown(ax)[0] == first
    largest = table.to_numpy().max() if show == "counts" else 1
    assert ax.images[0].get_clim() == (0, largest)


def test_a_label_that_one_coder_never_gave_has_no_shares() -> None:
    df = pd.DataFrame({"ann": list("aab"), "bob": list("abc")})
    ax = plotting.confusion(df.agree.confusion())
    assert np.ma.getmaskarray(ax.images[0].get_array()).tolist() == [[False] * 3, [False] * 3, [True] * 3]
    assert len(ax.collections[0].get_paths()) == 3
    assert ax.collections[0].get_hatch() == style.HATCH


@pytest.mark.parametrize("cmap", ["Blues", "viridis"])
def test_text_can_be_read_on_every_cell(cmap: str) -> None:
    table = pd.DataFrame(np.arange(49).reshape(7, 7), index=list("abcdefg"), columns=list("abcdefg"))
    ax = plotting.confusion(table, show="counts", style={"cmap": cmap})
    image, values = ax.images[0], table.to_numpy().ravel()
    for text, value in zip(ax.texts, values, strict=True):
        assert contrast(to_rgb(text.get_color()), image.cmap(image.norm(value))[:3]) >= 4.5


# ---------------------------------------------------------------------------------------------------------------- pairs


def test_pairs_are_the_matrix_with_those_who_agree_together() -> None:
    rng = np.random.default_rng(1)
    one, two = rng.integers(0, 3, 200), rng.integers(0, 3, 200)

    def near(truth: np.ndarray) -> np.ndarray:
        return np.where(rng.random(200) < 0.9, truth, rng.integers(0, 3, 200))

    df = pd.DataFrame({"a1": near(one), "b1": near(two), "a2": near(one), "b2": near(two), "a3": near(one)})
    result = df.agree.by_pair(metrics="alpha")
    ax = plotting.by_pair(result)
    order = ticks(ax, "x")
    assert [name[0] for name in order] == ["a", "a", "a", "b", "b"]
    assert ticks(ax, "y") == order
    full = df.agree.by_pair(metrics="alpha", full=True)["estimate"].unstack()
    drawn = np.ma.filled(ax.images[0].get_array(), np.nan)
    np.testing.assert_allclose(drawn, full.loc[order, order].to_numpy())
    expected = [typeset(number(value, 2)) for value in drawn.ravel() if not np.isnan(value)]
    assert shown(ax) == expected
    assert ticks(plotting.by_pair(result, order="given"), "x") == ["a1", "b1", "a2", "b2", "a3"]


def test_pairs_without_a_value_are_hatched_and_listed() -> None:
    df = pd.DataFrame({"ann": [1, 2, 1, 2, None], "bob": [1, 2, 2, 2, 1], "cleo": [None, None, None, None, 2]})
    with pytest.warns(pandas_agreement.AgreementWarning, match="undefined"):
        result = df.agree.by_pair()
    ax = plotting.by_pair(result, order="given")
    gaps = int(result["estimate"].isna().sum())
    assert gaps == 1
    assert len(ax.collections[0].get_paths()) == 2 * gaps
    assert ax.get_xlabel() == f"undefined (hatched): ann {DASH} cleo"


def test_coders_in_another_order_are_mentioned(example: pd.DataFrame) -> None:
    result = example.agree.by_pair("ann", "bob", "cleo", "dev")
    assert plotting.by_pair(result).get_xlabel() == "coders reordered: neighbours agree most"
    assert plotting.by_pair(result, order="given").get_xlabel() == ""


@pytest.mark.parametrize(
    ("estimates", "order"),
    [
        # b and c are one; a and d another, as .44, the mean, is more than the .35 and .3 they have with those two.
        # As the worst of the pairs (.2) a and d would be apart.
        ([0.2, 0.5, np.nan, 0.9, 0.4, 0.2], "bcad"),
        # c and d, a and b; b stands beside c, as their .6 is more than .47. As the best of the pairs (.7) a and d would
        # be neighbours.
        ([0.65, 0.3, np.nan, 0.6, 0.2, 0.7], "abcd"),
    ],
)
def test_an_unknown_pair_counts_as_the_mean_of_the_known_ones(estimates: list[float], order: str) -> None:
    df = pd.DataFrame(np.random.default_rng(0).integers(0, 2, (30, 4)), columns=list("abcd"))
    result = df.agree.by_pair()
    assert [*zip(*(result.index.get_level_values(level) for level in ("coder_1", "coder_2")), strict=True)] == [
        *itertools.combinations("abcd", 2)
    ]
    result["estimate"] = estimates
    assert ticks(plotting.by_pair(result), "x") == list(order)


def test_of_many_coders_the_highest_and_the_lowest_means_are_shown() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 200)
    df = pd.DataFrame(
        {f"c{n}": np.where(rng.random(200) < 0.95 - 0.1 * n, truth, rng.integers(0, 3, 200)) for n in range(8)}
    )
    result = df.agree.by_pair(full=True)
    means = result["estimate"].groupby(level="coder_1").mean().sort_values().index
    ax = plotting.by_pair(df.agree.by_pair(), order="given", max_coders=4)
    assert ticks(ax, "x") == sorted([*means[:2], *means[-2:]])
    assert " ".join(ax.get_xlabel().split()) == "the 2 coders with the highest mean and the 2 with the lowest, of 8"


def test_of_many_categories_the_most_confused_are_shown() -> None:
    counts = np.diag(np.full(25, 9))
    counts[3, 24] = counts[5, 7] = 2
    names = [f"k{place:02d}" for place in range(25)]
    ax = plotting.confusion(pd.DataFrame(counts, pd.Index(names, name="ann"), pd.Index(names, name="bob")))
    assert {"k03", "k24", "k05", "k07"} < set(ticks(ax, "x"))
    assert len(ticks(ax, "x")) == 20
    assert title(ax) == "Same label on 98% of 229 items"  # of all of them
    assert ax.get_xlabel() == "label of bob\nthe 20 of 25 categories with the most confusions"


# ----------------------------------------------------------------------------------------------------------------- bias


def test_margins_show_the_differences_from_the_others(example: pd.DataFrame) -> None:
    result = example.agree.margins(*CODERS)
    ax = plotting.margins(result)
    points = (100 * result["estimate"]).to_numpy()
    assert shown(ax) == [typeset(signed(value, 0)) for value in points]
    assert ticks(ax, "y") == CODERS
    shares = result["share"].groupby(level="category").mean()
    assert ticks(ax, "x") == [f"{label} {share:.0%}" for label, share in shares.items()]
    np.testing.assert_allclose(np.ravel(ax.images[0].get_array()), points)
    most = np.abs(points).max()
    assert ax.images[0].get_clim() == (-most, most)


@pytest.mark.parametrize(("n_coders", "n_categories"), [(30, 2), (2, 15)])
def test_cells_are_small_where_there_are_many_of_them(n_coders: int, n_categories: int) -> None:
    width, height = labels(n_coders, n_categories).agree.plot.margins().figure.get_size_inches()
    assert max(width, height) < 8


def test_a_difference_of_next_to_nothing_looks_like_next_to_nothing() -> None:
    labels = np.array(["a", "b"] * 500)
    df = pd.DataFrame({"ann": labels, "bob": np.where(np.arange(1000) < 1, "b", labels)})  # 0.1 points apart
    ax = plotting.margins(df.agree.margins())
    assert shown(ax) == ["0"] * 4
    assert ax.images[0].get_clim() == (-5, 5)


def test_a_coder_alone_on_all_items_is_hatched() -> None:
    df = pd.DataFrame({"ann": list("xyxxyx"), "bob": list("xyyxyx"), "cleo": [None] * 6})
    alone = pd.DataFrame({"ann": None, "bob": None, "cleo": ["x"]}, index=[0])
    result = pd.concat([df, alone], ignore_index=True).agree.margins(missing="all")
    assert result["estimate"].isna().tolist() == [False] * 4 + [True] * 2
    ax = plotting.margins(result)
    assert len(ax.collections[0].get_paths()) == 2
    assert len(shown(ax)) == 4


# ----------------------------------------------------------------------------------------------------------- all three


def test_every_heat_map_has_a_colour_bar_and_black_text(example: pd.DataFrame) -> None:
    rates = example.agree.truth(*CODERS, method="dawid_skene").confusions()
    drawn = {
        "share of the row": plotting.confusion(example.agree.confusion("ann", "bob")),
        "items": plotting.confusion(example.agree.confusion("ann", "bob"), show="counts"),
        "kappa": plotting.by_pair(example.agree.by_pair(*CODERS)),
        "probability of the label": plotting.confusions(rates),
        "percentage points": plotting.margins(example.agree.margins(*CODERS)),
    }
    for label, ax in drawn.items():
        (bar,) = ax.child_axes
        assert bar.get_ylabel() == label
        ax.figure.draw_without_rendering()
        assert bar.get_window_extent().height == pytest.approx(ax.get_window_extent().height)
        for end in (0.0, 0.5, 1.0):
            assert contrast("black", ax.images[0].cmap(end)[:3]) > 6
        assert {text.get_color() for text in ax.texts} == {"black"}
