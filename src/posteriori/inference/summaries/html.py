"""A summary as HTML, for notebooks and reports; every name is escaped."""

from collections.abc import Iterable
from html import escape

from posteriori.inference.summaries.layout import Layout


def html_of(layout: Layout) -> str:
    """Return facts, coefficients and footnotes as HTML without scripts or external resources."""
    facts = "".join(_line(fact) for fact in layout.facts)
    head = "".join(f"<th>{escape(name)}</th>" for name in ("", *layout.columns))
    body = "".join(
        f'<tbody><tr><th colspan="{len(layout.columns) + 1}">{escape(heading)}</th></tr>'
        f"{''.join(_line(cells) for cells in rows)}</tbody>"
        for heading, rows in layout.blocks
    )
    foot = "".join(f"<p>{escape(sentence)}</p>" for sentence in layout.foot)
    return (
        f'<div class="posteriori-summary"><table><caption>{escape(layout.title)}</caption>{facts}</table>'
        f"<table><thead><tr>{head}</tr></thead>{body}</table>{foot}</div>"
    )


def _line(cells: Iterable[str]) -> str:
    name, *values = (escape(cell) for cell in cells)
    return f"<tr><th>{name}</th>" + "".join(f"<td>{value}</td>" for value in values) + "</tr>"
