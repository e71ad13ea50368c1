"""The sections about categories, coders, pairs and items."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from pandas_agreement import formatting as fmt
from pandas_agreement.coefficients.registry import find
from pandas_agreement.errors import InputError
from pandas_agreement.report import methods, pictures
from pandas_agreement.report.contents import Block, Grid, Section, Text, interval_header, listing, table
from pandas_agreement.report.data import MIN_COMMON_ITEMS, ReportData
from pandas_agreement.report.findings import Page
from pandas_agreement.results.schemas import ITEMS

MAX_USER_COLUMNS = 8  # of the user's own columns beside an item
MAX_MATRIX_CATEGORIES = 8  # of a table with a row and a column per category
MAX_CODER_COLUMNS = 8  # coders with a column of their own beside an item
MAX_KEY_COLUMNS = 4  # columns before the labels of an item
MAX_KEY_CHARACTERS = 16  # of a cell in them
MAX_LABELS_SHOWN = 8  # labels of an item with their coders; of more, only counts

NUMBER = re.compile(r"(-?\d+(\.\d+)?)?")  # or nothing


def categories(page: Page) -> Iterator[Section]:
    data = page.data
    if data.scores:
        reason = f"The labels are {len(data.labels):,} different numbers and were treated as scores"
        page.left_out["Categories"] = f"{reason}; with the level nominal they are categories."
    else:
        yield Section("Categories", tuple(_categories(data)))


def coders(page: Page) -> Iterator[Section]:
    data = page.data
    if data.identified:
        yield Section("Coders", tuple(_scorers(data) if data.scores else _coders(data)))
    else:
        page.left_out["Coders and pairs"] = "The data do not identify the coders."


def pairs(page: Page) -> Iterator[Section]:
    data = page.data
    if not data.identified:
        return
    if len(data.coders) == 2 and not data.scores:
        yield Section("Confusions", tuple(_confusions(data)))
        return
    result = data.limits if data.scores else data.pairs
    enough = _enough(result)
    if enough.empty:
        page.left_out["Pairs of coders"] = f"No two coders have {MIN_COMMON_ITEMS} or more items in common."
        return
    few = len(result) - len(enough)
    blocks = [*(_score_pairs if data.scores else _pairs)(data, enough)]
    note = f"Left out: {fmt.count(few, 'pair')} with fewer than {MIN_COMMON_ITEMS} common items."
    yield Section("Pairs of coders", (*blocks, *([Text(note, "note")] if few else [])))


def _enough(result: pd.DataFrame) -> pd.DataFrame:
    """The pairs with enough common items."""
    return result[result["n_items"] >= MIN_COMMON_ITEMS]


def _categories(data: ReportData) -> Iterator[Block]:
    result = data.rates.sort_values("estimate", kind="stable")
    spread, tested = interval_header(result), bool(result["p_value"].notna().any())
    rows = []
    for key, row in fmt.each(result.head(data.request.n)):
        line = {"category": data.label_cell(key[0]), "rate": fmt.dash(row.estimate)}
        line |= {**dict.fromkeys(spread, fmt.interval(row)), "items": f"{row.n_items:,}", "labels": f"{row.n_labels:,}"}
        rows.append(line | ({"p, chance": fmt.p_value(row.p_holm)} if tested else {}))
    yield listing("Agreement on each category, the lowest first", rows, len(result), "category")
    p = " p, chance: after Holm." if tested else ""
    yield Text(f"Rate: if one of two coders chose the category, how often both did.{p}", "note")
    yield from methods.interval_note(data, result)
    yield from pictures.drawn(data, pictures.categories, result.head(pictures.MAX_ROWS))


def _coders(data: ReportData) -> Iterator[Block]:
    result, without = data.coder_table, _without(data)
    several = len(result) > 2
    result = result.sort_values("agreement", kind="stable") if several else result
    rows = []
    for (coder,), row in fmt.each(result.head(data.request.n)):
        line = {"coder": fmt.cell(coder), "labels": f"{row.n_labels:,}", "agreement": fmt.dash(row.agreement)}
        rows.append({**line, **without.get(coder, {}), "favours": _favours(data, row)})
    caption = "Coders, the least agreement first" if several else "Coders"
    yield listing(caption, rows, len(result), "coder", text=("favours",))
    note = "Agreement: share of the others' labels of the same items that are equal. "
    if not data.nominal:
        note = "Agreement: mean agreement with the other labels of the same items, with partial credit. "
    if without:
        note += "Alpha without: without the coder. "
    yield Text(f"{note}Favours: chosen most above the others of the same items, in percentage points.", "note")
    yield from pictures.drawn(data, pictures.coders)


def _without(data: ReportData) -> dict[Hashable, dict[str, str]]:
    """Alpha without each coder, and the change; empty for two coders, and in a report without alpha."""
    if len(data.active) < 3 or find("alpha") not in data.asked.records:
        return {}
    result = data.coder_table
    rows = zip(result.index, result["alpha_without"], result["alpha_change"], strict=True)
    return {coder: {"alpha without": fmt.dash(value), "change": fmt.signed(change)} for coder, value, change in rows}


def _favours(data: ReportData, row: Any) -> str:
    label = fmt.short(data.label_cell(row.favours), 40)
    return f"{label} (+{100 * row.favours_by:.0f})" if row.favours_by >= 0.005 else fmt.DASH


def _scorers(data: ReportData) -> Iterator[Block]:
    """Coders who give scores: number, mean, difference from the others, and the coefficient without the coder."""
    frame, without = data.means, _without(data)
    rows = []
    for (coder,), row in fmt.each(frame.head(data.request.n)):
        mean, sd = fmt.measured(row.mean), fmt.measured(row.sd)
        line = {"coder": fmt.cell(coder), "scores": f"{row.n:,}", "mean": mean, "SD": sd}
        rows.append({**line, "difference": _difference(row.difference), **without.get(coder, {})})
    yield listing("Coders, the largest difference from the others first", rows, len(frame), "coder")
    note = "Difference: the mean of the coder's scores minus those that others gave the same items."
    if (frame["shared"] < MIN_COMMON_ITEMS).any():
        note += f" Coders with fewer than {MIN_COMMON_ITEMS} such items come last."
    yield Text(note, "note")


def _difference(value: float) -> str:
    """A difference in the unit of the scores, with its sign."""
    return fmt.DASH if pd.isna(value) else f"+{fmt.measured(value)}" if value > 0 else fmt.measured(value)


def _pairs(data: ReportData, pairs: pd.DataFrame) -> Iterator[Block]:
    spread = interval_header(pairs)
    rows = []
    for key, row in fmt.each(pairs.sort_values("estimate", kind="stable").head(data.request.n)):
        line = {
            "coder": fmt.cell(key[0]),
            "and": fmt.cell(key[1]),
            fmt.short_name(data.main): fmt.dash(row.estimate),
        }
        rows.append({**line, **dict.fromkeys(spread, fmt.interval(row)), "common items": f"{row.n_items:,}"})
    yield listing(
        f"{fmt.coefficient_name(data.main, 2)} of each pair, the lowest first", rows, len(pairs), "pair", keys=2
    )
    yield from methods.interval_note(data, pairs)
    yield from pictures.drawn(data, pictures.pairs, pairs)


def _score_pairs(data: ReportData, pairs: pd.DataFrame) -> Iterator[Block]:
    result = pairs.iloc[pairs["bias"].abs().argsort(kind="stable")[::-1]]
    shown = result.head(data.request.n)
    rows = []
    for key, row in fmt.each(shown):
        limits = f"{fmt.measured(row.lower)} to {fmt.measured(row.upper)}"
        line = {"coder": fmt.cell(key[0]), "minus": fmt.cell(key[1]), "mean difference": fmt.measured(row.bias)}
        line |= {"95% of differences": limits, "p, no difference": fmt.p_value(row.p_value)}
        rows.append(line | {"common items": f"{row.n_items:,}"})
    caption = "Differences of each pair (Bland and Altman's limits of agreement), the largest mean first"
    yield listing(caption, rows, len(result), "pair", keys=2)
    yield from pictures.drawn(data, pictures.limits, shown)
    yield from pictures.drawn(data, pictures.pairs, _enough(data.pairs))


def _confusions(data: ReportData) -> Iterator[Block]:
    """Combinations of different labels of two coders, and their contingency table."""
    result = data.confused
    if result.empty:
        no_items = data.row(data.main).n_items == 0
        yield Text("The two coders labelled no item in common." if no_items else "The two coders never differ.")
        return
    one, two = (fmt.cell(name) for name in data.coders)
    shown = result.head(data.request.n)
    label = data.label_cell
    rows = [[label(a), label(b), f"{n:,}", fmt.percent(share)] for _, (a, b, n, share) in fmt.each(shown)]
    header = [one, two, "items", "of all that differ"]
    caption = f"Where {one} and {two} differ, the most frequent first"
    yield table(caption, header, rows, keys=2, more=fmt.more(len(result), len(rows), "combination"))
    if len(data.labels) <= MAX_MATRIX_CATEGORIES:
        names, counts = list(map(data.label_cell, data.labels)), data.confusion.to_numpy()
        rows = [[name, *(f"{n:,}" for n in line)] for name, line in zip(names, counts, strict=True)]
        yield table(f"Items by the labels of {one} (down) and {two} (across)", ["", *names], rows)
    yield from pictures.drawn(data, pictures.confusion)


class Item(NamedTuple):
    """An item: its key and the user's columns as text, the label of each coder, and its row of the result."""

    facts: list[str]
    labels: dict[Hashable, Any]
    row: Any


