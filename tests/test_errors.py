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
from pandas_agreement.errors import UnknownMethodError, together
from tests import data_sets
from tests.helpers import all_refused, refuses

DF = pd.DataFrame(
    {"ann": list("yynn"), "bob": list("ynnn"), "batch": [1, 1, 2, 2], "n": [1, 2, 3, 4], "m": [1, 2, 3, 3.0]}
)
LONG = pd.DataFrame({"doc": [1, 1, 2, 2, 1], "who": list("ababa"), "tag": list("xyxxy")})
COMMAS = pd.DataFrame({"ann": ["1,0", "2,5"], "bob": ["1,0", "2,0"]})
TABLE = pd.crosstab(DF["ann"], DF["bob"])
WEIGHTS = "'nominal', 'linear', 'quadratic', 'ordinal', 'radical', 'ratio', 'circular', 'bipolar'"
NO_CODERS = (
    "needs the coder of each label, which these data do not contain. Use pi, alpha, ac1, s or icc_1, or give the data "
    "as "
    "df.agree.long(item=..., coder=..., label=...)."
)
ONE_SET = (
    "Compare got one set of coders and nothing to compare it with. Name groups, as in compare('ann', 'bob', "
    "by='batch'), another set, as in compare(['ann', 'bob'], ['ann', 'llm']), or several coefficients, as in "
    "compare('ann', 'bob', metrics=['kappa', 'alpha'])."
)


def long(frame: pd.DataFrame = LONG, **options: Any) -> Any:
    return frame.agree.long(**data_sets.LONG, **options)


def kappa(*coders: Any, **options: Any) -> pd.DataFrame:
    return DF.agree.kappa(*(coders or ("ann", "bob")), **options)


