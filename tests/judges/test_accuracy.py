"""`accuracy` and `error_rates`: values, intervals and references."""

from __future__ import annotations

import math
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import stdtrit

import pandas_agreement
from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.inference.means import wilson
from pandas_agreement.judges import tables
from pandas_agreement.judges.uncertainty import Sample, by_influence, by_items
from tests.bruteforce import numeric_influence
from tests.data_sets import LONG, to_long
from tests.helpers import refuses, same
from tests.judges.helpers import HUMANS, judged_scores, prevalence
from tests.judges.test_ceilings import vote_share

EXAMPLE = pandas_agreement.load_example()
JUDGED = EXAMPLE.agree.judges("dev", humans=HUMANS)
NAMES = ["accuracy", "balanced_accuracy", "macro_f1", "kappa"]


@pytest.mark.parametrize(
    ("who", "n", "values", "errors"),
    [
        ("dev", 402, (0.654229, 0.564824, 0.588429, 0.463938), (0.023751, 0.030947, 0.032490, 0.035264)),
        ("bob", 418, (0.736842, 0.670824, 0.653753, 0.611304), (0.021564, 0.030629, 0.028444, 0.030749)),
        ("cleo", 439, (0.722096, 0.664431, 0.657692, 0.587625), (0.021405, 0.030931, 0.029218, 0.031241)),
    ],
)
def test_the_example(who: str, n: int, values: tuple[float, ...], errors: tuple[float, ...]) -> None:
    found = JUDGED.accuracy(reference="ann").loc[who]
    assert found.index.tolist() == NAMES
    assert found["n_items"].tolist() == [n] * 4
    assert found["estimate"].tolist() == pytest.approx(list(values), abs=5e-7)
    assert found["se"].tolist() == pytest.approx(list(errors), abs=5e-7)


def macro_f1(pairs: list[tuple[Any, Any]], omega: Any = None) -> Any:
    """Of (reference, label) by its definition."""
    omega = omega or [1] * len(pairs)
    used = sorted({label for pair in pairs for label in pair})
    total = 0
    for category in used:
        hit = sum(w * (a == b == category) for (a, b), w in zip(pairs, omega, strict=True))
        either = sum(w * ((a == category) + (b == category)) for (a, b), w in zip(pairs, omega, strict=True))
        total = total + 2 * hit / either
    return total / len(used)


def balanced(pairs: list[tuple[Any, Any]], omega: Any = None) -> Any:
    omega = omega or [1] * len(pairs)
    used = sorted({reference for reference, _ in pairs})
    total = 0
    for category in used:
        hit = sum(w * (a == b == category) for (a, b), w in zip(pairs, omega, strict=True))
        total = total + hit / sum(w * (a == category) for (a, _), w in zip(pairs, omega, strict=True))
    return total / len(used)


@pytest.mark.parametrize(("name", "function"), [("macro_f1", macro_f1), ("balanced_accuracy", balanced)])
def test_by_definition_against_a_column_of_known_labels(name: str, function: Any) -> None:
    frame = judged_scores().rename(columns={"eve": "gold"})
    row = frame.agree.judges("dev", humans=HUMANS).accuracy(reference="gold").loc[("dev", name)]
    pairs = [(a, b) for a, b in frame[["gold", "dev"]].to_numpy().tolist() if a == a and b == b]
    n = len(pairs)
    influence = numeric_influence(function, pairs, range(n))
    assert row["n_items"] == n
    assert row["estimate"] == pytest.approx(function(pairs))
    assert row["se"] == pytest.approx(math.sqrt(sum(u * u for u in influence) / (n * (n - 1))))


def test_the_interval_of_accuracy_is_wilsons() -> None:
    row = JUDGED.accuracy(reference="ann").loc[("dev", "accuracy")]
    n, p, z = 402, row["estimate"], 1.959963984540054
    centre, width = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    expected = (centre - width) / (1 + z * z / n), (centre + width) / (1 + z * z / n)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(expected)


