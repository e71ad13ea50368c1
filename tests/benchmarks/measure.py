"""CPU time and peak memory of contestants that take turns on one frame.

Each contestant first runs once in a forked child, which tells its peak memory and keeps one that is far too slow or
too large from stopping the run. Then all take turns in this process, and the fastest round of each counts. CPU time,
because other work on the machine disturbs it least; only ratios of one run mean anything.
"""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
import select
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import asdict, dataclass
from functools import partial
from io import StringIO
from typing import Any

import numpy as np
import pandas as pd

from tests.benchmarks.contestants import Contestant, difference
from tests.benchmarks.workloads import Workload, labels_in

LONGEST = 60.0  # seconds of CPU time that a contestant may take
PATIENT = 15  # times as long may pass on a busy machine
LARGEST = 8 * 10**9  # bytes it may add
WORSE = 1.2  # exponent with which the time of a peer is expected to grow
SLOW = 5.0  # seconds from which one run has to do
SLOWISH = 1.0  # seconds from which three rounds have to do
SHORT = 5e-3  # seconds a timing lasts at least: short calls are repeated
PATIENCE = 1.0  # seconds of rounds at least, and this many rounds at most
MOST_ROUNDS = 40
CAN_PROBE = hasattr(os, "fork") and os.access("/proc/self/clear_refs", os.W_OK)
NO_PROBE = "peak memory is not known here: it needs fork and /proc"


@dataclass
class Record:
    """One contestant on one frame: a row of the table, and of the JSON."""

    workload: str
    task: str
    data: str
    rows: int
    labels: int
    kind: str
    finds: str
    call: str
    seconds: float | None = None
    ratio: float | None = None  # to the limit
    peak_bytes: int | None = None  # on top of the frame
    bytes_per_label: float | None = None
    rounds: int = 0
    share: float = 1.0  # of the work that was done; the seconds are those of the whole
    same: bool | None = None  # whether it found what we found; None if it did not run
    problem: str = ""  # why it did not run, or what differs

    def same_call(self, other: Record) -> bool:
        """Whether both differ in the size of the frame alone."""
        mine, others = ((r.workload, r.task, r.data, r.kind, r.finds, r.call) for r in (self, other))
        return mine == others

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


# ------------------------------------------------------------------------------------------------- one run in a child


def _status(field: str) -> int:
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def _give_back() -> None:
    """Return freed memory to the system, so that what is asked for next shows."""
    gc.collect()
    if "pyarrow" in sys.modules:
        sys.modules["pyarrow"].default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _limit() -> None:
    """Let this process end when it needs too much memory or time."""
    import resource

    for kind, most in (
        (resource.RLIMIT_AS, _status("VmSize") + LARGEST),
        (resource.RLIMIT_CPU, int(time.process_time() + LONGEST) + 1),
    ):
        resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


def _once(run: Any, frame: pd.DataFrame, small: pd.DataFrame) -> dict[str, Any]:
    """In the child: seconds, peak and result of one run after a small one that loads what is loaded late."""
    try:
        _limit()
        run(small)
        _give_back()
        with open("/proc/self/clear_refs", "w", encoding="ascii") as peak:
            peak.write("5")  # forget the peak so far
        before, start = _status("VmRSS"), time.process_time()
        result = run(frame)
        seconds = time.process_time() - start
        return {"seconds": seconds, "peak": max(0, _status("VmHWM") - before), "result": result}
    except MemoryError:
        return {"problem": f"over {LARGEST / 1e9:.0f} GB"}
    except Exception as error:
        return {"problem": f"{type(error).__name__}: {error}"[:120]}


def probe(contestant: Contestant, frame: pd.DataFrame, small: pd.DataFrame) -> dict[str, Any]:
    """One run in a forked child, ended after a minute of CPU time."""
    _give_back()
    source, target = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with os.fdopen(target, "wb") as pipe, redirect_stdout(StringIO()):
                pickle.dump(_once(contestant.run, frame, small), pipe)
        finally:
            os._exit(0)  # whatever happens, the child does not go on with the parent's work
    os.close(target)
    with os.fdopen(source, "rb") as pipe:
        ready, _, _ = select.select([pipe], [], [], PATIENT * LONGEST)
        if not ready:
            os.kill(child, signal.SIGKILL)
        answer = pipe.read()
    status = os.waitpid(child, 0)[1]
    if not ready or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return {"problem": f"over {LONGEST:.0f} s"}
    return pickle.loads(answer) if answer else {"problem": "ended without an answer"}


def plain_run(contestant: Contestant, frame: pd.DataFrame) -> dict[str, Any]:
    """The same in this process, where there is no child to send."""
    try:
        start = time.process_time()
        result = contestant.run(frame)
        return {"seconds": time.process_time() - start, "peak": None, "result": result}
    except Exception as error:
        return {"problem": f"{type(error).__name__}: {error}"[:120]}


# ------------------------------------------------------------------------------------------------- turns


def repeats(run: Any, frame: pd.DataFrame, seconds: float) -> int:
    """How many calls make a timing of some milliseconds, for a run that took some seconds at first."""
    if seconds > 20 * SHORT:
        return 1
    run(frame)
    start = time.perf_counter()
    run(frame)
    return max(1, min(2000, round(SHORT / max(time.perf_counter() - start, 1e-7))))


