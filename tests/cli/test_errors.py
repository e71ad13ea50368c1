"""Mistakes on the command line, and the one line each gets."""

from __future__ import annotations

import gzip
import json
import zipfile

import pandas as pd
import pytest

from pandas_agreement.cli.columns import NAMED
from tests.cli.helpers import as_csv, small
from tests.data_sets import CODERS

FILES = {
    "good.csv": "item,batch,ann,bob\n" + "".join(f"t{i},w{i % 2},{'xy'[i % 2]},{'xyy'[i % 3]}\n" for i in range(12)),
    "long.csv": "doc,who,tag\n" + "".join(f"d{i // 2},{'pq'[i % 2]},{'xyy'[i % 3]}\n" for i in range(12)),
    "semi.csv": "ann;bob\nx;y\ny;y\n",
    "apart.csv": "form,scale,n\nother,other,1\n" + "rank,order,2\n" * 9,
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
    "twice.jsonl": '{"ann": "x", "bob": "y", "ann": "z"}\n',
    "quoted.csv": '"ann", "bob"\n"x", "y"\n',
    "quoted_labels.csv": 'ann,bob\nx, "y"\ny,y\n',
    "record.jsonl": '{"ann": "x", "bob": "y"}\n{"ann": {"k": 1}, "bob": "y"}\n',
    "nested.jsonl": '{"ann": "x", "bob": [["x"]]}\n{"ann": "x", "bob": "y"}\n',
    "huge.json": json.dumps([{"ann": {"text": "a" * 100}, "bob": "y"}]),
    "anonymous.csv": "doc,who,tag\n1,p,x\n1,,x\n2,p,y\n2,q,y\n",
    "reserved.csv": "ann,bob,category\nx,y,1\nx,x,1\n",
    "column.csv": "ann,bob,share\nx,y,1\nx,x,1\n",
    "kinds.jsonl": '{"ann": 1, "bob": "1"}\n{"ann": 2, "bob": "x"}\n',
    "zeros.csv": "ann,bob\n01,02\n01,01\n",
    "hours.csv": "ann,bob\n1,2\n5,5\n",
    "decimals.csv": "ann;bob\n1,5;2,5\n2,5;2,5\n",
    "uneven.csv": "ann;bob\n1;2\n2,5;2,5\n",
    "deep.json": "[" * 100_000 + "]" * 100_000,
    "deep.jsonl": '{"ann": ' + "[" * 100_000 + "]" * 100_000 + "}\n",
    "digits.jsonl": '{"ann": ' + "9" * 5000 + ', "bob": 1}\n',
    "huge.csv": f"ann,bob\n{10**25},{10**25}\n{10**25 + 1},{10**25}\n{10**400},{10**400}\n",
    "wide.csv": "\n".join([",".join(f"c{i}" for i in range(2_000)), *[",".join("xy" * 1_000)] * 2]) + "\n",
    "crowd.csv": "item,worker,label\n"
    + "".join(f"{i // 4},{(i // 4 + i % 4) % 9},{(i // 4 + (i % 5 == 0)) % 2}\n" for i in range(80)),
    "counts.csv": "id,bug,no bug,praise\n"
    + "".join(f"{i},{i % 4},{(3 - i % 4) * (i % 2)},{(3 - i % 4) * (1 - i % 2)}\n" for i in range(12)),
    "totals.csv": "id,n,bug,no bug,praise,class\n"
    + "".join(f"{i},{2 + i % 3 + i % 2},{i % 3},2,{i % 2},{i % 2}\n" for i in range(12)),
    "frequencies.csv": "id,ann,bob,n\n"
    + "".join(f"{i},{'xyz'[i % 3]},{'xyz'[i // 3 % 3]},{i % 7}\n" for i in range(12)),
    "words.csv": "item,annotator,rating,word\n"
    + "".join(f"{i % 5},{i % 3},{i % 4},{'pq'[i // 30]}\n" for i in range(60)),
    "scores.csv": "ann,bob,n\n" + "".join(f"{i % 3},{i // 3},{(i + 1) % 4}\n" for i in range(9)),
    "cells.csv": "id,scores\n" + "".join(f"{i},{i % 2}|{i // 2 % 2}|{i // 4}\n" for i in range(8)),
    "sets.csv": "id,tags\n"
    + "".join(f"{i},{tags}\n" for i, tags in enumerate(["x", "y", "z", "x|y", "x|z", "y|z", "x|y|z"])),
    "weights.csv": "ann,bob,w,n\nx,x,1,1\nx,y,0.5,2\ny,y,2,1\n",
    "table.csv": "ann,x,y\nx,5,1\ny,2,7\n",
    "gap.csv": "ann,bob\nx,\nx,x\ny,y\n",
}
ERRORS = [
    (["nowhere.tsv"], "nowhere.tsv: no such file; check the path"),
    (["god.csv"], "god.csv: no such file; did you mean 'good.csv'?"),
    (["."], ".: this is a directory; name a file in it"),
    (["latin.csv"], "latin.csv: the text is not UTF-8; save the file as UTF-8"),
    (["bad.csv.gz"], "bad.csv.gz: this is not a .gz file; name it by its format, such as .csv"),
    (["bad.parquet"], "bad.parquet: this is not a Parquet file; name it by its format, such as .csv"),
    (["torn.parquet", "--coders", "ann", "bob"], None),
    (["bad.xlsx"], "bad.xlsx: this is not a workbook; name it by its format, such as .csv"),
    (["bad.json.zip"], "bad.json.zip: this is not a .zip file; name it by its format, such as .csv"),
    (["torn.csv.gz"], "torn.csv.gz: the compressed file is damaged or incomplete; copy it again"),
    (["gzip.csv"], "gzip.csv: this is a .gz file, not a text file; give it a name that ends in .gz"),
    (["two.zip"], "two.zip: the archive holds 2 files; name an archive of one file"),
    (
        ["deep.jsonl"],
        "deep.jsonl: lists or records are nested too deeply in line 1; "
        "a cell is a text, a number, true, false or a list of these",
    ),
    (
        ["deep.json"],
        "deep.json: lists or records are nested too deeply; a cell is a text, a number, true, false or a list of these",
    ),
    (["digits.jsonl"], "digits.jsonl: a number has too many digits; write it as text, in quotation marks"),
    (
        ["wide.csv"],
        "wide.csv: the file has 2,000 columns, too many to take all of them for coders; " + NAMED,
    ),
    (
        ["huge.csv", "--level", "interval"],
        "huge.csv: --level interval needs labels that are numbers, and these are numbers written as text, such as "
        "'10000000000000000000000000'; write them as plain numbers in the file",
    ),
    (["good.csv", "--no-formulas"], "good.csv: --no-formulas is for --format csv"),
    (["empty.csv"], "empty.csv: the file is empty; the first line should hold the names of the columns"),
    (["header.csv"], "header.csv: there are no rows; the first line should hold the names of the columns"),
    (
        ["ragged.csv"],
        "ragged.csv: Expected 2 fields in line 3, saw 3; check that line, or name the separator, such as "
        "--delimiter ';'",
    ),
    (["decimals.csv"], "decimals.csv: the only column is 'ann;bob': should it be --delimiter ';'?"),
    (["uneven.csv"], "uneven.csv: the only column is 'ann;bob': should it be --delimiter ';'?"),
    (
        ["book.xlsx"],
        "book.xlsx: this is a workbook, not a text file; save the sheet as CSV, or read it in Python with "
        "df = pd.read_excel('book.xlsx')",
    ),
    (
        ["book.csv"],
        "book.csv: this is a workbook, not a text file; save the sheet as CSV, or read it in Python with "
        "df = pd.read_excel('book.csv')",
    ),
    (["nowhere.xlsx"], "nowhere.xlsx: no such file; check the path"),
    (
        ["shifted.csv"],
        "shifted.csv: the rows have more cells than the first line has names; give every column a name",
    ),
    (
        ["broken.jsonl"],
        (
            "broken.jsonl: line 2 is not JSON (Expecting property name enclosed in double quotes); "
            "expected one record per line"
        ),
    ),
    (["broken.json"], "broken.json: line 2 is not JSON (Expecting value); one record per line is .jsonl"),
    (["object.json"], 'object.json: expected a list of records: [{...}, {...}], or records by id: {"1": {...}}'),
    (["values.jsonl"], 'values.jsonl: expected one record per line: {"item": ..., "ann": ...}'),
    (
        ["good.csv", "--coders", "ann", "bbo"],
        "good.csv: --coders: no column 'bbo'; did you mean 'bob'?",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--by", "month"],
        "good.csv: --by: no column 'month'; there are: 'item', 'batch', 'ann', 'bob'",
    ),
    (
        ["semi.csv", "--coders", "ann", "bob"],
        "semi.csv: --coders: no column 'ann'; the only column is 'ann;bob': should it be --delimiter ';'?",
    ),
    (["semi.csv"], "semi.csv: the only column is 'ann;bob': should it be --delimiter ';'?"),
    (
        ["good.csv"],
        (
            "good.csv: not every column looks like a coder's: 'item', 'batch' (all values differ, or the others do "
            "not share them); name the coders: --coders ann bob"
        ),
    ),
    (
        ["apart.csv"],
        "apart.csv: not every column looks like a coder's: 'n' (called like frequencies); " + NAMED,
    ),
    (
        ["long.csv"],
        ("long.csv: the file has one row per judgment; name the columns: --item doc --coder who --label tag"),
    ),
    (
        ["good.csv", "--coders", "ann"],
        "good.csv: --coders: 'ann' is a single coder; name two or more columns",
    ),
    (["good.csv", "--coders", "ann", "ann"], "good.csv: --coders: column 'ann' is named twice"),
    (
        ["good.csv", "--coders", "ann", "bob", "--by", "bob"],
        "good.csv: column 'bob' cannot be both a coder (--coders) and a group (--by)",
    ),
    (
        ["long.csv", "--item", "doc", "--coder", "who"],
        "long.csv: --item and --label go together, with --coder unless the raters are anonymous; --label is missing",
    ),
    (
        ["long.csv", "--coder", "who"],
        "long.csv: --item and --label go together, with --coder unless the raters are anonymous; "
        "--item and --label are missing",
    ),
    (
        ["long.csv", "--item", "doc", "--label", "tag", "--coders", "p"],
        "long.csv: --coders is about coders, and without --coder the raters are anonymous",
    ),
    (
        ["long.csv", "--item", "doc", "--label", "tag", "--judge", "p", "--humans", "q"],
        "long.csv: --judge is about coders, and without --coder the raters are anonymous",
    ),
    (
        ["cells.csv", "--cells", "scores", "--sep", ""],
        "cells.csv: --sep '' must be the text between two labels of a cell, such as '|'",
    ),
    (
        ["long.csv", "--item", "doc", "--label", "tag", "--duplicates", "last"],
        "long.csv: --duplicates is about coders, and without --coder the raters are anonymous",
    ),
    (
        ["long.csv", "--item", "doc", "doc", "--coder", "who", "--label", "tag"],
        "long.csv: --item: column 'doc' is named twice",
    ),
    (
        ["cells.csv"],
        "cells.csv: not every column looks like a coder's: 'id', 'scores' (all values differ, or the others do not "
        "share them); if 'scores' has all ratings of an item, name it: --cells scores --sep '|'",
    ),
    (
        ["cells.csv", "--cells", "scores"],
        "cells.csv: the cell in row 1, column 'scores', holds '0|0|0'; a cell is a list, or text with --sep between "
        "the ratings, such as --sep '|'",
    ),
    (["cells.csv", "--cells", "score"], "cells.csv: --cells: no column 'score'; did you mean 'scores'?"),
    (
        ["cells.csv", "--cells", "scores", "--coders", "id"],
        "cells.csv: --coders cannot be used with --cells: nobody knows who gave which rating",
    ),
    (
        ["cells.csv", "--cells", "scores", "--by", "scores"],
        "cells.csv: column 'scores' cannot be both the ratings (--cells) and a group (--by)",
    ),
    (
        ["cells.csv", "--cells", "scores", "--sep", "|", "--metrics", "kappa"],
        "cells.csv: kappa needs the coder of each label, which these data do not hold; use pi, alpha, ac1, s or icc_1, "
        "or a file with one row per judgment (--item, --coder and --label)",
    ),
    (
        ["cells.csv", "--judge", "id", "--humans", "scores", "--cells", "scores"],
        "cells.csv: --cells cannot be used with --judge",
    ),
    (
        ["sets.csv"],
        f"sets.csv: not every column looks like a coder's: 'id', 'tags' (all values differ, or the others do not share "
        f"them); {NAMED}",
    ),
    (
        ["frequencies.csv", "--coders", "ann", "bob", "--frequency", "m"],
        "frequencies.csv: --frequency: no column 'm'; there are: 'id', 'ann', 'bob', 'n'",
    ),
    (
        ["frequencies.csv", "--coders", "ann", "n", "--frequency", "n"],
        "frequencies.csv: column 'n' cannot be both a coder (--coders) and a frequency (--frequency)",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--frequency", "batch"],
        None,
    ),
    (
        ["weights.csv", "--coders", "ann", "bob", "--frequency", "w"],
        "weights.csv: --frequency w says how many items a row stands for, a whole number of 0 or more, and row 2 "
        "holds 0.5; survey weights are not frequencies: leave them out",
    ),
    (
        ["weights.csv", "--item", "ann", "--label", "bob", "--frequency", "n"],
        "weights.csv: item 'x' has two frequencies, 2 and 1; all rows of an item have the same",
    ),
    (
        ["scores.csv"],
        "scores.csv: not every column looks like a coder's: 'n' (called like frequencies); "
        "name the coders: --coders ann bob, with --frequency n if a row stands for so many items",
    ),
    (
        ["table.csv", "--crosstab", "--frequency", "x"],
        "table.csv: --frequency cannot be used with --crosstab: the file is a table of numbers",
    ),
    (
        ["long.csv", "--item", "doc", "--coder", "whom", "--label", "tag"],
        "long.csv: --coder: no column 'whom'; did you mean 'who'?",
    ),
    (
        ["numbers.csv", "--coders", "ann", "bob", "--categories", "1", "two"],
        "numbers.csv: --categories: 'two' is not a number, but the labels in the file are",
    ),
    (["semi.csv", "--delimiter", ";;"], "semi.csv: --delimiter ';;' must be a single character, or \\t for a tab"),
    (["object.json", "--delimiter", ";"], "object.json: --delimiter is for text files such as CSV, not for .json"),
    (
        ["--coders", "ann", "bob", "labels.csv"],
        (
            "the example: --coders: no column 'labels.csv'; there are: 'item', 'batch', "
            "'text_length', 'ann', 'bob', "
            "'cleo', 'dev' (no FILE was named; it comes first, before the options)"
        ),
    ),
    (
        ["--item", "doc", "--coder", "who", "--label", "tag"],
        "the example: --item, --coder, --label, --counts, --crosstab, --cells and --delimiter describe a file: "
        "python -m pandas_agreement FILE ...",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--metrics", "kapa"],
        "good.csv: no coefficient 'kapa'; did you mean 'kappa'?",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--fail-under", "alfa=1"],
        "good.csv: no coefficient 'alfa'; did you mean 'alpha'?",
    ),
    (
        ["--ci", "95"],
        (
            "argument --ci: '95' must lie between 0 and 1, such as 0.95, or be none; see python -m "
            "pandas_agreement --help"
        ),
    ),
    (
        ["--fail-under", "0.8"],
        "argument --fail-under: '0.8' should read like alpha=0.8 or alpha.ci_low=0.8; "
        "see python -m pandas_agreement --help",
    ),
    (
        ["--fail-under", "kappa=80"],
        "argument --fail-under: kappa=80: agreement lies between -1 and 1; did you mean kappa=0.8?; "
        "see python -m pandas_agreement --help",
    ),
    (
        ["--judge", "dev", "--humans", "ann", "bob", "--fail-under", "difference.ci_low=-0.1"],
        "argument --fail-under: 'difference.ci_low=-0.1' should read difference_low=-0.1: the lower limit of judge "
        "minus people; see python -m pandas_agreement --help",
    ),
    (
        ["--judge", "dev", "--humans", "ann", "bob", "--fail-under", "difference_low=-0.1", "--ci", "none"],
        "the example: --fail-under is about an interval, and --ci is none; leave out --ci none",
    ),
    (
        ["--fail-under", "kappa.high=0.8"],
        "argument --fail-under: 'kappa.high=0.8' should read like alpha=0.8 or alpha.ci_low=0.8; "
        "see python -m pandas_agreement --help",
    ),
    (
        ["--at-least", "67"],
        "argument --at-least: '67' must be a number between -1 and 1, such as 0.67; "
        "see python -m pandas_agreement --help",
    ),
    (
        ["--at-least", "0.6", "--format", "csv"],
        "the example: --at-least is answered on a page, and --format csv writes none; leave one of them out",
    ),
    (
        ["--at-least", "0.6", "--worst", "3"],
        "the example: --at-least is answered on a page, and --worst writes none; leave one of them out",
    ),
    (
        ["--at-least", "0.6", "--ci", "none"],
        "the example: --at-least goes by the interval, and --ci is none; leave out --ci none",
    ),
    (["--min-items", "5"], "the example: --min-items goes with --fail-under; such as --fail-under alpha.ci_low=0.6"),
    (
        ["--fail-under", "kappa.ci_low=0.5", "--ci", "none"],
        "the example: --fail-under is about an interval, and --ci is none; leave out --ci none",
    ),
    (
        ["crowd.csv"],
        "crowd.csv: the file has one row per judgment; name the columns: --item item --coder worker --label label",
    ),
    (
        ["counts.csv"],
        "counts.csv: the numbers of every row add up to 3, as in a table of counts; name the columns of the "
        "categories: --counts bug 'no bug' praise, or, if they are coders, name them with --coders",
    ),
    (
        ["totals.csv"],
        "totals.csv: 'bug', 'no bug' and 'praise' add up to 'n' in every row, as in a table of counts; name the "
        "columns of the categories: --counts bug 'no bug' praise, or, if they are coders, name them with --coders",
    ),
    (
        ["frequencies.csv"],
        "frequencies.csv: not every column looks like a coder's: 'id', 'n' (all values differ, or the others do not "
        "share them); name the coders: --coders ann bob, with --frequency n if a row stands for so many items",
    ),
    (
        ["words.csv"],
        "words.csv: the file has one row per judgment; name the columns: --item item --coder annotator --label rating",
    ),
    (
        ["counts.csv", "--counts", "bug", "praise", "--coders", "bug"],
        "counts.csv: --coders cannot be used with --counts: the file is a table of numbers",
    ),
    (
        ["table.csv", "--crosstab", "--counts"],
        "table.csv: --crosstab cannot be used with --counts: the file is a table of numbers",
    ),
    (["table.csv", "--crosstab", "--by", "ann"], "table.csv: --by is not an option of a crosstab, which is one group"),
    (
        ["counts.csv", "--counts", "bug", "id", "--by", "id"],
        "counts.csv: column 'id' cannot be both a category (--counts) and a group (--by)",
    ),
    (["counts.csv", "--counts", "bug", "prais"], "counts.csv: --counts: no column 'prais'; did you mean 'praise'?"),
    (["good.csv", "--counts", "ann", "bob"], None),
    (
        ["table.csv", "--crosstab", "--worst", "3"],
        "table.csv: a crosstab has no items; give the data with one row per item or judgment",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--sep", "|"],
        "good.csv: --sep splits cells into sets, which only --level jaccard and --level masi compare",
    ),
    (["twice.csv"], "twice.csv: column 'ann' stands twice in the first line; give each column a name of its own"),
    (["twice.jsonl"], "twice.jsonl: column 'ann' stands twice in a record; give each column a name of its own"),
    (
        ["quoted.csv"],
        "quoted.csv: the name ' \"bob\"' has a blank before its quotation mark, which makes the mark a part of it; "
        "take out the blanks after the separators",
    ),
    (
        ["quoted_labels.csv"],
        "quoted_labels.csv: the label ' \"y\"' has a blank before its quotation mark, which makes the mark a part of "
        "it; take out the blanks after the separators",
    ),
    (
        ["record.jsonl", "--coders", "ann", "bob"],
        "record.jsonl: column 'ann' holds {\"k\": 1} in record 2; "
        "a cell is a text, a number, true, false or a list of these",
    ),
    (
        ["nested.jsonl", "--coders", "ann", "bob"],
        "nested.jsonl: column 'bob' holds [[\"x\"]] in record 1; "
        "a cell is a text, a number, true, false or a list of these",
    ),
    (
        ["huge.json", "--coders", "ann", "bob"],
        f'huge.json: column \'ann\' holds {{"text": "{"a" * 50}... in record 1; '
        "a cell is a text, a number, true, false or a list of these",
    ),
    (
        ["anonymous.csv", "--item", "doc", "--coder", "who", "--label", "tag"],
        "anonymous.csv: 1 row has a label but no 'who' (the first is row 2, not counting the names); fill it in, or "
        "take such rows out of the file",
    ),
    (
        ["reserved.csv", "--coders", "ann", "bob", "--by", "category"],
        "reserved.csv: a group key cannot be called 'category', as results have that name; "
        "rename that column in the file",
    ),
    (
        ["column.csv", "--coders", "ann", "bob", "--worst", "3"],
        "column.csv: the file has a column 'share', and --worst adds one; rename that column in the file",
    ),
    (
        ["kinds.jsonl", "--coders", "ann", "bob"],
        "kinds.jsonl: column 'ann' has the label 1 and column 'bob' the text '1', which never agree; "
        "write them alike in the file",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--weights", "linear"],
        "good.csv: --weights linear needs labels that are numbers or have an order, and 'x' is text; "
        "give the 2 labels in their order with --categories LOWEST ... HIGHEST",
    ),
    (
        ["zeros.csv", "--weights", "linear"],
        "zeros.csv: --weights linear needs labels that are numbers, and these are numbers written as text, such as "
        "'01'; write them as plain numbers in the file",
    ),
    (
        ["hours.csv", "--weights", "circular", "--categories", "1", "2", "5"],
        "hours.csv: 'circular' cannot tell the length of the circle from labels that are not equally spaced; "
        'list all labels of the circle with --categories, or give its length, such as "circular(period=360)"',
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--metrics", "ac1", "--weights", "linear"],
        "good.csv: ac1 has no form with --weights linear; the weighted form is 'ac2'",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--metrics", "alpha", "--weights", "linear"],
        "good.csv: --weights linear needs labels that are numbers or have an order, and 'x' is text; "
        "give the 2 labels in their order with --categories LOWEST ... HIGHEST",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--metrics", "kappa", "--level", "ordinal"],
        "good.csv: --level ordinal needs labels that are numbers or have an order, and 'x' is text; "
        "give the 2 labels in their order with --categories LOWEST ... HIGHEST",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--metrics", "ccc"],
        "good.csv: ccc needs numbers, and 'x' (of 'ann') is not one; write the labels as numbers in the file",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--duplicates", "first"],
        "good.csv: --duplicates is not an option of wide files; it is for long files (--item, --coder and --label)",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--missing", "al"],
        "good.csv: --missing al is not known; use one of 'pairable', 'all', 'complete', 'raise'; did you mean 'all'?",
    ),
    (
        ["good.csv", "--coders", "ann", "bob", "--categories", "x"],
        "good.csv: column 'ann' has the label 'y' in 6 rows, which is not among the categories 'x'; "
        "correct it or add it to --categories",
    ),
    (
        ["gap.csv", "--missing", "raise"],
        "gap.csv: --missing raise: 1 of 3 items lacks a label ('bob': 1); fill them in, or choose --missing pairable, "
        "all or complete",
    ),
    (
        ["--worst", "0"],
        "argument --worst: '0' must be a whole number above 0, such as 10; see python -m pandas_agreement --help",
    ),
    (["--sepp=;"], "unrecognized arguments: --sepp=;; see python -m pandas_agreement --help"),
]


