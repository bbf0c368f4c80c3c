"""Figures inside a page: drawn as SVG in the colours of the page, or as an image where that would be large."""

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

#: Letters of the page itself, and the colours that stand for its ink and its paper: greys, and so are those between.
FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
INK, PAPER = "#1a1a1a", "#ffffff"
#: The most characters of a drawing; a larger one becomes an image.
LARGEST = 160_000
DOTS_PER_INCH = 160
_drawing = threading.Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: globals().update(_drawing=threading.Lock()))
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # letters stay letters: small, and found by a search in the page
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


def picture(
    draw: Callable[[Any], Any], name: str, alt: str, caption: str, size: tuple[float, float] = (6.4, 4.2)
) -> Picture:
    """Draw on new axes and give the figure as a part of the page.

    Parameters
    ----------
    draw : draws on the axes it is given
    name : of the figure, distinct in the page: the names inside the drawing begin with it
    alt, caption : what it shows, and what to read from it
    size : in inches
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    # rcParams are the process's: one thread at a time draws by ours. The warnings are of letters that the drawing's own
    # font lacks; the page's may have them.
    with _drawing, mpl.rc_context(STYLE), recorded_warnings():
        figure = Figure(figsize=size, layout="constrained")
        draw(figure.subplots())
        drawn = _as_svg(figure)
        if len(drawn) <= LARGEST:
            return Picture(_inline(drawn, name), escape_controls(alt), escape_controls(caption))
        pixels = _as_png(figure)
    source = f"data:image/png;base64,{base64.b64encode(pixels).decode()}"
    return Picture(f'<img src="{source}" alt="">', escape_controls(alt), escape_controls(caption))


def _as_svg(figure: Any) -> str:
    """Draw a figure once: its `savefig` would draw it twice, the first time for nothing."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    stream = io.StringIO()
    canvas: Any = FigureCanvasSVG(figure)
    canvas.print_svg(stream, metadata={"Date": None})
    return stream.getvalue()


def _as_png(figure: Any) -> bytes:
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=DOTS_PER_INCH, facecolor=PAPER)
    return stream.getvalue()


def _inline(drawn: str, name: str) -> str:
    """Make a drawing part of a page: no head, names of its own, the page's ink and letters.

    Names of parts would otherwise be those of every other drawing. Characters that cannot be seen, controls and marks
    of direction, have no place in a page. A drawing with an image in it, whose colours are light, stays on white paper.
    """
    body = drawn[drawn.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.S)
    unseen = {mark for mark in set(body) if not mark.isprintable() and mark != "\n"}
    body = body.translate({ord(mark): "\ufffd" for mark in unseen})
    body = re.sub(r"<[^>]+>", lambda tag: _adapted(tag[0], name), body).strip()
    return body.replace("<svg ", '<svg class="light" ', 1) if "<image" in body else body


def _adapted(tag: str, name: str) -> str:
    """Give a tag with names that begin with the figure's, and the page's colours and letters."""
    tag = re.sub(r'\bid="', f'id="{name}-', tag)
    tag = re.sub(r'(url\(#|href="#)', rf"\g<1>{name}-", tag)
    tag = re.sub(r'(font: [^;"]*?px|font-family:) [^;"]*', rf"\g<1> {FONTS}", tag)
    return re.sub(r"\b(fill|stroke): #([0-9a-f]{2})\2\2\b", lambda found: f"{found[1]}: {_grey(found[2])}", tag)


def _grey(level: str) -> str:
    """Give the page's colour for a grey: its ink, its softer ink, its lines, its paper.

    >>> [_grey(level) for level in ("00", "59", "ed", "ff", "99")]
    ['currentColor', 'var(--soft)', 'var(--line)', 'var(--paper)', '#999999']
    """
    light = int(level, 16)
    limits = ((0x48, "currentColor"), (0x80, "var(--soft)"), (0xC8, f"#{level * 3}"), (0xFE, "var(--line)"))
    return next((colour for limit, colour in limits if light <= limit), "var(--paper)")
