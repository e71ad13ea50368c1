"""Prodigy, doccano, Argilla, Mechanical Turk, and files of one coder each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from pandas_agreement.errors import InputError, Remark
from pandas_agreement.exports.row import Export, Found, Record, Row, unknown_field

# ------------------------------------------------------------------------------------------------------------ Prodigy

CHECKED = ("classification", "binary")  # views in which the task is accepted or rejected, whatever it shows
A_TIME = re.compile(r"\d{4}-\d\d-\d\d[T_ ]\d\d[-:]\d\d[-:]\d\d")


def prodigy(record: Record, part: Export) -> Found:
    """The answer to one task."""
    answer, coder = record["answer"], record.get("_annotator_id") or record.get("_session_id") or part.coder
    if coder is None:
        problem = f"{part.name} does not say who gave the answers"
        remedy = "export one dataset per coder and read the files together: read(['ann.jsonl', 'bob.jsonl'])"
        raise InputError(problem, remedy, code="no coder")
    if answer == "ignore":
        yield "answer ignore"
        return
    blank = Row(part.item_of(record, "_input_hash"), coder, time=record.get("_timestamp"))
    view = record.get("_view_id")
    if str(view).endswith("_manual") and not _is_marked(record):
        yield "regions (no label)"  # of sound or a film
    elif view in CHECKED or not _is_marked(record):
        yield blank._replace(field=record.get("label", "answer"), label=answer)
    elif answer == "reject":
        yield "answer reject"
    elif view == "choice" or "accept" in record:
        several = (record.get("config") or {}).get("choice_style") == "multiple"
        chosen = record.get("accept") or []
        yield blank._replace(field="choice", label=frozenset(chosen) if several else chosen)
    else:
        yield blank
        yield from _offsets(record["spans"] or [], blank, "start", "end")


def _is_marked(record: Record) -> bool:
    """Whether the coder chose options or marked spans."""
    return record.get("_view_id") == "choice" or "accept" in record or "spans" in record


def _offsets(spans: Iterable[Record], blank: Row, start: str, end: str) -> Found:
    for span in spans:
        if span.get(start) is not None and span.get(end) is not None:
            yield blank._replace(field="spans", label=span.get("label"), start=span[start], end=span[end])
        else:
            yield "regions (no label)"


def session_names(frame: pd.DataFrame, first: Record) -> Remark | None:
    """Whether coders are named by the time at which they began."""
    times = [name for name in frame["coder"].unique() if A_TIME.search(name)]
    if not times:
        return None
    problem = f"a coder is named by a time, such as {times[0]!r}: one person may have several such names"
    return Remark(problem, "name annotators in Prodigy with ?session=ann, or rename them here", "session names")


# ------------------------------------------------------------------------------------------------------------ doccano


def doccano(record: Record, part: Export) -> Found:
    """The labels and spans that a member gave a text."""
    blank = Row(part.item_of(record, "id"), part.coder)
    label = record.get("label")
    if isinstance(label, str):
        label = label.split("#") if part.plain else [label]
    answers = [*(label or []), *(record.get("cats") or [])]
    labels = [one for one in answers if isinstance(one, str)]
    spans = [one for one in [*answers, *(record.get("entities") or [])] if not isinstance(one, str)]
    yield blank
    if labels:
        yield blank._replace(field="label", label=labels)
    elif not spans:
        yield "no label"
    yield from _offsets(map(_span, spans), blank, "start_offset", "end_offset")


def _span(span: Any) -> Record:
    """A span as a record: short ones are [start, end, label]."""
    if isinstance(span, Mapping):
        return span
    start, end, label = span
    return {"start_offset": start, "end_offset": end, "label": label}


def check_members(parts: Sequence[Export]) -> None:
    """Raise unless there is one file per member."""
    shared = [part.name for part in parts if part.coder in (None, "all")]
    if shared:
        problem = f"{shared[0]} holds the labels of all members together, without their names"
        remedy = "switch off the project's setting 'share annotations' and export again, which makes a file per member"
        raise InputError(problem, remedy, code="no coder")


# ------------------------------------------------------------------------------------------------------------ Argilla


def argilla(record: Record, part: Export) -> Found:
    """The responses to a record, and its suggestions."""
    item = part.item_of(record, "id")
    yield from _nested(record, item) if "responses" in record else _flattened(record, item)


def _nested(record: Record, item: Any) -> Found:
    for question, responses in (record["responses"] or {}).items():
        for response in responses or []:
            yield from _values(question, response["value"], Row(item, response["user_id"]))
    for question, suggestion in (record.get("suggestions") or {}).items():
        yield from _suggestion(question, suggestion["value"], suggestion.get("agent"), item)


def _flattened(record: Record, item: Any) -> Found:
    for key in [key for key in record if key.endswith(".responses")]:
        question, (values, users, status) = key.removesuffix(".responses"), _columns(record, key)
        for value, user, state in zip(values, users, status, strict=True):
            if state != "submitted":
                yield state
            else:
                yield from _values(question, value, Row(item, user))
    for key in [key for key in record if key.endswith(".suggestion")]:
        yield from _suggestion(key.removesuffix(".suggestion"), record[key], record.get(f"{key}.agent"), item)


def _columns(record: Record, key: str) -> Iterator[Sequence[Any]]:
    return (record[name] or [] for name in (key, f"{key}.users", f"{key}.status"))


def _suggestion(question: str, value: Any, agent: Any, item: Any) -> Found:
    if value is not None:
        yield from _values(question, value, Row(item, agent or "suggestion", kind="model"))


def _values(question: str, value: Any, blank: Row) -> Found:
    """The rows of one answer: a text, a number, a set of labels, a ranking or spans."""
    yield blank
    if not (isinstance(value, list) and value and isinstance(value[0], Mapping)):
        label = frozenset(value) if isinstance(value, list) else value
        yield blank._replace(field=question, label=label)
        return
    for one in value:
        if "rank" in one:
            yield blank._replace(field=f"{question}.{one['value']}", label=one["rank"])
        else:
            yield blank._replace(field=question, label=one["label"], start=one["start"], end=one["end"])


def no_status(frame: pd.DataFrame, first: Record) -> Remark | None:
    """Whether drafts cannot be told from what was submitted."""
    if not isinstance(first.get("responses"), Mapping):
        return None
    problem = "this form of an Argilla export has no status: drafts and discarded responses count as labels"
    return Remark(problem, "write it with records.to_list(flatten=True), which has the status", "no status")


# ---------------------------------------------------------------------------------------------------- Mechanical Turk

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
ANSWER = "Answer."
SWITCH = {"true": True, "false": False}


def mturk(record: Record, part: Export) -> Found:
    """The answers of one assignment."""
    if record.get("AssignmentStatus") == "Rejected":
        yield "rejected"
        return
    blank = Row(part.item_of(record, "HITId"), record["WorkerId"], time=_time(record.get("SubmitTime")))
    boxes: dict[str, list[str]] = {}
    for name, value in _form(record).items():
        question, dot, choice = name.rpartition(".")
        if dot and value in SWITCH:
            boxes.setdefault(question, []).extend([choice] * SWITCH[value])
        elif value is not None:
            yield blank._replace(field=name.removesuffix(".label"), label=value)
    for question, chosen in boxes.items():
        yield blank._replace(field=question, label=chosen)


def _form(record: Record) -> dict[str, Any]:
    """The answers by their names; forms of custom elements are one cell of JSON."""
    names = [name for name in record if name.startswith(ANSWER)]
    form = {name.removeprefix(ANSWER): record[name] for name in names}
    together = form.pop("taskAnswers", None)
    return {**form, **(_unfolded(json.loads(together)[0]) if together else {})}


def _unfolded(form: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Answers within answers as `question.part`, switches as the text that other forms have."""
    found: dict[str, Any] = {}
    for name, value in form.items():
        if isinstance(value, Mapping):
            found |= _unfolded(value, f"{before}{name}.")
        else:
            found[f"{before}{name}"] = str(value).lower() if isinstance(value, bool) else value
    return found


