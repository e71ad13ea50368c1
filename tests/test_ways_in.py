"""Breakdowns are the same in every way in: wide, long, grouped, group by group, and in rows that stand for several."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import AgreementWarning
from tests.data_sets import CATEGORIES, LONG, scores, to_long
from tests.helpers import every, reach, same

CODERS = ["ann", "bob", "cleo", "dev"]
HUMANS = CODERS[:3]
PAIRS = [["ann", "bob"], ["ann", "cleo"]]
RATES = ["rate", "specific", "kappa"]
#: what a method needs, besides the coders
METHODS: dict[str, dict[str, Any]] = {
    "by_category": {"metrics": RATES},
    "by_coder": {},
    "by_coder ordinal": {"level": "ordinal"},
    "by_pair": {"metrics": ["kappa", "ccc"]},
    "margins": {},
    "margins all": {"missing": "all"},
    "bland_altman": {},
    "icc": {},
    "test.margins": {},
    "test.chance": {"metrics": ["kappa", "alpha", "s"]},
    "diagnose": {},
    "diagnose nominal": {"level": "nominal"},
    "diagnose interval": {"level": "interval"},
}
Call = Callable[..., pd.DataFrame]


def _plain(name: str, given: dict[str, Any]) -> Call:
    method = name.partition(" ")[0]
    return lambda agree, coders, **more: reach(agree, method)(*coders, detail=True, **given, **more)


def _compare(agree: Any, coders: list[str], **more: Any) -> pd.DataFrame:
    return agree.compare(*PAIRS, detail=True, **more)


def _camps(method: str) -> Call:
    camps = {"one": CODERS[:2], "other": CODERS[2:]}
    return lambda agree, coders, **more: getattr(agree.coder_groups(camps), method)(detail=True, **more)


def _judged(method: str, **given: Any) -> Call:
    def call(agree: Any, coders: list[str], categories: Any = None, **more: Any) -> pd.DataFrame:
        judged = agree.judges("dev", humans=HUMANS, categories=categories or CATEGORIES)
        return getattr(judged, method)(detail=True, **given, **more)

    return call


CALLS: dict[str, Call] = {name: _plain(name, given) for name, given in METHODS.items()}
CALLS |= {"compare": _compare}
CALLS |= {f"coder_groups.{name}": _camps(name) for name in ("within", "across", "compare")}
CALLS |= {f"judges.{name}": _judged(name) for name in ("versus_humans", "ceilings")}
CALLS |= {
    "judges.alt_test": _judged("alt_test", epsilon=0.2, min_items=10),
    "judges.accuracy": _judged("accuracy", reference="majority"),
    "judges.accuracy consensus": _judged("accuracy", reference="consensus"),
    "judges.error_rates": _judged("error_rates", by_human=True),
    "judges.corrected_rate": _judged("corrected_rate", reference="majority", design="random"),
}
#: what is about all groups together: corrections for many tests, and the words that follow from them
OF_ALL = ["p_holm", "verdict", "note", "remarks"]
UNDECLARED = ("bland_altman", "icc", "judges")


def frame() -> pd.DataFrame:
    df = scores(90, 4, gaps=0.25, seed=2)
    df["dev"] = df["dev"].where(df["dev"] != 3, 2)  # somebody is found
    rng = np.random.default_rng(1)
    return df.assign(batch=rng.choice(["x", "y"], 90), times=rng.integers(1, 4, 90))


def all_alike(check: Callable[[str], tuple[pd.DataFrame, pd.DataFrame]], but: Collection[str] = ()) -> None:
    """Both results of the check are the same for every method."""

    def compare(name: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AgreementWarning)
            found, expected = check(name)
        assert len(expected)
        same(found, expected, 1e-6, check_dtype=False)

    every({name: (name,) for name in CALLS if name not in but}, compare)


@pytest.mark.parametrize("options", [{}, {"by": "batch"}, {"frequency": "times"}], ids=str)
def test_long_is_wide(options: dict[str, str]) -> None:
    df = frame()
    df = df[df[CODERS].notna().any(axis=1)]  # long data do not know of items that nobody labelled
    door = to_long(df, ("batch", "times")).sample(frac=1, random_state=1).agree.long(**LONG)
    all_alike(lambda name: (CALLS[name](door, [], **options), CALLS[name](df.agree, CODERS, **options)))


def test_a_grouped_frame_has_the_groups_of_by() -> None:
    df = frame()
    groups = df.groupby("batch").agree
    all_alike(lambda name: (CALLS[name](groups, CODERS), CALLS[name](df.agree, CODERS, by="batch")))


@pytest.mark.parametrize("batch", ["x", "y"])
def test_a_group_is_its_rows_alone(batch: str) -> None:
    df = frame()
    part = df[df["batch"] == batch]

    def check(name: str) -> tuple[pd.DataFrame, pd.DataFrame]:
        options = {} if name.startswith(UNDECLARED) else {"categories": CATEGORIES}
        grouped = CALLS[name](df.agree, CODERS, by="batch", **options).loc[batch]
        return own(grouped), own(CALLS[name](part.agree, CODERS, **options))

    all_alike(check)


def test_rows_that_stand_for_several_are_so_many_rows() -> None:
    """Camps of coders are found on a random half of the items, which rows and frequencies draw differently."""
    df, random = frame(), [name for name in CALLS if name.startswith("diagnose")]
    rows = df.loc[df.index.repeat(df["times"])].reset_index(drop=True)
    all_alike(lambda name: (CALLS[name](df.agree, CODERS, frequency="times"), CALLS[name](rows.agree, CODERS)), random)


def own(result: pd.DataFrame) -> pd.DataFrame:
    """What a group has by itself."""
    return result.drop(columns=[name for name in OF_ALL if name in result])
