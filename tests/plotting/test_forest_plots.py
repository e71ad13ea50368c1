"""Rows of estimates: positions are the estimates, texts the numbers."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from tests.data_sets import CODERS, scores
from tests.plotting.helpers import dots, ends, is_outside_tick, shown, ticks, title

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")
from pandas_agreement import plotting
from pandas_agreement.interpreting import BENCHMARKS
from pandas_agreement.plotting import intervals, style


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
    assert words[-5:] == BENCHMARKS["landis_koch"].words[1:]  # nobody is poor, and the axis begins at 0
    alpha = plotting.forest(example.agree.alpha("ann", "bob", by="batch"))
    assert shown(alpha)[-3:] == ["unreliable", "tentative", "reliable"]
    assert [np.min(np.atleast_2d(patch.get_xy())[:, 0]) for patch in ax.patches[1:]] == pytest.approx(
        [0.0, 0.2, 0.4, 0.6, 0.8]
    )
    assert words[0] == "0.33  [0.16, 0.50]"
    assert words[6] == "estimate  [95% interval]"
    assert (title(ax), ax.get_xlabel()) == ("Kappa by batch", "kappa")


@pytest.mark.parametrize(("scale", "n_seen"), [("landis_koch", 5), ("koo_li", 4)])
def test_bands_alternate_with_the_highest_dark(example: pd.DataFrame, scale: str, n_seen: int) -> None:
    greys = [style.SHADE, style.LIGHT_SHADE, style.SHADE, style.LIGHT_SHADE, style.SHADE][:n_seen][::-1]
    rows = plotting.forest(example.agree.kappa("ann", "bob", by="batch"), bands=scale)
    drawn = [patch for patch in rows.patches if patch.get_extents().x1 > rows.transData.transform((0, 0))[0] + 1]
    assert [patch.get_facecolor() for patch in drawn] == greys
    line = plotting.trend(example.agree.kappa("ann", "bob", by="batch"), bands=scale)
    assert [patch.get_facecolor() for patch in line.patches[-n_seen:]] == greys


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
    ax = scores(60, 2, 9).agree.plot.forest(metrics=metrics, bands=bands)
    assert [metrics[int(row)] for row in ax.containers[1].lines[0].get_ydata()] == hollow
    assert ax.get_xlabel() == f"coefficient\nhollow: {why}"


@pytest.mark.parametrize(("ci", "text"), [(0.95, "95%"), (0.995, "99.5%")])
def test_the_level_of_an_interval_is_not_rounded(example: pd.DataFrame, ci: float, text: str) -> None:
    result = example.agree.kappa("ann", "bob", by="batch", ci=ci)
    assert f"estimate  [{text} interval]" in shown(plotting.forest(result))
    assert title(plotting.trend(result)) == f"Kappa by batch, with {text} intervals"


def test_undefined_estimates_keep_their_row_and_are_listed(example: pd.DataFrame) -> None:
    df = example.assign(ann=example["ann"].where(example["batch"] != "2026-w03", None))
    with pytest.warns(pandas_agreement.AgreementWarning, match="undefined"):
        result = df.agree.kappa("ann", "bob", by="batch")
    ax = plotting.forest(result)
    assert len(ticks(ax, "y")) == 6
    assert shown(ax)[2] == "undefined"
    assert ax.get_xlabel() == "kappa\nundefined: 2026-w03"
    line = plotting.trend(result)
    assert np.isnan(line.lines[0].get_ydata()).tolist() == [False, False, True, False, False, False]
    assert line.get_xlabel() == "batch\nundefined: 2026-w03"


def test_an_interval_beyond_the_axis_ends_in_an_arrow() -> None:
    ratings = {"ann": [9, 6, 8, 7, 10, 6], "bob": [2, 1, 4, 1, 5, 2], "cleo": [5, 3, 6, 2, 6, 4]}
    ax = plotting.forest(pd.DataFrame(ratings).agree.icc())
    arrows = [line for line in ax.lines if line.get_marker() == "<"]
    assert [line.get_ydata() for line in arrows] == [[3]]  # icc_1k, down to -3.14
    assert ax.get_xlim()[0] > -1.1


def test_categories_are_sorted_with_the_number_of_labels(example: pd.DataFrame) -> None:
    result = example.agree.by_category(*CODERS)
    ax = plotting.by_category(result)
    ordered = result.sort_values("estimate", ascending=False)
    np.testing.assert_allclose(dots(ax)[0], ordered["estimate"])
    np.testing.assert_allclose(ends(ax), ordered[["ci_low", "ci_high"]])
    assert ticks(ax, "y") == ordered.index.get_level_values("category").tolist()
    assert shown(ax) == [*map(str, ordered["n_labels"]), "labels"]


def test_metrics_and_groups_of_categories_stand_beside_each_other(example: pd.DataFrame) -> None:
    both = plotting.by_category(example.agree.by_category(*CODERS, metrics=["rate", "specific"]))
    assert [text.get_text() for text in both.get_legend().get_texts()] == ["rate", "specific"]
    assert shown(both) == ["869", "602", "356", "105", "labels"]  # once, however many metrics
    of_two = pd.MultiIndex.from_product([["low", "high"], ["rate", "specific"]], names=["category", "coefficient"])
    values = {"estimate": [0.1, 0.9, 0.4, 0.2], "ci_low": 0.0, "ci_high": 1.0, "n_labels": 9}
    crossing = plotting.by_category(pd.DataFrame(values, index=of_two))
    assert ticks(crossing, "y") == ["high", "low"]  # as the first metric has them
    example = example.assign(half=np.where(example["batch"] < "2026-w04", "first", "second"))
    ax = plotting.by_category(example.agree.by_category(*CODERS, by="half"), sort=False)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["first", "second"]
    assert len({line.get_marker() for container in ax.containers for line in [container.lines[0]]}) == 2
    assert shown(ax)[0] == "869"  # of both halves


def test_effects_of_the_position_stand_on_both_sides_of_zero() -> None:
    index = pd.Index(["position"], name="coefficient")
    result = pd.DataFrame({"estimate": [0.5], "ci_low": [0.4], "ci_high": [0.6]}, index=index)
    low, high = plotting.position_bias(result).get_xlim()
    assert low < -0.1
    assert high > 0.6


def test_differences_stand_about_a_line_at_zero(example: pd.DataFrame) -> None:
    result = example.agree.compare(["ann", "bob"], ["ann", "dev"], ["bob", "dev"])
    ax = plotting.differences(result)
    single = result.drop("(all)", level="first")
    np.testing.assert_allclose(dots(ax)[0], single["difference"])
    assert ax.lines[0].get_xdata() == [0, 0]
    assert ticks(ax, "y")[0] == "ann, bob minus ann, dev"
    assert ax.get_xlabel() == "difference\njoint test: p = 2.1e-06"
    detailed = example.agree.compare(["ann", "bob"], ["ann", "dev"], ["bob", "dev"], detail=True)
    assert plotting.differences(detailed).get_xlabel() == "difference\njoint test: F = 13.39, p = 2.1e-06"


def test_numbers_below_differences_stand_well_apart(example: pd.DataFrame) -> None:
    both = example[example["batch"] < "2026-w03"].agree.compare("ann", "bob", by="batch")
    many = example.agree.compare(CODERS, metrics=["kappa", "ac1"])
    assert len(many) == 1
    for result in (both, many, many.assign(difference_low=-0.19, difference_high=-0.03)):
        ax = plotting.differences(result)
        ax.figure.canvas.draw()
        boxes = [text.get_window_extent() for text in ax.get_xticklabels() if not is_outside_tick(ax, text)]
        assert len(boxes) >= 2
        for one, two in itertools.pairwise(boxes):
            assert two.x0 - one.x1 > 0.5 * one.width


def test_coders_stand_against_the_others(example: pd.DataFrame) -> None:
    result = example.agree.by_coder(*CODERS)
    ax = plotting.by_coder(result)
    first, second = (container.lines[0].get_xdata().tolist() for container in ax.containers)
    ordered = result.sort_values("agreement", ascending=False)
    assert first == ordered["agreement"].tolist()
    assert second == ordered["kappa_majority"].tolist()
    assert shown(ax)[3] == "+0.08"


def test_of_hundreds_of_rows_only_names_with_room_become_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intervals, "MAX_ROWS", 1000)  # else they are summarised
    index = pd.MultiIndex.from_arrays([range(500), ["kappa"] * 500], names=["batch", "coefficient"])
    columns = {"estimate": np.linspace(0, 1, 500), "ci_low": np.zeros(500), "ci_high": np.ones(500)}
    result = pd.DataFrame(columns, index=index)
    ax = plotting.forest(result, bands=None, figsize=(4, 26))
    names = ticks(ax, "y")
    assert names == [str(place) for place in range(0, 500, 3)]
    assert [round(place) for place in ax.get_yticks()] == list(range(0, 500, 3))
    assert not ax.texts  # nor numbers at the side
    assert dots(ax)[1].tolist() == list(range(500))  # every row is drawn
    assert len(ends(ax)) == 500


def test_too_many_series_beside_each_other_are_refused() -> None:
    index = pd.MultiIndex.from_product([range(41), ["y"], ["rate"]], names=["batch", "category", "coefficient"])
    result = pd.DataFrame({"estimate": 0.5, "ci_low": 0.4, "ci_high": 0.6, "n_labels": 9}, index=index)
    message = "by_category draws at most 40 metrics and groups, and got 41. Draw some rows of the result, such as "
    with pytest.raises(pandas_agreement.InputError, match=f"^{message}"):
        plotting.by_category(result)


def test_long_names_of_a_difference_have_two_lines(example: pd.DataFrame) -> None:
    long = example.rename(columns={"ann": "ann of the north", "bob": "bob of the south"})
    result = long.agree.compare(["ann of the north", "dev"], ["bob of the south", "dev"])
    (name,) = plotting.differences(result).get_yticklabels()
    assert name.get_text() == "ann of the north, dev\nminus bob of the south, dev"
    assert name.get_label() == "ann of the north, dev minus bob of the south, dev"


def test_a_picture_of_very_many_categories_is_refused_with_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"ann": range(12), "bob": range(1, 13)})
    assert len(ticks(frame.agree.plot.by_category(), "y")) == 13
    monkeypatch.setattr("pandas_agreement.plotting.forest_plots.MAX_CATEGORIES", 12)
    with pytest.raises(pandas_agreement.InputError, match=r"at most 12 categories, and got 13\. Draw some rows of"):
        frame.agree.plot.by_category()
