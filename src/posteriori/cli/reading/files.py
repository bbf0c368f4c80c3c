"""Data files as Arrow tables: read whole, to fit, or in batches, to predict."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from posteriori.cli.failures import NotInstalled
from posteriori.cli.reading.code_like_numbers import CodeTally
from posteriori.cli.reading.csv_faults import (
    check_dialect,
    check_header,
    fault_of,
    no_rows,
    split_header,
)
from posteriori.cli.reading.number_like_text import (
    TextTally,
    refuse_decimal_marks,
    refuse_nearly_numbers,
    tally_texts,
)
from posteriori.cli.reading.parquet import batches, open_parquet, whole_table
from posteriori.cli.reading.sources import Source
from posteriori.cli.reading.text_chunks import Chunk, chunks
from posteriori.cli.reading.union import concatenate
from posteriori.input.frames.native import refuse_absent
from posteriori.messages.errors import DataError

PARQUET = b"PAR1"
#: Rows per batch of a Parquet file.
ROWS = 2**16


def read_table(source: Source) -> Any:
    """Read a file, a folder or a glob of files as an Arrow table with at least one row and distinct column names."""
    _arrow()
    files = source.files()
    tables = [_whole(file) for file in files]
    if sum(table.num_rows for table in tables) == 0:
        raise no_rows(source, tables[0].num_columns)
    return concatenate(tables, [file.name for file in files])


def _arrow() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise NotInstalled("reading data files needs pyarrow: pip install 'posteriori[data]'.") from None


def _whole(file: Source) -> Any:
    with file.opened() as stream:
        first = stream.read(2**20)
        if file.is_parquet or (file.path == "-" and first.startswith(PARQUET)):
            table = whole_table(file, first + stream.read())
        else:
            check_dialect(file)
            text = b"".join(chunk.data for chunk in chunks(stream, file, first))
            table = _inferred(Chunk(text, 0), file)
    check_header(table.column_names, file)
    return table


def _inferred(whole: Chunk, file: Source) -> Any:
    """Read a whole text file; infer the types of its columns from all rows."""
    import pyarrow as pa

    names, body = split_header(whole, file)
    as_text = {name: pa.string() for name in file.as_text if name in names}
    table = parsed(body, names, file, as_text, names)
    codes = CodeTally()
    codes.add(table, body.data, file, lambda some: parsed(body, names, file, dict.fromkeys(some, pa.string()), some))
    codes.report([each.name for each in table.schema if pa.types.is_integer(each.type)], file)
    tallies: dict[str, TextTally] = {}
    tally_texts(tallies, table, file)
    refuse_decimal_marks(tallies, file)
    refuse_nearly_numbers(tallies, file)
    return table


def parsed(body: Chunk, names: list[str], file: Source, types: dict[str, Any], wanted: list[str], row: int = 0) -> Any:
    """Parse rows below the header as one block; `row` is the number of rows before them."""
    import pyarrow as pa
    from pyarrow import csv

    if not body.data.strip(b"\r\n"):
        return pa.table({name: pa.array([], types.get(name, pa.null())) for name in wanted})
    try:
        return csv.read_csv(
            pa.BufferReader(body.data),
            read_options=csv.ReadOptions(column_names=names, block_size=min(max(len(body.data), 2**20), 2**30)),
            parse_options=csv.ParseOptions(delimiter=file.mark, newlines_in_values=b'"' in body.data),
            convert_options=csv.ConvertOptions(
                strings_can_be_null=True, decimal_point=file.decimal, column_types=types, include_columns=wanted
            ),
        )
    except pa.ArrowInvalid as error:
        numbers = {name for name, kind in types.items() if pa.types.is_floating(kind)}
        raise fault_of(body, names, file, numbers, row, error) from None


@dataclass
class Stream:
    """A file, a folder or a glob of files, read in batches in bounded memory.

    Parameters
    ----------
    source : what to read
    wanted : the columns needed; None for all
    numbers, texts : columns of text files to read as numbers and as text; others are inferred from each batch

    Attributes
    ----------
    names : the columns of the first file, after its first batch
    rows : how many rows have been read
    """

    source: Source
    wanted: tuple[str, ...] | None
    numbers: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    names: list[str] = field(default_factory=list)
    rows: int = 0

    def __iter__(self) -> Iterator[Any]:
        """Yield Arrow tables of the columns wanted, in order; at least one row in total."""
        _arrow()
        for file in self.source.files():
            for table in self._batches(file):
                if table.num_rows:
                    yield table
                    self.rows += table.num_rows
        if self.rows == 0:
            raise no_rows(self.source, len(self.names))

    def _batches(self, file: Source) -> Iterator[Any]:
        with file.opened() as stream:
            first = b"" if file.is_parquet else stream.read(2**20)
            if first.startswith(PARQUET) and file.path == "-":
                yield from self._of_parquet(file, first + stream.read())
            elif file.is_parquet:
                yield from self._of_parquet(file, stream)
            else:
                yield from self._of_text(file, stream, first)

    def _columns(self, file: Source, names: list[str]) -> list[str]:
        """Record the columns of a file and return those to read."""
        check_header(names, file)
        self.names = self.names or names
        if self.wanted is None:
            return names
        try:
            refuse_absent(self.wanted, names)
        except DataError as error:
            raise DataError(f"{file.name}: {error}") from None
        return list(self.wanted)

    def _of_parquet(self, file: Source, data: Any) -> Iterator[Any]:
        source, schema = open_parquet(file, data)
        yield from batches(file, source, schema, self._columns(file, schema.names), ROWS)

    def _of_text(self, file: Source, stream: Any, first: bytes) -> Iterator[Any]:
        import pyarrow as pa

        check_dialect(file)
        rest = chunks(stream, file, first)
        names, body = split_header(next(rest, None), file)
        wanted = self._columns(file, names)
        types = {name: pa.float64() for name in self.numbers} | {name: pa.string() for name in self.texts}
        types = {name: types[name] for name in types.keys() & set(names)}
        row = 0
        for chunk in chain([body], rest):
            table = parsed(chunk, names, file, types, wanted, row)
            row += table.num_rows
            yield table
