"""Frames that are not what the call says are refused, or named in one warning; calls that are right stay silent."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import AgreementWarning, InputError, scales
from pandas_agreement.data.guesses import ColumnHead, _transposed, find_counts, find_roles, role_of, sample
from tests.data_sets import CODERS, LONG, scores, to_long
from tests.helpers import refuses, same

EXAMPLE = pandas_agreement.load_example()
LABELS = EXAMPLE[CODERS]
JUDGMENTS = to_long(EXAMPLE.set_index("item")[CODERS])
TABLE = pd.crosstab(EXAMPLE["ann"], EXAMPLE["bob"])
NUMBERS = scores(40, 3, gaps=0).astype(int)

METHODS: dict[str, Callable[[Any], Any]] = {
    "kappa": lambda agree: agree.kappa(),
    "alpha": lambda agree: agree.alpha(),
    "summary": lambda agree: agree.summary(),
    "pairwise": lambda agree: agree.by_pair(),
    "by_category": lambda agree: agree.by_category(),
    "items": lambda agree: agree.by_item(),
    "coders": lambda agree: agree.by_coder(),
    "margins": lambda agree: agree.margins(),
    "diagnose": lambda agree: agree.diagnose(),
    "disagreements": lambda agree: agree.disagreements(),
    "report": lambda agree: agree.report(pictures=False),
}
every_method = pytest.mark.parametrize("method", METHODS)


def said(call: Callable[[], Any]) -> str:
    """The one warning of a call, which still gives its result."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert call() is not None
    (warning,) = caught
    assert isinstance(warning.message, AgreementWarning)
    assert warning.filename == __file__
    return str(warning.message)


# ----------------------------------------------------------------------------------------- coders and other columns

NOT_CODERS = (
    "No coders were named, and these columns share no label with the likely coders: {}. Name the coders, as in "
    "df.agree.kappa('ann', 'bob', 'cleo', 'dev')."
)


@every_method
def test_columns_of_another_kind_are_no_coders(method: str) -> None:
    with refuses(InputError, NOT_CODERS.format("'item', 'batch' and 'text_length'")):
        METHODS[method](EXAMPLE.agree)


def test_keys_of_groups_are_not_named_among_them() -> None:
    with refuses(InputError, NOT_CODERS.format("'item' and 'text_length'")):
        EXAMPLE.agree.kappa(by="batch")
    with refuses(InputError, NOT_CODERS.format("'item' and 'text_length'")):
        EXAMPLE.groupby("batch").agree.summary()


