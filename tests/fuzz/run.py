"""One seed: its call, checked; one seed in four compares calls that have to give the same numbers."""

from __future__ import annotations

import traceback

from tests.fuzz.calls import draw_call
from tests.fuzz.equal import check_formats, check_frequency, check_groups
from tests.fuzz.rules import Broken, check
from tests.fuzz.ways import draw_frequency, draw_way

#: by the seed modulo 12
COMPARED = {0: check_formats, 1: check_groups, 2: check_frequency}
DRAWN = {3: draw_way, 4: draw_way, 5: draw_frequency}


def run_seed(seed: int, show: bool = False) -> tuple[str, str]:
    """What became of a seed ('result', 'error' or 'failure'), and the text of a failure."""
    compare = COMPARED.get(seed % 12)
    call = None if compare else DRAWN.get(seed % 12, draw_call)(seed)
    try:
        return (compare(seed) if call is None else check(call)), ""
    except Broken as broken:
        text = f"seed {seed}: {call or ''}\n    {broken}\n    python -m tests.fuzz --seed {seed} --calls 1 --show"
        if show:
            text += f"\n{traceback.format_exc()}"
        if show and call is not None:
            text += f"\n{call.data.frame}\n{call.data.frame.dtypes}"
        return "failure", text
