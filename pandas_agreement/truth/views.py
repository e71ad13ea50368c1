"""The frames of a fit: by item, by coder, confusions, shares, summary."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.items import item_index, labels_of, place_rows
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.quantiles import normal_quantile
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError, needs_coders
from pandas_agreement.inference.means import wilson
from pandas_agreement.results import frames, schemas
from pandas_agreement.truth.fitting import Fit
from pandas_agreement.truth.remarks import of_coders, of_groups, of_items

SPAMMER_SKILL = 0.2  # below this a coder hardly looks


def by_item(fit: Fit, frame: pd.DataFrame, probabilities: bool = False) -> pd.DataFrame:
    """One row per item, with the frame's own index if one row is one item."""
    reading = fit.cast.reading
    index = item_index(reading, frame)
    if probabilities:
        labels = reading.category_set.labels
        table = pd.DataFrame(fit.probabilities().T, index=index, columns=labels.rename("category"))
        return place_rows(table, reading, frame, {})
    decision, K = fit.decision, fit.n_categories
    gold = fit.cast.gold >= 0
    unknown = fit.settings.is_vote & (decision.first < 0)
    entropy = np.where(unknown, np.nan, decision.entropy / np.log(max(K, 2)))
    columns = {
        "label": labels_of(reading, fit.label),
        "probability": decision.top,
        "margin": decision.margin,
        "entropy": np.clip(entropy, 0.0, 1.0),
        "n_labels": fit.n_labels,
        "agreement": fit.agreement,
        "tie": fit.tie,
        "gold": gold,
        **of_items(fit),
    }
    table = frames.result(index, columns, schemas.TRUTH_ITEMS)
    fill = {"n_labels": 0, "tie": False, "gold": False, "note": "no group", "remarks": "no group"}
    return place_rows(table, reading, frame, fill)


def shares(fit: Fit) -> pd.DataFrame:
    """One row per category (and group)."""
    reading, K = fit.cast.reading, fit.n_categories
    known = fit.label >= 0
    cell = fit.cast.group[known] * K + fit.label[known]
    columns = {"share": fit.shares.ravel(), "n_items": np.bincount(cell, minlength=fit.cast.n_groups * K)}
    groups = None if reading.groups is None else reading.groups.repeat(K)
    labels = reading.category_set.labels.take(np.tile(np.arange(K), fit.cast.n_groups))
    return frames.result(frames.index_of(groups, {"category": labels}), columns, schemas.TRUTH_SHARES)


def summary(fit: Fit) -> pd.DataFrame:
    """One row (per group)."""
    cast, solution, n_groups = fit.cast, fit.solution, fit.cast.n_groups
    unknown = np.full(n_groups, np.nan)
    open_ = cast.labelled & (cast.gold < 0)
    n_open = np.bincount(cast.group[open_], minlength=n_groups)
    top = np.bincount(cast.group[open_], fit.decision.top[open_], minlength=n_groups)
    s, d = (np.nan, np.nan) if solution is None else fit.settings.pseudo(fit.n_categories)
    columns = {
        "loglik": unknown if solution is None else solution.loglik,
        "objective": unknown if solution is None else solution.objective,
        "n_sweeps": np.zeros(n_groups) if solution is None else solution.n_sweeps,
        "converged": np.ones(n_groups, bool) if solution is None else solution.converged,
        "n_items": np.bincount(cast.group[cast.labelled], minlength=n_groups),
        "n_coders": coders_of_groups(fit),
        "n_categories": np.full(n_groups, fit.n_categories),
        "n_labels": fit.group_labels,
        "n_gold": np.bincount(cast.group[cast.gold >= 0], minlength=n_groups),
        "smoothing": np.full(n_groups, s),
        "diagonal": np.full(n_groups, d),
        "expected_accuracy": unknown if solution is None else np.where(n_open > 0, top / np.maximum(n_open, 1), np.nan),
        **of_groups(fit),
    }
    index = frames.index_of(cast.reading.groups, {"method": [fit.settings.method] * n_groups})
    return frames.result(index, columns, schemas.TRUTH_SUMMARY)


def coders_of_groups(fit: Fit) -> Array:
    if fit.cast.ballots is None:
        return np.zeros(fit.cast.n_groups, np.int64)
    return np.bincount(fit.cast.ballots.pair_group, minlength=fit.cast.n_groups)


# ------------------------------------------------------------------------------------------------------------ coders


def coder_index(fit: Fit, repeat: int = 1, **levels: Any) -> pd.Index:
    """Group keys and names of the coders, each `repeat` times, and further levels."""
    reading, ballots = fit.cast.reading, fit.ballots
    groups = None if reading.groups is None else reading.groups.take(np.repeat(ballots.pair_group, repeat))
    names = [reading.coders[coder] for coder in ballots.pair_coder for _ in range(repeat)]
    return frames.index_of(groups, {"coder": names, **levels})


