"""Time and memory of every public method on growing data: `python -m tests.benchmarks --sweep`.

Data grow along one axis at a time: items, groups, coders, categories, different values. A method takes part because it
is public: those of `df.agree`, of what its ways in return, and the functions that take a result. Each call runs in a
child with a limit of time and memory. What grows faster than n^1.15 or needs more than 100 bytes per label is listed at
the end, where n is the axis or, if it grows faster, the number of cells of the result.
"""

from __future__ import annotations

import inspect
import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import product
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pandas_agreement
from pandas_agreement.errors import AgreementError
from tests.benchmarks.contestants import Contestant
from tests.benchmarks.measure import CAN_PROBE, plain_run, probe

TINY = 200  # items of the frame on which a call is tried first
MAX_EXPONENT, MAX_BYTES = 1.15, 100
NOISE_SECONDS, NOISE_BYTES = 0.3, 64e6  # below, a time says nothing of growth, and memory is that of fixed blocks
ITEM, GROUPS, LENGTH = "item", "batch", "length"


# --------------------------------------------------------------------------------------------------------------- data


def labels(n_items: int, n_coders: int, K: int, n_groups: int = 10) -> pd.DataFrame:
    """Whole numbers that are names as well as numbers, and a column of groups."""
    rng = np.random.default_rng(0)
    truth = rng.integers(K, size=(n_items, 1))
    said = np.where(rng.random((n_items, n_coders)) < 0.7, truth, rng.integers(K, size=(n_items, n_coders)))
    return _frame(said.astype(np.min_scalar_type(K)), n_groups, rng)


def values(n_items: int) -> pd.DataFrame:
    """Scores of four coders, all of them different."""
    rng = np.random.default_rng(0)
    return _frame(rng.normal(size=(n_items, 1)) + 0.5 * rng.normal(size=(n_items, 4)), 10, rng)


def _frame(cells: np.ndarray, n_groups: int, rng: np.random.Generator) -> pd.DataFrame:
    frame = pd.DataFrame({f"c{place}": cells[:, place].copy() for place in range(cells.shape[1])})
    frame[GROUPS] = rng.integers(n_groups, size=len(frame))
    return frame


@dataclass(frozen=True)
class Axis:
    """What grows, and the frames."""

    sizes: tuple[int, ...]
    make: Callable[[int], pd.DataFrame]
    tiny: int  # the size of the frame on which a call is tried first
    options: dict[str, Any] = field(default_factory=dict)  # in place of nominal ones


AXES = {
    "items": Axis((10**4, 10**5, 10**6), lambda n: labels(n, 4, 5), TINY),
    "groups": Axis((10, 10**3, 10**4), lambda n: labels(max(TINY, min(10**5, 2000 * n)), 4, 5, n), 3),
    "coders": Axis((5, 50, 300), lambda n: labels(TINY if n < 5 else 1000, n, 5), 4),
    "categories": Axis((5, 100, 2000), lambda n: labels(TINY if n < 5 else 10**5, 4, n), 4),
    "values": Axis((10**4, 10**5, 10**6), values, TINY, {"level": "interval", "weights": "quadratic"}),
}


def coders_of(frame: pd.DataFrame) -> list[str]:
    return [name for name in frame.columns if name != GROUPS]


# -------------------------------------------------------------------------------------------------------------- calls


