"""`Layout`: a summary as cells of text, and the printed forms that all summaries share."""

from abc import ABC, abstractmethod
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
    title : of the whole
    facts : name and value of what holds of the fit as a whole
    columns : heads of the columns of numbers
    blocks : a heading and rows of cells for each class; the first cell of a row is the term
    foot : sentences below the tables
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]
    blocks: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]
    foot: tuple[str, ...]


class PrintedSummary(ABC):
    """A summary that prints as text in a terminal, as HTML in a notebook, and as LaTeX."""

    @abstractmethod
    def layout(self) -> Layout:
        """Return the summary as cells of text."""

    def to_text(self) -> str:
        """Return the summary as text."""
        from posteriori.inference.summaries.text import text_of

        return text_of(self.layout())

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from posteriori.inference.summaries.html import html_of

        return html_of(self.layout())

    def to_latex(self) -> str:
        """Return the table as a LaTeX tabular that needs no package, with the footnotes below it."""
        from posteriori.inference.summaries.latex import latex_of

        return latex_of(self.layout())


def object_column(values: Any) -> NDArray[Any]:
    """Return values as a column of Python objects."""
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column
