"""Odd inputs and options of a wrong type: a result or an error of this package, and at most one warning."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import AgreementWarning, InputError, scales
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.errors import AgreementError, plain, shown
from tests.data_sets import CODERS, LONG, scores, to_long
from tests.helpers import as_subject, defaults, reach, refuses

EXAMPLE = pandas_agreement.load_example()[["batch", *CODERS]]
COUNTS = pd.DataFrame({"x": [3, 0, 2, 1, 3], "y": [0, 3, 1, 2, 0]})
YES_NO = COUNTS.set_axis([True, False], axis=1)
SCORES = scores(30, 3, gaps=0)
NEEDS_CODERS = (
    "{} needs the coder of each label, which these data do not contain. Use pi, alpha, ac1, s or icc_1, or give the "
    "data as df.agree.long(item=..., coder=..., label=...)."
)


def warned(call: Callable[[], Any]) -> list[str]:
    """What a call warns of, which is of this package."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(isinstance(one.message, AgreementWarning) for one in caught)
    return [str(one.message) for one in caught]


# ------------------------------------------------------------------------------------------------------------ formats


def test_counts_of_true_and_false() -> None:
    expected = COUNTS.agree.counts().pi()["estimate"].item()
    assert YES_NO.agree.counts().pi()["estimate"].item() == pytest.approx(expected)
    grouped = YES_NO.groupby([1, 1, 1, 1, 1]).agree.counts().pi()["estimate"].item()
    assert grouped == pytest.approx(expected)
    keyed = YES_NO.assign(batch=1).agree.counts().pi(by="batch")["estimate"].item()
    assert keyed == pytest.approx(expected)


@pytest.mark.parametrize("metric", ["kappa", "bias", "light_kappa", "conditional_kappa"])
def test_categories_of_counts_that_need_the_coders(metric: str) -> None:
    with refuses(InputError, NEEDS_CODERS.format(as_subject(metric))):
        COUNTS.agree.counts().by_category(metrics=["rate", metric])


@pytest.mark.parametrize("metric", [name for name, record in REGISTRY.items() if record.needs_numbers])
@pytest.mark.parametrize("method", ["by_item", "disagreements"])
def test_items_of_coefficients_of_scores(metric: str, method: str) -> None:
    start = as_subject(metric)
    with pytest.raises(InputError, match=rf"^{start} has no influence values\. Use one of 'observed'"):
        getattr(SCORES.agree, method)(metrics=metric)


class Unordered:
    """A label without an order."""


A, B = Unordered(), Unordered()
MIXED = {
    "decimals": [Decimal(1), Decimal("2.5"), Decimal(3)] * 10,
    "kinds": [1, "1", "a", (1, 2), 1, "a"] * 5,
    "objects": [A, B, A, 3 + 1j, B, A] * 5,
    "sets": [frozenset("a"), frozenset("ab"), "a", frozenset("a"), "a", "a"] * 5,
}


@pytest.mark.parametrize("labels", MIXED.values(), ids=MIXED)
@pytest.mark.parametrize("method", ["diagnose", "report", "by_category", "by_item", "by_coder", "test.margins"])
def test_labels_that_cannot_be_sorted(labels: list[Any], method: str) -> None:
    frame = pd.DataFrame({"ann": labels, "bob": labels[::-1], "cleo": labels[1:] + labels[:1]}, dtype=object)
    given = {"pictures": False} if method == "report" else {}
    assert len(warned(lambda: reach(frame.agree, method)("ann", "bob", "cleo", **given))) <= 1


# -------------------------------------------------------------------------------------------------------------- names


def test_arrow_dictionaries_with_a_null_as_keys() -> None:
    pa = pytest.importorskip("pyarrow")
    places = pa.array(np.arange(len(EXAMPLE)) % 3, pa.int32())
    array = pa.chunked_array([pa.DictionaryArray.from_arrays(places, pa.array(["p", "q", None]))])
    keys = pd.Series(pd.arrays.ArrowExtensionArray(array), index=EXAMPLE.index)
    frame = EXAMPLE[CODERS].assign(site=keys)
    plain_keys = EXAMPLE[CODERS].assign(site=np.array(["p", "q", None], object)[np.arange(len(EXAMPLE)) % 3])
    for by in ("site", ["site", lambda row: row % 2]):
        with pytest.warns(AgreementWarning, match="200 of 600 rows have no group key"):
            found = frame.agree.alpha(*CODERS, by=by)
        with pytest.warns(AgreementWarning, match="200 of 600 rows have no group key"):
            expected = plain_keys.agree.alpha(*CODERS, by=by)
        assert found["estimate"].tolist() == expected["estimate"].tolist()
        assert found.index.tolist() == expected.index.tolist()


