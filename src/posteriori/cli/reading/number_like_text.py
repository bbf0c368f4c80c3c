"""Text columns that consist of numbers, or nearly so: they would silently become categories."""

import re
from dataclasses import dataclass, field
from typing import Any

from posteriori.cli.reading.csv_faults import COMMA, is_number
from posteriori.cli.reading.sources import Source
from posteriori.messages.errors import DataError

#: Share of numbers among distinct values, or among cells, from which a text column is an error in a numeric column;
#: and the least number of them.
NEARLY_ALL, ENOUGH = 0.9, 20
ALMOST_EVERY, MANY = 0.99, 100
#: Numbers with thousands separators.
THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")


@dataclass
class TextTally:
    """The texts of a column.

    Parameters
    ----------
    counts : number of cells of each text, in the order of their first rows
    first : the first text that is not a number, and its row below the header; None if all are numbers
    """

    counts: dict[str, int] = field(default_factory=dict)
    first: tuple[str, int] | None = None

    def add(self, column: Any, decimal: str, before: int) -> None:
        """Count the cells of an Arrow column; `before` is the number of rows before it."""
        import pyarrow.compute as pc

        tallied = pc.value_counts(column.drop_null())
        values = tallied.field("values").to_pylist()
        for value, count in zip(values, tallied.field("counts").to_pylist(), strict=True):
            self.counts[value] = self.counts.get(value, 0) + count
        text = None if self.first is not None else next((each for each in values if not is_number(each, decimal)), None)
        if text is not None:
            self.first = text, before + pc.index(column, text).as_py() + 1


def tally_texts(tallies: dict[str, TextTally], table: Any, source: Source, before: int = 0) -> None:
    """Count the texts of the columns of text that the user did not declare; `before` is the number of rows before."""
    import pyarrow as pa

    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_string(column.type) and name not in (*source.as_text, *source.ignored):
            tallies.setdefault(name, TextTally()).add(column, source.decimal, before)


def refuse_decimal_marks(tallies: dict[str, TextTally], source: Source) -> None:
    """Raise if a text column consists of numbers, some with commas."""
    for name, tally in tallies.items():
        marked = [value for value in tally.counts if "," in value]
        plain = (value for value in tally.counts if "," not in value)
        if source.decimal != "." or not marked or not all(is_number(value, ".") for value in plain):
            continue
        decimal, thousands = (all(map(mark.fullmatch, marked)) for mark in (COMMA, THOUSANDS))
        if decimal and thousands:
            advice = (
                "a comma, such as {}: use --decimal ',' if it is a decimal comma, remove it if it separates thousands"
            )
        elif decimal:
            advice = "a decimal comma, such as {}; use --decimal ','"
        elif thousands:
            advice = "a comma between thousands, such as {}; remove the commas"
        else:
            continue
        raise DataError(
            f"{source.name}: column {name!r} has numbers with {advice.format(repr(marked[0]))} (or declare --type "
            f"{name}=category)."
        )


def refuse_nearly_numbers(tallies: dict[str, TextTally], source: Source) -> None:
    """Raise if a text column consists of numbers except for a few cells."""
    for name, tally in tallies.items():
        if tally.first is None:
            continue
        numeric = [count for value, count in tally.counts.items() if is_number(value, source.decimal)]
        numbers, cells, n_cells = len(numeric), sum(numeric), sum(tally.counts.values())
        by_value = numbers >= ENOUGH and numbers / len(tally.counts) >= NEARLY_ALL
        by_cell = cells >= MANY and cells / n_cells >= ALMOST_EVERY
        if by_value or by_cell:
            text, row = tally.first
            raise DataError(
                f"{source.name}: column {name!r} has {numbers} different numbers and {n_cells - cells} cell(s) of "
                f"text, the first {text!r} in row {row} below the header. Correct these cells, leave them empty, "
                f"or declare --type {name}=category."
            )
