"""Every public method that gives a frame has a table, sentences and, where it has an interval, an answer.

Methods are found as the sweep finds them, so that a new one takes part without further work.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import interpret, plan, sentence, table
from pandas_agreement.errors import AgreementError
from tests.benchmarks import sweep
from tests.helpers import every

RAW = re.compile(r"\d\.\d{7,}|\d\.\d\d+[eE]")  # a float as Python writes it
#: arguments of the functions of `plan` that give a frame
PLANS: dict[str, dict[str, Any]] = {
    "double_code": {"pool": 1000, "width": [0.1, 0.2], "se": 0.5},
    "items_for_noninferiority": {"margin": 0.1, "se": 0.5},
    "items_for_power": {"estimate": 0.8, "null": 0.6},
    "items_for_width": {"estimate": [1 / 3, 0.8], "width": 0.1},
    "judge_labels": {"width": 0.1, "reliability": 1 / 3},
    "labels_per_item": {"accuracy": 2 / 3, "target": 0.9},
    "lower_limit": {"estimate": 0.8, "n_items": [50, 100]},
    "power": {"estimate": 0.8, "null": 0.6, "n_items": [50, 100]},
}


def check(result: pd.DataFrame) -> None:
    """All that is true of the table and the sentences of any result."""
    made = table(result, style="apa")
    assert type(made) is pd.DataFrame
    assert all(isinstance(cell, str) for row in made.to_numpy() for cell in row)
    text = made.to_string()
    assert not RAW.search(text), RAW.search(text)
    assert not [name for name in made if "_" in str(name)]  # headers for readers
    if "note" in result and (result["note"] != "").any():
        assert made["Note"].tolist() == result["note"].tolist()
    assert len(sentence(result).splitlines()) == len(result)
    assert not RAW.search(sentence(result))
    check_words(result)


def check_words(result: pd.DataFrame) -> None:
    """Words where there are estimates, answers where there are intervals, and a message that says why not."""
    for call, needed in ((interpret, {"estimate"}), (at_least, {"ci_low", "ci_high"})):
        try:
            assert len(call(result)) == len(result)
        except AgreementError as error:
            if (
                error.code != "no coefficient"
                and needed <= set(result.columns)
                and result[list(needed)].notna().all(axis=1).any()
            ):
                raise


def at_least(result: pd.DataFrame) -> pd.Series:
    return table(result, at_least=0.5).eq(interpret(result, at_least=0.5).to_numpy()[:, None]).any(axis=1)


def called(axis: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """The result of the plainest call of every public method that gives a frame, on a small frame."""
    frame = sweep.AXES[axis].make(sweep.AXES[axis].tiny)
    for name, method in sweep.methods().items():
        if name.startswith("plot.") or name.endswith("report") or name in ("table", "sentence", "interpret"):
            continue
        call = sweep.call_of(name, method, axis)
        if call is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = call.method(call.take(frame))(*call.coders, **call.keywords)
            if isinstance(found, pd.DataFrame):
                yield name, found


@pytest.mark.slow  # about a hundred methods
def test_every_method_has_a_table() -> None:
    pytest.importorskip("matplotlib", reason="the sweep has pictures, too")
    found = dict(called("items"))
    assert len(found) > 60
    every({name: [result] for name, result in found.items()}, check)


def test_plans() -> None:
    frames = {name for name in plan.__all__ if "DataFrame" in str(getattr(plan, name).__annotations__.get("return"))}
    assert frames - {"more_items"} == set(PLANS)  # which takes a result, and so is swept
    for name, options in PLANS.items():
        check(getattr(plan, name)(**options))


def test_no_words_for_shares_and_mean_scores() -> None:
    rates = pd.DataFrame({"estimate": [0.7], "judge_share": 0.6}, index=pd.Index(["bug"], name="category"))
    assert interpret(rates).isna().all()
    names = pd.Index(["kappa", "consistency", "fleiss_kappa", "macro_f1"], name="coefficient")
    assert interpret(pd.DataFrame({"estimate": 0.7}, index=names)).notna().tolist() == [True, False, True, False]
    findings = pd.DataFrame({"estimate": [0.7, 0.7], "measure": ["alpha", "gap in agreement"]})
    assert interpret(findings).notna().tolist() == [True, False]
    assert interpret(pd.Series([0.7, np.nan]), "altman").notna().tolist() == [True, False]