def _time(text: Any) -> str | None:
    """'Mon Jan 05 10:00:00 PST 2026' without its zone, whose short name is ambiguous."""
    parts = str(text).split()
    if len(parts) != 6 or parts[1] not in MONTHS:
        return None
    return f"{parts[5]}-{MONTHS.index(parts[1]) + 1:02}-{parts[2]}T{parts[3]}"


# ----------------------------------------------------------------------------------------------- a file for each coder

ITEMS = ("id", "item", "item_id", "doc_id", "example_id")
ANSWERS = ("label", "code", "category", "rating", "answer")


def coders(record: Record, part: Export) -> Found:
    """The label in one row of a coder's table."""
    field, item = _columns_of(part, [*record])
    yield Row(part.item_of(record, item), part.coder, field, record[field])


def _columns_of(part: Export, columns: Sequence[str]) -> tuple[str, str]:
    """The columns of the label and of the item."""
    asked = part.asked
    if asked.field is not None and asked.field not in columns:
        raise unknown_field(asked.field, columns)
    field = asked.field or _column(part, [name for name in columns if name != asked.item], ANSWERS, "field")
    return field, asked.item or _column(part, columns, ITEMS, "item")


def _column(part: Export, columns: Sequence[str], known: Sequence[str], option: str) -> str:
    """The one column of a known name."""
    found = [name for name in columns if name in known]
    if len(found) == 1:
        return found[0]
    what = "item" if option == "item" else "label"
    which = f"both {found[0]!r} and {found[1]!r}" if found else "none of " + ", ".join(map(repr, known))
    problem = f"{part.name} has {which} among its columns, so that the {what} is not clear"
    remedy = f"name the column: {option}='...'. There are: {', '.join(map(repr, columns[:12]))}"
    raise InputError(problem, remedy, option=option, code="unclear column", columns=columns[:12])
