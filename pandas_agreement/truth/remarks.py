"""What to say about a fit: notes on its groups and coders, and one warning for the call."""

from __future__ import annotations

from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.errors import Remark, warn_once
from pandas_agreement.truth.fitting import Fit
from pandas_agreement.truth.kernels.coder_accuracy import Reliability

MIN_LABELS = 3  # labels per item, and items, below which a vote does as well as error rates of every coder
MIN_ITEMS = 100
NO_LABEL = "no labels", "no label"
ONE_CODER = "one coder", "one coder: nothing to compare"
TWO_CODERS = "two coders", "two coders: error rates are not identified"
FEW_LABELS = "few labels", f"fewer than {MIN_LABELS} labels per item"
FEW_ITEMS = "few items", f"fewer than {MIN_ITEMS} items"
NOT_CONVERGED = "no converge", "did not converge"
AGAINST_VOTE = "against vote", "differs from the vote on most items: check what the labels mean"
OVERCONFIDENT = "optimistic", "the expected accuracy is too high if coders make the same mistakes"


Facts = dict[tuple[str, str], Array]  # code and text: where it holds


def _facts(fit: Fit) -> Facts:
    """What holds for each group: (G,) of bool."""
    cast, n_groups = fit.cast, fit.cast.n_groups
    n_items = np.bincount(cast.group[cast.labelled], minlength=n_groups)
    facts = {NO_LABEL: n_items == 0}
    if fit.solution is None or cast.ballots is None:
        return facts
    some = n_items > 0
    n_coders = np.bincount(cast.ballots.pair_group, minlength=n_groups)
    against = np.bincount(cast.group, fit.differs_from_vote(), minlength=n_groups)
    facts[ONE_CODER] = some & (n_coders == 1)
    facts[TWO_CODERS] = some & (n_coders == 2)
    if fit.settings.method == "dawid_skene":
        facts[FEW_LABELS] = some & (fit.group_labels < MIN_LABELS * n_items)
        facts[FEW_ITEMS] = some & (n_items < MIN_ITEMS)
    facts[NOT_CONVERGED] = some & ~fit.solution.converged
    facts["one category", "one category"] = some & _one_category(fit)
    facts[AGAINST_VOTE] = some & (2 * against > n_items)
    return facts


def _one_category(fit: Fit) -> Array:
    """Groups that use one category only: (G,)."""
    K = max(fit.n_categories, 1)
    group = fit.cast.group[fit.cast.labelled][fit.votes.item]
    used = np.unique(group * K + fit.votes.code)
    return np.bincount(used // K, minlength=fit.cast.n_groups) == 1


def of_groups(fit: Fit) -> dict[str, Any]:
    """The columns `note` and `remarks` of the groups."""
    facts = _facts(fit)
    if fit.solution is not None:
        facts[OVERCONFIDENT] = ~facts[NO_LABEL]
    return _columns(facts, fit.cast.n_groups)


def _columns(facts: Facts, n_rows: int) -> dict[str, Any]:
    remarks = Remarks(n_rows)
    for remark, holds in facts.items():
        remarks.add(holds, *remark)
    return remarks.columns()


def of_items(fit: Fit) -> dict[str, Any]:
    """The columns `note` and `remarks` of the items: the first remark that holds."""
    remarks = Remarks(len(fit.label)).add(~fit.cast.labelled, *NO_LABEL)
    remarks.add(fit.cast.labelled & (fit.decision.first < 0), "no vote", "no vote has weight")
    remarks.add(remarks.none & fit.tie & (fit.label < 0), "tie", "tie")
    remarks.add(remarks.none & (fit.n_labels == 1), "one label", "one label")
    return remarks.columns()


def of_coders(fit: Fit, found: Reliability) -> dict[str, Any]:
    """The columns `note` and `remarks` of the coders."""
    ballots = fit.ballots
    if fit.settings.is_vote:
        return _columns({}, ballots.n_pairs)
    n_coders = np.bincount(ballots.pair_group, minlength=ballots.n_groups)[ballots.pair_group]
    bound = (found.accuracy <= 0) | (found.accuracy >= 1)
    facts = {
        TWO_CODERS: n_coders == 2,
        ONE_CODER: n_coders == 1,
        ("narrow ci", "the interval treats the other coders as known and is too narrow"): found.alone,
        ("no se", "accuracy at its bound: no interval"): bound & np.isfinite(found.accuracy_se),
    }
    return _columns(facts, ballots.n_pairs)


#: facts that a user has to hear of: what to do, and a short name
REMEDIES = {
    TWO_CODERS: (
        "labels of two coders do not show which of them is wrong; use method='majority', or add a coder",
        "two coders",
    ),
    FEW_LABELS: (
        "a majority vote is often as good as a model then; compare with method='majority' or method='one_coin'",
        "few labels",
    ),
    FEW_ITEMS: (
        "error rates between all categories need more items; compare with method='majority' or method='one_coin'",
        "few items",
    ),
    NOT_CONVERGED: ("raise 'max_iter' in fit=, or 'tol'", "not converged"),
    AGAINST_VOTE: (
        "look at confusions(): most coders may be wrong, or the labels swapped",
        "against the vote",
    ),
}


def warn_of(fit: Fit) -> None:
    """One warning for the facts about the fit that matter."""
    facts, n_groups = _facts(fit), fit.cast.n_groups
    remarks = []
    for fact, (remedy, code) in REMEDIES.items():
        number = int(np.count_nonzero(facts.get(fact, np.zeros(1))))
        if not number:
            continue
        where = f" in {number} of {n_groups} groups" if n_groups > 1 else ""
        remarks.append(Remark(f"{fit.settings.method}: {fact[1]}{where}", remedy, code))
    warn_once(remarks)
