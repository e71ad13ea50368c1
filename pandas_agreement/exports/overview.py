"""The first look at a file: whether a tool wrote it, and what the questions in it are."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pandas as pd

from pandas_agreement.errors import InputError
from pandas_agreement.exports import brat
from pandas_agreement.exports.texts import separator_of
from pandas_agreement.exports.tools import SOME, is_known, keys_of
from pandas_agreement.exports.unpack import GZIP, ZIP, Unpacker, is_shown

MAX_HEAD = 1 << 20  # bytes in which the names of the columns of a table are looked for


def is_export(path: str) -> bool:
    """Whether `read` knows the tool that wrote a file, or which coder wrote which; a table alone may be anything.

    Of a table only the first line is read.
    """
    try:
        head = _head(Path(path))
        text = "" if head is None else head.decode("utf-8-sig", "replace").lstrip()
        if text.startswith(("[", "{", "#")):
            return is_known(keys_of(next(Unpacker().files(path)).records[:SOME]))
    except InputError as error:
        return error.code == "unknown tool"
    except Exception:  # the file cannot be read, which whoever reads it explains
        return False
    first = text.partition("\n")[0].strip()
    names = {name.strip('"') for name in first.split(separator_of(first))}
    packed = head is None or head.startswith((ZIP, GZIP))  # within what is packed, too
    return packed or text.startswith("<") or path.endswith(brat.ENDING) or is_known(names)


def _head(path: Path) -> bytes | None:
    """How a file begins, also a compressed one; None for a folder, and for what holds several files or sheets."""
    if path.is_dir():
        return None
    with path.open("rb") as file:
        start = file.read(MAX_HEAD)
    if start.startswith(GZIP):
        with gzip.open(path) as expanded:
            return expanded.read(MAX_HEAD)
    if not start.startswith(ZIP):
        return start
    with zipfile.ZipFile(path) as archive:
        members = [one for one in archive.namelist() if not one.endswith("/") and is_shown(Path(one))]
        return archive.open(members[0]).read(MAX_HEAD) if len(members) == 1 else None


def questions(frame: pd.DataFrame) -> pd.DataFrame:
    """Labels, items, coders and categories of each question; `shared` counts items with two or more coders.

    Parameters
    ----------
    frame : DataFrame
        What `read` returned.
    """
    by_item = frame.groupby(["field", "item"], sort=False)["coder"].nunique()
    by_field = frame.groupby("field", sort=False)
    found = by_field.agg(labels=("label", "count"), items=("item", "nunique"), coders=("coder", "nunique"))
    found["shared"] = (by_item >= 2).groupby("field", sort=False).sum().astype("int64")
    found["categories"] = pd.Series(
        {name: [*labels.dropna().unique()] for name, labels in by_field["label"]}, dtype=object
    )
    return found
