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
from pandas_agreement.breakdown.diagnose import OPEN, RULES, _entropy, items_needed, rules_for
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
    assert sorted(table.loc["margins differ", "about"]) == ["ann and dev", "bob and dev", "cleo and dev"]
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
        == "only 'a' ever says 'Yes ' (9 times; by chance p = .012 after Holm)"
    )


def test_numbers_and_digits_as_text_are_found() -> None:
    df = pd.DataFrame({"a": [1, 2, 1, 2, "1"], "b": [1, 2, 1, 2, 1]}, dtype=object)
    with pytest.warns(AgreementWarning, match="labels of different kinds"):
        table = df.agree.diagnose()
    assert table.loc["same label, spelt differently", "about"] == "1, '1'"


def test_a_coder_who_hardly_varies_is_found() -> None:
    rng = np.random.default_rng(1)
    truth = rng.choice(list("xy"), 100)
    df = pd.DataFrame({"a": truth, "b": truth, "spam": ["x"] * 99 + ["y"]})
    table = found(df)
    assert table.loc["coder who hardly varies", "about"] == "spam"
    assert table.loc["coder out of line", "about"] == "spam"


@pytest.mark.parametrize("by", [None, "half"])
def test_a_coder_who_never_varies(by: str | None) -> None:
    rng = np.random.default_rng(1)
    df = pd.DataFrame({name: rng.choice(list("xyz"), 100, p=[0.6, 0.3, 0.1]) for name in "ab"})
    df["spam"], df["half"] = "x", np.arange(100) % 2
    table = found(df, "a", "b", "spam", by=by).reset_index().query("finding == 'coder who hardly varies'")
    assert table["about"].tolist() == ["spam"] * (1 if by is None else 2)
    assert set(table["evidence"]) == {
        "the labels of 'spam' have an entropy of 0.00, below 0.2 (1: all categories alike), mostly 'x', more "
        "often than the others on the same items (p < .001 after Holm)"
    }
    assert not np.signbit(table["estimate"]).any()


def test_the_label_of_a_coder_who_hardly_varies_is_the_most_frequent_one() -> None:
    others = ["ok"] * 1840 + ["bad"] * 160
    df = pd.DataFrame({"a": others, "b": others, "spam": ["odd"] * 100 + ["ok"] * 1900})
    assert df.agree.by_coder().loc["spam", "favours"] == "odd"  # most above the others
    table = found(df).loc[["coder who hardly varies"]].set_index("about")
    assert table.loc["spam", "evidence"] == (
        "the labels of 'spam' have an entropy of 0.18, below 0.2 (1: all categories alike), mostly 'ok', more "
        "often than the others on the same items (p < .001 after Holm)"
    )


def test_skewed_items_are_not_the_fault_of_the_coders() -> None:
    df = pd.DataFrame({"ann": ["ok"] * 488 + ["bad"] * 12, "gpt judge": ["ok"] * 486 + ["bad"] * 14})
    assert df.agree.by_coder(detail=True).loc["gpt judge", "entropy"] < 0.2
    assert "coder who hardly varies" not in found(df).index


def test_an_empty_label_has_a_name() -> None:
    df = pd.DataFrame({"a": ["", "x", "", "x"] * 5, "b": ["x", "", "x", "x"] * 5})
    assert found(df).loc["category nobody agrees on", "about"] == "''"


def test_labels_that_look_alike_are_told_apart() -> None:
    df = pd.DataFrame({"a": [1, "1", 2, 1] * 30, "b": ["1", 1, 2, 1] * 30}, dtype=object)
    with pytest.warns(AgreementWarning, match="labels of different kinds"):
        table = df.agree.diagnose()
    assert table.loc[["category no better than chance"], "about"].tolist() == ["1", "'1'"]


def test_what_cannot_be_told_from_chance() -> None:
    rng = np.random.default_rng(3)
    df = pd.DataFrame(rng.choice(list("xyz"), (40, 2)), columns=["a", "b"])
    evidence = found(df).loc[["category no better than chance"], "evidence"].tolist()
    assert evidence
    for text in evidence:
        assert re.fullmatch(
            r"how often coders meet on '[xyz]' cannot be told from chance \(p = [\d.]+ after Holm\): agreement beyond "
            r"chance is -?0\.\d\d, at most 0\.[0-3]\d, below 0\.4 \(\d+ items\)",
            text,
        )