@pytest.fixture
def bad_files(tmp_path):
    for name, text in FILES.items():
        small(tmp_path / name, text)
    for name in ("book.xlsx", "book.csv"):
        (tmp_path / name).write_bytes(b"PK\x03\x04\x14\x00\x06\x00\x08\x00\xff\xfe")
    (tmp_path / "latin.csv").write_bytes("ann,bob\nä,ö\n".encode("latin-1"))
    (tmp_path / "bad.csv.gz").write_bytes(b"ann,bob\n")
    (tmp_path / "bad.xlsx").write_bytes(b"ann,bob\n")
    (tmp_path / "bad.json.zip").write_bytes(b"ann,bob\n")
    (tmp_path / "bad.parquet").write_bytes(b"ann,bob\n")
    (tmp_path / "torn.parquet").write_bytes(b"PAR1ann,bob\n")
    (tmp_path / "gzip.csv").write_bytes(gzip.compress(b"ann,bob\nx,y\n"))
    (tmp_path / "torn.csv.gz").write_bytes(gzip.compress(b"ann,bob\nx,y\n")[:-9])
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.csv", "ann,bob\n")
        archive.writestr("b.csv", "ann,bob\n")


@pytest.mark.parametrize(("arguments", "message"), ERRORS, ids=[" ".join(arguments) for arguments, _ in ERRORS])
def test_errors_are_one_line(run, bad_files, arguments, message):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    if message is not None:
        assert err == f"pandas_agreement: {message}\n"


def test_parquet_without_an_engine(run, bad_files, monkeypatch):
    def missing(path):
        raise ImportError("Unable to find a usable engine")

    monkeypatch.setattr(pd, "read_parquet", missing)
    assert run("torn.parquet") == (
        2,
        "",
        ("pandas_agreement: torn.parquet: reading Parquet needs pyarrow; install it with: pip install pyarrow\n"),
    )


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
