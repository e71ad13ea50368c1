"""From a call to the data of a report: which coefficients the labels ask for, and what was noted while reading."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.data import Reading
from pandas_agreement.engine import measure
from pandas_agreement.errors import AgreementWarning, choose, wrong_value
from pandas_agreement.interpret import SCALES
from pandas_agreement.options import Options, check_interval
from pandas_agreement.report.data import Asked, ReportData, are_scores, is_nominal, score_metrics


@dataclass(frozen=True)
class Source:
    """The data of a report: the frame, and the way into it."""

    frame: pd.DataFrame
    read: Callable[..., Reading]  # (coders, options, needs_coders=None)
    records: Callable[[Sequence[str] | None, Any], list[Coefficient]]  # those asked for, or those of `summary`
    sets: bool  # a cell holds several labels
    roles: tuple[Hashable, Hashable, Hashable] | None  # columns of item, coder and label, where a row is a judgment


@dataclass(frozen=True)
class Request:
    """What a report is asked for beside the coders and the options of the coefficients."""

    metrics: Sequence[str] | None = None
    n: int = 10
    words: str | None = None
    pictures: bool = True
    # what only the command line asks for
    default: Sequence[str] | None = None  # coefficients of labels that are no scores; None: those of `summary`
    also: Sequence[str] = ()  # coefficients beside these
    scores: bool | None = None  # labels are measurements; None: the labels decide
    item_metric: str = ""  # the coefficient by which items are ranked; empty: the main one
    within_groups: bool = False  # items are compared with those of their group


def gather(source: Source, coders: Sequence[Hashable], options: Options, request: Request) -> ReportData:
    """Read the frame, once; everything else is computed when it is needed."""
    if not (isinstance(request.n, int) and request.n > 0):
        raise wrong_value("n", request.n, "must be a whole number above 0: how many rows to show")
    if request.words is not None:
        choose("words", request.words, SCALES)
    read, warned = _heard(lambda: source.read(coders, options))
    asked = _asked(source, read, options.without("by"), request)
    apart = bool(read.coders) and options.by is not None
    return ReportData(asked, source.frame, read, apart, source.roles, warned)


def _asked(source: Source, read: Reading, options: Options, request: Request) -> Asked:
    """The coefficients and their options, as the labels ask for."""
    scores = are_scores(read, options) if request.scores is None else request.scores
    named = request.metrics
    if named is None:
        named = score_metrics(read) if scores else request.default
    records = source.records(named if not request.also else [*(named or ()), *request.also], options.weights)
    credit = [name for name in ("weights", "level") if not is_nominal(getattr(options, name))]
    if named is None and credit and not scores:  # the others would stand there as if they were comparable
        records = [record for record in records if any(record.accepts(name) for name in credit)]
    if scores and any(record.name == "alpha" for record in records):
        options = options if "level" in options.given else options.but(level="interval")
    check_interval(options, records)
    if not records:
        measure(read, records, options)  # says what to do
    needs = next((record.name for record in records if record.needs_coders), None)
    if needs and not read.ratings.identified:
        source.read((), options, needs)  # says what to do
    own = (request.n, request.words, request.pictures, request.item_metric, request.within_groups)
    return Asked(records, options, scores, source.sets, *own)


def _heard(read: Callable[[], Reading]) -> tuple[Reading, list[AgreementWarning]]:
    """What was read, and what the package noted about the data; other warnings go their way."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = read()
    ours = {str(each.message): each.message for each in caught if isinstance(each.message, AgreementWarning)}
    for each in caught:
        if not isinstance(each.message, AgreementWarning):
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    return found, list(ours.values())
