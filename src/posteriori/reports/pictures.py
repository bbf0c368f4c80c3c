"""Figures inside a page: SVG in the colours of the page, or an image if the SVG would be large."""

import base64
import io
import os
import re
import threading
from collections.abc import Callable
from typing import Any

from posteriori.messages.escape import escape_controls
from posteriori.messages.recording import recorded_warnings
from posteriori.reports.contents import Picture

#: Fonts of the page, and the greys that stand for its text and background; others between them are adapted too.
FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
INK, PAPER = "#1a1a1a", "#ffffff"
#: Largest number of characters of an SVG; a larger drawing becomes an image.
LARGEST = 160_000
DOTS_PER_INCH = 160
_drawing = threading.Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: globals().update(_drawing=threading.Lock()))
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text, which is small and can be searched
    "svg.hashsalt": "posteriori",
    "font.size": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.titlesize": 10.5,
    "legend.frameon": False,
    "figure.facecolor": "none",
    "axes.facecolor": PAPER,
    "savefig.facecolor": "none",
    **dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.edgecolor", "axes.titlecolor", "xtick.color", "ytick.color"), INK
    ),
}


def picture(draw: Callable[[Any], Any], name: str, caption: str, size: tuple[float, float] = (6.4, 4.2)) -> Picture:
    """Draw on new axes and return the figure as a part of the page.

    Parameters
    ----------
    draw : draws on the axes passed to it
    name : of the figure, unique in the page; the prefix of the ids inside the drawing
    caption : what it shows, in the first sentence, and how to read it
    size : in inches
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    # rcParams are global, so one thread draws at a time. Warnings are about characters that matplotlib's font lacks,
    # which the fonts of the page may have.
    with _drawing, mpl.rc_context(STYLE), recorded_warnings():
        figure = Figure(figsize=size, layout="constrained")
        draw(figure.subplots())
        drawing = _as_svg(figure)
        markup = _inline(drawing, name) if len(drawing) <= LARGEST else _as_png(figure)
    return Picture(markup, escape_controls(caption.partition(". ")[0]), escape_controls(caption))


def _as_svg(figure: Any) -> str:
    """Return a figure as SVG; `savefig` would draw it twice."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    stream = io.StringIO()
    canvas: Any = FigureCanvasSVG(figure)
    canvas.print_svg(stream, metadata={"Date": None})
    return stream.getvalue()


def _as_png(figure: Any) -> str:
    """Return a figure as an embedded image."""
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=DOTS_PER_INCH, facecolor=PAPER)
    return f'<img src="data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}" alt="">'


def _inline(drawing: str, name: str) -> str:
    """Return a drawing for use inside a page: no header, unique ids, the colours and fonts of the page.

    Without prefixes the ids of all drawings would be the same. Invisible characters (control characters and direction
    marks) are replaced. A drawing with an embedded image, which has light colours, keeps a white background.
    """
    body = drawing[drawing.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.S)
    invisible = {character for character in set(body) if not character.isprintable() and character != "\n"}
    body = body.translate({ord(character): "\ufffd" for character in invisible})
    body = re.sub(r"<[^>]+>", lambda tag: _adapted(tag[0], name), body).strip()
    return body.replace("<svg ", '<svg class="light" ', 1) if "<image" in body else body


def _adapted(tag: str, name: str) -> str:
    """Return a tag with prefixed ids, and the colours and fonts of the page."""
    tag = re.sub(r'\bid="', f'id="{name}-', tag)
    tag = re.sub(r'(url\(#|href="#)', rf"\g<1>{name}-", tag)
    tag = re.sub(r'(font: [^;"]*?px|font-family:) [^;"]*', rf"\g<1> {FONTS}", tag)
    return re.sub(r"\b(fill|stroke): #([0-9a-f]{2})\2\2\b", lambda match: f"{match[1]}: {_grey(match[2])}", tag)


def _grey(level: str) -> str:
    """Return the colour of the page for a grey: of text, of secondary text, of lines, or of the background.

    >>> [_grey(level) for level in ("00", "59", "ed", "ff", "99")]
    ['currentColor', 'var(--soft)', 'var(--line)', 'var(--paper)', '#999999']
    """
    light = int(level, 16)
    limits = ((0x48, "currentColor"), (0x80, "var(--soft)"), (0xC8, f"#{level * 3}"), (0xFE, "var(--line)"))
    return next((colour for limit, colour in limits if light <= limit), "var(--paper)")
