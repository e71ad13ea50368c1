"""What all tests share: `df.agree` is registered, pictures need no screen, and every run tries the same examples."""

from __future__ import annotations

import gc
import os
import sys

import pytest

# Workers of pytest-xdist inherit these. One thread each: more of them than cores only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MPLBACKEND", "Agg")

# A run starts some thirty processes that import the package: they share what is compiled.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

from hypothesis import settings

import pandas_agreement  # noqa: F401  (registers df.agree)

sys.dont_write_bytecode = False
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


def pytest_collection_finish() -> None:
    """Collectors of garbage need not look at the thousands of tests again and again."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


#: fixtures of a module that take long to set up
DEAR = {"cluster", "document"}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests with a dear fixture come first, in whatever order: workers take tests from each other only at the end."""
    items.sort(key=lambda item: DEAR.isdisjoint(getattr(item, "fixturenames", ())))
