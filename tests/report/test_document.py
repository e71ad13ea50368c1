"""The report as a file."""

from __future__ import annotations

import importlib.metadata
import os
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import InputError, load_example
from pandas_agreement.report import Report


def test_the_text_form_says_what_to_do() -> None:
    report = load_example().agree.report("ann", "bob", pictures=False, title="Mine")
    assert repr(report).startswith("<Report 'Mine': In short, What to do next, ")
    assert repr(report).endswith("write it with .to_html(path) or .to_markdown(path)>")


@pytest.fixture(scope="module")
def report() -> Report:
    return load_example().agree.report("ann", "bob", pictures=False, title="Grüße ✓")


@pytest.mark.parametrize("method", ["to_html", "to_markdown"])
@pytest.mark.parametrize("kind", [str, Path])
def test_a_file_is_the_text(report: Report, tmp_path: Path, method: str, kind: type) -> None:
    path = tmp_path / "report"
    path.write_text("old", encoding="utf-8")
    assert getattr(report, method)(kind(path)) is None
    assert path.read_text(encoding="utf-8") == getattr(report, method)()
    assert os.listdir(tmp_path) == ["report"]


def test_a_new_file_has_the_usual_rights(report: Report, tmp_path: Path) -> None:
    (tmp_path / "other").write_text("x")
    report.to_html(tmp_path / "report.html")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("other", "report.html")}
    assert len(modes) == 1


def test_a_source_tree_needs_no_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    """The version once came from the metadata of the installed package, which a copied folder does not have."""

    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    monkeypatch.setattr(importlib.metadata, "distribution", missing)
    report = load_example().agree.report("ann", "bob", pictures=False)
    assert f"Made with pandas\\_agreement {pandas_agreement.__version__}" in str(report.to_markdown())


def test_half_a_character_does_not_stop_it(tmp_path: Path) -> None:
    df = pd.DataFrame({"ann": ["x", "y"] * 5, "bob": ["x", "y"] * 5})
    df.agree.report(pictures=False, title="\ud800").to_html(tmp_path / "report.html")
    assert "<h1>\\ud800</h1>" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_folder_that_is_not_there(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "none" / "report.html"
    with pytest.raises(InputError) as error:
        report.to_html(path)
    assert str(error.value) == f"Cannot write {str(path)!r}: there is no folder {str(path.parent)!r}. Make it first."


def test_a_folder_is_no_file(report: Report, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        report.to_markdown(tmp_path)
    assert str(error.value) == f"Cannot write {str(tmp_path)!r}: it is a folder. Name a file in it."


def test_a_failed_write_leaves_the_old_file(report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.html"
    path.write_text("old", encoding="utf-8")

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError) as error:
        report.to_html(path)
    assert str(error.value) == f"Cannot write {str(path)!r}: No space left on device."
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["report.html"]


# ------------------------------------------------------------------------------------------- links, devices and formats


def test_a_link_stays_a_link(report: Report, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "old.md").write_text("old", encoding="utf-8")
    for name in ("old.md", "new.md"):  # a link may lead to a file that does not exist yet
        link = tmp_path / f"link to {name}"
        link.symlink_to(Path("there", name))
        report.to_markdown(link)
        assert link.is_symlink()
        assert (tmp_path / "there" / name).read_text(encoding="utf-8") == report.to_markdown()
    assert sorted(os.listdir(tmp_path / "there")) == ["new.md", "old.md"]


def test_a_file_with_several_names_is_refused(report: Report, tmp_path: Path) -> None:
    """It would have to be written in place, and hold half a report if the disk is full."""
    (tmp_path / "a.md").write_text("old", encoding="utf-8")
    os.link(tmp_path / "a.md", tmp_path / "b.md")
    problem = f"Cannot write {str(tmp_path / 'a.md')!r}: it has several names (hard links). Name another file."
    with pytest.raises(InputError, match=re.escape(problem)):
        report.to_markdown(tmp_path / "a.md")
    assert (tmp_path / "b.md").read_text(encoding="utf-8") == "old"


def test_a_link_that_leads_nowhere(report: Report, tmp_path: Path) -> None:
    loop, lost = tmp_path / "loop.md", tmp_path / "lost.md"
    loop.symlink_to(loop)
    lost.symlink_to(tmp_path / "none" / "x.md")
    reasons = {
        loop: "it is a link that leads to itself.",
        lost: f"there is no folder {str(tmp_path / 'none')!r}. Make it first.",
    }
    for path, why in reasons.items():
        with pytest.raises(InputError) as error:
            report.to_markdown(path)
        assert str(error.value) == f"Cannot write {str(path)!r}: {why}"
        assert path.is_symlink()


def test_a_pipe_gets_the_text_and_stays(report: Report, tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe.html", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()
    report.to_html(pipe)
    reader.join(10)
    assert got == [report.to_html()]
    assert pipe.is_fifo()


def test_devices(report: Report) -> None:
    before = os.stat(os.devnull)
    report.to_html(os.devnull)
    assert os.path.samestat(before, os.stat(os.devnull))
    if os.path.exists("/dev/full"):
        with pytest.raises(InputError) as error:
            report.to_html("/dev/full")
        assert str(error.value) == "Cannot write '/dev/full': No space left on device."


STANDARD_OUTPUT = """
import pandas_agreement
report = pandas_agreement.load_example().agree.report("ann", "bob", pictures=False)
print("before")
report.to_markdown("/dev/stdout")
print("after")
"""


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="the system has no such file")
def test_standard_output_as_a_file_is_written_in_its_order(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", STANDARD_OUTPUT], stdout=out, check=True)
    lines = (tmp_path / "out").read_text(encoding="utf-8").splitlines()
    assert (lines[:2], lines[-1]) == (["before", "# Agreement report"], "after")


POSSIBLE = {
    "to_html": "Name a file that ends in .html or .htm (to_markdown writes .md or .markdown, "
    "and a browser prints HTML to PDF).",
    "to_markdown": "Name a file that ends in .md or .markdown (to_html writes .html or .htm, "
    "and a browser prints HTML to PDF).",
}


@pytest.mark.parametrize(
    ("method", "name"),
    [("to_html", "x.pdf"), ("to_html", "x.md"), ("to_markdown", "x.DOCX"), ("to_markdown", "x.html")],
)
def test_a_name_of_another_format(report: Report, tmp_path: Path, method: str, name: str) -> None:
    with pytest.raises(InputError) as error:
        getattr(report, method)(tmp_path / name)
    assert str(error.value) == f"{method} does not write {Path(name).suffix}. {POSSIBLE[method]}"
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (3, "path=3 is not the name of a file."),
        ("a\0.md", "Cannot write 'a\\x00.md': no file name holds a NUL character."),
    ],
)
def test_what_is_no_name(report: Report, path: object, message: str) -> None:
    with pytest.raises(InputError) as error:
        report.to_markdown(path)  # type: ignore[arg-type]
    assert str(error.value) == message


def test_a_long_name(report: Report, tmp_path: Path) -> None:
    report.to_markdown(tmp_path / f"{'x' * 250}.md")
    with pytest.raises(InputError, match=r"^Cannot write '.*': File name too long\.$"):
        report.to_markdown(tmp_path / f"{'x' * 300}.md")
