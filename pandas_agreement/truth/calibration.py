"""How far to trust the probabilities: what fits that do not know the gold labels say about the gold items."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.progress import bar_of
from pandas_agreement.core.quantiles import normal_quantile
from pandas_agreement.errors import InputError, Remark, warn_once
from pandas_agreement.results import frames, schemas
from pandas_agreement.truth.fitting import Fit, fit, without_gold
from pandas_agreement.truth.kernels.ballots import rank_within
from pandas_agreement.truth.kernels.exponent import best_exponent, sharpened
from pandas_agreement.truth.remarks import joined
from pandas_agreement.truth.thinning import credit
from pandas_agreement.truth.views import wilson

N_FOLDS = 5
MIN_GOLD = 50  # gold items below which no exponent is estimated


def calibration(whole: Fit) -> pd.DataFrame:
    """One row (per group): accuracy on gold items beside the expected one, and the exponent between them."""
    _check(whole)
    cast, G = whole.cast, whole.cast.n_groups
    known = np.flatnonzero(cast.labelled & (cast.gold >= 0))
    held, right = _held_out(whole, known)  # (K, n), (n,)
    group, gold = cast.group[known], cast.gold[known]
    n = np.bincount(group, minlength=G)
    t = np.where(n >= MIN_GOLD, best_exponent(held, gold, group, G), np.nan)
    accuracy = _mean(right, group, G)
    low, high = wilson(accuracy * n, n, normal_quantile(0.95))
    open_ = np.flatnonzero(cast.labelled & (cast.gold < 0))
    expected_on_gold = _mean(held.max(0, initial=0), group, G)
    expected = _mean(whole.decision.top[open_], cast.group[open_], G)
    columns = {
        "accuracy": accuracy,
        "ci_low": low,
        "ci_high": high,
        "expected": expected_on_gold,
        "log_loss": _mean(_loss(held, gold), group, G),
        "exponent": t,
        "calibrated_loss": _mean(_loss(sharpened(held, t[group]), gold), group, G),
        "expected_accuracy": expected,
        "calibrated_accuracy": np.clip(expected + accuracy - expected_on_gold, 0.0, 1.0),
        "n_gold": n,
        "note": _notes(n, np.bincount(cast.group[open_], minlength=G)),
    }
    index = frames.index_of(cast.reading.groups, {"method": [whole.settings.method] * G})
    return frames.result(index, columns, schemas.TRUTH_CALIBRATION)


def _notes(n_gold: Array, n_open: Array) -> Array:
    """Why a number is missing, with one warning for too few gold items."""
    few = f"fewer than {MIN_GOLD} gold items"
    number, total = int(np.count_nonzero(n_gold < MIN_GOLD)), len(n_gold)
    if number:
        where = f" in {number} of {total} groups" if total > 1 else ""
        warn_once([Remark(f"calibration: {few}{where}", "there is no exponent; check more labels", "few items")])
    return joined({few: n_gold < MIN_GOLD, "no items but gold": n_open == 0}, np.full(total, "", object))


def _check(whole: Fit) -> None:
    if whole.solution is None:
        problem = "the share of a vote is no probability, and has no calibration"
        remedy = "use a model, such as method='dawid_skene'; thin() has the accuracy of votes on gold items"
        raise InputError(problem, remedy, option="method", code="needs a model")
    if whole.settings.gold is None:
        problem = "calibration compares probabilities with known labels"
        raise InputError(problem, "give them with truth(gold=...)", option="gold")


def _held_out(whole: Fit, known: Array) -> tuple[Array, Array]:
    """Probabilities of gold items, and whether the label is right, in fits that do not know a fifth of them."""
    cast = whole.cast
    order = np.argsort(cast.group[known], kind="stable")
    fold = np.empty(len(known), np.int64)
    fold[order] = rank_within(cast.group[known][order]) % N_FOLDS
    held, right = np.zeros((whole.n_categories, len(known))), np.zeros(len(known))
    quiet = replace(whole.settings, progress=False)
    for number in bar_of(whole.settings.progress)(range(N_FOLDS)):
        own = np.flatnonzero(fold == number)
        hidden = np.zeros(len(cast.gold), bool)
        hidden[known[own]] = True
        part = fit(without_gold(cast, hidden), quiet)
        held[:, own] = part.probabilities()[:, known[own]]
        right[own] = credit(part, cast.gold)[known[own]]
    return held, right


def _loss(T: Array, gold: Array) -> Array:
    """Minus the logarithm of the probability of the gold label: (K, n) -> (n,)."""
    return -np.log(np.maximum(T[gold, np.arange(len(gold))], np.finfo(float).tiny))


def _mean(values: Array, group: Array, n_groups: int) -> Array:
    """Mean of each group, NaN without any: (n,) -> (G,)."""
    n = np.bincount(group, minlength=n_groups)
    return np.where(n > 0, np.bincount(group, values, minlength=n_groups) / np.maximum(n, 1), np.nan)
