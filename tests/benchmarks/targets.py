"""What we want to reach, and whether a run reached it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tests.benchmarks.measure import Record


@dataclass(frozen=True)
class Verdict:
    """One target in one run; `bound` None is a figure to know, without a target."""

    target: str
    measured: float | None
    bound: float | None
    unit: str

    @property
    def met(self) -> bool | None:
        if self.measured is None or self.bound is None:
            return None
        return self.measured <= self.bound

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "met": self.met}


@dataclass(frozen=True)
class Ratio:
    """Our call beside another contestant, on the largest frame of a workload."""

    workload: str
    task: str
    data: str
    call: str
    bound: float | None
    against: str = "limit"


TWO, LONG, WIDE = ("W1", "two coders"), ("W2", "long"), ("W3", "wide", "20 coders, 30 % gaps")
DTYPES = ("category", "int64", "int8", "float64", "str", "object")
FAST = ("category", "int64", "int8")
RATIOS = [
    *(Ratio(*TWO, dtype, "kappa(ci=None)", 4.0) for dtype in FAST),
    *(Ratio(*TWO, dtype, "kappa()", 4.2) for dtype in FAST),
    *(Ratio(*TWO, dtype, "kappa()", 1.3) for dtype in ("str", "object")),
    *(
        Ratio(*LONG, ids, f"{name}({options})", bound)
        for ids, bound in (("integer ids", 5.0), ("string ids", 1.6))
        for name in ("alpha", "pi", "ac1")
        for options in ("ci=None", "")
    ),
    Ratio(*WIDE, "alpha(ci=None)", 4.0),
    Ratio(*WIDE, "alpha()", 4.0),
    Ratio(*WIDE, "alpha()", 1 / 20, "krippendorff"),
    Ratio("W4", "groups, kappa", "2 coders", "kappa(by=, ci=None)", 3.0),
    Ratio("W4", "groups, kappa", "2 coders", "kappa(analytic)", 3.0),
    Ratio("W4", "groups, kappa", "2 coders", "kappa(by=)", 6.0),
    Ratio("W4", "groups, alpha", "5 coders, 10 % gaps", "alpha(by=, ci=None)", 3.0),
    Ratio("W4", "groups, alpha", "5 coders, 10 % gaps", "alpha(by=)", 6.0),
    Ratio("W5", "bootstrap, kappa", "2 coders", "kappa(percentile)", 2.0),
    Ratio("W5", "bootstrap, alpha", "5 coders, 10 % gaps", "alpha(percentile)", 2.0),
    Ratio("W6", "interval", "different numbers", "alpha(ci=None)", 3.0),
    Ratio("W6", "interval", "different numbers", "alpha()", 5.0),
    Ratio("W7", "pairs", "50 coders, 30 % gaps", "by_pair(ci=None)", 4.0),
    Ratio("W7", "pairs", "50 coders, 30 % gaps", "by_pair()", 4.0),
    Ratio("W9", "ICC", "4 coders, complete", "icc_a1()", 6.0),
    *(Ratio("W8", "short", dtype, "kappa()", 0.6, "sklearn") for dtype in DTYPES),
    Ratio(*TWO, "category", "summary()", None, "kappa()"),
    Ratio(*LONG, "integer ids", "summary()", None, "alpha()"),
    Ratio(*WIDE, "summary()", None, "alpha()"),
]
MEMORY = 100.0  # bytes a label
LARGE = 50_000  # rows or labels: below, what does not grow with the data weighs more
GROWTH = 1.1  # exponent
IMPORT = 0.14  # of `import pandas`


def peers_needed(task: str) -> set[str]:
    """The packages that a target of this task is about."""
    return {ratio.against for ratio in RATIOS if ratio.task == task} - {"limit"}


def verdicts(records: Sequence[Record], import_shares: tuple[float, float] | None) -> list[Verdict]:
    """Every target that the records can judge."""
    tasks = {(record.workload, record.task, record.data) for record in records}
    ratios = [ratio for ratio in RATIOS if (ratio.workload, ratio.task, ratio.data) in tasks]
    found = [_ratio(ratio, records) for ratio in ratios]
    found += [*_memory(records), *_growth(records)]
    names = "import pandas_agreement, on top of pandas", "the same and the first df.agree"
    for name, share, bound in zip(names, import_shares or (), (IMPORT, None), strict=False):
        found.append(Verdict(name, share, bound, "x import pandas"))
    return found


def _largest(records: Sequence[Record], ratio: Ratio, fits: Callable[[Record], bool]) -> Record | None:
    """The time of a wrong number is worth nothing."""
    mine = [r for r in records if (r.workload, r.task, r.data) == (ratio.workload, ratio.task, ratio.data) and fits(r)]
    known = [record for record in mine if record.seconds and record.same is not False]
    return max(known, key=lambda record: record.rows, default=None)


def _ratio(ratio: Ratio, records: Sequence[Record]) -> Verdict:
    ours = _largest(records, ratio, lambda record: record.kind == "ours" and record.call == ratio.call)
    name = f"{ratio.workload} {ratio.task}, {ratio.data}: {ratio.call}"
    if ours is None:
        return Verdict(name, None, ratio.bound, f"x {ratio.against}")
    other = _largest(
        records, ratio, lambda record: record.call.startswith(ratio.against) and record.finds == ours.finds
    )
    same_size = other is not None and other.rows == ours.rows
    measured = ours.seconds / other.seconds if same_size else None  # type: ignore[operator, union-attr]
    return Verdict(f"{name}, {ours.rows:,} rows", measured, ratio.bound, f"x {ratio.against}")


def _memory(records: Sequence[Record]) -> Iterator[Verdict]:
    """For each kind of frame, the call that adds most."""
    worst: dict[tuple[str, str, str], Record] = {}
    for record in records:
        if record.kind == "ours" and record.labels >= LARGE and record.bytes_per_label is not None:
            key = (record.workload, record.task, record.data)
            worst[key] = max(worst.get(key, record), record, key=lambda one: one.bytes_per_label or 0.0)
    for record in worst.values():
        name = f"{record.workload} {record.task}, {record.data}: {record.call}, {record.rows:,} rows"
        yield Verdict(name, record.bytes_per_label, MEMORY, "bytes a label")


def growth(records: Sequence[Record]) -> Iterator[tuple[Record, Record, float]]:
    """The smallest of the large frames and the largest of each call, and the exponent between them."""
    series: dict[tuple[str, ...], list[Record]] = {}
    for record in records:
        if record.seconds and record.rows >= LARGE:
            key = (record.workload, record.task, record.data, record.kind, record.finds, record.call)
            series.setdefault(key, []).append(record)
    for found in series.values():
        first, last = (end(found, key=lambda record: record.rows) for end in (min, max))
        if last.rows > first.rows:
            yield first, last, math.log(last.seconds / first.seconds) / math.log(last.rows / first.rows)  # type: ignore[operator]


def _growth(records: Sequence[Record]) -> Iterator[Verdict]:
    """For each kind of frame, the call that grows fastest, and what the limit does: caches end for everybody."""
    worst: dict[tuple[str, str, str], tuple[Record, Record, float]] = {}
    limits: dict[tuple[str, str, str], float] = {}
    for first, last, exponent in growth(records):
        key = (first.workload, first.task, first.data)
        if first.kind == "limit":
            limits[key] = max(exponent, limits.get(key, exponent))
        elif first.kind == "ours" and (key not in worst or exponent > worst[key][2]):
            worst[key] = (first, last, exponent)
    for key, (first, last, exponent) in worst.items():
        name = f"{' '.join(key[:2])}, {key[2]}: {first.call}, {first.rows:,} to {last.rows:,} rows"
        known = f" (limit: {limits[key]:.2f})" if key in limits else ""
        yield Verdict(name + known, exponent, GROWTH, "exponent")
