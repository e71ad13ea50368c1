"""Label Studio: its JSON, with all annotations of a task, and the flat JSON-MIN and CSV with one row each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pandas_agreement.errors import InputError
from pandas_agreement.exports.row import Export, Found, Record, Row, every_key, unknown_field

SPANS = ("labels", "hypertextlabels")
FACTS = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time")  # columns of flat exports


def label_studio(record: Record, part: Export) -> Found:
    """The annotations and predictions of a task, or the one annotation of a flat row."""
    item = part.item_of(record, "id")
    if "annotation_id" in record:
        yield from _flat(record, part, item)
        return
    for annotation in record.get("annotations", record.get("completions")) or []:
        yield from _annotation(annotation, item)
    for prediction in record.get("predictions") or []:
        if isinstance(prediction, dict):  # else it is only a number
            blank = Row(item, prediction.get("model_version") or "prediction", kind="model")
            yield from _answers(prediction["result"], blank)


def _annotation(annotation: Record, item: Any) -> Found:
    by = annotation["completed_by"]
    coder = by.get("email") or by["id"] if isinstance(by, dict) else by
    if annotation.get("was_cancelled") or annotation.get("skipped"):
        yield "cancelled"
        return
    time = annotation.get("updated_at") or annotation.get("created_at")
    blank = Row(item, coder, kind="gold" if annotation.get("ground_truth") else "person", time=time)
    yield blank
    if not annotation["result"]:
        yield "empty"
    yield from _answers(annotation["result"], blank)


def _answers(results: Sequence[Record], blank: Row) -> Found:
    """The answers of one annotation; those about a region carry the number of the region."""
    regions = {result.get("id") for result in results if _is_region(result)} - {None}
    for result in results:
        kind, value = result["type"], result.get("value") or {}
        if kind in SPANS:
            yield from _spans(kind, value, blank._replace(field=result["from_name"]))
        elif kind not in LABELS:
            if "from_name" in result:  # a relation has none
                yield f"{kind} (no label)"
        elif result.get("id") in regions or "start" in value:
            yield "labels of a region"
        else:
            yield blank._replace(field=result["from_name"], label=LABELS[kind](value))


def _is_region(result: Record) -> bool:
    return result["type"].endswith("labels")


def _taxonomy(value: Record) -> list[str]:
    return [" / ".join(path) for path in value["taxonomy"]]


#: what the person chose, by the type of the question
LABELS = {
    "choices": lambda value: value["choices"],
    "rating": lambda value: value["rating"],
    "number": lambda value: value["number"],
    "pairwise": lambda value: value["selected"],
    "taxonomy": _taxonomy,
}


def _spans(kind: str, value: Record, blank: Row) -> Found:
    """One row per label of a span of text; sound and marked-up text without plain offsets have none."""
    place = value.get("globalOffsets", value)
    start, end = place.get("start"), place.get("end")
    if type(start) is not int or type(end) is not int:
        yield f"{kind} (no label)"
        return
    for label in value.get(kind) or [None]:
        yield blank._replace(label=label, start=start, end=end)


# ---------------------------------------------------------------------------------------- flat: a row per annotation


def _flat(record: Record, part: Export, item: Any) -> Found:
    coder = record.get("annotator")
    if coder in (None, ""):
        yield "not done"
        return
    coder = coder.get("email") or coder["id"] if isinstance(coder, dict) else coder
    time = record.get("updated_at") or record.get("created_at")
    blank = Row(item, coder, time=time)
    yield blank
    value = record.get(str(part.asked.field))
    value = _unpacked(value) if part.plain and isinstance(value, str) else value
    yield from _flat_answers(value, blank._replace(field=part.asked.field))


def _unpacked(text: str) -> Any:
    """A value that a CSV file holds as JSON."""
    if not text.startswith(('{"choices"', "[{")):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def _flat_answers(value: Any, blank: Row) -> Found:
    if isinstance(value, dict):
        yield blank._replace(label=value["choices"])
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for one in value:
            yield from _flat_answer(one, blank)
    else:
        yield blank._replace(label=value)


def _flat_answer(value: Record, blank: Row) -> Found:
    simple = next((kind for kind in ("rating", "number") if kind in value), None)
    if simple:
        yield blank._replace(label=value[simple])
        return
    kind = next((key for key in value if key.endswith("labels")), "region")
    yield from _spans(kind, value, blank) if kind in SPANS else [f"{kind} (no label)"]


def check_flat(parts: Sequence[Export]) -> None:
    """In flat exports questions cannot be told from inputs, so that the user has to name one."""
    keys = every_key(parts)
    if "annotation_id" not in keys or "annotations" in keys:
        return
    asked, columns = parts[0].asked.field, [key for key in keys if key not in FACTS]
    if asked is None:
        problem = f"this export of Label Studio does not tell questions from inputs: {', '.join(map(repr, columns))}"
        remedy = "name the question: field='...', or export JSON instead"
        raise InputError(problem, remedy, option="field", code="needs field")
    if asked not in columns:
        raise unknown_field(asked, columns)
