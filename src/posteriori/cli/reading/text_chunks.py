"""Text files in decoded chunks of complete rows, so that a file may be larger than memory."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from posteriori.cli.reading.quotes import check_quotes, line_breaks, quoted_cells, row_end
from posteriori.cli.reading.sources import Source
from posteriori.messages.errors import DataError

#: Bytes per chunk.
CHUNK = 2**22
#: Bytes of the longest row.
LONGEST = 2**28
MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
MARKS_OF_32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


@dataclass(frozen=True)
class Chunk:
    """Complete rows of a text file.

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
    """Yield the rows of a stream in chunks; `first` are bytes that have been read already."""
    line, size, pieces = 0, size or CHUNK, list[bytes]()
    wanted, n_bytes = size, 0
    for block in _decoded(stream, source, first, size):
        pieces.append(block)
        n_bytes += len(block)
        if n_bytes < wanted:
            continue
        rest = b"".join(pieces)
        cells = quoted_cells(rest, source.mark)
        cut = row_end(rest, cells)
        if cut:
            check_quotes(rest[:cut], cells, line, source)
            yield Chunk(rest[:cut], line)
            line += line_breaks(rest[:cut])
            wanted = size
        elif n_bytes > LONGEST:
            raise DataError(
                f"{source.name}: the row that begins in line {line + 1} has no end within {LONGEST // 2**20} MiB. "
                'Is a closing quote (") missing there?'
            )
        else:
            wanted = min(2 * n_bytes, LONGEST + 1)  # searched again when twice as long, not at each block
        pieces, n_bytes = [rest[cut:]], n_bytes - cut
    if n_bytes:
        rest = b"".join(pieces)
        check_quotes(rest, quoted_cells(rest, source.mark), line, source)
        yield Chunk(rest, line)


def _decoded(stream: Any, source: Source, first: bytes, size: int) -> Iterator[bytes]:
    """Yield a stream as UTF-8; raise for bytes that are not text."""
    decoder, lines, position = _decoder(source), 0, 0
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
                at, line = position - len(pending) + error.start, lines + line_breaks(error.object[: error.start]) + 1
                raise DataError(
                    f"{source.name} is not {source.encoding}: byte {at} (line {line}) is invalid. If it comes from an "
                    "older program, try --encoding latin-1 or --encoding utf-16."
                ) from None
            except UnicodeError as error:  # encodings that do not say where
                raise DataError(
                    f"{source.name} is not {source.encoding} (from byte {position - len(pending)} on: {error}). Set "
                    "its --encoding."
                ) from None
        data = data if position else data.removeprefix(codecs.BOM_UTF8)
        if b"\0" in data:
            line = lines + data.count(b"\n", 0, data.index(b"\0")) + 1
            raise DataError(
                f"{source.name} has a NUL character in line {line}: it is not a text file, or not {source.encoding}; "
                "set its --encoding."
            )
        if data:
            yield data
        if not block:
            return
        position, lines = position + len(block), lines + line_breaks(data)
        block = stream.read(size)


def _is_utf8(source: Source) -> bool:
    return source.encoding.lower() in ("utf-8", "utf8")


def _decoder(source: Source) -> codecs.IncrementalDecoder:
    try:
        known = codecs.lookup(source.encoding)
    except (LookupError, ValueError):
        known = None
    if known is None or known.incrementaldecoder is None or not getattr(known, "_is_text_encoding", True):
        raise click.UsageError(f"unknown encoding {source.encoding!r}; try utf-8, utf-16 or latin-1.")
    return known.incrementaldecoder()


def _refuse_utf16(head: bytes, source: Source) -> None:
    for marks, bits in ((MARKS_OF_32, 32), (MARKS, 16)):
        if _is_utf8(source) and head.startswith(marks):
            raise DataError(f"{source.name} is UTF-{bits}, by its byte order mark; use --encoding utf-{bits}.")
