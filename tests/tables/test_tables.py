"""Results as tables and sentences: every result, whole or cut down, fits 80 columns and loses no note."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import AgreementWarning, InputError, interpret, scales, sentence, table
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.results import schemas
from pandas_agreement.tables.columns import FIRST, HEADERS, KNOWN, LAST, LONG, SMALL, UNBOUNDED
from pandas_agreement.tables.sentences import QUIET, TOLD

DF = pandas_agreement.load_example()
CODERS = ["ann", "bob", "cleo", "dev"]
NOISE = np.random.default_rng(0).normal(size=(30, 4))
SCORES = pd.DataFrame(NOISE[:, :3] + 2 * NOISE[:, 3:], columns=list("abc"))
GAMES = pd.DataFrame({"a": list("xxyyzz") * 3, "b": list("yzzxxy") * 3, "won": list("xxzxzy") * 3})


def judged() -> Any:
    return DF.agree.judges("dev", humans=["ann", "bob", "cleo"])


def verdicts() -> Any:
    return GAMES.agree.preferences(first="a", second="b", winner="won")


#: one call for each kind of result
RESULTS: dict[str, Callable[[], pd.DataFrame]] = {
    "groups": lambda: DF.agree.kappa("ann", "bob", by="batch", overall=True),
    "summary": lambda: DF.agree.summary(*CODERS, by="batch"),
    "pairs": lambda: DF.agree.pairwise(*CODERS, by="batch"),
    "categories": lambda: DF.agree.by_category(*CODERS),
    "items": lambda: DF.agree.items(*CODERS).head(),
    "coders": lambda: DF.agree.coders(*CODERS),
    "margins": lambda: DF.agree.margins(*CODERS),
    "tests": lambda: DF.agree.homogeneity(*CODERS),
    "indices": lambda: DF.agree.indices(*CODERS),
    "p values": lambda: DF.agree.p_values(*CODERS),
    "chance": lambda: DF.agree.chance_test("ann", "bob", tests=["moments"]),
    "limits": lambda: SCORES.agree.limits(),
    "components": lambda: SCORES.agree.components(),
    "concordance": lambda: SCORES.agree.concordance(),
    "score tests": lambda: SCORES.agree.score_tests(),
    "compare": lambda: DF.agree.compare(["ann", "bob"], ["ann", "dev"]),
    "contrasts": lambda: DF.agree.contrasts("ann", "bob", by="batch"),
    "heterogeneity": lambda: DF.agree.heterogeneity("ann", "bob", by="batch"),
    "pooled": lambda: DF.agree.pooled("ann", "bob", by="batch"),
    "versus": lambda: judged().versus_humans(),
    "ceilings": lambda: judged().ceilings(),
    "accuracy": lambda: judged().accuracy(reference="majority"),
    "error rates": lambda: judged().error_rates(reference="majority"),
    "alt test": lambda: judged().alt_test(annotators="expert"),
    "truth items": lambda: DF.agree.truth(*CODERS).items().head(),
    "truth coders": lambda: DF.agree.truth(*CODERS).coders(),
    "truth summary": lambda: DF.agree.truth(*CODERS).summary(),
    "strengths": lambda: verdicts().strengths(),
    "findings": lambda: DF.agree.diagnose(*CODERS),
}


@pytest.mark.parametrize("kind", RESULTS)
@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
def test_every_result_fits_80_columns(kind: str) -> None:
    result = RESULTS[kind]()
    before = result.copy()
    made = table(result, style="apa")
    with pd.option_context("display.width", 80, "display.max_columns", 0, "display.max_rows", 999):
        lines = repr(made).splitlines()
    assert len(made) == len(result)
    assert "..." not in lines[0]  # pandas neither folds nor cuts it
    assert "\\" not in lines[0]
    assert max(map(len, lines)) <= 80
    assert made.columns.is_unique
    assert all(isinstance(cell, str) for row in made.to_numpy() for cell in row)
    assert len(sentence(result).splitlines()) == len(result)
    pd.testing.assert_frame_equal(result, before)
    if "note" in result:
        assert all(note in repr(made) for text in result["note"] if text for note in text.split("; ") if len(note) < 60)


def test_names_of_columns_are_those_of_schemas() -> None:
    """A renamed column must not fall out of the tables unseen."""
    assert {*FIRST, *HEADERS, *LAST, *LONG.keys() - {"at_least"}, *SMALL, *UNBOUNDED, *QUIET} <= set(KNOWN)
    assert TOLD - {"coefficient"} <= set(KNOWN)
    assert set(schemas.RESULT) <= set(KNOWN)


def test_cells() -> None:
    found = DF.agree.summary(*CODERS, metrics=["kappa", "alpha"])
    plain, apa = table(found), table(found, style="apa", digits=3)
    assert plain["Coefficient"].tolist() == ["Conger's kappa", "Krippendorff's alpha"]
    assert plain["95% CI"].tolist() == ["[0.46, 0.55]", "[0.47, 0.55]"]
    assert apa[["Estimate", "95% CI", "n"]].iloc[1].tolist() == [".509", "[.466, .550]", "580"]
    two = DF.agree.summary("ann", "bob", metrics=["kappa", "pi"])
    assert table(two)["Coefficient"].tolist() == ["Cohen's kappa", "Scott's pi"]
    assert "90% CI" in table(DF.agree.kappa("ann", "bob", ci=0.9))


def test_apa_keeps_the_zero_of_numbers_that_may_exceed_1() -> None:
    limits = table(SCORES.agree.limits(), style="apa")
    assert all(cell.lstrip("-")[0].isdigit() for cell in limits["Bias [CI]"])
    assert limits.columns.tolist() == ["Coder 1", "Coder 2", "Bias [CI]", "SD", "Lower limit", "Upper limit", "p", "n"]
    strengths = table(verdicts().strengths(), style="apa")
    assert strengths["Estimate"].str.lstrip("-").str.startswith("0.").all()
    perfect = pd.DataFrame({"a": list("xyxy"), "b": list("xyxy")}).agree.kappa()
    assert table(perfect, style="apa")["Estimate"].tolist() == ["1.00"]
    p = table(DF.agree.p_values("ann", "bob"))["p"]
    assert set(p) == {"< 0.001"}


def test_every_coefficient_has_a_name() -> None:
    names = list(REGISTRY)
    frame = pd.DataFrame({"estimate": 0.5}, index=pd.Index(names, name="coefficient"))
    shown = table(frame)["Coefficient"]
    assert shown.is_unique
    assert not set(shown) & set(names)


def test_results_that_were_cut_down() -> None:
    found = DF.agree.summary(*CODERS)
    assert table(found[["estimate", "n_items"]]).columns.tolist() == ["Coefficient", "Estimate", "n"]
    assert table(found[["estimate", "weights"]]).columns.tolist() == ["Coefficient", "Estimate", "Weights"]
    assert table(found.reset_index()).equals(table(found))
    assert table(found.round(2)).equals(table(found))
    assert len(table(found.query("estimate > 0.55"))) == 3
    words = found[["estimate"]].assign(words=interpret(found))
    assert table(words).columns.tolist() == ["Coefficient", "Estimate", "words"]
    assert table(found.head(0)).empty
    assert sentence(found[["estimate"]].head(1)) == "Observed agreement = .67"


def test_keys_of_the_user_are_as_they_are() -> None:
    made = table(DF.rename(columns={"batch": "about"}).agree.kappa("ann", "bob", by="about"))
    assert made.columns[:2].tolist() == ["about", "Coefficient"]
    ways = ["score", "bca"]
    both = pd.concat([DF.agree.kappa("ann", "bob")] * 2, keys=ways, names=["method"])
    assert table(both)["Method"].tolist() == ways


def test_texts_are_whole() -> None:
    found = DF.agree.diagnose(*CODERS)
    made = table(found)
    for text, evidence, advice in zip(made["Evidence and advice"], found["evidence"], found["advice"], strict=True):
        assert text == f"{evidence}. Advice: {advice}."
    assert made["Finding"].tolist() == found.index.tolist()
    crowded = table(found.assign(about="w01, w02, w03 | w04, w05, w06"))
    assert crowded.columns.tolist() == ["Finding", "About", "Evidence and advice"]
    for most in (0, 20):  # in a terminal, and where the output is not shown in one
        with pd.option_context("display.width", 80, "display.max_columns", most):
            lines = repr(made).splitlines()  # which just fits
        assert max(map(len, lines)) <= 80
        assert "\\" not in lines[0]


def test_a_name_may_be_a_label_in_one_result_and_a_number_in_another() -> None:
    """`favours` is a category of coders and a difference of rates, `baseline` an answer and an agreement."""
    numbers = DF[CODERS].apply(lambda column: column.map({"bug": 1.5, "complaint": 2, "question": 3, "request": 4}))
    favoured = table(numbers.agree.coders(level="nominal")[["favours", "n_items"]])["Favours"]
    assert set(favoured) <= {"1.5", "2", "3", "4"}
    versus = judged().versus_humans()
    assert table(versus[["estimate", "ceiling", "baseline"]].assign(baseline=0.123456))["Baseline"].tolist() == ["0.12"]
    assert "baseline" not in sentence(versus)


def test_rows_of_the_users_frame_fit_with_what_was_inferred() -> None:
    wide = DF.assign(text="a long text that nobody wants to see in full " * 3)
    made = table(wide.agree.truth(*CODERS).queue().tail())
    assert {"Row", "Inferred", "Reason"} <= set(made.columns)
    assert max(map(len, repr(made).splitlines())) <= 80


def test_matrices() -> None:
    """Confusion tables and pairs unstacked; too many labels for a line are listed, the largest cells first."""
    confusion = DF.agree.confusion("ann", "bob")
    made = table(confusion)
    assert made.columns.tolist() == [r"ann \ bob", "bug", "complaint", "question", "request"]
    assert made.iloc[0].tolist() == ["bug", "147", "5", "19", "9"]
    assert sentence(confusion).splitlines()[0] == "ann bug: bob bug = 147, complaint = 5, question = 19, request = 9"
    shares = confusion / confusion.to_numpy().sum()
    assert table(shares, style="apa").iloc[0, 1] == ".35"
    pairs = DF.agree.pairwise(*CODERS).droplevel("coefficient").estimate.unstack()
    assert table(pairs).iloc[0].tolist() == ["ann", "0.61", "0.59", "0.46"]
    assert "" in table(pairs)["bob"].tolist()
    many = pd.DataFrame({"a": np.arange(90) % 30, "b": np.arange(90) // 3}).agree.confusion("a", "b")
    many.iloc[7, 3] += 5000
    listed = table(many)
    assert listed.columns.tolist() == ["a", "b", "n"]
    assert listed.iloc[0].tolist() == ["7", "3", "5,000"]
    assert sentence(many).splitlines()[7] == "a 7: b 2 = 1, 3 = 5,000, 12 = 1, 22 = 1"
    assert sentence(many * 0).splitlines()[0] == "a 0: b none"
    assert len(listed) == int((many.to_numpy() > 0).sum())
    words = table(pandas_agreement.membership(DF.agree.summary(*CODERS)))
    assert words.columns[0] == "Coefficient"
    assert words.iloc[3].tolist() == ["Krippendorff's alpha", "0.00", "0.00", "1.00"]


def test_sentences() -> None:
    assert sentence(DF.agree.alpha(*CODERS)) == "Krippendorff's alpha = .51, 95% CI [.47, .55], 580 items, 4 coders"
    numbers = SCORES.round().astype(int)
    assert sentence(numbers.agree.alpha(level=scales.positions("ordinal"))).split(", ")[3] == "level ordinal"
    assert sentence(numbers.agree.kappa("a", "b", weights="linear")).split(", ")[3] == "weights linear"
    df = DF[DF["batch"] < "2026-w03"].assign(bob="bug")
    df.loc[df["batch"] == "2026-w01", "ann"] = "bug"
    with pytest.warns(AgreementWarning):
        found = df.agree.kappa("ann", "bob", by="batch")
    assert sentence(found, style="plain").splitlines() == [
        "2026-w01: Cohen's kappa is undefined: only one category used, 100 items, 2 coders",
        "2026-w02: Cohen's kappa = 0.00, no interval (constant coder: no se), 87 items, 2 coders",
    ]


def test_large_enough() -> None:
    found = pd.DataFrame(
        {
            "estimate": [0.9, 0.8, 0.6, 0.8, np.nan, 0.0],
            "ci_low": [0.8, 0.7, 0.5, 0.1 + 0.2 + 0.5, np.nan, np.nan],
            "ci_high": [0.95, 0.9, 0.79, 0.9, np.nan, np.nan],
            "note": ["", "", "", "", "only one category used; more", "constant coder: no se"],
        }
    )
    answers = ["yes", "not settled", "no", "yes", "undefined: only one category used"]
    answers.append("no interval: constant coder: no se")
    assert interpret(found, at_least=0.8).tolist() == answers
    assert table(found.head(4), at_least=0.8)["At least 0.8"].tolist() == answers[:4]
    assert interpret(found, at_least=0.8).index.equals(found.index)


def test_answers_leave_room_for_the_interval_and_weights_are_told() -> None:
    df = DF.assign(**dict.fromkeys(CODERS, DF["ann"].where(DF["batch"] != "2026-w02", "bug").fillna("bug")))
    df["dev"] = DF["dev"].where(DF["batch"] != "2026-w02", "bug")
    with pytest.warns(AgreementWarning, match="undefined"):
        made = table(df.agree.alpha(*CODERS, by="batch"), at_least=0.8)
    assert {"95% CI", "Note"} <= set(made.columns)
    assert made["At least 0.8"].iloc[1] == "undefined: only one category used"
    assert max(map(len, repr(made).splitlines())) <= 80
    assert "Weights" in table(SCORES.agree.kappa("a", "b", weights="linear"))


def test_what_is_refused() -> None:
    found = DF.agree.kappa("ann", "bob")
    bare = DF.agree.kappa("ann", "bob", ci=None)
    mistakes: dict[str, Callable[[], Any]] = {
        "this is a table already; give the result it was made from": lambda: table(table(found)),
        "this frame is not a result of df.agree: its columns are ['item', 'batch', 'text_length', 'ann']; give what a "
        "method of df.agree returned": lambda: table(DF),
        "expected a result of df.agree, which is a DataFrame, not a Series; for one column write "
        "result[['estimate']]": lambda: sentence(found["estimate"]),  # type: ignore[arg-type]
        "style='APA' is not known; use one of 'plain', 'apa'": lambda: table(found, style="APA"),  # type: ignore[arg-type]
        "digits=2.5 must be a whole number between 0 and 10": lambda: table(found, digits=2.5),  # type: ignore[arg-type]
        "at_least=80 is more than any coefficient can be; did you mean 0.8?": lambda: table(found, at_least=80),
        "at_least='0.8' must be a number; such as 0.8": lambda: interpret(found, at_least="0.8"),  # type: ignore[arg-type]
        "at_least= goes by the interval, and this result has none; compute it without ci=None, or with "
        "method='bca' where there is no other interval": lambda: interpret(bare, at_least=0.8),
        "at_least= goes by the interval, and there are no columns 'ci_low' and 'ci_high'; give the result with its "
        "interval": lambda: table(found[["estimate"]], at_least=0.8),
        "at_least= compares the interval with a number, and scale=, column= and probability= mean nothing; leave them "
        "out": lambda: interpret(found, "altman", at_least=0.8),
    }
    for message, call in mistakes.items():
        with pytest.raises(InputError) as raised:
            call()
        assert str(raised.value) == message


def test_hidden_characters_are_escapes() -> None:
    frame = pd.DataFrame({"a": list("xyxy"), "b": list("xyyy"), "\u202ebatch": ["\x1b[7mred"] * 4})
    result = frame.agree.kappa("a", "b", by="\u202ebatch")
    assert table(result).iloc[0, 0] == r"\x1b[7mred"
    assert "\x1b" not in str(table(frame.agree.confusion("a", "\u202ebatch")))
    assert table(result).columns[0] == r"\u202ebatch"
    assert sentence(result).startswith(r"\x1b[7mred: Cohen's kappa")
