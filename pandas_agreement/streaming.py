"""`stream`: agreement in data that do not fit in memory, one chunk after the other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pandas_agreement.errors import InputError
from pandas_agreement.pieces import Piece, Plan, combine, finish, make_plan, read_piece, with_coders
from pandas_agreement.reading.common import columns_of
from pandas_agreement.resampling import progress_bar

Array = NDArray[Any]

DEFAULT_METRICS = ("observed", "kappa", "pi", "alpha", "ac1", "s")
REMEMBERED = 1 << 17  # items that are remembered to notice one that comes back


def stream(
    chunks: Iterable[pd.DataFrame],
    *coders: Hashable,
    metrics: str | Sequence[str] | None = None,
    item: Hashable = None,
    coder: Hashable = None,
    label: Hashable = None,
    progress: bool = False,
    **settings: Any,
) -> pd.DataFrame:
    """Agreement in chunks of data, such as those of `pd.read_csv(..., chunksize=1_000_000)`.

    The numbers are those of the whole, intervals included. What is kept in memory is one chunk and sums over the
    categories, coders and groups, however many chunks there are.

    Parameters
    ----------
    chunks : iterable of DataFrame
        Wide (a row an item, a column a coder), or long if `item`, `coder` and `label` are given.
    *coders : hashable
        The coders; none means all.
    metrics : str or list of str, optional
        Coefficients, in the order of the rows: observed, kappa, pi, alpha, ac1, ac2, s, bias. Default: observed,
        kappa, pi, alpha, ac1 and s.
    item, coder, label : column names, optional
        Long data. The rows of an item come one after the other (the file is sorted by item), across the border of two
        chunks if need be, or all in one chunk (it is split by a hash of the item). An item that comes back later is
        an error; beyond a hundred thousand items it is looked for in a sample of them.
    progress : bool
        Show a bar; needs tqdm.
    **settings
        The options of the coefficients: `by` (names of columns), `weights` or `level`, `scale`, `period`, `sep`,
        `categories`, `missing` ('pairable', 'all' or 'raise'), `ci`, `method` ('analytic' or 'log'), `duplicates`.

    Returns
    -------
    DataFrame
        A row a coefficient (and group), with the columns of `df.agree.kappa`.

    Examples
    --------
    >>> df = pd.DataFrame({"ann": list("yynnynynyy"), "bob": list("yynnynnyyn")})
    >>> chunks = (df.iloc[start : start + 4] for start in range(0, len(df), 4))
    >>> pandas_agreement.stream(chunks, "ann", "bob", metrics="kappa")[["estimate", "ci_low", "ci_high"]].round(3)
                 estimate  ci_low  ci_high
    coefficient
    kappa             0.4  -0.277      1.0
    """
    if isinstance(chunks, pd.DataFrame):
        raise InputError("stream takes an iterable of frames; for a single frame use df.agree")
    chosen = DEFAULT_METRICS if metrics is None else (metrics,) if isinstance(metrics, str) else tuple(metrics)
    plan = make_plan(coders, chosen, _long_columns(item, coder, label), settings, "stream")
    chunks = progress_bar()(chunks) if progress else chunks
    found: Piece | None = None
    for frame in _whole_items(chunks, plan) if plan.long else chunks:
        plan = with_coders(plan, list(frame.columns))
        piece = read_piece(frame, plan)
        found = piece if found is None else combine([found, piece], plan)
    if found is None:
        raise InputError("there are no chunks to read; an iterator can be used only once")
    return finish(found, plan)


def _long_columns(item: Hashable, coder: Hashable, label: Hashable) -> tuple[Hashable, Hashable, Hashable] | None:
    given = {"item": item, "coder": coder, "label": label}
    lacking = [name for name, column in given.items() if column is None]
    if 0 < len(lacking) < 3:
        raise InputError(f"long data need item=, coder= and label=, and {lacking[0]}= is not given")
    return None if lacking else (item, coder, label)


# ------------------------------------------------------------------------------------------- items across borders


def _whole_items(chunks: Iterable[pd.DataFrame], plan: Plan) -> Iterator[pd.DataFrame]:
    """Frames that hold all rows of their items: the last item of a chunk waits for the next chunk."""
    item = plan.columns[0]
    check = _comes_back([item, *plan.keys])
    waiting: pd.DataFrame | None = None
    for chunk in chunks:
        columns_of(chunk, plan.columns)
        frame = chunk[plan.columns]
        if waiting is not None and len(waiting):
            frame = pd.concat([waiting, frame], ignore_index=True)
        last = (frame[item] == frame[item].iloc[-1]).to_numpy(bool, na_value=False) if len(frame) else np.zeros(0, bool)
        waiting, frame = frame[last], frame[~last]
        check(frame)
        yield frame
    if waiting is not None:
        check(waiting)
        yield waiting


def _comes_back(keys: list[Hashable]) -> Callable[[pd.DataFrame], None]:
    """A check that no item of a frame was there before, from a sample of items that never grows beyond a size."""
    known = np.zeros(0, np.uint64)
    share = np.uint64(0)  # an item is in the sample if its hash has zeros where this has ones

    def check(frame: pd.DataFrame) -> None:
        nonlocal known, share
        different = frame[keys].drop_duplicates()
        hashed = pd.util.hash_pandas_object(different, index=False).to_numpy()
        back = np.isin(hashed, known)
        if back.any():
            name = different[keys[0]].to_numpy(object)[back][0]
            raise InputError(
                f"item {name!r} comes back after other items; sort the data by {keys[0]!r}, or split them so that all "
                "rows of an item are in one chunk"
            )
        known = np.concatenate([known, hashed[hashed & share == 0]])
        while len(known) > REMEMBERED:
            share = share << np.uint64(1) | np.uint64(1)
            known = known[known & share == 0]

    return check
