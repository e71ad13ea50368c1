"""The table of tools, how each is recognised, and those that are known but not read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pandas_agreement.errors import InputError, counted
from pandas_agreement.exports import annotation_tools as tools
from pandas_agreement.exports import evaluation_logs as logs
from pandas_agreement.exports.brat import brat
from pandas_agreement.exports.label_studio import check_flat, label_studio
from pandas_agreement.exports.row import Export, Tool
from pandas_agreement.exports.webanno import webanno

SOME = 20  # records by whose keys a tool is recognised

#: keys of records: alternatives, in which 'a/b & c' is one of `a` and `b`, and `c`
LABEL_STUDIO = ["annotations/completions & data", "annotator & annotation_id"]
PRODIGY = ["_input_hash & answer"]
PROMPTFOO = ["testIdx & promptIdx & gradingResult"]
LANGFUSE = ["traceId/sessionId & source & name & value"]
PHOENIX = ["annotator_kind & name/annotation_name & result/result.label"]
DOCCANO = ["label[]/cats[]/entities[] & text/filename/data"]
#: in the order in which they are tried
TABLE = [
    Tool("label_studio", "Label Studio", LABEL_STUDIO, label_studio, check=check_flat, tells_unmarked=True),
    Tool("prodigy", "Prodigy", PRODIGY, tools.prodigy, doubt=tools.session_names, tells_unmarked=True),
    Tool("webanno", "WebAnno TSV", ["webanno & length"], webanno, carried=("length",), tells_unmarked=True),
    Tool("brat", "brat", ["standoff & length"], brat, carried=("length",), tells_unmarked=True),
    Tool("mturk", "Mechanical Turk", ["HITId & AssignmentId & WorkerId"], tools.mturk),
    Tool("promptfoo", "promptfoo", PROMPTFOO, logs.promptfoo, models=True, doubt=logs.corrections),
    Tool("inspect", "Inspect", ["id & epoch & scores"], logs.inspect, models=True, doubt=logs.corrections),
    Tool("langfuse", "Langfuse", LANGFUSE, logs.langfuse, models=True, doubt=logs.no_author),
    Tool("mlflow", "MLflow", ["assessments"], logs.mlflow, models=True),
    Tool("phoenix", "Phoenix", PHOENIX, logs.phoenix, models=True),
    Tool("argilla", "Argilla", ["id & responses/*.responses"], tools.argilla, doubt=tools.no_status),
    Tool("doccano", "doccano", DOCCANO, tools.doccano, check=tools.check_members, by_file=True),
]
PER_CODER = Tool("coders", "one table per coder", (), tools.coders, by_file=True)
TOOLS = {tool.name: tool for tool in [*TABLE, PER_CODER]}

#: where the list of records lies in the documents of tools
PLACES = (("results", "results"), ("samples",), ("data",))

LONG = "df.agree.long(item=..., coder=..., label=...)"
#: known tools that are not read: keys, name, what to do
REFUSED = {
    "*-metadata": ("Ground Truth", f"read the answers of each worker with pandas, and call {LONG}"),
    "ASSIGNMENT:worker_id & ASSIGNMENT:task_id": (
        "Toloka",
        "read it with pandas and keep the accepted rows: df.agree.long(item='ASSIGNMENT:task_id', "
        "coder='ASSIGNMENT:worker_id', label='OUTPUT:result')",
    ),
    "ResponseId & Progress & Finished": (
        "Qualtrics",
        "read it with pandas, with one column per respondent: df.set_index('ResponseId')[questions].T.agree.alpha()",
    ),
    "Label & DataRow ID": ("Labelbox", f"read it with pandas, one row per label, and call {LONG}"),
    "data_row & projects": ("Labelbox", f"read it with pandas, one row per label, and call {LONG}"),
    "doc_id & target & filtered_resps": ("lm-eval", "it compares a model with a target, and has no coders"),
    "run_id & event_id & sample_id & type": ("OpenAI evals", "no people are in it"),
    "metricsData/testCases": ("DeepEval", "no people are in it"),
}


def keys_of(records: Iterable[Any]) -> set[str]:
    """The keys of records; `*.responses` and `*-metadata` stand for any that end so, `label[]` for one with a list."""
    keys = {key for record in records if isinstance(record, Mapping) for key in record}
    lists = {f"{key}[]" for record in records if isinstance(record, Mapping) for key in record if _is_list(record[key])}
    texts = {key for key in keys if isinstance(key, str)}
    ends = {f"*{end}" for end in (".responses", "-metadata") if any(key.endswith(end) for key in texts)}
    return texts | lists | ends


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def has(keys: set[str], wanted: str) -> bool:
    """Whether there are the keys of a tool: 'a/b & c' is one of `a` and `b`, and `c`."""
    return all(keys & set(one.split("/")) for one in wanted.split(" & "))


def recognise(keys: set[str]) -> Tool | None:
    """The tool that writes records with these keys."""
    return next((tool for tool in TABLE if any(has(keys, wanted) for wanted in tool.keys)), None)


def is_known(keys: set[str]) -> bool:
    """Whether a tool writes records with these keys, be it one that is not read."""
    return recognise(keys) is not None or _refused(keys) is not None


def listed(document: Any, name: str) -> list[Any]:
    """The records of a document."""
    if isinstance(document, list):
        return document
    if isinstance(document, Mapping):
        for place in PLACES:
            found = _at(document, place)
            if isinstance(found, list):
                return found
        if is_known(keys_of([document])):
            return [document]
    problem = f"{name} holds no list of records"
    remedy = "read the list within it: pandas_agreement.read(json.load(file)[...])"
    raise InputError(problem, remedy, code="no records")


def _at(document: Any, place: Sequence[str]) -> Any:
    for key in place:
        document = document.get(key) if isinstance(document, Mapping) else None
    return document


def _refused(keys: set[str]) -> tuple[str, str] | None:
    return next((what for wanted, what in REFUSED.items() if has(keys, wanted)), None)


def tool_of(parts: Sequence[Export]) -> Tool | None:
    """The tool that wrote all files; None if they hold no records."""
    filled = [part for part in parts if part.records]
    found = [recognise(keys_of(part.records[:SOME])) for part in filled]
    if not filled:
        return None
    if len({tool.name if tool else "" for tool in found}) > 1:
        titles = ", ".join(
            f"{part.name} ({tool.title if tool else 'unknown'})" for part, tool in zip(filled, found, strict=True)
        )
        raise InputError(f"the files come from several tools: {titles}", "read them one by one", code="unknown tool")
    return found[0] or _unrecognised(filled)


def _unrecognised(parts: Sequence[Export]) -> Tool:
    """Tables of one coder each, unless they are known to be something else."""
    part = parts[0]
    refused = _refused(keys_of(part.records[:SOME]))
    if refused:
        tool, remedy = refused
        raise InputError(f"{part.name} is an export of {tool}, which read does not know", remedy, code="unknown tool")
    if part.coder is None:
        what = f"{part.name} is a table, not the export of a tool that is known"
        remedy = f"read it with pandas and name its columns: {LONG}"
        raise InputError(f"{what} ({counted(len(part.records), 'row', 'rows')})", remedy, code="unknown tool")
    return PER_CODER
