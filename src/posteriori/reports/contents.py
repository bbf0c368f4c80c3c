"""What a report is made of: plain frozen parts in sections, which a template lays out."""

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
    """Names with their values, one a line."""

    pairs: tuple[tuple[str, str], ...]
    kind: str = "facts"


@dataclass(frozen=True)
class Grid:
    """A table of words and numbers, already worded.

    Parameters
    ----------
    caption : what it shows
    header : of all columns
    rows : cells, as many a row as the header has
    words : how many columns, from the left, hold words; the others are numbers, set to the right
    foot : sentences below it
    strong : numbers of the rows that stand out
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1
    foot: tuple[str, ...] = ()
    strong: tuple[int, ...] = ()
    kind: str = "grid"


@dataclass(frozen=True)
class Callout:
    """A sentence that must not be overlooked; `tone` is "warning" or "note"."""

    title: str
    text: str
    tone: str = "note"
    kind: str = "callout"


@dataclass(frozen=True)
class Picture:
    """A figure as markup of its own: an SVG drawing, or an image inside the page.

    Parameters
    ----------
    markup : made by `reports.pictures`, nowhere else: the template does not escape it
    alt : what it shows, for people who do not see it
    caption : what to read from it
    """

    markup: str = field(repr=False)
    alt: str
    caption: str
    kind: str = "picture"


@dataclass(frozen=True)
class Code:
    """Lines to type."""

    text: str
    kind: str = "code"


Part = Text | Facts | Grid | Callout | Picture | Code


@dataclass(frozen=True)
class Section:
    """A part of the page with a heading, which the table of contents lists."""

    anchor: str
    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Contents:
    """A whole report.

    Parameters
    ----------
    title : of the page
    headline : what there is to say, in a few sentences
    sections : in order
    numbers : the same as plain values, which the command prints with ``--json``
    version : of the library
    alerts : what must be known before anything else is read: a fit that is not ok, with its remedy
    """

    title: str
    headline: tuple[str, ...]
    sections: tuple[Section, ...] = field(repr=False)
    numbers: dict[str, Any] = field(repr=False)
    version: str
    alerts: tuple[Callout, ...] = ()

    def _repr_html_(self) -> str:
        """Give title, headline and alerts to a notebook; the page itself is in its file."""
        told = [*self.headline, *(f"{alert.title} {alert.text}" for alert in self.alerts)]
        return f"<strong>{escape(self.title)}</strong>" + "".join(f"<p>{escape(sentence)}</p>" for sentence in told)
