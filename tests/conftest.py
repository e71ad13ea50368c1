"""What all tests share: `df.agree` is registered, pictures need no screen, and every run tries the same examples."""

from __future__ import annotations

import os

# Workers of pytest-xdist inherit these. One thread each: more of them than cores only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MPLBACKEND", "Agg")

from hypothesis import settings

import pandas_agreement  # noqa: F401  (registers df.agree)

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
