"""The names that `df.agree` shows, the hidden ones that work, and what it says of names that live elsewhere."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from pandas_agreement.accessor import AgreementAccessor, AgreementTests, Methods
from pandas_agreement.accessor.names import GROUPS, INSTEAD, METHOD_ALIASES, WIDTH
from pandas_agreement.coefficients.registry import ALIASES, REGISTRY
from pandas_agreement.errors import UnknownMethodError
from tests.data_sets import LONG, scores, to_counts, to_long
from tests.helpers import defaults, same

DF = scores(40, 3)
FORMATS: dict[str, Any] = {
    "wide": DF.agree,
    "grouped": DF.assign(batch=["x", "y"] * 20).groupby("batch").agree,
    "long": to_long(DF).agree.long(**LONG),
    "several labels": to_long(DF).assign(more=1).agree.long(item="doc", coder="who", label=["tag", "more"]),
    "counts": to_counts(DF, [1, 2, 3, 4]).agree.counts(),
    "crosstab": pd.crosstab(DF["ann"], DF["bob"]).agree.crosstab(),
    "cells": pd.DataFrame({"s": DF.to_numpy().tolist()}).agree.cells("s"),
}
SHOWN = [name for group in GROUPS for name in group.names]

# ------------------------------------------------------------------------------------------------------- what is shown


def test_the_names_are_those_of_the_six_groups() -> None:
    public = {name for name in vars(AgreementAccessor) if not name.startswith("_")}
    public |= {name for name in dir(Methods) if not name.startswith("_")}
    public |= {name for name in dir(AgreementAccessor) if not name.startswith("_")}
    assert public - {"replicates"} == set(SHOWN)
    assert len(SHOWN) == len(set(SHOWN)) <= 45
    assert dir(DF.agree) == sorted(SHOWN)
    assert [group.title for group in GROUPS] == [
        "coefficients",
        "of numbers",
        "where and who",
        "decide",
        "test. and plot.",
        "input",
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_shows_the_names_it_has(name: str) -> None:
    view = FORMATS[name]
    assert set(dir(view)) == {each for each in SHOWN if hasattr(type(view), each)}
    assert len(dir(view)) >= 30
    text = repr(view)
    assert text.replace("\n", " ").startswith((type(view).__doc__ or "").splitlines()[0])
    shown = {word for line in text.splitlines() if line.startswith("    ") for word in line.split()}
    spaces = {each for each in shown if each.startswith(("test.", "plot.", "."))}
    assert shown - spaces == set(dir(view)) - {"test", "plot"}
    assert {"test.chance", ".margins", ".groups"} <= spaces
    assert all(len(line) <= WIDTH for line in text.splitlines())


def test_the_notebook_has_the_same_names() -> None:
    text, html = repr(DF.agree), DF.agree._repr_html_()
    names = [word for line in text.splitlines() if line.startswith("    ") for word in line.split()]
    assert re.findall("<code>(.*?)</code>", html) == names
    for group in GROUPS:
        assert f"{group.title}: {group.answers}\n" in text
        assert f">{group.title}</th>" in html
        assert f">{group.answers}</td>" in html


def test_the_namespace_of_tests_shows_its_three() -> None:
    assert dir(DF.agree.test) == ["chance", "groups", "margins"]
    assert repr(DF.agree.test) == (
        "Tests of agreement: df.agree.test.chance, df.agree.test.margins, df.agree.test.groups"
    )
    assert {name for name in vars(AgreementTests) if not name.startswith("_")} == {"chance", "margins", "groups"}


# --------------------------------------------------------------------------------------------------------- hidden names

HIDDEN = [*ALIASES, *METHOD_ALIASES, *(record.name for record in REGISTRY.values() if record.hidden)]


@pytest.mark.parametrize("name", HIDDEN)
def test_a_hidden_name_works_and_is_shown_nowhere(name: str) -> None:
    for view in FORMATS.values():
        assert callable(getattr(view, name))
        assert name not in dir(view)
        assert name not in dir(type(view))
    meant = ALIASES.get(name, METHOD_ALIASES.get(name, name))
    options = {"weights": "linear"} if name == "weighted_kappa" else defaults(meant) if meant in REGISTRY else {}
    if meant != name:
        same(getattr(DF.agree, name)(**options), getattr(DF.agree, meant)(**options))


def test_names_that_people_know_are_among_the_hidden_ones() -> None:
    known = (
        "cohen_kappa fleiss_kappa krippendorff_alpha gwet_ac1 weighted_kappa percent_agreement holsti pabak fleiss ICC"
    )
    former = "ICC coders pairwise items limits icc_1 icc_c1 icc_a1 icc_1k icc_ck icc_ak"
    assert {*known.split(), *former.split()} <= set(HIDDEN)
    assert DF.agree.holsti("ann", "bob").index.tolist() == ["observed"]
    for name in ("icc_1", "icc_ck"):
        assert_frame_equal(DF.agree.summary(metrics=[name]), getattr(DF.agree, name)())


# ------------------------------------------------------------------------------------------------ names of other places

GONE = {
    "chance_test": "it is df.agree.test.chance(method='permutation')",
    "p_values": "it is df.agree.test.chance()",
    "homogeneity": "it is df.agree.test.margins",
    "heterogeneity": "it is df.agree.test.groups(by='batch')",
    "contrasts": "it is df.agree.compare('ann', 'bob', by='batch')",
    "concordance": "precision and accuracy are columns of df.agree.ccc('ann', 'bob', detail=True)",
    "indices": "they are columns of df.agree.kappa('ann', 'bob', detail=True) and df.agree.by_pair(detail=True)",
    "components": "the variance components are columns of df.agree.icc(detail=True)",
    "without": "df.agree.by_coder() has alpha without each coder, and any coefficient without a coder is that of "
    "the others, as in df.agree.kappa('ann', 'bob')",
}
ELSEWHERE = (
    "accuracy f1 precision recall majority_vote majority dawid_skene mace bootstrap gold mcnemar stuart_maxwell "
    "bhapkar bowker cochran_q permutation heatmap describe gamma alpha_u u_alpha unitizing interpret "
    "membership replicates plot_result"
)


def said(view: Any, name: str) -> str:
    with pytest.raises(UnknownMethodError) as caught:
        getattr(view, name)
    assert caught.value.code == "unknown method"
    return str(caught.value)


@pytest.mark.parametrize("name", GONE)
def test_a_former_name_says_what_it_is_called_now(name: str) -> None:
    assert said(DF.agree, name) == f"df.agree has no method {name!r}: {GONE[name]}."


def test_every_name_that_lives_elsewhere_says_where() -> None:
    assert {*GONE, *ELSEWHERE.split()} <= set(INSTEAD)
    for name, text in INSTEAD.items():
        for view in FORMATS.values():
            if not hasattr(type(view), name):
                assert said(view, name) == f"df.agree has no method {name!r}: {text}."
    assert not set(INSTEAD) & {*SHOWN, *HIDDEN}
    assert not [text for text in INSTEAD.values() if text.endswith(".") or text[0] != text[0].lower()]


CALL = re.compile(r"df\.agree\.[\w.]+\((?:[^()]|\([^()]*\))*\)(?:\.\w+\(\))?")


@pytest.mark.parametrize("name", [name for name, text in INSTEAD.items() if CALL.search(text)])
def test_the_calls_that_a_message_names_are_right(name: str) -> None:
    rng = np.random.default_rng(1)
    columns = {who: rng.choice(["y", "n"], 60) for who in ("ann", "bob", "cleo", "gpt", "known")}
    df = pd.DataFrame(columns).assign(batch=["v", "w"] * 30)
    if "icc" in INSTEAD[name] or "ccc" in INSTEAD[name] or "kendall" in INSTEAD[name]:
        df = df.drop(columns="batch").eq("y").astype(float)
    elif "batch" not in INSTEAD[name] or "judges" in INSTEAD[name]:
        df = df.drop(columns="batch")
    if "spans(" in INSTEAD[name]:
        df = df.assign(doc=range(60), who=["ann", "bob"] * 30, start=0, end=range(1, 61), tag="y")
        df["doc"] //= 2
    if ".plot." in INSTEAD[name]:
        pytest.importorskip("matplotlib")
    for call in CALL.findall(INSTEAD[name]):
        assert eval(call, {"df": df}) is not None, call


@pytest.mark.parametrize("name", ["mcnemar", "permutation", "cochran_q", "homogeneity"])
def test_tests_say_where_a_test_is(name: str) -> None:
    assert said(DF.agree.test, name) == f"df.agree.test has no test {name!r}: {INSTEAD[name]}."
    assert said(DF.agree.test, "chances") == "df.agree.test has no test 'chances'. Did you mean 'chance'?"


@pytest.mark.parametrize(
    ("name", "meant"),
    [("kapa", "kappa"), ("krippendorf", "krippendorff"), ("by_coders", "by_coder"), ("sumary", "summary")],
)
def test_a_likely_name_is_suggested(name: str, meant: str) -> None:
    assert said(DF.agree, name) == f"df.agree has no method {name!r}. Did you mean {meant!r}?"


@pytest.mark.parametrize("name", ["to_csv", "agreement_of_nobody", "shape", "mean"])
def test_an_unlikely_name_is_not_suggested(name: str) -> None:
    assert said(DF.agree, name) == f"df.agree has no method {name!r}."
