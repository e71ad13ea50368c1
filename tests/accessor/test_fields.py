"""Several label columns: every method on each of them."""

from __future__ import annotations

import warnings
from typing import Any

import pandas as pd
import pytest

from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.accessor.long import OF_ONE_FIELD
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
        with refuses(InputError, f"{name} is about one label column, and label= has 2; choose one: label='quality'"):
            getattr(fields(), name)()
    frame = FRAME.assign(fluency="x")
    message = "the label columns have different categories, and 'fluency' does not fit the first; declare all of them "
    with refuses(InputError, message + "with categories="):
        frame.agree.long(item="doc", coder="who", label=FIELDS).confusion("ann", "bob")
    with pytest.raises(InputError, match=r"^a group key cannot be called 'field'"):
        FRAME.assign(field=FRAME["batch"]).agree.long(item="doc", coder="who", label=FIELDS).kappa(by="field")
    with refuses(InputError, "label=[] must name at least one column, and none twice"):
        fields([])


def test_a_field_may_have_any_name() -> None:
    frame = FRAME.rename(columns={"quality": ("a", 1), "fluency": 7})
    frame.columns = pd.Index(list(frame.columns), tupleize_cols=False)
    found = frame.agree.long(item="doc", coder="who", label=[("a", 1), 7]).kappa()
    assert found.index.get_level_values("field").tolist() == [("a", 1), 7]
