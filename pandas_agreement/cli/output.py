"""The output of the command line: sections of a report for people, one frame for programs.

There is one class for labels, whose results all come from `ReportData`, one for judges and one for spans.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
from pandas.api.types import is_numeric_dtype

from pandas_agreement import formatting as fmt
from pandas_agreement.accessor.reporting import report_data
from pandas_agreement.characters import in_one_line
from pandas_agreement.cli.arguments import WRITERS, source_name
from pandas_agreement.cli.columns import is_number
from pandas_agreement.cli.recipe import call, literal
from pandas_agreement.cli.remedies import as_typed
from pandas_agreement.cli.source import Source
from pandas_agreement.coefficients.registry import Coefficient, find
from pandas_agreement.core.remarks import remarks_in
from pandas_agreement.errors import say
from pandas_agreement.options import SAME_WEIGHTS, make_options, weights_for
from pandas_agreement.report import Report, Request, document, judge_section, render_markdown, render_text, write
from pandas_agreement.report.contents import Block, Code, Contents, Section, Text, interval_header, listing
from pandas_agreement.results import schemas
from pandas_agreement.results.tidy import tidy

DEFAULT_METRICS = ["observed", "kappa", "alpha", "ac1"]
WEIGHTED_METRICS = ["observed", "kappa", "alpha", "ac2"]
DEFAULT_METRIC, OF_SETS = "kappa", "alpha"  # of judges
MAX_SPAN_ROWS = 60  # of a table
OF_SPANS = (
    "f1: spans with the same start, end and label. f1_iou: spans that share half of their positions. u_alpha: is the "
    "same text marked with the same label, beyond chance? u_alpha_marking: whatever the label? u_alpha_labels: where "
    "both marked, is it the same label? kappa: of positions."
)
EXAMPLE = (
    "Made-up data: support tickets in six weekly batches, each to be labelled by four people. After the third week the "
    "guidelines were rewritten and the coders trained again."
)
WHAT_NEXT = (
    "python -m pandas_agreement --worst 10",
    "python -m pandas_agreement labels.csv --coders ann bob --by batch --report agreement.html",
)
#: text with which a formula may begin, also in the wide signs of East Asian spreadsheets
FORMULA = re.compile("[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
#: the sections that are printed; items are in --worst, and all others in --report
PRINTED = ["answer", "steps", "data", "coefficients", "groups", "categories", "coders"]


def _csv(frame: pd.DataFrame) -> str:
    plain = _with_plain_sets(frame, fmt.label_text)
    text = plain.to_csv(index=False, lineterminator="\n")
    if "\r" not in text:
        return text
    return plain.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)  # readers end a line at \r


def _json(frame: pd.DataFrame) -> str:
    plain = _with_plain_sets(frame, lambda labels: sorted(labels, key=str))
    text = plain.to_json(orient="records", indent=2, double_precision=15, force_ascii=False, date_format="iso")
    return f"{text}\n"


#: formats for people: contents to text
PAGES: dict[str, Callable[[Contents], str]] = {"table": render_text.render, "markdown": render_markdown.render}
#: formats for programs: a frame to text
RECORDS: dict[str, Callable[[pd.DataFrame], str]] = {"csv": _csv, "json": _json}


def _with_plain_sets(frame: pd.DataFrame, plain: Callable[[frozenset[Any]], Any]) -> pd.DataFrame:
    """Replace sets by `plain` values, in an order that does not depend on hashing."""
    holders = [name for name in frame.columns if any(isinstance(cell, frozenset) for cell in frame[name])]
    columns = {name: [plain(cell) if isinstance(cell, frozenset) else cell for cell in frame[name]] for name in holders}
    return frame.assign(**columns)


def without_formulas(frame: pd.DataFrame) -> pd.DataFrame:
    """Put an apostrophe before every name and text that a spreadsheet would take for a formula; numbers stay."""
    plain = _with_plain_sets(frame, fmt.label_text)
    texts = [name for name in plain.columns if not is_numeric_dtype(plain[name].dtype)]
    columns = {name: [_not_a_formula(cell) for cell in plain[name]] for name in texts}
    return plain.assign(**columns).rename(columns=_not_a_formula)


def _not_a_formula(cell: Any) -> Any:
    """A cell that stays what it is in a spreadsheet.

    >>> _not_a_formula("=1+1"), _not_a_formula("-1"), _not_a_formula("a-b")
    ("'=1+1", '-1', 'a-b')
    """
    return f"'{cell}" if isinstance(cell, str) and FORMULA.match(cell) and not is_number(cell) else cell


def rendered(rows: pd.DataFrame, contents: Callable[[], Contents], options: argparse.Namespace) -> str:
    """The text to print: rows for programs, or contents for people."""
    if options.format in PAGES:
        return PAGES[options.format](contents())
    return RECORDS[options.format](without_formulas(rows) if options.no_formulas else rows)


def in_python(source: Source, lines: Sequence[str]) -> Section:
    """The lines of Python that give the same numbers."""
    return Section(f"In Python{source.saved}", (Code(tuple(lines)),))


class Output:
    """The output of one run, from the source and the options as they were typed.

    `data` holds all results; `result` the coefficients of --metrics and --fail-under, by group if there are groups.
    """

    def __init__(self, source: Source, options: argparse.Namespace) -> None:
        self._source, self._options = source, options
        default = _default_metrics(weights_for(source.scale))
        if not source.named:  # kappa needs to know the coders
            default = [name if name != "kappa" else "pi" for name in default]
        checked = [find(threshold.name) for threshold in options.fail_under]
        named = [find(name) for name in options.metrics or ()]
        given = {**source.groups, **source.scale, **source.options}
        chosen = make_options(given, "summary", [*(named or map(find, default)), *checked], one_word=True)
        self.data = report_data(source.view, source.chosen, chosen, self._request(named, default, checked))
        for warning in self.data.warned:
            say(warning)
        if not options.report:
            self.data.warned = ()  # they are printed to stderr
        self.result = self.data.result_of(checked) if options.report and checked else self.data.result

    def _request(self, named: Sequence[Coefficient], default: Sequence[str], checked: Sequence[Coefficient]) -> Request:
        """The request for a report file, for the worst items, or for the printed sections."""
        typed = self._options
        metrics = [record.name for record in named] or None
        if typed.report:
            pictures = _writer(typed.report) == "to_html"
            return Request(metrics, typed.at_least, typed.worst or Request.n, pictures=pictures)
        # with coefficients of labels, many different numbers are categories and not scores
        labels = bool(named) and not typed.level and not any(record.needs_numbers for record in named)
        request = Request(
            metrics, typed.at_least, pictures=False, default=default, also=[record.name for record in checked]
        )
        request = replace(request, scores=False if labels else None)
        if typed.worst is None:
            return request
        return replace(request, n=typed.worst, item_metric=self._item_metric(), within_groups=True)

    def _item_metric(self) -> str:
        """The coefficient by which items are ranked; kappa needs to know the coders."""
        if not self._options.weights or self._options.level:
            return "alpha"
        return "kappa" if self._source.named else "pi"

    def text(self) -> str:
        """The text to print; with --report the file is written, and the text is its name."""
        if self._options.report:
            return self._written()
        if self._options.consensus:
            return self._labels_written()
        rows = tidy(self.result, "summary").reset_index() if self._options.worst is None else self._worst()
        return rendered(rows, self._contents, self._options)

    def _written(self) -> str:
        name = Path(source_name(self._options)).name
        path = self._options.report
        contents = write(self.data, f"Agreement report: {name}")
        getattr(Report(contents), _writer(path))(path)
        return in_one_line(f"{path}: wrote the agreement report of {name}") + "\n"

    def _labels_written(self) -> str:
        """Write the labels of the items as CSV; rows of a wide file are numbered."""
        source, path = self._source, self._options.consensus
        taken = {name: value for name, value in source.options.items() if name == "categories"}
        items = source.view.consensus(*source.chosen, **source.groups, **taken)
        rows = items.reset_index() if source.roles else items.rename_axis("row").reset_index()
        if _is_whole(rows["label"]):
            rows = rows.astype({"label": "Int64"})
        text = _csv(without_formulas(rows) if self._options.no_formulas else rows)
        document.write(text, Path(path))
        ties = int(items["tie"].sum())
        return in_one_line(f"{path}: wrote the labels of {len(items)} items, {ties} of them ties") + "\n"

    def _contents(self) -> Contents:
        """The sections to print, and the lines of Python that give the same numbers."""
        source, is_page = self._source, self._options.worst is None
        names = [*PRINTED, *(["pairs"] if len(self.data.coders) == 2 else [])] if is_page else ["items"]
        contents = write(self.data, source.title, names, as_typed)
        about = [Section(source.title, (Text(EXAMPLE),))] if source.is_example and is_page else []
        closing = [in_python(source, self._recipe())]
        closing += [Section("What next", (Code(WHAT_NEXT),))] if about else []
        title = "" if about else source.title
        return replace(contents, title=title, sections=(*about, *contents.sections, *closing), footer="", date="")

    def _recipe(self) -> list[str]:
        """The lines of Python that give the frame for programs."""
        source, n, scale = self._source, self._options.worst, dict(self._source.scale)
        if self.data.asked.options.stands_for_both == "level":  # it may be guessed
            scale["level"] = self.data.asked.options.level
        if n is None:
            metrics = [record.name for record in self.data.asked.records]
            return source.lines("summary", {"metrics": metrics, **source.groups, **scale, **source.options})
        shared = {name: value for name, value in source.options.items() if name != "ci"}
        if "level" in scale:
            scale = {name: value for name, value in scale.items() if name != "weights"}
        metric = {"metrics": self._item_metric()} if "weights" in scale else {}
        asked = {"n": n, **source.groups, **metric, **scale, **shared, "detail": True}
        return source.lines("disagreements", asked)

    def _worst(self) -> pd.DataFrame:
        """The rows of the worst items, with all columns of the file; rows of a wide file are numbered."""
        rows, frame = self.data.worst, self._source.frame
        whole = [name for name in frame.columns if _is_whole(frame[name])]
        rows = rows.astype(dict.fromkeys([*whole, *(["majority"] if _is_whole(rows["majority"]) else [])], "Int64"))
        if not self._source.roles and "row" not in rows.columns:
            rows.insert(0, "row", rows.index)
        return rows


def _default_metrics(weights: Any) -> list[str]:
    """The coefficients that are printed, by the weights that stand for all; None for sets of labels."""
    if weights is None:
        return ["alpha"]
    nominal = isinstance(weights, str) and SAME_WEIGHTS.get(weights, weights) == "nominal"
    return DEFAULT_METRICS if nominal else WEIGHTED_METRICS


def _is_whole(column: pd.Series) -> bool:
    """Whether a column holds whole numbers that are floats only because some are missing."""
    known = column.dropna()
    return column.dtype == float and len(known) < len(column) and bool((known % 1 == 0).all())


def _writer(path: str) -> str:
    return WRITERS[Path(path).suffix.lower()]


class JudgedOutput:
    """The output of `--judge` and `--humans`: judges against people; `result` has one row per group and judge."""

    def __init__(self, source: Source, options: argparse.Namespace) -> None:
        self._source, self._options = source, options
        judged = source.view.judges(*options.judge, **self._roles)
        self.result: pd.DataFrame = judged.versus_humans(**self._keywords, detail=True)

    @property
    def _keywords(self) -> dict[str, Any]:
        """The options of `versus_humans`."""
        scale = self._source.scale
        default = OF_SETS if weights_for(scale) is None else DEFAULT_METRIC
        metric = find((self._options.metrics or [default])[0]).name
        shared = {name: value for name, value in self._source.options.items() if name != "categories"}
        return {"metrics": metric, **self._source.groups, **scale, **shared}

    @property
    def _roles(self) -> dict[str, Any]:
        """The options of `judges`."""
        categories = {name: value for name, value in self._source.options.items() if name == "categories"}
        return {"humans": self._options.humans, **categories}

    def text(self) -> str:
        """The text to print."""
        rows = self.result[list(schemas.VERSUS.shown)].reset_index()
        return rendered(rows, self._contents, self._options)

    def _contents(self) -> Contents:
        source = self._source
        recipe = in_python(source, [*source.reading, *self._call()])
        return Contents(source.title, (judge_section(self.result), recipe), "")

    def _call(self) -> list[str]:
        judges = [literal(name) for name in self._options.judge]
        roles = call(f"judged = {self._source.way}.judges", judges, self._roles)
        return [*roles, *call("judged.versus_humans", [], self._keywords)]


class SpanOutput:
    """The output of `--start` and `--end`: spans; `result` has one row per group and coefficient."""

    def __init__(self, source: Source, options: argparse.Namespace) -> None:
        self._source, self._options = source, options
        self.result = self._of("summary")

    def _of(self, method: str) -> pd.DataFrame:
        found: pd.DataFrame = getattr(self._source.view, method)(*self._source.chosen, **self._asked, detail=True)
        return found

    @property
    def _asked(self) -> dict[str, Any]:
        """The options of all methods."""
        return {**self._source.groups, **self._source.options}

    def text(self) -> str:
        """The text to print."""
        rows = self.result[list(schemas.SPANS.shown)].reset_index()
        return rendered(rows, self._contents, self._options)

    def _contents(self) -> Contents:
        source = self._source
        notes = list(dict.fromkeys(part for note in self.result["remarks"] for part in remarks_in(note) if part))
        texts = (Text(text, "note") for text in (OF_SPANS, *map(fmt.sentence, notes)))
        pairs = _span_table(self._of("by_pair"), "f1 of each pair")
        sections = [Section("Agreement on spans", (_span_table(self.result), *texts))]
        sections += [Section("Pairs of coders", (pairs,))]
        if "u_alpha_labels" in self.result.index.get_level_values("coefficient"):
            sections.append(Section("Categories", (_span_table(self._of("by_category")),)))
        names = [literal(name) for name in source.chosen]
        lines = (*source.reading, *call("spans = df.agree.spans", [], source.roles))
        recipe = in_python(source, [*lines, *call("spans.summary", names, self._asked)])
        return Contents(source.title, (*sections, recipe), "")


def _span_table(result: pd.DataFrame, caption: str = "Estimates") -> Block:
    """One row per estimate, with its interval."""
    rows = []
    keys = result.index.names
    for names, row in fmt.each(result.head(MAX_SPAN_ROWS)):
        line = {str(key): fmt.cell(name) for key, name in zip(keys, names, strict=True)}
        line |= {"estimate": fmt.number(row.estimate), **dict.fromkeys(interval_header(result), fmt.interval(row))}
        rows.append(line | {"spans": f"{row.n_spans:,}", "documents": f"{row.n_items:,}"})
    return listing(caption, rows, len(result), "row", len(keys))
