"""The contract of results: their index, columns, notes and attrs, and how they fit a screen and other frames."""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import pandas_agreement
from pandas_agreement import AgreementWarning, InputError, scales
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.core.remarks import GRAVITY
from tests.data_sets import CODERS, LONG, scores, to_counts, to_long
from tests.helpers import defaults, none_of

EXAMPLE = pandas_agreement.load_example()
SHOWN = ["estimate", "ci_low", "ci_high", "se", "observed", "expected", "n_items", "note"]
DETAIL = ["coefficient", "weights", "missing", "ci_method", "ci_level", "n_coders", "n_categories", "remarks"]
Call = Callable[..., Any]

# ---------------------------------------------------------------------------------------------- columns and the index


@pytest.mark.parametrize("name", REGISTRY)
def test_columns_of_a_coefficient(name: str) -> None:
    frame = scores(40, 2, gaps=0).assign(batch=["x", "y"] * 20)
    method, needs = getattr(frame.agree, name), defaults(name)
    found = method("ann", "bob", by="batch", **needs)
    assert list(found.columns) == SHOWN
    assert found.dtypes.tolist()[:-1] == ["float64"] * 6 + ["int64"]
    full = method("ann", "bob", by="batch", detail=True, **needs)
    assert list(full.columns)[: len(SHOWN) + len(DETAIL)] == SHOWN + DETAIL
    assert set(full["coefficient"]) == {name}
    assert_frame_equal(full[SHOWN], found)
    alone = method("ann", "bob", detail=True, **needs)
    assert list(alone.columns)[: len(SHOWN) + len(DETAIL) - 1] == [c for c in SHOWN + DETAIL if c != "coefficient"]


INDEX: dict[str, tuple[Call, list[str]]] = {
    "alone": (lambda a: a.kappa("ann", "bob"), ["coefficient"]),
    "by": (lambda a: a.kappa("ann", "bob", by="batch"), ["batch"]),
    "two keys": (lambda a: a.kappa("ann", "bob", by=["batch", "item"], ci=None), ["batch", "item"]),
    "no name": (lambda a: a.kappa("ann", "bob", by=EXAMPLE["batch"].tolist()), ["group"]),
    "overall": (lambda a: a.kappa("ann", "bob", by="batch", overall=True), ["batch"]),
    "detail": (lambda a: a.kappa("ann", "bob", by="batch", detail=True), ["batch"]),
    "summary": (lambda a: a.summary(*CODERS), ["coefficient"]),
    "summary by": (lambda a: a.summary(*CODERS, by="batch"), ["batch", "coefficient"]),
    "summary of a name": (lambda a: a.summary(*CODERS, metrics="pi", by="batch"), ["batch", "coefficient"]),
    "summary of a list": (lambda a: a.summary(*CODERS, metrics=["pi"], by="batch"), ["batch", "coefficient"]),
    "pairs": (lambda a: a.by_pair(*CODERS), ["coder_1", "coder_2"]),
    "pairs of a name": (lambda a: a.by_pair(*CODERS, metric="pi", by="batch"), ["batch", "coder_1", "coder_2"]),
    "pairs of a list": (lambda a: a.by_pair(*CODERS, metrics=["pi"]), ["coder_1", "coder_2", "coefficient"]),
    "categories": (lambda a: a.by_category(*CODERS), ["category"]),
    "categories by": (lambda a: a.by_category(*CODERS, by="batch"), ["batch", "category"]),
    "categories, a list": (lambda a: a.by_category(*CODERS, metrics=["rate"]), ["category", "coefficient"]),
    "pooled": (lambda a: a.pooled("ann", "bob", by="batch", metrics=["pi"]), ["pooling", "coefficient"]),
    "chance": (lambda a: a.test.chance("ann", "bob", metrics="kappa"), ["coefficient"]),
    "chance by": (lambda a: a.test.chance("ann", "bob", by="batch"), ["batch", "coefficient"]),
    "groups": (lambda a: a.test.groups("ann", "bob", by="batch"), ["test"]),
    "groups, a list": (lambda a: a.test.groups("ann", "bob", by="batch", metrics=["pi"]), ["test", "coefficient"]),
    "compare": (lambda a: a.compare(["ann", "bob"], ["ann", "cleo"]), ["first", "second"]),
    "compare groups": (lambda a: a.compare("ann", "bob", by="batch"), ["first", "second"]),
    "compare groups, a list": (
        lambda a: a.compare("ann", "bob", by="batch", metrics=["pi"]),
        ["first", "second", "coefficient"],
    ),
    "compare coefficients": (lambda a: a.compare("ann", "bob", metrics=["pi", "kappa"]), ["first", "second"]),
    "within": (lambda a: a.coder_groups({"x": ["ann", "bob"], "y": ["cleo", "dev"]}).within(), ["coder_group"]),
    "versus": (lambda a: a.judges("dev", humans=["ann", "bob"]).versus_humans(by="batch"), ["batch", "judge"]),
}


