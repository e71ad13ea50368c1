"""Votes in chunks: the table of the whole frame, whatever the chunks, dtypes, weights and ties."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import stream_consensus
from pandas_agreement.errors import AgreementWarning, ColumnError, InputError
from tests.data_sets import LONG, to_long
from tests.helpers import same
from tests.truth.helpers import simulated

CODERS = ["c0", "c1", "c2", "c3"]
WEIGHTS = pd.Series({"c0": 1.0, "c1": 0.25, "c2": 2.0, "c3": 0.5})


def project(n_items: int = 12) -> pd.DataFrame:
    """Four coders with gaps, an item without a label, and two groups."""
    frame, _ = simulated(n_items, n_coders=4, gaps=0.3, seed=3)
    frame.iloc[2] = None
    return frame.assign(batch=np.where(np.arange(n_items) % 3, "w1", "w2"))


def rows(frame: pd.DataFrame, names: bool = False) -> pd.DataFrame:
    """One row per judgment in no order: an item is in several chunks."""
    long = to_long(frame, ("batch",)).sample(frac=1, random_state=0, ignore_index=True)
    return long.assign(doc=[f"d{doc}" for doc in long["doc"]]) if names else long


def chunks(frame: pd.DataFrame, size: int) -> Any:
    return (frame.iloc[start : start + size] for start in range(0, len(frame), size))


OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "first": {"ties": "first"},
    "random": {"ties": "random", "rng": 1},
    "prior by group": {"ties": "prior", "by": "batch"},
    "weights": {"weights": WEIGHTS},
    "agreement": {"weights": "agreement", "by": "batch"},
    "categories": {"categories": ["c", "b", "a", "z"]},
}


@pytest.mark.parametrize("name", OPTIONS)
def test_wide_and_long(name: str) -> None:
    frame, options = project(), OPTIONS[name]
    whole = frame.agree.consensus(*CODERS, **options)
    for size in (1, 5, 100):
        same(stream_consensus(chunks(frame, size), *CODERS, **options), whole)
    for long in (rows(frame), rows(frame, names=True)):
        whole = long.agree.long(**LONG).consensus(**options)
        for size in (1, 5, 100):
            same(stream_consensus(chunks(long, size), **LONG, **options), whole)


CODE = {"a": 1, "b": 2, "c": 30}
DTYPES: dict[str, Any] = {
    "Categorical": lambda column: column.astype(pd.CategoricalDtype(["c", "b", "a", "z"], ordered=True)),
    "int": lambda column: column.map(CODE),
    "Int64": lambda column: column.map(CODE).astype("Int64"),
    "string": lambda column: column.astype("string"),
    "arrow": lambda column: column.astype("string[pyarrow]"),
    "boolean": lambda column: column.eq("a").where(column.notna()).astype("boolean"),
}


@pytest.mark.parametrize("name", DTYPES)
def test_dtypes(name: str) -> None:
    if name == "arrow":
        pytest.importorskip("pyarrow", reason="an Arrow dtype")
    frame = project()
    frame = frame.assign(**{coder: DTYPES[name](frame[coder]) for coder in CODERS})
    same(stream_consensus(chunks(frame, 4), *CODERS), frame.agree.consensus(*CODERS))
    long = rows(project()).assign(tag=lambda each: DTYPES[name](each["tag"]))
    same(stream_consensus(chunks(long, 4), **LONG), long.agree.long(**LONG).consensus())


def test_chunks_with_categories_of_their_own_know_all_at_the_end() -> None:
    parts = [pd.DataFrame({"ann": ["y"], "bob": ["y"]}), pd.DataFrame({"ann": ["a", "b"], "bob": ["c", "b"]})]
    parts = [part.astype("category").set_axis(index) for part, index in zip(parts, ([7], [1, 2]), strict=True)]
    found = stream_consensus(parts)
    assert found.index.tolist() == [7, 1, 2]
    assert found["label"].cat.categories.tolist() == ["y", "a", "b", "c"]
    assert found["entropy"].tolist() == pytest.approx([0, np.log(2) / np.log(4), 0])


def test_chosen_coders_and_anonymous_raters() -> None:
    long = rows(project(), names=True)
    same(stream_consensus(chunks(long, 7), "c2", "c0", **LONG), long.agree.long(**LONG).consensus("c2", "c0"))
    same(
        stream_consensus(chunks(long, 7), item="doc", label="tag"),
        long.agree.long(item="doc", label="tag").consensus(),
    )


def test_repeated_judgments() -> None:
    long = rows(project())
    twice = pd.concat([long, long.dropna().iloc[:4]], ignore_index=True)
    same(
        stream_consensus(chunks(twice, 9), **LONG, duplicates="all"),
        twice.agree.long(**LONG).consensus(duplicates="all"),
    )
    for options in ({}, {"weights": "agreement"}):
        with pytest.raises(InputError, match=r"^judgments are repeated: coder 'c\d' labelled item \d+ twice; "):
            stream_consensus(chunks(twice, 9), **LONG, **options)


def test_rows_without_a_group() -> None:
    frame = project()
    frame.loc[[1, 5], "batch"] = None
    for call in (
        lambda: stream_consensus(chunks(frame, 5), *CODERS, by="batch"),
        lambda: frame.agree.consensus(*CODERS, by="batch"),
    ):
        with pytest.warns(AgreementWarning, match=r"^2 of 12 rows have no group key and are left out"):
            assert call()["note"].tolist().count("no group") == 2


ROWS = rows(project())
FRAME = project()
ERRORS: dict[str, tuple[Any, type[Exception], str]] = {
    "a frame": (
        lambda: stream_consensus(FRAME),
        InputError,
        "stream_consensus takes an iterable of frames; for a single frame use df.agree",
    ),
    "no chunk": (
        lambda: stream_consensus(iter([])),
        InputError,
        "there are no chunks to read; an iterator can be used only once",
    ),
    "a model": (
        lambda: stream_consensus([FRAME], *CODERS, method="dawid_skene"),
        InputError,
        "stream_consensus counts votes, and has no option 'method'; models need all items at once: read them into one "
        "frame, of the columns of item, coder and label alone",
    ),
    "gold labels": (
        lambda: stream_consensus([FRAME], *CODERS, gold="batch"),
        InputError,
        "stream_consensus counts votes, and has no option 'gold'; put the known labels in their places afterwards",
    ),
    "an option that does not exist": (
        lambda: stream_consensus([FRAME], *CODERS, tie="first"),
        InputError,
        "stream_consensus has no option 'tie'; did you mean 'ties'?",
    ),
    "the first of several labels": (
        lambda: stream_consensus([ROWS], **LONG, duplicates="first"),
        InputError,
        "stream_consensus cannot keep the first of several labels: it does not keep who gave them; use "
        "duplicates='all', or drop the others before",
    ),
    "weights of anonymous raters": (
        lambda: stream_consensus([ROWS], item="doc", label="tag", weights="agreement"),
        InputError,
        "weights= belong to coders, and the raters are anonymous; name the column: coder=",
    ),
    "no label": (
        lambda: stream_consensus([ROWS], item="doc", coder="who"),
        InputError,
        "long data need item= and label=, and label= is not given",
    ),
    "a coder nobody knows": (
        lambda: stream_consensus(chunks(ROWS, 5), "c0", "bob", **LONG),
        ColumnError,
        "no coder 'bob'; there are: 'c0'",
    ),
    "one coder": (
        lambda: stream_consensus([ROWS[ROWS["who"] == "c0"]], **LONG),
        InputError,
        "a consensus needs at least two coders, and got only 'c0'; the labels of one coder are their own consensus",
    ),
    "a key that is no column": (
        lambda: stream_consensus([FRAME], *CODERS, by=lambda row: row),
        InputError,
        "stream_consensus takes by= as the name of a column, or a list of names",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_error(name: str) -> None:
    call, kind, message = ERRORS[name]
    with pytest.raises(kind) as error:
        call()
    assert str(error.value) == message
