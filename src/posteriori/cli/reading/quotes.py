"""Quoted cells of text files: where they begin and end, and which of them break the rules of RFC 4180."""

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
    """The quoted cells of a text that begins where a row begins.

    Parameters
    ----------
    starts : (n,) the places of the opening quotes
    ends : (n,) the places after the closing quotes; after the text where a last cell is never closed
    closed : whether the last cell is closed
    broken : the number of the first cell whose closing quote is followed by more text, or None
    """

    starts: Places
    ends: Places
    closed: bool = True
    broken: int | None = None

    def outside(self, places: Places) -> Places:
        """Return those of some places that no quotes enclose."""
        begun, ended = np.searchsorted(self.starts, places), np.searchsorted(self.ends, places, side="right")
        free: Places = places[begun == ended]
        return free


def quoted_cells(data: bytes, mark: str) -> QuotedCells:
    r"""Return the quoted cells of a text; a quote inside a cell that does not begin with one is a plain character.

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
    by_turns = (opens | doubled[:-1])[::2].all() and (closes | doubled[1:])[1::2].all()
    if not by_turns:
        return _one_by_one(data, quotes[opens], divides)
    starts, ends = quotes[::2][opens[::2]], quotes[1::2][closes[1::2]] + 1
    closed = len(quotes) % 2 == 0
    return QuotedCells(starts, ends if closed else np.append(ends, len(data) + 1), closed)


def _one_by_one(data: bytes, opens: Places, divides: NDArray[np.bool_]) -> QuotedCells:
    """Find the cells in order, in a text where some quotes are plain characters or break the rules."""
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
    """Return where the last whole row ends: after a line break that no quotes enclose; 0 if there is none."""
    end = b"\n" if b"\n" in data else b"\r"
    if not len(cells.starts):
        return data.rfind(end) + 1
    rows = cells.outside(np.flatnonzero(np.frombuffer(data, np.uint8) == end[0]))
    return int(rows[-1]) + 1 if len(rows) else 0


def line_breaks(data: bytes) -> int:
    """Count the line breaks of a text."""
    return data.count(b"\n") or data.count(b"\r")


def check_quotes(data: bytes, cells: QuotedCells, line: int, source: Source) -> None:
    """Raise if a quoted cell is never closed, or is closed and goes on: the rows after it would be part of it.

    Parameters
    ----------
    data : whole rows of a text file
    cells : the quoted cells in them; those that begin after them do not count
    line : how many lines of the file come before them
    """
    if cells.broken is not None and cells.starts[cells.broken] < len(data):
        first, last = (int(places[cells.broken]) for places in (cells.starts, cells.ends))
        opened, closed = (line + 1 + line_breaks(data[:place]) for place in (first, last))
        where = "" if closed == opened else f" in line {closed}"
        raise DataError(
            f'{source.name}: a quote (") opens a cell in line {opened}; the quote that closes it{where} is followed by '
            'more text. Write quotes inside a quoted cell twice (""), or leave out the quote that opens it.'
        )
    if not cells.closed and cells.starts[-1] < len(data):
        opened = line + 1 + line_breaks(data[: int(cells.starts[-1])])
        last = line + 1 + line_breaks(data.rstrip(b"\r\n"))
        raise DataError(
            f"{source.name}, line {last}: the file ends inside a quoted cell. The cell begins in line {opened}: is a "
            f'quote (") opened there and never closed? The {last - opened} line(s) after it would be part of that cell.'
        )
