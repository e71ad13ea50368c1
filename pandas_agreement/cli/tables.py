"""What the command line prints: sections made of a title, a table and a remark, as text or as Markdown.

Every number is asked from `df.agree`; here it only becomes text. The machine-readable formats are the summary
frame itself, without its index, and nothing else.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

WIDTH = 100
GAP = "  "
UNDEFINED = "undefined"
LARGEST_MATRIX = 8  # coders or categories; beyond that the lowest are listed
LISTED = 10
DIGITS = {"bias": 4}  # of an estimate; 2 elsewhere
PYTHON_OPTION = re.compile(
    r"\b(weights|level|categories|missing|duplicates|metrics|ci)=('[^']*'|\d*\.?\d+|\[[^\[\]]*\])?"
)


@dataclass(frozen=True)
class Source:
    """The data of one run, and how they are to be read.

    `view` is `df.agree` or what `df.agree.long` returned; `chosen` are the coders to name in each call (none:
    all of them); `coders` are the coders there are; `judgments` has a row a label, columns `coder` and
    `label`. `options` go to every method, `weights` to those that take weights. `heading` says what the data
    are, `closing` what to type next.
    """

    view: Any
    chosen: tuple[Hashable, ...]
    coders: tuple[Hashable, ...]
    judgments: pd.DataFrame
    heading: str = ""
    closing: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    weights: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Section:
    """A table with its title; `keys` counts the columns on the left that say what a row is about."""

    title: str
    header: list[str]
    rows: list[list[str]]
    remark: str = ""
    keys: int = 1


# ----------------------------------------------------------------------------------------------- the formats


def _csv(source: Source, summary: pd.DataFrame) -> str:
    return summary.reset_index().to_csv(index=False, lineterminator="\n")


def _json(source: Source, summary: pd.DataFrame) -> str:
    flat = summary.reset_index()
    text = flat.to_json(orient="records", indent=2, double_precision=15, force_ascii=False, date_format="iso")
    return f"{text}\n"


def _text(source: Source, summary: pd.DataFrame) -> str:
    return _joined(source.heading, *map(_text_section, _sections(source, summary)), source.closing)


def _markdown(source: Source, summary: pd.DataFrame) -> str:
    return _joined(source.heading, *map(_markdown_section, _sections(source, summary)))


STYLES: dict[str, Callable[[Source, pd.DataFrame], str]] = {
    "table": _text,
    "csv": _csv,
    "json": _json,
    "markdown": _markdown,
}


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"


# ---------------------------------------------------------------------------------------------- the sections


def _sections(source: Source, summary: pd.DataFrame) -> list[Section]:
    """The summary; then, between coders known by name, where and between whom agreement breaks down."""
    if len(source.coders) < 2:
        return [_summary(summary)]
    by_category = source.view.by_category(*source.chosen, **source.options)
    categories = list(dict.fromkeys(by_category.index.get_level_values("category")))
    between = _confusion if len(source.coders) == 2 else _pairs
    return [
        _summary(summary),
        _categories(by_category),
        *between(source, categories),
        _bias(source, categories),
    ]


def _summary(summary: pd.DataFrame) -> Section:
    """Groups down and coefficients across, or, without groups, the coefficients down."""
    keys = [str(name) for name in summary.index.names[:-1]]
    title = "Agreement" + (f" by {', '.join(keys)}" if keys else "") + _interval_words(summary)
    remark = _remarks(_weight_words(summary), _reasons(summary))
    if not keys:
        rows = [[name, _cell(row, DIGITS.get(name, 2)), str(row.n_items)] for (name,), row in _rows(summary)]
        return Section(title, ["coefficient", "estimate", "items"], rows, remark)
    return Section(title, *_across(summary, keys), remark, keys=len(keys) + 1)


def _across(summary: pd.DataFrame, keys: list[str]) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a grouped result: a row a group, a column a coefficient."""
    names = list(dict.fromkeys(str(name) for name in summary.index.get_level_values(-1)))
    lines: dict[tuple[Hashable, ...], list[str]] = {}
    for (*group, name), row in _rows(summary):
        line = lines.setdefault(tuple(group), [*map(label_text, group), str(row.n_items)])
        line.append(_cell(row, DIGITS.get(name, 2)))
    return [*keys, "items", *names], list(lines.values())


