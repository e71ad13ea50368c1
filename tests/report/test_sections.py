"""What the report says, against the methods it rests on."""

from __future__ import annotations

from datetime import date

import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement.errors import InputError
from pandas_agreement.formatting import DASH, day
from pandas_agreement.report import Report
from tests.data_sets import CODERS
from tests.report.helpers import (
    FIRST,
    LAST,
    copies,
    facts,
    frame,
    plain,
    section,
    tables,
    titles,
    words,
)


def test_the_sections_in_their_order(whole: Report) -> None:
    assert titles(whole) == [*FIRST, "By batch", "Findings by batch", "Categories", "Coders", "Pairs of coders", *LAST]


def test_the_answer_comes_first(whole: Report) -> None:
    lead, more = (block.text for block in section(whole, "In short").blocks)
    assert lead == ("Krippendorff's alpha is 0.509 (95% interval 0.467 to 0.550): “unreliable” (Krippendorff, 2004).")
    assert more == (
        "It rests on 580 items with two or more labels from 4 coders. 67% of the pairs of labels agree; 34% would by "
        "chance. By batch it runs from 0.260 (2026-w01) to 0.746 (2026-w04). To fix first: low agreement, coder out of "
        "line (dev)."
    )


def test_what_was_measured(whole: Report) -> None:
    assert facts(whole) == {
        "items": "600: 580 with two or more labels, 13 with one label, 7 with no label",
        "coders": "4: ann, bob, cleo, dev",
        "labels": "1,945: 3.2 per item; 455 missing, 19%",
        "categories": "4: bug, complaint, question, request",
        "groups (batch)": "6: 2026-w01, 2026-w02, 2026-w03, 2026-w04, 2026-w05, 2026-w06",
    }


def test_the_coefficients_are_those_of_summary(example: pd.DataFrame, whole: Report) -> None:
    summary = example.agree.summary(*CODERS)
    shown = frame(tables(whole, "How much agreement")[0])
    assert shown["coefficient"].tolist() == [
        "Observed agreement",
        "Conger's kappa",
        "Fleiss' kappa",
        "Krippendorff's alpha",
        "Gwet's AC1",
        "Bennett's S",
    ]
    assert shown["estimate"].tolist() == [f"{value:.3f}" for value in summary["estimate"]]
    intervals = zip(summary["ci_low"], summary["ci_high"], strict=True)
    assert shown["95% interval"].tolist() == [f"{low:.3f} to {high:.3f}" for low, high in intervals]
    assert tables(whole, "How much agreement")[0].caption == "Coefficients (580 items)"
    who = {"observed": "", "alpha": "Krippendorff"}
    said = pandas_agreement.interpret(summary).dropna()
    words_of = {name: f"{word} ({who.get(name, 'Landis & Koch')})" for name, word in said.items()}
    assert shown["benchmark"].tolist() == [words_of.get(name, DASH) for name in summary.index]


def test_findings_are_those_of_diagnose(example: pd.DataFrame, whole: Report) -> None:
    findings = example.agree.diagnose(*CODERS, detail=True)
    points = section(whole, "What stands out").blocks[0].points
    about = [f"{row.severity}: {name}" + (f" ({row.about})" if row.about else "") for name, row in findings.iterrows()]
    assert [strong for strong, _ in points] == about
    assert points[1][1] == (
        "The agreement beyond chance of 'dev' with the other coders is 0.44, that of the others 0.58 on neighbouring "
        "items (453 items, 30 with two labels): 0.14 less (95%: 0.09 to 0.20; p < 0.001, step-down); 'dev' chooses "
        "'bug' more often than the others on the same items, by 19 percentage points (p < 0.001)."
    )


def test_findings_within_groups_are_counted(example: pd.DataFrame, whole: Report) -> None:
    shown = frame(tables(whole, "Findings by batch")[0])
    findings = example.agree.diagnose(*CODERS, by="batch").reset_index()
    number = findings.groupby(["finding", "about"])["batch"].nunique()
    assert len(shown) == len(number)
    for _, row in shown.iterrows():
        assert row["groups"] == f"{number[row['finding'], row['about'].replace(DASH, '')]} of 6"
    assert shown.loc[0, "where"] == "2026-w01, 2026-w02, 2026-w03"


def test_advice_comes_once_for_all_whom_it_concerns(whole: Report) -> None:
    steps = section(whole, "What to do next").blocks[0]
    assert steps.numbered
    assert [strong for strong, _ in steps.points] == [
        "low agreement",
        "dev",
        "",
    ]
    assert steps.points[-1][1] == "Adjudicate the 280 items whose labels differ, beginning with those listed below."


