"""`ceilings`: the vote of the other humans as the reference of judge and human."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import pandas_agreement
from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.judges import panel
from tests.data_sets import LONG, to_long
from tests.helpers import same
from tests.judges.helpers import HUMANS, counting_rows, judged_scores, prevalence

EXAMPLE = pandas_agreement.load_example()


def vote_share(label: Any, others: list[Any]) -> float:
    """The share of a label in the vote of others."""
    counts = Counter(others)
    leaders = [each for each, n in counts.items() if n == max(counts.values())]
    return (label in leaders) / len(leaders)


@pytest.mark.parametrize(
    ("who", "n", "judge", "human", "se", "low", "high", "ties"),
    [
        ("ann", 386, 0.602332, 0.727979, 0.023608, -0.171417, -0.078583, 86),
        ("bob", 356, 0.654494, 0.716292, 0.026851, -0.114260, -0.008645, 70),
        ("cleo", 372, 0.633065, 0.715054, 0.026742, -0.134136, -0.028966, 74),
    ],
)
def test_the_example(
    who: str, n: int, judge: float, human: float, se: float, low: float, high: float, ties: int
) -> None:
    row = EXAMPLE.agree.judges("dev", humans=HUMANS).ceilings(detail=True).loc[("dev", who)]
    assert (row["n_items"], row["n_ties"]) == (n, ties)
    found = row[["estimate", "ceiling", "difference", "se", "difference_low", "difference_high"]].astype(float)
    assert found.tolist() == pytest.approx([judge, human, judge - human, se, low, high], abs=1e-6)


@pytest.mark.parametrize("humans", [HUMANS, ["ann", "bob"]])
def test_with_three_humans_or_fewer_the_mean_is_percent_agreement(humans: list[str]) -> None:
    judged = EXAMPLE.agree.judges("dev", humans=humans)
    mean = judged.ceilings(by="batch", detail=True).xs("(mean)", level="coder")
    columns = ["estimate", "ceiling", "difference", "difference_low", "difference_high", "se", "n_items"]
    observed = judged.versus_humans(by="batch", metrics="observed", detail=True)
    same(mean[columns], observed[columns])


def test_five_humans_by_hand() -> None:
    frame = prevalence(80, [0.4, 0.3, 0.3], [0.5, 0.6, 0.6, 0.6, 0.6, 0.6], seed=2).astype(float)
    humans = [name for name in frame.columns if name != "gpt"]
    frame = frame.mask(np.random.default_rng(1).random(frame.shape) < 0.2)
    found = frame.agree.judges("gpt", humans=humans).ceilings(detail=True)
    rows = counting_rows(frame, "gpt", humans)
    by_item = []
    for number, name in enumerate(humans, 1):
        ours, theirs, ties = [], [], 0
        for row in rows:
            others = [x for place, x in enumerate(row) if place not in (0, number) and x is not None]
            if row[number] is not None and others:
                ours.append(vote_share(row[0], others))
                theirs.append(vote_share(row[number], others))
                ties += len([n for n in Counter(others).values() if n == max(Counter(others).values())]) > 1
        assert found.loc[("gpt", name), "estimate"] == pytest.approx(np.mean(ours))
        assert found.loc[("gpt", name), "ceiling"] == pytest.approx(np.mean(theirs))
        assert found.loc[("gpt", name), "n_ties"] == ties
    for row in rows:
        here = [place for place in range(1, 6) if row[place] is not None]
        parts = []
        for place in here:
            others = [row[each] for each in here if each != place]
            parts.append(vote_share(row[0], others) - vote_share(row[place], others))
        by_item.append(np.mean(parts))
    assert found.loc[("gpt", "(mean)"), "difference"] == pytest.approx(np.mean(by_item))


def test_one_human_and_no_interval() -> None:
    with pytest.raises(InputError, match=r"Ceilings needs 2 humans or more, and got \['ann'\]"):
        EXAMPLE.agree.judges("dev", humans=["ann"]).ceilings()
    found = EXAMPLE.agree.judges("dev", humans=HUMANS).ceilings(ci=None, detail=True)
    assert found["difference_low"].isna().all()
    assert found["ci_level"].isna().all()


def test_a_judge_without_labels() -> None:
    frame = judged_scores().assign(dev=np.nan)
    with pytest.warns(AgreementWarning, match=r"^The ceiling is undefined \(NaN\): no item with a label of the judge"):
        found = frame.agree.judges("dev", humans=HUMANS).ceilings(detail=True)
    assert found.index.tolist() == [("dev", "(mean)")]
    assert math.isnan(found["difference"].iloc[0])
    assert found["remarks"].iloc[0].endswith("no item with a label of the judge and two or more human labels")
    assert isinstance(found, pd.DataFrame)


@pytest.mark.parametrize(
    ("method", "options"),
    [("ceilings", {}), ("alt_test", {"epsilon": 0.2}), ("accuracy", {"reference": "majority"}), ("versus_humans", {})],
)
def test_crowds_that_are_not_pivoted(method: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels of many coders stay long; results are those of one column per coder."""
    judged = to_long(judged_scores()).agree.long(**LONG).judges("dev", humans=HUMANS)
    expected = getattr(judged, method)(detail=True, **options)
    monkeypatch.setattr(panel, "MAX_CODERS", 0)
    assert_frame_equal(getattr(judged, method)(detail=True, **options), expected, rtol=1e-12)
