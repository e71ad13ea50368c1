"""The slice of the fuzzer that every run of the suite makes; CONTRIBUTING gives the command for more."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from pandas_agreement.errors import warn
from pandas_agreement.results import schemas
from tests.fuzz import rules
from tests.fuzz.calls import DEAR, METHODS, draw_call
from tests.fuzz.frames import FORMATS
from tests.fuzz.run import DRAWN, run_seed
from tests.fuzz.ways import WAY_METHODS, draw_way

QUICK, SEEDS = 600, 1500  # one seed in four compares several calls, so there are more than 2,000
PARTS = [range(start, start + 50) for start in range(0, QUICK, 50)]  # with calls of every method: see below
SLOW = [pytest.param(range(start, start + 300), marks=pytest.mark.slow) for start in range(QUICK, SEEDS, 300)]


@pytest.mark.parametrize("seeds", PARTS + SLOW, ids=lambda seeds: f"seeds {seeds.start} to {seeds.stop - 1}")
def test_every_call_keeps_the_rules(seeds: range) -> None:
    failures = [text for outcome, text in map(run_seed, seeds) if outcome == "failure"]
    assert not failures, "\n".join(failures)


def test_every_call_of_judges_keeps_the_rules() -> None:
    """They have the most methods, options and kinds of results."""
    found = [rules.check(draw_way(seed, "judges")) for seed in range(400)]
    assert found.count("result") > 80


def test_the_calls_are_of_every_method_and_format_and_repeatable() -> None:
    calls = [draw_call(seed) for seed in range(QUICK)]
    assert {call.method for call in calls} >= set(METHODS) - set(DEAR)
    assert {call.data.format for call in calls} == set(FORMATS)
    assert str(draw_call(7).data.frame) == str(calls[7].data.frame)
    ways = {draw_way(seed).key for seed in range(QUICK) if DRAWN.get(seed % 12) is draw_way}
    assert ways >= {f"{way}.{name}" for way, names in WAY_METHODS.items() for name in names if name != "report"}


def _frame(**columns: object) -> pd.DataFrame:
    good = {"estimate": 0.5, "ci_low": 0.4, "ci_high": 0.6, "se": 0.1, "observed": 0.7, "expected": 0.4}
    good |= {"n_items": 9, "n_coders": 2, "n_categories": 2, "weights": "nominal", "missing": "pairable"}
    good |= {"ci_method": "analytic", "ci_level": 0.95, "note": "few items", "remarks": "fewer than 20 items"}
    good = {name: good[name] for name in schemas.RESULT}
    frame = pd.DataFrame({**good, **columns}, index=pd.Index(["kappa"], name="coefficient"))
    frame.attrs["agree"] = {"result": "kappa", "method": "analytic"}
    return frame


BROKEN = {
    "outside its limits": {"estimate": 0.3},
    "outside its range": {"estimate": 1.5, "ci_high": 2.0},
    "of another dtype": {"n_items": 9.0},
    "with another column": {"more": 1},
    "with a sentence in place of a code": {"note": "fewer than 20 items"},
    "with remarks and no note": {"note": ""},
}


@pytest.mark.parametrize("columns", BROKEN.values(), ids=BROKEN)
def test_the_rules_notice_a_result(columns: dict[str, object]) -> None:
    rules.check_result("kappa", _frame(), detail=True)
    with pytest.raises(rules.Broken):
        rules.check_result("kappa", _frame(**columns), detail=True)


def test_the_rules_notice_columns_and_facts() -> None:
    shown = _frame()[list(schemas.RESULT.shown)]
    rules.check_result("kappa", shown)
    for frame, detail in ((_frame(), False), (shown, True)):
        with pytest.raises(rules.Broken, match="columns"):
            rules.check_result("kappa", frame, detail)
    shown.attrs["agree"] = {"method": len}
    with pytest.raises(rules.Broken, match="itself"):
        rules.check_result("kappa", shown)


@pytest.mark.parametrize("options", [{"metrics": ["kappa"]}, {"metrics": "kappa"}, {}], ids=str)
def test_the_rules_notice_levels(options: dict[str, object]) -> None:
    names = ["coder_1", "coder_2", *(["coefficient"] if options.get("metrics") == "kappa" else [])]
    index = pd.MultiIndex.from_tuples([("ann", "bob", "kappa")[: len(names)]], names=names)
    call = replace(draw_call(6), method="by_pair", options=options)
    if "metrics" not in options:  # the default is a name
        rules.check_level(call, index)
        return
    with pytest.raises(rules.Broken):
        rules.check_level(call, index)


class FakeCall:
    """A call whose frame is `frame` and which does what `run` does."""

    def __init__(self, run: object) -> None:
        self.data = draw_call(6).data
        self.method, self.key, self.options = "kappa", "kappa", {}
        self.run = lambda: run(self.data.frame)


def _twice(frame: pd.DataFrame) -> None:
    warn("one")
    warn("two")


def _change(frame: pd.DataFrame) -> pd.DataFrame:
    frame["new"] = 1
    return _frame()


MISBEHAVIOUR = {
    "a foreign error": lambda frame: 1 / 0,
    "a foreign warning": lambda frame: pd.Series([], dtype="float64").to_numpy().mean(),
    "two warnings": _twice,
    "a changed frame": _change,
    "no frame": lambda frame: 1,
    "a number of numpy in a message": lambda frame: warn("np.int64(3) is odd."),
}


@pytest.mark.parametrize("run", MISBEHAVIOUR.values(), ids=MISBEHAVIOUR)
def test_the_rules_notice_a_call(run: object) -> None:
    with pytest.raises(rules.Broken):
        rules.check(FakeCall(run))
