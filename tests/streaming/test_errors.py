"""Mistakes with data in chunks, and the whole message each gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.errors import ColumnError, InputError, LabelTypeError
from pandas_agreement.streaming import moments
from pandas_agreement.streaming.chunks import stream
from pandas_agreement.streaming.partial import STREAM_OPTIONS
from tests.data_sets import CODERS, LONG
from tests.helpers import all_refused, refuses
from tests.streaming.helpers import ODD, cut, project, project_long, same_wide

FRAME = project(n_items=10)
ROWS = project_long(n_items=10)
MANY = pd.DataFrame({"ann": np.arange(1200), "bob": np.arange(1200)})
LOPSIDED = np.array([[1, 0.5], [0.2, 1]])
PIECES = "Use one of 'observed', 'kappa', 'pi', 'ac1', 'ac2', 's', 'perreault_leigh', 'alpha', 'bias'."
SUMS = "only sums over the items are kept."
REFUSED: dict[type[Exception], dict[str, Callable[[], Any]]] = {
    InputError: {
        f"icc_a1 needs all items at once. {PIECES}": lambda: stream([FRAME], metrics="icc_a1"),
        f"light_kappa needs all items at once. {PIECES}": lambda: stream([FRAME], metrics=["kappa", "light_kappa"]),
        (
            "'consensus' is one label per item, and stream keeps sums over the items. Read the columns of "
            "item, coder and label into one frame, and use df.agree.consensus()."
        ): lambda: stream([FRAME], metrics=["kappa", "consensus"]),
        "metrics= is empty. Name at least one coefficient, such as metrics=['kappa', 'alpha'].": lambda: stream(
            [FRAME], metrics=[]
        ),
        "Stream has no option 'categorys'. Did you mean 'categories'?": lambda: stream([FRAME], categorys=[1]),
        f"Stream has no option 'clusters': {SUMS}": lambda: stream([FRAME], clusters="batch"),
        "method='bca' is not known. Use one of 'auto', 'analytic', 'log'.": lambda: stream(
            [FRAME], *CODERS, method="bca"
        ),
        "missing='complete' is not known. Use one of 'pairable', 'all', 'raise'.": lambda: stream(
            [FRAME], *CODERS, missing="complete"
        ),
        "duplicates='first' is about long data. Name their columns: item=, coder=, label=": lambda: stream(
            [FRAME], *CODERS, duplicates="first"
        ),
        "Stream takes by= as the name of a column, or a list of names.": lambda: stream(
            [FRAME], *CODERS, by=pd.Grouper(key="batch")
        ),
        "Long data need item=, coder= and label=, and coder= is not given.": lambda: stream(
            [ROWS], item="doc", label="tag"
        ),
        "Stream takes an iterable of frames. For a single frame use df.agree.": lambda: stream(FRAME, progress=True),
        (
            "Stream takes an iterable of frames, such as pd.read_csv(path, chunksize=1_000_000), and got 'labels.csv'."
        ): lambda: stream("labels.csv"),
        "Every chunk must be a DataFrame, and one is a pandas Series.": lambda: stream([FRAME["ann"]]),
        "There are no chunks to read. An iterator can be used only once.": lambda: stream([], **LONG),
        "A chunk has the column 'batch', which the first chunk does not have. Name the coders.": lambda: stream(
            [FRAME[CODERS], FRAME[[*CODERS, "batch"]]]
        ),
        "Agreement needs at least two coders, and got only 'ann'. Name at least two.": lambda: stream([FRAME], "ann"),
        "Agreement needs at least two coders, and got only 'ann'. Name the columns of at least two coders.": lambda: (
            stream([FRAME[["ann"]]])
        ),
        "Weights that are not symmetric need all items at once. Make the matrix symmetric.": lambda: stream(
            [pd.DataFrame({"ann": [1, 2], "bob": [2, 2]})], metrics="kappa", weights=LOPSIDED
        ),
        (
            "Counts are kept for pairs of at most 1000 categories, and there are 1190. Measure "
            "the whole frame, or round the labels."
        ): lambda: stream(cut(MANY, 10), metrics="alpha", level="interval"),
        (
            "missing='raise': 1 of 2 items lacks a label ('ann': 1). Fill them in, or choose "
            "missing='pairable', 'all' or "
            "'complete'."
        ): lambda: stream([pd.DataFrame({"ann": [1, None], "bob": [1, 2]})], missing="raise"),
    },
    ColumnError: {
        "No column 'dev'. There are: 'ann', 'bob', 'cleo', 'batch', 'hard'.": lambda: stream(
            [FRAME, FRAME.drop(columns="dev")], *CODERS
        ),
        "No column 'who'. There are: 'batch', 'hard', 'doc', 'tag'.": lambda: stream(
            [ROWS, ROWS.drop(columns="who")], **LONG
        ),
        "No column 'batsh'. Did you mean 'batch'?": lambda: stream([FRAME], *CODERS, by="batsh"),
        "No coder 'bobb'. There are: 'ann'.": lambda: stream(cut(ROWS, 10), "ann", "bobb", **LONG),
    },
}


@pytest.mark.parametrize("error", REFUSED)
@pytest.mark.filterwarnings("ignore:weights= is not symmetric:pandas_agreement.errors.AgreementWarning")
def test_error(error):
    all_refused(error, REFUSED[error])


def test_a_coder_who_is_in_no_chunk_with_the_item_is_a_gap():
    long = pd.DataFrame({"doc": [1, 1, 2, 2, 3, 3], "who": ["a", "b", "a", "b", "a", "c"], "tag": [1, 1, 2, 1, 2, 2]})
    for parts in (cut(long, 4), [long]):
        with pytest.raises(InputError, match=r"^missing='raise': "):
            stream(parts, **LONG, missing="raise")
    with pytest.raises(InputError) as error:
        stream(cut(long, 4), **LONG, missing="raise")
    assert str(error.value) == (
        "missing='raise': 3 items by 3 coders lack 3 labels. Fill them in, or choose missing='pairable' or 'all'."
    )


def never():
    """Chunks that nobody should ask for."""
    raise AssertionError("a chunk was read")
    yield


NAMES = "'nominal', 'linear', 'quadratic', 'ordinal', 'radical', 'ratio', 'circular', 'bipolar'"
EARLY = {
    "weights": (
        {"metrics": "kappa", "weights": "lineer"},
        f"weights='lineer' is not known. Use one of {NAMES}; did you mean 'linear'?",
    ),
    "scale": (
        {"metrics": "kappa", "weights": "circular(period=0)"},
        "period=0 of circular must be above 0: it is the length of the whole circle.",
    ),
}


@pytest.mark.parametrize("name", EARLY)
def test_a_wrong_option_is_found_before_the_first_chunk(name):
    options, message = EARLY[name]
    with pytest.raises(InputError) as error:
        stream(never(), **options)
    assert str(error.value) == message


def test_labels_that_have_no_order_are_found_in_the_first_chunk():
    def chunks():
        yield ODD["perfect"]
        yield from never()

    with pytest.raises(LabelTypeError) as error:
        stream(chunks(), metrics="kappa", weights="linear")
    assert str(error.value) == (
        "weights='linear' needs labels that are numbers or have an order, and 'n' is text. Give the 2 labels in their "
        "order with categories=[lowest, ..., highest], or use an ordered Categorical."
    )


def test_what_only_all_labels_can_tell_is_not_asked_of_a_chunk():
    frame = pd.DataFrame({"ann": [1, 2, 4, 3], "bob": [1, 4, 4, 2]})  # 1, 2, 4 alone are not equally spaced
    same_wide(frame, 3, coders=["ann", "bob"], metrics=["kappa"], weights="circular")


def test_the_options_of_the_docstring_are_those_there_are():
    listed = (stream.__doc__ or "").partition("**options")[2].partition("Returns")[0]
    assert [name for name in STREAM_OPTIONS if f"`{name}`" not in listed] == []


def test_a_key_that_is_missing_is_no_column():
    df = pd.DataFrame({"ann": [1, 2, 1, 2], "bob": [1, 2, 2, 2]})
    with pytest.raises(ColumnError, match="No column <NA>"):
        stream([df], metrics="pi", by=pd.NA)


def test_a_frequency_that_names_no_column():
    with pytest.raises(InputError, match=r"^frequency=set\(\) must name a column"):
        stream([project()], *CODERS, metrics="pi", frequency=set())


@pytest.mark.parametrize(
    ("places", "n_labels", "most"), [([600], "600", 38_400), (range(100, 1200, 100), "1,200", 20_472)]
)
def test_sums_of_very_many_labels_are_refused_before_memory_is_taken(monkeypatch, places, n_labels, most):
    asked = []
    with monkeypatch.context() as patch:
        patch.setattr(moments, "check_size", lambda number, K: asked.append(number))
        whole = stream(cut(MANY, *places), metrics="alpha")
    assert max(asked) == most  # products of a chunk, or of all that came before and the next
    monkeypatch.setattr(moments, "BYTES_PER_PRODUCT", 5.9e9 / most)
    assert stream(cut(MANY, *places), metrics="alpha").equals(whole)
    monkeypatch.setattr(moments, "BYTES_PER_PRODUCT", 6.1e9 / most)
    remedy = "Merge labels, take smaller chunks, or measure one frame of all data, numbers with df.agree.icc_a1."
    with refuses(InputError, f"Sums of {n_labels} different labels would need about 6 GB. {remedy}"):
        stream(cut(MANY, *places), metrics="alpha")