@pytest.mark.parametrize(
    ("n", "copied", "beyond", "below", "said"),
    [(1000, 0.2, True, True, False), (12, 0.0, False, False, False), (600, 0.0, False, True, True)],
    ids=["little, but more than chance", "too few items to tell", "chance"],
)
def test_chance_is_neither_a_low_agreement_nor_a_lack_of_items(
    n: int, copied: float, beyond: bool, below: bool, said: bool
) -> None:
    rng = np.random.default_rng(8)
    df = pd.DataFrame(rng.choice(list("xyz"), (n, 2)), columns=["a", "b"])
    df["b"] = df["b"].where(rng.random(n) >= copied, df["a"])
    row = df.agree.kappa().iloc[0]
    assert (row["ci_low"] > 0, row["ci_high"] < 0.4) == (beyond, below)
    assert ("category no better than chance" in found(df).index) == said


def test_once_is_not_one_times() -> None:
    df = pd.DataFrame({"a": ["x", "y"] * 20 + ["z"], "b": ["x", "y"] * 20 + ["x"]})
    assert found(df).loc["rare category", "evidence"] == "'z' was chosen once in all"


def test_few_and_single_labels_are_found() -> None:
    df = pd.DataFrame({"a": ["x", "y", "x", "y", "x", "x"], "b": ["x", "y", "y", None, None, None]})
    table = found(df)
    assert table.loc["many items with one label", "estimate"] == 0.5
    assert "wide interval" in table.index
    assert set(table.loc[["rare category"], "about"]) == {"x", "y"}
    severity = {"wide interval": "medium", "rare category": "low", "many items with one label": "low"}
    assert table["severity"].drop_duplicates().tolist() == ["medium", "low"]  # the worst first
    assert table["severity"].to_dict() == severity


def test_undefined_groups_are_findings_and_no_warnings() -> None:
    df = pd.DataFrame({"a": ["x", "x", "y", "x"], "b": ["x", "x", "x", "y"], "g": [1, 1, 2, 2]})
    table = found(df, "a", "b", by="g")
    assert table.xs(1, level="g").loc["undefined", "evidence"] == "alpha is undefined: only one category used"


def test_counts_are_diagnosed_without_coders() -> None:
    counts = pd.DataFrame({"x": [3, 0, 3, 1] * 5, "y": [0, 3, 0, 2] * 5})
    assert "coder out of line" not in counts.agree.counts().diagnose().index


# ------------------------------------------------------------------------------------------------------- too few items


@pytest.mark.parametrize(("times", "said"), [(1, False), (2, True)])
def test_low_agreement_needs_ten_items_that_vary(times: int, said: bool) -> None:
    df = pd.DataFrame({"a": ["no"] * 54 + ["yes"] * 3 + ["no"] * 3, "b": ["no"] * 57 + ["yes"] * 3})
    df = pd.concat([df] * times, ignore_index=True)
    assert (df.agree.alpha()["ci_high"] < 0.667).all()
    assert ("low agreement" in found(df).index) == said


def test_items_with_one_label_do_not_vary() -> None:
    """Six items vary, whatever the most frequent label of items with one label is."""
    df = pd.DataFrame({"a": ["no"] * 54 + ["yes"] * 3 + ["no"] * 3, "b": ["no"] * 57 + ["yes"] * 3})
    df = pd.concat([df, pd.DataFrame({"a": ["yes"] * 200})], ignore_index=True)
    assert (df.agree.alpha()["ci_high"] < 0.667).all()
    assert "low agreement" not in found(df).index


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


def test_without_rows_and_groups_there_is_nothing_to_find() -> None:
    df = pd.DataFrame({"a": ["x", "y"], "b": ["x", "y"], "g": [1, 2]})[:0]
    assert len(df.agree.diagnose("a", "b", by="g")) == 0


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
    found = pd.concat([df, rest]).agree.diagnose().reset_index()
    assert ("coder who hardly varies" in set(found["finding"])) == said
    assert not said or found.loc[found["finding"] == "coder who hardly varies", "estimate"].item() == 0


