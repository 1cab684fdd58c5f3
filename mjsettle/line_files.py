"""Files of lines: plain, gzip or zstd, told by their first bytes."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import IO, TYPE_CHECKING, Any, Final, cast

from mjsettle.errors import MjsettleError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"


class SourceError(MjsettleError, OSError):
    """A file of lines that cannot be read."""


def open_lines(raw: IO[bytes]) -> IO[bytes]:
    """What a file holds, uncompressed. SourceError for zstd where no module reads it, and when a file breaks off."""
    buffered = io.BufferedReader(cast(io.RawIOBase, raw)) if not hasattr(raw, "peek") else cast(io.BufferedReader, raw)
    head = buffered.peek(4)[:4]
    name = str(getattr(raw, "name", "input"))
    if head.startswith(GZIP):
        return _uncompressed(gzip.GzipFile(fileobj=buffered), name, ())
    if head.startswith(ZSTD):
        try:
            import zstandard
        except ImportError as error:
            raise SourceError(
                f"{name}: found zstd, which needs the package zstandard: pip install 'mjsettle[zstd]'"
            ) from error
        reader = zstandard.ZstdDecompressor().stream_reader(buffered, read_across_frames=True, closefd=False)
        return _uncompressed(reader, name, (zstandard.ZstdError,))
    return cast(IO[bytes], buffered)


def _uncompressed(inner: Any, name: str, errors: tuple[type[Exception], ...]) -> IO[bytes]:
    return cast(IO[bytes], io.BufferedReader(_Told(inner, name, errors), 1 << 17))


class _Told(io.RawIOBase):
    """A decompressor whose many ways to fail are told as one."""

    def __init__(self, inner: Any, name: str, errors: tuple[type[Exception], ...]) -> None:
        self._inner = inner
        self._name = name
        self._errors: tuple[type[Exception], ...] = (OSError, EOFError, ValueError, zlib.error, *errors)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        try:
            piece = self._inner.read1(len(view))
        except self._errors as error:
            raise SourceError(
                f"{self._name}: cannot be read to its end: {error}; the lines before it are whole"
            ) from error
        view[: len(piece)] = piece
        return len(piece)
