"""A report, and what stands in its sections."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.report import Report
from pandas_agreement.report.contents import Bullets, Grid, Section, Text
from tests.data_sets import CODERS

LABELS = ["bug", "complaint", "question", "request"]
FIRST = ["In short", "What to do next", "What stands out", "What was measured", "How much agreement"]
LAST = ["Items to look at first", "Methods, ready to paste"]


def plain(agree: Any, *coders: str, **options: Any) -> Report:
    return agree.report(*coders, **({"pictures": False} | options))


def titles(report: Report) -> list[str]:
    return [section.title for section in report.contents.sections]


def section(report: Report, title: str) -> Section:
    return next(each for each in report.contents.sections if each.title == title)


def tables(report: Report, title: str) -> list[Grid]:
    return [block for block in section(report, title).blocks if isinstance(block, Grid)]


def frame(table: Grid) -> pd.DataFrame:
    return pd.DataFrame(list(table.rows), columns=list(table.header))


def words(report: Report, title: str) -> str:
    parts: list[str] = []
    for block in section(report, title).blocks:
        if isinstance(block, Text):
            parts.append(block.text)
        if isinstance(block, Bullets):
            parts += [f"{strong}: {text}" if strong else text for strong, text in block.points]
    return "\n".join(parts)


def left_out(report: Report) -> dict[str, str]:
    if "Not in this report" not in titles(report):
        return {}
    return {strong: text for block in section(report, "Not in this report").blocks for strong, text in block.points}


def facts(report: Report) -> dict[str, str]:
    return dict(tables(report, "What was measured")[0].rows)


def measurements(n: int = 60, coders: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    truth = rng.normal(50, 10, n)
    names = ["ann", "bob", "cleo", *(f"c{number:03d}" for number in range(3, coders))][:coders]
    return pd.DataFrame({name: (truth + rng.normal(3 * place, 4, n)).round(1) for place, name in enumerate(names)})


def likert() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    truth = rng.integers(1, 6, 80)
    return pd.DataFrame({name: np.clip(truth + rng.integers(-1, 2, 80), 1, 5) for name in CODERS[:3]})


THREE = ("ann", "bob", "cleo")


def copies(share: float, n: int, coders: tuple[str, ...] = ("ann", "bob")) -> pd.DataFrame:
    """Coders who copy the truth as often as that, else guess."""
    rng = np.random.default_rng(1)
    truth = rng.choice(list("xyz"), n)
    return pd.DataFrame({name: np.where(rng.random(n) < share, truth, rng.choice(list("xyz"), n)) for name in coders})


def findings(report: Any) -> list[str]:
    blocks = section(report, "What stands out").blocks
    return [strong for strong, _ in getattr(blocks[0], "points", ())]


SCRIPT = "<script>alert(1)</script>"
NASTY = {
    "script": SCRIPT,
    "image": "<img src=x onerror=alert(1)>",
    "quotes": "\"'><b>bold</b>",
    "entity": "&lt;b&gt; & co",
    "pipe": "a|b",
    "lines": "one\ntwo\r\nthree",
    "markdown": "**x** _y_ `z` [a](http://evil.example) # h ~~s~~ $m$",
    "backslash": "c:\\new|x",
}


def nasty_frame(nasty: str) -> pd.DataFrame:
    """Nasty labels, names of coders, columns, cells and groups; enough disagreement for findings about all of them."""
    first, second = [nasty, "x"] * 30, [nasty, "x", "x", nasty] * 15
    columns = {nasty: first, f"{nasty}2": second, "bob": ["x"] * 60, f"note {nasty}": [nasty] * 60}
    return pd.DataFrame(columns).assign(batch=[nasty, "b"] * 30)


@cache
def nasty_report(nasty: str) -> Report:
    df = nasty_frame(nasty)
    return df.agree.report(nasty, f"{nasty}2", "bob", by="batch", title=nasty, pictures=False)
