"""`pandas_agreement.scales`: values, text, errors, and wherever a scale is accepted."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from io import StringIO
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import InputError, LabelTypeError, scales
from pandas_agreement.cli import main
from pandas_agreement.core.weights import LEVELS, WEIGHTS
from pandas_agreement.scales import ORDERED, Scale, read
from tests import bruteforce
from tests.data_sets import LONG, rows_of, scores, to_long
from tests.helpers import refuses, same

TEXTS = {
    "circular()": scales.circular(),
    "circular(period=360)": scales.circular(360.0),
    "circular(period=0.5)": scales.circular(np.float64(0.5)),
    "bipolar()": scales.bipolar(),
    "bipolar(low=0, high=10)": scales.bipolar(np.int64(0), 10),
    "bipolar(high=-1.5)": scales.bipolar(high=-1.5),
    "radical()": scales.radical(),
    "within(1)": scales.within(1),
    "within(0.5, positions=True)": scales.within(0.5, positions=True),
    'positions("quadratic")': scales.positions("quadratic"),
}
DF = scores(40, 3, gaps=0.2)  # of the numbers 1 to 4
CIRCLE = bruteforce.circular_distance(6)
BIPOLAR = bruteforce.bipolar_distance(0, 5)
#: a scale, and the distance of two labels on it
DISTANCES: dict[Scale, Callable[[Any, Any], float]] = {
    scales.circular(6): CIRCLE,
    scales.bipolar(0, 5): BIPOLAR,
    scales.radical(): bruteforce.radical_distance,
    scales.within(1): lambda a, b: float(abs(a - b) > 1),
    scales.positions("linear"): bruteforce.linear_distance,
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_scale_is_shown_as_it_is_called(text: str) -> None:
    scale = TEXTS[text]
    assert str(scale) == repr(scale) == text
    assert eval(text, {name: getattr(scales, name) for name in scales.__all__}) == scale
    assert read(text) == scale


@pytest.mark.parametrize("text", TEXTS)
def test_scales_are_values(text: str) -> None:
    scale = TEXTS[text]
    for other in (read(text), copy.deepcopy(scale), pickle.loads(pickle.dumps(scale))):
        assert other == scale
        assert hash(other) == hash(scale)
    assert sum(scale == other for other in TEXTS.values()) == 1
    with pytest.raises(AttributeError):
        scale.period = 1  # type: ignore[misc]


@pytest.mark.parametrize("scale", DISTANCES, ids=str)
def test_alpha_takes_the_distance(scale: Scale) -> None:
    row = DF.agree.alpha(level=scale, detail=True).iloc[0]
    assert row["estimate"] == pytest.approx(float(bruteforce.alpha(rows_of(DF), DISTANCES[scale])), abs=1e-12)
    assert row["weights"] == str(scale)


@pytest.mark.parametrize("scale", DISTANCES, ids=str)
@pytest.mark.parametrize("name", ["observed", "kappa", "pi"])
def test_kappa_takes_the_agreement(scale: Scale, name: str) -> None:
    """1 less the distance, as a share of the largest between two labels; a tolerance and two ends have their own."""
    distance = DISTANCES[scale]
    unit = 1 if scale.name in ("bipolar", "within") else max(distance(a, b) for a in range(1, 5) for b in range(1, 5))
    row = getattr(DF.agree, name)(weights=scale, detail=True).iloc[0]
    expected = bruteforce.ORACLES[name](rows_of(DF), weight=lambda a, b: 1 - distance(a, b) / unit)
    assert row["estimate"] == pytest.approx(float(expected), abs=1e-12)
    assert row["weights"] == str(scale)


@pytest.mark.parametrize("scale", TEXTS.values(), ids=str)
def test_a_scale_states_the_measurement_for_all_coefficients(scale: Scale) -> None:
    df = DF / 20 + 0.3 if scale.period == 0.5 else -DF - 1 if scale.high == -1.5 else DF
    found = df.agree.summary(level=scale, detail=True)
    for option in ("level", "weights"):
        same(found, df.agree.summary(**{option: str(scale)}, detail=True))
    assert set(found["weights"]) == {str(scale)}
    for name in ("observed", "kappa", "pi", "ac2", "s"):
        same(found.loc[[name]], getattr(df.agree, name)(weights=scale, detail=True)[found.columns])
    same(found.loc[["alpha"]], df.agree.alpha(level=scale, detail=True))


@pytest.mark.parametrize("name", ["circular", "bipolar", "radical"])
def test_a_bare_name_is_the_scale_without_arguments(name: str) -> None:
    named, scale = (DF.agree.summary(level=level, detail=True) for level in (name, getattr(scales, name)()))
    same(named.drop(columns="weights"), scale.drop(columns="weights"))


@pytest.mark.parametrize("name", ORDERED)
def test_positions_compare_places(name: str) -> None:
    far, scale = DF.replace({4: 10}), scales.positions(name)
    for option, method, table in (("weights", "kappa", WEIGHTS), ("level", "alpha", LEVELS)):
        found = getattr(far.agree, method)(**{option: scale}, detail=True)
        if name in table:
            expected = getattr(DF.agree, method)(
                **{option: name}, detail=True
            )  # where the place of a category is its value
            same(found.drop(columns="weights"), expected.drop(columns="weights"))
        assert found["weights"].item() == f'positions("{name}")'
    same(far.agree.summary(level=scale, detail=True), far.agree.summary(weights=scale, detail=True))


def test_an_ordered_categorical_is_compared_by_position_unless_its_numbers_are_listed() -> None:
    numbers = scores(40, 2).replace({4: 10})
    kind = pd.CategoricalDtype([1, 2, 3, 10], ordered=True)
    ordered = numbers.astype(kind)
    by_position = numbers.agree.kappa(weights=scales.positions("linear"), detail=True)
    same(ordered.agree.kappa(weights="linear", detail=True), by_position)
    assert by_position["weights"].tolist() == ['positions("linear")']
    options = {"weights": "linear", "categories": [1, 2, 3, 10], "detail": True}
    by_value = numbers.agree.kappa(**options)
    same(ordered.agree.kappa(**options), by_value)
    assert by_value["weights"].tolist() == ["linear"]
    assert by_value["estimate"].item() != by_position["estimate"].item()


def test_within_positions() -> None:
    df = pd.DataFrame({"a": [1, 2, 10, 10], "b": [2, 10, 10, 1]})
    assert df.agree.observed(weights=scales.within(1))["estimate"].item() == 0.5
    found = df.agree.observed(weights=scales.within(1, positions=True), detail=True)
    assert found[["estimate", "weights"]].to_numpy().tolist() == [[0.75, "within(1, positions=True)"]]


def test_every_ordered_name_is_one_of_weights_or_of_levels() -> None:
    assert set(ORDERED) == (WEIGHTS.keys() | LEVELS.keys()) - {"nominal"}


# ------------------------------------------------------------------------------------------------- wherever a name is


@pytest.mark.parametrize("scale", [scales.circular(6), "circular(period=6)", " circular( 6 ) "])
def test_scales_are_accepted_where_names_are(scale: Any) -> None:
    df, expected = DF.assign(batch=["x", "y"] * 20), scales.circular(6)
    coders = list(DF.columns)
    calls: dict[str, Callable[..., pd.DataFrame]] = {
        "by": lambda **given: df.agree.kappa(*coders, by="batch", **given),
        "resampled": lambda **given: df.agree.kappa(*coders, method="percentile", n_resamples=100, rng=1, **given),
        "long": lambda weights, detail: to_long(DF).agree.long(**LONG).alpha(level=weights, detail=detail),
        "by_pair": DF.agree.by_pair,
        "by_item": DF.agree.by_item,
        "diagnose": DF.agree.diagnose,
        "compare": lambda **given: df.agree.compare(coders[:2], coders[1:], **given),
        "judges": DF.agree.judges(coders[0], humans=coders[1:]).versus_humans,
        "stream": lambda **given: pandas_agreement.stream([df[:20], df[20:]], *coders, metrics=["kappa"], **given),
    }
    for name, call in calls.items():
        try:
            same(call(weights=scale, detail=True), call(weights=expected, detail=True))
        except AssertionError as error:
            raise AssertionError(name) from error


def test_a_scale_on_the_command_line(tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    DF.to_csv("x.csv", index=False)
    for typed in ("circular(period=6)", "within(1)", "positions(linear)"):  # a shell may remove the quotes
        assert main(["x.csv", "--level", typed, "--format", "csv"]) == 0
        found = pd.read_csv(StringIO(capsys.readouterr().out))
        expected = DF.agree.summary(metrics=found["coefficient"].tolist(), level=typed)
        assert found["estimate"].to_numpy() == pytest.approx(expected["estimate"].to_numpy())
    assert main(["x.csv", "--weights", "circular(period=6)"]) == 0
    assert "weights='circular(period=6)'" in " ".join(capsys.readouterr().out.split())
    assert main(["x.csv", "--weights", "circular(period=0)"]) == 2
    assert "period=0 of circular must be above 0: it is the length of the whole circle\n" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------------- errors

NUMBER = "must be a finite number."
TOLERANCE = "must be a number of 0 or more: the largest difference that counts as agreement."
WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "no circle": (
        lambda: scales.circular(0),
        "period=0 of circular must be above 0: it is the length of the whole circle.",
    ),
    "text": (lambda: scales.circular("x"), f"period='x' of circular {NUMBER}"),  # type: ignore[arg-type]
    "infinite": (lambda: scales.bipolar(-np.inf), f"low=-inf of bipolar {NUMBER}"),
    "bool": (lambda: scales.bipolar(high=True), f"high=True of bipolar {NUMBER}"),
    "too large": (lambda: scales.within(1e301), f"tolerance=1e+301 of within {NUMBER}"),
    "ends": (
        lambda: scales.bipolar(5, 1),
        "low=5 of bipolar must be less than high=1: they are the ends of the scale.",
    ),
    "one end": (
        lambda: scales.bipolar(1, 1),
        "low=1 of bipolar must be less than high=1: they are the ends of the scale.",
    ),
    "negative": (lambda: scales.within(-0.5), f"tolerance=-0.5 of within {TOLERANCE}"),
    "none": (lambda: scales.within(None), f"tolerance=None of within {TOLERANCE}"),  # type: ignore[arg-type]
    "no bool": (
        lambda: scales.within(1, positions="yes"),  # type: ignore[arg-type]
        "positions='yes' of within must be True or False.",
    ),
    "no order": (
        lambda: scales.positions("nominal"),
        "positions='nominal' is not known. Use one of 'linear', 'quadratic', 'interval', 'ordinal', 'radical', "
        "'ratio', 'circular', 'bipolar'; did you mean 'ordinal'?",
    ),
    "no scale": (
        lambda: DF.agree.kappa(weights="cirular(360)"),
        "scale='cirular' is not known. Use one of 'circular', 'bipolar', 'radical', 'within', 'positions'; did you "
        "mean 'circular'?",
    ),
    "no argument": (
        lambda: DF.agree.kappa(weights="bipolar(lo=1)"),
        "'bipolar(lo=1)' is not a scale. Bipolar takes low and high.",
    ),
    "too many": (lambda: read("radical(1)"), "'radical(1)' is not a scale. Radical takes no arguments."),
    "no call": (
        lambda: DF.agree.alpha(level="circular(360"),
        "'circular(360' is not a scale. Write it as 'circular(period=360)' or 'within(1)'.",
    ),
    "code": (
        lambda: read("circular(period=open('x'))"),
        "\"circular(period=open('x'))\" is not a scale. Write it as 'circular(period=360)' or 'within(1)'.",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_arguments_are_checked_when_a_scale_is_made(name: str) -> None:
    call, message = WRONG[name]
    with refuses(InputError, message):
        call()


def test_a_scale_needs_numbers_or_an_order() -> None:
    with pytest.raises(LabelTypeError, match=r"^level=circular\(period=6\) needs labels that are numbers or have an"):
        DF.astype(object).replace({1: "a", 2: "b", 3: "c", 4: "d"}).agree.alpha(level=scales.circular(6))


def test_ac1_has_no_form_with_a_scale() -> None:
    with refuses(InputError, "ac1 has no form with level=within(1). The weighted form is 'ac2'."):
        DF.agree.summary(metrics=["ac1"], level=scales.within(1))
