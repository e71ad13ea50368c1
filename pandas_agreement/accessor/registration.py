"""Register `agree` on DataFrame and on grouped frames, but never over an attribute of another package."""

from __future__ import annotations

from typing import Any

import pandas as pd

from pandas_agreement.accessor import AgreementAccessor, GroupByAgreement

NAME = "agree"


class _GroupByProperty:
    """`df.groupby(...).agree` as a descriptor, as pandas has no registration for grouped frames."""

    def __get__(self, grouped: Any, owner: Any = None) -> Any:
        return GroupByAgreement if grouped is None else GroupByAgreement(grouped)


def _ours(attribute: Any) -> bool:
    accessor = getattr(attribute, "_accessor", type(attribute))
    return getattr(accessor, "__module__", "").partition(".")[0] == __name__.partition(".")[0]


def register_accessors() -> None:
    """Register `df.agree` and `df.groupby(...).agree`; a second import replaces only our own."""
    for owner in (pd.DataFrame, pd.api.typing.DataFrameGroupBy):
        existing = owner.__dict__.get(NAME)
        if existing is not None and not _ours(existing):
            raise ImportError(
                f"{owner.__name__}.{NAME} belongs to {type(existing).__module__}; pandas_agreement cannot replace it. "
                "Use pandas_agreement.AgreementAccessor(df) without importing the other package"
            )
        if existing is not None:
            delattr(owner, NAME)
    pd.api.extensions.register_dataframe_accessor(NAME)(AgreementAccessor)
    setattr(pd.api.typing.DataFrameGroupBy, NAME, _GroupByProperty())