@pytest.mark.parametrize("case", INDEX)
def test_the_index_says_what_distinguishes_rows(case: str) -> None:
    call, names = INDEX[case]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)  # one item has no estimate
        found = call(EXAMPLE.agree)
    assert list(found.index.names) == names
    assert found.index.is_unique
    assert "estimate" not in found or found["estimate"].dtype == "float64"


def test_icc_lists_its_forms_and_one_of_them_is_no_level() -> None:
    frame = scores(40, 3, gaps=0).assign(batch=["x", "y"] * 20)
    coders = ["ann", "bob", "cleo"]
    assert frame.agree.icc(*coders, by="batch").index.names == ["batch", "coefficient"]
    assert frame.agree.icc(*coders, form="A1", by="batch").index.names == ["batch"]
    assert frame.agree.icc(*coders, form="A1").index.tolist() == ["icc_a1"]


@pytest.mark.parametrize("key", ["2026-w01", "2026-w04"])
def test_a_key_gives_a_number(key: str) -> None:
    found = EXAMPLE.agree.kappa("ann", "bob", by="batch")
    number = found.loc[key, "estimate"]
    assert isinstance(number, float)
    part = EXAMPLE[EXAMPLE["batch"] == key]
    assert number == pytest.approx(part.agree.kappa("ann", "bob")["estimate"].item(), rel=1e-12)
    assert isinstance(EXAMPLE.agree.kappa("ann", "bob").loc["kappa", "estimate"], float)


def test_results_are_joined_to_the_frame() -> None:
    result = EXAMPLE.agree.kappa("ann", "bob", by="batch")
    expected = EXAMPLE["batch"].map(result["estimate"])
    merged = EXAMPLE.merge(result, left_on="batch", right_index=True)
    assert len(merged) == len(EXAMPLE)
    assert merged["estimate"].sort_index().tolist() == expected.tolist()
    assert EXAMPLE.join(result, on="batch")["estimate"].tolist() == expected.tolist()


# --------------------------------------------------------------------------------------------------- groupby and keys

#: methods with group keys, as functions of the way in
GROUPED: dict[str, Call] = {
    "kappa": lambda a, **by: a.kappa("ann", "bob", **by),
    "kappa, details": lambda a, **by: a.kappa("ann", "bob", detail=True, **by),
    "summary": lambda a, **by: a.summary(*CODERS, **by),
    "by_category": lambda a, **by: a.by_category(*CODERS, **by),
    "by_pair": lambda a, **by: a.by_pair(*CODERS, **by),
    "by_coder": lambda a, **by: a.by_coder(*CODERS, **by),
    "margins": lambda a, **by: a.margins(*CODERS, **by),
    "confusion": lambda a, **by: a.confusion("ann", "bob", **by),
    "diagnose": lambda a, **by: a.diagnose(*CODERS, **by),
    "test.chance": lambda a, **by: a.test.chance(*CODERS, **by),
    "test.margins": lambda a, **by: a.test.margins(*CODERS, **by),
    "compare": lambda a, **by: a.compare(["ann", "bob"], ["ann", "cleo"], **by),
    "versus_humans": lambda a, **by: a.judges("dev", humans=CODERS[:3]).versus_humans(**by),
    "error_rates": lambda a, **by: a.judges("dev", humans=CODERS[:3]).error_rates(reference="majority", **by),
    "within": lambda a, **by: a.coder_groups({"x": ["ann", "bob"], "y": ["cleo", "dev"]}).within(**by),
    "truth.by_coder": lambda a, **by: a.truth(*CODERS, **by).by_coder(),
    "truth.shares": lambda a, **by: a.truth(*CODERS, **by).shares(),
}


