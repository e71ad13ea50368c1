"""Every method of spans with random data and right and wrong options: a result that fits its schema, or our error."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.accessor.spans import NAMES, SpanAgreement
from pandas_agreement.errors import AgreementError
from tests.fuzz.calls import WRONG
from tests.fuzz.rules import OF_WAYS, check_result, check_warnings
from tests.helpers import every
from tests.spans.helpers import ROLES, corpus

RIGHT: dict[str, Any] = {
    "by": ["half", ["half", "doc"], "doc"],
    "overall": [True, False],
    "ci": [0.9, None],
    "clusters": ["doc", "half"],
    "detail": [True, False],
    "iou": [0, 0.5, 1],
    "of": ["all", "marking", "labels"],
    "metrics": ["f1", "alpha", ["kappa", "f1"], []],
}


def draw(seed: int) -> tuple[pd.DataFrame, dict[str, Any], str, list[str], dict[str, Any]]:
    """A frame, how it is read, a method, coders, and options."""
    rng = np.random.default_rng([seed, 7])
    frame, lengths = corpus(seed, int(rng.integers(0, 9)), overlap=bool(rng.random() < 0.3))
    frame["half"] = frame["doc"].str[-1:].isin(list("13579"))
    given: dict[str, Any] = {"unmarked": str(rng.choice(["seen", "absent"]))}
    given |= {"length": lengths} if rng.random() < 0.6 else {}
    roles = {**ROLES, **given}
    if rng.random() < 0.2:
        del roles["label"]
    if rng.random() < 0.1:
        roles[str(rng.choice(list(roles)))] = WRONG[int(rng.integers(len(WRONG)))]
    method = str(rng.choice(NAMES))
    known = [name for name in inspect.signature(getattr(SpanAgreement, method)).parameters if name in RIGHT]
    options = {name: RIGHT[name][int(rng.integers(len(RIGHT[name])))] for name in known if rng.random() < 0.4}
    if options and rng.random() < 0.1:
        options[str(rng.choice(list(options)))] = WRONG[int(rng.integers(len(WRONG)))]
    return frame, roles, method, ["b", "a"] if rng.random() < 0.2 else [], options


def run(seed: int) -> None:
    frame, roles, method, coders, options = draw(seed)
    before = frame.copy()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = getattr(frame.agree.spans(**roles), method)(*coders, **options)
        except AgreementError:
            result = None
    check_warnings(caught)
    assert frame.equals(before)
    if result is not None and f"spans.{method}" in OF_WAYS:
        check_result(f"spans.{method}", result, bool(options.get("detail", False)))


@pytest.mark.parametrize("block", range(2))
def test_every_call_gives_a_result_or_our_error(block: int) -> None:
    every({f"seed {seed}": [seed] for seed in range(block * 100, block * 100 + 100)}, run)