#: what is raised, and by which call
REFUSED: dict[type[Exception], dict[str, Callable[[], Any]]] = {
    UnknownMethodError: {
        "df.agree has no method 'kapa'. Did you mean 'kappa'?": lambda: DF.agree.kapa,
        "df.agree has no method 'xyz'.": lambda: DF.agree.xyz,
        (
            "df.agree has no method 'interpret': it is a function on results, "
            "pandas_agreement.interpret(df.agree.kappa('ann', 'bob'))."
        ): lambda: DF.agree.interpret,
        "No coefficient 'kapa'. Did you mean 'kappa'?": lambda: DF.agree.summary(metrics=["kapa"]),
    },
    ColumnError: {
        "No column 'bop'. Did you mean 'bob'?": lambda: kappa("ann", "bop"),
        "No column 'zzz'. There are: 'ann', 'bob', 'batch', 'n', 'm'.": lambda: kappa("ann", "zzz"),
        "No column 'bach'. Did you mean 'batch'?": lambda: kappa(by="bach"),
        "No column 'batc'. Did you mean 'batch'?": lambda: kappa(clusters="batc"),
        "No column 'docs'. Did you mean 'doc'?": lambda: LONG.agree.long(item="docs", coder="who", label="tag").pi(),
        "No coder 'c'. There are: 'a', 'b'.": lambda: long().kappa("a", "c"),
    },
    InputError: {
        "Table has no option 'stile'. Did you mean 'style'?": lambda: pandas_agreement.table(kappa(), stile="apa"),  # type: ignore[call-arg]
        "by_item has no option 'detial'. Did you mean 'detail'?": lambda: DF.agree.truth("ann", "bob").by_item(
            detial=True
        ),
        "Stream got metric= and metrics=, which are the same option. Write metrics= alone.": lambda: (
            pandas_agreement.stream([DF], "ann", "bob", metric="pi", metrics="pi")
        ),
        (
            "Agreement needs at least two coders, and got only 'ann'. Name the columns, as in df.agree.kappa('ann', "
            "'bob'), or use df.agree.long(item=..., coder=..., label=...) for one row per judgment."
        ): lambda: kappa("ann"),
        "Coders are given one by one, not as a list: write *['ann'].": lambda: kappa(["ann"], "bob"),
        (
            "Expected one set of coders, and got 2 lists. To compare sets of coders write "
            "df.agree.compare(['ann', 'bob'], ['ann', 'cleo'])."
        ): lambda: kappa(["ann", "bob"], ["ann", "cleo"]),
        "weights= is the function scales.circular itself. Call it, as in weights=scales.circular(...).": lambda: (
            DF.agree.kappa("n", "m", weights=scales.circular)
        ),
        "The list of coders is empty. Name them, or leave it out for all coders.": lambda: DF.agree.by_pair([]),
        "Coder 'ann' is named twice. A coder always agrees with themselves.": lambda: kappa("ann", "ann"),
        "Column 'a' is not unique. Rename one of the 2 columns of that name.": lambda: pd.DataFrame(
            [[1, 2, 3]], columns=["a", "a", "b"]
        ).agree.kappa("a", "b"),
        (
            "A group key cannot be called 'coefficient', as results have that name. Rename it: "
            "df.rename(columns={'coefficient': 'coefficient_key'})."
        ): lambda: DF.rename(columns={"batch": "coefficient"}).agree.kappa("ann", "bob", by="coefficient"),
        "The frame is grouped already. Leave out by=": lambda: DF.groupby("batch").agree.kappa("ann", "bob", by="n"),
        "metrics= is empty. Name at least one coefficient, such as metrics=['kappa', 'alpha'].": lambda: (
            DF.agree.summary("ann", "bob", metrics=[])
        ),
        (
            "metrics='rat' is not known. Use one of 'rate', 'specific', 'conditional_kappa', 'observed', 'kappa', "
            "'pi', 'ac1', 's', 'perreault_leigh', 'alpha', 'light_kappa', 'bias'; did you mean 'rate'?"
        ): lambda: DF.agree.by_category("ann", "bob", metrics=["rat"]),
        (
            "Confusion compares two coders, or one with all others, and got 3. Name them, as in confusion('ann', "
            "'bob') or confusion('ann')."
        ): lambda: DF[["n", "m", "batch"]].agree.confusion(),
        (
            "Kappa has no option 'foo'. There are: 'by', 'overall', 'categories', 'missing', 'ci', 'method', "
            "'clusters', 'frequency', 'n_resamples', 'rng', 'progress', 'detail', ..."
        ): lambda: kappa(foo=1),
        "by_pair got metric= and metrics=, which are the same option. Write metrics= alone.": lambda: DF.agree.by_pair(
            "ann", "bob", metrics="kappa", metric="pi"
        ),
        "Kappa has no option 'level'. It is called 'weights' there.": lambda: kappa(level="ordinal"),
        "Alpha has no option 'weights'. It is called 'level' there.": lambda: DF.agree.alpha(
            "ann", "bob", weights="linear"
        ),
        "ac1 has no option 'weights'. The weighted form is 'ac2'.": lambda: DF.agree.ac1(
            "ann", "bob", weights="linear"
        ),
        "ac2 needs weights=, for instance weights='linear' or weights='quadratic'.": lambda: DF.agree.ac2("ann", "bob"),
        (
            "method='jacknife' is not known. Use one of 'auto', 'score', 'analytic', 'log', 'jackknife', 'percentile', "
            "'bca'; did you mean 'jackknife'?"
        ): lambda: kappa(method="jacknife"),
        "method='log' is not known. Use one of 'auto', 'analytic', 'jackknife', 'percentile', 'bca'.": lambda: (
            DF.agree.bias("ann", "bob", method="log")
        ),
        (
            "missing='raise': 1 of 4 items lacks a label ('bob': 1). Fill them in, or choose missing='pairable', 'all' "
            "or 'complete'."
        ): lambda: DF.assign(bob=[None, "n", "n", "n"]).agree.kappa("ann", "bob", missing="raise"),
        "by_pair compares the items that both coders of a pair labelled. Use missing='pairable'.": lambda: (
            DF.agree.by_pair("ann", "bob", missing="all")
        ),
        "clusters= has 1 missing value. Every item needs a cluster.": lambda: kappa(clusters=[1, None, 2, 2]),
        (
            "clusters= has cells that hold several values, such as a list. Name a column with one value per row."
        ): lambda: kappa(clusters=pd.Series([["a"], ["a", "b"], ["a"], []])),
        "method='jackknife' leaves out one item at a time. With clusters= use method='analytic'.": lambda: kappa(
            clusters="batch", method="jackknife"
        ),
        f"weights='quadratik' is not known. Use one of {WEIGHTS}; did you mean 'quadratic'?": lambda: kappa(
            weights="quadratik"
        ),
        (
            "Kappa has no option 'period'. Write weights=scales.circular(period=360) (from pandas_agreement import "
            "scales)."
        ): lambda: kappa("n", "m", weights="circular", period=360),
        (
            "Summary has no option 'high'. Write level=scales.bipolar(high=9) (from pandas_agreement import scales)."
        ): lambda: DF.agree.summary("n", "m", level="bipolar", high=9, low=1),
        (
            "Observed has no option 'tolerance'. Write weights=scales.within(tolerance=1) (from pandas_agreement "
            "import scales)."
        ): lambda: DF.agree.observed("n", "m", tolerance=1),
        (
            "ac1 has no option 'low'. There are: 'by', 'overall', 'categories', 'missing', 'ci', 'method', 'clusters', "
            "'frequency', 'n_resamples', 'rng', 'progress', 'detail', ..."
        ): lambda: DF.agree.ac1(low=1),
        (
            "categories={'x': ['y', 'n']} cannot be a dict: all groups share their categories. List the categories of "
            "all groups, or write categories='group' to count those seen in each group."
        ): lambda: DF.agree.s("ann", "bob", by="batch", categories={"x": ["y", "n"]}),
        (
            "'circular' cannot derive the length of the circle from labels that are not equally spaced. Give its "
            "length: scales.circular(period=360) for degrees, scales.circular(period=12) for months."
        ): lambda: DF.replace({"m": {3: 7}}).agree.alpha("n", "m", level="circular"),
        (
            "Ratio needs labels that are not negative, and -4 is negative: with a zero in the middle of the scale -1 "
            "and 1 would count as agreement. Use 'quadratic' or 'interval' instead."
        ): lambda: DF.assign(n=-DF["n"]).agree.alpha("n", "m", level="ratio"),
        "level='interval' needs finite numbers, and a label is infinite.": lambda: DF.assign(
            n=[1, 2, 3, np.inf]
        ).agree.alpha("n", "m", level="interval"),
        (
            "weights= must be numbers in a 4 x 4 matrix, a row and a column for each of the 4 categories in their "
            "order, not 3 x 3 of float64."
        ): lambda: kappa("n", "m", weights=np.eye(3)),
        "weights= has a value that is not a finite number.": lambda: kappa("n", "m", weights=np.full((4, 4), np.nan)),
        "weights= must be 1 on the diagonal: they are agreement weights, 1 is full agreement.": lambda: kappa(
            "n", "m", weights=np.zeros((4, 4))
        ),
        "weights= must lie between 0 (full disagreement) and 1 (full agreement).": lambda: kappa(
            "n", "m", weights=3 - 2 * np.eye(4)
        ),
        "weights= has no row or column for the category 3.": lambda: kappa(
            "n", "m", weights=pd.DataFrame(np.eye(2), [1, 2], [1, 2])
        ),
        "level= must be 0 on the diagonal: it holds distances, 0 is no disagreement.": lambda: DF.agree.alpha(
            "n", "m", level=np.ones((4, 4))
        ),
        "level= holds distances, which cannot be negative.": lambda: DF.agree.alpha("n", "m", level=np.eye(4) - 1),
        "Cells with several labels are for wide and long data, not for a crosstab.": lambda: (
            pd.crosstab(DF["n"], DF["m"]).agree.crosstab().alpha(level="masi")
        ),
        "sep= splits cells into sets, which only level='jaccard' and level='masi' compare.": lambda: DF.agree.alpha(
            "ann", "bob", sep="|"
        ),
        "method='kalpha' draws pairs of labels and ignores clusters. Use 'percentile' or 'bca'.": lambda: (
            DF.agree.alpha("ann", "bob", method="kalpha", clusters="batch")
        ),
        ONE_SET: lambda: DF.agree.compare("ann", "bob"),
        (
            "Compare got a list of coders and the name 'cleo'. Write names alone, or only lists, as in compare(['ann', "
            "'bob'], ['ann', 'llm'])."
        ): lambda: DF.agree.compare(["ann", "bob"], "cleo"),
        "overall=True adds no row here, because the groups are compared with each other.": lambda: DF.agree.compare(
            "ann", "bob", by="batch", overall=True
        ),
        (
            "icc_a1 has no influence values to compare. Use one of 'observed', 'kappa', 'pi', 'ac1', 'ac2', 's', "
            "'perreault_leigh', 'alpha', 'light_kappa', 'bias'."
        ): lambda: DF.agree.compare(["n", "m"], ["m", "n"], metrics="icc_a1"),
        (
            "Bias cannot be pooled: its value is not 1 - D_o / D_e. Use one of 'kappa', 'pi', 'ac1', 'ac2', 's', "
            "'alpha'."
        ): lambda: DF.agree.pooled("ann", "bob", metrics="bias", by="batch"),
        (
            "perreault_leigh cannot be pooled: its value is not 1 - D_o / D_e. Use one of 'kappa', 'pi', 'ac1', 'ac2', "
            "'s', 'alpha'."
        ): lambda: DF.agree.pooled("ann", "bob", metrics="i_r", by="batch"),
        (
            "icc_a1 has no option 'sampling'. It is an option of 'observed', 'kappa', 'pi', 'ac1', 'ac2', 's', "
            "'perreault_leigh', 'alpha', 'light_kappa', 'bias'."
        ): lambda: DF.agree.icc_a1("n", "m", sampling="coders"),
        (
            "icc_a1 has no influence values. Use one of 'observed', 'kappa', 'pi', 'ac1', 'ac2', 's', "
            "'perreault_leigh', 'alpha', 'light_kappa', 'bias'."
        ): lambda: DF.agree.by_item("n", "m", metrics="icc_a1"),
        "alternative='more' is not known. Use one of 'two-sided', 'greater', 'less'.": lambda: DF.agree.compare(
            ["ann", "bob"], ["bob", "ann"], alternative="more"
        ),
        "Kappa has no option 'duplicates'. Say it in df.agree.long(..., duplicates='first').": lambda: kappa(
            duplicates="first"
        ),
        (
            "Judgments are repeated, 1 in all: coder 'a' labelled item 1 2 times. Keep one with duplicates='first' or "
            "duplicates='last', or compare them with retest()."
        ): lambda: long().alpha(),
        (
            "duplicates='lst' is not known. Use one of 'raise', 'first', 'last', 'set', 'all'; did you mean 'last'?"
        ): lambda: long(duplicates="lst").alpha(),
        "Agreement needs at least two coders, and got only 'a'. Name at least two.": lambda: long().kappa("a"),
        (
            "1 row has a label but no 'who' (the first is row 1). Drop such rows with df.dropna(subset=['who'])."
        ): lambda: long(LONG.assign(who=["a", None, "b", "a", "b"])).kappa(),
        "Item 1 is in two clusters. An item belongs to only one cluster.": lambda: long(
            LONG.iloc[:4].assign(site=[1, 2, 1, 1])
        ).alpha(clusters="site"),
        "A crosstab already identifies both coders. Leave out 'ann'.": lambda: TABLE.agree.crosstab().kappa("ann"),
        "by= has no effect for a crosstab.": lambda: TABLE.agree.crosstab().kappa(by="x"),
        (
            "The last row and column ('All') are the sums of the others. Make the crosstab without margins=True, or "
            "list all categories in categories=[...] if it is one of them."
        ): lambda: pd.crosstab(DF["ann"], DF["bob"], margins=True).agree.crosstab().kappa(),
        "A crosstab holds whole numbers of 0 or more, and the cell in row 'n', column 'n' is 0.5.": lambda: (
            (TABLE / 4).agree.crosstab().kappa()
        ),
        "A crosstab has one level of labels, and its index has 2.": lambda: (
            pd.crosstab([DF["batch"], DF["ann"]], DF["bob"]).agree.crosstab().kappa()
        ),
        "Label 'n' occurs twice in the index of the crosstab.": lambda: (
            pd.concat([TABLE, TABLE]).agree.crosstab().kappa()
        ),
        "A table of counts holds numbers, and column 'ann' is object.": lambda: (
            DF[["n", "ann"]].astype({"ann": object}).agree.counts().pi()
        ),
        "A table of counts does not identify the coders, so none can be selected.": lambda: TABLE.agree.counts().pi(
            "ann"
        ),
        f"Kappa {NO_CODERS}": lambda: TABLE.agree.counts().kappa(),
        f"by_pair {NO_CODERS}": lambda: TABLE.agree.counts().by_pair(),
        (
            "missing='complete' needs the coders of each item, which these data do not contain. Use "
            "missing='pairable' or missing='all'."
        ): lambda: TABLE.agree.counts().pi(missing="complete"),
        "A category occurs twice among the columns of the counts.": lambda: (
            TABLE.set_axis(["x", "x"], axis=1).agree.counts().pi()
        ),
    },
    LabelTypeError: {
        (
            "icc_a1 needs numbers, and '1' (of 'ann') is not one. Convert the text, as in pd.to_numeric(df['ann'])."
        ): lambda: pd.DataFrame({"ann": ["1", "2"], "bob": ["2", "2"]}).agree.icc(form="A1"),
        (
            "icc_a1 needs numbers, and 'x' (of 'a') is not one. Map the labels to numbers, for instance with "
            "df['label'].map({'low': 1, 'high': 2}), or an ordered Categorical with df['label'].cat.codes."
        ): lambda: long(LONG.iloc[:4]).icc(form="A1"),
        (
            "level='interval' needs labels that are numbers, and '1,0' is text. It looks like a number with a decimal "
            "comma: read the file with pd.read_csv(..., decimal=',')."
        ): lambda: COMMAS.agree.alpha(level="interval"),
        (
            "icc_a1 needs numbers, and '1,0' (of 'ann') is not one. It looks like a number with a decimal comma: read "
            "the file with pd.read_csv(..., decimal=',')."
        ): lambda: COMMAS.agree.icc(form="A1"),
        (
            "weights='linear' needs labels that are numbers or have an order, and 'n' is text. Give the 2 labels in "
            "their order with categories=[lowest, ..., highest], or use an ordered Categorical."
        ): lambda: kappa(weights="linear"),
        (
            "weights='linear' needs labels that are numbers or have an order, and these are sets. Compare sets by "
            "alpha, with level='masi' or level='jaccard'."
        ): lambda: DF.map(lambda label: frozenset([label])).agree.kappa("ann", "bob", weights="linear"),
        (
            "icc_a1 needs numbers, and 'n' (of 'ann') is not one. Map the labels to numbers, for instance with "
            "df['ann'].map({'low': 1, 'high': 2}), or an ordered Categorical with df['ann'].cat.codes."
        ): lambda: DF.agree.icc_a1("ann", "bob"),
    },
}


