"""Files that the command line reads, and what counts as a label in them."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.cli.files import MISSING_TEXTS
from tests.cli.helpers import as_csv, measured, section_of, small
from tests.data_sets import CODERS


def test_texts_are_missing_that_are_so_in_pandas(run, tmp_path):
    """The whole list is that of `pd.read_csv`, which may grow."""
    words = [*MISSING_TEXTS, "", "x", "NOPE", "na", "-", "none", "N.A."]
    small(tmp_path / "na.csv", "a,b\n" + "".join(f'"{word}",{word}\n' for word in words))
    kept = pd.read_csv(tmp_path / "na.csv")["a"].dropna().tolist()
    assert kept == words[-6:]
    status, out, err = run("na.csv", "--coders", "a", "b", "--metrics", "observed", "--format", "csv")
    assert (status, as_csv(out)["n_items"].iloc[0]) == (0, len(kept))
    assert f"note: {2 * len(MISSING_TEXTS)} cells are read as missing, as in pandas: '#N/A', " in err
    assert err.endswith("; write a label that means something in another way\n")


def test_encoding_and_decimal_commas(run, tmp_path):
    (tmp_path / "g.csv").write_bytes("Jürgen;Änne\n1,5;2,5\n2,5;2,5\n3,25;3,5\n4;4,75\n".encode("cp1252"))
    options = ("--delimiter", ";", "--encoding", "cp1252", "--decimal", ",")
    status, out, err = run("g.csv", *options, "--metrics", "icc_a1", "--format", "csv")
    frame = pd.DataFrame({"j": [1.5, 2.5, 3.25, 4], "a": [2.5, 2.5, 3.5, 4.75]})
    expected = frame.agree.icc(form="A1")["estimate"].iloc[0]
    assert (status, err) == (0, "")
    assert as_csv(out)["estimate"].iloc[0] == pytest.approx(expected)


def test_one_batch(run, labels):
    """Rows keep their numbers, and only the batch counts at the gate."""
    batch = labels.set_axis(range(1, 601))[labels["batch"].to_numpy() == "2026-w06"]
    arguments = ("labels.csv", "--coders", *CODERS, "--where", "batch=2026-w06")
    expected = batch.agree.alpha(*CODERS)["estimate"].iloc[0]
    gate = ("--fail-under", f"alpha={expected + 0.01:.4f}")
    status, out, _ = run(*arguments, "--metrics", "alpha", "--format", "csv", *gate)
    assert (status, as_csv(out)["estimate"].iloc[0]) == (1, pytest.approx(expected))
    assert run(*arguments)[1].startswith("Agreement report: labels.csv, batch 2026-w06\n")
    worst = as_csv(run(*arguments, "--worst", "1", "--format", "csv")[1])
    assert worst["item"].tolist() == [labels["item"].iloc[worst["row"].iloc[0] - 1]]
    both = ("--coders", "ann", "bob", "--where", "batch=2026-w06", "dev=bug", "--format", "csv")
    twice = ("--coders", "ann", "bob", "--where", "batch=2026-w06", "--where", "dev=bug", "--format", "csv")
    assert run("labels.csv", *twice) == run("labels.csv", *both)
    assert as_csv(run(*both)[1])["n_items"].iloc[0] <= (batch["dev"] == "bug").sum()


def test_long_equals_wide(run, labels, tmp_path):
    long = labels.melt(["item", "batch"], CODERS, var_name="who", value_name="tag").dropna(subset="tag")
    long.sample(frac=1, random_state=0).to_csv(tmp_path / "long.csv", index=False)
    options = ("--by", "batch", "--metrics", "kappa", "alpha", "--format", "csv")
    columns = ("--item", "item", "--coder", "who", "--label", "tag")
    wide = as_csv(run("labels.csv", "--coders", *CODERS, *options)[1])
    pd.testing.assert_frame_equal(as_csv(run("long.csv", *columns, *options)[1]), wide)
    two = as_csv(run("labels.csv", "--coders", "ann", "dev", *options)[1])
    pd.testing.assert_frame_equal(as_csv(run("long.csv", *columns, "--coders", "ann", "dev", *options)[1]), two)
    status, out, err = run("long.csv", *columns)
    assert (status, err) == (0, "")
    assert section_of(out, "Coders")[2].startswith("dev ")  # the least agreement first


@pytest.mark.parametrize("name", ["x.tsv", "x.jsonl", "x.ndjson", "x.json", "x.csv.gz", "x.jsonl.gz", "x.txt"])
def test_formats_of_files(run, labels, tmp_path, name):
    frame = labels[CODERS]
    lines = "".join(json.dumps(record) + "\n" for record in json.loads(frame.to_json(orient="records")))
    texts = {
        "x.tsv": frame.to_csv(index=False, sep="\t"),
        "x.jsonl": lines,
        "x.ndjson": lines + "\n",
        "x.json": frame.to_json(orient="records"),
        "x.csv.gz": frame.to_csv(index=False),
        "x.jsonl.gz": lines,
        "x.txt": frame.to_csv(index=False),
    }
    data = texts[name].encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    options = ("--metrics", "alpha", "--format", "csv")
    expected = run("labels.csv", "--coders", *CODERS, *options)
    assert run(name, *options) == expected
    assert expected[0] == 0


def test_parquet(run, labels, tmp_path):
    pytest.importorskip("pyarrow")
    options = ("--coders", *CODERS, "--metrics", "alpha", "--format", "csv")
    labels.to_parquet(tmp_path / "x.parquet")
    assert run("x.parquet", *options) == run("labels.csv", *options)
    labels.set_index(["batch", "item"]).to_parquet(tmp_path / "y.parquet")
    assert run("y.parquet", *options, "--by", "batch")[1] == run("labels.csv", *options, "--by", "batch")[1]


def test_standard_input(run, labels, monkeypatch):
    options = ("--metrics", "alpha", "--format", "csv", "--coders", *CODERS)
    expected = run("labels.csv", *options)
    monkeypatch.setattr(sys, "stdin", io.StringIO(labels.to_csv(index=False)))
    assert run("-", *options) == expected


def test_a_byte_order_mark_does_not_matter(run, tmp_path):
    (tmp_path / "x.csv").write_bytes(b'\xef\xbb\xbf"a","b"\nyes,yes\nno,no\nno,yes\n')
    status, out, _ = run("x.csv", "--coders", "a", "b", "--metrics", "observed", "--format", "csv")
    assert (status, as_csv(out)["estimate"].iloc[0]) == (0, pytest.approx(2 / 3))


def test_blanks_around_labels_count_and_are_noted(run, tmp_path):
    small(tmp_path / "x.csv", "a , b,g\nyes,yes,1\nno,no ,1\nno,yes,1\n yes,yes,1\n")
    status, out, err = run("x.csv", "--coders", "a", "b", "--metrics", "observed", "--format", "csv")
    assert status == 0
    assert err == (
        "pandas_agreement: note: 4 labels differ only in case, blanks or type and count as different: ' yes' and "
        "'yes', 'no' and 'no '; write them alike in the file, or list all labels with --categories\n"
    )
    assert as_csv(out)["estimate"].iloc[0] == 0.25
    assert "categories  4: ' yes', no, 'no ', yes\n" in run("x.csv", "--coders", "a", "b")[1]


def test_blanks_around_numbers_do_not_matter(run, tmp_path):
    small(tmp_path / "x.csv", "a, b\n1, 1\n2, 2\n2 , 1\n")
    status, out, err = run("x.csv", "--metrics", "observed", "--format", "csv")
    assert (status, err) == (0, "")
    assert as_csv(out)["estimate"].iloc[0] == pytest.approx(2 / 3)


def test_numbers_become_numbers_so_that_weights_work(run, tmp_path):
    small(tmp_path / "n.csv", "a,b\n1,2\n2,2\n10,10\n,1\n9,10\n1,1\n2,9\n")
    status, out, _ = run("n.csv", "--coders", "a", "b", "--metrics", "kappa", "--weights", "linear", "--format", "csv")
    frame = pd.DataFrame({"a": [1, 2, 10, np.nan, 9, 1, 2], "b": [2, 2, 10, 1, 10, 1, 9]})
    expected = frame.agree.kappa("a", "b", weights="linear")["estimate"].iloc[0]
    assert status == 0
    assert as_csv(out)["estimate"].iloc[0] == pytest.approx(expected, rel=1e-12)


def test_declared_categories_are_numbers_where_the_labels_are(run, tmp_path):
    small(tmp_path / "n.csv", "a,b\n1,2\n2,2\n1,1\n")
    arguments = ("n.csv", "--coders", "a", "b", "--metrics", "s", "--format", "csv")
    _, out, _ = run(*arguments, "--categories", "1", "2", "3")
    assert as_csv(out)["estimate"].iloc[0] == pytest.approx(0.5)


def test_names_with_leading_zeros_stay_names(run, tmp_path):
    small(tmp_path / "z.csv", "a,b\n01,1\n01,01\n1,1\n")
    _, out, _ = run("z.csv", "--coders", "a", "b", "--metrics", "observed", "--format", "csv")
    assert as_csv(out)["estimate"].iloc[0] == pytest.approx(2 / 3)


def test_lists_of_labels_are_sets(run, tmp_path):
    small(
        tmp_path / "s.jsonl",
        '{"a": ["x", "y"], "b": ["x"]}\n{"a": ["y"], "b": ["y"]}\n{"a": ["x"], "b": ["x"]}\n',
    )
    status, out, _ = run("s.jsonl", "--coders", "a", "b", "--metrics", "alpha", "--level", "masi")
    frame = pd.DataFrame({"a": [("x", "y"), ("y",), ("x",)], "b": [("x",), ("y",), ("x",)]}).map(frozenset)
    expected = frame.agree.alpha("a", "b", level="masi")["estimate"].iloc[0]
    assert status == 0
    assert f"Krippendorff's alpha (masi level) is {expected:.3f} " in out
    assert "sets of labels  3 different ones: {x}, {x, y}, {y}\n" in out


def test_an_empty_text_is_missing_in_json_too(run, tmp_path):
    small(tmp_path / "s.jsonl", '{"a": "x", "b": ""}\n{"a": "y", "b": "y"}\n{"a": "x", "b": null}\n')
    _, out, _ = run("s.jsonl", "--coders", "a", "b", "--metrics", "observed", "--format", "csv")
    assert as_csv(out)["n_items"].iloc[0] == 1
    assert measured(run("s.jsonl", "--coders", "a", "b")[1], "categories") == "2: x, y"


def test_the_order_of_words_is_given_by_categories(run, tmp_path):
    small(tmp_path / "w.csv", "a,b\nlow,mid\nmid,mid\nhigh,high\nlow,low\nhigh,low\n")
    arguments = (
        "w.csv",
        "--coders",
        "a",
        "b",
        "--metrics",
        "kappa",
        "--weights",
        "linear",
        "--format",
        "csv",
    )
    status, out, _ = run(*arguments, "--categories", "low", "mid", "high")
    frame = pd.DataFrame({"a": [0, 1, 2, 0, 2], "b": [1, 1, 2, 0, 0]})
    expected = frame.agree.kappa("a", "b", weights="linear")["estimate"].iloc[0]
    assert (status, as_csv(out)["estimate"].iloc[0]) == (0, pytest.approx(expected))
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert "; give the 3 labels in their order with --categories LOWEST ... HIGHEST" in err


def test_records_by_id_are_rows_with_that_index(run, labels, tmp_path):
    by_id = {f"id{n}": row for n, row in enumerate(labels[CODERS].fillna("").to_dict("records"))}
    (tmp_path / "by_id.json").write_text(json.dumps(by_id), encoding="utf-8")
    options = ("--coders", *CODERS, "--metrics", "alpha", "--format", "csv")
    pd.testing.assert_frame_equal(as_csv(run("by_id.json", *options)[1]), as_csv(run("labels.csv", *options)[1]))
    worst = run("by_id.json", "--coders", *CODERS, "--worst", "3")[1]
    assert re.search(r"\bid\d+\b", worst)
