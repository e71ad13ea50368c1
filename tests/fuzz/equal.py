"""Calls that have to give the same numbers: `by=` and a loop over the groups, and all formats of the same ratings."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from pandas.testing import assert_frame_equal

import pandas_agreement
from pandas_agreement.coefficients.registry import REGISTRY, Coefficient
from pandas_agreement.errors import AgreementError
from tests.fuzz.frames import GAP, LONG, Ratings, Rng, counts, crosstab, draw_ratings, long, wide
from tests.fuzz.rules import Broken
from tests.helpers import defaults, reach

NUMBERS = ["estimate", "ci_low", "ci_high", "se", "observed", "expected", "n_items", "n_categories"]
BREAKDOWNS = ("by_category", "margins", "test.margins", "test.chance", "by_pair", "bland_altman")
GROUPED = [*REGISTRY, *BREAKDOWNS, "by_coder"]
SETTINGS: list[dict[str, Any]] = [{}, {"ci": None}, {"missing": "all"}, {"method": "log"}, {"method": "jackknife"}]
CHUNK = 7
SEARCHED = 1e-3  # relative precision of what iteration finds: variance components, limits of a profile

Outcome = pd.DataFrame | str  # a result, or the kind of error


def outcome(run: Callable[[], pd.DataFrame]) -> Outcome:
    """The result of a call, or the name of its error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return run()
        except AgreementError as error:
            return f"{type(error).__name__}: {error}"


def _draw(seed: int) -> tuple[Rng, Ratings, dict[str, Any]]:
    """Ratings whose labels are all in use, and options."""
    rng = np.random.default_rng(seed)
    ratings = draw_ratings(rng, simple=True)
    seen = np.unique(ratings.codes[ratings.codes != GAP])
    codes = np.where(ratings.codes == GAP, GAP, np.searchsorted(seen, ratings.codes))
    labels = [ratings.labels[code] for code in seen]
    dtype = ratings.dtype if ratings.dtype not in ("category", "ordered") else object
    options = SETTINGS[int(rng.integers(5))] | {"detail": True}
    return rng, replace(ratings, codes=codes, labels=labels, dtype=dtype), options


def _weighted(rng: Rng, record: Coefficient) -> dict[str, Any]:
    option = next((name for name in ("weights", "level") if record.accepts(name)), None)
    words = {"weights": ("linear", "quadratic", "ordinal"), "level": ("interval", "ordinal", "nominal")}
    return defaults(record.name) | ({option: str(rng.choice(words[option]))} if option and rng.random() < 0.5 else {})


# ------------------------------------------------------------------------------------------------------ every format


def check_formats(seed: int) -> str:
    """The same ratings in every format in which the coefficient is defined."""
    rng, ratings, options = _draw(seed)
    record = REGISTRY[str(rng.choice(list(REGISTRY)))]
    options |= _weighted(rng, record)
    found = {name: outcome(run) for name, run in _formats(ratings, record, options)}
    expected = found.pop("wide")
    for name, other in found.items():
        if isinstance(other, str) and "are the sums of the others" in other:
            continue  # a table of few items that has its margins by chance
        _same(f"{record.name}({options}) of {name} data", other, expected, NUMBERS)
    return "error" if isinstance(expected, str) else "result"


def _formats(
    ratings: Ratings, record: Coefficient, options: dict[str, Any]
) -> Iterator[tuple[str, Callable[[], pd.DataFrame]]]:
    frame, judgments = wide(ratings), long(ratings)
    yield "wide", lambda: getattr(frame.agree, record.name)(*ratings.coders, **options)
    yield "long", lambda: getattr(judgments.agree.long(**LONG), record.name)(**options)
    if not record.needs_coders and not record.needs_numbers:
        yield "counts", lambda: getattr(counts(ratings).agree.counts(), record.name)(**options)
    if ratings.codes.shape[1] == 2 and (ratings.codes != GAP).all():  # a table of pairs lacks labels without a partner
        yield "crosstab", lambda: getattr(crosstab(ratings).agree.crosstab(), record.name)(**options)
    if record.has("stream") and options.get("method") != "jackknife":
        parts = [frame.iloc[start : start + CHUNK] for start in range(0, len(frame), CHUNK)]
        given: dict[str, Any] = {"metrics": record.name, **options}
        yield "streamed", lambda: pandas_agreement.stream(parts, *ratings.coders, **given)
        pieces = [judgments.iloc[start : start + CHUNK] for start in range(0, len(judgments), CHUNK)]
        yield "streamed long", lambda: pandas_agreement.stream(pieces, **given, **LONG)


