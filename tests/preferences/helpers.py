"""Verdicts to test with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

#: verdicts on A and B, shown with A first and with B first: number of items
SWAPS = {("A", "A"): 18, ("B", "B"): 9, ("A", "B"): 8, ("B", "A"): 3, ("tie", "A"): 1, ("tie", "tie"): 1}
WINS = {"12": 7, "21": 3, "13": 9, "31": 1, "23": 6, "32": 4}  # winner and loser: number of verdicts
COLUMNS: dict[str, Any] = {"first": "a", "second": "b", "winner": "won"}


def swapped(pairs: dict[tuple[str, str], int] = SWAPS) -> pd.DataFrame:
    """Two rows per item, A first and B first."""
    each = [pair for pair, n in pairs.items() for _ in range(n)]
    rows = [(item, *row) for item, (one, two) in enumerate(each) for row in (("A", "B", one), ("B", "A", two))]
    return pd.DataFrame(rows, columns=["prompt", "a", "b", "won"])


def played(wins: dict[str, int] = WINS) -> pd.DataFrame:
    """One row per verdict, the winner shown first."""
    rows = [(pair[0], pair[1], pair[0]) for pair, n in wins.items() for _ in range(n)]
    return pd.DataFrame(rows, columns=["a", "b", "won"])


def drawn(n: int, names: str, position: float = 0.0, ties: float = 0.0, seed: int = 0) -> pd.DataFrame:
    """Verdicts on random pairs of candidates of growing strength, in random order."""
    rng = np.random.default_rng(seed)
    beta = np.linspace(-1, 1, len(names))
    first = rng.integers(0, len(names), n)
    second = (first + rng.integers(1, len(names), n)) % len(names)
    wins = rng.random(n) < 1 / (1 + np.exp(-(beta[first] - beta[second] + position)))
    names_ = np.array(list(names), object)
    won = np.where(rng.random(n) < ties, "tie", np.where(wins, names_[first], names_[second]))
    return pd.DataFrame({"a": names_[first], "b": names_[second], "won": won, "prompt": rng.integers(0, n // 4, n)})
