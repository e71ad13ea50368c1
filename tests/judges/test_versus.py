"""`versus_humans`: values, standard errors, tests, baseline, verdicts and edge cases."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pandas_agreement
from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.coefficients.registry import find
from pandas_agreement.judges.uncertainty import Difference
from pandas_agreement.judges.versus import Comparison
from pandas_agreement.options import make_options
from tests.bruteforce import ORACLES, influence_se, linear, nominal, quadratic
from tests.data_sets import LONG
from tests.helpers import refuses, same
from tests.judges.helpers import (
    HUMANS,
    counting_rows,
    difference_of_pairs,
    item_differences,
    judged_scores,
    mean_over_pairs,
    prevalence,
    skewed,
)

EXAMPLE = pandas_agreement.load_example()
JUDGED = EXAMPLE.agree.judges("dev", humans=HUMANS)


def row_of(found: pd.DataFrame) -> Any:
    assert len(found) == 1
    return found.iloc[0]


# ------------------------------------------------------------------------------------------------------------- values


def test_the_example_with_kappa() -> None:
    row = row_of(JUDGED.versus_humans(detail=True))
    expected = {"estimate": 0.429849, "ceiling": 0.582477, "difference": -0.152629, "se": 0.032890}
    expected |= {
        "difference_low": -0.221171,
        "difference_high": -0.091055,
        "statistic": -5.339686,
        "p_noninferior": 0.951814,
        "baseline": 0.0,
        "margin": 0.1,
    }
    for name, value in expected.items():
        assert row[name] == pytest.approx(value, abs=5e-7), name
    assert (row["n_items"], row["n_humans"], row["verdict"]) == (423, 3, "worse")
    assert row["remarks"] == (
        "35 judged items with fewer than two human labels left out; 127 items without a label of the judge"
    )


@pytest.mark.parametrize("metric", ["kappa", "pi", "alpha", "ac1", "s"])
@pytest.mark.parametrize("judge", ["dev", "eve"])
def test_a_mean_over_pairs_is_its_definition(metric: str, judge: str) -> None:
    frame = judged_scores()
    row = frame.agree.judges("dev", "eve", humans=HUMANS).versus_humans(metrics=metric, detail=True).loc[judge]
    rows = counting_rows(frame, judge)
    options = {"categories": [1, 2, 3]} if metric in ("ac1", "s") else {}
    function = ORACLES[metric]
    assert row["n_items"] == len(rows)
    assert row["estimate"] == pytest.approx(mean_over_pairs(function, rows, [(0, 1), (0, 2), (0, 3)], **options))
    assert row["ceiling"] == pytest.approx(mean_over_pairs(function, rows, [(1, 2), (1, 3), (2, 3)], **options))

    def difference(rows: Any, omega: Any = None) -> Any:
        return difference_of_pairs(function, rows, omega, **options)

    assert row["difference"] == pytest.approx(float(difference(rows)))
    exactness = 1e-3 if metric == "alpha" else 1e-9  # its influence is centred pair by pair
    assert row["se"] == pytest.approx(influence_se(difference, rows), rel=exactness)
    expected = skewed(function, rows, **options)
    near = {"abs": 1e-3} if metric == "alpha" else {"rel": 1e-8}
    assert (row["difference_low"], row["difference_high"]) == pytest.approx(expected.limits(), **near)
    assert row["statistic"] == pytest.approx(expected.statistic(0), **near)
    assert row["p_value"] == pytest.approx(2 * stats.t.sf(abs(expected.statistic(0)), len(rows) - 1), **near)
    assert row["p_noninferior"] == pytest.approx(expected.above(-0.1), **near)
    assert row["p_equivalent"] == pytest.approx(max(expected.above(-0.1), 1 - expected.above(0.1)), **near)


def sixty_items() -> pd.DataFrame:
    """gpt, h0 and h1; nine in ten labels are 'a'. `doc` are 20 clusters of three items."""
    kinds = {"aaa": 50, "bbb": 4, "baa": 1, "aba": 2, "aab": 2, "abb": 1}
    rows = [list(labels) for labels, n in kinds.items() for _ in range(n)]
    return pd.DataFrame(rows, columns=["gpt", "h0", "h1"]).assign(doc=np.arange(60) // 3)


@pytest.mark.parametrize(
    ("metric", "options", "difference", "interval"),
    [
        ("kappa", {}, -0.045781, (-0.519402, 0.186874)),
        ("pi", {}, None, (-0.523855, 0.184611)),
        ("ac1", {}, 0.002674, (-0.101299, 0.072114)),
        ("kappa", {"clusters": "doc"}, -0.045781, (-0.565989, 0.190138)),
    ],
)
def test_the_score_interval_of_sixty_items(
    metric: str, options: dict[str, Any], difference: float | None, interval: tuple[float, float]
) -> None:
    row = row_of(sixty_items().agree.judges("gpt", humans=["h0", "h1"]).versus_humans(metrics=metric, **options))
    assert (row["difference_low"], row["difference_high"]) == pytest.approx(interval, abs=5e-7)
    if difference is not None:
        assert row["difference"] == pytest.approx(difference, abs=5e-7)


@pytest.mark.parametrize(
    ("weights", "difference", "interval"),
    [("linear", 0.163490, (0.073331, 0.222966)), ("quadratic", 0.085692, (-0.044682, 0.144867))],
)
def test_the_score_interval_of_weighted_kappa(weights: str, difference: float, interval: tuple[float, float]) -> None:
    labels = {"gpt": "1234213422", "h0": "1234113322", "h1": "1244212422"}
    frame = pd.DataFrame({name: [int(label) for label in text * 6] for name, text in labels.items()})
    row = row_of(frame.agree.judges("gpt", humans=["h0", "h1"]).versus_humans(weights=weights))
    assert row["difference"] == pytest.approx(difference, abs=5e-7)
    assert (row["difference_low"], row["difference_high"]) == pytest.approx(interval, abs=5e-7)


@pytest.mark.parametrize("weights", ["nominal", "linear", "quadratic"])
@pytest.mark.parametrize("gaps", [0, 0.2])
def test_the_score_interval_with_clusters_is_its_definition(weights: str, gaps: float) -> None:
    frame = judged_scores(gaps=gaps).assign(doc=np.arange(60) // 4)
    row = row_of(frame.agree.judges("dev", humans=HUMANS).versus_humans(weights=weights, clusters="doc", detail=True))
    rows = counting_rows(frame, "dev")
    doc = frame["doc"][frame["dev"].notna() & (frame[HUMANS].notna().sum(axis=1) >= 2)].tolist()
    weight = {"nominal": nominal, "linear": linear([1, 2, 3]), "quadratic": quadratic([1, 2, 3])}[weights]
    expected = skewed(ORACLES["kappa"], rows, weight, doc)
    assert (row["difference_low"], row["difference_high"]) == pytest.approx(expected.limits(), rel=1e-7)
    assert row["statistic"] == pytest.approx(expected.statistic(0), rel=1e-7)


@pytest.mark.parametrize("seed", range(20))
def test_p_is_below_5_percent_exactly_if_0_is_outside_the_interval(seed: int) -> None:
    frame = prevalence(40, [0.7, 0.3], [0.9, 0.7, 0.7, 0.7], seed=seed)
    found = frame.agree.judges("gpt", humans=HUMANS).versus_humans(metrics=["kappa", "alpha", "ac1"], detail=True)
    outside = (found["difference_low"] > 0) | (found["difference_high"] < 0)
    assert ((found["p_value"] < 0.05) == outside).all()


def test_a_difference_that_leaves_no_variance_is_rejected() -> None:
    """The variance falls to 0 at a difference of .5, and the interval ends before it."""
    found = Difference(np.array([0.2]), np.array([0.1]), np.array([50.0]), skewness=np.array([-0.01 / 30]))
    assert found.slope == pytest.approx([-1 / 30])
    assert found.limits(0.95)[1] < 0.5
    assert found.statistic_at(0.501) == [-np.inf]
    assert found.p_equivalent(0.6) == found.p_above(-0.6)
    assert found.p_above(0.6) == [1.0]


@pytest.mark.parametrize(("weights", "weight"), [("nominal", nominal), ("linear", linear([1, 2, 3]))])
def test_a_mean_over_items_is_its_definition(weights: str, weight: Any) -> None:
    frame = judged_scores()
    row = row_of(
        frame.agree.judges("eve", humans=HUMANS).versus_humans(metrics="observed", weights=weights, detail=True)
    )
    d = item_differences(counting_rows(frame, "eve"), weight)
    n = len(d)
    assert row["difference"] == pytest.approx(sum(d) / n)
    centre = sum(d) / (n + 2)
    variance = (sum(x * x for x in d) + 1) / (n + 2) - centre**2
    assert row["se"] == pytest.approx(math.sqrt(variance / (n + 1)))
    width = stats.t.ppf(0.975, n - 1) * row["se"]
    assert (row["difference_low"], row["difference_high"]) == pytest.approx((centre - width, centre + width))
    assert row["statistic"] == pytest.approx(centre / row["se"])
    assert row["p_noninferior"] == pytest.approx(stats.t.sf((centre + 0.05) / row["se"], n - 1))


# --------------------------------------------------------------------------------------------- formats, groups, judges


@pytest.mark.parametrize("metric", ["kappa", "observed"])
@pytest.mark.parametrize("by", [None, "batch"])
def test_a_crowd_that_is_not_pivoted_is_the_same(metric: str, by: str | None) -> None:
    """Two judges and more than 62 humans, of whom a handful labelled each item."""
    rng, judges = np.random.default_rng(3), ["gpt", "llama"]
    item = np.repeat(np.arange(400), 7)
    who = [f"h{n}" for n in rng.integers(0, 80, len(item))]
    who = [judges[place % 7] if place % 7 < 2 else name for place, name in enumerate(who)]
    long = pd.DataFrame({"doc": item, "who": who}).drop_duplicates()
    long["tag"] = (long["doc"] % 3 + (rng.random(len(long)) < 0.3)).astype(int) % 3
    long["batch"] = long["doc"] // 150
    roles = {"humans": sorted(set(long["who"]) - set(judges))}
    found = long.agree.long(**LONG).judges(*judges, **roles).versus_humans(metrics=metric, by=by, detail=True)
    wide = long.pivot(index=["doc", "batch"], columns="who", values="tag").reset_index("batch")
    same(found, wide.agree.judges(*judges, **roles).versus_humans(metrics=metric, by=by, detail=True))


def test_judges_do_not_change_each_other() -> None:
    frame = judged_scores()
    found = frame.agree.judges("dev", "eve", humans=HUMANS).versus_humans(detail=True)
    for judge in ("dev", "eve"):
        alone = frame.agree.judges(judge, humans=HUMANS).versus_humans(detail=True)
        same(found.loc[[judge]].drop(columns="p_holm"), alone.drop(columns="p_holm"))
    smaller, larger = sorted(found["p_noninferior"])
    assert sorted(found["p_holm"]) == pytest.approx([min(2 * smaller, 1), max(2 * smaller, larger)])


def test_common_items() -> None:
    frame = judged_scores()
    found = frame.agree.judges("dev", "eve", humans=HUMANS).versus_humans(common=True, detail=True)
    both = frame.dropna(subset=["dev", "eve"])
    expected = both.agree.judges("dev", "eve", humans=HUMANS).versus_humans(detail=True)
    same(found.drop(columns=["note", "remarks"]), expected.drop(columns=["note", "remarks"]))


@pytest.mark.parametrize("metric", ["kappa", "observed"])
def test_doubled_clusters_have_the_standard_error_of_single_items(metric: str) -> None:
    frame = judged_scores(100, gaps=0)
    once = row_of(frame.agree.judges("dev", humans=HUMANS).versus_humans(metrics=metric, detail=True))
    twice = pd.concat([frame, frame]).assign(doc=[*range(100), *range(100)])
    found = row_of(twice.agree.judges("dev", humans=HUMANS).versus_humans(metrics=metric, clusters="doc", detail=True))
    assert found["difference"] == pytest.approx(once["difference"])
    assert found["se"] == pytest.approx(once["se"], rel=0.02)
    assert found["df"] == once["df"] == 99


# -------------------------------------------------------------------------------------------------- baseline, verdicts


def test_the_constant_answer_has_its_own_value_in_every_metric() -> None:
    frame = judged_scores().drop(columns="eve")
    humans = frame[HUMANS].stack()
    constant = frame.assign(dev=np.where(frame["dev"].isna(), np.nan, humans.mode()[0]))
    for metric in ("kappa", "observed", "pi", "alpha", "ac1", "s"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AgreementWarning)
            row = row_of(
                constant.agree.judges("dev", humans=HUMANS, categories=[1, 2, 3]).versus_humans(
                    metrics=metric, detail=True
                )
            )
        assert row["estimate"] == pytest.approx(row["baseline"], abs=1e-12), metric
        assert "no better than always answering" in row["remarks"]
        assert row["verdict"] in ("worse", "not shown")


def test_a_constant_judge_has_the_standard_error_of_the_ceiling() -> None:
    frame = judged_scores(gaps=0).assign(dev=1)
    row = row_of(frame.agree.judges("dev", humans=HUMANS).versus_humans(detail=True))
    assert row["estimate"] == pytest.approx(0, abs=1e-15)
    assert row["difference"] == pytest.approx(-row["ceiling"])
    light = frame[HUMANS].agree.light_kappa(method="analytic").iloc[0]
    assert (row["ceiling"], row["se"]) == pytest.approx((light["estimate"], light["se"]))
    assert row["remarks"].startswith("constant judge")


def test_one_human_has_no_ceiling() -> None:
    with pytest.warns(AgreementWarning, match="The difference is undefined"):
        row = row_of(EXAMPLE.agree.judges("dev", humans=["ann"]).versus_humans(detail=True))
    assert row["estimate"] == pytest.approx(EXAMPLE.agree.kappa("dev", "ann")["estimate"].iloc[0])
    assert (row["n_items"], row["n_humans"], row["verdict"], row["baseline"]) == (402, 1, "not shown", 0.0)
    gone = ["ceiling", "difference", "difference_low", "difference_high", "se", "statistic"]
    for name in [*gone, "p_value", "p_noninferior", "p_holm"]:
        assert math.isnan(row[name])
    assert row["remarks"].startswith("one human: no ceiling; kappa with its interval: df.agree.kappa('dev', 'ann')")


def test_a_copy_of_a_human_is_not_good() -> None:
    frame = EXAMPLE.assign(copy=EXAMPLE["ann"])
    with pytest.warns(AgreementWarning, match="A judge has the labels of a human on all items: 'copy' equals 'ann'"):
        row = row_of(frame.agree.judges("copy", humans=HUMANS).versus_humans(detail=True))
    assert row["difference"] == pytest.approx(0.147, abs=5e-4)
    assert (row["difference_low"], row["difference_high"]) == pytest.approx((0.125, 0.171), abs=5e-4)
    assert row["verdict"] == "not shown"
    assert "equal to 'ann' on all items" in row["remarks"]


@pytest.mark.parametrize(("common", "verdict"), [(39, "better"), (40, "not shown")])
def test_a_copy_has_half_of_the_items(common: int, verdict: str) -> None:
    """The judge knows all 80 labels, and ann those of the items that she saw."""
    frame = prevalence(80, [0.5, 0.5], [1.0, 1.0, 0.2, 0.2], seed=3)
    frame["ann"] = frame["ann"].where(np.arange(80) < common)
    with warnings.catch_warnings(record=True) as collect_warnings:
        warnings.simplefilter("always")
        row = row_of(frame.agree.judges("gpt", humans=HUMANS).versus_humans(detail=True))
    assert row["verdict"] == verdict
    assert ("equal to 'ann' on all items" in row["remarks"]) == bool(collect_warnings) == (common == 40)


@pytest.mark.parametrize(("n_humans", "more"), [(3, ""), (4, " and 1 more pair"), (5, " and 2 more pairs")])
def test_three_of_the_pairs_left_out_are_named(n_humans: int, more: str) -> None:
    humans = [*HUMANS, "dora", "emil"][:n_humans]
    frame = prevalence(60, [0.5, 0.5], [0.9] * (n_humans + 1), seed=2).assign(bob=1)
    note = row_of(frame.agree.judges("gpt", humans=humans).versus_humans(detail=True))["remarks"]
    assert note.split("; ")[0].endswith(f"constant: the judge and 'bob', 'ann' and 'bob', 'bob' and 'cleo'{more}")


def test_perfect_humans_leave_the_error_of_the_judge() -> None:
    frame = judged_scores(gaps=0)
    frame["bob"] = frame["cleo"] = frame["ann"]
    row = row_of(frame.agree.judges("dev", humans=HUMANS).versus_humans(detail=True))
    alone = frame.agree.kappa("dev", "ann", method="analytic").iloc[0]
    assert row["ceiling"] == 1
    assert (row["estimate"], row["se"]) == pytest.approx((alone["estimate"], alone["se"]))


def test_nobody_disagrees() -> None:
    frame = judged_scores(gaps=0)
    frame["bob"] = frame["cleo"] = frame["dev"] = frame["ann"]
    with pytest.warns(AgreementWarning, match="'dev' equals 'ann'"):
        row = row_of(frame.agree.judges("dev", humans=HUMANS).versus_humans(detail=True))
    bound = frame.agree.kappa("dev", "ann", method="analytic").iloc[0]["ci_low"]
    assert (row["difference"], row["difference_low"], row["difference_high"]) == pytest.approx((0, bound - 1, 0))
    assert row["verdict"] == "not shown"


def test_a_judge_without_labels() -> None:
    frame = judged_scores().assign(dev=np.nan)
    with pytest.warns(AgreementWarning, match="no item with a label of the judge"):
        row = row_of(frame.agree.judges("dev", humans=HUMANS).versus_humans(detail=True))
    assert row["n_items"] == 0
    assert np.isnan(row[["estimate", "ceiling", "difference", "se", "baseline"]].astype(float)).all()
    assert row["verdict"] == "not shown"


def test_a_judge_as_good_as_people_and_a_better_one() -> None:
    frame = prevalence(2000, [0.5, 0.3, 0.2], [0.8, 0.8, 0.8, 0.8], seed=1)
    assert row_of(frame.agree.judges("gpt", humans=HUMANS).versus_humans(detail=True))["verdict"] == "as good"
    frame = prevalence(2000, [0.5, 0.3, 0.2], [1.0, 0.7, 0.7, 0.7], seed=1)
    assert row_of(frame.agree.judges("gpt", humans=HUMANS).versus_humans(detail=True))["verdict"] == "better"
    frame = prevalence(4000, [0.5, 0.3, 0.2], [0.75, 0.8, 0.8, 0.8], seed=1)
    row = row_of(frame.agree.judges("gpt", humans=HUMANS).versus_humans(detail=True))
    assert (row["verdict"], row["remarks"]) == ("as good", "below the humans, within the margin")


def test_without_a_standard_error_nothing_is_shown() -> None:
    """A constant judge of people who always agree: every item has the same influence, none."""
    frame = pd.DataFrame({"gpt": "a", "ann": list("abb") * 10, "bob": list("abb") * 10})
    row = row_of(frame.agree.judges("gpt", humans=["ann", "bob"]).versus_humans(detail=True))
    assert (row["difference"], row["se"], row["verdict"]) == (pytest.approx(-1), 0, "not shown")
    frame["gpt"] = frame["ann"]
    few = row_of(frame.head(2).agree.judges("gpt", humans=["ann", "bob"]).versus_humans(detail=True))
    assert (few["difference_low"], few["difference_high"]) == (-1, 0)  # two items without a disagreement tell nothing
    one = row_of(
        frame.head(1).agree.judges("gpt", humans=["ann", "bob"]).versus_humans(metrics="observed", detail=True)
    )
    assert one["remarks"].startswith("one item or cluster: no se; ")


@pytest.mark.parametrize("n", [19, 20])
def test_notes_of_few_items_and_labels(n: int) -> None:
    """19 items are few for a slice; four labels of a category are few, and none is no category."""
    frame = pd.DataFrame({"gpt": [0, 1] * 60, "ann": [0, 1] * 60, "bob": [1, 1, 0, 1] * 30})
    judged = {"humans": ["ann", "bob"], "categories": [0, 1, 2]}
    rough = "rough interval: a category has fewer than 5 labels per human"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)  # the judge is a copy of ann
        assert rough not in row_of(frame.agree.judges("gpt", **judged).versus_humans(detail=True))["remarks"]
        frame.loc[:9, "bob"] = 2  # of two humans
        assert rough not in row_of(frame.agree.judges("gpt", **judged).versus_humans(detail=True))["remarks"]
        frame.loc[9, "bob"] = 1
        assert rough in row_of(frame.agree.judges("gpt", **judged).versus_humans(detail=True))["remarks"]
        note = row_of(frame.head(n).agree.judges("gpt", **judged).versus_humans(detail=True))["remarks"]
    assert ("fewer than 20 items" in note) == (n < 20)


def test_the_verdict_does_not_depend_on_the_level_of_the_interval() -> None:
    for ci in (0.5, 0.999, None):
        row = row_of(JUDGED.versus_humans(ci=ci, detail=True))
        assert row["verdict"] == "worse"
        assert math.isnan(row["difference_low"]) == (ci is None)


def test_equivalence_needs_both_sides() -> None:
    frame = prevalence(2000, [0.5, 0.3, 0.2], [0.8, 0.8, 0.8, 0.8], seed=1)
    row = row_of(frame.agree.judges("gpt", humans=HUMANS).versus_humans(equivalence=True, detail=True))
    assert row["p_holm"] == row["p_equivalent"]
    assert row["verdict"] == "as good"


# -------------------------------------------------------------------------------------------------------- wrong calls


def test_a_coefficient_of_scores_or_bias() -> None:
    message = "versus_humans does not support bias. Use 'kappa', 'observed', 'pi', 'alpha', 'ac1', 'ac2' or 's'."
    with refuses(InputError, message):
        JUDGED.versus_humans(metrics="bias")


def test_the_method_of_the_interval_is_said() -> None:
    found = JUDGED.versus_humans(metrics=["kappa", "observed"], detail=True)
    assert found["ci_method"].tolist() == ["score", "analytic"]
    same(JUDGED.versus_humans(method="score"), JUDGED.versus_humans())
    same(JUDGED.versus_humans(by_human=True, method="analytic"), JUDGED.versus_humans(by_human=True))
    with refuses(InputError, "method='analytic' is not known. Use one of 'auto', 'score'."):
        JUDGED.versus_humans(method="analytic")


def test_a_margin_in_percent() -> None:
    with refuses(
        InputError, "margin=5 must be a number from 0 to below 1: how far below the humans is still as good as a human."
    ):
        JUDGED.versus_humans(margin=5)


def test_a_key_called_like_a_column() -> None:
    frame = EXAMPLE.rename(columns={"batch": "verdict"})
    with pytest.raises(InputError, match="A group key cannot be called 'verdict', as this result has that name"):
        frame.agree.judges("dev", humans=HUMANS).versus_humans(by="verdict")


# ---------------------------------------------------------------------------------------- one row per human, contrasts


def test_a_row_per_human_is_its_definition() -> None:
    frame = judged_scores()
    row = frame.agree.judges("dev", humans=HUMANS).versus_humans(by_human=True, detail=True).loc[("dev", "bob")]
    rows = [each for each in counting_rows(frame, "dev") if each[2] is not None]

    def difference(rows: Any, omega: Any = None) -> Any:
        with_judge = mean_over_pairs(ORACLES["kappa"], rows, [(0, 2)], omega)
        return with_judge - mean_over_pairs(ORACLES["kappa"], rows, [(1, 2), (2, 3)], omega)

    assert row["n_items"] == len(rows)
    assert row["difference"] == pytest.approx(float(difference(rows)))
    assert row["se"] == pytest.approx(influence_se(difference, rows))


def test_percent_agreement_by_human() -> None:
    frame = judged_scores()
    row = frame.agree.judges("dev", humans=HUMANS).versus_humans(by_human=True, metrics="observed", detail=True)
    row = row.loc[("dev", "bob")]
    d = []
    for judge, *humans in counting_rows(frame, "dev"):
        others = [x for place, x in enumerate(humans) if place != 1 and x is not None]
        if humans[1] is not None:
            d.append(float(judge == humans[1]) - np.mean([x == humans[1] for x in others]))
    assert (row["n_items"], row["difference"]) == (len(d), pytest.approx(np.mean(d)))


@pytest.mark.parametrize("metric", ["kappa", "observed"])
def test_two_judges_are_compared_on_common_items(metric: str) -> None:
    frame = judged_scores(100)
    found = row_of(
        frame.agree.judges("dev", "eve", humans=HUMANS).versus_humans(contrast=True, metrics=metric, detail=True)
    )
    each = frame.agree.judges("dev", "eve", humans=HUMANS).versus_humans(common=True, metrics=metric, detail=True)[
        "estimate"
    ]
    assert (found["estimate_1"], found["estimate_2"]) == pytest.approx(tuple(each))
    rows = [[a, *b] for a, b in zip(frame["dev"], frame[["eve", *HUMANS]].to_numpy().tolist(), strict=True)]
    rows = [[None if x != x else x for x in row] for row in rows]
    rows = [row for row in rows if row[0] and row[1] and sum(x is not None for x in row[2:]) >= 2]
    assert found["n_items"] == len(rows)
    if metric == "kappa":

        def difference(rows: Any, omega: Any = None) -> Any:
            one, two = (mean_over_pairs(ORACLES["kappa"], rows, [(j, h) for h in (2, 3, 4)], omega) for j in (0, 1))
            return one - two

        assert found["se"] == pytest.approx(influence_se(difference, rows))


def test_contrasts_within_groups_and_between_groups() -> None:
    frame = judged_scores(120).assign(batch=["x", "y", "z"] * 40)
    judged = frame.agree.judges("dev", "eve", humans=HUMANS)
    found = judged.versus_humans(contrast=True, by="batch", detail=True)
    assert found.index.names == ["batch", "judge_1", "judge_2"]
    alone = (
        frame[frame["batch"] == "y"].agree.judges("dev", "eve", humans=HUMANS).versus_humans(contrast=True, detail=True)
    )
    same(found.loc["y"].drop(columns="p_holm"), alone.drop(columns="p_holm"))
    each = judged.versus_humans(by="batch", detail=True).loc[(slice(None), "eve"), :].droplevel("judge")
    row = judged.versus_humans(by="batch", contrast="by", detail=True).loc[("eve", "x", "z")]
    assert row["difference"] == pytest.approx(each.loc["x", "difference"] - each.loc["z", "difference"])
    assert row["se"] == pytest.approx(math.hypot(each.loc["x", "se"], each.loc["z", "se"]))


def test_humans_as_a_sample() -> None:
    frame = judged_scores(80, gaps=0)
    judged = frame.agree.judges("dev", humans=HUMANS)
    items, both = row_of(judged.versus_humans(detail=True)), row_of(judged.versus_humans(sampling="both", detail=True))
    without = [
        row_of(frame.agree.judges("dev", humans=[name for name in HUMANS if name != left]).versus_humans(detail=True))[
            "difference"
        ]
        for left in HUMANS
    ]
    over_humans = 2 / 3 * sum((value - np.mean(without)) ** 2 for value in without)
    assert both["se"] == pytest.approx(math.sqrt(items["se"] ** 2 + over_humans))
    assert "ci for other items and humans; the humans are few" in both["remarks"]
    two = row_of(frame.agree.judges("dev", humans=HUMANS[:2]).versus_humans(sampling="both", detail=True))
    assert math.isnan(two["se"])
    assert two["verdict"] == "not shown"


def test_wrong_contrasts() -> None:
    with refuses(InputError, "contrast=True compares judges, and there is one. Name two or more judges."):
        JUDGED.versus_humans(contrast=True)
    with refuses(InputError, "contrast='by' compares groups. Name the column of two or more with by="):
        JUDGED.versus_humans(contrast="by")
    with refuses(InputError, "contrast='x' must be True (between judges), 'by' (between groups) or False."):
        JUDGED.versus_humans(contrast="x")
    with refuses(InputError, "contrast= and by_human= give two different tables. Ask for one of them."):
        JUDGED.versus_humans(contrast="by", by_human=True)


# ------------------------------------------------------------------------------------ judges who are good for nothing

METRICS = ["kappa", "observed", "pi", "alpha", "ac1", "s"]


@pytest.mark.parametrize("metric", METRICS)
def test_a_constant_judge_is_never_as_good(metric: str) -> None:
    """Nine of ten labels are the same: 300 data sets of 50, 100 and 200 items."""
    for n_items, constant in ((50, 0), (100, 0), (200, 0), (200, 1)):
        frame = prevalence(100 * n_items, [0.9, 0.1], [0.8] * 4, seed=n_items).assign(gpt=constant)
        judged = frame.assign(run=np.arange(len(frame)) // n_items).agree.judges("gpt", humans=HUMANS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AgreementWarning)
            found = judged.versus_humans(by="run", metrics=metric, margin=0.1)
        assert set(found["verdict"]) <= {"worse", "not shown"}
        assert len(found) == 100


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["kappa", "observed", "alpha", "ac1"])
def test_a_guessing_judge_is_not_as_good_as_people_who_hardly_agree(metric: str) -> None:
    """The difference is within the margin whatever the judge says: at most 5 % of data sets may pass, here of 300."""
    frame = prevalence(300 * 100, [0.5, 0.3, 0.2], [0.0, 0.25, 0.25, 0.25], seed=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)
        sets = frame.groupby(np.arange(len(frame)) // 100)
        found = [
            row_of(part.agree.judges("gpt", humans=HUMANS).versus_humans(metrics=metric, detail=True))
            for _, part in sets
        ]
    passed = [row["verdict"] in ("as good", "better") for row in found]
    assert np.mean(passed) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 300)
    barred = [row for row in found if row["p_noninferior"] <= 0.05 and row["verdict"] == "not shown"]
    assert barred or metric == "ac1"
    assert all("better than always answering" in row["remarks"] or "than guessing" in row["remarks"] for row in barred)


def test_what_is_shown_against_the_constant_answer_is_a_paired_test_on_items() -> None:
    frame = prevalence(80, [0.6, 0.4], [0.5, 0.6, 0.6, 0.6], seed=11)
    judged = frame.agree.judges("gpt", humans=HUMANS)
    reading = judged._judged("versus_humans", make_options({}, "observed", [find("observed")]))
    comparison = Comparison.of(reading, find("observed"), make_options({}, "observed", [find("observed")]))
    modal = frame[HUMANS].stack().mode()[0]
    apart = [np.mean(row[HUMANS] == row["gpt"]) - np.mean(row[HUMANS] == modal) for _, row in frame.iterrows()]
    with_pseudo = np.array([*apart, 0.5**0.5, -(0.5**0.5)])  # half an item at 1, half at -1 and one at 0
    se = with_pseudo.std() / np.sqrt(len(apart) + 1)
    p = stats.t.sf(with_pseudo.mean() / se, len(apart) - 1)
    assert comparison.above_bar() == pytest.approx([p], rel=1e-6)


def test_what_is_shown_against_the_constant_answer_of_kappa_is_the_jackknife() -> None:
    frame = prevalence(120, [0.6, 0.4], [0.3, 0.6, 0.6, 0.6], seed=12)
    options = make_options({}, "kappa", [find("kappa")])

    def mean_kappa(part: pd.DataFrame) -> float:
        return float(np.mean([part.agree.kappa("gpt", human, ci=None)["estimate"].iloc[0] for human in HUMANS]))

    comparison = Comparison.of(frame.agree.judges("gpt", humans=HUMANS)._judged("x", options), find("kappa"), options)
    without = np.array([mean_kappa(frame.drop(index=item)) for item in frame.index])
    se = np.sqrt((len(frame) - 1) * without.var())
    assert comparison.above_bar() == pytest.approx([stats.t.sf(mean_kappa(frame) / se, 119)], rel=0.1)


@pytest.mark.parametrize("metric", ["kappa", "pi", "alpha"])
@pytest.mark.parametrize("shares", [[0.9, 0.1], [0.5, 0.5]])
def test_a_guessing_judge_is_never_as_good(metric: str, shares: list[float]) -> None:
    frame = prevalence(200 * 150, shares, [0.0, 0.8, 0.8, 0.8], seed=7)
    judged = frame.assign(run=np.arange(len(frame)) // 150).agree.judges("gpt", humans=HUMANS)
    found = judged.versus_humans(by="run", metrics=metric)
    assert set(found["verdict"]) <= {"worse", "not shown"}


@pytest.mark.parametrize("options", [{}, {"by_human": True}, {"contrast": True}, {"by": "batch"}], ids=str)
def test_a_list_of_metrics_adds_the_level_and_a_name_does_not(options: dict[str, Any]) -> None:
    frame = judged_scores(120).assign(batch=["x", "y"] * 60)
    judged = frame.agree.judges("dev", "eve", humans=HUMANS)
    named = {name: judged.versus_humans(metrics=name, **options) for name in ("kappa", "observed")}
    listed = judged.versus_humans(metrics=list(named), **options)
    assert listed.index.names == [*named["kappa"].index.names, "coefficient"]
    for name, alone in named.items():
        assert "coefficient" not in [*alone.index.names, *alone.columns]
        same(listed.xs(name, level="coefficient"), alone)
        one = judged.versus_humans(metrics=[name], **options)
        same(one.droplevel("coefficient"), alone)
