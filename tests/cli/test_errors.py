"""Mistakes on the command line, and the one line each gets."""

from __future__ import annotations

import gzip
import shlex

import pandas as pd
import pytest

from pandas_agreement.cli.columns import CELLS, NAMED
from tests.cli.helpers import as_csv, small
from tests.data_sets import CODERS

FILES = {
    "good.csv": "item,batch,ann,bob\n" + "".join(f"t{i},w{i % 2},{'xy'[i % 2]},{'xyy'[i % 3]}\n" for i in range(12)),
    "long.csv": "doc,who,tag\n" + "".join(f"d{i // 2},{'pq'[i % 2]},{'xyy'[i % 3]}\n" for i in range(12)),
    "semi.csv": "ann;bob\nx;y\ny;y\n",
    "ragged.csv": "ann,bob\nx,y\nx,y,z\n",
    "shifted.csv": "ann,bob\nx,y,\ny,y,\n",
    "empty.csv": "",
    "header.csv": "ann,bob\n",
    "broken.jsonl": '{"ann": "x", "bob": "y"}\n{"ann": "x", \n',
    "broken.json": '[{"ann": "x"},\n nonsense]\n',
    "object.json": '{"ann": ["x"], "bob": ["y"]}\n',
    "values.jsonl": "1\n2\n",
    "numbers.csv": "ann,bob\n1,2\n2,2\n",
    "twice.csv": "ann,bob, ann\nx,y,x\n",
    "twice.json": '[{"ann": "x", "bob": "y", "ann": "y"}]',
    "quoted.csv": '"ann", "bob"\n"x", "y"\n',
    "record.jsonl": '{"ann": "x", "bob": "y"}\n{"ann": {"k": 1}, "bob": "y"}\n',
    "anonymous.csv": "doc,who,tag\n1,p,x\n1,,x\n2,p,y\n2,q,y\n",
    "column.csv": "ann,bob,share\nx,y,1\nx,x,1\n",
    "kinds.jsonl": '{"ann": 1, "bob": "1"}\n{"ann": 2, "bob": "x"}\n',
    "zeros.csv": "ann,bob\n01,02\n01,01\n",
    "decimals.csv": "ann;bob\n1,5;2,5\n2,5;2,5\n",
    "deep.json": "[" * 100_000 + "]" * 100_000,
    "huge.csv": f"ann,bob\n{10**25},{10**25}\n{10**25 + 1},{10**25}\n{10**400},{10**400}\n",
    "wide.csv": "\n".join([",".join(f"c{i}" for i in range(2_000)), *[",".join("xy" * 1_000)] * 2]) + "\n",
    "crowd.csv": "item,worker,label\n"
    + "".join(f"{i // 4},{(i // 4 + i % 4) % 9},{(i // 4 + (i % 5 == 0)) % 2}\n" for i in range(80)),
    "counts.csv": "id,bug,no bug,praise\n"
    + "".join(f"{i},{i % 4},{(3 - i % 4) * (i % 2)},{(3 - i % 4) * (1 - i % 2)}\n" for i in range(12)),
    "frequencies.csv": "id,ann,bob,n\n"
    + "".join(f"{i},{'xyz'[i % 3]},{'xyz'[i // 3 % 3]},{i % 7}\n" for i in range(12)),
    "scores.csv": "ann,bob,n\n" + "".join(f"{i % 3},{i // 3},{(i + 1) % 4}\n" for i in range(9)),
    "cells.csv": "id,scores\n" + "".join(f"{i},{i % 2}|{i // 2 % 2}|{i // 4}\n" for i in range(8)),
    "sets.csv": "id,tags\n"
    + "".join(f"{i},{tags}\n" for i, tags in enumerate(["x", "y", "z", "x|y", "x|z", "y|z", "x|y|z"])),
    "weights.csv": "ann,bob,w,n\nx,x,1,1\nx,y,0.5,2\ny,y,2,1\n",
    "table.csv": "ann,x,y\nx,5,1\ny,2,7\n",
    "gap.csv": "ann,bob\nx,\nx,x\ny,y\n",
}
ERRORS = {
    "nowhere.tsv": "no such file; check the path",
    "god.csv": "no such file; did you mean 'good.csv'?",
    "latin.csv": "the text is not in the encoding that was expected; name its encoding, such as --encoding cp1252",
    "bad.csv.gz": "the compressed file is damaged, incomplete or of another format; copy it again, or correct its name",
    "torn.csv.gz": (
        "the compressed file is damaged, incomplete or of another format; copy it again, or correct its name"
    ),
    "deep.json": "lists or records are nested too deeply; " + CELLS,
    "wide.csv": "every column was taken for a coder: 2000 coders of 2 items; " + NAMED,
    "huge.csv --level interval": (
        "--level interval needs labels that are numbers, and these are numbers written as text, such as "
        "'10000000000000000000000000'; write them as plain numbers in the file"
    ),
    "good.csv --no-formulas": "--no-formulas is for --format csv",
    "empty.csv": "the file is empty; the first line should hold the names of the columns",
    "header.csv": "there are no rows; the first line should hold the names of the columns",
    "ragged.csv": "Expected 2 fields in line 3, saw 3; check that line, or name the separator, such as --delimiter ';'",
    "decimals.csv --delimiter ; --level interval": (
        "--level interval needs labels that are numbers, and '1,5' is text; numbers with decimal commas are read with "
        "--decimal ,"
    ),
    "decimals.csv": "the only column is 'ann;bob': should it be --delimiter ';'?",
    "book.xlsx": "this is a workbook; save the sheet as CSV, or read it in Python with df = pd.read_excel('book.xlsx')",
    "nowhere.xlsx": "no such file; check the path",
    "shifted.csv": "the rows have more cells than the first line has names; give every column a name",
    "broken.jsonl": (
        "line 2 is not JSON (Expecting property name enclosed in double quotes); expected one record per line"
    ),
    "broken.json": "line 2 is not JSON (Expecting value); one record per line is .jsonl",
    "object.json": 'expected a list of records: [{...}, {...}], or records by id: {"1": {...}}',
    "values.jsonl": 'expected one record per line: {"item": ..., "ann": ...}',
    "good.csv --coders ann bbo": "--coders: no column 'bbo'; did you mean 'bob'?",
    "good.csv --coders ann bob --by month": "--by: no column 'month'; there are: 'item', 'batch', 'ann', 'bob'",
    "semi.csv": "the only column is 'ann;bob': should it be --delimiter ';'?",
    "good.csv": (
        "no coders were named, and these columns share no label with the likely coders: 'item' and 'batch'; name the "
        "coders: --coders ann bob"
    ),
    "long.csv": "the file has one row per judgment; name the columns: --item doc --coder who --label tag",
    "good.csv --coders ann": "--coders: 'ann' is a single coder; name two or more columns",
    "good.csv --coders ann ann": "--coders: column 'ann' is named twice",
    "long.csv --item doc --coder who": "--item goes with --label; --coder may be left out if the raters are anonymous",
    "long.csv --coder who": "--coder goes with --item; a file of judgments has --item, --coder and --label",
    "long.csv --item doc --label tag --coders p": (
        "--coders is about coders, and without --coder the raters are anonymous"
    ),
    "cells.csv --cells scores --sep ''": "--sep '' must be the text between two labels of a cell, such as '|'",
    "cells.csv": "column 'id' is called like an item; " + NAMED,
    "cells.csv --cells scores": (
        "the cell in row 1, column 'scores', holds '0|0|0'; a cell is a list, or text with --sep between the ratings, "
        "such as --sep '|'"
    ),
    "cells.csv --cells score": "--cells: no column 'score'; did you mean 'scores'?",
    "cells.csv --cells scores --sep '|' --metrics kappa": (
        "kappa needs the coder of each label, which these data do not contain; use pi, alpha, ac1, s or icc_1, or a "
        "file with one row per judgment (--item, --coder and --label)"
    ),
    "sets.csv": "column 'id' is called like an item; " + NAMED,
    "weights.csv --coders ann bob --frequency w": (
        "--frequency w says how many items a row stands for, a whole number of 0 or more, and row 2 holds 0.5; "
        "survey weights are not frequencies: leave them out"
    ),
    "weights.csv --item ann --label bob --frequency n": (
        "item 'x' has two frequencies, 2 and 1; give all rows of an item the same frequency"
    ),
    "scores.csv": (
        "column 'n' is called like a frequency; name the coders: --coders A B, with --frequency n if a row stands for "
        "several items"
    ),
    "table.csv": "some columns hold numbers and others text, so that not all of them are coders'; " + NAMED,
    "table.csv --crosstab --frequency x": "--frequency cannot be used with --crosstab: the file is a table of numbers",
    "long.csv --item doc --coder whom --label tag": "--coder: no column 'whom'; did you mean 'who'?",
    "numbers.csv --coders ann bob --categories 1 two": (
        "--categories: 'two' is not a number, but the labels in the file are"
    ),
    "semi.csv --delimiter ';;'": "--delimiter ';;' must be a single character, or \\t for a tab",
    "object.json --delimiter ';'": "--delimiter is for text files such as CSV, not for .json",
    "--coders ann bob labels.csv": (
        "--coders: no column 'labels.csv'; there are: 'item', 'batch', 'text_length', 'ann', 'bob', 'cleo', 'dev' "
        "(no FILE was named; it comes first, before the options)"
    ),
    "--item doc --coder who --label tag": (
        "--field, --tool, --models, --item, --start, --end, --length, --unmarked, --coder, --label, --counts, "
        "--crosstab, --cells, --delimiter, --encoding and --decimal describe a file: "
        "python -m pandas_agreement FILE ..."
    ),
    "good.csv --coders ann bob --metrics kapa": "no coefficient 'kapa'; did you mean 'kappa'?",
    "good.csv --coders ann bob --fail-under alfa=1": "no coefficient 'alfa'; did you mean 'alpha'?",
    "--at-least 0.6 --format csv": (
        "--at-least is answered on a page, and --format csv writes none; leave one of them out"
    ),
    "--at-least 0.6 --worst 3": "--at-least is answered on a page, and --worst writes none; leave one of them out",
    "--at-least 0.6 --ci none": "--at-least goes by the interval, and --ci is none; leave out --ci none",
    "--min-items 5": "--min-items goes with --fail-under; such as --fail-under alpha.ci_low=0.6",
    "--fail-under kappa.ci_low=0.5 --ci none": (
        "--fail-under is about an interval, and --ci is none; leave out --ci none"
    ),
    "crowd.csv": "the file has one row per judgment; name the columns: --item item --coder worker --label label",
    "counts.csv": "the numbers of every row add up to 3, as in a table of counts; " + NAMED,
    "counts.csv --counts bug praise --coders bug": (
        "--coders cannot be used with --counts: the file is a table of numbers"
    ),
    "table.csv --crosstab --counts": "--crosstab cannot be used with --counts: the file is a table of numbers",
    "table.csv --crosstab --by ann": "--by cannot be used with --crosstab: the file is a table of numbers",
    "table.csv --crosstab --worst 3": "a crosstab has no items; give the data with one row per item or judgment",
    "good.csv --coders ann bob --sep '|'": (
        "--sep splits cells into sets, which only --level jaccard and --level masi compare"
    ),
    "twice.csv": "column 'ann' stands twice in the first line; give each column a name of its own",
    "twice.json": "column 'ann' stands twice in a record; give each column a name of its own",
    "quoted.csv": (
        'the name "bob" has a blank before its quotation mark, which makes the mark a part of it; take out the '
        "blanks after the separators"
    ),
    "record.jsonl --coders ann bob": "column 'ann' holds a record, or a list of lists, in row 2; " + CELLS,
    "anonymous.csv --item doc --coder who --label tag": (
        "1 row has a label but no 'who' (the first is row 2, not counting the names); fill it in, or take such rows "
        "out of the file"
    ),
    "column.csv --coders ann bob --worst 3": (
        "the file has a column 'share', and --worst adds one; rename that column in the file"
    ),
    "kinds.jsonl --coders ann bob": (
        "column 'ann' has the label 1 and column 'bob' the text '1', which never agree; write them alike in the file"
    ),
    "good.csv --coders ann bob --weights linear": (
        "--weights linear needs labels that are numbers or have an order, and 'x' is text; give the 2 labels in "
        "their order with --categories LOWEST ... HIGHEST"
    ),
    "zeros.csv --weights linear": (
        "--weights linear needs labels that are numbers, and these are numbers written as text, such as '01'; write "
        "them as plain numbers in the file"
    ),
    "good.csv --coders ann bob --metrics ac1 --weights linear": (
        "ac1 has no form with --weights linear; the weighted form is 'ac2'"
    ),
    "good.csv --coders ann bob --metrics ccc": (
        "ccc needs numbers, and 'x' (of 'ann') is not one; write the labels as numbers in the file"
    ),
    "good.csv --coders ann bob --duplicates first": (
        "--duplicates goes with --item; it is for files of judgments, with --item, --coder and --label"
    ),
    "good.csv --coders ann bob --categories x": (
        "column 'ann' has the label 'y' in 6 rows, which is not among the categories 'x'; correct it or add it to "
        "--categories"
    ),
    "gap.csv --missing raise": (
        "--missing raise: 1 of 3 items lacks a label ('bob': 1); fill them in, or choose --missing pairable, all or "
        "complete"
    ),
    "good.csv --coders ann bob --where month=1": "--where: no column 'month'; there are: 'item', 'batch', 'ann', 'bob'",
    "good.csv --coders ann bob --where batch=w9": "--where: no row has 'w9' in column 'batch'; there are: 'w0', 'w1'",
    "numbers.csv --encoding klingon": "--encoding 'klingon' is not known; such as utf-8, cp1252 or utf-16",
    "numbers.csv --decimal ,": "--decimal and --delimiter are both ','; name the delimiter, such as ';'",
    "semi.csv --delimiter ; --decimal ,,": "--decimal ',,' must be a single character, such as a comma",
    "broken.jsonl --encoding cp1252": "--encoding is for text files such as CSV, not for .jsonl",
    "latin.csv --encoding utf-16": (
        "the text is not in the encoding that was expected; name its encoding, such as --encoding cp1252"
    ),
    "table.csv --crosstab --where ann=x": "--where cannot be used with --crosstab: the file is a table of numbers",
}
USAGE = {
    "--ci 95": "argument --ci: '95' must lie between 0 and 1, such as 0.95, or be none",
    "--fail-under 0.8": "argument --fail-under: '0.8' should read like alpha=0.8 or alpha.ci_low=0.8",
    "--fail-under kappa=80": (
        "argument --fail-under: kappa=80: agreement lies between -1 and 1; did you mean kappa=0.8?"
    ),
    "--judge dev --humans ann bob --fail-under difference.ci_low=-0.1": (
        "argument --fail-under: 'difference.ci_low=-0.1' should read difference_low=-0.1: the lower bound of judge "
        "minus people"
    ),
    "--fail-under kappa.high=0.8": (
        "argument --fail-under: 'kappa.high=0.8' should read like alpha=0.8 or alpha.ci_low=0.8"
    ),
    "--at-least 67": "argument --at-least: '67' must be a number between -1 and 1, such as 0.67",
    "--worst 0": "argument --worst: '0' must be a whole number above 0, such as 10",
    "'--sepp=;'": "unrecognized arguments: --sepp=;",
    "good.csv --where batch": "argument --where: 'batch' should read like batch=w06",
}


