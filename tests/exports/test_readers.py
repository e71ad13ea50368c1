"""What each reader makes of the records of its tool."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_agreement import AgreementWarning, read
from tests.exports import samples
from tests.exports.samples import annotation, answer, write


def rows(frame: pd.DataFrame, *names: str) -> list[tuple[Any, ...]]:
    return list(frame[list(names or ("item", "coder", "field", "label"))].itertuples(index=False, name=None))


def left_out(frame: pd.DataFrame) -> dict[str, int]:
    return frame.attrs["source"]["left_out"]


def test_label_studio() -> None:
    found = read(samples.LABEL_STUDIO)
    assert rows(found, "item", "coder", "field", "label", "kind") == [
        (1, "7", "tone", "good", "person"),
        (1, "7", "topic", frozenset({"price"}), "person"),
        (1, "6", "tone", "bad", "gold"),
        (1, "bob@here.org", "tone", "good", "person"),
        (1, "bob@here.org", "topic", frozenset({"price", "service"}), "person"),
        (2, "7", "tone", "bad", "person"),
        (2, "7", "stars", 4, "person"),
        (2, "9", "kinds", frozenset({"a / b", "c"}), "person"),
    ]
    reasons = {"cancelled": 1, "empty": 1, "spans": 2, "labels of a region": 1, "rectanglelabels (no label)": 1}
    assert left_out(found) == {**reasons, "by a model": 1}
    assert found["time"][0] == pd.Timestamp("2026-01-01 00:00:01", tz="UTC")


def test_label_studio_with_its_predictions() -> None:
    found = read(samples.LABEL_STUDIO, "tone", models=True)
    assert rows(found[found["kind"] == "model"]) == [(1, "m1", "tone", "bad")]


def test_spans_of_label_studio_are_a_row_each_and_nothing_marked_is_one_row_too() -> None:
    found = read(samples.LABEL_STUDIO, "ner")
    assert found.dtypes[["start", "end"]].tolist() == ["Int64", "Int64"]
    marked = found[found["start"].notna()]
    assert rows(marked, "item", "coder", "label", "start", "end") == [
        (1, "bob@here.org", "PER", 0, 3),
        (1, "bob@here.org", "AUTHOR", 0, 3),
    ]
    nothing = found[found["start"].isna()]
    assert rows(nothing, "item", "coder", "field") == [
        (1, "7", "ner"),
        (1, "6", "ner"),
        (2, "7", "ner"),
        (2, "9", "ner"),
        (2, "eve@here.org", "ner"),
    ]
    assert nothing["label"].isna().all()


def test_of_spans_that_a_coder_marked_again_the_newest_count() -> None:
    def marked(coder: int, time: str, *starts: int) -> dict[str, Any]:
        spans = [answer("ner", "labels", str(start), start=start, end=9, labels=["PER"]) for start in starts]
        return annotation(coder, spans, time)

    once, again, later = (f"2026-01-01T00:00:0{number}Z" for number in (1, 2, 3))
    first = [marked(7, again, 1), marked(7, once, 0, 4), marked(9, once, 0)]
    second = [marked(7, once, 0), {**marked(7, later, 5), "was_cancelled": True}, marked(7, again), marked(9, once, 3)]
    tasks = [{"id": number, "data": {}, "annotations": each} for number, each in enumerate((first, second))]
    found = read(tasks, "ner")
    marks = [(0, "9", 0), (0, "7", 1), (1, "9", 3), (1, "7", pd.NA)]
    assert rows(found, "item", "coder", "start") == marks
    assert left_out(found) == {"annotated again": 3, "cancelled": 1, "empty": 1}
    assert found.agree.spans().f1(iou=0.5)["n_spans"].tolist() == [3]


def test_a_span_without_a_character_says_that_the_text_was_seen() -> None:
    clicked = [{"start": 4, "end": 4, "label": "PER"}]
    found = read([samples.task(1, "ann", 1, spans=clicked), samples.task(1, "bob", 1, spans=[])], "spans")
    assert rows(found, "coder", "label", "start", "end") == [(who, None, pd.NA, pd.NA) for who in ("ann", "bob")]
    assert left_out(found) == {"span without a character": 1}


def test_json_min_needs_the_question() -> None:
    assert rows(read(samples.JSON_MIN, "tone")) == [(1, "9", "tone", "good"), (1, "7", "tone", "good")]
    assert left_out(read(samples.JSON_MIN, "tone")) == {"not done": 1, "no label": 1}
    assert rows(read(samples.JSON_MIN, "topic")) == [(1, "9", "topic", frozenset({"x", "y"}))]
    assert rows(read(samples.JSON_MIN, "stars")) == [(1, "7", "stars", 4)]
    assert rows(read(samples.JSON_MIN, "ner"), "item", "coder", "label", "start")[:1] == [(1, "9", None, pd.NA)]


def test_csv_of_label_studio(tmp_path: Path) -> None:
    path = write(tmp_path, "flat.csv", samples.FLAT_CSV)
    assert rows(read(path, "tone")) == [("1", "9", "tone", "01"), ("1", "7", "tone", "NA")]
    assert read(path, "topic")["label"].tolist() == [frozenset({"x", "y"}), frozenset({"x"})]
    assert read(path, "stars")["label"].tolist() == [5, 4]
    assert rows(read(path, "ner"), "label", "start", "end") == [("PER", 0, 3)] * 2


def test_prodigy() -> None:
    found = read(samples.PRODIGY)
    assert rows(found) == [
        (-1, "tone-bob", "choice", "x"),
        (-1, "tone-ann", "choice", "y"),
        (-1, "tone-ann", "choice", "x"),
        (-3, "tone-ann", "DOC", "reject"),
    ]
    assert found["time"][0] == pd.Timestamp(5, unit="s", tz="UTC")
    assert left_out(found) == {"answer ignore": 1, "answer reject": 1, "spans": 1, "no label": 1}
    spans = read(samples.PRODIGY, "spans")
    assert rows(spans, "item", "coder", "label", "start") == [(-4, "tone-ann", "PER", 2), (-4, "tone-bob", None, pd.NA)]


def test_choices_of_prodigy_are_sets_if_several_are_allowed() -> None:
    several = [{**record, "config": {"choice_style": "multiple"}} for record in samples.PRODIGY[:4]]
    labels = read(several)["label"].tolist()
    assert labels == [frozenset("x"), frozenset("y"), frozenset("x"), frozenset()]


def test_prodigy_takes_coders_from_the_files_if_they_have_no_names(tmp_path: Path) -> None:
    anonymous = samples.lines([samples.task(1, None, 1, accept=["x"])])
    paths = [write(tmp_path, f"{name}.jsonl", anonymous) for name in ("ann", "bob")]
    assert read(paths)["coder"].tolist() == ["ann", "bob"]
    packed = write(tmp_path, "cleo.jsonl.gz", gzip.compress(anonymous.encode()))
    assert read([*paths, packed])["coder"].tolist() == ["ann", "bob", "cleo"]
    assert read({"Ann": paths[0]})["coder"].tolist() == ["Ann"]


def test_coders_of_prodigy_named_by_a_time_are_warned_of() -> None:
    with pytest.warns(AgreementWarning) as caught:
        read([samples.task(1, "tone-2026-01-05_10-00-00", 1, accept=["x"])])
    assert caught[0].message.code == "session names"


@pytest.mark.parametrize("as_folder", [False, True])
def test_doccano(tmp_path: Path, as_folder: bool) -> None:
    path = tmp_path
    if as_folder:
        write(tmp_path, "ann.jsonl", samples.lines(samples.ANN))
        write(tmp_path, "bob.jsonl", samples.lines(samples.BOB))
        write(tmp_path, ".hidden", b"\x00")
    else:
        path = write(tmp_path, "doccano.zip", samples.FILES["doccano.zip"])
    found = read(path)
    assert rows(found) == [
        (1, "ann", "label", frozenset("x")),
        (1, "bob", "label", frozenset("x")),
        (2, "bob", "label", frozenset("xy")),
    ]
    assert left_out(found) == {"no label": 1}


def test_spans_of_doccano(tmp_path: Path) -> None:
    short = [{"id": 1, "text": "a", "label": [[0, 2, "ORG"]]}]
    long = [{"id": 1, "text": "a", "entities": [{"label": "ORG", "start_offset": 1, "end_offset": 2}], "cats": ["x"]}]
    files = {name: write(tmp_path, name, samples.lines(records)) for name, records in (("ann", short), ("bob", long))}
    found = read(files, "spans")
    assert rows(found, "coder", "label", "start", "end") == [("ann", "ORG", 0, 2), ("bob", "ORG", 1, 2)]


def test_csv_of_doccano_joins_labels(tmp_path: Path) -> None:
    labels = {"ann": "x", "bob": "x#y"}
    files = {name: write(tmp_path, f"{name}.csv", f"id,text,label\n1,a,{label}\n") for name, label in labels.items()}
    assert read(files, tool="doccano")["label"].tolist() == [frozenset("x"), frozenset("xy")]


def test_argilla() -> None:
    found = read(samples.ARGILLA)
    assert rows(found) == [
        ("r0", "u1", "tone", "good"),
        ("r0", "u1", "tags", frozenset("x")),
        ("r0", "u1", "rank.a", 1),
        ("r0", "u1", "rank.b", 2),
    ]
    assert left_out(found) == {"discarded": 1, "draft": 1, "by a model": 1}


def test_nested_records_of_argilla_have_no_status() -> None:
    with pytest.warns(AgreementWarning) as caught:
        found = read(samples.ARGILLA_NESTED, models=True, data="batch")
    assert caught[0].message.code == "no status"
    assert rows(found, "coder", "label") == [("u1", "good"), ("u2", "bad"), ("suggestion", "bad")]
    assert found["batch"].tolist() == ["w1"] * 3


def test_mechanical_turk(tmp_path: Path) -> None:
    path = write(tmp_path, "batch.csv", samples.MTURK)
    found = read(path)
    assert rows(found) == [
        ("H0", "W2", "tone", "None"),
        ("H0", "W2", "stars", 5),
        ("H0", "W2", "topic", frozenset("ps")),
        ("H0", "W1", "tone", "good"),
        ("H0", "W1", "stars", 4),
        ("H0", "W1", "topic", frozenset("p")),
    ]
    assert left_out(found) == {"rejected": 1}
    assert found["time"][0] == pd.Timestamp("2026-01-05 09:00", tz="UTC")
    assert read(path, "tone", item="Input.id")["item"].tolist() == ["d1", "d1"]


def test_custom_forms_of_mechanical_turk() -> None:
    assert rows(read(samples.MTURK_CUSTOM)) == [("H0", "W1", "tone", "good"), ("H0", "W1", "topic", "p")]


def test_promptfoo() -> None:
    with pytest.warns(AgreementWarning, match="A person judged 1 of 2 items, after seeing the score") as caught:
        found = read(samples.PROMPTFOO)
    assert caught[0].message.code == "corrections"
    judged = [("polite", "pass"), ("llm-rubric", "fail"), ("llm-rubric 2", "pass")]
    assert rows(found, "item", "coder", "label", "kind") == [
        *(("0/0", coder, label, "model") for coder, label in judged),
        ("0/0", "human", "fail", "person"),
        *(("0/1", coder, label, "model") for coder, label in judged),
    ]
    assert left_out(found) == {"not graded": 1}


@pytest.mark.parametrize("name", ["inspect.json", "inspect.eval"])
def test_inspect(tmp_path: Path, name: str) -> None:
    with pytest.warns(AgreementWarning, match="A person judged 1 of 2 items") as caught:
        found = read(write(tmp_path, name, samples.FILES[name]))
    assert caught[0].message.code == "corrections"
    assert rows(found) == [
        ("1", "judge", "score", "C"),
        ("1", "both", "score.a", 1),
        ("1", "both", "score.b", 0),
        ("1/2", "judge", "score", "C"),
        ("1/2", "bob", "score", "C"),
        ("1/2", "ann", "score", "I"),
    ]
    assert left_out(found) == {"unscored": 2}


def test_langfuse() -> None:
    found = read(samples.LANGFUSE)
    assert rows(found) == [
        ("o1", "u1", "helpful", "yes"),
        ("t1", "EVAL:gpt", "helpful", "yes"),
        ("t1", "EVAL:c1", "long", 0.5),
    ]
    without = [{**one, "dataType": None} for one in samples.LANGFUSE["data"]]  # older exports
    assert read(without)["label"].tolist() == ["yes", "yes", 0.5, 0]
    assert found["kind"].tolist() == ["person", "model", "model"]
    assert left_out(found) == {"TEXT (no label)": 1}


def test_csv_of_langfuse_lacks_the_author_and_has_the_end_user(tmp_path: Path) -> None:
    with pytest.warns(AgreementWarning) as caught:
        found = read(write(tmp_path, "scores.csv", samples.LANGFUSE_CSV))
    assert caught[0].message.code == "no author"
    assert rows(found, "coder", "label") == [("annotation", "yes"), ("EVAL:helpful", "no")]


def test_mlflow() -> None:
    found = read(pd.DataFrame(samples.MLFLOW))
    assert rows(found, "item", "coder", "label", "kind") == [
        ("t1", "u2", True, "gold"),
        ("t1", "u1", True, "person"),
        ("s1", "judge", False, "model"),
    ]
    assert left_out(found) == {"overridden": 1, "error": 1}
    assert found["time"].dt.year.tolist()[1:] == [2026, 2026]


def test_phoenix() -> None:
    found = read(samples.PHOENIX)
    assert rows(found, "coder", "label", "kind") == [
        ("judge", "no", "model"),
        ("CODE", 0.5, "model"),
        ("u1", "yes", "person"),
    ]
    assert left_out(found) == {"explanation only": 1}


def test_frame_of_phoenix_has_the_span_as_its_index() -> None:
    facts = {"annotation_name": "right", "annotator_kind": "HUMAN", "result.label": "yes", "result.score": None}
    frame = pd.DataFrame([facts], index=pd.Index(["s1"], name="span_id"))
    assert rows(read(frame)) == [("s1", "HUMAN", "right", "yes")]


def test_a_table_for_each_coder(tmp_path: Path) -> None:
    write(tmp_path, "ann.csv", "\ufeffid;code\r\n007;NA\r\n008; x \r\n009;\r\n")
    write(tmp_path, "bob.csv", "id,code\n007,NA\n010,x\n")
    found = read(tmp_path)
    assert rows(found) == [
        ("007", "ann", "code", "NA"),
        ("007", "bob", "code", "NA"),
        ("008", "ann", "code", " x "),
        ("010", "bob", "code", "x"),
    ]
    assert left_out(found) == {"no label": 1}


def test_a_sheet_for_each_coder(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    path = tmp_path / "labels.xlsx"
    with pd.ExcelWriter(path) as book:
        pd.DataFrame({"doc": ["01", "02"], "tone": ["NA", None]}).to_excel(book, sheet_name="ann", index=False)
        pd.DataFrame({"doc": ["01"], "tone": [3]}).to_excel(book, sheet_name="bob", index=False)
    found = read(path, "tone", item="doc")
    assert rows(found) == [("01", "ann", "tone", "NA"), ("01", "bob", "tone", 3)]
