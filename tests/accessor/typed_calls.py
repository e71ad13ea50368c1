"""Calls that are right: `mypy --strict` accepts them, and they run."""

from __future__ import annotations

import numpy as np
import pandas as pd

import pandas_agreement
from pandas_agreement import AgreementAccessor, scales
from pandas_agreement.accessor import GroupByAgreement, LongAgreement


def wide(df: pd.DataFrame) -> list[pd.DataFrame]:
    agree = AgreementAccessor(df)
    return [
        agree.kappa("ann", "bob", weights="squared", by="batch", missing="complete"),
        agree.kappa("ann", "bob", by=["batch"], ci=None),
        agree.kappa("ann", "bob", by=df["batch"], weights=np.eye(3)),
        agree.kappa("ann", "bob", by=pd.Grouper(key="batch"), weights=[[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]),
        agree.kappa("ann", "bob", by=lambda row: row % 2, categories=df["ann"].unique()),
        agree.alpha("ann", "bob", level=lambda a, b: abs(a - b), categories=pd.CategoricalDtype([1, 2, 3])),
        agree.alpha("ann", "bob", clusters="batch", method="percentile", n_resamples=100, rng=np.random.default_rng(0)),
        agree.alpha("ann", "bob", clusters=df["batch"].tolist(), level="interval"),
        agree.kappa("ann", "bob", weights=lambda a, b: 1 / (1 + abs(a - b))),
        agree.alpha("ann", "bob", level=scales.bipolar(low=0, high=9.5)),
        agree.observed("ann", "bob", weights=scales.within(1)),
        agree.ac2("ann", "bob", weights="linear"),
        agree.summary("ann", "bob", metrics=["kappa", "alpha"], sampling="items"),
        agree.by_pair("ann", "bob", metrics="pi", full=True),
        agree.compare(["ann", "bob"], ["ann", "cleo"], alternative="less"),
        agree.compare("ann", "bob", by="batch", metrics=["kappa", "pi"]),
        agree.test.chance("ann", "bob", metrics="kappa", method="permutation", n_resamples=100, detail=True),
        agree.test.margins("ann", "bob", tests="bowker"),
        agree.test.groups("ann", "bob", by="batch", metrics="pi"),
        agree.icc("ann", "bob", form="A1", detail=True),
        agree.disagreements("ann", "bob", n=1),
    ]


def other_formats(df: pd.DataFrame) -> list[pd.DataFrame]:
    long = df.melt(["batch"], ["ann", "bob"], "who", "tag", ignore_index=False).rename_axis("doc").reset_index()
    judgments: LongAgreement = AgreementAccessor(long).long(item="doc", coder="who", label="tag", duplicates="first")
    table = pd.crosstab(df["ann"], df["bob"])
    return [
        judgments.kappa("ann", "bob", by="batch"),
        AgreementAccessor(table).crosstab().kappa(weights="linear"),
        AgreementAccessor(table).counts().pi(ci=0.9),
        GroupByAgreement(df.groupby("batch")).kappa("ann", "bob"),
    ]


def others(df: pd.DataFrame) -> list[str]:
    report = AgreementAccessor(df).report("ann", "bob", pictures=False)
    return [report.to_markdown() or "", pandas_agreement.__version__, pandas_agreement.plan.__name__]