@pytest.mark.parametrize("name", [np.nan, None, pd.NA, pd.NaT], ids=str)
def test_keys_and_coders_that_are_called_nan(name: Any) -> None:
    frame = EXAMPLE.copy()
    frame.columns = pd.Index([name, *CODERS], dtype=object)
    expected = EXAMPLE.agree.alpha(*CODERS, by="batch")["estimate"].tolist()
    if name is not None:  # by=None means no groups
        assert frame.agree.alpha(*CODERS, by=name)["estimate"].tolist() == expected
        found = frame.agree.alpha(*CODERS, by=[name])
        assert (found["estimate"].tolist(), found.index.names[0]) == (expected, "group")
        assert frame.agree.diagnose(*CODERS, by=name).index.names[0] == "group"
    labels = EXAMPLE[CODERS].set_axis(pd.Index([name, *CODERS[1:]], dtype=object), axis=1)
    if name is pd.NA:
        with refuses(InputError, "A coder is called <NA>, which cannot be compared. Rename the column."):
            labels.agree.kappa()
        return
    for method in ("kappa", "alpha", "by_pair", "by_coder", "margins", "confusion", "test.margins", "by_item"):
        chosen = (name, CODERS[1]) if method == "confusion" else (name, *CODERS[1:])
        assert len(warned(lambda method=method, chosen=chosen: reach(labels.agree, method)(*chosen))) <= 1
    long = to_long(EXAMPLE[CODERS].reset_index(drop=True)).assign(**{LONG["coder"]: None})
    with pytest.raises(AgreementError):
        long.agree.long(**LONG).kappa(name, "bob")
    with pytest.raises(AgreementError):
        pandas_agreement.stream([long], name, "bob", **LONG)


def test_tuples_among_the_names_of_coders() -> None:
    frame = EXAMPLE[CODERS].set_axis(pd.Index([("a", 1), "x", 2, 1.5], dtype=object, tupleize_cols=False), axis=1)
    assert not warned(frame.agree.by_pair)
    assert frame.agree.by_pair().index.get_level_values("coder_1")[0] == ("a", 1)


# ------------------------------------------------------------------------------------------------------------ options

WRONG: list[Any] = [[], {}, {1, 2}, ["x"], [[]], object(), len, np.zeros(3), np.zeros((2, 2)), pd.Series([1, 2])]
WRONG += [
    pd.DataFrame({"a": [1]}),
    pd.NA,
    pd.NaT,
    float("nan"),
    float("inf"),
    10**400,
    1j,
    b"x",
    (),
    np.array(["kappa"]),
]
CALLS: dict[str, Callable[[Any], Any]] = {
    **{
        f"kappa {name}": lambda value, name=name: EXAMPLE.agree.kappa(*CODERS, **{name: value})
        for name in ("by", "weights", "pool", "categories", "missing", "ci", "method", "clusters")
    },
    **{
        f"test.chance {name}": lambda value, name=name: EXAMPLE.agree.test.chance(
            "ann", "bob", **({"method": "permutation", "n_resamples": 100} | {name: value})
        )
        for name in ("n_resamples", "rng", "progress")
    },
    **{
        f"scales {make.__name__}": lambda value, make=make: EXAMPLE.agree.kappa(*CODERS, weights=make(value))
        for make in (scales.circular, scales.bipolar, scales.within, scales.positions)
    },
    "alpha level": lambda value: EXAMPLE.agree.alpha(*CODERS, level=value),
    "alpha sep": lambda value: EXAMPLE.agree.alpha(*CODERS, level="jaccard", sep=value),
    "long duplicates": lambda value: to_long(SCORES).agree.long(**LONG, duplicates=value).kappa(),
    "long item": lambda value: to_long(SCORES).agree.long(**(LONG | {"item": value})).kappa(),
    "limits share": lambda value: SCORES.agree.bland_altman(share=value),
    "limits ci": lambda value: SCORES.agree.bland_altman(ci=value),
    "disagreements n": lambda value: SCORES.agree.disagreements(n=value),
    "confusion": lambda value: SCORES.agree.confusion(value),
    "kappa": lambda value: SCORES.agree.kappa(value, "bob"),
    "compare": lambda value: SCORES.agree.compare(value, ["ann", "bob"]),
    "compare metrics": lambda value: SCORES.agree.compare(["ann", "bob"], ["ann", "cleo"], metrics=value),
    "compare alternative": lambda value: SCORES.agree.compare(["ann", "bob"], ["ann", "cleo"], alternative=value),
    "compare common": lambda value: SCORES.agree.compare(["ann", "bob"], ["ann", "cleo"], common=value),
    "summary metrics": lambda value: SCORES.agree.summary(metrics=value),
    "by_category metrics": lambda value: SCORES.agree.by_category(metrics=value),
    "test.chance method": lambda value: SCORES.agree.test.chance(method=value, n_resamples=100),
    "icc form": lambda value: SCORES.agree.icc(form=value),
    "test.margins tests": lambda value: SCORES.agree.test.margins(tests=value),
    "report title": lambda value: SCORES.agree.report(title=value, pictures=False),
    "report benchmark": lambda value: SCORES.agree.report(benchmark=value, pictures=False),
    "report at_least": lambda value: SCORES.agree.report(at_least=value, pictures=False),
    "report n": lambda value: SCORES.agree.report(n=value, pictures=False),
    "stream metrics": lambda value: pandas_agreement.stream([SCORES], metrics=value),
    "stream by": lambda value: pandas_agreement.stream([SCORES], "ann", "bob", by=value),
    "stream coder": lambda value: pandas_agreement.stream([SCORES], value, "bob"),
    "stream chunks": lambda value: pandas_agreement.stream(value),
}