def items(page: Page) -> Iterator[Section]:
    data = page.data
    try:
        worst, n = data.worst, data.n_split
    except InputError as error:
        page.left_out["Items"] = fmt.sentence(page.explain(error))
        return
    if not n:
        yield Section("Items", (Text("No item to adjudicate: no two labels of an item differ."),))
        return
    names, shown = (_long_items if data.roles else _wide_items)(data, worst)
    header, rows, n_behind = _item_rows(data, names, shown)
    right = frozenset(i for i, column in enumerate(zip(*rows, strict=True)) if all(map(NUMBER.fullmatch, column)))
    not_shown = fmt.more(n, len(rows), "item")
    prose = frozenset(range(len(header) - n_behind, len(header)))
    cells = tuple(map(tuple, rows))
    block = Grid("The least agreement first", tuple(header), cells, right=right, more=not_shown, prose=prose)
    note = f"Agreement: {_meaning(data)}."
    yield Section("Items to look at first", (block, Text(note, "note")))


def _meaning(data: ReportData) -> str:
    """What the agreement of an item is."""
    if data.scores:
        return "1 for equal scores, 0 for the largest difference in the data, by squared differences"
    return "share of the pairs of labels that agree" + ("" if data.nominal else ", with partial credit")


def _item_rows(data: ReportData, names: list[str], items: list[Item]) -> tuple[list[str], list[list[str]], int]:
    """Header and rows: short columns of the user, labels (one column per coder, or one for all), then what is long.

    The number says how many columns are behind the labels.
    """
    columns = data.coders if len(data.coders) <= MAX_CODER_COLUMNS else []
    label_names = _names(columns) or (["labels"] if data.coders else [])
    majority = ["majority"] if not data.scores and len(data.active) != 2 else []
    first, rest = _short_first([item.facts for item in items])
    rows = []
    for item in items:
        labels = [data.label_cell(item.labels[name]) if name in item.labels else "" for name in columns]
        labels = labels or ([_breakdown(data, item.labels)] if data.coders else [])
        most = ["tie" if item.row.tie else data.label_cell(item.row.majority)] if majority else []
        about, more = ([item.facts[place] for place in places] for places in (first, rest))
        rows.append([*about, *labels, *most, fmt.number(item.row.agreement), *more])
    about, more = ([names[place] for place in places] for places in (first, rest))
    return [*about, *label_names, *majority, "agreement", *more], rows, len(rest)