@pytest.mark.parametrize(
    "values",
    {
        "dates": pd.Timestamp("2026-01-01") + pd.to_timedelta(np.arange(600) // 9, "D"),
        "numbers": np.arange(600) % 7,
        "True and False": np.arange(600) % 2 == 0,
        "texts": [f"text {i // 1.5}" for i in range(600)],
    }.items(),
    ids=lambda case: case[0],
)
def test_each_other_kind(values: tuple[str, Any]) -> None:
    with refuses(InputError, NOT_CODERS.format("'x'")) as caught:
        LABELS.assign(x=values[1]).agree.pi()
    assert (caught.value.code, caught.value.column, caught.value.facts["coders"]) == ("not a coder", "x", CODERS)


def test_a_large_frame_is_known_from_a_sample() -> None:
    large = pd.concat([EXAMPLE] * 20).reset_index(drop=True).assign(item=lambda df: [f"t{i}" for i in df.index])
    with refuses(InputError, NOT_CODERS.format("'item', 'batch' and 'text_length'")):
        large.agree.kappa()


def test_texts_beside_scores() -> None:
    message = (
        "No coders were named, and these columns share no label with the likely coders: 'doc'. Name the coders, as in "
        "df.agree.kappa('ann', 'bob', 'cleo')."
    )
    frame = NUMBERS.assign(doc=[f"t{i}" for i in range(40)])
    for call in (frame.agree.icc_a1, frame.agree.summary, lambda: frame.agree.alpha(level="interval")):
        with refuses(InputError, message):
            call()


def test_a_column_with_few_labels_of_its_own_is_possible() -> None:
    frame = EXAMPLE[["batch", *CODERS]]
    assert said(lambda: frame.agree.kappa()) == (
        "Every column was taken for a coder, and 'batch' shares no label with any other. If it is not one, name the "
        "coders, as in df.agree.kappa('ann', 'bob', 'cleo', 'dev')."
    )
    with pytest.warns(AgreementWarning):
        same(frame.agree.kappa(), frame.agree.kappa("batch", *CODERS))


def test_numbers_of_rows_beside_few_numbers() -> None:
    frame = NUMBERS.assign(item=range(40))
    message = (
        "Every column was taken for a coder, and 'item' has another whole number in every row. If it is not one, name "
        "the coders, as in df.agree.kappa('ann', 'bob', 'cleo')."
    )
    assert said(lambda: frame.agree.kappa()) == message
    assert said(lambda: frame.agree.icc_a1()) == message
    assert "'item' has another whole number in every row" in said(lambda: frame[["ann", "bob", "item"]].agree.kappa())


def test_columns_that_share_hardly_a_label_are_not_suggested() -> None:
    scales = {"form": ["rank", "rate", "count", "other"], "data": ["order", "name", "ratio", "other"]}
    frame = pd.DataFrame({name: [labels[i % 3 if i else 3] for i in range(20)] for name, labels in scales.items()})
    frame["round"], frame["done"] = [f"r{i % 12}" for i in range(20)], [i > 3 for i in range(20)]
    message = (
        "No coders were named, and no columns look like the labels of several coders. "
        "Name the columns of the coders, as in df.agree.kappa('ann', 'bob'), or, if a row is one judgment, its "
        "columns, as in df.agree.long(item=..., coder=..., label=...)."
    )
    with refuses(InputError, message) as caught:
        frame.agree.alpha()
    assert caught.value.code == "no coders"


def test_numbers_of_items_beside_ratings_are_not_suggested() -> None:
    frame = pd.DataFrame({"scan": [i // 3 for i in range(60)], "nodule": [i // 2 + i % 2 for i in range(60)]})
    frame = frame.assign(patient=[f"p{i // 4}" for i in range(60)], size=[i % 5 for i in range(60)], who=None)
    frame["row"] = range(60)
    with pytest.raises(InputError, match="no columns look like the labels of several coders"):
        frame.agree.alpha()


@pytest.mark.parametrize(("own", "suggested"), [(10, True), (11, False)])
def test_likely_coders_share_half_of_their_labels(own: int, suggested: bool) -> None:
    frame = pd.DataFrame({"a": ["x"] * (20 - own) + ["y"] * own, "b": ["x"] * 20, "n": [1] * 20})
    with pytest.raises(InputError) as caught:
        frame.agree.kappa()
    assert caught.value.code == ("not a coder" if suggested else "no coders")


def test_whole_numbers_that_no_coder_shares() -> None:
    frame = NUMBERS.assign(length=np.arange(40) % 30 + 20)
    assert said(lambda: frame.agree.kappa()) == (
        "Every column was taken for a coder, and 'length' shares no label with any other. If it is not one, name the "
        "coders, as in df.agree.kappa('ann', 'bob', 'cleo')."
    )
    frame.agree.alpha(level="interval")
    frame.agree.icc_a1()
    frame.agree.kappa(weights="linear")


RIGHT: dict[str, Callable[[], Any]] = {
    "named coders": lambda: EXAMPLE.agree.kappa("ann", "bob"),
    "any named columns": lambda: EXAMPLE.agree.pi("ann", "bob", "batch"),
    "all columns": lambda: LABELS.agree.kappa(),
    "chosen from groups": lambda: EXAMPLE.groupby("batch")[CODERS].agree.kappa(),
    "a label of one coder alone": lambda: LABELS.assign(eve=["bug", "spam"] * 300).agree.kappa(),
    "two who never agree": lambda: pd.DataFrame({"a": ["x", "y"] * 10, "b": ["y", "x"] * 10}).agree.kappa(),
    "two constant coders": lambda: pd.DataFrame({"a": ["x"] * 20, "b": ["y"] * 20}).agree.kappa(),
    "two items": lambda: pd.DataFrame({"a": ["x", "y"], "b": ["u", "v"]}).agree.kappa(),
    "scores": lambda: MEASURED.agree.icc_a1(),
    "scores by level": lambda: MEASURED.agree.alpha(level="interval"),
    "scores as categories": lambda: MEASURED.agree.kappa(),
    "scores in a report": lambda: MEASURED.agree.report(pictures=False),
    "rankings": lambda: pd.DataFrame({"a": range(20), "b": reversed(range(20))}).agree.kendall_w(),
    "True beside 1": lambda: pd.DataFrame({"a": [True, False] * 9, "b": [True, True] * 9}).agree.kappa(),
    "categories of a dtype": lambda: LABELS.astype(
        pd.CategoricalDtype(list("abc") + LABELS["ann"].dropna().unique().tolist())
    ).agree.pi(),
    "a coder without labels": lambda: LABELS.assign(eve=None).agree.alpha(),
    "sets": lambda: pd.DataFrame({"a": [["x", "y"], ["x"]] * 9, "b": [["z"], ["u"]] * 9}).agree.alpha(level="masi"),
    "a crowd of 9": lambda: pd.DataFrame([["x", "y", "x"] * 3, ["y", "y", "x"] * 3]).agree.alpha(),
    "counts": lambda: pd.DataFrame({"y": [3, 0, 2, 1], "n": [0, 3, 1, 2]}).agree.counts().pi(),
    "crosstab": lambda: TABLE.agree.crosstab().kappa(),
    "long": lambda: JUDGMENTS.agree.long(**LONG).alpha(),
}
MEASURED = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 4)).round(2), columns=CODERS)


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_silent(name: str) -> None:
    RIGHT[name]()  # every warning is an error


# ------------------------------------------------------------------------------------------------------ other formats


@every_method
def test_long_data_are_not_wide(method: str) -> None:
    message = (
        "The frame has one row per judgment: a label for each 'doc' and 'who'. Use df.agree.long(item='doc', "
        "coder='who', label='tag') in place of df.agree."
    )
    with refuses(InputError, message):
        METHODS[method](JUDGMENTS.agree)


def test_spans_are_not_wide() -> None:
    marks = pd.DataFrame({"doc": ["d1", "d1"], "who": ["a", "b"], "start": 0, "end": [4, 5], "tag": "PER"})
    call = "df.agree.spans(item='doc', coder='who', label='tag', start='start', end='end')"
    problem = "The frame has one row per span: columns 'start' and 'end'"
    with refuses(InputError, f"{problem}. Use {call} in place of df.agree."):
        marks.agree.alpha()
    with refuses(InputError, f"{problem}. Use df.agree.spans() in place of df.agree."):
        marks.rename(columns={"doc": "item", "who": "coder"}).drop(columns="tag").agree.alpha()


def test_facts_about_items_and_coders_are_no_labels() -> None:
    frame = JUDGMENTS.rename(columns={"tag": "kind"})
    frame.insert(0, "length", frame["doc"].map(EXAMPLE.set_index("item")["text_length"]))
    frame.insert(0, "sex", frame["who"].map({"ann": "f", "bob": "m", "cleo": "f", "dev": "m"}))
    message = (
        "The frame has one row per judgment: a label for each 'doc' and 'who'. Use df.agree.long(item='doc', "
        "coder='who', label='kind') in place of df.agree."
    )
    with refuses(InputError, message):
        frame.agree.alpha()


def test_names_of_roles_alone_do_not_make_long_data() -> None:
    wide = EXAMPLE.rename(columns={"ann": "label", "bob": "judge"})
    assert find_roles(sample([wide[name] for name in wide], list(wide)) or []) is None
    wide[["label", "judge", "cleo"]].agree.kappa()


def test_measurements_are_the_last_that_may_be_labels() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"item": np.repeat(np.arange(20), 3), "coder": list("abc") * 20, "score": rng.normal(size=60)})
    frame = frame.assign(label=[f"word {i}" for i in rng.integers(0, 30, 60)], rating=rng.integers(1, 6, 60))
    for columns in (["item", "coder", "score", "label", "rating"], ["item", "coder", "label", "rating", "score"]):
        roles = find_roles(sample([frame[name] for name in columns], columns) or [])
        assert roles == {"item": "item", "coder": "coder", "label": "label"}


