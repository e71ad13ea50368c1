"""Findings follow the options of the call, and nothing contradicts them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import load_example, plan
from tests.data_sets import CODERS
from tests.report.helpers import (
    THREE,
    copies,
    facts,
    findings,
    frame,
    left_out,
    likert,
    measurements,
    plain,
    section,
    tables,
    words,
)


def gappy() -> pd.DataFrame:
    """60 items on which three coders agree, 240 of two coders who do not."""
    rng = np.random.default_rng(0)
    truth, wrong = rng.choice(list("xyz"), 300), np.where(np.arange(300) < 60, 0.02, 0.6)
    columns = {
        name: np.where(rng.random(300) < wrong, rng.choice(list("xyz"), 300), truth).astype(object) for name in THREE
    }
    columns["cleo"][60:] = None
    return pd.DataFrame(columns).assign(g=np.arange(300) % 2)


# ------------------------------------------------------------------------------------------------------- the same items


def test_complete_items_are_what_every_section_rests_on() -> None:
    df = gappy()
    report, complete = plain(df.agree, *THREE, missing="complete"), df.dropna()
    alpha = complete.agree.alpha(*THREE)["estimate"].iloc[0]
    assert words(report, "In short").startswith(f"Krippendorff's alpha is {alpha:.3f}")
    assert " It rests on 60 items labelled by every coder. " in f" {words(report, 'In short')}".replace("\n", " ")
    assert findings(report) == []
    alone = plain(complete.agree, *THREE)
    for title in ("Categories", "Coders", "Pairs of coders"):
        assert section(report, title) == section(alone, title), title
    assert facts(report)["items"] == "300: 300 with two or more labels"


def test_complete_items_without_a_coder() -> None:
    df = gappy()
    report = plain(df.agree, *THREE, missing="complete", metrics=["kappa", "alpha"])
    complete = df.dropna()
    expected = {name: complete.agree.alpha(*(set(THREE) - {name}))["estimate"].item() for name in THREE}
    shown = frame(tables(report, "Coders")[0]).set_index("coder")["alpha without"]
    assert shown.to_dict() == {coder: f"{value:.3f}" for coder, value in expected.items()}
    long = df.melt(ignore_index=False, value_vars=list(THREE), var_name="who").reset_index()
    same = plain(
        long.agree.long(item="index", coder="who", label="value"), missing="complete", metrics=["kappa", "alpha"]
    )
    assert section(same, "Coders") == section(report, "Coders")


def test_a_cluster_is_left_out_with_its_items() -> None:
    df = gappy().assign(doc=np.arange(300) // 3)
    report = plain(df.agree, *THREE, missing="complete", clusters="doc")
    row = df.agree.alpha(*THREE, missing="complete", clusters="doc").iloc[0]
    assert f"(95% interval {row['ci_low']:.3f} to {row['ci_high']:.3f})" in words(report, "In short")


def test_coefficients_that_leave_out_gaps_say_so() -> None:
    df = measurements(20)
    df.loc[0, "ann"] = np.nan
    report = plain(df.agree, metrics=["cronbach_alpha"])
    assert "It rests on 19 items labelled by every coder." in words(report, "In short")
    assert words(report, "How much agreement").splitlines()[:2] == [
        "95% intervals: by Feldt's method.",
        "Cronbach's alpha: 1 item with missing values left out.",
    ]
    assert "Only items labelled by every coder were used (19 items)." in words(report, "Methods, ready to paste")


def test_singly_labelled_items_are_no_reason_to_fail() -> None:
    df = gappy()
    df.loc[60:99, "bob"] = None
    report = plain(df.agree, *THREE, missing="all")
    pairs = df.agree.by_pair(*THREE, metric="alpha").sort_values("estimate")
    assert frame(tables(report, "Pairs of coders")[0])["alpha"].tolist() == [f"{x:.3f}" for x in pairs["estimate"]]


# --------------------------------------------------------------------------------------------------- the same intervals


@pytest.mark.parametrize(
    "options",
    [
        {"ci": 0.5},
        {"clusters": "doc"},
        {"metrics": ["kappa", "pi"]},
        {"metrics": ["kappa"], "missing": "all"},
    ],
    ids=str,
)
def test_low_agreement_is_that_of_the_lead(options: dict[str, Any]) -> None:
    df = load_example().assign(doc=lambda frame: frame.index // 3)
    report = plain(df.agree, *CODERS, **options)
    row = df.agree.summary(*CODERS, **{"metrics": ["alpha"]} | options).iloc[0]
    name = "Conger's kappa" if "metrics" in options else "Krippendorff's alpha"
    assert words(report, "In short").startswith(f"{name} is {row['estimate']:.3f} ")
    said = f"{name} is {row['estimate']:.3f}, its interval ends at {row['ci_high']:.3f}, below 0.667."
    assert f"high: low agreement: {said}" in words(report, "What stands out")


def test_without_intervals_nothing_is_said_of_them() -> None:
    report = plain(gappy().agree, *THREE, ci=None, by="g")
    assert words(report, "What stands out") == "No finding: no check passed its threshold."
    assert "interval" not in words(report, "What to do next")


def test_no_finding_about_a_coefficient_that_is_not_there() -> None:
    report = plain(gappy().agree, *THREE, metrics=["kappa"], by="g")
    everything = report.to_markdown().lower()
    assert "alpha" not in everything.replace("krippendorff's alpha", "alpha").partition("## methods")[0]
    assert "change" not in frame(tables(report, "Coders")[0])


def test_the_paradox_is_about_a_kappa_of_the_report() -> None:
    df = pd.DataFrame({"a": ["no"] * 184 + ["yes"] * 8 + ["no"] * 8, "b": ["no"] * 192 + ["yes"] * 8})
    paradox = "medium: high agreement, low kappa"
    assert paradox in findings(plain(df.agree))
    assert paradox in findings(plain(df.agree, metrics=["kappa"]))
    assert paradox not in findings(plain(df.agree, metrics=["alpha"]))
    single = pd.concat([df, pd.DataFrame({"a": ["yes"] * 9, "b": [None] * 9})], ignore_index=True)
    kappa = single.agree.kappa(missing="all")["estimate"].iloc[0]
    assert f"and kappa only {kappa:.2f} (at most " in words(plain(single.agree, missing="all"), "What stands out")


def test_no_bar_for_what_is_not_corrected_for_chance() -> None:
    report = plain(gappy().agree, *THREE, metrics=["observed"])
    assert findings(report) == []


def test_counts_do_not_tell_the_coders() -> None:
    counts = pd.DataFrame({"x": [3, 0, 3, 1] * 5, "y": [0, 3, 0, 2] * 5})
    reason = "The coder of each label is not known, so no coder can be out of line."
    assert words(plain(counts.agree.counts()), "What stands out").endswith(f"{NOT_TESTED}: {reason}")


# ------------------------------------------------------------------------------------------------- neither good nor bad


NOT_TESTED = "low: not tested (coders)"
TWO_CODERS = f"{NOT_TESTED}: There are only two coders, so it is impossible to tell which of them is out of line."


def test_an_interval_around_the_bar_is_no_finding_and_items_would_settle_it() -> None:
    df = copies(0.8, 500)
    result = df.agree.alpha().iloc[0]
    assert result["ci_low"] < result["estimate"] < 0.667 < result["ci_high"]
    for agree in (df.agree, pd.crosstab(df["ann"], df["bob"]).agree.crosstab()):
        report = plain(agree)
        lead = words(report, "In short").partition("\n")[0]
        ends = "its interval runs from “unreliable” to “tentative”."
        assert lead.endswith(f": “unreliable” (Krippendorff, 2004); {ends}")
        assert "wrong" not in words(report, "In short")
        assert words(report, "What stands out") == TWO_CODERS
        width = 2 * (0.667 - result["estimate"])
        more = plan.more_items(df.agree.alpha(detail=True), width)["more_items"].iloc[0]
        step = f"To settle whether Krippendorff's alpha is at least 0.667, have about {more:,} more items labelled, if "
        assert f"{step}the estimate does not change." in words(report, "What to do next")


def table_of(alpha: float, n: int) -> pd.DataFrame:
    """Two coders and two categories, half of the items each: alpha is hardly more than that."""
    same, other = round(n * (1 + alpha) / 4), round(n * (1 - alpha) / 4)
    return pd.DataFrame([[same, other], [other, same]], index=["x", "y"], columns=["x", "y"])


def test_a_promise_of_items_only_where_items_can_keep_it() -> None:
    """Coders differ much in level, and ICC(A,1) is about coders drawn at random."""
    df = measurements(20)
    df["cleo"] += 25
    row = df.agree.icc(form="A1", detail=True).iloc[0]
    assert row["ci_high"] - row["ci_low"] > 0.3
    found = words(plain(df.agree), "What stands out")
    assert f"ICC(A,1) lies between {row['ci_low']:.3f} and {row['ci_high']:.3f}." in found
    assert "items would bring" not in found
    assert "wide interval: Have more items scored, by more coders." in words(plain(df.agree), "What to do next")


def test_more_items_than_anybody_has() -> None:
    report = plain(table_of(0.6669, 1000).agree.crosstab())
    assert words(report, "What to do next") == (
        "coders: Have three coders or more label the same items, if single coders are the question.\n"
        "To settle whether Krippendorff's alpha is at least 0.667, have very many more items labelled."
    )


@pytest.mark.parametrize(("alpha", "word"), [(0.68, "tentative"), (0.79, "tentative"), (0.82, "reliable")])
def test_a_word_is_no_finding(alpha: float, word: str) -> None:
    report = plain(table_of(alpha, 200_000).agree.crosstab())
    assert words(report, "In short").partition("\n")[0].endswith(f": “{word}” (Krippendorff, 2004).")
    assert findings(report) == [NOT_TESTED]
    assert words(report, "In short").endswith("The checks made no finding.")


# ------------------------------------------------------------------------------------------------------- the thresholds


@pytest.mark.parametrize("options", [{"metrics": ["alpha"], "level": "interval"}, {"metrics": ["icc_a1"]}], ids=str)
def test_low_is_the_same_for_an_icc(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(1, 8, 2000)
    df = pd.DataFrame({name: truth + rng.integers(-2, 3, 2000) for name in THREE[:2]})
    df += rng.integers(-1, 2, df.shape)
    result = df.agree.summary(**options).iloc[0]
    assert 0.5 < result["ci_low"] < result["ci_high"] < 0.667
    assert "high: low agreement" in findings(plain(df.agree, **options))


def test_only_coders_who_cost_agreement_are_out_of_line() -> None:
    df = likert()
    df["cleo"] = df["cleo"].to_numpy()[::-1]
    whole = df.agree.alpha(level="interval")["estimate"].iloc[0]
    for name in ("ann", "bob"):
        assert df.drop(columns=name).agree.alpha(level="interval")["estimate"].iloc[0] < whole - 0.05
    found = [name for name in findings(plain(df.agree, level="interval")) if "out of line" in name]
    assert found == ["high: coder out of line (cleo)"]


def test_means_that_may_be_the_same_are_no_finding() -> None:
    rng = np.random.default_rng(3)
    truth = rng.normal(50, 10, 60)
    df = pd.DataFrame({name: (truth + rng.normal(0, 4, 60)).round(1) for name in THREE})
    assert 0.05 < df.agree.icc(form="A1", detail=True)["p_coders"].item() < 0.5
    assert findings(plain(df.agree)) == []


def test_very_many_categories_are_not_compared() -> None:
    names = pd.DataFrame({"ann": range(301), "bob": range(301)}).astype(str)
    assert left_out(plain(names.agree))["Label distributions"] == (
        "Whether coders use the categories at different rates: there are too many categories."
    )


# --------------------------------------------------------------------------------------------------------------- scores


def test_a_coder_of_scores_is_trained_again() -> None:
    df = measurements()
    df["cleo"] = df["cleo"].to_numpy()[::-1]
    assert (
        "cleo: Go through the items that this coder scored farthest from the others, and train the coder again."
        in words(plain(df.agree), "What to do next")
    )


@pytest.mark.parametrize("above", [0.0, 0.01])
def test_the_end_of_an_interval_is_not_rounded_to_the_limit(above: float) -> None:
    rng = np.random.default_rng(1)
    ends = 1.0
    while round(ends, 3) <= ends:
        df = pd.DataFrame({"a": rng.choice(list("xyz"), 120)})
        df["b"] = df["a"].where(rng.random(120) < 0.5, rng.choice(list("xyz"), 120))
        ends = df.agree.alpha()["ci_high"].item()
    said = words(plain(df.agree, at_least=round(ends, 3) + above), "What stands out")
    assert f"its interval ends at {ends:.{3 if above else 5}f}, below" in said


# ----------------------------------------------------------------------------------------------------- labels and names


def test_a_finding_about_an_empty_label_has_a_subject() -> None:
    df = pd.DataFrame({"a": ["", "x", "y", "x"] * 10, "b": ["x", "", "y", "x"] * 10})
    report = plain(df.agree)
    assert "high: code for a missing label? ('')" in findings(report)
    assert "code for a missing label? ('')" in words(report, "In short")
    assert "leave it out before you measure: labels = labels.mask(labels.isin(['']))" in words(
        report, "What to do next"
    )


def test_counts_need_the_coders_and_not_more_of_them() -> None:
    counts = pd.DataFrame({"x": [3, 0, 3, 1] * 5, "y": [0, 3, 0, 2] * 5})
    advice = words(plain(counts.agree.counts()), "What to do next")
    assert "Give the single labels with the coder of each" in advice
    assert "have three coders" not in advice


def test_a_question_ends_with_its_mark() -> None:
    df = copies(0.8, 60)
    df.loc[:14, "ann"] = "typo"
    assert words(plain(df.agree), "What to do next").count("category that the others do not know?\n") == 1
