"""The example as exports: what each tool would write, had ann, bob and cleo worked in it and dev been a model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from pandas_agreement import load_example
from tests.exports.samples import archive, lines

PEOPLE, MODEL = ("ann", "bob", "cleo"), "gpt"
Item = tuple[int, str, dict[str, str], "str | None"]  # number, batch, labels of people, label of the model


def items() -> Iterator[Item]:
    """Every item of the example."""
    for number, row in enumerate(load_example().to_dict("records"), 1):
        people = {name: row[name] for name in PEOPLE if pd.notna(row[name])}
        yield number, row["batch"], people, row["dev"] if pd.notna(row["dev"]) else None


def minute(number: int) -> str:
    """A moment for an answer."""
    return f"2026-01-05T{number // 60:02}:{number % 60:02}:00Z"


def label_studio() -> list[Any]:
    def result(label: str) -> list[Any]:
        return [{"from_name": "category", "to_name": "text", "type": "choices", "value": {"choices": [label]}}]

    def annotation(name: str, label: str, number: int) -> dict[str, Any]:
        by = {"id": PEOPLE.index(name), "email": f"{name}@example.org"}
        return {"completed_by": by, "result": result(label), "was_cancelled": False, "updated_at": minute(number)}

    return [
        {
            "id": number,
            "data": {"text": f"Ticket {number}", "batch": batch},
            "annotations": [annotation(name, label, number) for name, label in people.items()],
            "predictions": [{"model_version": MODEL, "result": result(model)}] if model else [],
        }
        for number, batch, people, model in items()
    ]


def prodigy() -> list[Any]:
    about = {"answer": "accept", "_view_id": "choice"}
    return [
        {
            "text": f"Ticket {number}",
            "_input_hash": number,
            **about,
            "_annotator_id": f"tickets-{name}",
            "accept": [label],
        }
        for number, _, people, _ in items()
        for name, label in people.items()
    ]


def of_coder(name: str) -> list[tuple[int, str]]:
    return [(number, people[name]) for number, _, people, _ in items() if name in people]


def doccano() -> bytes:
    members = {
        f"{name}.jsonl": lines([{"id": n, "text": f"Ticket {n}", "label": [label]} for n, label in of_coder(name)])
        for name in PEOPLE
    }
    return archive(members)


def argilla() -> list[Any]:
    return [
        {
            "id": f"ticket-{number}",
            "text": f"Ticket {number}",
            "category.responses": [*people.values()],
            "category.responses.users": [*people],
            "category.responses.status": ["submitted"] * len(people),
            "category.suggestion": model,
            "category.suggestion.agent": MODEL,
        }
        for number, _, people, model in items()
    ]


def mturk() -> str:
    rows = [
        f"H{number},A{number}{name},{name},Approved,{number},{label}"
        for number, _, people, _ in items()
        for name, label in people.items()
    ]
    return "\n".join(["HITId,AssignmentId,WorkerId,AssignmentStatus,Input.id,Answer.category.label", *rows, ""])


def promptfoo() -> dict[str, Any]:
    """Does the answer solve the problem? Two checks by models, and one by a person for some."""

    def component(kind: str, passed: bool, **facts: str) -> dict[str, Any]:
        return {"pass": passed, "score": int(passed), "assertion": {"type": kind, **facts}}

    def checks(number: int, people: dict[str, str], model: str | None) -> Iterator[Any]:
        yield component("llm-rubric", model == "bug", metric="solved")
        yield component("javascript", people.get("bob") == "bug", metric="short")
        if number % 3 and "ann" in people:
            yield component("human", people["ann"] == "bug")

    results = [
        {
            "testIdx": number,
            "promptIdx": 0,
            "vars": {"batch": batch},
            "gradingResult": {"componentResults": [*checks(number, people, model)]},
        }
        for number, batch, people, model in items()
    ]
    return {"results": {"version": 3, "results": results}}


def inspect() -> dict[str, Any]:
    def score(people: dict[str, str], model: str | None) -> dict[str, Any]:
        edit = {"value": people.get("ann"), "provenance": {"author": "ann", "timestamp": minute(1)}}
        history = [{"value": model, "provenance": None}, *([edit] if "ann" in people else [])]
        return {"value": history[-1]["value"], "history": history}

    samples = [
        {"id": number, "epoch": 1, "scores": {"judge": score(people, model)}} for number, _, people, model in items()
    ]
    return {"version": 2, "samples": samples}


def judgments() -> Iterator[tuple[int, str, str, bool]]:
    """Item, name, label, and whether a person gave it."""
    for number, _, people, model in items():
        yield from ((number, name, label, True) for name, label in people.items())
        if model:
            yield number, MODEL, model, False


def phoenix() -> dict[str, Any]:
    return {
        "data": [
            {
                "span_id": f"span-{number}",
                "name": "category",
                "annotator_kind": "HUMAN" if person else "LLM",
                "identifier": name,
                "result": {"label": label, "score": None, "explanation": None},
                "updated_at": minute(number),
            }
            for number, name, label, person in judgments()
        ]
    }


def langfuse() -> dict[str, Any]:
    return {
        "data": [
            {
                "traceId": f"trace-{number}",
                "name": "category",
                "source": "ANNOTATION" if person else "EVAL",
                "dataType": "CATEGORICAL",
                "value": 1,
                "stringValue": label,
                "authorUserId": name if person else None,
                "metadata": {} if person else {"model": name},
                "timestamp": minute(number),
            }
            for number, name, label, person in judgments()
        ]
    }


def mlflow() -> list[Any]:
    def assessment(name: str, label: str, kind: str) -> dict[str, Any]:
        source = {"source_type": kind, "source_id": name}
        return {"assessment_name": "category", "source": source, "feedback": {"value": label}}

    return [
        {
            "trace_id": f"trace-{number}",
            "assessments": [
                *(assessment(name, label, "HUMAN") for name, label in people.items()),
                *([assessment(MODEL, model, "LLM_JUDGE")] if model else []),
            ],
        }
        for number, _, people, model in items()
    ]


@cache
def files() -> dict[str, bytes]:
    """The files of all tools, by their paths."""
    found: dict[str, Any] = {
        "label_studio.json": label_studio(),
        "doccano.zip": doccano(),
        "prodigy.jsonl": lines(prodigy()),
        "argilla.json": argilla(),
        "mturk.csv": mturk(),
        "promptfoo.json": promptfoo(),
        "inspect.json": inspect(),
        "phoenix.json": phoenix(),
        "langfuse.json": langfuse(),
        "mlflow.json": mlflow(),
    }
    for name in PEOPLE:
        rows = "".join(f"{number},{label}\n" for number, label in of_coder(name))
        found[f"coders/{name}.csv"] = f"id,label\n{rows}"
    return {name: _bytes(content) for name, content in found.items()}


def _bytes(content: Any) -> bytes:
    if isinstance(content, bytes):
        return content
    return (content if isinstance(content, str) else json.dumps(content)).encode()


def write_exports(folder: Path) -> None:
    """Write all files into a folder."""
    for name, content in files().items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