def _categories(result: pd.DataFrame) -> Section:
    """The rate and the specific agreement of each category, and the lowest rate."""
    rates = result.xs("rate", level="coefficient")["estimate"].dropna().sort_values(kind="stable")
    title = "Agreement by category"
    if len(rates) > LISTED:
        result = result[result.index.isin(rates.index[:LISTED], level="category")]
        title += f", the lowest {LISTED} of {len(rates)}"
    header, rows = _across(result, ["category"])
    lowest = f" Lowest: {label_text(rates.index[0])} ({_number(rates.iloc[0])})." if len(rates) else ""
    remark = f"rate: where one of two coders chose the category, how often both did.{lowest}"
    return Section(title + _interval_words(result), header, rows, _remarks(remark, _reasons(result)), keys=2)


def _confusion(source: Source, categories: list[Hashable]) -> list[Section]:
    """What one of two coders said where the other said something else."""
    if len(categories) > LARGEST_MATRIX:
        return []
    options = {name: source.options[name] for name in ("categories", "duplicates") if name in source.options}
    table = source.view.confusion(*source.coders, **options)
    first, second = map(str, source.coders)
    rows = [[label_text(said), *map(str, counts)] for said, counts in zip(table.index, table.to_numpy(), strict=True)]
    title = f"Items by the labels of {first} (down) and {second} (across)"
    return [Section(title, ["", *map(label_text, table.columns)], rows)]


def _pairs(source: Source, categories: list[Hashable]) -> list[Section]:
    """The kappa of each pair of coders: a matrix, or the lowest ones where a matrix would not fit."""
    result = source.view.pairwise(*source.chosen, metric="kappa", **source.options, **source.weights)
    cells = {(key[0], key[1]): row for key, row in _rows(result)}
    if len(source.coders) > LARGEST_MATRIX:
        lowest = sorted(cells, key=lambda pair: (pd.isna(cells[pair].estimate), cells[pair].estimate))
        rows = [[*map(str, pair), _cell(cells[pair]), str(cells[pair].n_items)] for pair in lowest[:LISTED]]
        title = f"Pairwise kappa: the lowest {len(rows)} of {len(cells)} pairs" + _interval_words(result)
        return [Section(title, ["coder", "coder", "kappa", "items"], rows, keys=2)]
    names = list(dict.fromkeys(name for pair in cells for name in pair))
    rows = [[str(a), *(_matrix_cell(cells, a, b) for b in names)] for a in names]
    return [Section("Pairwise kappa", ["", *map(str, names)], rows, _odd_one_out(cells, names))]


def _matrix_cell(cells: dict[tuple[Hashable, Hashable], Any], a: Hashable, b: Hashable) -> str:
    row = cells.get((a, b), cells.get((b, a)))
    return "-" if row is None else _number(row.estimate)


def _odd_one_out(cells: dict[tuple[Hashable, Hashable], Any], names: list[Hashable]) -> str:
    """Who agrees least with the others, on average."""
    means = {name: pd.Series([row.estimate for pair, row in cells.items() if name in pair]).mean() for name in names}
    known = {name: mean for name, mean in means.items() if pd.notna(mean)}
    if not known:
        return ""
    lowest = min(known, key=lambda name: known[name])
    return f"Lowest mean: {lowest} ({_number(known[lowest])})."


def _bias(source: Source, categories: list[Hashable]) -> Section:
    """How differently the coders use the categories: the share of each, and Artstein and Poesio's bias."""
    result = source.view.bias(*source.chosen, **source.options)
    bias = _cell(next(result.itertuples(index=False)), DIGITS["bias"])
    remark = f"bias {bias}; 0: all coders use the categories equally often."
    title = "How the coders use the categories"
    if max(len(source.coders), len(categories)) > LARGEST_MATRIX:
        return Section(title, [], [], remark)
    given = source.judgments.dropna()
    shares = pd.crosstab(given["coder"], given["label"].map(label_text), normalize="index")
    shares = shares.reindex(index=list(source.coders), columns=list(map(label_text, categories)), fill_value=0.0)
    rows = [[str(coder), *(f"{100 * share:.0f}%" for share in line)] for coder, line in shares.iterrows()]
    return Section(f"{title}: share of the labels given", ["", *shares.columns], rows, remark)


