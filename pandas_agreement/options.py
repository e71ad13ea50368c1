"""The options: their defaults, what they mean, and the check that a call uses only those that mean something."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pandas_agreement.coefficients.registry import COMMON, Coefficient
from pandas_agreement.errors import InputError, nearest


class Option(NamedTuple):
    default: Any
    type: str
    doc: str


OPTIONS: dict[str, Option] = {
    "by": Option(
        None,
        "column name, list of names, or anything `groupby` takes, optional",
        "A row a group, all in one pass. Key columns are never taken for coders; categories are shared by all groups.",
    ),
    "weights": Option(
        "nominal",
        "str, K x K array or DataFrame",
        "Partial credit: 'nominal', 'linear', 'quadratic', 'ordinal', 'radical', 'ratio', 'circular', 'bipolar', or a "
        "matrix of agreement weights (1 on the diagonal; a DataFrame is matched by label).",
    ),
    "level": Option(
        "nominal",
        "str, K x K array or DataFrame, or function",
        "Level of measurement: 'nominal', 'ordinal', 'interval', 'ratio', 'circular', 'bipolar', 'jaccard', 'masi', a "
        "matrix of distances (0 on the diagonal; a DataFrame is matched by label), or a function of two labels.",
    ),
    "scale": Option(
        None,
        "{'value', 'position'}, optional",
        "What ordered weights compare: the labels' values (default for numbers) or their positions among the "
        "categories (default for ordered Categoricals).",
    ),
    "period": Option(None, "float, optional", "Length of the whole circle for 'circular', such as 360 or 12."),
    "sep": Option(
        None,
        "str, optional",
        "With level='jaccard' or 'masi': the text between the labels of a cell, such as '|'. Lists and sets need none.",
    ),
    "pool": Option(
        "coders",
        "{'coders', 'pairs'}",
        "More than two coders: every coder counts the same, or every pair counts as many times as it shares items "
        "(for crowds, where some coders labelled only a handful).",
    ),
    "categories": Option(
        None,
        "list, optional",
        "All categories, lowest first if they are ordered. Default: those of a Categorical, else the labels seen.",
    ),
    "missing": Option(
        "pairable",
        "{'pairable', 'all', 'complete', 'raise'}",
        "Items that count: those with two or more labels; also the singly labelled ones, for the margins; only those "
        "that every coder labelled; or any gap is an error.",
    ),
    "ci": Option(0.95, "float or None", "Level of the interval; None for the estimate alone, which is cheaper."),
    "method": Option(
        "analytic",
        "{'analytic', 'log', 'jackknife', 'percentile', 'bca'}",
        "How the interval is made: t with the standard error from the items' influence; the same for log(1 - "
        "estimate), better above 0.6; leaving out one item at a time; or from resamples of the items, plain or "
        "corrected for bias and skew (the best, and the slowest). Alpha alone has 'kalpha', Krippendorff's and Hayes' "
        "bootstrap, to reproduce published figures; its width does not shrink with the number of items (coverage .94 "
        "to 1.00 in a simulation).",
    ),
    "sampling": Option(
        "items",
        "{'items', 'coders', 'both'}",
        "Whom the interval speaks about: other items labelled by these coders; other coders of these items; or both. "
        "Coders as a sample need three or more, and are left out one at a time.",
    ),
    "expected": Option(
        "group",
        "{'group', 'global'}",
        "Chance agreement of each group's own margins, or of all groups together, which is then taken as known.",
    ),
    "clusters": Option(
        None,
        "column name, optional",
        "Items that belong together (sentences of a document, visits of a patient); the standard error allows for it.",
    ),
    "n_resamples": Option(5000, "int", "Resamples for 'percentile' (2000 or more) and 'bca' (5000 or more)."),
    "rng": Option(None, "int or numpy Generator, optional", "Seed of the resamples, for numbers that can be repeated."),
    "progress": Option(False, "bool", "Show a bar while resampling; needs tqdm."),
    "duplicates": Option(
        "raise",
        "{'raise', 'first', 'last'}",
        "Long data only: what to do when a coder labelled an item more than once.",
    ),
}


def fill(options: Mapping[str, Any]) -> dict[str, Any]:
    """All options with their defaults."""
    return {name: option.default for name, option in OPTIONS.items()} | dict(options)


DEFAULT_METRICS = ("observed", "kappa", "pi", "alpha", "ac1", "s")


def metrics_for(metrics: str | Sequence[str] | None, options: Mapping[str, Any]) -> list[str]:
    """The names of the coefficients asked for; by default several, with AC2 for AC1 where there are weights."""
    if metrics is not None:
        return [metrics] if isinstance(metrics, str) else list(metrics)
    weights = options.get("weights", "nominal")
    nominal = isinstance(weights, str) and weights == "nominal"
    return ["ac2" if name == "ac1" and not nominal else name for name in DEFAULT_METRICS]


def check(options: Mapping[str, Any], records: Iterable[Coefficient], method: str, own: Sequence[str] = ()) -> None:
    """Every option given must mean something to one of the coefficients at least; `own` are the method's others."""
    records = list(records)
    allowed = dict.fromkeys([*own, *COMMON, *(name for record in records for name in record.all_options)])
    for name in options:
        if name not in allowed:
            raise InputError(
                f"{method} has no option {name!r}",
                _instead(name, records, allowed),
                option=name,
                code="unknown option",
            )
    ci = options.get("ci", 0.95)
    if ci is not None and not (isinstance(ci, numbers.Real) and not isinstance(ci, bool) and 0 < float(ci) < 1):
        hint = f"; did you mean ci={float(ci) / 100:g}?" if isinstance(ci, numbers.Real) and 1 < float(ci) < 100 else ""
        raise InputError(f"ci={ci!r} must be a level between 0 and 1, such as 0.95, or None{hint}")


def refuse(options: Mapping[str, Any], names: Iterable[str], method: str) -> None:
    """Options that a coefficient has, and that mean nothing to this method."""
    for name in names:
        if name in options:
            raise InputError(f"{method} has no option {name!r}")


def _instead(name: str, records: list[Coefficient], allowed: Iterable[str]) -> str:
    twin = {"weights": "level", "level": "weights"}.get(name, "")
    if twin in allowed:
        return f"it is called {twin!r} there"
    if name == "weights" and any(record.name == "ac1" for record in records):
        return "the weighted form is 'ac2'"
    return nearest(name, allowed)
