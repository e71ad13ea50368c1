"""`stream_consensus`: the majority label of each item in data that do not fit in memory, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pandas as pd

from pandas_agreement.core.progress import bar_of
from pandas_agreement.errors import InputError, public, warn_once
from pandas_agreement.streaming.chunks import check_chunks, check_columns, frames_of, no_chunks, repeat_check
from pandas_agreement.streaming.partial import Plan, remarks_on, with_coders
from pandas_agreement.truth import views
from pandas_agreement.truth.partial_votes import (
    PartialVotes,
    check_votes,
    combine_votes,
    in_row_order,
    plan_votes,
    read_votes,
    repeated_judgment,
    vote_on,
)
from pandas_agreement.truth.settings import Settings


@public
def stream_consensus(
    chunks: Iterable[pd.DataFrame],
    *coders: Hashable,
    item: Hashable = None,
    coder: Hashable = None,
    label: Hashable = None,
    progress: bool = False,
    **options: Any,
) -> pd.DataFrame:
    """The majority label of each item in chunks of data, such as those of `pd.read_csv(..., chunksize=1_000_000)`.

    The result equals that of `consensus` on the whole frame. Memory holds one chunk, and the counts of labels by item:
    one entry per item and label that it has. Votes with weights keep one entry per item and coder.

    Parameters
    ----------
    chunks : iterable of DataFrame
        Wide (one row per item, one column per coder), or long if `item` and `label` are given.
    *coders : hashable
        The coders; none means all.
    item, coder, label : column names, optional
        Long data. The rows of an item may be in any chunks. Without `coder` the raters are anonymous.
    progress : bool
        Show a bar; needs tqdm.
    **options
        The options of a vote, as for `consensus`: `ties`, `weights`, `by` (names of columns), `categories`, `rng`,
        and for long data `duplicates` ('raise' or 'all').

    Returns
    -------
    DataFrame
        One row per item, with the index of the chunks; for long data the name of the item (after the group keys).
        Columns are those of `df.agree.consensus`.

    Notes
    -----
    A coder who labelled an item in two chunks is an error; beyond a hundred thousand judgments the check uses a sample
    of them, unless votes have weights. Models such as Dawid and Skene's need all items at once.

    Examples
    --------
    >>> df = pd.DataFrame({"doc": [1, 2, 3, 1, 2, 3, 1], "who": list("aaabbbc"), "tag": list("yynynnn")})
    >>> chunks = (df.iloc[start : start + 3] for start in range(0, len(df), 3))
    >>> votes = pandas_agreement.stream_consensus(chunks, item="doc", coder="who", label="tag")
    >>> votes[["label", "probability", "n_labels", "tie"]].round(2)
        label  probability  n_labels    tie
    doc
    1       y         0.67         3  False
    2     NaN         0.50         2   True
    3       n         1.00         2  False
    """
    plan, settings = plan_votes(coders, _columns(item, coder, label), options, "stream_consensus", ("raise", "all"))
    check_chunks(chunks, "stream_consensus")
    total: PartialVotes | None = None
    waiting: list[PartialVotes] = []  # added together once they are as large as the sum, so that few are added often
    check = _check_of(plan, settings)
    for frame in frames_of(bar_of(progress)(chunks)):
        plan = with_coders(plan, list(frame.columns))
        check_columns(frame, plan)
        waiting.append(read_votes(frame, plan, settings))
        check(frame)
        if total is None or sum(len(part.item) for part in waiting) >= len(total.item):
            total, waiting = combine_votes(([] if total is None else [total]) + waiting, plan), []
    if total is None:
        raise no_chunks()
    total = combine_votes([total, *waiting], plan)
    warn_once(remarks_on(total, plan.options))
    check_votes(total, plan, settings)
    total = total if plan.long is None else in_row_order(total)
    return views.items(vote_on(total, plan, settings), pd.DataFrame(index=total.names))


def _columns(item: Hashable, coder: Hashable, label: Hashable) -> tuple[Hashable, Hashable, Hashable] | None:
    if item is None and coder is None and label is None:
        return None
    for name, column in {"item": item, "label": label}.items():
        if column is None:
            problem = f"long data need item= and label=, and {name}= is not given"
            raise InputError(problem, option=name, code="missing option")
    return item, coder, label


def _check_of(plan: Plan, settings: Settings) -> Callable[[pd.DataFrame], None]:
    """A check of long chunks that no coder labelled an item before; a chunk alone is checked when it is read."""
    if plan.long is None or plan.long[1] is None or settings.duplicates == "all" or settings.weights is not None:
        return lambda frame: None
    item, coder, label = plan.long
    seen = repeat_check([item, coder, *plan.keys], repeated_judgment)

    def check(frame: pd.DataFrame) -> None:
        counted = frame[[label, *plan.keys]].notna().all(axis=1)
        seen(frame[counted & frame[coder].isin(plan.coders) if plan.named else counted])

    return check
