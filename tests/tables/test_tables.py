"""Results as tables and sentences: every result, whole or cut down, keeps what has a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import AgreementWarning, InputError, interpret, sentence, table
from pandas_agreement.breakdown.diagnose import ADVICE
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.tables import BESIDE
from pandas_agreement.tables.columns import HEADERS, KNOWN, LEVELS, UNBOUNDED, header
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
RESULTS: dict[str, Callable[..., pd.DataFrame]] = {
    "groups": lambda **more: DF.agree.kappa("ann", "bob", by="batch", overall=True, **more),
    "weights": lambda **more: SCORES.agree.kappa("a", "b", weights="linear", **more),
    "summary": lambda **more: DF.agree.summary(*CODERS, by="batch", **more),
    "pairs": lambda **more: DF.agree.by_pair(*CODERS, by="batch", **more),
    "categories": lambda **more: DF.agree.by_category(*CODERS, **more),
    "items": lambda **more: DF.agree.by_item(*CODERS, **more).head(),
    "disagreements": lambda **more: DF.agree.disagreements(*CODERS, **more).head(),
    "coders": lambda **more: DF.agree.by_coder(*CODERS, **more),
    "margins": lambda **more: DF.agree.margins(*CODERS, **more),
    "tests": lambda **more: DF.agree.test.margins(*CODERS, **more),
    "compare": lambda **more: DF.agree.compare(["ann", "bob"], ["ann", "dev"], **more),
    "chance": lambda **more: DF.agree.test.chance(*CODERS, **more),
    "groups differ": lambda **more: DF.agree.test.groups("ann", "bob", by="batch", **more),
    "groups compared": lambda **more: DF.agree.compare("ann", "bob", by="batch", **more),
    "limits": lambda **more: SCORES.agree.bland_altman(**more),
    "icc": lambda **more: SCORES.agree.icc(**more),
    "ccc": lambda **more: SCORES.agree.by_pair(metrics="ccc", **more),
    "rankings": lambda **more: SCORES.agree.kendall_w(**more),
    "pooled": lambda: DF.agree.pooled("ann", "bob", by="batch"),
    "versus": lambda **more: judged().versus_humans(**more),
    "versus by human": lambda **more: judged().versus_humans(by_human=True, **more),
    "ceilings": lambda **more: judged().ceilings(**more),
    "accuracy": lambda **more: judged().accuracy(reference="majority", **more),
    "error rates": lambda **more: judged().error_rates(reference="majority", **more),
    "alt test": lambda **more: judged().alt_test(annotators="expert", **more),
    "truth items": lambda **more: DF.agree.truth(*CODERS).by_item(**more).head(),
    "truth coders": lambda **more: DF.agree.truth(*CODERS, method="dawid_skene").by_coder(**more),
    "truth summary": lambda: DF.agree.truth(*CODERS).summary(),
    "queue": lambda: DF.assign(text="a long text that nobody wants to see " * 3).agree.truth(*CODERS).queue().tail(),
    "strengths": lambda **more: verdicts().strengths(**more),
}
CALLS: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in RESULTS]
CALLS += [(name, {"detail": True}) for name, call in RESULTS.items() if call.__code__.co_flags & 8]  # it has **more


@pytest.mark.parametrize(("kind", "options"), CALLS)
@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
def test_every_result_has_a_table(kind: str, options: dict[str, Any]) -> None:
    result = RESULTS[kind](**options)
    before = result.copy()
    made = table(result, style="apa")
    assert type(made) is pd.DataFrame
    assert len(made) == len(result)
    assert made.columns.is_unique
    assert all(isinstance(cell, str) for row in made.to_numpy() for cell in row)
    check_nothing_is_lost(made, result)
    assert len(sentence(result).splitlines()) == len(result)
    pd.testing.assert_frame_equal(result, before)


def check_nothing_is_lost(made: pd.DataFrame, result: pd.DataFrame) -> None:
    """A column with values has a header, or is a bound within another cell."""
    for name in set(result.columns) - {"estimate", "weights", *BESIDE}:
        has_values = not (result[name].isna() | (result[name] == "")).all()
        joined = name.endswith(("_low", "_high", "ci_level")) and any("CI" in head for head in made.columns)
        assert joined or not has_values or any(head.startswith(header(name)) for head in made), name
    numbers = result["estimate"].notna().sum() if "estimate" in result else 0
    assert (made.iloc[:, [*result.index.names].count(None) :] != "").any(axis=1).sum() >= numbers


def test_columns_that_are_left_out() -> None:
    found = DF.agree.kappa("ann", "bob", by="batch", detail=True)
    made = table(found.assign(remarks="few items: 20"))
    assert {"Missing", "CI method", "Weights", "Kappa max"} <= set(made)
    assert not {"Remarks", "CI level", "CI low", "Note"} & set(made)  # a sentence, in a header, in a cell, empty
    assert made.columns.is_unique
    chosen = table(found[["estimate", "missing", "remarks", "weights", "ci_level"]].assign(remarks="few items: 20"))
    assert chosen.columns.tolist() == ["batch", "Kappa", "Missing", "Remarks", "Weights", "CI level"]


def test_the_level_of_each_label_column_where_they_differ() -> None:
    """An APA table of several variables: the levels are in the attrs, so that the result keeps its columns."""
    long = pd.DataFrame({"doc": [1, 1, 2, 2, 3, 3, 4, 4], "who": ["a", "b"] * 4})
    long = long.assign(tone=[1, 2, 2, 2, 3, 3, 1, 1], topic=list("xxyyxyxx"))
    of = long.agree.long(item="doc", coder="who", label=["tone", "topic"])
    made = table(of.alpha(level={"tone": "ordinal", "topic": "nominal"}), style="apa")
    assert made.columns[:4].tolist() == ["Field", "Level", "Krippendorff's alpha", "95% CI"]
    assert made["Level"].tolist() == ["ordinal", "nominal"]
    kappas = of.kappa(weights={"tone": "linear", "topic": "nominal"})
    assert table(kappas)["Weights"].tolist() == ["linear", "nominal"]
    assert table(kappas.iloc[::-1].reset_index())["Weights"].tolist() == ["nominal", "linear"]
    assert sentence(kappas).splitlines()[0].startswith("tone: Kappa = .")
    assert "weights linear" in sentence(kappas).splitlines()[0]
    assert "weights" not in sentence(kappas).splitlines()[1]
    assert "Level" not in table(of.alpha(level="nominal"))
    assert "Weights" not in table(kappas.iloc[:1])


def test_names_of_columns_are_those_of_schemas() -> None:
    """A renamed column must not fall out of the tables unseen."""
    assert {*UNBOUNDED, *QUIET, *TOLD} <= set(KNOWN)
    assert HEADERS.keys() <= set(KNOWN) | LEVELS


def test_cells() -> None:
    found = DF.agree.summary(*CODERS, metrics=["kappa", "alpha"], detail=True)
    plain, apa = table(found), table(found, style="apa", digits=3)
    assert plain["Coefficient"].tolist() == ["Conger's kappa", "Krippendorff's alpha"]
    assert plain["95% CI"].tolist() == ["[0.46, 0.55]", "[0.47, 0.55]"]
    assert apa[["Estimate", "95% CI", "n"]].iloc[1].tolist() == [".509", "[.467, .550]", "580"]
    two = DF.agree.summary("ann", "bob", metrics=["kappa", "pi"], detail=True)
    assert table(two)["Coefficient"].tolist() == ["Cohen's kappa", "Scott's pi"]
    assert "90% CI" in table(DF.agree.kappa("ann", "bob", ci=0.9))


def test_facts_come_from_levels_then_columns_then_attrs() -> None:
    found = DF.agree.alpha(*CODERS, by="batch")
    assert table(found).columns[:3].tolist() == ["batch", "Krippendorff's alpha", "95% CI"]
    bare = pd.DataFrame(found)
    bare.attrs = {}
    assert table(bare).columns[:3].tolist() == ["batch", "Estimate", "CI"]
    assert sentence(bare.head(1)) == "2026-w01: estimate = .26, CI [.17, .37], 94 items"
    both = pd.concat({"kappa": DF.agree.kappa("ann", "bob", by="batch"), "alpha": found}, names=["coefficient"])
    both.attrs = found.attrs  # which are wrong now
    assert table(both).columns[:3].tolist() == ["Coefficient", "batch", "Estimate"]
    assert table(both.reset_index()).equals(table(both))
    levels = found.assign(ci_level=[0.9] * len(found))
    assert "90% CI" in table(levels)
    assert "CI level" in table(levels.assign(ci_level=np.linspace(0.8, 0.9, len(found))))


def test_numbers_that_would_show_as_zero() -> None:
    values = [0.0034, -0.0034, 0.0, 1e-16, 0.006, 2e-7, np.nan]
    found = pd.DataFrame({"estimate": values, "ci_low": -0.00012, "ci_high": 0.5, "p_value": 0.0002})
    made = table(found)
    assert made["Estimate"].tolist() == ["0.0034", "-0.0034", "0.00", "0.00", "0.01", "2.0e-07", ""]
    assert made["CI"].iloc[0] == "[-0.00012, 0.50]"
    assert made["p"].iloc[0] == "< 0.001"
    apa = table(found, style="apa", digits=3)
    assert apa["Estimate"].tolist()[:3] == [".003", "-.003", ".000"]
    assert apa["p"].iloc[0] == "< .001"


def test_apa_keeps_the_zero_of_numbers_that_may_exceed_1() -> None:
    limits = pd.DataFrame({"bias": [0.1], "bias_low": -0.2, "bias_high": 0.4, "sd": 0.5, "lower": -0.9, "upper": 0.8})
    made = table(limits.set_axis(pd.MultiIndex.from_tuples([("a", "b")], names=["coder_1", "coder_2"])), style="apa")
    assert made.columns.tolist() == ["Coder 1", "Coder 2", "Bias [CI]", "SD", "Lower", "Upper"]
    assert made.iloc[0, 2:].tolist() == ["0.10 [-0.20, 0.40]", "0.50", "-0.90", "0.80"]
    strengths = table(verdicts().strengths(), style="apa")
    assert strengths["Estimate"].str.lstrip("-").str.startswith("0.").all()
    perfect = pd.DataFrame({"a": list("xyxy"), "b": list("xyxy")}).agree.kappa()
    assert table(perfect, style="apa")["Estimate"].tolist() == ["1.00"]


def test_every_coefficient_has_a_name() -> None:
    names = list(REGISTRY)
    frame = pd.DataFrame({"estimate": 0.5}, index=pd.Index(names, name="coefficient"))
    shown = table(frame)["Coefficient"]
    assert shown.is_unique
    assert not set(shown) & set(names)


def test_results_that_were_cut_down() -> None:
    found = DF.agree.summary(*CODERS)
    assert table(found[["estimate", "n_items"]]).columns.tolist() == ["Coefficient", "Estimate", "n"]
    assert table(found[["n_items", "estimate"]]).columns.tolist() == ["Coefficient", "n", "Estimate"]
    assert table(found.reset_index()).equals(table(found))
    assert table(found.round(2)).equals(table(found))
    assert len(table(found.query("estimate > 0.55"))) == 3
    words = found[["estimate"]].assign(words=interpret(found))
    assert table(words).columns.tolist() == ["Coefficient", "Estimate", "words"]
    assert table(found.head(0)).empty
    assert sentence(found[["estimate"]].head(1)) == "Observed agreement = .67"
    counts = pd.concat([found, found.drop(columns="n_items")])  # whole numbers are floats now
    assert table(counts)["n"].iloc[[0, -1]].tolist() == ["580", ""]
    both = pd.concat({"a": found, "b": found}, names=["half"])
    assert table(both).columns.tolist() == ["half", *table(found).columns]


def test_keys_of_the_user_are_as_they_are() -> None:
    made = table(DF.rename(columns={"batch": "about"}).agree.kappa("ann", "bob", by="about"))
    assert made.columns[0] == "about"
    ways = ["score", "bca"]
    both = pd.concat([DF.agree.kappa("ann", "bob")] * 2, keys=ways, names=["method"])
    assert table(both)["Method"].tolist() == [way.capitalize() for way in ways]


def test_findings_have_their_advice() -> None:
    found = DF.agree.diagnose(*CODERS)
    made = table(found)
    assert made["Advice"].tolist() == [ADVICE[name] for name in found.index]
    assert made["Finding"].tolist() == found.index.tolist()
    assert {"About", "Estimate", "CI"} <= set(made.columns)
    assert "Advice" not in table(found[["about", "estimate"]])
    told = DF.agree.diagnose(*CODERS, detail=True)
    assert table(told)[["Evidence", "Advice"]].to_numpy().tolist() == told[["evidence", "advice"]].to_numpy().tolist()
    assert sentence(told).splitlines()[0].endswith(f"{told['evidence'].iloc[0]}. Advice: {told['advice'].iloc[0]}.")
    assert sentence(found.iloc[1:2]).startswith(f"{found.index[1]}, {found['about'].iloc[1]}: estimate = ")


def test_a_name_may_be_a_label_in_one_result_and_a_number_in_another() -> None:
    """`favours` is a category of coders and a difference of rates, `baseline` an answer and an agreement."""
    numbers = DF[CODERS].apply(lambda column: column.map({"bug": 1.5, "complaint": 2, "question": 3, "request": 4}))
    favoured = table(numbers.agree.by_coder(level="nominal")[["favours", "n_items"]])["Favours"]
    assert set(favoured) <= {"1.5", "2", "3", "4"}
    rates = judged().error_rates(reference="majority")
    assert table(rates[["sensitivity", "favours"]].round(4))["Favours"].iloc[0] == f"{rates['favours'].iloc[0]:.2f}"
    versus = judged().versus_humans(detail=True)
    assert table(versus[["estimate", "ceiling", "baseline"]].assign(baseline=0.123456))["Baseline"].tolist() == ["0.12"]
    assert "baseline" not in sentence(versus)


def test_matrices() -> None:
    """Confusion tables, pairs unstacked, and the probabilities of words."""
    confusion = DF.agree.confusion("ann", "bob")
    made = table(confusion)
    assert made.columns.tolist() == [r"ann \ bob", "bug", "complaint", "question", "request"]
    assert made.iloc[0].tolist() == ["bug", "147", "5", "19", "9"]
    assert sentence(confusion).splitlines()[0] == "ann bug: bob bug = 147, complaint = 5, question = 19, request = 9"
    shares = confusion / confusion.to_numpy().sum()
    assert table(shares, style="apa").iloc[0, 1] == ".35"
    pairs = DF.agree.by_pair(*CODERS).estimate.unstack()
    assert table(pairs).iloc[0].tolist() == ["ann", "0.61", "0.59", "0.46"]
    assert "" in table(pairs)["bob"].tolist()
    many = pd.DataFrame({"a": np.arange(90) % 30, "b": np.arange(90) // 3}).agree.confusion("a", "b")
    many.iloc[7, 3] += 5000
    assert table(many).iloc[7, 4] == "5,000"
    assert sentence(many).splitlines()[7] == "a 7: b 2 = 1, 3 = 5,000, 12 = 1, 22 = 1"
    assert sentence(many * 0).splitlines()[0] == "a 0: b none"
    words = table(interpret(DF.agree.alpha(*CODERS), detail=True))
    assert words.columns.tolist() == ["Coefficient", "Word", "reliable", "tentative", "unreliable"]
    assert words.iloc[0].tolist() == ["Krippendorff's alpha", "unreliable", "0.00", "0.00", "1.00"]


def test_sentences() -> None:
    assert sentence(DF.agree.alpha(*CODERS)) == "Krippendorff's alpha = .51, 95% CI [.47, .55], 580 items"
    numbers = SCORES.round().astype(int)
    assert "level ordinal" in sentence(numbers.agree.alpha(level="ordinal"))
    assert "weights linear" in sentence(numbers.agree.kappa("a", "b", weights="linear", detail=True))
    versus = sentence(judged().versus_humans())
    assert "difference = -.15, 95% CI [-.22, -.09], ceiling = .58, verdict = worse, 423 items" in versus
    df = DF[DF["batch"] < "2026-w03"].assign(bob="bug")
    df.loc[df["batch"] == "2026-w01", "ann"] = "bug"
    with pytest.warns(AgreementWarning):
        found = df.agree.kappa("ann", "bob", by="batch", detail=True)
    assert sentence(found, style="plain").splitlines() == [
        "2026-w01: Cohen's kappa is undefined: only one category used, 100 items, 2 coders",
        "2026-w02: Cohen's kappa = 0.00, no interval (constant coder: no se), 87 items, 2 coders",
    ]
    bare = found.drop(columns=["remarks", "n_coders"])
    assert sentence(bare).splitlines()[0].endswith("undefined: one category, 100 items")


def test_large_enough() -> None:
    found = pd.DataFrame(
        {
            "estimate": [0.9, 0.8, 0.6, 0.8, np.nan, 0.0],
            "ci_low": [0.8, 0.7, 0.5, 0.1 + 0.2 + 0.5, np.nan, np.nan],
            "ci_high": [0.95, 0.9, 0.79, 0.9, np.nan, np.nan],
            "note": ["", "", "", "", "one category", "constant"],
        }
    )
    answers = ["yes", "not settled", "no", "yes", "undefined: one category", "no interval: constant"]
    assert interpret(found, at_least=0.8).tolist() == answers
    made = table(found, at_least=0.8)
    assert made["At least 0.8"].tolist() == answers
    assert made.columns.tolist() == ["Estimate", "CI", "At least 0.8", "Note"]
    assert interpret(found, at_least=0.8).index.equals(found.index)


def test_what_is_refused() -> None:
    found = DF.agree.kappa("ann", "bob")
    bare = DF.agree.kappa("ann", "bob", ci=None)
    mistakes: dict[str, Callable[[], Any]] = {
        "This is a table already. Give the result it was made from.": lambda: table(table(found)),
        "This frame is not a result of df.agree: its columns are ['item', 'batch', 'text_length', 'ann']. Give what a "
        "method of df.agree returned.": lambda: table(DF),
        "Expected a result of df.agree, which is a DataFrame, not a pandas Series. For one column write "
        "result[['estimate']].": lambda: sentence(found["estimate"]),  # type: ignore[arg-type]
        "style='APA' is not known. Use one of 'plain', 'apa'.": lambda: table(found, style="APA"),  # type: ignore[arg-type]
        "digits=2.5 must be a whole number between 0 and 10.": lambda: table(found, digits=2.5),  # type: ignore[arg-type]
        "at_least=80 is higher than any coefficient can be. Did you mean 0.8?": lambda: table(found, at_least=80),
        "at_least='0.8' must be a number, such as 0.8.": lambda: interpret(found, at_least="0.8"),  # type: ignore[arg-type]
        "at_least= needs the interval, and this result has none. Compute it without ci=None, or with "
        "method='bca' where there is no other interval.": lambda: interpret(bare, at_least=0.8),
        "at_least= needs the interval, and there are no columns 'ci_low' and 'ci_high'. Give the result with its "
        "interval.": lambda: table(found[["estimate"]], at_least=0.8),
        "at_least= compares the interval with a number, and benchmark=, column=, probability= and detail= mean "
        "nothing. Leave them out.": lambda: interpret(found, "altman", at_least=0.8),
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
    assert sentence(result).startswith(r"\x1b[7mred: Kappa")


def test_tables_are_written_by_pandas() -> None:
    made = table(DF.agree.alpha(*CODERS, by="batch").head(1), digits=3)
    assert "<td>0.260</td>" in made.to_html(index=False)
    pytest.importorskip("jinja2", reason="to_latex needs it")
    assert r"95\% CI" in made.to_latex(index=False, escape=True)
    pytest.importorskip("tabulate", reason="to_markdown needs it")
    assert made.to_markdown(index=False, disable_numparse=True).splitlines()[2].split()[3] == "0.260"
