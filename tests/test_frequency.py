"""`frequency=`: a row that stands for n items gives the numbers of the frame that repeats it n times.

Every public method takes part, also one that does not exist yet.
"""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.coefficients.registry import REGISTRY, having
from tests.data_sets import CATEGORIES, LONG, scores, to_counts, to_long
from tests.fuzz.calls import METHODS
from tests.helpers import call, defaults, documented, reach, refuses, same

RNG = np.random.default_rng(5)
PATTERNS = scores(40, 3).assign(batch=["x", "y"] * 20, site=np.arange(40) % 4, n=RNG.integers(0, 4, 40).astype(float))
PATTERNS.loc[0, ["ann", "bob", "n"]] = [9, 9, 0]  # a label that only a row with frequency 0 has
PATTERNS.loc[1, ["batch", "n"]] = ["z", 0]  # and a group
CODERS = ["ann", "bob", "cleo"]
EXPANDED = PATTERNS.loc[PATTERNS.index.repeat(PATTERNS["n"].astype(int))].reset_index(drop=True).drop(columns="n")
BY_ROW = ("by_item", "disagreements")
OF_NEIGHBOURS = ("diagnose", "report")  # items with two labels: equal ones are spread over the rows, not neighbours
OF_SINGLE_ITEMS = ("truth", "consensus", "retest")  # look at each item, and refuse frequencies
GIVEN: dict[str, dict[str, Any]] = {
    "report": {"pictures": False},
    "confusion": {},  # it has no details
}


def counts(frame: pd.DataFrame) -> pd.DataFrame:
    keys = [name for name in ("batch", "n") if name in frame]
    return to_counts(frame[CODERS], list(CATEGORIES)).join(frame[keys])


def run(agree: Any, name: str, *coders: Any, **options: Any) -> Any:
    if name == "compare":
        coders = coders and (CODERS[:2], CODERS[1:])
    if name == "confusion":
        coders = tuple(CODERS[:2])
    given = GIVEN.get(name, {"detail": True}) | (defaults(name) if name in REGISTRY else {}) | options
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)
        return reach(agree, name)(*coders, **given)


@pytest.mark.parametrize("name", [name for name in METHODS if name not in (*BY_ROW, *OF_SINGLE_ITEMS)])
def test_every_method_gives_the_numbers_of_the_expanded_frame(name: str) -> None:
    assert "frequency" in inspect.signature(documented(name)).parameters
    frames = PATTERNS, EXPANDED
    if name in OF_NEIGHBOURS:
        frames = PATTERNS.fillna(dict.fromkeys(CODERS, 2)), EXPANDED.fillna(dict.fromkeys(CODERS, 2))
    given = {"frequency": "n"}, {}
    found, expected = (
        run(each.agree, name, *CODERS, by="batch", **own) for each, own in zip(frames, given, strict=True)
    )
    if name == "report":
        tables = (text.to_markdown().partition("## Items to look at")[0] for text in (found, expected))
        assert len(set(tables)) == 1
        return
    same(found, expected)


@pytest.mark.parametrize("name", REGISTRY)
def test_the_column_of_frequencies_is_no_coder(name: str) -> None:
    frame, whole = (one.drop(columns=["batch", "site"]) for one in (PATTERNS, EXPANDED))
    same(run(frame.agree, name, frequency="n"), run(whole.agree, name))


@pytest.mark.parametrize("method", ["analytic", "log", "jackknife", "score"])
@pytest.mark.parametrize("clusters", [None, "site"])
def test_every_interval_of_labels(method: str, clusters: str | None) -> None:
    if clusters and method == "jackknife":
        return
    for name in ("kappa", "alpha", "ac1"):
        options = {"method": method, "clusters": clusters, "by": "batch"}
        found = call(PATTERNS.agree, name, *CODERS, **options, frequency="n")
        same(found, call(EXPANDED.agree, name, *CODERS, **options))


def test_clusters_of_conditional_kappa() -> None:
    options = {"metrics": "conditional_kappa", "clusters": "site"}
    found = PATTERNS.agree.by_category("ann", "bob", **options, frequency="n")
    same(found, EXPANDED.agree.by_category("ann", "bob", **options))