# -------------------------------------------------------------------------------------------------------- every group


def check_groups(seed: int) -> str:
    """`by=` and the loop over the groups, with the categories of all of them."""
    rng, ratings, options = _draw(seed)
    method = str(rng.choice(GROUPED))
    options = options | _weighted(rng, REGISTRY[method]) if method in REGISTRY else {"detail": True}
    dtype = pd.CategoricalDtype(ratings.labels)
    options |= {} if method == "bland_altman" else {"categories": dtype}
    frame = wide(ratings).assign(batch=ratings.group)
    coders = ratings.coders
    together = outcome(lambda: reach(frame.agree, method)(*coders, by="batch", **options))
    _check_columns(method, frame, coders, options, together)
    for group, part in frame.groupby("batch"):
        alone = outcome(lambda part=part: reach(part.agree, method)(*coders, **options))
        if isinstance(together, str):
            break  # one group is enough to refuse all
        if isinstance(alone, str):
            raise Broken(f"{method}({options}) has a result by group, but not of group {group} alone: {alone}")
        own = together[together.index.get_level_values("batch") == group]
        _same(f"{method}({options}) of group {group}", own, alone, _but_notes(alone))
    return "error" if isinstance(together, str) else "result"


def _check_columns(method: str, frame: pd.DataFrame, coders: list[Any], options: dict[str, Any], by: Outcome) -> None:
    """A grouped frame whose keys are columns has the same result, with the keys as columns."""
    keyed = outcome(lambda: reach(frame.groupby("batch", as_index=False).agree, method)(*coders, **options))
    expected = by if isinstance(by, str) else by.reset_index()
    _same(
        f"{method}({options}) with keys as columns",
        keyed,
        expected,
        [] if isinstance(expected, str) else list(expected),
    )


def _but_notes(result: pd.DataFrame) -> list[str]:
    return [name for name in result if name not in ("note", "remarks")]


# --------------------------------------------------------------------------------------------------- every frequency


def check_frequency(seed: int) -> str:
    """Rows that stand for n items, and the rows as often as that."""
    rng, ratings, options = _draw(seed)
    method = str(rng.choice(GROUPED))
    options = options | _weighted(rng, REGISTRY[method]) if method in REGISTRY else {"detail": True}
    dtype = pd.CategoricalDtype(ratings.labels)
    options |= {} if method == "bland_altman" else {"categories": dtype}
    options |= {"by": "batch"} if rng.random() < 0.3 else {}
    number = rng.integers(1, 4, size=len(ratings.codes))
    frame = wide(ratings).assign(batch=ratings.group, n=number)
    often = frame.loc[frame.index.repeat(number)].reset_index(drop=True)
    found = outcome(lambda: reach(frame.agree, method)(*ratings.coders, frequency="n", **options))
    expected = outcome(lambda: reach(often.agree, method)(*ratings.coders, **options))
    columns = [] if isinstance(expected, str) else _but_notes(expected)
    _same(f"{method}({options}) with frequencies", found, expected, columns)
    return "error" if isinstance(found, str) else "result"


def _same(what: str, found: Outcome, expected: Outcome, columns: list[str]) -> None:
    if isinstance(found, str) or isinstance(expected, str):
        if isinstance(found, str) != isinstance(expected, str):
            raise Broken(f"{what}: {found!r} and not {expected!r}")
        return
    try:
        assert_frame_equal(
            found[columns].reset_index(drop=True),
            expected[columns].reset_index(drop=True),
            check_dtype=False,
            check_categorical=False,
            rtol=SEARCHED if "icc_" in what else 1e-7,
            atol=1e-9,
        )
    except AssertionError as error:
        raise Broken(f"{what} differs: {error}") from None
