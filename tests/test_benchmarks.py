"""The benchmark itself: it runs, its contestants agree, and it would tell if they did not. No time is tested."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.benchmarks import limits, measure, report
from tests.benchmarks.__main__ import main
from tests.benchmarks.contestants import Contestant, difference
from tests.benchmarks.measure import Record
from tests.benchmarks.targets import verdicts
from tests.benchmarks.workloads import WORKLOADS, Workload, wide

TINY = ["--scale", "1e-9", "--rounds", "1"]


def hurry(patch: pytest.MonkeyPatch) -> None:
    """Repeat no call to time it better, and collect no garbage: that takes long in a process of thousands of tests."""
    patch.setattr(measure, "SHORT", 0.0)
    patch.setattr(measure.gc, "collect", lambda: 0)


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Every workload in its smallest size, without children: those are tested below."""
    path = tmp_path_factory.mktemp("benchmark") / "run.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure, "CAN_PROBE", False)
        hurry(patch)
        main([*TINY, "--json", str(path)])
    return json.loads(path.read_text())


def test_every_workload_ran(document: dict[str, Any]) -> None:
    ran = {(record["workload"], record["task"], record["data"]) for record in document["records"]}
    assert ran == {(workload.key, workload.task, workload.data) for workload in WORKLOADS}


def test_all_contestants_agree(document: dict[str, Any]) -> None:
    records = document["records"]
    assert [record for record in records if record["same"] is False] == []
    assert [record for record in records if record["kind"] != "peer" and record["same"] is not True] == []
    assert {record["kind"] for record in records} >= {"ours", "limit"}


def test_every_target_is_about_something_measured(document: dict[str, Any]) -> None:
    missing = [target for target in document["targets"] if target["measured"] is None]
    assert {target["unit"] for target in missing} <= {"x krippendorff", "x sklearn"}  # which may not be installed


# ------------------------------------------------------------------------------------------------- wrong numbers


def contestant(kind: str, value: Any, **options: Any) -> Contestant:
    return Contestant(kind, kind, "number", lambda frame: value, **options)


TRIVIAL = Workload("W0", "nothing", "nothing", (600,), lambda n: pd.DataFrame({"c00": range(n)}))


@pytest.mark.parametrize(
    ("ours", "theirs", "options", "expected"),
    [
        (0.5, 0.5, {}, ""),
        (0.5, 0.6, {}, "differs by 0.1"),
        (0.5, 0.500001, {}, "differs by 1e-06"),
        (0.5, 0.500001, {"digits": 1e-5}, ""),
        ([0.5, 0.6], [0.5], {}, "1 numbers, not 2"),
        ([0.5, 0.6], [0.5, np.nan], {}, ""),  # a peer may do a part
        ([0.5, np.nan], [0.5, 0.6], {}, "undefined"),
        (0.5, np.nan, {}, "undefined"),
        ([0.4, 0.6], [0.409, 0.609], {"draws": 10_000}, ""),
        ([0.4, 0.6], [0.42, 0.62], {"draws": 10_000}, "differs by 0.02"),
    ],
)
def test_a_difference_is_told(ours: Any, theirs: Any, options: dict[str, Any], expected: str) -> None:
    assert difference(ours, theirs, contestant("peer", theirs, **options)) == expected


def test_a_run_with_a_wrong_number_ends_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)
    monkeypatch.setattr(measure, "CAN_PROBE", False)
    monkeypatch.setitem(limits.LIMITS, "short", [Contestant("limit", "limit", "kappa", lambda frame: 2.0)])
    with pytest.raises(SystemExit, match=r"^not the same number:\n  limit \(kappa\) .* differs by 1\.\d+"):
        main([*TINY, "--workloads", "W8"])


