"""Calls of the ways in that fix roles (groups of coders, judges, preferences), and of rows that stand for many items.

The methods are those of the classes, so that a new one is called without further work.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.accessor.coder_groups import GroupedCoders
from pandas_agreement.accessor.judges import JudgedAgreement
from pandas_agreement.accessor.preferences import Preferences
from tests.fuzz.calls import METHODS, RIGHT, TAME, WRONG, Call, _one, draw_call, keywords_of
from tests.fuzz.frames import CODERS, Data, Rng, draw_data

WAYS: dict[str, type] = {"coder_groups": GroupedCoders, "judges": JudgedAgreement, "preferences": Preferences}
WAY_METHODS = {
    way: [name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))]
    for way, kind in WAYS.items()
}
#: values of the options that only these have
OF_WAYS: dict[str, Callable[[Rng, Data], Any]] = {
    "by_category": _one(True, False),
    "reference": lambda rng, data: ["majority", "consensus", "eve", *data.frame.columns[:1]][int(rng.integers(3))],
    "annotators": _one(None, 3, 5),
    "epsilon": _one(0.0, 0.1, 0.2),
    "min_items": _one(1, 3, 30),
    "by_human": _one(True, False),
    "design": _one("random", "separate", None),
    "probability": _one(None, "batch", 0.5),
    "runs": lambda rng, data: None if rng.random() < 0.5 else {"gpt": list(data.frame.columns[:2])},
    "margin": _one(0.0, 0.1),
    "equivalence": _one(True, False),
    "contrast": _one(True, False),
    "position": _one(True, False),
    "contrasts": _one(True, False),
}


#: formats in which a way in exists, and hardly others
FORMATS = {
    "coder_groups": ("wide", "long", "grouped", "grouped long", "counts"),
    "judges": ("wide", "long", "grouped", "grouped long"),
    "preferences": ("wide", "grouped"),
}
#: options that a method asks for
ASKED: dict[str, dict[str, Any]] = {
    "accuracy": {"reference": "majority"},
    "error_rates": {"reference": "majority"},
    "alt_test": {"epsilon": 0.1, "min_items": 3},
    "corrected_rate": {"reference": "majority", "design": "random"},
    "corrected_mean": {"reference": "mean", "design": "random"},
}
DESCRIBED = ("words", "family")  # columns that describe the items


@dataclass(frozen=True, eq=False)
class WayCall(Call):
    """A call of a way in, with its own names and keywords, and of one of its methods."""

    way: str = ""
    names: tuple[Any, ...] = ()
    roles: dict[str, Any] | None = None

    def run(self) -> Any:
        view = getattr(self.data.agree(), self.way)(*self.names, **(self.roles or {}))
        return getattr(view, self.method)(*(DESCRIBED if self.method == "bias" else ()), **self.options)

    @property
    def key(self) -> str:
        return f"{self.way}.{self.method}"

    def __str__(self) -> str:
        given = [repr(name) for name in self.names] + [
            f"{name}={value!r}" for name, value in (self.roles or {}).items()
        ]
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        labels = f"labels {self.data.ratings.labels!r} as {self.data.ratings.dtype}"
        call = f"{self.data.title}.{self.way}({', '.join(given)}).{self.method}({options})"
        return f"{call} on {self.data.format} data, {labels}"


def draw_way(seed: int, way: str | None = None) -> WayCall:
    """The call of a way in of a seed."""
    rng = np.random.default_rng([seed, 1])
    tame, drawn = rng.random() < TAME, str(rng.choice(list(WAYS)))
    way = way or drawn
    data = draw_data(rng, tame)
    while data.format not in FORMATS[way] or (way == "judges" and len(data.ratings.coders) < 2):
        data = draw_data(rng, tame)
    method = str(rng.choice(WAY_METHODS[way]))
    if method == "report" and rng.random() < 0.8:  # takes long
        method = "versus_humans"
    data, names, roles = {"coder_groups": _groups, "judges": _judges, "preferences": _verdicts}[way](rng, data)
    if rng.random() < (0.02 if tame else 0.1) and roles:
        roles[str(rng.choice(list(roles)))] = WRONG[int(rng.integers(len(WRONG)))]
    options = _way_options(rng, data, WAYS[way], method, 0.05 if tame else 0.2)
    return WayCall(seed, data, method, (), options, way, names, roles)


def _way_options(rng: Rng, data: Data, kind: type, method: str, wrong: float) -> dict[str, Any]:
    parameters = inspect.signature(getattr(kind, method)).parameters.values()
    known = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]
    needed = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY and one.default is one.empty]
    chosen = [*needed, *rng.permutation(known)[: int(rng.choice([0, 1, 2, 3]))].tolist()]
    right = RIGHT | OF_WAYS
    options = ASKED.get(method, {}) | {name: right[name](rng, data) for name in chosen}
    if options and rng.random() < wrong:
        options[str(rng.choice(list(options)))] = WRONG[int(rng.integers(len(WRONG)))]
    if "by" in options and data.format.startswith("grouped"):
        del options["by"]
    if "n_resamples" in known:
        options = {"n_resamples": 100, "rng": 1} | {n: v for n, v in options.items() if n != "n_resamples"}
    return options | ({"pictures": False} if "pictures" in known else {})


Roles = tuple[Data, tuple[Any, ...], dict[str, Any]]


def _coders(data: Data) -> list[Any]:
    if data.format.endswith("long"):
        return list(dict.fromkeys(data.frame["who"]))
    return list(data.frame.columns[: data.ratings.codes.shape[1]])


def _groups(rng: Rng, data: Data) -> Roles:
    names = _coders(data)
    half = int(rng.integers(1, max(len(names), 2)))
    groups: Any = {"p": names[:half], "q": names[half:]} if rng.random() < 0.7 else {"p": names[::2], "q": names[1::2]}
    if data.format.endswith("long") and rng.random() < 0.5:
        sex = data.frame["who"].map({name: "fm"[place % 2] for place, name in enumerate(CODERS)})
        groups, data = "sex", replace(data, frame=data.frame.assign(sex=sex))
    return data, (groups,), {}


def _judges(rng: Rng, data: Data) -> Roles:
    names = _coders(data)
    n = 1 + int(rng.random() < 0.4)
    roles: dict[str, Any] = {"humans": names[n:]}
    if rng.random() < 0.3:
        roles |= {"categories": data.ratings.labels[:-1], "invalid": ("missing", "wrong")[int(rng.integers(2))]}
    return _described(data), tuple(names[:n]), roles


def _described(data: Data) -> Data:
    """The data with columns that describe the items."""
    item = data.frame["item"] if data.format.endswith("long") else range(len(data.frame))
    number = pd.factorize(pd.Series(list(item)))[0]
    frame = data.frame.set_axis(range(data.frame.shape[1]), axis=1)
    frame = frame.assign(words=number % 7 * 1.5, family=np.take(list("abc"), number % 3))
    frame.columns = pd.Index([*data.frame.columns, *DESCRIBED], dtype=object, tupleize_cols=False)
    return replace(data, frame=frame)


def _verdicts(rng: Rng, data: Data) -> Roles:
    """Verdicts on two candidates, in columns of their own."""
    n, kind = len(data.frame), int(rng.integers(3))
    first, second = rng.integers(4, size=n), rng.integers(4, size=n)
    models = np.array(["m1", "m2", "m3", "m4"], object)
    better = np.where(rng.random(n) < 0.6, first, second)
    winner = models[better] if kind == 0 else np.where(better == first, "first", "second").astype(object)
    winner = np.where(rng.random(n) < 0.1, "tie" if kind < 2 else None, winner)
    new = {"first": models[first], "second": models[second], "winner": winner, "prompt": np.arange(n) // 2}
    frame = data.frame.set_axis(range(data.frame.shape[1]), axis=1).assign(**new)
    frame.columns = pd.Index([*data.frame.columns, *new], dtype=object, tupleize_cols=False)
    roles: dict[str, Any] = {name: name for name in ("first", "second", "winner")}
    if rng.random() < 0.5:
        roles["item"] = "prompt"
    if rng.random() < 0.6:
        roles["tie"] = "tie"
    return replace(data, frame=frame), (), roles


# ------------------------------------------------------------------------------------------------------- frequencies


def draw_frequency(seed: int) -> Call:
    """The call of a seed, with a column that says how many items a row stands for."""
    call, rng = draw_call(seed), np.random.default_rng([seed, 2])
    if call.data.format == "crosstab" or "n" in list(call.data.frame.columns) or pd.isna(call.data.key):
        return call  # pandas does not find a key that is called NaN among other names
    streamed = call.data.format.startswith("stream")
    if not streamed and "frequency" not in keywords_of(call.method):
        call = replace(call, method=str(rng.choice([one for one in METHODS if "frequency" in keywords_of(one)][:40])))
        call = replace(call, options={})
    return replace(call, data=with_frequency(rng, call.data), options=call.options | {"frequency": "n"})


def with_frequency(rng: Rng, data: Data) -> Data:
    """The data with a column of frequencies, constant within an item; now and then one that is none."""
    n = rng.integers(4, size=len(data.frame)).astype(float)
    if data.format.endswith("long"):
        n = data.frame["item"].to_numpy(float, na_value=0) % 4
    if rng.random() < 0.1 and len(n):
        n[int(rng.integers(len(n)))] = rng.choice([-1, 0.5, np.nan])
    values = n.astype(int) if rng.random() < 0.5 and np.isfinite(n).all() else n
    frame = data.frame.set_axis(range(data.frame.shape[1]), axis=1).assign(n=values)
    frame.columns = pd.Index([*data.frame.columns, "n"], dtype=object, tupleize_cols=False).infer_objects()
    return replace(data, frame=frame)
