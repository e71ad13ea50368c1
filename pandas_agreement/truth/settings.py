"""The options of a fit, checked when `truth` is called: which method takes which, and their defaults by method."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypedDict

import numpy as np
import pandas as pd

from pandas_agreement.core.progress import bar_of
from pandas_agreement.errors import InputError, nearest, plain, shown, wrong_value
from pandas_agreement.options import Check, Options, is_number, is_whole, must, one_of

TruthMethod = Literal["majority", "dawid_skene", "one_coin", "mace"]
Ties = Literal["missing", "first", "random", "prior"]
Start = Literal["votes", "random"]


class FitOptions(TypedDict, total=False):
    """The entries of `fit=`: how a model is fitted."""

    tol: float
    max_iter: int
    start: Start
    restarts: int | None
    diagonal: float | None


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


def _not_negative(value: Any) -> bool:
    return is_number(value) and float(value) >= 0


def _above_0(value: Any) -> bool:
    return is_whole(value, 1)


CHECKS: dict[str, Check] = {
    "method": _method,
    "ties": one_of("missing", "first", "random", "prior"),
    "weights": _weights,
    "prior": _prior,
    "smoothing": must(
        lambda value: value is None or _not_negative(value), "must be a number of 0 or more: labels added to every cell"
    ),
}
#: entries of `fit=`: whether a value is valid, and what it must be; None is the default of those that have it
FIT: dict[str, tuple[Callable[[Any], bool], str]] = {
    "tol": (_not_negative, "must be a number of 0 or more: the least relative gain of the objective"),
    "max_iter": (_above_0, "must be a whole number above 0: the most sweeps"),
    "start": (lambda value: isinstance(value, str) and value in ("votes", "random"), "must be 'votes' or 'random'"),
    "restarts": (
        lambda value: value is None or _above_0(value),
        "must be a whole number above 0: runs from random starts",
    ),
    "diagonal": (
        lambda value: value is None or _not_negative(value),
        "must be a number of 0 or more: labels added to the right ones",
    ),
}


def _fit_entries(given: Any) -> dict[str, Any]:
    """The entries of `fit=`, checked."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise wrong_value("fit", given, "must be a dict, such as {'max_iter': 5000}")
    entries = {plain(name): plain(value) for name, value in given.items()}
    for name, value in entries.items():
        if name not in FIT:
            raise InputError(
                f"fit= has no entry {shown(name)}", nearest(name, FIT), option="fit", code="unknown option"
            )
        holds, rule = FIT[name]
        if not holds(value):
            raise wrong_value("fit", {name: value}, rule)
    return entries


def make_settings(given: dict[str, Any], options: Options) -> Settings:
    """Check the options of a fit; one that the method cannot use is an error."""
    entries = _fit_entries(given.get("fit"))
    named = {name: value for name, value in given.items() if name != "fit"}
    checked = {name: CHECKS[name](name, plain(value)) if name in CHECKS else value for name, value in named.items()}
    bar_of(options.progress)  # an error without tqdm, now and not when the first fit is asked for
    settings = Settings(**checked, **entries, rng=options.rng, progress=options.progress)
    defaults = {field.name: field.default for field in fields(Settings)}
    for name, methods in USED_BY.items():
        value = getattr(settings, name)
        same = value is defaults[name] or (isinstance(value, (str, int, float)) and value == defaults[name])
        if settings.method not in methods and not same:
            said, option = (f"fit={shown({name: value})}", "fit") if name in FIT else (f"{name}=", name)
            remedy = f"it is an option of {' and '.join(f'method={method!r}' for method in methods)}"
            raise InputError(f"method={settings.method!r} cannot use {said}", remedy, option=option, code="idle option")
    if settings.restarts is not None and settings.n_restarts == 0:
        problem = (
            f"fit={shown({'restarts': settings.restarts})} repeats random starts, and this fit starts from the votes"
        )
        raise InputError(problem, "add 'start': 'random', or leave out 'restarts'", option="fit")
    return settings
