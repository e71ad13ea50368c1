"""The report object: its display in a notebook, and writing to a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, TypeAlias

from pandas_agreement.errors import InputError, wrong_value
from pandas_agreement.report import render_html as html
from pandas_agreement.report import render_markdown as markdown
from pandas_agreement.report.contents import Contents

FileName: TypeAlias = str | os.PathLike[str]

#: the endings of a file, by the method that writes it; a name without an ending is one of either
ENDINGS = {"to_html": (".html", ".htm"), "to_markdown": (".md", ".markdown")}


class Report:
    """An agreement report, the result of `df.agree.report`.

    Attributes
    ----------
    contents : Contents
        Sections of text, lists, tables and pictures as plain data.
    """

    def __init__(self, contents: Contents) -> None:
        self.contents = contents

    def to_html(self, path: FileName | None = None) -> str | None:
        """Write one self-contained HTML file, or return it as a string.

        Parameters
        ----------
        path : str or path, optional
            The file to write or replace, which ends in .html or .htm. None returns the text. Devices, pipes and links
            such as /dev/stdout work as well.

        Returns
        -------
        str or None

        Examples
        --------
        >>> df.agree.report("ann", "bob").to_html("agreement.html")  # doctest: +SKIP
        """
        return _given(html.page(self.contents), path, "to_html")

    def to_markdown(self, path: FileName | None = None) -> str | None:
        """Write a Markdown file, or return it as a string, with tables and without plots.

        Parameters
        ----------
        path : str or path, optional
            The file to write or replace, which ends in .md or .markdown. None returns the text. Devices, pipes and
            links such as /dev/stdout work as well.

        Returns
        -------
        str or None

        Examples
        --------
        >>> print(df.agree.report("ann", "bob").to_markdown().partition("\\n")[0])
        # Agreement report
        """
        return _given(markdown.render(self.contents), path, "to_markdown")

    def _repr_html_(self) -> str:
        return html.fragment(self.contents)

    def __repr__(self) -> str:
        titles = ", ".join(section.title for section in self.contents.sections)
        return f"<Report {self.contents.title!r}: {titles}; write it with .to_html(path) or .to_markdown(path)>"


def _given(text: str, path: FileName | None, method: str) -> str | None:
    if path is None:
        return text
    write(text, check(path, method))
    return None


def check(path: FileName, method: str) -> Path:
    """The file to write; an error if its name is one of another format, or its folder does not exist."""
    try:
        target = Path(os.fsdecode(path))
    except TypeError:
        raise wrong_value("path", path, "is not the name of a file") from None
    if target.suffix and target.suffix.lower() not in ENDINGS[method]:
        raise InputError(f"{method} does not write {target.suffix}", _possible(method), code="cannot write")
    if "\0" in str(target):
        raise _unwritable(target, "no file name holds a NUL character")
    with _refused(target):
        file = _behind(target)
        if not file.parent.is_dir():
            raise _unwritable(target, f"there is no folder {str(file.parent)!r}", "make it first")
        if file.is_dir():
            raise _unwritable(target, "it is a folder", "name a file in it")
        _refuse_several_names(file)
    return target


def _possible(method: str) -> str:
    """The endings of a method, and of the other one."""
    endings = {name: " or ".join(known) for name, known in ENDINGS.items()}
    others = ", ".join(f"{name} writes {known}" for name, known in endings.items() if name != method)
    return f"name a file that ends in {endings[method]} ({others}, and a browser prints HTML to PDF)"


def _unwritable(target: Path, why: str, remedy: str = "") -> InputError:
    return InputError(f"cannot write {str(target)!r}: {why}", remedy, code="cannot write")


@contextmanager
def _refused(target: Path) -> Iterator[None]:
    """Errors of the system as an InputError."""
    try:
        yield
    except InputError:
        raise
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        raise _unwritable(target, str(getattr(error, "strerror", None) or error)) from error


def _behind(target: Path) -> Path:
    """The file that a symbolic link leads to; any other path as it is."""
    if not target.is_symlink() or (target.exists() and not target.is_file()):
        return target
    file = Path(os.path.realpath(target))
    if file.is_symlink():
        raise _unwritable(target, "it is a link that leads to itself")
    return file


def _refuse_several_names(file: Path) -> None:
    """A new file in its place would leave the old one under its other names, and half a file must never be seen."""
    if file.is_file() and file.stat().st_nlink > 1:
        raise _unwritable(file, "it has several names (hard links)", "name another file")


def write(text: str, target: Path) -> None:
    """Write a file atomically: a reader never gets half of it. Devices, pipes and links stay what they are."""
    data = text.encode("utf-8", "backslashreplace")  # lone surrogates have no encoding
    with _refused(target):
        stream = _standard_stream(target)
        if stream is not None:
            stream.flush()
            with os.fdopen(stream.fileno(), "wb", closefd=False) as file:
                file.write(data)
        elif _is_no_file(target):
            target.write_bytes(data)
        else:
            _refuse_several_names(_behind(target))
            _replace(data, _behind(target))


def _standard_stream(target: Path) -> IO[str] | None:
    """Standard output or error, if the path is one of them: /dev/stdout also where it is a file."""
    for stream in (sys.__stdout__, sys.__stderr__):
        with suppress(OSError, ValueError):  # closed, or not a file
            if stream and os.path.samestat(target.stat(), os.fstat(stream.fileno())):
                return stream
    return None


def _is_no_file(target: Path) -> bool:
    """Whether it is no file, and so nothing can take its place: a device or a pipe."""
    return target.exists() and not target.is_file()


def _replace(data: bytes, target: Path) -> None:
    """Replace the target by a new file, with the permissions of the old one or of any new file."""
    with NamedTemporaryFile(dir=target.parent, prefix=".agreement-", delete=False) as file:
        new = Path(file.name)
        try:
            file.write(data)
            file.close()
            mask = os.umask(0)
            os.umask(mask)
            new.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~mask)
            new.replace(target)
        except BaseException:
            with suppress(OSError):
                new.unlink()
            raise
