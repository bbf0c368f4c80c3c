"""The figures of the books, one function each: `posteriori.figures.sugiyama_28_4()` draws [Sugiyama] Fig. 28.4.

Each takes matplotlib axes (`ax`, default new ones) and a `random_state` for the rows, and returns the Display. The
rows are generated, not scanned from the books; the docstring explains what the figure teaches.

To add a figure, write its function in the module of its book and list it here, in the order of the book.
"""

from importlib import import_module
from typing import Any

#: The module that draws each figure.
FIGURES = {
    "jordan_7_1": "jordan_least_squares",
    "jordan_7_2": "jordan_least_squares",
    "jordan_7_3": "jordan_least_squares",
    "jordan_7_5": "jordan_generative",
    "jordan_7_6": "jordan_links",
    "jordan_7_7": "jordan_generative",
    "jordan_7_8": "jordan_generative",
    "jordan_7_9": "jordan_generative",
    "jordan_7_11": "jordan_discriminative",
    "jordan_7_12": "jordan_discriminative",
    "jordan_7_14": "jordan_links",
    "mitchell_1": "mitchell",
    "bishop_4_1": "bishop_discriminants",
    "bishop_4_2": "bishop_discriminants",
    "bishop_4_3": "bishop_discriminants",
    "bishop_4_4": "bishop_least_squares",
    "bishop_4_5": "bishop_least_squares",
    "bishop_4_6": "bishop_fisher_perceptron",
    "bishop_4_7": "bishop_fisher_perceptron",
    "bishop_4_9": "bishop_links",
    "bishop_4_11": "bishop_generative",
    "bishop_4_13": "bishop_links",
    "sugiyama_28_3": "sugiyama",
    "sugiyama_28_4": "sugiyama",
    "sugiyama_28_6": "sugiyama",
    "deuschle_3_1": "deuschle_discriminants",
    "deuschle_3_2": "deuschle_discriminants",
    "deuschle_3_3": "deuschle_discriminants",
    "deuschle_3_4": "deuschle_discriminants",
    "deuschle_3_5": "deuschle_discriminants",
    "deuschle_3_6": "deuschle_discriminants",
    "deuschle_3_7": "deuschle",
    "deuschle_3_8": "deuschle",
}

__all__ = list(FIGURES)


def __getattr__(name: str) -> Any:
    """Import a figure from the module of its book at first use."""
    if name not in FIGURES:
        raise AttributeError(f"there is no figure {name!r}; the figures are {', '.join(FIGURES)}.")
    value = getattr(import_module(f"{__name__}.{FIGURES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the figures."""
    return sorted({*globals(), *FIGURES})
