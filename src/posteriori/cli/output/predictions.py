"""Predictions as CSV or Parquet, piece by piece; a file is there whole or not at all."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from posteriori.messages.escape import escape_controls

Columns = Mapping[str, Any]
#: What a spreadsheet takes for the beginning of a formula, after characters that cannot be seen; in full width too.
FORMULA = "=+\\-@\uff1d\uff0b\uff0d\uff20"
#: Where a formula may begin: with the cell, after a tab or a line break, or after a mark that divides cells elsewhere.
BEGINS = re.compile(
    rf"\A(?=[\t\r\n].)|(?:\A|(?<=[;\t\r\n]))(?=[^\S ]*[\ufeff\u200b-\u200f\u202a-\u202e\u2060-\u2069]*[{FORMULA}].)",
    re.DOTALL,
)
NEEDS_QUOTES = re.compile(r'[",;\t\r\n]|^\s|\s$')


@dataclass(frozen=True)
class Style:
    """How text is written.

    Parameters
    ----------
    raw : as it is, whatever a spreadsheet or a terminal would make of it
    on_terminal : whether what a terminal would obey is escaped
    """

    raw: bool = False
    on_terminal: bool = False


PLAIN = Style()


@contextmanager
def written(output: str | None, raw: bool) -> Iterator[Callable[[Columns], None]]:
    """Give the function that writes some rows, all with the same columns, to a file or to standard output."""
    if output is None:
        yield _csv_to(lambda data: click.echo(data, nl=False), Style(raw, on_terminal=sys.stdout.isatty()))
        return
    from posteriori.storage.atomic import replacing

    with replacing(output) as stream:
        if not output.lower().endswith(".parquet"):
            yield _csv_to(stream.write, Style(raw))
            return
        with _Parquet(stream) as sheet:
            yield sheet.write


class _Parquet:
    """A Parquet file whose types are those of the first rows written."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.writer: Any = None

    def write(self, columns: Columns) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.table({name: pa.array(_plain(values)) for name, values in columns.items()})
        if self.writer is None:
            self.writer = pq.ParquetWriter(self.stream, table.schema)
        self.writer.write_table(table)

    def __enter__(self) -> "_Parquet":
        return self

    def __exit__(self, *error: object) -> None:
        if self.writer is not None:
            self.writer.close()


def _plain(values: Any) -> Any:
    return values if isinstance(values, np.ndarray) and values.dtype.kind in "fiub" else np.asarray(values).tolist()


def _csv_to(write: Callable[[bytes], Any], style: Style) -> Callable[[Columns], None]:
    begun = False

    def put(columns: Columns) -> None:
        nonlocal begun
        if not begun:
            write((",".join(cell(name, style) for name in columns) + "\n").encode())
        begun = True
        write(csv_rows(columns, style))

    return put


def csv_rows(columns: Columns, style: Style = PLAIN) -> bytes:
    """Lay rows out as CSV without a header: numbers with all their digits, text as `cell` has it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = [_cells(np.asarray(values), style) for values in columns.values()]
    lines = pc.binary_join_element_wise(*cells, ",") if len(cells) > 1 else cells[0]
    whole = pa.ListArray.from_arrays(pa.array([0, len(lines)], pa.int32()), lines)
    joined: bytes = pc.binary_join(whole, "\n")[0].as_buffer().to_pybytes()
    return joined + b"\n"


def _cells(values: Any, style: Style) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if values.dtype.kind in "fiu":
        return pc.cast(pa.array(values), pa.string())
    told, codes = np.unique(values, return_inverse=True) if values.dtype != object else _unique(values)
    return pa.array([cell(value, style) for value in told.tolist()]).take(pa.array(codes))


def _unique(values: Any) -> tuple[Any, Any]:
    """Tell the different objects apart, whatever their type."""
    import pyarrow as pa

    try:
        coded = pa.array(values, pa.string()).dictionary_encode()
        return np.array(coded.dictionary.to_pylist(), dtype=object), coded.indices
    except (pa.ArrowException, TypeError):  # not all of them text
        pass
    places: dict[Any, int] = {}
    codes = [places.setdefault(value, len(places)) for value in values.tolist()]
    told = np.empty(len(places), dtype=object)
    told[:] = list(places)
    return told, codes


def cell(value: Any, style: Style = PLAIN) -> str:
    r"""Write a value as a cell of CSV; text that a spreadsheet would run as a formula begins with an apostrophe.

    >>> cell("a,b"), cell("=1+2"), cell("=1+2", Style(raw=True)), cell(-1), cell("-1"), cell("-"), cell("a;=1+1")
    ('"a,b"', "'=1+2", '=1+2', '-1', '-1', '-', '"a;\'=1+1"')
    """
    text = value.decode(errors="replace") if isinstance(value, bytes) else str(value)
    if not style.raw:
        if style.on_terminal:
            text = escape_controls(text)
        if not _is_number(text):
            text = BEGINS.sub("'", text)
    return '"{}"'.format(text.replace('"', '""')) if NEEDS_QUOTES.search(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
