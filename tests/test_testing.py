"""The gate for tests and pipelines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import InputError, load_example
from pandas_agreement.testing import assert_agreement
from tests.helpers import refuses

CODERS = ("ann", "bob", "cleo")


def missed(result: pd.DataFrame, at_least: dict[str, float], **options: Any) -> list[str]:
    """The lines of the AssertionError; none if there is none."""
    try:
        assert_agreement(result, at_least, **options)
    except AssertionError as error:
        return str(error).splitlines()
    return []


def test_enough_agreement_passes() -> None:
    result = load_example().agree.summary(*CODERS)
    assert missed(result, {"alpha": 0.4, "kappa": 0.4}, min_items=100) == []
    assert missed(result, {"krippendorff_alpha": result.loc["alpha", "estimate"]}, on="estimate") == []


def test_the_lower_limit_counts_unless_told_otherwise() -> None:
    result = load_example().agree.alpha(*CODERS)
    between = float(result[["ci_low", "estimate"]].mean(axis=1).iloc[0])
    low = result["ci_low"].iloc[0]
    assert missed(result, {"alpha": between}, on="estimate") == []
    assert missed(result, {"alpha": between}) == [
        "1 value is not as required:",
        f"alpha.ci_low is {low:.4f}: at_least requires {between:g}",
    ]


def test_every_row_that_misses_is_listed_with_its_keys() -> None:
    result = load_example().agree.by_pair(*CODERS, by="batch", metrics="kappa")
    low = result[result["ci_low"] < 0.3]
    lines = missed(result, {"kappa": 0.3})
    assert lines[0] == f"{len(low)} values are not as required:"
    assert lines[1:] == [
        f"kappa.ci_low is {row['ci_low']:.4f}, in batch {batch}, coder_1 {one}, coder_2 {two}: at_least requires 0.3"
        for (batch, one, two), row in low.iterrows()
    ]


def test_undefined_and_missing_intervals_fail_with_their_reason() -> None:
    df = pd.DataFrame({"a": list("xxxxyyxy"), "b": list("xxxxyxxy"), "g": [1] * 4 + [2] * 4})
    for detail, reason in ((False, "one category"), (True, "only one category used")):
        with pytest.warns(UserWarning, match="undefined"):
            result = df.agree.kappa("a", "b", by="g", detail=detail)
        assert missed(result, {"kappa": -1}) == [
            "1 value is not as required:",
            f"kappa.ci_low is undefined ({reason}), in g 1: at_least requires -1",
        ]
    lines = missed(df.agree.kappa("a", "b", ci=None), {"kappa": 0})
    assert lines[1] == "kappa.ci_low is undefined (there is no interval): at_least requires 0"
    assert missed(result.iloc[:0], {"kappa": 0})[1] == (
        "kappa.ci_low is undefined (the result has no rows): at_least requires 0"
    )


def test_few_items_fail() -> None:
    result = load_example().agree.alpha(*CODERS, by="batch")
    few = int(result["n_items"].max())
    lines = missed(result, {"alpha": -1}, on="estimate", min_items=few)
    rows = result[result["n_items"] < few]
    expected = [
        f"alpha rests on {n} items, in batch {batch}: min_items requires {few}" for batch, n in rows["n_items"].items()
    ]
    assert lines[1:] == expected != []


def test_differences_of_judges_and_people() -> None:
    judged = load_example().agree.judges("dev", humans=list(CODERS)).versus_humans()
    low, difference = (judged[name].iloc[0] for name in ("difference_low", "difference"))
    assert missed(judged, {"difference_low": low - 0.01}) == []
    assert missed(judged, {"difference_low": -0.01}) == [
        "1 value is not as required:",
        f"difference_low is {low:.4f}, in judge dev: at_least requires -0.01",
    ]
    assert missed(judged, {"difference": -0.01})[1] == (
        f"difference is {difference:.4f}, in judge dev: at_least requires -0.01"
    )
    assert missed(judged, {"kappa": 0.3}, on="estimate") == []
    message = (
        "The interval of this result is that of 'difference', not of 'kappa'. Check 'difference_low', or use "
        "on='estimate'."
    )
    with refuses(InputError, message):
        assert_agreement(judged, {"kappa": 0.5})


WRONG = [
    (({"kappa": 80},), {}, "kappa=80: agreement lies between -1 and 1. Did you mean kappa=0.8?"),
    (({"kappa": -2},), {}, "kappa=-2: agreement lies between -1 and 1."),
    (({"kappa": np.nan},), {}, "kappa=nan: the least value must be a number, such as 0.8."),
    (({"kappa": "0.8"},), {}, "kappa='0.8': the least value must be a number, such as 0.8."),
    (({"kapa": 0.8},), {}, "'kapa' is neither a coefficient nor a difference in the result. Did you mean 'kappa'?"),
    (({"pi": 0.8},), {}, "The result has no 'pi'. There are: 'kappa'."),
    (({},), {}, "at_least={} must be a dictionary of least values, such as {'alpha': 0.8}."),
    ((0.8,), {}, "at_least=0.8 must be a dictionary of least values, such as {'alpha': 0.8}."),
    (({"kappa": 0.8},), {"on": "ci_high"}, "on='ci_high' is not known. Use one of 'estimate', 'ci_low'."),
    (({"kappa": 0.8},), {"min_items": -1}, "min_items=-1 must be a whole number of 0 or more."),
]


@pytest.mark.parametrize(("arguments", "options", "message"), WRONG)
def test_mistakes(arguments: Any, options: dict[str, Any], message: str) -> None:
    result = load_example().agree.kappa("ann", "bob")
    with pytest.raises(InputError) as caught:
        assert_agreement(result, *arguments, **options)
    assert str(caught.value).startswith(message)


def test_other_things_than_results() -> None:
    message = "assert_agreement takes the frame that df.agree.kappa(...) gives, not float."
    with refuses(InputError, message):
        assert_agreement(0.8, {"kappa": 0.5})  # type: ignore[arg-type]
    message = (
        "The result does not say which coefficient it holds. Compute it with detail=True, which adds the column "
        "'coefficient'."
    )
    with refuses(InputError, message):
        assert_agreement(load_example(), {"kappa": 0.5})
