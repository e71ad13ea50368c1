"""The report as a file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pandas as pd
import pytest

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


def test_half_a_character_does_not_stop_it(tmp_path: Path) -> None:
    df = pd.DataFrame({"ann": ["x", "y"] * 5, "bob": ["x", "y"] * 5})
    df.agree.report(pictures=False, title="\ud800").to_html(tmp_path / "report.html")
    assert "<h1>\\ud800</h1>" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_folder_that_is_not_there(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "none" / "report.html"
    with pytest.raises(InputError) as error:
        report.to_html(path)
    assert str(error.value) == f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}; make it first"


def test_a_folder_is_no_file(report: Report, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        report.to_markdown(tmp_path)
    assert str(error.value) == f"cannot write {str(tmp_path)!r}: it is a folder; name a file in it"


def test_a_failed_write_leaves_the_old_file(report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.html"
    path.write_text("old", encoding="utf-8")

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError) as error:
        report.to_html(path)
    assert str(error.value) == f"cannot write {str(path)!r}: No space left on device"
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["report.html"]
