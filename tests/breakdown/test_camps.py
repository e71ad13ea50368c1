"""Two camps of coders, found without being named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import AgreementWarning
from pandas_agreement.breakdown.camps import COLUMNS, MAX_CODERS, SEED, _agreements, _cut, _halves, _only, two_camps
from pandas_agreement.data import read_wide
from pandas_agreement.options import Options
from tests.data_sets import LONG, to_long


def planted(
    n_items: int = 300, n_coders: int = 6, apart: float = 0.4, seed: int = 0, gaps: float = 0.0
) -> pd.DataFrame:
    """Every second coder sees something else in some of the items."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n_items)
    other = np.where(rng.random(n_items) < apart, rng.integers(0, 3, n_items), truth)
    seen = np.stack([[truth, other][coder % 2] for coder in range(n_coders)], 1)
    labels = np.where(rng.random(seen.shape) < 0.85, seen, rng.integers(0, 3, seen.shape)).astype(float)
    labels[rng.random(seen.shape) < gaps] = np.nan
    return pd.DataFrame(labels, columns=[f"c{coder}" for coder in range(n_coders)])


def camps_of(frame: pd.DataFrame, by: Any = None, frequency: Any = None) -> pd.DataFrame:
    """The tests of the groups that have camps."""
    coders = [name for name in frame if name not in ("run", "times")]
    found = two_camps(read_wide(frame, coders, Options(by=by, frequency=frequency)))
    return pd.DataFrame(columns=COLUMNS) if found is None else pd.DataFrame(found.tests.columns, found.tests.group)


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_camps_are_found_and_named(gaps: float) -> None:
    found = camps_of(planted(gaps=gaps)).iloc[0]
    assert {found["first"], found["second"]} == {"c0, c2, c4", "c1, c3, c5"}
    assert found["p_value"] < 0.01


def test_numbers_are_those_of_the_camps_on_the_other_half_of_the_items() -> None:
    frame = planted()
    found = camps_of(frame).iloc[0]
    groups = {side: found[side].split(", ") for side in ("first", "second")}
    tested = np.sort(np.random.default_rng(SEED).permutation(300)[150:])
    camps = frame.iloc[tested].agree.coder_groups(groups)
    assert [found["within_1"], found["within_2"]] == pytest.approx(camps.within()["estimate"].tolist())
    assert found["across"] == pytest.approx(camps.across()["estimate"].item())
    tests = camps.compare(alternative="greater")["p_value"]
    assert found["p_value"] == pytest.approx(max(tests.iloc[:2]))
    assert found["gap"] == pytest.approx(min(found["within_1"], found["within_2"]) - found["across"])


def test_finding_of_diagnose() -> None:
    frame = planted()
    found = frame.agree.diagnose(detail=True)
    row, camps = found.loc["two camps"], camps_of(frame).iloc[0]
    assert row["about"] == f"{camps['first']} against {camps['second']}"
    assert row["severity"] == "high"
    assert row[["estimate", "p_value"]].tolist() == pytest.approx([camps["gap"], camps["p_value"]])
    assert row["threshold"] == 0.1
    assert row["evidence"] == (
        f"on the half of the items that did not define the camps (150) alpha is {camps['within_1']:.2f} within one, "
        f"{camps['within_2']:.2f} within the other and {camps['across']:.2f} across: at least {camps['gap']:.2f} less, "
        "above 0.1 (p < 0.001)"
    )
    assert to_long(frame).agree.long(**LONG).diagnose().loc["two camps", "about"] == row["about"]


def test_groups_have_their_own_camps() -> None:
    one, two = (
        planted(201, seed=1),
        planted(200, seed=2, gaps=0.2).set_axis([f"c{n}" for n in (0, 2, 4, 1, 3, 5)], axis=1),
    )
    frame = pd.concat([one.assign(run="a"), two[list(one)].assign(run="b")], ignore_index=True)
    found = camps_of(frame, "run")
    loop = pd.concat({key: camps_of(part.drop(columns="run")) for key, part in frame.groupby("run")}).droplevel(1)
    pd.testing.assert_frame_equal(found, loop.reset_index(drop=True))
    assert (found["p_value"] < 0.01).all()


def test_one_coder_out_of_line_is_no_camp() -> None:
    rng = np.random.default_rng(3)
    frame = planted(apart=0.0)
    frame["c0"] = rng.integers(0, 3, len(frame))
    found = frame.agree.diagnose()
    assert "coder out of line" in found.index
    assert "two camps" not in found.index


@pytest.mark.parametrize("n_coders", [2, 3, MAX_CODERS + 1])
def test_too_few_and_too_many_coders(n_coders: int) -> None:
    assert len(camps_of(planted(40, n_coders))) == 0
    assert "two camps" not in planted(40, n_coders).agree.diagnose().index


def test_group_with_three_coders_has_no_camps() -> None:
    frame = planted(400, apart=0.6).assign(run=np.repeat([0, 1], 200))
    frame.loc[200:, ["c3", "c4", "c5"]] = np.nan
    assert camps_of(frame, "run").index.tolist() == [0]


