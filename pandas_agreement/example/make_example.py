"""Write `annotations.csv`, the made-up annotation project that ships with the package.

Run it with `python -m pandas_agreement.example.make_example`; the file is the same every time, byte for byte. Only
`random.Random.random` is used: its sequence for a given seed never changes, unlike that of numpy's generators.

The effects built in, which an analysis should find:

- the guidelines were rewritten after the third of six batches, and all coders label better from the fourth on;
- `complaint` is rare and badly defined: it is mostly mistaken for a bug report or a question;
- `dev` chooses `bug` when in doubt, less often after the retraining;
- long tickets are harder than short ones;
- about a fifth of the labels is missing: some tickets have two labels, one or none.
"""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from random import Random

SEED = 20260105
BATCHES = tuple(f"2026-w{week:02d}" for week in range(1, 7))
ITEMS_PER_BATCH = 100
RETRAINED_FROM = "2026-w04"

PREVALENCE = {"bug": 0.42, "question": 0.30, "request": 0.21, "complaint": 0.07}
MISTAKEN_FOR = {
    "bug": {"question": 0.55, "request": 0.30, "complaint": 0.15},
    "question": {"bug": 0.40, "request": 0.50, "complaint": 0.10},
    "request": {"bug": 0.25, "question": 0.65, "complaint": 0.10},
    "complaint": {"bug": 0.55, "question": 0.35, "request": 0.10},
}
SKILL = {"ann": 0.98, "bob": 0.97, "cleo": 0.96, "dev": 0.95}
SKIPPED = {"ann": 0.12, "bob": 0.20, "cleo": 0.20, "dev": 0.26}

# before, after the retraining
KNOWS_THE_GUIDELINES = (0.81, 1.0)
RECOGNISES_A_COMPLAINT = (0.45, 0.62)
DEV_CHOOSES_BUG = (0.40, 0.25)
LOST_BY_EVERYBODY = 0.012


def example_csv() -> str:
    """The whole file as text: one line per ticket, columns item, batch, text_length and one per coder."""
    rng = Random(SEED)  # noqa: S311  (made-up data, not secrets)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["item", "batch", "text_length", *SKILL])
    for number in range(len(BATCHES) * ITEMS_PER_BATCH):
        batch = BATCHES[number // ITEMS_PER_BATCH]
        length = _text_length(rng)
        writer.writerow([f"t{number + 1:04d}", batch, length, *_labels(rng, batch, length)])
    return out.getvalue()


def _text_length(rng: Random) -> int:
    """Words in a ticket: about log-normal, median 40."""
    bell = sum(rng.random() for _ in range(12)) - 6.0
    return max(4, round(40 * math.exp(0.6 * bell)))


def _labels(rng: Random, batch: str, length: int) -> list[str]:
    """The label of each coder for one ticket; an empty string if it is missing."""
    truth = _draw(rng, PREVALENCE)
    lost = rng.random() < LOST_BY_EVERYBODY
    labels = []
    for coder in SKILL:
        label = _judgment(rng, coder, truth, batch, length)
        skipped = rng.random() < SKIPPED[coder]
        labels.append("" if lost or skipped else label)
    return labels


def _judgment(rng: Random, coder: str, truth: str, batch: str, length: int) -> str:
    """One coder's label: the true category, one that it is mistaken for, or dev's preferred `bug`."""
    retrained = batch >= RETRAINED_FROM
    right = SKILL[coder] * KNOWS_THE_GUIDELINES[retrained]
    if truth == "complaint":
        right *= RECOGNISES_A_COMPLAINT[retrained]
    right -= 0.09 * min(max(length / 40 - 1, 0.0), 3.0)
    label = truth if rng.random() < right else _draw(rng, MISTAKEN_FOR[truth])
    prefers_bug = rng.random() < DEV_CHOOSES_BUG[retrained]
    return "bug" if coder == "dev" and prefers_bug else label


def _draw(rng: Random, shares: dict[str, float]) -> str:
    """Draw one of the keys with the probabilities in `shares`."""
    left = rng.random()
    for label, share in shares.items():
        left -= share
        if left < 0:
            return label
    return next(reversed(shares))  # the shares add up to 1, but for rounding


if __name__ == "__main__":
    target = Path(__file__).with_name("annotations.csv")
    target.write_text(example_csv(), encoding="utf-8", newline="\n")
    print(f"wrote {target.name}: {target.stat().st_size} bytes")
