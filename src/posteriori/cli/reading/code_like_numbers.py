"""Integers that may be codes: hexadecimal numbers, and numbers with leading zeros."""

import re
from collections.abc import Callable
from typing import Any

from posteriori.cli.failures import print_stderr
from posteriori.cli.reading.sources import Source
from posteriori.messages.errors import DataError

#: Patterns of such numbers in a cell, and in the bytes of a file.
HEXADECIMAL, ZEROS = "0[xX]", "^[+-]?0[0-9]"
MAY_BE_HEXADECIMAL, MAY_BE_ZEROS = re.compile(rb"0[xX]"), re.compile(rb"(?:^|[^0-9A-Za-z.:/-])[+-]?0[0-9]")


def check_whole_numbers(table: Any, data: bytes, source: Source, as_text: Callable[[list[str]], Any]) -> None:
    """Raise for codes such as 0x1f; print a note on columns with numbers such as 01234, which are read as 1234.

    Parameters
    ----------
    table : Arrow, as it was read
    data : the text below the header
    as_text : reads the named columns again, as text
    """
    import pyarrow as pa

    odd = MAY_BE_HEXADECIMAL.search(data) or (source.notes and MAY_BE_ZEROS.search(data))
    integers = [
        field.name for field in table.schema if pa.types.is_integer(field.type) and field.name not in source.ignored
    ]
    if not odd or not integers:
        return
    texts = as_text(integers)
    for name in integers:
        _refuse_hexadecimal(name, texts.column(name), source)
    for name in integers:
        if source.notes and name not in source.declared:
            _note_zeros(name, texts.column(name), source)


def _matching(cells: Any, pattern: str) -> Any:
    import pyarrow.compute as pc

    return cells.filter(pc.match_substring_regex(cells, pattern))


def _refuse_hexadecimal(name: str, cells: Any, source: Source) -> None:
    """Raise for hexadecimal numbers, which Arrow infers to be integers but does not parse as floats."""
    cells = _matching(cells, HEXADECIMAL)
    if len(cells):
        raise DataError(
            f"{source.name}: column {name!r} has {len(cells)} hexadecimal number(s), such as {cells[0].as_py()!r}; "
            f"write them as decimal numbers, or declare --type {name}=category."
        )


def _note_zeros(name: str, cells: Any, source: Source) -> None:
    cells = _matching(cells, ZEROS)
    if len(cells):
        first = cells[0].as_py()
        print_stderr(
            f"Note: {source.name}: column {name!r} is read as numbers, but {len(cells)} cell(s) have a leading zero, "
            f"such as {first!r}, which is read as {int(first)}. If they are codes, declare --type {name}=category; "
            f"--type {name}=number suppresses this note."
        )
