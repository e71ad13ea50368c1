"""Keep the results of many calls, and compare two stores: the guard of a change that must not change any number.

python -m tests.fuzz.store before.pickle --calls 5000
python -m tests.fuzz.store after.pickle --calls 5000
python -m tests.fuzz.store --compare before.pickle after.pickle

A store has, for every seed, the call and what it gave: values, index, dtypes, attrs and warnings, or the error. Values
may differ by rounding (`--tolerance`), everything else must be equal.
"""

from __future__ import annotations

import argparse
import inspect
import pickle
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement import AgreementError
from pandas_agreement.report import Report
from tests.fuzz.calls import Call, draw_call
from tests.fuzz.run import DRAWN
from tests.helpers import reach

MOST = 30  # differences that are printed
RANDOM = {"percentile", "bca", "kalpha", "permutation", "random", "mace"}  # values of options that draw numbers
Outcome = dict[str, Any]


def outcome_of(call: Call) -> Outcome:
    """What a call gives, as plain values."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = _plain(call.run())
        except AgreementError as error:
            found = {"error": f"{type(error).__name__}: {error}"}
        except Exception as error:  # a defect, which has to stay the same or to go
            found = {"defect": f"{type(error).__name__}: {error}"}
    found |= {"warnings": [str(one.message) for one in caught]}
    return {part: _without_addresses(value) for part, value in found.items()}


def _without_addresses(value: Any) -> Any:
    """Texts without the addresses of objects, which differ from process to process."""
    if isinstance(value, list):
        return [_without_addresses(one) for one in value]
    return re.sub("0x[0-9a-f]+", "0x", value) if isinstance(value, str) else value


def _plain(result: Any) -> Outcome:
    if isinstance(result, Report):
        return {"text": result.to_markdown()}
    if not isinstance(result, pd.DataFrame):
        return {"text": repr(result)}
    index = result.index
    levels = [index.get_level_values(place) for place in range(index.nlevels)]
    return {
        "columns": list(map(repr, result.columns)),
        "dtypes": [str(dtype) for dtype in [*result.dtypes, *(level.dtype for level in levels)]],
        "names": list(map(repr, index.names)),
        "index": [list(map(repr, level)) for level in levels],
        "values": [_values(result.iloc[:, place]) for place in range(result.shape[1])],
        "attrs": repr(result.attrs),
    }


def _values(column: pd.Series) -> Any:
    return column.to_numpy() if column.dtype.kind in "iufb" else list(map(repr, column))


def drawn(seed: int) -> Call:
    """The call of a seed, with a seed for what is random, and with details."""
    call = DRAWN.get(seed % 12, draw_call)(seed)
    try:
        known = inspect.signature(reach(call.data.agree(), call.method)).parameters
    except (AttributeError, TypeError, ValueError):
        return call
    if "rng" in known and call.options.get("rng") is None and RANDOM & {*map(str, call.options.values())}:
        call.options["rng"] = 0
    if "detail" in known and not call.data.format.startswith("stream"):
        call.options.setdefault("detail", True)
    return call


def make(path: Path, n_calls: int) -> None:
    store = {}
    for seed in range(n_calls):
        call = drawn(seed)
        store[seed] = _without_addresses(str(call)), outcome_of(call)
    path.write_bytes(pickle.dumps(store))
    kinds = Counter(
        "error" if "error" in found else "defect" if "defect" in found else "result" for _, found in store.values()
    )
    print(f"{path}: {n_calls} calls, {dict(kinds)}")


def differences(before: Outcome, after: Outcome, tolerance: float) -> Iterator[str]:
    """What differs between two outcomes of a call."""
    if before.keys() != after.keys():
        yield f"{_short(before)} became {_short(after)}"
        return
    for part in before.keys() - {"values"}:
        if before[part] != after[part]:
            yield f"{part}: {before[part]} became {after[part]}"
    if before.get("columns") == after.get("columns") and before.get("index") == after.get("index"):
        for name, old, new in zip(
            before.get("columns", ()), before.get("values", ()), after.get("values", ()), strict=True
        ):
            if not _same(old, new, tolerance):
                yield f"{name}: {old} became {new}"


def _short(found: Outcome) -> str:
    return next((str(found[part]) for part in ("error", "defect", "columns", "text") if part in found), "nothing")[:300]


def _same(old: Any, new: Any, tolerance: float) -> bool:
    if not (isinstance(old, np.ndarray) and isinstance(new, np.ndarray) and old.dtype.kind == "f"):
        return bool(np.array_equal(old, new)) if isinstance(old, np.ndarray) else old == new
    return old.shape == new.shape and bool(np.allclose(old, new, rtol=tolerance, atol=tolerance, equal_nan=True))


def compare(one: Path, two: Path, tolerance: float) -> int:
    """The number of calls whose outcomes differ."""
    before, after = (pickle.loads(path.read_bytes()) for path in (one, two))  # made by this script
    n_different = n_other = 0
    for seed in sorted(before.keys() & after.keys()):
        (call, old), (other, new) = before[seed], after[seed]
        if call != other:
            n_other += 1
            continue
        found = list(differences(old, new, tolerance))
        n_different += bool(found)
        if found and n_different <= MOST:
            print(f"seed {seed}: {call}", *found, sep="\n    ")
    print(f"{n_different} of {len(before.keys() & after.keys())} calls differ; {n_other} were drawn in another way")
    return n_different


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.store")
    parser.add_argument("path", nargs="?", type=Path, help="the store to make")
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("BEFORE", "AFTER"))
    parser.add_argument("--tolerance", type=float, default=1e-12)
    chosen = parser.parse_args()
    if chosen.compare:
        return int(compare(*chosen.compare, chosen.tolerance) > 0)
    make(chosen.path, chosen.calls)
    return 0


if __name__ == "__main__":
    sys.exit(main())