def test_roles_by_name() -> None:
    names = {"who": "coder", "annotatorID": "coder", "docs": "item", "tweet_id": "item", "score": "label", "ann": None}
    assert {name: role_of(name) for name in names} == names
    assert role_of(3) is None


def test_a_crosstab_is_not_wide() -> None:
    message = (
        "The index and the columns hold the same labels ('bug', 'complaint', 'question' and 'request'), as the table "
        "of two coders does. Use df.agree.crosstab() in place of df.agree."
    )
    for table in (TABLE, TABLE.iloc[::-1]):
        with refuses(InputError, message):
            table.agree.kappa()
    with refuses(InputError, message):
        TABLE.agree.icc_a1()
    TABLE.agree.kappa("bug", "request")  # named on purpose


def test_a_transposed_frame() -> None:
    assert said(lambda: LABELS.dropna(how="all").T.agree.alpha()) == (
        "Every column was taken for a coder: 593 coders of 4 items. If the rows are the coders, turn the frame, as in "
        "df.T.agree.kappa()."
    )


# ------------------------------------------------------------------------------------------------- look-alike labels

SPELT = LABELS.assign(cleo=LABELS["cleo"].replace({"bug": "Bug "}), dev=LABELS["dev"].replace({"question": "QUESTION"}))
ALIKE = (
    "4 labels differ only in case, blanks or type and count as different: 'Bug ' and 'bug', 'QUESTION' and 'question'. "
    "Make them one, for instance with .str.strip().str.lower(), or list all labels in categories=[...]."
)