@pytest.mark.parametrize("name", GROUPED)
def test_a_key_with_a_name_of_the_result_is_refused_with_the_rename(name: str) -> None:
    call = GROUPED[name]
    result = call(EXAMPLE.agree, by="batch")
    levels = [level for level in result.index.names[1:] if level not in CODERS]
    columns = [column for column in result.columns if name != "confusion"]
    for taken in [*levels, *columns]:
        frame = EXAMPLE.rename(columns={"batch": taken})
        for agree, by in ((frame.agree, {"by": taken}), (frame.groupby(taken, as_index=False).agree, {})):
            with pytest.raises(InputError) as caught:
                call(agree, **by)
            assert str(caught.value).startswith(f"A group key cannot be called {taken!r}, as ")
            assert f"df.rename(columns={{{taken!r}: '{taken}_key'}})" in str(caught.value)
            assert caught.value.option == "by"


# ---------------------------------------------------------------------------------------------------------------- csv

#: results, and the levels of their index
TABLES: dict[str, tuple[Call, list[str]]] = {
    "kappa": (lambda a: a.kappa("ann", "bob", by="batch"), ["batch"]),
    "summary": (lambda a: a.summary(*CODERS, by="batch"), ["batch", "coefficient"]),
    "by_category": (lambda a: a.by_category(*CODERS), ["category"]),
    "by_pair": (lambda a: a.by_pair(*CODERS), ["coder_1", "coder_2"]),
    "by_coder": (lambda a: a.by_coder(*CODERS), ["coder"]),
    "margins": (lambda a: a.margins(*CODERS), ["coder", "category"]),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.filterwarnings("ignore:'str' is not supported as a fill value")  # pandas 3: a column of empty notes
def test_results_survive_a_csv_file(name: str, constant: bool) -> None:
    call, levels = TABLES[name]
    frame = EXAMPLE.assign(ann="bug") if constant else EXAMPLE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)
        result = call(frame.agree)
    found = pd.read_csv(io.StringIO(result.to_csv()), index_col=levels).fillna({"note": ""})
    text = result.select_dtypes(exclude="number").columns
    found = found.astype({column: result[column].dtype for column in text})  # a csv file does not hold dtypes of text
    assert_frame_equal(found, result, rtol=1e-14, check_index_type=False)


# -------------------------------------------------------------------------------------------------------------- attrs

