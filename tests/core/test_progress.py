"""Progress bars: what they count, and that numbers are the same with and without them."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any, ClassVar

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from pandas_agreement import InputError
from tests.truth.helpers import simulated


class Shown:
    """Stands for tqdm: keeps every bar that was made."""

    all: ClassVar[list[Shown]] = []

    def __init__(self, things: Iterable[Any] = (), total: int | None = None) -> None:
        self.things = list(things)
        self.steps: list[int] = []
        self.n, self.total, self.closed = 0, len(self.things) if total is None else total, False
        self.all.append(self)

    def __iter__(self) -> Iterator[Any]:
        for thing in self.things:
            yield thing
            self.n += 1

    def __enter__(self) -> Shown:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True

    def update(self, n: int) -> None:
        self.steps.append(n)
        self.n += n

    def refresh(self) -> None:
        pass


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> list[Shown]:
    monkeypatch.setattr(Shown, "all", [])
    monkeypatch.setitem(sys.modules, "tqdm.auto", SimpleNamespace(tqdm=Shown))
    return Shown.all


@pytest.mark.parametrize("given", [{}, {"start": "random", "restarts": 3}], ids=["votes", "restarts"])
@pytest.mark.parametrize("method", ["dawid_skene", "one_coin"])
def test_a_fit_has_one_bar_of_its_sweeps(bars: list[Shown], method: Any, given: dict[str, Any]) -> None:
    data, _ = simulated()
    options: Any = {"method": method, "rng": 0, "fit": {"max_iter": 300, **given}}
    quiet = data.agree.truth(**options)
    shown = data.agree.truth(**options, progress=True)
    assert_frame_equal(shown.items(), quiet.items())
    (bar,) = bars
    sweeps = int(shown.summary()["n_sweeps"].iloc[0])
    assert sweeps < 300
    assert bar.closed
    assert bar.n == bar.total  # what a run left out when it converged is not waited for
    assert bar.n == sweeps if not given else sweeps < bar.n < 900


@pytest.mark.parametrize("by", [{}, {"by": "batch"}], ids=["whole", "groups"])
@pytest.mark.parametrize("name", ["bca", "scores", "sums", "chance"])
def test_resamples_have_one_bar(bars: list[Shown], by: dict[str, Any], name: str) -> None:
    data, _ = simulated(60)
    data["batch"] = [0, 1] * 30
    numbers = data.assign(**{name: data[name].map({"a": 1.0, "b": 2.0, "c": 3.5}) for name in ("c0", "c1")})
    more: Any = {"n_resamples": 300, "rng": 0, **by}
    calls = {
        "bca": lambda **shown: data.agree.alpha("c0", "c1", "c2", method="bca", **more, **shown),
        "scores": lambda **shown: numbers.agree.spearman("c0", "c1", method="percentile", **more, **shown),
        "sums": lambda **shown: numbers.agree.ccc("c0", "c1", method="percentile", **more, **shown),
        "chance": lambda **shown: data.agree.test.chance("c0", "c1", "c2", method="permutation", **more, **shown),
    }
    expected = calls[name]()
    assert not bars
    assert_frame_equal(calls[name](progress=True), expected)
    assert [(bar.n, bar.total, bar.closed) for bar in bars] == [(300 * (1 + len(by)), 300 * (1 + len(by)), True)]


LONG_CALLS = ["judges.report", "diagnose", "by_category", "coders", "homogeneity", "many labels"]


@pytest.mark.parametrize("name", LONG_CALLS)
def test_long_calls_have_one_bar(bars: list[Shown], name: str) -> None:
    data, _ = simulated(60, gaps=0)
    different = pd.DataFrame({"ann": range(70), "bob": range(1, 71), "cleo": range(2, 72)}).astype(str)
    calls = {
        "judges.report": lambda **shown: (
            data.agree.judges("c0", humans=["c1", "c2"]).report(pictures=False, **shown).to_markdown()
        ),
        "diagnose": lambda **shown: data.agree.diagnose(**shown).to_csv(),
        "by_category": lambda **shown: data.agree.by_category(metrics=["rate", "kappa"], **shown).to_csv(),
        "coders": lambda **shown: data.agree.by_coder(**shown).to_csv(),
        "homogeneity": lambda **shown: data.agree.test.margins(**shown).to_csv(),
        "many labels": lambda **shown: different.agree.test.margins(**shown).to_csv(),
    }
    assert calls[name](progress=True) == calls[name]()
    (bar,) = bars
    assert bar.n == bar.total >= 4


def test_a_bar_is_shown_also_where_stderr_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    if importlib.util.find_spec("tqdm") is None:
        pytest.skip("tqdm is an extra")
    simulated()[0].agree.consensus(method="one_coin", progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "100%" in err


def test_truth_without_tqdm_is_refused_when_it_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    data, _ = simulated()
    data.agree.truth(method="one_coin")
    with pytest.raises(InputError, match="needs tqdm"):
        data.agree.truth(method="one_coin", progress=True)
