"""Printed forms of a `Layout`: text in the look of statsmodels, HTML for notebooks, LaTeX."""

import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterable
from html import escape
from typing import get_args

from posteriori.inference.coefficients.validity import State
from posteriori.inference.summaries.layout import MISSING, Layout
from posteriori.messages.escape import escape_controls

#: Characters per line of text.
WIDTH = 78
#: Characters that LaTeX would interpret.
SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"$<$", ">": r"$>$",
    "|": r"$|$", '"': "''", "[": "{[}", "*": "{*}", **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}  # fmt: skip
#: Text between quotation marks, which LaTeX opens and closes by different marks.
PAIRED = re.compile(r'"([^"]*)"')


class PrintedSummary(ABC):
    """A summary that prints as text in a terminal, as HTML in a notebook, and as LaTeX."""

    @abstractmethod
    def layout(self) -> Layout:
        """Return the summary as cells of text."""

    def to_text(self) -> str:
        """Return the summary as text."""
        return text_of(self.layout())

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return html_of(self.layout())

    def to_latex(self) -> str:
        """Return the table as a LaTeX tabular that needs no package, with the footnotes below it."""
        return latex_of(self.layout())


# --- text


def text_of(layout: Layout) -> str:
    """Return a summary in the look of statsmodels: title, facts in two columns, a table per class, footnotes."""
    rows = [cells for _, block in layout.blocks for cells in block]
    least = 10 if len(layout.columns) <= 6 else 9
    widths = [max(least, *(len(cells[j]) for cells in [("", *layout.columns), *rows])) for j in range(len(rows[0]))]
    widths[0] = max(WIDTH - sum(widths[1:]) - len(widths[1:]), *(len(cells[0]) for cells in rows))
    width = max(WIDTH, sum(widths) + len(widths) - 1)
    head, several = _line(("", *layout.columns), widths), len(layout.blocks) > 1
    parts = [layout.title.center(width).rstrip(), "=" * width, *_facts(layout, width)]
    for place, (heading, block) in enumerate(layout.blocks):
        parts.append(("-" if place else "=") * width)
        parts += [heading, "-" * width] if several else []
        parts += [head, "-" * width, *(_line(cells, widths) for cells in block)]
    return "\n".join([*parts, "=" * width, *wrapped(layout.foot, width)])


def wrapped(sentences: tuple[str, ...], width: int = WIDTH) -> list[str]:
    """Return sentences as lines, each sentence on a line of its own."""
    wrap = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    return [line for sentence in sentences for line in wrap.wrap(sentence)]


def _facts(layout: Layout, width: int) -> list[str]:
    """Return the facts in two columns."""
    facts = layout.facts
    half = (len(facts) + 1) // 2
    each = (width - 3) // 2
    left, right = facts[:half], [*facts[half:], *[("", "")] * (2 * half - len(facts))]
    return [
        f"{_fact(*one, each)}   {_fact(*other, width - 3 - each)}".rstrip()
        for one, other in zip(left, right, strict=True)
    ]


def _fact(name: str, value: str, width: int) -> str:
    return f"{name}:{value:>{width - len(name) - 1}}" if name else " " * width


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    term, *numbers = cells
    return f"{term:<{widths[0]}}" + "".join(
        f" {cell:>{width}}" for cell, width in zip(numbers, widths[1:], strict=True)
    )


# --- HTML; every name is escaped


def html_of(layout: Layout) -> str:
    """Return facts, coefficients and footnotes as HTML without scripts or external resources."""
    facts = "".join(_html_row(fact) for fact in layout.facts)
    head = "".join(f"<th>{escape(name)}</th>" for name in ("", *layout.columns))
    body = "".join(
        f'<tbody><tr><th colspan="{len(layout.columns) + 1}">{escape(heading)}</th></tr>'
        f"{''.join(_html_row(cells) for cells in rows)}</tbody>"
        for heading, rows in layout.blocks
    )
    foot = "".join(f"<p>{escape(sentence)}</p>" for sentence in layout.foot)
    return (
        f'<div class="posteriori-summary"><table><caption>{escape(layout.title)}</caption>{facts}</table>'
        f"<table><thead><tr>{head}</tr></thead>{body}</table>{foot}</div>"
    )


def _html_row(cells: Iterable[str]) -> str:
    name, *values = (escape(cell) for cell in cells)
    return f"<tr><th>{name}</th>" + "".join(f"<td>{value}</td>" for value in values) + "</tr>"


# --- LaTeX


def latex_of(layout: Layout) -> str:
    """Return the tables of all classes as one tabular, with the footnotes as small print below it."""
    columns = layout.columns
    lines = [
        r"\begin{tabular}{l" + "r" * len(columns) + "}",
        r"\hline",
        _latex_row(["", *map(escaped, columns)]),
        r"\hline",
    ]
    for heading, rows in layout.blocks:
        lines.append(rf"\multicolumn{{{len(columns) + 1}}}{{l}}{{{escaped(heading)}}} \\")
        lines += [_latex_row([escaped(term), *map(_number, cells)]) for term, *cells in rows]
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


def _latex_row(words: list[str]) -> str:
    return " & ".join(words) + r" \\"


def _number(cell: str) -> str:
    """Return a number in math mode, a word as it is."""
    if cell == MISSING:
        return "---"
    return cell if cell in get_args(State) else "$" + cell.replace("inf", r"\infty") + "$"
