"""A summary as HTML, for notebooks and reports; every name is escaped."""

from html import escape

from posteriori.inference.summaries.numbers import cells, header_facts, headings
from posteriori.inference.summaries.table import Row, Summary
from posteriori.inference.summaries.text import MISSING


def html_of(summary: Summary) -> str:
    """Give the facts, a table of coefficients and the foot as HTML without scripts or outside parts."""
    facts = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in header_facts(summary)
    )
    head = "".join(f"<th>{escape(name)}</th>" for name in ["", *headings(summary)])
    body = "".join(_block(summary, label, rows) for label, rows in summary.blocks)
    notes = [f"Fit status: {summary.facts.status}.", *(f"Note: {note}" for note in summary.notes)]
    foot = "".join(f"<p>{escape(sentence)}</p>" for sentence in (*summary.foot, *notes))
    return (
        f'<div class="posteriori-summary"><table><caption>{escape(summary.title)}</caption>{facts}</table>'
        f"<table><thead><tr>{head}</tr></thead>{body}</table>{foot}</div>"
    )


def _block(summary: Summary, label: object, rows: tuple[Row, ...]) -> str:
    width = len(headings(summary)) + 1
    title = f'<tr><th colspan="{width}">{escape(summary.heading(label))}</th></tr>'
    lines = "".join(_line([row.term, *cells(row, summary, MISSING)]) for row in rows)
    return f"<tbody>{title}{lines}</tbody>"


def _line(cells: list[str]) -> str:
    name, *numbers = (escape(cell) for cell in cells)
    return f"<tr><th>{name}</th>" + "".join(f"<td>{cell}</td>" for cell in numbers) + "</tr>"