# ----------------------------------------------------------------------------------------- from rows to text


def _rows(result: pd.DataFrame) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """What each row is about, as a tuple, and the row itself."""
    for key, row in zip(result.index, result.itertuples(index=False), strict=True):
        yield (key if isinstance(key, tuple) else (key,)), row


def label_text(value: Any) -> str:
    """A label as people write it: 1 for 1.0, {a, b} for a set.

    >>> label_text(1.0), label_text(frozenset({"b", "a"})), label_text("a")
    ('1', '{a, b}', 'a')
    """
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(str, value)))}}}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _number(value: float, digits: int = 2) -> str:
    return UNDEFINED if pd.isna(value) else f"{value:.{digits}f}"


def _cell(row: Any, digits: int = 2) -> str:
    """`estimate [low, high]`, as far as they are defined."""
    estimate = _number(row.estimate, digits)
    if pd.isna(row.estimate) or not row.ci_method:
        return estimate
    if pd.isna(row.ci_low):
        return f"{estimate} [no interval]"
    return f"{estimate} [{row.ci_low:.{digits}f}, {row.ci_high:.{digits}f}]"


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


def as_typed(message: str) -> str:
    """A message in one line, with options as they are typed here: `missing='all'` becomes `--missing all`.

    >>> as_typed("keep one with duplicates='first', or give categories=['low', 'very high']")
    "keep one with --duplicates first, or give --categories low 'very high'"
    """
    return PYTHON_OPTION.sub(_typed_option, " ".join(message.split()))


def _typed_option(found: re.Match[str]) -> str:
    name, value = found.groups()
    try:
        words = ast.literal_eval(value or "[]")
    except (SyntaxError, ValueError):  # a list cut short with an ellipsis of dots, say
        return found.group()
    listed = words if isinstance(words, list) else [words]
    return " ".join([f"--{name}", *(shlex.quote(str(word)) for word in listed)])


def _text_section(section: Section) -> str:
    """Title, aligned table and remark; a table too wide for the page goes on below with its keys repeated."""
    if not section.rows:
        return "\n".join((section.title, section.remark))
    widths = [max(map(len, column)) for column in zip(section.header, *section.rows, strict=True)]
    blocks = [_text_block(section, widths, columns) for columns in _fitting(widths, section.keys)]
    return "\n".join(part for part in (section.title, "\n\n".join(blocks), section.remark) if part)


def _fitting(widths: list[int], keys: int) -> list[list[int]]:
    """Columns that fit side by side, in as many blocks as it takes, the key columns first in each."""
    left = list(range(keys))
    blocks: list[list[int]] = [[*left]]
    for column in range(keys, len(widths)):
        taken = sum(widths[i] + len(GAP) for i in blocks[-1])
        if len(blocks[-1]) > keys and taken + widths[column] > WIDTH:
            blocks.append([*left])
        blocks[-1].append(column)
    return blocks


def _text_block(section: Section, widths: list[int], columns: Sequence[int]) -> str:
    lines = []
    for row in [section.header, *section.rows]:
        lines.append(GAP.join(_aligned(section, row[i], widths[i], i) for i in columns).rstrip())
    return "\n".join(lines)


def _aligned(section: Section, cell: str, width: int, column: int) -> str:
    return cell.rjust(width) if _is_number(section, column) else cell.ljust(width)


def _is_number(section: Section, column: int) -> bool:
    return column >= section.keys or section.header[column] == "items"


def _markdown_section(section: Section) -> str:
    """A heading, a pipe table and the remark."""
    if not section.rows:
        return _joined(f"### {section.title}", section.remark).rstrip("\n")
    rule = ["---:" if _is_number(section, i) else "---" for i in range(len(section.header))]
    lines = [_markdown_row(row) for row in (section.header, rule, *section.rows)]
    return _joined(f"### {section.title}", "\n".join(lines), section.remark).rstrip("\n")


def _markdown_row(cells: Sequence[str]) -> str:
    escaped = [cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ") for cell in cells]
    return f"| {' | '.join(escaped)} |"
