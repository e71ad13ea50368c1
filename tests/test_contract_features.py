"""Every registered coefficient keeps the promises of the methods and options that it has.

Which these are stands in `FEATURES`, in the registry. A coefficient without one is refused with the names of those that
have it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtri

from pandas_agreement import InputError, plan, stream
from pandas_agreement.coefficients.registry import FEATURES, REGISTRY, having
from tests import bruteforce
from tests.contract import EVERY, NUMERIC, VALUES, bare, call, oracle, same, value
from tests.data_sets import rows_of, scores
from tests.helpers import defaults, every

CODERS = ["ann", "bob", "cleo"]
RULES = ("pairable", "all", "complete")
NUMBERS = ["estimate", "se", "ci_low", "ci_high", "observed", "expected", "n_items"]


def weights_of(name: str) -> str:
    return defaults(name).get("weights", "nominal")


# ------------------------------------------------------------------------------------------------------- refusals


def first(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[CODERS]


ASKED: dict[str, Callable[[pd.DataFrame, str], Any]] = {
    "by_category": lambda df, name: first(df).agree.by_category(metrics=[name]),
    "compare": lambda df, name: df.agree.compare(CODERS[:2], CODERS[1:], metrics=name),
    "by_item": lambda df, name: df.agree.by_item(*CODERS, metrics=name),
    "test": lambda df, name: first(df).agree.test.chance(metrics=name),
    "plan": lambda df, name: plan.lower_limit(name, estimate=0.7, n_items=50),
    "pooled": lambda df, name: df.agree.pooled(*CODERS, by="batch", metrics=name),
    "sampling": lambda df, name: getattr(df.agree, name)(*CODERS, sampling="coders"),
    "stream": lambda df, name: stream([df], *CODERS, metrics=name),
    "coder_groups": lambda df, name: df.agree.coder_groups({"x": CODERS[:2], "y": CODERS[2:]}).within(metrics=name),
}


@pytest.mark.parametrize("feature", FEATURES)
def test_a_coefficient_without_a_feature_is_refused(feature: str) -> None:
    df = scores().assign(batch="x")

    def check(name: str) -> None:
        with pytest.raises(InputError) as caught:
            ASKED[feature](df, name)
        assert name in caught.value.problem
        assert ", ".join(map(repr, having(feature))) in caught.value.remedy

    every({name: (name,) for name in EVERY if name not in having(feature)}, check)


def test_the_square_root_of_a_ratio_is_not_a_ratio() -> None:
    """A coefficient that is not 1 - D_o / D_e must say so."""
    for name in having("pooled"):
        row = call(scores().agree, name).iloc[0]
        assert row["estimate"] == pytest.approx(1 - (1 - row["observed"]) / (1 - row["expected"])), name
    assert not {"perreault_leigh", "light_kappa", "observed", "bias", *NUMERIC} & set(having("pooled"))


# ------------------------------------------------------------------------------------------- pooled


LEVELS = [(name, {}) for name in having("pooled")]
LEVELS += [(name, {"weights": "quadratic"}) for name in having("pooled") if REGISTRY[name].accepts("weights")]
LEVELS += [("alpha", {"level": level}) for level in ("ordinal", "interval", "linear", "ratio")]


@pytest.mark.parametrize(("name", "level"), LEVELS)
@pytest.mark.parametrize("missing", RULES)
def test_one_group_pooled_is_the_estimate(name: str, level: dict[str, str], missing: str) -> None:
    df = scores().assign(batch="x")
    options = defaults(name) | {"missing": missing} | level
    within = df.agree.pooled(*CODERS, by="batch", metrics=name, **options).loc[["within groups"]]
    same(bare(within[NUMBERS]), bare(call(first(df).agree, name, method="analytic", **options)[NUMBERS]))


@pytest.mark.parametrize("name", having("pooled"))
def test_one_group_of_perfect_agreement_pooled_is_the_estimate(name: str) -> None:
    truth = [1, 2, 3, 4, 1, 2, 3, 4]
    df = pd.DataFrame({"ann": truth, "bob": truth, "batch": "x"})
    both = df.agree.pooled("ann", "bob", by="batch", metrics=name, **defaults(name))
    same(bare(both.loc[["within groups"], NUMBERS]), bare(both.loc[["all together"], NUMBERS]))


@pytest.mark.parametrize("name", having("pooled"))
def test_pooled_is_all_disagreement_over_all_that_was_expected(name: str) -> None:
    df = scores(90).assign(batch=["x", "y", "z"] * 30)
    by = call(df.agree, name, *CODERS, by="batch", categories=VALUES)
    number = by["n_items"].to_numpy()
    if REGISTRY[name].unit == "label":
        counted = first(df)[first(df).notna().sum(axis=1) >= 2]
        number = counted.notna().sum(axis=1).groupby(df["batch"]).sum().to_numpy()
    apart, expected = (float((number * (1 - by[column])).sum()) for column in ("observed", "expected"))
    both = df.agree.pooled(*CODERS, by="batch", metrics=name, categories=VALUES, **defaults(name))["estimate"]
    assert both["within groups"] == pytest.approx(1 - apart / expected)
    assert both["all together"] == pytest.approx(value(first(df).agree, name, categories=VALUES))


@pytest.mark.parametrize(("name", "level"), [("pi", {}), ("alpha", {"level": "ordinal"})])
def test_the_pooled_standard_error_is_near_that_of_leaving_out_items(name: str, level: dict[str, str]) -> None:
    df = scores(40, 2, gaps=0, seed=3).assign(batch=["x", "y"] * 20)

    def pooled(frame: pd.DataFrame) -> pd.Series:
        return frame.agree.pooled("ann", "bob", by="batch", metrics=name, categories=VALUES, **level).iloc[0]

    variance = 0.0
    for _, part in df.groupby("batch"):  # groups are independent
        without = [pooled(df.drop(index=i))["estimate"] for i in part.index]
        variance += (len(part) - 1) * float(np.var(without))
    assert pooled(df)["se"] == pytest.approx(math.sqrt(variance), rel=0.05)


# ------------------------------------------------------------------------------------------------- influence


@pytest.mark.parametrize("name", having("by_item"))
def test_the_influence_of_an_item_is_its_derivative(name: str) -> None:
    df = scores(24, gaps=0.25)
    rows = rows_of(df)
    kept = bruteforce.kept(rows, "pairable")
    expected = np.full(len(df), np.nan)
    expected[kept] = np.array(bruteforce.numeric_influence(oracle(name, weights_of(name)), rows, kept)) / len(kept)
    if REGISTRY[name].unit == "label":  # alpha: centred, because one more item also changes the number of labels
        expected -= np.nanmean(expected)
    found = df.agree.by_item(metrics=name, categories=VALUES, **defaults(name))["influence"]
    assert found.to_numpy() == pytest.approx(expected, abs=1e-9, nan_ok=True)


def influence(df: pd.DataFrame, name: str) -> np.ndarray:
    """What each item does to the value, 0 for an item that does not count."""
    found = df.agree.by_item(metrics=name, categories=VALUES, **defaults(name))["influence"]
    return found.fillna(0.0).to_numpy()


@pytest.mark.parametrize("name", having("compare"))
def test_the_difference_of_two_sets_is_that_of_their_estimates(name: str) -> None:
    df = scores(60)
    sets = CODERS[:2], CODERS[1:]
    options = defaults(name) | {"categories": VALUES}
    row = df.agree.compare(*sets, metrics=name, method="analytic", detail=True, **options).iloc[0]
    estimates = [value(df.agree, name, *coders, **options) for coders in sets]
    assert [row["estimate_1"], row["estimate_2"]] == pytest.approx(estimates)
    assert row["difference"] == pytest.approx(estimates[0] - estimates[1])
    apart = influence(df[sets[0]], name) - influence(df[sets[1]], name)
    n = int(((df[sets[0]].notna().all(axis=1)) | df[sets[1]].notna().all(axis=1)).sum())
    assert row["se"] == pytest.approx(math.sqrt(n / (n - 1) * (apart**2).sum()))


@pytest.mark.parametrize("name", having("compare"))
def test_a_set_does_not_differ_from_itself(name: str) -> None:
    row = scores().agree.compare(CODERS, CODERS, metrics=name, detail=True, **defaults(name)).iloc[0]
    assert (row["difference"], row["se"]) == (0, 0)


@pytest.mark.parametrize("name", having("sampling"))
def test_coders_as_a_sample_are_left_out_one_at_a_time(name: str) -> None:
    df = scores(40, 4)
    options = {"categories": VALUES}
    without = [value(df.drop(columns=coder).agree, name, **options) for coder in df.columns]
    coders = math.sqrt((len(without) - 1) * np.var(without))
    items = call(df.agree, name, **options)["se"].iloc[0]
    expected = {"items": items, "coders": coders, "both": math.hypot(items, coders)}
    found = {how: call(df.agree, name, sampling=how, **options)["se"].iloc[0] for how in expected}
    assert found == pytest.approx(expected)


# ------------------------------------------------------------------------------------------------- parts of the data


@pytest.mark.parametrize("name", EVERY)
def test_pairs_are_a_loop_over_pairs(name: str) -> None:
    df = scores(80, 4).assign(batch=["x", "y"] * 40)
    options: dict[str, Any] = {"by": "batch", "categories": VALUES}
    coders = ["ann", "bob", "cleo", "dev"]
    loop = {pair: call(df.agree, name, *pair, **options) for pair in combinations(coders, 2)}
    expected = pd.concat(loop, names=["coder_1", "coder_2"])
    found = df.agree.by_pair(*coders, metrics=[name], detail=True, **(options | defaults(name)))
    assert found.index.names == ["batch", "coder_1", "coder_2", "coefficient"]
    expected = expected.set_index("coefficient", append=True)
    expected = expected.reorder_levels(found.index.names).reindex(found.index)
    assert len(found) == len(loop) * 2
    same(found, expected[found.columns], 1e-6 if name in NUMERIC else 1e-10)


@pytest.mark.parametrize("name", having("by_category"))
@pytest.mark.parametrize("missing", RULES)
def test_a_category_is_measured_against_the_rest(name: str, missing: str) -> None:
    df = scores(60)
    found = df.agree.by_category(metrics=[name], missing=missing, detail=True)
    for category in VALUES:
        chosen = df.eq(category).replace({True: "this", False: "others"}).where(df.notna())
        row = call(chosen.agree, name, categories=["others", "this"], missing=missing)[NUMBERS].astype(float)
        if name == "bias":  # of the two categories, which differ by the same; there is no expected agreement of one
            row[["estimate", "se", "ci_low", "ci_high"]] /= 2
            row["expected"] = np.nan
        same(found.loc[[(category, name)], NUMBERS].droplevel(0).astype(float), row)


def odd_groups() -> pd.DataFrame:
    """A group of the usual kind, one of perfect agreement, one at chance."""
    usual = scores(60).assign(batch="usual")
    truth = [1.0, 2, 3, 4] * 3
    perfect = pd.DataFrame({"ann": truth, "bob": truth, "cleo": truth, "batch": "perfect"})
    chance = pd.DataFrame(product(VALUES, VALUES), columns=CODERS[:2], dtype=float).assign(cleo=np.nan, batch="chance")
    return pd.concat([usual, perfect, chance], ignore_index=True)


@pytest.mark.parametrize("name", having("stream"))
@pytest.mark.parametrize("by", [None, "batch"])
def test_chunks_have_the_numbers_of_the_whole(name: str, by: str | None) -> None:
    df = odd_groups().sample(frac=1, random_state=1)
    options: dict[str, Any] = {"by": by} | defaults(name)
    chunks = [df.iloc[:20], df.iloc[20:21], df.iloc[21:]]
    same(stream(chunks, *CODERS, metrics=name, detail=True, **options), call(df.agree, name, *CODERS, **options))


# ------------------------------------------------------------------------------------------------------- planning


def guessing(n_coders: int) -> pd.DataFrame:
    """Coders who know every second label, and toss a coin for the others: each pattern as often as it is likely."""
    patterns = list(product([1, 2], repeat=n_coders))
    rows = []
    for pattern, truth in product(patterns, [1, 2]):
        times = math.prod(3 if label == truth else 1 for label in pattern)
        rows += [pattern] * (64 * times)
    return pd.DataFrame(rows, columns=CODERS[:n_coders])


@pytest.mark.parametrize("name", having("plan"))
@pytest.mark.parametrize("n_coders", [2, 3])
def test_planning_stands_on_the_influence_of_items(name: str, n_coders: int) -> None:
    df = guessing(n_coders)
    row = call(df.agree, name).iloc[0]
    loose = 0.01 if REGISTRY[name].unit == "label" else 1e-6  # alpha corrects for the size of the sample
    found = plan.items_for_width(name, estimate=row["estimate"], width=0.2, n_coders=n_coders).iloc[0]
    assert found["sd"] == pytest.approx(row["se"] * math.sqrt(len(df) - 1), rel=loose)
    assert found["n_items"] == pytest.approx((2 * ndtri(0.975) * found["sd"] / 0.2) ** 2, rel=0.04, abs=5)


@pytest.mark.parametrize("name", having("plan"))
def test_the_items_for_a_power_have_it(name: str) -> None:
    test: dict[str, Any] = {"estimate": 0.8, "null": 0.6, "n_coders": 3, "shares": (0.6, 0.4)}
    n = int(plan.items_for_power(name, power=0.9, **test)["n_items"].iloc[0])
    few, enough = plan.power(name, n_items=[n - 1, n], **test)["power"]
    assert few < 0.9 <= enough
