"""Sets of labels: compared by jaccard and masi where a distance is all that is needed, else as whole labels."""

from __future__ import annotations

import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import InputError
from tests.bruteforce import alpha, jaccard_distance, masi_distance
from tests.data_sets import LONG, to_long
from tests.helpers import refuses, same
from tests.judges.helpers import HUMANS, counting_rows, item_differences, mean_over_pairs

WHOLE = "sets are compared as whole labels"
DISTANCES = {"jaccard": jaccard_distance, "masi": masi_distance}


def tags(n_items: int = 60, gaps: float = 0.1) -> pd.DataFrame:
    """A judge, gpt, and three humans who choose some of the tags a, b and c, as frozensets."""
    rng = np.random.default_rng(5)

    def chosen() -> frozenset[str]:
        return frozenset(tag for tag in "abc" if rng.random() < 0.5) or frozenset("a")

    truth = [chosen() for _ in range(n_items)]
    know = {"gpt": 0.6} | dict.fromkeys(HUMANS, 0.8)
    columns = {name: [one if rng.random() < p else chosen() for one in truth] for name, p in know.items()}
    frame = pd.DataFrame(columns)
    return frame.mask(pd.DataFrame(rng.random(frame.shape) < gaps, columns=frame.columns))


def as_text(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.map(lambda cell: "|".join(sorted(cell)), na_action="ignore")


@pytest.mark.parametrize("level", DISTANCES)
def test_alpha_of_sets_is_its_definition(level: str) -> None:
    frame = tags()
    row = frame.agree.judges("gpt", humans=HUMANS).versus_humans(metrics="alpha", level=level, detail=True).iloc[0]
    rows = counting_rows(frame, "gpt")

    def mean(pairs: Any) -> float:
        return mean_over_pairs(alpha, rows, list(pairs), distance=DISTANCES[level])

    assert row["estimate"] == pytest.approx(mean((0, h) for h in (1, 2, 3)))
    assert row["ceiling"] == pytest.approx(mean(combinations((1, 2, 3), 2)))
    assert row["weights"] == level
    assert WHOLE not in row["remarks"]


@pytest.mark.parametrize("level", DISTANCES)
def test_percent_agreement_of_sets_is_its_definition(level: str) -> None:
    frame = tags()
    row = frame.agree.judges("gpt", humans=HUMANS).versus_humans(metrics="observed", level=level).iloc[0]
    d = item_differences(counting_rows(frame, "gpt"), lambda a, b: 1 - float(DISTANCES[level](a, b)))
    assert (row["difference"], row["n_items"]) == (pytest.approx(np.mean(d)), len(d))


@pytest.mark.parametrize("metric", ["alpha", "observed"])
@pytest.mark.parametrize("way", ["lists", "text", "long", "long text"])
def test_sets_in_any_form_are_the_same(metric: str, way: str) -> None:
    frame = tags()
    expected = frame.agree.judges("gpt", humans=HUMANS).versus_humans(metrics=metric, level="masi", detail=True)
    cells = frame.map(sorted, na_action="ignore") if way == "lists" else as_text(frame) if "text" in way else frame
    sep = {"sep": "|"} if "text" in way else {}
    data: Any = to_long(cells).agree.long(**LONG) if "long" in way else cells.agree
    found = data.judges("gpt", humans=HUMANS).versus_humans(metrics=metric, level="masi", **sep, detail=True)
    same(found, expected)


def test_the_alternative_annotator_test_of_sets() -> None:
    frame = tags(gaps=0)
    judged = frame.agree.judges("gpt", humans=HUMANS)
    found = judged.alt_test(epsilon=0.1, level="masi", by_human=True).xs("ann", level="coder").iloc[0]

    def closeness(label: Any, row: Any) -> float:
        return -sum(float(masi_distance(label, row[other])) for other in ("bob", "cleo"))

    ahead = [np.sign(round(closeness(row["gpt"], row) - closeness(row["ann"], row), 9)) for _, row in frame.iterrows()]
    assert found["judge_wins"] == pytest.approx(np.mean(np.array(ahead) > 0))
    assert found["human_wins"] == pytest.approx(np.mean(np.array(ahead) < 0))
    text = as_text(frame).agree.judges("gpt", humans=HUMANS)
    same(text.alt_test(epsilon=0.1, level="masi", sep="|"), judged.alt_test(epsilon=0.1, level="masi"))


CALLS: dict[str, dict[str, Any]] = {
    "versus_humans": {},
    "ceilings": {},
    "accuracy": {"reference": "ann"},
    "error_rates": {"reference": "majority"},
    "corrected_rate": {"reference": "ann", "design": "random"},
    "alt_test": {"epsilon": 0.1},
}


@pytest.mark.parametrize("method", CALLS)
def test_where_sets_are_whole_labels_the_note_says_so(method: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = getattr(tags().agree.judges("gpt", humans=HUMANS), method)(**CALLS[method], detail=True)
        text = getattr(as_text(tags()).agree.judges("gpt", humans=HUMANS), method)(**CALLS[method], detail=True)
    assert found["remarks"].str.contains(WHOLE).all()
    assert not text["remarks"].str.contains(WHOLE).any()


def test_a_coefficient_without_a_form_for_sets() -> None:
    message = "Kappa has no form with level='masi'. Compare sets by metrics='alpha'."
    for frame, options in ((tags(), {}), (as_text(tags()), {"sep": "|"})):
        with refuses(InputError, message):
            frame.agree.judges("gpt", humans=HUMANS).versus_humans(level="masi", **options)


def test_sets_outside_the_declared_categories() -> None:
    """A refusal of the judge is as far from all sets as two can be."""
    frame = tags(gaps=0)
    sets = sorted(set(frame.stack()), key=sorted)
    text = as_text(frame)
    text.loc[:3, "gpt"] = "refused"
    wrong = text.agree.judges("gpt", humans=HUMANS, categories=sets, invalid="wrong")
    found = wrong.versus_humans(metrics="observed", level="masi", sep="|", detail=True).iloc[0]
    agreement = [
        0.0 if item < 4 else np.mean([1 - float(masi_distance(row["gpt"], row[human])) for human in HUMANS])
        for item, row in frame.iterrows()
    ]
    assert found["estimate"] == pytest.approx(np.mean(agreement))
    missing = text.agree.judges("gpt", humans=HUMANS, categories=sets, invalid="missing")
    found = missing.versus_humans(metrics="observed", level="masi", sep="|", detail=True).iloc[0]
    assert found["n_items"] == 56
    assert "4 labels outside the categories left out" in found["remarks"]


def test_a_set_is_left_out_if_it_has_a_label_that_no_human_used() -> None:
    frame = pd.DataFrame({"gpt": ["a|b", "a|c", "x", "a|x", "b"] * 4, "ann": ["a", "b", "c", "a", "b"] * 4})
    frame["bob"] = frame["ann"]
    judged = frame.agree.judges("gpt", humans=["ann", "bob"], invalid="missing")
    found = judged.versus_humans(metrics="observed", level="jaccard", sep="|", detail=True).iloc[0]
    assert (found["n_items"], found["estimate"]) == (12, pytest.approx((1 / 2 + 0 + 1) / 3))
    assert "8 labels that no human used left out" in found["remarks"]
