"""What each picture shows: positions are the estimates, texts the numbers, and names never touch."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from tests.data_sets import scores

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.colors import to_rgb

from pandas_agreement import plotting
from pandas_agreement.interpret import SCALES
from pandas_agreement.plotting import style

CODERS = ["ann", "bob", "cleo", "dev"]


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def example() -> pd.DataFrame:
    return pandas_agreement.load_example()


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
    """Values and rows of all dots of a picture with a row an estimate."""
    drawn = [container.lines[0] for container in ax.containers]
    x = np.concatenate([line.get_xdata() for line in drawn])
    y = np.concatenate([line.get_ydata() for line in drawn])
    return x[np.argsort(y, kind="stable")], np.sort(y)


def ends(ax: Any) -> np.ndarray:
    """Ends of the intervals, a row each."""
    bars = [segment for container in ax.containers for segment in container.lines[2][0].get_segments()]
    return np.array([[bar[0][0], bar[1][0]] for bar in bars if len(bar)])


# ------------------------------------------------------------------------------------------------- confusion


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


@pytest.mark.parametrize("cmap", ["Blues", "YlGnBu", "Greys", "viridis", "cividis", "RdBu"])
def test_text_can_be_read_on_every_cell(cmap: str) -> None:
    table = pd.DataFrame(np.arange(49).reshape(7, 7), index=list("abcdefg"), columns=list("abcdefg"))
    ax = plotting.confusion(table, show="counts", cmap=cmap)
    image, values = ax.images[0], table.to_numpy().ravel()
    for text, value in zip(ax.texts, values, strict=True):
        assert style.contrast(to_rgb(text.get_color()), image.cmap(image.norm(value))[:3]) >= 4.5


def test_what_is_written_beside_the_pictures_can_be_read() -> None:
    assert style.contrast(style.MUTED, "white") >= 4.5
    assert style.contrast(style.MUTED, "black") >= 4.5


# ------------------------------------------------------------------------------------------------- pairs


def test_pairwise_is_the_matrix_with_those_who_agree_together() -> None:
    rng = np.random.default_rng(1)
    one, two = rng.integers(0, 3, 200), rng.integers(0, 3, 200)

    def near(truth: np.ndarray) -> np.ndarray:
        return np.where(rng.random(200) < 0.9, truth, rng.integers(0, 3, 200))

    df = pd.DataFrame({"a1": near(one), "b1": near(two), "a2": near(one), "b2": near(two), "a3": near(one)})
    result = df.agree.pairwise(metric="alpha")
    ax = plotting.pairwise(result)
    order = ticks(ax, "x")
    assert [name[0] for name in order] == ["a", "a", "a", "b", "b"]
    assert ticks(ax, "y") == order
    full = df.agree.pairwise(metric="alpha", full=True)["estimate"].droplevel("coefficient").unstack()
    drawn = np.ma.filled(ax.images[0].get_array(), np.nan)
    np.testing.assert_allclose(drawn, full.loc[order, order].to_numpy())
    expected = [style.number(value) for value in drawn.ravel() if not np.isnan(value)]
    assert shown(ax) == expected
    assert ticks(plotting.pairwise(result, order="given"), "x") == ["a1", "b1", "a2", "b2", "a3"]


def test_pairs_without_a_value_are_hatched_and_listed() -> None:
    df = pd.DataFrame({"ann": [1, 2, 1, 2, None], "bob": [1, 2, 2, 2, 1], "cleo": [None, None, None, None, 2]})
    with pytest.warns(pandas_agreement.AgreementWarning, match="undefined"):
        result = df.agree.pairwise()
    ax = plotting.pairwise(result, order="given")
    gaps = int(result["estimate"].isna().sum())
    assert gaps == 1
    assert len(ax.collections[0].get_paths()) == 2 * gaps
    assert ax.get_xlabel() == f"undefined (hatched): ann {style.DASH} cleo"


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
    result = df.agree.pairwise()
    assert [*zip(*(result.index.get_level_values(level) for level in ("coder_1", "coder_2")), strict=True)] == [
        *itertools.combinations("abcd", 2)
    ]
    result["estimate"] = estimates
    assert ticks(plotting.pairwise(result), "x") == list(order)


# ------------------------------------------------------------------------------------------------- rows


def test_forest_puts_estimates_and_intervals_before_the_bands(example: pd.DataFrame) -> None:
    result = example.agree.kappa("ann", "bob", by="batch")
    ax = plotting.forest(result)
    x, y = dots(ax)
    np.testing.assert_allclose(x, result["estimate"])
    assert y.tolist() == list(range(6))
    np.testing.assert_allclose(ends(ax), result[["ci_low", "ci_high"]])
    assert ax.yaxis_inverted()
    assert ticks(ax, "y") == result.index.get_level_values("batch").tolist()
    words = [text.replace("\n", " ") for text in shown(ax)]
    assert words[-5:] == SCALES["landis_koch"].words[1:]  # nobody is poor, and the axis begins at 0
    assert [np.min(np.atleast_2d(patch.get_xy())[:, 0]) for patch in ax.patches[1:]] == pytest.approx(
        [0.0, 0.2, 0.4, 0.6, 0.8]
    )
    assert words[0] == "0.33  [0.16, 0.51]"
    assert words[6] == "estimate  [95% interval]"
    assert (title(ax), ax.get_xlabel()) == ("kappa by batch", "kappa")


@pytest.mark.parametrize(("scale", "n_seen"), [("landis_koch", 5), ("krippendorff", 3), ("koo_li", 4)])
def test_bands_alternate_with_the_highest_dark(example: pd.DataFrame, scale: str, n_seen: int) -> None:
    greys = [style.SHADE, style.LIGHT_SHADE, style.SHADE, style.LIGHT_SHADE, style.SHADE][:n_seen][::-1]
    rows = plotting.forest(example.agree.kappa("ann", "bob", by="batch"), bands=scale)
    drawn = [patch for patch in rows.patches if patch.get_extents().x1 > rows.transData.transform((0, 0))[0] + 1]
    assert [patch.get_facecolor() for patch in drawn] == greys
    line = plotting.over(example.agree.kappa("ann", "bob", by="batch"), bands=scale)
    assert [patch.get_facecolor() for patch in line.patches[-n_seen:]] == greys


def test_no_band_where_no_scale_speaks(example: pd.DataFrame) -> None:
    assert not plotting.forest(example.agree.observed("ann", "bob", by="batch")).patches
    assert not plotting.forest(example.agree.kappa("ann", "bob"), bands=None).patches
    scored = scores(30).agree.icc()
    assert not plotting.forest(scored).patches
    assert len(plotting.forest(scored, bands="koo_li").patches) == 4


def test_what_is_not_corrected_for_chance_is_hollow(example: pd.DataFrame) -> None:
    ax = plotting.forest(example.agree.summary("ann", "bob"))
    faces = [container.lines[0].get_markerfacecolor() for container in ax.containers]
    assert faces == [style.BLUE, (1.0, 1.0, 1.0, 1.0)]
    assert ax.containers[1].lines[0].get_ydata().tolist() == [0]  # observed
    assert ax.get_xlabel() == "coefficient\nhollow: not corrected for chance"


@pytest.mark.parametrize(
    ("metrics", "bands", "hollow", "why"),
    [
        (["icc_a1", "alpha"], "landis_koch", ["icc_a1"], "not on this scale"),
        (["ccc", "alpha", "observed"], "altman", ["ccc", "observed"], "not on this scale"),
        (["icc_a1", "alpha", "observed"], "koo_li", ["observed"], "not corrected for chance"),
        (["icc_a1", "alpha", "observed"], None, ["observed"], "not corrected for chance"),
        (["alpha", "observed"], None, ["observed"], "not corrected for chance"),
    ],
)
def test_hollow_says_why(metrics: list[str], bands: str | None, hollow: list[str], why: str) -> None:
    ax = scores(60, 2, 9).agree.plot.forest(metric=metrics, bands=bands)
    assert [metrics[int(row)] for row in ax.containers[1].lines[0].get_ydata()] == hollow
    assert ax.get_xlabel() == f"coefficient\nhollow: {why}"


@pytest.mark.parametrize(("ci", "text"), [(0.95, "95%"), (0.975, "97.5%"), (0.995, "99.5%"), (0.9999, "99.99%")])
def test_the_level_of_an_interval_is_not_rounded(example: pd.DataFrame, ci: float, text: str) -> None:
    result = example.agree.kappa("ann", "bob", by="batch", ci=ci)
    assert f"estimate  [{text} interval]" in shown(plotting.forest(result))
    assert title(plotting.over(result)) == f"kappa over batch; band: {text} interval"
    draws = example.agree.replicates("ann", "bob", n_resamples=100, rng=0)
    ax = plotting.replicates(draws, ci=ci)
    assert ax.get_xlabel() == f"kappa; dot: median, line: {text} of the resamples"
    assert f"median  [{text}]" in shown(ax)


def test_forest_of_pairs_is_sorted_on_request(example: pd.DataFrame) -> None:
    result = example.agree.pairwise(*CODERS)
    ax = plotting.forest(result, sort=True)
    assert dots(ax)[0].tolist() == sorted(result["estimate"], reverse=True)
    assert ticks(ax, "y")[0] == f"ann {style.DASH} bob"
    assert title(ax) == "kappa by pair of coders"


def test_undefined_estimates_keep_their_row_and_are_listed(example: pd.DataFrame) -> None:
    df = example.assign(ann=example["ann"].where(example["batch"] != "2026-w03", None))
    with pytest.warns(pandas_agreement.AgreementWarning, match="undefined"):
        result = df.agree.kappa("ann", "bob", by="batch")
    ax = plotting.forest(result)
    assert len(ticks(ax, "y")) == 6
    assert shown(ax)[2] == "undefined"
    assert ax.get_xlabel() == "kappa\nundefined: 2026-w03"
    line = plotting.over(result)
    assert np.isnan(line.lines[0].get_ydata()).tolist() == [False, False, True, False, False, False]
    assert line.get_xlabel() == "batch\nundefined: 2026-w03"


def test_an_interval_beyond_the_axis_ends_in_an_arrow() -> None:
    ratings = {"ann": [9, 6, 8, 7, 10, 6], "bob": [2, 1, 4, 1, 5, 2], "cleo": [5, 3, 6, 2, 6, 4]}
    ax = plotting.forest(pd.DataFrame(ratings).agree.icc())
    arrows = [line for line in ax.lines if line.get_marker() == "<"]
    assert [line.get_ydata() for line in arrows] == [[3]]  # icc_1k, down to -3.14
    assert ax.get_xlim()[0] > -1.1


def test_categories_are_sorted_with_the_number_of_labels(example: pd.DataFrame) -> None:
    result = example.agree.by_category(*CODERS, metrics=["rate"])
    ax = plotting.by_category(result)
    ordered = result.sort_values("estimate", ascending=False)
    np.testing.assert_allclose(dots(ax)[0], ordered["estimate"])
    np.testing.assert_allclose(ends(ax), ordered[["ci_low", "ci_high"]])
    assert ticks(ax, "y") == ordered.index.get_level_values("category").tolist()
    assert shown(ax) == [*map(str, ordered["n_labels"]), "labels"]


def test_metrics_and_groups_of_categories_stand_beside_each_other(example: pd.DataFrame) -> None:
    both = plotting.by_category(example.agree.by_category(*CODERS))
    assert [text.get_text() for text in both.get_legend().get_texts()] == ["rate", "specific"]
    assert shown(both) == ["869", "602", "356", "105", "labels"]  # once, however many metrics
    example = example.assign(half=np.where(example["batch"] < "2026-w04", "first", "second"))
    ax = plotting.by_category(example.agree.by_category(*CODERS, by="half", metrics=["rate"]), sort=False)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["first", "second"]
    assert len({line.get_marker() for container in ax.containers for line in [container.lines[0]]}) == 2
    assert shown(ax)[0] == "869"  # of both halves


def test_differences_stand_about_a_line_at_zero(example: pd.DataFrame) -> None:
    result = example.agree.compare(["ann", "bob"], ["ann", "dev"], ["bob", "dev"])
    ax = plotting.differences(result)
    single = result.drop("(all)", level="first")
    np.testing.assert_allclose(dots(ax)[0], single["difference"])
    assert ax.lines[0].get_xdata() == [0, 0]
    assert ticks(ax, "y")[0] == "ann, bob vs ann, dev"
    assert ax.get_xlabel() == "difference (first less second)\nall at once: F = 14.46, p = 7.7e-07"


def test_numbers_below_differences_stand_well_apart(example: pd.DataFrame) -> None:
    both = example[example["batch"] < "2026-w03"].agree.contrasts("ann", "bob", by="batch")
    many = example.agree.compare(CODERS, metric=["kappa", "ac1"])
    assert len(many) == 1
    for result in (both, many, many.assign(ci_low=-0.19, ci_high=-0.03)):
        ax = plotting.differences(result)
        ax.figure.canvas.draw()
        boxes = [text.get_window_extent() for text in ax.get_xticklabels() if not _is_outside_tick(ax, text)]
        assert len(boxes) >= 3
        for one, two in itertools.pairwise(boxes):
            assert two.x0 - one.x1 > 0.5 * one.width


def test_coders_stand_against_the_others(example: pd.DataFrame) -> None:
    result = example.agree.coders(*CODERS)
    ax = plotting.coders(result)
    first, second = (container.lines[0].get_xdata().tolist() for container in ax.containers)
    ordered = result.sort_values("agreement", ascending=False)
    assert first == ordered["agreement"].tolist()
    assert second == ordered["kappa_majority"].tolist()
    assert shown(ax)[3] == "+0.08"


# ------------------------------------------------------------------------------------------------- bias, chart


def test_bias_shows_the_differences_of_the_margins(example: pd.DataFrame) -> None:
    result = example.agree.margins(*CODERS)
    ax = plotting.bias(result)
    points = (100 * result["difference"]).to_numpy()
    assert shown(ax) == [style.number(value, "+.0f") for value in points]
    assert ticks(ax, "y") == CODERS
    assert ticks(ax, "x")[0] == "bug 45%"
    more, less = ax.collections
    assert len(more.get_offsets()) == (points > 0).sum()
    assert len(less.get_offsets()) == (points < 0).sum()
    assert more.get_sizes().max() / less.get_sizes().max() == pytest.approx(points.max() / -points.min())
    assert len(more.get_paths()[0].vertices) == len(less.get_paths()[0].vertices)
    assert not np.array_equal(more.get_paths()[0].vertices, less.get_paths()[0].vertices)  # up and down


def test_bias_of_next_to_nothing_looks_like_next_to_nothing() -> None:
    labels = np.array(["a", "b"] * 500)
    df = pd.DataFrame({"ann": labels, "bob": np.where(np.arange(1000) < 1, "b", labels)})  # 0.1 points apart
    small = plotting.bias(df.agree.margins())
    assert shown(small) == ["0"] * 4
    large = plotting.bias(100 * df.agree.margins().assign(mean_share=0.005))  # the same Axes, 5 points
    sizes = [ax.collections[0].get_sizes().max() for ax in (small, large)]
    assert sizes[0] / sizes[1] == pytest.approx(0.01)


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


# ------------------------------------------------------------------------------------------------- over


def test_over_draws_the_band_of_the_intervals_and_a_threshold(example: pd.DataFrame) -> None:
    result = example.agree.kappa("ann", "bob", by="batch")
    ax = plotting.over(result, threshold=0.8, bands="altman")
    line, threshold = ax.lines
    np.testing.assert_allclose(line.get_ydata(), result["estimate"])
    assert threshold.get_ydata() == [0.8, 0.8]
    band = ax.collections[0].get_paths()[0].vertices
    np.testing.assert_allclose(sorted(set(band[:, 1].round(12))), np.unique(result[["ci_low", "ci_high"]].round(12)))
    assert ticks(ax, "x") == result.index.get_level_values("batch").tolist()
    assert "threshold 0.8" in shown(ax)
    assert len(ax.patches) == 5


def dated(n: int = 400) -> pd.DataFrame:
    return scores(n, gaps=0).assign(date=pd.date_range("2026-01-01", periods=n, freq="12h"))


def test_over_dates_the_axis_is_a_time() -> None:
    df = dated()
    weekly = df.agree.kappa("ann", "bob", by=pd.Grouper(key="date", freq="W"))
    ax = plotting.over(weekly)
    assert ax.xaxis.get_major_formatter().__class__.__name__ == "ConciseDateFormatter"
    stamps = ax.lines[0].get_xdata()
    assert pd.DatetimeIndex(stamps).equals(pd.DatetimeIndex(weekly.index.get_level_values("date").to_numpy()))
    daily = df.assign(day=df["date"].dt.date).agree.observed("ann", "bob", by="day")
    assert np.issubdtype(plotting.over(daily).lines[0].get_xdata().dtype, np.datetime64)
    monthly = df.assign(month=df["date"].dt.to_period("M")).agree.kappa("ann", "bob", by="month")
    stamps = plotting.over(monthly).lines[0].get_xdata()
    assert pd.DatetimeIndex(stamps).strftime("%Y-%m").tolist() == [f"2026-0{month}" for month in range(1, 8)]


def test_numbers_stand_where_they_are_and_batches_are_whole() -> None:
    df = scores(300, gaps=0).assign(week=np.repeat([1, 2, 6], 100))
    ax = plotting.over(df.agree.kappa("ann", "bob", by="week"))
    assert ax.lines[0].get_xdata().tolist() == [1, 2, 6]
    assert all(float(place).is_integer() for place in ax.get_xticks())


def test_lines_go_on_in_time_whatever_the_order_of_the_rows() -> None:
    df = scores(300, gaps=0).assign(week=np.repeat([1, 2, 6], 100))
    result = df.agree.kappa("ann", "bob", by="week")
    line = plotting.over(result.iloc[[2, 0, 1]]).lines[0]
    assert line.get_xdata().tolist() == [1, 2, 6]
    assert line.get_ydata().tolist() == result["estimate"].tolist()
    days = dated(100).assign(week=lambda df: df["date"].dt.to_period("W"))
    weekly = days.agree.observed("ann", "bob", by="week")
    line = plotting.over(weekly.iloc[::-1]).lines[0]
    assert (np.diff(line.get_xdata()) > np.timedelta64(0)).all()
    assert line.get_ydata().tolist() == weekly["estimate"].tolist()


def test_other_keys_and_coefficients_are_lines_of_their_own() -> None:
    df = dated().assign(site=["Lisbon", "_Porto"] * 200, week=np.arange(400) // 100)
    ax = plotting.over(df.agree.kappa("ann", "bob", by=["site", "week"]), threshold=0.5)
    assert [text.get_text().strip() for text in ax.get_legend().get_texts()] == ["Lisbon", "_Porto", "threshold 0.5"]
    assert ax.lines[0].get_xdata().tolist() == [0, 1, 2, 3]
    ax = plotting.over(df.agree.summary("ann", "bob", metrics=["kappa", "ac1"], by="week"))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["kappa", "ac1"]


def test_a_batch_alone_between_gaps_shows_its_interval() -> None:
    result = dated().assign(week=np.arange(400) // 100).agree.kappa("ann", "bob", by="week")
    result.loc[[1], "estimate"] = np.nan
    ax = plotting.over(result)
    (bars,) = (container for container in ax.containers if container)
    segment = bars.lines[2][0].get_segments()[0]
    np.testing.assert_allclose(segment[:, 1], result[["ci_low", "ci_high"]].iloc[0])


# ------------------------------------------------------------------------------------------------- spread


def test_items_are_counted_by_their_agreement(example: pd.DataFrame) -> None:
    result = example.agree.items(*CODERS)
    ax = plotting.items(result)
    counts = result["agreement"].round(9).value_counts().sort_index()
    assert [bar.get_height() for bar in ax.patches] == counts.tolist()
    np.testing.assert_allclose([bar.get_x() + bar.get_width() / 2 for bar in ax.patches], counts.index)
    assert shown(ax) == counts.astype(str).tolist()
    single = int(result["agreement"].isna().sum())
    assert ax.get_xlabel().endswith(f"\nundefined: {single} items with one label or none")
    many = pd.DataFrame({"agreement": np.linspace(0, 1, 101)})
    assert len(plotting.items(many).patches) == 20


def test_partial_credit_is_no_share_of_pairs() -> None:
    df = scores(60, 3, 9)
    plain = "share of an item's pairs of labels that agree"
    partial = "mean agreement of an item's pairs of labels, with partial credit"
    for level, text in (("nominal", plain), ("interval", partial), ("ordinal", partial)):
        assert df.agree.plot.items(level=level).get_xlabel().partition("\n")[0] == text
    assert df.agree.plot.items("ann", "bob", metric="ac2", weights="linear").get_xlabel().startswith(partial)
    alone = df.agree.items(level="interval")[["agreement"]]
    assert plotting.items(alone).get_xlabel().startswith("agreement of an item's pairs of labels\n")


def test_replicates_show_estimate_and_interval(example: pd.DataFrame) -> None:
    draws = example.agree.replicates("ann", "bob", n_resamples=1000, rng=0)
    result = example.agree.kappa("ann", "bob")
    ax = plotting.replicates(draws, result, ci=0.9)
    assert dots(ax)[0].tolist() == result["estimate"].tolist()
    np.testing.assert_allclose(ends(ax)[0], draws["value"].quantile([0.05, 0.95]))
    assert ax.get_xlabel() == "kappa; dot: estimate, line: 90% of the resamples"
    assert dots(plotting.replicates(draws))[0].tolist() == [pytest.approx(draws["value"].median())]
    bare = plotting.replicates(draws, result, ci=None)
    assert np.isnan(ends(bare)).all()
    assert bare.get_xlabel() == "kappa; dot: estimate"
    assert shown(bare) == ["0.61", "estimate"]


def test_replicates_of_groups_stand_above_each_other_and_count_the_undefined(example: pd.DataFrame) -> None:
    draws = example.agree.replicates("ann", "bob", by="batch", n_resamples=200, rng=0)
    draws.iloc[:3] = np.nan
    ax = plotting.replicates(draws)
    assert ticks(ax, "y") == example["batch"].unique().tolist()
    assert ax.get_xlabel().endswith("\nundefined: 3 of 1,200 resamples")


def test_bland_altman_shows_every_item_and_the_limits() -> None:
    df = scores(60, 2, 9, gaps=0.1)
    ax = df.agree.plot.bland_altman("ann", "bob")
    row = df.agree.limits("ann", "bob").iloc[0]
    assert [line.get_ydata()[0] for line in ax.lines] == row[["bias", "lower", "upper"]].tolist()
    both = df.dropna()
    pairs = pd.DataFrame({"x": (both["ann"] + both["bob"]) / 2, "y": both["ann"] - both["bob"]})
    counts = pairs.value_counts().sort_index()
    np.testing.assert_allclose(ax.collections[0].get_offsets(), [*counts.index])
    sizes = ax.collections[0].get_sizes()
    np.testing.assert_allclose(sizes, 14.0 * counts.to_numpy())
    assert ax.get_ylabel() == "ann less bob"
    assert len(ax.patches) == 3


def test_limits_of_many_pairs_are_rows() -> None:
    result = scores(60, 3, 9).agree.limits()
    ax = plotting.bland_altman(result)
    np.testing.assert_allclose(dots(ax)[0], result["bias"])
    np.testing.assert_allclose(ends(ax), result[["lower", "upper"]])


# ------------------------------------------------------------------------------------------------- room


def assert_apart(texts: Sequence[Any]) -> None:
    """No two boxes overlap."""
    boxes = np.array([text.get_window_extent().extents for text in texts if text.get_visible() and text.get_text()])
    low, high = boxes[:, None, :2], boxes[None, :, 2:]
    over = ((high - low).min(axis=2) > 0.5) & ((high - low).min(axis=2).T > 0.5)
    np.fill_diagonal(over, False)
    assert not over.any(), [texts[place].get_text() for place in np.argwhere(over)[0]]


def assert_legible(ax: Any, all_names: bool = True) -> None:
    """After a real drawing no name touches another, and nothing is cut off."""
    ax.figure.canvas.draw()
    everything = [*ax.get_xticklabels(), *ax.get_yticklabels(), *ax.texts, ax.xaxis.label, ax.yaxis.label]
    everything += [ax._left_title]
    assert_apart(everything)
    page = ax.figure.bbox
    for text in everything:
        if text.get_text() and text.get_visible() and not _is_outside_tick(ax, text):
            box = text.get_window_extent()
            assert page.padded(1).count_contains(box.corners()) == 4, text.get_text()


def _is_outside_tick(ax: Any, text: Any) -> bool:
    """matplotlib keeps ticks beyond the ends of an axis, and does not draw them."""
    x, y = text.get_position()
    low, high = sorted(ax.get_xlim())
    bottom, top = sorted(ax.get_ylim())
    return (text in ax.get_xticklabels() and not low <= x <= high) or (
        text in ax.get_yticklabels() and not bottom <= y <= top
    )


@pytest.mark.parametrize("n", [2, 5, 30])
@pytest.mark.parametrize("kind", ["confusion", "agreement_chart", "by_category", "bias"])
def test_names_of_categories_never_touch(kind: str, n: int) -> None:
    df = labels(2, n, long=n == 5)
    ax = getattr(df.agree.plot, kind)()
    assert_legible(ax)
    if kind != "agreement_chart":  # there a name needs a category of some size
        assert len(ticks(ax, "x" if kind in ("confusion", "bias") else "y")) == n


@pytest.mark.parametrize("n", [2, 10, 40])
@pytest.mark.parametrize("kind", ["pairwise", "bias", "coders"])
def test_names_of_coders_never_touch(kind: str, n: int) -> None:
    ax = getattr(labels(n, 3, 60, long=n == 10).agree.plot, kind)()
    assert_legible(ax)
    assert len(ticks(ax, "y")) == n
    if kind == "pairwise":
        assert len(ax.texts) == (n * (n - 1) if n < 40 else 0)
        assert len(ax.figure.axes) == (1 if n < 40 else 2)  # so many numbers give way to a scale


def test_many_rows_are_thinned_and_none_is_lost() -> None:
    ax = labels(14, 3, 60).agree.plot.forest(pairs=True, figsize=(6, 5))
    assert_legible(ax)
    assert 5 < len(ticks(ax, "y")) < 91
    assert len(dots(ax)[0]) == 91


def test_many_batches_are_named_upright() -> None:
    df = labels(2, 3, 600).assign(batch=[f"batch {place // 10:03d}" for place in range(600)])
    ax = df.agree.plot.over("coder 00", "coder 01", by="batch", ci=None)
    assert_legible(ax)
    assert len(ticks(ax, "x")) == 60


def test_numbers_leave_cells_that_are_too_small() -> None:
    df = labels(2, 30)
    ax = df.agree.plot.confusion(figsize=(2.5, 2.5))
    assert not ax.texts
    assert len(ax.figure.axes) == 2  # the scale says it instead
    assert_apart(ax.get_xticklabels())


def test_long_names_are_shortened_and_kept_in_full() -> None:
    df = labels(3, 3, long=True)
    ax = df.agree.plot.pairwise(order="given")
    assert ticks(ax, "y")[0] == "coder 00 of th…e is long"
    assert [text.get_label() for text in ax.get_yticklabels()] == list(df.columns)
    ax = df.agree.plot.by_category(sort=False)
    assert ax.get_yticklabels()[0].get_label() == "category 00 of the second team in Lisbon, whose name is long"


def test_short_names_can_be_told_apart() -> None:
    same = ["reviewer number one of the northern office", "reviewer number two of the northern office"]
    assert style.shorten_all(same, 12) == ["…one of…fice", "…two of…fice"]
    ends = ["a" + "x" * 40 + "b" + "x" * 40, "a" + "x" * 40 + "b" + "x" * 41, "ay"]
    assert style.shorten_all(ends, 12) == ["1: axxxx…xx", "2: axxxx…xx", "3: ay"]


def test_names_are_not_formulas() -> None:
    df = pd.DataFrame({"$5 to $10": list("aabb"), "under_$5": ["a", "b", "b", ""]})
    ax = df.agree.plot.confusion()
    ax.figure.canvas.draw()
    assert not any(text.get_parse_math() for text in [*ax.get_xticklabels(), ax.xaxis.label, ax.yaxis.label])
    assert ticks(ax, "x") == ["(empty)", "a", "b"]


def test_resamples_that_are_often_undefined_have_no_interval() -> None:
    few = pd.DataFrame({"a": ["y", "y"] + ["n"] * 12, "b": ["y", "n"] + ["n"] * 12})
    ax = few.agree.plot.replicates("a", "b", rng=1)
    assert any(text.get_text() == "0.63" for text in ax.texts)  # without an interval
    assert "(above 5%: no interval)" in ax.get_xlabel()


def test_a_category_that_a_coder_never_used_needs_no_room_in_the_chart() -> None:
    df = pd.DataFrame({"a": [1, 2, 3, 3, 2, 1], "b": [1, 2, 2, 2, 2, 1]})
    ax = df.agree.plot.agreement_chart("a", "b")
    assert (ticks(ax, "y"), ticks(ax, "x")) == (["1", "2", "3"], ["1", "2"])
    assert "no room" not in ax.get_xlabel()
    assert ax.get_xticklabels()[0].get_rotation() == 0


def test_words_of_bands_never_touch(example: pd.DataFrame) -> None:
    ax = pandas_agreement.plot_result(example.agree.indices(*CODERS))
    ax.figure.canvas.draw()
    words = {word.replace(" ", "\n") for word in SCALES["landis_koch"].words}
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text() in words and text.get_visible()]
    assert len(boxes) > 2
    for one, two in itertools.pairwise(boxes):
        assert one.x1 <= two.x0


PLAIN: dict[str, Any] = {"figsize": (10, 8)}


def four(example: pd.DataFrame, **keywords: Any) -> list[Any]:
    figure, axes = plt.subplots(2, 2, **(PLAIN | keywords))
    plot = example.agree.plot
    plot.forest(*CODERS, ax=axes[0, 0])
    plot.over("ann", "bob", by="batch", bands="altman", threshold=0.8, ax=axes[0, 1])
    plot.by_category(*CODERS, metrics=["rate", "specific"], ax=axes[1, 0])
    plot.forest("ann", "bob", by="batch", ax=axes[1, 1])
    figure.canvas.draw()
    return list(axes.flat)


def test_in_a_figure_without_a_layout_no_text_lies_on_another(example: pd.DataFrame) -> None:
    axes = four(example)
    texts = [[*ax.get_xticklabels(), *ax.get_yticklabels(), *ax.texts, ax.xaxis.label, ax._left_title] for ax in axes]
    everything = [text for ax, some in zip(axes, texts, strict=True) for text in some if not _is_outside_tick(ax, text)]
    assert_apart(everything)
    assert not any(shown(ax) for ax in axes)  # no numbers at the side
    assert axes[0].get_xlabel() == "coefficient; hollow: not corrected for chance"
    assert [text.get_text() for text in axes[1].get_legend().get_texts()] == ["threshold 0.8"]
    for ax in axes:
        assert ax.get_legend() is None or ax.bbox.count_contains(ax.get_legend().get_window_extent().corners()) == 4


def test_a_layout_makes_room_for_numbers_at_the_side(example: pd.DataFrame) -> None:
    axes = four(example, layout="constrained")
    assert "estimate  [95% interval]" in shown(axes[0])
    assert "threshold 0.8" in shown(axes[1])
    assert shown(axes[2])[-1] == "labels"


def test_limits_are_named_within_axes_that_nobody_makes_room_for() -> None:
    _, axes = plt.subplots(1, 2)
    ax = scores(60, 2, 9, gaps=0.1).agree.plot.bland_altman("ann", "bob", ax=axes[0])
    ax.figure.canvas.draw()
    assert [text.get_text().rpartition(" ")[0] for text in ax.texts] == ["bias", "lower limit", "upper limit"]
    assert all(text.get_window_extent().x1 <= ax.bbox.x1 for text in ax.texts)


def test_names_are_thinned_for_a_layout_only_where_there_is_one(example: pd.DataFrame) -> None:
    _, axes = plt.subplots(2, 2, **PLAIN)
    ax = example.agree.plot.bias(*CODERS, ax=axes[0, 1])
    assert [name.partition(" ")[0] for name in ticks(ax, "x")] == ["bug", "complaint", "question", "request"]
    assert {text.get_rotation() for text in ax.get_xticklabels()} == {0}