@pytest.mark.parametrize("name", ["kappa", "alpha", "icc_a1"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_resamples_have_the_same_distribution(name: str, method: str) -> None:
    options = {"method": method, "n_resamples": 2000, "rng": 1}
    found, expected = (
        call(frame.agree, name, *CODERS, **options, **given).iloc[0]
        for frame, given in ((PATTERNS, {"frequency": "n"}), (EXPANDED, {}))
    )
    assert found["se"] == pytest.approx(expected["se"], rel=0.06)
    assert found["ci_low"] == pytest.approx(expected["ci_low"], abs=0.2 * expected["se"])


def test_clusters_of_resampled_scores() -> None:
    options = {"method": "percentile", "n_resamples": 200, "rng": 1, "clusters": "site"}
    found = PATTERNS.agree.icc_1(*CODERS, **options, frequency="n")
    expected = EXPANDED.agree.icc_1(*CODERS, **options)
    assert found["estimate"].iloc[0] == pytest.approx(expected["estimate"].iloc[0], rel=1e-12)
    assert found["se"].iloc[0] == pytest.approx(expected["se"].iloc[0], rel=0.2)  # clusters in another order
    text = PATTERNS.astype(dict.fromkeys(CODERS, "Float64"))  # coded first
    same(text.agree.icc_1(*CODERS, **options, frequency="n"), found, rtol=1e-9)


def test_clusters_of_scores_follow_their_items() -> None:
    """Also where the items that count nothing and those that count twice have the same number."""
    twice = PATTERNS.assign(n=np.arange(40) % 3)  # 0, 1, 2: the sum is about the number of rows
    twice.loc[39, "n"] = 1
    assert twice["n"].sum() == len(twice)
    coded = twice.astype(dict.fromkeys(CODERS, "Float64"))
    judged = twice.reset_index(names="item").melt(["item", "site", "n"], CODERS, var_name="who", value_name="tag")
    options = {"method": "percentile", "n_resamples": 200, "rng": 1, "clusters": "site", "frequency": "n"}
    expected = twice.agree.icc_1(*CODERS, **options)
    for agree in (coded.agree, judged.dropna().agree.long(item="item", coder="who", label="tag")):
        same(agree.icc_1(*CODERS, **options), expected, rtol=1e-9)


@pytest.mark.parametrize("name", [name for name, record in REGISTRY.items() if not record.needs_coders])
@pytest.mark.parametrize("by", [None, "batch"])
def test_counts(name: str, by: str | None) -> None:
    found = call(counts(PATTERNS).agree.counts(*CATEGORIES), name, by=by, frequency="n")
    same(found, call(counts(EXPANDED).agree.counts(*CATEGORIES), name, by=by))


@pytest.mark.parametrize("name", REGISTRY)
@pytest.mark.parametrize("by", [None, "batch"])
def test_long_data_with_one_frequency_per_item(name: str, by: str | None) -> None:
    long, whole = (
        to_long(PATTERNS.drop(columns="site"), ("batch", "n")),
        to_long(EXPANDED.drop(columns="site"), ("batch",)),
    )
    same(run(long.agree.long(**LONG), name, by=by, frequency="n"), run(whole.agree.long(**LONG), name, by=by))


def test_cells() -> None:
    cells = pd.DataFrame({"s": [row[~np.isnan(row)] for row in PATTERNS[CODERS].to_numpy()], "n": PATTERNS["n"]})
    same(cells.agree.cells("s").alpha(frequency="n", level="interval"), EXPANDED.agree.alpha(*CODERS, level="interval"))
    same(cells.agree.cells("s").icc_1(frequency="n"), EXPANDED.agree.icc_1(*CODERS))


def test_items_and_disagreements_keep_one_row_per_pattern() -> None:
    items = PATTERNS.agree.by_item(*CODERS, frequency="n", detail=True)
    assert items.index.equals(PATTERNS.index)
    assert items["frequency"].tolist() == PATTERNS["n"].astype(int).tolist()
    assert items.loc[0, "n_labels"] == 0  # the row does not count
    counted = items.index[items["frequency"] > 0]
    repeated = items.loc[counted].loc[counted.repeat(items.loc[counted, "frequency"])]
    same(repeated.drop(columns="frequency").reset_index(drop=True), EXPANDED.agree.by_item(*CODERS, detail=True))
    assert list(PATTERNS.agree.disagreements(*CODERS, frequency="n")) == [*CODERS, "agreement", "influence"]
    worst = PATTERNS.agree.disagreements(*CODERS, n=3, frequency="n", detail=True)
    assert list(worst.columns[: PATTERNS.shape[1]]) == list(PATTERNS.columns)
    assert worst.index.is_unique
    assert (worst["n"] > 0).all()
    long = to_long(PATTERNS.drop(columns=["site", "batch"]), ("n",)).agree.long(**LONG).by_item(frequency="n")
    assert long["frequency"].tolist() == PATTERNS["n"].loc[long.index].tolist()


@pytest.mark.parametrize("name", having("stream"))
def test_streams(name: str) -> None:
    options = {"by": "batch", **defaults(name)}
    chunks = [PATTERNS.iloc[start : start + 9] for start in range(0, 40, 9)]
    found = pandas_agreement.stream(chunks, *CODERS, metrics=name, frequency="n", detail=True, **options)
    same(found, run(EXPANDED.agree, name, *CODERS, by="batch"), rtol=1e-9)
    long = to_long(PATTERNS.drop(columns="site"), ("batch", "n")).sort_values("doc", kind="stable")
    chunks = [long.iloc[start : start + 17] for start in range(0, len(long), 17)]
    whole = to_long(EXPANDED.drop(columns="site"), ("batch",)).agree.long(**LONG)
    found = pandas_agreement.stream(chunks, metrics=name, frequency="n", detail=True, **LONG, **options)
    same(found, run(whole, name, by="batch"), rtol=1e-9)


def test_a_stream_does_not_take_the_frequencies_for_a_coder() -> None:
    frame = PATTERNS[[*CODERS, "n"]]
    found = pandas_agreement.stream([frame.head(20), frame.tail(20)], metrics="alpha", frequency="n")
    same(found, EXPANDED[CODERS].agree.alpha(), rtol=1e-9)


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "Int64", "Float64"])
def test_frequencies_of_any_dtype(dtype: str) -> None:
    frame = PATTERNS.astype({"n": dtype})
    same(frame.agree.kappa(*CODERS, frequency="n"), EXPANDED.agree.kappa(*CODERS))


