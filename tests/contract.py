"""What the contract tests share: the names of the coefficients, how to call them, their definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

import pandas_agreement  # noqa: F401  (registers the coefficients)
from pandas_agreement.coefficients.registry import REGISTRY
from tests import bruteforce, helpers
from tests.helpers import row_of

EVERY = list(REGISTRY)
NUMERIC = [name for name in EVERY if REGISTRY[name].needs_numbers]
NAMES = [name for name in EVERY if name not in NUMERIC]  # those of labels
VALUES = [1, 2, 3, 4]

for _name in EVERY:
    if _name not in bruteforce.ORACLES:
        raise LookupError(
            f"the coefficient {_name!r} has no definition to be tested against; write it as plain loops in "
            "tests/bruteforce.py and add it to ORACLES there"
        )


def call(agree: Any, name: str, *coders: str, **options: Any) -> pd.DataFrame:
    """A coefficient by its name, with all columns."""
    return helpers.call(agree, name, *coders, **({"detail": True} | options))


def bare(result: pd.DataFrame) -> pd.DataFrame:
    """The rows without their keys and the name of the coefficient, which is an index level or a column."""
    return result.reset_index(drop=True).drop(columns="coefficient", errors="ignore")


def value(agree: Any, name: str, *coders: str, **options: Any) -> float:
    return float(row_of(agree, name, *coders, **options)["estimate"])


def same(found: pd.DataFrame, expected: pd.DataFrame, rtol: float = 1e-10) -> None:
    """The same, but for the rounding of sums in another order."""
    helpers.same(found, expected, rtol)


def pairing(weights: str) -> Any:
    return bruteforce.nominal if weights == "nominal" else getattr(bruteforce, weights)(VALUES)


def oracle(name: str, weights: str = "nominal", missing: str = "pairable") -> Callable[..., Any]:
    """The definition of a coefficient of labels, as a function of rows and item weights."""
    keywords: dict[str, Any] = {"missing": REGISTRY[name].rule(missing)}
    if REGISTRY[name].accepts("weights"):
        keywords["weight"] = pairing(weights)
    if REGISTRY[name].depends_on_k:
        keywords["categories"] = VALUES
    return lambda rows, omega=None: bruteforce.ORACLES[name](rows, omega=omega, **keywords)
