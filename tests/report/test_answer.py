"""The first line of a report with `at_least`: yes, no or not settled, by the interval."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from pandas_agreement.interpreting import interpret
from pandas_agreement.report import render_text
from tests.data_sets import CODERS
from tests.report.helpers import copies, findings, frame, likert, measurements, plain, tables, words


def first(agree: Any, *coders: Any, **options: Any) -> str:
    """The first line of the report."""
    return words(plain(agree, *coders, **options), "In short").partition("\n")[0]


def numbers(row: pd.Series) -> str:
    """An estimate and its interval, as they are to be pasted."""
    return f"is {row['estimate']:.3f}, 95% CI [{row['ci_low']:.3f}, {row['ci_high']:.3f}]"


def test_yes_no_and_not_settled(example: pd.DataFrame) -> None:
    row = example.agree.alpha(*CODERS).iloc[0]
    answers = {
        0.4: f"Yes: Krippendorff's alpha {numbers(row)}, which is at least 0.4.",
        0.5: f"Not settled: Krippendorff's alpha {numbers(row)}, which contains 0.5.",
        0.6: f"No: Krippendorff's alpha {numbers(row)}, which is below 0.6.",
    }
    for least, answer in answers.items():
        assert first(example.agree, *CODERS, at_least=least).startswith(answer)


def test_the_answer_is_the_first_line_in_every_format(example: pd.DataFrame) -> None:
    report = plain(example.agree, *CODERS, at_least=0.6)
    answer = "No: Krippendorff's alpha is 0.509, 95% CI [0.467, 0.550], which is below 0.6."
    assert f"In short\n  {answer}\n" in render_text.render(report.contents)
    markdown = (report.to_markdown() or "").replace("\\", "").replace("**", "")
    assert f"## In short\n\n{answer}\n" in markdown
    html = report.to_html() or ""
    assert html.index("which is below 0.6.") < html.index("To fix first: low agreement")


def test_the_level_is_that_of_the_report() -> None:
    df = likert()
    ordered = df.astype(pd.CategoricalDtype([1, 2, 3, 4, 5], ordered=True))
    row = df.agree.alpha(level="ordinal").iloc[0]
    said = f"Yes: Krippendorff's alpha (ordinal level) {numbers(row)}, which is at least 0.5."
    assert first(ordered.agree, at_least=0.5) == said
    assert first(df.agree, at_least=0.5, level="ordinal") == said
    row = df.agree.alpha(level="interval").iloc[0]
    for options in ({"level": "interval"}, {"weights": "quadratic"}):
        assert f"alpha (interval level) {numbers(row)}" in first(df.agree, at_least=0.5, **options)
    scored = measurements().agree.alpha(level="interval").iloc[0]
    assert f"alpha (interval level) {numbers(scored)}" in first(measurements().agree, at_least=0.8)


@pytest.mark.parametrize(("least", "answer"), [(0.5, "Not settled"), (0.9, "No"), (0.1, "Yes")])
def test_whole_numbers_are_answered_both_ways(least: float, answer: str) -> None:
    names, steps = (likert().agree.alpha(level=level).iloc[0] for level in ("nominal", "ordinal"))
    said = first(likert().agree, at_least=least)
    assert said.startswith(
        f"{answer}: if the numbers are names (nominal level), Krippendorff's alpha {numbers(names)}, which "
    )
    assert f"; if they are steps of a scale (ordinal level), it {numbers(steps)}, which " in said


def test_the_first_coefficient_that_is_named_is_judged(example: pd.DataFrame) -> None:
    row = example.agree.kappa("ann", "bob").iloc[0]
    for metrics in ("kappa", ["kappa", "alpha"]):
        report = plain(example.agree, "ann", "bob", metrics=metrics, at_least=0.7, by="batch")
        assert words(report, "In short").startswith(f"No: Cohen's kappa {numbers(row)}, which is below 0.7.")
        assert "high: low agreement: Cohen's kappa is " in words(report, "What stands out")
        batches = example.agree.kappa("ann", "bob", by="batch")
        shown = frame(tables(report, "By batch")[0])
        assert shown["at least 0.7"].tolist() == interpret(batches, at_least=0.7).tolist()
    assert first(measurements().agree, metrics=["kendall_w"], at_least=0.7).endswith(
        "and has no interval to compare with 0.7."
    )


NOT_TESTED = "low: not tested (coders)"


def test_findings_ask_for_what_the_user_asks_for() -> None:
    """The conventional limits say nothing beside the user's own."""
    df = copies(0.8, 500)  # alpha is 0.65, its interval holds 0.667
    assert findings(plain(df.agree)) == [NOT_TESTED]
    assert findings(plain(df.agree, at_least=0.5)) == [NOT_TESTED]
    assert findings(plain(df.agree, at_least=0.9)) == ["high: low agreement", NOT_TESTED]
    assert "below 0.9." in words(plain(df.agree, at_least=0.9), "What stands out")
    assert "at least 0.62, have about " in words(plain(df.agree, at_least=0.62), "What to do next")
    assert "(Krippendorff, 2004)" not in words(plain(df.agree, at_least=0.5), "In short")


def test_the_reason_why_there_is_no_answer() -> None:
    constant = pd.DataFrame({"ann": ["x"] * 5, "bob": ["x"] * 5})
    assert first(constant.agree, at_least=0.5) == (
        "No answer: Krippendorff's alpha is undefined (only one category used) and cannot be compared with 0.5."
    )


def test_a_bound_is_not_rounded_onto_the_number(example: pd.DataFrame) -> None:
    high = float(example.agree.alpha(*CODERS).iloc[0]["ci_high"])
    least = round(high, 3) if round(high, 3) > high else round(high, 3) + 0.001
    near = round(high + 1e-6, 7)  # shown with three digits, the bound would not be below
    for asked in (least, near):
        said = first(example.agree, *CODERS, at_least=asked)
        assert said.startswith("No: ")
        assert float(said.partition("]")[0].rpartition(" ")[2]) < asked