def by_coder(fit: Fit, ci: float | None) -> pd.DataFrame:
    """One row per coder (and group)."""
    if fit.cast.ballots is None:
        raise needs_coders("by_coder", "use by_item or queue")
    found = fit.reliability(ci is not None)
    n_gold, correct = gold_counts(fit)
    gold_accuracy = divide(correct, n_gold)
    z = np.nan if ci is None else normal_quantile(ci)
    low, high = _on_logit_scale(found.accuracy, found.accuracy_se, z)
    gold_low, gold_high = wilson(gold_accuracy, n_gold, 0.95 if ci is None else ci)
    skill_low = found.skill - z * found.skill_se
    skill_high = np.minimum(found.skill + z * found.skill_se, 1.0)
    columns: dict[str, Any] = {
        "accuracy": found.accuracy,
        "accuracy_low": low,
        "accuracy_high": high,
        "se": found.accuracy_se,
        "agreement": fit.agreement_with_others(),
        "chance": found.chance,
        "skill": found.skill,
        "skill_low": skill_low,
        "skill_high": skill_high,
        "n_items": _items_of_coders(fit),
        "n_gold": n_gold,
        "gold_accuracy": gold_accuracy,
        "gold_low": gold_low,
        "gold_high": gold_high,
        "spammer": _spammers(skill_low, skill_high, not fit.settings.is_vote and ci is not None),
        **of_coders(fit, found),
    }
    schema = dict(schemas.TRUTH_CODERS)
    if fit.settings.method == "mace" and fit.solution is not None:
        columns["knows"] = fit.solution.parameters["m"]
        schema = {**schema, "knows": ("float64", "")}
    return frames.result(coder_index(fit), columns, schema)


def _items_of_coders(fit: Fit) -> Array:
    """Items that each coder labelled, once or several times: (P,)."""
    ballots = fit.ballots
    item, pair = ballots.item, ballots.pair
    again = (item[1:] == item[:-1]) & (pair[1:] == pair[:-1])  # labels of an item are in the order of its coders
    return ballots.labels_of_pair - np.bincount(pair[1:][again], minlength=ballots.n_pairs)


def _on_logit_scale(value: Array, se: Array, z: float) -> tuple[Array, Array]:
    inside = (value > 0) & (value < 1)
    p = np.where(inside, value, 0.5)
    logit, width = np.log(p / (1 - p)), z * se / (p * (1 - p))
    ends = [1 / (1 + np.exp(-(logit + side * width))) for side in (-1, 1)]
    return np.where(inside, ends[0], np.nan), np.where(inside, ends[1], np.nan)


def _spammers(low: Array, high: Array, known: bool) -> Any:
    if not known:
        return ""
    return np.where(high < SPAMMER_SKILL, "yes", np.where(low > 0, "no", "too few")).astype(object)


def gold_counts(fit: Fit) -> tuple[Array, Array]:
    """How many gold items each coder labelled, and how many of them right: (P,), (P,)."""
    ballots = fit.ballots
    gold = ballots.gold[ballots.item]
    known = gold >= 0
    n = np.bincount(ballots.pair[known], minlength=ballots.n_pairs)
    return n, np.bincount(ballots.pair[known & (gold == ballots.code)], minlength=ballots.n_pairs)


def confusions(fit: Fit) -> pd.DataFrame:
    """One row per coder, true and given label (and group)."""
    if fit.cast.ballots is None:
        raise needs_coders("confusions", "use by_item or queue")
    if fit.solution is None:
        problem = "a vote has no error rates"
        raise InputError(problem, "use method='dawid_skene'", option="method", code="needs a model")
    found = fit.reliability(True)
    ballots, K = fit.ballots, fit.n_categories
    cell = ballots.cell.astype(np.int64)
    counts = np.zeros((ballots.n_pairs * K, K))
    for true, row in enumerate(fit.solution.T):
        counts[:, true] = np.bincount(cell, row[ballots.item], minlength=len(counts))
    by_true = (0, 2, 1)  # (P, given, true) -> (P, true, given)
    columns = {
        "probability": found.theta.transpose(by_true).ravel(),
        "se": found.theta_se.transpose(by_true).ravel(),
        "n": counts.reshape(ballots.n_pairs, K, K).transpose(by_true).ravel(),
        "share": np.repeat(fit.shares[ballots.pair_group].ravel(), K),
    }
    labels = fit.cast.reading.category_set.labels
    meant = labels.take(np.tile(np.repeat(np.arange(K), K), ballots.n_pairs))
    given = labels.take(np.tile(np.arange(K), ballots.n_pairs * K))
    return frames.result(coder_index(fit, K * K, true=meant, given=given), columns, schemas.TRUTH_CONFUSIONS)
