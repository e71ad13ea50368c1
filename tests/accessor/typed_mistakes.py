"""Mistakes that `mypy --strict` reports, each with the code of the error."""

from __future__ import annotations

import pandas as pd

import pandas_agreement
from pandas_agreement import AgreementAccessor
from pandas_agreement.accessor import GroupByAgreement


def options(df: pd.DataFrame) -> None:
    agree = AgreementAccessor(df)
    agree.kappa("ann", "bob", wieghts="linear")  # error: call-arg
    agree.kappa("ann", "bob", level="ordinal")  # error: call-arg
    agree.summary(metric=["kappa"])  # error: call-arg
    agree.plot.forest("ann", "bob", wieghts="linear")  # error: call-arg
    agree.plot.forest("ann", "bob", color="C3")  # error: call-arg
    agree.test.chance(wieghts="linear")  # error: call-arg
    agree.ac2("ann", "bob")  # error: call-arg
    agree.long(item="doc", coder="who", label="tag").kappa(wieghts="linear")  # error: call-arg
    agree.counts().pi(wieghts="linear")  # error: call-arg
    agree.crosstab().kappa(wieghts="linear")  # error: call-arg
    GroupByAgreement(df.groupby("batch")).kappa(wieghts="linear")  # error: call-arg


def methods(df: pd.DataFrame) -> None:
    agree = AgreementAccessor(df)
    agree("ann", "bob")  # error: operator
    agree.kapa("ann", "bob")  # error: attr-defined
    agree.cohen_kappa("ann", "bob")  # error: attr-defined
    agree.plot.forrest("ann", "bob")  # error: attr-defined
    agree.test.mcnemar("ann", "bob")  # error: attr-defined
    agree.long(item="doc", coder="who", label="tag").kapa()  # error: attr-defined
    agree.counts().kapa()  # error: attr-defined
    agree.crosstab().kapa()  # error: attr-defined
    GroupByAgreement(df.groupby("batch")).kapa()  # error: attr-defined
    pandas_agreement.lod_example()  # error: attr-defined


def values(df: pd.DataFrame) -> None:
    agree = AgreementAccessor(df)
    agree.kappa(["ann", "bob"])  # error: arg-type
    agree.kappa("ann", "bob", weights="cubic")  # error: arg-type
    agree.kappa("ann", "bob", ci="0.95")  # error: arg-type
    agree.alpha("ann", "bob", level="ordinary")  # error: arg-type
    agree.compare(["ann", "bob"], ["ann", "cleo"], alternative="more")  # error: arg-type
    agree.long(item="doc", coder="who", label="tag").kappa(missing="drop")  # error: arg-type
    agree.long(item="doc", coder="who", label="tag", duplicates="keep")  # error: arg-type
    agree.counts().pi(method="bootstrap")  # error: arg-type
    agree.crosstab().kappa(weights="cubic")  # error: arg-type


def columns_and_results(df: pd.DataFrame) -> float:
    agree = AgreementAccessor(df)
    agree.long(item="doc", coder="who", tag="tag")  # error: call-arg
    agree.long("doc", "who", "tag")  # error: call-arg
    return agree.kappa("ann", "bob")  # error: return-value
