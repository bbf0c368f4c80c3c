"""The contents of a report: sections of plain, frozen parts, which a template turns into HTML."""

from dataclasses import dataclass, field
from html import escape
from typing import Any


@dataclass(frozen=True)
class Text:
    """Paragraphs of prose."""

    paragraphs: tuple[str, ...]
    kind: str = "text"


@dataclass(frozen=True)
class Facts:
    """Names with their values, one per line."""

    pairs: tuple[tuple[str, str], ...]
    kind: str = "facts"


@dataclass(frozen=True)
class ReportTable:
    """A table of words and formatted numbers.

    Parameters
    ----------
    caption : title of the table
    header : of all columns
    rows : cells, one per column of the header
    words : number of columns, from the left, that contain words; the others contain numbers and are right-aligned
    foot : sentences below it
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1
    foot: tuple[str, ...] = ()
    kind: str = "grid"


@dataclass(frozen=True)
class Callout:
    """A highlighted sentence; `tone` is "warning" or "note"."""

    title: str
    text: str
    tone: str = "note"
    kind: str = "callout"


@dataclass(frozen=True)
class Picture:
    """A figure as markup: an SVG drawing, or an image embedded in the page.

    Parameters
    ----------
    markup : made by `reports.pictures` only, since the template does not escape it
    alt : what it shows, for readers who cannot see it
    caption : how to read it
    """

    markup: str = field(repr=False)
    alt: str
    caption: str
    kind: str = "picture"


@dataclass(frozen=True)
class Code:
    """Lines of code."""

    text: str
    kind: str = "code"


Part = Text | Facts | ReportTable | Callout | Picture | Code


@dataclass(frozen=True)
class Section:
    """A part of the page with a heading, listed in the table of contents."""

    anchor: str
    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Contents:
    """A whole report.

    Parameters
    ----------
    title : of the page
    headline : the main results, in a few sentences
    sections : in order
    numbers : the same as plain values, which the command prints with ``--json``
    version : of the library
    alerts : problems of the fit, with their remedies; shown before everything else
    """

    title: str
    headline: tuple[str, ...]
    sections: tuple[Section, ...] = field(repr=False)
    numbers: dict[str, Any] = field(repr=False)
    version: str
    alerts: tuple[Callout, ...] = ()

    def _repr_html_(self) -> str:
        """Return title, headline and alerts for a notebook; the page itself is in its file."""
        sentences = [*self.headline, *(f"{alert.title} {alert.text}" for alert in self.alerts)]
        return f"<strong>{escape(self.title)}</strong>" + "".join(f"<p>{escape(each)}</p>" for each in sentences)
