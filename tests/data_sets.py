"""Small random data sets for the tests, seeded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

NAMES = ("ann", "bob", "cleo", "dev", "eve")
CODERS = list(NAMES[:4])  # those of the example
CATEGORIES = [1, 2, 3, 4]  # those of `scores`, unless it is told otherwise
LONG = {"item": "doc", "coder": "who", "label": "tag"}  # the columns of `to_long`


def scores(
    n_items: int = 60, n_coders: int = 3, n_categories: int = 4, gaps: float = 0.2, seed: int = 0
) -> pd.DataFrame:
    """Numbers 1..K with noise about a common truth, and gaps."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, n_categories + 1, n_items)
    columns = {}
    for name in NAMES[:n_coders]:
        noise = rng.integers(1, n_categories + 1, n_items)
        column = np.where(rng.random(n_items) < 0.6, truth, noise).astype(float)
        column[rng.random(n_items) < gaps] = np.nan
        columns[name] = column
    return pd.DataFrame(columns)


def rows_of(frame: pd.DataFrame) -> list[list[object]]:
    """As the brute force takes them: None for a gap."""
    return [[None if pd.isna(x) else x for x in row] for row in frame.to_numpy().tolist()]


def to_long(frame: pd.DataFrame, keys: tuple[str, ...] = ()) -> pd.DataFrame:
    """One row per judgment: doc, who, tag; missing judgments are left out."""
    coders = [name for name in frame.columns if name not in keys]
    rows = np.tile(np.arange(len(frame)), len(coders))
    tags = pd.concat([frame[name].to_frame("tag") for name in coders], ignore_index=True)["tag"]
    columns = {key: frame[key].take(rows).reset_index(drop=True) for key in keys}
    long = pd.DataFrame(
        columns | {"doc": frame.index.take(rows), "who": pd.Index(coders).repeat(len(frame)), "tag": tags}
    )
    return long[tags.notna()].reset_index(drop=True)


def as_long(frame: pd.DataFrame, keys: tuple[str, ...] = ()) -> Any:
    """`df.agree` of the same judgments in long form."""
    return to_long(frame, keys).agree.long(**LONG)


def to_counts(frame: pd.DataFrame, categories: list[object]) -> pd.DataFrame:
    """One row per item, one column per category."""
    return pd.DataFrame({label: (frame == label).sum(axis=1) for label in categories}, index=frame.index)


def sentences(n_texts: int = 60, n_coders: int = 3, seed: int = 3) -> pd.DataFrame:
    """Two to five sentences of each text, with gaps; a text is easy or hard as a whole."""
    rng = np.random.default_rng(seed)
    text = np.repeat(np.arange(n_texts), rng.integers(2, 6, n_texts))
    hard, mood = rng.random(n_texts) < 0.4, rng.integers(0, 3, n_texts)
    truth = np.where(rng.random(len(text)) < 0.6, mood[text], rng.integers(0, 3, len(text)))
    columns = {}
    for name in NAMES[:n_coders]:
        noise = rng.random(len(text)) < np.where(hard[text], 0.7, 0.1)
        labels = np.where(noise, rng.integers(0, 3, len(text)), truth).astype(float)
        columns[name] = np.where(rng.random(len(text)) < 0.1, np.nan, labels)
    return pd.DataFrame(columns).assign(text=text)


def resampled(df: pd.DataFrame, n_runs: int, seed: int = 1) -> pd.DataFrame:
    """Resamples of whole texts, one after another, numbered by `run`."""
    rng = np.random.default_rng(seed)
    rows = list(df.groupby("text").indices.values())
    runs = [np.concatenate([rows[text] for text in rng.integers(0, len(rows), len(rows))]) for _ in range(n_runs)]
    return df.iloc[np.concatenate(runs)].assign(run=np.repeat(np.arange(n_runs), [len(run) for run in runs]))


def digits(**columns: str) -> pd.DataFrame:
    """One column of numbers per coder, one digit per item; a dot is a missing label."""
    return pd.DataFrame({name: [np.nan if x == "." else int(x) for x in text] for name, text in columns.items()})
