"""The books' pictures in words: name, book, number and lesson of each, without drawing or importing one."""

import ast
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from posteriori.plots.figures import FIGURES


@dataclass(frozen=True)
class Picture:
    """What there is to say of a figure before it is drawn.

    Parameters
    ----------
    name : of the function in `posteriori.figures`
    book : its author, as the books are cited here
    number : of the figure in that book
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
        """The figure as it is cited: ``[Jordan] Fig. 7.2``."""
        return f"[{self.book}] Fig. {self.number}"


def contents() -> tuple[Picture, ...]:
    """List the figures in the order of the books, from the text of their docstrings.

    >>> next(each.citation for each in contents() if each.name == "sugiyama_28_4")
    '[Sugiyama] Fig. 28.4'
    """
    return tuple(_picture(name, _docstrings(home)[name]) for name, home in FIGURES.items())


def _picture(name: str, docstring: str) -> Picture:
    book, _, number = name.partition("_")
    paragraphs = [" ".join(each.split()) for each in docstring.split("\n\n")]
    cited = next((i for i, each in enumerate(paragraphs) if each.startswith("Book:")), len(paragraphs))
    return Picture(name, book.title(), number.replace("_", "."), paragraphs[0], "\n".join(paragraphs[1:cited]))


@cache
def _docstrings(home: str) -> dict[str, str]:
    """Give the docstrings of a module's functions by parsing its text: importing it would import the classifiers."""
    text = files("posteriori.plots.figures").joinpath(f"{home}.py").read_text(encoding="utf-8")
    functions = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    return {node.name: ast.get_docstring(node) or "" for node in functions}
