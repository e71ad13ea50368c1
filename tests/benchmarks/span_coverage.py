"""How often intervals of `df.agree.spans` hold: `python -m tests.benchmarks.span_coverage`, half a minute.

Two designs. **entities**: three coders mark short entities of four labels in documents of 100 to 2,000 positions. In
hard documents they miss more of them, and confuse more labels. **passages**: two coders cut interviews into passages of
20 to 200 positions, each coder with boundaries of their own, and code most of them with six labels. The true value is
that of a sample of many documents. Printed is the share of data sets whose 95 % interval holds it, for data sets of 10,
30 and 100 documents; the standard error of a share of .95 is .007 for 1,000 data sets.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array, number_within
from tests.benchmarks.runner import asked, held, markdown

SEED, LARGE = 20290, 40_000
DOCUMENTS = (10, 30, 100)
SLOT = 20  # positions for one entity and the text around it
ENTITIES, PASSAGES = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.3, 0.25, 0.2, 0.1, 0.1, 0.05])


def entities(n_documents: int, rng: np.random.Generator) -> tuple[pd.DataFrame, Array]:
    """The spans of three coders, and the length of each document."""
    slots = np.clip(rng.lognormal(2.7, 0.8, n_documents), 5, 100).astype(int)
    doc = np.repeat(np.arange(n_documents), slots)
    hard = rng.beta(1.5, 3, n_documents)[doc]
    first = number_within(doc) * SLOT + rng.integers(2, 10, len(doc))
    size, label = rng.integers(1, 8, len(doc)), rng.choice(len(ENTITIES), len(doc), p=ENTITIES)
    there = rng.random(len(doc)) < 0.4
    parts = []
    for who in "abc":
        found = rng.random(len(doc)) < np.where(there, 0.95 - 0.5 * hard, 0.03)
        shift = rng.choice([-1, 0, 1], len(doc), p=[0.08, 0.8, 0.12])
        confused = rng.random(len(doc)) < 0.05 + 0.3 * hard
        given = np.where(confused, rng.choice(len(ENTITIES), len(doc), p=ENTITIES), label)
        end = first + np.maximum(size + shift, 1)
        parts.append(pd.DataFrame({"doc": doc, "who": who, "start": first, "end": end, "tag": given})[found])
    return pd.concat(parts), slots * SLOT


def passages(n_documents: int, rng: np.random.Generator) -> tuple[pd.DataFrame, Array]:
    """The spans of two coders, and the length of each document."""
    number = np.clip(rng.lognormal(2.5, 0.6, n_documents), 3, 60).astype(int)
    doc = np.repeat(np.arange(n_documents), number)
    width = rng.integers(20, 200, len(doc))
    length = np.bincount(doc, width, n_documents).astype(int)
    start = np.cumsum(width) - width - (np.cumsum(length) - length)[doc]
    skill = rng.beta(6, 2, n_documents)[doc]
    label = rng.choice(len(PASSAGES), len(doc), p=PASSAGES)
    coded = rng.random(len(doc)) < 0.7
    parts = []
    for who in "ab":
        moved = np.where(start == 0, 0, start + rng.integers(-8, 9, len(doc)) * (rng.random(len(doc)) < 0.5))
        last = np.append(doc[1:] != doc[:-1], True)
        end = np.where(last, length[doc], np.append(moved[1:], 0))
        knows = rng.random(len(doc)) < skill
        given = np.where(knows, label, rng.choice(len(PASSAGES), len(doc), p=PASSAGES))
        marked = np.where(knows, coded, rng.random(len(doc)) < 0.7)
        parts.append(pd.DataFrame({"doc": doc, "who": who, "start": moved, "end": end, "tag": given})[marked])
    return pd.concat(parts), length


DESIGNS = {"entities": entities, "passages": passages}


def measured(design: str, n_documents: int, runs: int, rng: np.random.Generator, ci: float | None) -> pd.DataFrame:
    """All coefficients of each data set; documents follow one another, `n_documents` in each data set."""
    frame, length = DESIGNS[design](n_documents * runs, rng)
    everywhere = pd.Series(length, name="length").rename_axis("doc")
    unmarked = pd.DataFrame({"doc": everywhere.index, "who": "a"})  # a row of each document, for its data set
    frame = pd.concat([frame, unmarked], ignore_index=True)
    frame["run"] = frame["doc"] // n_documents
    roles = {"item": "doc", "coder": "who", "start": "start", "end": "end", "label": "tag"}
    return frame.agree.spans(**roles, length=everywhere, unmarked="seen").summary(by="run", ci=ci)


def coverage(design: str, runs: int, documents: Sequence[int] = DOCUMENTS, large: int = LARGE) -> pd.DataFrame:
    """The share of intervals that hold the true value: one row per number of documents, one column per coefficient."""
    rng = np.random.default_rng([SEED, len(design)])
    truth = measured(design, large, 1, rng, None)["estimate"].droplevel("run")
    rows = {"true value": truth}
    for n_documents in documents:
        found = measured(design, n_documents, runs, rng, 0.95).groupby(level="coefficient", sort=False)
        rows[str(n_documents)] = pd.Series({name: held(part, truth[name]) for name, part in found})
    return pd.DataFrame(rows).T.rename_axis("documents")


if __name__ == "__main__":
    runs = asked(__doc__, runs=1000).runs
    table = pd.concat({design: coverage(design, runs) for design in DESIGNS}, names=["design"])
    print(f"{runs} data sets each\n\n{markdown(table)}")
