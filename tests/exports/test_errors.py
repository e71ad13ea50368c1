"""What `read` says of files and arguments that it cannot use."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_agreement import InputError, read
from pandas_agreement.exports import unpack
from tests.exports import samples
from tests.exports.samples import archive, lines, write
from tests.helpers import every

TASKS = samples.LABEL_STUDIO
ANONYMOUS = lines([samples.task(1, None, 1, accept=["x"])])
DEEP = "[" * 100_000 + "]" * 100_000

#: name of the file, what it holds, a part of the message
BAD_FILES: dict[str, tuple[str | bytes, str]] = {
    "cut.json": (json.dumps(TASKS, indent=1)[:200], "cut.json is broken at line "),
    "cut.jsonl": (lines(samples.PRODIGY)[:-5], f"cut.jsonl is broken at line {len(samples.PRODIGY)}: it is not JSON"),
    "latin.csv": ("id,label\n1,é".encode("latin-1"), "latin.csv is not text in UTF-8 (byte 11 is wrong)"),
    "deep.json": (DEEP, "deep.json is nested too deeply"),
    "long.json": (
        '[{"id": ' + "1" * 5000 + "}]",
        "long.json is nested too deeply, or holds a number of thousands of digits",
    ),
    "cut.zip": (samples.FILES["doccano.zip"][:-30], "The archive cut.zip is damaged or locked"),
    "cut.csv.gz": (gzip.compress(b"id,label\n1,a")[:-9], "The archive cut.csv.gz is damaged or locked"),
    "bare.zip": (archive({"_x": "{}"}), "The archive bare.zip holds no files"),
    "twice.zip": (archive({"a.zip": samples.FILES["doccano.zip"]}), "a.zip is an archive inside an archive"),
    "one.json": ('{"a": {"b": []}}', "one.json holds no list of records. Read the list within it"),
    "plain.csv": ("id,label\n1,a\n", "plain.csv is a table, not the export of a tool that is known (1 row)"),
    "uneven.csv": ("a,b\n1,2,3\n", "uneven.csv is neither JSON nor a table"),
    "null.json": ("null", "null.json is neither JSON nor a table"),
    "words.xlsx": ("not a workbook", "words.xlsx is neither JSON nor a table"),
    "tags.xml": ("<xml/>", "tags.xml is XML, which read does not know"),
    "toloka.tsv": ("INPUT:a\tASSIGNMENT:worker_id\tASSIGNMENT:task_id\nx\ty\tz\n", "is an export of Toloka"),
    "truth.json": ('[{"source": "a", "tone": 1, "tone-metadata": {}}]', "is an export of Ground Truth"),
    "survey.csv": ("ResponseId,Progress,Finished,Q1\nR,1,1,4\n", "is an export of Qualtrics"),
    "alone.jsonl": (ANONYMOUS, "alone.jsonl does not say who gave the answers. Export one dataset per coder"),
    "all.jsonl": (lines(samples.ANN), "all.jsonl holds the labels of all members together"),
    "all.zip": (
        archive({"all.jsonl": lines(samples.ANN), "ann.jsonl": lines(samples.ANN)}),
        "all.jsonl holds the labels",
    ),
    "sound.jsonl": (
        lines([samples.task(1, "ann", 1, audio_spans=[], _view_id="audio_manual")]),
        "The export holds no labels but only: regions",
    ),
    "boxes.json": (
        json.dumps([{"id": 1, "data": {}, "annotations": [samples.annotation(1, [samples.answer("box", "brush")])]}]),
        "The export holds no labels but only: brush",
    ),
    "flat.csv": (samples.FLAT_CSV, "does not tell questions from inputs: 'ner', 'stars', 'text', 'tone', 'topic'"),
}


def message(*given: Any, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        read(*given, **options)
    assert caught.value.remedy
    assert caught.value.code
    return str(caught.value)


def test_bad_files_are_named_with_the_remedy_but_without_their_folder(tmp_path: Path) -> None:
    def check(name: str, content: str | bytes, expected: str) -> None:
        found = message(write(tmp_path, name, content))
        assert expected in found
        assert str(tmp_path) not in found

    every({name: (name, *case) for name, case in BAD_FILES.items()}, check)


def test_what_an_archive_expands_to_is_limited_and_counted_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpack, "MAX_EXPANDED", 5_000_000)
    blanks = b" " * 3_000_000
    bomb = write(tmp_path, "bomb.json.gz", gzip.compress(blanks * 2))
    assert message(bomb).startswith("bomb.json.gz expands to more than 0.005 GB")
    for name, members in {"bomb.zip": ("a", "b"), "bomb.eval": ("samples/1.json", "samples/2.json")}.items():
        path = write(tmp_path, name, archive(dict.fromkeys(members, blanks)))
        assert "expands to more than 0.005 GB" in message(path)
    book = write(tmp_path, "bomb.xlsx", archive({"xl/workbook.xml": blanks, "xl/a.xml": blanks}))
    assert "bomb.xlsx expands to more than" in message(book)


def test_a_compression_that_cannot_be_opened_says_how_to_convert_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_such(*_: Any) -> None:
        raise NotImplementedError("That compression method is not supported")

    path = write(tmp_path, "log.eval", samples.eval_log())
    monkeypatch.setattr("zipfile.ZipFile.open", no_such)
    assert "inspect log convert --to json" in message(path)


def test_a_record_of_another_form_is_named_by_its_number_and_tool() -> None:
    for wrong in ({**TASKS[1], "annotations": [{"result": []}]}, {**TASKS[1], "annotations": 4}, 7, None):
        assert message([*TASKS, wrong]).startswith("Record 4 of the data is not as Label Studio writes it (")
    nested = {"id": 1, "responses": {"q": [{"value": {"a": 1}, "user_id": "u"}]}}
    assert "(TypeError: 'a label is a dict'). If another tool wrote it, name it: tool='...'" in message([nested])
    graded = {"testIdx": 0, "promptIdx": 0, "gradingResult": {"componentResults": [{"pass": "no"}]}}
    assert "KeyError: 'no'" in message([graded])
    for start, end in ((2.5, 4), (0, 1 << 70), ("0", "4")):
        marked = samples.task(1, "ann", 1, spans=[{"start": start, "end": end, "label": "PER"}])
        assert f"ValueError: {f'a span is from {start!r} to {end!r}'!r}" in message([marked], "spans")
    two = samples.task(1, "ann", 1, spans=[{"start": 0, "end": 4, "label": ["PER"]}])
    assert "TypeError: 'a label is a list'" in message([two], "spans")
    cut = [{**TASKS[0], "annotations": [samples.annotation(1, samples.tone("good \ud83d"))]}]
    assert "ValueError: \"the label is 'good " in message(cut)
    assert "ValueError: 'there is no item'" in message([{**TASKS[0], "id": None}])


def test_arguments(tmp_path: Path) -> None:
    missing = tmp_path / "none.json"
    assert message(missing) == "none.json cannot be read: no such file or directory. Check the path."
    assert message("a\0b").endswith("cannot be read: not a path. Check the path.")
    (tmp_path / "empty").mkdir()
    assert message(tmp_path / "empty").startswith("The folder 'empty' holds no files")
    assert message(7).startswith("Read takes a path, a list of paths, a folder, records or a DataFrame, not an int")
    assert message(TASKS, "tona") == "There is no question 'tona'. Did you mean 'tone'?"
    assert message(TASKS, tool="labelstudio").startswith("tool='labelstudio' is not known. Use one of 'label_studio'")
    assert message(TASKS, data="bacth") == "No record has 'bacth'. Did you mean 'batch'?"
    assert message(TASKS, item="txt") == "No record has 'txt'. Did you mean 'text'?"
    assert message(samples.JSON_MIN, "ton").startswith("There is no question 'ton'. Did you mean 'tone'?")
    with pytest.raises(InputError, match="field=3 must be text"):
        read(TASKS, 3)
    assert message(TASKS, data="label").startswith("data='label' must name inputs")
    assert message(TASKS, data=3).startswith("data=3 must name inputs")
    assert message(TASKS, models=["m1"]).startswith("models=['m1'] must be True or False. Choose coders in the result")


def test_a_path_may_begin_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path, "tasks.json", json.dumps(TASKS))
    assert len(read("~/tasks.json")) == len(read(TASKS))


def test_tables_of_coders_whose_columns_are_not_clear(tmp_path: Path) -> None:
    def files(head: str, row: str = "1,a,b") -> dict[str, Path]:
        return {name: write(tmp_path, f"{name}.csv", f"{head}\n{row}\n") for name in ("ann", "bob")}

    assert "Ann has both 'label' and 'code' among its columns, so that the label" in message(files("id,label,code"))
    assert "Name the column: item='...'. There are: 'x', 'label', 'z'" in message(files("x,label,z"))
    assert message(files("id,label,z"), "tone") == "There is no question 'tone'. There are: 'id', 'label', 'z'."


def test_two_files_of_one_name_are_not_one_coder(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, "labels.csv", "id,label\n1,x\n")
    assert message(tmp_path).startswith("Two files are called 'labels', and their names are those of the coders")


def test_files_of_several_tools_are_not_mixed(tmp_path: Path) -> None:
    paths = [write(tmp_path, name, samples.FILES[name]) for name in ("argilla.json", "prodigy.jsonl")]
    assert message(paths).startswith("The files come from several tools: argilla.json (Argilla), prodigy.jsonl")


def test_nothing_is_evaluated(tmp_path: Path) -> None:
    code = "__import__('os').system('touch ran')"
    path = write(tmp_path, "x.csv", f'annotation_id,annotator,id,tone\n1,2,3,"{code}"\n')
    assert read(path, "tone")["label"].tolist() == [code]
    with pytest.raises(InputError):
        read(pd.DataFrame({"a": [code]}))
