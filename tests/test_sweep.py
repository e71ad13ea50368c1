"""The sweep over all public methods: it covers them, calls them, and lists what grows too fast. No time is tested."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pandas_agreement import accessor
from pandas_agreement.accessor import AgreementAccessor
from tests.benchmarks import measure, sweep
from tests.benchmarks.contestants import Contestant
from tests.benchmarks.sweep import Run


def public_classes() -> list[type]:
    """The classes of the accessor's modules that results of its methods belong to."""
    modules = [
        importlib.import_module(f"{accessor.__name__}.{one.name}") for one in pkgutil.iter_modules(accessor.__path__)
    ]
    ways = {str(inspect.signature(one).return_annotation) for one in vars_of(AgreementAccessor)} | {"Plots"}
    return [one for module in modules for name, one in vars(module).items() if name in ways and inspect.isclass(one)]


def vars_of(cls: type) -> list[object]:
    found = (getattr(cls, name) for name in dir(cls) if not name.startswith("_"))
    return [one for one in found if callable(one)]


def test_every_public_method_takes_part() -> None:
    pytest.importorskip("matplotlib", reason="pictures are swept too")
    swept = set(sweep.methods())
    own = {name for name in dir(AgreementAccessor) if not name.startswith("_")}
    swept_methods = swept - {"plot"}  # the function of that name
    assert own - swept_methods == {*sweep.WAYS, *sweep.FORMATS} - {"", "truth dawid_skene"}
    last = {name.rpartition(".")[2] for name in swept}
    classes = public_classes()
    assert len({one.__name__ for one in classes}) >= 9  # or the search found nothing
    for cls in classes:
        assert {method.__name__ for method in vars_of(cls)} <= last | own, cls.__name__
    assert {"interpret", "stream", "plan.more_items", "judges.report", "plot.forest", "long.retest"} <= swept


@pytest.mark.slow  # about a hundred methods
@pytest.mark.parametrize("axis", ["groups", "values"])
def test_every_method_can_be_called(axis: str) -> None:
    plt = pytest.importorskip("matplotlib.pyplot", reason="pictures are swept too")
    uncalled = {name for name, method in sweep.methods().items() if sweep.call_of(name, method, axis) is None}
    plt.close("all")
    refused = {"truth.confusions"}  # votes have none
    if axis == "values":  # a model of errors between categories
        refused |= {name for name in sweep.methods() if name.startswith("truth dawid_skene.")}
        refused |= {"test.margins", "plot.by_category"}  # of so many categories
    assert uncalled == refused


def test_a_call_is_found_for_what_needs_groups_or_two_coders() -> None:
    methods = sweep.methods()
    for name, coders, keywords in (
        ("compare", (["c0", "c1"], ["c0", "c2"]), {}),
        ("retest", ({"twice": ["c0", "c1"]},), {}),
        ("test.groups", (), {"by": sweep.GROUPS}),
        ("confusion", ("c0", "c1"), {}),
        ("ac2", (), {"weights": "quadratic"}),
        ("truth.by_item", (), {}),
    ):
        call = sweep.call_of(name, methods[name], "items")
        assert call is not None
        assert (call.coders, call.keywords) == (coders, keywords)
        assert call(call.take(sweep.labels(50, 4, 3))) > 0


def test_what_grows_too_fast_or_is_too_large_is_listed() -> None:
    def run(method: str, size: int, seconds: float, peak: float = 0, cells: int = 1, problem: str = "") -> Run:
        return Run(method, "items", size, size, seconds, int(peak), cells, problem)

    runs = [
        *(run("linear", size, size / 1e5, 64e6 + 90 * size) for size in (10**4, 10**6)),
        *(run("square", size, (size / 1e5) ** 2) for size in (10**4, 10**6)),
        *(run("large", size, size / 1e6, 64e6 + 120 * size) for size in (10**4, 10**6)),
        *(run("large result", size, (size / 1e5) ** 2, cells=size**2) for size in (10**4, 10**6)),
        run("refused", 10**4, 0, problem="InputError: too many"),
    ]
    found = [line.split()[2] for line in sweep.exceptions(runs)]
    assert found == ["square", "large", "large", "refused"]


def test_a_child_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    if not measure.CAN_PROBE:
        pytest.skip(measure.NO_PROBE)
    monkeypatch.setattr(measure, "LONGEST", 0.01)
    frame = sweep.labels(10, 2, 2)
    endless = Contestant("endless", "ours", "number", lambda frame: [np.sort(np.arange(1000)) for _ in iter(int, 1)])
    assert measure.probe(endless, frame, frame) == {"problem": "over 0 s"}


def test_a_sweep_goes_on_where_it_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"items": replace(sweep.AXES["items"], sizes=(20, 40))}
    monkeypatch.setattr(sweep, "AXES", sweep.AXES | sizes)
    monkeypatch.setattr(sweep, "CAN_PROBE", False)
    path = tmp_path / "runs.jsonl"
    first = sweep.main(["kappa"], ["items"], str(path))
    assert [(one["size"], one["problem"]) for one in first] == [(20, ""), (40, "")]
    path.write_text(path.read_text().splitlines()[0] + "\n")
    again = sweep.main(["kappa"], ["items"], str(path))
    assert again[0] == first[0]
    assert [one["size"] for one in again] == [20, 40]
    assert len(path.read_text().splitlines()) == 2
