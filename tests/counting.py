"""How often data are read and breakdowns are made."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

#: where each function is called by the name that its module gives it
CALLED_IN = {
    "encode": ("data.wide", "data.long", "data.tables"),
    "group_rows": ("data.reading",),
    "measure": ("report.data", "report.build"),
    "measure_each": ("breakdown.evidence",),
    "measure_pairs": ("report.data",),
    "by_category": ("breakdown.categories",),
    "category_columns": ("breakdown.evidence",),
    "coders": ("breakdown.coders",),
    "margins": ("breakdown.confusion",),
    "usage_tests": ("breakdown.evidence",),
    "items": ("breakdown.items",),
}
BREAKDOWNS = ("by_category", "category_columns", "coders", "margins", "usage_tests")
Count = Callable[..., Counter[str]]


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Count:
    """Call a function; how often each of the functions above was called."""
    calls: Counter[str] = Counter()

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            calls[name] += 1
            return function(*args, **kwargs)

        return call

    for name, modules in CALLED_IN.items():
        for module in modules:
            where = importlib.import_module(f"pandas_agreement.{module}")
            monkeypatch.setattr(where, name, counted(name, getattr(where, name)))

    def run(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Counter[str]:
        calls.clear()
        function(*args, **kwargs)
        return calls.copy()

    return run
