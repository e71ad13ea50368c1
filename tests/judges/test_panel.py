"""Who is a judge and who a human, and labels of judges outside the categories."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.errors import UnknownMethodError
from tests.data_sets import LONG, to_long
from tests.helpers import refuses, same
from tests.judges.helpers import HUMANS, judged_scores

EXAMPLE = pandas_agreement.load_example()
TRIO = pd.DataFrame(
    {
        "gpt": ["yes", "no", "yes", "n/a", "no", "yes", "no", "no"],
        "ann": ["yes", "no", "yes", "yes", "no", "no", "no", "yes"],
        "bob": ["yes", "no", "no", "yes", "no", "yes", "no", "yes"],
        "cleo": ["yes", "yes", "yes", "yes", "no", "yes", "no", "no"],
    }
)


@pytest.mark.parametrize(
    ("judges", "roles", "message"),
    [
        (
            ("dev",),
            {},
            "humans= is missing: who are the people to compare with? "
            "Write df.agree.judges('gpt', humans=['ann', 'bob']).",
        ),
        (("dev",), {"humans": "ann"}, "humans= takes a list of names. Write humans=['ann']."),
        (
            ("dev",),
            {"humans": {"ann"}},
            "humans={'ann'} must be a list of names. Write df.agree.judges('gpt', humans=['ann', 'bob']).",
        ),
        ((), {"humans": ["ann"]}, "No judge is named. Write df.agree.judges('gpt', humans=['ann', 'bob'])."),
        (
            ("dev", "ann"),
            {"humans": ["ann", "bob"]},
            "'ann' is named both as a judge and as a human. Everyone has one role.",
        ),
        (("dev",), {"humans": ["ann", "ann"]}, "'ann' is named twice. Everyone has one role."),
        (
            ("dev",),
            {"humans": ["ann"], "invalid": "drop"},
            "invalid='drop' is not known. Use one of 'raise', 'missing', 'wrong'.",
        ),
        (("dev",), {"human": ["ann"]}, "Judges has no option 'human'. Did you mean 'humans'?"),
        (
            ("dev",),
            {"humans": ["ann"], "run": "seed"},
            "run= is for long data, where it tells repeated runs of a judge apart. Name the columns of the runs as "
            "judges, and use stability(runs={'gpt': ['gpt_1', 'gpt_2']}).",
        ),
    ],
)
def test_a_wrong_call_shows_the_right_one(judges: Any, roles: Any, message: str) -> None:
    with refuses(InputError, message):
        EXAMPLE.agree.judges(*judges, **roles)


def test_the_way_in_reads_nothing() -> None:
    judged = EXAMPLE.agree.judges("nobody", humans=["nowhere"])
    with pytest.raises(KeyError, match="No column 'nowhere'"):
        judged.versus_humans()


def test_a_misspelled_method() -> None:
    judged = EXAMPLE.agree.judges("dev", humans=HUMANS)
    with refuses(
        UnknownMethodError, "df.agree.judges(...) has no method 'versus_human'. Did you mean 'versus_humans'?"
    ):
        judged.versus_human()  # type: ignore[attr-defined]


def test_tables_of_counts_have_no_judges() -> None:
    with pytest.raises(UnknownMethodError, match="has no method 'judges'"):
        TRIO.agree.counts().judges("gpt", humans=["ann"])  # type: ignore[attr-defined]


# --------------------------------------------------------------------------------------- labels outside the categories


def in_long(frame: pd.DataFrame) -> Any:
    return to_long(frame).agree.long(**LONG)


@pytest.mark.parametrize("way", [lambda frame: frame.agree, in_long], ids=["wide", "long"])
def test_a_label_outside_the_categories_is_an_error(way: Any) -> None:
    judged = way(TRIO).judges("gpt", humans=HUMANS, categories=["no", "yes"])
    with refuses(
        InputError,
        "Judge 'gpt' has the label 'n/a' in 1 row, which is not among the categories 'no', 'yes'. Correct it, or say "
        "invalid='missing' (such labels are left out) or invalid='wrong' (they agree with none).",
    ):
        judged.versus_humans()


@pytest.mark.parametrize("way", [lambda frame: frame.agree, in_long], ids=["wide", "long"])
@pytest.mark.parametrize("metric", ["kappa", "observed"])
def test_invalid_labels_as_missing(way: Any, metric: str) -> None:
    judged = way(TRIO).judges("gpt", humans=HUMANS, categories=["no", "yes"], invalid="missing")
    found = judged.versus_humans(metrics=metric, detail=True)
    gone = TRIO.assign(gpt=TRIO["gpt"].replace("n/a", None))
    expected = gone.agree.judges("gpt", humans=HUMANS, categories=["no", "yes"]).versus_humans(
        metrics=metric, detail=True
    )
    same(found.drop(columns=["note", "remarks"]), expected.drop(columns=["note", "remarks"]))
    assert "1 label outside the categories left out" in found["remarks"].iloc[0]


@pytest.mark.parametrize("way", [lambda frame: frame.agree, in_long], ids=["wide", "long"])
@pytest.mark.parametrize("metric", ["kappa", "observed", "alpha"])
def test_invalid_labels_as_wrong_are_a_category_of_their_own(way: Any, metric: str) -> None:
    found = way(TRIO).judges("gpt", humans=HUMANS, categories=["no", "yes"], invalid="wrong")
    found = found.versus_humans(metrics=metric, detail=True)
    expected = TRIO.agree.judges("gpt", humans=HUMANS, categories=["no", "yes", "n/a"]).versus_humans(
        metrics=metric, detail=True
    )
    same(found.drop(columns=["note", "remarks"]), expected.drop(columns=["note", "remarks"]))
    assert "1 label outside the categories counted as wrong" in found["remarks"].iloc[0]


def test_wrong_labels_are_as_far_as_two_labels_can_be() -> None:
    frame = judged_scores(gaps=0).astype(object)
    frame.loc[:4, "dev"] = "refused"
    judged = frame.agree.judges("dev", humans=HUMANS, categories=[1, 2, 3], invalid="wrong")
    found = judged.versus_humans(metrics="observed", weights="linear").iloc[0]
    d = []
    for _, row in frame.iterrows():
        others = [row[name] for name in HUMANS]
        d.append(np.mean([0 if row["dev"] == "refused" else 1 - abs(row["dev"] - label) / 2 for label in others]))
    assert found["estimate"] == pytest.approx(np.mean(d))


def test_categoricals_of_the_humans_declare_the_categories() -> None:
    frame = TRIO.copy()
    frame[HUMANS] = frame[HUMANS].astype(pd.CategoricalDtype(["no", "yes"]))
    with pytest.raises(InputError, match="Judge 'gpt' has the label 'n/a' in 1 row"):
        frame.agree.judges("gpt", humans=HUMANS).versus_humans()
    frame["gpt"] = frame["gpt"].astype("category")  # declares more, but it is the judge's
    with pytest.raises(InputError, match="Judge 'gpt' has the label 'n/a' in 1 row"):
        frame.agree.judges("gpt", humans=HUMANS).versus_humans()
    found = frame.agree.judges("gpt", humans=HUMANS, invalid="missing").versus_humans(detail=True)
    expected = TRIO.agree.judges("gpt", humans=HUMANS, categories=["no", "yes"], invalid="missing").versus_humans(
        detail=True
    )
    same(found, expected)


@pytest.mark.parametrize("invalid", ["raise", "missing", "wrong"])
def test_numbers_as_text_are_no_invalid_labels(invalid: Any) -> None:
    frame = judged_scores(gaps=0).astype(int)
    frame["dev"] = frame["dev"].astype(str)
    with refuses(
        InputError,
        "Judge 'dev' has the label '1' and the categories have 1, which never agree. They differ in type, so convert "
        "one of them, for example with pd.to_numeric(df[...]).",
    ):
        frame.agree.judges("dev", humans=HUMANS, categories=[1, 2, 3], invalid=invalid).versus_humans()


def test_without_declared_categories_the_note_names_labels_that_no_human_used() -> None:
    found = TRIO.agree.judges("gpt", humans=HUMANS).versus_humans(detail=True)
    assert found["remarks"].iloc[0].endswith("labels that no human used: 'n/a'")


@pytest.mark.parametrize("way", [lambda frame: frame.agree, in_long], ids=["wide", "long"])
@pytest.mark.parametrize("metric", ["kappa", "observed", "ac1"])
def test_without_categories_labels_that_no_human_used_become_missing(way: Any, metric: str) -> None:
    found = way(TRIO).judges("gpt", humans=HUMANS, invalid="missing").versus_humans(metrics=metric, detail=True)
    gone = TRIO.assign(gpt=TRIO["gpt"].replace("n/a", None))
    expected = way(gone).judges("gpt", humans=HUMANS).versus_humans(metrics=metric, detail=True)
    same(found.drop(columns=["note", "remarks"]), expected.drop(columns=["note", "remarks"]))
    assert "1 label that no human used left out" in found["remarks"].iloc[0]
    assert "labels that no human used:" not in found["remarks"].iloc[0]


def test_numbers_that_no_human_used_leave_the_numbers_of_the_humans() -> None:
    frame = judged_scores(gaps=0)
    text = frame.astype(int).astype(object)
    text.loc[:2, "dev"] = "refused"
    frame.loc[:2, "dev"] = np.nan
    frame.loc[3, "eve"], text.loc[3, "eve"] = np.nan, 9
    for options in ({"metrics": "alpha", "level": "interval"}, {"weights": "linear"}):
        judged = text.agree.judges("dev", "eve", humans=HUMANS, invalid="missing")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AgreementWarning)  # labels of different kinds are compared
            found = judged.versus_humans(**options, detail=True)
        expected = frame.agree.judges("dev", "eve", humans=HUMANS).versus_humans(**options, detail=True)
        same(found.drop(columns=["note", "remarks"]), expected.drop(columns=["note", "remarks"]))
    assert "3 labels that no human used left out" in found.loc["dev", "remarks"]
    assert "1 label that no human used left out" in found.loc["eve", "remarks"]


def test_labels_that_no_human_used_are_counted_by_group_and_found_in_all() -> None:
    frame = TRIO.assign(batch=list("xxxxyyyy"), ann=["n/a", *TRIO["ann"][1:]])
    notes = frame.agree.judges("gpt", humans=HUMANS, invalid="missing").versus_humans(by="batch", detail=True)
    assert not notes["remarks"].str.contains("no human used").any()  # ann used it, in one of the groups
    frame["ann"] = TRIO["ann"]
    notes = frame.agree.judges("gpt", humans=HUMANS, invalid="missing").versus_humans(by="batch", detail=True)
    assert notes["remarks"].str.contains("1 label that no human used left out").tolist() == [True, False]


def test_a_label_of_the_reference_is_no_invalid_one() -> None:
    frame = TRIO.assign(gold=TRIO["gpt"])
    judged = frame.agree.judges("gpt", humans=HUMANS, invalid="missing")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)
        found = judged.accuracy(reference="gold").loc["gpt"]
    assert (found.loc["accuracy", "estimate"], found.loc["accuracy", "n_items"]) == (1, 8)


def test_scores_that_no_human_gave_are_not_left_out() -> None:
    frame = judged_scores(200) + np.random.default_rng(0).normal(size=(200, 5))
    with refuses(
        InputError,
        "invalid='missing' without categories= leaves out labels that no human used, and these are scores. "
        "Leave out invalid=; a score that no human gave may be valid.",
    ):
        frame.agree.judges("dev", humans=HUMANS, invalid="missing").versus_humans(metrics="alpha", level="interval")


def test_a_set_among_the_categories_of_text() -> None:
    frame = pd.DataFrame({name: ["a", "b"] * 6 for name in ["gpt", *HUMANS]})
    frame.loc[:1, "gpt"] = ["other", "a"]
    judged = frame.agree.judges("gpt", humans=HUMANS, categories=["a", "b", frozenset({"a", "b"})], invalid="missing")
    assert judged.versus_humans(metrics="observed")["n_items"].tolist() == [11]
