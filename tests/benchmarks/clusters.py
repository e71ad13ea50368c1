"""How often intervals hold if items come in documents: `python -m tests.benchmarks.clusters`, a minute.

Documents have five items. In hard documents two coders guess by the shares of the categories; in the others both know
the label. So kappa is the part of documents that are not hard, at every site. The rate of a category follows from the
same part. Printed is the share of data sets whose 95 % interval holds the true value, with `clusters=` and without.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from tests.benchmarks.runner import held, markdown

SEED, RUNS, SITES, ITEMS, HARD = 20280, 200, 3, 5, 0.4
SHARES = np.array([0.5, 0.3, 0.2])


def data_sets(n_documents: int, rng: np.random.Generator) -> pd.DataFrame:
    """All data sets below each other, told apart by the column `run`."""
    size = (RUNS, SITES, n_documents, ITEMS)
    draws = rng.choice(len(SHARES), p=SHARES, size=(3, *size))
    hard = (rng.random(size[:3]) < HARD)[..., None]
    places = np.indices(size).reshape(4, -1)
    columns = {"ann": np.where(hard, draws[0], draws[2]).ravel(), "bob": np.where(hard, draws[1], draws[2]).ravel()}
    frame = pd.DataFrame(columns | {"run": places[0], "site": places[1]})
    return frame.assign(doc=places[1] * n_documents + places[2])


def coverage(n_documents: int, rng: np.random.Generator) -> dict[str, float]:
    """One row of the table."""
    frame, both = data_sets(n_documents, rng), HARD * SHARES**2 + (1 - HARD) * SHARES
    rates = np.tile(both / (2 * SHARES - both), RUNS)
    unique = frame["run"] * SITES * n_documents + frame["doc"]
    row: dict[str, float] = {"documents": SITES * n_documents}
    for name, clusters in {"with": unique, "without": None}.items():
        by_category = frame.agree.by_category("ann", "bob", metrics=["rate"], by="run", clusters=clusters)
        row[f"by_category, {name} clusters"] = held(by_category, rates)
        document = None if clusters is None else "doc"
        parts = [part.agree.pooled("ann", "bob", by="site", clusters=document) for _, part in frame.groupby("run")]
        row[f"pooled, {name} clusters"] = held(pd.concat(parts).loc["within groups"], 1 - HARD)
    return row


if __name__ == "__main__":
    rng = np.random.default_rng(SEED)
    table = pd.DataFrame([coverage(n, rng) for n in (10, 30)]).set_index("documents")
    print(f"{RUNS} data sets each\n\n{markdown(table.map('{:.3f}'.format))}")
