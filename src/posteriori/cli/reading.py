"""Data files become Arrow tables; every fault of a file is worded here."""

import io
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from posteriori.cli.csv_faults import (
    check_header,
    check_text,
    ragged,
    refuse_decimal_marks,
    refuse_nearly_numbers,
)
from posteriori.cli.failures import NotInstalled
from posteriori.tables.errors import DataError

SUFFIXES = (".csv", ".tsv", ".parquet")


@dataclass(frozen=True)
class Source:
    """A file to read and how.

    Parameters
    ----------
    path : the file, or ``-`` for standard input
    delimiter, encoding, decimal : of text files; a delimiter of None is a comma, or a tab in .tsv
    as_text : columns to keep as text though they look like numbers
    """

    path: str
    delimiter: str | None = None
    encoding: str = "utf-8"
    decimal: str = "."
    as_text: tuple[str, ...] = field(default=())

    @property
    def name(self) -> str:
        """What to call it in messages."""
        return "standard input" if self.path == "-" else self.path

    @property
    def mark(self) -> str:
        """The delimiter in force."""
        return self.delimiter or ("\t" if self.path.lower().endswith(".tsv") else ",")


def read_table(source: Source) -> Any:
    """Read a file as an Arrow table with at least one row and distinct column names."""
    _arrow()
    raw = _bytes(source)
    is_parquet = source.path.lower().endswith(".parquet") or (source.path == "-" and raw[:4] == b"PAR1")
    table = _parquet(source, raw) if is_parquet else _csv(source, raw)
    check_header(table.column_names, source)
    if table.num_rows == 0:
        raise DataError(f"{source.name} has no rows: a header with {table.num_columns} column(s) and nothing below it.")
    return table


def _arrow() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise NotInstalled("reading data files needs pyarrow: pip install 'posteriori[data]'.") from None


def _bytes(source: Source) -> bytes:
    if source.path == "-":
        return sys.stdin.buffer.read()
    path = Path(source.path)
    raw = path.read_bytes()  # a missing file, a folder: OSError
    if path.suffix.lower() not in SUFFIXES:
        raise click.UsageError(
            f"cannot tell the format of {os.fspath(path)!r} from its name; it should end in {', '.join(SUFFIXES)}."
        )
    return raw


def _parquet(source: Source, raw: bytes) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_table(io.BytesIO(raw))
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"{source.name} cannot be read as Parquet: {str(error).splitlines()[0]}") from None


def _csv(source: Source, raw: bytes) -> Any:
    import pyarrow as pa
    from pyarrow import csv

    text = check_text(raw, source)
    data = text.encode()
    try:
        table = csv.read_csv(
            io.BytesIO(data),
            read_options=csv.ReadOptions(block_size=min(max(len(data), 2**20), 2**30)),
            parse_options=csv.ParseOptions(delimiter=source.mark, newlines_in_values=True),
            convert_options=csv.ConvertOptions(
                strings_can_be_null=True,
                decimal_point=source.decimal,
                column_types={name: pa.string() for name in source.as_text},
            ),
        )
    except pa.ArrowInvalid as error:
        raise DataError(ragged(text, source) or f"{source.name}: {str(error).splitlines()[0]}") from None
    refuse_decimal_marks(table, source)
    refuse_nearly_numbers(table, source)
    return table
