"""Coefficients of spans against published values, definitions as loops, and the properties they must have."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.core.quantiles import least_agreement
from pandas_agreement.errors import AgreementWarning, InputError, UnknownMethodError
from tests import bruteforce
from tests.benchmarks import span_coverage
from tests.helpers import every
from tests.spans import helpers
from tests.spans.helpers import BOOK, LENGTHS, ROLES, SEVERAL, corpus, frame_of

pytestmark = pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")


def estimate(result: pd.DataFrame) -> Any:
    """The one estimate, or a list of them."""
    values = result["estimate"].tolist()
    return values[0] if len(values) == 1 else values


def spans(frame: pd.DataFrame, **options: Any) -> Any:
    return frame.agree.spans(**ROLES, **options)


# ----------------------------------------------------------------------------------------------------------- oracles


def test_the_example_of_the_book() -> None:
    """Krippendorff (2019) prints .510, .413, .724; 1 0 0 0 1 1 for labels; 44 % for label 5."""
    book = spans(BOOK, length=60)
    expected = [0.3125, 0.4375, 0.509982, 0.413599, 0.724169, 0.504600]
    assert estimate(book.summary()) == pytest.approx(expected, abs=1e-6)
    assert book.alpha(of="labels")["coverage"].iloc[0] == pytest.approx(83 / 109)
    longer = [estimate(spans(BOOK, length=length).alpha()) for length in (120, 600)]
    assert longer == pytest.approx([0.610838, 0.667017], abs=1e-6)


def test_the_labels_of_the_book() -> None:
    table = spans(BOOK, length=60).by_category()
    labels = table.xs("u_alpha_labels", level="coefficient")
    assert labels["estimate"].tolist() == pytest.approx([1, 0, 0, 0, 1, 1, math.nan], nan_ok=True, abs=1e-12)
    assert labels["coverage"].tolist() == pytest.approx([1, 1, 1, 1, 4 / 9, 1, 0])
    alpha = table.xs("u_alpha", level="coefficient")["estimate"]
    assert alpha[list("12567")].tolist() == pytest.approx([1, -1 / 36, 0.388317, 1, -1 / 12], abs=1e-6)


def test_the_pairs_of_the_book() -> None:
    book = spans(BOOK, length=60)
    assert estimate(book.by_pair()) == pytest.approx([0.2, 1 / 3, 0.4])
    assert estimate(book.by_pair(metric="kappa")) == pytest.approx([0.345157, 0.345157, 0.862280], abs=1e-6)


def test_the_segments_of_the_book_go_through_every_coefficient() -> None:
    long = spans(BOOK, length=60).to_long().agree.long(item=["doc", "start"], coder="who", label="tag")
    found = long.summary(metrics=["alpha", "pi", "ac1", "s", "kappa"], frequency="width")
    assert estimate(found) == pytest.approx([0.497473, 0.494666, 0.563076, 0.555556, 0.504600], abs=1e-6)


def test_a_finer_grid_and_a_second_copy_change_alpha() -> None:
    fine = BOOK.assign(start=BOOK["start"] * 10, end=BOOK["end"] * 10)
    twice = pd.concat([BOOK, BOOK.assign(doc="e")])
    assert estimate(spans(fine, length=600).alpha()) == pytest.approx(0.508985, abs=1e-6)
    assert estimate(spans(twice, length=60).alpha()) == pytest.approx(0.502324, abs=1e-6)
    assert estimate(spans(twice, length=60).f1()) == pytest.approx(0.3125)


def test_several_documents() -> None:
    found = spans(SEVERAL, length=LENGTHS, unmarked="absent")
    summary = found.summary()
    assert estimate(summary)[:5] == pytest.approx([2 / 11, 8 / 11, 0.554356, 0.512123, 1], abs=1e-6)
    assert (summary["n_items"].unique(), summary["n_spans"].unique()) == (2, 6)
    assert found.alpha(of="labels")["coverage"].iloc[0] == pytest.approx(16 / 25)
    labels = found.by_category().xs("u_alpha_labels", level="coefficient")
    assert labels["estimate"].tolist() == pytest.approx([1, 1])
    assert labels["coverage"].tolist() == pytest.approx([0.928571, 0.272727], abs=1e-6)
    assert found.by_pair()["estimate"].loc["a", "b"] == pytest.approx(0.4)


def test_a_document_that_a_coder_did_not_see() -> None:
    unseen = spans(SEVERAL[SEVERAL["start"].notna()], length=LENGTHS, unmarked="absent")
    assert estimate(unseen.alpha()) == pytest.approx(0.684660, abs=1e-6)
    assert estimate(unseen.alpha(of="marking")) == pytest.approx(0.646927, abs=1e-6)


SMALL = {
    "places inside a span": ({"a": [(1, 9)], "b": [(2, 3), (4, 5), (6, 7)]}, 10, 0.181818),
    "the first of five": ({"a": [(n, n + 2) for n in range(0, 50, 10)], "b": [(0, 2)]}, 60, 0.266049),
    "one position longer": ({"a": [(n, n + 2) for n in range(0, 50, 10)], "b": [(0, 3)]}, 60, 0.230913),
    "one unit of one coder": ({"a": [(0, 1)], "b": [], "c": []}, 20, 0.0),
    "one span and its two halves": ({"a": [(0, 10)], "b": [(0, 5), (5, 10)]}, 20, 1.0),
}


@pytest.mark.parametrize("name", SMALL)
def test_small_documents(name: str) -> None:
    coders, length, expected = SMALL[name]
    empty = pd.DataFrame({"doc": "d", "who": [who for who, listed in coders.items() if not listed]})
    frame = pd.concat([frame_of(coders), empty])
    assert estimate(spans(frame, length=length).alpha()) == pytest.approx(expected, abs=1e-6)


def test_f1_sees_the_halves_that_alpha_does_not() -> None:
    assert estimate(spans(frame_of({"a": [(0, 10)], "b": [(0, 5), (5, 10)]}), length=20).f1()) == 0


# --------------------------------------------------------------------------------------- as other packages compute it


def test_f1_is_that_of_entities_in_strict_tags() -> None:
    """The tags B-A I-A O of each position, and F1 of what they mark, with one coder as the reference."""

    def check(seed: int) -> None:
        frame, lengths = corpus(seed)
        sides = [helpers.tags(frame, lengths, who) for who in "ab"]
        gold, found = ({(doc, *one) for doc in side for one in helpers.entities(side[doc])} for side in sides)
        both = len(gold & found)
        expected = 2 * both / (len(gold) + len(found)) if gold or found else math.nan
        alone = frame[frame["who"].isin(["a", "b"])]
        assert estimate(spans(alone, length=lengths, unmarked="seen").f1()) == pytest.approx(expected, nan_ok=True)

    every({str(seed): [seed] for seed in range(20)}, check)


def test_alpha_of_segments_is_alpha_of_every_position() -> None:
    def check(seed: int) -> None:
        frame, lengths = corpus(seed, 3)
        rows = [[value or "-" for value, *_ in cell] for cell in helpers.positions(frame, lengths)]
        long = spans(frame, length=lengths, unmarked="absent").to_long()
        found = long.agree.long(item=["doc", "start"], coder="who", label="tag").alpha(frequency="width", ci=None)
        assert estimate(found) == pytest.approx(float(bruteforce.alpha(rows)), abs=1e-12)

    every({str(seed): [seed] for seed in range(2, 8)}, check)


# -------------------------------------------------------------------------------------------------------- definitions


@pytest.mark.parametrize("of", ["all", "marking", "labels"])
def test_alpha_is_what_loops_over_positions_give(of: str) -> None:
    def check(seed: int) -> None:
        frame, lengths = corpus(seed)
        found = estimate(spans(frame, length=lengths, unmarked="absent").alpha(of=of))
        assert found == pytest.approx(helpers.alpha(frame, lengths, of), nan_ok=True, abs=1e-9)

    every({str(seed): [seed] for seed in range(12)}, check)


@pytest.mark.parametrize("iou", [0, 0.3, 0.5, 1])
def test_f1_is_the_best_of_all_matchings_also_where_spans_overlap(iou: float) -> None:
    def check(seed: int) -> None:
        frame, lengths = corpus(seed, overlap=True)
        found = estimate(spans(frame, length=lengths, unmarked="absent").f1(iou=iou))
        assert found == pytest.approx(helpers.f1(frame, iou), nan_ok=True)

    every({str(seed): [seed] for seed in range(12)}, check)


def test_a_matching_is_not_greedy() -> None:
    """The long span of a meets both of b, the short one only the first: two hits, whoever comes first."""
    frame = frame_of({"a": [(0, 4), (3, 9)], "b": [(2, 5), (6, 9)]})
    assert estimate(spans(frame).f1(iou=0)) == 1


def test_a_label_against_all_else_is_marking_of_its_spans_alone() -> None:
    frame, lengths = corpus(3)
    table = spans(frame, length=lengths, unmarked="absent").by_category(iou=0.5)["estimate"].unstack()
    for label in "ABC":
        alone = frame.assign(**frame[["start", "end", "tag"]].where(frame["tag"] == label))
        own = spans(alone.drop_duplicates(), length=lengths, unmarked="absent")
        values = estimate(own.alpha(of="marking")), estimate(own.f1(iou=0.5))
        assert values == pytest.approx((table.loc[label, "u_alpha"], table.loc[label, "f1_iou"]))


def test_kappa_is_that_of_every_position() -> None:
    frame, lengths = corpus(5, 12)
    cells = [
        (n, who, value or "-")
        for n, cell in enumerate(helpers.positions(frame, lengths))
        for who, (value, *_) in zip(_coders(frame, lengths)[n], cell, strict=True)
    ]
    expanded = pd.DataFrame(cells, columns=["place", "who", "tag"])
    docs = [doc for doc, coders in helpers.seen_by(frame).items() for _ in range(lengths[doc])]
    expanded["doc"] = expanded["place"].map(dict(enumerate(docs)))
    expected = expanded.agree.long(item="place", coder="who", label="tag").kappa(clusters="doc")
    found = spans(frame, length=lengths, unmarked="absent").kappa()
    names = ["estimate", "ci_low", "ci_high", "se", "observed", "expected"]
    np.testing.assert_allclose(found[names], expected[names], rtol=1e-9)
    assert found["n_items"].iloc[0] == len(helpers.seen_by(frame))


def _coders(frame: pd.DataFrame, lengths: dict[str, int]) -> list[list[str]]:
    return [coders for doc, coders in helpers.seen_by(frame).items() for _ in range(lengths[doc])]


@pytest.mark.parametrize("of", ["all", "marking", "labels"])
def test_the_standard_error_is_the_jackknife_over_documents(of: str) -> None:
    frame, lengths = corpus(8, 9)
    found = spans(frame, length=lengths, unmarked="absent").alpha(of=of)
    docs = list(helpers.seen_by(frame))
    without = [helpers.alpha(frame[frame["doc"] != doc], lengths, of) for doc in docs]
    n = len(docs)
    assert found["se"].iloc[0] == pytest.approx(np.sqrt((n - 1) * np.var(without)))


# ---------------------------------------------------------------------------------------------------------- properties


def test_what_does_not_matter() -> None:
    frame, lengths = corpus(11, 12)
    whole = spans(frame, length=lengths, unmarked="absent").summary()
    shuffled = frame.sample(frac=1, random_state=1)
    renamed = frame.assign(tag=frame["tag"].map({"A": "z", "B": "y", "C": "x"}))
    size = frame["doc"].map(lengths)
    reversed_text = frame.assign(start=size - frame["end"], end=size - frame["start"])
    for other in (shuffled, renamed, reversed_text):
        found = spans(other, length=lengths, unmarked="absent").summary()
        np.testing.assert_allclose(found.select_dtypes("number"), whole.select_dtypes("number"), rtol=1e-9)


def test_documents_of_the_same_coders_joined_to_one_have_the_same_alpha() -> None:
    one = frame_of({"a": [(0, 5), (9, 12)], "b": [(1, 5)]}, "d1")
    two = frame_of({"a": [(3, 7)], "b": [(3, 6), (8, 9)]}, "d2", "B")
    apart = spans(pd.concat([one, two]), length={"d1": 20, "d2": 10})
    joined = two.assign(doc="d1", start=two["start"] + 20, end=two["end"] + 20)
    together = spans(pd.concat([one, joined]), length=30)
    assert estimate(apart.alpha()) == pytest.approx(estimate(together.alpha()))


def test_groups_are_what_their_rows_alone_give() -> None:
    frame, lengths = corpus(21, 16)
    frame["half"] = frame["doc"].str[1:].astype(int) % 2
    result = spans(frame, length=lengths, unmarked="absent").summary(by="half")
    grouped = frame.groupby("half").agree.spans(**ROLES, length=lengths, unmarked="absent").summary()
    pd.testing.assert_frame_equal(result, grouped)
    for half, rows in frame.groupby("half"):
        own = {doc: length for doc, length in lengths.items() if doc in set(rows["doc"])}
        pd.testing.assert_frame_equal(result.loc[half], spans(rows, length=own, unmarked="absent").summary())


def test_pairs_are_what_two_coders_alone_give() -> None:
    frame, lengths = corpus(21, 16)
    all_coders = spans(frame, length=lengths, unmarked="absent")
    pairs = all_coders.by_pair(metrics=["f1", "alpha", "kappa"], iou=0.5, of="marking")
    for one, two in pairs.index.droplevel("coefficient").unique():
        alone = [all_coders.f1(one, two, iou=0.5), all_coders.alpha(one, two, of="marking"), all_coders.kappa(one, two)]
        pd.testing.assert_frame_equal(pairs.loc[one, two], pd.concat(alone), check_names=False)


def test_clusters_are_left_out_together() -> None:
    frame, lengths = corpus(30, 12)
    frame["author"] = frame["doc"].str[1:].astype(int) // 2
    found = spans(frame, length=lengths, unmarked="absent").f1(clusters="author")
    without = [helpers.f1(rows, 1) for rows in (frame[frame["author"] != each] for each in range(6))]
    assert found["se"].iloc[0] == pytest.approx(np.sqrt(5 * np.var(without)))


def test_without_labels_alpha_is_that_of_marking() -> None:
    places = {name: column for name, column in ROLES.items() if name != "label"}
    found = BOOK.agree.spans(**places, length=60)
    assert estimate(found.alpha()) == pytest.approx(0.413599, abs=1e-6)
    assert estimate(found.alpha(of="marking")) == pytest.approx(0.413599, abs=1e-6)
    assert "u_alpha_labels" not in found.summary().index


# ----------------------------------------------------------------------------------------------- intervals and remarks


def _agreeing(n: int) -> pd.DataFrame:
    return pd.concat([frame_of({"a": [(2, 5)], "b": [(2, 5)]}, f"d{number}") for number in range(n)])


def test_perfect_agreement_has_a_bound() -> None:
    found = spans(_agreeing(12), length=10)
    alpha, f1 = found.alpha(detail=True).iloc[0], found.f1().iloc[0]
    least = float(least_agreement(np.array(12.0), 0.95))
    assert (alpha["estimate"], alpha["se"], alpha["ci_high"], f1["ci_high"]) == (1, 0, 1, 1)
    assert f1["ci_low"] == pytest.approx(least)
    assert alpha["ci_low"] == pytest.approx(1 - (1 - least) / (1 - alpha["expected"]))
    assert (alpha["note"], alpha["remarks"]) == ("perfect", "perfect: ci_low is a bound")


def test_no_hit_has_an_upper_bound() -> None:
    frame = pd.concat([frame_of({"a": [(0, 1)], "b": [(2, 3)]}, f"d{number}") for number in range(12)])
    f1 = spans(frame).f1().iloc[0]
    assert (f1["estimate"], f1["ci_low"]) == (0, 0)
    assert f1["ci_high"] == pytest.approx(1 - float(least_agreement(np.array(12.0), 0.95)))


REMARKS = {
    "one document: no interval": (lambda: spans(BOOK, length=60).alpha(detail=True), "no se"),
    "fewer than 10 documents": (
        lambda: spans(corpus(8, 8)[0], length=99, unmarked="absent").f1(iou=0, detail=True),
        "few items",
    ),
    "length taken from the last span": (
        lambda: spans(corpus(8, 12)[0], unmarked="seen").alpha(detail=True),
        "last span",
    ),
    "no document of two coders": (lambda: spans(frame_of({"a": [(0, 2)]})).f1(detail=True), "no pairs"),
    "nobody marked anything": (
        lambda: spans(SEVERAL.assign(start=None, end=None, tag=None), unmarked="seen", length=9).f1(detail=True),
        "no spans",
    ),
    "no variation: fewer than two categories": (
        lambda: spans(frame_of({"a": [(0, 4)], "b": [(0, 4)]}), length=4).alpha(detail=True),
        "no variation",
    ),
}


@pytest.mark.parametrize("text", REMARKS)
def test_remarks(text: str) -> None:
    make, code = REMARKS[text]
    row = make().iloc[0]
    assert text in row["remarks"]
    assert row["note"].rstrip("+") == code or code == "last span"


@pytest.mark.parametrize("design", span_coverage.DESIGNS)
def test_intervals_cover(design: str) -> None:
    found = span_coverage.coverage(design, 200, (30,), 10_000).loc["30"]
    assert found.between(0.95 - 4 * np.sqrt(0.95 * 0.05 / 200), 0.99).all()


def test_f1_needs_no_length_and_says_nothing_of_it() -> None:
    assert "length" not in spans(corpus(8, 12)[0], unmarked="seen").f1(detail=True)["remarks"].iloc[0]


def test_summary_keeps_the_rows_that_overlapping_spans_leave_undefined() -> None:
    frame = frame_of({"a": [(0, 8), (0, 3)], "b": [(0, 8)]})
    with pytest.warns(AgreementWarning, match="4 of 6 estimates are undefined"):
        found = spans(frame, length=10).summary(detail=True)
    assert found["estimate"].notna().tolist() == [True, True, False, False, False, False]
    assert set(found["remarks"].iloc[2:]) == {"spans of one coder overlap"}


def test_a_label_is_undefined_only_where_its_own_spans_overlap() -> None:
    frame = pd.concat(
        [frame_of({"a": [(0, 8), (0, 3)], "b": [(0, 8)]}), frame_of({"a": [(1, 5)], "b": [(1, 4)]}, tag="B")]
    )
    found = spans(frame, length=20).by_category()
    known = found["estimate"].notna().unstack()
    assert known["u_alpha"].to_dict() == {"A": False, "B": True}
    assert not known["u_alpha_labels"].any()
    assert known["f1"].all()


def test_hidden_names_work_and_are_not_shown() -> None:
    book = spans(BOOK, length=60)
    pd.testing.assert_frame_equal(book.items(), book.by_item())
    assert estimate(book.pairwise()) == pytest.approx([0.2, 1 / 3, 0.4])
    assert not {"items", "pairwise"} & {*dir(book)}


@pytest.mark.parametrize(("name", "near"), [("ac1", ""), ("by_coder", ""), ("sumary", "did you mean 'summary'?")])
def test_another_method_names_the_way_to_it(name: str, near: str) -> None:
    with pytest.raises(UnknownMethodError) as caught:
        getattr(spans(BOOK, length=60), name)
    call = "spans.to_long().agree.long(item=['doc', 'start'], coder='who', label='tag')"
    remedy = f"methods of positions are those of {call}, with frequency='width', clusters='doc'"
    assert caught.value.remedy == (f"{near} M{remedy[1:]}." if near else remedy)


@pytest.mark.parametrize("name", ["gamma", "alpha_u", "unitizing", "f1", "u_alpha"])
def test_names_that_people_try_lead_to_spans(name: str) -> None:
    with pytest.raises(UnknownMethodError, match=r"df\.agree\.spans\(item="):
        getattr(BOOK.agree, name)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda made: made.f1(iou=1.5), "iou=1.5 must be between 0 (share a position) and 1 (same start and end)."),
        (lambda made: made.alpha(of="x"), "of='x' is not known. Use one of 'all', 'marking', 'labels'."),
        (
            lambda made: made.by_pair(metrics=[]),
            "metrics= is empty. Name at least one, such as metrics=['f1', 'alpha'].",
        ),
        (lambda made: made.f1("a", "bob"), "No coder 'bob'. There are: 'a', 'b', 'c'."),
    ],
)
def test_wrong_options(call: Any, message: str) -> None:
    with pytest.raises((InputError, KeyError)) as caught:
        call(spans(BOOK, length=60))
    assert str(caught.value) == message


@pytest.mark.parametrize(("of", "name"), [("alpha", "alpha"), ("kappa", "kappa"), ("to_long", "to_long")])
def test_overlapping_spans_are_refused_with_their_number(of: str, name: str) -> None:
    frame = frame_of({"a": [(0, 8), (0, 3), (2, 5)], "b": [(0, 8)]})
    with pytest.raises(InputError) as caught:
        getattr(spans(frame, length=10), of)()
    problem = (
        "3 pairs of spans of one coder overlap, such as 'a' in 'd': 0-8 and 0-3, and {} needs one label at a position"
    )
    assert str(caught.value) == f"{problem.format(name)}. f1() and by_category() take each label by itself."


def test_labels_are_needed_where_they_are_compared() -> None:
    places = BOOK.agree.spans(item="doc", coder="who", start="start", end="end")
    for call, name in ((lambda: places.alpha(of="labels"), "of='labels'"), (places.by_category, "by_category")):
        with pytest.raises(InputError) as caught:
            call()
        assert str(caught.value) == f"{name} needs labels. Name their column: spans(..., label=)."