@pytest.fixture
def bad_files(tmp_path):
    for name, text in FILES.items():
        small(tmp_path / name, text)
    (tmp_path / "book.xlsx").write_bytes(b"PK")
    (tmp_path / "latin.csv").write_bytes("ann,bob\nä,ö\n".encode("latin-1"))
    (tmp_path / "bad.csv.gz").write_bytes(b"ann,bob\n")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1ann,bob\n")
    (tmp_path / "torn.csv.gz").write_bytes(gzip.compress(b"ann,bob\nx,y\n")[:-9])


@pytest.mark.parametrize("typed", ERRORS)
def test_errors_are_one_line(run, bad_files, typed):
    name = "the example" if typed.startswith("--") else shlex.split(typed)[0]
    assert run(*shlex.split(typed)) == (2, "", f"pandas_agreement: {name}: {ERRORS[typed]}\n")


@pytest.mark.parametrize("typed", USAGE)
def test_wrong_options_point_to_the_help(run, bad_files, typed):
    help = "see python -m pandas_agreement --help"
    assert run(*shlex.split(typed)) == (2, "", f"pandas_agreement: {USAGE[typed]}; {help}\n")


def test_parquet_that_is_damaged(run, bad_files):
    pytest.importorskip("pyarrow")
    status, _, err = run("bad.parquet")
    assert (status, err.count("\n"), "bad.parquet: cannot be read (" in err) == (2, 1, True)


