"""Text files in pieces that end where a row ends, decoded: what lets a file larger than memory be read."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from posteriori.cli.sources import Source
from posteriori.tables.errors import DataError

#: Bytes of text worked on at a time.
CHUNK = 2**22
#: The longest row there may be.
LONGEST = 2**28
MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
MARKS_OF_32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


@dataclass(frozen=True)
class Chunk:
    """Whole rows of a text file.

    Parameters
    ----------
    data : the text in UTF-8, without a byte order mark
    line : how many lines of the file come before it
    """

    data: bytes
    line: int

    @property
    def text(self) -> str:
        """The text."""
        return self.data.decode()


def chunks(stream: Any, source: Source, first: bytes = b"", size: int | None = None) -> Iterator[Chunk]:
    """Give the rows of a stream in chunks; `first` are bytes of it that were read already."""
    line, rest, size = 0, b"", size or CHUNK
    for block in _decoded(stream, source, first, size):
        rest = rest + block if rest else block
        cut = _row_end(rest, source.mark) if len(rest) >= size else 0
        if not cut:
            if len(rest) > LONGEST:
                raise DataError(
                    f"{source.name}: the row that begins in line {line + 1} has no end within {LONGEST // 2**20} MiB. "
                    'Is a quote (") opened there and never closed?'
                )
            continue
        yield Chunk(rest[:cut], line)
        line += _lines(rest[:cut])
        rest = rest[cut:]
    if rest:
        yield Chunk(rest, line)


def _lines(data: bytes) -> int:
    return data.count(b"\n") or data.count(b"\r")


def _row_end(data: bytes, mark: str) -> int:
    """Find where the last whole row ends: after a line break that no quotes enclose; 0 if there is none."""
    end = b"\n" if b"\n" in data else b"\r"
    last = data.rfind(end) + 1
    if data.count(b'"', 0, last) % 2 == 0:
        return last
    # An odd quote: one that opens a cell with a line break in it, or a stray one such as 5" inside a cell.
    quoted = re.compile(rb'(?:(?<=[\n\r%b])|\A)"[^"]*(?:""[^"]*)*("|\Z)' % re.escape(mark.encode()))
    for cell in quoted.finditer(data, 0, last):
        if not cell[1]:
            return data.rfind(end, 0, cell.start()) + 1
    return last


def _decoded(stream: Any, source: Source, first: bytes, size: int) -> Iterator[bytes]:
    """Give a stream as UTF-8, checked for what no text file holds."""
    decoder, lines, seen = _decoder(source), 0, 0
    block = first or stream.read(size)
    _refuse_utf16(block, source)
    while True:
        pending = decoder.getstate()[0]
        if block and not pending and _is_utf8(source) and block.isascii():
            data = block  # most files: nothing to decode
        else:
            try:
                data = decoder.decode(block, final=not block).encode()
            except UnicodeDecodeError as error:
                at, line = seen - len(pending) + error.start, lines + _lines(error.object[: error.start]) + 1
                raise DataError(
                    f"{source.name} is not in {source.encoding}: byte {at} (line {line}) cannot be read. If it comes "
                    "from an older program, try --encoding latin-1 or --encoding utf-16."
                ) from None
            except UnicodeError as error:  # encodings that do not say where
                raise DataError(
                    f"{source.name} is not in {source.encoding} (from byte {seen - len(pending)} on: {error}). Give "
                    "its encoding by --encoding."
                ) from None
        data = data if seen else data.removeprefix(codecs.BOM_UTF8)
        if b"\0" in data:
            line = lines + data.count(b"\n", 0, data.index(b"\0")) + 1
            raise DataError(
                f"{source.name} holds a NUL character in line {line}: it is not a text file, or not in "
                f"{source.encoding}; give its encoding by --encoding."
            )
        if data:
            yield data
        if not block:
            return
        seen, lines = seen + len(block), lines + _lines(data)
        block = stream.read(size)


def _is_utf8(source: Source) -> bool:
    return source.encoding.lower() in ("utf-8", "utf8")


def _decoder(source: Source) -> codecs.IncrementalDecoder:
    try:
        known = codecs.lookup(source.encoding)
    except (LookupError, ValueError):
        known = None
    if known is None or known.incrementaldecoder is None or not getattr(known, "_is_text_encoding", True):
        raise click.UsageError(f"there is no encoding {source.encoding!r}; try utf-8, utf-16 or latin-1.")
    return known.incrementaldecoder()


def _refuse_utf16(head: bytes, source: Source) -> None:
    if _is_utf8(source) and head.startswith(MARKS_OF_32):
        raise DataError(f"{source.name} is in UTF-32 (by its first four bytes, at byte 0); give --encoding utf-32.")
    if _is_utf8(source) and head.startswith(MARKS):
        raise DataError(f"{source.name} is in UTF-16 (by its first two bytes, at byte 0); give --encoding utf-16.")
