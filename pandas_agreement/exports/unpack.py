"""From a file to what it holds: paths, folders, archives and workbooks, in memory and up to a limit."""

from __future__ import annotations

import gzip
import io
import os
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, TypeAlias, cast

import pandas as pd

from pandas_agreement.errors import InputError
from pandas_agreement.exports import brat, webanno
from pandas_agreement.exports.row import Export
from pandas_agreement.exports.texts import decoded, parsed, records_of
from pandas_agreement.exports.tools import listed

MAX_EXPANDED = 2 * 10**9  # bytes that the archives of one call may hold
CHUNK = 1 << 20
ZIP, GZIP = b"PK\x03\x04", b"\x1f\x8b"


Files: TypeAlias = Mapping[PurePosixPath, Callable[[], bytes]]  # how the bytes of each are read


class Unpacker:
    """Opens files, and counts what their archives expand to."""

    def __init__(self) -> None:
        self._left = MAX_EXPANDED

    def files(self, source: str | os.PathLike[str]) -> Iterator[Export]:
        """The file, or all files of a folder or an archive."""
        path = Path(os.path.expanduser(source))
        if path.is_dir():
            inside = [file for file in sorted(path.rglob("*")) if file.is_file() and is_shown(file.relative_to(path))]
            if not inside:
                problem = f"the folder {path.name!r} holds no files"
                raise InputError(problem, "name the folder of the export", code="no records")
            name = path.absolute().name
            found = {PurePosixPath(name, *file.relative_to(path).parts): partial(_bytes, file) for file in inside}
        else:
            folder, text = path.absolute().parent.name, path.with_suffix(brat.TEXT)
            inside = [path, text] if path.suffix == brat.ENDING and text.exists() else [path]
            found = {PurePosixPath(folder, file.name): partial(_bytes, file) for file in inside}
        yield from self._of_files(found)

    def _of_files(self, files: Files, packed: bool = False) -> Iterator[Export]:
        """The files, or those with annotations where others lie beside them; `packed` in an archive."""
        for place in [place for place in files if place.suffix == brat.ENDING] or webanno.of_project(files) or files:
            raw, text = files[place](), files.get(place.with_suffix(brat.TEXT))
            if packed and raw.startswith((ZIP, GZIP)):
                problem = f"{place.name} is an archive inside an archive"
                raise InputError(problem, "unpack it and read the folder", code="damaged file")
            if place.suffix == brat.ENDING:
                texts = [decoded(part, place.name, "utf-8") for part in (raw, *([text()] if text else []))]
                yield Export(place.name, brat.standoff(*texts), place=place)
            else:
                yield from self._of_bytes(place, raw)

    def _of_bytes(self, place: PurePosixPath, raw: bytes) -> Iterator[Export]:
        if raw.startswith(ZIP):
            yield from self._of_archive(place, raw)
        elif raw.startswith(GZIP):
            expanded = partial(self._read, place.name, cast("IO[bytes]", gzip.GzipFile(fileobj=io.BytesIO(raw))))
            yield from self._of_files({place.with_name(place.name.removesuffix(".gz")): expanded}, packed=True)
        else:
            document, plain = parsed(raw, place.name)
            yield Export(place.name, listed(document, place.name), plain, place=place)

    def _of_archive(self, place: PurePosixPath, raw: bytes) -> Iterator[Export]:
        with _opening(place.name):
            archive = zipfile.ZipFile(io.BytesIO(raw))
        names = [name for name in archive.namelist() if not name.endswith("/") and is_shown(PurePosixPath(name))]
        members = {PurePosixPath(place.stem, name): partial(self._member, place.name, archive, name) for name in names}
        samples = [member for inside, member in members.items() if inside.match("*/samples/*.json")]
        if not members:
            raise InputError(f"the archive {place.name} holds no files", "export it again", code="no records")
        if "xl/workbook.xml" in names:
            for name in archive.namelist():
                self._member(place.name, archive, name)  # counts what it expands to
            yield from _sheets(place.name, raw)
        elif samples:  # of a log of Inspect
            yield Export(place.name, [parsed(member(), place.name)[0] for member in samples], place=place)
        else:
            yield from self._of_files(members, packed=True)

    def _member(self, name: str, archive: zipfile.ZipFile, member: str) -> bytes:
        with _opening(name), archive.open(member) as file:
            return self._read(name, file)

    def _read(self, name: str, file: IO[bytes]) -> bytes:
        """All bytes of a compressed file, counted while they are read."""
        chunks = []
        with _opening(name):
            while chunk := file.read(CHUNK):
                self._count(name, len(chunk))
                chunks.append(chunk)
        return b"".join(chunks)

    def _count(self, name: str, n_bytes: int) -> None:
        self._left -= n_bytes
        if self._left < 0:
            problem = f"{name} expands to more than {MAX_EXPANDED / 1e9:g} GB"
            raise InputError(problem, "unpack it and read it in parts", code="too large")


@contextmanager
def _opening(name: str) -> Iterator[None]:
    """Explain what an archive raises if it is damaged, locked, or packed in an unknown way."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    except NotImplementedError:
        problem = f"{name} is compressed in a way that this Python cannot open"
        remedy = "write a log of Inspect as JSON: inspect log convert --to json; unpack other archives yourself"
        raise InputError(problem, remedy, code="compression") from None
    except ImportError:
        remedy = "install it with: pip install openpyxl"
        raise InputError("reading .xlsx needs openpyxl", remedy, code="needs openpyxl") from None
    except Exception:  # zipfile, zlib, lzma and openpyxl raise a dozen kinds
        problem = f"the archive {name} is damaged or locked"
        raise InputError(problem, "copy or export it again", code="damaged file") from None


def is_shown(path: Path | PurePosixPath) -> bool:
    """Whether neither a file nor a folder of it is hidden, as those of operating systems and journals are."""
    return not any(part.startswith((".", "_")) for part in path.parts)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = os.strerror(error.errno).lower() if isinstance(error, OSError) and error.errno else "not a path"
        raise InputError(f"{path.name} cannot be read: {reason}", "check the path", code="no file") from None


def _sheets(name: str, raw: bytes) -> Iterator[Export]:
    """The sheets of a workbook."""
    with _opening(name):
        sheets = pd.read_excel(io.BytesIO(raw), sheet_name=None, dtype=object, keep_default_na=False, na_values=[""])
    for sheet, frame in sheets.items():
        yield Export(sheet, records_of(frame), place=PurePosixPath(sheet))
