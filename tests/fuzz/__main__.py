"""Run the fuzzer: `python -m tests.fuzz --calls 100000`; with `--seed N --calls 1 --show` one call again, in detail."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.fuzz.run import run_seed

PROGRESS = 10_000  # calls


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0, help="of the first call; those of the others follow")
    parser.add_argument("--most", type=int, default=20, help="failures after which to stop")
    parser.add_argument("--show", action="store_true", help="print the traceback and the frame of a failure")
    chosen = parser.parse_args()
    outcomes: Counter[str] = Counter()
    start = time.time()
    for seed in range(chosen.seed, chosen.seed + chosen.calls):
        outcome, text = run_seed(seed, chosen.show)
        outcomes[outcome] += 1
        if text:
            print(text, flush=True)
        if outcomes.total() % PROGRESS == 0:
            print(f"{outcomes.total()} calls", file=sys.stderr, flush=True)
        if outcomes["failure"] == chosen.most:
            break
    print(f"{outcomes.total()} calls in {time.time() - start:.0f} s: {dict(outcomes)}")
    return int(outcomes["failure"] > 0)


if __name__ == "__main__":
    sys.exit(main())
