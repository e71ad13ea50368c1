"""One seed: its call, checked."""

from __future__ import annotations

import traceback

from tests.fuzz.calls import draw_call
from tests.fuzz.rules import Broken, check


def run_seed(seed: int, show: bool = False) -> tuple[str, str]:
    """What became of the call of a seed, and the text of its failure."""
    call = draw_call(seed)
    try:
        return check(call), ""
    except Broken as broken:
        text = f"seed {seed}: {call}\n    {broken}\n    python -m tests.fuzz --seed {seed} --calls 1 --show"
        if show:
            text += f"\n{call.data.frame}\n{call.data.frame.dtypes}\n{traceback.format_exc()}"
        return "failure", text
