"""Do the tests notice a mistake? `python -m tests.fuzz.mutants` makes mistakes one at a time, and counts who is caught.

Lines of code are drawn uniformly over the whole package, with a fixed seed; on each one token is changed: an operator,
a comparison, a constant, `and`, `or`, `not`, `min`, `max`. The tests of the same folder, the contract and the published
values run against it, in a copy of a commit, and stop at the first failure, which is printed. A run that takes too much
time of the processor counts as caught, as an endless loop would: what else the machine does makes no difference. Lines
that no change fits are drawn again.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HOME = Path(__file__).parents[2]
PACKAGE = "pandas_agreement"
#: run for every mutant, besides the tests of its folder
ALWAYS = ("tests/test_contract.py", "tests/test_contract_features.py", "tests/test_reference.py")
#: of the processor, for each process of a run
SECONDS = 150
SWAPS = {"+": "-", "-": "+", "*": "/", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
SWAPS |= {"and": "or", "or": "and", "True": "False", "False": "True", "min": "max", "max": "min", "not": ""}
SWAPS |= {"minimum": "maximum", "maximum": "minimum", "any": "all", "all": "any", "&": "|", "|": "&", "**": "*"}


@dataclass(frozen=True)
class Mutant:
    """One changed token."""

    file: str  # below the home folder
    line: int
    column: int
    old: str
    new: str

    def text(self, lines: Sequence[str]) -> str:
        """The file with the change."""
        changed = list(lines)
        line = changed[self.line - 1]
        changed[self.line - 1] = line[: self.column] + self.new + line[self.column + len(self.old) :]
        return "".join(changed)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.old} -> {self.new or 'nothing'}"


def changes(path: Path, home: Path) -> dict[int, list[Mutant]]:
    """The changes that fit each line of code; lines without any have an empty list."""
    name, found = str(path.relative_to(home)), {}
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type in (tokenize.OP, tokenize.NAME, tokenize.NUMBER):
            (line, column), old = token.start, token.string
            new = str(int(old) + 1) if token.type == tokenize.NUMBER and old.isdigit() else SWAPS.get(old)
            found.setdefault(line, []).extend([Mutant(name, line, column, old, new)] if new is not None else [])
    return found


def draw(n: int, seed: int, home: Path = HOME) -> list[Mutant]:
    """So many mutants, each of a line of its own."""
    rng, lines = random.Random(seed), []
    for path in sorted((home / PACKAGE).rglob("*.py")):
        lines += list(changes(path, home).values())
    return [rng.choice(each) for each in rng.sample(lines, len(lines)) if each][:n]


def tests_of(file: str, home: Path) -> list[str]:
    """The tests that should notice: those of the same folder, or named as the module; the contract; the brute force."""
    inside = Path(file).relative_to(PACKAGE)
    single = home / "tests" / f"test_{inside.stem}.py"
    folders = (home / "tests" / parent for parent in list(inside.parents)[:-1])  # the nearest one that has tests
    mirrored = [str(folder) for folder in folders if folder.is_dir()][:1]
    mirrored += [str(single)] if single.is_file() else []
    return [*mirrored, *(str(home / each) for each in ALWAYS if (home / each).is_file())]


def caught_by(mutant: Mutant, home: Path) -> str:
    """The first test that fails, and nothing if all pass."""
    path = home / mutant.file
    before = path.read_text(encoding="utf-8")
    path.write_text(mutant.text(before.splitlines(keepends=True)), encoding="utf-8")
    try:
        return first_failure(tests_of(mutant.file, home), home)
    finally:
        path.write_text(before, encoding="utf-8")


def first_failure(tests: Sequence[str], home: Path) -> str:
    options = ["-x", "-q", "-n", "0", "-m", "not slow", "-p", "no:cacheprovider", "-p", "no:randomly"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *tests],
        cwd=home,
        env=os.environ | {"PYTHONPATH": str(home), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)),
    )
    if run.returncode < 0:
        return f"{SECONDS} seconds"
    named = re.search(r"^(?:FAILED|ERROR) (\S+)", run.stdout, re.MULTILINE)
    return "" if run.returncode == 0 else named[1] if named else "no test can start"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=30)
    parser.add_argument("--commit", default="HEAD")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        subprocess.run(["git", "clone", "-q", str(HOME), str(copy)], check=True)
        subprocess.run(["git", "-C", str(copy), "checkout", "-q", chosen.commit], check=True)
        mutants, caught = draw(chosen.number, chosen.seed, copy), 0
        for mutant in mutants:
            test = caught_by(mutant, copy)
            caught += bool(test)
            print("caught  " if test else "survived", mutant, *[f"({test})"] * bool(test), flush=True)
    print(f"{caught} of {len(mutants)} caught")


if __name__ == "__main__":
    main()
