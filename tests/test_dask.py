"""Agreement on Dask: every result is compared with that of pandas, in this process or on a cluster of two others."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests import helpers
from tests.data_sets import LONG, NAMES
from tests.helpers import all_refused
from tests.streaming import helpers as streaming

pytest.importorskip("dask", reason="dask is an extra")
pytest.importorskip("distributed", reason="distributed is an extra")
pytest.importorskip("pyarrow", reason="dask.dataframe needs pyarrow")

import dask
import dask.dataframe as dd
from dask.delayed import delayed
from distributed import Client, LocalCluster

import pandas_agreement.dask
from pandas_agreement.errors import ColumnError, InputError, UnknownMethodError
from pandas_agreement.results.schemas import RESULT
from pandas_agreement.streaming.partial import combine, finish, make_plan, read_partial
from tests.data_sets import to_long

PLAIN = ["observed", "kappa", "pi", "alpha", "ac1", "s", "perreault_leigh", "bias"]
CODERS = list(NAMES[:3])


@pytest.fixture(autouse=True)
def here(request):
    """Tests that do not ask for the cluster compute in this process."""
    alone = {} if "cluster" in request.fixturenames else {"scheduler": "sync", "dataframe.shuffle.method": "tasks"}
    with dask.config.set(alone):
        yield


@pytest.fixture(scope="module")
def cluster():
    """Two processes, which know the package and nothing that this one registered."""
    start = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"  # the quicker one
    settings = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with (
        dask.config.set({"distributed.worker.multiprocessing-method": start}),
        LocalCluster(**settings) as made,
        Client(made) as client,
    ):
        yield client


def project(**settings):
    return streaming.project(**({"n_items": 80, "n_coders": 3} | settings))


def project_long(**settings):
    """The same, one row per judgment, in no order: an item is in several partitions."""
    long = to_long(project(**settings), ("batch", "hard"))
    return long.sample(frac=1, random_state=0, ignore_index=True)


def same_but_for_text(found, expected):
    """The same but for the dtype of text, which Dask chooses for itself."""
    assert list(found.index.names) == list(expected.index.names)
    assert found.index.tolist() == expected.index.tolist()
    helpers.same(found.set_axis(expected.index), expected)


def from_parts(*parts):
    """A Dask frame of these partitions, as they are."""
    return dd.from_delayed([delayed(part) for part in parts], meta=parts[0].iloc[:0], verify_meta=False)


# ------------------------------------------------------------------------------------------------- the same numbers

OPTIONS = {
    "plain": {"metrics": PLAIN},
    "by": {"metrics": PLAIN, "by": "batch"},
    "two keys": {"metrics": PLAIN, "by": ["batch", "hard"]},
    "all": {"missing": "all"},
    "no interval": {"ci": None},
    "log": {"method": "log"},
    "categories": {"categories": [1, 2, 3, 4, 5]},
    "linear": {"weights": "linear"},
    "ordinal": {"metrics": ["alpha"], "level": "ordinal", "by": "batch"},
}


@pytest.mark.parametrize("name", OPTIONS)
def test_wide(name):
    frame, options = project(), OPTIONS[name]
    found = dd.from_pandas(frame, npartitions=11).agree.summary(*CODERS, **options, compute=True, detail=True)
    same_but_for_text(found, frame.agree.summary(*CODERS, **options, detail=True))


@pytest.mark.parametrize("name", OPTIONS)
def test_long(name):
    long, options = project_long(), OPTIONS[name]
    ddf = dd.from_pandas(long, npartitions=4, sort=False)
    same_but_for_text(
        ddf.agree.long(**LONG).summary(**options, compute=True, detail=True),
        long.agree.long(**LONG).summary(**options, detail=True),
    )


def test_every_coefficient_has_a_method():
    frame = project()
    ddf = dd.from_pandas(frame, npartitions=2)
    assert set(pandas_agreement.dask.METHODS) == {*PLAIN, "ac2"}
    calls = [
        getattr(ddf.agree, name)(*CODERS, **({"weights": "linear"} if name == "ac2" else {}), detail=True)
        for name in pandas_agreement.dask.METHODS
    ]
    for name, found in zip(pandas_agreement.dask.METHODS, dask.compute(*calls), strict=True):
        weights = {"weights": "linear"} if name == "ac2" else {}
        same_but_for_text(found, getattr(frame.agree, name)(*CODERS, **weights, detail=True))
        assert f"df.agree.{name}" in getattr(ddf.agree, name).__doc__
    same_but_for_text(
        ddf.agree.krippendorff_alpha(*CODERS, compute=True, detail=True), frame.agree.alpha(*CODERS, detail=True)
    )


def test_an_item_split_over_partitions_and_empty_partitions():
    long = project_long().sort_values("doc", kind="stable", ignore_index=True)
    parts = [long.iloc[:1], long.iloc[1:1], long.iloc[1:40], long.iloc[40:40], long.iloc[40:]]
    expected = long.agree.long(**LONG).summary("cleo", "ann", by="batch", detail=True)
    same_but_for_text(
        from_parts(*parts).agree.long(**LONG).summary("cleo", "ann", by="batch", compute=True, detail=True), expected
    )
    frame = project()
    wide = from_parts(frame.iloc[:0], frame.iloc[:9], frame.iloc[9:9], frame.iloc[9:])
    same_but_for_text(
        wide.agree.summary(*CODERS, by="batch", compute=True, detail=True),
        frame.agree.summary(*CODERS, by="batch", detail=True),
    )


def test_partitions_that_hold_whole_items_need_no_shuffle():
    long = project_long()
    parts = [part for _, part in long.groupby(long["doc"] % 3)]
    door = from_parts(*parts).agree.long(**LONG, together=True)
    found = door.alpha(detail=True)
    assert not [key for key in found.dask if "shuffle" in str(key)]
    same_but_for_text(found.compute(), long.agree.long(**LONG).alpha(detail=True))


def words(frame):
    return frame.assign(**{name: frame[name].map({1: "no", 2: "so so", 3: "yes", 4: "of course"}) for name in CODERS})


def test_categories_that_dask_does_not_know():
    frame = words(project())
    ddf = dd.from_pandas(frame, npartitions=5).astype(dict.fromkeys([*CODERS, "batch"], "category"))
    assert not ddf["ann"].cat.known
    expected = frame.astype({"batch": "category"}).agree.summary(*CODERS, by="batch", detail=True)
    same_but_for_text(ddf.agree.summary(*CODERS, by="batch", compute=True, detail=True), expected)
    long = to_long(frame, ("batch", "hard")).sample(frac=1, random_state=0, ignore_index=True)
    ddf = dd.from_pandas(long, npartitions=5, sort=False).astype({"tag": "category", "who": "category"})
    same_but_for_text(
        ddf.agree.long(**LONG).summary(compute=True, detail=True), long.agree.long(**LONG).summary(detail=True)
    )


# ------------------------------------------------------------------------------------------------ lazy, one partition


@pytest.mark.parametrize("by", [None, "batch", ["batch", "hard"]], ids=["whole", "key", "keys"])
@pytest.mark.parametrize("metrics", [None, "kappa", ["kappa"]], ids=["default", "name", "list"])
@pytest.mark.parametrize("detail", [False, True])
def test_the_result_is_lazy_and_typed(by, metrics, detail):
    options = {"by": by, "detail": detail}
    agrees = dd.from_pandas(project(), npartitions=4).agree, project().agree
    if metrics == "kappa":
        lazy, expected = (agree.kappa("ann", "bob", **options) for agree in agrees)
    else:
        lazy, expected = (agree.summary(*CODERS, metrics=metrics, **options) for agree in agrees)
    assert isinstance(lazy, dd.DataFrame)
    assert lazy.npartitions == 1
    assert list(lazy.columns) == list(expected.columns)
    found = lazy.compute()
    same_but_for_text(found, expected)
    assert lazy.dtypes.astype(str).replace("string", "str").to_dict() == found.dtypes.astype(str).to_dict()
    assert list(lazy._meta.index.names) == list(found.index.names)


def test_the_result_goes_on_as_a_dask_frame():
    frame = project()
    lazy = dd.from_pandas(frame, npartitions=4).agree.kappa(*CODERS, by="batch")
    expected = frame.agree.kappa(*CODERS, by="batch")
    flat = lazy.reset_index()
    assert list(flat.columns) == list(flat.compute().columns) == ["batch", *RESULT.shown]
    np.testing.assert_allclose(lazy["estimate"].compute(), expected["estimate"], rtol=1e-12)
    np.testing.assert_allclose(flat["estimate"].max().compute(), expected["estimate"].max(), rtol=1e-12)
    assert lazy[lazy["estimate"] > 0.4].compute().index.tolist() == expected[expected["estimate"] > 0.4].index.tolist()


def test_many_partitions_are_added_in_a_tree():
    frame = project()
    lazy = dd.from_pandas(frame, npartitions=70).agree.alpha(*CODERS, detail=True)
    adding = [key for key in lazy.dask if "combine" in str(key)]
    assert 9 <= len(adding) <= 12  # 70 partitions by eights: 9, then 2, then 1
    same_but_for_text(lazy.compute(), frame.agree.alpha(*CODERS, detail=True))


# ------------------------------------------------------------------------------------------- workers, and their death


def die_once(part, marker):
    """The partition as it is; the first worker that is asked for it dies."""
    if not os.path.exists(marker):
        with open(marker, "w"):
            pass
        os._exit(1)
    return part


@pytest.mark.parametrize("long", [False, True], ids=["wide", "long"])
def test_a_worker_that_dies_changes_nothing(long, tmp_path, cluster):
    frame = project_long() if long else project()
    marker = str(tmp_path / "died")
    ddf = dd.from_pandas(frame, npartitions=6, sort=False).map_partitions(die_once, marker, meta=frame.iloc[:0])
    door = ddf.agree.long(**LONG) if long else ddf.agree
    whole = frame.agree.long(**LONG) if long else frame.agree
    coders = () if long else CODERS
    same_but_for_text(
        door.summary(*coders, by="batch", compute=True, detail=True), whole.summary(*coders, by="batch", detail=True)
    )
    assert os.path.exists(marker)
    cluster.wait_for_workers(2, timeout=30)


def test_workers_know_of_no_accessor(cluster):
    def registered():
        import pandas

        return hasattr(pandas.DataFrame, "agree_of_this_process")

    pd.api.extensions.register_dataframe_accessor("agree_of_this_process")(object)
    try:
        assert set(cluster.run(registered).values()) == {False}
    finally:
        del pd.DataFrame.agree_of_this_process
        pd.DataFrame._accessors.discard("agree_of_this_process")
    assert read_partial.__module__ == combine.__module__ == finish.__module__ == "pandas_agreement.streaming.partial"


def test_plans_and_pieces_can_be_pickled():
    frame, options = project(), {"by": "batch", "weights": "linear", "detail": True}
    plan = make_plan(CODERS, ["kappa", "alpha"], None, options, "summary")
    plan = pickle.loads(pickle.dumps(plan))
    partials = [pickle.loads(pickle.dumps(read_partial(part, plan))) for part in (frame.iloc[:30], frame.iloc[30:])]
    whole = pickle.loads(pickle.dumps(combine(partials, plan)))
    same_but_for_text(finish(whole, plan), frame.agree.summary(*CODERS, metrics=["kappa", "alpha"], **options))


def test_pieces_can_be_added_in_any_order():
    frame = project()
    plan = make_plan(CODERS, PLAIN, None, {"by": "batch", "detail": True}, "summary")
    a, b, c, d = (read_partial(frame.iloc[start : start + 20], plan) for start in range(0, 80, 20))
    expected = frame.agree.summary(*CODERS, metrics=PLAIN, by="batch", detail=True)
    for whole in (
        combine([a, b, c, d], plan),
        combine([d, combine([c, a], plan), b], plan),
        combine([combine([b, d], plan), combine([combine([c], plan), a], plan)], plan),
    ):
        same_but_for_text(finish(whole, plan), expected)


# ----------------------------------------------------------------------------------------------------------- errors

SMALL = dd.from_pandas(project(n_items=4), npartitions=2)
REFUSED: dict[type[Exception], dict[str, Callable[[], Any]]] = {
    UnknownMethodError: {
        "ddf.agree has no method 'kapa'. Did you mean 'kappa'?": lambda: SMALL.agree.kapa("ann", "bob"),
        (
            "ddf.agree has no method 'truth'. Labels are inferred from all items at once: "
            "ddf[columns].compute().agree has "
            "it."
        ): lambda: SMALL.agree.truth("ann", "bob"),
    },
    InputError: {
        (
            "icc_a1 needs all items at once. Use one of 'observed', 'kappa', 'pi', 'ac1', 'ac2', "
            "'s', 'perreault_leigh', "
            "'alpha', 'bias'."
        ): lambda: SMALL.agree.summary(metrics=["kappa", "icc_a1"]),
        "method='bca' is not known. Use one of 'auto', 'score', 'analytic', 'log'.": lambda: SMALL.agree.kappa(
            "ann", "bob", method="bca"
        ),
        "Kappa has no option 'pool': only sums over the items are kept.": lambda: SMALL.agree.kappa(
            "ann", "bob", pool="pairs"
        ),
        "Kappa takes by= as the name of a column, or a list of names.": lambda: SMALL.agree.kappa(
            "ann", "bob", by=lambda row: 1
        ),
        "Agreement needs at least two coders, and got only 'ann'. Name at least two.": lambda: SMALL.agree.kappa("ann"),
    },
    ColumnError: {
        "No column 'bobb'. Did you mean 'bob'?": lambda: SMALL.agree.kappa("ann", "bobb"),
        "No column 'doc'. There are: 'ann', 'bob', 'cleo', 'batch', 'hard'.": lambda: SMALL.agree.long(
            item="doc", coder="ann", label="bob"
        ).kappa(),
    },
}


@pytest.mark.parametrize("error", REFUSED)
def test_errors_come_before_any_work(error):
    all_refused(error, REFUSED[error])


def test_errors_of_workers_arrive(cluster):
    ddf = dd.from_pandas(project(), npartitions=2)
    with pytest.raises(InputError, match=r"^missing='raise': \d+ of 40 items lack a label \('ann': "):
        ddf.agree.kappa("ann", "bob", missing="raise", compute=True)
    long = dd.from_pandas(project_long(), npartitions=2, sort=False)
    with pytest.raises(ColumnError) as error:
        long.agree.long(**LONG).kappa("ann", "bobo", compute=True)
    assert str(error.value) == "No coder 'bobo'. There are: 'ann'."


def test_the_accessor_says_what_it_is():
    agree = dd.from_pandas(project(), npartitions=2).agree
    assert repr(agree) == (
        "Agreement between coders in a Dask DataFrame. Methods: observed, kappa, pi, ac1, ac2, s, perreault_leigh, "
        "alpha, bias, summary, long."
    )
    assert not hasattr(agree, "_repr_html_")


def test_without_dask(monkeypatch):
    monkeypatch.delitem(sys.modules, "pandas_agreement.dask")
    monkeypatch.setitem(sys.modules, "dask.dataframe", None)
    with pytest.raises(ImportError) as error:
        import pandas_agreement.dask  # noqa: F401
    assert str(error.value) == (
        "pandas_agreement.dask needs dask. Install it with: pip install 'pandas-agreement[dask]'"
    )


def test_the_package_alone_imports_no_dask():
    code = "import sys, pandas_agreement; print([name for name in sys.modules if name.split('.')[0] == 'dask'])"
    assert helpers.printed(code).strip() == "[]"


def test_rows_that_stand_for_several_items():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 3, (80, 2)), columns=["ann", "bob"]).assign(n=rng.integers(0, 4, 80))
    expanded = frame.loc[frame.index.repeat(frame["n"]), ["ann", "bob"]].reset_index(drop=True)
    found = dd.from_pandas(frame, npartitions=3).agree.kappa("ann", "bob", frequency="n", compute=True)
    helpers.same(found, expanded.agree.kappa("ann", "bob"), rtol=1e-9)