def _refused(call: Callable[[], Any]) -> str | None:
    """The message of an error of this package, or None if there is a result."""
    try:
        call()
    except AgreementError as error:
        return str(error)
    return None


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_values_of_a_wrong_type(call: Callable[[Any], Any]) -> None:
    for value in WRONG:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a warning of another package would be an error
            warnings.simplefilter("ignore", AgreementWarning)
            message = _refused(lambda value=value: call(value))
        assert message is None or "np." not in message, value


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: EXAMPLE.agree.kappa(*CODERS, missing=[]), "missing=[] is not known. Use one of 'pairable'"),
        (lambda: SCORES.agree.bland_altman(share=None), "share=None must lie between 0 and 1: the share of the diff"),
        (lambda: SCORES.agree.confusion(SCORES["ann"]), "Coders are given one by one, not as a Series: write the name"),
        (lambda: SCORES.agree.kappa(("ann", []), "bob"), "Coders are given one by one, not as a tuple: write the name"),
        (lambda: SCORES.agree.kappa(ci=10**400), "ci=1000000"),
        (lambda: SCORES.agree.summary(metrics=[["kappa"]]), "metrics=[['kappa']] must be a name or a list of names."),
        (lambda: SCORES.agree.disagreements(n=True), "n=True must be a whole number above 0: how many to show."),
        (lambda: SCORES.agree.kappa(clusters=np.zeros((30, 2))), "clusters="),
    ],
)
def test_the_message_names_the_option(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value).startswith(message)


# ----------------------------------------------------------------------------------------------------------- warnings


def test_one_warning_says_everything() -> None:
    dtype = pd.CategoricalDtype(["low", "Low", "high"], ordered=True)
    frame = pd.DataFrame({"ann": ["low", "Low", "high", "low"] * 3, "bob": ["low", "high", "high", "Low"] * 3})
    frame = frame.assign(batch=["p", "p", None, "q"] * 3).astype({"ann": dtype, "bob": dtype})
    (message,) = warned(lambda: frame.agree.alpha("ann", "bob", level="ratio", by="batch"))
    assert message.count(". Also: ") == 1
    assert "3 of 12 rows have no group key" in message
    assert "which have no zero" in message
    with pytest.warns(AgreementWarning) as caught:
        frame.agree.alpha("ann", "bob", level="ratio", by="batch")
    found = caught[0].message.facts["remarks"]
    assert [remark.code for remark in found] == ["rows without a group", "ratio of positions"]


def test_several_readings_of_a_call_say_it_once() -> None:
    frame = pd.DataFrame({"ann": ["a", "A", "b", "b"] * 4, "bob": ["a", "a", "B", "b"] * 4, "cleo": ["a", "b"] * 8})
    calls: list[Callable[[], Any]] = [
        lambda: frame.agree.compare(["ann", "bob"], ["bob", "ann"], metric="pi"),
        lambda: frame.assign(g=[1, 2] * 8).agree.pooled("ann", "bob", by="g"),
        lambda: frame.agree.summary("ann", "bob", weights=np.array([[1, 0.5, 0, 0], *np.eye(4)[1:]])),
    ]
    for call in calls:
        (message,) = warned(call)
        assert message.count("differ only in case") == 1
    (message,) = warned(lambda: frame.agree.by_coder("ann", "bob", "cleo"))
    assert message.count("4 labels differ only in case") == 1


