"""Data in chunks: every result is compared with that of the whole frame."""

from __future__ import annotations

import tracemalloc
import warnings
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pandas_agreement import scales
from pandas_agreement.coefficients.registry import having
from pandas_agreement.core.weights import LEVELS, SET_LEVELS, WEIGHTS
from pandas_agreement.errors import AgreementWarning, InputError
from pandas_agreement.streaming import chunks as streaming
from pandas_agreement.streaming.chunks import stream
from pandas_agreement.streaming.partial import STREAM_METHODS, STREAM_MISSING
from tests.data_sets import CODERS, LONG, to_long
from tests.helpers import same
from tests.streaming.helpers import ODD, cut, project, project_long, same_wide

PLAIN = ["observed", "kappa", "pi", "alpha", "ac1", "s", "perreault_leigh", "bias"]
WEIGHTED = ["observed", "kappa", "pi", "ac2", "s"]
NAMES_OF_LISTS = [("kappa",), ("kappa", "alpha")]


def same_long(frame, *places, coders=(), **options):
    expected = frame.agree.long(**LONG).summary(*coders, **options, detail=True)
    same(stream(cut(frame, *places), *coders, **LONG, **options, detail=True), expected)


def said(call):
    """The result of a call and the warnings it gave."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = call()
    return result, [str(warning.message) for warning in caught if warning.category is AgreementWarning]


# --------------------------------------------------------------------------------------------- the numbers of the whole


BY = {"no keys": {}, "one key": {"by": "batch"}, "list of one": {"by": ["batch"]}, "two": {"by": ["batch", "hard"]}}
OPTIONS = {
    "plain": {},
    "all": {"missing": "all"},
    "no interval": {"ci": None},
    "90%": {"ci": 0.9},
    "log": {"method": "log", "metrics": PLAIN[:-1]},
    "analytic": {"method": "analytic"},
    "score": {"method": "score", "metrics": ["kappa", "pi", "alpha", "ac1", "s"]},
    "categories": {"categories": [1, 2, 3, 4, 5]},
    "dtype": {"categories": pd.CategoricalDtype([4, 3, 2, 1])},
}


def test_every_coefficient_that_can_be_streamed_is_tested_here():
    assert {*PLAIN, *WEIGHTED} == set(having("stream"))
    assert set(STREAM_MISSING) == {"pairable", "all", "raise"}
    assert set(STREAM_METHODS) == {"auto", "score", "analytic", "log"}


#: whether long, which coders
WIDE, LONG_TOO = [(False, CODERS)], [(False, ["cleo", "ann"]), (True, []), (True, ["dev", "bob"])]
#: one key is read as several are, so wide data and no options show that the index of the result is right
ROADS = {"no keys": WIDE + LONG_TOO, "one key": WIDE, "list of one": WIDE, "two": WIDE + LONG_TOO}
CASES = [(by, name) for by in BY for name in OPTIONS if by == "no keys" or name in ("plain", "all")]


@pytest.mark.parametrize(("by", "name"), CASES)
def test_every_coefficient(by, name):
    options = OPTIONS[name]
    for is_long, coders in ROADS[by]:
        if is_long:
            same_long(project_long(), 11, 100, coders=coders, **BY[by], **{"metrics": PLAIN} | options)
        else:
            same_wide(project(), 7, 43, coders=coders, **BY[by], **{"metrics": PLAIN} | options)


SCALES = [
    *({"weights": name, "metrics": WEIGHTED, "by": "batch"} for name in WEIGHTS),
    *({"level": name, "metrics": ["alpha"], "by": "batch"} for name in LEVELS),
    {"weights": "circular(period=12)", "metrics": WEIGHTED},
    *(
        {"weights": scale, "metrics": WEIGHTED}
        for scale in (scales.positions("linear"), scales.circular(12), scales.bipolar(0.5, 9), scales.bipolar(-3))
    ),
    *({"weights": scales.within(1), "metrics": ["observed", "kappa"]} | by for by in ({}, {"by": "batch"})),
]


def test_metric_is_metrics():
    one, other = (stream([project()], *CODERS[:2], **{word: "pi"}) for word in ("metric", "metrics"))
    same(one, other)


@pytest.mark.parametrize("options", SCALES, ids=str)
def test_scales(options):
    same_wide(project(), 7, 20, 43, **options)
    same_wide(project(), 7, 43, coders=["bob", "dev"], missing="all", **options)
    same_long(project_long(), 11, 40, 100, **options)


@pytest.mark.parametrize("level", SET_LEVELS)
@pytest.mark.parametrize("sep", [{"sep": "|"}, {}], ids=["text", "lists"])
def test_sets(level, sep):
    sets = {1: "a|b", 2: "a", 3: "", 4: "b|c"}
    frame = project()
    for name in CODERS:
        frame[name] = frame[name].map(sets).astype(object)
        if not sep:
            frame[name] = frame[name].map(lambda cell: cell.split("|") if cell else [], na_action="ignore")
    options = {"metrics": ["alpha"], "level": level} | sep
    same_wide(frame, 7, 20, 43, **options)
    long = to_long(frame, ("batch",)).sort_values("doc", kind="stable", ignore_index=True)
    same_long(long, 11, 40, 100, by="batch", **options)
    same_long(long, 11, 40, 100, coders=["ann", "dev"], **options)


def test_matrices_and_functions():
    gaps = np.abs(np.subtract.outer(range(4), range(4)))
    same_wide(project(), 7, 20, 43, metrics=WEIGHTED, weights=1 - gaps / 3)
    same_wide(project(), 7, 20, 43, metrics=WEIGHTED, weights=pd.DataFrame(1 - gaps / 3, range(1, 5), range(1, 5)))
    same_wide(project(), 7, 20, 43, metrics=["alpha"], level=lambda a, b: abs(a - b) ** 0.5)


@pytest.mark.parametrize("detail", [False, True])
@pytest.mark.parametrize("by", [None, "batch", ["batch"], ["batch", "hard"]], ids=str)
def test_the_columns_the_index_and_the_facts_are_those_of_the_same_call_on_the_frame(by, detail):
    """A name adds no level unless there is no other; a list, even of one, does."""
    frame, options = project(), {"by": by, "detail": detail}
    long = project_long()
    expected = {"kappa": frame.agree.kappa(*CODERS, **options)}
    expected |= {names: frame.agree.summary(*CODERS, metrics=list(names), **options) for names in NAMES_OF_LISTS}
    for metrics, whole in expected.items():
        asked = {"metrics": metrics if isinstance(metrics, str) else list(metrics)} | options
        for found in (stream(cut(frame, 20), *CODERS, **asked), stream(cut(long, 41), *CODERS, **LONG, **asked)):
            same(found, whole)
            facts, known = (dict(each.attrs["agree"]) for each in (found, whole))
            assert facts.pop("result") == "stream"
            known.pop("result")
            assert facts == known
    keys = [] if by is None else [by] if isinstance(by, str) else by
    assert list(expected["kappa"].index.names) == (keys or ["coefficient"])
    assert list(expected[("kappa",)].index.names) == [*keys, "coefficient"]


@pytest.mark.parametrize("by", [{}, {"by": "batch"}, {"by": ["batch", "hard"]}], ids=["no key", "key", "keys"])
@pytest.mark.parametrize("weights", ["nominal", "quadratic", "radical"])
def test_the_bounds_and_indices_of_kappa_of_two_coders(weights, by):
    """Also of two categories, of groups without an item of both, of no rows, and a few groups at a time."""
    options = {"weights": weights, "detail": True} | by
    frame = project()
    frame.loc[frame["batch"] == "w1", "ann"] = np.nan
    for part in (frame, frame.iloc[:0], frame.assign(ann=frame["ann"] > 2, bob=frame["bob"] > 1)):
        found, _ = said(lambda part=part: stream(cut(part, 7, 43), "ann", "bob", metrics="kappa", **options))
        whole, _ = said(lambda part=part: part.agree.kappa("ann", "bob", **options))
        same(found, whole)
    assert found["kappa_max"].notna().any()


# -------------------------------------------------------------------------------------------------------- random places


@st.composite
def data_in_pieces(draw):
    """Labels of a few items, with gaps, and where to cut."""
    n_items, n_coders = draw(st.integers(1, 12)), draw(st.integers(2, 4))
    cell = st.sampled_from([None, 1, 2, 3, 5])
    columns = {name: draw(st.lists(cell, min_size=n_items, max_size=n_items)) for name in CODERS[:n_coders]}
    frame = pd.DataFrame(columns, dtype="float64")
    frame["batch"] = draw(st.lists(st.sampled_from(["w1", "w2"]), min_size=n_items, max_size=n_items))
    return frame, draw(st.lists(st.integers(0, 4 * n_items), max_size=5).map(sorted))


CHECKED = [
    {"metrics": PLAIN},
    {"metrics": PLAIN, "missing": "all"},
    {"metrics": WEIGHTED, "weights": "linear"},
    {"metrics": ["alpha"], "level": "ordinal"},
    {"metrics": ["alpha"], "level": "interval"},
]


def agree_but_for_nothing(found, expected):
    """The same, except for standard errors near 0: they are roots, which magnify the rounding of what is under them."""
    tiny = expected["se"] < 1e-3
    same(found[~tiny], expected[~tiny])
    rooted = ["se", "ci_low", "ci_high", "note", "remarks"]
    same(found[tiny].drop(columns=rooted), expected[tiny].drop(columns=rooted))
    np.testing.assert_allclose(found.loc[tiny, "se"] ** 2, expected.loc[tiny, "se"] ** 2, rtol=1e-12, atol=1e-14)


def same_wherever_it_is_cut(data, options, by):
    frame, places = data
    coders = [name for name in CODERS if name in frame]
    whole = frame.agree.summary(*coders, **options, **by, detail=True)
    agree_but_for_nothing(
        stream(cut(frame, *(min(p, len(frame)) for p in places)), *coders, **options, **by, detail=True), whole
    )
    long = to_long(frame, ("batch",)).sort_values("doc", kind="stable", ignore_index=True)
    whole = long.agree.long(**LONG).summary(**options, **by, detail=True)
    found = stream(cut(long, *(min(p, len(long)) for p in places)), **LONG, **options, **by, detail=True)
    agree_but_for_nothing(found, whole)


ANYTHING = given(data=data_in_pieces(), options=st.sampled_from(CHECKED), by=st.sampled_from([{}, {"by": "batch"}]))
FEW_ITEMS = pytest.mark.filterwarnings("ignore::pandas_agreement.errors.AgreementWarning")


@FEW_ITEMS
@settings(max_examples=10)
@ANYTHING
def test_anything_cut_anywhere(data, options, by):
    same_wherever_it_is_cut(data, options, by)


@pytest.mark.slow
@FEW_ITEMS
@settings(max_examples=100, derandomize=False, print_blob=True)
@ANYTHING
def test_anything_else_cut_anywhere(data, options, by):
    same_wherever_it_is_cut(data, options, by)


# --------------------------------------------------------------------------------------------------- chunks that differ


def test_labels_coders_and_groups_that_come_late():
    long = project_long()
    long["new"] = pd.cut(long.index, [-1, 80, 120, len(long)], labels=False) * 10 + long["hard"]
    long["tag"] = np.where(long["doc"] > 40, long["tag"] + 4, long["tag"])
    long["who"] = np.where(long["doc"] > 30, long["who"] + "_2", long["who"])
    same_long(long, 3, 60, 100, 130, metrics=PLAIN)
    same_long(long, 3, 60, 100, 130, metrics=PLAIN, by="new")
    same_long(long, 3, 60, 100, 130, coders=["ann", "ann_2", "bob"], metrics=PLAIN)
    frame = project().sort_values("batch", ignore_index=True)
    same_wide(frame, 7, 20, 43, metrics=PLAIN, by="batch")


def test_labels_and_groups_of_coders_who_were_not_named_count_as_in_the_whole():
    long = project_long()
    other = long["who"] == "dev"
    long = long[~((long["batch"] == "w3") & ~other)]
    long.loc[other & (long["doc"] % 3 == 0), "tag"] = 9.0
    found, warned = said(
        lambda: stream(cut(long, 11, 40), "bob", "ann", by="batch", metrics=PLAIN, **LONG, detail=True)
    )
    whole, expected = said(
        lambda: long.agree.long(**LONG).summary("bob", "ann", by="batch", metrics=PLAIN, detail=True)
    )
    same(found, whole)
    assert found.index.get_level_values("batch").unique().tolist() == ["w1", "w2", "w3"]
    assert set(found["n_categories"]) == {5}
    assert warned == expected


def test_text_and_missing_in_every_dtype():
    words = {1: "no", 2: "rather no", 3: "rather yes", 4: "yes"}
    frame = project()
    for name in CODERS:
        frame[name] = frame[name].map(words)
    kinds = [frame.astype(dict.fromkeys(CODERS, kind)) for kind in (object, "string", "category", "str", object)]
    kinds[3] = frame
    expected = frame.agree.summary(*CODERS, metrics=PLAIN, detail=True)
    parts = [kind.iloc[start : start + 12] for kind, start in zip(kinds, range(0, 60, 12), strict=True)]
    parts[2] = kinds[1].iloc[24:36]  # a Categorical would declare the categories of all
    same(stream(parts, *CODERS, metrics=PLAIN, detail=True), expected)


def test_integers_in_one_chunk_and_floats_in_the_next():
    frame = project(gaps=0)
    frame.loc[30:, CODERS] = frame.loc[30:, CODERS].mask(np.random.default_rng(0).random((30, 4)) < 0.3)
    parts = cut(frame, 10, 30)
    parts[0] = parts[0].astype(dict.fromkeys(CODERS, "int64"))
    parts[1] = parts[1].astype(dict.fromkeys(CODERS, "Int64"))
    same(stream(parts, *CODERS, metrics=PLAIN, detail=True), frame.agree.summary(*CODERS, metrics=PLAIN, detail=True))
    same(
        stream(parts, *CODERS, weights="linear", detail=True),
        frame.agree.summary(*CODERS, weights="linear", detail=True),
    )


def test_declared_categories():
    dtype = pd.CategoricalDtype(["low", "mid", "high", "extreme"], ordered=True)
    frame = project()
    for name in CODERS:
        frame[name] = frame[name].map(dict(zip([1, 2, 3], dtype.categories, strict=False))).astype(dtype)
    same_wide(frame, 7, 20, 43, metrics=PLAIN)
    same_wide(frame, 7, 20, 43, metrics=WEIGHTED, weights="linear")
    long = to_long(frame, ("batch", "hard")).sort_values("doc", kind="stable", ignore_index=True)
    same_long(long, 11, 40, 100, metrics=["alpha"], level="ordinal")
    same_long(long, 11, 40, 100, coders=["dev", "ann"], metrics=WEIGHTED, weights="linear")
    shorter = long.iloc[40:].assign(tag=long["tag"].iloc[40:].cat.remove_categories("extreme"))
    found = stream([long.iloc[:40], shorter], **LONG, metrics=["s", "ac1"], detail=True)  # the border is within an item
    same(found, long.agree.long(**LONG).summary(metrics=["s", "ac1"], detail=True))


def test_categoricals_of_different_chunks_are_joined():
    long = project_long()
    long["tag"] = long["tag"].map("label {:.0f}".format)
    parts = [part.astype({"tag": "category", "who": "category", "batch": "category"}) for part in cut(long, 3, 8, 41)]
    assert len({part["tag"].dtype for part in parts}) > 1
    whole = long.astype({"tag": "category", "batch": "category"}).agree.long(**LONG)
    same(
        stream(parts, **LONG, by="batch", metrics=PLAIN, detail=True),
        whole.summary(by="batch", metrics=PLAIN, detail=True),
    )
    frame = project().astype(dict.fromkeys(CODERS, "category"))
    parts = [
        part.assign(**{name: part[name].cat.remove_unused_categories() for name in CODERS}) for part in cut(frame, 3)
    ]
    same(stream(parts, *CODERS, metrics=PLAIN, detail=True), frame.agree.summary(*CODERS, metrics=PLAIN, detail=True))


def test_orders_that_contradict_each_other():
    one, two = (pd.CategoricalDtype(list(order), ordered=True) for order in ("abc", "acb"))
    frame = pd.DataFrame({"ann": list("abca"), "bob": list("abcb")})
    with pytest.raises(InputError) as error:
        stream([frame.astype(one), frame.astype(two)], metrics="kappa")
    assert str(error.value) == (
        "The labels of two parts of the data have different types. Give all of them the same dtype, for instance with "
        "read_csv(..., dtype=...): the orders of two columns differ: 'a' < 'c' < 'b' in 'part 2', 'a' < 'b' < 'c' in "
        "'part 1'."
    )
    long = to_long(frame).sort_values("doc", kind="stable", ignore_index=True)
    other = long.iloc[3:].assign(tag=long["tag"].iloc[3:].astype(pd.CategoricalDtype(list("xabc"), ordered=True)))
    with pytest.raises(InputError, match=r"^The labels of two parts of the data have different types\. "):
        stream([long.iloc[:3].astype({"tag": two}), other], metrics="kappa", **LONG)


def test_numbers_in_one_chunk_and_text_in_the_next():
    parts = [pd.DataFrame({"ann": [1, 2], "bob": [2, 2]}), pd.DataFrame({"ann": ["1", "2"], "bob": ["2", "?"]})]
    with pytest.raises(InputError) as error:
        stream(parts, metrics="kappa")
    assert str(error.value) == (
        "The labels of two parts of the data have different types. Give all of them the same dtype, for instance with "
        "read_csv(..., dtype=...): column 'part 1' has the label 1 and column 'part 2' the text '1', which never "
        "agree."
    )


def test_empty_chunks_and_chunks_of_one_row():
    frame, long = project(n_items=8), project_long(n_items=8)
    same_wide(frame, 0, 4, 4, 4, 8, metrics=PLAIN, by="batch")
    same_long(long, 0, 4, 4, 4, len(long), metrics=PLAIN, by="batch")
    same_wide(frame, *range(1, 8), metrics=PLAIN)
    same_long(long, *range(1, len(long)), metrics=PLAIN)
    same_long(long, *range(1, len(long)), coders=["ann", "bob"], metrics=PLAIN)
    untyped = pd.DataFrame(columns=list(long.columns))
    parts = [untyped, long.iloc[:6], untyped, long.iloc[6:], untyped]
    same(stream(parts, **LONG, metrics=PLAIN, detail=True), long.agree.long(**LONG).summary(metrics=PLAIN, detail=True))
    by = {"by": "batch", "metrics": PLAIN}
    same(stream(parts, **LONG, **by, detail=True), long.agree.long(**LONG).summary(**by, detail=True))


@pytest.mark.parametrize("by", [{}, {"by": ["batch", "hard"]}], ids=["no key", "keys"])
@pytest.mark.parametrize("options", CHECKED[1:], ids=str)
def test_nothing_at_all(options, by):
    wide, long = project().iloc[:0], project_long().iloc[:0]
    by = options | by
    found, warned = said(lambda: stream([wide, wide], *CODERS, **by, detail=True))
    expected, why = said(lambda: wide.agree.summary(*CODERS, **by, detail=True))
    same(found, expected)
    assert warned == why
    found, warned = said(lambda: stream([long, long], **by, **LONG, detail=True))
    expected, why = said(lambda: long.agree.long(**LONG).summary(**by, detail=True))
    same(found, expected)
    assert warned == why


def test_the_order_of_chunks_does_not_matter():
    frame = project()
    parts = cut(frame, 7, 20, 43)
    for order in ([3, 1, 0, 2], [2, 3, 1, 0]):
        found = stream([parts[number] for number in order], *CODERS, metrics=PLAIN, by="batch", detail=True)
        same(found, frame.agree.summary(*CODERS, metrics=PLAIN, by="batch", detail=True))


def test_the_same_item_in_two_groups_is_two_items():
    long = project_long()
    twice = pd.concat([long.assign(run="first"), long.assign(run="second")], ignore_index=True)
    same_long(twice, 100, metrics=PLAIN, by="run")


@pytest.mark.parametrize("name", [pd.NA, np.nan, pd.NaT], ids=str)
@pytest.mark.parametrize("column", ["item", "who", "tag", "part"])
def test_a_column_may_have_a_missing_name(column, name):
    plain = pd.DataFrame(
        {"item": [1, 1, 2, 2, 3, 3], "who": list("pq" * 3), "tag": list("xyxxyy"), "part": list("uuvvvv")}
    )
    frame = plain.set_axis(pd.Index([name if one == column else one for one in plain], dtype=object), axis=1)
    roles = dict(zip(("item", "coder", "label", "by"), frame.columns, strict=True))
    found = stream([frame[:3], frame[3:], frame[:0]], metrics="alpha", **roles)
    whole = plain.agree.long(item="item", coder="who", label="tag").alpha(by="part")
    assert found["estimate"].tolist() == whole["estimate"].tolist()


def test_rows_without_an_item_or_a_label():
    long = project_long(n_items=20)
    nothing = pd.DataFrame({"doc": [np.nan], "who": ["ann"], "tag": [np.nan], "batch": ["w1"], "hard": [True]})
    parts = [long.iloc[:7], nothing, long.iloc[7:9], nothing, long.iloc[9:]]
    frame = pd.concat(parts, ignore_index=True)
    same_long(frame, 8, 11, metrics=PLAIN)
    same_long(frame, 8, 11, coders=["ann", "bob"], metrics=PLAIN)
    with pytest.raises(InputError, match=r"^1 row has a label but no 'who' \(the first is row \d\)\. Drop such rows"):
        stream([long.assign(who=long["who"].mask(long.index == 2))], "ann", "bob", **LONG)


# ------------------------------------------------------------------------------------------- duplicates and coming back


@pytest.mark.parametrize("duplicates", ["first", "last"])
def test_duplicates(duplicates):
    long = project_long(n_items=20)
    again = long.iloc[::5].assign(tag=4.0)
    long = pd.concat([long, again]).sort_values("doc", kind="stable", ignore_index=True)
    same_long_options = {"metrics": PLAIN, "by": "batch"}
    for place in (5, 6, 30, 31, 32):
        expected = long.agree.long(**LONG, duplicates=duplicates).summary(**same_long_options, detail=True)
        same(stream(cut(long, place), **LONG, duplicates=duplicates, **same_long_options, detail=True), expected)


def test_repeated_judgments_are_an_error():
    long = project_long(n_items=5, gaps=0)
    repeated = pd.concat([long, long.iloc[[-1]]], ignore_index=True)
    with pytest.raises(InputError) as error:
        stream(cut(repeated, len(long)), **LONG)
    assert str(error.value) == (
        "Judgments are repeated, 1 in all: coder 'dev' labelled item 4 2 times. Keep one with duplicates='first' or "
        "duplicates='last', or compare them with retest()."
    )


BACK = (
    "Item {} comes back after other items. Sort the data by 'doc', or split them so that all rows of an item are in "
    "one chunk."
)
NUMBERS = {
    "int": lambda doc: doc,
    "float": lambda doc: doc.astype(float),
    "Int64": lambda doc: doc.astype("Int64"),
    "int32": lambda doc: doc.astype("int32"),
}
TEXT = {
    "text": lambda doc: doc.astype(str),
    "object": lambda doc: doc.astype(str).astype(object),
    "string": lambda doc: doc.astype("string"),
    "category": lambda doc: doc.astype(str).astype("category"),
}


KINDS_OF_ITEMS = [(one, two) for kinds in (list(NUMBERS), list(TEXT)) for one, two in pairwise([*kinds, kinds[0]])]


@pytest.mark.parametrize(("first", "second"), KINDS_OF_ITEMS)
def test_an_item_that_comes_back_is_an_error(first, second):
    kinds = NUMBERS | TEXT
    long = project_long(n_items=6)
    parts = [long.assign(doc=kinds[first](long["doc"])), long.iloc[:2].assign(doc=kinds[second](long["doc"].iloc[:2]))]
    with pytest.raises(InputError) as error:
        stream(parts, **LONG)
    assert str(error.value) == BACK.format("'0'" if second in TEXT else "0.0" if "float" in (first, second) else "0")


def test_an_item_that_comes_back_among_many(monkeypatch):
    monkeypatch.setattr(streaming, "MAX_REMEMBERED_ITEMS", 16)
    doc = np.arange(2000).repeat(2)
    frame = pd.DataFrame({"doc": doc, "who": np.tile(["ann", "bob"], 2000), "tag": doc % 3})
    parts = cut(frame, *range(400, 4000, 400))
    same(stream(parts, **LONG, detail=True), frame.agree.long(**LONG).summary(detail=True))
    with pytest.raises(InputError) as error:
        stream([*parts, frame.iloc[:3000]], **LONG, detail=True)
    assert str(error.value).partition(" comes back ")[2] == BACK.partition(" comes back ")[2]


# ----------------------------------------------------------------------------------------- undefined, constant, perfect


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("options", [{"missing": "all"}, OPTIONS["log"]], ids=str)
def test_notes_and_warnings(name, options):
    frame = ODD[name]
    coders, options = list(frame.columns), {"metrics": PLAIN} | options
    found, warned = said(lambda: stream(cut(frame, 1, 3), *coders, **options, detail=True))
    expected, why = said(lambda: frame.agree.summary(*coders, **options, detail=True))
    same(found, expected)
    assert warned == why
    long = to_long(frame).sort_values("doc", kind="stable", ignore_index=True)
    found, warned = said(lambda: stream(cut(long, 1, 3), **LONG, **options, detail=True))
    expected, why = said(lambda: long.agree.long(**LONG).summary(**options, detail=True))
    same(found, expected)
    assert warned == why


def test_crowds_and_heavy_items_are_noted_as_in_the_whole():
    frame = pd.DataFrame(np.random.default_rng(1).integers(0, 2, (80, 50)).astype(float)).rename(columns=str)
    frame.iloc[2:, 2:] = np.nan  # two of the 40 items with the first key have most of its labels
    frame["key"] = np.arange(80) // 40
    coders, options = [str(number) for number in range(50)], {"metrics": ["kappa", "alpha"], "by": "key"}
    whole = frame.agree.summary(*coders, **options, detail=True)
    share = 2 * 50 / (2 * 50 + 38 * 2)
    assert whole["remarks"].iloc[0].startswith("crowd")
    assert whole["remarks"].iloc[1:].tolist() == [
        f"5% of items carry {share:.0%} of weight",
        *["no usable label from 2, 3, 4 and 45 more"] * 2,
    ]
    same(stream(cut(frame, 1, 30, 50), *coders, **options, detail=True), whole)
    often = stream(cut(frame.assign(n=2), 1, 30, 50), *coders, frequency="n", **options, detail=True)
    assert often["remarks"].tolist() == whole["remarks"].tolist()


def test_undefined_groups():
    parts = [frame.assign(kind=name) for name, frame in ODD.items() if name != "an idle coder"]
    frame = pd.concat(parts, ignore_index=True)
    coders = ["ann", "bob", "cleo"]
    found, warned = said(lambda: stream(cut(frame, 3, 10, 11), *coders, by="kind", metrics=PLAIN, detail=True))
    expected, why = said(lambda: frame.agree.summary(*coders, by="kind", metrics=PLAIN, detail=True))
    same(found, expected)
    assert found["estimate"].isna().any()
    assert (found["note"] != "").any()
    assert warned == why
    assert len(warned) == 1


def test_the_warning_points_at_the_call():
    with pytest.warns(AgreementWarning) as caught:
        stream([ODD["one category"]], metrics="kappa")
    assert caught[0].filename == __file__


def test_rows_without_a_key_are_told_of():
    frame = project()
    frame.loc[[3, 50], "batch"] = None
    found, warned = said(lambda: stream(cut(frame, 20), *CODERS, by="batch", detail=True))
    expected, why = said(lambda: frame.agree.summary(*CODERS, by="batch", detail=True))
    same(found, expected)
    assert warned == why


# --------------------------------------------------------------------------------------------------- real files, memory


def test_read_csv(tmp_path):
    frame, long = project(), project_long()
    frame.to_csv(tmp_path / "wide.csv", index=False)
    long.to_csv(tmp_path / "long.csv", index=False)
    with pd.read_csv(tmp_path / "wide.csv", chunksize=9) as chunks:
        same(stream(chunks, *CODERS, by="batch", detail=True), frame.agree.summary(*CODERS, by="batch", detail=True))
    types = {"tag": "category", "who": "category"}
    with pd.read_csv(tmp_path / "long.csv", chunksize=9, dtype=types) as chunks:
        same(
            stream(chunks, **LONG, metrics=PLAIN, detail=True),
            long.agree.long(**LONG).summary(metrics=PLAIN, detail=True),
        )


def chunks_from_nowhere(number, long):
    """Chunks of 2000 items that are made as they are asked for."""
    rng = np.random.default_rng(0)
    for start in range(0, 2000 * number, 2000):
        truth = rng.integers(0, 5, 2000)
        labels = {name: np.where(rng.random(2000) < 0.7, truth, rng.integers(0, 5, 2000)) for name in CODERS}
        frame = pd.DataFrame(labels, index=np.arange(start, start + 2000))
        yield to_long(frame).sort_values("doc", kind="stable") if long else frame


def peak(number, long, monkeypatch):
    monkeypatch.setattr(streaming, "MAX_REMEMBERED_ITEMS", 1 << 10)
    columns = LONG if long else {}
    tracemalloc.start()
    try:
        found = stream(chunks_from_nowhere(number, long), **columns, metrics=["kappa", "alpha"])
        assert found["n_items"].tolist() == [2000 * number] * 2
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.parametrize("long", [False, True], ids=["wide", "long"])
def test_memory_does_not_grow(long, monkeypatch):
    peak(1, long, monkeypatch)  # what is imported on the way
    assert peak(50, long, monkeypatch) < 1.5 * peak(5, long, monkeypatch)


def test_chunks_are_read_one_by_one():
    read = []

    def chunks():
        for number, part in enumerate(cut(project(), 20, 40)):
            read.append(number)
            yield part
            del part

    stream(chunks(), *CODERS)
    assert read == [0, 1, 2]


def test_groups_in_a_column_without_a_name() -> None:
    frame = pd.DataFrame([[0, "a", "x", 1], [0, "b", "x", 1], [1, "a", "x", 2], [1, "b", "y", 2]])
    frame.columns = pd.Index(["item", "who", "tag", None])
    names = {"item": "item", "coder": "who", "label": "tag"}
    found = stream([frame.iloc[:2], frame.iloc[2:]], metrics=["observed"], by=[None], **names)
    assert found["estimate"].tolist() == [1.0, 0.0]
