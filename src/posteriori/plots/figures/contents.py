"""The table of contents of the figures: name, book, number and description of each, without importing it."""

import ast
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from posteriori.plots.figures import FIGURES


@dataclass(frozen=True)
class FigureEntry:
    """The description of a figure.

    Parameters
    ----------
    name : name of the function in `posteriori.figures`
    book : author of the book, as cited
    number : number of the figure in the book
    shows : the first line of the function's docstring
    teaches : the paragraphs after it, up to the citation, each on a line of its own
    """

    name: str
    book: str
    number: str
    shows: str
    teaches: str

    @property
    def citation(self) -> str:
        """The citation of the figure: ``[Jordan] Fig. 7.2``."""
        return f"[{self.book}] Fig. {self.number}"


def contents() -> tuple[FigureEntry, ...]:
    """Return the figures in the order of the books, read from their docstrings.

    >>> next(each.citation for each in contents() if each.name == "sugiyama_28_4")
    '[Sugiyama] Fig. 28.4'
    """
    return tuple(_entry(name, _docstrings(home)[name]) for name, home in FIGURES.items())


def _entry(name: str, docstring: str) -> FigureEntry:
    book, _, number = name.partition("_")
    paragraphs = [" ".join(each.split()) for each in docstring.split("\n\n")]
    cited = next((i for i, each in enumerate(paragraphs) if each.startswith("Book:")), len(paragraphs))
    return FigureEntry(name, book.title(), number.replace("_", "."), paragraphs[0], "\n".join(paragraphs[1:cited]))


@cache
def _docstrings(home: str) -> dict[str, str]:
    """Return the docstrings of a module's functions, parsed from its text, as an import would load the classifiers."""
    text = files("posteriori.plots.figures").joinpath(f"{home}.py").read_text(encoding="utf-8")
    functions = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    return {node.name: ast.get_docstring(node) or "" for node in functions}
