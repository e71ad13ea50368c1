"""`--consensus FILE`: the labels of the items as CSV."""

from __future__ import annotations

import pandas as pd

from tests.cli.helpers import as_csv
from tests.data_sets import CODERS


def test_labels_of_a_wide_file_are_numbered_by_row(run, labels, tmp_path):
    status, out, err = run("labels.csv", "--coders", *CODERS, "--consensus", "out.csv")
    assert (status, err) == (0, "")
    expected = labels.agree.consensus(*CODERS)
    assert out == f"out.csv: wrote the labels of {len(labels)} items, {int(expected['tie'].sum())} of them ties\n"
    found = as_csv((tmp_path / "out.csv").read_text(encoding="utf-8"))
    assert list(found.columns) == ["row", *expected.columns]
    assert found["row"].tolist() == list(range(1, len(labels) + 1))
    assert found["label"].fillna("").tolist() == expected["label"].fillna("").tolist()


def test_labels_of_a_long_file_are_named_by_item(run, tmp_path):
    long = pd.DataFrame({"doc": list("aabb"), "who": list("xyxy"), "tag": ["=1", "=1", "b", "c"]})
    long.to_csv(tmp_path / "long.csv", index=False)
    roles = ("--item", "doc", "--coder", "who", "--label", "tag")
    status, out, _ = run("long.csv", *roles, "--consensus", "out.csv", "--no-formulas")
    assert (status, out) == (0, "out.csv: wrote the labels of 2 items, 1 of them ties\n")
    found = as_csv((tmp_path / "out.csv").read_text(encoding="utf-8"))
    assert found["doc"].tolist() == ["a", "b"]
    assert found["label"].fillna("").tolist() == ["'=1", ""]


def test_one_label_of_a_coder_counts(run, tmp_path):
    frame = pd.DataFrame({"doc": list("aaabb"), "who": list("xyyxy"), "tag": list("pqppp")})
    frame.to_csv(tmp_path / "long.csv", index=False)
    roles = ("--item", "doc", "--coder", "who", "--label", "tag", "--consensus", "out.csv")
    assert run("long.csv", *roles, "--duplicates", "last")[0] == 0
    assert as_csv((tmp_path / "out.csv").read_text(encoding="utf-8"))["n_labels"].tolist() == [2, 2]
    status, _, err = run("long.csv", *roles, "--duplicates", "all")
    assert (status, err.count("\n")) == (2, 1)
    assert "as only truth and consensus do; keep one with --duplicates first or last" in err


def test_wrong_requests_are_one_line(run, labels):
    assert run("labels.csv", "--consensus", "out.txt")[2] == (
        "pandas_agreement: argument --consensus: 'out.txt' must end in .csv; see python -m pandas_agreement --help\n"
    )
    assert run("labels.csv", "--coders", *CODERS, "--consensus", "out.csv", "--worst", "3")[2] == (
        "pandas_agreement: labels.csv: --worst cannot be used with --consensus: it writes labels\n"
    )
    assert run("labels.csv", "--coders", *CODERS, "--consensus", "no/out.csv")[2] == (
        "pandas_agreement: labels.csv: cannot write 'no/out.csv': No such file or directory\n"
    )
