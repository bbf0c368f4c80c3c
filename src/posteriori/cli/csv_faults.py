"""The ways text files go wrong, each with a sentence that says where and what to do."""

import codecs
import csv
import io
import re
from typing import TYPE_CHECKING, Any

import click

from posteriori.tables.errors import DataError
from posteriori.tables.notes import listed

if TYPE_CHECKING:
    from posteriori.cli.reading import Source

#: Other marks that may stand between cells, as a user would give them.
DELIMITERS = {";": "';'", "\t": "$'\\t'", "|": "'|'", ",": "','"}
#: Share of numbers from which a column of text is taken for numbers gone wrong.
NEARLY_ALL, ENOUGH = 0.9, 20


def check_text(raw: bytes, source: "Source") -> str:
    """Decode a text file and check its first line; a byte order mark is left out."""
    if not raw.strip():
        raise DataError(f"{source.name} is empty: no header and no rows.")
    for mark in (source.mark, source.decimal):
        if len(mark) != 1 or not mark.isascii():
            raise click.UsageError(f"a delimiter or decimal mark is one plain character, not {mark!r}.")
    if source.mark == source.decimal:
        raise click.UsageError(f"delimiter and decimal mark are both {source.mark!r}; give --delimiter too.")
    text = _decode(raw, source)
    at = text.find("\0")
    if at >= 0:
        raise DataError(
            f"{source.name} holds a NUL character in line {text.count(chr(10), 0, at) + 1}: it is not a text "
            "file, or not "
            f"in {source.encoding}; give its encoding by --encoding."
        )
    _check_delimiter(text, source)
    return text


def _decode(raw: bytes, source: "Source") -> str:
    if source.encoding.lower() in ("utf-8", "utf8") and raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DataError(f"{source.name} is in UTF-16 (by its first two bytes); give --encoding utf-16.")
    try:
        return raw.decode(source.encoding).removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    except LookupError:
        raise click.UsageError(f"there is no encoding {source.encoding!r}; try utf-8, utf-16 or latin-1.") from None
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{source.name} is not in {source.encoding}: byte {error.start} (line {line}) "
            "cannot be read. If it comes from an older program, try --encoding latin-1 or --encoding utf-16."
        ) from None


def _check_delimiter(text: str, source: "Source") -> None:
    """Complain when the header is one cell though it holds another mark that could divide it."""
    header = next(csv.reader(io.StringIO(text), delimiter=source.mark), [])
    if len(header) != 1:
        return
    others = [shown for mark, shown in DELIMITERS.items() if mark != source.mark and mark in header[0]]
    if others:
        raise DataError(f"{source.name}: one column found; did you mean --delimiter {others[0]}?")


def check_header(names: list[str], source: "Source") -> None:
    """Refuse names that occur twice and columns without one."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DataError(f"{source.name} has more than one column called {listed(twice)}; rename them.")
    nameless = [number for number, name in enumerate(names, 1) if not name.strip()]
    if nameless:
        raise DataError(
            f"{source.name}: column {nameless[0]} has no name. If it numbers the rows, leave it out; else name it."
        )


def ragged(text: str, source: "Source") -> str:
    """Find the first row with too few or too many cells, by the line it ends on; empty if there is none."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=source.mark)
    try:
        wanted = len(next(rows))
        for row in rows:
            if row and len(row) != wanted:
                return (
                    f"{source.name}, line {rows.line_num}: {len(row)} cell(s) where the header has {wanted}. "
                    "Quote cells "
                    "that hold the delimiter, or give another by --delimiter."
                )
    except csv.Error as error:
        return f"{source.name}, line {rows.line_num}: {error}."
    return ""


def refuse_decimal_marks(table: Any, source: "Source") -> None:
    """Refuse a column of text that is all numbers with a comma: they would become categories."""
    pattern = re.compile(r"[+-]?\d{1,3}(?:\.\d{3})*,\d+|[+-]?\d+,\d+")
    for name, values in _texts(table, source):
        if source.decimal == "." and all(pattern.fullmatch(value) for value in values):
            raise DataError(
                f"{source.name}: column {name!r} holds numbers with a decimal comma, such as {values[0]!r}; "
                "give --decimal "
                "',' (or --type for a category)."
            )


def refuse_nearly_numbers(table: Any, source: "Source") -> None:
    """Refuse a column of numbers with a few cells that are not: it would silently become a category."""
    for name, values in _texts(table, source):
        strange = [value for value in values if not _is_number(value, source.decimal)]
        numbers = len(values) - len(strange)
        if numbers >= ENOUGH and numbers / len(values) >= NEARLY_ALL:
            row = table.column(name).to_pylist().index(strange[0])
            raise DataError(
                f"{source.name}: column {name!r} holds {numbers} different numbers and {len(strange)} "
                "cell(s) of text, "
                f"the first {strange[0]!r} in row {row + 1} below the header. Correct them, leave the cells "
                "empty, or say "
                f"--type {name}=category."
            )


def _texts(table: Any, source: "Source") -> list[tuple[str, list[str]]]:
    """Give the different values of each text column that was not asked for as text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_string(column.type) and name not in source.as_text:
            values = pc.unique(column.drop_null()).to_pylist()
            if values:
                found.append((name, values))
    return found


def _is_number(value: str, decimal: str) -> bool:
    try:
        float(value.replace(decimal, "."))
    except ValueError:
        return False
    return "_" not in value
