"""A summary as text, in the look of statsmodels."""

import textwrap

from posteriori.inference.summaries.layout import Layout

WIDTH = 78


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
