"""The README and the pages of the site: their Python blocks, and what is shown below them.

A block of `python` runs after the blocks above it on its page. A block of `text` right below shows what it prints.
`python -m tests.pages` writes all shown outputs again.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd

import pandas_agreement
from tests.exports.projects import write_exports

TOP = Path(__file__).parent.parent
DOCS = TOP / ".docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if "generated" not in path.parts)
NOTHING = ("d10", "cleo")  # a document in which the coder marked nothing
BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n^```text\n(?P<shown>.*?)^```\n)?", re.DOTALL | re.MULTILINE)


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def printed(code: str, names: dict[str, object]) -> str:
    """What an interactive session prints: standard output, and the value of the last line."""
    *before, last = ast.parse(code).body
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(ast.Module(before, []), "page", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "page", "eval"), names)
            print("" if value is None else repr(value), end="")
        else:
            exec(compile(ast.Module([last], []), "page", "exec"), names)
    return "\n".join(line.rstrip() for line in said.getvalue().rstrip().splitlines())


def outputs(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Every block of a page and what it prints, as in a terminal of 80 columns."""
    names: dict[str, object] = {}
    with mock.patch.dict(os.environ, COLUMNS="80"), pd.option_context("display.width", 80, "display.max_columns", 0):
        for block in BLOCK.finditer(text):
            yield block, printed(block["code"], names)
            if "matplotlib.pyplot" in sys.modules:
                sys.modules["matplotlib.pyplot"].close("all")


def write_files(folder: Path) -> None:
    """The files that pages read."""
    df = pandas_agreement.load_example()
    df.to_csv(folder / "labels.csv", index=False)
    long = df.melt(id_vars="item", value_vars=["ann", "bob", "cleo", "dev"], var_name="who", value_name="tag")
    long.dropna().rename(columns={"item": "doc"}).sort_values("doc").to_csv(folder / "judgments.csv", index=False)
    write_spans(folder)
    write_exports(folder)


def write_spans(folder: Path) -> None:
    """Twelve documents in which three people marked names; and the same as WebAnno and brat write them."""
    rng = np.random.default_rng(4)
    rows: list[tuple[object, ...]] = []
    for number in range(12):
        doc, genre, length = f"d{number + 1:02}", ["news", "mail"][number % 2], int(rng.integers(300, 900))
        starts = np.sort(rng.choice(np.arange(5, length - 30, 25), int(rng.integers(4, 9)), replace=False))
        for start in starts:
            size, tag = int(rng.integers(4, 15)), str(rng.choice(["PER", "ORG", "LOC"]))
            title = 4 * (rng.random() < 0.25 and tag == "PER")  # bob marks "Dr. Ada", the others "Ada"
            place = rng.random() < 0.4 and tag == "ORG"  # cleo takes "Mayo Clinic" for a place
            spans = {"ann": (start, tag), "bob": (start - title, tag), "cleo": (start, "LOC" if place else tag)}
            found = {who: span for who, span in spans.items() if rng.random() < 0.9 and (doc, who) != NOTHING}
            rows += [(doc, genre, length, who, at, start + size, tag) for who, (at, tag) in found.items()]
        rows += [(doc, genre, length, who, None, None, None) for who in ["cleo"] if (doc, who) == NOTHING]
    marked = pd.DataFrame(rows, columns=["doc", "genre", "n_chars", "who", "start", "end", "tag"])
    marked = marked.astype({"start": "Int64", "end": "Int64"}).sort_values(["doc", "who", "start"], ignore_index=True)
    marked.to_csv(folder / "spans.csv", index=False)
    for (doc, who), own in marked.groupby(["doc", "who"]):
        lines = [f"T{n}\t{row.tag} {row.start} {row.end}\t-\n" for n, row in enumerate(own.dropna().itertuples(), 1)]
        for name, text in ((f"{doc}.ann", "".join(lines)), (f"{doc}.txt", "-" * int(own["n_chars"].iloc[0]))):
            path = folder / "brat" / str(who) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        path = folder / "project" / "annotation" / f"{doc}.txt" / f"{who}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        head = "#FORMAT=WebAnno TSV 3.3\n#T_SP=de.ner.type.NamedEntity|value\n\n\n"
        tokens = [
            f"1-{n}\t{row.start}-{row.end}\t-\t{row.tag}\t\n" for n, row in enumerate(own.dropna().itertuples(), 1)
        ]
        end = f"2-1\t{int(own['n_chars'].iloc[0]) - 1}-{int(own['n_chars'].iloc[0])}\t.\t_\t\n"
        path.write_text(head + "".join(tokens) + end)


def renewed(text: str) -> str:
    """The page with the outputs of today."""
    parts, end = [], 0
    for block, output in outputs(text):
        parts.append(text[end : block.start()] + f"```python\n{block['code']}```\n")
        parts.append("" if block["shown"] is None else f"\n```text\n{output}\n```\n")
        end = block.end()
    return "".join(parts) + text[end:]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder))
        os.chdir(folder)
        for page in [TOP / "README.md", *PAGES]:
            print(page)
            page.write_text(renewed(read(page)), encoding="utf-8")
