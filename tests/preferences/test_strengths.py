"""Bradley and Terry's model: the oracle, statsmodels' Logit, plain loops, separated candidates, clusters."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.stats import norm, t

from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.preferences.bradley_terry import fit
from pandas_agreement.preferences.strengths import comparisons_of
from pandas_agreement.preferences.verdicts import Columns, read_verdicts
from pandas_agreement.results import schemas
from tests.helpers import refuses, same
from tests.preferences.helpers import COLUMNS, drawn, played


def strengths(frame: pd.DataFrame, **options: Any) -> pd.DataFrame:
    return frame.agree.preferences(**COLUMNS, tie="tie").strengths(**({"detail": True} | options))


def test_the_published_example() -> None:
    found = strengths(played(), smoothing=0)
    assert found["estimate"].to_numpy() == pytest.approx([0.943606, -0.160161, -0.783445], abs=1e-6)
    assert found["se"].to_numpy() == pytest.approx([0.377207, 0.328251, 0.358146], abs=1e-6)
    smooth = strengths(played())
    assert smooth["estimate"].to_numpy() == pytest.approx([0.923460, -0.156491, -0.766969], abs=1e-6)
    assert smooth["se"].to_numpy() == pytest.approx([0.369960, 0.324364, 0.352341], abs=1e-6)
    assert found["wins"].tolist() == [16, 9, 5]
    assert (found["n_items"].tolist(), found["rank"].tolist()) == ([20, 20, 20], [1, 2, 3])
    assert found["strength"].sum() == pytest.approx(1)
    columns = ["rank", "estimate", "ci_low", "ci_high", "se", "wins", "n_items", "note"]
    assert list(strengths(played(), detail=False).columns) == columns
    assert list(found.columns) == [*columns, "strength", "ci_level", "remarks"]
    winner, loser = (found["estimate"].loc[played()[side]].to_numpy() for side in ("a", "b"))
    assert -np.logaddexp(0, loser - winner).sum() == pytest.approx(-16.324990, abs=1e-6)  # the log-likelihood


# statsmodels 0.15.0: Logit(won, X) with the candidates' columns coded to add up to 0 and a constant for the position,
# fit(tol=1e-14); the second time cov_type="cluster", groups the prompts, use_correction=False
ESTIMATES = [-1.151801284, -0.630150933, -0.070867873, 0.540903526, 1.311916565, 0.602257072]
ERRORS = [0.171542657, 0.153805268, 0.143225681, 0.154733876, 0.167453053, 0.125841313]
CLUSTERED = [0.184590563, 0.158771425, 0.132985667, 0.148188627, 0.182868895, 0.118227429]


def test_the_logit_of_statsmodels() -> None:
    frame = drawn(400, "vwxyz", position=0.5, seed=7)
    found = strengths(frame, smoothing=0, position=True)
    assert found.index.tolist() == [*"vwxyz", "(first)"]
    assert found["estimate"].to_numpy() == pytest.approx(ESTIMATES, abs=1e-8)
    assert found["se"].to_numpy() == pytest.approx(ERRORS, abs=1e-8)
    robust = strengths(frame, smoothing=0, position=True, clusters="prompt")
    assert robust["estimate"].to_numpy() == pytest.approx(ESTIMATES, abs=1e-8)
    assert robust["se"].to_numpy() == pytest.approx(np.array(CLUSTERED) * math.sqrt(97 / 96), abs=1e-8)
    width = t.ppf(0.975, 96) * robust["se"]
    assert (robust["estimate"] + width).to_numpy() == pytest.approx(robust["ci_high"].to_numpy())


# -------------------------------------------------------------------------------------------------------- brute force


def by_hand(frame: pd.DataFrame, smoothing: float, position: bool) -> tuple[dict[str, float], float]:
    """The maximum of the penalised likelihood, verdict by verdict."""
    names = sorted(set(frame["a"]) | set(frame["b"]))

    def loss(theta: Any) -> float:
        beta, total = dict(zip(names, theta, strict=False)), smoothing / 2 * sum(x * x for x in theta[: len(names)])
        for row in frame.itertuples():
            score = 0.5 if row.won == "tie" else float(row.won == row.a)
            odds = beta[row.a] - beta[row.b] + (theta[-1] if position else 0.0)
            total += math.log1p(math.exp(odds)) - score * odds
        return total

    found = minimize(loss, np.zeros(len(names) + position), method="BFGS", options={"gtol": 1e-7})
    beta = found.x[: len(names)] - found.x[: len(names)].mean()
    return dict(zip(names, beta, strict=True)), float(found.x[-1]) if position else math.nan


@pytest.mark.parametrize(("smoothing", "position"), [(0.1, False), (0.1, True), (2.0, False), (2.0, True)])
def test_the_maximum_is_that_of_loops(smoothing: float, position: bool) -> None:
    frame = drawn(60, "wxyz", position=0.4, ties=0.2, seed=3)
    found = strengths(frame, smoothing=smoothing, position=position)
    beta, gamma = by_hand(frame, smoothing, position)
    assert found["estimate"].to_dict() == pytest.approx(beta | ({"(first)": gamma} if position else {}), abs=1e-4)


def test_few_verdicts_on_many_candidates() -> None:
    """Fewer verdicts than pairs of candidates: only pairs that were compared are held."""
    frame = drawn(40, "lmnopqrstuvwxyz", position=0.4, ties=0.2, seed=4)
    found = strengths(frame, smoothing=1.0, position=True)
    beta, gamma = by_hand(frame, 1.0, True)
    assert found["estimate"].to_dict() == pytest.approx(beta | {"(first)": gamma}, abs=1e-4)
    verdicts = read_verdicts(frame, Columns("a", "b", "won", (), ("tie",)), None, None)
    pairs = comparisons_of(verdicts).pairs()
    assert len(pairs.n) == len(frame[["a", "b"]].drop_duplicates()) < 15 * 15
    assert (pairs.n.sum(), pairs.wins.sum()) == (
        40,
        (frame["won"] == frame["a"]).sum() + (frame["won"] == "tie").sum() / 2,
    )


def test_contrasts_are_differences_with_their_own_errors() -> None:
    frame = drawn(300, "wxyz", seed=5)
    found, each = strengths(frame, smoothing=0, contrasts=True), strengths(frame, smoothing=0)
    assert found.index.names == ["candidate_1", "candidate_2"]
    assert list(found.columns) == list(schemas.CONTRASTS)
    verdicts = read_verdicts(frame, Columns("a", "b", "won", (), ()), None, None)
    V = fit(comparisons_of(verdicts), 0, False).covariance[0]
    for (i, one), (j, two) in itertools.combinations(enumerate("wxyz"), 2):
        row = found.loc[(one, two)]
        assert row["difference"] == pytest.approx(each.loc[one, "estimate"] - each.loc[two, "estimate"])
        assert row["se"] == pytest.approx(math.sqrt(V[i, i] + V[j, j] - 2 * V[i, j]))
        assert row["p_value"] == pytest.approx(2 * norm.sf(abs(row["difference"] / row["se"])))
        both = frame[["a", "b"]].isin([one, two]).all(axis=1)
        assert row["n_items"] == both.sum()
    ordered = found["p_value"].sort_values()
    holm = np.minimum(np.maximum.accumulate(ordered.to_numpy() * np.arange(6, 0, -1)), 1)
    assert found["p_holm"].loc[ordered.index].to_numpy() == pytest.approx(holm)


def test_the_information_gives_the_spread_of_the_estimates() -> None:
    """Standard errors against the standard deviation over 400 data sets, all fitted in one call."""
    runs = pd.concat([drawn(150, "xyz", seed=seed).assign(run=seed) for seed in range(400)], ignore_index=True)
    found = strengths(runs, smoothing=0, by="run")
    spread = found["estimate"].unstack().std()
    assert found["se"].unstack().mean().to_numpy() == pytest.approx(spread.to_numpy(), rel=0.12)
    true = np.array([-1, 0, 1])
    covered = (found["ci_low"].unstack() <= true) & (true <= found["ci_high"].unstack())
    assert 0.92 < covered.to_numpy().mean() < 0.98


# ------------------------------------------------------------------------------------------------------------- groups


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
def test_groups_are_the_loop_whatever_their_company() -> None:
    parts = {
        "few": drawn(12, "xy", seed=1),
        "many": drawn(300, "uvwxyz", position=0.5, ties=0.1, seed=2),
        "wins": played({"xy": 4, "xz": 3, "yz": 2}),
    }
    frame = pd.concat([part.assign(group=name) for name, part in parts.items()], ignore_index=True)
    for options in ({}, {"position": True}, {"clusters": "prompt"}, {"contrasts": True}):
        frame["prompt"] = frame["prompt"].fillna(0)
        found = strengths(frame, by="group", **options)
        for name, part in frame.groupby("group"):
            same(found.loc[name], strengths(part, **options), rtol=1e-9)


# ---------------------------------------------------------------------------------------------- separated candidates


def test_without_smoothing_only_those_who_beat_one_another_are_estimated() -> None:
    wins = {"xy": 3, "yx": 2, "yz": 2, "zy": 4, "xz": 1, "tx": 3, "zu": 2, "pq": 1, "qp": 1}
    with pytest.warns(AgreementWarning, match="4 of 7 estimates are undefined"):
        found = strengths(played(wins), smoothing=0)
    expected = strengths(played({"xy": 3, "yx": 2, "yz": 2, "zy": 4, "xz": 1}), smoothing=0)
    assert found["estimate"].dropna().to_numpy() == pytest.approx(expected["estimate"].to_numpy())
    notes = found.loc[found["estimate"].isna(), "remarks"].to_dict()
    assert notes == {"t": "never lost", "u": "never won", "p": "not comparable", "q": "not comparable"}
    assert np.isnan(found.loc["t", "rank"])
    with pytest.warns(AgreementWarning, match="a candidate has no estimate"):
        pairs = strengths(played(wins), smoothing=0, contrasts=True)
    assert pairs["difference"].notna().sum() == 3


def test_smoothing_makes_the_unbeaten_finite() -> None:
    frame = played({"xy": 5, "xz": 5, "yz": 3, "zy": 2})
    found = strengths(frame)
    assert found["estimate"].idxmax() == "x"
    assert np.isfinite(found.loc["x", ["estimate", "se"]].to_numpy(float)).all()
    assert strengths(frame, smoothing=1e-4)["estimate"]["x"] > found["estimate"]["x"]


def test_candidates_who_never_met_are_ranked_apart() -> None:
    frame = played({"xy": 5, "yx": 2, "pq": 3, "qp": 4})
    found = strengths(frame)
    assert found["rank"].to_dict() == {"p": 2, "q": 1, "x": 1, "y": 2}
    note = "2 other candidates never compared, not even through others: ranked without them"
    assert found["remarks"].unique().tolist() == [note]
    assert found["estimate"][["x", "y"]].sum() == pytest.approx(0)
    assert found["strength"][["x", "y"]].sum() == pytest.approx(1)
    with pytest.warns(AgreementWarning, match="never compared, not even through others"):
        pairs = strengths(frame, contrasts=True)
    assert pairs["difference"].notna().to_dict() == {
        ("p", "q"): True, ("p", "x"): False, ("p", "y"): False, ("q", "x"): False, ("q", "y"): False, ("x", "y"): True,
    }  # fmt: skip


def test_the_first_slot_that_always_wins_has_no_finite_effect() -> None:
    frame = pd.DataFrame({"a": list("xyxz"), "b": list("yxzx"), "won": list("xyxz")})
    with pytest.warns(AgreementWarning, match="the order shown decides the verdicts"):
        found = strengths(frame, position=True)
    assert found["estimate"].isna().all()
    assert strengths(frame)["estimate"].to_numpy() == pytest.approx(0)


def test_an_order_in_which_one_always_wins_has_no_finite_maximum() -> None:
    """Every candidate beat the other, but x always wins when shown first."""
    frame = pd.DataFrame({"a": list("xxyyy"), "b": list("yyxxx"), "won": list("xxyxy")})
    with pytest.warns(AgreementWarning, match="no finite maximum"):
        strengths(frame, position=True, smoothing=0)
    assert strengths(frame, position=True)["estimate"].notna().all()


def test_one_order_for_each_pair_does_not_show_the_position() -> None:
    frame = drawn(40, "xyz", seed=1)
    fixed = frame.assign(a=frame[["a", "b"]].min(axis=1), b=frame[["a", "b"]].max(axis=1))
    chain = fixed[~((fixed["a"] == "x") & (fixed["b"] == "z"))]
    with pytest.warns(AgreementWarning, match="position and strength cannot be separated"):
        found = strengths(chain, position=True)
    assert found["estimate"].isna().all()
    assert strengths(fixed, position=True)["estimate"].notna().all()  # x-y, y-z and x-z: 1 + 1 is not 1


# --------------------------------------------------------------------------------------------------------- odd frames


def test_ties_are_half_a_win_for_both() -> None:
    tied = played({"xy": 2}).assign(won="tie")
    found = strengths(pd.concat([played({"xy": 3}), tied]))
    halves = strengths(played({"xy": 4, "yx": 1}))
    assert found["estimate"].to_numpy() == pytest.approx(halves["estimate"].to_numpy())
    assert found["wins"].tolist() == [4, 1]
    assert found["remarks"].tolist() == ["2 ties count as half a win"] * 2


def test_dropped_rows_are_counted() -> None:
    more = pd.DataFrame({"a": ["x", "x", "t", None], "b": ["x", "y", "x", "y"], "won": ["x", None, None, "y"]})
    with pytest.warns(AgreementWarning, match="1 of 3 estimates is undefined"):
        found = strengths(pd.concat([played({"xy": 3, "yx": 1}), more]))
    assert found.loc["t", "remarks"].startswith("no verdict; ")
    assert found.loc["x", "remarks"] == "3 rows without a winner left out; 1 row with one candidate left out"
    assert found["n_items"].to_dict() == {"t": 0, "x": 4, "y": 4}


def test_one_candidate_alone() -> None:
    with pytest.warns(AgreementWarning, match="no verdict"):
        found = strengths(pd.DataFrame({"a": ["x"], "b": ["x"], "won": ["x"]}), position=True)
    assert found["n_items"].tolist() == [0, 0]


def test_one_cluster_has_no_standard_error() -> None:
    found = strengths(played().assign(judge="me"), clusters="judge")
    assert found["se"].isna().all()
    assert found["remarks"].tolist() == ["one cluster: no se"] * 3
    assert found["estimate"].notna().all()


def test_a_candidate_with_the_name_of_the_position() -> None:
    frame = played().replace("1", "(first)")
    with refuses(
        InputError, "A candidate is called '(first)', as the row of the position effect is. Rename the candidate."
    ):
        strengths(frame, position=True)
    assert "(first)" in strengths(frame).index


@pytest.mark.parametrize("smoothing", [-1, "x", np.nan, True, None])
def test_smoothing_is_a_number(smoothing: Any) -> None:
    with pytest.raises(InputError, match=r"^smoothing=.* must be a number of 0 or more\.$"):
        strengths(played(), smoothing=smoothing)


def test_strengths_without_a_maximum_are_undefined_and_not_an_error() -> None:
    """Candidates that met in a circle, each pair in one order only: the information about the position is singular."""
    verdicts = [("m4", "m3", "first"), ("m4", "m2", "first"), ("m3", "m1", "second"), ("m4", "m3", "second")]
    verdicts += [("m1", "m3", "first")]
    df = pd.DataFrame(verdicts, columns=["first", "second", "winner"])
    with pytest.warns(AgreementWarning):
        found = df.agree.preferences(first="first", second="second", winner="winner").strengths(
            smoothing=0, position=True, ci=0.5
        )
    assert found["estimate"].isna().any()


@pytest.mark.parametrize(("contrasts", "what"), [(False, "Covariances of 20,000"), (True, "Differences of 20,000")])
def test_very_many_candidates_are_refused_before_memory_is_taken(contrasts: bool, what: str) -> None:
    frame = pd.DataFrame({"a": range(0, 20_000, 2), "b": range(1, 20_000, 2), "won": range(0, 20_000, 2)})
    gigabytes = 100 if contrasts else 16
    remedy = "Keep the verdicts on the candidates that you want to compare."
    with refuses(InputError, f"{what} candidates would need about {gigabytes} GB. {remedy}"):
        frame.agree.preferences(first="a", second="b", winner="won").strengths(contrasts=contrasts)
    groups = frame.assign(group=frame.index % 2)
    message = f"{what[:-6]}10,000 candidates in each of 2 groups would need about {gigabytes // 2} GB. {remedy}"
    with refuses(InputError, message):
        groups.agree.preferences(first="a", second="b", winner="won").strengths(contrasts=contrasts, by="group")
