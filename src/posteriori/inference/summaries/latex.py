"""A summary as a LaTeX tabular that needs no package."""

import re
from typing import get_args

from posteriori.inference.summaries.numbers import cells, headings
from posteriori.inference.summaries.table import Row, State, Summary
from posteriori.messages.escape import escape_controls

SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"$<$", ">": r"$>$",
    "|": r"$|$", '"': "''", "[": "{[}", "*": "{*}", **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}  # fmt: skip
#: Text between quotation marks, which LaTeX opens and closes by different marks.
PAIRED = re.compile(r'"([^"]*)"')


def latex_of(summary: Summary) -> str:
    """Give the tables of all classes as one tabular, the foot as small print below it."""
    columns = headings(summary)
    lines = [r"\begin{tabular}{l" + "r" * len(columns) + "}", r"\hline", _row(["", *map(escaped, columns)]), r"\hline"]
    for label, rows in summary.blocks:
        lines.append(rf"\multicolumn{{{len(columns) + 1}}}{{l}}{{{escaped(summary.heading(label))}}} \\")
        lines += [_row([escaped(row.term), *_numbers(row, summary)]) for row in rows]
        lines.append(r"\hline")
    notes = [f"Fit status: {summary.facts.status}.", *(f"Note: {note}" for note in summary.notes)]
    foot = [rf"{{\footnotesize {escaped(sentence)}\par}}" for sentence in (*summary.foot, *notes)]
    return "\n".join([*lines, r"\end{tabular}", "", *foot])


def escaped(text: str) -> str:
    r"""Return text that LaTeX prints as it is.

    A bracket or an asterisk stands in braces: after the ``\\\\`` that ends a row it would be read as its argument.

    >>> print(escaped('a_b & 5%, "so"'))
    a\_b \& 5\%, ``so''
    """
    quoted = PAIRED.sub("``\\1''", escape_controls(text))
    return "".join(SPECIAL.get(mark, mark) for mark in quoted)


def _row(words: list[str]) -> str:
    return " & ".join(words) + r" \\"


def _numbers(row: Row, summary: Summary) -> list[str]:
    return [_number(word) for word in cells(row, summary, "---")]


def _number(word: str) -> str:
    """Give a number in mathematics, where its minus is one."""
    if word in ("", "---", *get_args(State)):
        return word
    return "$" + word.replace("inf", r"\infty") + "$"
