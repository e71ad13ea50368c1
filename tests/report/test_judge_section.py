"""The section of a report about judges."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pandas_agreement


def scores(judge_knows: float, n: int = 200) -> pd.DataFrame:
    """Measurements of three people, and of a judge who knows the truth or draws anything."""
    rng = np.random.default_rng(0)
    truth, noise = rng.normal(size=(n, 1)), rng.normal(size=(n, 4))
    frame = pd.DataFrame(truth + 0.5 * noise, columns=["ann", "bob", "cleo", "gpt"]).round(2)
    return frame.assign(gpt=(judge_knows * truth[:, 0] + 0.5 * noise[:, 3]).round(2))


def test_the_section_stands_after_the_summary() -> None:
    judged = pandas_agreement.load_example().agree.judges("dev", humans=["ann", "bob", "cleo"])
    report = judged.report(pictures=False)
    titles = [section.title for section in report.contents.sections]
    assert titles[:2] == ["In short", "Judges against people"]
    text = report.to_markdown()
    assert text is not None
    assert "dev agrees with people less than people agree with each other (difference -0.153, 95% interval" in text
    assert "| dev | 0.430 | 0.582 | -0.153 | -0.221 to -0.091 | 0.100 | 0.000 | 423 | worse |" in text
    assert "| coders | 3: ann, bob, cleo |" in text


def test_with_groups_and_pictures() -> None:
    pytest.importorskip("matplotlib")
    judged = pandas_agreement.load_example().agree.judges("dev", humans=["ann", "bob", "cleo"])
    text = judged.report(by="batch").to_html()
    assert text is not None
    assert "2026-w03" in text
    assert "Judge minus humans with intervals and the margin" in text


@pytest.mark.parametrize(("knows", "verdict"), [(1.0, "as good"), (0.0, "worse")])
def test_scores_are_compared_as_numbers(knows: float, verdict: str) -> None:
    judged = scores(knows).agree.judges("gpt", humans=["ann", "bob", "cleo"])
    text = judged.report(pictures=False).to_markdown()
    assert text is not None
    row = judged.versus_humans(metrics="alpha", level="interval", detail=True).iloc[0]
    assert (row["verdict"], row["remarks"]) == (
        verdict,
        "" if knows else "not shown to be better than always answering -0.05",
    )
    assert f"| gpt | {row['estimate']:.3f} | {row['ceiling']:.3f} | {row['difference']:.3f} |" in text
    assert "Krippendorff's alpha (interval level) on the same items" in text
    assert "Against the vote of all people" not in text  # a vote on measurements
    assert "labels that no human used" not in text


def test_scores_as_names_are_noted() -> None:
    found = scores(1.0).agree.judges("gpt", humans=["ann", "bob", "cleo"]).versus_humans(detail=True)
    assert found["remarks"].iloc[0].startswith('fractions: see metrics="alpha", level="interval"; ')
    assert found["verdict"].iloc[0] == "not shown"