def _short_first(facts: list[list[str]]) -> tuple[list[int], list[int]]:
    """Places of the columns that identify an item, and of those behind the labels, so that all coders are in view."""
    longest = [max(map(len, column)) for column in zip(*facts, strict=True)]
    first = [place for place, size in enumerate(longest) if place == 0 or size <= MAX_KEY_CHARACTERS][:MAX_KEY_COLUMNS]
    return first, [place for place in range(len(longest)) if place not in first]


def _names(columns: Sequence[Hashable]) -> list[str]:
    return [fmt.short(fmt.label_text(name), 40) for name in columns]


def _breakdown(data: ReportData, labels: Mapping[Any, Any]) -> str:
    """The labels of an item and their coders, the most frequent label first; of many labels only the counts."""
    by_label: dict[str, list[str]] = {}
    for coder, label in labels.items():
        by_label.setdefault(data.label_cell(label), []).append(fmt.label_text(coder))
    ranked = sorted(by_label.items(), key=lambda pair: -len(pair[1]))
    if len(labels) > MAX_LABELS_SHOWN:
        return fmt.short(", ".join(f"{label} {len(names)}" for label, names in ranked))
    return fmt.short("; ".join(f"{label}: {', '.join(names)}" for label, names in ranked))


def _wide_items(data: ReportData, worst: pd.DataFrame) -> tuple[list[str], list[Item]]:
    """Items of wide data: index, user's columns, labels; names of columns may occur twice."""
    own, coder_names = list(worst.columns[: -len(ITEMS)]), set(data.coders)
    coders = [place for place, name in enumerate(own) if name in coder_names]
    facts = [place for place, name in enumerate(own) if name not in coder_names][:MAX_USER_COLUMNS]
    results = worst.iloc[:, -len(ITEMS) :].itertuples(index=False)
    items = []
    for index, values, row in zip(worst.index, worst.itertuples(index=False, name=None), results, strict=True):
        labels: dict[Hashable, Any] = {own[i]: values[i] for i in coders if not fmt.is_missing(values[i])}
        items.append(Item([fmt.cell(index), *(fmt.fact(values[place]) for place in facts)], labels, row))
    key = "row" if worst.index.name is None else worst.index.name
    return _names([key, *(own[place] for place in facts)]), items