def test_a_warning_is_given_beside_an_error() -> None:
    frame = pd.DataFrame({"ann": [1, 2, "a"] * 4, "bob": [1, 2, 2] * 4})
    with pytest.warns(AgreementWarning, match="different kinds"), pytest.raises(AgreementError):
        frame.agree.kappa("ann", "bob", weights="linear")


def test_streamed_labels_are_compared_once_and_all_together() -> None:
    parts = [pd.DataFrame({"ann": [a, a] * 4, "bob": [a, b] * 4}) for a, b in (("x", "y"), ("X", "y"), ("x ", "z"))]
    (message,) = warned(lambda: pandas_agreement.stream(parts, "ann", "bob", metrics="kappa"))
    (expected,) = warned(lambda: pd.concat(parts).agree.kappa("ann", "bob"))
    assert message == expected
    assert "'X', 'x' and 'x '" in message or "'X' and 'x' and 'x '" in message


def test_streamed_kinds_of_labels_and_positions_are_told_once() -> None:
    parts = [pd.DataFrame({"ann": [1, 2, "a"] * 4, "bob": [1, 2, "a"] * 4}) for _ in range(3)]
    (message,) = warned(lambda: pandas_agreement.stream(parts, "ann", "bob", metrics="kappa"))
    assert "Labels of different kinds are compared" in message
    dtype = pd.CategoricalDtype(["low", "high"], ordered=True)
    parts = [pd.DataFrame({"ann": ["low", "high"] * 4, "bob": ["low", "low"] * 4}).astype(dtype) for _ in range(3)]
    (message,) = warned(lambda: pandas_agreement.stream(parts, "ann", "bob", metrics="alpha", level="ratio"))
    assert "which have no zero" in message


def test_arithmetic_does_not_warn() -> None:
    frame = pd.DataFrame({"ann": [1e308, -1e308, 1.0, 2.0] * 3, "bob": [1e308, 1e308, 1.0, 2.0] * 3})
    for name, record in REGISTRY.items():
        if record.needs_numbers:
            assert len(warned(lambda name=name: getattr(frame.agree, name)("ann", "bob", **defaults(name)))) <= 1


# ----------------------------------------------------------------------------------------------------------- messages


