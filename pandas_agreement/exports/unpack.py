"""From a file to what it holds: paths, folders, archives and workbooks, in memory and up to a limit."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple, TypeAlias, cast

import pandas as pd

from pandas_agreement.errors import InputError
from pandas_agreement.exports import brat, webanno
from pandas_agreement.exports.texts import decoded, parsed, records_of

MAX_EXPANDED = 2 * 10**9  # bytes that the archives of one call may hold
CHUNK = 1 << 20
ZIP, GZIP = b"PK\x03\x04", b"\x1f\x8b"
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, ValueError)


class Content(NamedTuple):
    """What one file, member or sheet holds: a document of JSON, or the records of a table, which are `plain` text.

    `place` is its path, with the folder or archive that was read at the beginning.
    """

    place: PurePosixPath
    document: Any
    plain: bool = False

    @property
    def name(self) -> str:
        return self.place.name

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return Path(self.name.removesuffix(".gz")).stem


Files: TypeAlias = Mapping[PurePosixPath, Callable[[], bytes]]  # how the bytes of each are read


class Unpacker:
    """Opens files, and counts what their archives expand to."""

    def __init__(self) -> None:
        self._left = MAX_EXPANDED

    def contents(self, path: Path) -> Iterator[Content]:
        """What a file or all files of a folder hold."""
        if path.is_dir():
            files = [file for file in sorted(path.rglob("*")) if file.is_file() and is_shown(file.relative_to(path))]
            if not files:
                raise InputError(
                    f"the folder {path.name!r} holds no files", "name the folder of the export", code="no records"
                )
            name = path.absolute().name
            found = {PurePosixPath(name, *file.relative_to(path).parts): partial(_bytes, file) for file in files}
            yield from self._of_files(found)
        else:
            folder, text = path.absolute().parent.name, path.with_suffix(brat.TEXT)
            files = [path, text] if path.suffix == brat.ENDING and text.exists() else [path]
            yield from self._of_files({PurePosixPath(folder, file.name): partial(_bytes, file) for file in files})

    def _of_files(self, files: Files, packed: bool = False) -> Iterator[Content]:
        """What the files hold, or those with annotations where others lie beside them; `packed` in an archive."""
        for place in [place for place in files if place.suffix == brat.ENDING] or webanno.of_project(files) or files:
            raw, text = files[place](), files.get(place.with_suffix(brat.TEXT))
            if packed and raw.startswith((ZIP, GZIP)):
                problem = f"{place.name} is an archive inside an archive"
                raise InputError(problem, "unpack it and read the folder", code="damaged file")
            if place.suffix == brat.ENDING:
                texts = [decoded(part, place.name, "utf-8") for part in (raw, *([text()] if text else []))]
                yield Content(place, brat.standoff(*texts))
            else:
                yield from self._of_bytes(place, raw)

    def _of_bytes(self, place: PurePosixPath, raw: bytes) -> Iterator[Content]:
        if raw.startswith(ZIP):
            yield from self._of_archive(place, raw)
        elif raw.startswith(GZIP):
            expanded = partial(self._read, place.name, cast("IO[bytes]", gzip.GzipFile(fileobj=io.BytesIO(raw))))
            yield from self._of_files({place.with_name(place.name.removesuffix(".gz")): expanded}, packed=True)
        else:
            yield Content(place, *parsed(raw, place.name))

    def _of_archive(self, place: PurePosixPath, raw: bytes) -> Iterator[Content]:
        name = place.name
        try:
            archive = zipfile.ZipFile(io.BytesIO(raw))
        except DAMAGED:
            raise _damaged(name) from None
        members = [one for one in archive.namelist() if not one.endswith("/") and is_shown(PurePosixPath(one))]
        if "xl/workbook.xml" in members:
            self._check_size(name, archive)
            yield from _sheets(name, raw)
        elif any(map(_is_sample, members)):
            samples = [self._member(name, archive, one) for one in members if _is_sample(one)]
            yield Content(place, [parsed(one, name)[0] for one in samples])
        elif not members:
            raise InputError(f"the archive {name} holds no files", "export it again", code="no records")
        else:
            found = {PurePosixPath(place.stem, one): partial(self._member, name, archive, one) for one in members}
            yield from self._of_files(found, packed=True)

    def _member(self, name: str, archive: zipfile.ZipFile, member: str) -> bytes:
        try:
            with archive.open(member) as file:
                return self._read(name, file)
        except NotImplementedError:
            problem = f"{name} is compressed in a way that this Python cannot open"
            remedy = "write a log of Inspect as JSON: inspect log convert --to json; unpack other archives yourself"
            raise InputError(problem, remedy, code="compression") from None
        except InputError:
            raise
        except DAMAGED:
            raise _damaged(name) from None

    def _read(self, name: str, file: IO[bytes]) -> bytes:
        """All bytes of a compressed file, counted while they are read."""
        return b"".join(self._chunks(name, file))

    def _chunks(self, name: str, file: IO[bytes]) -> Iterator[bytes]:
        try:
            while chunk := file.read(CHUNK):
                self._count(name, len(chunk))
                yield chunk
        except InputError:
            raise
        except DAMAGED:
            raise _damaged(name) from None

    def _count(self, name: str, n_bytes: int) -> None:
        self._left -= n_bytes
        if self._left < 0:
            problem = f"{name} expands to more than {MAX_EXPANDED / 1e9:g} GB"
            raise InputError(problem, "unpack it and read it in parts", code="too large")

    def _check_size(self, name: str, archive: zipfile.ZipFile) -> None:
        for member in archive.namelist():
            with archive.open(member) as file:
                for _ in self._chunks(name, file):
                    pass


def is_shown(path: Path | PurePosixPath) -> bool:
    """Whether neither a file nor a folder of it is hidden, as those of operating systems and journals are."""
    return not any(part.startswith((".", "_")) for part in path.parts)


def _is_sample(member: str) -> bool:
    """Whether a member of an archive is a sample of an Inspect log."""
    return member.startswith("samples/") and member.endswith(".json")


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = os.strerror(error.errno).lower() if isinstance(error, OSError) and error.errno else "not a path"
        raise InputError(f"{path.name} cannot be read: {reason}", "check the path", code="no file") from None


def _damaged(name: str) -> InputError:
    return InputError(f"the archive {name} is damaged or locked", "copy or export it again", code="damaged file")


def _sheets(name: str, raw: bytes) -> Iterator[Content]:
    """The sheets of a workbook."""
    try:
        sheets = pd.read_excel(io.BytesIO(raw), sheet_name=None, dtype=object, keep_default_na=False, na_values=[""])
    except MemoryError:
        raise
    except ImportError:
        raise InputError(
            "reading .xlsx needs openpyxl", "install it with: pip install openpyxl", code="needs openpyxl"
        ) from None
    except Exception:  # openpyxl has no exceptions of its own
        raise _damaged(name) from None
    for sheet, frame in sheets.items():
        yield Content(PurePosixPath(sheet), records_of(frame))
