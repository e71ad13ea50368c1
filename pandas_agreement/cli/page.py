"""`--report FILE`: the agreement report as a file, HTML or Markdown by its ending."""

from __future__ import annotations

import argparse
from pathlib import Path

from pandas_agreement.cli.source import Source, given, source_name
from pandas_agreement.errors import InputError
from pandas_agreement.report import document

ENDINGS = {".html": "to_html", ".htm": "to_html", ".md": "to_markdown", ".markdown": "to_markdown"}


def report_path(text: str) -> str:
    """The value of --report."""
    if Path(text).suffix.lower() not in ENDINGS:
        raise argparse.ArgumentTypeError(f"{text!r} must end in .html or .md, which says what to write")
    return text


def check_report(options: argparse.Namespace) -> None:
    """Find out what is wrong before the work begins."""
    if options.report is None:
        return
    if options.format != "table":
        raise InputError(
            f"--format {options.format} means nothing with --report, whose ending says what to write",
            option="format",
            code="idle option",
        )
    document.check(options.report)


def write_report(source: Source, options: argparse.Namespace) -> str:
    """Write the file; the line that says so."""
    name = Path(source_name(options)).name
    settings = {**source.groups, **source.scale, **source.options, **given(options, "metrics")}
    settings |= {"n": options.worst} if options.worst is not None else {}
    method = ENDINGS[Path(options.report).suffix.lower()]
    settings |= {"title": f"Agreement report: {name}", "pictures": method == "to_html"}
    getattr(source.view.report(*source.chosen, **settings), method)(options.report)
    return f"{options.report}: wrote the agreement report of {name}\n"
