"""Small exports of every tool, with the traps that real ones have."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def answer(name: str, kind: str, number: str = "r", **value: Any) -> dict[str, Any]:
    """One result of Label Studio."""
    return {"id": number, "from_name": name, "to_name": "text", "type": kind, "value": value}


def tone(label: str) -> list[dict[str, Any]]:
    return [answer("tone", "choices", choices=[label])]


def annotation(coder: Any, result: list[Any], time: str = "2026-01-01T00:00:01Z", **facts: Any) -> dict[str, Any]:
    return {"id": 1, "completed_by": coder, "result": result, "created_at": time, "updated_at": time, **facts}


LABEL_STUDIO = [
    {
        "id": 1,
        "data": {"text": "Ada wrote it.", "batch": "w1"},
        "annotations": [
            annotation(
                {"id": 9, "email": "bob@here.org"},
                [
                    *tone("good"),
                    answer("topic", "choices", "t", choices=["price", "service"]),
                    answer("ner", "labels", "s", start=0, end=3, text="Ada", labels=["PER", "AUTHOR"]),
                    answer("sure", "choices", "s", start=0, end=3, choices=["yes"]),
                    answer("box", "rectanglelabels", "b", x=1, y=2, rectanglelabels=["cat"]),
                ],
                "2026-01-01T00:00:02Z",
            ),
            annotation(7, [*tone("good"), answer("topic", "choices", "t", choices=["price"])]),
            annotation(8, tone("bad"), was_cancelled=True),
            annotation(6, tone("bad"), ground_truth=True),
        ],
        "predictions": [{"model_version": "m1", "result": tone("bad")}, 17],
        "drafts": [{"result": tone("bad")}],
    },
    {
        "id": 2,
        "data": {"text": "Left.", "batch": "w2"},
        "annotations": [
            annotation(7, [*tone("bad"), answer("stars", "rating", "q", rating=4)]),
            annotation({"id": 9, "email": ""}, [answer("kinds", "taxonomy", "k", taxonomy=[["a", "b"], ["c"]])]),
            annotation({"id": 5, "email": "eve@here.org"}, []),
        ],
    },
    {"id": 3, "data": {"text": "?", "batch": "w2"}, "annotations": []},
]

JSON_MIN = [
    {"id": 1, "text": "a", "tone": "good", "topic": {"choices": ["x", "y"]}, "annotator": 9, "annotation_id": 2},
    {"id": 1, "text": "a", "tone": "good", "stars": [{"rating": 4}], "annotator": 7, "annotation_id": 1},
    {"id": 2, "text": "b", "ner": [{"start": 0, "end": 1, "labels": ["PER"]}], "annotator": 7, "annotation_id": 3},
    {"id": 3, "text": "c", "annotator": None, "annotation_id": None},
]

FLAT_CSV = """annotation_id,annotator,id,ner,stars,text,tone,topic
2,9,1,"[{""start"":0,""end"":3,""labels"":[""PER""]}]","[{""rating"":5}]",Ada,01,"{""choices"":[""x"",""y""]}"
1,7,1,"[{""start"":0,""end"":3,""labels"":[""PER""]}]","[{""rating"":4}]",Ada,NA,x
,,3,,,Ada?,,
"""


def task(item: int, coder: str | None, time: int, **facts: Any) -> dict[str, Any]:
    """One task of Prodigy."""
    return {"text": "a", "_input_hash": item, "answer": "accept", "_annotator_id": coder, "_timestamp": time, **facts}


PRODIGY = [
    task(-1, "tone-ann", 20, accept=["x"], options=[], spans=[{"start": 0, "end": 1, "label": "O"}], _view_id="choice"),
    task(-1, "tone-ann", 10, accept=["y"], _view_id="choice"),
    task(-1, None, 5, accept=["x"], _view_id="choice", _session_id="tone-bob"),
    task(-2, "tone-bob", 30, accept=[], _view_id="choice"),
    task(-2, "tone-ann", 30, accept=["x"], _view_id="choice", answer="ignore"),
    task(-2, "tone-ann", 30, accept=["x"], _view_id="choice", answer="reject"),
    task(-3, "tone-ann", 40, label="DOC", answer="reject"),
    task(-4, "tone-ann", 50, spans=[{"start": 2, "end": 4, "label": "PER"}], _view_id="ner_manual"),
    task(-4, "tone-bob", 60, spans=[], _view_id="ner_manual"),
]

ANN = [{"id": 1, "text": "a", "label": ["x"]}, {"id": 2, "text": "b", "label": []}]
BOB = [{"id": 1, "text": "a", "label": ["x"]}, {"id": 2, "text": "b", "label": ["x", "y"]}]

ARGILLA = [
    {
        "id": "r0",
        "text": "a",
        "tone.responses": ["good", "bad", "bad"],
        "tone.responses.users": ["u1", "u2", "u3"],
        "tone.responses.status": ["submitted", "discarded", "draft"],
        "tone.suggestion": "good",
        "tone.suggestion.agent": "judge",
        "tags.responses": [["x"]],
        "tags.responses.users": ["u1"],
        "tags.responses.status": ["submitted"],
        "rank.responses": [[{"value": "a", "rank": 1}, {"value": "b", "rank": 2}]],
        "rank.responses.users": ["u1"],
        "rank.responses.status": ["submitted"],
    },
    {"id": "r1", "text": "b", "tone.responses": None, "tone.responses.users": None, "tone.responses.status": None},
]
ARGILLA_NESTED = [
    {
        "id": "r0",
        "fields": {"text": "a"},
        "metadata": {"batch": "w1"},
        "suggestions": {"tone": {"value": "bad", "agent": None}},
        "responses": {"tone": [{"value": "good", "user_id": "u1"}, {"value": "bad", "user_id": "u2"}]},
    }
]

BOXES = "Answer.tone.label,Answer.topic.p,Answer.topic.s,Answer.stars"
MTURK = f"""HITId,AssignmentId,WorkerId,AssignmentStatus,SubmitTime,Input.id,{BOXES}
H0,A0,W1,Approved,Mon Jan 05 10:00:00 PST 2026,d1,good,true,false,4
H0,A1,W2,Submitted,Mon Jan 05 09:00:00 PST 2026,d1,None,true,true,5
H0,A2,W3,Rejected,Mon Jan 05 09:00:00 PST 2026,d1,bad,true,true,1
"""
MTURK_CUSTOM = [
    {
        "HITId": "H0",
        "AssignmentId": "A0",
        "WorkerId": "W1",
        "Answer.taskAnswers": json.dumps([{"tone": {"label": "good"}, "topic": {"p": True, "s": False}}]),
    }
]


def check(kind: str, passed: bool, **assertion: str) -> dict[str, Any]:
    return {"pass": passed, "score": int(passed), "assertion": {"type": kind, **assertion}}


JUDGED = [check("llm-rubric", True, metric="polite"), check("llm-rubric", False), check("llm-rubric", True), None]
PROMPTFOO = {
    "results": {
        "version": 3,
        "results": [
            {
                "testIdx": 0,
                "promptIdx": 0,
                "success": False,
                "vars": {"q": "q0"},
                "gradingResult": {"pass": False, "componentResults": [*JUDGED, check("human", False)]},
            },
            {"testIdx": 0, "promptIdx": 1, "success": True, "gradingResult": {"componentResults": JUDGED}},
            {"testIdx": 1, "promptIdx": 0, "success": False, "gradingResult": None},
        ],
    }
}

EDITED = {
    "value": "I",
    "history": [
        {"value": "C", "provenance": None},
        {"value": "UNCHANGED", "provenance": {"author": "bob", "timestamp": "2026-01-05T09:00:00Z"}},
        {"value": "I", "provenance": {"author": "ann", "timestamp": "2026-01-05T10:00:00Z"}},
    ],
}
SAMPLES = [
    {"id": 1, "epoch": 1, "scores": {"judge": {"value": "C"}, "both": {"value": {"a": 1, "b": 0}}}},
    {"id": 1, "epoch": 2, "scores": {"judge": EDITED, "both": {"value": float("nan")}}},
    {"id": 2, "epoch": 1, "scores": None},
]
INSPECT = {"version": 2, "eval": {"task": "made"}, "samples": SAMPLES}


def score(item: str, source: str, kind: str, value: float, text: str | None = None, **facts: Any) -> dict[str, Any]:
    names = {"traceId": item, "name": "helpful", "timestamp": "2026-01-05T10:00:00Z", "userId": "end user"}
    return {**names, "source": source, "dataType": kind, "value": value, "stringValue": text, **facts}


LANGFUSE = {
    "data": [
        score("t1", "ANNOTATION", "CATEGORICAL", 1, "yes", authorUserId="u1", observationId="o1"),
        score("t1", "EVAL", "CATEGORICAL", 1, "yes", metadata={"model": "gpt"}),
        score("t1", "EVAL", "NUMERIC", 0.5, name="long", configId="c1"),
        score("t1", "API", "TEXT", 0),
    ]
}
LANGFUSE_CSV = """id,traceId,source,name,dataType,value,stringValue,observationId,userId
s1,t1,ANNOTATION,helpful,CATEGORICAL,1,yes,,enduser1
s2,t1,EVAL,helpful,CATEGORICAL,1,no,,enduser2
"""


def assessed(kind: str, who: str, value: Any, **facts: Any) -> dict[str, Any]:
    source = {"source_type": kind, "source_id": who}
    return {"assessment_name": "right", "source": source, "feedback": {"value": value}, **facts}


MLFLOW = [
    {
        "trace_id": "t1",
        "assessments": [
            assessed("HUMAN", "u1", True, create_time="2026-01-05T10:00:01Z"),
            assessed("LLM_JUDGE", "judge", False, create_time_ms=1_767_607_200_000, span_id="s1"),
            assessed("HUMAN", "u1", False, valid=False),
            assessed("CODE", "rule", None, error={"error_code": "TIMEOUT"}),
            {**assessed("HUMAN", "u2", 0), "feedback": None, "expectation": {"value": True}},
        ],
    },
    {"trace_id": "t2", "assessments": []},
]


def noted(kind: str, label: str | None, number: float | None, **facts: Any) -> dict[str, Any]:
    result = {"label": label, "score": number, "explanation": "made"}
    return {"span_id": "s1", "name": "right", "annotator_kind": kind, "result": result, **facts}


PHOENIX = {
    "data": [
        noted("HUMAN", "yes", 1, user_id="u1", updated_at="2026-01-05T10:00:01+00:00"),
        noted("LLM", "no", 0, identifier="judge", user_id=None),
        noted("CODE", None, 0.5, identifier=""),
        noted("HUMAN", None, None),
    ]
}


def eval_log(samples: Any = SAMPLES) -> bytes:
    """A log of Inspect as it writes them: an archive with a file per sample."""
    members = {f"samples/{number}.json": json.dumps(sample) for number, sample in enumerate(samples)}
    return archive({"header.json": "{}", "_journal/start.json": "{}", "summaries.json": "[]", **members})


def archive(members: Mapping[str, str | bytes]) -> bytes:
    """A zip archive of these files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as out:
        for name, text in members.items():
            out.writestr(name, text)
    return stream.getvalue()


