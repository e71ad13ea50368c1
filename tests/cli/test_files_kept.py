"""The command line replaces no file that it reads, and expands no file without a limit."""

from __future__ import annotations

import gzip
import os

import pytest

from pandas_agreement.cli import files
from tests.cli.helpers import small

LABELS = "item,ann,bob\n1,x,x\n2,y,y\n3,x,y\n"


@pytest.mark.parametrize("option", ["--consensus", "--report"])
@pytest.mark.parametrize("link", [None, os.symlink, os.link], ids=["the file", "symbolic link", "hard link"])
def test_the_file_that_is_read_is_not_replaced(run, tmp_path, option, link):
    name = "l.csv" if option == "--consensus" else "l.md"
    small(tmp_path / name, LABELS)
    target = name if link is None else f"other{name[1:]}"
    if link is not None:
        link(tmp_path / name, tmp_path / target)
    status, out, err = run(name, "--coders", "ann", "bob", option, target)
    problem = f"{option} would replace the file that is read; name another file"
    assert (status, out, err) == (2, "", f"pandas_agreement: {name}: {problem}\n")
    assert (tmp_path / name).read_text() == LABELS


@pytest.mark.parametrize("option", ["--consensus", "--report"])
def test_a_target_with_several_names_is_refused(run, tmp_path, option):
    target = "out.csv" if option == "--consensus" else "out.md"
    small(tmp_path / "l.csv", LABELS)
    small(tmp_path / target, "old")
    os.link(tmp_path / target, tmp_path / "other")
    problem = f"cannot write {target!r}: it has several names (hard links); name another file"
    assert run("l.csv", "--coders", "ann", "bob", option, target) == (2, "", f"pandas_agreement: l.csv: {problem}\n")
    assert (tmp_path / "other").read_text() == (tmp_path / target).read_text() == "old"


def test_a_compressed_file_expands_up_to_a_limit(run, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_EXPANDED", len(LABELS))
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(LABELS.encode()))
    assert run("x.csv.gz", "--coders", "ann", "bob")[0] == 0
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(LABELS.encode() + b"4,x,x\n"))
    status, _, err = run("x.csv.gz", "--coders", "ann", "bob")
    problem = "the compressed file holds more than 3.1e-08 GB; read it in Python, in parts: see pandas_agreement.stream"
    assert (status, err) == (2, f"pandas_agreement: x.csv.gz: {problem}\n")


def test_too_little_memory_is_no_damage(run, tmp_path, monkeypatch):
    def full(*_: object) -> bytes:
        raise MemoryError

    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(LABELS.encode()))
    monkeypatch.setattr(gzip.GzipFile, "read", full)
    status, _, err = run("x.csv.gz", "--coders", "ann", "bob")
    assert (status, "there is not enough memory to read it" in err) == (2, True)
