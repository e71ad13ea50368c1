"""The report object: its display in a notebook, and writing to a file."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from pandas_agreement.errors import InputError
from pandas_agreement.report import render_html as html
from pandas_agreement.report import render_markdown as markdown
from pandas_agreement.report.contents import Contents


class Report:
    """An agreement report, the result of `df.agree.report`.

    Attributes
    ----------
    contents : Contents
        Sections of text, lists, tables and pictures as plain data.
    """

    def __init__(self, contents: Contents) -> None:
        self.contents = contents

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Write one self-contained HTML file, or return it as a string.

        Parameters
        ----------
        path : str or path, optional
            File to write or replace; None returns the text.

        Returns
        -------
        str or None

        Examples
        --------
        >>> df.agree.report("ann", "bob").to_html("agreement.html")  # doctest: +SKIP
        """
        return _given(html.page(self.contents), path)

    def to_markdown(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Write a Markdown file, or return it as a string; it has tables and no pictures.

        Parameters
        ----------
        path : str or path, optional
            File to write or replace; None returns the text.

        Returns
        -------
        str or None

        Examples
        --------
        >>> print(df.agree.report("ann", "bob").to_markdown().partition("##")[0].strip())
        # Agreement report
        """
        return _given(markdown.render(self.contents), path)

    def _repr_html_(self) -> str:
        return html.fragment(self.contents)

    def __repr__(self) -> str:
        titles = ", ".join(section.title for section in self.contents.sections)
        return f"<Report {self.contents.title!r}: {titles}; write it with .to_html(path) or .to_markdown(path)>"


def _given(text: str, path: str | os.PathLike[str] | None) -> str | None:
    if path is None:
        return text
    write(text, path)
    return None


def check(path: str | os.PathLike[str]) -> Path:
    """The file to write; an error if its folder does not exist."""
    target = Path(path)
    start, folder = f"cannot write {str(target)!r}", str(target.parent)
    if not target.parent.is_dir():
        raise InputError(f"{start}: there is no folder {folder!r}", "make it first", code="cannot write")
    if target.is_dir():
        raise InputError(f"{start}: it is a folder", "name a file in it", code="cannot write")
    return target


def write(text: str, path: str | os.PathLike[str]) -> None:
    """Write a file atomically: a reader never gets half of it."""
    target = check(path)
    data = text.encode("utf-8", "backslashreplace")  # lone surrogates have no encoding
    try:
        with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            file.write(data)
        _replace(Path(file.name), target)
    except OSError as error:
        raise InputError(f"cannot write {str(target)!r}: {error.strerror or error}", code="cannot write") from error


def _replace(new: Path, target: Path) -> None:
    """Replace the target by the new file, with the permissions of the old one or of any new file."""
    try:
        mask = os.umask(0)
        os.umask(mask)
        new.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~mask)
        new.replace(target)
    except OSError:
        with suppress(OSError):
            new.unlink()
        raise