def lines(records: list[Any]) -> str:
    return "\n".join(map(json.dumps, records))


WEBANNO = """#FORMAT=WebAnno TSV 3.3
#T_SP=de.ner.type.NamedEntity|value


#Text=Ada left .
1-1\t0-3\tAda\tPER\t
1-2\t4-8\tleft\t_\t
1-3\t9-10\t.\tX\t
"""

#: every tool as a file: its name and what it holds
FILES: dict[str, str | bytes] = {
    "label_studio.json": json.dumps(LABEL_STUDIO),
    "prodigy.jsonl": lines(PRODIGY),
    "doccano.zip": archive({"ann.jsonl": lines(ANN), "bob.jsonl": lines(BOB), "__MACOSX/._ann.jsonl": b"\x00"}),
    "argilla.json": json.dumps(ARGILLA),
    "mturk.csv": MTURK,
    "promptfoo.json": json.dumps(PROMPTFOO),
    "inspect.json": json.dumps(INSPECT),
    "inspect.eval": eval_log(),
    "langfuse.json": json.dumps(LANGFUSE),
    "mlflow.json": json.dumps(MLFLOW),
    "phoenix.json": json.dumps(PHOENIX),
    "webanno.tsv": WEBANNO,
    "brat.zip": archive({"ann/d1.ann": "T1\tPER 0 3\tAda\nT2\tX 9 10\t.\n", "ann/d1.txt": "Ada left ."}),
}


def write(folder: Path, name: str, content: str | bytes) -> Path:
    """A file of these contents."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path