def test_what_is_no_frequency_is_refused() -> None:
    start = "frequency='n' says how many items a row stands for, a whole number of 0 or more, and row 3 "
    end = ". Survey weights are not frequencies: leave them out."
    for value, text in ((-1, "holds -1"), (2.5, "holds 2.5"), (np.nan, "is missing"), (np.inf, "holds inf")):
        wrong = PATTERNS.copy()
        wrong.loc[3, "n"] = value
        with refuses(InputError, start + text + end):
            wrong.agree.kappa(*CODERS, frequency="n")
    text = PATTERNS.astype({"batch": "str"})
    kind = text["batch"].dtype
    with refuses(InputError, f"frequency='batch' must name a column of whole numbers, and it is {kind}."):
        text.agree.kappa(*CODERS, frequency="batch")
    with refuses(InputError, "frequency= has no effect for a crosstab."):
        pd.crosstab(EXPANDED["ann"], EXPANDED["bob"]).agree.crosstab().kappa(frequency="n")
    long = to_long(PATTERNS.drop(columns=["site", "batch"]), ("n",)).sort_values("doc", kind="stable")
    long.iloc[long["doc"].eq(5).argmax(), 0] = 7
    with pytest.raises(InputError, match=r"^Item 5 has two frequencies, "):
        long.agree.long(**LONG).alpha(frequency="n")
    none = PATTERNS.assign(n=0)
    with pytest.warns(AgreementWarning, match="undefined"):
        assert none.agree.kappa(*CODERS, frequency="n")["n_items"].tolist() == [0]


def test_whole_numbers_with_gaps_for_other_items_and_coders() -> None:
    rng = np.random.default_rng(3)
    rows = pd.DataFrame(
        {"item": np.repeat(np.arange(400), 3), "who": list("abc") * 400, "v": rng.integers(0, 1500, 1200)}
    )
    rows = rows.assign(batch=rows["item"] % 150, n=1 + rows["item"] % 3)[rng.random(1200) < 0.9]
    again = pd.concat([rows[rows["n"] > k].assign(item=lambda part, k=k: part["item"] + 1000 * k) for k in range(3)])
    found, expected = (
        frame.agree.long(item="item", coder="who", label="v").alpha(
            level="interval", by="batch", sampling="both", **given
        )
        for frame, given in ((rows, {"frequency": "n"}), (again, {}))
    )
    pd.testing.assert_frame_equal(found, expected)
