"""Calibration on gold items: held-out accuracy, the exponent by its definition, groups and refusals."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import AgreementWarning, InputError
from tests.helpers import refuses, same
from tests.truth.helpers import bluebird_long, bluebird_truth, simulated


def penalised_loss(t: float, rows: list[list[float]], known: list[int]) -> float:
    """Log-loss of the probabilities to the power t, plus (t - 1)^2 / 2."""
    total = (t - 1) ** 2 / 2
    for row, right in zip(rows, known, strict=True):
        total -= math.log(row[right] ** t / sum(p**t for p in row))
    return total


def test_by_definition() -> None:
    """Five fits that do not know every fifth gold label; the exponent has the least loss of a fine grid."""
    frame, truth = simulated(150, 4, 3, gaps=0.1, seed=3)
    labelled = frame.notna().any(axis=1)
    gold = truth[:90]
    known = gold[labelled[:90]]
    rows, labels = {}, {}
    for fold in range(5):
        own = known.index[fold::5]
        fit = frame.agree.truth(method="dawid_skene", gold=gold.drop(own))
        table, items = fit.items(probabilities=True), fit.items()
        rows |= {item: table.loc[item].tolist() for item in own}
        labels |= {item: items.loc[item, "label"] for item in own}
    codes = ["abc".index(label) for label in known]
    held = [rows[item] for item in known.index]
    whole = frame.agree.truth(method="dawid_skene", gold=gold)
    row = whole.calibration().iloc[0]
    assert row["n_gold"] == len(known)
    assert row["accuracy"] == pytest.approx(np.mean([labels[item] == known[item] for item in known.index]))
    assert row["expected"] == pytest.approx(np.mean([max(each) for each in held]))
    t = row["exponent"]
    assert min(np.arange(0.01, 3, 0.001), key=lambda value: penalised_loss(value, held, codes)) == pytest.approx(
        t, abs=6e-4
    )
    n, loss = len(known), penalised_loss(t, held, codes) - (t - 1) ** 2 / 2
    assert row["calibrated_loss"] == pytest.approx(loss / n)
    assert row["log_loss"] == pytest.approx(penalised_loss(1, held, codes) / n)
    assert row["expected_accuracy"] == pytest.approx(whole.summary()["expected_accuracy"].iloc[0])
    rest = whole.items(probabilities=True)[90:][labelled[90:]].max(axis=1)
    assert row["calibrated_accuracy"] == pytest.approx(rest.mean() + row["accuracy"] - row["expected"])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_bluebird_is_overconfident_and_calibration_says_so(seed: int) -> None:
    gold = bluebird_truth().sample(60, random_state=seed)
    truth = bluebird_long().truth(method="dawid_skene", gold=gold)
    row = truth.calibration().iloc[0]
    assert row["exponent"] < 0.3
    assert row["calibrated_loss"] < row["log_loss"] / 3
    assert row["calibrated_accuracy"] < row["expected_accuracy"] - 0.05
    assert row["ci_low"] < row["accuracy"] < row["ci_high"] < row["expected"]


@pytest.mark.parametrize("method", ["dawid_skene", "one_coin"])
def test_groups_are_those_of_the_loop(method: str) -> None:
    frame, truth = simulated(260, 4, 2, gaps=0.1, seed=1)
    frame = frame.assign(batch=np.tile(["p", "q"], 130), gold=truth.where(np.arange(260) % 3 > 0))
    coders = [name for name in frame.columns if name.startswith("c")]
    found = frame.agree.truth(*coders, method=method, gold="gold", by="batch").calibration()
    for batch, part in frame.groupby("batch"):
        same(found.loc[batch], part.agree.truth(*coders, method=method, gold="gold").calibration())


def test_few_gold_items_give_no_exponent() -> None:
    frame, truth = simulated(120, 4, 2, gaps=0, seed=1)
    with pytest.warns(AgreementWarning, match="calibration: fewer than 50 gold items; there is no exponent"):
        row = frame.agree.truth(method="dawid_skene", gold=truth[:20]).calibration().iloc[0]
    assert row[["exponent", "calibrated_loss"]].isna().all()
    assert row[["accuracy", "ci_low", "expected", "log_loss", "calibrated_accuracy"]].notna().all()
    assert row["note"] == "fewer than 50 gold items"


def test_all_items_are_gold() -> None:
    frame, truth = simulated(120, 4, 2, gaps=0, seed=1)
    row = frame.agree.truth(method="dawid_skene", gold=truth).calibration().iloc[0]
    assert math.isnan(row["calibrated_accuracy"])
    assert (row["n_gold"], row["note"]) == (120, "no items but gold")


def test_labels_that_are_all_right_leave_the_exponent_finite() -> None:
    truth = pd.Series(list("ab") * 60)
    frame = pd.DataFrame(dict.fromkeys(("ann", "bob", "cleo"), truth))
    row = frame.agree.truth(method="dawid_skene", gold=truth[:80]).calibration().iloc[0]
    assert row["accuracy"] == 1
    assert 1 <= row["exponent"] < 2


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
def test_no_gold_label_at_all() -> None:
    frame, _ = simulated(110, 4, 2, gaps=0, seed=1)
    row = frame.assign(gold=None).agree.truth(*frame.columns, method="one_coin", gold="gold").calibration().iloc[0]
    assert row["n_gold"] == 0
    assert row[["accuracy", "ci_low", "expected", "log_loss", "exponent"]].isna().all()


def test_refusals() -> None:
    frame, truth = simulated(110, 4, 2, gaps=0, seed=1)
    with refuses(InputError, "calibration compares probabilities with known labels; give them with truth(gold=...)"):
        frame.agree.truth(method="one_coin").calibration()
    with pytest.raises(InputError, match="the share of a vote is no probability"):
        frame.agree.truth(gold=truth).calibration()


@pytest.mark.slow
@pytest.mark.parametrize("together", [0.0, 0.15])
def test_the_calibrated_accuracy_is_near_the_true_one(together: float) -> None:
    """Coders of whom all give the same wrong label to some items: the expected accuracy is too high, calibrated not."""
    rng, errors = np.random.default_rng(0), []
    for _ in range(40):
        truth = rng.integers(0, 2, 400)
        seen = np.where(rng.random(400) < together, 1 - truth, truth)
        frame = pd.DataFrame({c: np.where(rng.random(400) < 0.8, seen, 1 - seen) for c in "abcde"})
        gold = pd.Series(truth[:100])
        found = frame.agree.truth(method="dawid_skene", gold=gold)
        row, right = found.calibration().iloc[0], (found.items()["label"] == truth)[100:].mean()
        errors.append((row["expected_accuracy"] - right, row["calibrated_accuracy"] - right))
    expected, calibrated = np.mean(errors, axis=0)
    assert abs(calibrated) < 0.02
    assert abs(expected) < 0.02 if together == 0 else expected > 0.08