def test_a_coder_who_is_absent_from_a_group_does_not_move_its_camps() -> None:
    frame = planted(400, 7, apart=0.5).assign(run=np.repeat([0, 1], 200))
    frame.loc[200:, "c6"] = np.nan
    alone = frame.loc[200:].drop(columns=["c6", "run"]).reset_index(drop=True)
    assert camps_of(frame, "run").loc[1].to_dict() == pytest.approx(camps_of(alone).loc[0].to_dict())


def test_the_cut_does_not_see_coders_who_are_absent() -> None:
    rng, here = np.random.default_rng(0), [0, 1, 3, 4, 5]
    agreement = rng.random((50, 6, 6))
    agreement = (agreement + agreement.transpose(0, 2, 1)) * (1 - np.eye(6))
    present = np.tile(np.arange(6) != 2, (50, 1))
    found, expected = _cut(agreement, present), _cut(agreement[:, here][:, :, here], present[:, here])
    assert (found[:, 2] == -1).all()
    first, other = ((camp == camp[:, :1]).tolist() for camp in (found[:, here], expected))  # whichever is called 0
    assert first == other


def test_four_coders_may_be_two_camps() -> None:
    found = camps_of(planted(400, 4, apart=0.6))
    assert [found["first"].item(), found["second"].item()] in (["c0, c2", "c1, c3"], ["c1, c3", "c0, c2"])


@pytest.mark.parametrize("n_items", [0, 1, 2, 3])
def test_few_items(n_items: int) -> None:
    assert camps_of(planted().iloc[:n_items]).empty


@pytest.mark.parametrize("frequency", [None, "times"])
def test_agreements_are_those_of_pairs(frequency: str | None) -> None:
    """Scott's pi of each pair; of two who share no item, the mean of all; with oneself 0."""
    frame = planted(40, 4, gaps=0.2).assign(times=np.arange(40) % 3 + 1)
    frame.loc[:19, "c0"], frame.loc[20:, "c3"] = np.nan, np.nan
    coders = list(frame)[:4]
    ratings = read_wide(frame, coders, Options(frequency=frequency)).ratings.as_long()
    with pytest.warns(AgreementWarning, match="1 of 6 estimates is undefined"):
        pairs = frame.agree.by_pair(*coders, metrics="pi", frequency=frequency)["estimate"]
    expected = pairs.fillna(pairs.mean()).unstack().reindex(index=coders, columns=coders).to_numpy()
    assert _agreements(ratings, 4)[0] == pytest.approx(np.nansum([expected, expected.T], axis=0))


@pytest.mark.parametrize("frequency", [None, "times"])
def test_each_half_has_its_own_items(frequency: str | None) -> None:
    frame = planted(30, 4).assign(times=np.arange(30) % 3 + 1)
    ratings = read_wide(frame, list(frame)[:4], Options(frequency=frequency)).ratings.as_long()
    for times in _halves(ratings):
        half = _only(ratings, times)
        assert half.weights.tolist() == times[times > 0].tolist()
        assert half.n_items == np.count_nonzero(times)


def test_sorted_rows_have_random_halves() -> None:
    """Every second of the rows, sorted by group of coders, was not random."""
    frame = planted(60).sort_values(["c0", "c1"], ignore_index=True)
    reading = read_wide(frame, list(frame), Options())
    halves = _halves(reading.ratings.as_long())
    assert (halves[0] + halves[1] == 1).all()
    assert halves[0].sum() == 30
    assert 0 < halves[0][::2].sum() < 30


def test_camps_are_tested_by_themselves() -> None:
    """Nobody is out of line against everybody; within a camp a coder who guesses is."""
    frame, rng = planted(600, apart=0.5), np.random.default_rng(9)
    found = frame.agree.diagnose(level="nominal")
    assert "coder out of line" not in found.index
    assert "not tested" not in found.index
    bad = rng.random(600) < 0.5
    frame["c2"] = np.where(bad, rng.integers(0, 3, 600), frame["c2"])
    found = frame.agree.diagnose(level="nominal", detail=True)
    assert found.index[:3].tolist() == ["low agreement", "two camps", "coder out of line"]
    same = frame[["c0", "c2", "c4"]].agree.diagnose(level="nominal", detail=True).loc["coder out of line"]
    columns = ["about", "estimate", "ci_low", "p_value", "n_items"]
    assert found.loc["coder out of line", columns].tolist() == pytest.approx(same[columns].tolist())


def test_margins_of_camps_are_compared_once() -> None:
    frame = planted(400, apart=0.5)
    for name in ("c1", "c3", "c5"):
        frame[name] = frame[name].where((frame[name] != 2) | (np.arange(400) % 3 > 0), 0)
    found = frame.agree.diagnose(detail=True).loc[["margins differ"]]
    assert len(found) == 1
    assert found["about"].item() in ("c0, c2, c4 against c1, c3, c5", "c1, c3, c5 against c0, c2, c4")
    one, other = found["about"].item().split(" against ")
    assert found["evidence"].item().startswith(f"{one} choose ")
    assert f" often than {other} on the same items, by " in found["evidence"].item()
