"""Dawid-Skene, one-coin and MACE: published and computed values, plain loops, groups, gold and given probabilities."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import pandas_agreement
from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.truth.kernels import ballots, coder_accuracy
from pandas_agreement.truth.kernels.models import DawidSkene
from pandas_agreement.truth.settings import FIT
from tests.data_sets import LONG, as_long, to_long
from tests.helpers import refuses, same
from tests.truth.helpers import (
    EXACT,
    anaesthetists,
    bluebird_long,
    bluebird_truth,
    dawid_skene,
    simulated,
    tiny,
)

pytestmark = pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")


def fitted(agree: Any, method: str = "dawid_skene", **options: Any) -> Any:
    entries = {name: options.pop(name) for name in list(options) if name in FIT}
    return agree.truth(method=method, fit=EXACT | entries, **options)


# --------------------------------------------------------------------------------------------------- known values


@pytest.mark.parametrize(
    ("smoothing", "loglik", "objective", "shares"),
    [
        (0, -192.890881, -192.890881, [0.399555, 0.421983, 0.111795, 0.066667]),
        (0.5, -207.616482, -298.775894, [0.407614, 0.442752, 0.097587, 0.052048]),
    ],
)
def test_anaesthetists(smoothing: float, loglik: float, objective: float, shares: list[float]) -> None:
    """Dawid and Skene (1979), tables 1 to 4: class shares .40 .42 .11 .07."""
    truth = fitted(anaesthetists(), smoothing=smoothing)
    summary = truth.summary().iloc[0]
    np.testing.assert_allclose([summary.loglik, summary.objective], [loglik, objective], atol=1e-5)
    np.testing.assert_allclose(truth.shares()["share"], shares, atol=1e-5)


def test_anaesthetists_have_the_error_rates_and_patients_of_the_paper() -> None:
    truth = fitted(anaesthetists(), smoothing=0)
    first = truth.confusions()["probability"].xs(1, level="coder").unstack("given").to_numpy()
    expected = [[0.8895, 0.1105, 0, 0], [0.0706, 0.8764, 0.0530, 0], [0, 0.3388, 0.6612, 0], [0, 0, 0.5556, 0.4444]]
    np.testing.assert_allclose(first, expected, atol=1e-4)
    np.testing.assert_allclose(
        truth.by_coder(ci=None)["accuracy"], [0.828763, 0.778869, 0.776648, 0.866943, 0.842372], atol=1e-5
    )
    probability = truth.by_item(probabilities=True)
    np.testing.assert_allclose(probability.loc[7, [1, 2]], [0.9810, 0.0190], atol=1e-4)
    np.testing.assert_allclose(probability.loc[35, [2, 3]], [0.9480, 0.0520], atol=1e-4)
    np.testing.assert_allclose(probability.loc[38, [2, 3]], [0.0212, 0.9788], atol=1e-4)
    vote = anaesthetists().consensus()["label"]
    assert truth.by_item().index[(truth.by_item()["label"] != vote).to_numpy(bool)].tolist() == [2, 12, 36]


def test_objective_of_the_first_sweeps_and_their_number() -> None:
    found = [
        fitted(anaesthetists(), smoothing=0, tol=0, max_iter=n).summary()["objective"].iloc[0] for n in range(1, 6)
    ]
    np.testing.assert_allclose(found, [-205.091138, -194.550952, -193.159445, -192.942424, -192.909310], atol=1e-5)
    for tol, sweeps in ((1e-9, 18), (1e-12, 25)):
        assert fitted(anaesthetists(), smoothing=0, tol=tol).summary()["n_sweeps"].tolist() == [sweeps]


@pytest.mark.parametrize(
    ("method", "given", "loglik", "objective", "accuracy"),
    [
        ("dawid_skene", {"smoothing": 0}, -1888.11675, -1888.11675, 0.89815),
        ("dawid_skene", {}, -1891.10135, -1997.03644, 0.89815),
        ("dawid_skene", {"diagonal": 0}, -1890.81504, -1975.48694, 0.89815),
        ("one_coin", {"smoothing": 1, "diagonal": 0}, -2397.30230, -2463.86790, 0.72222),
        ("one_coin", {"smoothing": 1, "diagonal": 0, "prior": "estimate"}, -2328.99464, -2396.12582, 0.58333),
        ("mace", {"rng": 1, "restarts": 5, "tol": 1e-12}, -1902.707, None, 0.89815),
    ],
)
def test_bluebird(method: str, given: dict[str, Any], loglik: float, objective: float | None, accuracy: float) -> None:
    truth = fitted(bluebird_long(), method, **given)
    summary, label = truth.summary().iloc[0], truth.by_item()["label"]
    assert summary.loglik == pytest.approx(loglik, abs=1e-2 if method == "mace" else 2e-5)
    assert objective is None or summary.objective == pytest.approx(objective, abs=1e-5)
    assert (label == bluebird_truth()[label.index]).mean() == pytest.approx(accuracy, abs=1e-5)


def test_other_known_values_of_the_anaesthetists() -> None:
    coin = fitted(anaesthetists(), "one_coin", smoothing=0, prior="estimate")
    assert coin.summary()["loglik"].iloc[0] == pytest.approx(-242.505987, abs=1e-5)
    np.testing.assert_allclose(
        coin.by_coder(ci=None)["accuracy"], [0.88543, 0.700725, 0.811465, 0.853068, 0.80892], atol=1e-5
    )
    mace = fitted(anaesthetists(), "mace", rng=0, restarts=20, tol=1e-12)
    assert mace.summary()["loglik"].iloc[0] == pytest.approx(-245.387479, abs=0.01)
    np.testing.assert_allclose(mace.by_coder(ci=None)["knows"], [0.7849, 0.6646, 0.7123, 0.8451, 0.7227], atol=5e-3)


def test_tiny_data_do_not_collapse_with_the_diagonal() -> None:
    truth = fitted(tiny().agree)
    probability = truth.by_item(probabilities=True)[0]
    np.testing.assert_allclose(probability, [0.918165, 0.767266, 0.081835, 0.232734, 0.767266, 0.232734], atol=1e-5)
    summary = truth.summary().iloc[0]
    np.testing.assert_allclose([summary.loglik, summary.objective], [-12.164917, -18.669240], atol=1e-5)
    flat = tiny().agree.truth(method="dawid_skene", fit={"diagonal": 0}).by_item()["probability"]
    assert flat.max() < 0.55
    assert tiny().agree.truth(method="dawid_skene").by_item()["probability"].max() > 0.9


# ----------------------------------------------------------------------------------------------------- plain loops


@pytest.mark.parametrize(("s", "d"), [(0.5, 0.5), (1.0, 0.0), (0.0, 0.0)])
@pytest.mark.parametrize("seed", range(3))
def test_em_equals_plain_loops(s: float, d: float, seed: int) -> None:
    frame, _ = simulated(40, 4, 3, gaps=0.4, seed=seed)
    rows = [["abc".index(x) if isinstance(x, str) else None for x in row] for row in frame.to_numpy().tolist()]
    expected = dawid_skene(rows, 3, s, d, 12)
    truth = frame.agree.truth(method="dawid_skene", smoothing=s, fit={"diagonal": d, "tol": 0, "max_iter": 12})
    labelled = frame.notna().any(axis=1).to_numpy()
    np.testing.assert_allclose(truth.by_item(probabilities=True)[labelled], expected["T"], atol=1e-12)
    np.testing.assert_allclose(truth.shares()["share"], expected["pi"], atol=1e-12)
    found = truth.confusions()["probability"].to_numpy().reshape(4, 3, 3)
    np.testing.assert_allclose(found, expected["theta"], atol=1e-12)
    summary = truth.summary().iloc[0]
    np.testing.assert_allclose([summary.loglik, summary.objective], [expected["loglik"], expected["objectives"][-1]])


@pytest.mark.parametrize("method", ["dawid_skene", "one_coin", "mace"])
@pytest.mark.parametrize("seed", range(3))
def test_the_objective_never_falls(method: Any, seed: int) -> None:
    frame, _ = simulated(50, 4, 3, gaps=0.5, seed=seed)
    given: dict[str, Any] = {"rng": 3, "restarts": 1} if method == "mace" else {}
    found = [
        fitted(frame.agree, method, tol=0, max_iter=n, **given).summary()["objective"].iloc[0] for n in range(1, 30)
    ]
    assert (np.diff(found) >= -1e-9).all()
    assert found[-1] > found[0]


def likelihoods(truth: Any, codes: np.ndarray) -> np.ndarray:
    """Probability of the labels of complete data and each true category, from the tables of a fit: (I, K)."""
    pi = truth.shares()["share"].to_numpy()
    theta = truth.confusions()["probability"].to_numpy().reshape(codes.shape[1], len(pi), len(pi))
    return np.array([[pi[k] * np.prod([theta[c, k, x] for c, x in enumerate(row)]) for k in range(2)] for row in codes])


def test_the_objective_of_mace_is_that_of_the_definition() -> None:
    frame, _ = simulated(60, 4, 2, gaps=0, seed=5)
    truth = frame.agree.truth(method="mace", prior="estimate", smoothing=0.5, rng=0, fit={"restarts": 2, "tol": 1e-13})
    m = truth.by_coder(ci=None, detail=True)["knows"].to_numpy()
    wrong = truth.confusions()["probability"].unstack("given").to_numpy().reshape(4, 2, 2)  # coder, true, given
    xi = np.stack([wrong[:, 1, 0], wrong[:, 0, 1]], 1) / (1 - m)[:, None]
    loglik = np.log(likelihoods(truth, frame.map("ab".index).to_numpy()).sum(1)).sum()
    prior = 0.5 * (np.log(m) + np.log(1 - m) + np.log(xi).sum(1)).sum()
    summary = truth.summary().iloc[0]
    np.testing.assert_allclose([summary.loglik, summary.objective], [loglik, loglik + prior], rtol=1e-9)


@pytest.mark.parametrize("method", ["dawid_skene", "one_coin"])
def test_agreement_is_with_what_the_labels_of_the_others_make_most_probable(method: Any) -> None:
    frame, _ = simulated(60, 4, 2, gaps=0, seed=5)
    truth, codes = frame.agree.truth(method=method, prior="estimate"), frame.map("ab".index).to_numpy()
    whole, theta = likelihoods(truth, codes), truth.confusions()["probability"].to_numpy().reshape(4, 2, 2)
    expected = []
    for c, given in enumerate(codes.T):
        rest = whole / theta[c][:, given].T
        leads = rest >= rest.max(1, keepdims=True) * (1 - 1e-9)
        expected.append((leads[range(60), given] / leads.sum(1)).mean())
    np.testing.assert_allclose(truth.by_coder(detail=True)["agreement"], expected)


# ------------------------------------------------------------------------------------------ invariances and groups


@pytest.mark.parametrize("method", ["dawid_skene", "one_coin"])
def test_order_of_items_coders_and_labels_does_not_matter(method: Any) -> None:
    frame, _ = simulated(60, 4, 3, seed=1)
    whole = fitted(frame.agree, method)
    mixed = fitted(frame.sample(frac=1, random_state=1)[["c2", "c0", "c3", "c1"]].agree, method, categories=list("cab"))
    expected, found = whole.by_item(), mixed.by_item().sort_index()
    np.testing.assert_allclose(found["probability"], expected["probability"], atol=1e-6)
    assert (found["label"].astype(object).fillna("-") == expected["label"].astype(object).fillna("-")).all()
    errors = [truth.by_coder(detail=True).sort_index()["se"] for truth in (mixed, whole)]
    np.testing.assert_allclose(*errors, rtol=1e-5)


@pytest.mark.parametrize("method", ["dawid_skene", "one_coin", "mace"])
def test_wide_equals_long(method: Any) -> None:
    frame, _ = simulated(40, 4, 3, seed=6)
    given: dict[str, Any] = {"rng": 1, "fit": {"restarts": 2}} if method == "mace" else {}
    wide, long = frame.agree.truth(method=method, **given), as_long(frame).truth(method=method, **given)
    here = frame.notna().any(axis=1)
    same(long.by_item().rename_axis(None), wide.by_item()[here])
    same(long.by_coder(), wide.by_coder())
    same(long.confusions(), wide.confusions())
    assert wide.by_item()[~here]["note"].eq("no label").all()
    same(long.summary(), wide.summary())


@pytest.mark.parametrize("method", ["dawid_skene", "one_coin", "mace"])
@pytest.mark.parametrize("format_", ["wide", "long"])
def test_groups_equal_the_loop_over_them(method: Any, format_: str) -> None:
    """Groups differ in size and coders, and converge after different numbers of sweeps."""
    parts = [
        simulated(n, c, 3, gaps, seed)[0]
        for n, c, gaps, seed in ((40, 5, 0.3, 1), (15, 2, 0.0, 2), (30, 4, 0.5, 3), (4, 3, 0, 4))
    ]
    frame = pd.concat(parts, keys=range(4), names=["batch"]).reset_index("batch").reset_index(drop=True)
    given: dict[str, Any] = {"method": method, "categories": list("abc")}
    given |= {"rng": 1, "fit": {"restarts": 3}} if method == "mace" else {}
    agree = (
        (lambda part: part.agree) if format_ == "wide" else (lambda part: to_long(part, ("batch",)).agree.long(**LONG))
    )
    coders = list(frame.columns[1:]) if format_ == "wide" else []
    together = agree(frame).truth(*coders, by="batch", **given)
    assert together.summary()["n_sweeps"].nunique() > 1
    for batch, part in frame.groupby("batch"):
        alone = agree(part).truth(*coders, **given)
        for view in ("summary", "by_coder", "confusions", "shares"):
            own = getattr(together, view)().xs(batch, level="batch")
            assert_frame_equal(own, getattr(alone, view)(), rtol=1e-9 if view != "summary" else 1e-12, atol=1e-12)
        items = together.by_item()
        own = items.loc[part.index] if format_ == "wide" else items.xs(batch, level="batch")
        assert_frame_equal(own, alone.by_item(), rtol=1e-12, atol=1e-12)


# --------------------------------------------------------------------------------------------- gold, prior, starts


@pytest.mark.parametrize("method", ["dawid_skene", "mace"])
def test_groups_in_blocks_are_the_same(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    frame, _ = simulated(90, 4)
    frame["batch"] = np.arange(90) % 5
    given: dict[str, Any] = {"rng": 0, "fit": {"restarts": 2}} if method == "mace" else {}

    def tables() -> list[pd.DataFrame]:
        truth = frame.agree.truth(*frame.columns[:-1], method=method, by="batch", **given)
        return [truth.by_item(), truth.summary(), truth.by_coder(), truth.confusions()]

    whole = tables()
    monkeypatch.setattr(ballots, "MAX_ENTRIES", 60)
    for found, expected in zip(tables(), whole, strict=True):
        same(found, expected)


@pytest.mark.parametrize("method", ["dawid_skene", "one_coin", "mace"])
def test_gold_is_clamped(method: Any) -> None:
    frame, truth = simulated(60, 4, 3, seed=7)
    gold = truth.where(truth.index < 20)
    given = {"rng": 1} if method == "mace" else {}
    found = frame.assign(gold=gold).agree.truth(method=method, gold="gold", **given)
    items = found.by_item(probabilities=True)
    assert (items.iloc[:20].max(axis=1) == 1).all()
    assert (items.iloc[:20].idxmax(axis=1) == truth[:20]).all()
    assert found.summary()["n_gold"].tolist() == [20]
    full = frame.assign(gold=truth).agree.truth(method="dawid_skene", gold="gold", smoothing=0)
    share = (frame["c1"] == truth)[frame["c1"].notna()]
    by_true = full.confusions()["probability"].xs("c1", level="coder")
    for k in "abc":
        assert by_true[(k, k)] == pytest.approx(share[truth == k].mean())


def test_given_probabilities_replace_the_class_shares() -> None:
    frame, truth = simulated(50, 3, 3, gaps=0.2, seed=8)
    sure = pd.DataFrame({k: np.where(truth == k, 0.98, 0.01) for k in "abc"})
    label = frame.agree.consensus(method="one_coin", prior=sure)["label"]
    assert (label.dropna() == truth[label.notna()]).mean() > 0.95
    flat = pd.DataFrame(1 / 3, index=frame.index, columns=list("abc"))
    same(frame.agree.consensus(method="one_coin", prior=flat), frame.agree.consensus(method="one_coin"))
    long = as_long(frame).consensus(method="one_coin", prior=sure).rename_axis(None)
    same(long, frame.agree.consensus(method="one_coin", prior=sure)[frame.notna().any(axis=1)])


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        (pd.DataFrame({"a": [1.0]}), "prior= has no column for the category 'b'. It needs one column per category."),
        (
            pd.DataFrame(0.25, index=range(4), columns=list("abcd")),
            "prior= has a column 'd', which is no category of the labels. List all categories with categories=[...].",
        ),
        (
            pd.DataFrame(1 / 3, index=range(2), columns=list("abc")),
            "prior= has no probabilities for item 2. Every item needs a row.",
        ),
        (
            pd.DataFrame("high", index=range(20), columns=list("abc")),
            "prior= has cells that are no numbers. It needs a probability for each item and category.",
        ),
        (pd.DataFrame(0.25, index=range(20), columns=list("abca")), "prior= has two columns 'a'. Keep one."),
        (
            pd.DataFrame(1.0, index=range(20), columns=list("abc")),
            "The probabilities of item 0 in prior= are not 0 to 1 with sum 1. Divide them by their sum.",
        ),
    ],
)
def test_given_probabilities_that_do_not_fit_are_refused(prior: pd.DataFrame, message: str) -> None:
    frame, _ = simulated(20, 3, 3, gaps=0, seed=8)
    with refuses(InputError, message):
        frame.agree.consensus(method="dawid_skene", prior=prior)


def test_given_probabilities_of_items_that_long_data_lack_are_refused() -> None:
    frame, _ = simulated(20, 3, 3, gaps=0, seed=8)
    prior = pd.DataFrame(1 / 3, index=range(23), columns=list("abc"))
    with refuses(InputError, "prior= has 3 items that the data lack, such as 20. Match it to the items."):
        as_long(frame).consensus(method="one_coin", prior=prior)


def test_random_starts_reach_a_higher_maximum_than_the_published_one() -> None:
    truth = fitted(anaesthetists(), smoothing=0, start="random", restarts=20, rng=0, tol=1e-9)
    assert truth.summary()["loglik"].iloc[0] > -192.88  # that from the votes is -192.8909


def test_mace_gives_the_same_numbers_twice() -> None:
    """Without rng= its restarts began elsewhere each time, and the fifth digit differed."""
    df = pandas_agreement.load_example()
    one, two = (df.agree.truth("ann", "bob", "cleo", "dev", method="mace").by_coder() for _ in range(2))
    assert_frame_equal(one, two, rtol=0, atol=0)


def test_restarts_of_mace_differ_and_the_best_is_kept() -> None:
    one = [
        bluebird_long().truth(method="mace", fit={"restarts": 1}, rng=seed).summary()["objective"].iloc[0]
        for seed in range(4)
    ]
    assert len(set(np.round(one, 3))) > 1
    several = bluebird_long().truth(method="mace", fit={"restarts": 4}, rng=0).summary()["objective"].iloc[0]
    assert several >= one[0] - 1e-6
    same(
        bluebird_long().consensus(method="mace", rng=5, fit={"restarts": 2}),
        bluebird_long().consensus(method="mace", rng=5, fit={"restarts": 2}),
    )


def test_an_item_with_thousands_of_labels_does_not_underflow() -> None:
    rng = np.random.default_rng(0)
    long = pd.DataFrame({"doc": 0, "who": range(5000), "tag": np.where(rng.random(5000) < 0.7, "x", "y")})
    more = pd.DataFrame({"doc": np.repeat(range(1, 4), 3), "who": np.tile(range(3), 3), "tag": list("xxyyyxxyx")})
    agree = pd.concat([long, more]).agree.long(**LONG)
    for method in ("dawid_skene", "one_coin", "mace"):
        found = agree.truth(method=method, rng=0, fit={"restarts": 2} if method == "mace" else None)
        assert np.isfinite(found.by_item(probabilities=True).to_numpy()).all()
        assert found.by_item().loc[0, "label"] == "x"


# ------------------------------------------------------------------------------------------------ words about the fit


@pytest.mark.filterwarnings("default")
def test_small_fits_warn_once_and_say_so_in_the_note() -> None:
    frame, _ = simulated(40, 2, 2, gaps=0, seed=0)
    truth = frame.agree.truth(method="dawid_skene")
    with pytest.warns(AgreementWarning) as caught:
        found = truth.summary(detail=True).iloc[0]
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        truth.by_item()
    assert str(caught[0].message).startswith(
        "dawid_skene: two coders: error rates are not identified. Labels of two coders do"
    )
    assert found["note"] == "two coders+"
    assert found["remarks"] == (
        "two coders: error rates are not identified; fewer than 3 labels per item; fewer than 100 items; the expected "
        "accuracy is too high if coders make the same mistakes"
    )
    coders = truth.by_coder(detail=True)
    assert coders["note"].unique().tolist() == ["two coders"]
    assert coders["remarks"].unique().tolist() == ["two coders: error rates are not identified"]


@pytest.mark.filterwarnings("default")
def test_a_fit_that_is_cut_short_says_so() -> None:
    frame, _ = simulated(120, 4, 3, gaps=0, seed=0)
    with pytest.warns(AgreementWarning, match=r"did not converge\. Raise 'max_iter' in fit=, or 'tol'"):
        summary = frame.agree.truth(method="dawid_skene", fit={"max_iter": 2}).summary(detail=True)
    assert summary["converged"].tolist() == [False]
    assert summary["note"].tolist() == ["no converge+"]
    assert "did not converge" in summary["remarks"].iloc[0]


def test_large_crowds_have_narrow_intervals_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    frame, _ = simulated(120, 5, 2, gaps=0, seed=0)
    whole = frame.agree.truth(method="dawid_skene").by_coder(detail=True)
    monkeypatch.setattr(coder_accuracy, "MAX_PARAMETERS", 5)
    alone = frame.agree.truth(method="dawid_skene").by_coder(detail=True)
    assert (alone["se"] < whole["se"]).all()
    assert alone["note"].eq("narrow ci").all()
    assert alone["remarks"].eq("the interval treats the other coders as known and is too narrow").all()


def test_the_standard_error_is_that_of_the_definition() -> None:
    """Scores of the items by finite differences of the log-likelihood, complete data, no prior."""
    frame, _ = simulated(400, 4, 2, gaps=0, seed=3)
    truth = fitted(frame.agree, smoothing=0)
    codes = frame.map("ab".index).to_numpy()
    pi = truth.shares()["share"].to_numpy()
    theta = truth.confusions()["probability"].to_numpy().reshape(4, 2, 2)  # coder, true, given

    def unpack(eta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        share = 1 / (1 + np.exp(-eta))
        return np.array([share[-1], 1 - share[-1]]), np.stack([share[:8].reshape(4, 2), 1 - share[:8].reshape(4, 2)], 2)

    def logliks(eta: np.ndarray) -> np.ndarray:
        p, t = unpack(eta)
        return np.log(sum(p[k] * np.prod([t[c, k, codes[:, c]] for c in range(4)], axis=0) for k in range(2)))

    def accuracy(eta: np.ndarray) -> np.ndarray:
        p, t = unpack(eta)
        return np.einsum("ckk,k->c", t, p)

    eta = np.append(np.log(theta[..., 0] / theta[..., 1]).ravel(), np.log(pi[0] / pi[1]))
    steps = 1e-6 * np.eye(9)
    scores = np.stack([(logliks(eta + h) - logliks(eta - h)) / 2e-6 for h in steps], 1)
    slopes = np.stack([(accuracy(eta + h) - accuracy(eta - h)) / 2e-6 for h in steps], 1)
    expected = np.sqrt(np.diag(slopes @ np.linalg.inv(scores.T @ scores) @ slopes.T))
    np.testing.assert_allclose(truth.by_coder(detail=True)["se"], expected, rtol=1e-4)


def test_the_figures_of_the_docs_on_overconfidence() -> None:
    truth = bluebird_long().truth(method="dawid_skene")
    label = truth.by_item()["label"]
    wrong = (label != bluebird_truth()[label.index]).sum()
    expected = 108 * (1 - truth.summary()["expected_accuracy"].iloc[0])
    assert (round(expected, 1), wrong) == (0.6, 11)
    vote = bluebird_long().consensus()["label"]
    assert (vote != bluebird_truth()[vote.index]).sum() == 26
    errors = set(label.index[(label != bluebird_truth()[label.index]).to_numpy()])
    by_model, by_vote = (set(each.queue(n=10)["item"]) for each in (truth, bluebird_long().truth()))
    assert (len(errors & by_model), len(errors & by_vote)) == (3, 1)


def test_error_rates_without_smoothing_are_shares_however_few_the_labels() -> None:
    """A coder with no item of a category chooses at random there; one item that is hardly of it still counts."""
    item, coder, code = np.array([0, 1, 2]), np.zeros(3, int), np.array([0, 1, 0])
    single = np.zeros(1, int)
    data = ballots.Ballots(item, coder, code, np.zeros(3, int), single, single, np.full(3, -1), 3, 1)
    model = DawidSkene(data, smoothing=0, diagonal=0, estimated=True)
    theta = model.maximize(np.array([[0.9, 1, 0.9], [0.1, 0, 0.1], [0, 0, 0]]))["theta"]
    np.testing.assert_allclose(theta[0].T, [[1.8 / 2.8, 1 / 2.8, 0], [1, 0, 0], [1 / 3] * 3], rtol=1e-12)