FACTS = ["version", "result", "coefficient", "weights", "missing", "ci_level", "method"]
JUDGES = EXAMPLE.agree.judges("dev", humans=CODERS[:3])
CAMPS = EXAMPLE.agree.coder_groups({"x": ["ann", "bob"], "y": ["cleo", "dev"]})
VERDICTS = pd.DataFrame({"a": list("xxyyzz") * 3, "b": list("yzzxxy") * 3, "won": list("xxzxzy") * 3})
PREFERENCES = VERDICTS.agree.preferences(first="a", second="b", winner="won")
TRUTH = EXAMPLE.agree.truth(*CODERS, method="one_coin", gold=EXAMPLE["ann"].head(30))
NUMBERS = scores(40, 3, gaps=0)
#: every public method, and the name that it notes
METHODS: dict[str, Call] = {
    **{name: lambda name=name: getattr(NUMBERS.agree, name)(**defaults(name)) for name in REGISTRY},
    "icc": lambda: NUMBERS.agree.icc(),
    "summary": lambda: EXAMPLE.agree.summary(*CODERS),
    "bland_altman": lambda: NUMBERS.agree.bland_altman(),
    "by_category": lambda: EXAMPLE.agree.by_category(*CODERS),
    "by_coder": lambda: EXAMPLE.agree.by_coder(*CODERS),
    "by_pair": lambda: EXAMPLE.agree.by_pair(*CODERS),
    "by_item": lambda: EXAMPLE.agree.by_item(*CODERS),
    "disagreements": lambda: EXAMPLE.agree.disagreements(*CODERS),
    "confusion": lambda: EXAMPLE.agree.confusion("ann", "bob"),
    "margins": lambda: EXAMPLE.agree.margins(*CODERS),
    "retest": lambda: NUMBERS.agree.retest({"x": ["ann", "bob"]}),
    "diagnose": lambda: EXAMPLE.agree.diagnose(*CODERS),
    "compare": lambda: EXAMPLE.agree.compare(["ann", "bob"], ["ann", "cleo"]),
    "pooled": lambda: EXAMPLE.agree.pooled(*CODERS, by="batch"),
    "consensus": lambda: EXAMPLE.agree.consensus(*CODERS),
    "test.chance": lambda: EXAMPLE.agree.test.chance(*CODERS),
    "test.margins": lambda: EXAMPLE.agree.test.margins(*CODERS),
    "test.groups": lambda: EXAMPLE.agree.test.groups(*CODERS, by="batch"),
    "versus_humans": lambda: JUDGES.versus_humans(),
    "accuracy": lambda: JUDGES.accuracy(reference="majority"),
    "ceilings": lambda: JUDGES.ceilings(),
    "alt_test": lambda: JUDGES.alt_test(epsilon=0.1),
    "error_rates": lambda: JUDGES.error_rates(reference="majority"),
    "corrected_rate": lambda: EXAMPLE.agree.judges("dev", humans=["ann"]).corrected_rate(design="random"),
    "within": lambda: CAMPS.within(),
    "across": lambda: CAMPS.across(),
    "coder_groups.compare": lambda: CAMPS.compare(),
    "strengths": lambda: PREFERENCES.strengths(),
    "position_bias": lambda: PREFERENCES.position_bias(),
    "win_rate": lambda: PREFERENCES.win_rate(),
    "truth.by_item": lambda: TRUTH.by_item(),
    "truth.by_coder": lambda: TRUTH.by_coder(),
    "truth.confusions": lambda: TRUTH.confusions(),
    "truth.shares": lambda: TRUTH.shares(),
    "truth.summary": lambda: TRUTH.summary(),
    "truth.qualify": lambda: TRUTH.qualify(),
    "truth.queue": lambda: TRUTH.queue(n=3),
    "long": lambda: to_long(NUMBERS).agree.long(**LONG).alpha(),
    "counts": lambda: to_counts(NUMBERS, [1, 2, 3, 4]).agree.counts().pi(),
    "stream": lambda: pandas_agreement.stream([NUMBERS], metrics="alpha"),
}


@pytest.mark.parametrize("name", METHODS)
def test_attrs_hold_facts_that_are_json(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)
        result = METHODS[name]()
    known = result.attrs["agree"]
    assert list(known) == FACTS
    assert known["version"] == pandas_agreement.__version__
    assert json.loads(json.dumps(result.attrs)) == result.attrs
    if name in REGISTRY:
        assert (known["result"], known["coefficient"]) == (name, name)
    elif name not in ("long", "counts", "stream", "coder_groups.compare"):
        assert known["result"] == name


def near(a: float, b: float) -> float:
    return 1 / (1 + abs(a - b))


MATRIX = 1 - np.abs(np.subtract.outer(np.arange(4), np.arange(4))) / 3
WEIGHTS: dict[str, tuple[Any, set[str]]] = {
    "matrix": (MATRIX, {"custom"}),
    "frame": (pd.DataFrame(MATRIX, index=[1, 2, 3, 4], columns=[1, 2, 3, 4]), {"custom"}),
    "function": (near, {"custom", "near"}),
    "scale": (scales.within(1), {"within(1)"}),
    "name": ("linear", {"linear"}),
}


