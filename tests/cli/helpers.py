"""Files to read, and output to compare."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd


def small(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def as_csv(out: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(out), keep_default_na=False, na_values=[""])


def section_of(out: str, title: str) -> list[str]:
    """The lines of one section, without its title."""
    return next(part for part in out.split("\n\n") if part.startswith(title)).splitlines()[1:]


LONG = ("--item", "doc", "--coder", "who", "--label", "tag")
