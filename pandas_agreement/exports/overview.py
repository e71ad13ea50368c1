"""What a long frame holds, question by question: the first look at an export."""

from __future__ import annotations

import pandas as pd


def questions(frame: pd.DataFrame) -> pd.DataFrame:
    """Labels, items, coders and categories of each question; `shared` counts items with two or more coders.

    Parameters
    ----------
    frame : DataFrame
        What `read` returned.
    """
    by_item = frame.groupby(["field", "item"], sort=False)["coder"].nunique()
    by_field = frame.groupby("field", sort=False)
    found = by_field.agg(labels=("label", "size"), items=("item", "nunique"), coders=("coder", "nunique"))
    found["shared"] = (by_item >= 2).groupby("field", sort=False).sum().astype("int64")
    found["categories"] = pd.Series({name: [*labels.unique()] for name, labels in by_field["label"]}, dtype=object)
    return found
