"""Text files in pieces that end where a row ends, decoded: what lets a file larger than memory be read."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from posteriori.cli.reading.quotes import check_quotes, line_breaks, quoted_cells, row_end
from posteriori.cli.reading.sources import Source
from posteriori.messages.errors import DataError

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
    """Return the rows of a stream in chunks; `first` are bytes of it that were read already."""
    line, size, pieces = 0, size or CHUNK, list[bytes]()
    wanted, there = size, 0
    for block in _decoded(stream, source, first, size):
        pieces.append(block)
        there += len(block)
        if there < wanted:
            continue
        rest = b"".join(pieces)
        cells = quoted_cells(rest, source.mark)
        cut = row_end(rest, cells)
        if cut:
            check_quotes(rest[:cut], cells, line, source)
            yield Chunk(rest[:cut], line)
            line += line_breaks(rest[:cut])
            wanted = size
        elif there > LONGEST:
            raise DataError(
                f"{source.name}: the row that begins in line {line + 1} has no end within {LONGEST // 2**20} MiB. "
                'Is a quote (") opened there and never closed?'
            )
        else:
            wanted = min(2 * there, LONGEST + 1)  # searched again when twice as long, not at each block
        pieces, there = [rest[cut:]], there - cut
    if there:
        rest = b"".join(pieces)
        check_quotes(rest, quoted_cells(rest, source.mark), line, source)
        yield Chunk(rest, line)


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
                at, line = seen - len(pending) + error.start, lines + line_breaks(error.object[: error.start]) + 1
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
        seen, lines = seen + len(block), lines + line_breaks(data)
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
