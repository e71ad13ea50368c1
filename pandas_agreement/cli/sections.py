"""What the command line says about the data: how much agreement, on which categories, between whom.

Every number is asked from `df.agree`; here it only becomes a cell. Single items are in `worst`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import pandas as pd

from pandas_agreement.cli.messages import as_typed
from pandas_agreement.cli.source import Source
from pandas_agreement.cli.tables import UNDEFINED, Section, estimate, number, section
from pandas_agreement.formatting import label_text

LARGEST_MATRIX = 8  # coders or categories; beyond that the lowest are listed
LISTED = 10
ENOUGH = 10  # items that coders must share to be listed among the lowest: two say nothing
DIGITS = {"bias": 4}  # of an estimate; 2 elsewhere


def report(source: Source, summary: pd.DataFrame) -> list[Section]:
    """The summary; then, between coders known by name, where and between whom agreement breaks down."""
    if len(source.coders) < 2:
        return [_summary(summary)]
    by_category = source.view.by_category(*source.chosen, **source.options)
    between = _confusion if len(source.coders) == 2 else _pairs
    return [_summary(summary), _categories(by_category), *between(source, by_category), _coders(source)]


# ---------------------------------------------------------------------------------------------------- how much


def _summary(summary: pd.DataFrame) -> Section:
    """Groups down and coefficients across, or, without groups, the coefficients down."""
    keys = [str(name) for name in summary.index.names[:-1]]
    title = "Agreement" + (f" by {', '.join(keys)}" if keys else "") + _interval_words(summary)
    remark = _remarks(_weight_words(summary), _reasons(summary))
    if not keys:
        rows = [[name, estimate(row, DIGITS.get(name, 2)), str(row.n_items)] for (name,), row in _rows(summary)]
        return section(title, ["coefficient", "estimate", "items"], rows, remark)
    return section(title, *_across(summary, keys), remark, keys=len(keys) + 1)


def _across(summary: pd.DataFrame, keys: list[str]) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a grouped result: a row a group, a column a coefficient."""
    names = list(dict.fromkeys(str(name) for name in summary.index.get_level_values(-1)))
    lines: dict[tuple[Hashable, ...], list[str]] = {}
    for (*group, name), row in _rows(summary):
        line = lines.setdefault(tuple(group), [*map(label_text, group), str(row.n_items)])
        line.append(estimate(row, DIGITS.get(name, 2)))
    return [*keys, "items", *names], list(lines.values())


def _categories(result: pd.DataFrame) -> Section:
    """The rate and the specific agreement of each category, and the lowest rate."""
    rates = result.xs("rate", level="coefficient")["estimate"].dropna().sort_values(kind="stable")
    title = "Agreement by category"
    if len(rates) > LISTED:
        result = result[result.index.isin(rates.index[:LISTED], level="category")]
        title += f", the lowest {LISTED} of {len(rates)}"
    header, rows = _across(result, ["category"])
    lowest = f" Lowest: {label_text(rates.index[0])} ({number(rates.iloc[0])})." if len(rates) else ""
    remark = f"rate: where one of two coders chose the category, how often both did.{lowest}"
    return section(title + _interval_words(result), header, rows, _remarks(remark, _reasons(result)), keys=2)


# ------------------------------------------------------------------------------------------------ between whom


def _confusion(source: Source, by_category: pd.DataFrame) -> list[Section]:
    """What one of two coders said where the other said something else."""
    if by_category.index.get_level_values("category").nunique() > LARGEST_MATRIX:
        return []
    table = source.view.confusion(*source.coders, **_some(source.options, "categories", "duplicates"))
    first, second = source.coders
    rows = [[label_text(said), *map(str, counts)] for said, counts in zip(table.index, table.to_numpy(), strict=True)]
    title = f"Items by the labels of {first} (down) and {second} (across)"
    return [section(title, ["", *map(label_text, table.columns)], rows)]


def _pairs(source: Source, by_category: pd.DataFrame) -> list[Section]:
    """The kappa of each pair of coders: a matrix, or the lowest ones where a matrix would not fit."""
    options = source.options | _some(source.scale, "weights")
    if options.get("missing") == "all":  # items that one coder of a pair labelled say nothing about the pair
        del options["missing"]
    result = source.view.pairwise(*source.chosen, metric="kappa", **options)
    title = "Pairwise kappa" + (f" ({source.scale['weights']} weights)" if "weights" in source.scale else "")
    if len(source.coders) > LARGEST_MATRIX:
        shown, words = _lowest(result, "estimate", "pair")
        rows = [[str(key[0]), str(key[1]), estimate(row), str(row.n_items)] for key, row in _rows(shown)]
        interval = _interval_words(result).removeprefix(": estimate")
        return [section(f"{title}{interval}: {words}", ["coder", "coder", "kappa", "items"], rows, keys=2)]
    cells = {(key[0], key[1]): row.estimate for key, row in _rows(result)}
    names = list(dict.fromkeys(name for pair in cells for name in pair))
    rows = [[str(a), *(_matrix_cell(cells, a, b) for b in names)] for a in names]
    return [section(title, ["", *map(str, names)], rows, _odd_one_out(cells, names))]


