"""From a call to the data of a report: read the frame, choose the coefficients, collect warnings."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from pandas_agreement.breakdown.scales import Kind, Measurement, read_as_scores, scale_of
from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.scores import Scores
from pandas_agreement.data import Reading
from pandas_agreement.engine import measure, of_numbers
from pandas_agreement.errors import AgreementWarning, InputError, choose, collect_warnings, wrong_value
from pandas_agreement.interpreting import BENCHMARKS, check_at_least
from pandas_agreement.options import Options, check_interval, is_nominal, is_whole, weights_for
from pandas_agreement.report.data import Asked, ReportData, Request, score_metrics


@dataclass(frozen=True)
class ReportSource:
    """The frame of a report and the functions of its input format."""

    frame: pd.DataFrame
    read: Callable[..., Reading]  # (coders, options, needs_coders=None)
    records: Callable[[Sequence[str] | None, Any], list[Coefficient]]  # from names to records; None: those of `summary`
    sets: bool  # a cell holds several labels
    roles: tuple[Any, Hashable, Hashable] | None  # columns of item (or a list), coder and label in the long format
    keeps_first: bool = False  # the first of repeated judgments is used, not the last


def gather(source: ReportSource, coders: Sequence[Hashable], options: Options, request: Request) -> ReportData:
    """Read the frame once; results are computed when they are first used."""
    if not is_whole(request.n, 1):
        raise wrong_value("n", request.n, "must be a whole number above 0: how many rows to show")
    if request.benchmark is not None:
        choose("benchmark", request.benchmark, BENCHMARKS)
    if request.at_least is not None:
        request = replace(request, at_least=check_at_least(request.at_least))
        if options.ci is None:
            problem = "at_least= needs the interval, and ci=None leaves it out"
            raise InputError(problem, "leave out ci=None", option="at_least", code="no interval")
    with collected_warnings() as warned:
        items = _read(source, coders, options, request)
    read = items.compact()
    asked = _asked(source, read, options.without("by"), request)
    if isinstance(read.ratings, Scores) and not all(of_numbers(record, asked.options) for record in asked.records):
        items = source.read(coders, options)
    by_given = bool(read.coders) and options.by is not None
    return ReportData(asked, source.frame, items, by_given, source.roles, source.keeps_first, warned)


def _read(source: ReportSource, coders: Sequence[Hashable], options: Options, request: Request) -> Reading:
    """The data; numbers with fractions are not coded as categories."""
    if request.scores is False or options.stands_for_both == "weights" or not read_as_scores(options):
        return source.read(coders, options)
    return source.read(coders, options, scores="values")


def _asked(source: ReportSource, read: Reading, options: Options, request: Request) -> Asked:
    """The coefficients and their options, by default those for the kind of labels."""
    scale = scale_of(read, options)
    scores = scale.kind == "scores" if request.scores is None else request.scores
    options = scale.options if scale.kind == "order" else options
    named = request.metrics
    if named is None:
        named = score_metrics(read) if scores else _for_scale(request.default, scale)
    weights = weights_for({name: getattr(options, name) for name in options.given})
    records = source.records(named if not request.also else [*(named or ()), *request.also], weights)
    if scores and any(record.name == "alpha" for record in records):
        options = options if "level" in options.given else options.at("level", "interval")
    check_interval(options, records)
    if not records:
        measure(read, records, options)  # raises the error with its remedy
    needs = next((record.name for record in records if record.needs_coders), None)
    if needs and not read.ratings.identified:
        source.read((), options, needs)  # raises the error with its remedy
    return Asked(records, options, "scores" if scores else _kind(source, scale, options), request)


def _kind(source: ReportSource, scale: Measurement, options: Options) -> Kind:
    """What labels are that are no scores."""
    if source.sets:
        return "sets"
    credit = not (is_nominal(options.weights) and is_nominal(options.level))
    return "order" if credit else "open" if scale.kind == "open" else "names"


def _for_scale(default: Sequence[str] | None, scale: Measurement) -> Sequence[str] | None:
    """The coefficients of a list, with AC2 in place of AC1 where labels have an order."""
    if default is None or scale.kind != "order":
        return default
    return ["ac2" if name == "ac1" else name for name in default]


@contextmanager
def collected_warnings() -> Iterator[list[AgreementWarning]]:
    """Collect the warnings of this package, each once, in a list that is filled at the end."""
    collected: list[AgreementWarning] = []
    with collect_warnings() as said:
        try:
            yield collected
        finally:
            collected += {str(warning): warning for warning in said}.values()
