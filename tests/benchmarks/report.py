"""The table, the targets, the JSON and the plot of a run.

The JSON holds `environment` (python, machine, cores, scale, rounds, versions of packages), `records` and `targets`. A
record is one contestant on one frame: workload, task, data, rows, labels, kind (ours, limit, peer), finds, call,
seconds (CPU time of the fastest round), ratio (to the limit), peak_bytes and bytes_per_label (on top of the frame),
rounds, share (the part of the work that was done; the seconds are those of the whole), same (whether it found our
number), problem. A target: target, measured, bound, unit, met. What is not known is null.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tests.benchmarks.measure import Record
from tests.benchmarks.targets import Verdict

UNITS = ((1.0, "s", 1.0), (1e-3, "ms", 1e3), (0.0, "us", 1e6))


def duration(seconds: float) -> str:
    """Three digits and a unit."""
    _, unit, factor = next(unit for unit in UNITS if seconds >= unit[0])
    return f"{seconds * factor:.3g} {unit}" if seconds * factor < 1000 else f"{seconds * factor:.0f} {unit}"


def _memory(record: Record) -> str:
    if record.peak_bytes is None or record.bytes_per_label is None:
        return ""
    return f"{record.peak_bytes / 1e6:,.1f}"


def header() -> str:
    return f"{'call':34s}{'CPU time':>10s}{'x limit':>12s}{'peak MB':>10s}{'B/label':>11s}  same number"


def line(record: Record) -> str:
    """One row of the table."""
    name = f"  {record.call}" + ("" if record.call != "limit" else f" ({record.finds})")
    if record.seconds is None:
        return f"{name:34s}  {record.problem}"
    ratio = f"{record.ratio:,.2f}" if record.ratio is not None else ""
    per_label = f"{record.bytes_per_label:,.1f}" if record.bytes_per_label is not None else ""
    about = "~" if record.share < 1 else ""
    cells = f"{about + duration(record.seconds):>10s}{ratio:>12s}{_memory(record):>10s}{per_label:>11s}"
    return f"{name:34s}{cells}  {record.problem or 'yes'}"


def block(records: Sequence[Record]) -> Iterator[str]:
    """The rows of one frame, under its name."""
    first = records[0]
    yield f"{first.workload} {first.task}, {first.data}, {first.rows:,} rows, {first.labels:,} labels"
    yield from map(line, records)


def judged(verdict: Verdict) -> str:
    """One target, and whether it was met."""
    word = {True: "met", False: "NOT MET", None: ""}[verdict.met]
    measured = "not measured" if verdict.measured is None else f"{verdict.measured:.3g}"
    bound = "" if verdict.bound is None else f"<= {verdict.bound:.3g}"
    return f"{word:8s}{measured:>12s} {bound:>8s} {verdict.unit:15s} {verdict.target}"


def document(environment: dict[str, Any], records: Sequence[Record], verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """The JSON of a run."""
    return {
        "environment": environment,
        "records": [record.as_dict() for record in records],
        "targets": [verdict.as_dict() for verdict in verdicts],
    }


# ------------------------------------------------------------------------------------------------- plot

Series = dict[str, list[Record]]
