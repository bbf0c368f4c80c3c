"""Errors in text files: where they are and what to do."""

import csv
import io
import re
from collections import Counter
from typing import Any

import click

from posteriori.cli.reading.sources import Source
from posteriori.cli.reading.text_chunks import Chunk
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote

#: Other delimiters, as written in a shell.
DELIMITERS = {";": "';'", "\t": "$'\\t'", "|": "'|'", ",": "','"}
#: Texts of missing values: Arrow's list.
MISSING = frozenset(
    ("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "N/A", "NA", "NULL",
     "NaN", "n/a", "nan", "null")
)  # fmt: skip
#: Numbers with a decimal comma.
COMMA = re.compile(r"[+-]?\d{1,3}(?:\.\d{3})*,\d+|[+-]?\d+,\d+")


def check_dialect(source: Source) -> None:
    """Raise if the delimiter or the decimal mark cannot be used."""
    for mark in (source.mark, source.decimal):
        if len(mark) != 1 or not mark.isascii() or mark in '"\r\n\0':
            raise click.UsageError(f"a delimiter or decimal mark is one ASCII character, not {mark!r}.")
    if source.mark == source.decimal:
        raise click.UsageError(f"delimiter and decimal mark are both {source.mark!r}; set --delimiter too.")


def split_header(chunk: Chunk | None, source: Source) -> tuple[list[str], Chunk]:
    """Return the names in the first row of a file, checked, and the rows below it."""
    if chunk is None or not chunk.data.strip():
        raise DataError(f"{source.name} is empty: no header and no rows.")
    rows = csv.reader(io.StringIO(chunk.text, newline=""), delimiter=source.mark)
    try:
        names = next(row for row in rows if row)
    except csv.Error as error:
        raise DataError(f"{source.name}, line {rows.line_num}: {error}.") from None
    if len(names) == 1:
        others = [shown for mark, shown in DELIMITERS.items() if mark != source.mark and mark in names[0]]
        if others:
            raise DataError(f"{source.name} has one column; did you mean --delimiter {others[0]}?")
    check_header(names, source)
    at = 0
    for _ in range(rows.line_num):
        ends = re.compile(rb"\r\n|\n|\r").search(chunk.data, at)
        at = len(chunk.data) if ends is None else ends.end()
    return names, Chunk(chunk.data[at:], chunk.line + rows.line_num)


def check_header(names: list[str], source: Source) -> None:
    """Raise if columns have the same name or none."""
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    if twice:
        raise DataError(f"{source.name} has more than one column called {quote(twice)}; rename them.")
    nameless = [number for number, name in enumerate(names, 1) if not name.strip()]
    if nameless:
        raise DataError(
            f"{source.name}: column {nameless[0]} has no name. Name it, or remove it if it numbers the rows."
        )


def no_rows(source: Source, n_columns: int) -> DataError:
    """Return the error for a file without rows below its header."""
    return DataError(f"{source.name} has no rows below its header of {n_columns} column(s).")


def fault_of(chunk: Chunk, names: list[str], source: Source, numbers: set[str], row: int, error: Any) -> DataError:
    """Return why Arrow could not read some rows: a row with too few or too many cells, or a cell that is not a number.

    `row` is the number of rows below the header before these.
    """
    rows = csv.reader(io.StringIO(chunk.text, newline=""), delimiter=source.mark)
    places = [(i, name) for i, name in enumerate(names) if name in numbers]
    try:
        above = 0
        for cells in rows:
            first, above = chunk.line + above + 1, rows.line_num
            if not cells:
                continue
            row += 1
            if len(cells) != len(names):
                return _ragged(source, cells, len(names), first, chunk.line + rows.line_num)
            for i, name in places:
                if cells[i] not in MISSING and not is_number(cells[i], source.decimal):
                    return _no_number(source, name, cells[i], row, chunk.line + rows.line_num)
    except csv.Error as fault:
        return DataError(f"{source.name}, line {chunk.line + rows.line_num}: {fault}.")
    return DataError(f"{source.name}: {str(error).splitlines()[0]}")


def _ragged(source: Source, cells: list[str], expected: int, first: int, last: int) -> DataError:
    """Return the error for a row with more or fewer cells than the header; over several lines a quote may be open."""
    remedy = "Quote cells that contain the delimiter, or set another --delimiter."
    if last > first:
        remedy = f'The row begins in line {first}. Is a closing quote (") missing there?'
    return DataError(f"{source.name}, line {last}: {len(cells)} cell(s), but the header has {expected}. {remedy}")


def _no_number(source: Source, name: str, cell: str, row: int, line: int) -> DataError:
    hint = " Use --decimal ','." if source.decimal == "." and COMMA.fullmatch(cell.strip()) else ""
    return DataError(
        f"{source.name}: column {name!r} is numeric, but {cell!r} in row {row} below the header (line {line}) is not a "
        f"number.{hint or ' Correct the cell or leave it empty.'}"
    )


def is_number(value: str, decimal: str) -> bool:
    """Return whether a text is a number with this decimal mark."""
    try:
        float(value.replace(decimal, "."))
    except ValueError:
        return False
    return "_" not in value
