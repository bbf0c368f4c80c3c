"""What every figure shares: axes to draw on; a colour, a mark and a stroke for each class; ink for all else."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from posteriori.messages.errors import DataError

#: Colours that people who see few colours can tell apart (Okabe & Ito 2008), dark enough for lines; then they repeat.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#8C6D00")
#: Marks that tell classes apart where there is no colour at all.
MARKS = ("o", "X", "s", "^", "D", "v", "P", "*")
#: Strokes that tell lines apart where there is no colour: solid, long and short dashes, dots between dashes, …
STROKES: tuple[Any, ...] = (
    "-", (0, (6, 2)), (0, (2, 1.5)), "-.", (0, (5, 1, 1, 1, 1, 1)), ":", (0, (10, 3)), (0, (1, 3)),
)  # fmt: skip


def pyplot() -> Any:
    """Give matplotlib's pyplot, or say what to install."""
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise ImportError("figures need matplotlib: pip install 'posteriori[plot]'.") from error
    return plt


def axes_for(ax: Any = None, **figure: Any) -> Any:
    """Give the axes that were given, else new ones in a figure of their own.

    >>> ax = axes_for()
    >>> axes_for(ax) is ax
    True
    """
    if ax is not None:
        return ax
    _, ax = pyplot().subplots(**{"layout": "constrained", **figure})
    return ax


def panels_for(ax: Any, count: int, **figure: Any) -> list[Any]:
    """Give `count` axes side by side: new ones, those given, or the one given divided.

    Parameters
    ----------
    ax : None, matplotlib axes to divide, or as many axes as there are panels
    count : how many panels
    figure : of the new figure

    >>> len(panels_for(None, 3)), len(panels_for(axes_for(), 2))
    (3, 2)
    """
    if ax is None:
        shape = {"figsize": (4.0 * count, 3.8), "layout": "constrained", **figure}
        return list(np.ravel(pyplot().subplots(1, count, squeeze=False, **shape)[1]))
    if isinstance(ax, Sequence | np.ndarray):
        given = list(np.ravel(np.asarray(ax, dtype=object)))
        if len(given) != count:
            raise DataError(f"ax must be one axes, or one for each of the {count} panels; got {len(given)}.")
        return given
    if count == 1:
        return [ax]
    place = ax.get_subplotspec()
    ax.set_axis_off()
    if place is None:  # axes put somewhere by hand, or set into others
        return [ax.inset_axes(((i + 0.1) / count, 0.0, 0.85 / count, 1.0)) for i in range(count)]
    inner = place.subgridspec(1, count)
    return [ax.figure.add_subplot(inner[0, i]) for i in range(count)]


def colour(code: int) -> str:
    """Give the colour of a class by its number.

    >>> colour(0) == colour(len(COLOURS))
    True
    """
    return COLOURS[code % len(COLOURS)]


def mark(code: int) -> str:
    """Give the mark of a class by its number; where colours come round again, marks do not go with them.

    >>> mark(1), mark(len(COLOURS))
    ('X', 'X')
    """
    return MARKS[(code + code // len(COLOURS)) % len(MARKS)]


def stroke(code: int) -> Any:
    """Give the kind of line of a class or a model by its number.

    >>> stroke(0), stroke(1)
    ('-', (0, (6, 2)))
    """
    return STROKES[(code + code // len(COLOURS)) % len(STROKES)]


def ink(strength: float) -> tuple[float, float, float]:
    """Give a colour between the ground (0) and the text (1) of figures: black on white, white on black.

    >>> ink(1.0)
    (0.0, 0.0, 0.0)
    """
    from matplotlib import rcParams
    from matplotlib.colors import to_rgb

    ground, text = (to_rgb(rcParams[name]) for name in ("axes.facecolor", "text.color"))
    red, green, blue = (g + strength * (t - g) for g, t in zip(ground, text, strict=True))
    return red, green, blue
