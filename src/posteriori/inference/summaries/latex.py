"""A summary as a LaTeX tabular that needs no package."""

import re
from typing import get_args

from posteriori.inference.coefficients.validity import State
from posteriori.inference.summaries.layout import MISSING, Layout
from posteriori.messages.escape import escape_controls

SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"$<$", ">": r"$>$",
    "|": r"$|$", '"': "''", "[": "{[}", "*": "{*}", **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}  # fmt: skip
#: Text between quotation marks, which LaTeX opens and closes by different marks.
PAIRED = re.compile(r'"([^"]*)"')


def latex_of(layout: Layout) -> str:
    """Return the tables of all classes as one tabular, with the footnotes as small print below it."""
    columns = layout.columns
    lines = [r"\begin{tabular}{l" + "r" * len(columns) + "}", r"\hline", _row(["", *map(escaped, columns)]), r"\hline"]
    for heading, rows in layout.blocks:
        lines.append(rf"\multicolumn{{{len(columns) + 1}}}{{l}}{{{escaped(heading)}}} \\")
        lines += [_row([escaped(term), *map(_number, cells)]) for term, *cells in rows]
        lines.append(r"\hline")
    foot = [rf"{{\footnotesize {escaped(sentence)}\par}}" for sentence in layout.foot]
    return "\n".join([*lines, r"\end{tabular}", "", *foot])


def escaped(text: str) -> str:
    r"""Return text that LaTeX prints as it is.

    Brackets and asterisks are put in braces: after the ``\\\\`` that ends a row they would be read as its argument.

    >>> print(escaped('a_b & 5%, "so"'))
    a\_b \& 5\%, ``so''
    """
    quoted = PAIRED.sub("``\\1''", escape_controls(text))
    return "".join(SPECIAL.get(mark, mark) for mark in quoted)


def _row(words: list[str]) -> str:
    return " & ".join(words) + r" \\"


def _number(cell: str) -> str:
    """Return a number in math mode, a word as it is."""
    if cell == MISSING:
        return "---"
    return cell if cell in get_args(State) else "$" + cell.replace("inf", r"\infty") + "$"
