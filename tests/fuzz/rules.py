"""What every call has to keep."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.errors import AgreementError, AgreementWarning
from pandas_agreement.report import Report
from pandas_agreement.results import schemas
from tests.fuzz.calls import Call

RAW = re.compile(r"\bnp\.\w+\(")  # how numpy writes a number
SCHEMAS: dict[str, schemas.Schema] = {
    "by_category": schemas.CATEGORY,
    "by_item": schemas.ITEMS,
    "by_coder": schemas.CODERS,
    "margins": schemas.MARGINS,
    "test.margins": schemas.TESTS,
    "bland_altman": schemas.LIMITS,
    "compare": schemas.CONTRASTS,
    "test.groups": schemas.HETEROGENEITY,
    "test.chance": schemas.CHANCE,
    "diagnose": schemas.FINDINGS,
    "consensus": schemas.TRUTH_ITEMS,
}
#: schemas of the methods of ways in, by their options
OF_WAYS: dict[str, tuple[schemas.Schema, ...]] = {
    "coder_groups.within": (schemas.RESULT,),
    "coder_groups.across": (schemas.RESULT,),
    "coder_groups.compare": (schemas.CONTRASTS,),
    "judges.versus_humans": (schemas.VERSUS, schemas.VERSUS_HUMAN, schemas.CONTRASTS),
    "judges.ceilings": (schemas.CEILINGS,),
    "judges.alt_test": (schemas.ALT_TEST, schemas.ALT_DETAIL),
    "judges.accuracy": (schemas.ACCURACY,),
    "judges.error_rates": (schemas.ERROR_RATES,),
    "judges.stability": (schemas.STABILITY,),
    "judges.corrected_rate": (schemas.CORRECTED,),
    "judges.corrected_mean": (schemas.CORRECTED_MEAN,),
    "preferences.strengths": (schemas.STRENGTHS, schemas.CONTRASTS),
    "preferences.position_bias": (schemas.POSITION_BIAS,),
}
#: columns that `detail=True` adds
DETAILS = {
    **schemas.CHANCE_DETAIL,
    **schemas.KAPPA_DETAIL,
    **schemas.CCC_DETAIL,
    **schemas.ICC_DETAIL,
    **schemas.KENDALL_DETAIL,
}
OWN_COLUMNS = ("confusion", "disagreements", "report", "truth")
OF_ITEMS = (schemas.ITEMS, schemas.TRUTH_ITEMS)
SLACK = 1e-9


class Broken(AssertionError):
    """A rule that a call did not keep."""


def check(call: Call) -> str:
    """Run a call and check it; 'result' or 'error'."""
    before = call.data.frame.copy(deep=True)
    result: Any = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = call.run()
        except AgreementError as error:
            _check_text(str(error))
        except Exception as error:
            raise Broken(f"raised {type(error).__name__}: {error}") from error
    check_warnings(caught)
    _check_unchanged(call.data.frame, before)
    if result is None:
        return "error"
    check_result(call.key, result)
    return "result"


def check_warnings(caught: list[warnings.WarningMessage]) -> None:
    """No foreign warning, and at most one of ours."""
    for one in caught:
        if not isinstance(one.message, AgreementWarning):
            raise Broken(f"warned {one.category.__name__}: {one.message} ({one.filename}:{one.lineno})")
        _check_text(str(one.message))
    if len(caught) > 1:
        raise Broken("warned twice: " + " AND ".join(str(one.message) for one in caught))


def _check_text(text: str) -> None:
    if not text or RAW.search(text):
        raise Broken(f"has a message that is not for people: {text!r}")


def _check_unchanged(frame: pd.DataFrame, before: pd.DataFrame) -> None:
    same = frame.equals(before) and frame.index.names == before.index.names and frame.attrs == before.attrs
    if not (same and frame.columns.equals(before.columns) and frame.dtypes.equals(before.dtypes)):
        raise Broken("changed the frame")


def check_result(method: str, result: Any) -> None:
    """The columns of the schema, and estimates inside their limits."""
    if isinstance(result, Report):
        if not result.to_markdown():
            raise Broken("gave an empty report")
        return
    if not isinstance(result, pd.DataFrame):
        raise Broken(f"gave a {type(result).__name__}")
    if method == "by_item" and "frequency" in result:
        result = result.drop(columns="frequency")
    if method in OF_WAYS:
        fitting = [schema for schema in OF_WAYS[method] if list(schema) == list(result.columns)]
        _check_schema(result, fitting[0] if fitting else OF_WAYS[method][0])
    elif method not in OWN_COLUMNS:
        schema = SCHEMAS.get(method, schemas.RESULT)
        more = [name for name in DETAILS if name in result and name not in schema]
        _check_schema(result.drop(columns=more), schema)
    _check_undefined(result)
    if {"estimate", "ci_low", "ci_method", "weights", "missing"} <= set(result) and method not in OWN_COLUMNS:
        _check_limits(result)


def _check_schema(result: pd.DataFrame, schema: schemas.Schema) -> None:
    if list(result.columns) != list(schema):
        raise Broken(f"gave the columns {list(result.columns)}")
    for name, (dtype, _) in schema.items():
        found = result[name].dtype
        text = dtype == "str" and (pd.api.types.is_string_dtype(found) or (found.kind == "O" and not len(result)))
        if not (text or dtype == "label" or found == dtype):
            raise Broken(f"gave {name!r} as {found}")
    if (
        None in result.index.names and result.index.nlevels > 1 and not any(schema is one for one in OF_ITEMS)
    ):  # the user's own index
        raise Broken(f"gave index levels without a name: {result.index.names}")


def _check_undefined(result: pd.DataFrame) -> None:
    """Limits in their order, and none, and no standard error, beside an estimate that is undefined."""
    if not {"estimate", "ci_low", "ci_high"} <= set(result):
        return
    low, high = result["ci_low"].to_numpy(float), result["ci_high"].to_numpy(float)
    if (low > high + SLACK).any():
        raise Broken("has limits in the wrong order")
    beside = result.loc[result["estimate"].isna(), [name for name in ("ci_low", "ci_high", "se") if name in result]]
    if beside.notna().any(axis=None):
        raise Broken(f"has limits of an undefined estimate: {beside.dropna(how='all').iloc[0].to_dict()}")


def _check_limits(result: pd.DataFrame) -> None:
    low, value, high = (result[name].to_numpy() for name in ("ci_low", "estimate", "ci_high"))
    resampled = result["ci_method"].isin(["percentile", "bca", "kalpha"])  # these may leave out the estimate
    outside = ((value < low - SLACK) | (value > high + SLACK)) & ~resampled.to_numpy()
    if outside.any():
        place = int(outside.argmax())
        raise Broken(f"has the estimate {value[place]} outside {low[place]} to {high[place]}")
    plain = (result["weights"] == "nominal") & ~result["note"].str.contains("all groups") & (result["missing"] != "all")
    names, crowd = result.index.get_level_values(-1), result["n_coders"] > 2
    for name, number, nominal, many in zip(names, value, plain, crowd, strict=True):
        least, most = REGISTRY[name].range if name in REGISTRY else (-1, 1)
        if not nominal or (many and name == "kappa"):  # partial credit, or coders with gaps
            least = -np.inf
        if number < least - SLACK or number > most + SLACK:
            raise Broken(f"has {name} {number} outside its range {least} to {most}")
