"""A summary as text, in the look of statsmodels."""

import textwrap

from posteriori.inference.summaries.numbers import cells, header_facts, headings
from posteriori.inference.summaries.table import Row, Summary
from posteriori.messages.escape import escape_controls

WIDTH = 78
#: What stands for a number that does not exist.
MISSING = "--"


def statsmodels_text(summary: Summary) -> str:
    """Lay a summary out as statsmodels does: title, facts in two columns, a table for each class, the foot."""
    tables = [_table(summary, rows) for _, rows in summary.blocks]
    width = max(WIDTH, *(len(line) for table in tables for line in table))
    several = len(tables) > 1
    parts = [summary.title.center(width).rstrip(), "=" * width, *_facts(summary, width), "=" * width]
    for (label, _), (head, *body) in zip(summary.blocks, tables, strict=True):
        if several:
            parts += [summary.heading(label), "-" * width]
        parts += [head, "-" * width, *body, ("-" if several else "=") * width]
    if several:
        parts[-1] = "=" * width
    return "\n".join([*parts, *foot_lines(summary, width)])


def foot_lines(summary: Summary, width: int = WIDTH) -> list[str]:
    """Give the foot in lines: what the coefficients are of, how they came about, how the fit went."""
    first = summary.heading(summary.blocks[0][0]) + "." if len(summary.blocks) == 1 else ""
    notes = [f"Note: {note}" for note in summary.notes]
    sentences = [first, *summary.foot, f"Fit status: {summary.facts.status}.", *notes]
    wrap = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    return [line for sentence in sentences for line in wrap.wrap(sentence)]


def _facts(summary: Summary, width: int) -> list[str]:
    """Give the facts in two columns."""
    facts = header_facts(summary)
    half = (len(facts) + 1) // 2
    each = (width - 3) // 2
    left, right = facts[:half], [*facts[half:], *[("", "")] * (2 * half - len(facts))]
    return [
        f"{_fact(*one, each)}   {_fact(*other, width - 3 - each)}".rstrip()
        for one, other in zip(left, right, strict=True)
    ]


def _fact(name: str, value: str, width: int) -> str:
    return f"{name}:{value:>{width - len(name) - 1}}" if name else " " * width


def _table(summary: Summary, rows: tuple[Row, ...]) -> list[str]:
    """Give the table of one class: its head, then a line for each coefficient."""
    grid = [headings(summary), *(cells(row, summary, MISSING) for row in rows)]
    widths = [max(10, *(len(line[j]) for line in grid)) for j in range(len(grid[0]))]
    names = ["", *(escape_controls(row.term) for row in rows)]
    lead = max(WIDTH - sum(widths) - len(widths), *map(len, names))
    return [
        f"{name:<{lead}}" + "".join(f" {cell:>{width}}" for cell, width in zip(line, widths, strict=True))
        for name, line in zip(names, grid, strict=True)
    ]