def _halves(frame: pd.DataFrame) -> dict[str, list[str]]:
    coders = coders_of(frame)
    return {"one": coders[: len(coders) // 2], "other": coders[len(coders) // 2 :]}


def _long(frame: pd.DataFrame) -> Any:
    """Judgments, each of them made twice."""
    flat = frame.rename_axis(ITEM).reset_index().melt([ITEM, *frame.columns.intersection([GROUPS])], var_name="who")
    return pd.concat([flat, flat]).agree.long(item=ITEM, coder="who", label="value")


def _with_length(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with a column that describes its items."""
    return frame.assign(**{LENGTH: np.arange(len(frame)) % 97})


def _truth(frame: pd.DataFrame, method: str) -> Any:
    """Inferred labels, with the first coder's as known ones."""
    by = GROUPS if GROUPS in frame else None
    return frame.agree.truth(*coders_of(frame)[1:], method=method, gold="c0", by=by)


def _preferences(frame: pd.DataFrame) -> Any:
    """Verdicts on each pair of candidates in both orders."""
    pair = frame.rename_axis(ITEM).reset_index()
    both = pd.concat([pair, pair.rename(columns={"c0": "c1", "c1": "c0"})], ignore_index=True)
    both["won"] = both["c0"].where(both.index % 3 > 0, both["c1"])
    return both.agree.preferences(first="c0", second="c1", winner="won", item=ITEM)


def _spans(frame: pd.DataFrame) -> Any:
    """Every item is a document in which each coder marked the same place."""
    keys = [name for name in (ITEM, GROUPS) if name in frame.reset_index(names=ITEM)]
    marked = frame.reset_index(names=ITEM).melt(keys, coders_of(frame), "coder", "label").dropna(subset="label")
    columns = {"item": ITEM, "coder": "coder", "start": "start", "end": "end", "label": "label"}
    return marked.assign(start=1, end=4).agree.spans(**columns, length=5, unmarked="absent")


#: the ways in, and how each is reached from a frame
WAYS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "": lambda frame: frame.agree,
    "plot": lambda frame: frame.agree.plot,
    "test": lambda frame: frame.agree.test,
    "judges": lambda frame: _with_length(frame).agree.judges("c0", humans=coders_of(frame)[1:]),
    "truth": lambda frame: _truth(frame, "majority"),
    "truth dawid_skene": lambda frame: _truth(frame, "dawid_skene"),
    "coder_groups": lambda frame: frame.agree.coder_groups(_halves(frame)),
    "preferences": _preferences,
    "spans": _spans,
    "long": _long,
}
#: other formats of the same data, with the same methods
FORMATS = ("long", "counts", "crosstab", "cells")
#: values of keywords without a default, and of some that call for more than the default does
KEYWORDS: dict[str, Any] = {
    "weights": "quadratic",
    "width": 0.1,
    "reference": "c1",
    "annotators": "expert",
    "n_pool": 10**6,
}


#: coders that methods are about: all, two, two sets, the columns of one who judged twice, or a column of the items
COMPARED: tuple[tuple[Any, ...], ...] = (
    (),
    ("c0", "c1"),
    (["c0", "c1"], ["c0", "c2"]),
    ({"twice": ["c0", "c1"]},),
    (LENGTH,),
)


def public(thing: Any) -> list[str]:
    """The names of its public methods."""
    return [name for name in dir(type(thing)) if not name.startswith("_") and callable(getattr(type(thing), name))]


def methods() -> dict[str, Callable[[pd.DataFrame], Any]]:
    """Every public method by its name, as a function from a frame to the method."""
    tiny = labels(TINY, 4, 3).drop(columns=GROUPS)
    found: dict[str, Callable[[pd.DataFrame], Any]] = {}
    for way, enter in WAYS.items():
        names = public(enter(tiny))
        if way in FORMATS:
            names = [name for name in names if name == "retest" or name not in public(tiny.agree)]
        for name in names:
            if way or name not in (*WAYS, *FORMATS):
                found[f"{way}.{name}".lstrip(".")] = partial(_reach, enter, name)
    return found | {name: partial(_of_result, function) for name, function in of_results().items()}


def _reach(enter: Callable[[pd.DataFrame], Any], name: str, frame: pd.DataFrame) -> Any:
    return getattr(enter(frame), name)


def of_results() -> dict[str, Callable[..., Any]]:
    """The public functions that take frames."""
    functions = {name: getattr(pandas_agreement, name) for name in pandas_agreement.__all__}
    functions |= {f"plan.{name}": getattr(pandas_agreement.plan, name) for name in pandas_agreement.plan.__all__}
    return {name: one for name, one in functions.items() if inspect.isfunction(one) and _first(one)}


def _first(function: Callable[..., Any]) -> str:
    """How the first parameter is annotated, if it is a frame."""
    annotation = next((str(one.annotation) for one in inspect.signature(function).parameters.values()), "")
    return annotation if "pd.DataFrame" in annotation else ""


def _of_result(function: Callable[..., Any], frame: pd.DataFrame) -> Any:
    """The function of a result, or of chunks of the frame."""
    if "Iterable[pd.DataFrame]" in _first(function):
        chunks = [frame[start : start + 10_000] for start in range(0, len(frame), 10_000)]
        return partial(function, (chunk for chunk in chunks))
    return partial(function, frame.agree.by_pair() if GROUPS not in frame else frame.agree.alpha(by=GROUPS))


def attempts(signature: inspect.Signature, axis: Axis) -> Iterator[tuple[tuple[Any, ...], dict[str, Any], bool]]:
    """Coders, keywords and whether groups are used: calls to try, the plainest first."""
    parameters = signature.parameters
    kinds = {one.kind for one in parameters.values()}
    empty = inspect.Parameter.empty
    needed = {name: KEYWORDS[name] for name, one in parameters.items() if one.default is empty and name in KEYWORDS}
    fitting = {n: v for n, v in axis.options.items() if n in parameters and parameters[n].default == "nominal"}
    options = [fitting, *({name: value} for name, value in fitting.items()), {}]
    options += [{name: value} for name, value in KEYWORDS.items() if name in parameters and name not in needed]
    any_keyword = inspect.Parameter.VAR_KEYWORD in kinds
    by = [{"by": GROUPS}] if "by" in parameters or any_keyword else [{}]
    coders = COMPARED if inspect.Parameter.VAR_POSITIONAL in kinds else COMPARED[:1]
    ways = [(True, one) for one in [*by, {}][: 1 + any_keyword]]
    ways = ways if axis is AXES["groups"] else [(False, {}), *ways]
    for (grouped, keys), more, chosen in product(ways, options, coders):
        yield chosen, needed | more | keys, grouped


@dataclass(frozen=True)
class Call:
    """A method with arguments that fit the data of an axis."""

    name: str
    axis: str
    method: Callable[[pd.DataFrame], Any]
    coders: tuple[Any, ...]
    keywords: dict[str, Any]
    grouped: bool

    def __call__(self, frame: pd.DataFrame) -> int:
        """The number of cells of the result."""
        return self.of(self.method(frame))

    def of(self, method: Any) -> int:
        """The same with the method of a frame, so that making the frame's format is not measured."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = method(*self.coders, **self.keywords)
            if hasattr(result, "figure"):  # a picture, which is drawn when it is saved
                result.figure.canvas.draw()
        return int(np.size(result)) if isinstance(result, (pd.DataFrame, pd.Series)) else 1

    def take(self, frame: pd.DataFrame) -> pd.DataFrame:
        return frame if self.grouped else frame.drop(columns=GROUPS)


def call_of(name: str, method: Callable[[pd.DataFrame], Any], axis: str) -> Call | None:
    """The plainest call that gives a result on a tiny frame of the axis."""
    tiny = AXES[axis].make(AXES[axis].tiny)
    bare = tiny.drop(columns=GROUPS)
    for coders, keywords, grouped in attempts(inspect.signature(method(bare)), AXES[axis]):
        call = Call(name, axis, method, coders, keywords, grouped)
        with suppress(AgreementError):
            call(call.take(tiny))
            return call
    return None


# --------------------------------------------------------------------------------------------------------------- runs


@dataclass
class Run:
    """One call on one frame."""

    method: str
    axis: str
    size: int
    labels: int
    seconds: float | None = None
    peak_bytes: int | None = None
    cells: int = 0  # of the result
    problem: str = ""


def run(call: Call, size: int, frame: pd.DataFrame) -> Run:
    """Measure a call in a child of this process, if there can be one."""
    axis = AXES[call.axis]
    own: Any = call.method(call.take(frame))
    contestant = Contestant(call.name, "ours", call.name, call.of)
    small: Any = call.method(call.take(axis.make(axis.tiny)))
    answer = probe(contestant, own, small) if CAN_PROBE else plain_run(contestant, own)
    found = Run(call.name, call.axis, size, len(frame) * len(coders_of(frame)), problem=answer.get("problem", ""))
    found.seconds, found.peak_bytes, found.cells = answer.get("seconds"), answer.get("peak"), answer.get("result", 0)
    return found


def sweep(
    names: Sequence[str], axes: Iterable[str], show: Callable[[Run], None], known: Sequence[Run] = ()
) -> list[Run]:
    """All runs but those that are known; after one that was refused or took too long there is no larger one."""
    chosen = {name: method for name, method in methods().items() if not names or name in names}
    before = {(one.axis, one.size, one.method): one for one in known}
    runs: list[Run] = []
    for axis in axes:
        calls = [call for name, method in chosen.items() if (call := call_of(name, method, axis))]
        for size in AXES[axis].sizes:
            frame = AXES[axis].make(size)
            for call in list(calls):
                found = before.get((axis, size, call.name))
                if found is None:
                    found = run(call, size, frame)
                    show(found)
                runs.append(found)
                if found.problem:
                    calls.remove(call)
    return runs


def kept(path: Path | None) -> list[Run]:
    """The runs of earlier sweeps, one line of JSON each; the last of a call counts."""
    if path is None or not path.exists():
        return []
    return [Run(**json.loads(text)) for text in path.read_text(encoding="utf-8").splitlines()]


def keep(path: Path | None, one: Run) -> None:
    """Print a run, and add it to the file."""
    print(line(one), flush=True)
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(one)) + "\n")


# -------------------------------------------------------------------------------------------------------------- table


def line(one: Run) -> str:
    start = f"{one.axis:10} {one.size:9,} {one.method:32}"
    if one.problem:
        return f"{start} {one.problem}"
    return f"{start} {one.seconds or 0:8.2f} s {(one.peak_bytes or 0) / 1e6:8.0f} MB"


def exponent(small: Run, large: Run) -> float:
    """How fast the time grows with the axis, or with the result where that grows faster."""
    if small.seconds is None or large.seconds is None or large.seconds < NOISE_SECONDS:
        return 0.0
    growth = max(large.size / small.size, large.cells / max(small.cells, 1))
    return log(large.seconds / max(small.seconds, 1e-3)) / log(growth)


def bytes_per_label(one: Run) -> float:
    return max(0.0, (one.peak_bytes or 0) - NOISE_BYTES) / (one.labels + one.cells)


def exceptions(runs: Sequence[Run]) -> list[str]:
    """The methods that grow too fast, need too much memory, or did not end; a refusal says so itself."""
    lines = []
    for place, one in enumerate(runs):
        smaller = [r for r in runs[:place] if (r.method, r.axis) == (one.method, one.axis)]
        grows = exponent(smaller[-1], one) if smaller else 0.0
        needs = bytes_per_label(one)
        if one.problem or grows > MAX_EXPONENT or needs > MAX_BYTES:
            lines.append(f"{line(one)}" + ("" if one.problem else f"  n^{grows:.2f}  {needs:.0f} bytes per label"))
    return lines


def main(names: Sequence[str], axes: Sequence[str], file: str | None = None) -> list[dict[str, Any]]:
    """Run, print, and return the numbers; those in the file are not measured again."""
    path = Path(file) if file else None
    unknown = [name for name in names if name not in methods()]
    if unknown:
        raise SystemExit(f"no such method: {', '.join(unknown)}")
    runs = sweep(names, axes or AXES, partial(keep, path), kept(path))
    print(f"\nfaster than n^{MAX_EXPONENT}, over {MAX_BYTES} bytes per label beyond the frame, or without a result:")
    print("\n".join(exceptions(runs)) or "none")
    return [asdict(one) for one in runs]
