"""The table, the targets, the JSON and the plot of a run.

The JSON holds `environment` (python, machine, cores, scale, rounds, versions of packages), `records` and `targets`. A
record is one contestant on one frame: workload, task, data, rows, labels, kind (ours, limit, peer), finds, call,
seconds (CPU time of the fastest round), ratio (to the limit), peak_bytes and bytes_per_label (on top of the frame),
rounds, share (the part of the work that was done; the seconds are those of the whole), same (whether it found our
number), problem. A target: target, measured, bound, unit, met. What is not known is null.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
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

COLOURS = {
    "limit": "black",
    "ours": "#d1495b",
    "sklearn": "#00798c",
    "statsmodels": "#edae49",
    "krippendorff": "#66a182",
    "nltk": "#8d6a9f",
    "irrCAC": "#7f7f7f",
}
Series = dict[str, list[Record]]


def series(records: Sequence[Record]) -> dict[str, Series]:
    """Panels, and in each the measured sizes of the limit, our call with all its defaults, and the peers."""
    panels: dict[str, Series] = {}
    for record in records:
        other = record.kind == "ours" and (record.call == "summary()" or "ci=None" in record.call)
        if record.seconds is None or other or record.finds not in ("kappa", "alpha"):
            continue
        panel = panels.setdefault(f"{record.workload} {record.task}, {record.data}", {})
        panel.setdefault("ours" if record.kind == "ours" else record.call, []).append(record)
    return {title: panel for title, panel in panels.items() if len(panel.get("limit", [])) > 1}


def plot(records: Sequence[Record], path: Path) -> None:
    """Time against size, both on log scales, a panel a workload with several sizes."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.lines import Line2D

    panels = series(records)
    if not panels:
        raise SystemExit("nothing to plot: none of these workloads has two sizes")
    columns = min(4, len(panels))
    rows = -(-len(panels) // columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(3.6 * columns, 2.9 * rows + 0.5), squeeze=False)
    for axis in axes.flat[len(panels) :]:
        axis.set_visible(False)
    for axis, (title, panel) in zip(axes.flat, panels.items(), strict=False):
        draw(axis, title, panel)
    names = [name for name in COLOURS if any(name in panel for panel in panels.values())]
    labels = {"limit": "limit (leanest numpy, no interval)", "ours": "df.agree, with interval"}
    handles = [Line2D([], [], color=COLOURS[name], marker="o", label=labels.get(name, name)) for name in names]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(names), frameon=False)
    figure.set_layout_engine("constrained")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def draw(axis: Any, title: str, panel: Series) -> None:
    """One panel."""
    for name, found in panel.items():
        found = sorted(found, key=lambda record: record.rows)
        axis.plot(
            [record.rows for record in found],
            [record.seconds for record in found],
            color=COLOURS[name],
            marker="o",
            markersize=4,
            linewidth=2 if name == "ours" else 1.2,
        )
    axis.set(xscale="log", yscale="log", xlabel="rows", ylabel="CPU seconds")
    axis.set_title(title, fontsize=9)
    axis.grid(alpha=0.3)