@every_method
@pytest.mark.parametrize("view", [SPELT.agree, to_long(SPELT).agree.long(**LONG)], ids=["wide", "long"])
def test_look_alikes_are_named_by_every_method(method: str, view: Any) -> None:
    if method == "report":  # which shows them on its page
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AgreementWarning)
            assert "'Bug '" in METHODS[method](view).to_markdown()
        return
    assert said(lambda: METHODS[method](view)) == ALIKE


def test_look_alikes_of_tables() -> None:
    counts = pd.DataFrame({"Yes": [2, 0, 1], "yes": [1, 0, 1], "no": [0, 3, 1]})
    message = (
        "2 labels differ only in case, blanks or type and count as different: 'Yes' and 'yes'. Make them one, for "
        "instance with .str.strip().str.lower(), or list all labels in categories=[...]."
    )
    assert said(lambda: counts.agree.counts().pi()) == message
    assert said(lambda: pd.DataFrame([[3, 1], [1, 3]], ["Yes", "no"], ["yes", "no"]).agree.crosstab().pi()) == message


def test_declared_categories_are_meant() -> None:
    labels = sorted({label for name in SPELT for label in SPELT[name].dropna()})
    SPELT.agree.kappa(categories=labels)
    SPELT.astype(pd.CategoricalDtype(labels)).agree.kappa()


# ------------------------------------------------------------------------------------------------ levels and weights

NOTE = 'fractions: see icc, alpha(level="interval")'


@pytest.mark.parametrize("method", ["observed", "kappa", "pi", "alpha", "ac1", "s"])
def test_nominal_coefficients_of_fractions_name_those_of_scores(method: str) -> None:
    assert NOTE in getattr(MEASURED.agree, method)(detail=True)["remarks"].iloc[0]
    assert NOTE in getattr(MEASURED.agree, method)(ci=None, detail=True)["remarks"].iloc[0]


def test_other_numbers_have_no_such_note() -> None:
    few = pd.DataFrame({"a": [0.5, 1, 1.5] * 9, "b": [0.5, 1, 1] * 9})
    whole = pd.DataFrame({"a": np.arange(40.0), "b": np.arange(40.0)[::-1]})
    results = [
        few.agree.kappa(detail=True),
        whole.agree.kappa(detail=True),
        MEASURED.agree.alpha(level="interval", detail=True),
        MEASURED.agree.icc_a1(detail=True),
        MEASURED.agree.alpha(categories=np.unique(MEASURED), detail=True),
    ]
    assert not any(NOTE in result["remarks"].iloc[0] for result in results)


def test_sets_without_a_separator() -> None:
    frame = pd.DataFrame({"a": ["x|y", "x", "y|z"], "b": ["x", "x|y", "y"]})
    for view in (frame.agree, to_long(frame).agree.long(**LONG)):
        assert said(lambda view=view: view.alpha(level="jaccard")) == (
            "Cells such as 'x|y' were taken for a single label each. If they hold several, name what separates them: "
            "sep='|'."
        )
    frame.agree.alpha(level="jaccard", sep="|")
    frame.replace({"x|y": "either", "y|z": "neither; nor"}).agree.alpha(level="masi")


def test_a_ratio_of_positions() -> None:
    size = pd.CategoricalDtype(["small", "medium", "large"], ordered=True)
    frame = pd.DataFrame({"a": ["small", "large", "medium"] * 4, "b": ["small", "large", "large"] * 4}).astype(size)
    assert said(lambda: frame.agree.alpha(level="ratio")) == (
        "level='ratio' compares positions in the order of the categories, which have no zero. For an order write "
        "df.agree.alpha(level='ordinal')."
    )
    assert said(lambda: frame.agree.summary(weights="ratio")).startswith("weights='ratio' compares positions")
    frame.agree.alpha(level=scales.positions("ratio"))
    numbers = pd.DataFrame({"a": [1, 2, 4] * 4, "b": [1, 4, 4] * 4})
    assert said(lambda: numbers.astype(pd.CategoricalDtype([1, 2, 4], ordered=True)).agree.alpha(level="ratio")) == (
        "level='ratio' compares positions in the order of the categories, which have no zero. For an order write "
        "df.agree.alpha(level='ordinal'), for the numbers list them as categories=[...]."
    )
    numbers.agree.alpha(level="ratio")


