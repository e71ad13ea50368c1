"""Every method of judges with data of every dtype: a result that fits its schema or an `AgreementError`."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.errors import AgreementError
from pandas_agreement.results import schemas
from tests.fuzz.frames import NO_KEY, Data, draw_data
from tests.fuzz.rules import Broken, check_warnings

METHODS: dict[str, tuple[dict[str, Any], schemas.Schema]] = {
    "versus_humans": ({}, schemas.VERSUS),
    "versus_humans observed": ({"metrics": "observed"}, schemas.VERSUS),
    "versus_humans weighted": ({"weights": "quadratic", "sampling": "both"}, schemas.VERSUS),
    "versus_humans alpha": ({"metrics": "alpha", "level": "ordinal"}, schemas.VERSUS),
    "versus_humans by human": ({"by_human": True}, schemas.VERSUS_HUMAN),
    "versus_humans contrast": ({"contrast": True}, schemas.CONTRASTS),
    "ceilings": ({}, schemas.CEILINGS),
    "alt_test": ({"epsilon": 0.1, "min_items": 3}, schemas.ALT_TEST),
    "alt_test linear": ({"epsilon": 0.1, "min_items": 3, "weights": "linear"}, schemas.ALT_TEST),
    "alt_test by human": ({"epsilon": 0.1, "by_human": True}, schemas.ALT_HUMAN),
    "accuracy": ({"reference": "majority"}, schemas.ACCURACY),
    "error_rates": ({"reference": "majority"}, schemas.ERROR_RATES),
    "error_rates by human": ({"by_human": True}, schemas.ERROR_RATES),
    "stability": ({}, schemas.STABILITY),
    "bias": ({}, schemas.BIAS),
}
FORMATS = ("wide", "long", "grouped", "grouped long")


def with_columns(data: Data) -> Data:
    """The data with columns that describe the items."""
    item = data.frame["item"] if data.format.endswith("long") else range(len(data.frame))
    number = pd.factorize(pd.Series(list(item)))[0]
    return replace(data, frame=data.frame.assign(words=number % 7 * 1.5, family=np.take(list("abc"), number % 3)))


def draw(seed: int) -> tuple[Any, str, dict[str, Any], schemas.Schema, Any]:
    """The data, method, options and schema of a seed."""
    rng = np.random.default_rng(seed)
    data = draw_data(rng, bool(rng.random() < 0.6))
    while data.format not in FORMATS or len(data.ratings.coders) < 2:
        data = draw_data(rng, bool(rng.random() < 0.6))
    name = list(METHODS)[int(rng.integers(len(METHODS)))]
    options, schema = METHODS[name]
    data = with_columns(data) if name == "bias" else data
    options = options | ({"detail": True} if rng.random() < 0.5 else {})
    if data.key is not NO_KEY and not data.format.startswith("grouped") and rng.random() < 0.4:
        options["by"] = data.key
    if rng.random() < 0.2:
        options["clusters"] = (np.arange(len(data.frame)) % 4).tolist()
    n = 1 + int(rng.random() < 0.4)
    coders = list(data.ratings.coders)
    roles: dict[str, Any] = {"humans": coders[n:]}
    if rng.random() < 0.3:
        roles |= {"categories": data.ratings.labels[:-1], "invalid": ("missing", "wrong")[int(rng.integers(2))]}
    return data, name.split()[0], options, schema, (coders[:n], roles)


def check(seed: int) -> str:
    data, method, options, schema, (judges, roles) = draw(seed)
    before = data.frame.copy(deep=True)
    result: Any = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            columns = ("words", "family") if method == "bias" else ()
            result = getattr(data.agree().judges(*judges, **roles), method)(*columns, **options)
        except AgreementError:
            return "error"
        except Exception as error:
            raise Broken(f"seed {seed}: {method} {options} {roles} raised {type(error).__name__}: {error}") from error
    check_warnings(caught)
    pd.testing.assert_frame_equal(data.frame, before)
    columns = [name for name in result if name in schema or name != "coefficient"]  # details name the coefficient
    assert columns == list(schema if "detail" in options else schema.shown), seed
    for column in columns:
        dtype, _ = schema[column]
        assert dtype in ("str", "label") or result[column].dtype == dtype, (seed, column)
    assert None not in result.index.names
    result.reset_index()
    return "result"


@pytest.mark.parametrize("seeds", [range(start, start + 50) for start in range(0, 300, 50)], ids=str)
def test_every_call_keeps_the_rules(seeds: range) -> None:
    assert [check(seed) for seed in seeds].count("result") > 8
