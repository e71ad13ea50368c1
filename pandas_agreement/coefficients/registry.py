"""The registry of coefficients.

A record holds all facts about a coefficient: name and aliases, kernel, requirements, options. The accessor, `summary`,
the catalogue, the docs, the error messages and the contract tests are made from it. `@coefficient(...)` above a kernel
adds one. `FEATURES` holds the methods and options that only some coefficients have.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, Literal, Protocol, TypeVar

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.scores import Scores
from pandas_agreement.core.sums import Estimate, SufficientStatistics
from pandas_agreement.errors import InputError, UnknownMethodError, nearest, shown

COMMON: tuple[str, ...] = ("by", "overall", "categories", "missing", "ci", "method", "clusters", "frequency")
COMMON += ("n_resamples", "rng", "progress", "detail")

#: letters that several formulas share
LETTERS = {
    "A_o": "observed agreement (`df.agree.observed`)",
    "n_{ik}": "number of labels of category :math:`k` on item :math:`i`",
    "r_i": "number of labels of item :math:`i`",
    "K": "number of categories, declared or seen",
    "w_{kl}": "agreement weight of categories :math:`k` and :math:`l`, for nominal labels 1 if they are equal and else "
    "0",
    "d_{kl}": "distance of categories :math:`k` and :math:`l`, for nominal labels 0 if they are equal and else 1",
}

#: sums over items, with any leading axes, and the distance between categories -> the value at these sums
Kernel = Callable[[SufficientStatistics, Distance], Estimate]
#: shares p (..., K), distance D and D p -> expected disagreement (...) and its derivatives by the shares (..., K)
AtShares = Callable[[Array, Distance, Array], tuple[Array, Array]]


@dataclass(frozen=True, eq=False)
class ScoreEstimate:
    """The value and interval of a coefficient of scores: (G,) each."""

    value: Array
    low: Array
    high: Array
    how: str | Array  # name of the interval, or of that of each group
    se: Array | None = None
    left_out: Array | None = None  # items with a missing score, which are not used
    remarks: Mapping[tuple[str, str], Array] = field(default_factory=dict)  # code and text: groups (G,) of bool


class ScoreKernel(Protocol):
    """Computes a coefficient of scores with its interval; `progress` shows a bar where it goes through pairs."""

    def __call__(self, values: Scores, level: float, progress: bool = False) -> ScoreEstimate: ...


def no_sums(sums: SufficientStatistics, distance: Distance) -> Estimate:
    """The kernel of a coefficient of scores."""
    raise TypeError("a coefficient of scores is no function of sums over items")


@dataclass(frozen=True, eq=False)
class Coefficient:
    """The facts about one coefficient."""

    name: str
    kernel: Kernel
    chance: str  # its model of agreement by chance, in a few words
    use_when: str
    reference: str
    display: tuple[str, str] | None = None  # its name for two coders and for more, where the title does not say it
    formula: str = ""  # in LaTeX
    letters: Mapping[str, str] = field(default_factory=dict)  # of the formula, beyond those in `LETTERS`
    aliases: tuple[str, ...] = ()
    options: tuple[str, ...] = ("weights",)  # beyond those that all coefficients share
    hidden: bool = False  # df.agree does not show it; it works by name
    needs_coders: bool = False  # needs the coder of each label
    needs_weights: bool = False  # has no default weights
    random_coders: bool = False  # its interval takes the coders, too, as a random sample
    depends_on_k: bool = False  # declaring another category changes it
    zero_if_constant: bool = False  # 0 without a standard error if one of two coders used one category only
    unit: str = "item"  # what has weight 1: an "item", or a "label" as in alpha
    of_scores: ScoreKernel | None = None  # takes the place of the kernel; labels must then be numbers
    over_pairs: Literal["", "mean", "pooled"] = ""  # it is for two coders: how the values of all pairs are combined
    range: tuple[float, float] = (-1.0, 1.0)
    perfect: float | None = 1.0  # the value of perfect agreement, None if it has none
    at_shares: AtShares | None = None  # its chance model at pooled shares, for the score interval
    more: tuple[str, str] | None = None  # a remark on values above 0, with its code: where to look
    correction: Literal["ratio", "other", "none"] = "ratio"  # for chance; "ratio" is 1 - D_o / D_e
    methods: tuple[str, ...] = ("analytic", "log", "jackknife", "percentile", "bca")

    @cached_property
    def all_methods(self) -> tuple[str, ...]:
        """The methods of its interval; 'auto' is 'score' where there is one."""
        return ("auto", *(["score"] if self.at_shares else []), *self.methods)

    @property
    def title(self) -> str:
        return self.doc.partition("\n")[0]

    @property
    def doc(self) -> str:
        return inspect.getdoc(self.of_scores or self.kernel) or ""

    @property
    def needs_numbers(self) -> bool:
        """Whether labels must be numbers."""
        return self.of_scores is not None

    @property
    def of_items(self) -> bool:
        """Whether it is a function of sums over the items."""
        return not (self.needs_numbers or self.over_pairs)

    @property
    def corrected(self) -> bool:
        """Whether agreement is corrected for chance."""
        return self.correction != "none"

    @property
    def stops_at_chance(self) -> bool:
        """Whether agreement below chance gives 0 instead of a negative value."""
        return self.corrected and self.range[0] == 0

    @property
    def on_scale_of_kappa(self) -> bool:
        """Whether 0 is chance and values below chance are negative, as the benchmark scales assume."""
        return self.corrected and not self.stops_at_chance

    @cached_property
    def all_options(self) -> tuple[str, ...]:
        """Its own options, and that of the feature it may have."""
        return (*self.options, *(["sampling"] if self.has("sampling") else []))

    def has(self, feature: str) -> bool:
        """Whether a method or option can be used with it: see `FEATURES`."""
        return FEATURES[feature](self)

    def rule(self, missing: str) -> str:
        """Its rule for missing labels: alpha, whose unit is the label, does not use items with a single one."""
        return "pairable" if missing == "all" and self.unit == "label" else missing

    def accepts(self, option: str) -> bool:
        return option in COMMON or option in self.all_options


def _of_labels(record: Coefficient) -> bool:
    return not record.needs_numbers


#: methods and options that not all coefficients have, and which have them
FEATURES: dict[str, Callable[[Coefficient], bool]] = {
    "by_category": lambda record: _of_labels(record) and not record.needs_weights,
    "coder_groups": lambda record: record.of_items and record.perfect is not None,
    "compare": _of_labels,
    "by_item": _of_labels,
    "plan": lambda record: _of_labels(record) and not record.needs_weights and record.perfect is not None,
    "pooled": lambda record: record.correction == "ratio",
    "sampling": _of_labels,
    "stream": lambda record: record.of_items,
    "test": lambda record: record.at_shares is not None or bool(record.over_pairs and record.corrected),
}


def mentions(formula: str, letter: str) -> bool:
    r"""Whether a letter stands in a formula by itself.

    >>> mentions(r"\frac{n_{ik}}{C}", "C"), mentions(r"\frac{n_{ik}}{C}", "n"), mentions(r"\min(MS_C)", "C")
    (True, False, False)
    """
    return re.search(rf"(?<![A-Za-z_\\]){re.escape(letter)}(?![A-Za-z_])", formula) is not None


def having(feature: str) -> list[str]:
    """The coefficients that have a feature, in the order of the catalogue."""
    return [name for name, record in REGISTRY.items() if record.has(feature)]


def require(record: Coefficient, feature: str, refusal: str) -> None:
    """Refuse a coefficient without a feature, and name those that have it."""
    if not record.has(feature):
        remedy = f"use one of {', '.join(map(repr, having(feature)))}"
        raise InputError(f"{record.name} {refusal}", remedy, code="wrong coefficient")


REGISTRY: dict[str, Coefficient] = {}
ALIASES: dict[str, str] = {}
LISTENERS: list[Callable[[Coefficient], None]] = []  # called with every coefficient that is added


def register(record: Coefficient) -> Coefficient:
    """Add a coefficient; a name or alias that is taken is an error."""
    for name in (record.name, *record.aliases):
        if name in REGISTRY or name in ALIASES:
            raise InputError(f"the coefficient name {name!r} is taken")
    REGISTRY[record.name] = record
    ALIASES.update(dict.fromkeys(record.aliases, record.name))
    for listener in LISTENERS:
        listener(record)
    return record


OfLabels = TypeVar("OfLabels", bound=Kernel)
OfScores = TypeVar("OfScores", bound=ScoreKernel)


def coefficient(name: str, **facts: Any) -> Callable[[OfLabels], OfLabels]:
    """Register the kernel below as a coefficient; the keywords are the fields of `Coefficient`."""

    def add(kernel: OfLabels) -> OfLabels:
        register(Coefficient(name, kernel, **facts))
        return kernel

    return add


def score_coefficient(name: str, **facts: Any) -> Callable[[OfScores], OfScores]:
    """Register the kernel below as a coefficient of scores."""
    shared: dict[str, Any] = {"needs_coders": True, "correction": "none", "options": ()}
    shared["methods"] = ("analytic", "percentile", "bca")

    def add(kernel: OfScores) -> OfScores:
        register(Coefficient(name, no_sums, of_scores=kernel, **(shared | facts)))
        return kernel

    return add


def find(name: str) -> Coefficient:
    """The record behind a name or an alias.

    >>> find("cohen_kappa").name
    'kappa'
    """
    if not isinstance(name, str):
        raise InputError(f"a coefficient is given by its name, such as 'kappa', and not as {shown(name)}")
    key = ALIASES.get(name, name)
    if key in REGISTRY:
        return REGISTRY[key]
    known = [*REGISTRY, *ALIASES]
    remedy = nearest(name if name.lower() in known else name.lower(), known)
    if name.lower() == "icc":
        remedy = f"name the form: {', '.join(repr(each) for each in REGISTRY if each.startswith('icc_'))}"
    raise UnknownMethodError(f"no coefficient {name!r}", remedy, code="unknown coefficient")
