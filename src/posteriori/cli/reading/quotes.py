"""Quoted cells of text files: their positions, and violations of RFC 4180."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posteriori.cli.reading.sources import Source
from posteriori.messages.errors import DataError

Places = NDArray[np.intp]

#: A quoted cell from its opening quote to its closing one, or to the end of the text.
QUOTED = re.compile(rb'"[^"]*+(?:""[^"]*+)*+("|\Z)')
QUOTE, LINE_FEED, CARRIAGE_RETURN = b'"\n\r'


@dataclass(frozen=True)
class QuotedCells:
    """The quoted cells of a text that begins at the start of a row.

    Parameters
    ----------
    starts : (n,) positions of the opening quotes
    ends : (n,) positions after the closing quotes; the end of the text if the last cell is not closed
    closed : whether the last cell is closed
    broken : the index of the first cell whose closing quote is followed by more text, or None
    """

    starts: Places
    ends: Places
    closed: bool = True
    broken: int | None = None

    def outside(self, places: Places) -> Places:
        """Return the positions that are not inside a quoted cell."""
        n_opened, n_closed = np.searchsorted(self.starts, places), np.searchsorted(self.ends, places, side="right")
        unquoted: Places = places[n_opened == n_closed]
        return unquoted


def quoted_cells(data: bytes, mark: str) -> QuotedCells:
    r"""Return the quoted cells of a text; a quote inside an unquoted cell is an ordinary character.

    >>> cells = quoted_cells(b'1,"a\n""b"\n5",c\n', ",")
    >>> cells.starts.tolist(), cells.ends.tolist(), cells.closed
    ([2], [9], True)
    """
    if b'"' not in data:
        return QuotedCells(np.empty(0, np.intp), np.empty(0, np.intp))
    text = np.frombuffer(data, np.uint8)
    quotes = np.flatnonzero(text == QUOTE)
    divides = np.zeros(256, np.bool_)
    divides[[LINE_FEED, CARRIAGE_RETURN, ord(mark)]] = True
    opens = divides[text[quotes - 1]] | (quotes == 0)
    closes = divides[text[np.minimum(quotes + 1, len(text) - 1)]] | (quotes == len(text) - 1)
    doubled = np.diff(quotes, prepend=-2, append=len(data) + 1) == 1
    alternating = (opens | doubled[:-1])[::2].all() and (closes | doubled[1:])[1::2].all()
    if not alternating:
        return _one_by_one(data, quotes[opens], divides)
    starts, ends = quotes[::2][opens[::2]], quotes[1::2][closes[1::2]] + 1
    closed = len(quotes) % 2 == 0
    return QuotedCells(starts, ends if closed else np.append(ends, len(data) + 1), closed)


def _one_by_one(data: bytes, opens: Places, divides: NDArray[np.bool_]) -> QuotedCells:
    """Find the cells one by one, in a text where some quotes are ordinary characters or violate the rules."""
    starts: list[int] = []
    ends: list[int] = []
    broken, closed, at = None, True, 0
    for start in opens.tolist():
        if start < at:
            continue
        cell = QUOTED.match(data, start)
        assert cell is not None
        at, closed = cell.end(), bool(cell[1])
        if broken is None and at < len(data) and not divides[data[at]]:
            broken = len(starts)
        starts.append(start)
        ends.append(at if closed else len(data) + 1)
    return QuotedCells(np.array(starts, np.intp), np.array(ends, np.intp), closed, broken)


def row_end(data: bytes, cells: QuotedCells) -> int:
    """Return the end of the last complete row: after a line break outside quotes; 0 if there is none."""
    end = b"\n" if b"\n" in data else b"\r"
    if not len(cells.starts):
        return data.rfind(end) + 1
    rows = cells.outside(np.flatnonzero(np.frombuffer(data, np.uint8) == end[0]))
    return int(rows[-1]) + 1 if len(rows) else 0


def line_breaks(data: bytes) -> int:
    """Count the line breaks of a text."""
    return data.count(b"\n") or data.count(b"\r")


def check_quotes(data: bytes, cells: QuotedCells, line: int, source: Source) -> None:
    """Raise if a quoted cell is not closed, or more text follows its closing quote.

    Parameters
    ----------
    data : complete rows of a text file
    cells : their quoted cells; cells that begin after the rows are ignored
    line : how many lines of the file come before them
    """
    if cells.broken is not None and cells.starts[cells.broken] < len(data):
        first, last = (int(places[cells.broken]) for places in (cells.starts, cells.ends))
        opened, closed = (line + 1 + line_breaks(data[:place]) for place in (first, last))
        where = "" if closed == opened else f" in line {closed}"
        raise DataError(
            f'{source.name}: a quote (") opens a cell in line {opened}, and its closing quote{where} is followed by '
            'more text. Double the quotes inside a quoted cell (""), or remove the opening quote.'
        )
    if not cells.closed and cells.starts[-1] < len(data):
        opened = line + 1 + line_breaks(data[: int(cells.starts[-1])])
        last = line + 1 + line_breaks(data.rstrip(b"\r\n"))
        raise DataError(
            f"{source.name}, line {last}: the file ends inside a quoted cell, which begins in line {opened}. Is the "
            f'closing quote (") missing? The {last - opened} line(s) after it would be part of that cell.'
        )