@pytest.mark.parametrize("case", WEIGHTS)
def test_attrs_hold_weights_as_text(case: str) -> None:
    weights, shown = WEIGHTS[case]
    for call in (NUMBERS.agree.kappa, NUMBERS.agree.by_pair, NUMBERS.agree.observed):
        result = call(weights=weights, detail=True)
        assert json.loads(json.dumps(result.attrs)) == result.attrs
        assert result.attrs["agree"]["weights"] in shown
        assert set(result["weights"]) == {result.attrs["agree"]["weights"]}
    distance = NUMBERS.agree.alpha(level=lambda a, b: abs(a - b))
    assert json.loads(json.dumps(distance.attrs)) == distance.attrs
    assert isinstance(distance.attrs["agree"]["weights"], str)


def test_attrs_say_what_all_rows_share() -> None:
    known = EXAMPLE.agree.kappa("ann", "bob", by="batch", ci=0.9, missing="complete").attrs["agree"]
    assert [known[name] for name in FACTS[1:]] == ["kappa", "kappa", "nominal", "complete", 0.9, "score"]
    several = EXAMPLE.agree.summary("ann", "bob", metrics=["observed", "kappa"]).attrs["agree"]
    assert (several["coefficient"], several["weights"], several["method"]) == (None, "nominal", None)
    assert EXAMPLE.agree.kappa("ann", "bob", ci=None).attrs["agree"]["ci_level"] is None
    for result in (EXAMPLE.agree.margins("ann", "bob", ci=0.9), NUMBERS.agree.bland_altman(ci=0.9)):  # without a column
        assert result.attrs["agree"]["ci_level"] == 0.9
        assert any("90% CI" in name for name in pandas_agreement.table(result))
    assert EXAMPLE.agree.margins("ann", "bob", ci=None).attrs["agree"]["ci_level"] is None
    assert EXAMPLE.agree.by_coder("ann", "bob", "cleo").attrs["agree"]["ci_level"] is None  # no interval is shown
    assert EXAMPLE.agree.truth("ann", "bob", "cleo").by_coder(ci=0.8).attrs["agree"]["ci_level"] == 0.8
    assert EXAMPLE.attrs == {}


# -------------------------------------------------------------------------------------------------------------- notes


def test_every_remark_of_a_result_has_a_code() -> None:
    """No call of the other tests here has a remark without one."""
    wrong = []
    for name, call in METHODS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AgreementWarning)
            result = call()
        wrong += [(name, note) for note in set(result.get("note", ())) - {"", *GRAVITY}]
    none_of(wrong)


def test_a_row_with_two_remarks() -> None:
    labels = list("xyxyxzyx") * 3
    frame = pd.DataFrame({"a": labels, "b": labels, "c": labels})
    row = frame.agree.kappa(sampling="both", detail=True).iloc[0]
    assert row["remarks"].split("; ") == ["ci for other items and coders", "perfect: ci_low is a bound"]
    assert row["note"] == "perfect+"  # says more about the number than whom it is about
    assert frame.agree.kappa(sampling="both")["note"].item() == "perfect+"


def test_undefined_is_nan_with_a_note_and_one_warning() -> None:
    frame = EXAMPLE.assign(bob=EXAMPLE["bob"].where(EXAMPLE["batch"] != "2026-w02"))
    with pytest.warns(AgreementWarning, match=r"^1 of 6 estimates is undefined \(NaN\): no item with two ") as caught:
        found = frame.agree.kappa("ann", "bob", by="batch")
    assert len(caught) == 1
    assert found["note"].tolist() == ["", "no pairs", "", "", "", ""]
    assert found["estimate"].isna().tolist() == [False, True, False, False, False, False]


# ------------------------------------------------------------------------------------------------------------- screen

