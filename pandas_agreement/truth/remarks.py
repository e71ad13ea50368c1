"""What to say about a fit: notes on its groups and coders, and one warning for the call."""

from __future__ import annotations

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.errors import Remark, warn_once
from pandas_agreement.truth.fitting import Fit
from pandas_agreement.truth.kernels.accuracy import Reliability

MIN_LABELS = 3  # labels per item, and items, below which a vote does as well as error rates of every coder
MIN_ITEMS = 100
OVERCONFIDENT = "the expected accuracy is too high when coders err together"


def _facts(fit: Fit) -> dict[str, Array]:
    """What holds for each group, by note: (G,) of bool."""
    cast, n_groups = fit.cast, fit.cast.n_groups
    n_items = np.bincount(cast.group[cast.labelled], minlength=n_groups)
    facts = {"no label": n_items == 0}
    if fit.solution is None or cast.ballots is None:
        return facts
    some = n_items > 0
    n_coders = np.bincount(cast.ballots.pair_group, minlength=n_groups)
    used = np.bincount(fit.votes.code, minlength=fit.n_categories) > 0 if n_groups == 1 else None
    against = np.bincount(cast.group, fit.differs_from_vote(), minlength=n_groups)
    facts["one coder: nothing to compare"] = some & (n_coders == 1)
    facts["two coders: error rates are not identified"] = some & (n_coders == 2)
    if fit.settings.method == "dawid_skene":
        facts[f"fewer than {MIN_LABELS} labels per item"] = some & (fit.group_labels < MIN_LABELS * n_items)
        facts[f"fewer than {MIN_ITEMS} items"] = some & (n_items < MIN_ITEMS)
    facts["did not converge"] = some & ~fit.solution.converged
    facts["one category"] = some & _one_category(fit) if used is None else some & (used.sum() == 1)
    facts["differs from the vote on most items: check what the labels mean"] = some & (2 * against > n_items)
    return facts


def _one_category(fit: Fit) -> Array:
    """Groups that use one category only: (G,)."""
    K = max(fit.n_categories, 1)
    group = fit.cast.group[fit.cast.labelled][fit.votes.item]
    used = np.unique(group * K + fit.votes.code)
    return np.bincount(used // K, minlength=fit.cast.n_groups) == 1


def group_notes(fit: Fit) -> Array:
    """The notes of each group, joined."""
    notes = np.full(fit.cast.n_groups, "", object)
    facts = _facts(fit)
    if fit.solution is not None:
        facts[OVERCONFIDENT] = ~facts["no label"]
    return _joined(facts, notes)


def _joined(facts: dict[str, Array], notes: Array) -> Array:
    """Add to each note the texts that hold for its row."""
    for text, holds in facts.items():
        notes[holds] = [f"{before}; {text}" if before else text for before in notes[holds]]
    return notes


def coder_notes(fit: Fit, found: Reliability | None) -> Array:
    """The notes of each coder."""
    ballots = fit.ballots
    notes = np.full(ballots.n_pairs, "", object)
    if found is None:
        return notes
    n_coders = np.bincount(ballots.pair_group, minlength=ballots.n_groups)[ballots.pair_group]
    bound = (found.accuracy <= 0) | (found.accuracy >= 1)
    texts = {
        "two coders: error rates are not identified": n_coders == 2,
        "one coder: nothing to compare": n_coders == 1,
        "the interval takes the other coders as known and is narrow": found.alone,
        "accuracy at its bound: no interval": bound & np.isfinite(found.accuracy_se),
    }
    return _joined(texts, notes)


#: facts that a user has to hear of: what to do, and a short name
REMEDIES = {
    "two coders: error rates are not identified": (
        "which of two coders errs cannot be told from their labels; take method='majority', or add a coder",
        "two coders",
    ),
    f"fewer than {MIN_LABELS} labels per item": (
        "a vote is often as good there; compare with method='majority' or method='one_coin'",
        "few labels",
    ),
    f"fewer than {MIN_ITEMS} items": (
        "error rates between all categories need more; compare with method='majority' or method='one_coin'",
        "few items",
    ),
    "did not converge": ("raise 'max_iter' in fit=, or 'tol'", "not converged"),
    "differs from the vote on most items: check what the labels mean": (
        "look at confusions(): most coders may be wrong, or the labels swapped",
        "against the vote",
    ),
}


def warn_of(fit: Fit) -> None:
    """One warning for the facts about the fit that matter."""
    facts, n_groups = _facts(fit), fit.cast.n_groups
    remarks = []
    for text, (remedy, code) in REMEDIES.items():
        number = int(np.count_nonzero(facts.get(text, np.zeros(1))))
        if not number:
            continue
        where = f" in {number} of {n_groups} groups" if n_groups > 1 else ""
        remarks.append(Remark(f"{fit.settings.method}: {text}{where}", remedy, code))
    warn_once(remarks)
