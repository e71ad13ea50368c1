"""Findings: what is found, and what is not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import pandas_agreement
from pandas_agreement import AgreementWarning
from pandas_agreement.breakdown.diagnose import OPEN, RULES, _hardly_varying, items_needed, rules_for
from pandas_agreement.breakdown.evidence import Evidence
from pandas_agreement.data import read_wide
from pandas_agreement.results import schemas
from tests.data_sets import scores


def found(df: pd.DataFrame, *coders: str, **options: Any) -> pd.DataFrame:
    table = df.agree.diagnose(*coders, **options, detail=True)
    assert list(table.columns) == list(schemas.FINDINGS)
    assert (table["evidence"] != "").all()
    assert (table["advice"] != "").all()
    return table


def test_good_data_have_no_findings() -> None:
    rng = np.random.default_rng(0)
    truth = rng.choice(list("xyz"), 400)
    df = pd.DataFrame({name: np.where(rng.random(400) < 0.97, truth, rng.choice(list("xyz"), 400)) for name in "abc"})
    table = found(df)
    assert len(table) == 0
    assert table.index.name == "finding"


def test_the_paradox_is_explained() -> None:
    df = pd.DataFrame({"a": ["no"] * 92 + ["yes"] * 4 + ["no"] * 4, "b": ["no"] * 92 + ["no"] * 4 + ["yes"] * 4})
    assert "high agreement, low kappa" not in found(df).index  # 8 items with a "yes" are too few
    table = found(pd.concat([df, df], ignore_index=True))
    assert table.loc["high agreement, low kappa", "evidence"] == (
        "observed agreement is 0.92 and kappa only -0.04 (at most 0.23), because 'no' is 96% of the labels; AC1 is "
        "0.91, at least 0.68 more, above 0.2"
    )
    assert table.loc["high agreement, low kappa", "ci_low"] == pytest.approx(0.675, abs=0.005)


def test_the_example_project_is_seen_through() -> None:
    df = pandas_agreement.load_example()
    table = found(df, "ann", "bob", "cleo", "dev")
    assert table.loc["coder out of line", "about"] == "dev"
    assert "category nobody agrees on" not in table.index  # the interval of 'complaint' reaches 0.3
    assert "margins differ" not in table.index  # said with the coder who is out of line
    assert table.loc["coder out of line", "evidence"] == (
        "the agreement beyond chance of 'dev' with the other coders is 0.44, that of the others 0.58 on neighbouring "
        "items (453 items, 30 with two labels): 0.14 less (95%: 0.09 to 0.20; p < 0.001, step-down); 'dev' chooses "
        "'bug' more often than the others on the same items, by 19 percentage points (p < 0.001)"
    )
    grouped = found(df, "ann", "bob", "cleo", "dev", by="batch")
    low = grouped.xs("low agreement", level="finding").index.tolist()
    assert low == ["2026-w01", "2026-w02", "2026-w03"]


def test_labels_that_differ_by_spelling_are_found() -> None:
    df = pd.DataFrame({"a": ["yes", "no", "Yes ", "no"] * 9, "b": ["yes", "no", "yes", "no"] * 9})
    with pytest.warns(AgreementWarning, match="2 labels differ only in case, blanks or type"):
        table = found(df)
    assert (
        table.loc["same label, spelt differently", "evidence"] == "'Yes ' and 'yes' differ by case, spaces or type only"
    )
    assert (
        table.loc["label of one coder only", "evidence"]
        == "only 'a' ever says 'Yes ' (9 times; by chance p = 0.012 after Holm)"
    )


def test_numbers_and_digits_as_text_are_found() -> None:
    df = pd.DataFrame({"a": [1, 2, 1, 2, "1"], "b": [1, 2, 1, 2, 1]}, dtype=object)
    with pytest.warns(AgreementWarning, match="Labels of different kinds"):
        table = df.agree.diagnose()
    assert table.loc["same label, spelt differently", "about"] == "1, '1'"


def test_a_coder_who_hardly_varies_is_found() -> None:
    rng = np.random.default_rng(1)
    truth = rng.choice(list("xy"), 100)
    df = pd.DataFrame({"a": truth, "b": truth, "spam": ["x"] * 99 + ["y"]})
    table = found(df)
    assert "coder who hardly varies" not in table.index  # said with the coder who is out of line
    assert table.loc["coder out of line", "about"] == "spam"
    assert "; the labels of 'spam' are nearly always 'x'" in table.loc["coder out of line", "evidence"]


@pytest.mark.parametrize("by", [None, "half"])
def test_a_coder_who_never_varies(by: str | None) -> None:
    rng = np.random.default_rng(1)
    df = pd.DataFrame({name: rng.choice(list("xyz"), 100, p=[0.6, 0.3, 0.1]) for name in "ab"})
    df["spam"], df["half"] = "x", np.arange(100) % 2
    table = found(df, "a", "b", "spam", by=by).reset_index().query("finding == 'coder who hardly varies'")
    assert table["about"].tolist() == ["spam"] * (1 if by is None else 2)
    assert set(table["evidence"]) == {
        "the labels of 'spam' have an entropy of 0.00, below 0.2 (1: all categories alike), mostly 'x', more "
        "often than the others on the same items (p < 0.001 after Holm)"
    }
    assert not np.signbit(table["estimate"]).any()


def test_the_label_of_a_coder_who_hardly_varies_is_the_most_frequent_one() -> None:
    others = ["ok"] * 1840 + ["bad"] * 160
    df = pd.DataFrame({"a": others, "b": others, "spam": ["odd"] * 100 + ["ok"] * 1900})
    assert df.agree.by_coder().loc["spam", "favours"] == "odd"  # most above the others
    rows = _hardly_varying(Evidence(read_wide(df, ("a", "b", "spam"))), 0.2)
    assert rows.keys("coder", "category") == [(0, "spam", "ok")]
    assert "; the labels of 'spam' are nearly always 'ok'" in found(df).loc["coder out of line", "evidence"]


def test_skewed_items_are_not_the_fault_of_the_coders() -> None:
    df = pd.DataFrame({"ann": ["ok"] * 488 + ["bad"] * 12, "gpt judge": ["ok"] * 486 + ["bad"] * 14})
    assert df.agree.by_coder(detail=True).loc["gpt judge", "entropy"] < 0.2
    assert "coder who hardly varies" not in found(df).index


def test_labels_that_look_alike_are_told_apart() -> None:
    df = pd.DataFrame({"a": [1, "1", 2, 2] * 30, "b": ["1", 1, 2, 2] * 30}, dtype=object)
    with pytest.warns(AgreementWarning, match="Labels of different kinds"):
        table = df.agree.diagnose()
    assert table.loc["categories confused", "about"] == "1 and '1'"


@pytest.mark.parametrize(("others", "part"), [(0, "all"), (3, "9[0-9]% or more")])
def test_how_much_of_the_disagreements_a_confusion_is(others: int, part: str) -> None:
    rows = [("x", "y")] * 30 + [("y", "x")] * 30 + [(label, label) for label in "xyzz"] * 40 + [("x", "z")] * others
    evidence = found(pd.DataFrame(rows, columns=["a", "b"])).loc["categories confused", "evidence"]
    assert re.search(rf"they are {part} of the disagreements of either \(", evidence)


def random_category(n: int, rng: np.random.Generator) -> pd.DataFrame:
    """Two coders who agree on x and y, and put z on a fifth of the items each."""
    truth = rng.choice(list("xy"), n)
    return pd.DataFrame({name: np.where(rng.random(n) < 0.2, "z", truth) for name in "ab"})


def test_what_cannot_be_told_from_chance() -> None:
    table = found(random_category(200, np.random.default_rng(3)))
    assert re.fullmatch(
        r"how often coders meet on 'z' cannot be told from chance \(p = [\d.]+ after Holm\): agreement beyond "
        r"chance is -?0\.\d\d, at most 0\.[0-3]\d, below 0\.4 \(\d+ items\); \d\d% of its "
        r"disagreements are with '[xy]'",
        table.loc["category no better than chance", "evidence"],
    )


def test_a_category_nobody_agrees_on_is_named_with_the_one_it_is_confused_with() -> None:
    rng = np.random.default_rng(4)
    truth = rng.choice(list("xyz"), 600)
    turned = {name: rng.choice(list("xyyyzz"), 600) for name in "ab"}  # what becomes of z
    df = pd.DataFrame({name: np.where(truth == "z", turned[name], truth) for name in "ab"})
    df["b"] = df["b"].where(rng.random(600) < 0.8, rng.choice(list("xyz"), 600))
    evidence = found(df).loc["category nobody agrees on", "evidence"]
    others = [df[other].where((df["a"] == "z") ^ (df["b"] == "z")).value_counts() for other in "ab"]
    others = others[0].add(others[1], fill_value=0)
    share = others["y"] / others["z"]
    assert share > 0.5
    assert evidence.startswith("where one of two coders chose 'z', both did in ")
    assert evidence.endswith(f" items); {share:.0%} of its disagreements are with 'y'")


def test_two_categories_can_only_be_confused_with_each_other() -> None:
    rng = np.random.default_rng(11)
    df = pd.DataFrame({name: np.where(rng.random(2000) < 0.05, "y", "x") for name in "ab"})
    df.loc[:19] = "y"
    assert "disagreements are with" not in found(df).loc["category nobody agrees on", "evidence"]


def test_where_all_is_chance_no_category_is_named() -> None:
    df = pd.DataFrame(np.random.default_rng(9).choice(list("xyz"), (600, 2)), columns=["a", "b"])
    assert df.agree.alpha()["ci_low"].item() <= 0
    assert found(df).index.tolist() == ["low agreement", "not tested"]


@pytest.mark.parametrize(("n", "said"), [(12, False), (600, True)], ids=["too few items to tell", "chance"])
def test_chance_is_no_lack_of_items(n: int, said: bool) -> None:
    assert ("category no better than chance" in found(random_category(n, np.random.default_rng(8))).index) == said


def test_many_categories_that_are_guessed_have_one_row() -> None:
    rng = np.random.default_rng(2)
    truth = rng.choice(list("xy"), 1000)
    names = np.array([f"w{number}" for number in range(7)])
    df = pd.DataFrame({name: np.where(rng.random(1000) < 0.5, rng.choice(names, 1000), truth) for name in "ab"})
    both = found(df)
    assert both.loc[["category no better than chance"], "about"].tolist() == ["7 categories"]
    rows = both.loc[["category nobody agrees on"]]
    assert rows["about"].tolist() == ["7 categories"]
    assert rows["evidence"].item() == (
        "where one of two coders chose one of 7 categories, both did in less than 30%: 'w0', 'w1', 'w2', 'w3', 'w4' "
        "and 2 more"
    )


def test_once_is_not_one_times() -> None:
    df = pd.DataFrame({"a": ["x", "y"] * 20 + ["z"], "b": ["x", "y"] * 20 + ["x"]})
    assert found(df).loc["rare category", "evidence"] == "'z' was chosen once in all"


def test_few_and_single_labels_are_found() -> None:
    df = pd.DataFrame({"a": ["x", "y", "x", "y", "x", "x"], "b": ["x", "y", "y", None, None, None]})
    table = found(df)
    assert table.loc["many items with one label", "estimate"] == 0.5
    assert "wide interval" in table.index
    assert set(table.loc[["rare category"], "about"]) == {"x", "y"}
    severity = {
        "wide interval": "medium",
        "rare category": "low",
        "many items with one label": "low",
        "not tested": "low",
    }
    assert table["severity"].drop_duplicates().tolist() == ["medium", "low"]  # the worst first
    assert table["severity"].to_dict() == severity


def test_undefined_groups_are_findings_and_no_warnings() -> None:
    df = pd.DataFrame({"a": ["x", "x", "y", "x"], "b": ["x", "x", "x", "y"], "g": [1, 1, 2, 2]})
    table = found(df, "a", "b", by="g")
    assert (
        table.xs(1, level="g").loc["undefined", "evidence"]
        == "Krippendorff's alpha is undefined: only one category used"
    )


# ------------------------------------------------------------------------------------------------------- too few items


@pytest.mark.parametrize(("times", "said"), [(1, False), (2, True)])
def test_low_agreement_needs_ten_items_that_vary(times: int, said: bool) -> None:
    df = pd.DataFrame({"a": ["no"] * 54 + ["yes"] * 3 + ["no"] * 3, "b": ["no"] * 57 + ["yes"] * 3})
    df = pd.concat([df] * times, ignore_index=True)
    assert (df.agree.alpha()["ci_high"] < 0.667).all()
    assert ("low agreement" in found(df).index) == said


@pytest.mark.parametrize(("times", "said"), [(1, False), (10, True)])
def test_a_sample_may_miss_the_items_on_which_all_agree(times: int, said: bool) -> None:
    """Eight coders chose 'z' for 15 items, each of them alone; two items on which all say it would be a good rate."""
    labels = np.tile(np.array(list("xy") * 50, object)[:, None], 8)
    labels[np.arange(15), np.arange(15) % 8] = "z"
    df = pd.concat([pd.DataFrame(labels, columns=list("abcdefgh"))] * times, ignore_index=True)
    assert (df.agree.by_category(metrics=["rate"]).loc["z", "ci_high"] < 0.3).all()
    assert ("category nobody agrees on" in found(df).index) == said


def test_the_limit_of_a_rate_allows_for_items_that_a_sample_misses() -> None:
    """On 60 items two of eight coders say 'z', so one of the seven others agrees with each of these 120 labels.

    A sample misses -log(2 * level) items on which all eight say it, at a level of .05 for three categories.
    """
    labels = np.tile(np.array(list("xy") * 200, object)[:, None], 8)
    for shift in (0, 1):
        labels[np.arange(60), (np.arange(60) + shift) % 8] = "z"
    table = found(pd.DataFrame(labels, columns=list("abcdefgh")))
    specific = 1 / 7 - np.log(2 * 0.05 / 3) * 8 / 120
    assert table.loc["category nobody agrees on", "ci_high"] == pytest.approx(specific / (2 - specific))


def test_items_with_one_label_say_nothing_about_a_category() -> None:
    """The limit of a rate rests on the labels of items that two coders label, and on the number of these items."""
    labels = np.tile(np.array(list("xy") * 500, object)[:, None], 8)
    labels[np.arange(150), np.arange(150) % 8] = "z"
    df = pd.DataFrame(labels, columns=list("abcdefgh"))
    more = pd.concat([df, pd.DataFrame({"a": ["x", "y"] * 500})], ignore_index=True)
    about = ["about", "estimate", "ci_high", "n_items", "evidence"]
    once, twice = (found(each).loc["category nobody agrees on", about] for each in (df, more))
    assert once["ci_high"] > df.agree.by_category(metrics=["rate"]).loc["z", "ci_high"].item()
    assert twice.tolist() == once.tolist()


@pytest.mark.parametrize(("table", "said"), [([[184, 8], [8, 0]], True), ([[180, 7], [7, 6]], False)])
def test_the_paradox_needs_a_kappa_that_is_clearly_low(table: list[list[int]], said: bool) -> None:
    crosstab = pd.DataFrame(table, index=["no", "yes"], columns=["no", "yes"]).agree.crosstab()
    row = crosstab.kappa().iloc[0]
    assert row["estimate"] < 0.6
    assert (row["ci_high"] < 0.6) == said
    assert ("high agreement, low kappa" in crosstab.diagnose().index) == said


def test_the_paradox_needs_an_agreement_that_is_clearly_high() -> None:
    crosstab = pd.DataFrame([[50, 5], [5, 0]], index=["no", "yes"], columns=["no", "yes"]).agree.crosstab()
    row = crosstab.observed().iloc[0]
    assert row["ci_low"] < 0.8 < row["estimate"]
    assert "high agreement, low kappa" not in crosstab.diagnose().index


def test_items_needed_grow_with_the_square_of_the_width() -> None:
    assert items_needed(100, 0.4, 0.2) == 400
    assert items_needed(10, 0.31, 0.3) == 11


def test_a_declared_category_that_nobody_chose_is_not_rare() -> None:
    df = pd.DataFrame({"a": ["x", "y"] * 20 + ["z"], "b": ["x", "y"] * 20 + ["z"]})
    found = df.agree.diagnose(categories=["x", "y", "z", "w"]).reset_index()
    assert found.loc[found["finding"] == "rare category", "about"].tolist() == ["z"]


@pytest.mark.parametrize(("n", "said"), [(10, True), (9, False)])
def test_a_coder_who_hardly_varies_has_ten_labels(n: int, said: bool) -> None:
    df = pd.DataFrame({"a": ["x"] * n, "b": ["y"] * n, "c": ["y"] * n})
    rest = pd.DataFrame({"b": ["x", "y"] * 10, "c": ["x", "y"] * 10})
    rows = _hardly_varying(Evidence(read_wide(pd.concat([df, rest]), ("a", "b", "c"))), 0.2)
    assert rows["coder"].tolist() == (["a"] if said else [])
    assert not said or rows["entropy"].item() == 0


def test_texts_of_findings_are_texts() -> None:
    df = pandas_agreement.load_example()
    plain, found = (df.agree.diagnose("ann", "bob", "cleo", "dev", detail=detail) for detail in (False, True))
    assert list(plain.columns) == list(schemas.FINDINGS.shown)
    assert_frame_equal(plain, found[plain.columns])
    kinds = {name: kind for name, (kind, _) in schemas.FINDINGS.items()}
    numbers = ("float64", "int64")
    assert {name: str(kind) if (kind := found[name].dtype) in numbers else "str" for name in found} == kinds


def test_numbers_have_columns_of_their_own() -> None:
    df = pandas_agreement.load_example()
    coders = ["ann", "bob", "cleo", "dev"]
    table = found(df, *coders)
    alpha = df.agree.alpha(*coders).iloc[0]
    low = table.loc["low agreement"]
    same = ["estimate", "ci_low", "ci_high", "n_items"]
    assert low["measure"] == "Krippendorff's alpha"
    assert low[same].tolist() == alpha[same].tolist()
    assert np.isnan(low["p_value"])
    margins = found(df, "ann", "dev").loc["margins differ"]
    tests = df.agree.test.margins("ann", "dev", tests=["stuart_maxwell"]).iloc[0]
    assert margins[["p_value", "n_items"]].tolist() == tests[["p_holm", "n_items"]].tolist()
    assert margins[["estimate", "ci_low", "ci_high"]].isna().all()
    assert margins["evidence"] == (
        "'ann' and 'dev' use the categories at different rates on their 402 common items "
        "(Stuart-Maxwell test, p < 0.001)"
    )


def test_findings_without_items_of_their_own_have_those_of_their_group() -> None:
    rng = np.random.default_rng(3)
    df = pd.DataFrame({name: rng.choice(["x", "y"], 90) for name in ("a", "b", "c")})
    df["half"] = np.repeat(["one", "two"], [40, 50])
    df.loc[45:80, "a"] = "z"  # only a says it
    table = found(df, "a", "b", "c", by="half").loc["two"]
    assert table.loc["label of one coder only", ["about", "measure", "estimate", "n_items"]].tolist() == [
        "z",
        "labels",
        36,
        50,
    ]


def test_rules_that_do_not_apply() -> None:
    """Single categories say nothing where values are many, and equal or not is not the question of an order."""
    single = {"label of one coder only", "rare category"}
    equal = {"category nobody agrees on", "category no better than chance"}
    equal |= {"categories confused", "category below the others"}
    paradox, names = {"high agreement, low kappa"}, {rule.name for rule in RULES}
    left = {kind: names - {rule.name for rule in rules_for(kind)} for kind in ("names", "open", "order")}
    assert left == {
        "names": {OPEN, "value far from all others"},
        "open": single | equal | paradox,
        "order": {OPEN} | equal | paradox,
    }


def test_limits_of_rules_are_those_of_the_documentation() -> None:
    lines = (Path(__file__).parents[2] / ".docs" / "statistics.md").read_text("utf8").splitlines()
    told = {cells[1].strip(): cells[2] for cells in (line.split("|") for line in lines) if len(cells) == 6}
    tests = {"margins differ", "label of one coder only"}  # by p-values alone
    limits = {rule.name: f"{rule.threshold:g}" for rule in RULES if rule.name in told.keys() - tests}
    assert len(limits) == 9
    assert not [name for name, limit in limits.items() if limit not in re.findall(r"[0-9.]*[0-9]", told[name])]


@pytest.mark.parametrize(("single", "told"), [(5, False), (6, True)])
def test_a_fifth_of_the_items_may_have_one_label(single: int, told: bool) -> None:
    df = pd.DataFrame({"a": list("xyxyy") * 5})
    df["b"] = df["a"].where(df.index >= single)
    assert ("many items with one label" in found(df).index) == told


def test_a_single_item_with_one_label_is_told() -> None:
    one = pd.DataFrame({"a": ["x", None], "b": [None, None]}, dtype=object)
    assert found(one).loc["many items with one label", "evidence"] == "1 of 1 labelled items have one label only"


def test_long_data_of_one_coder() -> None:
    long = pd.DataFrame({"item": [1, 2, 3, 4], "who": "ann", "tag": list("xyxz")})
    found = long.agree.long(item="item", coder="who", label="tag").diagnose()
    assert found.index.tolist() == ["undefined", "many items with one label"]


def test_counts_have_the_findings_that_need_no_coders() -> None:
    df = pd.DataFrame({"a": ["x"] * 95 + ["y"] * 5, "b": ["x"] * 90 + ["y"] * 5 + ["x"] * 5})
    counts = pd.DataFrame({label: (df == label).sum(axis=1) for label in "xy"})
    assert "high agreement, low kappa" in found(df).index
    assert set(counts.agree.counts().diagnose().index) == {"low agreement", "wide interval", "not tested"}
    none = found(df.iloc[:0].astype(object))
    assert none.loc["undefined", ["severity", "threshold"]].tolist() == ["high", 2]


def test_upper_limits_are_one_sided_and_for_all_categories_together() -> None:
    """The rate at a level of .05 for four categories, kappa at .05 for one.

    They have the degrees of freedom of the items with the category, `by_category` those of all items.
    """
    df = scores(400, 2, gaps=0)
    found = Evidence(read_wide(df, ("ann", "bob"))).limits
    high, alone = (df.agree.by_category(metrics="rate", ci=1 - 2 * 0.05 / n)["ci_high"].to_numpy() for n in (4, 1))
    assert found["high"] == pytest.approx(high, rel=0.004)
    share = df.stack().value_counts(normalize=True).sort_index().to_numpy()
    assert found["kappa_high"] == pytest.approx((2 * alone / (1 + alone) - share) / (1 - share), rel=0.004)


def test_many_rare_categories_have_one_row_per_group() -> None:
    words = [f"w{number:02d}" for number in range(30)]
    group = ["many"] * 30 + ["few"] * 30
    first, second = words + ["x"] * 28 + ["y", "y"], [*words[:29], "w00"] + ["x"] * 28 + ["y", "y"]
    df = pd.DataFrame({"ann": first, "bob": second, "group": group})
    rows = df.agree.diagnose(by="group", detail=True).reset_index()
    rows = rows[rows["finding"] == "rare category"].set_index("group")
    assert rows["about"].to_dict() == {"few": "y", "many": "30 categories"}
    assert rows["estimate"].to_dict() == {"few": 4, "many": 30}
    assert rows.loc["many", "n_items"] == 30
    assert rows.loc["many", "evidence"] == (
        "30 categories were chosen fewer than 5 times each, 1 of them once: "
        "'w00', 'w01', 'w02', 'w03', 'w04' and 25 more"
    )
    assert rows.loc["few", "evidence"] == "'y' was chosen 4 times in all"
    whole = df.drop(columns="group").head(20 + 1).agree.diagnose()
    assert whole.loc[["rare category"], "about"].tolist() == ["21 categories"]
    assert len(df.drop(columns="group").head(20).agree.diagnose().loc[["rare category"]]) == 20


# ------------------------------------------------------------------------------------------------------- single coders


def annotated_twice(n: int = 600, right: float = 0.41, others: float = 0.9, seed: int = 1) -> pd.DataFrame:
    """Each item has labels of two of six coders; `c0` is right less often."""
    rng = np.random.default_rng(seed)
    truth, who = rng.integers(0, 3, n), rng.random((n, 6)).argsort(1).argsort(1) < 2
    labels = np.where(rng.random((n, 6)) < np.append(right, [others] * 5), truth[:, None], (truth[:, None] + 1) % 3)
    table = np.where(who, np.array(list("xyz"), object)[labels], None)
    return pd.DataFrame(table, columns=[f"c{number}" for number in range(6)])


def test_a_bad_coder_in_double_annotation_is_found() -> None:
    row = found(annotated_twice()).loc["coder out of line"]
    assert row["about"] == "c0"
    assert re.fullmatch(
        r"the agreement beyond chance of 'c0' with the other coders is 0\.\d\d, that of the others 0\.\d\d on "
        r"neighbouring items \(\d+ items\): 0\.\d\d less \(95%: 0\.\d\d to 0\.\d\d; p < 0\.001, step-down\); this "
        r"holds if these items were no harder than their neighbours: if there were batches, look at each by itself",
        row["evidence"],
    )
    assert row["p_value"] < 0.001
    assert row["ci_low"] < row["estimate"] < row["ci_high"]


@pytest.mark.parametrize("errors", [0, 1])
def test_others_who_never_disagree_may_be_copies(errors: int) -> None:
    rng = np.random.default_rng(5)
    df = pd.DataFrame(rng.choice(list("xyz"), (200, 2)), columns=["a", "b"])
    df["a"] = df["a"].where(rng.random(200) < 0.5, df["b"])
    df["c"] = df["b"].where(np.arange(200) >= errors, df["b"].map({"x": "y", "y": "z", "z": "x"}))
    row = found(df).loc["coder out of line"]
    assert row["about"] == "a"
    train = "go through the items on which this coder differs from the others, and train the coder again"
    copies = "the others never disagree: make sure that none of them was copied from another, and only then "
    assert row["advice"] == (train if errors else copies + train)


def test_with_two_coders_nobody_can_be_named() -> None:
    df = pd.DataFrame({"a": list("xyxyx") * 10, "b": list("xyxyy") * 10})
    row = found(df).loc["not tested"]
    assert row[["about", "severity", "threshold"]].tolist() == ["coders", "low", 0.3]
    assert row["evidence"] == "there are only two coders, so it is impossible to tell which of them is out of line"
    assert row["advice"] == "have three coders or more label the same items, if single coders are the question"


def test_what_hardly_can_be_tested_says_how_many_items_it_takes() -> None:
    df = annotated_twice(60, 0.9)
    row = found(df).loc["not tested"]
    assert row["estimate"] > 0.3
    needed = int(np.ceil(60 * (row["estimate"] / 0.3) ** 2))
    assert row["evidence"] == (
        "with 0 items of three labels or more and 60 of two, a coder whose agreement beyond chance is less than "
        f"{row['estimate']:.2f} below that of the others would hardly be found; it takes about {needed:,} items to "
        "find a gap of 0.3"
    )
    assert row["advice"] == (
        "have more items labelled, best by three coders or more each, if single coders are the question"
    )
    assert "not tested" not in found(annotated_twice(2000, 0.9)).index


def test_coders_who_share_too_few_items() -> None:
    df = pd.DataFrame({name: [None] * 80 for name in "abcd"}, dtype=object)
    rng = np.random.default_rng(0)
    df.loc[:39, ["a", "b"]], df.loc[40:, ["c", "d"]] = rng.choice(list("xy"), (40, 2)), rng.choice(list("xy"), (40, 2))
    assert found(df).loc["not tested", "evidence"] == ("the coders share too few items to tell who is out of line")


def test_counts_do_not_know_the_coders() -> None:
    counts = pd.DataFrame({"x": [3, 0, 3, 1] * 5, "y": [0, 3, 0, 2] * 5})
    row = counts.agree.counts().diagnose(detail=True).loc["not tested"]
    assert row["evidence"] == "the coder of each label is not known, so no coder can be out of line"
    assert row["advice"] == (
        "give the single labels with the coder of each, not their counts, if single coders are the question"
    )


def test_who_agrees_on_everything_needs_no_test() -> None:
    df = pd.DataFrame({name: list("xyzzy") * 20 for name in "ab"})
    assert found(df).empty


def test_hidden_batches_make_a_coder_less_certain() -> None:
    """A coder with the hard items of shuffled batches: the finding is medium, and says what it assumes."""
    rng, rows = np.random.default_rng(2), []
    for _ in range(900):
        hard = rng.random() < 0.5
        pair = rng.choice([0, 1, 2] if hard else [3, 4, 5, 2], 2, replace=False)
        truth, row = rng.choice(list("xyz")), [None] * 6
        for coder in pair:
            row[coder] = truth if rng.random() < (0.5 if hard else 0.95) else rng.choice(list("xyz"))
        rows.append(row)
    table = found(pd.DataFrame(rows, columns=list("abcdef"), dtype=object))
    named = table.loc[table.index == "coder out of line"]
    assert named["severity"].isin(["medium"]).all()


def test_margins_differ_once_per_coder() -> None:
    rng = np.random.default_rng(4)
    truth = rng.choice(list("xyz"), 900)
    df = pd.DataFrame({name: np.where(rng.random(900) < 0.8, truth, rng.choice(list("xyz"), 900)) for name in "abcd"})
    df["a"] = df["a"].where((df["a"] != "y") | (rng.random(900) < 0.85), "x")
    table = found(df)
    assert "coder out of line" not in table.index
    row = table.loc["margins differ"]
    difference = (df["a"] == "y").mean() - (df[list("bcd")] == "y").to_numpy().mean()
    assert row[["about", "n_items", "measure"]].tolist() == ["a", 900, "difference in share"]
    assert row["estimate"] == pytest.approx(difference)
    assert row["evidence"] == (
        f"'a' chooses 'y' less often than the others on the same items, by {-100 * difference:.0f} percentage points "
        "(p < 0.001)"
    )


# --------------------------------------------------------------------------------------------------------- categories


def of_categories(merged: float, weak: float, n: int = 600) -> pd.DataFrame:
    """Labels y and z that are often either of the two, or labels w that are often guesses."""
    rng = np.random.default_rng(6)
    truth = rng.choice(list("wxyz"), n)
    columns = {}
    for name in "ab":
        own = np.where(rng.random(n) < 0.85, truth, rng.choice(list("wxyz"), n))
        own = np.where((truth == "w") & (rng.random(n) < weak), rng.choice(list("wxyz"), n), own)
        columns[name] = np.where(np.isin(own, ["y", "z"]) & (rng.random(n) < merged), rng.choice(["y", "z"], n), own)
    return pd.DataFrame(columns)


def test_two_categories_that_are_confused_silence_each_of_them() -> None:
    table = found(of_categories(0.7, 0.0))
    row = table.loc["categories confused"]
    assert row["about"] == "y and z"
    assert re.fullmatch(
        r"\d\d% of all disagreements are between 'y' and 'z', \d\d% if labels met by chance; they are \d\d% or more of "
        r"the disagreements of either \(\d+ items; p < 0\.001\)",
        row["evidence"],
    )
    assert not table.index.isin(["category below the others", "category nobody agrees on"]).any()


def test_a_category_below_the_others() -> None:
    table = found(of_categories(0.0, 0.7))
    row = table.loc["category below the others"]
    assert row["about"] == "w"
    assert "categories confused" not in table.index
    assert re.fullmatch(
        r"agreement beyond chance on 'w' is 0\.\d\d, on the other categories 0\.\d\d \(p < 0\.001 after Holm\); \d\d% "
        r"of its disagreements are with '[xyz]'",
        row["evidence"],
    )
    counts = pd.DataFrame({label: (of_categories(0.0, 0.7) == label).sum(axis=1) for label in "wxyz"})
    same = counts.agree.counts().diagnose(detail=True).loc["category below the others"]
    assert same["evidence"] == row["evidence"]


def test_groups_have_findings_of_their_own() -> None:
    parts = [of_categories(0.7, 0.0).assign(group="one"), of_categories(0.0, 0.7).assign(group="two")]
    table = found(pd.concat(parts, ignore_index=True), "a", "b", by="group")
    assert table.loc[("one", "categories confused"), "about"] == "y and z"
    assert table.loc[("two", "category below the others"), "about"] == "w"


def test_low_agreement_at_the_interval_level() -> None:
    rng = np.random.default_rng(3)
    value = rng.normal(0, 1, 400)
    df = pd.DataFrame({name: (value + rng.normal(0, 0.95, 400)).round(1) for name in "abc"})
    icc = df.agree.icc(form="A1").iloc[0]
    assert 0.5 < icc["estimate"] < icc["ci_high"] < 0.667
    assert found(df).loc["low agreement", "threshold"] == 0.667


def test_the_order_of_findings_is_that_of_the_rules() -> None:
    df = annotated_twice(200).assign(c5=lambda df: df["c5"].where(df.index > 20, "n/a"))
    names = [rule.name for rule in RULES]
    places = [names.index(name) for name in found(df).index]
    assert places == sorted(places)
    assert found(df).index[0] == "code for a missing label?"


def test_sets_of_labels_are_named_as_sets() -> None:
    a, both, rare = frozenset("a"), frozenset("ab"), frozenset("b")
    frame = pd.DataFrame({"ann": [a, both] * 20 + [rare], "bob": [a, a, both] * 13 + [a, rare]})
    found = frame.agree.diagnose(detail=True).loc["rare category"]
    assert (found["about"], found["evidence"]) == ("{b}", "'{b}' was chosen 2 times in all")


def test_categories_that_a_group_confuses_are_not_below_its_others_too() -> None:
    rng, n = np.random.default_rng(2), 500
    truth, group = rng.choice(list("wxyz"), n * 2), np.repeat(["p", "q"], n)
    df = pd.DataFrame(
        {name: np.where(rng.random(n * 2) < 0.9, truth, rng.choice(list("wxyz"), n * 2)) for name in "ab"}
    )
    for name in "ab":
        either = np.isin(df[name], ["y", "z"]) & (group == "q") & (rng.random(n * 2) < 0.6)
        df[name] = np.where(either, rng.choice(list("yz"), n * 2), df[name])
    table = found(df.assign(group=group), "a", "b", by="group")
    assert table.loc[("q", "categories confused"), "about"] == "y and z"
    assert "category below the others" not in table.index.get_level_values("finding")
