"""`stream`: agreement in data that do not fit in memory, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.progress import bar_of
from pandas_agreement.data.reading import columns_of
from pandas_agreement.errors import InputError, called, check_pandas, public, wrong_value
from pandas_agreement.options import metrics_for, weights_for
from pandas_agreement.streaming.partial import (
    PartialResult,
    Plan,
    combine,
    finish,
    join_rows,
    make_plan,
    read_partial,
    with_coders,
)

VOTES = ("consensus", "majority", "truth")
MAX_REMEMBERED_ITEMS = 1 << 17  # item hashes kept to detect an item that occurs again later


@public
def stream(
    chunks: Iterable[pd.DataFrame],
    *coders: Hashable,
    metrics: str | Sequence[str] | None = None,
    item: Hashable = None,
    coder: Hashable = None,
    label: Hashable = None,
    duplicates: Literal["raise", "first", "last"] = "raise",
    progress: bool = False,
    **options: Any,
) -> pd.DataFrame:
    """Agreement in data that come in chunks, such as those of `pd.read_csv`.

    Pass an iterable such as ``pd.read_csv(path, chunksize=1_000_000)``. The numbers, including intervals, are those of
    the whole frame. Memory is needed for one chunk and for sums by category, coder and group, whatever the number of
    chunks.

    Parameters
    ----------
    chunks : iterable of DataFrame
        Wide data (one row per item, one column per coder), or long data if `item`, `coder` and `label` are given.
    *coders : hashable
        The coders. Default: all coders.
    metrics : str or list of str, optional
        Coefficients of labels other than light_kappa, in the order of the rows. Default: observed, kappa, pi, alpha,
        ac1 and s; with `weights` ac2 takes the place of ac1.
    item, coder, label : column names, optional
        The columns of long data. The rows of an item must be consecutive, possibly across two chunks (the file is
        sorted by item), or all in one chunk (the file is split by a hash of the item). An item that occurs again later
        raises an error. Beyond a hundred thousand items the check uses a sample of them.
    duplicates : {'raise', 'first', 'last'}
        What to do if a coder labelled an item more than once in long data.
    progress : bool
        Show a bar; needs tqdm.
    **options
        The options of the coefficients: `by` (names of columns), `frequency`, `weights` or `level`, `sep`,
        `categories`, `missing` ('pairable', 'all' or 'raise'), `ci`, `method` ('auto', 'score', 'analytic' or 'log'),
        `detail`.

    Returns
    -------
    DataFrame
        The same index and columns as for the same call on the frame: `df.agree.kappa`, or for a list
        `df.agree.summary`.

    Examples
    --------
    >>> df = pd.DataFrame({"ann": list("yynnynynyy"), "bob": list("yynnynnyyn")})
    >>> chunks = (df.iloc[start : start + 4] for start in range(0, len(df), 4))
    >>> pandas_agreement.stream(chunks, "ann", "bob", metrics="kappa")[["estimate", "ci_low", "ci_high"]].round(3)
                 estimate  ci_low  ci_high
    coefficient
    kappa             0.4  -0.403    0.821
    """
    _refuse_votes(metrics)
    names = metrics_for(metrics, weights_for(options))
    long = _long_columns(item, coder, label)
    if long is None and duplicates != "raise":
        raise wrong_value("duplicates", duplicates, "is about long data", "name their columns: item=, coder=, label=")
    plan = make_plan(coders, names, long, options, "stream", duplicates, not isinstance(metrics, str))
    _check_chunks(chunks)
    frames = _frames_of(bar_of(progress)(chunks))
    total: PartialResult | None = None
    for frame in _whole_items(frames, plan) if plan.long else frames:
        plan = with_coders(plan, list(frame.columns))
        _check_columns(frame, plan)
        found = read_partial(frame, plan)
        total = found if total is None else combine([total, found], plan)
    if total is None:
        raise InputError("there are no chunks to read", "an iterator can be used only once", code="no rows")
    return finish(total, plan)


def _refuse_votes(metrics: Any) -> None:
    """Raise for the label of each item, which is no sum over items."""
    for name in [metrics] if isinstance(metrics, str) else metrics if isinstance(metrics, (list, tuple)) else ():
        if isinstance(name, str) and name in VOTES:
            problem = f"{name!r} is one label per item, and stream keeps sums over the items"
            remedy = "read the columns of item, coder and label into one frame, and use df.agree.consensus()"
            raise InputError(problem, remedy, option="metrics", code="unknown coefficient")


def _check_chunks(chunks: Any) -> None:
    """Raise for anything but an iterable."""
    if isinstance(chunks, pd.DataFrame):
        raise InputError("stream takes an iterable of frames", "for a single frame use df.agree")
    if isinstance(chunks, str) or not isinstance(chunks, Iterable):
        raise InputError(
            f"stream takes an iterable of frames, such as pd.read_csv(path, chunksize=1_000_000), and got {chunks!r}"
        )


def _frames_of(chunks: Iterable[Any]) -> Iterator[pd.DataFrame]:
    """The chunks; raises for one that is not a frame."""
    for chunk in chunks:
        check_pandas(chunk)
        if not isinstance(chunk, pd.DataFrame):
            raise InputError(f"every chunk must be a DataFrame, and one is {called(chunk)}")
        yield chunk


def _check_columns(frame: pd.DataFrame, plan: Plan) -> None:
    """Raise for a column that is new in a later chunk, as it might be a coder."""
    if plan.long is not None or plan.named:
        return
    for name in frame.columns:
        if name not in plan.columns:
            problem = f"a chunk has the column {name!r}, which the first chunk does not have"
            raise InputError(problem, "name the coders", column=name, code="unknown column")


def _long_columns(item: Hashable, coder: Hashable, label: Hashable) -> tuple[Hashable, Hashable, Hashable] | None:
    given = {"item": item, "coder": coder, "label": label}
    lacking = [name for name, column in given.items() if column is None]
    if 0 < len(lacking) < 3:
        problem = f"long data need item=, coder= and label=, and {lacking[0]}= is not given"
        raise InputError(problem, option=lacking[0], code="missing option")
    return None if lacking else (item, coder, label)


# -------------------------------------------------------------------------------------------- items in two chunks


def _whole_items(chunks: Iterable[pd.DataFrame], plan: Plan) -> Iterator[pd.DataFrame]:
    """Frames that hold all rows of their items: the last item of a chunk is moved to the next frame."""
    item = plan.columns[0]
    check = _repeat_check(item, plan.keys)
    waiting: pd.DataFrame | None = None
    for chunk in chunks:
        frame = pd.concat(columns_of(chunk, plan.columns), axis=1)
        frame.columns = pd.Index(plan.columns, dtype=object, tupleize_cols=False)  # NaT also finds a column named NaN
        if len(frame) and waiting is not None:
            frame = join_rows([waiting, frame])
        last = _is_last(frame[item])
        waiting, frame = frame[last] if last.any() else waiting, frame[~last]
        check(frame)
        yield frame
    if waiting is not None:
        check(waiting)
        yield waiting


def _is_last(items: pd.Series) -> Array:
    """Which rows belong to the last item; rows without an item do not."""
    named = items.dropna()
    if not len(named):
        return np.zeros(len(items), bool)
    return (items == named.iloc[-1]).to_numpy(bool, na_value=False)


def _comes_back(column: Hashable, item: Any) -> InputError:
    problem = f"item {item!r} comes back after other items"
    remedy = f"sort the data by {column!r}, or split them so that all rows of an item are in one chunk"
    return InputError(problem, remedy, column=column, code="item in two chunks")


def _repeat_check(item: Hashable, keys: Sequence[Hashable]) -> Callable[[pd.DataFrame], None]:
    """A check that no item occurred before in its group, with a sample of them of bounded size.

    Rows without an item do not count.
    """
    seen = np.zeros(0, np.uint64)
    mask = np.uint64(0)  # a row is in the sample if its hash has no bit in common with this
    names = pd.Index(list(dict.fromkeys([item, *keys])), dtype=object, tupleize_cols=False)  # a list of NA would be NaN

    def check(frame: pd.DataFrame) -> None:
        nonlocal seen, mask
        different = frame[names][frame[names[0]].notna()].drop_duplicates()
        different = different.set_axis(range(different.shape[1]), axis=1)  # `astype` finds no name that is NaN
        whole = {place: "Int64" for place in different if _is_whole(different[place])}
        hashed = pd.util.hash_pandas_object(different.astype(whole), index=False).to_numpy()
        repeated = np.isin(hashed, seen)
        if repeated.any():
            raise _comes_back(item, different[0].to_numpy(object)[repeated][0])
        seen = np.concatenate([seen, hashed[hashed & mask == 0]])
        while len(seen) > MAX_REMEMBERED_ITEMS:
            mask = mask << np.uint64(1) | np.uint64(1)
            seen = seen[seen & mask == 0]

    return check


def _is_whole(column: pd.Series) -> bool:
    """Integers, or floats that integers become beside missing values: the same item must have the same hash."""
    if column.dtype.kind != "f":
        return column.dtype.kind == "i"
    numbers = column.dropna().to_numpy(float)
    return bool((np.abs(numbers) < 2**53).all() and (numbers % 1 == 0).all())