def test_parquet_without_its_reader(run, bad_files, monkeypatch):
    def missing(path):
        raise ImportError("Unable to find a usable engine")

    monkeypatch.setattr(pd, "read_parquet", missing)
    remedy = "pip install pyarrow for Parquet, or zstandard for .zst"
    assert run("bad.parquet")[2] == f"pandas_agreement: bad.parquet: reading it needs another package; {remedy}\n"


def test_notes_are_for_a_shell(run, tmp_path):
    small(tmp_path / "g.csv", "ann,bob,g\nx,y,1\nx,x,\ny,y,1\n")
    assert run("g.csv", "--coders", "ann", "bob", "--by", "g", "--format", "csv")[2] == (
        "pandas_agreement: note: 1 of 3 rows has no group key and is left out; "
        "give such rows one in the file to have them counted\n"
    )
    small(tmp_path / "s.jsonl", '{"ann": ["x"], "bob": "x"}\n{"ann": ["y"], "bob": "y"}\n')
    assert run("s.jsonl", "--metrics", "observed", "--coders", "ann", "bob")[2] == (
        "pandas_agreement: note: labels of different kinds are compared: sets in 'ann', text in 'bob'; "
        "if that is not meant, write them alike in the file\n"
    )
    small(tmp_path / "one.csv", "ann,bob\nx,x\nx,x\n")
    assert run("one.csv", "--metrics", "s")[2] == (
        "pandas_agreement: note: the estimate is undefined (NaN): only one category: give categories=\n"
    )