def take_turns(
    runs: Sequence[Any], first: Sequence[float], frame: pd.DataFrame, rounds: int
) -> tuple[list[float], int]:
    """The fastest round of each, in seconds of CPU time, and how many rounds there were: more if they are short."""
    calls = [repeats(run, frame, seconds) for run, seconds in zip(runs, first, strict=True)]
    best = [float("inf")] * len(runs)
    order = list(range(len(runs)))
    gc.collect()
    done, end = 0, time.perf_counter() + PATIENCE
    while done < rounds or (rounds > 1 and done < MOST_ROUNDS and time.perf_counter() < end):
        for number in [number for number in order if done < 3 or best[number] < SLOWISH]:
            best[number] = min(best[number], one_timing(runs[number], frame, calls[number]))
        order.reverse()  # nobody always runs after the same other
        done += 1
    return best, done


def one_timing(run: Any, frame: pd.DataFrame, calls: int) -> float:
    start = time.process_time()
    for _ in range(calls):
        run(frame)
    return (time.process_time() - start) / calls


def foreseen(record: Record, most_rows: int, earlier: Sequence[Record]) -> str:
    """Why this run would be too slow or too large, going by smaller frames; empty if it may start."""
    if record.rows > most_rows:
        return "skipped: over a minute, or gigabytes"
    before = [one for one in earlier if one.same_call(record)]
    if not before or record.kind != "peer":
        return ""
    last = max(before, key=lambda one: one.rows)
    if last.seconds is None:
        return last.problem
    factor = record.rows / last.rows
    seconds, gigabytes = last.seconds * last.share * factor**WORSE, (last.peak_bytes or 0) * factor / 1e9
    if seconds > LONGEST:
        return f"skipped: {seconds:.0f} s expected"
    return f"skipped: {gigabytes:.0f} GB expected" if gigabytes > LARGEST / 1e9 else ""


def first_runs(
    workload: Workload, frame: pd.DataFrame, contestants: Sequence[Contestant], earlier: Sequence[Record]
) -> list[tuple[Record, dict[str, Any]]]:
    """A record and the first answer of each contestant, without those that would be too slow or too large."""
    small, labels = workload.make(600), labels_in(frame)
    found = []
    for one in contestants:
        known = (workload.key, workload.task, workload.data, len(frame), labels, one.kind, one.finds, one.call)
        record = Record(*known, share=one.share)
        answer: dict[str, Any] = {"problem": foreseen(record, one.most_rows, earlier)}
        if not answer["problem"]:
            answer = probe(one, frame, small) if CAN_PROBE else plain_run(one, frame)
        record.problem = answer.get("problem", "")
        record.peak_bytes, record.seconds = answer.get("peak"), answer.get("seconds")
        found.append((record, answer))
    return found


def measure(
    workload: Workload, n: int, contestants: Sequence[Contestant], rounds: int, earlier: Sequence[Record] = ()
) -> list[Record]:
    """One workload in one size: a record a contestant, compared with our numbers and with the limit's time."""
    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("ignore")
        frame = workload.make(n)
        found = first_runs(workload, frame, contestants, earlier)
        compare([(one, *both) for one, both in zip(contestants, found, strict=True)])
        first = {number: record.seconds for number, (record, _) in enumerate(found) if record.seconds is not None}
        fast = [number for number, seconds in first.items() if seconds < SLOW]
        runs = [contestants[number].run for number in fast]
        times, rounds = take_turns(runs, [first[number] for number in fast], frame, rounds)
    records = [record for record, _ in found]
    for record in records:
        record.rounds = int(record.seconds is not None)
    for number, seconds in zip(fast, times, strict=True):
        records[number].seconds, records[number].rounds = seconds, rounds if seconds < SLOWISH else min(rounds, 3)
    finish(records)
    return records


def compare(found: Sequence[tuple[Contestant, Record, dict[str, Any]]]) -> None:
    """Note every number that is not the one of our first call for the same thing."""
    reference: dict[str, Any] = {}
    for contestant, _, answer in found:
        if contestant.kind == "ours" and "result" in answer:
            reference.setdefault(contestant.finds, answer["result"])
    for contestant, record, answer in found:
        if "result" in answer and contestant.finds in reference:
            record.problem = difference(reference[contestant.finds], answer["result"], contestant)
            record.same = not record.problem


def finish(records: Sequence[Record]) -> None:
    """Whole times, ratios to the limit and bytes a label."""
    for record in records:
        if record.seconds is not None:
            record.seconds /= record.share
        if record.peak_bytes is not None:
            record.bytes_per_label = record.peak_bytes / record.labels
    limits = {record.finds: record.seconds for record in records if record.kind == "limit"}
    for record in records:
        limit = limits.get(record.finds)
        if record.seconds is not None and limit:
            record.ratio = record.seconds / limit


# ------------------------------------------------------------------------------------------------- import


IMPORTS = """
from time import process_time as now
start = now(); import pandas; middle = now(); import pandas_agreement; end = now()
pandas.DataFrame().agree; used = now()
print(middle - start, end - middle, used - middle)
"""


def import_shares(processes: int) -> tuple[float, float]:
    """CPU time as a share of `import pandas`: of `import pandas_agreement`, and with the first `df.agree`; medians.

    The first process compiles the files and does not count.
    """
    command, env = [sys.executable, "-c", IMPORTS], {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    run = partial(subprocess.run, command, env=env, check=True, capture_output=True, text=True)
    times = [run().stdout.split() for _ in range(processes + 1)][1:]
    pandas_alone, added, used = np.median(np.array(times, float), axis=0)
    return float(added / pandas_alone), float(used / pandas_alone)
