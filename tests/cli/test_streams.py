"""Pipes, closed streams, terminals and the keyboard."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement.characters import HIDDEN, visible
from tests.cli.helpers import LONG, as_csv, measured, small
from tests.cli.test_recipe import printed_lines
from tests.helpers import HOSTILE_TOGETHER

CSV = "ann,bob\nx,x\ny,y\nx,y\ny,y\n"


# ---------------------------------------------------------------------------------------------------- read once


def feed(path: Path, data: bytes) -> None:
    """Make a pipe that gives the data once."""
    os.mkfifo(path)
    threading.Thread(target=path.write_bytes, args=(data,), daemon=True).start()


def test_a_pipe_is_read_once(run, tmp_path):
    small(tmp_path / "file.csv", CSV)
    options = ("--metrics", "kappa", "--format", "csv")
    feed(tmp_path / "pipe", CSV.encode())
    assert run("pipe", *options) == run("file.csv", *options)
    feed(tmp_path / "pipe.jsonl", b'{"ann": "x", "bob": "x"}\n{"ann": "y", "bob": "x"}\n')
    assert as_csv(run("pipe.jsonl", "--metrics", "observed", "--format", "csv")[1])["estimate"].tolist() == [0.5]


def test_the_lines_for_a_pipe_read_a_file(run, tmp_path):
    feed(tmp_path / "pipe", CSV.encode())
    _, out, _ = run("pipe")
    assert "\nIn Python, with the input saved as labels.csv\n" in out
    assert printed_lines(out)[2].startswith("df = pd.read_csv('labels.csv'")


def test_a_parquet_file_in_a_pipe_and_one_that_is_a_folder(run, tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"ann": list("xyxy"), "bob": list("xyyy")})
    (tmp_path / "folder.parquet").mkdir()
    frame.to_parquet(tmp_path / "folder.parquet" / "part-0.parquet")
    feed(tmp_path / "pipe.parquet", (tmp_path / "folder.parquet" / "part-0.parquet").read_bytes())
    options = ("--metrics", "observed", "--format", "csv")
    assert run("pipe.parquet", *options)[1] == run("folder.parquet", *options)[1] != ""


# ---------------------------------------------------------------------------------------------------- columns


def test_columns_without_a_label(run, tmp_path):
    small(tmp_path / "x.csv", "ann,bob,cleo\nx,x,\ny,y,\nx,y,\n")
    assert as_csv(run("x.csv", "--metrics", "observed", "--format", "csv")[1])["estimate"].iloc[0] == pytest.approx(
        2 / 3
    )
    small(tmp_path / "none.csv", "ann,bob\n,\n,\n")
    said = "pandas_agreement: {}: there is no label in {}: every cell is empty; name the columns that hold the labels\n"
    assert run("none.csv", "--metrics", "alpha") == (2, "", said.format("none.csv", "'ann', 'bob'"))
    small(tmp_path / "long.csv", "doc,who,tag\n1,p,\n1,q,\n")
    assert run("long.csv", *LONG, "--metrics", "alpha") == (2, "", said.format("long.csv", "'tag'"))


@pytest.mark.parametrize("start", [2**63, 2**64, 10**25, 10**400])
def test_labels_that_are_huge_numbers(run, tmp_path, start):
    small(
        tmp_path / "x.csv", f"ann,bob\n{start},{start}\n{start + 1},{start}\n{start},{start}\n{start + 1},{start + 1}\n"
    )
    status, out, err = run("x.csv", "--metrics", "observed", "--format", "csv")
    assert (status, err) == (0, "")
    assert as_csv(out)[["estimate", "n_items"]].values.tolist() == [[0.75, 4]]
    status, out, _ = run("x.csv")
    assert status == 0
    assert measured(out, "categories").startswith("2: ")


# ---------------------------------------------------------------------------------------------------- formulas


def test_cells_that_are_no_formulas(run, tmp_path):
    cells = ["=1+1", "+1+1", "-1+1", "@x", "\tx", "\rx", "\uff1dx"]
    frame = pd.DataFrame(
        {"=ann": cells, "bob": cells[1:] + cells[:1], "n": [-1.5] * 7, "text": ["-1", "a-b"] + [""] * 5}
    )
    frame.to_json(tmp_path / "x.jsonl", orient="records", lines=True)
    options = ("x.jsonl", "--coders", "=ann", "bob", "--worst", "9", "--format", "csv")
    plain, safe = as_csv(run(*options)[1]), as_csv(run(*options, "--no-formulas")[1])
    assert list(plain.columns[1:5]) == ["=ann", "bob", "n", "text"]
    assert list(safe.columns[1:5]) == ["'=ann", "bob", "n", "text"]
    assert sorted(safe["bob"]) == sorted(f"'{cell}" for cell in cells)
    assert safe["n"].tolist() == [-1.5] * 7
    assert sorted(safe["text"].dropna()) == ["-1", "a-b"]


# ---------------------------------------------------------------------------------------------------- terminals


@pytest.mark.parametrize("text", HOSTILE_TOGETHER.values(), ids=HOSTILE_TOGETHER)
def test_nothing_hidden_reaches_a_terminal(run, tmp_path, text):
    text = text.replace("\0", "\1")  # a file name has none
    frame = pd.DataFrame({text: [text, "x"] * 10, "bob": [text, "x", "x", text] * 5, f"by{text}": [text, "b"] * 10})
    path = f"{text.replace('/', '')}.jsonl"
    frame.to_json(tmp_path / path, orient="records", lines=True)
    coders = ("--coders", text, "bob")
    calls = [
        (*coders, "--by", f"by{text}"),
        (*coders, "--format", "markdown"),
        (*coders, "--worst", "5"),
        (*coders, "--fail-under", "kappa=2", "--by", f"by{text}"),
        (*coders, "--report", f"{path}.md"),
        (*coders, "--report", f"{text}/x.md"),
        (*coders, "--by", f"no{text}"),
        (*coders, f"--no{text}"),
        (),
    ]
    for arguments in calls:
        _, out, err = run(path, *arguments)
        assert not HIDDEN.search(out + err), arguments
        assert all(line.startswith("pandas_agreement: ") for line in err.splitlines())
    assert not HIDDEN.search((tmp_path / f"{path}.md").read_text(encoding="utf-8"))


def test_data_are_whole_in_a_file_and_visible_on_a_terminal(run, tmp_path, monkeypatch):
    small(tmp_path / "x.csv", "ann,bob\n\x1b[31m,\x1b[31m\n\x1b[31m,y\n")
    options = ("x.csv", "--worst", "1", "--format", "csv")
    out = run(*options)[1]
    assert "\x1b[31m" in out
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda stream: True)
    assert run(*options)[1] == visible(out)


# ---------------------------------------------------------------------------------------------------- closed streams

CLOSED = "pandas_agreement: standard output: cannot be written (it is closed)\n"
FULL = "pandas_agreement: standard output: cannot be written (No space left on device)\n"
NO_INPUT = "pandas_agreement: standard input: it is closed; name a file, or pipe one in\n"


def test_closed_streams(run, tmp_path, monkeypatch):
    small(tmp_path / "x.csv", CSV)
    monkeypatch.setattr(sys, "stdin", None)
    assert run("-") == (2, "", NO_INPUT)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", None)
        assert run("none.csv") == (2, "", "")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        assert run("x.csv") == (2, "", CLOSED)
    with monkeypatch.context() as patch, suppress(OSError), open("/dev/full", "w") as full:
        patch.setattr(sys, "stdout", full)
        assert run("x.csv") == (2, "", FULL)
    reader, writer = os.pipe()
    os.close(reader)
    with monkeypatch.context() as patch, os.fdopen(writer, "w") as closed:
        patch.setattr(sys, "stdout", closed)
        assert run("x.csv") == (0, "", "")


def process(tmp_path: Path, command: list[str], **environment: str) -> tuple[int, str, str]:
    home = str(Path(pandas_agreement.__file__).parents[1])
    known = os.environ | {"PYTHON": sys.executable, "PYTHONPATH": home} | environment
    done = subprocess.run(command, cwd=tmp_path, env=known, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_in_a_shell(tmp_path):
    """A file that is a pipe, labels that the terminal does not have, a reader that goes early, and the status."""
    small(tmp_path / "x.csv", "ann,bob\nja\u00df,ja\u00df\nnein,ja\u00df\n")
    agree = '"$PYTHON" -m pandas_agreement <(cat x.csv) --fail-under kappa=0.9'
    line = f"{agree} | tee >(grep -c 'ja.xdf' >&2) | head -1; echo ${{PIPESTATUS[0]}}"
    status, out, err = process(tmp_path, ["bash", "-c", line], PYTHONWARNINGS="error", PYTHONIOENCODING="ascii")
    assert (status, out.splitlines()[1:]) == (0, ["1"])
    assert out.startswith("Agreement report: /dev/fd/")
    assert "kappa is 0.0000: --fail-under requires 0.9" in err


def test_the_keyboard_is_left_to_a_program_with_our_name(tmp_path):
    """Importing the package once took Ctrl-C over."""
    program = tmp_path / "pandas-agreement.py"
    program.write_text("import signal, pandas_agreement; print(signal.getsignal(signal.SIGINT).__name__)")
    command = [sys.executable, str(program), "-m", "pandas_agreement"]
    assert process(tmp_path, command)[1] == "default_int_handler\n"
