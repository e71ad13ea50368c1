"""The options of a fit, checked when `truth` is called: which method takes which, and their defaults by method."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
import pandas as pd

from pandas_agreement.core.progress import bar_of
from pandas_agreement.errors import InputError, plain, wrong_value
from pandas_agreement.options import Check, Options, is_number, is_whole, must, one_of

TruthMethod = Literal["majority", "dawid_skene", "one_coin", "mace"]
Ties = Literal["missing", "first", "random", "prior"]
Start = Literal["votes", "random"]
TruthDuplicates = Literal["raise", "first", "last", "all"]

MODELS = ("dawid_skene", "one_coin", "mace")
#: options that only some methods can use
USED_BY: dict[str, tuple[str, ...]] = {
    "weights": ("majority",),
    "smoothing": MODELS,
    "diagonal": ("dawid_skene", "one_coin"),
    "prior": MODELS,
    "tol": MODELS,
    "max_iter": MODELS,
    "start": ("dawid_skene", "one_coin"),
    "restarts": MODELS,
}
#: pseudo-labels by method; for MACE .01 of a label, divided by the number of categories
SMOOTHING = {"dawid_skene": 0.5, "one_coin": 1.0}
MACE_SMOOTHING = 0.01
PRIOR = {"dawid_skene": "estimate", "one_coin": "uniform", "mace": "uniform"}
RESTARTS = 10
#: words of other packages for a method
FOREIGN_METHODS = {"vote": "majority", "mv": "majority", "ds": "dawid_skene", "wawa": "majority"}


@dataclass(frozen=True, eq=False)
class Settings:
    """The options of one fit; None stands for the default of the method."""

    method: TruthMethod = "majority"
    gold: Any = None
    ties: Ties = "missing"
    weights: Any = None
    smoothing: float | None = None
    diagonal: float | None = None
    prior: Any = None
    tol: float = 1e-9
    max_iter: int = 1000
    start: Start = "votes"
    restarts: int | None = None
    duplicates: TruthDuplicates = "raise"
    rng: int | np.random.Generator | None = None
    progress: bool = False

    @property
    def is_vote(self) -> bool:
        return self.method == "majority"

    def pseudo(self, n_categories: int) -> tuple[float, float]:
        """Labels added to every cell, and further ones on the diagonal."""
        default = SMOOTHING.get(self.method, MACE_SMOOTHING / max(n_categories, 1))
        s = default if self.smoothing is None else self.smoothing
        d = 0.0 if self.method == "mace" else s if self.diagonal is None else self.diagonal
        return float(s), float(d)

    @property
    def prior_kind(self) -> str:
        """'estimate', 'uniform' or 'given'."""
        if isinstance(self.prior, pd.DataFrame):
            return "given"
        return PRIOR[self.method] if self.prior is None else str(self.prior)

    @property
    def n_restarts(self) -> int:
        """Runs from random starts; 0 is one run from the votes."""
        random = self.method == "mace" or self.start == "random"
        return 0 if not random else RESTARTS if self.restarts is None else self.restarts


def _weights(name: str, value: Any) -> Any:
    if value is None or isinstance(value, (pd.Series, dict)) or (isinstance(value, str) and value == "agreement"):
        return value
    raise wrong_value(name, value, "must be 'agreement', a Series of weights by coder, or None")


def _prior(name: str, value: Any) -> Any:
    known = isinstance(value, str) and value in ("estimate", "uniform")
    if value is None or known or isinstance(value, pd.DataFrame):
        return value
    raise wrong_value(name, value, "must be 'estimate', 'uniform', or a frame of probabilities by item and category")


def _method(name: str, value: Any) -> Any:
    if isinstance(value, str) and value.lower() in FOREIGN_METHODS:
        word = FOREIGN_METHODS[value.lower()]
        extra = " with weights='agreement'" if value.lower() == "wawa" else ""
        raise wrong_value(name, value, "is not known", f"write method={word!r}{extra}", code="unknown value")
    return one_of("majority", *MODELS)(name, value)


def _at_least_0(why: str) -> Check:
    return must(
        lambda value: value is None or (is_number(value) and float(value) >= 0), f"must be a number of 0 or more: {why}"
    )


def _above_0(why: str) -> Check:
    return must(lambda value: value is None or is_whole(value, 1), f"must be a whole number above 0: {why}")


CHECKS: dict[str, Check] = {
    "method": _method,
    "ties": one_of("missing", "first", "random", "prior"),
    "weights": _weights,
    "smoothing": _at_least_0("labels added to every cell"),
    "diagonal": _at_least_0("labels added to the right ones"),
    "prior": _prior,
    "tol": _at_least_0("the least relative gain of the objective"),
    "max_iter": _above_0("the most sweeps"),
    "start": one_of("votes", "random"),
    "restarts": _above_0("runs from random starts"),
    "duplicates": one_of("raise", "first", "last", "all"),
}


def make_settings(given: dict[str, Any], options: Options) -> Settings:
    """Check the options of a fit; one that the method cannot use is an error."""
    checked = {name: CHECKS[name](name, plain(value)) if name in CHECKS else value for name, value in given.items()}
    bar_of(options.progress)  # an error without tqdm, now and not when the first fit is asked for
    settings = Settings(**checked, rng=options.rng, progress=options.progress)
    defaults = {field.name: field.default for field in fields(Settings)}
    for name, methods in USED_BY.items():
        value = getattr(settings, name)
        same = value is defaults[name] or (isinstance(value, (str, int, float)) and value == defaults[name])
        if settings.method not in methods and not same:
            remedy = f"it is an option of {' and '.join(f'method={method!r}' for method in methods)}"
            raise InputError(f"method={settings.method!r} cannot use {name}=", remedy, option=name, code="idle option")
    if settings.restarts is not None and settings.n_restarts == 0:
        remedy = "add start='random', or leave out restarts="
        raise InputError(
            "restarts= repeats random starts, and this fit starts from the votes", remedy, option="restarts"
        )
    return settings
