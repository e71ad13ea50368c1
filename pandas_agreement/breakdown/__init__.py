"""Breakdowns of agreement by category, coder, pair, item and group, and the tests that go with them.

The modules are imported on first use, as `breakdown.categories`: most calls need none of them.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas_agreement.breakdown import (
        categories,
        chance_tests,
        coder_scores,
        coders,
        confusion,
        contrasts,
        details,
        diagnose,
        items,
        marginal_tests,
        pooling,
    )

__all__ = [
    "categories",
    "chance_tests",
    "coder_scores",
    "coders",
    "confusion",
    "contrasts",
    "details",
    "diagnose",
    "items",
    "marginal_tests",
    "pooling",
]


def _import_later(name: str) -> ModuleType:
    if name in __all__:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if not TYPE_CHECKING:  # or type checkers would accept any name
    __getattr__ = _import_later
