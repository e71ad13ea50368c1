"""The record of a coefficient.

One record knows everything about a coefficient: its name and aliases, the kernel, what it needs, which options mean
something to it. The accessor, `summary`, the catalogue, the docs, the error messages and the contract tests read it.
`@coefficient(...)` above a kernel is all it takes to add one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pandas_agreement.errors import InputError, UnknownMethodError, nearest

COMMON = ("by", "categories", "missing", "ci", "method", "clusters", "duplicates", "n_resamples", "rng", "progress")
WEIGHTED = ("weights", "scale", "period")
SAMPLED = ("sampling", "expected")  # for coefficients that are sums over items


@dataclass(frozen=True, eq=False)
class Coefficient:
    """All there is to know about one coefficient."""

    name: str
    kernel: Callable[..., Any]  # (sums, distance) -> Estimate, or for `over="pairs"` see `coefficients.pooling`
    chance: str  # what agreement by chance means to it, in a few words
    use_when: str
    reference: str
    aliases: tuple[str, ...] = ()
    options: tuple[str, ...] = WEIGHTED  # beyond those that all coefficients share
    needs_coders: bool = False  # must know who said what
    needs_numbers: bool = False  # labels must be numbers
    needs_weights: bool = False  # has no default weights
    depends_on_k: bool = False  # declaring another category changes it
    zero_if_constant: bool = False  # two coders, one of whom always says the same: 0, with no standard error
    unit: str = "item"  # what counts once: an "item", or a "label" as in alpha
    over: str = "items"  # sums over "items", tables of all "pairs" of coders, or "values": see `coefficients.numeric`
    range: tuple[float, float] = (-1.0, 1.0)
    perfect: float | None = 1.0  # the value of perfect agreement, None if it has none
    corrected: bool = True  # observed agreement corrected for chance
    methods: tuple[str, ...] = ("analytic", "log", "jackknife", "percentile", "bca")

    @property
    def title(self) -> str:
        return self.doc.partition("\n")[0]

    @property
    def doc(self) -> str:
        return inspect.getdoc(self.kernel) or ""

    @property
    def all_options(self) -> tuple[str, ...]:
        """Those of its own, and those of its kind."""
        kind = {"items": SAMPLED if self.corrected else SAMPLED[:1], "pairs": SAMPLED[:1]}.get(self.over, ())
        return (*self.options, *kind)

    def rule(self, missing: str) -> str:
        """The rule for missing labels that it follows: a single label says nothing where labels are what counts."""
        return "pairable" if missing == "all" and self.unit == "label" else missing

    def accepts(self, option: str) -> bool:
        return option in COMMON or option in self.all_options


REGISTRY: dict[str, Coefficient] = {}
ALIASES: dict[str, str] = {}
LISTENERS: list[Callable[[Coefficient], None]] = []  # told of every coefficient that is added


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


def unregister(name: str) -> None:
    """Take a coefficient out again."""
    record = REGISTRY.pop(name)
    for alias in record.aliases:
        del ALIASES[alias]


def coefficient(name: str, **facts: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register the kernel below as a coefficient; the keywords are the fields of `Coefficient`."""

    def add(kernel: Callable[..., Any]) -> Callable[..., Any]:
        register(Coefficient(name, kernel, **facts))
        return kernel

    return add


def find(name: str) -> Coefficient:
    """The record behind a name or an alias.

    >>> find("cohen_kappa").name
    'kappa'
    """
    if not isinstance(name, str):
        raise InputError(f"a coefficient is given by its name, such as 'kappa', and not as {name!r}")
    key = ALIASES.get(name, name)
    if key in REGISTRY:
        return REGISTRY[key]
    raise UnknownMethodError(
        f"no coefficient {name!r}", nearest(name, [*REGISTRY, *ALIASES]), code="unknown coefficient"
    )