def test_other_intervals_are_by_t_within_the_range_of_the_measure() -> None:
    rows = JUDGED.accuracy(reference="ann", ci=0.8).loc["dev"].drop("accuracy")
    t = stdtrit(401, 0.9)
    for end, sign in (("ci_low", -1), ("ci_high", 1)):
        assert rows[end].tolist() == pytest.approx((rows["estimate"] + sign * t * rows["se"]).tolist())
    bad = pd.DataFrame({"gpt": list("abbaab"), "ann": list("baabaa")})
    ends = bad.agree.judges("gpt", humans=["ann"]).accuracy(reference="ann").loc["gpt", "ci_low"]
    assert (ends["kappa"], ends["balanced_accuracy"]) == (-1, 0)


def test_the_best_human_may_always_be_wrong() -> None:
    frame = pd.DataFrame({"gpt": list("aabb"), "ann": list("abab"), "bob": list("baba")})
    found = frame.agree.judges("gpt", humans=["ann", "bob"]).accuracy(reference="ann", detail=True)
    assert set(found.loc["gpt", "remarks"]) == {"best human: 'bob', accuracy 0.000"}


@pytest.mark.parametrize(
    ("method", "named", "size"), [("accuracy", "Accuracy", 2 * 4 * 9), ("error_rates", "error_rates", 2 * 2 * 9)]
)
def test_tables_of_too_many_categories_are_refused(
    method: str, named: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Groups times coders times categories squared; `accuracy` also compares the other humans."""
    frame = judged_scores(40).assign(batch=["x", "y"] * 20)
    call = getattr(frame.agree.judges("dev", "eve", humans=HUMANS), method)
    module = import_module("pandas_agreement.judges.accuracy")  # the package has a function of this name
    monkeypatch.setattr(module, "MAX_TABLE", size)
    call(reference="ann", by="batch")
    monkeypatch.setattr(module, "MAX_TABLE", size - 1)
    problem = f"{named} is for categories, and {size // 9} tables of 3 different labels would need about 0 GB"
    with refuses(
        InputError, f"{problem}. Merge labels, name fewer coders or groups, or use bland_altman or icc for scores."
    ):
        call(reference="ann", by="batch")


@pytest.mark.parametrize("odd", ["gpt", "ann"])
def test_one_other_label_is_enough_for_a_kappa_of_0(odd: str) -> None:
    frame = pd.DataFrame({"gpt": ["a"] * 10, "ann": ["a"] * 10})
    frame.loc[9, odd] = "b"
    found = frame.agree.judges("gpt", humans=["ann"]).accuracy(reference="ann")
    assert found.loc[("gpt", "kappa"), "estimate"] == 0


def test_the_vote_by_hand() -> None:
    """Balanced accuracy of the judge: the reference is the mean over humans left out, in parts."""
    frame = prevalence(70, [0.4, 0.3, 0.3], [0.5, 0.6, 0.6, 0.6, 0.6], seed=5)
    humans = ["ann", "bob", "cleo", "dora"]
    T = np.zeros((3, 3))
    for row in frame.itertuples():
        labels = [getattr(row, name) for name in humans]
        for place in range(4):
            others = labels[:place] + labels[place + 1 :]
            for category in range(3):
                T[category, row.gpt] += vote_share(category, others) / 4
    found = frame.agree.judges("gpt", humans=humans).accuracy(reference="majority").loc["gpt", "estimate"]
    assert found["accuracy"] == pytest.approx(np.trace(T) / 70)
    assert found["balanced_accuracy"] == pytest.approx(np.mean(np.diag(T) / T.sum(1)))
    assert found["macro_f1"] == pytest.approx(np.mean(2 * np.diag(T) / (T.sum(0) + T.sum(1))))


# ---------------------------------------------------------------------------------- a column of known labels, long data


def with_gold(n_items: int = 120) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Wide and long data with known labels of most items, in the long data missing in some rows of these."""
    wide = judged_scores(n_items).rename(columns={"eve": "gold"})
    wide = wide.assign(batch=["x", "y"] * (n_items // 2), doc=range(n_items), text=np.arange(n_items) // 3)
    long = to_long(wide, keys=("batch", "doc", "text", "gold")).sample(frac=1, random_state=1)
    return wide, long.assign(gold=long["gold"].where(long["doc"].duplicated() | ~long["doc"].duplicated(keep=False)))


@pytest.mark.parametrize("method", ["accuracy", "error_rates"])
@pytest.mark.parametrize("options", [{}, {"by": "batch"}, {"clusters": "text"}, {"by": "batch", "clusters": "text"}])
def test_a_column_of_known_labels_in_long_data(method: str, options: dict[str, Any]) -> None:
    wide, long = with_gold()
    before = long.copy()
    expected = getattr(wide.agree.judges("dev", humans=HUMANS), method)(reference="gold", **options, detail=True)
    judged = long.agree.long(**LONG).judges("dev", humans=HUMANS)
    same(getattr(judged, method)(reference="gold", **options, detail=True), expected)
    as_arrays = {name: long[column] for name, column in options.items()}
    same(getattr(judged, method)(reference="gold", **as_arrays, detail=True), expected)
    if "by" in options:
        clusters = {name: column for name, column in options.items() if name == "clusters"}
        grouped = long.groupby("batch").agree.long(**LONG).judges("dev", humans=HUMANS)
        same(getattr(grouped, method)(reference="gold", **clusters, detail=True), expected)
    pd.testing.assert_frame_equal(long, before)


@pytest.mark.parametrize("dtype", ["string", "category", object])
def test_dtypes_of_known_labels_in_long_data(dtype: Any) -> None:
    """Also a label that nobody else uses, and labels of the judge outside the categories."""
    wide, long = with_gold()
    names = {1: "a", 2: "b", 3: "c"}
    wide[["dev", *HUMANS, "gold"]] = wide[["dev", *HUMANS, "gold"]].apply(lambda column: column.map(names))
    long["tag"], long["gold"] = long["tag"].map(names).astype(dtype), long["gold"].map(names).astype(dtype)
    wide["gold"] = wide["gold"].replace("c", "d")
    long["gold"] = long["gold"].astype(object).replace("c", "d").astype(dtype)
    long["who"] = long["who"].astype("category")
    expected = wide.agree.judges("dev", humans=HUMANS).error_rates(reference="gold", detail=True)
    assert expected.loc["dev"].index.tolist() == ["a", "b", "c", "d"]
    same(long.agree.long(**LONG).judges("dev", humans=HUMANS).error_rates(reference="gold", detail=True), expected)
    roles = {"humans": HUMANS, "categories": ["a", "b", "c", "d"], "invalid": "wrong"}
    wide, long = wide.replace({"dev": {"a": "?"}}), long.astype({"tag": object})
    long.loc[(long["who"] == "dev") & (long["tag"] == "a"), "tag"] = "?"
    expected = wide.agree.judges("dev", **roles).accuracy(reference="gold", detail=True)
    same(long.agree.long(**LONG).judges("dev", **roles).accuracy(reference="gold", detail=True), expected)


@pytest.mark.parametrize(("gold", "more"), [("baaa", ""), ("baba", " (1 more item like it)")])
def test_items_with_two_known_labels(gold: str, more: str) -> None:
    long = pd.DataFrame({"doc": [7, 7, 8, 8], "who": ["gpt", "ann"] * 2, "tag": list("aabb"), "gold": list(gold)})
    with refuses(
        InputError,
        f"Column 'gold' has 'b' and 'a' for item 7{more}. A column of known labels has one label per item, the same "
        "in all of its rows.",
    ):
        long.agree.long(**LONG).judges("gpt", humans=["ann"]).accuracy(reference="gold")


def test_an_item_of_two_groups_has_one_known_label() -> None:
    long = pd.DataFrame({"batch": list("xxyy"), "doc": 1, "who": ["gpt", "ann"] * 2, "tag": list("aaba")})
    long["gold"] = ["a", None, None, None]
    judged = long.agree.long(**LONG).judges("gpt", humans=["ann"])
    with pytest.warns(AgreementWarning):
        found = judged.accuracy(reference="gold", by="batch").xs("accuracy", level="coefficient")
    assert found["estimate"].to_dict() == {("x", "gpt"): 1, ("x", "ann"): 1, ("y", "gpt"): 0, ("y", "ann"): 1}


def test_no_known_labels() -> None:
    long = with_gold()[1].assign(gold=None)
    with pytest.warns(AgreementWarning, match="no item with a label and a reference"):
        found = long.agree.long(**LONG).judges("dev", humans=HUMANS).accuracy(reference="gold")
    assert found["estimate"].isna().all()


def test_wrong_references_in_long_data() -> None:
    _, long = with_gold()
    judged = long.agree.long(**LONG).judges("dev", humans=HUMANS)
    with refuses(
        InputError,
        "reference='tag' is a column of items, coders or labels, not of known labels. Name a coder or another column.",
    ):
        judged.accuracy(reference="tag")
    with pytest.raises(KeyError, match=r"No coder or column 'golden'\. Did you mean 'gold'"):
        judged.accuracy(reference="golden")
    both = long.assign(ann=1, majority=1).agree.long(**LONG).judges("dev", humans=HUMANS)
    with refuses(InputError, "reference='ann' is a coder, and a column has this name as well. Rename the column."):
        both.error_rates(reference="ann")
    with pytest.raises(InputError, match=r"a column has this name as well\. Rename the column"):
        both.error_rates(reference="majority")


def test_wrong_references() -> None:
    with refuses(
        InputError,
        "error_rates needs a reference. Give reference=, such as 'majority', one of the humans or a column of known "
        "labels, or by_human=True for each human.",
    ):
        JUDGED.error_rates()
    problem = "Accuracy needs a reference. Give reference=, such as 'majority', one of the humans or a column of known"
    with refuses(InputError, f"{problem} labels."):
        JUDGED.accuracy()
    with pytest.raises(InputError, match="reference='dev' is a judge"):
        JUDGED.accuracy(reference="dev")
    with pytest.raises(KeyError, match="No column 'golden'"):
        JUDGED.accuracy(reference="golden")


@pytest.mark.parametrize("word", ["majority", "consensus"])
def test_words_that_are_names(word: str) -> None:
    frame = EXAMPLE.assign(**{word: EXAMPLE["ann"]})
    with pytest.raises(InputError, match=r"a column has this name as well\. Rename the column"):
        frame.agree.judges("dev", humans=HUMANS).accuracy(reference=word)
    long = to_long(frame[["dev", *HUMANS, word]].assign(doc=range(len(frame))), keys=("doc",)).agree.long(**LONG)
    with pytest.raises(InputError, match=r"a coder has this name as well\. Rename the coder"):
        long.judges("dev", humans=[*HUMANS, word]).error_rates(reference=word)
    with pytest.raises(InputError, match="reference='consensus' is a judge"):
        EXAMPLE.rename(columns={"dev": "consensus"}).agree.judges("consensus", humans=HUMANS).accuracy(
            reference="consensus"
        )


# ------------------------------------------------------------------------------------------ the consensus of the humans


@pytest.mark.parametrize("method", ["accuracy", "error_rates"])
def test_the_consensus_is_that_of_the_humans_alone(method: str) -> None:
    """As a column of `consensus`; the judges are not among its coders, and tied items are counted in the note."""
    frame = judged_scores(150)
    votes = frame.agree.consensus(*HUMANS)
    known = frame.assign(known=votes["label"])
    found = getattr(frame.agree.judges("dev", "eve", humans=HUMANS), method)(reference="consensus", detail=True)
    expected = getattr(known.agree.judges("dev", "eve", humans=HUMANS), method)(reference="known", detail=True)
    numbers = found.select_dtypes("number").columns
    same(found[numbers], expected.loc[found.index, numbers])
    for judge in ("dev", "eve"):
        n_tied = int((votes["tie"] & frame[judge].notna()).sum())
        assert n_tied > 1
        assert set(found.loc[judge, "remarks"]) == {f"{n_tied} tied votes left out"}


def test_humans_have_no_row_beside_their_own_consensus() -> None:
    found = JUDGED.accuracy(reference="consensus")
    assert found.index.get_level_values("coder").unique().tolist() == ["dev"]
    with pytest.raises(InputError, match="error_rates needs 2 humans or more"):
        EXAMPLE.agree.judges("dev", humans=["ann"]).error_rates(reference="consensus")


@pytest.mark.parametrize("coders", [("ann", "bob", "dev"), ()])
def test_a_consensus_that_contains_the_judge_is_refused(coders: tuple[str, ...]) -> None:
    with refuses(
        InputError,
        "The consensus contains the judge 'dev', and a judge is no reference for itself. Infer the labels from the "
        "humans alone: truth('ann', 'bob', 'cleo').",
    ):
        JUDGED.error_rates(reference=EXAMPLE.agree.truth(*coders))


@pytest.mark.parametrize("given", [EXAMPLE.agree.truth(*HUMANS), EXAMPLE[["ann"]]])
def test_tables_in_place_of_labels(given: Any) -> None:
    with refuses(
        InputError,
        f"reference= takes a name or a Series of labels, and got a {type(given).__name__}. Choose its column of "
        "labels, as in truth.by_item()['label'].",
    ):
        JUDGED.accuracy(reference=given)


def test_a_consensus_with_labels_outside_the_categories() -> None:
    frame = pd.DataFrame({"gpt": ["a", "?", "b", "a"], "ann": list("aabb"), "bob": list("aaba")})
    judged = frame.agree.judges("gpt", humans=["ann", "bob"], categories=["a", "b"], invalid="wrong")
    row = judged.accuracy(reference="consensus", detail=True).loc[("gpt", "accuracy")]
    assert (row["estimate"], row["n_items"], row["remarks"]) == (pytest.approx(2 / 3), 3, "1 tied vote left out")


# --------------------------------------------------------------------------------------------------------- error rates


def test_rates_against_each_human_by_hand() -> None:
    """Two judges, three humans and two groups, with gaps."""
    frame = judged_scores(80).assign(batch=["x", "y"] * 40)
    found = frame.agree.judges("dev", "eve", humans=HUMANS).error_rates(by_human=True, by="batch", detail=True)
    assert found.index.names == ["batch", "judge", "coder", "category"]
    assert found.index.tolist() == list(product("xy", ["dev", "eve"], HUMANS, [1, 2, 3]))
    for (batch, judge, human, category), row in found.iterrows():
        part = frame[frame["batch"] == batch]
        pairs = [(h, j) for h, j in part[[human, judge]].to_numpy().tolist() if h == h and j == j]
        cells = dict.fromkeys(product([True, False], repeat=2), 0)
        for h, j in pairs:
            cells[h == category, j == category] += 1
        hit, miss, false, neither = cells.values()
        rates = [hit / (hit + miss), neither / (false + neither), hit / (hit + false), neither / (miss + neither)]
        assert row[["sensitivity", "specificity", "precision", "npv"]].tolist() == pytest.approx(rates)
        assert row["favours"] == pytest.approx((false - miss) / len(pairs))
        assert row[["n_human", "n_judge", "n_items"]].tolist() == [hit + miss, hit + false, len(pairs)]
        assert row["reference"] == human


def test_a_human_without_labels_of_the_judges_items() -> None:
    frame = EXAMPLE.assign(cleo=EXAMPLE["cleo"].where(EXAMPLE["dev"].isna()))
    with pytest.warns(AgreementWarning, match="no item with a label of the judge and a reference"):
        found = frame.agree.judges("dev", humans=HUMANS).error_rates(by_human=True, detail=True)
    assert found.xs("cleo", level="coder")["sensitivity"].isna().all()
    assert found.drop("cleo", level="coder")["sensitivity"].notna().all()


def test_by_human_and_a_reference() -> None:
    with refuses(
        InputError,
        "by_human=True compares with each human, and reference='majority' with one reference. Ask for one of them.",
    ):
        JUDGED.error_rates(reference="majority", by_human=True)


def test_intervals_of_favours_have_two_pseudo_items() -> None:
    """The judge says pass 43 times of 60, the human 45 times: 3 more items and 5 fewer."""
    frame = pd.DataFrame(
        {"gpt": ["pass"] * 40 + ["fail"] * 5 + ["pass"] * 3 + ["fail"] * 12, "ann": ["pass"] * 45 + ["fail"] * 15}
    )
    judged = frame.agree.judges("gpt", humans=["ann"])
    row = judged.error_rates(ci=0.8, detail=True).loc[("gpt", "pass")]
    centre = -2 / 62
    width = stdtrit(59, 0.9) * math.sqrt((9 / 62 - centre**2) / 61)
    assert (row["favours_low"], row["favours_high"]) == pytest.approx((centre - width, centre + width))
    p, z = 40 / 45, 1.2815515655446004
    middle, half = p + z * z / 90, z * math.sqrt(p * (1 - p) / 45 + (z / 90) ** 2)
    assert row["sensitivity_low"] == pytest.approx((middle - half) / (1 + z * z / 45))
    ends = [f"{name}_{end}" for name in ("sensitivity", "favours") for end in ("low", "high")]
    assert judged.error_rates(ci=None, detail=True)[ends].isna().all(axis=None)


def test_a_tied_vote_counts_in_parts() -> None:
    frame = pd.DataFrame(
        {"gpt": list("aabb"), "ann": list("aabb"), "bob": list("aaab")}  # the third item ties
    )
    found = frame.agree.judges("gpt", humans=["ann", "bob"]).error_rates(reference="majority").loc["gpt"]
    assert found["n_human"].tolist() == [2.5, 1.5]
    assert found["sensitivity"].tolist() == pytest.approx([2 / 2.5, 1.0])
    assert found["favours"].tolist() == pytest.approx([-0.125, 0.125])


def test_a_category_that_nobody_uses() -> None:
    frame = EXAMPLE.replace("request", "bug")
    judged = frame.agree.judges("dev", humans=HUMANS, categories=["bug", "complaint", "question", "request"])
    row = judged.error_rates(reference="ann", detail=True).loc[("dev", "request")]
    assert math.isnan(row["sensitivity"])
    assert row["remarks"] == "the reference never has this category; the judge never gives this label"


def test_no_items() -> None:
    frame = judged_scores().assign(dev=np.nan)
    judged = frame.agree.judges("dev", humans=HUMANS)
    with pytest.warns(AgreementWarning, match="no item with a label and a reference"):
        found = judged.accuracy(reference="ann", detail=True).loc["dev"]
    assert found["estimate"].isna().all()
    assert found["remarks"].str.count("no item with|only one").tolist() == [1] * 4, "one reason"
    with pytest.warns(AgreementWarning, match="no item with a label of the judge and a reference"):
        assert judged.error_rates(reference="majority", detail=True)["sensitivity"].isna().all()


@pytest.mark.parametrize(
    "options",
    [{"by_human": True}, {"reference": "ann"}, {"reference": "majority"}, {"reference": "consensus"}],
    ids=str,
)
def test_no_rows_and_no_labels(options: dict[str, Any]) -> None:
    """No category, and so no row."""
    for frame in (EXAMPLE.head(0), EXAMPLE.assign(**dict.fromkeys(["dev", *HUMANS]))):
        found = frame.agree.judges("dev", humans=HUMANS).error_rates(**options, detail=True)
        levels = ["judge", "coder", "category"] if "by_human" in options else ["judge", "category"]
        assert (len(found), found.index.names) == (0, levels)


@pytest.mark.parametrize("clustered", [False, True], ids=["items", "clusters"])
def test_rates_are_those_of_tables(clustered: bool) -> None:
    """The influence of an item as a table of reference and coder, category by category."""
    rng, n, K, R = np.random.default_rng(3), 200, 5, 2
    first, second, tied = rng.integers(K, size=n), rng.integers(K - 1, size=n), np.flatnonzero(rng.random(n) < 0.3)
    parts = np.concatenate([np.arange(n), tied])
    reference = np.concatenate([first, (second + 1 + first)[tied] % K])
    code = np.where(rng.random(n) < 0.6, first, rng.integers(K - 1, size=n))  # nobody gives the last label by chance
    sample = Sample(rng.integers(R, size=n), rng.integers(1, 4, size=n).astype(float), R)
    share = np.where(np.isin(parts, tied), 0.5, 1.0)
    clusters = rng.integers(25, size=n) if clustered else None
    part = tables.Compared(sample, clusters, parts, reference, code[parts], share)
    T = part.table(K)
    found = import_module("pandas_agreement.judges.accuracy")._rates(T, part, 0.9)
    size = T.sum((1, 2))
    for category in range(K):
        is_row, is_column = (np.arange(K) == category)[:, None], (np.arange(K) == category)[None]
        favours = by_items(*part.at(np.broadcast_to(is_column.astype(float) - is_row, T.shape))).limits(0.9)
        np.testing.assert_allclose([found[f"favours_{end}"][:, category] for end in ("low", "high")], favours)
        for name, inside, right in (
            ("sensitivity", is_row, is_row & is_column),
            ("specificity", ~is_row, ~is_row & ~is_column),
            ("precision", is_column, is_row & is_column),
            ("npv", ~is_column, ~is_row & ~is_column),
        ):
            bottom = (T * inside).sum((1, 2))
            p = (T * right).sum((1, 2)) / bottom
            influence = (size / bottom)[:, None, None] * inside * (right - p[:, None, None])
            error = by_influence(p, *part.at(influence)).se * np.sqrt((size - 1) / size)
            low, high = wilson(p, tables.effective_number(p, error, bottom), 0.9)
            for end, values in (("", p), ("_low", low), ("_high", high)):
                np.testing.assert_allclose(found[name + end][:, category], values, err_msg=f"{name}{end} {category}")


# --------------------------------------------------------------------------------------- known labels of another frame


@pytest.fixture
def docs() -> pd.DataFrame:
    """Judged scores, indexed by document, with known labels of some of them as `gold`."""
    frame = judged_scores(60)
    rng = np.random.default_rng(2)
    gold = frame["ann"].where(rng.random(60) < 0.8, 2)
    return frame.assign(gold=gold).set_axis(pd.Index([f"d{i:02}" for i in range(60)], name="doc"))


@pytest.mark.parametrize("method", ["accuracy", "error_rates"])
@pytest.mark.parametrize("way", ["wide", "long", "by", "grouped"])
def test_a_series_is_matched_by_index(docs: pd.DataFrame, method: str, way: str) -> None:
    gold = docs["gold"].sample(frac=1, random_state=0)[:50]
    gold = pd.concat([gold, pd.Series({"elsewhere": 1})]).rename_axis("doc").rename("gold")
    batch = np.arange(60) % 2
    frame, expected = docs[["dev", *HUMANS]].assign(batch=batch), docs.assign(batch=batch)
    expected["gold"] = gold.reindex(frame.index)
    by = {"by": "batch"} if way == "by" else {}
    data: Any = frame.groupby("batch").agree if way == "grouped" else frame.agree
    known: Any = expected.groupby("batch").agree if way == "grouped" else expected.agree
    if way == "long":
        long = frame.reset_index().melt("doc", ["dev", *HUMANS], "who", "tag").dropna()
        data = long.agree.long(item="doc", coder="who", label="tag")
    result = getattr(data.judges("dev", humans=HUMANS), method)(reference=gold, **by, detail=True)
    same(result, getattr(known.judges("dev", humans=HUMANS), method)(reference="gold", **by, detail=True))


def test_a_series_may_have_any_name(docs: pd.DataFrame) -> None:
    judged = docs.agree.judges("dev", humans=HUMANS)
    expected = judged.accuracy(reference="gold")
    for name in ("gold", "majority", "dev", None, ("a", 1), "somewhere"):
        same(judged.accuracy(reference=docs["gold"].rename(name)), expected)


def test_a_series_of_items_with_two_keys(docs: pd.DataFrame) -> None:
    frame = docs.assign(book=[i // 10 for i in range(60)], page=[i % 10 for i in range(60)])
    gold = frame.set_index(["book", "page"])["gold"].iloc[::-1]
    wide = frame.set_index(["book", "page"]).drop(columns="gold").agree.judges("dev", humans=HUMANS)
    expected = docs.agree.judges("dev", humans=HUMANS).accuracy(reference="gold")
    same(wide.accuracy(reference=gold), expected)
    long = frame.melt(["book", "page"], ["dev", *HUMANS], "who", "tag").dropna()
    judged = long.agree.long(item=["book", "page"], coder="who", label="tag").judges("dev", humans=HUMANS)
    same(judged.accuracy(reference=gold), expected)


def test_the_frame_has_no_new_column(docs: pd.DataFrame) -> None:
    before = docs.copy(deep=True)
    docs.agree.judges("dev", humans=HUMANS).accuracy(reference=docs["gold"].rename("new"))
    pd.testing.assert_frame_equal(docs, before)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda gold: pd.concat([gold, gold[:1]]),
            "reference= is matched by index, and its index has 'd00' twice. Give every item one entry.",
        ),
        (
            lambda gold: gold.rename_axis("document"),
            "reference= has an index called 'document', and the index of the frame is called 'doc'. If both "
            "mean the same, write .rename_axis('doc'); else index both by the same key.",
        ),
        (
            lambda gold: gold.reset_index(drop=True),
            "reference= is matched by index, and has no entry of the index of the frame: 0, 1, 2 beside 'd00', 'd01', "
            "'d02'. Index it by item, as in gold.set_index(...)['label'].",
        ),
        (
            lambda gold: gold[:0],
            "reference= is matched by index, and has no entry of the index of the frame: nothing beside 'd00', 'd01', "
            "'d02'. Index it by item, as in gold.set_index(...)['label'].",
        ),
        (
            lambda gold: gold.to_frame(),
            "reference= takes a name or a Series of labels, and got a DataFrame. Choose its column of labels, as in "
            "truth.by_item()['label'].",
        ),
    ],
)
def test_a_series_that_does_not_fit(docs: pd.DataFrame, change: Any, message: str) -> None:
    with refuses(InputError, message):
        docs.agree.judges("dev", humans=HUMANS).accuracy(reference=change(docs["gold"]))


def test_a_frame_whose_index_is_not_unique(docs: pd.DataFrame) -> None:
    frame = pd.concat([docs, docs[:1]])
    message = "reference= is matched by index, and the index of the frame has 'd00' twice. Give every item one entry."
    with refuses(InputError, message):
        frame.agree.judges("dev", humans=HUMANS).accuracy(reference=docs["gold"])


def test_a_series_that_does_not_fit_long_data(docs: pd.DataFrame) -> None:
    long = docs.reset_index().melt("doc", ["dev", *HUMANS], "who", "tag").dropna()
    judged = long.agree.long(item="doc", coder="who", label="tag").judges("dev", humans=HUMANS)
    with refuses(
        InputError,
        "reference= has an index called 'item', and the item column is called 'doc'. If both mean the same, "
        "write .rename_axis('doc'); else index both by the same key.",
    ):
        judged.accuracy(reference=docs["gold"].rename_axis("item"))
