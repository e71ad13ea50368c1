"""Win rates: plain shares, the correction by human verdicts, clusters, coverage and mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import InputError
from pandas_agreement.errors import UnknownMethodError
from tests.helpers import refuses
from tests.preferences.helpers import COLUMNS, drawn, played

pytestmark = pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")


def rates(frame: pd.DataFrame, human: str | None = None, **given: Any) -> pd.DataFrame:
    return frame.agree.preferences(**COLUMNS, tie="tie", human=human).win_rate(detail=True, **given)


def sides(frame: pd.DataFrame, name: str, column: str = "won") -> np.ndarray:
    """The scores of a candidate, NaN without a verdict."""
    own = frame[(frame["a"] == name) | (frame["b"] == name)][column]
    return np.where(own.isna(), np.nan, np.where(own == "tie", 0.5, own == name))


def looked_at(frame: pd.DataFrame, part: float, right: float, seed: int) -> pd.DataFrame:
    """People look at a part of the verdicts, and agree with most."""
    rng = np.random.default_rng(seed)
    other = np.where(frame["won"] == frame["a"], frame["b"], frame["a"])
    seen, same = rng.random(len(frame)) < part, rng.random(len(frame)) < right
    return frame.assign(person=frame["won"].where(same, other).where(seen))


def test_rates_are_those_of_counting() -> None:
    frame = drawn(200, "wxyz", ties=0.2)
    found = rates(frame)
    for name, row in found.iterrows():
        score = sides(frame, name)
        n, centre = len(score), (2 * score - 1).sum() / (len(score) + 2)
        assert (row["estimate"], row["wins"], row["n_items"]) == pytest.approx((score.mean(), score.sum(), n))
        pseudo = np.append(2 * score - 1 - centre, [1 - centre, -1 - centre, -centre, -centre])
        weight = np.append(np.ones(n), np.full(4, 0.5))
        assert row["se"] == pytest.approx(np.sqrt((weight * pseudo**2).sum() / ((n + 1) * (n + 2))) / 2)
        assert 0 <= row["ci_low"] < row["estimate"] < row["ci_high"] <= 1
    assert (found["wins"].sum(), found["n_items"].sum()) == (200, 400)


def test_the_corrected_rate_is_post_stratified() -> None:
    """Loops over wins, ties and losses: weights of all verdicts, mean and variance of the human ones."""
    frame = looked_at(drawn(600, "wxyz", ties=0.2), 0.3, 0.8, 1)
    frame.loc[frame.index % 11 == 0, "person"] = "tie"
    found = rates(frame, "person")
    for name, row in found.iterrows():
        judge, human = sides(frame, name), sides(frame, name, "person")
        rate = variance = 0.0
        parts = [(np.mean(judge == outcome), human[(judge == outcome) & ~np.isnan(human)]) for outcome in (0, 0.5, 1)]
        for share, seen in parts:
            rate += share * seen.mean()
            variance += share**2 * seen.var() / len(seen)
        variance += sum(share * (seen.mean() - rate) ** 2 for share, seen in parts) / len(judge)
        expected = rate, np.sqrt(variance), judge.mean(), np.nanmean(human), (~np.isnan(human)).sum()
        columns = ["estimate", "se", "judge_rate", "human_rate", "n_human"]
        np.testing.assert_allclose(row[columns].to_numpy(float), expected)


def test_two_candidates_without_ties_are_the_corrected_rate_of_judges() -> None:
    frame = looked_at(drawn(300, "xy"), 0.3, 0.8, 2).assign(case=lambda df: df["prompt"] // 3)
    for clusters in (None, "case"):
        found = rates(frame, "person", clusters=clusters)
        judged = frame.agree.judges("won", humans=["person"]).corrected_rate(design="random", clusters=clusters)
        columns = ["estimate", "ci_low", "ci_high", "se"]
        np.testing.assert_allclose(found[columns], judged[columns])


def test_verdicts_on_an_item_belong_together() -> None:
    frame = looked_at(drawn(400, "xyz"), 0.4, 0.8, 3)
    for human in (None, "person"):
        plain = frame.agree.preferences(**COLUMNS, human=human)
        named = frame.agree.preferences(**COLUMNS, item=["prompt"], human=human).win_rate()
        pd.testing.assert_frame_equal(named, plain.win_rate(clusters="prompt"))
        assert not np.allclose(named["se"], plain.win_rate()["se"])


def test_groups_equal_the_loop_over_them() -> None:
    frame = looked_at(drawn(300, "xyz", ties=0.1), 0.5, 0.8, 4).assign(who=lambda df: df.index % 2)
    for human in (None, "person"):
        whole = rates(frame, human, by="who")
        for who, part in frame.groupby("who"):
            pd.testing.assert_frame_equal(whole.loc[who], rates(part, human))
    assert rates(frame, ci=None)[["ci_low", "ci_high", "se", "ci_level"]].isna().all(axis=None)


@pytest.mark.parametrize("human", [None, "person"])
def test_intervals_cover_the_rate(human: str | None) -> None:
    """500 data sets of 150 verdicts, people looked at 40 % of them; the error of the share is 0.01."""
    rng, sets, n = np.random.default_rng(5), 500, 150
    truth = rng.random(sets * n) < 0.7
    judge = np.where(rng.random(sets * n) < 0.8, truth, rng.random(sets * n) < 0.9)
    frame = pd.DataFrame({"a": "x", "b": "y", "won": np.where(judge, "x", "y"), "set": np.repeat(np.arange(sets), n)})
    frame["person"] = pd.Series(np.where(truth, "x", "y")).where(rng.random(sets * n) < 0.4)
    found = frame.agree.preferences(**COLUMNS, human=human).win_rate(by="set").xs("x", level="candidate")
    rate = 0.7 if human else 0.8 * 0.7 + 0.2 * 0.9
    assert ((found["ci_low"] <= rate) & (rate <= found["ci_high"])).mean() == pytest.approx(0.95, abs=0.02)


def test_what_people_did_not_see_is_noted() -> None:
    frame = played().assign(person=None)
    assert rates(frame, "person")["note"].tolist() == ["no human"] * 3
    assert rates(frame, "person")["estimate"].isna().all()
    won = frame.assign(person=frame["won"].where(frame["won"] == "1"))
    found = rates(won, "person")
    assert found["note"].tolist() == ["undefined+"] * 2 + ["undefined+"]
    assert (
        found["remarks"].iloc[0] == "human verdicts on a random part would be more even; fewer than 30 human verdicts"
    )
    many = pd.concat([played()] * 20, ignore_index=True)
    many["person"] = many["won"].where(many.index % 2 == 0)
    assert rates(many, "person")["note"].tolist() == [""] * 3
    rare = pd.concat([many, pd.DataFrame({"a": ["1"], "b": ["2"], "won": ["tie"]})], ignore_index=True)
    found = rates(rare, "person")
    assert found["remarks"].iloc[0] == "an outcome without any human verdict left out; 1 tie counts as half a win"
    assert found["estimate"].iloc[0] == pytest.approx(rates(many, "person")["estimate"].iloc[0])


def test_mistakes_name_what_is_meant() -> None:
    frame = played().assign(person="1")
    with refuses(UnknownMethodError, "preferences(...) has no method 'winrate'. Did you mean 'win_rate'?"):
        frame.agree.preferences(**COLUMNS).winrate  # noqa: B018
    message = (
        "human= is 'won', which is a column of the verdicts themselves. Name the column of the winners that people "
        "chose."
    )
    with refuses(InputError, message):
        frame.agree.preferences(**COLUMNS, human="won").win_rate()
    with pytest.raises(InputError, match=r"^10 rows have a winner that is no candidate of the row: '1' in row "):
        frame.agree.preferences(**COLUMNS, human="person").win_rate()
