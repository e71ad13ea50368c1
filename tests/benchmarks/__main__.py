"""Speed and memory of our calls beside the leanest numpy and beside other packages: `python -m tests.benchmarks`.

Everything takes a quarter of an hour or more; `--targets` measures only what the targets need. Ends with an error if
any contestant finds another number than we do.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from tests.benchmarks import report, sweep, targets
from tests.benchmarks.limits import LIMITS
from tests.benchmarks.measure import CAN_PROBE, NO_PROBE, Record, import_shares, measure
from tests.benchmarks.ours import OURS
from tests.benchmarks.peers import peers_of
from tests.benchmarks.workloads import WORKLOADS


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    keys = list(dict.fromkeys(workload.key for workload in WORKLOADS))
    parser.add_argument("--workloads", nargs="+", choices=keys, default=keys, metavar="W1", help=", ".join(keys))
    parser.add_argument("--scale", type=float, default=1.0, help="size of the data; targets are meant for 1")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each contestant; the fastest counts")
    parser.add_argument("--targets", action="store_true", help="measure only what the targets need")
    parser.add_argument("--sweep", nargs="*", metavar="METHOD", help="every public method, or some, on growing data")
    parser.add_argument("--axes", nargs="+", choices=list(sweep.AXES), help="what grows in the sweep; default: all")
    parser.add_argument("--keep", metavar="FILE", help="runs of the sweep; what is in it is not repeated")
    parser.add_argument("--json", metavar="FILE", help="all numbers, for other programs")
    return parser.parse_args(arguments)


def environment(chosen: argparse.Namespace) -> dict[str, object]:
    packages = ("numpy", "pandas", "scipy", "pyarrow", "scikit-learn", "krippendorff")
    installed = {dist.metadata["Name"].lower() for dist in metadata.distributions()}
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "scale": chosen.scale,
        "rounds": chosen.rounds,
        "versions": {name: metadata.version(name) for name in packages if name.lower() in installed},
    }


def run(chosen: argparse.Namespace) -> list[Record]:
    """Measure what was chosen, and print each frame's part of the table as soon as it is ready."""
    records: list[Record] = []
    for workload in WORKLOADS:
        if workload.key not in chosen.workloads:
            continue
        wanted = targets.peers_needed(workload.task) if chosen.targets else None
        contestants = [*LIMITS[workload.task], *OURS[workload.task], *peers_of(workload.task, wanted)]
        for n in workload.rows(chosen.scale, chosen.targets):
            found = measure(workload, n, contestants, chosen.rounds, records)
            records += found
            print("\n".join(report.block(found)), flush=True)
    return records


def save(chosen: argparse.Namespace, numbers: object) -> None:
    if chosen.json:
        Path(chosen.json).write_text(json.dumps(numbers, indent=1), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    chosen = parse(arguments)
    if chosen.sweep is not None:
        save(chosen, sweep.main(chosen.sweep, chosen.axes or (), chosen.keep))
        return
    print(report.header() if CAN_PROBE else f"{NO_PROBE}\n{report.header()}")
    records = run(chosen)
    verdicts = targets.verdicts(records, import_shares(2 * chosen.rounds - 1))
    print(
        "\ntargets, for the largest frames"
        + ("" if chosen.scale == 1 else ", which are smaller than they are meant for")
    )
    print("\n".join(map(report.judged, verdicts)))
    save(chosen, report.document(environment(chosen), records, verdicts))
    wrong = [record for record in records if record.same is False or (record.kind != "peer" and record.same is None)]
    if wrong:
        raise SystemExit("not the same number:\n" + "\n".join(map(report.line, wrong)))


if __name__ == "__main__":
    main()
