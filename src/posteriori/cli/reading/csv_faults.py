"""The ways text files go wrong, each with a sentence that says where and what to do."""

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

#: Other marks that may stand between cells, as a user would give them.
DELIMITERS = {";": "';'", "\t": "$'\\t'", "|": "'|'", ",": "','"}
#: What an empty cell may be written as, besides nothing; Arrow's own list.
GAPS = frozenset(
    ("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "N/A", "NA", "NULL",
     "NaN", "n/a", "nan", "null")
)  # fmt: skip
#: Share of numbers among different values, or among cells, from which text is taken for numbers gone wrong.
NEARLY_ALL, ENOUGH = 0.9, 20
ALMOST_EVERY, MANY = 0.99, 100
#: Numbers with a comma before their decimals, or with marks between thousands.
COMMA = re.compile(r"[+-]?\d{1,3}(?:\.\d{3})*,\d+|[+-]?\d+,\d+")
THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def check_dialect(source: Source) -> None:
    """Refuse marks that cannot divide cells or decimals."""
    for mark in (source.mark, source.decimal):
        if len(mark) != 1 or not mark.isascii() or mark in '"\r\n\0':
            raise click.UsageError(f"a delimiter or decimal mark is one plain character, not {mark!r}.")
    if source.mark == source.decimal:
        raise click.UsageError(f"delimiter and decimal mark are both {source.mark!r}; give --delimiter too.")


def split_header(chunk: Chunk | None, source: Source) -> tuple[list[str], Chunk]:
    """Give the names in the first row of a file, checked, and the rows below it."""
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
            raise DataError(f"{source.name}: one column found; did you mean --delimiter {others[0]}?")
    check_header(names, source)
    at = 0
    for _ in range(rows.line_num):
        ends = re.compile(rb"\r\n|\n|\r").search(chunk.data, at)
        at = len(chunk.data) if ends is None else ends.end()
    return names, Chunk(chunk.data[at:], chunk.line + rows.line_num)


def check_header(names: list[str], source: Source) -> None:
    """Refuse names that occur twice and columns without one."""
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    if twice:
        raise DataError(f"{source.name} has more than one column called {quote(twice)}; rename them.")
    nameless = [number for number, name in enumerate(names, 1) if not name.strip()]
    if nameless:
        raise DataError(
            f"{source.name}: column {nameless[0]} has no name. If it numbers the rows, leave it out; else name it."
        )


def no_rows(source: Source, n_columns: int) -> DataError:
    """Word the error for a file that ends with its header."""
    return DataError(f"{source.name} has no rows: a header with {n_columns} column(s) and nothing below it.")


def fault_of(chunk: Chunk, names: list[str], source: Source, numbers: set[str], row: int, error: Any) -> DataError:
    """Find out why Arrow could not read some rows: one with too few cells, or a cell that is no number.

    `row` counts the rows before these, below the header.
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
                if cells[i] not in GAPS and not _is_number(cells[i], source.decimal):
                    return _no_number(source, name, cells[i], row, chunk.line + rows.line_num)
    except csv.Error as fault:
        return DataError(f"{source.name}, line {chunk.line + rows.line_num}: {fault}.")
    return DataError(f"{source.name}: {str(error).splitlines()[0]}")


def _ragged(source: Source, cells: list[str], expected: int, first: int, last: int) -> DataError:
    """Word the error for a row of more or fewer cells than the header; one of many lines may be a quote left open."""
    remedy = "Quote cells that hold the delimiter, or give another by --delimiter."
    if last > first:
        remedy = f'The row begins in line {first}: is a quote (") opened there and never closed?'
    return DataError(f"{source.name}, line {last}: {len(cells)} cell(s) where the header has {expected}. {remedy}")


def _no_number(source: Source, name: str, cell: str, row: int, line: int) -> DataError:
    hint = " Give --decimal ','." if source.decimal == "." and COMMA.fullmatch(cell.strip()) else ""
    return DataError(
        f"{source.name}: column {name!r} holds numbers, and {cell!r} in row {row} below the header (line {line}) is "
        f"none.{hint or ' Correct the cell or leave it empty.'}"
    )


def refuse_decimal_marks(table: Any, source: Source) -> None:
    """Refuse a column of text that is all numbers, some with commas in them: they would become categories."""
    for name, values, _ in _texts(table, source):
        marked = [value for value in values if "," in value]
        if source.decimal != "." or not marked or not all(_is_number(v, ".") for v in values if "," not in v):
            continue
        decimal, thousands = (all(map(mark.fullmatch, marked)) for mark in (COMMA, THOUSANDS))
        if decimal and thousands:
            advice = "a comma, such as {}: if it is a decimal one give --decimal ',', if one of thousands leave it out"
        elif decimal:
            advice = "a decimal comma, such as {}; give --decimal ','"
        elif thousands:
            advice = "a comma between thousands, such as {}; write them without"
        else:
            continue
        raise DataError(
            f"{source.name}: column {name!r} holds numbers with {advice.format(repr(marked[0]))} (or say --type "
            f"{name}=category)."
        )


def refuse_nearly_numbers(table: Any, source: Source) -> None:
    """Refuse a column of numbers with a few cells that are not: it would silently become a category."""
    for name, values, counts in _texts(table, source):
        fine = [_is_number(value, source.decimal) for value in values]
        numbers, cells = sum(fine), sum(count for count, good in zip(counts, fine, strict=True) if good)
        by_value = numbers >= ENOUGH and numbers / len(values) >= NEARLY_ALL
        by_cell = cells >= MANY and cells / sum(counts) >= ALMOST_EVERY
        if numbers == len(values) or not (by_value or by_cell):
            continue
        strange = [value for value, good in zip(values, fine, strict=True) if not good]
        row = table.column(name).to_pylist().index(strange[0])
        raise DataError(
            f"{source.name}: column {name!r} holds {numbers} different numbers and {sum(counts) - cells} cell(s) of "
            f"text, the first {strange[0]!r} in row {row + 1} below the header. Correct them, leave the cells empty, "
            f"or say --type {name}=category."
        )


def _texts(table: Any, source: Source) -> list[tuple[str, list[str], list[int]]]:
    """Give the different values of each text column that was not asked for as text, and how often each occurs."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_string(column.type) and name not in (*source.as_text, *source.ignored):
            tallied = pc.value_counts(column.drop_null())
            if len(tallied):
                found.append((name, tallied.field("values").to_pylist(), tallied.field("counts").to_pylist()))
    return found


def _is_number(value: str, decimal: str) -> bool:
    try:
        float(value.replace(decimal, "."))
    except ValueError:
        return False
    return "_" not in value
