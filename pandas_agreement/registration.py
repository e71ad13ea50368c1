"""Register `agree` on DataFrame and on grouped frames, but never over an attribute of another package."""

from __future__ import annotations

from typing import Any

import pandas as pd

NAME = "agree"


class _Accessor:
    """`df.agree` or `df.groupby(...).agree`, whose class is imported on first use."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, frame: Any, owner: Any = None) -> Any:
        from pandas_agreement import accessor

        kind = getattr(accessor, self._name)
        return kind if frame is None else kind(frame)


def _ours(attribute: Any) -> bool:
    accessor = getattr(attribute, "_accessor", type(attribute))
    return getattr(accessor, "__module__", "").partition(".")[0] == __name__.partition(".")[0]


def register_accessors() -> None:
    """Register `df.agree` and `df.groupby(...).agree`; a second import replaces only our own."""
    owners = {"AgreementAccessor": pd.DataFrame, "GroupByAgreement": pd.api.typing.DataFrameGroupBy}
    for name, owner in owners.items():
        existing = owner.__dict__.get(NAME)
        if existing is not None and not _ours(existing):
            raise ImportError(
                f"{owner.__name__}.{NAME} belongs to {type(existing).__module__}; pandas_agreement cannot replace it. "
                "Use pandas_agreement.AgreementAccessor(df) without importing the other package"
            )
        setattr(owner, NAME, _Accessor(name))
