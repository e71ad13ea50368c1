"""What is wrong with the data, in words that rest on numbers.

Each rule looks at one of the frames of this package, group by group, and gives the rows that pass its threshold. A
finding states the number it rests on and the threshold; nothing is said that was not measured.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.categories import by_category
from pandas_agreement.breakdown.coders import coders
from pandas_agreement.breakdown.confusion import margins
from pandas_agreement.breakdown.marginal_tests import marginal_tests
from pandas_agreement.coefficients.registry import find
from pandas_agreement.data import Reading
from pandas_agreement.engine import measure
from pandas_agreement.errors import AgreementWarning
from pandas_agreement.formatting import notes_of, p_words
from pandas_agreement.options import Missing, Options
from pandas_agreement.results import frames, schemas

SEVERITIES = ("high", "medium", "low")
TESTS = {"stuart_maxwell": "Stuart-Maxwell test", "mcnemar": "McNemar's test"}


class Evidence:
    """The frames that the rules look at, each made when the first rule asks for it; group keys are columns.

    `reading` holds the items that count and `missing` is the rule for them; `whole` has the others too.
    """

    def __init__(self, reading: Reading, missing: Missing = "pairable", whole: Reading | None = None) -> None:
        self.reading, self.missing = reading, missing
        self.whole = reading if whole is None else whole
        self.keys = [] if reading.groups is None else list(reading.groups.names)
        self.identified = reading.ratings.identified

    @cached_property
    def summary(self) -> pd.DataFrame:
        """A row a group, a column (statistic, coefficient)."""
        names = ["observed", "alpha", "ac1", *(["kappa"] if self.identified else [])]
        result = measure(self.reading, [find(name) for name in names], Options(missing=self.missing))
        return result.reset_index()

    @cached_property
    def categories(self) -> pd.DataFrame:
        return by_category(self.reading, ["rate"], Options(missing=self.missing)).reset_index()

    @cached_property
    def coders(self) -> pd.DataFrame:
        return coders(self.reading).reset_index()

    @cached_property
    def margins(self) -> pd.DataFrame:
        return margins(self.reading, "all").reset_index()

    @cached_property
    def tests(self) -> pd.DataFrame:
        name = "mcnemar" if len(self.reading.category_set.labels) == 2 else "stuart_maxwell"
        return marginal_tests(self.reading, [name]).reset_index()

    @cached_property
    def sizes(self) -> pd.DataFrame:
        """How many items have no, one or more labels, a row a group."""
        ratings = self.whole.ratings
        columns = {
            "none": ratings.sum((ratings.sizes == 0).astype(float)),
            "one": ratings.sum((ratings.sizes == 1).astype(float)),
            "more": ratings.sum((ratings.sizes > 1).astype(float)),
        }
        frame = pd.DataFrame(columns, index=self.whole.groups)
        return frame.reset_index() if self.keys else frame

    def pick(self, coefficient: str) -> pd.DataFrame:
        """The rows of one coefficient, a row a group."""
        return self.summary[self.summary["coefficient"] == coefficient].reset_index(drop=True)


@dataclass(frozen=True, eq=False)
class Rule:
    """`look` gives the rows that pass the threshold: the group keys and the columns about, value and evidence."""

    name: str
    severity: str
    threshold: float
    look: Callable[[Evidence, float], pd.DataFrame]
    needs_coders: bool = False

    @property
    def advice(self) -> str:
        return ADVICE[self.name]


def diagnose(reading: Reading) -> pd.DataFrame:
    """A row a finding, the worst first."""
    evidence = Evidence(reading)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)  # what is undefined is a finding of its own
        parts = list(_findings(evidence))
    names = [*evidence.keys, "finding"]
    if not parts:
        empty = pd.DataFrame(columns=[*names, *schemas.FINDINGS])
        return empty.astype(
            {n: ("float64" if d == "float64" else frames.TEXT) for n, (d, _) in schemas.FINDINGS.items()}
        ).set_index(names)
    found = pd.concat(parts, ignore_index=True)
    rank = found["severity"].map(SEVERITIES.index).to_numpy()
    found = found.iloc[np.argsort(rank, kind="stable")]
    columns = {
        name: found[name].to_numpy(object if kind == "str" else None) for name, (kind, _) in schemas.FINDINGS.items()
    }
    index = pd.MultiIndex.from_frame(found[names]) if len(names) > 1 else pd.Index(found["finding"], name="finding")
    return frames.result(index, columns, schemas.FINDINGS)


def _findings(evidence: Evidence) -> Iterator[pd.DataFrame]:
    for rule in RULES:
        if rule.needs_coders and not evidence.identified:
            continue
        rows = rule.look(evidence, rule.threshold)
        if len(rows):
            kept = rows[[*(key for key in evidence.keys if key in rows), "about", "value", "evidence"]]
            yield kept.assign(finding=rule.name, severity=rule.severity, threshold=rule.threshold, advice=rule.advice)


def _said(rows: pd.DataFrame, about: Any, value: str, words: Callable[[pd.Series], str]) -> pd.DataFrame:
    """Rows as findings: what they are about, the number, and a sentence for each."""
    said = rows.copy()
    said["evidence"] = [words(row) for _, row in rows.iterrows()]
    said["value"] = rows[value].astype(float)
    said["about"] = about if isinstance(about, str) else [str(x) or repr(x) for x in about]
    return said


def _names(evidence: Evidence, labels: Any) -> list[str]:
    """Labels as text; in quotation marks where the text of another label is the same."""
    texts = Counter(map(str, evidence.reading.category_set.labels))
    return [repr(label) if isinstance(label, str) and texts[label] > 1 else str(label) for label in labels]


# ------------------------------------------------------------------------------------------------------------ rules


def _undefined(evidence: Evidence, least: float) -> pd.DataFrame:
    rows = evidence.pick("alpha")
    rows = rows[rows["estimate"].isna()]
    return _said(rows, "", "n_items", lambda row: f"alpha is undefined: {notes_of(row['note'])[0]}")


def _paradox(evidence: Evidence, gap: float) -> pd.DataFrame:
    kappa = evidence.pick("kappa").assign(ac1=evidence.pick("ac1")["estimate"])
    top = evidence.categories.sort_values("n_labels", ascending=False, kind="stable")
    top = top.assign(part=top["n_labels"] / _total(top, evidence.keys))
    top = top.drop_duplicates(evidence.keys) if evidence.keys else top.head(1)
    shares = top[[*evidence.keys, "category", "part"]]
    rows = kappa.merge(shares, on=evidence.keys) if evidence.keys else kappa.merge(shares, how="cross")
    rows["gap"] = rows["ac1"] - rows["estimate"]
    rows = rows[(rows["observed"] >= 0.8) & (rows["estimate"] < 0.6) & (rows["gap"] >= gap)]
    return _said(
        rows,
        "",
        "gap",
        lambda row: (
            f"observed agreement is {row['observed']:.2f} and kappa only {row['estimate']:.2f}, because "
            f"{row['category']!r} is {row['part']:.0%} of the labels; AC1 is {row['ac1']:.2f}"
        ),
    )


def _total(rows: pd.DataFrame, keys: list[Any]) -> Any:
    return rows.groupby(keys)["n_labels"].transform("sum") if keys else rows["n_labels"].sum()


def _low(evidence: Evidence, bar: float) -> pd.DataFrame:
    rows = evidence.pick("alpha")
    rows = rows[rows["ci_high"] < bar]
    return _said(
        rows,
        "",
        "ci_high",
        lambda row: f"alpha is {row['estimate']:.2f}, its interval ends at {row['ci_high']:.2f}, below {bar}",
    )


def _wide_interval(evidence: Evidence, most: float) -> pd.DataFrame:
    rows = evidence.pick("alpha")
    rows = rows.assign(width=rows["ci_high"] - rows["ci_low"])
    rows = rows[rows["width"] > most]
    return _said(
        rows,
        "",
        "width",
        lambda row: (
            f"with {row['n_items']} items labelled twice or more alpha lies between {row['ci_low']:.2f} and "
            f"{row['ci_high']:.2f}; {items_needed(row['n_items'], row['width'], most)} items would bring that to {most}"
        ),
    )


def items_needed(n_items: int, width: float, wanted: float) -> int:
    """Items for an interval of the wanted width: the width falls with the root of their number."""
    return int(np.ceil(n_items * (width / wanted) ** 2))


def _single(evidence: Evidence, most: float) -> pd.DataFrame:
    rows = evidence.sizes
    seen = rows["one"] + rows["more"]
    rows = rows.assign(part=rows["one"] / seen.where(seen > 0), seen=seen)
    rows = rows[rows["part"] > most]
    return _said(
        rows, "", "part", lambda row: f"{row['one']:.0f} of {row['seen']:.0f} labelled items have one label only"
    )


def _out_of_line(evidence: Evidence, least: float) -> pd.DataFrame:
    rows = evidence.coders[evidence.coders["alpha_change"] >= least]
    return _said(
        rows,
        rows["coder"],
        "alpha_change",
        lambda row: (
            f"alpha rises by {row['alpha_change']:.2f} to {row['alpha_without']:.2f} without {row['coder']!r}, whose "
            f"mean agreement with the others is {row['agreement']:.2f}"
        ),
    )


def _always_the_same(evidence: Evidence, most: float) -> pd.DataFrame:
    """Coders who hardly vary, where the mean coder does: else it is the items that are alike."""
    who, used = [*evidence.keys, "coder"], evidence.margins
    used = used.assign(mean=_entropy(used["mean_share"], len(evidence.reading.category_set.labels)))
    used["mean"] = used.groupby(who, sort=False, dropna=False, observed=True)["mean"].transform("sum")
    usual = used.sort_values("n_labels", ascending=False, kind="stable").drop_duplicates(who)
    rows = evidence.coders.merge(usual[[*who, "category", "mean"]], on=who, how="left")
    rows["entropy"] = rows["entropy"].abs()  # never -0
    rows = rows[(rows["entropy"] < most) & (rows["mean"] >= most) & (rows["n_labels"] >= 10)]
    return _said(
        rows,
        rows["coder"],
        "entropy",
        lambda row: (
            f"the labels of {row['coder']!r} have an entropy of {row['entropy']:.2f} (1: all categories alike), mostly "
            f"{row['category']!r}"
        ),
    )


def _entropy(shares: pd.Series, n_categories: int) -> pd.Series:
    """What each share adds to the entropy, which is 1 where all categories are alike."""
    return -shares * np.log(shares.where(shares > 0, 1.0)) / np.log(max(n_categories, 2))


def _margins_differ(evidence: Evidence, level: float) -> pd.DataFrame:
    rows = evidence.tests[evidence.tests["p_holm"] < level]
    return _said(
        rows,
        rows["coder_1"].astype(str) + " and " + rows["coder_2"].astype(str),
        "p_holm",
        lambda row: (
            f"{row['coder_1']!r} and {row['coder_2']!r} use the categories at different rates on their "
            f"{row['n_items']} common items ({TESTS[row['test']]}, {p_words(row['p_holm'])} after Holm)"
        ),
    )


def _nobody_agrees(evidence: Evidence, most: float) -> pd.DataFrame:
    rows = evidence.categories
    rows = rows[(rows["estimate"] < most) & (rows["n_items"] >= 5)]
    return _said(
        rows,
        _names(evidence, rows["category"]),
        "estimate",
        lambda row: (
            f"where one of two coders chose {row['category']!r}, both did in {row['estimate']:.0%} "
            f"({row['n_items']} items)"
        ),
    )


def _no_better_than_chance(evidence: Evidence, level: float) -> pd.DataFrame:
    rows = evidence.categories
    rows = rows[(rows["p_holm"] > level) & (rows["n_items"] >= 5)]
    if len(evidence.reading.category_set.labels) == 2:  # both have the same p: it is about the rarer one
        rows = rows.sort_values("n_labels").drop_duplicates(evidence.keys or ["coefficient"])
    return _said(
        rows,
        _names(evidence, rows["category"]),
        "p_holm",
        lambda row: (
            f"how often coders meet on {row['category']!r} cannot be told from chance "
            f"({p_words(row['p_holm'])} after Holm)"
        ),
    )


def _rare(evidence: Evidence, least: float) -> pd.DataFrame:
    rows = evidence.categories
    rows = rows[(rows["n_labels"] > 0) & (rows["n_labels"] < least)]
    return _said(
        rows,
        _names(evidence, rows["category"]),
        "n_labels",
        lambda row: f"{row['category']!r} was chosen {_times(row['n_labels'])} in all",
    )


def _times(number: float) -> str:
    return "once" if number == 1 else f"{number:.0f} times"


def _one_coder_only(evidence: Evidence, least: float) -> pd.DataFrame:
    used = evidence.margins[evidence.margins["n_labels"] > 0]
    keys = [*evidence.keys, "category"]
    number = used.groupby(keys, observed=True)["coder"].transform("nunique")
    rows = used[(number == 1) & (used["n_labels"] >= least)]
    return _said(
        rows,
        _names(evidence, rows["category"]),
        "n_labels",
        lambda row: f"only {row['coder']!r} ever says {row['category']!r} ({_times(row['n_labels'])})",
    )


def _spellings(evidence: Evidence, least: float) -> pd.DataFrame:
    labels = list(evidence.reading.category_set.labels)
    same: dict[str, list[Any]] = {}
    for label in labels:
        same.setdefault(str(label).strip().casefold(), []).append(label)
    twins = [group for group in same.values() if len(group) > 1]
    rows = pd.DataFrame({"labels": twins, "number": [float(len(group)) for group in twins]})
    about = [", ".join(map(repr, group)) for group in twins]
    return _said(
        rows,
        about,
        "number",
        lambda row: f"{' and '.join(map(repr, row['labels']))} differ by case, spaces or type only",
    )


ADVICE = {
    "undefined": "collect items that two coders label, with more than one category among them",
    "same label, spelt differently": "make them one label, for instance with .str.strip().str.lower() or .astype(str)",
    "low agreement": "do not draw conclusions from these labels yet; look at the findings below for where to begin",
    "high agreement, low kappa": (
        "report AC1 or the rates by category beside kappa, and sample more items of the other categories"
    ),
    "coder out of line": "look at confusion(coder, *others) and disagreements(), and train this coder again",
    "coder who hardly varies": "check that this coder reads the items",
    "margins differ": "look at margins(): the coders have different thresholds; agree on examples at the border",
    "category nobody agrees on": (
        "define the category anew, with examples, or merge it with the one it is confused with"
    ),
    "category no better than chance": "treat its labels as guesses until it is defined anew",
    "label of one coder only": "is it a typing error, or a category that the others do not know?",
    "rare category": "intervals are too narrow with so few; label more items of it",
    "wide interval": "have more items labelled by two coders or more",
    "many items with one label": "they say nothing about agreement; have a part of them labelled again",
}
RULES = (
    Rule("undefined", "high", 2, _undefined),
    Rule("same label, spelt differently", "high", 2, _spellings),
    Rule("low agreement", "high", 0.667, _low),
    Rule("high agreement, low kappa", "medium", 0.2, _paradox, needs_coders=True),
    Rule("coder out of line", "high", 0.05, _out_of_line, needs_coders=True),
    Rule("coder who hardly varies", "medium", 0.2, _always_the_same, needs_coders=True),
    Rule("margins differ", "medium", 0.05, _margins_differ, needs_coders=True),
    Rule("category nobody agrees on", "high", 0.3, _nobody_agrees),
    Rule("category no better than chance", "high", 0.05, _no_better_than_chance, needs_coders=True),
    Rule("label of one coder only", "medium", 2, _one_coder_only, needs_coders=True),
    Rule("rare category", "low", 5, _rare),
    Rule("wide interval", "medium", 0.3, _wide_interval),
    Rule("many items with one label", "low", 0.2, _single),
)
