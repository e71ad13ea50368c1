"""A project in chunks, and the comparison with the whole frame."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pandas_agreement.streaming.chunks import stream
from tests.data_sets import CODERS, scores, to_long
from tests.helpers import same


def project(n_items=60, gaps=0.2, seed=1, n_coders=4):
    """Scores of 1 to 4, two keys."""
    rng = np.random.default_rng(seed)
    frame = scores(n_items, n_coders, gaps=gaps, seed=seed)
    return frame.assign(batch=rng.choice(["w1", "w2", "w3"], n_items), hard=rng.random(n_items) < 0.4)


def project_long(**settings):
    """The same, one row per judgment, sorted by item."""
    return to_long(project(**settings), ("batch", "hard")).sort_values("doc", kind="stable", ignore_index=True)


def cut(frame, *places):
    return [frame.iloc[start:stop] for start, stop in zip([0, *places], [*places, len(frame)], strict=True)]


def same_wide(frame, *places, coders=CODERS, **options):
    same(
        stream(cut(frame, *places), *coders, **options, detail=True),
        frame.agree.summary(*coders, **options, detail=True),
    )


ODD = {
    "one category": pd.DataFrame({"ann": ["y"] * 6, "bob": ["y"] * 6, "cleo": ["y"] * 6}),
    "constant coder": pd.DataFrame({"ann": ["y"] * 6, "bob": list("yynnyn")}),
    "constant coders": pd.DataFrame({"ann": ["y"] * 6, "bob": ["n"] * 6}),
    "perfect": pd.DataFrame({"ann": list("yynnyn"), "bob": list("yynnyn"), "cleo": list("yynnyn")}),
    "no pairs": pd.DataFrame({"ann": ["y", None] * 3, "bob": [None, "n"] * 3}),
    "one item": pd.DataFrame({"ann": ["y", None, None], "bob": ["n", None, "y"], "cleo": ["y", "y", None]}),
    "an idle coder": pd.DataFrame({"ann": list("yynnyn"), "bob": list("ynnnyn"), "cleo": [None] * 6}, dtype=object),
}
