"""Agreement within and across groups of coders, against plain loops over pairs of coders."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import stdtr, stdtrit

from pandas_agreement import AgreementWarning
from pandas_agreement.breakdown import coder_groups
from pandas_agreement.coefficients.registry import find
from pandas_agreement.data import read_wide
from pandas_agreement.errors import ColumnError, InputError
from pandas_agreement.options import Options
from pandas_agreement.results import schemas
from tests import bruteforce
from tests.data_sets import LONG, rows_of, scores, to_long
from tests.helpers import refuses, same

NAMES = ["ann", "bob", "cleo", "dev", "eve"]
CAMPS: dict[str, list[str]] = {"women": ["ann", "cleo", "eve"], "men": ["bob", "dev"]}
FRAME = scores(40, n_coders=5, gaps=0.3, seed=3)
METRICS = ["observed", "kappa", "pi", "alpha", "ac1", "s", "perreault_leigh"]


def distance_across(row: dict[str, Any], one: Sequence[str], two: Sequence[str], d: Callable[..., float]) -> Any:
    """Mean distance of the pairs of labels of an item, one from each group; None without any."""
    pairs = [(row[a], row[b]) for a in one for b in two if row[a] is not None and row[b] is not None]
    return sum(d(x, y) for x, y in pairs) / len(pairs) if pairs else None


def across_by_loops(
    frame: pd.DataFrame,
    one: Sequence[str],
    two: Sequence[str],
    metric: str,
    d: Callable[..., float] = lambda x, y: float(x != y),
    omega: Sequence[float] | None = None,
) -> float:
    """The definition: D_o of pairs across, chance from the margins of these pairs or, for kappa, of the coders."""
    rows = [dict(zip(frame.columns, row, strict=True)) for row in rows_of(frame)]
    weights = [1.0] * len(rows) if omega is None else omega
    used = [(row, w) for row, w in zip(rows, weights, strict=True) if distance_across(row, one, two, d) is not None]
    labels = sorted({x for row, _ in used for name in (*one, *two) if (x := row[name]) is not None})
    K = len(bruteforce.categories_of(rows_of(frame)))
    top = bottom = 0.0
    q = dict.fromkeys(labels, 0.0)
    for row, w in used:
        sides = [[row[name] for name in names if row[name] is not None] for names in (one, two)]
        times = w * (len(sides[0]) + len(sides[1]) if metric == "alpha" else 1)
        top += times * distance_across(row, one, two, d)
        bottom += times
        for side in sides:
            for label in side:
                q[label] += times / (2 * len(side))
    D_o = top / bottom
    p = {label: total / bottom for label, total in q.items()}
    pooled = sum(p[x] * p[y] * d(x, y) for x in labels for y in labels)
    if metric == "observed":
        return 1 - D_o
    if metric == "kappa":
        D_e = kappa_chance(used, one, two, labels, d)
    elif metric == "alpha":
        D_e = pooled * bottom / (bottom - 1)
    elif metric == "pi":
        D_e = pooled
    elif metric == "ac1":
        D_e = 1 - sum(x * (1 - x) for x in p.values()) / (K - 1)
    else:
        D_e = 1 - 1 / K
    value = 1 - D_o / D_e
    return value**0.5 if metric == "perreault_leigh" else value


def kappa_chance(used: Any, one: Sequence[str], two: Sequence[str], labels: Any, d: Callable[..., float]) -> float:
    """The mean over pairs of coders of the distance of two labels, each drawn from the margins of its coder."""
    margins = {}
    for name in (*one, *two):
        own = [(row[name], w) for row, w in used if row[name] is not None]
        if own:
            size = sum(w for _, w in own)
            margins[name] = {label: sum(w for x, w in own if x == label) / size for label in labels}
    pairs = [(a, b) for a in one for b in two if a in margins and b in margins]
    total = sum(
        margins[a][x] * margins[b][y] * d(x, y) for a, b in pairs for x, y in itertools.product(labels, repeat=2)
    )
    return total / len(pairs)


@pytest.mark.parametrize("metric", METRICS)
def test_across_is_its_definition(metric: str) -> None:
    found = FRAME.agree.coder_groups(CAMPS).across(metrics=metric)
    assert found["estimate"].iloc[0] == pytest.approx(across_by_loops(FRAME, *CAMPS.values(), metric), abs=1e-12)


@pytest.mark.parametrize("metric", ["kappa", "pi", "alpha"])
def test_across_with_distances(metric: str) -> None:
    option = {"level": "linear"} if metric == "alpha" else {"weights": "linear"}
    found = FRAME.agree.coder_groups(CAMPS).across(metrics=metric, **option)
    expected = across_by_loops(FRAME, *CAMPS.values(), metric, lambda x, y: abs(x - y))
    assert found["estimate"].iloc[0] == pytest.approx(expected, abs=1e-12)


def across_ordinal(frame: pd.DataFrame, omega: Sequence[float] | None = None) -> float:
    """Ordinal alpha: squared differences of mid-ranks in the margins of the pairs."""
    one, two = CAMPS.values()
    q: dict[Any, float] = {}
    for row, w in zip(frame.to_dict("records"), [1.0] * len(frame) if omega is None else omega, strict=True):
        sides = [[row[name] for name in names if not pd.isna(row[name])] for names in (one, two)]
        for side in sides if all(sides) else []:
            for label in side:
                q[label] = q.get(label, 0.0) + w * (len(sides[0]) + len(sides[1])) / (2 * len(side))
    rank = {label: sum(n for other, n in q.items() if other < label) + q[label] / 2 for label in q}
    return across_by_loops(frame, one, two, "alpha", lambda x, y: (rank[x] - rank[y]) ** 2, omega)


def test_ordinal_alpha_across() -> None:
    found = FRAME.agree.coder_groups(CAMPS).across(level="ordinal")
    assert found["estimate"].iloc[0] == pytest.approx(across_ordinal(FRAME), abs=1e-12)


def evaluation_of(metric: str, options: Options) -> Any:
    reading = read_wide(FRAME, NAMES)
    camp = np.array([0 if name in CAMPS["women"] else 1 for name in NAMES])
    camps = coder_groups.Camps.of(reading, camp, list(CAMPS), "pairable")
    return coder_groups._evaluated_across(camps, find(metric), options)


@pytest.mark.parametrize("metric", [*METRICS, "ordinal"])
def test_influence_is_the_derivative_by_the_weight_of_an_item(metric: str) -> None:
    options = Options(level="ordinal") if metric == "ordinal" else Options()
    evaluation, _, item = evaluation_of("alpha" if metric == "ordinal" else metric, options)
    n, step = len(item), 1e-6

    def value(omega: list[float]) -> float:
        if metric == "ordinal":
            return across_ordinal(FRAME, omega)
        return across_by_loops(FRAME, *CAMPS.values(), metric, omega=omega)

    slopes = []
    for place in item[:8]:
        ends = [[1 + sign * step * (i == place) for i in range(len(FRAME))] for sign in (1, -1)]
        slopes.append((value(ends[0]) - value(ends[1])) / (2 * step))
    found = evaluation.influence() / n
    mean = 0.0
    if metric in ("alpha", "ordinal"):  # influence is centred: alpha depends on the number of labels
        raw = evaluation.statistics.slope
        estimate = find("alpha").kernel(evaluation.statistics.sums, evaluation.statistics.distance)
        mean = float(np.mean(raw(estimate.by_observed, estimate.by_totals)))
    assert found[:8] + mean == pytest.approx(np.array(slopes), abs=1e-7)


@pytest.mark.parametrize("metric", METRICS)
def test_one_coder_in_each_group_is_the_coefficient_of_two_coders(metric: str) -> None:
    found = FRAME.agree.coder_groups({"a": ["ann"], "b": ["bob"]}).across(metrics=metric, detail=True)
    expected = getattr(FRAME.agree, metric)("ann", "bob", detail=True)
    same(found[list(schemas.RESULT)].reset_index(drop=True), expected[list(schemas.RESULT)].reset_index(drop=True))


@pytest.mark.parametrize("metric", METRICS)
def test_within_is_the_coefficient_of_the_coders_of_the_group(metric: str) -> None:
    found = FRAME.agree.coder_groups(CAMPS).within(metrics=metric, detail=True)[list(schemas.RESULT)]
    for name, coders in CAMPS.items():
        expected = getattr(FRAME.agree, metric)(*coders, detail=True)[list(schemas.RESULT)]
        same(found.loc[[name]].reset_index(drop=True), expected.reset_index(drop=True))


def long_with(column: Any) -> Any:
    frame = to_long(FRAME)
    return frame.assign(sex=frame["who"].map(column))


SEX = {name: camp for camp, names in CAMPS.items() for name in names}


@pytest.mark.parametrize("method", ["within", "across", "compare"])
def test_long_data_and_a_column_have_the_same_numbers(method: str) -> None:
    wide = getattr(FRAME.agree.coder_groups({"men": CAMPS["men"], "women": CAMPS["women"]}), method)(detail=True)
    by_dict = to_long(FRAME).agree.long(**LONG).coder_groups({"men": CAMPS["men"], "women": CAMPS["women"]})
    by_column = long_with(SEX).agree.long(**LONG).coder_groups("sex")
    same(getattr(by_dict, method)(detail=True), wide)
    same(getattr(by_column, method)(detail=True), wide)
    categorical = long_with(SEX).astype({"sex": "category"}).agree.long(**LONG).coder_groups("sex")
    same(getattr(categorical, method)(detail=True), wide)


def test_categories_against_the_rest() -> None:
    camps = FRAME.agree.coder_groups(CAMPS)
    within, across, compare = (
        camps.within(by_category=True, detail=True),
        camps.across(by_category=True),
        camps.compare(by_category=True, detail=True),
    )
    for label in (1, 2, 3, 4):
        binary = FRAME.notna().where(FRAME.isna(), label == FRAME).where(FRAME.notna()).astype("boolean")
        alone = binary.agree.coder_groups(CAMPS)
        columns = ["estimate", "ci_low", "ci_high", "se", "n_items"]
        same(within.xs(label, level="category")[columns], alone.within()[columns])
        same(across.xs(label, level="category")[columns], alone.across()[columns])
        same(compare.loc[label].drop(columns="p_holm"), alone.compare(detail=True).drop(columns="p_holm"))
    assert within.index.names == ["coder_group", "category"]
    assert set(within["n_categories"]) == {4}


def test_compare_has_the_estimates_and_the_correlation_of_shared_items() -> None:
    camps = FRAME.agree.coder_groups(CAMPS)
    found, within, across = camps.compare(method="analytic"), camps.within(), camps.across()
    assert found.index.tolist() == [
        ("within women", "across women and men"),
        ("within men", "across women and men"),
        ("within women", "within men"),
    ]
    women, men, both = within["estimate"].iloc[0], within["estimate"].iloc[1], across["estimate"].iloc[0]
    assert found["difference"].tolist() == pytest.approx([women - both, men - both, women - men])
    part = camps.compare(method="analytic").iloc[2]
    sets = FRAME.agree.compare(CAMPS["women"], CAMPS["men"], metrics="alpha", detail=True).iloc[0]
    assert part["difference"] == pytest.approx(sets["difference"])
    auto = camps.compare(detail=True).iloc[2]
    assert auto["se"] == pytest.approx(sets["se"], rel=0.03)  # there each n / (n - 1) is that of all items


def test_clusters_widen_the_interval() -> None:
    copies = pd.concat([FRAME] * 4, ignore_index=True).assign(doc=np.tile(np.arange(len(FRAME)), 4))
    alone, copied = FRAME.agree.coder_groups(CAMPS), copies.agree.coder_groups(CAMPS)
    for method in ("within", "across"):
        found = getattr(copied, method)(metrics="pi", clusters="doc", method="analytic")
        expected = getattr(alone, method)(metrics="pi", method="analytic")
        assert found["se"].tolist() == pytest.approx(expected["se"].tolist(), rel=1e-9)
    options = {"metrics": "pi", "method": "analytic", "detail": True}
    found, expected = copied.compare(clusters="doc", **options), alone.compare(**options)
    assert found["se"].tolist() == pytest.approx(expected["se"].tolist(), rel=1e-9)


def test_complete_items_only() -> None:
    complete = FRAME.dropna()
    for method in ("within", "across"):
        found = getattr(FRAME.agree.coder_groups(CAMPS), method)(missing="complete", detail=True)
        expected = getattr(complete.agree.coder_groups(CAMPS), method)(detail=True)
        same(found.drop(columns="missing"), expected.drop(columns="missing"))
        assert set(found["missing"]) == {"complete"}


def test_three_groups_have_three_pairs() -> None:
    camps = FRAME.agree.coder_groups({"a": ["ann", "bob"], "b": ["cleo"], "c": ["dev", "eve"]})
    found = camps.across(metrics="kappa")
    assert [key[:2] for key in found.index] == [("a", "b"), ("a", "c"), ("b", "c")]
    expected = [
        across_by_loops(FRAME, *pair, "kappa")
        for pair in ((["ann", "bob"], ["cleo"]), (["ann", "bob"], ["dev", "eve"]), (["cleo"], ["dev", "eve"]))
    ]
    assert found["estimate"].tolist() == pytest.approx(expected, abs=1e-12)
    with pytest.warns(AgreementWarning, match="4 of 9 differences"):  # nothing is within a group of one
        assert len(camps.compare()) == 9


def test_group_of_one_coder_has_no_agreement_within() -> None:
    with pytest.warns(AgreementWarning, match="undefined"):
        found = FRAME.agree.coder_groups({"a": ["ann"], "b": ["bob", "cleo"]}).within(detail=True)
    assert found["remarks"].tolist()[0] == "no item with two labels"
    assert np.isnan(found["estimate"].iloc[0])


def test_groups_that_never_meet() -> None:
    frame = FRAME.copy()
    frame.loc[frame.index < 20, CAMPS["women"]] = np.nan
    frame.loc[frame.index >= 20, CAMPS["men"]] = np.nan
    with pytest.warns(AgreementWarning, match="no item has labels of both groups"):
        found = frame.agree.coder_groups(CAMPS).across(detail=True)
    assert found["remarks"].tolist() == ["no item has labels of both groups"]
    assert found["n_items"].tolist() == [0]
    with pytest.warns(AgreementWarning, match=r"^2 of 3 differences are undefined \(NaN\): a coefficient is undefined"):
        compared = frame.agree.coder_groups(CAMPS).compare()
    assert compared["p_value"].notna().tolist() == [False, False, True]


def test_coders_without_a_group_are_left_out_with_a_warning() -> None:
    frame = long_with({name: camp for name, camp in SEX.items() if name != "eve"})
    with pytest.warns(AgreementWarning) as said:
        found = frame.agree.long(**LONG).coder_groups("sex").within()
    message = "1 of 5 coders has no 'sex' and is left out. Make them a group of their own with fillna."
    assert [str(one.message) for one in said] == [message]
    expected = FRAME.agree.coder_groups({"men": ["bob", "dev"], "women": ["ann", "cleo"]}).within()
    same(found, expected)


def test_refusals() -> None:
    frame = long_with(SEX)
    where = frame.index[frame["who"] == "bob"][0]
    mixed = frame.copy()
    mixed.loc[where, "sex"] = "women"
    with refuses(InputError, "Coder 'bob' has two values of 'sex': 'women' and 'men'. A coder belongs to one group."):
        mixed.agree.long(**LONG).coder_groups("sex").within()
    mixed.loc[where, "sex"] = None
    with refuses(InputError, "Coder 'bob' has two values of 'sex': 'men' and none. A coder belongs to one group."):
        mixed.agree.long(**LONG).coder_groups("sex").across()
    with refuses(InputError, "Groups of coders are compared, and there is only 'x'. Name at least two."):
        frame.assign(sex="x").agree.long(**LONG).coder_groups("sex").within()
    with pytest.raises(ColumnError, match=r"No column 'sexx'\. Did you mean 'sex'"):
        frame.agree.long(**LONG).coder_groups("sexx")
    with refuses(InputError, "Coder 'ann' is named in the groups 'a' and 'b'. A coder belongs to one group."):
        FRAME.agree.coder_groups({"a": ["ann"], "b": ["ann", "bob"]})
    with refuses(InputError, "Group 'a' has no coders. Name them, or leave it out."):
        FRAME.agree.coder_groups({"a": [], "b": ["ann", "bob"]})
    with pytest.raises(InputError, match="Group 'ann' must be a list of coders, and is 'women'"):
        FRAME.agree.coder_groups({"ann": "women", "bob": "men"})
    with pytest.raises(InputError, match="coder_groups takes a dict of groups, and got 'sex'"):
        FRAME.agree.coder_groups("sex")
    with pytest.raises(ColumnError, match=r"No column 'anne'\. Did you mean 'ann'"):
        FRAME.agree.coder_groups({"a": ["anne", "bob"], "b": ["cleo"]}).within()
    camps = FRAME.agree.coder_groups(CAMPS)
    with pytest.raises(
        InputError, match=r"light_kappa is not computed from the pairs of labels of items\. Use one of 'observed'"
    ):
        camps.within(metrics="light_kappa")
    with pytest.raises(InputError, match="missing='all' is not known"):
        camps.across(missing="all")
    with pytest.raises(InputError, match="method='jackknife' is not known"):
        camps.compare(method="jackknife")
    with pytest.raises(InputError, match="by_category=True compares a category with all others"):
        camps.within(by_category=True, level="ordinal")
    clash = FRAME.assign(coder_group=1)
    with pytest.raises(InputError, match="A group key cannot be called 'coder_group'"):
        clash.agree.coder_groups(CAMPS).within(by="coder_group")


def test_empty_frame_is_undefined() -> None:
    camps = FRAME.iloc[:0].agree.coder_groups(CAMPS)
    with pytest.warns(AgreementWarning):
        assert camps.within()["estimate"].isna().all()
    with pytest.warns(AgreementWarning):
        assert camps.across()["estimate"].isna().all()
    with pytest.warns(AgreementWarning):
        assert camps.compare()["p_value"].isna().all()


@pytest.mark.slow
def test_compare_keeps_its_level_where_coders_are_alike() -> None:
    rng = np.random.default_rng(5)
    n, runs = 100, 400
    truth = rng.integers(0, 3, n * runs)
    labels = np.where(rng.random((n * runs, 6)) < 0.6, truth[:, None], rng.integers(0, 3, (n * runs, 6)))
    frame = pd.DataFrame(labels, columns=list("abcdef")).assign(run=np.repeat(np.arange(runs), n))
    found = frame.agree.coder_groups({"x": list("abc"), "y": list("def")}).compare(by="run")
    rejected = (found["p_value"] < 0.05).groupby(level=["first", "second"]).mean()
    assert rejected.max() < 0.085  # .05 plus three standard errors


OF_CODERS = "groups of coders: see coder_groups"


def test_methods_that_compare_groups_of_items_name_the_way_in() -> None:
    long = long_with(SEX).agree.long(**LONG)
    assert long.compare(by="sex", metrics="alpha", detail=True)["remarks"].tolist() == [OF_CODERS]
    pooled = long.pooled(by="sex", metrics="alpha", detail=True)
    assert pooled["remarks"].iloc[0] == f"2 groups contribute; {OF_CODERS}"
    assert pooled["note"].iloc[0] == "coders+"
    with pytest.warns(AgreementWarning) as said:
        long.test.groups(by="sex", metrics="alpha")
    told = "Compare groups of coders with coder_groups(...), within and across them."
    assert [str(one.message) for one in said] == [f"The groups share items and no coders. {told}"]
    with pytest.raises(InputError, match=r"Use a coefficient of labels and method='auto'; compare groups of coders w"):
        long.compare(by="sex", metrics="alpha", method="percentile", n_resamples=100)
    batches = to_long(FRAME).assign(batch=lambda f: f["doc"] % 2).agree.long(**LONG)
    assert batches.compare(by="batch", metrics="alpha")["note"].tolist() == [""]


def test_without_any_category_there_are_no_rows_by_category() -> None:
    frame = pd.DataFrame(None, index=range(3), columns=NAMES, dtype=object).assign(batch=[1, 1, 2])
    found = frame.agree.coder_groups(CAMPS).compare(by="batch", by_category=True)
    assert (len(found), found.index.names) == (0, ["batch", "category", "first", "second"])


def test_each_group_of_items_has_its_own_categories() -> None:
    other = 10 * scores(30, n_coders=5, n_categories=7, gaps=0.3, seed=2)
    both = pd.concat([FRAME, other], ignore_index=True).assign(word=["add"] * len(FRAME) + ["win"] * len(other))
    for method in ("within", "across"):
        found = getattr(both.agree.coder_groups(CAMPS), method)(metrics="s", by="word", categories="group")
        parts = {
            word: getattr(frame.agree.coder_groups(CAMPS), method)(metrics="s")
            for word, frame in (("add", FRAME), ("win", other))
        }
        same(found, pd.concat(parts, names=["word"]))


def test_perfect_agreement_across_has_the_limit_of_two_coders() -> None:
    perfect = pd.DataFrame({"ann": [1, 2, 3] * 5, "bob": [1, 2, 3] * 5})
    found = perfect.agree.coder_groups({"a": ["ann"], "b": ["bob"]}).across(metrics="pi")
    columns = ["estimate", "ci_low", "ci_high"]
    assert found[columns].to_numpy().tolist() == perfect.agree.pi()[columns].to_numpy().tolist()


def test_the_limits_of_differences_are_of_the_level_asked_for() -> None:
    """They are joined from those of the estimates as in Zou (2007), with the same correlation at every level."""
    camps = FRAME.agree.coder_groups(CAMPS)

    def correlation(ci: float) -> float:
        row = camps.compare(ci=ci, detail=True).iloc[0]
        t, sides = stdtrit(row["df"], (1 + ci) / 2), [camps.within, camps.across]
        sizes = [side().iloc[0]["n_items"] for side in sides]
        within, across = (side(ci=2 * stdtr(n - 1, t) - 1).iloc[0] for side, n in zip(sides, sizes, strict=True))
        down, up = within["estimate"] - within["ci_low"], across["ci_high"] - across["estimate"]
        return (down**2 + up**2 - (row["difference"] - row["difference_low"]) ** 2) / (2 * down * up)

    assert correlation(0.8) == pytest.approx(correlation(0.95), rel=1e-8)  # quantiles of scipy 1.11 have 9 digits
    assert camps.compare(ci=None)["difference_low"].isna().all()


def test_coders_without_any_label_are_in_no_group() -> None:
    long = pd.DataFrame({"doc": [0, 0], "who": ["ann", "bob"], "tag": [None, None], "sex": ["f", "m"]}, dtype=object)
    with refuses(InputError, "Groups of coders are compared, and there is none. Name at least two."):
        long.agree.long(**LONG, duplicates="set").coder_groups("sex").across()


@pytest.mark.parametrize("seed", [1, 2])
def test_items_with_the_same_labels_may_be_merged(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Merged items give the numbers of single ones, with gaps, groups and categories."""
    frame = scores(150, n_coders=5, gaps=0.3, seed=seed).assign(batch=np.arange(150) % 3)

    def found() -> list[pd.DataFrame]:
        camps = frame.agree.coder_groups(CAMPS)
        results = [getattr(camps, name)(by="batch", detail=True) for name in ("within", "across", "compare")]
        more = camps.compare(by_category=True, detail=True), camps.across(metrics="kappa", missing="complete")
        return [*results, *more]

    fast = found()
    original = coder_groups.merged
    monkeypatch.setattr(coder_groups, "merged", lambda reading: reading)
    for one, other in zip(fast, found(), strict=True):
        same(one, other, rtol=1e-9)
    assert original(read_wide(frame[NAMES], NAMES)).ratings.n_items < 150
