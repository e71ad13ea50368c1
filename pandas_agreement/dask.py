"""Agreement on Dask: `import pandas_agreement.dask` gives every Dask DataFrame `ddf.agree`.

Each partition becomes a partial result, partial results are added in a tree, and the result is a lazy frame with one
row per group and coefficient: the numbers of pandas, intervals included. Long data are first shuffled by item. The
functions that run on workers live in `pandas_agreement.streaming.partial`, so a worker only has to import the package.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import ALIASES, find, having
from pandas_agreement.data.reading import columns_of
from pandas_agreement.errors import UnknownMethodError, nearest
from pandas_agreement.options import metrics_for, weights_for
from pandas_agreement.results import frames, schemas
from pandas_agreement.streaming.partial import Plan, as_asked, combine, finish, make_plan, read_partial, with_coders

try:
    import dask.dataframe as dd
    from dask.dataframe.extensions import register_dataframe_accessor
    from dask.delayed import delayed
except ImportError as error:
    raise ImportError(
        "pandas_agreement.dask needs dask. Install it with: pip install 'pandas-agreement[dask]'"
    ) from error

LABELS = ("consensus", "truth")  # methods of df.agree that infer the label of each item
WHOLE = "labels are inferred from all items at once: ddf[columns].compute().agree has it"
PARTIALS_PER_TASK = 8  # partial results that are added in one task


def measure(frame: Any, plan: Plan, together: bool, compute: bool) -> Any:
    """The result of a Dask frame: a lazy frame, or with `compute` a pandas frame.

    With `together` all rows of an item of long data are in one partition already.
    """
    plan = with_coders(plan, list(frame.columns))
    columns_of(frame._meta, plan.columns)  # raises for a missing column
    frame = frame[plan.columns]
    frame = frame if plan.long is None or together else frame.shuffle(on=plan.long[0])
    total = _in_tree([delayed(read_partial)(part, plan) for part in frame.to_delayed()], plan)
    result = delayed(finish)(total, plan)
    return result.compute() if compute else dd.from_delayed([result], meta=_meta(frame, plan), verify_meta=False)


def _in_tree(parts: list[Any], plan: Plan) -> Any:
    """Add partial results, a few in each task."""
    while len(parts) > 1:
        starts = range(0, len(parts), PARTIALS_PER_TASK)
        parts = [delayed(combine)(parts[start : start + PARTIALS_PER_TASK], plan) for start in starts]
    return parts[0]


def _meta(frame: Any, plan: Plan) -> pd.DataFrame:
    """An empty result with the columns and index that Dask needs in advance."""
    empty = {name: np.zeros(0, object if dtype == "str" else dtype) for name, (dtype, _) in schemas.RESULT.items()}
    groups = pd.MultiIndex.from_frame(frame._meta[plan.keys]) if len(plan.keys) > 1 else None
    if len(plan.keys) == 1:
        groups = pd.Index(frame._meta[plan.keys[0]], name=plan.keys[0])
    index = frames.row_index(groups, {}, [] if groups is None else plan.metrics)
    own = dict.fromkeys(plan.own_columns, np.zeros(0))
    return as_asked(frames.result(index, empty).assign(**own), plan)


def _method(name: str) -> Callable[..., Any]:
    """The method of a coefficient."""

    def call(self: DaskAgreement, *coders: Hashable, compute: bool = False, **options: Any) -> Any:
        return self._measure(coders, [name], options, name, compute)

    call.__name__ = name
    call.__doc__ = (
        f"{find(name).title}\n\nThe options are those of `df.agree.{name}` that `pandas_agreement.stream` accepts.\n"
        "`compute=True` returns a pandas DataFrame at once."
    )
    return call


class DaskAgreement:
    """Agreement between coders in a Dask DataFrame: `ddf.agree`.

    All coefficients of labels except Light's kappa, and `summary` for several of them.
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

        Rows are shuffled so that all rows of an item are in one partition. `together=True` skips this step. Use it
        after `ddf.shuffle(on=item)` or if the files are split by item.
        """
        agreement = DaskAgreement(self._frame)
        agreement._long, agreement._together, agreement._duplicates = (item, coder, label), together, duplicates
        return agreement

    def summary(
        self, *coders: Hashable, metrics: str | Sequence[str] | None = None, compute: bool = False, **options: Any
    ) -> Any:
        """Several coefficients from one pass over the data, one row for each."""
        names = metrics_for(metrics, weights_for(options))
        return self._measure(coders, names, options, "summary", compute)

    def _measure(
        self, coders: Sequence[Hashable], metrics: Sequence[str], given: Mapping[str, Any], what: str, compute: bool
    ) -> Any:
        plan = make_plan(coders, metrics, self._long, given, what, self._duplicates, what == "summary")
        return measure(self._frame, plan, self._together, compute)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if ALIASES.get(name) in METHODS:
            return getattr(self, ALIASES[name])
        remedy = WHOLE if name in LABELS else nearest(name, [*METHODS, *OWN])
        raise UnknownMethodError(f"ddf.agree has no method {name!r}", remedy, code="unknown method")

    def __repr__(self) -> str:
        return f"Agreement between coders in a Dask DataFrame. Methods: {', '.join([*METHODS, *OWN])}."


METHODS = having("stream")
OWN = ("summary", "long")
for _name in METHODS:
    setattr(DaskAgreement, _name, _method(_name))

register_dataframe_accessor("agree")(DaskAgreement)  # type: ignore[no-untyped-call]

__all__ = ["DaskAgreement"]


def __dir__() -> list[str]:
    return __all__
