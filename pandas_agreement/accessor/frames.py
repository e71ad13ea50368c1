"""`pandas_agreement.agree`: the accessor of a frame of another package, which becomes one of pandas at the door."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd

from pandas_agreement.accessor.formats import AgreementAccessor
from pandas_agreement.errors import InputError, called

MADE_BY = ("to_pandas", "df")  # of polars and pyarrow, and of DuckDB
SHAPES = "give a frame of pandas, polars, pyarrow or DuckDB, a list of records, or a dict with a list for each column"


def agree(frame: Any) -> AgreementAccessor:
    """`df.agree` for a frame of polars, pyarrow or DuckDB, for records, or for lists by column.

    Parameters
    ----------
    frame : DataFrame, Table, relation, list of dict, or dict of list
        Anything with a method `to_pandas` or `df`; a lazy frame is collected first. An ordered type, such as an Enum of
        polars, stays ordered.

    Returns
    -------
    AgreementAccessor
        What `df.agree` is for the same frame in pandas.

    Examples
    --------
    >>> import pandas_agreement
    >>> labels = {"ann": ["yes", "no", "no", "yes"], "bob": ["yes", "no", "yes", "yes"]}
    >>> pandas_agreement.agree(labels).kappa("ann", "bob")["estimate"].tolist()
    [0.5]
    """
    return AgreementAccessor(_of_pandas(frame))


def _of_pandas(frame: Any) -> pd.DataFrame:
    """The same frame in pandas."""
    if _has(frame, "collect") and not _has(frame, "to_pandas"):
        frame = frame.collect()
    if isinstance(frame, dict) or (isinstance(frame, list) and all(isinstance(row, dict) for row in frame)):
        convert: Callable[[], Any] = partial(pd.DataFrame, frame)
    else:
        convert = next((getattr(frame, name) for name in MADE_BY if _has(frame, name)), lambda: frame)
    try:
        found = convert()
    except ImportError as error:
        raise InputError(
            f"the frame cannot be converted: {error}", "pip install pyarrow", code="needs pyarrow"
        ) from None
    except (ValueError, TypeError) as error:
        raise InputError(f"this is not a table: {error}", SHAPES, code="no frame") from None
    if not isinstance(found, pd.DataFrame):
        raise InputError(f"agree takes a frame, not {called(frame)}", SHAPES, code="no frame")
    return found


def _has(frame: Any, method: str) -> bool:
    return not isinstance(frame, type) and callable(getattr(frame, method, None))
