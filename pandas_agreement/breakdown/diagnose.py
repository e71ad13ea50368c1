"""Findings about the data, each with the number and the threshold behind it.

The order of `RULES` is that of the findings: bad data come first, then what holds for all coders, two camps, single
coders, categories, and what was not tested. Each rule selects rows of one of the tables of `evidence`, group by
group, by its threshold. The computation of those frames lives in the other modules of this folder. Some findings are
facts about the data at hand: bad data, undefined, spellings, rare categories, wide intervals, items with one label. All
others say something about other items too. They need a test at `LEVEL`, adjusted for the number of coders, pairs or
categories, or an interval wholly beyond the threshold, so that on coders who are alike each kind is found in at most
5 % of data sets (`tests/benchmarks/false_alarms.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from string import Formatter
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.bad_data import TIMES_RANGE
from pandas_agreement.breakdown.camps import LEVEL, MIN_GAP, MIN_ITEMS
from pandas_agreement.breakdown.coder_tests import MIN_GAP as MIN_GAP_OF_CODER
from pandas_agreement.breakdown.evidence import Evidence
from pandas_agreement.breakdown.grouped_rows import ALL, GroupedRows, joined, named
from pandas_agreement.breakdown.marginal_tests import MAX_CATEGORIES
from pandas_agreement.breakdown.scales import MIN_OPEN, Kind, Measurement
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.progress import Bar
from pandas_agreement.core.remarks import remarks_in
from pandas_agreement.core.sums import divide
from pandas_agreement.core.weights import has_decimal_comma, reads_as_number
from pandas_agreement.data import Reading
from pandas_agreement.data.reading import scores_of
from pandas_agreement.errors import collect_warnings, shown
from pandas_agreement.formatting import count, label_text, listed, p_words
from pandas_agreement.hypothesis_tests.category import MARGIN, MIN_SHARE
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas

SEVERITIES = ("high", "medium", "low")
OPEN = "numbers: names or a scale?"
MAX_RARE = 20  # rare categories of a group that have a row each; of more only the first are named
MAX_NAMED = 5
MAX_WEAK = 5  # categories of a group with the same finding that have a row each
MAX_ENTROPY = 0.2
MAX_MISSED = 0.3  # gap in agreement of a coder that should be found
MISSING_CODE = "if it stands for a missing label, leave it out before you measure"
ALIKE = 1 - 1e-9  # all but for rounding
COPIES = "the others never disagree: make sure that none of them was copied from another, and only then "
ASSUMED = (
    "; this holds if these items were no harder than their neighbours: if there were batches, look at each by itself"
)
NAME_CODERS = "give the single labels with the coder of each, not their counts, if single coders are the question"
MORE_ITEMS = "have more items labelled, best by three coders or more each, if single coders are the question"
TRAIN_SCORER = "go through the items that this coder scored farthest from the others, and train the coder again"
NUMBERS = ("estimate", "ci_low", "ci_high", "p_value")
OF_COEFFICIENT = {"estimate": "estimate", "ci_low": "ci_low", "ci_high": "ci_high"}
TESTS = {"stuart_maxwell": "Stuart-Maxwell test", "mcnemar": "McNemar's test"}
FOUND = ["about", *NUMBERS, "n_items", "measure", "evidence"]  # columns of the rows that a rule selects
NOTHING = GroupedRows([])


@dataclass(frozen=True, eq=False)
class Rule:
    """`look` selects rows by the threshold, with the columns about, measure, evidence and those of `NUMBERS`."""

    name: str
    severity: str  # of rows without one of their own
    threshold: float
    look: Callable[[Evidence, float], GroupedRows]
    needs_coders: bool = False
    both_ways: bool = False  # where the level is open, it has to hold at either
    special_advice: str = ""

    @property
    def advice(self) -> str:
        return self.special_advice or ADVICE[self.name]

    def found(self, evidence: Evidence) -> GroupedRows:
        """Its findings, with all their columns."""
        if self.needs_coders and not evidence.identified:
            return NOTHING
        rows = self.rows(evidence)
        own = {name: rows[name] if name in rows else getattr(self, name) for name in ("severity", "advice")}
        return rows.assign(n_items=evidence.items(rows), finding=self.name, threshold=self.threshold, **own)

    def rows(self, evidence: Evidence) -> GroupedRows:
        """The rows that it selects; where the level of the labels is open, those that either level has."""
        rows = self.look(evidence, self.threshold)
        if evidence.other is None or not self.both_ways or not len(rows):
            return rows
        also = self.look(evidence.other, self.threshold)
        both = set(also.keys("about")) if len(also) else set()
        return rows.where([key in both for key in rows.keys("about")])


#: names that the tables of the rules have
TAKEN = ["finding", *schemas.FINDINGS, *schemas.RESULT, *schemas.CATEGORY, *schemas.CODERS, *schemas.MARGINS]


def diagnose(reading: Reading, scale: Measurement | None = None, bar: Bar = iter) -> pd.DataFrame:
    """One row per finding, in the order of the rules."""
    frames.check_keys(reading.groups, TAKEN)
    kind: Kind = "names" if scale is None else scale.kind
    options = None if scale is None else scale.options
    other = Evidence(reading, kind, options=Options().at("level", "ordinal")) if kind == "open" else None
    if kind == "scores":
        reading = replace(reading, ratings=scores_of(reading, "diagnose"))
    evidence = Evidence(reading, kind, options=options, other=other)
    with collect_warnings():  # undefined estimates are findings
        found = joined(list(findings(evidence, bar(rules_for(kind)))), ["finding", *schemas.FINDINGS])
    return frames.result(_index(found, reading.groups), found.columns, schemas.FINDINGS)


def findings(evidence: Evidence, rules: Iterable[Rule]) -> Iterator[GroupedRows]:
    """What each rule finds."""
    yield GroupedRows([], **{name: np.zeros(0, object) for name in ("finding", *schemas.FINDINGS)})
    for rule in rules:
        found = rule.found(evidence)
        if len(found):
            yield found


def _index(found: GroupedRows, groups: pd.Index | None) -> pd.Index:
    """The group keys, missing in findings about all groups together, and the name of the finding."""
    if groups is None:
        return pd.Index(found["finding"].tolist(), name="finding")
    keys = groups.to_frame(index=False).reindex(found.group)
    return pd.MultiIndex.from_frame(keys.assign(finding=found["finding"].tolist()))


def _report(rows: GroupedRows, about: Any, measure: Any, sentence: str, **numbers: str) -> GroupedRows:
    """GroupedRows as findings: the subject, what was measured, and the sentence filled in with the columns of each row.

    `numbers` says which columns hold the estimate, its limits and the p-value; without any they are those of a
    coefficient. Most rules find nothing, and no rows are returned as they are.
    """
    if not len(rows):
        return rows
    about = about if isinstance(about, str) else [str(x) or repr(x) for x in about]
    sources = {name: (numbers or OF_COEFFICIENT).get(name) for name in NUMBERS}
    columns = {name: rows[source].astype(float) if source else np.nan for name, source in sources.items()}
    return rows.assign(evidence=_filled(sentence, rows), about=about, measure=measure, **columns)


def _filled(sentence: str, rows: GroupedRows) -> list[str]:
    """A sentence for each row, filled in with the columns that it names; there may be a million rows."""
    fields = dict.fromkeys(field for _, field, _, _ in Formatter().parse(sentence) if field)
    if not fields:
        return [sentence.format()] * len(rows)
    columns = [rows[field].tolist() for field in fields]
    return [sentence.format_map(dict(zip(fields, row, strict=True))) for row in zip(*columns, strict=True)]


def _labels(evidence: Evidence, codes: Array) -> Array:
    """Labels; sets as text."""
    found: Array = evidence.labels.take(codes).to_numpy(object).copy()
    for place, label in enumerate(found.tolist() if evidence.labels.inferred_type == "mixed" else ()):
        found[place] = label_text(label) if isinstance(label, frozenset) else label
    return found


def _names(evidence: Evidence, labels: Array) -> list[str]:
    """Labels as text; in quotation marks if another label has the same text."""
    every, given = evidence.labels, labels.tolist()
    if every.inferred_type == "string":
        return [str(label) or repr(label) for label in given]
    texts = Counter(map(str, every))
    return [repr(label) if isinstance(label, str) and texts[label] > 1 else str(label) for label in given]


def _p_texts(p: Array) -> list[str]:
    return [p_words(each) for each in p.tolist()]


# ------------------------------------------------------------------------------------------------------------ rules


def _undefined(evidence: Evidence, least: float) -> GroupedRows:
    rows = evidence.lead.where(np.isnan(evidence.lead["estimate"]))
    rows = rows.assign(reason=[remarks_in(remarks)[0] for remarks in rows["remarks"]])
    return _report(rows, "", evidence.title, f"{evidence.title} is undefined: {{reason}}")


def _paradox(evidence: Evidence, min_gap: float) -> GroupedRows:
    """High agreement, low kappa, and AC1 well above it, each by its interval."""
    kappa, ac1, observed = (evidence.pick(name) for name in ("kappa", "ac1", "observed"))
    gap = ac1["estimate"] - kappa["estimate"]
    gap_low = gap - np.hypot(ac1["estimate"] - ac1["ci_low"], kappa["ci_high"] - kappa["estimate"])  # Zou & Donner 2008
    clear = (observed["ci_low"] >= 0.8) & (kappa["ci_high"] < 0.6) & (gap_low >= min_gap)
    rows = kappa.assign(ac1=ac1["estimate"], gap=gap, gap_low=gap_low).where(clear & (kappa["varied"] >= MIN_ITEMS))
    if not len(rows):
        return rows
    limits = evidence.limits
    top = limits.take(np.argsort(-limits["share"], kind="stable")).firsts()
    rows = rows.beside(GroupedRows(top.group, category=_labels(evidence, top["code"]), share=top["share"]))
    sentence = (
        "observed agreement is {observed:.2f} and kappa only {estimate:.2f} (at most {ci_high:.2f}), because "
        "{category!r} is {share:.0%} of the labels; AC1 is {ac1:.2f}, at least {gap_low:.2f} more, "
        f"above {min_gap}"
    )
    return _report(rows, "", "AC1 minus kappa", sentence, estimate="gap", ci_low="gap_low")


def _low(evidence: Evidence, bar: float) -> GroupedRows:
    rows = evidence.lead
    rows = rows.where((rows["ci_high"] < bar) & (rows["varied"] >= MIN_ITEMS))
    ends = [f"{high:.3f}" if round(high, 3) < bar else f"{high:.5f}" for high in rows["ci_high"].tolist()]
    sentence = f"{evidence.title} is {{estimate:.3f}}, its interval ends at {{ends}}, below {bar:g}"
    return _report(rows.assign(ends=ends), "", evidence.title, sentence)


def _wide_interval(evidence: Evidence, max_width: float) -> GroupedRows:
    rows = evidence.lead
    width = rows["ci_high"] - rows["ci_low"]
    rows = rows.assign(width=width).where(width > max_width)
    bounds = f"{evidence.title} lies between {{ci_low:.3f}} and {{ci_high:.3f}}"
    if evidence.kind == "scores":
        return _report(rows, "", evidence.title, f"with {{n_items}} items {bounds}")
    needed = [items_needed(n, each, max_width) for n, each in zip(rows["n_items"], rows["width"], strict=True)]
    sentence = f"with {{n_items}} items labelled twice or more {bounds}; "
    sentence += f"{{needed}} items would bring that to {max_width}"
    return _report(rows.assign(needed=needed), "", evidence.title, sentence)


def _open_scale(evidence: Evidence, least: float) -> GroupedRows:
    """Whole numbers that may be names or steps of a scale: alpha both ways."""
    if evidence.other is None:
        return NOTHING
    labels, rows = evidence.labels, evidence.pick("alpha")
    steps = evidence.other.pick("alpha")["estimate"]
    rows = rows.assign(steps=steps, n=len(labels), low=labels.min() if len(labels) else 0, high=labels.max())
    sentence = "the labels are {n} whole numbers, {low} to {high}: alpha is {estimate:.2f} if they are categories "
    sentence += "(nominal level), and {steps:.2f} if they are steps of a scale (ordinal level)"
    return _report(rows.where(~np.isnan(rows["estimate"])), "", "different numbers", sentence, estimate="n")


def items_needed(n_items: int, width: float, target: float) -> int:
    """Items for an interval of the target width, which is proportional to 1 / sqrt(n_items)."""
    return int(np.ceil(n_items * (width / target) ** 2))


def _single(evidence: Evidence, max_share: float) -> GroupedRows:
    one, labelled = evidence.sizes["one"], evidence.sizes["one"] + evidence.sizes["more"]
    rows = GroupedRows(evidence.groups, one=one, n_items=labelled, part=divide(one, labelled))
    sentence = "{one:.0f} of {n_items:.0f} labelled items have one label only"
    rows = rows.where(rows["part"] > max_share)
    return _report(rows, "", "share of items with one label", sentence, estimate="part")


def _out_of_line(evidence: Evidence, min_gap: float) -> GroupedRows:
    """Coders whose agreement with the others is below theirs among themselves, with what else is said of them."""
    rows = evidence.coder_tests
    rows = rows.where(rows["named"])
    if not len(rows):
        return rows
    sentence = (
        "the agreement beyond chance of {coder!r} with the other coders is {agreement:.2f}, that of the others "
        "{others:.2f} on {where}: {gap:.2f} less (95%: {gap_low:.2f} to {gap_high:.2f}; {p}, step-down){also}{assumed}"
    )
    numbers = {"estimate": "gap", "ci_low": "gap_low", "ci_high": "gap_high", "p_value": "p_adjusted"}
    neighbours = rows["weight"] < 0.5
    train = TRAIN_SCORER if evidence.kind == "scores" else ADVICE["coder out of line"]
    rows = rows.assign(
        p=_p_texts(rows["p_adjusted"]),
        where=[_items_behind(*items) for items in zip(rows["n_items"], rows["n_two"], strict=True)],
        also=_also(evidence, rows),
        advice=np.where(rows["others"] > ALIKE, COPIES + train, train),
        assumed=np.where(neighbours, ASSUMED, ""),
        severity=np.where(neighbours & (rows["batches"] < 0.1), "medium", "high"),
    )
    return _report(rows, rows["coder"], "gap in agreement", sentence, **numbers)


def _items_behind(n_items: float, n_two: float) -> str:
    if not n_two:
        return f"the same {count(n_items, 'item')}"
    of_two = "" if n_two == n_items else f", {n_two:,.0f} with two labels"
    return f"neighbouring items ({count(n_items, 'item')}{of_two})"


def _also(evidence: Evidence, rows: GroupedRows) -> list[str]:
    """What else there is to say about coders who are out of line."""
    texts = dict.fromkeys(rows.keys("coder"), "")
    if not evidence.identified or evidence.kind in ("sets", "scores"):
        return list(texts.values())
    parts = [
        (_usage_rows(evidence), "; {who} {usage}"),
        (_hardly_varying(evidence, MAX_ENTROPY), "; the labels of {coder!r} are nearly always {category!r}"),
    ]
    for found, sentence in parts:
        for key, text in zip(found.keys("coder"), _filled(sentence, found), strict=True):
            texts |= {key: texts[key] + text} if key in texts else {}
    return list(texts.values())


def _in_line(evidence: Evidence, rows: GroupedRows) -> GroupedRows:
    """Without coders who are out of line, whose finding says everything."""
    tests = evidence.coder_tests
    out = set(tests.where(tests["named"]).keys("coder"))
    return rows.where([key not in out for key in rows.keys("coder")])


def _two_camps(evidence: Evidence, min_gap: float) -> GroupedRows:
    """Two camps that agree more within each than across, on items that did not define them."""
    rows = evidence.camps
    sentence = (
        "on the half of the items that did not define the camps ({n_items:.0f}) alpha is {within_1:.2f} within one, "
        "{within_2:.2f} within the other and {across:.2f} across: "
        f"at least {{gap:.2f}} less, above {min_gap} ({{p}})"
    )
    rows = rows.assign(p=_p_texts(rows["p_value"]))
    return _report(rows, _sides(rows), "alpha within minus across", sentence, estimate="gap", p_value="p_value")


def _sides(camps: GroupedRows) -> list[str]:
    return [f"{one} against {other}" for one, other in zip(camps["first"], camps["second"], strict=True)]


def _always_the_same(evidence: Evidence, max_entropy: float) -> GroupedRows:
    rows = _in_line(evidence, _hardly_varying(evidence, max_entropy))
    sentence = (
        f"the labels of {{coder!r}} have an entropy of {{entropy:.2f}}, below {max_entropy} (1: all categories alike), "
        "mostly {category!r}, more often than the others on the same items ({p} after Holm)"
    )
    rows = rows.assign(p=_p_texts(rows["p_holm"]))
    return _report(rows, rows["coder"], "entropy of labels", sentence, estimate="entropy", p_value="p_holm")


def _hardly_varying(evidence: Evidence, max_entropy: float) -> GroupedRows:
    """Coders who hardly vary although the mean coder does, and give their usual label more often than the others."""
    sums, entropy, p = evidence.sums, evidence.sums.entropy(), evidence.usual_labels
    mean = divide(sums.shares.sum(1), sums.present.sum(1)[:, None])
    varies = _entropy(mean) >= max_entropy
    chosen = (entropy < max_entropy) & (sums.n_labels >= MIN_ITEMS) & (p < LEVEL) & varies[:, None]
    rows = evidence.of_coders(chosen, entropy=entropy, p_holm=p, n_items=sums.n_shared.astype(np.int64))
    return rows.assign(category=_labels(evidence, sums.totals[chosen].argmax(-1)) if len(rows) else [])


def _entropy(shares: Array) -> Array:
    """The entropy of shares (..., K), which is 1 if all are equal."""
    logs = np.log(np.where(shares > 0, shares, 1.0))
    return -(shares * logs).sum(-1) / np.log(max(shares.shape[-1], 2))


def _margins_differ(evidence: Evidence, level: float) -> GroupedRows:
    """Of three coders or more each against the others, of two camps one against the other, of two coders a test."""
    if evidence.reading.ratings.n_categories > MAX_CATEGORIES:
        return NOTHING
    if len(evidence.reading.coders) <= 2:
        return _two_margins_differ(evidence, level)
    rows = _in_line(evidence, _usage_rows(evidence))
    return _report(rows, rows["about"], "difference in share", "{who} {usage}", estimate="points", p_value="p_holm")


def _usage_rows(evidence: Evidence) -> GroupedRows:
    """Coders or camps who use a category at another rate, in words."""
    rows, camps = evidence.usage, evidence.camps
    if not len(rows):
        return rows.assign(coder=[], about=[], who=[], usage=[])
    of_camp, about, who = rows["of_camp"], rows["coder"].copy(), np.array(list(map(repr, rows["coder"])), object)
    others = np.full(len(rows), "the others", object)
    camp = np.searchsorted(camps.group, rows.group[of_camp])
    about[of_camp], who[of_camp] = named(_sides(camps), camp), camps["first"][camp]
    others[of_camp] = camps["second"][camp]
    sentence = "{verb} {category!r} {way} often than {others} on the same items, by {size} percentage points ({p})"
    rows = rows.assign(
        about=about,
        who=who,
        category=_labels(evidence, rows["code"]),
        verb=np.where(of_camp, "choose", "chooses"),
        size=(100 * np.abs(rows["points"])).round().astype(int),
        way=np.where(rows["points"] > 0, "more", "less"),
        others=others,
        p=_p_texts(rows["p_holm"]),
    )
    return rows.assign(usage=_filled(sentence, rows))


def _two_margins_differ(evidence: Evidence, level: float) -> GroupedRows:
    rows = evidence.tests.where(evidence.tests["p_holm"] < level)
    about = [f"{one} and {two}" for one, two in zip(rows["coder_1"], rows["coder_2"], strict=True)]
    tests = [TESTS[test] for test in rows["test"]]
    sentence = "{coder_1!r} and {coder_2!r} use the categories at different rates on their {n_items} common items "
    rows = rows.assign(test=tests, p=_p_texts(rows["p_holm"]))
    return _report(rows, about, tests, sentence + "({test}, {p})", p_value="p_holm")


def _confused(evidence: Evidence, min_share: float) -> GroupedRows:
    rows = evidence.confused
    if not len(rows):
        return rows
    first, second = (_labels(evidence, rows[side]) for side in ("one", "two"))
    about = map(" and ".join, zip(_names(evidence, first), _names(evidence, second), strict=True))
    sentence = (
        "{share:.0%} of all disagreements are between {first!r} and {second!r}, {chance:.0%} if labels met by chance; "
        "they are {part} of the disagreements of either ({n_items:.0f} items; {p})"
    )
    parts = [f"{part:.0%} or more" if part < ALIKE else "all" for part in rows["of_each"].tolist()]
    rows = rows.assign(first=first, second=second, part=parts, p=_p_texts(rows["p_value"]))
    return _report(rows, about, "share of disagreements", sentence, estimate="share", p_value="p_value")


def _below_others(evidence: Evidence, margin: float) -> GroupedRows:
    """Categories with less agreement than the others, and what they are confused with."""
    rows = evidence.below_others
    rows = _clear(evidence, rows.where(rows["p_holm"] < LEVEL))
    if not len(rows):
        return rows
    category = _labels(evidence, rows["code"])
    rows = rows.assign(category=category, mixed=_mixed_up(evidence, rows), p=_p_texts(rows["p_holm"]))
    rows = rows.assign(gap=rows["others"] - rows["kappa"])
    sentence = (
        "agreement beyond chance on {category!r} is {kappa:.2f}, on the other categories {others:.2f} "
        "({p} after Holm){mixed}"
    )
    return _report(rows, _names(evidence, category), "gap in agreement", sentence, estimate="gap", p_value="p_holm")


def _mixed_up(evidence: Evidence, rows: GroupedRows) -> list[str]:
    """With which category each is confused most, where there are more than two."""
    if not len(rows):
        return []
    other, share = (values[rows.group, rows["code"]] for values in evidence.category_tests.most_confused())
    several = evidence.category_tests.number[rows.group] > 2
    labels = _labels(evidence, other).tolist()
    return [
        f"; {part:.0%} of its disagreements are with {label!r}" if part and named else ""
        for label, part, named in zip(labels, share, several, strict=True)
    ]


def _clear(evidence: Evidence, rows: GroupedRows) -> GroupedRows:
    """Without categories that are known to be confused with another one."""
    pairs, K = evidence.confused, len(evidence.labels)
    confused = np.concatenate([pairs.group * K + pairs[side] for side in ("one", "two")])
    return rows.where(~np.isin(rows.group * K + rows["code"], confused)) if len(pairs) else rows


def _nobody_agrees(evidence: Evidence, max_rate: float) -> GroupedRows:
    rows = _doubtful(evidence)
    sentence = (
        "where one of two coders chose {category!r}, both did in {estimate:.0%} "
        f"(at most {{high:.0%}}, below {max_rate:.0%}; {{n_items}} items){{mixed}}"
    )
    several = f"where one of two coders chose one of {{number:,}} categories, both did in less than {max_rate:.0%}: "
    numbers = {"estimate": "estimate", "ci_high": "high"}
    rows = rows.where(rows["high"] < max_rate)
    rows = rows.assign(mixed=_mixed_up(evidence, rows))
    return _few_or_all(evidence, rows, MAX_WEAK, "rate", sentence, several, **numbers)


def _doubtful(evidence: Evidence) -> GroupedRows:
    """Categories that are not known to be confused, where there is some agreement."""
    rows = _clear(evidence, evidence.limits)
    return rows.where((evidence.pick("alpha")["ci_low"] > 0)[rows.group])


def _no_better_than_chance(evidence: Evidence, max_kappa: float) -> GroupedRows:
    """Categories that cannot be told from chance, although there are items enough to see an agreement."""
    rows = _doubtful(evidence)
    rows = rows.where((rows["p_holm"] > LEVEL) & (rows["kappa_high"] < max_kappa))
    if len(evidence.labels) == 2:  # both have the same p: report the rarer one
        rows = rows.take(np.argsort(rows["n_labels"], kind="stable")).firsts()
    sentence = (
        "how often coders meet on {category!r} cannot be told from chance ({p} after Holm): agreement beyond chance is "
        f"{{kappa:.2f}}, at most {{kappa_high:.2f}}, below {max_kappa} ({{n_items}} items){{mixed}}"
    )
    several = "how often coders meet on one of {number:,} categories cannot be told from chance: "
    numbers = {"estimate": "kappa", "ci_high": "kappa_high", "p_value": "p_holm"}
    rows = rows.assign(mixed=_mixed_up(evidence, rows), p=_p_texts(rows["p_holm"]))
    return _few_or_all(evidence, rows, MAX_WEAK, "agreement beyond chance", sentence, several, **numbers)


def _rare(evidence: Evidence, min_labels: float) -> GroupedRows:
    rows = evidence.categories
    rows = rows.where((rows["n_labels"] > 0) & (rows["n_labels"] < min_labels))
    several = f"{{number:,}} categories were chosen fewer than {min_labels:g} times each, {{once:,}} of them once: "
    rows = rows.assign(times=_times(rows))
    sentence = "{category!r} was chosen {times} in all"
    return _few_or_all(evidence, rows, MAX_RARE, "labels", sentence, several, estimate="n_labels")


def _few_or_all(
    evidence: Evidence, rows: GroupedRows, most: int, measure: str, sentence: str, several: str, **numbers: str
) -> GroupedRows:
    """A row for each category; where a group has many of them, one row for all, in which the first are named."""
    many = np.bincount(rows.group, minlength=1)[rows.group] > most
    few, grouped = rows.where(~many), rows.where(many)
    few = few.assign(category=_labels(evidence, few["code"]))
    few = _report(few, _names(evidence, few["category"]), measure, sentence, **numbers)
    group, start, number = np.unique(grouped.group, return_index=True, return_counts=True)
    if not len(group):
        return few
    once = np.add.reduceat(grouped["n_labels"] == 1, start)
    first = [_labels(evidence, grouped["code"][place : place + MAX_NAMED]).tolist() for place in start]
    texts = [", ".join(map(repr, labels)) for labels in first]
    together = GroupedRows(group, number=number, once=once, named=texts, others=number - MAX_NAMED)
    together = together.assign(n_items=evidence.items(together))
    about = [f"{each:,} categories" for each in number]
    together = _report(together, about, "categories", several + "{named} and {others:,} more", estimate="number")
    return joined([few, together], FOUND) if len(few) else together


def _times(rows: GroupedRows) -> list[str]:
    return ["once" if number == 1 else f"{number:.0f} times" for number in rows["n_labels"]]


def _one_coder_only(evidence: Evidence, level: float) -> GroupedRows:
    totals = evidence.sums.totals
    group, coder, code = np.nonzero((totals > 0) & (evidence.sole_users < level)[:, None])
    rows = GroupedRows(group, n_labels=totals[group, coder, code], p_holm=evidence.sole_users[group, code])
    who, category = named(evidence.reading.coders, evidence.sums.coder_of[group, coder]), _labels(evidence, code)
    rows = rows.assign(coder=who, category=category, times=_times(rows), p=_p_texts(rows["p_holm"]))
    sentence = "only {coder!r} ever says {category!r} ({times}; by chance {p} after Holm)"
    return _report(rows, _names(evidence, category), "labels", sentence, estimate="n_labels", p_value="p_holm")


def _spellings(evidence: Evidence, least: float) -> GroupedRows:
    same: dict[str, list[Any]] = {}
    for label in evidence.labels.to_numpy(object).tolist():
        same.setdefault(str(label).strip().casefold(), []).append(label)
    variants = [list(map(repr, labels)) for labels in same.values() if len(labels) > 1]
    texts = [" and ".join(labels) for labels in variants]
    rows = GroupedRows([ALL] * len(variants), labels=texts, number=np.array(list(map(len, variants))))
    about = [", ".join(labels) for labels in variants]
    return _report(rows, about, "spellings", "{labels} differ by case, spaces or type only", estimate="number")


def _missing_codes(evidence: Evidence, least: float) -> GroupedRows:
    """Labels that look like codes for a missing label, with the line that removes them."""
    rows = evidence.suspects
    labels = [count(number, "label") for number in rows["n_labels"]]
    advice = [f"{MISSING_CODE}: labels = labels.mask(labels.isin([{label!r}]))" for label in rows["label"]]
    rows = rows.assign(labels=labels, title=evidence.title, advice=advice)
    sentence = "{label!r} stands on {labels}; {title} is {with_it:.3f}, and {without_it:.3f} without them"
    return _report(rows, rows["label"], "labels", sentence, estimate="n_labels")


def _far_values(evidence: Evidence, times: float) -> GroupedRows:
    far = evidence.far_values
    if not far:
        return NOTHING
    names = listed(f"{float(value):g}" for value in far)
    sentence = f"{names}: farther from all other values than {times:g} times the range of these"
    return _report(GroupedRows([ALL], number=len(far)), names, "values", sentence, estimate="number")


def _decimal_commas(evidence: Evidence, least: float) -> GroupedRows:
    """Text that is numbers throughout, with decimal commas."""
    labels = evidence.labels.to_numpy(object).tolist()
    commas = list(filter(has_decimal_comma, labels))
    if len(commas) < least or not all(has_decimal_comma(label) or reads_as_number(label) for label in labels):
        return NOTHING
    rows = GroupedRows([ALL], number=len(commas), first=[shown(commas[0])])
    return _report(rows, rows["first"], "labels", "labels such as {first} are compared as text", estimate="number")


def _not_tested(evidence: Evidence, max_gap: float) -> GroupedRows:
    """Why no coder can be called out of line, or which gap would hardly be seen."""
    rows = evidence.untested
    rows = rows.where(~np.isin(rows.group, evidence.camps.group) & ~(rows["missed"] <= max_gap))
    columns = (rows[name].tolist() for name in ("n_coders", "missed", "n_items", "two"))
    reasons = [_reason(evidence.identified, max_gap, *row) for row in zip(*columns, strict=True)]
    rows = rows.assign(reason=[reason for reason, _ in reasons], advice=[advice for _, advice in reasons])
    return _report(rows, "coders", "gap", "{reason}", estimate="missed")


def _reason(
    identified: bool, max_gap: float, n_coders: int, missed: float, n_items: float, two: float
) -> tuple[str, str]:
    """Why single coders were not tested, and what to do about it."""
    if not identified:
        return "the coder of each label is not known, so no coder can be out of line", NAME_CODERS
    if n_coders == 2:
        reason = "there are only two coders, so it is impossible to tell which of them is out of line"
        return reason, ADVICE["not tested"]
    if np.isnan(missed):
        return "the coders share too few items to tell who is out of line", ADVICE["not tested"]
    needed = int(np.ceil(n_items * (missed / max_gap) ** 2))
    reason = (
        f"with {count(n_items - two, 'item')} of three labels or more and {two:,.0f} of two, a coder whose "
        f"agreement beyond chance is less than {missed:.2f} below that of the others would hardly be found; it "
        f"takes about {needed:,} items to find a gap of {max_gap:g}"
    )
    return reason, MORE_ITEMS


def _levels_differ(evidence: Evidence, level: float) -> GroupedRows:
    """The mean scores of the coders differ; the sentence names the coder farthest from the others."""
    rows, away = evidence.levels, evidence.score_differences
    away = away.where(away["shared"] >= MIN_ITEMS)
    far = away.take(np.argsort(-np.abs(away["difference"]), kind="stable")).firsts()
    rows = rows.where(rows["p_value"] < level).beside(far)
    rows = rows.assign(p=_p_texts(rows["p_value"]))
    sentence = "the mean scores of the coders differ (F test, {p}); "
    sentence += "{coder!r} is farthest from the others of the same items, by {difference:+.3g}"
    measure = "difference in mean score"
    return _report(rows, "", measure, sentence, estimate="difference", p_value="p_value")


ADVICE = {
    "code for a missing label?": MISSING_CODE,
    "value far from all others": "check these values: a typing error, another unit or a code for a missing value?",
    "decimal commas?": "read the file with decimal=',', on the command line with --decimal ,",
    OPEN: (
        "decide which they are, and set the level to nominal or ordinal; until then findings hold for both, and there "
        "is no advice on single categories"
    ),
    "undefined": "collect items that two coders label, with more than one category",
    "same label, spelt differently": "make them one label: the same case, no spaces around it, and always text or "
    "always a number",
    "low agreement": "do not draw conclusions yet; start with the findings below or, if there are none, the guidelines",
    "high agreement, low kappa": (
        "report AC1 or the rates by category beside kappa, and sample more items of the other categories"
    ),
    "coder out of line": "go through the items on which this coder differs from the others, and train the coder again",
    "two camps": ("compare the two camps, and ask what they see differently: it may be another view and not an error"),
    "coder who hardly varies": "check that this coder reads the items",
    "margins differ": "the coders draw the line between categories differently; agree on border cases",
    "categories confused": "distinguish the two categories in the guidelines, with border cases, or merge them",
    "category below the others": (
        "define this category more clearly, with examples of what belongs to the category it is confused with"
    ),
    "category nobody agrees on": ("redefine the category, with examples, or merge it with the one it is confused with"),
    "category no better than chance": "treat its labels as guesses until it is redefined",
    "label of one coder only": "is it a typing error, or a category that the others do not know?",
    "rare category": "so few labels say little about agreement on it; label more items of it",
    "wide interval": "have more items labelled by two coders or more",
    "coders differ in level": (
        "see how far each coder is from the others; agree on anchors of the scale, or centre the scores"
    ),
    "many items with one label": "they say nothing about agreement; have a part of them labelled again",
    "not tested": "have three coders or more label the same items, if single coders are the question",
}
RULES = (
    Rule("code for a missing label?", "high", 1, _missing_codes),
    Rule("value far from all others", "high", TIMES_RANGE, _far_values),
    Rule("decimal commas?", "high", 2, _decimal_commas),
    Rule("same label, spelt differently", "high", 2, _spellings),
    Rule(OPEN, "high", MIN_OPEN, _open_scale),
    Rule("undefined", "high", 2, _undefined),
    Rule("low agreement", "high", 0.667, _low, both_ways=True),
    Rule("two camps", "high", MIN_GAP, _two_camps, needs_coders=True),
    Rule("coder out of line", "high", MIN_GAP_OF_CODER, _out_of_line, needs_coders=True, both_ways=True),
    Rule("margins differ", "medium", LEVEL, _margins_differ, needs_coders=True),
    Rule("categories confused", "high", MIN_SHARE, _confused),
    Rule("category below the others", "high", MARGIN, _below_others),
    Rule("category nobody agrees on", "high", 0.3, _nobody_agrees),
    Rule("category no better than chance", "high", 0.4, _no_better_than_chance, needs_coders=True),
    Rule("high agreement, low kappa", "medium", 0.2, _paradox, needs_coders=True),
    Rule("coder who hardly varies", "medium", MAX_ENTROPY, _always_the_same, needs_coders=True),
    Rule("label of one coder only", "medium", LEVEL, _one_coder_only, needs_coders=True),
    Rule("wide interval", "medium", 0.3, _wide_interval, both_ways=True),
    Rule("rare category", "low", 5, _rare),
    Rule("many items with one label", "low", 0.2, _single),
    Rule("not tested", "low", MAX_MISSED, _not_tested),
)

#: rules about scores
SCORE_RULES = (
    *RULES[:2],
    Rule("undefined", "high", 2, _undefined, special_advice="collect items that two coders score, and that differ"),
    Rule("low agreement", "high", 0.667, _low),
    Rule("coder out of line", "high", MIN_GAP_OF_CODER, _out_of_line),
    Rule("coders differ in level", "medium", LEVEL, _levels_differ),
    Rule("wide interval", "medium", 0.3, _wide_interval, special_advice="have more items scored, by more coders"),
    *RULES[-2:],
)

SINGLE_CATEGORIES = {
    "categories confused",
    "category below the others",
    "category nobody agrees on",
    "category no better than chance",
    "label of one coder only",
    "rare category",
}
EQUAL_OR_NOT = {
    "categories confused",
    "category below the others",
    "category nobody agrees on",
    "category no better than chance",
    "high agreement, low kappa",
}
OF_LABELS = {"same label, spelt differently", "coder who hardly varies", "two camps", "margins differ"}
BAD_DATA = {"code for a missing label?", "value far from all others", "decimal commas?"}
#: rules that do not apply to labels of a kind
NOT_FOR = {
    "names": {OPEN, "value far from all others"},
    "open": SINGLE_CATEGORIES | EQUAL_OR_NOT,
    "order": {OPEN} | EQUAL_OR_NOT,
    "sets": {OPEN} | BAD_DATA | SINGLE_CATEGORIES | EQUAL_OR_NOT | OF_LABELS,
}


def rules_for(kind: str) -> Sequence[Rule]:
    """The rules for labels of a kind."""
    return SCORE_RULES if kind == "scores" else [rule for rule in RULES if rule.name not in NOT_FOR[kind]]