def test_texts_of_findings_are_texts() -> None:
    df = pandas_agreement.load_example()
    plain, found = (df.agree.diagnose("ann", "bob", "cleo", "dev", detail=detail) for detail in (False, True))
    assert list(plain.columns) == list(schemas.FINDINGS.shown)
    assert_frame_equal(plain, found[plain.columns])
    kinds = {name: kind for name, (kind, _) in schemas.FINDINGS.items()}
    numbers = ("float64", "int64")
    assert {name: str(kind) if (kind := found[name].dtype) in numbers else "str" for name in found} == kinds


def test_labels_that_are_all_missing_on_a_scale() -> None:
    df = pd.DataFrame({"ann": [None, None], "bob": [None, None], "n": [1, 3]}, dtype=object).astype({"n": int})
    found = df.agree.diagnose("ann", "bob", level="ordinal", frequency="n")
    assert found.index.tolist() == ["undefined", "many items with one label"][: len(found)]


def test_numbers_have_columns_of_their_own() -> None:
    df = pandas_agreement.load_example()
    coders = ["ann", "bob", "cleo", "dev"]
    table = found(df, *coders)
    alpha = df.agree.alpha(*coders).iloc[0]
    low = table.loc["low agreement"]
    same = ["estimate", "ci_low", "ci_high", "n_items"]
    assert low["measure"] == "alpha"
    assert low[same].tolist() == alpha[same].tolist()
    assert np.isnan(low["p_value"])
    margins = table.loc["margins differ"]
    tests = df.agree.test.margins(*coders, tests=["stuart_maxwell"]).query("p_holm < 0.05")
    assert margins["p_value"].tolist() == tests["p_holm"].tolist()
    assert margins["n_items"].tolist() == tests["n_items"].tolist()
    assert margins[["estimate", "ci_low", "ci_high"]].isna().all(axis=None)


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


def test_entropy_is_1_if_all_categories_are_alike() -> None:
    assert _entropy(pd.Series([0.25] * 4), 4).sum() == pytest.approx(1)
    assert _entropy(pd.Series([1.0, 0.0]), 2).sum() == 0


def test_rules_that_do_not_apply() -> None:
    """Single categories say nothing where values are many, and equal or not is not the question of an order."""
    single = {"label of one coder only", "rare category"}
    equal = {"category nobody agrees on", "category no better than chance"}
    paradox, names = {"high agreement, low kappa"}, {rule.name for rule in RULES}
    left = {kind: names - {rule.name for rule in rules_for(kind)} for kind in ("names", "open", "order")}
    assert left == {"names": {OPEN}, "open": single | equal | paradox, "order": {OPEN} | equal | paradox}


def test_limits_of_rules_are_those_of_the_documentation() -> None:
    lines = (Path(__file__).parents[2] / ".docs" / "statistics.md").read_text("utf8").splitlines()
    told = {cells[1].strip(): cells[2] for cells in (line.split("|") for line in lines) if len(cells) == 6}
    tests = {"margins differ", "label of one coder only"}  # by p-values alone
    limits = {rule.name: f"{rule.threshold:g}" for rule in RULES if rule.name in told.keys() - tests}
    assert len(limits) == 7
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
    assert set(counts.agree.counts().diagnose().index) == {"low agreement", "wide interval"}
    none = found(df.iloc[:0].astype(object))
    assert none.loc["undefined", ["severity", "threshold"]].tolist() == ["high", 2]


def test_upper_limits_are_one_sided_and_for_all_categories_together() -> None:
    """The rate at a level of .05 for four categories, kappa at .05 for one.

    They have the degrees of freedom of the items with the category, `by_category` those of all items.
    """
    df = scores(400, 2, gaps=0)
    found = Evidence(read_wide(df, ("ann", "bob"))).limits
    high, alone = (df.agree.by_category(metrics="rate", ci=1 - 2 * 0.05 / n)["ci_high"].to_numpy() for n in (4, 1))
    assert found["high"].to_numpy() == pytest.approx(high, rel=0.004)
    share = df.stack().value_counts(normalize=True).sort_index().to_numpy()
    assert found["kappa_high"].to_numpy() == pytest.approx((2 * alone / (1 + alone) - share) / (1 - share), rel=0.004)


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
