"""The printed lines of Python give the printed numbers."""

from __future__ import annotations

import ast
import io
import sys
import warnings

import pandas as pd
import pytest

from pandas_agreement import AgreementWarning
from tests.cli.helpers import LONG, as_csv, small

LABELS = ["bug", "question", "request", "complaint"]
RECIPES = {
    "NA is missing": ("x.csv", "a,b\nNA,x\nx,x\ny,x\nN/A,N/A\n,y\ny,y\n", ()),
    "a batch": ("x.csv", "a,b,g\nx,x,1\ny,x,01\nx,y,01\ny,y,01\n", ("--coders", "a", "b", "--where", "g=01")),
    "a batch that is a number": (
        "x.csv",
        "a,b,g\n01,x,1\n02,x,2\n01,01,2\n02,01,2.0\n",
        ("--coders", "a", "b", "--where", "g=2"),
    ),
    "decimal commas": ("x.csv", "a;b\n1,5;2\n2;2,5\n3,5;3,5\n", ("--delimiter", ";", "--decimal", ",")),
    "decimal commas beside codes": (
        "x.csv",
        "a;b;n\n01;01;1,0\n02;02;1,0\n02;01;1,0\n02;01;2,5\n02;02;2,5\n01;01;2,5\n",
        ("--coders", "a", "b", "--by", "n", "--delimiter", ";", "--decimal", ","),
    ),
    "decimal points where commas are said": (
        "x.csv",
        "a;b\n1.5;2.5\n2.5;2.5\n3.5;3.5\n",
        ("--delimiter", ";", "--decimal", ",", "--level", "nominal"),
    ),
    "another encoding": ("x.csv", "a,b\nx,x\nx,y\ny,y\n", ("--encoding", "ascii")),
    "names of columns that are numbers": ("x.csv", "1,2\nx,x\ny,x\ny,y\n", ("--coders", "1", "2")),
    "codes": ("x.csv", "a,b\n01,1\n01,01\n1,1\n02,02\n", ()),
    "true and false": ("x.csv", "a,b\nTrue,True\nFalse,maybe\nTrue,False\n", ()),
    "numbers in one column only": ("x.csv", "a,b\n1,1\n2,x\n1,2\n", ()),
    "numbers as groups": (
        "x.csv",
        "a,b,g\n01,01,2\n02,01,10\n01,01,10\n02,02,2\n",
        ("--coders", "a", "b", "--by", "g"),
    ),
    "codes as groups": ("x.csv", "a,b,g\n1,1,02\n2,1,10\n1,1,10\n2,2,02\n", ("--coders", "a", "b", "--by", "g")),
    "all options": (
        "x.csv",
        "a,b,c,g,h\n1,2,1,u,v\n2,2,,u,v\n3,1,3,u,w\n3,3,3,u,w\n1,1,2,u,w\n2,1,1,u,v\n",
        (
            *("--coders", "a", "b", "c", "--by", "g", "h", "--weights", "linear", "--level", "ordinal"),
            *("--categories", "1", "2", "3", "4", "--missing", "all", "--metrics", "cohen_kappa", "alpha"),
            *("--ci", "0.9", "--fail-under", "s=-1"),
        ),
    ),
    "no interval": ("x.csv", "a,b\nx,y\ny,y\nx,x\n", ("--ci", "none")),
    "ordered words": (
        "x.csv",
        "a,b\nlow,it's\nit's,it's\nhigh,high\nlow,low\n",
        ("--weights", "quadratic", "--categories", "low", "it's", "high"),
    ),
    "semicolons": ("x.csv", "a;b\nx;y\ny;y\nx;x\n", ("--delimiter", ";")),
    "counts": (
        "x.csv",
        "id,bug,praise,n,g\na,2,1,3,u\nb,0,3,3,u\nc,1,1,2,w\nd,3,0,3,w\ne,0,2,2,w\n",
        ("--counts", "bug", "praise", "--by", "g"),
    ),
    "counts of numbers": ("x.csv", "1,2,3\n2,1,0\n0,3,0\n1,1,1\n", ("--counts", "--weights", "linear")),
    "counts of some numbers": (
        "x.csv",
        "id,1,2,n\na,2,1,3\nb,0,3,1\nc,1,1,0\nd,3,0,4\n",
        ("--counts", "1", "2", "--frequency", "n"),
    ),
    "frequencies": ("x.csv", "a,b,n\nx,x,5\nx,y,2\ny,x,0\ny,y,4\n", ("--frequency", "n")),
    "frequencies beside codes": ("x.csv", "a,b,n\n01,01,5\n01,02,2\n02,02,4\n", ("--frequency", "n")),
    "frequencies in JSON": (
        "x.jsonl",
        '{"a": "x", "b": "x", "n": "3"}\n{"a": "x", "b": "y", "n": "2"}\n{"a": "y", "b": "y", "n": "4"}\n',
        ("--coders", "a", "b", "--frequency", "n"),
    ),
    "long with two keys": (
        "x.csv",
        "sys,doc,who,tag\nA,1,p,x\nA,1,q,x\nA,01,p,y\nA,01,q,x\nB,1,q,y\nB,1,p,y\nB,2,p,x\nB,2,q,y\n",
        ("--item", "sys", "doc", *LONG[2:], "--by", "sys"),
    ),
    "long with frequencies": (
        "x.csv",
        "doc,who,tag,n\n1,p,x,3\n1,q,x,3\n2,p,y,1\n2,q,x,1\n3,q,y,2\n3,p,y,2\n",
        (*LONG, "--frequency", "n"),
    ),
    "anonymous raters": ("x.csv", "doc,tag\n1,x\n1,x\n2,y\n2,x\n2,x\n3,y\n3,y\n", (*LONG[:2], *LONG[4:])),
    "anonymous raters on a scale": (
        "x.csv",
        "doc,tag\n1,1\n1,2\n2,3\n2,3\n2,1\n3,2\n3,2\n",
        (*LONG[:2], *LONG[4:], "--weights", "linear"),
    ),
    "cells": (
        "x.csv",
        "id,all,g\na,x|x|y,u\nb,y|y,u\nc,x|y,v\nd,x|x,v\n",
        ("--cells", "all", "--sep", "|", "--by", "g"),
    ),
    "cells of numbers": (
        "x.csv",
        "all\n1;2;1\n5\n\n4;5\n3;3;3\n",
        ("--cells", "all", "--sep", ";", "--level", "ordinal"),
    ),
    "cells with lists": (
        "x.jsonl",
        '{"all": ["x", "x", "y"], "n": 2}\n{"all": ["y", "y"], "n": 1}\n{"all": [], "n": 1}\n{"all": ["x"], "n": 3}\n',
        ("--cells", "all", "--frequency", "n"),
    ),
    "crosstab": ("x.csv", "ann,x,y\nx,5,1\ny,2,7\n", ("--crosstab",)),
    "crosstab of numbers": ("x.csv", "ann,1,2,3\n2,5,1,0\n1,2,7,1\n", ("--crosstab", "--weights", "quadratic")),
    "crosstab of codes": ("x.csv", "ann,01,2\n01,5,1\n2,2,7\n", ("--crosstab",)),
    "sets": ("x.csv", "a,b\nx|y,x\ny,y\nx,x|z\n", ("--level", "masi", "--sep", "|", "--metrics", "alpha")),
    "tabs": ("x.tsv", "a\tb\nx\ty\ny\ty\nx\tx\n", ()),
    "blanks": ("x.csv", "a , b\nx,x \nx,x\ny,y\n", ()),
    "long": ("x.csv", "doc,who,tag\n1,p,x\n1,q,x\n2,p,y\n2,q,x\n3,q,y\n3,p,y\n", LONG),
    "long, all numbers": (
        "x.csv",
        "doc,who,tag\n1,1,1\n1,02,1\n01,1,2\n01,02,1\n3,1,2\n3,02,2\n3,5,2\n",
        (*LONG, "--coders", "1", "02", "--weights", "linear"),
    ),
    "long, repeated": ("x.csv", "doc,who,tag\n1,p,x\n1,q,x\n1,q,y\n2,p,y\n2,q,y\n", (*LONG, "--duplicates", "last")),
    "many coders": (
        "x.csv",
        ",".join(f"coder_{i}" for i in range(40))
        + "\n"
        + "\n".join(",".join(("xxxy", "yxxx")[row % 2] * 10) for row in range(14))
        + "\n",
        (),
    ),
    "JSON lines": (
        "x.jsonl",
        '{"1": 1, "b": 1, "date": 5}\n\n{"1": 2, "b": 1}\n{"1": 2, "b": null}\n{"1": 2, "b": 2}\n',
        ("--coders", "1", "b"),
    ),
    "JSON with empty texts and numbers as text": (
        "x.json",
        '[{"a": "1", "b": "2"}, {"a": "2", "b": "2"}, {"a": "", "b": "2"}, {"a": "10", "b": "10"}]',
        ("--weights", "linear"),
    ),
    "lists": (
        "x.jsonl",
        '{"a": ["x", "y"], "b": ["x"], "t": ["u"]}\n{"a": ["y"], "b": null}\n{"a": ["x"], "b": ["x"]}\n',
        ("--coders", "a", "b", "--metrics", "alpha", "--level", "masi"),
    ),
    "long JSON with numbers for coders": (
        "x.jsonl",
        "".join(f'{{"doc": {i // 2}, "who": {i % 2}, "tag": {i // 2 % 2 + i // 7}}}\n' for i in range(12)),
        (*LONG, "--coders", "1", "0"),
    ),
}


