"""The command line: `python -m pandas_agreement [FILE]`.

Here live the options and the exit statuses: 0 when all is well, 1 when a coefficient is below `--fail-under`,
2 when the input or the options are wrong, which costs one line on stderr and never a traceback. Files are
read in `cli_files`, the tables are made in `cli_tables`, and every number comes from `df.agree`.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import textwrap
import warnings
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from pandas_agreement.cli_files import as_numbers, guess_coders, is_number, known_columns, read_table
from pandas_agreement.cli_tables import STYLES, WIDTH, Source
from pandas_agreement.errors import AgreementError, AgreementWarning, InputError
from pandas_agreement.example import load_example
from pandas_agreement.registry import find

PROGRAM = "pandas_agreement"
EXAMPLE_CODERS = ["ann", "bob", "cleo", "dev"]
DEFAULT_METRICS = ["observed", "kappa", "alpha", "ac1"]
WEIGHTED_METRICS = ["observed", "kappa", "alpha", "ac2"]
SHOWN_NAMES = 8

DESCRIPTION = """\
Agreement between coders: how much, between whom, on which categories, in which group.
Without FILE the example that ships with the package is shown."""

EPILOG = """\
The file is wide (a row an item, a column a coder: --coders)
or long (a row a judgment: --item --coder --label).
Only an empty cell is missing: NA, None, null and n/a are labels like any other.
Exit status: 0, or 1 when a --fail-under is not reached, or 2 when the input or an option is wrong."""

EXAMPLE_HEADING = """\
The example that ships with pandas_agreement (made-up data): support tickets in six weekly batches,
each to be labelled by four people. After the third week the guidelines were rewritten and the
coders trained again."""

EXAMPLE_CLOSING = """\
What next?
  a file of your own, a row an item, a column a coder:
    python -m pandas_agreement labels.csv --coders ann bob --by batch
  a row a judgment, and a check for continuous integration:
    python -m pandas_agreement labels.csv --item doc --coder who --label tag --fail-under alpha=0.8
  in Python:
    import pandas_agreement
    df = pandas_agreement.load_example()
    df.agree.summary("ann", "bob", "cleo", "dev", by="batch")
    df.agree.confusion("ann", "dev")"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments, without the name of the program; default: those of the process.

    Returns
    -------
    int
        The exit status: 0, or 1 when a `--fail-under` is not reached, or 2 when the input is wrong.

    Examples
    --------
    >>> status = main(["--metrics", "kappa", "--ci", "none", "--by", "batch"])  # doctest: +ELLIPSIS
    The example that ships with pandas_agreement...
    >>> status
    0
    """
    try:
        return _run(_parser().parse_args(argv))
    except SystemExit as stop:  # argparse has spoken: --help, --version or a wrong option
        return stop.code if isinstance(stop.code, int) else 0


def _run(options: argparse.Namespace) -> int:
    """Read, compute, print; if something is wrong with the input, say so in one line."""
    name = {None: "the example", "-": "standard input"}.get(options.file, options.file)
    try:
        with _notes_to_stderr():
            source = _source(options)
            summary = _summary(source, options)
            text = STYLES[options.format](source, summary)
    except AgreementError as error:
        _say(f"{name}: {' '.join(str(error).split())}")
        return 2
    failures = _failures(summary, options.fail_under)
    _write(text)
    for failure in failures:
        _say(f"{name}: {failure}")
    return 1 if failures else 0


# ----------------------------------------------------------------------------------------------- the options


class _Parser(argparse.ArgumentParser):
    """argparse, with errors of one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{PROGRAM}: {message}; see python -m {PROGRAM} --help\n")


def _parser() -> _Parser:
    from pandas_agreement import __version__

    parser = _Parser(
        prog=f"python -m {PROGRAM}",
        usage=f"python -m {PROGRAM} [FILE] [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="CSV, TSV, JSON, JSON lines or Parquet; - is CSV on stdin"
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    _add_data_options(parser.add_argument_group("the data"))
    _add_result_options(parser.add_argument_group("the result"))
    return parser


def _add_data_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--coders", nargs="+", metavar="NAME", help="the coders' columns (long files: which coders)"
    )
    group.add_argument("--item", metavar="COLUMN", help="long files: what is judged")
    group.add_argument("--coder", metavar="COLUMN", help="long files: who judges")
    group.add_argument("--label", metavar="COLUMN", help="long files: the judgment")
    group.add_argument("--by", nargs="+", metavar="COLUMN", default=[], help="a result for each group")
    group.add_argument("--categories", nargs="+", metavar="LABEL", help="the categories, in their order")
    group.add_argument("--missing", metavar="RULE", help="pairable (default), all, complete or raise")
    group.add_argument(
        "--duplicates", metavar="RULE", help="long files, a judgment given twice: raise, first or last"
    )
    group.add_argument(
        "--sep", metavar="CHARACTER", help="separator of the cells (default: , or for .tsv a tab)"
    )


