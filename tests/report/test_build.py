"""The report for every way in, with scores, little data and large data, and its errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import InputError
from pandas_agreement.formatting import DASH, number
from pandas_agreement.report import Report
from tests.data_sets import CODERS, to_counts
from tests.report.helpers import (
    FIRST,
    LABELS,
    LAST,
    facts,
    frame,
    left_out,
    likert,
    measurements,
    plain,
    section,
    tables,
    titles,
    words,
)

# -------------------------------------------------------------------------------------------------------------- ways in


def test_long_says_the_same_as_wide(example: pd.DataFrame, whole: Report) -> None:
    long = example.melt(id_vars=["item", "batch", "text_length"], value_vars=list(CODERS), var_name="who")
    report = plain(long.agree.long(item="item", coder="who", label="value"), by="batch")
    assert titles(report) == titles(whole)
    for title in (*FIRST, "By batch", "Categories", "Coders", "Pairs of coders"):
        assert section(report, title) == section(whole, title), title
    table = tables(report, "Items to look at first")[0]
    of_wide = frame(tables(whole, "Items to look at first")[0]).drop(columns="row")
    pd.testing.assert_frame_equal(frame(table), of_wide)


@pytest.mark.parametrize("step", [1, 3])
def test_items_without_a_label_are_those_that_have_a_row(example: pd.DataFrame, step: int) -> None:
    wide = example[list(CODERS)].copy()
    wide.loc[:4] = None
    long = wide.assign(doc=np.arange(len(wide)) * step).melt("doc", var_name="who", value_name="tag")
    report = plain(long.agree.long(item="doc", coder="who", label="tag"))
    assert facts(report)["items"] == facts(plain(wide.agree))["items"]


def test_a_groupby_is_the_same_as_by(example: pd.DataFrame, whole: Report) -> None:
    grouped = plain(example.groupby("batch").agree, *CODERS)
    assert grouped.contents == whole.contents


@pytest.mark.parametrize("grouped", [False, True])
def test_counts_leave_out_what_they_cannot_know(example: pd.DataFrame, grouped: bool) -> None:
    counts = to_counts(example[list(CODERS)], LABELS).assign(batch=example["batch"])
    report = plain(counts.groupby("batch").agree.counts()) if grouped else plain(counts.agree.counts(), by="batch")
    assert titles(report) == [*FIRST, "By batch", "Findings by batch", "Categories", *LAST, "Not in this report"]
    assert left_out(report) == {"Coders and pairs": "The data do not identify the coders."}
    assert "coders" not in facts(report)
    assert "580 items with two or more labels." in words(report, "In short")
    assert "were labelled by several coders" in words(report, "Methods, ready to paste")


def test_a_crosstab_has_no_items(example: pd.DataFrame) -> None:
    report = plain(pd.crosstab(example["ann"], example["bob"]).agree.crosstab())
    assert titles(report) == [*FIRST, "Categories", "Coders", "Confusions", LAST[1], "Not in this report"]
    assert left_out(report) == {"Items": "A crosstab has no items."}
    assert "Adjudicate" not in words(report, "What to do next")


def test_two_coders_are_shown_what_they_confuse(example: pd.DataFrame) -> None:
    report = plain(example.agree, "ann", "bob")
    shown = frame(tables(report, "Confusions")[0])
    table = example.agree.confusion("ann", "bob")
    assert shown.columns.tolist() == ["ann", "bob", "items", "of all that differ"]
    assert shown.loc[0].tolist() == ["question", "request", str(table.loc["question", "request"]), "18%"]
    assert tables(report, "Confusions")[0].more == "… and 2 more combinations"


def test_cells_with_several_labels() -> None:
    tags = pd.DataFrame({"ann": ["a|b", "b", "c", "a"] * 5, "bob": ["a", "b", "c", "a|c"] * 5})
    report = plain(tags.agree, level="masi", sep="|")
    assert frame(tables(report, "Categories")[0])["category"].tolist() == ["b", "c", "a"]
    assert facts(report)["sets of labels"] == "5 different ones: {a}, {a, b}, {a, c}, {b}, {c}"
    assert frame(tables(report, "How much agreement")[0])["weights"].tolist() == ["masi"]


# -------------------------------------------------------------------------------------------- scores and partial credit


def test_scores_get_coefficients_for_numbers() -> None:
    df = measurements()
    report = plain(df.agree)
    result = df.agree.summary(metrics=["icc_a1", "icc_c1", "ccc", "alpha"], level="interval")
    shown = frame(tables(report, "How much agreement")[0])
    assert shown["estimate"].tolist() == [f"{value:.3f}" for value in result["estimate"]]
    assert shown["weights"].tolist() == [DASH, DASH, DASH, "interval"]
    assert "Categories" not in titles(report)
    different = len(np.unique(df.to_numpy()))
    assert left_out(report) == {
        "Categories": f"The labels are {different} different numbers and were treated as scores; "
        "with the level nominal they are categories."
    }
    assert words(report, "In short").startswith(f"ICC(A,1) is {result['estimate'].iloc[0]:.3f} (95% interval ")


def test_scores_show_levels_and_limits() -> None:
    df = measurements()
    report = plain(df.agree)
    shown = frame(tables(report, "Coders")[0])
    coders = ["ann", "cleo", "bob"]  # the one in the middle last
    assert shown["coder"].tolist() == coders
    assert shown["mean"].tolist() == [f"{value:.1f}" for value in df[coders].mean()]
    apart = [(df[name] - df.drop(columns=name).mean(axis=1)).mean() for name in coders]
    assert shown["difference"].tolist() == [f"{apart[0]:.2f}", f"+{apart[1]:.2f}", f"+{apart[2]:.3f}"]
    without = [df.drop(columns=name).agree.alpha(level="interval")["estimate"].item() for name in coders]
    assert shown["alpha without"].tolist() == [f"{value:.3f}" for value in without]
    limits = df.agree.bland_altman()
    first = frame(tables(report, "Pairs of coders")[0]).loc[0]
    assert first.tolist()[:3] == ["ann", "cleo", f"{limits.loc[('ann', 'cleo'), 'bias']:.2f}"]
    assert (
        "coders differ in level: The mean scores of the coders differ (F test, p < 0.001); 'ann' is farthest from"
        in words(report, "What stands out")
    )


@pytest.mark.parametrize(
    "options", [{"level": "nominal"}, {"weights": "linear"}, {"categories": [n / 2 for n in range(12)]}], ids=str
)
def test_a_call_can_say_that_numbers_are_categories(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(1)
    df = pd.DataFrame(rng.integers(0, 12, (50, 3)) / 2, columns=list(CODERS[:3]))
    assert "Categories" not in titles(plain(df.agree))
    assert "Categories" in titles(plain(df.agree, **options))


def test_whole_numbers_are_categories_unless_told_otherwise() -> None:
    df = pd.DataFrame(np.random.default_rng(1).integers(0, 30, (50, 3)), columns=list(CODERS[:3]))
    assert "Categories" in titles(plain(df.agree))
    assert "Categories" not in titles(plain(df.agree, level="interval"))


@pytest.mark.parametrize(
    ("options", "lead"),
    [
        ({"level": "ordinal"}, "Krippendorff's alpha (ordinal level) is "),
        ({"weights": "quadratic"}, "Conger's kappa (quadratic weights) is "),
    ],
)
def test_partial_credit(options: dict[str, Any], lead: str) -> None:
    names = [
        "Observed agreement",
        "Conger's kappa",
        "Fleiss' kappa",
        "Krippendorff's alpha",
        "Gwet's AC2",
        "Bennett's S",
    ]
    report = plain(likert().agree, **options)
    shown = frame(tables(report, "How much agreement")[0])
    assert shown["coefficient"].tolist() == names
    assert words(report, "In short").startswith(lead)
    assert "category" not in words(report, "What stands out").replace("categories", "")
    method, metric = ("alpha", "alpha") if "level" in options else ("kappa", "kappa")
    expected = getattr(likert().agree, method)(**options)["estimate"].iloc[0]
    assert f"is {expected:.3f}" in words(report, "In short")
    pairs = likert().agree.by_pair(metric=metric, **options).sort_values("estimate")
    listed = frame(tables(report, "Pairs of coders")[0])
    assert listed[metric].tolist() == [number(value) for value in pairs["estimate"]]


def test_a_coder_out_of_line_with_partial_credit() -> None:
    df = likert()
    df["cleo"] = df["cleo"].to_numpy()[::-1]
    report = plain(df.agree, level="interval")
    start = "high: coder out of line (cleo): The agreement beyond chance of 'cleo' with the other coders is "
    assert start in words(report, "What stands out")


# ---------------------------------------------------------------------------------------------------------- little data


def test_undefined_is_said_and_explained() -> None:
    report = plain(pd.DataFrame({"ann": ["x"] * 5, "bob": ["x"] * 5}).agree)
    assert words(report, "In short") == (
        "Krippendorff's alpha is undefined: only one category used.\nThere are 5 items with two or more labels."
    )
    assert frame(tables(report, "How much agreement")[0])["estimate"].tolist()[1:] == ["undefined"] * 5
    assert "Cohen's kappa (Cohen, 1960) is undefined (only one category used)" in words(
        report, "Methods, ready to paste"
    )
    assert words(report, "Confusions") == "The two coders never differ."


def test_perfect_agreement_needs_nothing() -> None:
    labels = ["x", "y"] * 60
    report = plain(pd.DataFrame({"ann": labels, "bob": labels, "cleo": labels}).agree)
    assert words(report, "What stands out") == "No finding: no check passed its threshold."
    assert words(report, "What to do next") == "Nothing: the checks made no finding."
    assert words(report, "In short").endswith("The checks made no finding.")
    assert words(report, "Items") == "No item to adjudicate: no two labels of an item differ."


def test_one_item_has_no_interval_and_none_is_claimed() -> None:
    report = plain(pd.DataFrame({"ann": ["x"], "bob": ["y"]}).agree)
    assert words(report, "What to do next").endswith("Adjudicate the item whose labels differ; it is listed below.")
    text = words(report, "Methods, ready to paste")
    assert text.startswith("1 item was labelled by 2 coders (ann, bob) with 2 categories. ")
    assert "confidence interval" not in text
    assert "CI" not in text


@pytest.mark.parametrize("by", [None, "batch"])
def test_an_empty_frame(by: str | None) -> None:
    report = plain(pd.DataFrame({"ann": [], "bob": [], "batch": []}, dtype=object).agree, "ann", "bob", by=by)
    assert facts(report)["items"] == "0: 0 with two or more labels"
    assert words(report, "In short").startswith("Krippendorff's alpha is undefined: no item with two labels.")


def test_odd_names_and_indexes() -> None:
    columns = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)])
    df = pd.DataFrame([["x", "y", "z"], ["y", "y", "z"]] * 5, columns=columns, index=[7] * 10)
    report = plain(df.agree, ("a", 1), ("a", 2))
    assert tables(report, "Items to look at first")[0].header == (
        "row",
        "('b', 1)",
        "('a', 1)",
        "('a', 2)",
        "agreement",
    )
    twice = pd.concat([df.droplevel(1, axis=1), df[[("b", 1)]].droplevel(1, axis=1)], axis=1).set_axis(
        ["ann", "bob", "note", "note"], axis=1
    )
    assert tables(plain(twice.agree, "ann", "bob"), "Items to look at first")[0].header[:3] == ("row", "note", "note")


def test_rows_without_a_group_are_mentioned_with_the_groups(example: pd.DataFrame) -> None:
    df = example.assign(batch=example["batch"].where(example.index > 10))
    report = plain(df.agree, *CODERS, by="batch")
    assert facts(report)["items"].startswith("600: ")
    note = "Note: 11 of 600 rows have no group key and are left out."
    assert note in words(report, "By batch")
    assert note not in words(report, "What was measured")


# ----------------------------------------------------------------------------------------------------------- large data


def many(n: int, coders: int, categories: int, share: float) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, categories, n)
    names = np.array([f"k{number:03d}" for number in range(categories)], object)
    columns = {}
    for coder in range(coders):
        codes = np.where(rng.random(n) < 0.7, truth, rng.integers(0, categories, n))
        columns[f"w{coder:03d}"] = np.where(rng.random(n) < share, names[codes], None)
    return pd.DataFrame(columns)


def test_large_tables_are_cut() -> None:
    df = many(1500, 40, 100, 0.15)
    coders = list(df.columns)
    df["batch"] = np.arange(1500) % 300
    report = plain(df.agree, *coders, by="batch", n=7)
    assert [len(table.rows) for table in tables(report, "By batch")[:1]] == [30]
    assert tables(report, "By batch")[0].more == "… and 270 more groups"
    for title, more in {"Categories": "93 more categories", "Coders": "33 more coders"}.items():
        assert (len(tables(report, title)[0].rows), tables(report, title)[0].more) == (7, f"… and {more}")
    assert tables(report, "Pairs of coders")[0].more == "… and 773 more pairs"
    assert facts(report)["coders"].endswith("w007 and 32 more")
    assert facts(report)["groups (batch)"] == "300: 0, 1, 2, 3, 4, 5 and 294 more"
    assert list(left_out(report)) == []
    assert len(report.to_html()) < 60_000


# --------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("coders", "options", "message"),
    [
        (
            ("ann",),
            {},
            "Agreement needs at least two coders, and got only 'ann'. Name the columns, as in df.agree.kappa('ann', "
            "'bob'), or use df.agree.long(item=..., coder=..., label=...) for one row per judgment.",
        ),
        (("ann", "bob"), {"n": 0}, "n=0 must be a whole number above 0: how many to show."),
        (
            ("ann", "bob"),
            {"benchmark": "landis"},
            "benchmark='landis' is not known. Use one of 'landis_koch', 'fleiss', 'altman', 'cicchetti', "
            "'krippendorff', 'koo_li'; did you mean 'landis_koch'?",
        ),
        (
            ("ann", "bob"),
            {"metrics": []},
            "metrics= is empty. Name at least one coefficient, such as metrics=['kappa', 'alpha'].",
        ),
        (
            ("ann", "bob"),
            {"at_least": 0.6, "ci": None},
            "at_least= needs the interval, and ci=None leaves it out. Leave out ci=None.",
        ),
        (("ann", "bob"), {"at_least": 67}, "at_least=67 is higher than any coefficient can be. Did you mean 0.67?"),
        (("ann", "bob"), {"at_least": "0.6"}, "at_least='0.6' must be a number, such as 0.8."),
        (("ann", "bob"), {"method": "bca"}, "Report has no option 'method'. There are:"),
        (("ann", "bob"), {"metrics": ["kappa"], "pool": "pairs"}, "Report has no option 'pool'. There are:"),
        (("ann", "bob"), {"colour": 1}, "Report has no option 'colour'. There are:"),
        (
            ("ann", "bob"),
            {"ci": 95},
            "ci=95 must be a level between 0 and 1, such as 0.95, or None. Did you mean ci=0.95?",
        ),
    ],
)
def test_errors(example: pd.DataFrame, coders: tuple[str, ...], options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        plain(example.agree, *coders, **options)
    found = str(error.value)
    assert found.startswith(message) if message.endswith(":") else found == message


def test_counts_refuse_coefficients_of_coders() -> None:
    counts = pd.DataFrame({"x": [2, 1, 0], "y": [0, 1, 2]})
    with pytest.raises(InputError) as error:
        plain(counts.agree.counts(), metrics=["kappa"])
    assert str(error.value) == (
        "Kappa needs the coder of each label, which these data do not contain. Use pi, alpha, ac1, s or icc_1, or give "
        "the data as df.agree.long(item=..., coder=..., label=...)."
    )


def test_a_column_that_disagreements_adds_costs_only_the_items(example: pd.DataFrame) -> None:
    report = plain(example.assign(share=1).agree, *CODERS)
    assert left_out(report) == {"Items": "The frame has a column 'share', which disagreements adds."}