def _matrix_cell(cells: Mapping[tuple[Hashable, Hashable], float], a: Hashable, b: Hashable) -> str:
    value = cells.get((a, b), cells.get((b, a)))
    return "-" if value is None else number(value)


def _odd_one_out(cells: Mapping[tuple[Hashable, Hashable], float], names: list[Hashable]) -> str:
    """Who agrees least with the others, on average."""
    means = {name: pd.Series([value for pair, value in cells.items() if name in pair]).mean() for name in names}
    known = {name: mean for name, mean in means.items() if pd.notna(mean)}
    if not known:
        return ""
    lowest = min(known, key=lambda name: known[name])
    return f"Lowest mean: {lowest} ({number(known[lowest])})."


def _lowest(result: pd.DataFrame, column: str, what: str) -> tuple[pd.DataFrame, str]:
    """The lowest rows among those that rest on enough items, and what to call them; if none does, the largest."""
    enough = result[(result["n_items"] >= ENOUGH) & result[column].notna()]
    if enough.empty:
        shown = result.sort_values("n_items", ascending=False, kind="stable").head(LISTED)
        return shown, f"the {len(shown)} {what}s with the most items, of {len(result)} (none shares {ENOUGH} items)"
    shown = enough.sort_values(column, kind="stable").head(LISTED)
    all_told = f" ({len(result)} in all)" if len(enough) < len(result) else ""
    return shown, f"the lowest {len(shown)} of {len(enough)} {what}s with {ENOUGH} shared items or more{all_told}"


def _coders(source: Source) -> Section:
    """Coder by coder: agreement with the others, alpha without them, and what they favour."""
    options = _some(source.options, "categories", "duplicates")
    table, title = source.view.coders(*source.chosen, **options), "Coders"
    if len(table) > LARGEST_MATRIX:
        table, words = _lowest(table, "agreement", "coder")
        title += f": {words}"
    header = ["", "labels", "agreement", "alpha without", "favours"]
    rows = [[str(key[0]), *_coder_cells(row)] for key, row in _rows(table)]
    if len(source.coders) == 2:  # what is said of the pair is said above, and without one nobody is left
        header, rows = [header[0], header[1], header[4]], [[row[0], row[1], row[4]] for row in rows]
    bias = next(source.view.bias(*source.chosen, **source.options).itertuples(index=False))
    used = f"bias {estimate(bias, DIGITS['bias'])}; 0: all coders use the categories equally often."
    return section(title, header, rows, _remarks(_coder_words(source), used))


def _coder_cells(row: Any) -> list[str]:
    without = number(row.alpha_without) + ("" if pd.isna(row.alpha_change) else f" ({row.alpha_change:+.2f})")
    favours = f"{label_text(row.favours)} +{100 * row.favours_by:.0f}%" if row.favours_by >= 0.005 else "-"
    return [str(row.n_labels), number(row.agreement), without, favours]


def _coder_words(source: Source) -> str:
    favours = "favours: how far its share of their labels exceeds that of the mean coder."
    if len(source.coders) == 2:
        return favours
    nominal = "nominal alpha" if source.scale.get("level", "nominal") != "nominal" else "alpha"
    return f"agreement: with the others; alpha without: {nominal} of the others (and the change).\n{favours}"


# ---------------------------------------------------------------------------------------------- from rows to words


def _some(options: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: options[name] for name in names if name in options}


def _rows(result: pd.DataFrame) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """What each row is about, as a tuple, and the row itself."""
    for key, row in zip(result.index, result.itertuples(index=False), strict=True):
        yield (key if isinstance(key, tuple) else (key,)), row


def _interval_words(result: pd.DataFrame) -> str:
    levels = result.loc[result["ci_method"] != "", "ci_level"].dropna()
    return f": estimate [{100 * levels.iloc[0]:.4g}% interval]" if len(levels) else ""


def _weight_words(result: pd.DataFrame) -> str:
    """Which coefficient gave partial credit, and how."""
    weights = dict(zip(result.index.get_level_values(-1), result["weights"], strict=True))
    if set(weights.values()) <= {"nominal", ""}:
        return ""
    return "weights: " + ", ".join(f"{name} {kind}" for name, kind in weights.items())


def _reasons(result: pd.DataFrame) -> str:
    """Why some estimates are undefined."""
    notes = result.loc[result["estimate"].isna(), "note"]
    return _remarks(*(f"{UNDEFINED}: {as_typed(note)}" for note in dict.fromkeys(notes) if note))


def _remarks(*remarks: str) -> str:
    return "\n".join(remark for remark in remarks if remark)
