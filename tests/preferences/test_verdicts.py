"""How winners are written, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import InputError
from pandas_agreement.errors import AgreementError, ColumnError
from tests.helpers import refuses, same
from tests.preferences.helpers import COLUMNS, played, swapped


def strengths(frame: pd.DataFrame, tie: Any = None, **options: Any) -> pd.DataFrame:
    return frame.agree.preferences(**COLUMNS, tie=tie).strengths(**({"detail": True} | options))


def as_slots(frame: pd.DataFrame, one: str, two: str) -> pd.DataFrame:
    return frame.assign(won=np.where(frame["won"] == "tie", "tie", np.where(frame["won"] == frame["a"], one, two)))


@pytest.mark.parametrize(("one", "two"), [("first", "second"), ("a", "b")])
def test_the_winner_may_be_the_slot(one: str, two: str) -> None:
    frame = swapped()
    same(strengths(as_slots(frame, one, two), tie="tie"), strengths(frame, tie="tie"))


def test_several_labels_of_ties() -> None:
    frame = swapped()
    both = frame.assign(won=frame["won"].mask((frame["won"] == "tie") & (frame["a"] == "A"), "both bad"))
    same(strengths(both, tie=["tie", "both bad"]), strengths(frame, tie="tie"))


@pytest.mark.parametrize("dtype", ["object", "string", "category", "int", "Int64", "float"])
def test_dtypes_of_candidates(dtype: str) -> None:
    numbers = played().astype(int)
    frame = numbers.astype(dtype) if dtype in ("int", "Int64", "float") else played().astype(dtype)
    found = strengths(frame)
    assert found["estimate"].to_numpy() == pytest.approx(strengths(played())["estimate"].to_numpy())
    assert list(found.index) == ([1, 2, 3] if dtype in ("int", "Int64", "float") else ["1", "2", "3"])


def test_booleans_and_tuples_as_candidates() -> None:
    frame = pd.DataFrame({"a": [True, False, True], "b": [False, True, False], "won": [True, True, False]})
    assert strengths(frame)["wins"].tolist() == [1, 2]
    pairs = pd.DataFrame({"a": [("x", 1), ("y", 2)], "b": [("y", 2), ("x", 1)], "won": [("x", 1), ("x", 1)]})
    assert strengths(pairs)["wins"].tolist() == [2, 0]


def test_a_repeated_index_is_no_obstacle() -> None:
    frame = played()
    same(strengths(frame.set_axis(np.zeros(len(frame), int))), strengths(frame))


# ------------------------------------------------------------------------------------------------------------- errors


def test_an_unknown_winner_is_shown() -> None:
    frame = pd.DataFrame({"a": ["x", "y"], "b": ["y", "z"], "won": ["x", "tie"]}, index=["r1", "r2"])
    message = (
        "1 row has a winner that is no candidate of the row: 'tie' in row 'r2', with 'y' and 'z'. The winner is a "
        "candidate of its row, or in every row 'first' or 'second' (or the names of these columns); ties are named "
        "with tie="
    )
    with refuses(InputError, message):
        strengths(frame)
    assert strengths(frame, tie="tie")["n_items"].tolist() == [1, 2, 1]


def test_one_column_for_both_candidates() -> None:
    frame = pd.DataFrame({"a": ["x", "y"], "won": ["x", "y"]})
    message = "first= and second= are the same column, 'a'. Name the columns of the two candidates."
    with refuses(InputError, message):
        frame.agree.preferences(first="a", second="a", winner="won").strengths()


def test_a_winner_of_another_row() -> None:
    frame = pd.DataFrame({"a": ["x", "y"], "b": ["y", "z"], "won": ["x", "x"]})
    with pytest.raises(InputError, match="'x' in row 1, with 'y' and 'z'"):
        strengths(frame)


def test_slots_and_candidates_mixed() -> None:
    frame = pd.DataFrame({"a": ["x", "y"], "b": ["y", "x"], "won": ["x", "first"]})
    with pytest.raises(InputError, match="'first' in row 1"):
        strengths(frame)


def test_candidates_called_like_slots() -> None:
    frame = pd.DataFrame({"a": ["first", "second"], "b": ["second", "first"], "won": ["first", "first"]})
    message = "The labels of 'won' could be candidates or positions, with different winners. Rename the candidates."
    with refuses(InputError, message):
        strengths(frame)
    clear = frame.assign(won=["first", "second"], a="first", b="second")
    assert strengths(clear)["wins"].to_dict() == {"first": 1, "second": 1}


def test_a_tie_called_like_a_candidate() -> None:
    with refuses(InputError, "tie='1' is also the name of a candidate. Rename the label of ties."):
        strengths(played(), tie="1")
    with refuses(InputError, "tie=[['tie']] must be a label or a list of labels."):
        strengths(played(), tie=[["tie"]])


def test_columns_are_named() -> None:
    message = (
        "Preferences takes the columns of the candidates shown first and second and of the winner by name. Write "
        "df.agree.preferences(first='a', second='b', winner='won')."
    )
    with refuses(InputError, message):
        played().agree.preferences("a", "b", "won")
    remedy = "Repeat the rows: df.loc[df.index.repeat(df['n'])]."
    with refuses(InputError, f"Preferences has no option 'frequency'. {remedy}"):
        played().agree.preferences(**COLUMNS, frequency="n")
    with refuses(InputError, "Preferences has no option 'ties'. Did you mean 'tie'?"):
        played().agree.preferences(**COLUMNS, ties="tie")
    remedy = "Say it in df.agree.preferences(..., human='person')."
    with refuses(InputError, f"win_rate has no option 'human'. {remedy}"):
        played().agree.preferences(**COLUMNS).win_rate(human="person")
    with refuses(ColumnError, "No column 'wonn'. Did you mean 'won'?"):
        played().agree.preferences(first="a", second="b", winner="wonn").strengths()


def test_methods_take_no_coders_and_no_other_options() -> None:
    judged = played().agree.preferences(**COLUMNS)
    problem = "Strengths takes no names, and got 'x'. The call before it names the columns."
    with refuses(InputError, problem):
        judged.strengths("x")
    with pytest.raises(InputError, match=r"^position_bias has no option 'weights'"):
        judged.position_bias(weights="linear")
    with pytest.raises(InputError, match=r"^Strengths has no option 'smooth'\. Did you mean 'smoothing'"):
        judged.strengths(smooth=1)


def test_a_verdict_without_an_item() -> None:
    frame = swapped().astype({"prompt": "Int64"})
    frame.loc[3, "prompt"] = pd.NA
    message = "1 row has a winner but no item (the first is row 3). Drop such rows with df.dropna(subset=['prompt'])."
    with refuses(InputError, message):
        frame.agree.preferences(**COLUMNS, item="prompt", tie="tie").position_bias()
    frame.loc[3, "won"] = None  # no verdict, no item needed
    found = frame.agree.preferences(**COLUMNS, item="prompt", tie="tie").position_bias()
    assert found.loc["position", "n_items"] == 39


def test_grouped_twice() -> None:
    grouped = played().assign(judge="x").groupby("judge").agree.preferences(**COLUMNS)
    with refuses(InputError, "The frame is grouped already. Leave out by="):
        grouped.strengths(by="judge")
    assert grouped.strengths().index.names == ["judge", "candidate"]


def test_a_key_called_candidate() -> None:
    with pytest.raises(InputError, match="A group key cannot be called 'candidate'"):
        strengths(played().assign(candidate="x"), by="candidate")
    with pytest.raises(InputError, match="A group key cannot be called 'rank'"):
        strengths(played().assign(rank="x"), by="rank")
    with pytest.raises(InputError, match="A group key cannot be called 'n_first'"):
        played().assign(n_first="x").agree.preferences(**COLUMNS).position_bias(by="n_first")


def test_pictures(tmp_path: Any) -> None:
    pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")
    judged = swapped().assign(judge=lambda f: np.where(f["prompt"] % 2, "odd", "even"))
    preferences = judged.agree.preferences(**COLUMNS, item="prompt", tie="tie")
    plain = pandas_agreement.plot(preferences.position_bias(by="judge"))
    assert ":" not in plain.texts[0].get_text()
    ax = pandas_agreement.plot(preferences.position_bias(by="judge", detail=True))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["even", "odd"]
    assert ax.texts[0].get_text().endswith("4 : 2")
    ax = pandas_agreement.plot(played().agree.preferences(**COLUMNS).strengths(smoothing=1))
    assert ax.get_xlabel() == "log-odds against a candidate of mean strength"
    ax = pandas_agreement.plot(played().agree.preferences(**COLUMNS).strengths(contrasts=True))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["1 minus 2", "1 minus 3", "2 minus 3"]
    with refuses(InputError, "The result has no row 'position' to draw. Draw all rows of position_bias()."):
        pandas_agreement.plot(preferences.position_bias().drop("position"))


@pytest.mark.parametrize("second", [pd.NA, np.zeros(2)], ids=["NA", "an array"])
def test_what_names_no_column_is_refused(second: object) -> None:
    df = pd.DataFrame({"first": ["x"], "second": ["y"], "winner": ["x"]})
    with pytest.raises(AgreementError):
        df.agree.preferences(first="first", second=second, winner="winner").position_bias()
