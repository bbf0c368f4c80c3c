"""Whole numbers whose text says more than their value: hexadecimal codes, and zeros in front."""

import re
from collections.abc import Callable
from typing import Any

from posteriori.cli.failures import say
from posteriori.cli.reading.sources import Source
from posteriori.messages.errors import DataError

#: What such numbers look like in a cell, and how some byte of the file tells that there may be one.
HEXADECIMAL, ZEROS = "0[xX]", "^[+-]?0[0-9]"
MAY_BE_HEXADECIMAL, MAY_BE_ZEROS = re.compile(rb"0[xX]"), re.compile(rb"(?:^|[^0-9A-Za-z.:/-])[+-]?0[0-9]")


def check_whole_numbers(table: Any, data: bytes, source: Source, as_text: Callable[[list[str]], Any]) -> None:
    """Refuse codes such as 0x1f, and note columns such as 01234, which are read as 1234.

    Parameters
    ----------
    table : Arrow, as it was read
    data : the text below the header
    as_text : reads the columns named once more, as text
    """
    import pyarrow as pa

    odd = MAY_BE_HEXADECIMAL.search(data) or (source.notes and MAY_BE_ZEROS.search(data))
    whole = [field.name for field in table.schema if pa.types.is_integer(field.type)] if odd else []
    texts: Any = as_text(whole) if whole else None
    whole = [name for name in whole if name not in source.ignored]
    for name in whole:
        _refuse_hexadecimal(name, texts.column(name), source)
    for name in whole:
        if source.notes and name not in source.declared:
            _note_zeros(name, texts.column(name), source)


def _matching(cells: Any, pattern: str) -> Any:
    import pyarrow.compute as pc

    return cells.filter(pc.match_substring_regex(cells, pattern))


def _refuse_hexadecimal(name: str, cells: Any, source: Source) -> None:
    """Refuse what Arrow takes for whole numbers here and for none where numbers are asked for."""
    found = _matching(cells, HEXADECIMAL)
    if len(found):
        raise DataError(
            f"{source.name}: column {name!r} holds {len(found)} hexadecimal number(s), such as {found[0].as_py()!r}; "
            f"write them as decimal numbers, or say --type {name}=category."
        )


def _note_zeros(name: str, cells: Any, source: Source) -> None:
    found = _matching(cells, ZEROS)
    if len(found):
        first = found[0].as_py()
        say(
            f"Note: {source.name}: column {name!r} is read as numbers, and {len(found)} cell(s) begin with a zero, "
            f"such as {first!r}, which becomes {int(first)}. If they are codes, say --type {name}=category; with "
            f"--type {name}=number there is no such note."
        )
