"""Parquet files: text is read as dictionaries until its size in memory has been checked."""

import io
import math
from collections.abc import Iterator
from typing import Any

from posteriori.checks.memory import shortage, shown_bytes
from posteriori.cli.reading.sources import Source
from posteriori.input.frames.arrow_types import supported_types
from posteriori.messages.errors import DataError

#: Bytes of text per batch.
TEXT = 2**28


def open_parquet(file: Source, data: Any) -> tuple[Any, Any]:
    """Open bytes or a stream, to be read with text as dictionaries; return the file and its own schema."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = io.BytesIO(data) if isinstance(data, bytes) else data
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
    """Read a whole file as a table of the supported types."""
    import pyarrow as pa

    source, schema = open_parquet(file, data)
    _check_rows(file, source.metadata.num_rows, len(schema))
    try:
        table = source.read()
        table.validate(full=True)
        _check_text(file, table)
        return supported_types(_plain(table, schema))
    except (pa.ArrowException, OSError) as error:
        raise damaged(file, error) from None


def batches(
    file: Source, source: Any, schema: Any, wanted: list[str], size: int, row_groups: list[int] | None = None
) -> Iterator[Any]:
    """Yield some columns in batches of at most `size` rows, fewer if the text is long, as tables of supported types.

    Only some row groups are read if `row_groups` has their numbers.
    """
    import pyarrow as pa

    try:
        for records in source.iter_batches(size, columns=wanted, row_groups=row_groups):
            records.validate(full=True)
            table = pa.Table.from_batches([records]).select(wanted)
            rows = max(1, table.num_rows // max(1, math.ceil(sum(_text_bytes(table).values()) / TEXT)))
            for start in range(0, table.num_rows, rows):
                batch = table.slice(start, rows)
                _check_text(file, batch)
                yield supported_types(_plain(batch, schema))
    except (pa.ArrowException, OSError) as error:
        raise damaged(file, error) from None


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind))


def _plain(table: Any, schema: Any) -> Any:
    """Convert a table to a schema: text that was read as dictionaries becomes text."""
    for i, field in enumerate(table.schema):
        kind = schema.field(field.name).type
        if kind != field.type:
            table = table.set_column(i, field.name, table.column(i).cast(kind))
    return table


def _text_bytes(table: Any) -> dict[str, int]:
    """Return the bytes of text of each column of dictionaries, once converted to text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    sizes = {}
    for field, column in zip(table.schema, table.columns, strict=True):
        if pa.types.is_dictionary(field.type) and _is_text(field.type.value_type):
            lengths = (pc.binary_length(chunk.dictionary).take(chunk.indices) for chunk in column.chunks)
            sizes[field.name] = sum(pc.sum(chunk).as_py() or 0 for chunk in lengths)
    return sizes


def _check_text(file: Source, table: Any) -> None:
    """Raise if the text of a table does not fit into memory; a small file may repeat one long text many times."""
    sizes = _text_bytes(table)
    available = shortage(sum(sizes.values()))
    if available is not None:
        worst = max(sizes, key=lambda name: sizes[name])
        raise DataError(
            f"{file.name}: column {worst!r} has {shown_bytes(sizes[worst])} of text in {table.num_rows} rows, but only "
            f"{shown_bytes(available)} of memory are available. Remove the column from the file."
        )


def _check_rows(file: Source, n_rows: int, n_columns: int) -> None:
    needed = 8 * n_rows * n_columns
    available = shortage(needed)
    if available is not None:
        raise DataError(
            f"{file.name} has {n_rows} rows of {n_columns} columns, {shown_bytes(needed)} as numbers, but only "
            f"{shown_bytes(available)} of memory are available. Fit to some of the rows, or leave columns out."
        )
