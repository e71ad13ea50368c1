"""What every call has to keep."""

from __future__ import annotations

import json
import re
import warnings
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.core.remarks import GRAVITY, LONGEST
from pandas_agreement.errors import AgreementError, AgreementWarning
from pandas_agreement.report import Report
from pandas_agreement.results import schemas
from pandas_agreement.results.tidy import coefficient_of
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
    "judges.alt_test": (schemas.ALT_TEST, schemas.ALT_HUMAN),
    "judges.accuracy": (schemas.ACCURACY,),
    "judges.error_rates": (schemas.ERROR_RATES,),
    "judges.stability": (schemas.STABILITY,),
    "judges.bias": (schemas.BIAS,),
    "judges.corrected_rate": (schemas.CORRECTED,),
    "judges.corrected_mean": (schemas.CORRECTED_MEAN,),
    "preferences.strengths": (schemas.STRENGTHS, schemas.CONTRASTS),
    "preferences.position_bias": (schemas.POSITION_BIAS,),
    "preferences.win_rate": (schemas.WIN_RATE,),
    **{f"spans.{name}": (schemas.SPANS,) for name in ("summary", "alpha", "f1", "kappa", "by_pair", "by_category")},
    "spans.by_item": (schemas.SPAN_ITEMS,),
}
#: columns that `detail=True` adds to single coefficients
DETAILS = {
    **schemas.KAPPA_DETAIL,
    **schemas.CCC_DETAIL,
    **schemas.ICC_DETAIL,
    **schemas.KENDALL_DETAIL,
}
OWN_COLUMNS = ("confusion", "disagreements", "report", "truth")
OF_ITEMS = (schemas.ITEMS, schemas.TRUTH_ITEMS)
SLACK = 1e-9
RESAMPLED = ("percentile", "bca", "kalpha")  # intervals that may leave out the estimate
LEVEL = "coefficient"
#: methods that always have the level of the coefficient
OF_SEVERAL = ("summary", "icc", "test.chance")
#: those that have it for a list, and of which an own index may hold the rows
OF_LISTS = ("by_category", "by_pair", "compare", "pooled", "within", "across", "versus_humans")


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
    check_result(call.key, result, bool(call.options.get("detail", False)))
    if isinstance(result, pd.DataFrame):
        check_level(call, result.index)
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


def check_level(call: Call, index: pd.Index) -> None:
    """The coefficient is the last level; a name gives none beside another level, and a list always does."""
    named, several = call.options.get("metrics"), call.method in OF_SEVERAL
    one = isinstance(named, str) or call.method in REGISTRY
    if LEVEL in index.names and (index.names[-1] != LEVEL or (one and index.nlevels > 1 and not several)):
        raise Broken(f"has the coefficient among its levels {list(index.names)}")
    if call.options.get("form") is not None:  # one of the intraclass correlations
        return
    if LEVEL not in index.names and (several or (isinstance(named, list) and call.method in OF_LISTS)):
        raise Broken(f"does not say which coefficient each row is about: {list(index.names)}")


def check_result(method: str, result: Any, detail: bool = False) -> None:
    """The columns of the schema, notes and facts that fit, and estimates inside their bounds."""
    if isinstance(result, Report):
        if not result.to_markdown():
            raise Broken("gave an empty report")
        return
    if not isinstance(result, pd.DataFrame):
        raise Broken(f"gave a {type(result).__name__}")
    _check_facts(result)
    if method == "by_item" and "frequency" in result:
        result = result.drop(columns="frequency")
    if method in OF_WAYS:
        fitting = [schema for schema in OF_WAYS[method] if _columns(result, schema, detail) == list(result.columns)]
        _check_schema(result, fitting[0] if fitting else OF_WAYS[method][0], detail)
    elif method not in OWN_COLUMNS:
        schema = SCHEMAS.get(method, schemas.RESULT)
        more = [name for name in DETAILS if name in result and name not in schema] if detail else []
        _check_schema(result.drop(columns=more), schema, detail)
    for name in ("estimate", *(name[: -len("_low")] for name in result if str(name).endswith("_low"))):
        _check_interval(result, name)
    if method not in OWN_COLUMNS:
        _check_notes(result)
    if {"estimate", "weights", "n_coders"} <= set(result) and method not in OWN_COLUMNS:
        _check_range(result)


