"""Majority and weighted votes: labels, ties, weights, gold, formats and groups."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from pandas_agreement import InputError, load_example
from pandas_agreement.errors import UnknownMethodError
from tests.data_sets import LONG, to_long
from tests.helpers import refuses, same
from tests.truth.helpers import bluebird_long, bluebird_truth, simulated

DF = pd.DataFrame({"ann": ["x", "y", "z", None], "bob": ["x", "y", "x", None], "cleo": ["y", "y", None, None]})


def brute_vote(row: list[Any]) -> tuple[Any, float, float, bool]:
    """Label (None on a tie), share of the leader, margin, tie."""
    counts = Counter(x for x in row if x is not None).most_common()
    if not counts:
        return None, np.nan, np.nan, False
    n, first = sum(c for _, c in counts), counts[0][1]
    second = counts[1][1] if len(counts) > 1 else 0
    return (None if second == first else counts[0][0]), first / n, (first - second) / n, second == first


@pytest.mark.parametrize("seed", range(4))
def test_the_vote_is_that_of_counting_by_hand(seed: int) -> None:
    frame, _ = simulated(60, 4, 3, gaps=0.5, seed=seed)
    items = frame.agree.consensus()
    for row, found in zip(frame.to_numpy().tolist(), items.itertuples(), strict=True):
        label, share, margin, tie = brute_vote([x if isinstance(x, str) else None for x in row])
        assert (found.label if isinstance(found.label, str) else None) == label
        np.testing.assert_allclose([found.probability, found.margin], [share, margin], rtol=1e-12)
        assert found.tie == tie
        np.testing.assert_equal(found.agreement, share if label is not None else np.nan)


def test_the_result_plugs_back_in_by_the_own_index_of_the_frame() -> None:
    frame = DF.set_axis(["p", "q", "q", "r"])
    found = frame.agree.truth().by_item(detail=True)
    assert found.index.tolist() == ["p", "q", "q", "r"]
    assert found["label"].tolist()[:2] == ["x", "y"]
    assert found["label"].isna().tolist() == [False, False, True, True]
    assert found["note"].tolist() == ["", "", "tie", "no labels"]
    assert found["remarks"].tolist() == ["", "", "tie", "no label"]
    assert found["n_labels"].tolist() == [3, 3, 2, 0]


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series([1, 2, 1]),
        pd.Series([1, 2, 1], dtype="Int64"),
        pd.Series([True, False, True]),
        pd.Series(["a", "b", "a"], dtype="string"),
        pd.Series([1.5, 2.5, 1.5]),
        pd.Series(pd.Categorical(["lo", "hi", "lo"], ["lo", "mid", "hi"], ordered=True)),
    ],
)
def test_labels_keep_their_kind(labels: pd.Series) -> None:
    found = pd.DataFrame({"ann": labels, "bob": labels}).agree.consensus()["label"]
    assert found.tolist() == labels.tolist()
    if isinstance(labels.dtype, pd.CategoricalDtype):
        assert found.dtype == labels.dtype


def test_ties_are_resolved_as_asked() -> None:
    frame = pd.DataFrame({"ann": ["b", "b", "b", "a"], "bob": ["c", "b", "b", "a"]})
    label = {rule: frame.agree.consensus(ties=rule, rng=1)["label"].iloc[0] for rule in ("first", "random", "prior")}
    assert label["first"] == "b"
    assert label["prior"] == "b"
    assert label["random"] in ("b", "c")
    drawn = {frame.agree.consensus(ties="random", rng=seed)["label"].iloc[0] for seed in range(20)}
    assert drawn == {"b", "c"}
    alike = pd.DataFrame({"ann": ["a", "b"], "bob": ["b", "a"]})
    assert alike.agree.consensus(ties="prior")["label"].isna().all()  # equally frequent


def test_weights_by_agreement_are_those_of_the_definition() -> None:
    frame, _ = simulated(80, 5, 3, seed=2)
    rows = [[x if isinstance(x, str) else None for x in row] for row in frame.to_numpy().tolist()]
    right, n = np.zeros(5), np.zeros(5)
    for row in rows:
        counts = Counter(x for x in row if x is not None)
        most = max(counts.values(), default=0)
        leaders = [x for x, c in counts.items() if c == most]
        for c, x in enumerate(row):
            if x is not None:
                n[c] += 1
                right[c] += (x in leaders) / len(leaders)
    weight = right / n
    found = frame.agree.consensus(weights="agreement")
    same(found, frame.agree.consensus(weights=dict(zip(frame.columns, weight, strict=True))))
    for row, one in zip(rows, found.itertuples(), strict=True):
        sums: dict[Any, float] = {}
        for c, x in enumerate(row):
            if x is not None:
                sums[x] = sums.get(x, 0) + weight[c]
        if sums:
            np.testing.assert_allclose(one.probability, max(sums.values()) / sum(sums.values()), rtol=1e-12)


def test_groups_have_the_votes_of_each_alone() -> None:
    frame, _ = simulated(90, 4, 3, seed=4)
    frame = frame.assign(batch=np.repeat(["p", "q", "r"], 30))
    together = frame.agree.consensus(by="batch", weights="agreement")
    alone = pd.concat(
        [
            part.drop(columns="batch").agree.consensus(weights="agreement", categories=list("abc"))
            for _, part in frame.groupby("batch")
        ]
    )
    same(together.astype({"label": object}), alone.astype({"label": object}))
    assert_frame_equal(frame.groupby("batch").agree.consensus(weights="agreement"), together)


def test_rows_without_a_group_stay_in_the_result() -> None:
    frame = DF.assign(batch=["p", None, "p", "p"])
    with pytest.warns(UserWarning, match="no group key"):
        found = frame.agree.truth(by="batch").by_item(detail=True)
    assert found["note"].tolist() == ["", "no group", "tie", "no labels"]
    assert found["remarks"].tolist() == ["", "no group", "tie", "no label"]
    assert found["n_labels"].tolist() == [3, 0, 2, 0]


# --------------------------------------------------------------------------------------------------------------- gold


def test_gold_is_certain_and_never_a_coder() -> None:
    frame = DF.assign(checked=["z", None, "x", "w"])
    found = frame.agree.truth(gold="checked")
    items = found.by_item(detail=True)
    assert items["label"].tolist() == ["z", "y", "x", "w"]
    assert items["gold"].tolist() == [True, False, True, True]
    assert items["probability"].tolist() == [1, 1, 1, 1]
    assert found.by_coder().index.tolist() == ["ann", "bob", "cleo"]
    assert found.by_coder()["n_gold"].tolist() == [2, 2, 1]
    assert found.by_coder()["gold_accuracy"].tolist() == [0.0, 0.5, 0.0]
    assert found.queue()["inferred"].tolist() == ["y"]
    by_series = DF.agree.truth(gold=pd.Series({0: "z", 2: "x", 3: "w"})).by_item(detail=True)
    same(by_series, items)


def test_gold_of_long_data_is_a_column_or_a_series() -> None:
    frame, truth = simulated(30, 3, 3, gaps=0.2, seed=5)
    long = to_long(frame).assign(checked=lambda d: truth.where(truth.index < 10)[d["doc"]].to_numpy())
    column = long.agree.long(**LONG).truth(gold="checked").by_item(detail=True)
    series = long.agree.long(**LONG).truth(gold=truth[:10]).by_item(detail=True)
    same(column, series)
    assert (column.loc[column["gold"], "label"] == truth[column.index[column["gold"]]]).all()
    assert column["gold"].sum() == len(set(long["doc"]) & set(range(10)))


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ("chekced", "No column 'chekced'. Did you mean 'checked'?"),
        ("ann", "gold='ann' is one of the coders. Known labels are not a coder."),
        (pd.Series({9: "x"}), "gold= has 1 item that the data lack, such as 9. Match it to the items."),
        (pd.Series(["x", "y"], index=[0, 0]), "gold= has two entries for item 0. Keep one."),
    ],
)
def test_wrong_gold_is_refused(gold: Any, message: str) -> None:
    frame = DF.assign(checked="x")
    with pytest.raises((InputError, KeyError)) as caught:
        frame.agree.truth("ann", "bob", gold=gold).by_item()
    assert str(caught.value) == message


def test_two_gold_labels_of_one_item_are_refused() -> None:
    long = pd.DataFrame({"doc": [1, 1, 2], "who": ["a", "b", "a"], "tag": ["x", "y", "x"], "checked": ["x", "y", None]})
    with refuses(InputError, "Item 1 has two gold labels, 'x' and 'y'. Give every item one."):
        long.agree.long(**LONG).consensus(gold="checked")
    pages = long.assign(page=7).agree.long(item=["doc", "page"], coder="who", label="tag")
    with refuses(InputError, "Item (1, 7) has two gold labels, 'x' and 'y'. Give every item one."):
        pages.consensus(gold="checked")
    with refuses(InputError, "gold='tag' is the column of the labels. Name the column of the known labels."):
        long.agree.long(**LONG).consensus(gold="tag")


def test_a_gold_label_outside_declared_categories_is_refused() -> None:
    frame = DF.assign(checked=["w", None, None, None])
    assert "w" in frame.agree.truth(gold="checked").shares().index
    with pytest.raises(InputError, match=r"Column 'checked' has the label 'w' in 1 row, which is not among"):
        frame.agree.consensus(gold="checked", categories=["x", "y", "z"])


# ------------------------------------------------------------------------------------------------------------ mistakes


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"method": "vote"}, "method='vote' is not known. Write method='majority'."),
        ({"method": "wawa"}, "method='wawa' is not known. Write method='majority' with weights='agreement'."),
        ({"method": "dawid"}, "method='dawid' is not known. Use one of 'majority', 'dawid_skene', 'one_coin', 'mace'"),
        ({"ties": "last"}, "ties='last' is not known. Use one of 'missing', 'first', 'random', 'prior'."),
        (
            {"smoothing": 1},
            "method='majority' cannot use smoothing=. It is an option of method='dawid_skene' and method='one_coin' "
            "and method='mace'.",
        ),
        (
            {"method": "mace", "weights": "agreement"},
            "method='mace' cannot use weights=. It is an option of method='majority'.",
        ),
        (
            {"method": "mace", "weights": pd.Series({"ann": 2.0})},
            "method='mace' cannot use weights=. It is an option of method='majority'.",
        ),
        (
            {"prior": pd.DataFrame({"a": [0.5], "b": [0.5]})},
            "method='majority' cannot use prior=. It is an option of method='dawid_skene' and method='one_coin'",
        ),
        ({"weights": "expert"}, "weights='expert' must be 'agreement', a Series of weights by coder, or None."),
        (
            {"method": "dawid_skene", "smoothing": -1},
            "smoothing=-1 must be a number of 0 or more.",
        ),
        (
            {"method": "dawid_skene", "fit": {"restarts": 3}},
            "fit={'restarts': 3} repeats random starts, and this fit starts from the votes. Add 'start': 'random', or "
            "leave out 'restarts'.",
        ),
        (
            {"method": "one_coin", "fit": {"max_iter": 0}},
            "fit={'max_iter': 0} must be a whole number above 0: the most sweeps.",
        ),
        (
            {"method": "one_coin", "fit": {"tol": -1}},
            "fit={'tol': -1} must be a number of 0 or more: the least relative gain of the objective.",
        ),
        ({"method": "one_coin", "fit": {"start": "vote"}}, "fit={'start': 'vote'} must be 'votes' or 'random'."),
        ({"method": "one_coin", "fit": {"max_itr": 9}}, "fit= has no entry 'max_itr'. Did you mean 'max_iter'?"),
        ({"method": "one_coin", "fit": 0.1}, "fit=0.1 must be a dict, such as {'max_iter': 5000}."),
        (
            {"fit": {"tol": 1e-6}},
            "method='majority' cannot use fit={'tol': 1e-06}. It is an option of method='dawid_skene'",
        ),
        (
            {"method": "mace", "fit": {"diagonal": 1}},
            "method='mace' cannot use fit={'diagonal': 1}. It is an option of method='dawid_skene' and",
        ),
        ({"tol": 1e-6}, "Truth has no option 'tol'. Write fit={'tol': 1e-06}."),
        ({"start": "random"}, "Truth has no option 'start'. Write fit={'start': 'random'}."),
        (
            {"duplicates": "all"},
            "Truth has no option 'duplicates'. Write df.agree.long(item=..., coder=..., label=..., duplicates='all').",
        ),
    ],
)
def test_wrong_options_are_refused_at_once(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        DF.agree.truth(**given)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"ann": 1, "bob": 2}, "weights= has no weight for coder 'cleo'. Every coder needs one."),
        ({"ann": 1, "bob": -2, "cleo": 1}, "weights= must be finite numbers of 0 or more."),
        ({"ann": 1, "bob": "two", "cleo": 1}, "weights= must be finite numbers of 0 or more."),
        ({"ann": 0, "bob": 0, "cleo": 0}, "weights= are 0 for all coders, so no vote counts."),
    ],
)
def test_weights_fit_the_coders(weights: Any, message: str) -> None:
    with refuses(InputError, message):
        DF.agree.consensus(weights=weights)


def test_rows_that_stand_for_several_items_are_repeated_by_the_user() -> None:
    message = "Consensus has no option 'frequency'. Repeat the rows: df.loc[df.index.repeat(df['n'])]."
    with refuses(InputError, message):
        DF.assign(n=2).agree.consensus("ann", "bob", frequency="n")


def test_votes_without_weight_give_no_label() -> None:
    frame = pd.DataFrame({"ann": ["x", "y", "x"], "bob": ["y", None, "x"], "cleo": ["y", None, None]})
    found = frame.agree.truth(weights={"ann": 0, "bob": 1, "cleo": 1}, ties="first").by_item(detail=True)
    assert found["label"].fillna("").tolist() == ["y", "", "x"]
    assert found["note"].tolist() == ["", "no vote", ""]
    assert found["remarks"].tolist() == ["", "no vote has weight", ""]
    assert found.loc[1, ["probability", "margin", "entropy", "agreement"]].isna().all()


def test_the_name_of_a_method_is_no_coder() -> None:
    with refuses(InputError, "'mace' is the name of a method, and was passed as a coder. Write method='mace'."):
        DF.agree.truth("ann", "bob", "mace")


def test_one_coder_is_no_consensus() -> None:
    with pytest.raises(InputError, match="at least two coders"):
        DF.agree.consensus("ann")
    long = pd.DataFrame({"doc": [1, 2], "who": ["a", "a"], "tag": ["x", "y"]})
    with refuses(
        InputError,
        "A consensus needs at least two coders, and got only 'a'. The labels of a single coder need no consensus.",
    ):
        long.agree.long(**LONG).consensus()


def test_counts_have_no_coders_and_a_crosstab_no_items() -> None:
    counts = pd.DataFrame({"y": [3, 0, 1], "n": [0, 3, 1]}).agree.counts()
    assert counts.truth().summary()["n_labels"].tolist() == [8]
    for call, instead in (
        (counts.truth().by_coder, "by_item or queue"),
        (counts.truth().confusions, "by_item or queue"),
        (counts.truth(method="dawid_skene").by_item, "method='majority'"),
    ):
        with pytest.raises(
            InputError, match=rf"needs the coder of each label, which these data do not contain\. Use {instead}"
        ):
            call()
    with pytest.raises(InputError, match="A crosstab has no items"):
        pd.crosstab(DF["ann"], DF["bob"]).agree.crosstab().consensus()


def test_the_fit_is_made_once_and_does_not_follow_the_frame() -> None:
    frame = DF.copy()
    truth = frame.agree.truth()
    assert repr(truth).startswith("Labels inferred with method='majority', not fitted yet.")
    before = truth.by_item()
    frame.loc[0, "ann"] = "z"
    frame.loc[0, "bob"] = "z"
    assert_frame_equal(truth.by_item(), before)
    assert truth.queue(n=4).loc[0, "ann"] == "x"


@pytest.mark.parametrize("frame", [DF.iloc[:0], DF.iloc[3:], DF.iloc[:1]])
@pytest.mark.parametrize("method", ["majority", "dawid_skene", "one_coin", "mace"])
@pytest.mark.filterwarnings("ignore")
def test_frames_with_hardly_any_label(frame: pd.DataFrame, method: Any) -> None:
    truth = frame.agree.truth(method=method)
    assert len(truth.by_item()) == len(frame)
    assert truth.summary().index.tolist() == [method]
    assert len(truth.queue()) == len(frame)
    truth.shares()
    assert len(truth.by_coder()) == int(frame.notna().any().sum())


def test_bluebird_has_the_published_accuracy_of_the_vote() -> None:
    label = bluebird_long().consensus()["label"]
    assert (label == bluebird_truth()[label.index]).mean() == pytest.approx(0.7592592592592593)


def test_many_categories_take_no_table() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.integers(0, 3000, 3000) for name in ("ann", "bob", "cleo")})
    frame["bob"] = frame["ann"]
    found = frame.agree.consensus()
    assert (found["label"] == frame["ann"]).all()
    with pytest.raises(
        InputError, match=r"^method='one_coin' estimates error rates between categories, and there are "
    ):
        frame.agree.consensus(method="one_coin")


def test_votes_of_chunks_are_those_of_the_whole() -> None:
    """Items are whole in a chunk, so that its votes are final; chunks lack categories, which only entropy needs."""
    frame = load_example()
    coders = ["ann", "bob", "cleo", "dev"]
    whole = frame.agree.consensus(*coders)
    parts = [frame.iloc[start : start + 7].agree.consensus(*coders) for start in range(0, len(frame), 7)]
    assert_frame_equal(pd.concat(parts), whole)


def test_the_key_of_the_groups_may_be_the_gold_label() -> None:
    frame = pd.DataFrame(
        {"doc": [1, 1, 2, 2], "who": ["a", "b"] * 2, "tag": ["x", "y", "y", "y"], "true": list("xxyy")}
    )
    found = frame.agree.long(item="doc", coder="who", label="tag").truth(gold="true", by="true").by_item()
    assert found["label"].tolist() == ["x", "y"]


TWICE = pd.DataFrame({"doc": [1, 1, 1, 2, 2, 3, 3], "who": list("abbabab"), "tag": list("xyyxxyx")})


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")  # a retest of one category
def test_every_label_of_a_coder_counts_where_long_says_so() -> None:
    every = TWICE.agree.long(**LONG, duplicates="all")
    found = every.consensus()
    assert found["label"].fillna("").tolist() == ["y", "x", ""]
    assert found["n_labels"].tolist() == [3, 2, 2]
    assert every.truth().by_coder()["n_items"].tolist() == [3, 3]
    with pytest.raises(InputError, match=r"^Judgments are repeated, 1 in all"):
        TWICE.agree.long(**LONG).consensus()
    assert every.retest()["n_items"].tolist() == TWICE.agree.long(**LONG).retest()["n_items"].tolist()


@pytest.mark.parametrize("name", ["kappa", "summary", "items", "confusion", "diagnose"])
def test_other_methods_need_one_label_of_each_coder(name: str) -> None:
    message = (
        "duplicates='all' counts every label of a coder on an item, as only truth and consensus do. The other methods "
        "take duplicates='raise', 'first', 'last' or 'set'."
    )
    with refuses(InputError, message):
        getattr(TWICE.agree.long(**LONG, duplicates="all"), name)()
    with refuses(InputError, message):
        TWICE.agree.long(**LONG, duplicates="all").judges("a", humans=["b"]).versus_humans()


def test_hidden_names_work_and_are_not_shown() -> None:
    truth = DF.agree.truth()
    assert_frame_equal(truth.items(probabilities=True), truth.by_item(probabilities=True))
    assert_frame_equal(truth.coders(), truth.by_coder())
    assert_frame_equal(DF.agree.consensus(), truth.by_item())
    public = [name for name in dir(truth) if not name.startswith("_")]
    assert public == ["by_coder", "by_item", "confusions", "plot", "qualify", "queue", "shares", "summary"]
    with refuses(UnknownMethodError, "truth(...) has no method 'by_itm'. Did you mean 'by_item'?"):
        truth.by_itm()