def test_every_mistake_gets_its_whole_message() -> None:
    for kind, calls in REFUSED.items():
        assert issubclass(kind, AgreementError)
        all_refused(kind, calls)
    with refuses(InputError, ONE_SET):
        DF.agree.compare(["ann", "bob"], metrics=["kappa"])


def test_errors_are_of_the_built_in_kind_too() -> None:
    for kind, builtin in ((InputError, ValueError), (ColumnError, KeyError), (LabelTypeError, TypeError)):
        assert issubclass(kind, builtin)
    assert issubclass(UnknownMethodError, AttributeError)
    assert not hasattr(DF.agree, "no_such_method")


def test_undefined_groups_are_counted_by_reason() -> None:
    df = pd.DataFrame({"ann": [1, 1, 1, 2, 1.0], "bob": [1, 1, None, 2, 2], "batch": list("aabcc")})
    with pytest.warns(AgreementWarning) as caught:
        df.agree.summary("ann", "bob", by="batch", metrics=["kappa", "pi"])
    (warning,) = caught
    assert str(warning.message) == (
        "4 of 6 estimates are undefined (NaN): no item with two labels (2), only one category "
        "used (2). See the column 'note'."
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


def test_several_warnings_are_one_in_sentences() -> None:
    said = [
        AgreementWarning("a is rare", "merge it"),
        AgreementWarning("b is constant"),
        AgreementWarning("c", "drop it"),
    ]
    assert str(together(said)) == "A is rare. Merge it. Also: b is constant. Also: c. Drop it."
