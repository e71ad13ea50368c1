"""Logs in which people and models judge the same outputs: promptfoo, Inspect, Langfuse, MLflow, Phoenix."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pandas as pd

from pandas_agreement.errors import Remark, counted
from pandas_agreement.exports.row import Export, Found, Record, Row


def corrections(frame: pd.DataFrame, first: Record) -> Remark | None:
    """People who judge in these tools see the score of the model before."""
    people = frame.loc[frame["kind"] == "person", "item"].nunique()
    if not people or not (frame["kind"] == "model").any():
        return None
    judged = f"{people} of {counted(frame['item'].nunique(), 'item', 'items')}"
    problem = f"a person judged {judged}, after seeing the score"
    remedy = "agreement on corrected items is not agreement on all: have people judge without the score"
    return Remark(problem, remedy, "corrections")


GRADES = {True: "pass", False: "fail"}


def promptfoo(record: Record, part: Export) -> Found:
    """The checks of one output, and the rating of a person, which overwrites the result as a whole."""
    components = (record.get("gradingResult") or {}).get("componentResults")
    if not components:
        yield "not graded"
        return
    item = f"{record['testIdx']}/{record['promptIdx']}" if part.asked.item is None else part.item_of(record)
    seen: Counter[str] = Counter()
    for component in filter(None, components):
        assertion = component.get("assertion") or {}
        kind = assertion.get("type", "assertion")
        name = assertion.get("metric") or kind
        seen[name] += 1
        coder = name if seen[name] == 1 else f"{name} {seen[name]}"
        yield Row(item, coder, "pass", GRADES[component["pass"]], _who(kind == "human"))


def _who(person: bool) -> str:
    return "person" if person else "model"


# ------------------------------------------------------------------------------------------------------------ Inspect


def inspect(record: Record, part: Export) -> Found:
    """The scores of a sample, and the edits of people."""
    item = part.item_of(record, "id")
    if part.asked.item is None and record.get("epoch", 1) > 1:
        item = f"{item}/{record['epoch']}"
    if not record["scores"]:
        yield "unscored"
    for scorer, score in (record["scores"] or {}).items():
        yield from _judged(score, Row(item, scorer, kind="model"))


def _judged(score: Record, blank: Row) -> Found:
    """The scorer's own value, which is the first without an author, and the values of people after it."""
    value, own = None, True
    for entry in score.get("history") or [score]:
        value = value if entry["value"] == "UNCHANGED" else entry["value"]
        author = entry.get("provenance")
        if author:
            yield from _values(value, Row(blank.item, author["author"], time=author.get("timestamp")))
        elif own:
            own = False
            yield from _values(value, blank)


def _values(value: Any, blank: Row) -> Found:
    """The rows of one score: several if it has keys."""
    if isinstance(value, Mapping):
        yield from (blank._replace(field=f"score.{key}", label=one) for key, one in value.items())
    elif value is None or value != value:
        yield "unscored"
    else:
        yield blank._replace(field="score", label=frozenset(value) if isinstance(value, list) else value)


# ----------------------------------------------------------------------------------------------------------- Langfuse

ITEMS = ("observationId", "traceId", "sessionId", "datasetRunId")
LANGFUSE_LABELS = {"CATEGORICAL": "stringValue", "BOOLEAN": "stringValue", "NUMERIC": "value"}


def langfuse(record: Record, part: Export) -> Found:
    """One score."""
    kind = record.get("dataType") or ("NUMERIC" if record.get("stringValue") is None else "CATEGORICAL")
    if kind not in LANGFUSE_LABELS:
        yield f"{kind} (no label)"
        return
    person = record["source"] == "ANNOTATION"
    coder = record.get("authorUserId") or "annotation" if person else _evaluator(record)
    label = record[LANGFUSE_LABELS[kind]]
    yield Row(part.item_of(record, *ITEMS), coder, record["name"], label, _who(person), record.get("timestamp"))


def _evaluator(record: Record) -> str:
    metadata = record.get("metadata") or {}
    metadata = json.loads(metadata) if isinstance(metadata, str) and metadata.startswith("{") else metadata
    model = metadata.get("model") if isinstance(metadata, Mapping) else None
    return f"{record['source']}:{model or record.get('configId') or record['name']}"


def no_author(frame: pd.DataFrame, first: Record) -> Remark | None:
    """Whether the people of the export have no names."""
    if not (frame["coder"] == "annotation").any():
        return None
    problem = "this export does not say who annotated: all people together are the coder 'annotation'"
    return Remark(problem, "fetch the scores from the API, which has authorUserId", "no author")


# ------------------------------------------------------------------------------------------------------------- MLflow


def mlflow(record: Record, part: Export) -> Found:
    """The assessments of a trace."""
    for assessment in record["assessments"] or []:
        yield from _assessment(assessment, record, part)


def _assessment(assessment: Record, trace: Record, part: Export) -> Found:
    answer = assessment.get("feedback") or assessment.get("expectation") or {}
    if assessment.get("valid") is False:
        yield "overridden"
    elif assessment.get("error") or answer.get("error") or answer.get("value") is None:
        yield "error"
    else:
        item = part.item_of({**trace, **assessment} if part.asked.item is None else trace, "span_id", "trace_id")
        source = assessment["source"]
        kind = "gold" if assessment.get("expectation") else _who(source["source_type"] == "HUMAN")
        name = assessment.get("assessment_name") or assessment["name"]
        yield Row(item, source["source_id"], name, answer["value"], kind, _moment(assessment))


def _moment(assessment: Record) -> Any:
    milliseconds = assessment.get("create_time_ms")
    return assessment.get("create_time") if milliseconds is None else milliseconds / 1000


# ------------------------------------------------------------------------------------------------------------ Phoenix


def phoenix(record: Record, part: Export) -> Found:
    """One annotation of a span."""
    result = record.get("result") or {}
    label, score = (result.get(key, record.get(f"result.{key}")) for key in ("label", "score"))
    label = score if label is None else label
    if label is None:
        yield "explanation only"
        return
    kind, identifier = record["annotator_kind"], record.get("identifier")
    person = kind == "HUMAN"
    coder = (person and record.get("user_id")) or identifier or kind
    name, time = record.get("name") or record["annotation_name"], record.get("updated_at") or record.get("created_at")
    yield Row(part.item_of(record, "span_id"), coder, name, label, _who(person), time)
