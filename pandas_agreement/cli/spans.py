"""The output of the command line with `--start` and `--end`: agreement on spans."""

from __future__ import annotations

import argparse
from typing import Any

import pandas as pd

from pandas_agreement import formatting as fmt
from pandas_agreement.cli.output import rendered
from pandas_agreement.cli.recipe import call, literal
from pandas_agreement.cli.source import Source
from pandas_agreement.core.remarks import remarks_in
from pandas_agreement.report.contents import Block, Code, Contents, Section, Text, listing
from pandas_agreement.results import schemas

MAX_ROWS = 60  # of a table
EXPLAINED = (
    "f1: spans with the same start, end and label. f1_iou: spans that share half of their positions. u_alpha: is the "
    "same text marked with the same label, beyond chance? u_alpha_marking: whatever the label? u_alpha_labels: where "
    "both marked, is it the same label? kappa: of positions."
)


class SpanOutput:
    """The output of one run; `result` has one row per group and coefficient."""

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
        texts = (Text(text, "note") for text in (EXPLAINED, *map(fmt.sentence, notes)))
        pairs = _table(self._of("by_pair"), "f1 of each pair")
        sections = [Section("Agreement on spans", (_table(self.result), *texts)), Section("Pairs of coders", (pairs,))]
        if "u_alpha_labels" in self.result.index.get_level_values("coefficient"):
            sections.append(Section("Categories", (_table(self._of("by_category")),)))
        names = [literal(name) for name in source.chosen]
        lines = (*source.reading, *call("spans = df.agree.spans", [], source.roles))
        recipe = Section(f"In Python{source.saved}", (Code((*lines, *call("spans.summary", names, self._asked))),))
        return Contents(source.title, (*sections, recipe), "")


def _table(result: pd.DataFrame, caption: str = "Estimates") -> Block:
    """One row per estimate, with its interval."""
    rows = []
    keys = result.index.names
    for names, row in fmt.each(result.head(MAX_ROWS)):
        line = {str(key): fmt.cell(name) for key, name in zip(keys, names, strict=True)}
        line |= {"estimate": fmt.number(row.estimate)} | dict.fromkeys(fmt.interval_header(result), fmt.interval(row))
        rows.append(line | {"spans": f"{row.n_spans:,}", "documents": f"{row.n_items:,}"})
    return listing(caption, rows, len(result), "row", len(keys))
