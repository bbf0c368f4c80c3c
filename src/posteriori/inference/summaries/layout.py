"""`Layout`: a summary as cells of text."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: The mark of a number that does not exist.
MISSING = "--"


@dataclass(frozen=True)
class Layout:
    """A summary as cells of text.

    Parameters
    ----------
    title : of the summary
    facts : names and values for the fit as a whole
    columns : heads of the columns of numbers
    blocks : a heading and rows of cells per class; the first cell of a row is the term
    foot : sentences below the tables
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]
    blocks: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]
    foot: tuple[str, ...]


def object_column(values: Any) -> NDArray[Any]:
    """Return values as a column of Python objects."""
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column
