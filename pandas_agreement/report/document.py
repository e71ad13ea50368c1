"""The report that the user holds: it shows itself in a notebook and writes itself to a file."""

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
    """An agreement report, as `df.agree.report` makes it.

    Attributes
    ----------
    contents : Contents
        Sections of text, lists, tables and pictures as plain data.
    """

    def __init__(self, contents: Contents) -> None:
        self.contents = contents

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Write one HTML file that needs nothing else, or give it as a string.

        Parameters
        ----------
        path : str or path, optional
            Where to write; a file that is there is replaced. None: return the text.

        Returns
        -------
        str or None

        Examples
        --------
        >>> df.agree.report("ann", "bob").to_html("agreement.html")  # doctest: +SKIP
        """
        return _given(html.page(self.contents), path)

    def to_markdown(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Write a Markdown file, or give it as a string; it has the tables and no pictures.

        Parameters
        ----------
        path : str or path, optional
            Where to write; a file that is there is replaced. None: return the text.

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
    """Where to write, if there is a folder for it."""
    target = Path(path)
    if not target.parent.is_dir():
        raise InputError(
            f"cannot write {str(target)!r}: there is no folder {str(target.parent)!r}",
            "make it first",
            code="cannot write",
        )
    if target.is_dir():
        raise InputError(f"cannot write {str(target)!r}: it is a folder", "name a file in it", code="cannot write")
    return target


def write(text: str, path: str | os.PathLike[str]) -> None:
    """Write a file in one step: whoever reads it finds the old one or the new one, never a half."""
    target = check(path)
    data = text.encode("utf-8", "backslashreplace")  # half characters, which no encoding has
    try:
        with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            file.write(data)
        _replace(Path(file.name), target)
    except OSError as error:
        raise InputError(f"cannot write {str(target)!r}: {error.strerror or error}", code="cannot write") from error


def _replace(made: Path, target: Path) -> None:
    """Put the new file in the place of the old one, with the rights that a new file would have had."""
    try:
        mask = os.umask(0)
        os.umask(mask)
        made.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~mask)
        made.replace(target)
    except OSError:
        with suppress(OSError):
            made.unlink()
        raise
