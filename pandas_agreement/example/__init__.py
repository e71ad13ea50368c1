"""The example data: a made-up annotation project.

`make_example` is the script that wrote the data; its docstring lists the effects built into them.
"""

from __future__ import annotations

from importlib.resources import files

import pandas as pd

__all__ = ["load_example"]


def load_example() -> pd.DataFrame:
    """The example: 600 support tickets, labelled by four people in six weekly batches.

    The data are simulated. Each of `ann`, `bob`, `cleo` and `dev` was to label every ticket as `bug`, `question`,
    `request` or `complaint`. About a fifth of the labels are missing. After the third batch the guidelines were
    rewritten and the coders trained again.

    Returns
    -------
    DataFrame
        A new frame with one row per ticket: `item` (its name), `batch` (the week), `text_length` (words in the ticket),
        and a column of labels for each coder, with NaN if there is none.

    Examples
    --------
    >>> from pandas_agreement import load_example
    >>> df = load_example()
    >>> df.shape
    (600, 7)
    >>> print(df.head(3).to_string(index=False, na_rep="-"))
     item    batch  text_length     ann       bob cleo      dev
    t0001 2026-w01           81       - complaint    -        -
    t0002 2026-w01           16     bug       bug  bug        -
    t0003 2026-w01           29 request  question    - question
    """
    with files(__name__).joinpath("annotations.csv").open("r", encoding="utf-8") as source:
        return pd.read_csv(source, keep_default_na=False, na_values=[""])