def _long_items(data: ReportData, worst: pd.DataFrame) -> tuple[list[str], list[Item]]:
    """Items of long data: the rows of an item are neighbours; columns that are constant within items are shown."""
    item, coder, label = data.roles or ("", "", "")
    parts_of_item = item if isinstance(item, list) else [item]
    keys = [name for name in dict.fromkeys([*parts_of_item, *data.items.index.names]) if name in worst.columns]
    parts = [part for _, part in worst.groupby(keys, sort=False, observed=True, dropna=False)]
    own = list(worst.columns[: -len(ITEMS)])
    others = [name for name in own if name not in {*keys, coder, label}]
    facts = [name for name in others if all(_is_constant(part[name]) for part in parts)][:MAX_USER_COLUMNS]
    chosen, order = set(data.coders), slice(None, None, -1 if data.keeps_first else 1)  # a dict keeps the last one
    items = []
    for part in parts:
        first: Any = part.iloc[0]
        pairs = [] if coder is None else list(zip(part[coder], part[label], strict=True))[order]
        labels = {who: what for who, what in pairs if who in chosen and not fmt.is_missing(what)}
        items.append(Item([fmt.fact(first[name]) for name in (*keys, *facts)], labels, first))
    return _names([*keys, *facts]), items


def _is_constant(column: pd.Series) -> bool:
    texts = column.map(fmt.cell).to_numpy()
    return bool((texts == texts[0]).all())
