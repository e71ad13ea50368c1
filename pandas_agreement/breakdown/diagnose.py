"""Findings about the data, each with the number and the threshold behind it.

Each rule selects rows of one of the frames of this package, group by group, by its threshold. The computation of those
frames lives in the other modules of this folder. Some findings are facts about the data at hand: undefined, spellings,
rare categories, wide intervals, items with one label. All others say something about other items too. They need a test
at `LEVEL`, adjusted for the number of coders, pairs or categories, or an interval wholly beyond the threshold, so that
on coders who are alike each kind is found in at most 5 % of data sets (`tests/benchmarks/false_alarms.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.camps import two_camps
from pandas_agreement.breakdown.categories import by_category
from pandas_agreement.breakdown.coder_tests import coder_tests, sole_users
from pandas_agreement.breakdown.coders import coders
from pandas_agreement.breakdown.confusion import margins
from pandas_agreement.breakdown.marginal_tests import marginal_tests
from pandas_agreement.coefficients.category import logit_interval
from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.engine import measure
from pandas_agreement.errors import heard
from pandas_agreement.formatting import notes_of, p_words
from pandas_agreement.options import Missing, Options
from pandas_agreement.results import frames, schemas

SEVERITIES = ("high", "medium", "low")
LEVEL = 0.05  # of all tests of one kind of finding together
MIN_ITEMS = 10  # of a coder, or with a label other than the most frequent one
TESTS = {"stuart_maxwell": "Stuart-Maxwell test", "mcnemar": "McNemar's test"}


class Evidence:
    """The frames that the rules use, each computed on first use; group keys are columns.

    `reading` holds the items that count and `missing` is the rule for them; `whole` holds all items.
    """

    def __init__(self, reading: Reading, missing: Missing = "pairable", whole: Reading | None = None) -> None:
        self.reading, self.missing = reading, missing
        self.whole = reading if whole is None else whole
        self.keys = [] if reading.groups is None else list(reading.groups.names)
        self.identified = reading.ratings.identified

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One row per group and coefficient."""
        names = ["observed", "alpha", "ac1", *(["kappa"] if self.identified else [])]
        result = measure(self.reading, [find(name) for name in names], Options(missing=self.missing))
        return result.reset_index()

    @cached_property
    def categories(self) -> pd.DataFrame:
        return by_category(self.reading, ["rate"], Options(missing=self.missing)).reset_index()

    @cached_property
    def limits(self) -> pd.DataFrame:
        """The categories with upper limits of their rates (at `LEVEL` for all of them together) and of their kappas."""
        rows, n_categories = self.categories, len(self.reading.category_set.labels)
        ratings = self.reading.ratings
        labels = (
            rows["n_labels"].to_numpy(float).reshape(ratings.n_groups, len(rows) // max(ratings.n_groups, 1))
        )  # (G, K)
        paired = ratings.sum((ratings.sizes > 1).astype(float))[:, None]
        share = divide(labels, labels.sum(1, keepdims=True)).ravel()
        size = divide(labels.sum(1, keepdims=True), paired).repeat(labels.shape[1])  # labels per item
        high, alone = (_highest_rate(rows, size, LEVEL / n) for n in (max(n_categories, 2), 1))
        kappas = {"kappa": _kappa(rows["estimate"].to_numpy(float), share), "kappa_high": _kappa(alone, share)}
        return rows.assign(share=share, high=high, **kappas)

    @cached_property
    def coders(self) -> pd.DataFrame:
        return coders(self.reading).reset_index()

    @cached_property
    def coder_tests(self) -> pd.DataFrame:
        return coder_tests(self.reading).reset_index()

    @cached_property
    def camps(self) -> pd.DataFrame:
        """Two camps of coders and their test: one row per group."""
        found = two_camps(self.reading)
        return found.reset_index() if self.keys else found

    @cached_property
    def sole_users(self) -> pd.DataFrame:
        return sole_users(self.reading).reset_index()

    @cached_property
    def margins(self) -> pd.DataFrame:
        return margins(self.reading, "all").reset_index()

    @cached_property
    def tests(self) -> pd.DataFrame:
        name = "mcnemar" if len(self.reading.category_set.labels) == 2 else "stuart_maxwell"
        return marginal_tests(self.reading, [name]).reset_index()

    @cached_property
    def sizes(self) -> pd.DataFrame:
        """The number of items with no, one or more labels: one row per group."""
        ratings = self.whole.ratings
        columns = {
            "none": ratings.sum((ratings.sizes == 0).astype(float)),
            "one": ratings.sum((ratings.sizes == 1).astype(float)),
            "more": ratings.sum((ratings.sizes > 1).astype(float)),
        }
        frame = pd.DataFrame(columns, index=self.whole.groups)
        return frame.reset_index() if self.keys else frame

    @cached_property
    def varied(self) -> np.ndarray:
        """Items with a label other than the most frequent one of their group: (G,)."""
        ratings, counts = self.reading.ratings, self.reading.ratings.counts
        paired = np.where(ratings.sizes > 1, ratings.weights, 0.0)
        totals = counts.total(paired, ratings.group, ratings.n_groups)
        usual = (np.arange(totals.shape[1]) == np.argsort(-totals, 1, "stable")[:, :1]).astype(float)
        return ratings.sum(((ratings.sizes > 1) & (counts.dot(usual, ratings.group) < ratings.sizes)).astype(float))

    def pick(self, coefficient: str) -> pd.DataFrame:
        """The rows of one coefficient: one per group, with the number of items that vary."""
        rows = self.summary[self.summary["coefficient"] == coefficient].reset_index(drop=True)
        return rows.assign(varied=self.varied)


@dataclass(frozen=True, eq=False)
class Rule:
    """`look` selects rows by the threshold: the group keys and the columns about, value and evidence."""

    name: str
    severity: str
    threshold: float
    look: Callable[[Evidence, float], pd.DataFrame]
    needs_coders: bool = False

    @property
    def advice(self) -> str:
        return ADVICE[self.name]


def diagnose(reading: Reading) -> pd.DataFrame:
    """One row per finding, the worst first."""
    evidence = Evidence(reading)
    with heard():  # undefined estimates are findings
        parts = list(_findings(evidence))
    names = [*evidence.keys, "finding"]
    if not parts:
        dtypes = {n: ("float64" if d == "float64" else frames.TEXT) for n, (d, _) in schemas.FINDINGS.items()}
        return pd.DataFrame(columns=[*names, *schemas.FINDINGS]).astype(dtypes).set_index(names)
    found = pd.concat(parts, ignore_index=True)
    rank = found["severity"].map(SEVERITIES.index).to_numpy()
    found = found.iloc[np.argsort(rank, kind="stable")]
    columns = {
        name: found[name].to_numpy(object if kind == "str" else None) for name, (kind, _) in schemas.FINDINGS.items()
    }
    index = (
        pd.MultiIndex.from_frame(found.reindex(columns=names))
        if len(names) > 1
        else pd.Index(found["finding"], name="finding")
    )
    return frames.result(index, columns, schemas.FINDINGS)


def _findings(evidence: Evidence) -> Iterator[pd.DataFrame]:
    for rule in RULES:
        if rule.needs_coders and not evidence.identified:
            continue
        rows = rule.look(evidence, rule.threshold)
        if len(rows):
            kept = rows[[*(key for key in evidence.keys if key in rows), "about", "value", "evidence"]]
            yield kept.assign(finding=rule.name, severity=rule.severity, threshold=rule.threshold, advice=rule.advice)


def _report(rows: pd.DataFrame, about: Any, value: str, sentence: str) -> pd.DataFrame:
    """Rows as findings: the subject, the number, and the sentence filled in with the columns of each row."""
    findings = rows.copy()
    findings["evidence"] = [sentence.format_map(row) for _, row in rows.iterrows()]
    findings["value"] = rows[value].astype(float)
    findings["about"] = about if isinstance(about, str) else [str(x) or repr(x) for x in about]
    return findings


def _names(evidence: Evidence, labels: Any) -> list[str]:
    """Labels as text; in quotation marks if another label has the same text."""
    texts = Counter(map(str, evidence.reading.category_set.labels))
    return [repr(label) if isinstance(label, str) and texts[label] > 1 else str(label) for label in labels]


# ------------------------------------------------------------------------------------------------------------ rules


def _undefined(evidence: Evidence, least: float) -> pd.DataFrame:
    rows = evidence.pick("alpha")
    rows = rows[rows["estimate"].isna()]
    rows = rows.assign(reason=[notes_of(note)[0] for note in rows["note"]])
    return _report(rows, "", "n_items", "alpha is undefined: {reason}")


def _paradox(evidence: Evidence, min_gap: float) -> pd.DataFrame:
    """High agreement, low kappa, and AC1 well above it, each by its interval."""
    kappa, ac1, observed = (evidence.pick(name) for name in ("kappa", "ac1", "observed"))
    rows = kappa.assign(ac1=ac1["estimate"], gap=ac1["estimate"] - kappa["estimate"], least=observed["ci_low"])
    below, above = ac1["estimate"] - ac1["ci_low"], kappa["ci_high"] - kappa["estimate"]
    rows["gap_low"] = rows["gap"] - np.hypot(below, above)  # Zou and Donner (2008)
    top = evidence.limits.sort_values("share", ascending=False, kind="stable")
    top = top.drop_duplicates(evidence.keys) if evidence.keys else top.head(1)
    shares = top[[*evidence.keys, "category", "share"]]
    rows = rows.merge(shares, on=evidence.keys) if evidence.keys else rows.merge(shares, how="cross")
    clear = (rows["least"] >= 0.8) & (rows["ci_high"] < 0.6) & (rows["gap_low"] >= min_gap)
    sentence = (
        "observed agreement is {observed:.2f} and kappa only {estimate:.2f} (at most {ci_high:.2f}), because "
        "{category!r} is {share:.0%} of the labels; AC1 is {ac1:.2f}, at least {gap_low:.2f} more, "
        f"above {min_gap}"
    )
    return _report(rows[clear & (rows["varied"] >= MIN_ITEMS)], "", "gap_low", sentence)


def _low(evidence: Evidence, bar: float) -> pd.DataFrame:
    rows = evidence.pick("alpha")
    rows = rows[(rows["ci_high"] < bar) & (rows["varied"] >= MIN_ITEMS)]
    sentence = f"alpha is {{estimate:.2f}}, its interval ends at {{ci_high:.2f}}, below {bar}"
    return _report(rows, "", "ci_high", sentence)


def _wide_interval(evidence: Evidence, max_width: float) -> pd.DataFrame:
    rows = evidence.pick("alpha")
    rows = rows.assign(width=rows["ci_high"] - rows["ci_low"])
    rows = rows[rows["width"] > max_width]
    needed = [items_needed(n, width, max_width) for n, width in zip(rows["n_items"], rows["width"], strict=True)]
    sentence = "with {n_items} items labelled twice or more alpha lies between {ci_low:.2f} and {ci_high:.2f}; "
    return _report(
        rows.assign(needed=needed), "", "width", sentence + f"{{needed}} items would bring that to {max_width}"
    )


def items_needed(n_items: int, width: float, target: float) -> int:
    """Items for an interval of the target width, which is proportional to 1 / sqrt(n_items)."""
    return int(np.ceil(n_items * (width / target) ** 2))


def _single(evidence: Evidence, max_share: float) -> pd.DataFrame:
    rows = evidence.sizes
    labelled = rows["one"] + rows["more"]
    rows = rows.assign(part=rows["one"] / labelled.where(labelled > 0), labelled=labelled)
    sentence = "{one:.0f} of {labelled:.0f} labelled items have one label only"
    return _report(rows[rows["part"] > max_share], "", "part", sentence)


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
    return _report(rows.assign(p=_p_texts(rows)), rows["coder"], "gap", sentence)


def _two_camps(evidence: Evidence, min_gap: float) -> pd.DataFrame:
    """Two camps that agree more within each than across, on items that did not define them."""
    rows = evidence.camps
    rows = rows[(rows["p_value"] < LEVEL) & (rows["gap"] >= min_gap) & (rows["n_items"] >= MIN_ITEMS)]
    sentence = (
        "on the half of the items that did not define the camps ({n_items:.0f}) alpha is {within_1:.2f} within one, "
        "{within_2:.2f} within the other and {across:.2f} across: "
        f"at least {{gap:.2f}} less, above {min_gap} ({{p}})"
    )
    about = [f"{row['first']} against {row['second']}" for _, row in rows.iterrows()]
    return _report(rows.assign(p=[p_words(p) for p in rows["p_value"]]), about, "gap", sentence)


def _always_the_same(evidence: Evidence, max_entropy: float) -> pd.DataFrame:
    """Coders who hardly vary although the mean coder does, and give their usual label more often than the others."""
    who, used = [*evidence.keys, "coder"], evidence.margins
    used = used.assign(mean=_entropy(used["mean_share"], len(evidence.reading.category_set.labels)))
    used["mean"] = used.groupby(who, sort=False, dropna=False, observed=True)["mean"].transform("sum")
    usual = used.sort_values("n_labels", ascending=False, kind="stable").drop_duplicates(who)
    usual = usual.astype({"coder": evidence.coders["coder"].dtype})  # without labels pandas knows no type
    rows = evidence.coders.merge(usual[[*who, "category", "mean"]], on=who, how="left")
    rows["entropy"] = rows["entropy"].abs()  # never -0
    rows["p_holm"] = evidence.coder_tests["usual_p"]
    rows = rows[(rows["entropy"] < max_entropy) & (rows["mean"] >= max_entropy) & (rows["n_labels"] >= MIN_ITEMS)]
    rows = rows[rows["p_holm"] < LEVEL]
    sentence = (
        f"the labels of {{coder!r}} have an entropy of {{entropy:.2f}}, below {max_entropy} (1: all categories alike), "
        "mostly {category!r}, more often than the others on the same items ({p} after Holm)"
    )
    return _report(rows.assign(p=_p_texts(rows)), rows["coder"], "entropy", sentence)


def _entropy(shares: pd.Series, n_categories: int) -> pd.Series:
    """The term of each share in the entropy, which is 1 if all shares are equal."""
    return -shares * np.log(shares.where(shares > 0, 1.0)) / np.log(max(n_categories, 2))


def _margins_differ(evidence: Evidence, level: float) -> pd.DataFrame:
    rows = evidence.tests[evidence.tests["p_holm"] < level]
    about = rows["coder_1"].astype(str) + " and " + rows["coder_2"].astype(str)
    rows = rows.assign(test=rows["test"].map(TESTS), p=_p_texts(rows))
    sentence = "{coder_1!r} and {coder_2!r} use the categories at different rates on their {n_items} common items "
    return _report(rows, about, "p_holm", sentence + "({test}, {p} after Holm)")


def _p_texts(rows: pd.DataFrame) -> list[str]:
    return [p_words(p) for p in rows["p_holm"]]


def _highest_rate(rows: pd.DataFrame, size: np.ndarray, level: float) -> np.ndarray:
    """One-sided upper limit of the rate of each category; only the items that hold it inform about it.

    A rate may rest on few items that all coders give the category, and a sample may miss them all: having seen none
    does not contradict -log(2 level) such items.
    """
    rate, se, n = (rows[name].to_numpy(float) for name in ("estimate", "se", "n_items"))
    high = logit_interval(rate, se, n, n, 1 - 2 * level)[1]
    unseen = -np.log(2 * level) * size / np.maximum(rows["n_labels"].to_numpy(float), 1)
    specific = np.minimum(2 * rate / (1 + rate) + unseen, 1.0)
    return np.maximum(high, specific / (2 - specific))


def _kappa(rate: Any, share: Any) -> Any:
    """Agreement beyond chance on a category, from its rate and its share of the labels."""
    specific = 2 * rate / (1 + rate)
    return divide(specific - share, 1 - share)


def _nobody_agrees(evidence: Evidence, max_rate: float) -> pd.DataFrame:
    rows = evidence.limits
    rows = rows[rows["high"] < max_rate]
    sentence = (
        "where one of two coders chose {category!r}, both did in {estimate:.0%} "
        f"(at most {{high:.0%}}, below {max_rate:.0%}; {{n_items}} items)"
    )
    return _report(rows, _names(evidence, rows["category"]), "high", sentence)


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
    return _report(rows.assign(p=_p_texts(rows)), _names(evidence, rows["category"]), "kappa_high", sentence)


def _rare(evidence: Evidence, min_labels: float) -> pd.DataFrame:
    rows = evidence.categories
    rows = rows[(rows["n_labels"] > 0) & (rows["n_labels"] < min_labels)]
    sentence = "{category!r} was chosen {times} in all"
    return _report(rows.assign(times=_times(rows)), _names(evidence, rows["category"]), "n_labels", sentence)


def _times(rows: pd.DataFrame) -> list[str]:
    return ["once" if number == 1 else f"{number:.0f} times" for number in rows["n_labels"]]


def _one_coder_only(evidence: Evidence, level: float) -> pd.DataFrame:
    used = evidence.margins[evidence.margins["n_labels"] > 0]
    rows = used.merge(evidence.sole_users.query("p_holm < @level"), on=[*evidence.keys, "category"])
    sentence = "only {coder!r} ever says {category!r} ({times}; by chance {p} after Holm)"
    rows = rows.assign(times=_times(rows), p=_p_texts(rows))
    return _report(rows, _names(evidence, rows["category"]), "p_holm", sentence)


def _spellings(evidence: Evidence, least: float) -> pd.DataFrame:
    same: dict[str, list[Any]] = {}
    for label in evidence.reading.category_set.labels:
        same.setdefault(str(label).strip().casefold(), []).append(label)
    variants = [list(map(repr, labels)) for labels in same.values() if len(labels) > 1]
    rows = pd.DataFrame({"labels": [" and ".join(labels) for labels in variants], "number": list(map(len, variants))})
    about = [", ".join(labels) for labels in variants]
    return _report(rows, about, "number", "{labels} differ by case, spaces or type only")


ADVICE = {
    "undefined": "collect items that two coders label, with more than one category among them",
    "same label, spelt differently": "make them one label, for instance with .str.strip().str.lower() or .astype(str)",
    "low agreement": "do not draw conclusions from these labels yet; look at the findings below for where to begin",
    "high agreement, low kappa": (
        "report AC1 or the rates by category beside kappa, and sample more items of the other categories"
    ),
    "coder out of line": "look at confusion(coder, *others) and disagreements(), and train this coder again",
    "two camps": (
        "compare them with coder_groups({...}) and look at what they see differently: it may be a second view, no error"
    ),
    "coder who hardly varies": "check that this coder reads the items",
    "margins differ": "look at margins(): the coders have different thresholds; agree on examples at the border",
    "category nobody agrees on": (
        "define the category anew, with examples, or merge it with the one it is confused with"
    ),
    "category no better than chance": "treat its labels as guesses until it is defined anew",
    "label of one coder only": "is it a typing error, or a category that the others do not know?",
    "rare category": "so few say little about agreement on it; label more items of it",
    "wide interval": "have more items labelled by two coders or more",
    "many items with one label": "they say nothing about agreement; have a part of them labelled again",
}
RULES = (
    Rule("undefined", "high", 2, _undefined),
    Rule("same label, spelt differently", "high", 2, _spellings),
    Rule("low agreement", "high", 0.667, _low),
    Rule("high agreement, low kappa", "medium", 0.2, _paradox, needs_coders=True),
    Rule("coder out of line", "high", 0.05, _out_of_line, needs_coders=True),
    Rule("two camps", "high", 0.1, _two_camps, needs_coders=True),
    Rule("coder who hardly varies", "medium", 0.2, _always_the_same, needs_coders=True),
    Rule("margins differ", "medium", LEVEL, _margins_differ, needs_coders=True),
    Rule("category nobody agrees on", "high", 0.3, _nobody_agrees),
    Rule("category no better than chance", "high", 0.4, _no_better_than_chance, needs_coders=True),
    Rule("label of one coder only", "medium", LEVEL, _one_coder_only, needs_coders=True),
    Rule("rare category", "low", 5, _rare),
    Rule("wide interval", "medium", 0.3, _wide_interval),
    Rule("many items with one label", "low", 0.2, _single),
)
