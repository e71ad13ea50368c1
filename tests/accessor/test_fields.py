"""Several label columns: every method on each of them."""

from __future__ import annotations

import warnings
from typing import Any

import pandas as pd
import pytest

from pandas_agreement import AgreementWarning, InputError, LabelTypeError
from pandas_agreement.accessor.signatures import OF_ONE_FIELD
from pandas_agreement.coefficients.registry import REGISTRY
from tests.data_sets import scores, to_long
from tests.fuzz.calls import METHODS
from tests.helpers import defaults, part_of, reach, refuses, same

QUALITY = to_long(scores(30, 3).assign(batch=["x", "y", "z"] * 10), ("batch",)).rename(columns={"tag": "quality"})
FRAME = QUALITY.assign(fluency=QUALITY["quality"].sample(frac=1, random_state=3).to_numpy())
FIELDS = ["quality", "fluency"]
NEEDED: dict[str, Any] = {
    "test.groups": {"by": "batch"},
    "pooled": {"by": "batch"},
}
CODERS: dict[str, Any] = {"compare": (["ann", "bob"], ["ann", "cleo"]), "confusion": ("ann", "bob")}


def fields(label: Any = FIELDS) -> Any:
    return FRAME.agree.long(item="doc", coder="who", label=label)


@pytest.mark.parametrize("name", [name for name in METHODS if name not in OF_ONE_FIELD])
def test_every_method_is_run_on_each_field(name: str) -> None:
    options = NEEDED.get(name, {}) | (defaults(name) if name in REGISTRY else {})
    coders: tuple[Any, ...] = CODERS.get(name, ())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)
        found = reach(fields(), name)(*coders, **options)
        for field in FIELDS:
            alone = reach(fields(field), name)(*coders, **options)
            same(part_of(found, field=field)[alone.columns], alone, check_dtype=False)
    assert found.index.names[0] == "field"
    assert found.index.get_level_values("field").unique().tolist() == FIELDS


def test_by_comes_after_the_field() -> None:
    found = fields().kappa(by="batch")
    assert list(found.index.names) == ["field", "batch"]
    same(found.loc["fluency"], fields("fluency").kappa(by="batch"))
    same(FRAME.groupby("batch").agree.long(item="doc", coder="who", label=FIELDS).kappa(), found)


def test_fields_of_anonymous_raters() -> None:
    found = FRAME.agree.long(item="doc", label=FIELDS).summary()
    same(found.loc["quality"], FRAME.agree.long(item="doc", label="quality").summary())


def test_disagreements_show_the_labels_of_all_fields() -> None:
    found = fields().disagreements(n=3)
    assert list(found.columns) == ["doc", "who", *FIELDS, "agreement", "influence"]
    assert list(fields(["quality"]).disagreements(n=3).columns) == ["doc", "who", "quality", "agreement", "influence"]
    worst = fields("fluency").disagreements(n=3)
    same(found.xs("fluency", level="field")[worst.columns], worst)


def test_several_fields_give_one_warning() -> None:
    one = FRAME.assign(quality=1.0, fluency=2.0).agree.long(item="doc", coder="who", label=FIELDS)
    with pytest.warns(AgreementWarning) as caught:
        one.kappa()
    assert len(caught) == 1


def test_what_is_about_one_column_is_refused() -> None:
    for name in ("report", "plot"):
        with refuses(
            InputError, f"{name.title()} needs one label column, and label= has 2. Choose one: label='quality'."
        ):
            getattr(fields(), name)()
    frame = FRAME.assign(fluency="x")
    message = "The label columns have different categories, and 'fluency' does not fit the first. Declare all of them "
    with refuses(InputError, message + "with categories="):
        frame.agree.long(item="doc", coder="who", label=FIELDS).confusion("ann", "bob")
    with pytest.raises(InputError, match=r"^A group key cannot be called 'field'"):
        FRAME.assign(field=FRAME["batch"]).agree.long(item="doc", coder="who", label=FIELDS).kappa(by="field")
    with refuses(InputError, "label=[] must name at least one column, and none twice."):
        fields([])


