"""What the simulations share: their options, runs on several cores, and tables."""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

import pandas as pd

from pandas_agreement import AgreementWarning


def asked(doc: str | None, **defaults: Any) -> argparse.Namespace:
    """The options of a simulation, each with its default; False makes a switch, None a text."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in defaults.items():
        kind: dict[str, Any] = {"type": str if default is None else type(default), "default": default}
        parser.add_argument(f"--{name}", **({"action": "store_true"} if default is False else kind))
    warnings.simplefilter("ignore", AgreementWarning)  # undefined samples are counted
    return parser.parse_args()


def rows_of(simulate: Callable[[Any], list[dict[str, Any]]], cells: Iterable[Any], jobs: int) -> pd.DataFrame:
    """The rows of all cells below each other, on so many cores."""
    with ProcessPoolExecutor(jobs) as pool:
        return pd.DataFrame(list(chain.from_iterable(pool.map(simulate, cells))))


def save(rows: pd.DataFrame, file: str | None) -> None:
    """Write every number, if a file is named."""
    if file:
        Path(file).write_text(json.dumps(rows.to_dict("records")), encoding="utf-8")


def held(found: pd.DataFrame, truth: Any, name: str = "ci") -> float:
    """The share of the intervals that hold the true value."""
    return float(((found[f"{name}_low"] <= truth) & (found[f"{name}_high"] >= truth)).mean())


def markdown(frame: pd.DataFrame) -> str:
    """A table of numbers with its index, as Markdown."""
    flat = frame.round(3).reset_index().map(str)
    lines = [list(map(str, flat.columns)), ["---"] * flat.shape[1], *flat.to_numpy().tolist()]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