def printed_lines(out: str) -> list[str]:
    """The lines of Python at the end of what was printed."""
    lines = out.partition("\nIn Python")[2].partition("\n\n")[0].splitlines()[1:]
    assert all(line.startswith("  ") and len(line) <= 100 for line in lines)
    return [line.removeprefix("  ") for line in lines]


def value_of(lines: list[str]) -> pd.DataFrame:
    """Execute lines of Python; the value of the last expression."""
    *before, last = ast.parse("\n".join(lines)).body
    assert isinstance(last, ast.Expr)
    names: dict[str, object] = {}
    exec(compile(ast.Module(before, []), "printed", "exec"), names)
    return eval(compile(ast.Expression(last.value), "printed", "eval"), names)


def with_warnings(lines: list[str]) -> tuple[pd.DataFrame, set[str]]:
    """The value of lines of Python, and the codes of the warnings they gave."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", AgreementWarning)
        return value_of(lines), {each.message.code for each in caught}


NAMED_BY_NUMBERS = {"counts of numbers", "counts of some numbers"}  # so the names of columns are of two types
WARNED = {"blanks": {"look-alike labels"}}  # as the command line warned


@pytest.mark.parametrize("name", RECIPES)
def test_the_printed_lines_give_the_printed_numbers(run, tmp_path, name):
    file, text, options = RECIPES[name]
    small(tmp_path / file, text)
    status, table, _ = run(file, *options)
    assert status == 0
    again, codes = with_warnings(printed_lines(table))
    assert again.reset_index().to_csv(index=False, lineterminator="\n") == run(file, *options, "--format", "csv")[1]
    assert codes == WARNED.get(name, set())
    if "--crosstab" in options:  # it has no items
        return
    status, table, _ = run(file, *options, "--worst", "3")
    assert status == 0
    again, codes = with_warnings(printed_lines(table))
    pd.testing.assert_frame_equal(
        again.reset_index(drop=True)[["n_labels", "agreement", "share", "tie"]],
        as_csv(run(file, *options, "--worst", "3", "--format", "csv")[1])[["n_labels", "agreement", "share", "tie"]],
        check_column_type=False if name in NAMED_BY_NUMBERS else "equiv",
    )
    assert codes == WARNED.get(name, set())


def test_the_printed_lines_in_full(run, tmp_path):
    small(tmp_path / "x.csv", RECIPES["all options"][1])
    assert printed_lines(run("x.csv", *RECIPES["all options"][2])[1]) == [
        "import pandas as pd",
        "import pandas_agreement",
        "df = pd.read_csv('x.csv')",
        "df.agree.summary('a', 'b', 'c', metrics=['kappa', 'alpha', 's'], by=['g', 'h'], weights='linear',",
        "    level='ordinal', ci=0.9, missing='all', categories=[1, 2, 3, 4])",
    ]
    small(tmp_path / "y.csv", "a;b;g\n01;01;2\n02;01;10\n")
    assert printed_lines(run("y.csv", "--coders", "a", "b", "--by", "g", "--delimiter", ";")[1])[2:5] == [
        "df = pd.read_csv('y.csv', sep=';', dtype=str)",
        "numbers = ['g']",
        "df[numbers] = df[numbers].apply(pd.to_numeric)",
    ]


def test_the_printed_lines_of_the_example(run):
    again = value_of(printed_lines(run("--weights", "linear", "--categories", "bug", *LABELS[1:])[1]))
    expected = run("--weights", "linear", "--categories", "bug", *LABELS[1:], "--format", "csv")[1]
    assert again.reset_index().to_csv(index=False, lineterminator="\n") == expected


def test_the_printed_lines_for_standard_input(run, tmp_path, monkeypatch):
    text = "a,b\ny,y\nx,y\nx,x\n"
    small(tmp_path / "labels.csv", text)
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    _, out, _ = run("-")
    assert "\nIn Python, with the input saved as labels.csv\n" in out
    assert value_of(printed_lines(out))["estimate"].iloc[0] == pytest.approx(2 / 3)


def test_the_printed_lines_for_parquet(run, labels, tmp_path):
    pytest.importorskip("pyarrow")
    lists = {1: [["x", "y"], ["y"], None, ["x"], ["y"]], 2: [["x"], ["y"], ["y"], ["x"], ["x"]], "g": list("uuvvv")}
    frame = pd.DataFrame(lists)
    frame.set_index("g").to_parquet(tmp_path / "x.parquet")
    options = ("--coders", "1", "2", "--by", "g", "--metrics", "alpha", "--level", "jaccard")
    status, out, err = run("x.parquet", *options)
    assert (status, err) == (0, "")
    again = value_of(printed_lines(out)).reset_index().to_csv(index=False, lineterminator="\n")
    assert again == run("x.parquet", *options, "--format", "csv")[1]
