"""From a call to a report: which coefficients the labels ask for, the readings, and what was said while reading."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import pandas as pd

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.data import Reading
from pandas_agreement.engine import measure
from pandas_agreement.errors import AgreementWarning, choose, wrong_value
from pandas_agreement.interpret import SCALES
from pandas_agreement.options import Options, check_interval
from pandas_agreement.report.data import Asked, Material, are_scores, score_metrics, ungrouped
from pandas_agreement.report.document import Report
from pandas_agreement.report.sections import write

T = TypeVar("T")


@dataclass(frozen=True)
class Source:
    """The data of a report: the frame, and the way into it."""

    frame: pd.DataFrame
    read: Callable[..., Reading]  # (coders, options, needs_coders=None, rows=False)
    records: Callable[[Sequence[str] | None, Any], list[Coefficient]]  # those asked for, or those of `summary`
    sets: bool  # a cell holds several labels
    roles: tuple[Hashable, Hashable, Hashable] | None  # columns of item, coder and label, where a row is a judgment


def build(
    source: Source,
    coders: Sequence[Hashable],
    options: Options,
    *,
    metrics: Sequence[str] | None,
    n: int,
    title: str,
    words: str | None,
    pictures: bool,
) -> Report:
    """Read, ask, write."""
    if not (isinstance(n, int) and n > 0):
        raise wrong_value("n", n, "must be a whole number above 0: how many rows to show")
    if words is not None:
        choose("words", words, SCALES)
    read, said = _heard(lambda: source.read(coders, options))
    asked = _asked(source, read, options.without("by"), metrics, n, words, pictures)
    material, again = _heard(lambda: _material(source, coders, options, read, asked))
    about_data = again if options.by is not None and read.coders else said
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)  # the report says what is undefined, and why
        about_groups = [message for message in said if message not in about_data]
        return Report(write(material, title, about_data, about_groups))


def _asked(
    source: Source,
    read: Reading,
    options: Options,
    metrics: Sequence[str] | None,
    n: int,
    words: str | None,
    pictures: bool,
) -> Asked:
    """The coefficients and their options, as the labels ask for."""
    scores = are_scores(read, options)
    named = score_metrics(read) if metrics is None and scores else metrics
    records = source.records(named, options.weights)
    credit = [name for name in ("weights", "level") if not _is_nominal(getattr(options, name))]
    if metrics is None and credit and not scores:  # the others would stand beside them as if they were comparable
        records = [record for record in records if any(record.accepts(name) for name in credit)]
    if scores and any(record.name == "alpha" for record in records):
        options = options if "level" in options.given else options.but(level="interval")
    check_interval(options, records)
    if not records:
        measure(read, records, options)  # says what to do
    needs = next((record.name for record in records if record.needs_coders), None)
    if needs and not read.ratings.identified:
        source.read((), options, needs)  # says what to do
    return Asked(records, options, scores, source.sets, n, words, pictures)


def _is_nominal(value: Any) -> bool:
    return isinstance(value, str) and value == "nominal"


def _material(source: Source, coders: Sequence[Hashable], options: Options, read: Reading, asked: Asked) -> Material:
    """The readings: all together, the groups, and on request items apart or fewer coders."""
    plain, grouped_by = options.without("by"), options.by is not None
    apart = bool(read.coders) and grouped_by  # all together is read anew, with the coders named: a key is none
    named = tuple(coders) or (tuple(read.coders) if apart else ())
    chosen = plain if apart or not grouped_by else options

    def again(names: Sequence[Hashable] | None, rows: bool) -> Reading:
        return replace(source.read(named if names is None else names, chosen, rows=rows), named=read.named)

    # the user need not have named the coders that are named here: pairs without an item are then not listed
    whole = replace(source.read(named, plain), named=read.named) if apart else ungrouped(read)
    grouped = None if read.groups is None or not len(read.groups) else read
    return Material(asked, source.frame, whole, grouped, again, source.roles)


def _heard(read: Callable[[], T]) -> tuple[T, list[str]]:
    """What a function gives, and what the package had to say about the data; other warnings go their way."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = read()
    ours = [each for each in caught if issubclass(each.category, AgreementWarning)]
    for each in caught:
        if each not in ours:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    return found, list(dict.fromkeys(str(each.message) for each in ours))
