"""Files with random faults: each is read in the one shape, or refused with what to do.

Make more with `python -m tests.exports.test_bad_files 5000`; a fault is repeated by its seed.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_agreement import AgreementWarning, InputError, read
from pandas_agreement.exports import is_export, questions
from tests.exports import samples
from tests.helpers import none_of

N_FILES = 200
FILES: dict[str, Any] = {
    **samples.FILES,
    "flat.json": json.dumps(samples.JSON_MIN),
    "flat.csv": samples.FLAT_CSV,
    "nested.json": json.dumps(samples.ARGILLA_NESTED),
    "custom.json": json.dumps(samples.MTURK_CUSTOM),
    "scores.csv": samples.LANGFUSE_CSV,
}
ODD: list[Any] = [
    None,
    "",
    "x",
    "1e999",
    -1,
    1.5,
    10**400,
    True,
    [],
    [[]],
    {},
    {"a": {}},
    [{"b": 1}],
    float("nan"),
    "\ud800",
]


def faulty(rng: random.Random) -> tuple[str, bytes]:
    """A sample with one to three faults: its name and what it holds."""
    name = rng.choice(sorted(FILES))
    content = FILES[name]
    raw = content if isinstance(content, bytes) else content.encode()
    if name.endswith((".json", ".jsonl")) and rng.random() < 0.6:
        records = [json.loads(line) for line in raw.splitlines()] if name.endswith("l") else json.loads(raw)
        for _ in range(rng.randint(1, 3)):
            _change(records, rng)
        return name, (samples.lines(records) if name.endswith("l") else json.dumps(records)).encode()
    for _ in range(rng.randint(1, 3)):
        raw = rng.choice((_cut, _flipped, _doubled, _deleted))(raw, rng)
    return name, raw


def _change(document: Any, rng: random.Random) -> None:
    """Replace, delete or move a random value within a document."""
    holders = [document] if _holds(document) else []
    for holder in holders:
        holders += [part for part in (holder.values() if isinstance(holder, dict) else holder) if _holds(part)]
    if not holders:
        return
    holder = rng.choice(holders)
    key = rng.choice([*holder] if isinstance(holder, dict) else range(len(holder)))
    if rng.random() < 0.25 and isinstance(holder, dict):
        del holder[key]
    else:
        holder[key] = json.loads(json.dumps(rng.choice([*ODD, rng.choice(holders)])))


def _holds(value: Any) -> bool:
    return isinstance(value, (dict, list)) and len(value) > 0


def _cut(raw: bytes, rng: random.Random) -> bytes:
    return raw[: rng.randrange(len(raw) + 1)]


def _flipped(raw: bytes, rng: random.Random) -> bytes:
    if not raw:
        return raw
    place = rng.randrange(len(raw))
    return raw[:place] + bytes([rng.randrange(256)]) + raw[place + 1 :]


def _doubled(raw: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(raw) + 1)
    return raw[:place] + raw[rng.randrange(len(raw) + 1) :] + raw[place:]


def _deleted(raw: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(raw) + 1)
    return raw[:place] + raw[place + rng.randrange(1, 20) :]


def fault(seed: int, folder: Path) -> str:
    """What is wrong with the answer to one file; empty if it is right."""
    rng = random.Random(seed)
    name, raw = faulty(rng)
    path = folder / name
    path.write_bytes(raw)
    fields = [{"field": field} for field in ("tone", "ner", "spans")]
    options: dict[str, Any] = rng.choice([{}, {}, *fields, {"models": True}, {"item": "id"}, {"data": "text"}])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", AgreementWarning)
            is_export(str(path))
            found = read(path, **options)
            questions(found)
    except InputError as error:
        told = error.remedy and error.code and str(folder) not in str(error)
        return "" if told else f"seed {seed}, {name}: {error!r} has no remedy, no code, or a path"
    except Exception as error:
        return f"seed {seed}, {name}, {options}: {type(error).__name__}: {error}"
    return "" if _has_one_shape(found) else f"seed {seed}, {name}: {found.dtypes.to_dict()}"


def _has_one_shape(found: pd.DataFrame) -> bool:
    same = found.dtypes["time"] == "datetime64[ns, UTC]" and found["kind"].isin(["person", "model", "gold"]).all()
    texts = all(isinstance(name, str) for name in [*found["coder"], *found["field"]])
    known = found["label"].notna().all() or "start" in found.columns
    sets = found.groupby("field")["label"].agg(lambda labels: labels.map(type).eq(frozenset).nunique())
    return bool(same and texts and known and (sets <= 1).all()) and list(found.columns[:4]) == [
        "item",
        "coder",
        "field",
        "label",
    ]


@pytest.mark.parametrize("first", range(0, N_FILES, 50))
def test_bad_files_are_read_in_the_one_shape_or_refused(tmp_path: Path, first: int) -> None:
    none_of([found for seed in range(first, first + 50) if (found := fault(seed, tmp_path))])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        faults = [found for seed in range(int(sys.argv[1])) if (found := fault(seed, Path(folder)))]
    print(*faults, f"{len(faults)} faults", sep="\n")
