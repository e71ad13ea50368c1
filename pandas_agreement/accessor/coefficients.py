"""The methods of the coefficients, made from their records, and `summary`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import pandas as pd

from pandas_agreement import options
from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base
from pandas_agreement.coefficients.registry import LISTENERS, REGISTRY, Coefficient, find

Method = Callable[..., pd.DataFrame]


def method(name: str) -> Method:
    """The documented method of a coefficient."""
    record = REGISTRY[name]

    def call(self: Base, *coders: Hashable, **settings: Any) -> pd.DataFrame:
        return self._measure([find(name)], coders, settings, name)

    call.__name__ = name
    call.__qualname__ = f"CoefficientMethods.{name}"
    call.__doc__ = docs.coefficient_doc(record)
    call.__signature__ = docs.signature(record)  # type: ignore[attr-defined]
    return call


@docs.completed
class CoefficientMethods(Base):
    """A method for each coefficient."""

    __slots__ = ()

    observed = method("observed")
    kappa = method("kappa")
    pi = method("pi")
    alpha = method("alpha")
    ac1 = method("ac1")
    ac2 = method("ac2")
    s = method("s")
    light_kappa = method("light_kappa")
    bias = method("bias")
    icc_1 = method("icc_1")
    icc_1k = method("icc_1k")
    icc_c1 = method("icc_c1")
    icc_ck = method("icc_ck")
    icc_a1 = method("icc_a1")
    icc_ak = method("icc_ak")
    ccc = method("ccc")
    pearson = method("pearson")
    spearman = method("spearman")
    kendall_w = method("kendall_w")
    cronbach_alpha = method("cronbach_alpha")

    def summary(self, *coders: Hashable, metrics: Sequence[str] | None = None, **settings: Any) -> pd.DataFrame:
        """Several coefficients from one reading of the data.

        Parameters
        ----------
        *coders : hashable
            The coders; none means all.
        metrics : list of str, optional
            Coefficients, in the order of the rows. Default: observed, kappa, pi, alpha, ac1 and s; with `weights` ac2
            in place of ac1; without those that need to know who said what where nobody does.
        **settings
            The options of the coefficients; each takes those that mean something to it.

        Returns
        -------
        DataFrame
            A row a coefficient (and group), with the columns of `kappa`.

        Examples
        --------
        >>> df.agree.summary("ann", "bob").filter(["estimate", "ci_low", "ci_high"]).round(2)
                     estimate  ci_low  ci_high
        coefficient
        observed         0.70    0.35      1.0
        kappa            0.35   -0.37      1.0
        pi               0.34   -0.40      1.0
        alpha            0.37   -0.33      1.0
        ac1              0.45   -0.25      1.0
        s                0.40   -0.29      1.0
        """
        records = [find(name) for name in self._metrics(metrics, settings)]
        return self._measure(records, coders, settings, "summary")

    def _metrics(self, metrics: Sequence[str] | None, settings: dict[str, Any]) -> list[str]:
        return list(dict.fromkeys(find(name).name for name in options.metrics_for(metrics, settings)))


def _listen(record: Coefficient) -> None:
    setattr(CoefficientMethods, record.name, method(record.name))


LISTENERS.append(_listen)
