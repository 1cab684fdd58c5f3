"""Lines of recorded rounds and results; never all of them in memory."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, BinaryIO, Final, Self

import msgspec

from mjsettle.line_files import SourceError, open_lines


class Rounds:
    """The lines of some files in order, with the share of their bytes that has been read."""

    def __init__(self, files: Sequence[BinaryIO]) -> None:
        self.files = files
        self.bytes_total = sum(_size(file) or 0 for file in files) if all(map(_size, files)) else None
        self._done = 0
        self._now: BinaryIO | None = None

    @property
    def bytes_read(self) -> int:
        """Bytes of the files that were read so far, compressed as they are."""
        if self._now is None or self.bytes_total is None:
            return self._done
        return self._done + self._now.tell()

    def __iter__(self) -> Iterator[bytes]:
        for file in self.files:
            self._now = file
            try:
                for line in open_lines(file):
                    if text := line.strip():
                        yield text
            except SourceError:
                raise
            except OSError as error:
                name = getattr(file, "name", "input")
                raise SourceError(f"{name}: cannot be read to its end: {error}") from error
            self._now = None
            self._done += _size(file) or 0

    def chunks(self, size: int) -> Iterator[tuple[int, list[bytes]]]:
        """(Number of the first line, lines), so many lines at a time; lines are numbered from 1, empty ones apart."""
        first, lines = 1, []
        for line in self:
            lines.append(line)
            if len(lines) == size:
                yield first, lines
                first, lines = first + size, []
        if lines:
            yield first, lines


def _size(file: BinaryIO) -> int | None:
    try:
        return os.fstat(file.fileno()).st_size or None
    except (OSError, AttributeError):
        return None


class _Named(msgspec.Struct):
    id: Any = None


_read_id: Final = msgspec.json.Decoder(_Named).decode


def id_of(line: bytes) -> str | None:
    """The id of a JSON line; None where there is none to be read."""
    try:
        found = _read_id(line).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if isinstance(found, str) else None


class Recorded:
    """Recorded results, found again by the ids of their rounds.

    Results in the order of the rounds, as `mjsettle settle` writes them, are read side by side with these. Once one is
    out of order, those left go into a file of their own, indexed by id; of several results of an id the last counts.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = iter(lines)
        self._index: sqlite3.Connection | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._index is not None:
            self._index.close()
        if self._folder is not None:
            self._folder.cleanup()

    def of(self, rounds: Sequence[bytes]) -> list[bytes | None]:
        """The result of each round (JSON lines); None where there is none."""
        return [self._of(id_of(line)) for line in rounds]

    def _of(self, ident: str | None) -> bytes | None:
        if self._index is None:
            line = next(self._lines, None)
            if line is None or id_of(line) == ident:
                return line if ident is not None else None
            self._file([line])
        assert self._index is not None
        found = self._index.execute("SELECT line FROM results WHERE id = ?", (ident,)).fetchone()
        return found[0] if found else None

    def _file(self, first: list[bytes]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="mjsettle-replay-")
        self._index = sqlite3.connect(os.path.join(self._folder.name, "results"))
        self._index.execute("PRAGMA synchronous = OFF")
        self._index.execute("PRAGMA journal_mode = OFF")
        self._index.execute("CREATE TABLE results (id TEXT PRIMARY KEY, line BLOB) WITHOUT ROWID")
        with self._index:
            self._index.executemany(
                "INSERT OR REPLACE INTO results VALUES (?, ?)",
                ((ident, line) for line in chain(first, self._lines) if (ident := id_of(line)) is not None),
            )
