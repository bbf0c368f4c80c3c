"""What every figure shares: axes to draw on, and a colour and a mark for each class."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from posteriori.tables.errors import DataError

#: Colours that people who see few colours can tell apart (Okabe & Ito 2008), dark enough for lines; then they repeat.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#8C6D00")
#: Marks that tell classes apart where there is no colour at all.
MARKS = ("o", "X", "s", "^", "D", "v", "P", "*")


def axes_for(ax: Any = None, **figure: Any) -> Any:
    """Give the axes that were given, else new ones in a figure of their own.

    >>> ax = axes_for()
    >>> axes_for(ax) is ax
    True
    """
    if ax is not None:
        return ax
    from matplotlib import pyplot as plt

    _, ax = plt.subplots(**{"layout": "constrained", **figure})
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
        from matplotlib import pyplot as plt

        shape = {"figsize": (4.0 * count, 3.8), "layout": "constrained", **figure}
        return list(np.ravel(plt.subplots(1, count, squeeze=False, **shape)[1]))
    if isinstance(ax, Sequence | np.ndarray):
        given = list(np.ravel(np.asarray(ax, dtype=object)))
        if len(given) != count:
            raise DataError(f"ax must be one axes, or one for each of the {count} panels; got {len(given)}.")
        return given
    if count == 1:
        return [ax]
    place = ax.get_subplotspec()
    if place is None:
        raise DataError(f"ax cannot be divided into {count} panels: give axes of a subplot, or {count} axes.")
    ax.set_axis_off()
    inner = place.subgridspec(1, count)
    return [ax.figure.add_subplot(inner[0, i]) for i in range(count)]


def colour(code: int) -> str:
    """Give the colour of a class by its number.

    >>> colour(0) == colour(len(COLOURS))
    True
    """
    return COLOURS[code % len(COLOURS)]


def mark(code: int) -> str:
    """Give the mark of a class by its number.

    >>> mark(1)
    'X'
    """
    return MARKS[code % len(MARKS)]
