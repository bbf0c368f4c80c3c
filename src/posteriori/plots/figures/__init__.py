"""The books' pictures, one function a figure: `posteriori.figures.sugiyama_28_4()` draws [Sugiyama] Fig. 28.4.

Each takes matplotlib axes (`ax`, default new ones) and a `random_state` for the rows it draws, and gives back the
Display. The rows are our own, never scanned; the docstring says what the figure teaches.

To add a figure, write its function in the module of its book and list it here, in the order of the book.
"""

from importlib import import_module
from typing import Any

#: The module of this folder in which each figure is drawn.
FIGURES = {
    "sugiyama_28_4": "sugiyama",
    "deuschle_3_7": "deuschle",
}

__all__ = list(FIGURES)


def __getattr__(name: str) -> Any:
    """Import a figure from the module of its book the first time it is asked for."""
    if name not in FIGURES:
        raise AttributeError(f"there is no figure {name!r}; the figures are {', '.join(FIGURES)}.")
    value = getattr(import_module(f"{__name__}.{FIGURES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the figures."""
    return sorted({*globals(), *FIGURES})