def test_where_it_breaks_is_what_the_methods_say(example: pd.DataFrame, whole: Report) -> None:
    rates = example.agree.by_category(*CODERS, metrics="rate")["estimate"].sort_values()
    shown = frame(tables(whole, "Categories")[0])
    assert dict(zip(shown["category"], shown["rate"], strict=True)) == {k: f"{v:.3f}" for k, v in rates.items()}
    assert shown["category"].tolist() == rates.index.tolist()
    coders = example.agree.by_coder(*CODERS).sort_values("agreement")
    shown = frame(tables(whole, "Coders")[0])
    assert shown["coder"].tolist() == coders.index.tolist()
    assert shown["alpha without"].tolist() == [f"{value:.3f}" for value in coders["alpha_without"]]
    assert shown.loc[0, "favours"] == "bug (+19)"
    pairs = example.agree.by_pair(*CODERS, metric="alpha").sort_values("estimate")
    shown = frame(tables(whole, "Pairs of coders")[0])
    assert shown["alpha"].tolist() == [f"{value:.3f}" for value in pairs["estimate"]]


def test_items_come_with_the_users_columns(example: pd.DataFrame, whole: Report) -> None:
    worst = example.agree.disagreements(*CODERS, n=10, detail=True)
    table = tables(whole, "Items to look at first")[0]
    assert table.header == ("row", "item", "batch", "text_length", *CODERS, "majority", "agreement")
    assert frame(table)["item"].tolist() == worst["item"].tolist()
    assert table.more == "… and 270 more items"
    assert frame(table).loc[2, "bob"] == ""  # a gap
    inferred = example.agree.consensus(*CODERS)["label"].loc[worst.index]
    assert frame(table)["majority"].tolist() == inferred.fillna("tie").tolist()
    assert set(worst["tie"]) == {True}


def test_the_inferred_label_stands_beside_the_votes() -> None:
    votes = pd.DataFrame({"ann": list("xyyx"), "bob": list("xyxz"), "cleo": list("yyyy")})
    shown = frame(tables(plain(votes.agree), "Items to look at first")[0])
    assert dict(zip(shown["row"], shown["majority"], strict=True)) == {"0": "x", "2": "y", "3": "tie"}


def test_without_intervals(example: pd.DataFrame) -> None:
    report = plain(example.agree, *CODERS, ci=None)
    assert tables(report, "How much agreement")[0].header[:3] == ("coefficient", "estimate", "observed")
    assert "interval" not in tables(report, "Pairs of coders")[0].header
    assert "confidence" not in words(report, "Methods, ready to paste")
    assert "interval" not in words(report, "In short")


def test_the_date_of_the_report(example: pd.DataFrame) -> None:
    report = plain(example.agree, "ann", "bob", date=date(2026, 3, 9))
    assert report.contents.date == "9 March 2026"
    assert "\n9 March 2026\n" in report.to_markdown()
    assert '<p class="note">9 March 2026</p>' in report.to_html()
    assert plain(example.agree, "ann", "bob").contents.date == day(date.today())
    with pytest.raises(InputError, match="date='today' must be a date"):
        plain(example.agree, "ann", "bob", date="today")


BENCHMARKS = {
    None: ["substantial (Landis & Koch)", "unreliable (Krippendorff)", DASH],
    "altman": ["good (Altman)", DASH, DASH],
    "krippendorff": [DASH, "unreliable (Krippendorff)", DASH],
}


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=str)
def test_benchmark_labels_stand_beside_their_coefficients(benchmark: str | None) -> None:
    report = plain(copies(0.78, 3000).agree, metrics=["kappa", "alpha", "observed"], benchmark=benchmark)
    shown = frame(tables(report, "How much agreement")[0])
    assert shown["benchmark"].tolist() == BENCHMARKS[benchmark]
    limits = words(report, "How much agreement")
    assert ("Landis & Koch, “almost perfect” above 0.8" in limits) == (benchmark is None)
    lead = words(report, "In short").partition("\n")[0]
    assert ("(Krippendorff, 2004)" in lead) == (benchmark != "altman")
    bare = plain(copies(0.78, 300).agree, metrics=["observed"], benchmark=benchmark)
    assert "benchmark" not in frame(tables(bare, "How much agreement")[0])


def test_the_groups_have_the_labels_of_the_main_coefficient(example: pd.DataFrame) -> None:
    shown = frame(tables(plain(example.agree, *CODERS, by="batch"), "By batch")[0])
    said = pandas_agreement.interpret(example.agree.alpha(*CODERS, by="batch"))
    assert shown["benchmark (Krippendorff)"].tolist() == said.tolist()
    of_kappa = plain(example.agree, *CODERS, by="batch", benchmark="altman")
    assert "benchmark" not in " ".join(tables(of_kappa, "By batch")[0].header)
