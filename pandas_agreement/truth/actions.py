"""What to do next: the items to send back, and the coders who qualify on gold items."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.items import beside_rows, check_free, item_index, labels_of
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError, needs_coders
from pandas_agreement.hypothesis_tests.margins import holm_within
from pandas_agreement.inference.means import wilson
from pandas_agreement.results import frames, schemas
from pandas_agreement.truth.fitting import Fit
from pandas_agreement.truth.views import SPAMMER_SKILL, coder_index, gold_counts

SIGNIFICANT = 0.05


def queue(fit: Fit, frame: pd.DataFrame, n: int, until: float | None) -> pd.DataFrame:
    """The frame's rows of the least certain items, gold left out."""
    reading = fit.cast.reading
    schema = dict(schemas.TRUTH_QUEUE)
    more: dict[str, Any] = {}
    if until is not None:
        schema["n_more"] = ("float64", "labels still needed")
        more["n_more"] = _labels_needed(fit, until)
    check_free(schema, frame, "queue")
    order = _order(fit)
    chosen = order[:n] if until is None else order[~(fit.decision.top[order] >= until)]
    decision = fit.decision
    columns: dict[str, Any] = {
        "inferred": labels_of(reading, np.where(fit.cast.labelled, decision.first, -1)[chosen]),
        "second": labels_of(reading, np.where(fit.cast.labelled, decision.second, -1)[chosen]),
        "probability": decision.top[chosen],
        "n_labels": fit.n_labels[chosen],
        "reason": _reasons(fit)[chosen],
        **{name: values[chosen] for name, values in more.items()},
    }
    table = frames.result(item_index(reading, frame)[chosen], columns, schema)
    return beside_rows(table, chosen if reading.rows is None else reading.rows.to_numpy()[chosen], reading, frame)


def _order(fit: Fit) -> Array:
    """Items that are not gold: without a label, then the least probable or the least margin, then the fewest labels."""
    certain = fit.decision.margin if fit.settings.is_vote else fit.decision.top
    certain = np.where(fit.cast.labelled, certain, -1.0)
    order = np.lexsort((fit.n_labels, certain))
    return order[fit.cast.gold[order] < 0]


def _reasons(fit: Fit) -> Array:
    """Why an item is uncertain: the first reason that holds."""
    vote_tie = np.zeros(len(fit.cast.labelled), bool)
    vote_tie[fit.cast.labelled] = fit.vote.leaders > 1
    reasons = {
        "no label": ~fit.cast.labelled,
        "one label": fit.n_labels == 1,
        "tie": vote_tie,
        "against the vote": fit.differs_from_vote(),
        "coders of low skill": _low_skill(fit),
        "coders disagree": ~(fit.agreement >= 1),
    }
    first = np.argmax([*reasons.values(), np.ones(len(vote_tie), bool)], axis=0)
    return np.array([*reasons, ""], object)[first]


def _low_skill(fit: Fit) -> Array:
    """The mean skill of the item's coders is that of a spammer: (I,)."""
    low, ballots = np.zeros(len(fit.cast.labelled), bool), fit.cast.ballots
    if ballots is not None:
        skill = np.bincount(ballots.item, fit.reliability(False).skill[ballots.pair], minlength=ballots.n_items)
        low[fit.cast.labelled] = skill < SPAMMER_SKILL * ballots.sizes  # of votes it is unknown
    return low


def _labels_needed(fit: Fit, until: float) -> Array:
    """Expected further labels until the probability is reached, if coders of mean accuracy go on: (I,).

    Wald's expected size of a sequential test: the distance in log odds over the mean step of a label.
    """
    if fit.settings.is_vote:
        problem = "until= compares probabilities, and the share of a vote is not a probability"
        raise InputError(problem, "use method='one_coin' or method='dawid_skene'", option="until", code="needs a model")
    ballots, K, found = fit.ballots, fit.n_categories, fit.reliability(False)
    weight = ballots.labels_of_pair * found.accuracy
    total = np.bincount(ballots.pair_group, ballots.labels_of_pair, minlength=ballots.n_groups)
    q = np.bincount(ballots.pair_group, weight, minlength=ballots.n_groups) / np.maximum(total, 1)
    q = np.clip(q, 1e-9, 1 - 1e-9)
    step = np.log(q * max(K - 1, 1) / (1 - q)) * (q - (1 - q) / max(K - 1, 1))
    step = np.where(q > 1 / max(K, 1), step, np.nan)[fit.cast.group]
    p = np.clip(fit.decision.top, 1e-12, 1 - 1e-12)
    return np.ceil(np.maximum(np.log(until / (1 - until)) - np.log(p / (1 - p)), 0.0) / step)


def qualify(fit: Fit, required: float) -> pd.DataFrame:
    """One row per coder (and group): exact tests of the accuracy on gold items."""
    if fit.cast.ballots is None:
        raise needs_coders("qualify", "use by_item or queue")
    if fit.settings.gold is None:
        raise InputError("qualify compares coders with known labels", "give them with truth(gold=...)", option="gold")
    from scipy.special import bdtr, bdtrc

    n, correct = gold_counts(fit)
    p_above = np.where(n > 0, bdtrc(correct - 1, n, required), np.nan)
    p_above = np.where((n > 0) & (correct == 0), 1.0, p_above)
    p_below = np.where(n > 0, bdtr(correct, n, required), np.nan)
    above, below = (holm_within(p, fit.ballots.pair_group) for p in (p_above, p_below))
    accuracy = divide(correct, n)
    low, high = wilson(accuracy, n, 0.95)
    columns = {
        "n_gold": n,
        "correct": correct,
        "accuracy": accuracy,
        "accuracy_low": low,
        "accuracy_high": high,
        "p_value": p_above,
        "p_holm": above,
        "passed": np.select([above < SIGNIFICANT, below < SIGNIFICANT], ["yes", "no"], "too few").astype(object),
    }
    return frames.result(coder_index(fit), columns, schemas.TRUTH_QUALIFY)