def test_a_field_may_have_any_name() -> None:
    frame = FRAME.rename(columns={"quality": ("a", 1), "fluency": 7})
    frame.columns = pd.Index(list(frame.columns), tupleize_cols=False)
    found = frame.agree.long(item="doc", coder="who", label=[("a", 1), 7]).kappa()
    assert found.index.get_level_values("field").tolist() == [("a", 1), 7]


#: calls to which `level` or `weights` is given
WITH_LEVELS: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "alpha": ("level", (), {}),
    "alpha with details": ("level", (), {"detail": True}),
    "alpha by": ("level", (), {"by": "batch", "overall": True}),
    "kappa": ("weights", ("ann", "bob"), {}),
    "summary": ("weights", (), {"metrics": ["kappa"]}),
    "summary of both": ("level", (), {"metrics": ["kappa", "alpha"]}),
    "by_pair": ("weights", (), {"metric": "kappa"}),
    "by_item": ("level", (), {}),
    "by_coder": ("level", (), {}),
    "diagnose": ("level", (), {}),
    "test.chance": ("weights", (), {"metrics": "kappa"}),
}


@pytest.mark.parametrize("kind", WITH_LEVELS)
@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
def test_each_field_may_have_its_own_level(kind: str) -> None:
    """The rows of each field are those of a call about this field, and the columns and levels those of one level."""
    option, coders, more = WITH_LEVELS[kind]
    name, own = kind.partition(" ")[0], {"quality": "ordinal", "fluency": "nominal"}
    found = reach(fields(), name)(*coders, **{option: own}, **more)
    for field, level in own.items():
        alone = reach(fields(field), name)(*coders, **{option: level}, **more)
        same(part_of(found, field=field)[alone.columns], alone, check_dtype=False)
    alike = reach(fields(), name)(*coders, **{option: "nominal"}, **more)
    assert found.index.names == alike.index.names
    assert found.columns.equals(alike.columns)
    assert {*alike.attrs["agree"]} <= {*found.attrs["agree"]}
    levels = {"quality": "ordinal", "fluency": "nominal"}
    assert found.attrs["agree"].get("fields", levels) == levels
    assert "fields" in found.attrs["agree"] or alike.attrs["agree"]["weights"] is None
    assert found.attrs["agree"]["weights"] is None


def test_a_field_without_an_entry_has_the_default() -> None:
    for option, method in {"level": "alpha", "weights": "kappa"}.items():
        part, whole = (
            {option: each} for each in ({"fluency": "ordinal"}, {"quality": "nominal", "fluency": "ordinal"})
        )
        same(getattr(fields(), method)(**part), getattr(fields(), method)(**whole))


def test_levels_that_do_not_fit_the_fields() -> None:
    with refuses(InputError, "level= has an entry for 'flency', which is none of label=. Did you mean 'fluency'?"):
        fields().alpha(level={"quality": "ordinal", "flency": "interval"})
    text = FRAME.assign(fluency="good").agree.long(item="doc", coder="who", label=FIELDS)
    with refuses(
        LabelTypeError,
        "'fluency': level='interval' needs labels that are numbers or have an order, and 'good' is text. Give the 1 "
        "labels in their order with categories=[lowest, ..., highest], or use an ordered Categorical.",
    ):
        text.alpha(level={"fluency": "interval"})
    remedy = "Say it in the method: df.agree.long(...).alpha(level={'fluency': 'ordinal'})."
    with refuses(InputError, f"Long has no option 'level'. {remedy}"):
        FRAME.agree.long(item="doc", coder="who", label=FIELDS, level={"fluency": "ordinal"})
    message = "weights= has entries for several label columns, and there is one. Write the weights alone."
    with refuses(InputError, message):
        fields("quality").kappa(weights={"quality": "linear"})
    one = FRAME.assign(quality=1.0, fluency=2.0).agree.long(item="doc", coder="who", label=FIELDS)
    with pytest.warns(AgreementWarning) as caught:
        one.alpha(level={"quality": "ordinal", "fluency": "interval"})
    assert len(caught) == 1
