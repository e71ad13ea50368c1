"""The methods of the coefficients, made from their records, and `summary`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from types import MethodType
from typing import Any

import pandas as pd

from pandas_agreement import breakdown, engine
from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.coefficients.registry import LISTENERS, REGISTRY, Coefficient
from pandas_agreement.options import Options

Method = Callable[..., pd.DataFrame]


@cache
def method_of(record: Coefficient) -> Method:
    """The documented method of a coefficient."""

    def call(self: Base, *coders: Hashable, options: Options) -> pd.DataFrame:
        return measured(self, [record], coders, options)

    call.__name__ = record.name
    call.__qualname__ = f"CoefficientMethods.{record.name}"
    call.__doc__ = docs.coefficient_doc(record)
    call.__annotations__ = {"return": "pd.DataFrame"}  # `help` shows the parameters without their types
    return takes(of=(record.name,))(call)


def measured(view: Base, records: Sequence[Coefficient], coders: Sequence[Hashable], options: Options) -> pd.DataFrame:
    """The result of coefficients, with the columns of their own that `detail=True` adds."""
    read = view._read_for(records, coders, options, values=True)
    result = engine.measure(read, records, options)
    return breakdown.details.with_details(result, read, records, options) if options.detail else result


class MadeOnUse:
    """The method of a coefficient, made when it is first asked for: all docstrings take a quarter of an import."""

    def __init__(self, record: Coefficient) -> None:
        self._record = record

    def __get__(self, view: Base | None, owner: type | None = None) -> Any:
        return method_of(self._record) if view is None else MethodType(method_of(self._record), view)


@docs.completed
class CoefficientMethods(Base):
    """One method per coefficient."""

    __slots__ = ()

    def _look_up(self, name: str) -> Any:
        if name in REGISTRY:  # a hidden one
            return MethodType(method_of(REGISTRY[name]), self)
        return super()._look_up(name)

    @takes(metric="metrics", without=("pool",), one_word=True)
    def summary(self, *coders: Hashable, metrics: str | Sequence[str] | None = None, options: Options) -> pd.DataFrame:
        """Several coefficients at once, one row for each.

        Parameters
        ----------
        {WHO}
        metrics : str or list of str, optional
            The coefficients, in the order of the rows. Default: observed, kappa, pi, alpha, ac1 and s. With `weights`
            or `level` ac2 takes the place of ac1. For counts, coefficients that need the coder of each label are left
            out.
        weights, level : optional
            The scale of the labels, for all coefficients. One of the two sets both: ``level="interval"`` is
            ``weights="quadratic"``, all other names are the same, and your own distances D are the weights 1 - D /
            max(D). If you pass both, each is used as it is. Default: nominal, whatever the dtype. Sets of labels
            (``level="masi"``) have no weights, so only alpha is computed. A coefficient in `metrics` that has no such
            form raises an error.
        **options
            The other options of the coefficients. Each coefficient uses those that it has.

        Returns
        -------
        DataFrame
            One row per coefficient (and group), with the columns of `kappa`.

        Examples
        --------
        >>> df.agree.summary("ann", "bob").filter(["estimate", "ci_low", "ci_high"]).round(2)
                     estimate  ci_low  ci_high
        coefficient
        observed         0.70    0.35     1.00
        kappa            0.35   -0.44     0.80
        pi               0.34   -0.51     0.80
        alpha            0.37   -0.44     0.81
        ac1              0.45   -0.75     0.84
        s                0.40   -0.46     0.82
        """
        return self._measure(self._chosen(metrics, options), coders, options)


def add_method(record: Coefficient) -> None:
    """Give `df.agree` the method of a coefficient; hidden ones are no attributes."""
    if not record.hidden:
        setattr(CoefficientMethods, record.name, MadeOnUse(record))


for _record in REGISTRY.values():
    add_method(_record)
LISTENERS.append(add_method)
