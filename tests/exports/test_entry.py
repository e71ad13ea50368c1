"""The one shape of what `read` returns, and how its arguments work."""

from __future__ import annotations

import gc
import itertools
import json
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import InputError, read
from pandas_agreement.exports import entry, questions
from pandas_agreement.exports.tools import TABLE, TOOLS
from tests.exports import samples
from tests.exports.samples import write
from tests.helpers import every

COLUMNS = ["item", "coder", "field", "label", "kind", "time"]
SPAN_COLUMNS = [*COLUMNS[:4], "start", "end", *COLUMNS[4:], "length"]
EMPTY: dict[str, Any] = {
    "nothing": [],
    "nobody": [{"id": 1, "data": {}, "annotations": []}],
    "cancelled": [{"id": 1, "data": {}, "annotations": [samples.annotation(1, [], was_cancelled=True)]}],
    "skipped": [samples.task(1, "ann", 1, answer="ignore")],
    "pending": samples.ARGILLA[1:],
    "ungraded": [{"testIdx": 0, "promptIdx": 0, "gradingResult": None}],
}


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
def test_every_tool_is_recognised_and_has_one_shape(tmp_path: Path) -> None:
    empty = read([])

    def check(name: str, content: str | bytes) -> None:
        found = read(write(tmp_path, name, content))
        assert found.attrs["source"]["tool"] == name.partition(".")[0]
        of_spans = TOOLS[name.partition(".")[0]].carried
        assert list(found.columns) == (SPAN_COLUMNS if of_spans else COLUMNS)
        assert isinstance(found.index, pd.RangeIndex)
        assert found.dtypes[COLUMNS[1:]].equals(empty.dtypes[COLUMNS[1:]])
        assert len(found) > 1
        json.dumps(found.attrs)

    every({name: (name, content) for name, content in samples.FILES.items()}, check)
    assert {name.partition(".")[0] for name in samples.FILES} == {tool.name for tool in TABLE}


def test_nothing_to_read_is_an_empty_frame_of_the_same_shape() -> None:
    def check(source: Any) -> None:
        found = read(source, data=[])
        assert list(found.columns) == COLUMNS
        assert found.dtypes.equals(read([]).dtypes)
        assert found.empty
        assert isinstance(found.attrs["source"]["left_out"], dict)

    every({name: (source,) for name, source in EMPTY.items()}, check)
    assert str(read([]).dtypes["time"]) == "datetime64[ns, UTC]"


def test_items_are_numbers_only_if_all_are() -> None:
    tasks = [samples.task(1, "ann", 1, accept=["x"], doc=1), samples.task(2, "ann", 1, accept=["x"], doc="b")]
    assert read(tasks)["item"].dtype == "int64"
    assert read(tasks, item="doc")["item"].tolist() == ["1", "b"]


def test_items_and_data_are_looked_up_in_the_inputs() -> None:
    found = read(samples.LABEL_STUDIO, "tone", item="text", data=["batch"])
    assert found["item"].unique().tolist() == ["Ada wrote it.", "Left."]
    assert found["batch"].tolist() == ["w1", "w1", "w1", "w2"]
    cut = [{**samples.LABEL_STUDIO[0], "data": {"text": "cut \ud83d"}}]  # within a character that is two units
    assert set(read(cut, data="text")["text"]) == {"cut \ufffd"}


def test_labels_that_are_no_words_stay_as_they_are() -> None:
    words = ["", " ", "NA", "None", "0", True, 0, 1.5]
    tasks = [{"id": number, "responses": {"q": [{"value": word, "user_id": "u"}]}} for number, word in enumerate(words)]
    with pytest.warns(pandas_agreement.AgreementWarning):
        found = read(tasks)["label"].tolist()
    assert found == words
    assert [type(label) for label in found] == [type(word) for word in words]


