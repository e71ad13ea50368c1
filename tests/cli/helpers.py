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
    """The lines of one section, without its title and its indent."""
    lines = out.splitlines()
    start = lines.index(title) + 1
    end = next((i for i in range(start, len(lines)) if lines[i] and not lines[i].startswith(" ")), len(lines))
    return [line.removeprefix("  ") for line in lines[start:end] if line]


def measured(out: str, name: str) -> str:
    """What the section "What was measured" says about the items, coders, labels or categories."""
    lines = [line.partition("  ") for line in section_of(out, "What was measured")]
    return next(about.strip() for start, _, about in lines if start == name)


LONG = ("--item", "doc", "--coder", "who", "--label", "tag")
