"""One seed: its call, checked, and now and then the calls that have to give the same numbers."""

from __future__ import annotations

import traceback

from tests.fuzz.calls import draw_call
from tests.fuzz.equal import check_formats, check_groups
from tests.fuzz.rules import Broken, check

OTHER_CHECKS = {0: check_formats, 1: check_groups}  # by the seed modulo `EVERY`
EVERY = 12


def run_seed(seed: int, show: bool = False) -> tuple[str, str]:
    """What became of the call of a seed, and the text of its failure."""
    other = OTHER_CHECKS.get(seed % EVERY)
    call = None if other else draw_call(seed)
    try:
        return (other(seed) if other else check(call)), ""
    except Broken as broken:
        text = f"seed {seed}: {call or 'same numbers'}\n    {broken}\n    python -m tests.fuzz --seed {seed} --calls 1 --show"
        if show:
            text += f"\n{traceback.format_exc()}"
        if show and call:
            text += f"\n{call.data.frame}\n{call.data.frame.dtypes}"
        return "failure", text
