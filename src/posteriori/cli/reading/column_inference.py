"""The types of the columns of a text file that is read in chunks: those that Arrow infers from the whole file."""

from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any

from posteriori.cli.reading.code_like_numbers import CodeTally
from posteriori.cli.reading.csv_faults import check_dialect, split_header
from posteriori.cli.reading.files import parsed
from posteriori.cli.reading.number_like_text import (
    TextTally,
    refuse_decimal_marks,
    refuse_nearly_numbers,
    tally_texts,
)
from posteriori.cli.reading.sources import Source
from posteriori.cli.reading.text_chunks import Chunk, chunks
from posteriori.messages.errors import DataError


@dataclass
class TextFile:
    """A text file, read in chunks of about `size` bytes.

    Attributes
    ----------
    names : its columns
    types : the Arrow type of each column, once inferred
    n_rows : the number of its rows, once counted
    """

    source: Source
    size: int
    names: list[str] = field(default_factory=list)
    types: dict[str, Any] = field(default_factory=dict)
    n_rows: int = 0

    def chunks(self, stream: Any) -> Any:
        """Yield the rows below the header."""
        rest = chunks(stream, self.source, b"", self.size)
        self.names, body = split_header(next(rest, None), self.source)
        return chain([body], rest)

    def tables(self, types: dict[str, Any], wanted: list[str] | None = None) -> Any:
        """Yield the text of each chunk and its columns as an Arrow table; those without a type are inferred."""
        with self.source.opened() as stream:
            row = 0
            for chunk in self.chunks(stream):
                table = parsed(chunk, self.names, self.source, types, wanted or self.names, row)
                yield chunk, table
                row += table.num_rows


def infer_types(source: Source, size: int) -> TextFile:
    """Infer the types of the columns of a text file; raise for columns that only seem to be numbers or text.

    Arrow infers the first type of a fixed order that all cells of a column have. Types are inferred chunk by chunk; a
    column whose chunks have several is read again to find the first that all have.
    """
    check_dialect(source)
    file, codes, inferred = TextFile(source, size), CodeTally(), dict[str, set[Any]]()
    texts = dict.fromkeys(source.as_text, _arrow().string())
    for chunk, table in file.tables(texts):
        codes.add(table, chunk.data, source, partial(_as_text, file, chunk))
        for each in table.schema:
            inferred.setdefault(each.name, set()).add(each.type)
        file.n_rows += table.num_rows
    file.types = _common_types(file, inferred)
    codes.report([name for name, kind in file.types.items() if _arrow().types.is_integer(kind)], source)
    tallies: dict[str, TextTally] = {}
    text = [name for name, kind in file.types.items() if _arrow().types.is_string(kind)]
    row = 0
    for _, table in file.tables(file.types, text) if text else ():
        tally_texts(tallies, table, source, row)
        row += table.num_rows
    refuse_decimal_marks(tallies, source)
    refuse_nearly_numbers(tallies, source)
    return file


def _arrow() -> Any:
    import pyarrow as pa

    return pa


def _as_text(file: TextFile, chunk: Chunk, names: list[str]) -> Any:
    return parsed(chunk, file.names, file.source, dict.fromkeys(names, _arrow().string()), names)


def _common_types(file: TextFile, inferred: dict[str, set[Any]]) -> dict[str, Any]:
    """Return the type of each column that all of its chunks can be read as."""
    pa = _arrow()
    order = [
        pa.int64(), pa.bool_(), pa.date32(), pa.time32("s"), pa.timestamp("s"), pa.timestamp("ns"), pa.float64(),
        pa.string(),
    ]  # fmt: skip
    types: dict[str, Any] = {}
    for name, kinds in inferred.items():
        some = [kind for kind in kinds if not pa.types.is_null(kind)]
        if len(some) <= 1:
            types[name] = some[0] if some else pa.null()
        else:
            ranks = [order.index(kind) if kind in order else len(order) - 1 for kind in some]
            types[name] = _first_readable(file, name, order[max(ranks) :])
    return types


def _first_readable(file: TextFile, name: str, candidates: list[Any]) -> Any:
    """Return the first of some types that all cells of a column can be read as; the last one always can."""
    return next(kind for kind in candidates if kind == candidates[-1] or _is_readable(file, name, kind))


def _is_readable(file: TextFile, name: str, kind: Any) -> bool:
    try:
        for _ in file.tables({name: kind}, [name]):
            pass
    except DataError:
        return False
    return True
