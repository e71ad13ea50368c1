"""Findings about the data, each with the number and the threshold behind it.

The order of `RULES` is that of the findings: bad data come first, then what holds for all coders, two camps, single
coders, categories, and what was not tested. Each rule selects rows of one of the frames of this package, group by
group, by its threshold. The computation of those frames lives in the other modules of this folder. Some findings are
facts about the data at hand: bad data, undefined, spellings, rare categories, wide intervals, items with one label. All
others say something about other items too. They need a test at `LEVEL`, adjusted for the number of coders, pairs or
categories, or an interval wholly beyond the threshold, so that on coders who are alike each kind is found in at most
5 % of data sets (`tests/benchmarks/false_alarms.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.bad_data import TIMES_RANGE
from pandas_agreement.breakdown.camps import LEVEL, MIN_GAP, MIN_ITEMS
from pandas_agreement.breakdown.coder_tests import MIN_GAP as MIN_GAP_OF_CODER
from pandas_agreement.breakdown.evidence import Evidence, ScoreEvidence
from pandas_agreement.breakdown.marginal_tests import MAX_CATEGORIES
from pandas_agreement.breakdown.scales import MIN_OPEN, Kind, Measurement
from pandas_agreement.core.progress import Bar
from pandas_agreement.core.remarks import remarks_in
from pandas_agreement.data import Reading
from pandas_agreement.errors import collect_warnings
from pandas_agreement.formatting import count, listed, p_words
from pandas_agreement.hypothesis_tests.weak_categories import MARGIN, MIN_SHARE
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
ASSUMED = (
    "; this holds if these items were no harder than their neighbours: if there were batches, look at each by itself"
)
TRAIN_SCORER = "go through the items that this coder scored farthest from the others, and train the coder again"
NUMBERS = ("estimate", "ci_low", "ci_high", "p_value")
OF_COEFFICIENT = {"estimate": "estimate", "ci_low": "ci_low", "ci_high": "ci_high"}
TESTS = {"stuart_maxwell": "Stuart-Maxwell test", "mcnemar": "McNemar's test"}


@dataclass(frozen=True, eq=False)
class Rule:
    """`look` selects rows by the threshold: the group keys and the columns about, evidence and those of `NUMBERS`."""

    name: str
    severity: str  # of rows without one of their own
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


def diagnose(reading: Reading, scale: Measurement | None = None, bar: Bar = iter) -> pd.DataFrame:
    """One row per finding, in the order of the rules."""
    frames.check_keys(reading.groups, TAKEN)
    kind: Kind = "names" if scale is None else scale.kind
    options = None if scale is None else scale.options
    ordinal = Evidence(reading, kind, options=Options().at("level", "ordinal")) if kind == "open" else None
    evidence = ScoreEvidence(reading) if kind == "scores" else Evidence(reading, kind, options=options, other=ordinal)
    with collect_warnings():  # undefined estimates are findings
        parts = list(_findings(evidence, bar(rules_for(kind))))
    names = [*evidence.keys, "finding"]
    if not parts:
        dtypes = {n: (frames.TEXT if d == "str" else d) for n, (d, _) in schemas.FINDINGS.items()}
        return pd.DataFrame(columns=[*names, *schemas.FINDINGS]).astype(dtypes).set_index(names)
    found = pd.concat(parts, ignore_index=True)
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
            own = {name: rows.get(name, getattr(rule, name)) for name in ("severity", "advice")}
            yield kept.assign(finding=rule.name, threshold=rule.threshold, **own)


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
        return [str(label) or repr(label) for label in labels]
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
    """Coders whose agreement with the others is below theirs among themselves, with what else is said of them."""
    rows = evidence.coder_tests
    rows = rows[rows["named"].astype(bool)]
    if rows.empty:
        return rows
    sentence = (
        "the agreement beyond chance of {coder!r} with the co-annotators is {agreement:.2f}, that of the others "
        "{others:.2f} on {where}: {gap:.2f} less (95%: {gap_low:.2f} to {gap_high:.2f}; {p}, step-down){also}{assumed}"
    )
    numbers = {"estimate": "gap", "ci_low": "gap_low", "ci_high": "gap_high", "p_value": "p_adjusted"}
    neighbours = rows["weight"] < 0.5
    rows = rows.assign(
        p=[p_words(p) for p in rows["p_adjusted"]],
        where=[_items_behind(*items) for items in zip(rows["n_items"], rows["n_two"], strict=True)],
        also=_also(evidence, rows),
        assumed=np.where(neighbours, ASSUMED, ""),
        severity=np.where(neighbours & (rows["batches"] < 0.1), "medium", "high"),
    )
    return _report(rows, rows["coder"], "gap in agreement", sentence, **numbers)


def _items_behind(n_items: float, n_two: float) -> str:
    if not n_two:
        return f"the same {count(n_items, 'item')}"
    of_two = "" if n_two == n_items else f", {n_two:,.0f} with two labels"
    return f"neighbouring items ({count(n_items, 'item')}{of_two})"


def _also(evidence: Evidence, rows: pd.DataFrame) -> list[str]:
    """What else there is to say about coders who are out of line."""
    if not evidence.identified or evidence.kind in ("sets", "scores"):
        return [""] * len(rows)
    who = [*evidence.keys, "coder"]
    parts = [
        (_usage_rows(evidence), "; {who} {usage}"),
        (_hardly_varying(evidence, MAX_ENTROPY), "; the labels of {coder!r} are nearly always {category!r}"),
    ]
    texts = [""] * len(rows)
    for found, sentence in parts:
        said = dict(zip(_tuples(found, who), _filled(sentence, found), strict=True)) if len(found) else {}
        texts = [text + said.get(key, "") for text, key in zip(texts, _tuples(rows, who), strict=True)]
    return texts


def _tuples(rows: pd.DataFrame, columns: Sequence[Any]) -> list[tuple[Any, ...]]:
    return list(rows[list(columns)].itertuples(index=False, name=None))


def _in_line(evidence: Evidence, rows: pd.DataFrame) -> pd.DataFrame:
    """Without coders who are out of line, whose finding says everything."""
    tests, who = evidence.coder_tests, [*evidence.keys, "coder"]
    named = set(_tuples(tests[tests["named"].astype(bool)], who))
    return rows[[key not in named for key in _tuples(rows, who)]] if named and len(rows) else rows


def _two_camps(evidence: Evidence, min_gap: float) -> pd.DataFrame:
    """Two camps that agree more within each than across, on items that did not define them."""
    rows = evidence.camps
    sentence = (
        "on the half of the items that did not define the camps ({n_items:.0f}) alpha is {within_1:.2f} within one, "
        "{within_2:.2f} within the other and {across:.2f} across: "
        f"at least {{gap:.2f}} less, above {min_gap} ({{p}})"
    )
    rows = rows.assign(p=[p_words(p) for p in rows["p_value"]])
    return _report(rows, _sides(rows), "alpha within minus across", sentence, estimate="gap", p_value="p_value")


def _sides(camps: pd.DataFrame) -> list[str]:
    return [f"{one} against {other}" for one, other in zip(camps["first"], camps["second"], strict=True)]


def _always_the_same(evidence: Evidence, max_entropy: float) -> pd.DataFrame:
    rows = _in_line(evidence, _hardly_varying(evidence, max_entropy))
    if rows.empty:
        return rows
    sentence = (
        f"the labels of {{coder!r}} have an entropy of {{entropy:.2f}}, below {max_entropy} (1: all categories alike), "
        "mostly {category!r}, more often than the others on the same items ({p} after Holm)"
    )
    rows = rows.assign(p=_p_texts(rows))
    return _report(rows, rows["coder"], "entropy of labels", sentence, estimate="entropy", p_value="p_holm")


def _hardly_varying(evidence: Evidence, max_entropy: float) -> pd.DataFrame:
    """Coders who hardly vary although the mean coder does, and give their usual label more often than the others."""
    entropy = evidence.coders["entropy"].abs()  # never -0
    rows = evidence.coders.assign(entropy=entropy, p_holm=evidence.usual_labels["p_holm"])
    rows = rows[(entropy < max_entropy) & (rows["n_labels"] >= MIN_ITEMS) & (rows["p_holm"] < LEVEL)]
    if rows.empty:
        return rows
    who, used = [*evidence.keys, "coder"], evidence.margins
    used = used.assign(mean=_entropy(used["mean_share"], len(evidence.reading.category_set.labels)))
    used["mean"] = used.groupby(who, sort=False, dropna=False, observed=True)["mean"].transform("sum")
    usual = used.sort_values("n_labels", ascending=False, kind="stable").drop_duplicates(who)
    usual = usual.astype({"coder": evidence.coders["coder"].dtype})  # without labels pandas knows no type
    rows = rows.merge(usual[[*who, "category", "mean"]], on=who, how="left")
    return rows[rows["mean"] >= max_entropy]


def _entropy(shares: pd.Series, n_categories: int) -> pd.Series:
    """The term of each share in the entropy, which is 1 if all shares are equal."""
    return -shares * np.log(shares.where(shares > 0, 1.0)) / np.log(max(n_categories, 2))


def _margins_differ(evidence: Evidence, level: float) -> pd.DataFrame:
    """Of three coders or more each against the others, of two camps one against the other, of two coders a test."""
    if evidence.reading.ratings.n_categories > MAX_CATEGORIES:
        return pd.DataFrame()
    if len(evidence.reading.coders) <= 2:
        return _two_margins_differ(evidence, level)
    rows = _in_line(evidence, _usage_rows(evidence))
    return _report(rows, rows["about"], "difference in share", "{who} {usage}", estimate="points", p_value="p_holm")


def _usage_rows(evidence: Evidence) -> pd.DataFrame:
    """Coders or camps who use a category at another rate, in words."""
    rows = evidence.usage
    if rows.empty:
        return rows.assign(about="", usage="")
    camps = evidence.camps.assign(of_camp=True, sides=_sides(evidence.camps))
    rows = rows.merge(camps[[*evidence.keys, "of_camp", "first", "second", "sides"]], how="left")
    of_camp = rows["of_camp"].to_numpy(bool)
    others = np.where(of_camp, rows["second"], "the others")
    rows["about"] = rows["coder"].astype(object).where(~of_camp, rows["sides"])
    sentence = "{verb} {category!r} {way} often than {others} on the same items, by {size} percentage points ({p})"
    rows = rows.assign(
        who=np.where(of_camp, rows["first"], rows["coder"].map(repr)),
        verb=np.where(of_camp, "choose", "chooses"),
        size=(100 * rows["points"].abs()).round().astype(int),
        way=np.where(rows["points"] > 0, "more", "less"),
        others=others,
        p=_p_texts(rows),
    )
    return rows.assign(usage=_filled(sentence, rows))


def _two_margins_differ(evidence: Evidence, level: float) -> pd.DataFrame:
    rows = evidence.tests[evidence.tests["p_holm"] < level]
    about = rows["coder_1"].astype(str) + " and " + rows["coder_2"].astype(str)
    rows = rows.assign(test=rows["test"].map(TESTS), p=_p_texts(rows))
    sentence = "{coder_1!r} and {coder_2!r} use the categories at different rates on their {n_items} common items "
    return _report(rows, about, rows["test"], sentence + "({test}, {p})", p_value="p_holm")


def _p_texts(rows: pd.DataFrame) -> list[str]:
    return [p_words(p) for p in rows["p_holm"]]


def _confused(evidence: Evidence, min_share: float) -> pd.DataFrame:
    rows = evidence.confused
    rows = rows[rows["p_value"] < LEVEL]
    names = [_names(evidence, rows[side]) for side in ("first", "second")]
    about = [f"{one} and {other}" for one, other in zip(*names, strict=True)]
    sentence = (
        "{share:.0%} of all disagreements are between {first!r} and {second!r}, {chance:.0%} if labels met by chance; "
        "they are {of_each:.0%} or more of the disagreements of either ({n_items:.0f} items; {p})"
    )
    rows = rows.assign(p=[p_words(p) for p in rows["p_value"]])
    return _report(rows, about, "share of disagreements", sentence, estimate="share", p_value="p_value")


def _below_others(evidence: Evidence, margin: float) -> pd.DataFrame:
    """Categories with less agreement than the others, and what they are confused with."""
    rows = _clear(evidence, evidence.below_others)
    rows = rows[rows["p_holm"] < LEVEL]
    if rows.empty:
        return rows
    pairs, tests = evidence.category_tests.confusions, evidence.category_tests
    group, code = rows["_group"].to_numpy(), rows["code"].to_numpy()
    other, share = np.zeros(len(rows), np.int64), np.zeros(len(rows))
    for place, (own, category) in enumerate(zip(group, code, strict=True)):
        met = np.flatnonzero((pairs.group == own) & ((pairs.one == category) | (pairs.two == category)))
        most = met[pairs.number[met].argmax()]
        other[place] = pairs.one[most] + pairs.two[most] - category
        share[place] = pairs.number[most] / (tests.totals - tests.met)[own, category]
    rows = rows.assign(other=evidence.reading.category_set.labels.take(other).array, part=share, p=_p_texts(rows))
    rows["gap"] = rows["others"] - rows["kappa"]
    sentence = (
        "agreement beyond chance on {category!r} is {kappa:.2f}, on the other categories {others:.2f} "
        "({p} after Holm); {part:.0%} of its disagreements are with {other!r}"
    )
    about = _names(evidence, rows["category"])
    return _report(rows, about, "gap in agreement", sentence, estimate="gap", p_value="p_holm")


def _clear(evidence: Evidence, rows: pd.DataFrame) -> pd.DataFrame:
    """Without categories that are known to be confused with another one."""
    pairs = evidence.confused
    pairs = pairs[pairs["p_value"] < LEVEL]
    if pairs.empty:
        return rows
    named = {key for side in ("first", "second") for key in _tuples(pairs, [*evidence.keys, side])}
    return rows[[key not in named for key in _tuples(rows, [*evidence.keys, "category"])]]


def _nobody_agrees(evidence: Evidence, max_rate: float) -> pd.DataFrame:
    rows = _doubtful(evidence)
    rows = rows[rows["high"] < max_rate]
    sentence = (
        "where one of two coders chose {category!r}, both did in {estimate:.0%} "
        f"(at most {{high:.0%}}, below {max_rate:.0%}; {{n_items}} items)"
    )

    def each(few: pd.DataFrame) -> pd.DataFrame:
        return _report(few, _names(evidence, few["category"]), "rate", sentence, estimate="estimate", ci_high="high")

    several = f"where one of two coders chose one of {{number:,}} categories, both did in less than {max_rate:.0%}: "
    return _few_or_all(evidence, rows, MAX_WEAK, each, several)


def _doubtful(evidence: Evidence) -> pd.DataFrame:
    """Categories that are not known to be confused, where there is some agreement."""
    rows, alpha = _clear(evidence, evidence.limits), evidence.pick("alpha")
    some = alpha[alpha["ci_low"] > 0]
    if not evidence.keys:
        return rows if len(some) else rows.iloc[:0]
    groups = pd.MultiIndex.from_frame(some[evidence.keys])
    return rows[pd.MultiIndex.from_frame(rows[evidence.keys]).isin(groups)]


def _no_better_than_chance(evidence: Evidence, max_kappa: float) -> pd.DataFrame:
    """Categories that cannot be told from chance, although there are items enough to see an agreement."""
    rows = _doubtful(evidence)
    rows = rows[(rows["p_holm"] > LEVEL) & (rows["kappa_high"] < max_kappa)]
    if len(evidence.reading.category_set.labels) == 2:  # both have the same p: report the rarer one
        rows = rows.sort_values("n_labels").drop_duplicates(evidence.keys or ["coefficient"])
    sentence = (
        "how often coders meet on {category!r} cannot be told from chance ({p} after Holm): agreement beyond chance is "
        f"{{kappa:.2f}}, at most {{kappa_high:.2f}}, below {max_kappa} ({{n_items}} items)"
    )
    numbers = {"estimate": "kappa", "ci_high": "kappa_high", "p_value": "p_holm"}

    def each(few: pd.DataFrame) -> pd.DataFrame:
        about = _names(evidence, few["category"])
        return _report(few.assign(p=_p_texts(few)), about, "agreement beyond chance", sentence, **numbers)

    several = "how often coders meet on one of {number:,} categories cannot be told from chance: "
    return _few_or_all(evidence, rows, MAX_WEAK, each, several)


def _rare(evidence: Evidence, min_labels: float) -> pd.DataFrame:
    rows = evidence.categories
    rows = rows[(rows["n_labels"] > 0) & (rows["n_labels"] < min_labels)]

    def each(few: pd.DataFrame) -> pd.DataFrame:
        about = _names(evidence, few["category"])
        sentence = "{category!r} was chosen {times} in all"
        return _report(few.assign(times=_times(few)), about, "labels", sentence, estimate="n_labels")

    several = f"{{number:,}} categories were chosen fewer than {min_labels:g} times each, {{once:,}} of them once: "
    return _few_or_all(evidence, rows, MAX_RARE, each, several)


def _few_or_all(
    evidence: Evidence, rows: pd.DataFrame, most: int, each: Callable[[pd.DataFrame], pd.DataFrame], sentence: str
) -> pd.DataFrame:
    """A row for each category; where a group has many of them, one row for all, in which the first are named."""
    number: Any = len(rows)
    if evidence.keys:
        number = rows.groupby(evidence.keys, sort=False, dropna=False, observed=True)["category"].transform("size")
    many = np.broadcast_to(number > most, len(rows))
    few = each(rows[~many])
    if not many.any():
        return few
    grouped = rows[many]
    if evidence.keys:
        parts = [part for _, part in grouped.groupby(evidence.keys, sort=False, dropna=False, observed=True)]
    else:
        parts = [grouped]
    found = pd.concat([part.head(1) for part in parts])[evidence.keys].reset_index(drop=True)
    found["number"] = [len(part) for part in parts]
    found["once"] = [int((part["n_labels"] == 1).sum()) for part in parts]
    found["named"] = [", ".join(map(repr, part["category"].head(MAX_NAMED).tolist())) for part in parts]
    found["others"] = found["number"] - MAX_NAMED
    found["n_items"] = evidence.items(found, evidence.keys)
    about = [f"{number:,} categories" for number in found["number"]]
    together = _report(found, about, "categories", sentence + "{named} and {others:,} more", estimate="number")
    return pd.concat([few, together]) if len(few) else together


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


def _missing_codes(evidence: Evidence, least: float) -> pd.DataFrame:
    """Labels that look like codes for a missing label, with the line that removes them."""
    rows = evidence.suspects
    if rows.empty:
        return rows
    changed = " {title} is {with_it:.2f}, and {without_it:.2f} without them"
    sentence = "{label!r} stands on {labels};" + changed
    labels = [count(number, "label") for number in rows["n_labels"]]
    advice = [f"{MISSING_CODE}: labels = labels.mask(labels.isin([{label!r}]))" for label in rows["label"]]
    rows = rows.assign(labels=labels, title=evidence.title, advice=advice)
    return _report(
        rows, [str(label) or repr(label) for label in rows["label"]], "labels", sentence, estimate="n_labels"
    )


def _far_values(evidence: Evidence, times: float) -> pd.DataFrame:
    far = evidence.far_values
    if not far:
        return pd.DataFrame()
    names = [f"{float(value):g}" for value in far]
    sentence = f"{listed(names)}: farther from all other values than {times:g} times the range of these"
    return _report(pd.DataFrame({"number": [len(far)]}), [listed(names)], "values", sentence, estimate="number")


def _not_tested(evidence: Evidence, max_gap: float) -> pd.DataFrame:
    """Why no coder can be called out of line, or which gap would hardly be seen."""
    rows = evidence.untested
    camps = set(_tuples(evidence.camps, evidence.keys)) if evidence.keys else set(evidence.camps.index)
    alone = np.array([key not in camps for key in _tuples(rows, evidence.keys)] if evidence.keys else [not camps])
    rows = rows[alone & ~(rows["missed"] <= max_gap)]
    if rows.empty:
        return rows
    reasons = [
        _reason(evidence.identified, row, max_gap) for row in rows[["n_coders", "missed", "more", "two"]].itertuples()
    ]
    return _report(rows.assign(reason=reasons, n_items=rows["more"]), "coders", "gap", "{reason}", estimate="missed")


def _reason(identified: bool, row: Any, max_gap: float) -> str:
    if not identified:
        return "it is not known who gave which label, so no coder can be called out of line"
    if row.n_coders == 2:
        return "there are two coders only, so nobody can tell which of them is out of line"
    if np.isnan(row.missed):
        return "the coders share too few items with each other to tell who is out of line"
    needed = int(np.ceil(row.more * (row.missed / max_gap) ** 2))
    return (
        f"with {count(row.more - row.two, 'item')} of three labels or more and {row.two:,.0f} of two, a coder whose "
        f"agreement beyond chance is less than {row.missed:.2f} below that of the others would hardly be found; it "
        f"takes about {needed:,} items to find a gap of {max_gap:g}"
    )


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
    "code for a missing label?": MISSING_CODE,
    "value far from all others": "check these values: a typing error, another unit or a code for a missing value?",
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
    "categories confused": "tell the two categories apart in the guidelines, with border cases, or merge them",
    "category below the others": (
        "define this category more clearly, with examples of what belongs to the category it is confused with"
    ),
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
    "not tested": "have three coders or more label the same items, if single coders are the question",
}
RULES = (
    Rule("code for a missing label?", "high", 1, _missing_codes),
    Rule("value far from all others", "high", TIMES_RANGE, _far_values),
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
    Rule("coder out of line", "high", MIN_GAP_OF_CODER, _out_of_line, special_advice=TRAIN_SCORER),
    Rule("coders differ in level", "medium", LEVEL, _levels_differ),  # type: ignore[arg-type]
    Rule("wide interval", "medium", 0.3, _wide_score_interval, special_advice="have more items scored, by more coders"),
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
BAD_DATA = {"code for a missing label?", "value far from all others"}
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
