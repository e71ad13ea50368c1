"""Fewer labels per item: the same method on a part of the labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import InputError
from pandas_agreement.truth import thinning
from pandas_agreement.truth.kernels.ballots import Ballots
from tests.helpers import refuses
from tests.truth.helpers import bluebird_long, bluebird_truth, simulated


def test_all_labels_change_nothing_and_one_label_is_the_accuracy_of_a_coder() -> None:
    gold = bluebird_truth()
    found = bluebird_long().truth(gold=gold).thin(n_labels=[1, 39], n_draws=20, rng=0)
    vote = bluebird_long().consensus()["label"]
    assert found.loc[39, "accuracy"] == pytest.approx((vote == gold[vote.index]).mean())
    assert found.loc[39, ["same", "ties"]].tolist() == [1, 0]
    one = bluebird_long().truth(gold=gold).coders()["gold_accuracy"].mean()  # every worker labelled every image
    assert found.loc[1, "accuracy"] == pytest.approx(one, abs=0.03)
    assert found["n_draws"].tolist() == [20, 20]


def test_two_labels_tie_as_often_as_by_hand() -> None:
    frame = pd.DataFrame({"ann": list("aab"), "bob": list("abb")})
    found = frame.agree.truth().thin(n_labels=[1, 2], rng=0)
    assert found.loc[2, ["same", "ties"]].tolist() == [1.0, pytest.approx(1 / 3)]
    assert found.loc[1, "ties"] == 0
    assert np.isnan(found.loc[2, "accuracy"])


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
def test_models_and_groups_are_thinned_too() -> None:
    frame, truth = simulated(60, 5, 3, gaps=0, seed=0)
    frame = frame.assign(batch=np.repeat(["p", "q"], 30), gold=truth)
    found = frame.agree.truth(method="one_coin", smoothing=0, by="batch", gold="gold").thin(n_labels=[1, 5], rng=1)
    assert found.index.tolist() == [("p", 1), ("p", 5), ("q", 1), ("q", 5)]
    assert (found.xs(5, level="n_labels")["accuracy"] > found.xs(1, level="n_labels")["accuracy"]).all()


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
def test_all_labels_are_not_fitted_again_and_further_sweeps_change_hardly_a_label(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame, _ = simulated(200, 4, 3, gaps=0, seed=2)
    truth, fit, sweeps = frame.agree.truth(method="dawid_skene"), thinning.fit, []

    def counted(*args: Any) -> Any:
        found = fit(*args)
        sweeps.append(int(found.solution.n_sweeps[0]))
        return found

    monkeypatch.setattr(thinning, "fit", counted)
    few = truth.thin(n_labels=[1, 2, 4, 9], n_draws=3, rng=0)
    assert len(sweeps) == 6
    assert max(sweeps) == 100
    monkeypatch.setattr(thinning, "MAX_SWEEPS", 10**6)
    many = truth.thin(n_labels=[1, 2, 4, 9], n_draws=3, rng=0)
    assert max(sweeps) > 100
    np.testing.assert_allclose(few["same"], many["same"], atol=0.02)


def test_wrong_numbers_are_refused() -> None:
    frame = pd.DataFrame({"ann": list("aab"), "bob": list("abb")})
    with refuses(InputError, "n_labels=[0] must be whole numbers above 0: labels per item"):
        frame.agree.truth().thin(n_labels=[0])


@pytest.mark.parametrize("number", [1, 2, 5])
def test_the_labels_that_are_drawn_are_those_with_the_lowest_numbers_of_their_item(number: int) -> None:
    rng = np.random.default_rng(3)
    item = np.repeat(np.arange(50), rng.integers(1, 5, 50))
    n = len(item)
    ballots = Ballots(item, np.arange(n), np.arange(n), np.zeros(50, int), np.zeros(n, int), np.arange(n), item, n, 1)
    drawn = pd.Series(np.random.default_rng(7).random(n))
    found = thinning._chosen(ballots, number, np.random.default_rng(7))
    assert found.code.tolist() == np.flatnonzero(drawn.groupby(item).rank() <= number).tolist()
    assert (found.item.tolist(), found.pair.tolist()) == (item[found.code].tolist(), found.code.tolist())


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
@pytest.mark.parametrize("method", ["majority", "dawid_skene"])
def test_categories_that_lead_are_those_of_the_table_of_all_categories(method: str) -> None:
    frame, _ = simulated(80, 4, 3, gaps=0.3, seed=1)
    found = frame.agree.truth(method=method, gold=pd.Series("a", frame.index[:5]), categories=list("abc"))._fit
    items = np.flatnonzero(found.cast.labelled & (found.cast.gold < 0))[::2]
    T = found.probabilities()[:, items]
    place, code = found.leads(items)
    assert list(zip(place, code, strict=True)) == [tuple(each) for each in np.argwhere((T.max(0) - 1e-12 <= T).T)]


@pytest.mark.parametrize("ties", ["missing", "first", "random", "prior"])
def test_very_many_labels_take_no_table_of_items_and_labels(ties: str) -> None:
    numbers = np.arange(150_000.0)
    frame = pd.DataFrame({"gold": numbers, "a": numbers, "b": numbers + 0.25, "c": numbers + 0.5})
    found = frame.agree.truth("a", "b", "c", gold="gold", ties=ties, rng=0).thin(n_labels=[3], n_draws=1, rng=0)
    assert found.loc[3, "accuracy"] == pytest.approx(1.0 if ties == "first" else 1 / 3, abs=0.01)
