"""Parquet files: text stays in dictionaries until it is known how much memory it takes without."""

import io
import math
from collections.abc import Iterator
from typing import Any

from posteriori.checks.memory import shortage, shown_bytes
from posteriori.cli.reading.sources import Source
from posteriori.input.frames.arrow_types import usual
from posteriori.messages.errors import DataError

#: The bytes of text that a piece of a file may have.
TEXT = 2**28


def opened(file: Source, given: Any) -> tuple[Any, Any]:
    """Return a file, given as bytes or a stream, that reads text as dictionaries, and the schema it would have else."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = io.BytesIO(given) if isinstance(given, bytes) else given
    try:
        schema = pq.ParquetFile(stream).schema_arrow
        texts = [field.name for field in schema if _is_text(field.type)]
        stream.seek(0)
        return pq.ParquetFile(stream, read_dictionary=texts), schema
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise damaged(file, error) from None


def damaged(file: Source, error: Exception) -> DataError:
    """Return the error for a file that cannot be read."""
    return DataError(f"{file.name} cannot be read as Parquet: {str(error).splitlines()[0]}")


def whole_table(file: Source, data: bytes) -> Any:
    """Read a whole file as a table of usual types."""
    import pyarrow as pa

    source, schema = opened(file, data)
    _check_rows(file, source.metadata.num_rows, len(schema))
    try:
        table = source.read()
        table.validate(full=True)
        _check_text(file, table)
        return usual(_plain(table, schema))
    except (pa.ArrowException, OSError) as error:
        raise damaged(file, error) from None


def pieces(file: Source, source: Any, schema: Any, wanted: list[str], size: int) -> Iterator[Any]:
    """Return the rows of some columns in pieces of a size or less, as tables of usual types: long text makes less."""
    import pyarrow as pa

    try:
        for batch in source.iter_batches(size, columns=wanted):
            batch.validate(full=True)
            table = pa.Table.from_batches([batch]).select(wanted)
            rows = max(1, table.num_rows // max(1, math.ceil(sum(_text_bytes(table).values()) / TEXT)))
            for start in range(0, table.num_rows, rows):
                piece = table.slice(start, rows)
                _check_text(file, piece)
                yield usual(_plain(piece, schema))
    except (pa.ArrowException, OSError) as error:
        raise damaged(file, error) from None


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind))


def _plain(table: Any, schema: Any) -> Any:
    """Return a table with the types of a schema: text that was read as dictionaries becomes text."""
    for i, field in enumerate(table.schema):
        kind = schema.field(field.name).type
        if kind != field.type:
            table = table.set_column(i, field.name, table.column(i).cast(kind))
    return table


def _text_bytes(table: Any) -> dict[str, int]:
    """Return, for each column of dictionaries, the bytes of its text without them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = {}
    for field, column in zip(table.schema, table.columns, strict=True):
        if pa.types.is_dictionary(field.type) and _is_text(field.type.value_type):
            sizes = (pc.sum(pc.binary_length(chunk.dictionary).take(chunk.indices)).as_py() for chunk in column.chunks)
            found[field.name] = sum(size or 0 for size in sizes)
    return found


def _check_text(file: Source, table: Any) -> None:
    """Raise if the text of a table does not fit into memory; a small file may name one long text many times."""
    sizes = _text_bytes(table)
    there = shortage(sum(sizes.values()))
    if there is not None:
        worst = max(sizes, key=lambda name: sizes[name])
        raise DataError(
            f"{file.name}: column {worst!r} holds {shown_bytes(sizes[worst])} of text in {table.num_rows} rows, and "
            f"{shown_bytes(there)} of memory are available. Leave the column out of the file."
        )


def _check_rows(file: Source, n_rows: int, n_columns: int) -> None:
    needed = 8 * n_rows * n_columns
    there = shortage(needed)
    if there is not None:
        raise DataError(
            f"{file.name} holds {n_rows} rows of {n_columns} columns, {shown_bytes(needed)} as numbers, and "
            f"{shown_bytes(there)} of memory are available. Learn from some of the rows, or leave columns out."
        )
