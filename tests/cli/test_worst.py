"""Items to adjudicate, as the command line shows them."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from tests.cli.helpers import LONG, as_csv, section_of, small
from tests.data_sets import CODERS


def test_worst_items_of_a_wide_file(run, labels):
    arguments = ("labels.csv", "--coders", *CODERS, "--worst", "3")
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert section_of(out, "Items to look at first")[:6] == [
        "The least agreement first:",
        "row  item   batch     text_length  ann        bob      cleo      dev       majority  agreement",
        "103  t0103  2026-w02           36  complaint  request  question  bug       tie           0.000",
        "189  t0189  2026-w02           57  complaint  bug      request   question  tie           0.000",
        " 75  t0075  2026-w01           16  question            request   bug       tie           0.000",
        "... and 277 more items",
    ]
    _, out, _ = run(*arguments, "--format", "markdown")
    assert out.splitlines()[7:9] == [
        "| ---: | --- | --- | ---: | --- | --- | --- | --- | --- | ---: |",
        "| 103 | t0103 | 2026-w02 | 36 | complaint | request | question | bug | tie | 0.000 |",
    ]
    expected = labels.agree.disagreements(*CODERS, n=3, detail=True)
    got = as_csv(run(*arguments, "--format", "csv")[1])
    assert got["row"].tolist() == [103, 189, 75]
    assert list(got.columns) == ["row", *expected.columns]
    np.testing.assert_allclose(got["influence"], expected["influence"], rtol=1e-12)
    records = json.loads(run(*arguments, "--format", "json")[1])
    assert [record["row"] for record in records] == [103, 189, 75]
    assert (records[2]["ann"], records[2]["bob"], records[2]["majority"]) == ("question", None, None)


def test_worst_items_of_a_long_file(run, labels, tmp_path):
    names = labels.assign(length=labels["text_length"])
    long = names.melt(["item", "batch", "length"], CODERS, var_name="who", value_name="tag").dropna(subset="tag")
    long.assign(minute=range(len(long))).to_csv(tmp_path / "long.csv", index=False)
    arguments = ("long.csv", "--item", "item", "--coder", "who", "--label", "tag", "--by", "batch", "--worst", "2")
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert section_of(out, "Items to look at first")[1:4] == [
        "item   batch     length  ann        bob      cleo      dev       majority  agreement",
        "t0103  2026-w02      36  complaint  request  question  bug       tie           0.000",
        "t0189  2026-w02      57  complaint  bug      request   question  tie           0.000",
    ]
    got = as_csv(run(*arguments, "--format", "csv")[1])
    assert got["item"].tolist() == ["t0103"] * 4 + ["t0189"] * 4
    assert got["who"].tolist() == CODERS * 2
    assert list(got.columns[:6]) == ["item", "batch", "length", "who", "tag", "minute"]


def test_worst_items_of_a_crowd_say_who_said_what(run, tmp_path):
    said = {1: "xyx", 2: "xx", 3: "xxzxxzyxx"}
    rows = [f"{doc},w{i},{label}\n" for doc, labels in said.items() for i, label in enumerate(labels, 1)]
    small(tmp_path / "crowd.csv", "doc,who,tag\n" + "".join(rows))
    _, out, _ = run("crowd.csv", *LONG, "--worst", "5")
    assert section_of(out, "Items to look at first")[1:4] == [
        "doc  labels            majority  agreement",
        "  1  x: w1, w3; y: w2  x             0.333",
        "  3  x 6, z 2, y 1     x             0.444",
    ]


def test_worst_items_on_the_scale_that_was_asked_for(run, tmp_path):
    small(tmp_path / "n.csv", "text,a,b\none,1,2\ntwo,1,3\nthree,3,3\nfour,,3\n")
    arguments = ("n.csv", "--coders", "a", "b", "--worst", "1", "--format", "csv")
    frame = pd.DataFrame({"a": [1, 1, 3, np.nan], "b": [2, 3, 3, 3]})
    for options, settings in (
        (("--level", "interval"), {"level": "interval"}),
        (("--weights", "linear"), {"metrics": "kappa", "weights": "linear"}),
    ):
        got = as_csv(run(*arguments, *options)[1])
        assert got["text"].tolist() == ["two"]
        expected = frame.agree.disagreements("a", "b", n=1, **settings)
        assert got["agreement"].tolist() == expected["agreement"].tolist()
    assert run(*arguments[:-4], "--worst", "3", "--format", "csv")[1].splitlines()[1].startswith("2,two,1,3,")


def test_long_texts_are_cut_in_the_table_only(run, tmp_path):
    text = "word " * 60
    small(tmp_path / "t.csv", f'text,a,b\n"{text}",x,y\n"first\nsecond",y,x\n')
    _, out, _ = run("t.csv", "--coders", "a", "b", "--worst", "2")
    assert f"    1  x  y      0.000  {'word ' * 14}wor...\n" in out
    assert "    2  y  x      0.000  first second\n" in out
    assert as_csv(run("t.csv", "--coders", "a", "b", "--worst", "2", "--format", "csv")[1])["text"].iloc[0] == text


def test_nothing_to_adjudicate(run, tmp_path):
    small(tmp_path / "x.csv", "a,b\nx,x\ny,y\ny,\n")
    _, out, _ = run("x.csv", "--worst", "3")
    assert section_of(out, "Items") == ["No item to adjudicate: no two labels of an item differ."]
    assert json.loads(run("x.csv", "--worst", "3", "--format", "json")[1]) == []
