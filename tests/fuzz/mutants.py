"""Do the tests notice a mistake? `python -m tests.fuzz.mutants` makes mistakes one at a time, and counts who is caught.

Lines of code are drawn uniformly over the whole package, with a fixed seed; on each one token is changed: an operator,
a comparison, a constant, `and`, `or`, `not`, `min`, `max`. The tests of the same folder, the contract and the published
values run against it, in a copy of the commit, and stop at the first failure; a run that takes too long counts as
caught, as an endless loop would. Lines that no change fits are drawn again.
"""

from __future__ import annotations

import argparse
import io
import os
import random
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
SECONDS = 60
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


def changes(path: Path) -> dict[int, list[Mutant]]:
    """The changes that fit each line of code; lines without any have an empty list."""
    name, found = str(path.relative_to(HOME)), {}
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type in (tokenize.OP, tokenize.NAME, tokenize.NUMBER):
            (line, column), old = token.start, token.string
            new = str(int(old) + 1) if token.type == tokenize.NUMBER and old.isdigit() else SWAPS.get(old)
            found.setdefault(line, []).extend([Mutant(name, line, column, old, new)] if new is not None else [])
    return found


def draw(n: int, seed: int) -> list[Mutant]:
    """So many mutants, each of a line of its own."""
    rng, lines = random.Random(seed), []
    for path in sorted((HOME / PACKAGE).rglob("*.py")):
        lines += list(changes(path).values())
    return [rng.choice(each) for each in rng.sample(lines, len(lines)) if each][:n]


def tests_of(file: str, home: Path) -> list[str]:
    """The tests that should notice: those of the same folder, or named as the module; the contract; the brute force."""
    inside = Path(file).relative_to(PACKAGE)
    single = home / "tests" / f"test_{inside.stem}.py"
    folders = (home / "tests" / parent for parent in list(inside.parents)[:-1])  # the nearest one that has tests
    mirrored = [str(folder) for folder in folders if folder.is_dir()][:1]
    mirrored += [str(single)] if single.is_file() else []
    return [*mirrored, *(str(home / each) for each in ALWAYS if (home / each).is_file())]


def is_caught(mutant: Mutant, home: Path) -> bool:
    path = home / mutant.file
    before = path.read_text(encoding="utf-8")
    path.write_text(mutant.text(before.splitlines(keepends=True)), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-m", "not slow", "-p", "no:cacheprovider"]
    try:
        environment = os.environ | {"PYTHONPATH": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
        settings = {"cwd": home, "env": environment, "capture_output": True, "timeout": SECONDS}
        return subprocess.run([*command, *tests_of(mutant.file, home)], **settings).returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(before, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=30)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        subprocess.run(["git", "clone", "-q", str(HOME), str(copy)], check=True)
        mutants, caught = draw(chosen.number, chosen.seed), 0
        for mutant in mutants:
            found = is_caught(mutant, copy)
            caught += found
            print("caught  " if found else "survived", mutant, flush=True)
    print(f"{caught} of {len(mutants)} caught")


if __name__ == "__main__":
    main()
