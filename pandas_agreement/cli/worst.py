"""`--worst N`: the items to adjudicate first.

For programs they are the rows of the file beside what `df.agree.disagreements` says about them; for people a table
with a row an item, whatever the layout of the file, in which one sees who said what.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

import pandas as pd

from pandas_agreement.cli.columns import is_number
from pandas_agreement.cli.source import Source
from pandas_agreement.cli.tables import Section, number
from pandas_agreement.formatting import label_text

MOST_COLUMNS = 8  # coders; of more, only those who labelled the item are named
MOST_NAMES = 8  # labels of an item; of more, the labels are counted


class Item(NamedTuple):
    """What the file says about an item, who said what of it, and its row of the result."""

    facts: dict[Hashable, Any]
    said: dict[str, Any]
    row: Any


def call_options(source: Source, n: int) -> dict[str, Any]:
    """The options of `disagreements`: agreement on the scale that was asked for."""
    shared = {name: value for name, value in source.options.items() if name != "ci"}
    if "level" in source.scale:
        return {"n": n, **source.groups, "level": source.scale["level"], **shared}
    kappa = {"metric": "kappa", **source.scale} if source.scale else {}
    return {"n": n, **source.groups, **kappa, **shared}


def worst(source: Source, n: int) -> pd.DataFrame:
    """The rows of the worst items, with all columns of the file; those of a wide file are numbered."""
    rows = source.view.disagreements(*source.chosen, **call_options(source, n))
    whole = [name for name in source.frame.columns if _is_whole(source.frame[name])]
    rows = rows.astype(dict.fromkeys([*whole, *(["majority"] if _is_whole(rows["majority"]) else [])], "Int64"))
    if not source.roles and "row" not in rows.columns:
        rows.insert(0, "row", rows.index + 1)
    return rows


def _is_whole(column: pd.Series) -> bool:
    """Whole numbers that are floats only because some are missing."""
    known = column.dropna()
    return column.dtype == float and len(known) < len(column) and bool((known % 1 == 0).all())


def worst_section(source: Source, rows: pd.DataFrame, n: int) -> Section:
    """A table with a row an item."""
    options = {name: value for name, value in call_options(source, n).items() if name != "n"}
    agreement = source.view.items(*source.chosen, **options)["agreement"]
    split, judged = int((agreement < 1).sum()), int(agreement.notna().sum())
    if rows.empty:
        return Section(f"Nothing to adjudicate: the labels of all {judged} items with two or more are the same", [], [])
    items = list(_long_items(source, rows) if source.roles else _wide_items(source, rows))
    facts = list(items[0].facts)
    coders = list(source.coders) if len(source.coders) <= MOST_COLUMNS else []
    majority = ["majority"] if len(source.coders) > 2 else []
    header = [*map(str, facts), *(coders or ["labels"]), *majority, "agreement"]
    title = f"To adjudicate first: {len(items)} of {split} items whose labels differ ({judged} have two labels or more)"
    lines = [_line(item, coders, bool(majority)) for item in items]
    numbers = [place for place in range(len(facts)) if all(is_number(line[place] or "0") for line in lines)]
    return Section(title, header, lines, right=[*numbers, len(header) - 1])


def _line(item: Item, coders: list[str], majority: bool) -> list[str]:
    said = [_cell(item.said.get(coder)) for coder in coders] if coders else [_breakdown(item.said)]
    most = ["tie" if item.row.tie else _cell(item.row.majority)] if majority else []
    return [*map(_fact, item.facts.values()), *said, *most, number(item.row.agreement)]


def _cell(value: Any) -> str:
    """A value as text; nothing for a missing one."""
    return label_text(value) if isinstance(value, frozenset) or pd.notna(value) else ""


def _fact(value: Any) -> str:
    """What the file says beside the labels; here blanks mean nothing."""
    return _cell(value.strip() if isinstance(value, str) else value)


def _breakdown(said: dict[str, Any]) -> str:
    """Who said what, the most frequent label first; of many labels only how often."""
    by_label: dict[Any, list[str]] = {}
    for coder, label in said.items():
        by_label.setdefault(label, []).append(coder)
    ranked = sorted(by_label.items(), key=lambda pair: -len(pair[1]))
    if len(said) > MOST_NAMES:
        return ", ".join(f"{label_text(label)} {len(names)}" for label, names in ranked)
    return "; ".join(f"{label_text(label)}: {' '.join(names)}" for label, names in ranked)


def _wide_items(source: Source, rows: pd.DataFrame) -> Iterator[Item]:
    """A row is an item."""
    added = list(rows.columns).index("n_labels")  # where the columns of the result begin
    facts = [name for name in rows.columns[:added] if name not in source.coders]
    for record, row in zip(rows.to_dict("records"), rows.itertuples(), strict=True):
        said = {coder: record[coder] for coder in source.coders if _cell(record[coder])}
        yield Item({name: record[name] for name in facts}, said, row)


def _long_items(source: Source, rows: pd.DataFrame) -> Iterator[Item]:
    """The judgments of an item, within its group, are rows that follow each other."""
    keys = list(dict.fromkeys([source.roles["item"], *source.by]))
    groups = [part for _, part in rows.groupby(keys, sort=False)]
    added = list(rows.columns).index("n_labels")
    others = [
        name for name in rows.columns[:added] if name not in (*keys, source.roles["coder"], source.roles["label"])
    ]
    constant = [name for name in others if all(_is_constant(part[name]) for part in groups)]
    for part in groups:
        said: dict[str, Any] = {}
        for coder, label in zip(part[source.roles["coder"]], part[source.roles["label"]], strict=True):
            if coder in source.coders and _cell(label) and not (coder in said and _keeps_first(source)):
                said[coder] = label
        yield Item(part[[*keys, *constant]].iloc[0].to_dict(), said, next(part.itertuples()))


def _is_constant(column: pd.Series) -> bool:
    first = column.iloc[0]
    return bool(column.isna().all() if pd.isna(first) else (column == first).all())


def _keeps_first(source: Source) -> bool:
    return bool(source.options.get("duplicates") == "first")