#: results that have a note where there are any, and what has to be seen on 80 columns
SCREEN: dict[str, tuple[Call, list[str]]] = {
    "by_category": (lambda a: a.by_category(*CODERS), ["estimate", "ci_low", "ci_high", "n_items", "note"]),
    "by_pair": (lambda a: a.by_pair(*CODERS), ["estimate", "ci_low", "ci_high", "n_items", "note"]),
    "by_coder": (lambda a: a.by_coder(*CODERS), ["agreement", "alpha_without", "n_items", "note"]),
    "by_item": (lambda a: a.by_item(*CODERS), ["n_labels", "agreement", "majority", "influence"]),
    "margins": (lambda a: a.margins(*CODERS, missing="all"), ["estimate", "ci_low", "ci_high", "n_items", "note"]),
    "diagnose": (lambda a: a.diagnose(*CODERS), ["about", "estimate", "p_value", "n_items"]),
    "disagreements": (lambda a: a.disagreements(*CODERS), [*CODERS, "agreement", "influence"]),
    "versus_humans": (lambda a: a.judges("dev", humans=CODERS[:3]).versus_humans(), ["difference", "verdict", "note"]),
    "summary": (lambda a: a.summary(*CODERS), ["estimate", "ci_low", "ci_high", "n_items", "note"]),
}


LATE = EXAMPLE.index > 560
#: the four coders as they are, with one who copies another and stops early, with one who always says the same, with one
#: whose items nobody else has, with few items, and all alike
FRAMES: dict[str, pd.DataFrame] = {
    "example": EXAMPLE,
    "copy": EXAMPLE.assign(dev=EXAMPLE["ann"].mask(EXAMPLE.index > 40)),
    "constant": EXAMPLE.assign(dev="bug"),
    "apart": EXAMPLE.assign(dev=EXAMPLE["bob"].where(LATE), **{name: EXAMPLE[name].mask(LATE) for name in CODERS[:3]}),
    "few": EXAMPLE.assign(**{name: EXAMPLE[name].where(EXAMPLE.index < 14) for name in CODERS}),
    "alike": EXAMPLE.assign(**dict.fromkeys(CODERS, "bug")),
}


@pytest.mark.parametrize("name", SCREEN)
def test_nothing_that_decides_is_cut(name: str) -> None:
    call, needed = SCREEN[name]
    notes = set()
    for frame in FRAMES.values():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AgreementWarning)
            result = call(frame.agree)
        assert len(result.columns) <= 9
        notes |= set(result.get("note", ()))
        if result.empty:  # coders who all say the same have nothing to adjudicate
            continue
        if name in ("by_pair", "margins"):  # two levels of the index leave less room
            for key in result.index.levels[0]:
                check(result.loc[key], needed)
        else:
            check(result, needed)
    assert ("note" in needed) == bool(notes - {""})


WIDTH = 80 if int(pd.__version__.partition(".")[0]) >= 3 else 84  # pandas 2 may go a few characters beyond the line


def check(result: pd.DataFrame, needed: list[str]) -> None:
    """What is needed is seen on 80 columns."""
    with pd.option_context("display.width", 80, "display.max_columns", 0):
        lines = repr(result).splitlines()
    shown = lines[0].split()
    assert [column for column in needed if column not in shown] == [], lines[0]
    assert max(map(len, lines)) <= WIDTH
    if "note" in result:
        assert all(note in "\n".join(lines) for note in result["note"])


@pytest.mark.parametrize("detail", [False, True])
def test_a_result_is_the_users_own_frame(detail: bool) -> None:
    result = EXAMPLE.agree.kappa("ann", "bob", by="batch", detail=detail)
    again = EXAMPLE.agree.kappa("ann", "bob", by="batch", detail=detail)
    result["mine"] = 1  # pandas 2 warns where a frame is a part of another one
    result.loc["2026-w01", "estimate"] = 0.0
    pd.testing.assert_frame_equal(EXAMPLE.agree.kappa("ann", "bob", by="batch", detail=detail), again)
