"""`FileBatches`: data files as the batches of a frame, to fit to more rows than fit into memory."""

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from posteriori.checks.memory import available_bytes, shortage
from posteriori.cli.reading.column_inference import TextFile, infer_types
from posteriori.cli.reading.csv_faults import check_header, no_rows
from posteriori.cli.reading.parquet import batches as parquet_batches
from posteriori.cli.reading.parquet import open_parquet
from posteriori.cli.reading.sources import Source
from posteriori.cli.reading.text_chunks import CHUNK
from posteriori.cli.reading.union import cast_table, common_schema
from posteriori.input.frames.arrow_types import supported_types
from posteriori.input.frames.batches import Batch, Batches
from posteriori.input.frames.native import as_frame

#: Bytes of files below which the available memory is not checked.
SMALL = 2**26
#: The least number of bytes, and of rows, in a batch.
LEAST, LEAST_ROWS = 2**12, 2**6
#: Rows per batch of a Parquet file, if memory allows.
ROWS = 2**16


def exceeds_memory(source: Source) -> bool:
    """Return whether data may not fit into memory at once, by the size of the files; standard input is always read."""
    if source.path == "-":
        return False
    sizes = [_bytes_of(file) for file in source.files() if os.path.isfile(file.path)]
    return shortage(sum(sizes), SMALL) is not None


def _bytes_of(file: Source) -> int:
    if not file.is_parquet:
        return os.path.getsize(file.path)
    with file.opened() as stream:
        metadata = open_parquet(file, stream)[0].metadata
        return max(os.path.getsize(file.path), 8 * int(metadata.num_rows) * int(metadata.num_columns))


@dataclass(frozen=True)
class FilePart:
    """A text file, or a row group of a Parquet file.

    Parameters
    ----------
    source : the file
    n_rows : number of rows
    text : the types of a text file; None for Parquet
    row_group : the number of the row group
    first_row : number of the rows of the file before it
    stamp : what shows whether the file is the one that was read first
    """

    source: Source
    n_rows: int
    text: TextFile | None = None
    row_group: int = 0
    first_row: int = 0
    stamp: tuple[int, ...] = ()

    def tables(self, names: list[str], size: int) -> Iterator[Any]:
        """Read some columns as Arrow tables of about `size` bytes; a file that has changed is an error."""
        if _stamp(self.source) != self.stamp:
            raise OSError(errno.EIO, "this file changed between two readings of its rows", self.source.path)
        if self.text is not None:
            for _, table in self.text.tables(self.text.types, names):
                yield table
            return
        rows = min(ROWS, max(LEAST_ROWS, size // (8 * max(len(names), 1))))
        with self.source.opened() as stream:
            file, schema = open_parquet(self.source, stream)
            yield from parquet_batches(self.source, file, schema, names, rows, [self.row_group])


def _stamp(file: Source) -> tuple[int, ...]:
    state = os.stat(file.path)
    return state.st_ino, state.st_size, state.st_mtime_ns


@dataclass(frozen=True)
class FileBatches(Batches):
    """A file, a folder or a glob of files, read in batches.

    Parameters
    ----------
    parts : the partitions
    schema : the columns, with one Arrow type for all parts
    size : bytes per batch
    """

    parts: tuple[FilePart, ...]
    schema: Any
    size: int

    @classmethod
    def of(cls, source: Source) -> "FileBatches":
        """Read the columns of files, and infer the types of those of text files."""
        size = max(LEAST, min(CHUNK, available_bytes() // 16))
        files = source.files()
        contents = [_parquet_parts(file) if file.is_parquet else _text_part(file, size) for file in files]
        schema = common_schema([schema for _, schema in contents], [file.name for file in files])
        parts = tuple(part for parts, _ in contents for part in parts)
        if sum(part.n_rows for part in parts) == 0:
            raise no_rows(source, len(schema))
        return cls(parts, schema, size)

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.schema.names)

    @property
    def library(self) -> str:
        """The library of the batches."""
        return "pyarrow"

    @property
    def n_partitions(self) -> int:
        """The number of files, and of row groups of Parquet files."""
        return len(self.parts)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return sum(part.n_rows for part in self.parts)

    def tables(self, partition: int) -> Iterator[Any]:
        """Read one partition as Arrow tables."""
        part = self.parts[partition]
        for table in part.tables(self.names, self.size):
            yield cast_table(table, self.schema, part.source.name)

    def batches(self, partition: int) -> Iterator[Batch]:
        """Read one partition."""
        row = 0
        for table in self.tables(partition):
            frame = as_frame(table)
            assert frame is not None
            yield Batch(frame, first_row=row)
            row += len(frame)

    def origin(self, partition: int, row: int) -> str:
        """Return the file and the row below its header."""
        part = self.parts[partition]
        return f"{part.source.name}, row {part.first_row + row + 1} below the header"

    def only(self, names: list[str]) -> "FileBatches":
        """Return the same rows with some of the columns; the others are not read."""
        import pyarrow as pa

        return FileBatches(self.parts, pa.schema([self.schema.field(name) for name in names]), self.size)


def _text_part(file: Source, size: int) -> tuple[list[FilePart], Any]:
    import pyarrow as pa

    stamp, text = _stamp(file), infer_types(file, size)
    return [FilePart(file, text.n_rows, text, stamp=stamp)], pa.schema(
        [(name, text.types[name]) for name in text.names]
    )


def _parquet_parts(file: Source) -> tuple[list[FilePart], Any]:
    stamp = _stamp(file)
    with file.opened() as stream:
        source, schema = open_parquet(file, stream)
        check_header(schema.names, file)
        metadata, parts, first_row = source.metadata, list[FilePart](), 0
        for group in range(metadata.num_row_groups):
            n_rows = metadata.row_group(group).num_rows
            parts.append(FilePart(file, n_rows, row_group=group, first_row=first_row, stamp=stamp))
            first_row += n_rows
    return parts, supported_types(schema.empty_table()).schema
