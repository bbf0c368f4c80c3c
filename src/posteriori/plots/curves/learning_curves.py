"""`CurvesDisplay`: mean curves with bands over a log scale of sizes."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from posteriori.arrays import Array
from posteriori.plots.shared.canvas import axes_for, colour, ink, mark, stroke
from posteriori.plots.shared.wording import plain

#: The most sizes that are each written on the axis.
MOST_TICKS = 9


class CurvesDisplay:
    """One curve a model over training sizes on a log scale, with a band of one standard error about it.

    Parameters
    ----------
    sizes : (S,) training rows
    curves : {name: (S,) means}
    errors : {name: (S,) standard errors}
    metric : name of the score
    crossing : training rows at which to draw a vertical line, or None

    Attributes
    ----------
    ax_, figure_ : where it was drawn
    lines_, bands_ : what was drawn, a list each in the order of the models
    crossing_line_ : the vertical line, or None
    """

    def __init__(
        self,
        sizes: Sequence[int],
        curves: dict[str, Array],
        errors: dict[str, Array],
        metric: str = "error",
        crossing: float | None = None,
    ) -> None:
        self.sizes, self.curves, self.errors = sizes, curves, errors
        self.metric, self.crossing = metric, crossing

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw on the axes given, else on new ones.

        Parameters
        ----------
        ax : matplotlib axes
        legend : whether to name the curves
        """
        ax = axes_for(ax)
        self.ax_, self.figure_, self.lines_, self.bands_ = ax, ax.figure, [], []
        sizes = np.asarray(self.sizes, dtype=np.float64)
        for number, (name, curve) in enumerate(self.curves.items(), len(ax.lines)):
            shown = np.where(np.isfinite(curve), curve, np.nan)
            reach = np.where(np.isfinite(self.errors[name]), self.errors[name], 0.0)
            hue, look = colour(number), {"ls": stroke(number), "marker": mark(number), "markersize": 4}
            (line,) = ax.plot(sizes, shown, color=hue, label=plain(name), **look)
            self.lines_.append(line)
            self.bands_.append(ax.fill_between(sizes, shown - reach, shown + reach, color=hue, alpha=0.2, lw=0))
        self.crossing_line_ = None
        if self.crossing is not None:
            self.crossing_line_ = ax.axvline(self.crossing, color=ink(0.5), lw=1, ls=":")
        ax.set_xscale("log")
        if len(sizes) <= MOST_TICKS:
            ax.set_xticks(sizes, [f"{size:g}" for size in sizes.tolist()])
            ax.set_xticks([], minor=True)
        ax.set_xlabel("training rows")
        ax.set_ylabel(plain(self.metric.replace("_", " ")))
        if legend:
            ax.legend()
        return self
