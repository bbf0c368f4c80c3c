"""Predictions as CSV or Parquet, written in batches; a file is written completely or not at all."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from posteriori.messages.escape import escape_controls

Columns = Mapping[str, Any]
#: Characters with which formulas of spreadsheets begin, possibly after invisible characters; also in full width.
FORMULA = "=+\\-@\uff1d\uff0b\uff0d\uff20"
#: Where a formula may begin: at the start of a cell, after a tab or line break, or after another delimiter.
BEGINS = re.compile(
    rf"\A(?=[\t\r\n].)|(?:\A|(?<=[;\t\r\n]))(?=[^\S ]*[\ufeff\u200b-\u200f\u202a-\u202e\u2060-\u2069]*[{FORMULA}].)",
    re.DOTALL,
)
NEEDS_QUOTES = re.compile(r'[",;\t\r\n]|^\s|\s$')


@dataclass(frozen=True)
class Style:
    """Escaping of text.

    Parameters
    ----------
    raw : whether text is written unchanged
    on_terminal : whether control characters of terminals are escaped
    """

    raw: bool = False
    on_terminal: bool = False


PLAIN = Style()


@contextmanager
def writer(output: str | None, raw: bool) -> Iterator[Callable[[Columns], None]]:
    """Yield a function that writes a batch of rows, always of the same columns, to a file or to standard output."""
    if output is None:
        yield _csv_to(lambda data: click.echo(data, nl=False), Style(raw, on_terminal=sys.stdout.isatty()))
        return
    from posteriori.storage.atomic import replacing

    with replacing(output) as stream, ExitStack() as stack:
        parquet = output.lower().endswith(".parquet")
        yield _parquet_to(stream, stack) if parquet else _csv_to(stream.write, Style(raw))


def _parquet_to(stream: Any, stack: ExitStack) -> Callable[[Columns], None]:
    """Return a function that writes columns as row groups of one file, whose schema is that of the first."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file: Any = None

    def put(columns: Columns) -> None:
        nonlocal file
        table = pa.table({name: pa.array(_plain(values)) for name, values in columns.items()})
        if file is None:
            file = stack.enter_context(pq.ParquetWriter(stream, table.schema))
        file.write_table(table)

    return put


def _plain(values: Any) -> Any:
    return values if isinstance(values, np.ndarray) and values.dtype.kind in "fiub" else np.asarray(values).tolist()


def _csv_to(write: Callable[[bytes], Any], style: Style) -> Callable[[Columns], None]:
    has_header = False

    def put(columns: Columns) -> None:
        nonlocal has_header
        if not has_header:
            write((",".join(cell(name, style) for name in columns) + "\n").encode())
        has_header = True
        write(csv_rows(columns, style))

    return put


def csv_rows(columns: Columns, style: Style = PLAIN) -> bytes:
    """Format rows as CSV without a header: numbers with all their digits, text by `cell`."""
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
    unique, codes = np.unique(values, return_inverse=True) if values.dtype != object else _unique(values)
    return pa.array([cell(value, style) for value in unique.tolist()]).take(pa.array(codes))


def _unique(values: Any) -> tuple[Any, Any]:
    """Return the distinct objects, of any types, and each cell's position among them."""
    import pyarrow as pa

    try:
        coded = pa.array(values, pa.string()).dictionary_encode()
        return np.array(coded.dictionary.to_pylist(), dtype=object), coded.indices
    except (pa.ArrowException, TypeError):  # not all of them text
        pass
    places: dict[Any, int] = {}
    codes = [places.setdefault(value, len(places)) for value in values.tolist()]
    unique = np.empty(len(places), dtype=object)
    unique[:] = list(places)
    return unique, codes


def cell(value: Any, style: Style = PLAIN) -> str:
    r"""Format a value as a cell of CSV; put an apostrophe before text that a spreadsheet would execute as a formula.

    >>> cell("a,b"), cell("=1+2"), cell("=1+2", Style(raw=True)), cell(-1), cell("-1"), cell("-"), cell("a;=1+1")
    ('"a,b"', "'=1+2", '=1+2', '-1', '-1', '-', '"a;\'=1+1"')
    """
    text = value.decode(errors="replace") if isinstance(value, bytes) else str(value)
    if not style.raw:
        if style.on_terminal:
            text = escape_controls(text)
        try:
            float(text)
        except ValueError:  # not a number, so it may be a formula
            text = BEGINS.sub("'", text)
    return '"{}"'.format(text.replace('"', '""')) if NEEDS_QUOTES.search(text) else text