# ------------------------------------------------------------------------------------ counts and long data of integers


def counts_table(n: int = 40, coders: int = 5, seed: int = 1) -> pd.DataFrame:
    """How many of the coders chose each of four categories."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(4, 0.3), size=n)
    return pd.DataFrame(
        [rng.multinomial(coders, share) for share in shares], columns=["bug", "idea", "praise", "other"]
    )


def test_a_table_of_counts_is_named() -> None:
    message = (
        "The numbers of every row add up to 5, as in a table of counts. If it is one, use {} in place of df.agree."
    )
    table = counts_table()
    assert said(lambda: table.agree.kappa()) == message.format("df.agree.counts()")
    numbered = table.assign(item=range(40))
    assert said(lambda: numbered.agree.alpha()) == message.format("df.drop(columns=['item']).agree.counts()")
    table.iloc[3] = [0, 0, 1, 3]
    assert said(lambda: table.agree.kappa()).startswith("The numbers of nearly every row add up to 5")
    assert len(table.agree.kappa(*table.columns)) == 1, "named coders are coders"
    assert len(table.agree.counts().pi()) == 1


def formats(frame: pd.DataFrame) -> list[str]:
    """The other formats that the numbers of a frame suggest."""
    return ["counts"] * (find_counts(sampled(frame)) is not None)


COUNTED = [[2, 0, 0], [0, 2, 0], [1, 1, 0], [0, 0, 2], [2, 0, 0]]  # the least that is known for a table of counts
TABLES: dict[str, tuple[list[list[float]], bool]] = {
    "the least": (COUNTED, True),
    "four rows": (COUNTED[:4], False),
    "two categories": ([[2, 0], [0, 2], [1, 1], [2, 0], [0, 2]], False),
    "an unused category": ([[*row, 0] for row in COUNTED], True),
    "a row of zeros": ([*COUNTED, [0, 0, 0]] * 4, False),
    "one choice a row": ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 3, False),
    "two kinds of rows": ([[2, 0, 0], [0, 2, 0]] * 5, False),
    "a sum that varies in few rows": ([*COUNTED * 3, [1, 0, 0]], False),
    "a sum that varies in 4 of 20 rows": ([*(COUNTED * 4)[:16], *[[1, 0, 0]] * 4], True),
    "a sum that varies in 5 of 20 rows": ([*(COUNTED * 4)[:15], *[[1, 0, 0]] * 5], False),
    "few zeros": ([[2, 1, 1], [1, 2, 1], [1, 1, 2], [2, 1, 1], [4, 0, 0]], False),
    "a third zeros": ([[2, 1, 0], [1, 0, 2], [0, 1, 2], [2, 0, 1], [0, 2, 1]], True),
    "halves": ([[count / 2 for count in row] for row in COUNTED], False),
    "negative": ([[4, -2, 0], *COUNTED[1:]], False),
    "infinite": ([[np.inf, 0, 0]] * 5, False),
    "a gap": ([[np.nan, 0, 0], *COUNTED], False),
}


FRACTIONS = {("halves", "int64"), ("halves", "Int64"), ("infinite", "int64"), ("infinite", "Int64"), ("a gap", "int64")}
DTYPES = ["float64", "Float64", "int64", "Int64"]


@pytest.mark.parametrize(("name", "dtype"), sorted(set(itertools.product(TABLES, DTYPES)) - FRACTIONS))
def test_numbers_that_are_counts(name: str, dtype: str) -> None:
    rows, counts = TABLES[name]
    assert formats(pd.DataFrame(rows).astype(dtype)) == ["counts"] * counts


@pytest.mark.parametrize(
    ("role", "names"),
    {
        "coder": "coders raterId annotator_1 worker labeler Labeller judge reviewer reader assessor participant_id "
        "respondent user who",
        "label": "labels tag rating score category code answer annotation value response",
        "item": "item doc documents unit taskId text question case subject sentence comment tweet post segment seg "
        "utterance passage instance example image id",
    }.items(),
)
def test_names_that_tell_a_role(role: str, names: str) -> None:
    assert {name: role_of(name) for name in names.split()} == dict.fromkeys(names.split(), role)


@pytest.mark.parametrize(("per_coder", "long"), [(2, True), (1, False)])
def test_coders_of_long_data_label_two_items(per_coder: int, long: bool) -> None:
    who = [f"c{i // per_coder}" for i in range(12)]
    frame = pd.DataFrame({"item": [i % 4 for i in range(12)], "who": who, "tag": list("xyxyyx" * 2)})
    assert (roles(frame) is not None) == long


def roles(frame: pd.DataFrame) -> Any:
    return find_roles(sampled(frame))


def sampled(frame: pd.DataFrame) -> list[ColumnHead]:
    samples = sample([frame[name] for name in frame], list(frame))
    assert samples is not None
    return samples


# ------------------------------------------------------------------------------------------------------- thresholds


def judgments(n_items: int, n_coders: int, names: str = "doc who tag") -> pd.DataFrame:
    """Every coder with every item, and labels that vary within both."""
    item, coder = np.divmod(np.arange(n_items * n_coders), n_coders)
    who, tag = (np.array(list(letters), object) for letters in ("abcdef", "xyz"))
    return pd.DataFrame(dict(zip(names.split(), [item, who[coder], tag[(item + coder) % 3]], strict=True)))


def test_two_coders_or_half_as_many_labels_again_as_items_make_long_data() -> None:
    assert roles(judgments(6, 2)) == {"item": "doc", "coder": "who", "label": "tag"}
    assert roles(judgments(6, 1)) is None
    half = judgments(8, 2)
    assert roles(half.drop(index=[1, 3, 5, 7])), "12 labels of 8 items"
    assert roles(half.drop(index=[1, 3, 5, 7, 9])) is None


def test_labels_of_long_data_may_be_fractions() -> None:
    frame = judgments(8, 3)
    halves = frame.assign(tag=frame["tag"].map({"x": 0.5, "y": 1.0, "z": 2.5}))
    assert roles(halves) == {"item": "doc", "coder": "who", "label": "tag"}
    assert roles(halves.assign(doc=halves["doc"] + 0.5)) is None, "no item is called 0.5"


def test_ten_coders_who_are_three_times_their_items_may_be_items() -> None:
    assert [bool(_transposed(*each)) for each in ((12, 4), (13, 4), (9, 2), (10, 2))] == [False, True, False, True]


def test_five_percent_of_long_data_may_be_repeated() -> None:
    frame = judgments(20, 5)
    for n, long in ((5, True), (6, False)):
        repeated = pd.concat([frame.iloc[: 100 - n], frame.iloc[:n]], ignore_index=True)
        assert (roles(repeated) is not None) == long


def test_columns_without_telling_names_share_nothing_in_long_data() -> None:
    frame = judgments(8, 3, "one two three")
    assert roles(frame) == {"item": "one", "coder": "two", "label": "three"}
    assert roles(frame.assign(one=frame["one"].map(dict(enumerate("abijklmn"))))) is None, "a and b also code"


def test_few_numbers_and_fractions() -> None:
    cells = [list(range(10)), list(range(11)), [1.0, 2.0], [1.0, 2.5]]
    found = sample([pd.Series(each) for each in cells], range(4)) or []
    assert [one.has_few for one in found] == [True, False, True, False]
    assert [one.may_name for one in found] == [True, True, True, False]


def test_ten_labels_suffice_to_share_nothing() -> None:
    frame = pd.DataFrame({"a": ["x", "y"] * 5, "b": ["u", "v"] * 5})
    assert "share no label" in said(frame.agree.kappa)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frame.iloc[:9].agree.kappa()


def test_a_message_names_twelve_columns() -> None:
    frame = pd.concat(
        [EXAMPLE[CODERS], pd.DataFrame({f"d{i}": [f"{i} {j}" for j in range(600)] for i in range(13)})], axis=1
    )
    with refuses(InputError, NOT_CODERS.format(", ".join(f"'d{i}'" for i in range(12)) + " and 1 more")):
        frame.agree.kappa()


def test_a_sample_has_at_most_a_thousand_rows() -> None:
    samples = [sample([pd.Series(range(n))], ["x"]) for n in (1000, 5000)]
    assert [one[0].cells for one in samples if one] == [list(range(1000)), list(range(0, 5000, 5))]
    assert sample([], []) == []
