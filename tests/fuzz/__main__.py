"""Run the fuzzer: `python -m tests.fuzz --calls 100000 --seed 0`; `--calls 1 --show` repeats one call."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.fuzz.run import run_seed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0, help="of the first call")
    parser.add_argument("--most", type=int, default=20, help="failures after which to stop")
    parser.add_argument("--show", action="store_true", help="print the frame of each failure, and the traceback")
    chosen = parser.parse_args()
    outcomes: Counter[str] = Counter()
    failures = 0
    start = time.time()
    for seed in range(chosen.seed, chosen.seed + chosen.calls):
        outcome, text = run_seed(seed, chosen.show)
        outcomes[outcome] += 1
        if outcome == "failure":
            failures += 1
            print(text, flush=True)
            if failures >= chosen.most:
                break
    print(f"{outcomes.total()} calls in {time.time() - start:.0f} s: {dict(outcomes)}")
    return int(failures > 0)


sys.exit(main())