@pytest.mark.parametrize("child", [True, False])
def test_a_wrong_number_and_an_error_are_recorded(child: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if child and not measure.CAN_PROBE:
        pytest.skip(measure.NO_PROBE)
    hurry(monkeypatch)
    monkeypatch.setattr(measure, "CAN_PROBE", child)

    def broken(frame: pd.DataFrame) -> float:
        raise KeyError("no such column")

    contestants = [contestant("ours", 0.5), contestant("limit", 0.7), Contestant("broken", "peer", "number", broken)]
    ours, limit, failed = measure.measure(TRIVIAL, 600, contestants, 1)
    assert (ours.same, limit.same, failed.same) == (True, False, None)
    assert limit.problem == "differs by 0.2"
    assert failed.problem == "KeyError: 'no such column'"
    assert failed.seconds is None


def test_a_child_tells_the_peak(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)
    if not measure.CAN_PROBE:
        pytest.skip(measure.NO_PROBE)
    hungry = Contestant("hungry", "ours", "number", lambda frame: float(np.ones(4_000_000).sum()))
    record = measure.measure(TRIVIAL, 600, [hungry], 1)[0]
    assert record.peak_bytes is not None
    assert 30e6 < record.peak_bytes < 40e6
    assert record.bytes_per_label == record.peak_bytes / 600


@pytest.mark.parametrize(
    ("earlier", "expected"),
    [
        ({"seconds": 1.0}, ""),
        ({"seconds": 7.0}, "skipped: 111 s expected"),
        ({"seconds": 7.0, "share": 0.01}, ""),
        ({"seconds": 1.0, "peak_bytes": 10**9}, "skipped: 10 GB expected"),
        ({"problem": "over 60 s"}, "over 60 s"),
    ],
)
def test_what_would_take_too_long_is_foreseen(earlier: dict[str, Any], expected: str) -> None:
    before, now = (Record("W0", "task", "data", rows, rows, "peer", "number", "slow") for rows in (1000, 10_000))
    for name, value in earlier.items():
        setattr(before, name, value)
    assert measure.foreseen(now, 10**9, [before]) == expected
    assert measure.foreseen(now, 9_999, []) == "skipped: over a minute, or gigabytes"


# ------------------------------------------------------------------------------------------------- limits, targets


@pytest.mark.parametrize("dtype", ["category", "float64", "str", "object"])
def test_the_limit_of_kappa_takes_odd_numbers_of_rows_and_gaps(dtype: str) -> None:
    frame = wide(4 * limits.BLOCK + 1, 2, 5, 0.2, dtype, 0)
    assert limits.kappa(frame) == pytest.approx(frame.agree.kappa(ci=None)["estimate"].iloc[0], abs=1e-12)


def test_targets_are_judged_on_the_largest_frame() -> None:
    def record(rows: int, kind: str, call: str, seconds: float) -> Record:
        return Record(
            "W1", "two coders", "category", rows, 2 * rows, kind, "kappa", call, seconds, bytes_per_label=150.0
        )

    found = verdicts(
        [
            record(100_000, "limit", "limit", 1.0),
            record(100_000, "ours", "kappa()", 2.0),
            record(10_000_000, "limit", "limit", 10.0),
            record(10_000_000, "ours", "kappa()", 50.0),
            record(10_000_000, "ours", "kappa(ci=None)", 40.0),
        ],
        import_shares=(0.07, 0.5),
    )
    lines = [report.judged(verdict) for verdict in found]
    assert lines == [
        "met                4     <= 4 x limit         W1 two coders, category: kappa(ci=None), 10,000,000 rows",
        "NOT MET            5   <= 4.2 x limit         W1 two coders, category: kappa(), 10,000,000 rows",
        "        not measured          x kappa()       W1 two coders, category: summary()",
        "NOT MET          150   <= 100 bytes a label   W1 two coders, category: kappa(), 100,000 rows",
        "met            0.699   <= 1.1 exponent        W1 two coders, category: kappa(), 100,000 to 10,000,000 rows "
        "(limit: 0.50)",
        "met             0.07  <= 0.14 x import pandas import pandas_agreement, on top of pandas",
        "                 0.5          x import pandas the same and the first df.agree",
    ]
