"""Each mistake a user can make, and the whole message it gets."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import AgreementError, AgreementWarning, ColumnError, InputError, LabelTypeError, scales
from pandas_agreement.errors import UnknownMethodError
from tests import data_sets

DF = pd.DataFrame(
    {"ann": list("yynn"), "bob": list("ynnn"), "batch": [1, 1, 2, 2], "n": [1, 2, 3, 4], "m": [1, 2, 3, 3.0]}
)
LONG = pd.DataFrame({"doc": [1, 1, 2, 2, 1], "who": list("ababa"), "tag": list("xyxxy")})
TABLE = pd.crosstab(DF["ann"], DF["bob"])
WEIGHTS = "'nominal', 'linear', 'quadratic', 'ordinal', 'radical', 'ratio', 'circular', 'bipolar'"
NO_CODERS = (
    "needs the coder of each label, which these data do not hold; use pi, alpha, ac1, s or icc_1, or give the data as "
    "df.agree.long(item=..., coder=..., label=...)"
)
ONE_SET = (
    "compare got one set of coders, and nothing to compare it with; name groups, as in compare('ann', 'bob', "
    "by='batch'), another set, as in compare(['ann', 'bob'], ['ann', 'llm']), or several coefficients, as in "
    "compare('ann', 'bob', metrics=['kappa', 'alpha'])"
)


def long(frame: pd.DataFrame = LONG, **options: Any) -> Any:
    return frame.agree.long(**data_sets.LONG, **options)


def kappa(*coders: Any, **options: Any) -> pd.DataFrame:
    return DF.agree.kappa(*(coders or ("ann", "bob")), **options)


CASES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    # names
    "method": (lambda: DF.agree.kapa, UnknownMethodError, "df.agree has no method 'kapa'; did you mean 'kappa'?"),
    "no such method": (lambda: DF.agree.xyz, UnknownMethodError, "df.agree has no method 'xyz'"),
    "function": (
        lambda: DF.agree.interpret,
        UnknownMethodError,
        "df.agree has no method 'interpret': it is a function on results, "
        "pandas_agreement.interpret(df.agree.kappa('ann', 'bob'))",
    ),
    "column": (lambda: kappa("ann", "bop"), ColumnError, "no column 'bop'; did you mean 'bob'?"),
    "far column": (
        lambda: kappa("ann", "zzz"),
        ColumnError,
        "no column 'zzz'; there are: 'ann', 'bob', 'batch', 'n', 'm'",
    ),
    "one coder": (
        lambda: kappa("ann"),
        InputError,
        "agreement needs at least two coders, and got only 'ann'; name the columns, as in df.agree.kappa('ann', 'bob')"
        ", or use df.agree.long(item=..., coder=..., label=...) for one row per judgment",
    ),
    "a list of coders and a name": (
        lambda: kappa(["ann"], "bob"),
        InputError,
        "coders are given one by one, not as a list: write *['ann']",
    ),
    "two lists of coders": (
        lambda: kappa(["ann", "bob"], ["ann", "cleo"]),
        InputError,
        "one set of coders is expected, and got 2 lists; to compare sets of coders write "
        "df.agree.compare(['ann', 'bob'], ['ann', 'cleo'])",
    ),
    "a scale that is not called": (
        lambda: DF.agree.kappa("n", "m", weights=scales.circular),
        InputError,
        "weights= is the function scales.circular itself; call it, as in weights=scales.circular(...)",
    ),
    "an empty list of coders": (
        lambda: DF.agree.by_pair([]),
        InputError,
        "the list of coders is empty; name them, or leave it out for all coders",
    ),
    "coder twice": (
        lambda: kappa("ann", "ann"),
        InputError,
        "coder 'ann' is named twice; a coder always agrees with themselves",
    ),
    "column twice": (
        lambda: pd.DataFrame([[1, 2, 3]], columns=["a", "a", "b"]).agree.kappa("a", "b"),
        InputError,
        "column 'a' is not unique; rename one of the 2 columns of that name",
    ),
    "key": (lambda: kappa(by="bach"), ColumnError, "no column 'bach'; did you mean 'batch'?"),
    "reserved key": (
        lambda: DF.rename(columns={"batch": "coefficient"}).agree.kappa("ann", "bob", by="coefficient"),
        InputError,
        "a group key cannot be called 'coefficient', as results have that name; rename it: "
        "df.rename(columns={'coefficient': 'coefficient_key'})",
    ),
    "grouped twice": (
        lambda: DF.groupby("batch").agree.kappa("ann", "bob", by="n"),
        InputError,
        "the frame is grouped already; leave out by=",
    ),
    "metric": (
        lambda: DF.agree.summary(metrics=["kapa"]),
        UnknownMethodError,
        "no coefficient 'kapa'; did you mean 'kappa'?",
    ),
    "no metric": (
        lambda: DF.agree.summary("ann", "bob", metrics=[]),
        InputError,
        "metrics= is empty; name at least one coefficient, such as metrics=['kappa', 'alpha']",
    ),
    "category metric": (
        lambda: DF.agree.by_category("ann", "bob", metrics=["rat"]),
        InputError,
        "metrics='rat' is not known; use one of 'rate', 'specific', 'conditional_kappa', 'observed', 'kappa', 'pi', "
        "'ac1', 's', 'perreault_leigh', 'alpha', 'light_kappa', 'bias'; did you mean 'rate'?",
    ),
    "nobody in a confusion": (
        lambda: DF[["n", "m", "batch"]].agree.confusion(),
        InputError,
        "confusion compares two coders, or one with all others, and got 3; name them, as in confusion('ann', 'bob') "
        "or confusion('ann')",
    ),
    # options
    "option": (
        lambda: kappa(foo=1),
        InputError,
        "kappa has no option 'foo'; there are: 'by', 'overall', 'categories', 'missing', 'ci', 'method', 'clusters', "
        "'frequency', 'n_resamples', 'rng', 'progress', 'detail', ...",
    ),
    "metrics and metric": (
        lambda: DF.agree.by_pair("ann", "bob", metrics="kappa", metric="pi"),
        InputError,
        "by_pair got metric= and metrics=, which are the same option; write metrics= alone",
    ),
    "level of kappa": (
        lambda: kappa(level="ordinal"),
        InputError,
        "kappa has no option 'level'; it is called 'weights' there",
    ),
    "weights of alpha": (
        lambda: DF.agree.alpha("ann", "bob", weights="linear"),
        InputError,
        "alpha has no option 'weights'; it is called 'level' there",
    ),
    "weights of ac1": (
        lambda: DF.agree.ac1("ann", "bob", weights="linear"),
        InputError,
        "ac1 has no option 'weights'; the weighted form is 'ac2'",
    ),
    "ac2 without weights": (
        lambda: DF.agree.ac2("ann", "bob"),
        InputError,
        "ac2 needs weights=, for instance weights='linear' or weights='quadratic'",
    ),
    "percent": (
        lambda: kappa(ci=95),
        InputError,
        "ci=95 must be a level between 0 and 1, such as 0.95, or None; did you mean ci=0.95?",
    ),
    "method of interval": (
        lambda: kappa(method="jacknife"),
        InputError,
        "method='jacknife' is not known; use one of 'auto', 'score', 'analytic', 'log', 'jackknife', 'percentile', "
        "'bca'; did you mean 'jackknife'?",
    ),
    "log of bias": (
        lambda: DF.agree.bias("ann", "bob", method="log"),
        InputError,
        "method='log' is not known; use one of 'auto', 'analytic', 'jackknife', 'percentile', 'bca'",
    ),
    "missing": (
        lambda: kappa(missing="drop"),
        InputError,
        "missing='drop' is not known; use one of 'pairable', 'all', 'complete', 'raise'",
    ),
    "gap": (
        lambda: DF.assign(bob=[None, "n", "n", "n"]).agree.kappa("ann", "bob", missing="raise"),
        InputError,
        "missing='raise': 1 of 4 items lacks a label ('bob': 1); fill them in, or choose missing='pairable', 'all' or "
        "'complete'",
    ),
    "pool": (lambda: kappa(pool="x"), InputError, "pool='x' is not known; use one of 'coders', 'pairs'"),
    "pairs of single labels": (
        lambda: DF.agree.by_pair("ann", "bob", missing="all"),
        InputError,
        "by_pair compares the items that both coders of a pair labelled; use missing='pairable'",
    ),
    "cluster": (lambda: kappa(clusters="batc"), ColumnError, "no column 'batc'; did you mean 'batch'?"),
    "gap in clusters": (
        lambda: kappa(clusters=[1, None, 2, 2]),
        InputError,
        "clusters= has 1 missing values; every item needs a cluster",
    ),
    "lists as clusters": (
        lambda: kappa(clusters=pd.Series([["a"], ["a", "b"], ["a"], []])),
        InputError,
        "clusters= has cells that hold several values, such as a list; name a column with one value per row",
    ),
    "clustered jackknife": (
        lambda: kappa(clusters="batch", method="jackknife"),
        InputError,
        "method='jackknife' leaves out one item at a time; with clusters= use method='analytic'",
    ),
    # weights
    "weights": (
        lambda: kappa(weights="quadratik"),
        InputError,
        f"weights='quadratik' is not known; use one of {WEIGHTS}; did you mean 'quadratic'?",
    ),
    "weights of text": (
        lambda: kappa(weights="linear"),
        LabelTypeError,
        "weights='linear' needs labels that are numbers or have an order, and 'n' is text; give the 2 labels in "
        "their order with categories=[lowest, ..., highest], or use an ordered Categorical",
    ),
    "scale": (
        lambda: kappa("n", "m", weights="ratio", scale="position"),
        InputError,
        "kappa has no option 'scale'; write weights=scales.positions(\"ratio\") (from pandas_agreement import scales)",
    ),
    "scale of values": (
        lambda: kappa("n", "m", weights="linear", scale="value"),
        InputError,
        "kappa has no option 'scale'; numbers are compared by value; for an ordered Categorical of numbers list them "
        "as categories=[...]",
    ),
    "period": (
        lambda: kappa("n", "m", weights="circular", period=360),
        InputError,
        "kappa has no option 'period'; write weights=scales.circular(period=360) (from pandas_agreement import scales)",
    ),
    "ends": (
        lambda: DF.agree.summary("n", "m", level="bipolar", high=9, low=1),
        InputError,
        "summary has no option 'high'; write level=scales.bipolar(low=1, high=9) (from pandas_agreement import scales)",
    ),
    "tolerance": (
        lambda: DF.agree.observed("n", "m", tolerance=1),
        InputError,
        "observed has no option 'tolerance'; write weights=scales.within(tolerance=1) (from pandas_agreement import "
        "scales)",
    ),
    "argument of a scale without a scale": (
        lambda: DF.agree.ac1(low=1),
        InputError,
        "ac1 has no option 'low'; there are: 'by', 'overall', 'categories', 'missing', 'ci', 'method', 'clusters', "
        "'frequency', 'n_resamples', 'rng', 'progress', 'detail', ...",
    ),
    "categories of each group": (
        lambda: DF.agree.s("ann", "bob", by="batch", categories={"x": ["y", "n"]}),
        InputError,
        "categories={'x': ['y', 'n']} cannot be a dict: all groups share their categories; list the categories of all "
        "groups, or write categories='group' to count those seen in each group",
    ),
    "circle": (
        lambda: DF.replace({"m": {3: 7}}).agree.alpha("n", "m", level="circular"),
        InputError,
        "'circular' cannot tell the length of the circle from labels that are not equally spaced; give its "
        "length: scales.circular(period=360) for degrees, scales.circular(period=12) for months",
    ),
    "negative ratio": (
        lambda: DF.assign(n=-DF["n"]).agree.alpha("n", "m", level="ratio"),
        InputError,
        "ratio needs labels that are not negative, and -4 is: with a zero in the middle of the scale -1 and 1 would "
        "count as agreement; use 'quadratic' or 'interval' instead",
    ),
    "infinite": (
        lambda: DF.assign(n=[1, 2, 3, np.inf]).agree.alpha("n", "m", level="interval"),
        InputError,
        "level='interval' needs finite numbers, and a label is infinite",
    ),
    "size of matrix": (
        lambda: kappa("n", "m", weights=np.eye(3)),
        InputError,
        "weights= must be numbers in a 4 x 4 matrix, a row and a column for each of the 4 categories in their order; "
        "got 3 x 3 of float64",
    ),
    "NaN in matrix": (
        lambda: kappa("n", "m", weights=np.full((4, 4), np.nan)),
        InputError,
        "weights= has a value that is not a finite number",
    ),
    "diagonal": (
        lambda: kappa("n", "m", weights=np.zeros((4, 4))),
        InputError,
        "weights= must be 1 on the diagonal: they are agreement weights, 1 is full agreement",
    ),
    "range of matrix": (
        lambda: kappa("n", "m", weights=3 - 2 * np.eye(4)),
        InputError,
        "weights= must lie between 0 (full disagreement) and 1 (full agreement)",
    ),
    "matrix without a label": (
        lambda: kappa("n", "m", weights=pd.DataFrame(np.eye(2), [1, 2], [1, 2])),
        InputError,
        "weights= has no row or column for the category 3",
    ),
    "diagonal of distances": (
        lambda: DF.agree.alpha("n", "m", level=np.ones((4, 4))),
        InputError,
        "level= must be 0 on the diagonal: it holds distances, 0 is no disagreement",
    ),
    "negative distance": (
        lambda: DF.agree.alpha("n", "m", level=np.eye(4) - 1),
        InputError,
        "level= holds distances, which cannot be negative",
    ),
    "sets": (
        lambda: pd.crosstab(DF["n"], DF["m"]).agree.crosstab().alpha(level="masi"),
        InputError,
        "cells with several labels are for wide and long data, not for a crosstab",
    ),
    "separator": (
        lambda: DF.agree.alpha("ann", "bob", sep="|"),
        InputError,
        "sep= splits cells into sets, which only level='jaccard' and level='masi' compare",
    ),
    "numbers": (
        lambda: DF.agree.icc_a1("ann", "bob"),
        LabelTypeError,
        "icc_a1 needs numbers, and 'n' (of 'ann') is not one; map the labels to numbers, for instance with "
        "df['ann'].map({'low': 1, 'high': 2}), or an ordered Categorical with df['ann'].cat.codes",
    ),
    "share": (
        lambda: DF.agree.bland_altman("n", "m", share=95),
        InputError,
        "share=95 must lie between 0 and 1: the part of the differences within the limits",
    ),
    # resampling and comparing
    "resamples": (
        lambda: kappa(method="percentile", n_resamples=10),
        InputError,
        "n_resamples=10 must be a whole number of 100 or more; 5000 is customary",
    ),
    "seed": (
        lambda: kappa(method="percentile", rng="x"),
        InputError,
        "rng='x' must be a whole number of 0 or more, a numpy Generator, or None",
    ),
    "kalpha of kappa": (
        lambda: kappa(method="kalpha"),
        InputError,
        "method='kalpha' is not known; use one of 'auto', 'score', 'analytic', 'log', 'jackknife', 'percentile', 'bca'",
    ),
    "kalpha of clusters": (
        lambda: DF.agree.alpha("ann", "bob", method="kalpha", clusters="batch"),
        InputError,
        "method='kalpha' draws pairs of labels and ignores clusters; use 'percentile' or 'bca'",
    ),
    "compare names": (
        lambda: DF.agree.compare("ann", "bob"),
        InputError,
        ONE_SET,
    ),
    "compare one": (
        lambda: DF.agree.compare(["ann", "bob"], metrics=["kappa"]),
        InputError,
        ONE_SET,
    ),
    "compare a list and a name": (
        lambda: DF.agree.compare(["ann", "bob"], "cleo"),
        InputError,
        "compare got a list of coders and the name 'cleo'; write names alone, or only lists, as in compare(['ann', "
        "'bob'], ['ann', 'llm'])",
    ),
    "compare groups with all": (
        lambda: DF.agree.compare("ann", "bob", by="batch", overall=True),
        InputError,
        "overall=True has no row here, as the groups are compared with each other",
    ),
    "compare numbers": (
        lambda: DF.agree.compare(["n", "m"], ["m", "n"], metrics="icc_a1"),
        InputError,
        "icc_a1 has no influence values to compare; use one of 'observed', 'kappa', 'pi', 'ac1', 'ac2', 's', "
        "'perreault_leigh', 'alpha', 'light_kappa', 'bias'",
    ),
    "pooled": (
        lambda: DF.agree.pooled("ann", "bob", metrics="bias", by="batch"),
        InputError,
        "bias cannot be pooled: its value is not 1 - D_o / D_e; use one of 'kappa', 'pi', 'ac1', 'ac2', 's', 'alpha'",
    ),
    "pooled root": (
        lambda: DF.agree.pooled("ann", "bob", metrics="i_r", by="batch"),
        InputError,
        "perreault_leigh cannot be pooled: its value is not 1 - D_o / D_e; use one of 'kappa', 'pi', 'ac1', 'ac2', "
        "'s', 'alpha'",
    ),
    "sampling": (
        lambda: DF.agree.icc_a1("n", "m", sampling="coders"),
        InputError,
        "icc_a1 has no option 'sampling'; it is an option of 'observed', 'kappa', 'pi', 'ac1', 'ac2', 's', "
        "'perreault_leigh', 'alpha', 'light_kappa', 'bias'",
    ),
    "items of numbers": (
        lambda: DF.agree.by_item("n", "m", metrics="icc_a1"),
        InputError,
        "icc_a1 has no influence values; use one of 'observed', 'kappa', 'pi', 'ac1', 'ac2', 's', "
        "'perreault_leigh', 'alpha', 'light_kappa', 'bias'",
    ),
    "alternative": (
        lambda: DF.agree.compare(["ann", "bob"], ["bob", "ann"], alternative="more"),
        InputError,
        "alternative='more' is not known; use one of 'two-sided', 'greater', 'less'",
    ),
    # long
    "duplicates of wide": (
        lambda: kappa(duplicates="first"),
        InputError,
        "kappa has no option 'duplicates'; say it in df.agree.long(..., duplicates='first')",
    ),
    "repeated": (
        lambda: long().alpha(),
        InputError,
        "judgments are repeated, 1 in all: coder 'a' labelled item 1 2 times; keep one with duplicates='first' or "
        "duplicates='last', or compare them with retest()",
    ),
    "duplicates": (
        lambda: long(duplicates="lst").alpha(),
        InputError,
        "duplicates='lst' is not known; use one of 'raise', 'first', 'last', 'set', 'all'; did you mean 'last'?",
    ),
    "long column": (
        lambda: LONG.agree.long(item="docs", coder="who", label="tag").pi(),
        ColumnError,
        "no column 'docs'; did you mean 'doc'?",
    ),
    "no such coder": (lambda: long().kappa("a", "c"), ColumnError, "no coder 'c'; there are: 'a', 'b'"),
    "one long coder": (
        lambda: long().kappa("a"),
        InputError,
        "agreement needs at least two coders, and got only 'a'; name at least two",
    ),
    "label of nobody": (
        lambda: long(LONG.assign(who=["a", None, "b", "a", "b"])).kappa(),
        InputError,
        "1 row has a label but no 'who' (the first is row 1); drop such rows with df.dropna(subset=['who'])",
    ),
    "item in two clusters": (
        lambda: long(LONG.iloc[:4].assign(site=[1, 2, 1, 1])).alpha(clusters="site"),
        InputError,
        "item 1 is in two clusters; an item belongs to one",
    ),
    # crosstab and counts
    "coders of a crosstab": (
        lambda: TABLE.agree.crosstab().kappa("ann"),
        InputError,
        "a crosstab is about two coders already; leave out 'ann'",
    ),
    "groups of a crosstab": (
        lambda: TABLE.agree.crosstab().kappa(by="x"),
        InputError,
        "by= means nothing for a crosstab",
    ),
    "margins": (
        lambda: pd.crosstab(DF["ann"], DF["bob"], margins=True).agree.crosstab().kappa(),
        InputError,
        "the last row and column ('All') are the sums of the others; make the crosstab without margins=True, or list "
        "all categories in categories=[...] if it is one of them",
    ),
    "shares": (
        lambda: (TABLE / 4).agree.crosstab().kappa(),
        InputError,
        "a crosstab holds whole numbers of 0 or more, and the cell in row 'n', column 'n' is 0.5",
    ),
    "levels of a crosstab": (
        lambda: pd.crosstab([DF["batch"], DF["ann"]], DF["bob"]).agree.crosstab().kappa(),
        InputError,
        "a crosstab has one level of labels, and its index has 2",
    ),
    "label twice in a crosstab": (
        lambda: pd.concat([TABLE, TABLE]).agree.crosstab().kappa(),
        InputError,
        "label 'n' occurs twice in the index of the crosstab",
    ),
    "text in counts": (
        lambda: DF[["n", "ann"]].astype({"ann": object}).agree.counts().pi(),
        InputError,
        "a table of counts holds numbers, and column 'ann' is object",
    ),
    "coders of counts": (
        lambda: TABLE.agree.counts().pi("ann"),
        InputError,
        "a table of counts does not hold the coders, so none can be chosen",
    ),
    "kappa of counts": (lambda: TABLE.agree.counts().kappa(), InputError, f"kappa {NO_CODERS}"),
    "pairs of counts": (lambda: TABLE.agree.counts().by_pair(), InputError, f"by_pair {NO_CODERS}"),
    "complete counts": (
        lambda: TABLE.agree.counts().pi(missing="complete"),
        InputError,
        "missing='complete' needs the coders of each item, which these data do not hold; use "
        "missing='pairable' or missing='all'",
    ),
    "column twice in counts": (
        lambda: TABLE.set_axis(["x", "x"], axis=1).agree.counts().pi(),
        InputError,
        "a category occurs twice among the columns of the counts",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_message(name: str) -> None:
    call, kind, message = CASES[name]
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message
    assert isinstance(caught.value, AgreementError)


def test_errors_are_of_the_built_in_kind_too() -> None:
    for kind, builtin in ((InputError, ValueError), (ColumnError, KeyError), (LabelTypeError, TypeError)):
        assert issubclass(kind, builtin)
    assert issubclass(UnknownMethodError, AttributeError)
    assert not hasattr(DF.agree, "no_such_method")


def test_a_column_that_is_no_coder_is_noticed_when_nobody_was_named() -> None:
    df = pandas_agreement.load_example()[["batch", "ann", "bob"]]
    message = "every column was taken for a coder, and 'batch' shares no label with any other"
    with pytest.warns(AgreementWarning, match=message):
        df.agree.pi()
    df.agree.pi("ann", "bob", "batch")  # named on purpose: no warning


def test_undefined_groups_are_counted_by_reason() -> None:
    df = pd.DataFrame({"ann": [1, 1, 1, 2, 1.0], "bob": [1, 1, None, 2, 2], "batch": list("aabcc")})
    with pytest.warns(AgreementWarning) as caught:
        df.agree.summary("ann", "bob", by="batch", metrics=["kappa", "pi"])
    (warning,) = caught
    assert str(warning.message) == (
        "4 of 6 estimates are undefined (NaN): no item with two labels (2), only one category "
        "used (2); see the column 'note'"
    )
    assert warning.filename == __file__


def test_a_warning_names_the_line_of_another_package_whose_name_begins_like_ours() -> None:
    home = Path(pandas_agreement.__file__).parent
    path = str(home.with_name(f"{home.name}_extra") / "use.py")
    frame = pd.DataFrame({"ann": ["y", "y"], "bob": ["y", "y"]})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec(compile("frame.agree.kappa('ann', 'bob')", path, "exec"), {"frame": frame})
    assert [one.filename for one in caught] == [path]