def _add_result_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--metrics", nargs="+", metavar="NAME", help="coefficients (default: observed kappa alpha ac1)"
    )
    group.add_argument("--weights", metavar="NAME", help="agreement weights, such as linear or quadratic")
    group.add_argument("--level", metavar="NAME", help="level of measurement for alpha, such as ordinal")
    group.add_argument(
        "--ci", type=_level, default=0.95, metavar="LEVEL", help="level of the intervals, or none"
    )
    group.add_argument("--format", choices=list(STYLES), default="table", help="default: table")
    group.add_argument(
        "--fail-under",
        type=_threshold,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="status 1 if the coefficient is below the value, or undefined, in any row; may be repeated",
    )


def _level(text: str) -> float | None:
    """The value of --ci."""
    if text.lower() == "none":
        return None
    try:
        level = float(text)
    except ValueError:
        level = math.nan
    if not 0 < level < 1:
        raise argparse.ArgumentTypeError(f"{text!r} must lie between 0 and 1, such as 0.95, or be none")
    return level


def _threshold(text: str) -> tuple[str, float]:
    """The value of --fail-under."""
    name, _, value = text.partition("=")
    try:
        threshold = float(value)
    except ValueError:
        threshold = math.nan
    if not name or math.isnan(threshold):
        raise argparse.ArgumentTypeError(f"{text!r} should read like alpha=0.8")
    return name, threshold


# --------------------------------------------------------------------------------------------- from the data


def _source(options: argparse.Namespace) -> Source:
    """The data and how to call the methods on them."""
    named = {"item": options.item, "coder": options.coder, "label": options.label}
    absent = [f"--{key}" for key, value in named.items() if value is None]
    if options.file is None:
        return _example(options, absent)
    frame = read_table(options.file, options.sep)
    if len(absent) == len(named):
        return _wide(frame, options)
    if absent:
        raise InputError(f"--item, --coder and --label go together; {' and '.join(absent)} is missing")
    return _long(frame, options, named)


def _example(options: argparse.Namespace, absent: list[str]) -> Source:
    """The shipped data; options that describe a file need one."""
    if len(absent) < 3 or options.sep is not None:
        raise InputError(f"--item, --coder, --label and --sep describe a file: python -m {PROGRAM} FILE ...")
    options.coders = options.coders or EXAMPLE_CODERS
    options.by = options.by or ["batch"]
    frame = load_example()
    try:
        known_columns(frame, {"--coders": options.coders, "--by": options.by})
    except AgreementError as error:
        raise InputError(f"{error} (no FILE was named; it comes first, before the options)") from None
    return _wide(frame, options, EXAMPLE_HEADING + "\n", EXAMPLE_CLOSING)


def _wide(frame: pd.DataFrame, options: argparse.Namespace, heading: str = "", closing: str = "") -> Source:
    """A row an item, a column a coder."""
    by = options.by
    known_columns(frame, {"--by": by, "--coders": options.coders or []})
    coders = options.coders or guess_coders(frame, by)
    both = [name for name in coders if name in by]
    if both:
        raise InputError(f"column {both[0]!r} cannot be both a coder (--coders) and a group (--by)")
    if len(coders) < 2:
        raise InputError(f"--coders: {coders[0]!r} alone has nobody to agree with; name two or more columns")
    frame = _with_numbers(frame, coders, by)
    labels = pd.concat([frame[name] for name in coders], ignore_index=True)
    shares = pd.crosstab(np.repeat(coders, len(frame)), labels, normalize="index").reindex(coders)
    facts = [f"{len(frame)} items", _listed(coders, "coders"), *_label_facts(labels)]
    return Source(
        view=frame.agree,
        chosen=tuple(coders),
        coders=tuple(coders),
        shares=shares,
        heading=heading + _filled(f"{options.file or 'Data'}: {', '.join(facts)}"),
        closing=closing or _in_python(options, "df", coders),
        options=_shared_options(options, labels),
        weights=_given(options, "weights"),
    )


def _long(frame: pd.DataFrame, options: argparse.Namespace, named: dict[str, str]) -> Source:
    """A row a judgment."""
    known_columns(frame, {"--by": options.by} | {f"--{key}": [name] for key, name in named.items()})
    frame = _with_numbers(frame, [named["label"]], options.by)
    frame = frame.assign(
        **{named["coder"]: frame[named["coder"]].astype("string")}
    )  # as they are named in --coders
    coders = options.coders or sorted(frame[named["coder"]].dropna().unique())
    labels = frame[named["label"]]
    facts = [f"{len(frame)} judgments of {frame[named['item']].nunique()} items", _listed(coders, "coders")]
    arguments = ", ".join(f"{key}={name!r}" for key, name in named.items())
    return Source(
        view=frame.agree.long(**named),
        chosen=tuple(options.coders or ()),
        coders=tuple(coders),
        shares=pd.crosstab(frame[named["coder"]], labels, normalize="index").reindex(coders),
        heading=_filled(f"{options.file}: {', '.join([*facts, *_label_facts(labels)])}"),
        closing=_in_python(options, f"df.agree.long({arguments})", options.coders or []),
        options=_shared_options(options, labels),
        weights=_given(options, "weights"),
    )