def test_numbers_of_numpy_are_shown_as_those_of_python() -> None:
    assert (shown(np.int64(3)), shown(np.float64(0.5)), shown(np.bool_(True)), shown(np.str_("a"))) == (
        "3",
        "0.5",
        "True",
        "'a'",
    )
    assert shown((np.int64(3), [np.int64(1)])) != "", "a list within a tuple stays as it is"
    assert shown([np.int64(3)] * 2) == "[3, 3]"
    assert plain(np.datetime64("2026-01-01")) == np.datetime64("2026-01-01")
    assert len(shown("x" * 1000)) == 200


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: SCORES.agree.kappa(np.int64(3), "bob"), "No column 3. There are: 'ann', 'bob', 'cleo'."),
        (
            lambda: pd.DataFrame({1: [1, -1]}, index=[10, 20]).agree.counts().pi(),
            "A table of counts holds whole numbers of 0 or more, and the cell in row 20, column 1 is -1.",
        ),
        (
            lambda: (
                to_long(SCORES)
                .assign(**{LONG["item"]: lambda df: df[LONG["item"]].where(df.index != 4)})
                .set_axis([f"r{i}" for i in range(90)])
                .agree.long(**LONG)
                .kappa()
            ),
            f"1 row has a label but no {LONG['item']!r} (the first is row 'r4')",
        ),
    ],
)
def test_messages_name_rows_by_their_labels_and_show_plain_numbers(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(AgreementError) as caught:
        call()
    assert str(caught.value).startswith(message)


# ---------------------------------------------------------------------------------------------------------- estimates


def test_each_group_has_its_own_kind_of_interval() -> None:
    frame = SCORES.assign(g=[0] * 15 + [1] * 15)
    frame.loc[20, "bob"] = np.nan
    found = frame.agree.icc_a1("ann", "bob", "cleo", by="g", detail=True)
    assert found["ci_method"].tolist() == ["F", "profile likelihood"]
    frame.loc[frame["g"] == 1, "bob"] = np.nan
    with pytest.warns(AgreementWarning, match="1 of 2 estimates is undefined"):
        two = frame.agree.ccc("ann", "bob", by="g")
    alone = frame[frame["g"] == 0].agree.ccc("ann", "bob")
    assert two["ci_low"].iloc[0] == pytest.approx(alone["ci_low"].iloc[0])


def test_items_without_a_group_keep_the_dtypes() -> None:
    frame = EXAMPLE.assign(batch=EXAMPLE["batch"].where(EXAMPLE.index > 5))
    with pytest.warns(AgreementWarning, match="no group key"):
        found = frame.agree.by_item(*CODERS, by="batch")
    assert found["tie"].dtype == bool
    assert found["n_labels"].iloc[:6].tolist() == [0] * 6


def test_findings_about_all_labels_stand_without_any_group() -> None:
    """Spellings are found in the declared categories, also where no item belongs to a group."""
    labels = pd.CategoricalDtype(["bug", "Bug"])
    frame = pd.DataFrame({"ann": [], "bob": [], "g": []}).astype({"ann": labels, "bob": labels})
    found = frame.agree.diagnose("ann", "bob", by="g")
    assert found.index.names == ["g", "finding"]


def test_a_declared_category_that_is_no_set_is_one_label() -> None:
    frame = pd.DataFrame({"ann": ["x|y", "x", "y", "x"], "bob": ["x", "x", "y", "x|y"]})
    categories = [frozenset("x"), frozenset("y"), frozenset("xy"), "more"]
    with pytest.warns(AgreementWarning, match="undefined"):
        found = frame.agree.by_category(sep="|", categories=categories)
    assert "more" in found.index.get_level_values("category")


def test_pairs_cannot_be_drawn_without_labels() -> None:
    frame = pd.DataFrame({"item": [1, 2], "who": ["ann", "bob"], "tag": [None, None]})
    with pytest.warns(AgreementWarning, match="undefined"):
        found = frame.agree.long(item="item", coder="who", label="tag").alpha(method="kalpha", rng=1, n_resamples=100)
    assert np.isnan(found["estimate"].item())


def test_p_values_of_no_coefficient() -> None:
    frame = pd.DataFrame({"ann": list("xxy"), "bob": list("xyy")})
    with pytest.raises(InputError, match=r"^metrics= is empty\. Name at least one coefficient"):
        frame.agree.test.chance(metrics=[])


def test_data_without_labels_or_groups_have_empty_results() -> None:
    gaps = pd.DataFrame({"a": [None, None], "b": [None, None], "c": [None, None], "d": [None, None]}, dtype=object)
    judged = pd.DataFrame({"item": [1, 1, 2, 2], "who": ["a", "b"] * 2, "tag": [1, 2, 1, 1]})
    grouped = judged.groupby(np.array([np.nan] * 4)).agree.long(item="item", coder="who", label="tag")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)
        camps = gaps.agree.coder_groups({"p": ["a", "b"], "q": ["c", "d"]})
        assert camps.within(by_category=True).empty
        assert camps.across(by_category=True).empty
        assert gaps.agree.judges("a", humans=["b"]).corrected_rate(design="random").empty
        assert grouped.by_category(metrics=["light_kappa"]).empty
        assert "interval" not in "".join(grouped.diagnose(weights="quadratic", detail=True)["evidence"])


def test_names_and_labels_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(AgreementError):
        EXAMPLE.agree.consensus(pd.DataFrame({"a": [1]}))
    verdicts = pd.DataFrame({"a": ["x"], "b": ["y"], "won": ["x"]})
    with pytest.raises(InputError, match="must be a label or a list of labels"):
        verdicts.agree.preferences(first="a", second="b", winner="won", tie=pd.NA)


def test_an_iterator_of_categories_is_read_as_often_as_needed() -> None:
    given = ["bug", "complaint", "question", "request", "other"]
    for call in (
        lambda categories: EXAMPLE.agree.ac1("ann", "bob", by="batch", overall=True, categories=categories),
        lambda categories: EXAMPLE.agree.compare(["ann", "bob"], ["ann", "dev"], metrics="s", categories=categories),
    ):
        pd.testing.assert_frame_equal(call(iter(given)), call(given))


@pytest.mark.parametrize("option", ["weights", "level"])
def test_a_matrix_with_rows_of_different_lengths_is_refused(option: str) -> None:
    method = EXAMPLE.agree.kappa if option == "weights" else EXAMPLE.agree.alpha
    problem = f"{option}= is a matrix whose rows have different lengths"
    with refuses(InputError, f"{problem}. Give one row and one column per category."):
        method("ann", "bob", **{option: [[1, 0], [0, 1, 2]]})
