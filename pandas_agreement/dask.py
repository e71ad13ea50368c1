"""Agreement on Dask: `import pandas_agreement.dask` gives every Dask DataFrame `ddf.agree`.

Each partition becomes a partial result, partial results are added in a tree, and the result is a lazy frame with one
row per group and coefficient: the numbers of pandas, intervals included. Long data are first shuffled by item. Votes
stay in their partitions. The functions that run on workers live in `pandas_agreement.streaming.partial` and
`pandas_agreement.truth.partitions`, so a worker only has to import the package.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import ALIASES, find, having
from pandas_agreement.data.reading import columns_of
from pandas_agreement.errors import UnknownMethodError, nearest
from pandas_agreement.options import metrics_for, weights_for
from pandas_agreement.results import frames, schemas
from pandas_agreement.streaming.partial import Plan, combine, finish, make_plan, read_partial, with_coders
from pandas_agreement.truth import partitions
from pandas_agreement.truth.partial_votes import combine_votes, plan_votes, read_votes
from pandas_agreement.truth.partitions import Whole
from pandas_agreement.truth.settings import Settings

try:
    import dask.dataframe as dd
    from dask.dataframe.extensions import register_dataframe_accessor
    from dask.delayed import delayed
except ImportError as error:
    raise ImportError(
        "pandas_agreement.dask needs dask. Install it with: pip install 'pandas-agreement[dask]'"
    ) from error

TRUTH = "models need all items at once; the majority vote is ddf.agree.consensus(...)"
PARTIALS_PER_TASK = 8  # partial results that are added in one task


def measure(frame: Any, plan: Plan, together: bool, compute: bool) -> Any:
    """The result of a Dask frame: a lazy frame, or with `compute` a pandas frame.

    With `together` all rows of an item of long data are in one partition already.
    """
    frame, plan = _prepared(frame, plan, together)
    total = _in_tree(combine, [delayed(read_partial)(part, plan) for part in frame.to_delayed()], plan)
    result = delayed(finish)(total, plan)
    return result.compute() if compute else dd.from_delayed([result], meta=_meta(frame, plan), verify_meta=False)


def _prepared(frame: Any, plan: Plan, together: bool) -> tuple[Any, Plan]:
    """The columns that are needed, with all rows of an item in one partition, and the plan with its coders."""
    plan = with_coders(plan, list(frame.columns))
    columns_of(frame._meta, plan.columns)  # raises for a missing column
    frame = frame[plan.columns]
    return frame if plan.long is None or together else frame.shuffle(on=plan.long[0]), plan


def _in_tree(function: Callable[..., Any], parts: list[Any], plan: Plan) -> Any:
    """Join partial results, a few in each task."""
    while len(parts) > 1:
        starts = range(0, len(parts), PARTIALS_PER_TASK)
        parts = [delayed(function)(parts[start : start + PARTIALS_PER_TASK], plan) for start in starts]
    return parts[0]


def vote(frame: Any, plan: Plan, settings: Settings, together: bool, compute: bool) -> Any:
    """The majority label of each item of a Dask frame, with as many partitions."""
    known = frame.divisions if plan.long is None else None
    frame, plan = _prepared(frame, plan, together)
    if settings.ties == "random":  # one seed for all partitions
        settings = replace(settings, rng=int(np.random.default_rng(settings.rng).integers(1 << 62)))
    parts = [delayed(read_votes)(part, plan, settings) for part in frame.to_delayed()]
    names = _in_tree(combine_votes, [delayed(partitions.names_of)(part) for part in parts], plan)
    whole = delayed(partitions.whole_of)(names, plan, settings)
    rest = plan, settings
    if isinstance(settings.weights, str):
        tables = [delayed(partitions.agreements)(part, whole, *rest) for part in parts]
        whole = delayed(partitions.with_weights)(whole, tables)
    if settings.ties == "prior":
        tables = [delayed(partitions.share_sums)(part, whole, *rest) for part in parts]
        whole = delayed(partitions.with_shares)(whole, tables)
    meta = _votes_meta(frame, *rest)
    dtype = meta["label"].dtype
    votes = [delayed(partitions.vote_frame)(part, whole, *rest, number, dtype) for number, part in enumerate(parts)]
    result = dd.from_delayed(votes, meta=meta, divisions=known, verify_meta=False)
    return result.compute() if compute else result


def _votes_meta(frame: Any, plan: Plan, settings: Settings) -> pd.DataFrame:
    """An empty table of votes, whose labels have a dtype that can be missing."""
    plain = replace(settings, weights=None, ties="missing")
    part = read_votes(frame._meta_nonempty.iloc[:1], plan, plain)  # an empty column of numbers has labels of no dtype
    table = partitions.vote_frame(part, Whole(partitions.names_of(part)), plan, plain, 0).iloc[:0]
    dtype = table["label"].dtype
    wider = {"i": "float64", "u": "float64", "b": "boolean"}.get(dtype.kind) if isinstance(dtype, np.dtype) else None
    return table if wider is None else table.astype({"label": wider})


def _meta(frame: Any, plan: Plan) -> pd.DataFrame:
    """An empty result with the columns and index that Dask needs in advance."""
    empty = {name: np.zeros(0, object if dtype == "str" else dtype) for name, (dtype, _) in schemas.RESULT.items()}
    groups = pd.MultiIndex.from_frame(frame._meta[plan.keys]) if len(plan.keys) > 1 else None
    if len(plan.keys) == 1:
        groups = pd.Index(frame._meta[plan.keys[0]], name=plan.keys[0])
    return frames.result(frames.row_index(groups, {}, list(plan.metrics)[:0]), empty)


def _method(name: str) -> Callable[..., Any]:
    """The method of a coefficient."""

    def call(self: DaskAgreement, *coders: Hashable, compute: bool = False, **options: Any) -> Any:
        return self._measure(coders, [name], options, name, compute)

    call.__name__ = name
    call.__doc__ = (
        f"{find(name).title}\n\nThe options of `df.agree.{name}` that `pandas_agreement.stream` takes too.\n"
        "`compute=True` gives a pandas DataFrame at once."
    )
    return call


class DaskAgreement:
    """Agreement between coders in a Dask DataFrame: `ddf.agree`.

    All coefficients of labels except Light's kappa and Bangdiwala's B, `summary` for several of them, and `consensus`
    for the majority label of each item.
    `ddf.agree.kappa("ann", "bob", by="batch")` is lazy; with `compute=True` it returns a pandas frame.

    Examples
    --------
    >>> import dask.dataframe as dd
    >>> import pandas_agreement.dask
    >>> ddf = dd.from_pandas(df, npartitions=2)
    >>> ddf.agree.kappa("ann", "bob", compute=True)["estimate"].round(3)
    coefficient
    kappa    0.348
    Name: estimate, dtype: float64
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self._long: tuple[Hashable, Hashable, Hashable] | None = None
        self._together = False
        self._duplicates = "raise"

    def long(
        self, *, item: Hashable, coder: Hashable, label: Hashable, duplicates: str = "raise", together: bool = False
    ) -> DaskAgreement:
        """The same methods for a frame with one row per judgment.

        Rows are shuffled so that all rows of an item are in one partition. `together=True` skips that step: use it
        after `ddf.shuffle(on=item)` or if the files are split by item.
        """
        agreement = DaskAgreement(self._frame)
        agreement._long, agreement._together, agreement._duplicates = (item, coder, label), together, duplicates
        return agreement

    def summary(
        self, *coders: Hashable, metrics: str | Sequence[str] | None = None, compute: bool = False, **options: Any
    ) -> Any:
        """Several coefficients from one pass over the data; default: observed, kappa, pi, alpha, ac1 (ac2) and s."""
        names = metrics_for(metrics, weights_for(options))
        return self._measure(coders, names, options, "summary", compute)

    def consensus(self, *coders: Hashable, compute: bool = False, **options: Any) -> Any:
        """The majority label of each item: the table of `df.agree.consensus`, lazy, with as many partitions.

        Options are those of a vote: `ties`, `weights`, `by` (names of columns), `categories`, `rng`. Random ties are
        drawn by partition. Items of long data are in the order of the partitions.
        """
        duplicates = {"duplicates": self._duplicates} if self._duplicates != "raise" else {}
        rules = ("raise", "first", "last", "all")
        plan, settings = plan_votes(coders, self._long, {**duplicates, **options}, "consensus", rules)
        return vote(self._frame, plan, settings, self._together, compute)

    def _measure(
        self, coders: Sequence[Hashable], metrics: Sequence[str], given: Mapping[str, Any], what: str, compute: bool
    ) -> Any:
        if self._duplicates != "raise":
            given = {"duplicates": self._duplicates, **given}
        return measure(self._frame, make_plan(coders, metrics, self._long, given, what), self._together, compute)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if ALIASES.get(name) in METHODS:
            return getattr(self, ALIASES[name])
        remedy = TRUTH if name == "truth" else nearest(name, [*METHODS, *OWN])
        raise UnknownMethodError(f"ddf.agree has no method {name!r}", remedy, code="unknown method")

    def __repr__(self) -> str:
        return f"Agreement between coders in a Dask DataFrame. Methods: {', '.join([*METHODS, *OWN])}."


METHODS = having("stream")
OWN = ("summary", "consensus", "long")
for _name in METHODS:
    setattr(DaskAgreement, _name, _method(_name))

register_dataframe_accessor("agree")(DaskAgreement)  # type: ignore[no-untyped-call]

__all__ = ["DaskAgreement"]


def __dir__() -> list[str]:
    return __all__
