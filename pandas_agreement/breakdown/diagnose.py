"""Findings about the data, each with the number and the threshold behind it.

Each rule selects rows of one of the frames of this package, group by group, by its threshold. The computation of those
frames lives in the other modules of this folder. Some findings are facts about the data at hand: undefined, spellings,
rare categories, wide intervals, items with one label. All others say something about other items too. They need a test
at `LEVEL`, adjusted for the number of coders, pairs or categories, or an interval wholly beyond the threshold, so that
on coders who are alike each kind is found in at most 5 % of data sets (`tests/benchmarks/false_alarms.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.evidence import LEVEL, Evidence, ScoreEvidence
from pandas_agreement.breakdown.marginal_tests import MAX_CATEGORIES
from pandas_agreement.breakdown.scales import MIN_OPEN, Scale
from pandas_agreement.core.progress import Bar
from pandas_agreement.core.remarks import remarks_in
from pandas_agreement.data import Reading
from pandas_agreement.errors import collect_warnings
from pandas_agreement.formatting import p_words
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas

SEVERITIES = ("high", "medium", "low")
OPEN = "numbers: names or a scale?"
MAX_RARE = 20  # rare categories of a group that have a row each; of more only the first are named
MAX_NAMED = 5
MIN_ITEMS = 10  # of a coder, or with a label other than the most frequent one
TRAIN_SCORER = "go through the items that this coder scored farthest from the others, and train the coder again"
NUMBERS = ("estimate", "ci_low", "ci_high", "p_value")
OF_COEFFICIENT = {"estimate": "estimate", "ci_low": "ci_low", "ci_high": "ci_high"}
TESTS = {"stuart_maxwell": "Stuart-Maxwell test", "mcnemar": "McNemar's test"}


@dataclass(frozen=True, eq=False)
class Rule:
    """`look` selects rows by the threshold: the group keys and the columns about, evidence and those of `NUMBERS`."""

    name: str
    severity: str
    threshold: float
    look: Callable[[Evidence, float], pd.DataFrame]
    needs_coders: bool = False
    both_ways: bool = False  # where the level is open, it has to hold at either
    special_advice: str = ""

    @property
    def advice(self) -> str:
        return self.special_advice or ADVICE[self.name]

    def rows(self, evidence: Evidence) -> pd.DataFrame:
        """The rows that it selects; where the level of the labels is open, those that either level has."""
        rows = self.look(evidence, self.threshold)
        if evidence.other is None or not self.both_ways or rows.empty:
            return rows
        also = self.look(evidence.other, self.threshold)
        if also.empty:
            return also
        keys = [*(key for key in evidence.keys if key in rows), "about"]
        return rows[pd.MultiIndex.from_frame(rows[keys]).isin(pd.MultiIndex.from_frame(also[keys]))]


#: names that the frames of the rules have
TAKEN = ["finding", *schemas.FINDINGS, *schemas.RESULT, *schemas.CATEGORY, *schemas.CODERS, *schemas.MARGINS]


def diagnose(reading: Reading, scale: Scale | None = None, bar: Bar = iter) -> pd.DataFrame:
    """One row per finding, the worst first."""
    frames.check_keys(reading.groups, TAKEN)
    kind, options = ("names", None) if scale is None else (scale.kind, scale.options)
    ordinal = Evidence(reading, options=Options().at("level", "ordinal")) if kind == "open" else None
    evidence = ScoreEvidence(reading) if kind == "scores" else Evidence(reading, options=options, other=ordinal)
    with collect_warnings():  # undefined estimates are findings
        parts = list(_findings(evidence, bar(rules_for(kind))))
    names = [*evidence.keys, "finding"]
    if not parts:
        dtypes = {n: (frames.TEXT if d == "str" else d) for n, (d, _) in schemas.FINDINGS.items()}
        return pd.DataFrame(columns=[*names, *schemas.FINDINGS]).astype(dtypes).set_index(names)
    found = pd.concat(parts, ignore_index=True)
    rank = found["severity"].map(SEVERITIES.index).to_numpy()
    found = found.iloc[np.argsort(rank, kind="stable")]
    columns = {name: found[name].to_numpy() for name in schemas.FINDINGS}
    index = (
        pd.MultiIndex.from_frame(found.reindex(columns=names))
        if len(names) > 1
        else pd.Index(found["finding"], name="finding")
    )
    return frames.result(index, columns, schemas.FINDINGS)


def _findings(evidence: Evidence, rules: Iterable[Rule]) -> Iterator[pd.DataFrame]:
    for rule in rules:
        if rule.needs_coders and not evidence.identified:
            continue
        rows = rule.rows(evidence)
        if len(rows):
            keys = [key for key in evidence.keys if key in rows]
            kept = rows[[*keys, "about", "measure", *NUMBERS, "evidence"]].assign(n_items=evidence.items(rows, keys))
            yield kept.assign(finding=rule.name, severity=rule.severity, threshold=rule.threshold, advice=rule.advice)


def _report(rows: pd.DataFrame, about: Any, measure: Any, sentence: str, **numbers: str) -> pd.DataFrame:
    """Rows as findings: the subject, what was measured, and the sentence filled in with the columns of each row.

    `numbers` says which columns hold the estimate, its limits and the p-value; without any they are those of a
    coefficient. Most rules find nothing, and no rows are returned as they are.
    """
    if rows.empty:
        return rows
    findings = rows.copy()
    findings["evidence"] = _filled(sentence, rows)
    for name in NUMBERS:
        source = (numbers or OF_COEFFICIENT).get(name)
        findings[name] = rows[source].astype(float) if source else np.nan
    findings["measure"] = measure
    findings["about"] = about if isinstance(about, str) else [str(x) or repr(x) for x in about]
    return findings


def _filled(sentence: str, rows: pd.DataFrame) -> list[str]:
    """A sentence for each row, filled in with the columns that it names; there may be a million rows."""
    fields = dict.fromkeys(field for _, field, _, _ in Formatter().parse(sentence) if field)
    columns = [rows[field].to_numpy(object).tolist() for field in fields]
    if not columns:
        return [sentence.format()] * len(rows)
    return [sentence.format_map(dict(zip(fields, row, strict=True))) for row in zip(*columns, strict=True)]


def _names(evidence: Evidence, column: pd.Series) -> list[str]:
    """Labels as text; in quotation marks if another label has the same text."""
    every, labels = evidence.reading.category_set.labels, column.to_numpy(object).tolist()  # faster than a column
    if every.inferred_type == "string":
        return [str(label) for label in labels]
    texts = Counter(map(str, every))
    return [repr(label) if isinstance(label, str) and texts[label] > 1 else str(label) for label in labels]


# ------------------------------------------------------------------------------------------------------------ rules


def _undefined(evidence: Evidence, least: float) -> pd.DataFrame:
    rows = evidence.pick(evidence.main)
    rows = rows[rows["estimate"].isna()]
    rows = rows.assign(reason=[remarks_in(note)[0] for note in rows["remarks"]])
    return _report(rows, "", evidence.title, f"{evidence.title} is undefined: {{reason}}")


def _paradox(evidence: Evidence, min_gap: float) -> pd.DataFrame:
    """High agreement, low kappa, and AC1 well above it, each by its interval."""
    kappa, ac1, observed = (evidence.pick(name) for name in ("kappa", "ac1", "observed"))
    rows = kappa.assign(ac1=ac1["estimate"], gap=ac1["estimate"] - kappa["estimate"], least=observed["ci_low"])
    below, above = ac1["estimate"] - ac1["ci_low"], kappa["ci_high"] - kappa["estimate"]
    rows["gap_low"] = rows["gap"] - np.hypot(below, above)  # Zou and Donner (2008)
    clear = (rows["least"] >= 0.8) & (rows["ci_high"] < 0.6) & (rows["gap_low"] >= min_gap)
    rows = rows[clear & (rows["varied"] >= MIN_ITEMS)]
    if rows.empty:
        return rows
    top = evidence.limits.sort_values("share", ascending=False, kind="stable")
    top = top.drop_duplicates(evidence.keys) if evidence.keys else top.head(1)
    shares = top[[*evidence.keys, "category", "share"]]
    rows = rows.merge(shares, on=evidence.keys) if evidence.keys else rows.merge(shares, how="cross")
    sentence = (
        "observed agreement is {observed:.2f} and kappa only {estimate:.2f} (at most {ci_high:.2f}), because "
        "{category!r} is {share:.0%} of the labels; AC1 is {ac1:.2f}, at least {gap_low:.2f} more, "
        f"above {min_gap}"
    )
    return _report(rows, "", "AC1 minus kappa", sentence, estimate="gap", ci_low="gap_low")


def _low(evidence: Evidence, bar: float) -> pd.DataFrame:
    rows = evidence.pick(evidence.main)
    rows = rows[(rows["ci_high"] < bar) & (rows["varied"] >= MIN_ITEMS)]
    sentence = f"{evidence.title} is {{estimate:.2f}}, its interval ends at {{ci_high:.2f}}, below {bar}"
    return _report(rows, "", evidence.title, sentence)


def _wide_interval(evidence: Evidence, max_width: float) -> pd.DataFrame:
    rows = _wide_rows(evidence, max_width)
    needed = [items_needed(n, width, max_width) for n, width in zip(rows["n_items"], rows["width"], strict=True)]
    sentence = f"with {{n_items}} items labelled twice or more {evidence.title} lies between "
    sentence += "{ci_low:.2f} and {ci_high:.2f}; "
    sentence += f"{{needed}} items would bring that to {max_width}"
    return _report(rows.assign(needed=needed), "", evidence.title, sentence)


def _wide_rows(evidence: Evidence, max_width: float) -> pd.DataFrame:
    rows = evidence.pick(evidence.main)
    rows = rows.assign(width=rows["ci_high"] - rows["ci_low"])
    return rows[rows["width"] > max_width]


def _open_scale(evidence: Evidence, least: float) -> pd.DataFrame:
    """Whole numbers that may be names or steps of a scale: alpha both ways."""
    if evidence.other is None:
        return pd.DataFrame()
    labels = evidence.reading.category_set.labels
    rows = evidence.pick("alpha").assign(
        steps=evidence.other.pick("alpha")["estimate"], low=min(labels), high=max(labels), n=len(labels)
    )
    sentence = (
        "the labels are {n} whole numbers, {low} to {high}: alpha is {estimate:.2f} if they are names "
        "(nominal level), {steps:.2f} if they are steps of a scale (ordinal level)"
    )
    return _report(rows[rows["estimate"].notna()], "", "different numbers", sentence, estimate="n")


def items_needed(n_items: int, width: float, target: float) -> int:
    """Items for an interval of the target width, which is proportional to 1 / sqrt(n_items)."""
    return int(np.ceil(n_items * (width / target) ** 2))


def _single(evidence: Evidence, max_share: float) -> pd.DataFrame:
    rows = evidence.sizes
    labelled = rows["one"] + rows["more"]
    rows = rows.assign(part=rows["one"] / labelled.where(labelled > 0), n_items=labelled)
    sentence = "{one:.0f} of {n_items:.0f} labelled items have one label only"
    rows = rows[rows["part"] > max_share]
    return _report(rows, "", "share of items with one label", sentence, estimate="part")


def _out_of_line(evidence: Evidence, min_gap: float) -> pd.DataFrame:
    return out_of_line(evidence.coder_tests, min_gap)


def out_of_line(tests: pd.DataFrame, min_gap: float) -> pd.DataFrame:
    """Coders whose agreement with the others is below theirs among themselves: by the gap, and by its test."""
    rows = tests[(tests["p_holm"] < LEVEL) & (tests["gap"] >= min_gap) & (tests["n_items"] >= MIN_ITEMS)]
    sentence = (
        "the agreement beyond chance of {coder!r} with the others is {agreement:.2f}, theirs among themselves "
        "{others:.2f} on the same {n_items:.0f} items: "
        f"{{gap:.2f}} less, above {min_gap} (95%: {{gap_low:.2f}} to {{gap_high:.2f}}; {{p}} after Holm)"
    )
    numbers = {"estimate": "gap", "ci_low": "gap_low", "ci_high": "gap_high", "p_value": "p_holm"}
    return _report(rows.assign(p=_p_texts(rows)), rows["coder"], "gap in agreement", sentence, **numbers)


def _two_camps(evidence: Evidence, min_gap: float) -> pd.DataFrame:
    """Two camps that agree more within each than across, on items that did not define them."""
    rows = evidence.camps
    rows = rows[(rows["p_value"] < LEVEL) & (rows["gap"] >= min_gap) & (rows["n_items"] >= MIN_ITEMS)]
    sentence = (
        "on the half of the items that did not define the camps ({n_items:.0f}) alpha is {within_1:.2f} within one, "
        "{within_2:.2f} within the other and {across:.2f} across: "
        f"at least {{gap:.2f}} less, above {min_gap} ({{p}})"
    )
    about = [f"{one} against {other}" for one, other in zip(rows["first"], rows["second"], strict=True)]
    rows = rows.assign(p=[p_words(p) for p in rows["p_value"]])
    return _report(rows, about, "alpha within minus across", sentence, estimate="gap", p_value="p_value")


def _always_the_same(evidence: Evidence, max_entropy: float) -> pd.DataFrame:
    """Coders who hardly vary although the mean coder does, and give their usual label more often than the others."""
    entropy = evidence.coders["entropy"].abs()  # never -0
    rows = evidence.coders.assign(entropy=entropy, p_holm=evidence.coder_tests["usual_p"])
    rows = rows[(entropy < max_entropy) & (rows["n_labels"] >= MIN_ITEMS) & (rows["p_holm"] < LEVEL)]
    if rows.empty:
        return rows
    who, used = [*evidence.keys, "coder"], evidence.margins
    used = used.assign(mean=_entropy(used["mean_share"], len(evidence.reading.category_set.labels)))
    used["mean"] = used.groupby(who, sort=False, dropna=False, observed=True)["mean"].transform("sum")
    usual = used.sort_values("n_labels", ascending=False, kind="stable").drop_duplicates(who)
    usual = usual.astype({"coder": evidence.coders["coder"].dtype})  # without labels pandas knows no type
    rows = rows.merge(usual[[*who, "category", "mean"]], on=who, how="left")
    rows = rows[rows["mean"] >= max_entropy]
    sentence = (
        f"the labels of {{coder!r}} have an entropy of {{entropy:.2f}}, below {max_entropy} (1: all categories alike), "
        "mostly {category!r}, more often than the others on the same items ({p} after Holm)"
    )
    rows = rows.assign(p=_p_texts(rows))
    return _report(rows, rows["coder"], "entropy of labels", sentence, estimate="entropy", p_value="p_holm")


def _entropy(shares: pd.Series, n_categories: int) -> pd.Series:
    """The term of each share in the entropy, which is 1 if all shares are equal."""
    return -shares * np.log(shares.where(shares > 0, 1.0)) / np.log(max(n_categories, 2))


def _margins_differ(evidence: Evidence, level: float) -> pd.DataFrame:
    if evidence.reading.ratings.n_categories > MAX_CATEGORIES:
        return pd.DataFrame()
    rows = evidence.tests[evidence.tests["p_holm"] < level]
    about = rows["coder_1"].astype(str) + " and " + rows["coder_2"].astype(str)
    rows = rows.assign(test=rows["test"].map(TESTS), p=_p_texts(rows))
    sentence = "{coder_1!r} and {coder_2!r} use the categories at different rates on their {n_items} common items "
    return _report(rows, about, rows["test"], sentence + "({test}, {p} after Holm)", p_value="p_holm")


def _p_texts(rows: pd.DataFrame) -> list[str]:
    return [p_words(p) for p in rows["p_holm"]]


def _nobody_agrees(evidence: Evidence, max_rate: float) -> pd.DataFrame:
    rows = evidence.limits
    rows = rows[rows["high"] < max_rate]
    sentence = (
        "where one of two coders chose {category!r}, both did in {estimate:.0%} "
        f"(at most {{high:.0%}}, below {max_rate:.0%}; {{n_items}} items)"
    )
    return _report(rows, _names(evidence, rows["category"]), "rate", sentence, estimate="estimate", ci_high="high")


def _no_better_than_chance(evidence: Evidence, max_kappa: float) -> pd.DataFrame:
    """Categories that cannot be told from chance, although there are items enough to see an agreement."""
    rows = evidence.limits
    rows = rows[(rows["p_holm"] > LEVEL) & (rows["kappa_high"] < max_kappa)]
    if len(evidence.reading.category_set.labels) == 2:  # both have the same p: report the rarer one
        rows = rows.sort_values("n_labels").drop_duplicates(evidence.keys or ["coefficient"])
    sentence = (
        "how often coders meet on {category!r} cannot be told from chance ({p} after Holm): agreement beyond chance is "
        f"{{kappa:.2f}}, at most {{kappa_high:.2f}}, below {max_kappa} ({{n_items}} items)"
    )
    numbers = {"estimate": "kappa", "ci_high": "kappa_high", "p_value": "p_holm"}
    about = _names(evidence, rows["category"])
    return _report(rows.assign(p=_p_texts(rows)), about, "agreement beyond chance", sentence, **numbers)


def _rare(evidence: Evidence, min_labels: float) -> pd.DataFrame:
    """A row for each rare category; where a group has many of them, one row for all."""
    rows = evidence.categories
    rows = rows[(rows["n_labels"] > 0) & (rows["n_labels"] < min_labels)]
    number: Any = len(rows)
    if evidence.keys:
        number = rows.groupby(evidence.keys, sort=False, dropna=False, observed=True)["category"].transform("size")
    many = np.broadcast_to(number > MAX_RARE, len(rows))
    few = rows[~many]
    sentence = "{category!r} was chosen {times} in all"
    about = _names(evidence, few["category"])
    each = _report(few.assign(times=_times(few)), about, "labels", sentence, estimate="n_labels")
    if not many.any():
        return each
    together = _many_rare(evidence, rows[many], min_labels)
    return pd.concat([each, together]) if len(each) else together


def _many_rare(evidence: Evidence, rare: pd.DataFrame, min_labels: float) -> pd.DataFrame:
    """Many rare categories of a group, of which the first are named: one row per group."""
    grouped = rare.groupby(evidence.keys, sort=False, dropna=False, observed=True) if evidence.keys else [((), rare)]
    parts = [part for _, part in grouped]
    rows = pd.concat([part.head(1) for part in parts])[evidence.keys].reset_index(drop=True)
    rows["number"] = [len(part) for part in parts]
    rows["once"] = [int((part["n_labels"] == 1).sum()) for part in parts]
    rows["named"] = [", ".join(map(repr, part["category"].head(MAX_NAMED).tolist())) for part in parts]
    rows["others"] = rows["number"] - MAX_NAMED
    rows["n_items"] = evidence.items(rows, evidence.keys)
    about = [f"{number:,} categories" for number in rows["number"]]
    sentence = f"{{number:,}} categories were chosen fewer than {min_labels:g} times each, {{once:,}} of them once: "
    return _report(rows, about, "rare categories", sentence + "{named} and {others:,} more", estimate="number")


def _times(rows: pd.DataFrame) -> list[str]:
    return ["once" if number == 1 else f"{number:.0f} times" for number in rows["n_labels"]]


def _one_coder_only(evidence: Evidence, level: float) -> pd.DataFrame:
    used = evidence.margins[evidence.margins["n_labels"] > 0]
    rows = used.merge(evidence.sole_users.query("p_holm < @level"), on=[*evidence.keys, "category"])
    sentence = "only {coder!r} ever says {category!r} ({times}; by chance {p} after Holm)"
    rows = rows.assign(times=_times(rows), p=_p_texts(rows))
    about = _names(evidence, rows["category"])
    return _report(rows, about, "labels", sentence, estimate="n_labels", p_value="p_holm")


def _spellings(evidence: Evidence, least: float) -> pd.DataFrame:
    same: dict[str, list[Any]] = {}
    for label in evidence.reading.category_set.labels.to_numpy(object).tolist():
        same.setdefault(str(label).strip().casefold(), []).append(label)
    variants = [list(map(repr, labels)) for labels in same.values() if len(labels) > 1]
    rows = pd.DataFrame({"labels": [" and ".join(labels) for labels in variants], "number": list(map(len, variants))})
    about = [", ".join(labels) for labels in variants]
    return _report(rows, about, "spellings", "{labels} differ by case, spaces or type only", estimate="number")


# ------------------------------------------------------------------------------------------------------------ scores


def _levels_differ(evidence: ScoreEvidence, level: float) -> pd.DataFrame:
    """The mean scores of the coders differ; the sentence names the coder farthest from the others."""
    rows = evidence.levels[evidence.levels["p_value"] < level]
    away = evidence.coders.assign(size=evidence.coders["difference"].abs())
    away = away[away["n_items"] >= MIN_ITEMS].sort_values("size", ascending=False, kind="stable")
    far = away.drop_duplicates(evidence.keys) if evidence.keys else away.head(1)
    far = far[[*evidence.keys, "coder", "difference"]]
    rows = rows.merge(far, on=evidence.keys) if evidence.keys else rows.merge(far, how="cross")
    rows = rows.assign(p=[p_words(p) for p in rows["p_value"]])
    sentence = "the mean scores of the coders differ (F test, {p}); "
    sentence += "{coder!r} is farthest from the others of the same items, by {difference:+.3g}"
    measure = "difference in mean score"
    return _report(rows, "", measure, sentence, estimate="difference", p_value="p_value")


def _wide_score_interval(evidence: Evidence, max_width: float) -> pd.DataFrame:
    sentence = f"with {{n_items}} items {evidence.title} lies between {{ci_low:.2f}} and {{ci_high:.2f}}"
    return _report(_wide_rows(evidence, max_width), "", evidence.title, sentence)


ADVICE = {
    OPEN: (
        "decide which they are, and set the level to nominal or ordinal; until then findings hold both ways, and there "
        "is no advice on single categories"
    ),
    "undefined": "collect items that two coders label, with more than one category among them",
    "same label, spelt differently": "make them one label: same case, no spaces around it, text or number throughout",
    "low agreement": "do not draw conclusions from these labels yet; look at the findings below for where to begin",
    "high agreement, low kappa": (
        "report AC1 or the rates by category beside kappa, and sample more items of the other categories"
    ),
    "coder out of line": "go through the items on which this coder differs from the others, and train the coder again",
    "two camps": ("compare the two camps, and ask what they see differently: it may be a second view and no error"),
    "coder who hardly varies": "check that this coder reads the items",
    "margins differ": "the coders draw the line between categories differently; agree on border cases",
    "category nobody agrees on": (
        "define the category anew, with examples, or merge it with the one it is confused with"
    ),
    "category no better than chance": "treat its labels as guesses until it is defined anew",
    "label of one coder only": "is it a typing error, or a category that the others do not know?",
    "rare category": "so few say little about agreement on it; label more items of it",
    "wide interval": "have more items labelled by two coders or more",
    "coders differ in level": (
        "see how far each coder is from the others; agree on anchors of the scale, or centre the scores"
    ),
    "many items with one label": "they say nothing about agreement; have a part of them labelled again",
}
RULES = (
    Rule(OPEN, "high", MIN_OPEN, _open_scale),
    Rule("undefined", "high", 2, _undefined),
    Rule("same label, spelt differently", "high", 2, _spellings),
    Rule("low agreement", "high", 0.667, _low, both_ways=True),
    Rule("high agreement, low kappa", "medium", 0.2, _paradox, needs_coders=True),
    Rule("coder out of line", "high", 0.05, _out_of_line, needs_coders=True, both_ways=True),
    Rule("two camps", "high", 0.1, _two_camps, needs_coders=True),
    Rule("coder who hardly varies", "medium", 0.2, _always_the_same, needs_coders=True),
    Rule("margins differ", "medium", LEVEL, _margins_differ, needs_coders=True),
    Rule("category nobody agrees on", "high", 0.3, _nobody_agrees),
    Rule("category no better than chance", "high", 0.4, _no_better_than_chance, needs_coders=True),
    Rule("label of one coder only", "medium", LEVEL, _one_coder_only, needs_coders=True),
    Rule("rare category", "low", 5, _rare),
    Rule("wide interval", "medium", 0.3, _wide_interval, both_ways=True),
    Rule("many items with one label", "low", 0.2, _single),
)

#: rules about scores
SCORE_RULES = (
    Rule("undefined", "high", 2, _undefined, special_advice="collect items that two coders score, and that differ"),
    Rule("low agreement", "high", 0.5, _low),
    Rule("coder out of line", "high", 0.05, _out_of_line, special_advice=TRAIN_SCORER),
    Rule("coders differ in level", "medium", LEVEL, _levels_differ),  # type: ignore[arg-type]
    Rule("wide interval", "medium", 0.3, _wide_score_interval, special_advice="have more items scored, by more coders"),
    Rule("many items with one label", "low", 0.2, _single),
)

SINGLE_CATEGORIES = {
    "category nobody agrees on",
    "category no better than chance",
    "label of one coder only",
    "rare category",
}
EQUAL_OR_NOT = {"category nobody agrees on", "category no better than chance", "high agreement, low kappa"}
OF_LABELS = {"same label, spelt differently", "coder who hardly varies", "two camps", "margins differ"}
#: rules that do not apply to labels of a kind
NOT_FOR = {
    "names": {OPEN},
    "open": SINGLE_CATEGORIES | EQUAL_OR_NOT,
    "order": {OPEN} | EQUAL_OR_NOT,
    "sets": {OPEN} | SINGLE_CATEGORIES | EQUAL_OR_NOT | OF_LABELS,
}


def rules_for(kind: str) -> Sequence[Rule]:
    """The rules for labels of a kind."""
    return SCORE_RULES if kind == "scores" else [rule for rule in RULES if rule.name not in NOT_FOR[kind]]