def test_the_collector_of_cycles_rests_only_while_records_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the time of a large export went into it."""
    resting = []
    monkeypatch.setattr(entry, "tool_of", lambda parts: resting.append(not gc.isenabled()))
    for was_on in (False, True):
        (gc.enable if was_on else gc.disable)()
        read([])
        assert gc.isenabled() == was_on
    with pytest.raises(InputError):
        read(7)
    assert gc.isenabled()
    assert resting == [True, True]


def test_the_source_is_not_changed() -> None:
    before = json.dumps(samples.LABEL_STUDIO)
    read(samples.LABEL_STUDIO, "ner")
    assert json.dumps(samples.LABEL_STUDIO) == before


# ------------------------------------------------------------------------------------------------- df.agree.long()


def people() -> pd.DataFrame:
    found = read(samples.LABEL_STUDIO)
    return found[found["kind"] == "person"]


def test_long_finds_the_columns_by_their_names() -> None:
    tone = people().query("field == 'tone'")
    named = tone.agree.long(item="item", coder="coder", label="label").observed()
    assert named["estimate"].tolist() == [1.0]
    pd.testing.assert_frame_equal(tone.agree.long().observed(), named)
    pd.testing.assert_frame_equal(tone.agree.long(duplicates="last").observed(), named)
    with pytest.raises(InputError) as caught:
        tone.drop(columns="coder").agree.long()
    assert str(caught.value) == (
        "Long finds columns called 'item', 'coder', 'label', and there is no 'coder'. "
        "Name the columns: df.agree.long(item=..., coder=..., label=...)."
    )
    with pytest.raises(InputError, match="Long takes the columns of items, coders and labels by name"):
        tone.agree.long(item="item")


def test_several_questions_are_a_result_each() -> None:
    answers = people().query("field in ['tone', 'topic']")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # sets of one question and texts of another are never compared
        found = answers.agree.long().observed(by="field")
        pd.testing.assert_frame_equal(answers.groupby("field").agree.long().observed(), found)
    assert found["estimate"].to_dict() == {"tone": 1.0, "topic": 0.0}
    for by in (None, ["kind"]):
        with pytest.raises(InputError) as caught, pytest.warns(pandas_agreement.AgreementWarning):
            answers.agree.long().observed(by=by)
        assert caught.value.code == "several questions"
        assert str(caught.value) == (
            "Coder '7' answered several questions about an item. "
            "Column 'field' has 2 questions: keep one of them, or write by='field'."
        )
    twice = pd.concat([answers, answers.head(1)])
    with pytest.raises(InputError, match="duplicates='last'"):
        twice.agree.long().observed(by="field")


def test_answers_to_several_questions_are_not_repeated_judgments() -> None:
    """Neither the last of them is the answer, nor is their difference one of a coder with themselves."""
    tone = people().query("field == 'tone'")
    twice = pd.concat([tone, tone.assign(field="mood", label="bad")] * 2)
    for duplicates in ("first", "last", "set"):
        long = twice.agree.long(duplicates=duplicates)
        with pytest.raises(InputError, match="answered several questions"):
            long.observed()
        assert long.observed(by="field")["estimate"].to_dict() == {"mood": 1, "tone": 1}
    long = twice.agree.long()
    with pytest.raises(InputError, match="answered several questions"):
        long.retest(metrics="observed")
    assert long.retest(metrics="observed", by="field")["estimate"].eq(1).all()
    views = twice.head(len(twice) // 2).agree.long(), twice.agree.long(duplicates="last")
    for view, together in itertools.product(views, ("pooled", "report")):
        with pytest.raises(InputError) as caught:
            getattr(view, together)(by="field")
        assert caught.value.problem.startswith("the groups cannot be taken together: ")
        assert caught.value.remedy == "keep one group, or name the column of the groups in item= too"
    with pytest.raises(InputError, match=r"^The groups cannot be taken together: .*\. Leave out overall=True\.$"):
        twice.agree.long(duplicates="last").observed(by="field", overall=True)
    apart = twice.agree.long(item=["item", "field"], coder="coder", label="label", duplicates="last")
    assert apart.observed()["n_items"].tolist() == [2]


def test_what_read_returns_is_refused_without_its_format() -> None:
    """Else columns of items, coders and times would be coders."""
    tone, ner = read(samples.LABEL_STUDIO, "tone"), read(samples.LABEL_STUDIO, "ner")
    with pytest.raises(InputError) as caught:
        tone.agree.alpha()
    assert str(caught.value) == (
        "The frame has one row per judgment: a label for each 'item' and 'coder'. "
        "Use df.agree.long() in place of df.agree."
    )
    with pytest.raises(InputError, match=r"one row per span: .*Use df\.agree\.spans\(\) in place of df\.agree"):
        ner.agree.alpha()
    with pytest.raises(InputError, match=r"The frame has a row per span, and long .*\. Use df\.agree\.spans\(\), or"):
        ner.agree.long()
    with pytest.raises(InputError, match=r"its spans were left out\. Read them by their field: read\(\.\.\., 'ner'\)"):
        read(samples.LABEL_STUDIO).agree.spans()


def test_labels_of_two_kinds_within_a_question_are_warned_of() -> None:
    frame = pd.DataFrame({"item": [1, 1], "coder": ["a", "b"], "field": ["q", "q"], "label": ["x", frozenset("x")]})
    with pytest.warns(pandas_agreement.AgreementWarning, match="Labels of different kinds are compared"):
        frame.agree.long().observed(by="field")


def test_questions_count_what_is_shared() -> None:
    found = questions(read(samples.LABEL_STUDIO))
    assert found.loc["tone"].tolist() == [4, 2, 3, 1, ["good", "bad"]]
    assert found["shared"].tolist() == [1, 1, 0, 0]
    assert list(questions(read([])).columns) == ["labels", "items", "coders", "shared", "categories"]


def test_any_tool_can_be_forced() -> None:
    tasks = [{"id": 1, "completions": samples.LABEL_STUDIO[0]["annotations"]}]
    with pytest.raises(InputError, match="The data is a table"):
        read(tasks)
    assert len(read(tasks, "tone", tool="label_studio")) == 3
    assert set(TOOLS) == {tool.name for tool in TABLE} | {"coders"}
