"""Integers that may be codes: hexadecimal numbers, and numbers with leading zeros."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from posteriori.cli.failures import print_stderr
from posteriori.cli.reading.sources import Source
from posteriori.messages.errors import DataError

#: Patterns of such numbers in a cell, and in the bytes of a file.
HEXADECIMAL, ZEROS = "0[xX]", "^[+-]?0[0-9]"
MAY_BE_HEXADECIMAL, MAY_BE_ZEROS = re.compile(rb"0[xX]"), re.compile(rb"(?:^|[^0-9A-Za-z.:/-])[+-]?0[0-9]")


@dataclass
class CodeTally:
    """Numbers in cells of whole numbers that may be codes: how many there are, and the first, by pattern and column."""

    cells: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)

    def add(self, table: Any, data: bytes, source: Source, as_text: Callable[[list[str]], Any]) -> None:
        """Count such cells of some rows.

        Parameters
        ----------
        table : Arrow, as it was read
        data : the text
        source : the file
        as_text : reads the named columns again, as text
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        odd = MAY_BE_HEXADECIMAL.search(data) or (source.notes and MAY_BE_ZEROS.search(data))
        integers = [
            each.name for each in table.schema if pa.types.is_integer(each.type) and each.name not in source.ignored
        ]
        if not odd or not integers:
            return
        texts = as_text(integers)
        for name in integers:
            for pattern in (HEXADECIMAL, ZEROS):
                matching = texts.column(name).filter(pc.match_substring_regex(texts.column(name), pattern))
                if len(matching):
                    count, first = self.cells.get((pattern, name), (0, matching[0].as_py()))
                    self.cells[pattern, name] = count + len(matching), first

    def report(self, integers: list[str], source: Source) -> None:
        """Raise for codes such as 0x1f; print a note on columns with numbers such as 01234, which are read as 1234.

        Arrow infers hexadecimal numbers to be integers, but does not parse them as floats.
        """
        for name in integers:
            if (HEXADECIMAL, name) in self.cells:
                count, first = self.cells[HEXADECIMAL, name]
                raise DataError(
                    f"{source.name}: column {name!r} has {count} hexadecimal number(s), such as {first!r}; write them "
                    f"as decimal numbers, or declare --type {name}=category."
                )
        for name in integers:
            if source.notes and name not in source.declared and (ZEROS, name) in self.cells:
                count, first = self.cells[ZEROS, name]
                print_stderr(
                    f"Note: {source.name}: column {name!r} is read as numbers, but {count} cell(s) have a leading "
                    f"zero, such as {first!r}, which is read as {int(first)}. If they are codes, declare --type "
                    f"{name}=category; --type {name}=number suppresses this note."
                )
