"""The one shape of what `read` returns, and how its arguments work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import InputError, read
from pandas_agreement.exports import questions
from pandas_agreement.exports.tools import TABLE, TOOLS
from tests.exports import samples
from tests.exports.samples import write
from tests.helpers import every

COLUMNS = ["item", "coder", "field", "label", "kind", "time"]
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
        assert list(found.columns) == COLUMNS
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


def test_labels_that_are_no_words_stay_as_they_are() -> None:
    words = ["", " ", "NA", "None", "0", True, 0, 1.5]
    tasks = [{"id": number, "responses": {"q": [{"value": word, "user_id": "u"}]}} for number, word in enumerate(words)]
    with pytest.warns(pandas_agreement.AgreementWarning):
        found = read(tasks)["label"].tolist()
    assert found == words
    assert [type(label) for label in found] == [type(word) for word in words]


def test_the_source_is_not_changed() -> None:
    before = json.dumps(samples.LABEL_STUDIO)
    read(samples.LABEL_STUDIO, "ner")
    assert json.dumps(samples.LABEL_STUDIO) == before


def test_agreement_of_an_export_in_one_line() -> None:
    found = read(samples.LABEL_STUDIO, "tone")
    people = found[found["kind"] == "person"]
    assert people.agree.long(item="item", coder="coder", label="label").observed()["estimate"].tolist() == [1.0]


def test_questions_count_what_is_shared() -> None:
    found = questions(read(samples.LABEL_STUDIO))
    assert found.loc["tone"].tolist() == [4, 2, 3, 1, ["good", "bad"]]
    assert found["shared"].tolist() == [1, 1, 0, 0]
    assert list(questions(read([])).columns) == ["labels", "items", "coders", "shared", "categories"]


def test_any_tool_can_be_forced() -> None:
    tasks = [{"id": 1, "completions": samples.LABEL_STUDIO[0]["annotations"]}]
    with pytest.raises(InputError, match="the data is a table"):
        read(tasks)
    assert len(read(tasks, "tone", tool="label_studio")) == 3
    assert set(TOOLS) == {tool.name for tool in TABLE} | {"coders"}