def _with_numbers(frame: pd.DataFrame, labels: Sequence[str], by: Sequence[str]) -> pd.DataFrame:
    """Labels to numbers if all of them are; each key column on its own."""
    for columns in (labels, *([name] for name in by)):
        frame = as_numbers(frame, columns)
    return frame


def _given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The options that were given, under the names they have in Python."""
    return {name: getattr(options, name) for name in names if getattr(options, name) is not None}


def _shared_options(options: argparse.Namespace, labels: pd.Series) -> dict[str, Any]:
    """What every method takes."""
    shared = {"ci": options.ci, **_given(options, "missing", "categories", "duplicates")}
    if options.categories and is_numeric_dtype(labels.dtype) and not is_bool_dtype(labels.dtype):
        words = [word for word in options.categories if not is_number(word)]
        if words:
            raise InputError(f"--categories: {words[0]!r} is not a number, but the labels in the file are")
        shared["categories"] = pd.to_numeric(pd.Series(options.categories)).tolist()
    return shared


def _summary(source: Source, options: argparse.Namespace) -> pd.DataFrame:
    """The tidy summary: the coefficients asked for, and those that are checked."""
    names = options.metrics or (WEIGHTED_METRICS if options.weights else DEFAULT_METRICS)
    names = [find(name).name for name in [*names, *(name for name, _ in options.fail_under)]]
    result: pd.DataFrame = source.view.summary(
        *source.chosen,
        metrics=list(dict.fromkeys(names)),
        **({"by": options.by} if options.by else {}),
        **source.options,
        **_given(options, "weights", "level"),
    )
    return result


def _failures(summary: pd.DataFrame, thresholds: Sequence[tuple[str, float]]) -> list[str]:
    """A line for each row that does not reach its threshold."""
    lines = []
    for name, threshold in thresholds:
        rows = summary.loc[summary.index.get_level_values(-1) == find(name).name, "estimate"]
        for key, estimate in rows[~(rows >= threshold)].items():
            lines.append(_failure(rows.index.names, key, estimate, threshold))
    return lines


def _failure(levels: Sequence[Hashable], key: Any, estimate: float, threshold: float) -> str:
    *group, name = key if isinstance(key, tuple) else (key,)
    where = ", ".join(f"{level} {value}" for level, value in zip(levels, group, strict=False))
    value = "undefined" if math.isnan(estimate) else f"{estimate:.4f}"
    return f"{name} is {value}{', in ' + where if where else ''}: --fail-under asks for {threshold:g}"


# --------------------------------------------------------------------------------------------- what to print


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _listed(names: Sequence[Hashable], what: str) -> str:
    shown = f" ({', '.join(map(str, names))})" if len(names) <= SHOWN_NAMES else ""
    return f"{len(names)} {what}{shown}"


def _label_facts(labels: pd.Series) -> list[str]:
    """The labels in use, and how many are missing."""
    gaps = labels.isna().mean()
    used = [f"{label:g}" if isinstance(label, float) else str(label) for label in labels.dropna().unique()]
    facts = [_listed(sorted(used), "categories")]
    return facts if gaps == 0 else [*facts, f"{100 * gaps:.0f} % of the labels missing"]


def _in_python(options: argparse.Namespace, frame: str, coders: Sequence[str]) -> str:
    by = [f"by={options.by!r}"] if options.by else []
    call = f"{frame}{'' if '.agree' in frame else '.agree'}.summary({', '.join([*map(repr, coders), *by])})"
    return f"In Python, with the file in a frame df:\n  import {PROGRAM}\n  {call}"


@contextmanager
def _notes_to_stderr() -> Iterator[None]:
    """Say each warning of the package once, in a line of its own; pass on the others."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", AgreementWarning)
        try:
            yield
        finally:
            ours = [str(each.message) for each in caught if issubclass(each.category, AgreementWarning)]
            for message in dict.fromkeys(ours):
                _say(f"note: {' '.join(message.split())}")
    for each in caught:
        if not issubclass(each.category, AgreementWarning):
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)


def _say(line: str) -> None:
    print(f"{PROGRAM}: {line}", file=sys.stderr)


def _write(text: str) -> None:
    """Print; a reader that has closed the pipe, such as head, is no error."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes stdout again at exit and would complain then
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
