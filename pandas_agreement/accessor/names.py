"""The names that `df.agree` shows, in six groups, and what to write in place of other names.

`GROUPS` is the one list of names: `dir`, the two reprs, the API page of the site and the tests read it. A coefficient
that is registered and not hidden is shown, too. Hidden names work, but are neither shown nor attributes of a class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from textwrap import fill

from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.core.classes import dataclass

WIDTH = 100  # characters of a line
JUDGES_CALL = "df.agree.judges('gpt', humans=['ann', 'bob'])"


@dataclass(frozen=True, eq=False)
class Group:
    """Some names of `df.agree`, and the question that they answer."""

    title: str
    answers: str
    names: tuple[str, ...]


def _group(title: str, answers: str, names: str) -> Group:
    return Group(title, answers, tuple(names.split()))


GROUPS = (
    _group(
        "coefficients",
        "How well do the coders agree, beyond chance?",
        "kappa pi alpha ac1 ac2 s observed bias light_kappa perreault_leigh",
    ),
    _group(
        "of numbers",
        "How well do scores and measurements agree?",
        "icc ccc kendall_w pearson spearman cronbach_alpha bland_altman",
    ),
    _group(
        "where and who",
        "Which categories, coders and items are behind it?",
        "summary by_category by_coder by_pair by_item disagreements confusion margins retest",
    ),
    _group(
        "decide",
        "What is wrong, what to report, which coders and labels to trust?",
        "diagnose report compare pooled consensus truth judges preferences coder_groups",
    ),
    _group("test. and plot.", "Is it chance, do coders or groups differ? And a plot of each result.", "test plot"),
    _group(
        "input",
        "Are the data in another shape than one column per coder?",
        "long counts crosstab cells spans",
    ),
)
LABELS, NUMBERS = GROUPS[:2]  # the groups of coefficients

#: names of other packages, and former names, for a method that is not a coefficient
METHOD_ALIASES = {
    "ICC": "icc",
    "coders": "by_coder",
    "items": "by_item",
    "limits": "bland_altman",
    "limits_of_agreement": "bland_altman",
    "pairwise": "by_pair",
}

_JUDGES = "df.agree.judges('gpt', humans=['ann', 'bob'])"
_ACCURACY = f"the accuracy of a judge against humans is {_JUDGES}.accuracy(reference='majority')"
_BY_CATEGORY = f"the error rates of a judge by category are {_JUDGES}.error_rates(reference='majority')"
_MAJORITY = "the majority label of each item is df.agree.consensus('ann', 'bob', 'cleo')"
_MARGINS = "it is a test of equal label distributions, df.agree.test.margins('ann', 'bob', tests='{}')"
_OF_SPANS = "df.agree.spans(item='doc', coder='who', start='start', end='end', label='tag')"
_UNITIZING = f"alpha of spans is {_OF_SPANS}.alpha()"
#: names that people try, and where that lives
INSTEAD = {
    "accuracy": _ACCURACY,
    "alpha_u": _UNITIZING,
    "bhapkar": _MARGINS.format("bhapkar"),
    "bootstrap": "it is an option of the interval, df.agree.kappa('ann', 'bob', method='bca')",
    "bowker": _MARGINS.format("bowker"),
    "chance_test": "it is df.agree.test.chance(method='permutation')",
    "cochran_q": _MARGINS.format("cochran_q"),
    "components": "the variance components are columns of df.agree.icc(detail=True)",
    "concordance": "precision and accuracy are columns of df.agree.ccc('ann', 'bob', detail=True)",
    "contrasts": "it is df.agree.compare('ann', 'bob', by='batch')",
    "dawid_skene": "it is a model of the true labels, df.agree.truth(method='dawid_skene')",
    "describe": "several coefficients at once are df.agree.summary()",
    "f1": f"that of spans is {_OF_SPANS}.f1(); {_BY_CATEGORY}",
    "gamma": f"it is not computed, because it depends on the seed; {_UNITIZING}",
    "gold": "known labels are an option, as in df.agree.truth(gold='known'), or are a human of df.agree.judges",
    "heatmap": "plots are in df.agree.plot, such as df.agree.plot.confusion('ann', 'bob')",
    "heterogeneity": "it is df.agree.test.groups(by='batch')",
    "homogeneity": "it is df.agree.test.margins",
    "indices": "they are columns of df.agree.kappa('ann', 'bob', detail=True) and df.agree.by_pair(detail=True)",
    "interpret": "it is a function on results, pandas_agreement.interpret(df.agree.kappa('ann', 'bob'))",
    "mace": "it is a model of the true labels, df.agree.truth(method='mace')",
    "majority": _MAJORITY,
    "majority_vote": _MAJORITY,
    "mcnemar": _MARGINS.format("mcnemar"),
    "membership": "the probabilities of benchmark labels are pandas_agreement.interpret(result, detail=True)",
    "p_values": "it is df.agree.test.chance()",
    "permutation": "it is a test of chance, df.agree.test.chance(method='permutation')",
    "plot_result": "pandas_agreement.plot(result) draws any result",
    "precision": _BY_CATEGORY,
    "recall": _BY_CATEGORY,
    "replicates": "intervals from resamples are df.agree.kappa('ann', 'bob', method='bca')",
    "score_tests": "the F tests are columns of df.agree.icc(detail=True), and those of rankings of "
    "df.agree.kendall_w(detail=True)",
    "stuart_maxwell": _MARGINS.format("stuart_maxwell"),
    "u_alpha": _UNITIZING,
    "unitizing": _UNITIZING,
    "without": "df.agree.by_coder() has alpha without each coder, and any coefficient without a coder is that of the "
    "others, as in df.agree.kappa('ann', 'bob')",
}


def groups_for(kind: type) -> list[Group]:
    """The six groups, with the names that an input format has, and coefficients that were added."""
    listed = {name for group in GROUPS for name in group.names}
    added = [record for record in REGISTRY.values() if not record.hidden and record.name not in listed]
    more = {
        LABELS: [record.name for record in added if not record.needs_numbers],
        NUMBERS: [record.name for record in added if record.needs_numbers],
    }
    names = {group: [name for name in (*group.names, *more.get(group, ())) if hasattr(kind, name)] for group in GROUPS}
    return [Group(group.title, group.answers, tuple(names[group])) for group in GROUPS if names[group]]


def as_text(title: str, groups: Iterable[Group], parts: Mapping[str, Iterable[str]]) -> str:
    """The groups with their names; `parts` has the names in a namespace."""
    lines = [fill(title, WIDTH)]
    for group in groups:
        names = " ".join(_in_full(group, parts))
        lines += [
            f"{group.title}: {group.answers}",
            fill(names, WIDTH, initial_indent="    ", subsequent_indent="    "),
        ]
    return "\n".join(lines)


def as_html(title: str, groups: Iterable[Group], parts: Mapping[str, Iterable[str]]) -> str:
    """The same as a table, for notebooks."""
    from html import escape  # imported here, as few calls need it

    left = "style='text-align: left'"
    rows = []
    for group in groups:
        names = " ".join(f"<code>{escape(name)}</code>" for name in _in_full(group, parts))
        cells = f"<th {left}>{escape(group.title)}</th><td {left}>{names}</td><td {left}>{escape(group.answers)}</td>"
        rows.append(f"<tr>{cells}</tr>")
    return f"<p>{escape(title)}</p><table><tbody>{''.join(rows)}</tbody></table>"


def _in_full(group: Group, parts: Mapping[str, Iterable[str]]) -> list[str]:
    """The names of a group; those in a namespace follow its first: test.chance .margins .groups."""
    out: list[str] = []
    for name in group.names:
        inner = list(parts.get(name, ()))
        out += [f"{name}.{inner[0]}", *(f".{each}" for each in inner[1:])] if inner else [name]
    return out