def test_orders_that_differ(run, tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame(
        {
            "ann": pd.Categorical(["low", "high"], ["low", "high"], ordered=True),
            "bob": pd.Categorical(["low", "high"], ["high", "low"], ordered=True),
        }
    )
    frame.to_parquet(tmp_path / "x.parquet")
    assert run("x.parquet") == (
        2,
        "",
        "pandas_agreement: x.parquet: the orders of two columns differ: 'high' < 'low' in 'bob', 'low' < 'high' in "
        "'ann'; give the order of all labels with --categories ...\n",
    )


def test_labels_that_look_like_options_stay_what_they_are(run, tmp_path):
    small(tmp_path / "x.csv", "ann,bob\nlevel=3,x\nx,x\n")
    assert run("x.csv", "--categories", "x", "--coders", "ann", "bob")[2] == (
        "pandas_agreement: x.csv: column 'ann' has the label 'level=3' in 1 row, which is not among the categories "
        "'x'; correct it or add it to --categories\n"
    )


def test_columns_that_are_not_used_may_hold_anything(run, tmp_path):
    small(
        tmp_path / "x.jsonl",
        '{"ann": "x", "bob": "x", "meta": {"k": 1}, "spans": [[1, 2]]}\n{"ann": "y", "bob": "x", "meta": {}}\n',
    )
    status, out, err = run("x.jsonl", "--coders", "ann", "bob", "--metrics", "observed", "--format", "csv")
    assert (status, err, as_csv(out)["estimate"].iloc[0]) == (0, "", 0.5)


@pytest.fixture
def broken(monkeypatch):
    """A program with a mistake in it."""

    def set_up(error: BaseException) -> None:
        def fail(*arguments: object) -> None:
            raise error

        monkeypatch.setattr("pandas_agreement.cli.command.Output", fail)

    monkeypatch.delenv("PANDAS_AGREEMENT_TRACEBACK", raising=False)
    return set_up


def test_the_unexpected_is_one_line_and_status_2(run, broken, labels):
    broken(ZeroDivisionError("division\nby   zero."))
    assert run("labels.csv", "--coders", *CODERS) == (
        2,
        "",
        "pandas_agreement: labels.csv: unexpected ZeroDivisionError: division by zero; "
        "to see where, set PANDAS_AGREEMENT_TRACEBACK=1\n",
    )


def test_developers_see_the_traceback(run, broken, monkeypatch):
    broken(ZeroDivisionError("division by zero"))
    monkeypatch.setenv("PANDAS_AGREEMENT_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError, match=r"^division by zero$"):
        run()


def test_an_interrupt_is_status_130(run, broken):
    broken(KeyboardInterrupt())
    assert run() == (130, "", "pandas_agreement: interrupted\n")