def _check_facts(result: pd.DataFrame) -> None:
    """The facts about the result are JSON."""
    facts = result.attrs.get("agree")
    try:
        plain = json.loads(json.dumps(facts, allow_nan=False))
    except (TypeError, ValueError):
        plain = None
    if not isinstance(facts, dict) or plain != facts:
        raise Broken(f"says about itself {facts!r}")


def _columns(result: pd.DataFrame, schema: schemas.Schema, detail: bool) -> list[str]:
    """The columns that a result of this schema has."""
    if not detail:
        return list(schema.shown)
    coefficient = [LEVEL] if LEVEL in result and LEVEL not in schema else []
    return [*schema.shown, *coefficient, *schema.detail]


def _check_schema(result: pd.DataFrame, schema: schemas.Schema, detail: bool) -> None:
    if list(result.columns) != _columns(result, schema, detail):
        raise Broken(f"gave the columns {list(result.columns)}")
    for name, (dtype, _) in schema.items():
        if name not in result:
            continue
        found = result[name].dtype
        text = dtype == "str" and (pd.api.types.is_string_dtype(found) or (found.kind == "O" and not len(result)))
        if not (text or dtype == "label" or found == dtype):
            raise Broken(f"gave {name!r} as {found}")
    if (
        None in result.index.names and result.index.nlevels > 1 and not any(schema is one for one in OF_ITEMS)
    ):  # the user's own index
        raise Broken(f"gave index levels without a name: {result.index.names}")


def _check_notes(result: pd.DataFrame) -> None:
    """Every remark has a short code, and every code a remark."""
    for note in result["note"].unique() if "note" in result else ():
        if note and (note not in GRAVITY or len(note) > LONGEST):
            remarks = result.loc[result["note"] == note].get("remarks")
            raise Broken(f"has the note {note!r}" + (f" for {remarks.iloc[0]!r}" if remarks is not None else ""))
    if "remarks" in result and ((result["remarks"] == "") != (result["note"] == "")).any():
        raise Broken("has a remark without a note, or a note without a remark")


def _check_interval(result: pd.DataFrame, name: str) -> None:
    """Bounds around the value, and none, and no standard error, beside a value that is undefined."""
    of = ("ci_low", "ci_high", "se") if name == "estimate" else (f"{name}_low", f"{name}_high")
    if not {name, *of[:2]} <= set(result):
        return
    low, value, high = (result[each].to_numpy(float) for each in (of[0], name, of[1]))
    if (low > high + SLACK).any():
        raise Broken(f"has bounds of {name!r} in the wrong order")
    outside = (value < low - SLACK) | (value > high + SLACK)
    if outside.any() and not (name == "estimate" and np.all(_resampled(result)[outside])):
        place = int(outside.argmax())
        raise Broken(f"has {name!r} {value[place]} outside {low[place]} to {high[place]}")
    beside = result.loc[result[name].isna(), [each for each in of if each in result]]
    if beside.notna().any(axis=None):
        raise Broken(f"has bounds of an undefined {name!r}: {beside.dropna(how='all').iloc[0].to_dict()}")


def _resampled(result: pd.DataFrame) -> Any:
    """Whether the interval of each row is surely or possibly one of resamples."""
    if "ci_method" in result:
        return result["ci_method"].isin(RESAMPLED).to_numpy()
    method = result.attrs["agree"]["method"]  # None if rows differ, or if the method has but one
    return np.full(len(result), method in RESAMPLED or (method is None and "observed" in result))


def _check_range(result: pd.DataFrame) -> None:
    names, value = coefficient_of(result), result["estimate"]
    if names is None:
        return
    plain = (result["weights"] == "nominal") & (result["missing"] != "all")
    for name, number, nominal, many in zip(names, value, plain, result["n_coders"] > 2, strict=True):
        least, most = REGISTRY[name].range if name in REGISTRY else (-1, 1)
        if not nominal or (many and name == "kappa"):  # partial credit, or coders with gaps
            least = -np.inf
        if number < least - SLACK or number > most + SLACK:
            raise Broken(f"has {name} {number} outside its range {least} to {most}")
