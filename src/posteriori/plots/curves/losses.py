"""`LossDisplay`: losses as functions of the margin, with the margins of a model's rows."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.plots.curves.margin_losses import LOSSES
from posteriori.plots.shared.canvas import axes_for, colour, ink, stroke
from posteriori.plots.shared.rows import MOST
from posteriori.plots.shared.wording import plain

#: Names of the losses in the legend.
TITLES = {
    "zero-one": "0-1",
    "squared": "squared, $(1 - m)^2$",
    "perceptron": r"perceptron, $\max(0, -m)$",
    "logistic": r"logistic, $\log(1 + e^{-m})$",
}
#: Range of margins drawn, unless a model has larger ones.
RANGE = (-3.0, 3.0)
#: Largest loss drawn; the squared loss exceeds it on both sides.
CEILING = 4.5


class LossDisplay:
    """The 0-1 loss and its surrogates, by the margin m = t y(x), which is positive for correct predictions.

    Parameters
    ----------
    margins : (n,) margins at which the losses are evaluated, ascending
    losses : {name: (n,) values}
    rows : (m,) margins of a model's rows, drawn as ticks; or None

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    lines_ : {name: line}
    rug_ : the ticks, or None

    Examples
    --------
    >>> from posteriori.plots.curves.losses import LossDisplay
    >>> display = LossDisplay.from_losses(["perceptron", "logistic"])
    >>> list(display.losses), round(float(display.losses["logistic"].min()), 4)
    (['perceptron', 'logistic'], 0.0486)
    """

    def __init__(self, margins: Array, losses: dict[str, Array], rows: Array | None = None) -> None:
        self.margins, self.losses, self.rows = margins, losses, rows

    @classmethod
    def from_losses(
        cls, losses: Sequence[str] = tuple(LOSSES), *, margins: Any = None, rows: Any = None, ax: Any = None
    ) -> Self:
        """Evaluate losses by name; draw them if axes are passed.

        Parameters
        ----------
        losses : some of "zero-one", "squared", "perceptron", "logistic"
        margins : (n,) margins at which to evaluate them, default -3 to 3
        rows : (m,) margins to draw as ticks
        ax : matplotlib axes; without them nothing is drawn until `plot`
        """
        at = np.linspace(*RANGE, 601) if margins is None else np.sort(np.asarray(margins, dtype=np.float64))
        values = {choice("losses", name, LOSSES): LOSSES[name](at) for name in losses}
        display = cls(at, values, None if rows is None else np.asarray(rows, dtype=np.float64))
        return display if ax is None else display.plot(ax)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, losses: Sequence[str] = tuple(LOSSES), ax: Any = None
    ) -> Self:
        """Draw the losses with the margins of rows under a fitted linear classifier.

        Parameters
        ----------
        estimator : with ``classification_margins(X, y)``
        X, y : rows and their classes
        losses : names of losses
        ax : matplotlib axes, default new ones
        """
        rows = estimator.classification_margins(X, y)
        low, high = min(RANGE[0], float(rows.min())), max(RANGE[1], float(rows.max()))
        return cls.from_losses(losses, margins=np.linspace(low, high, 601), rows=rows).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones."""
        ax = axes_for(ax)
        self.ax_, self.figure_, self.rug_ = ax, ax.figure, None
        self.lines_ = {}
        places = {name: place for place, name in enumerate(name for name in self.losses if name != "zero-one")}
        for name, values in self.losses.items():
            style: dict[str, Any] = {"drawstyle": "steps-post", "color": ink(0.6)}
            if name in places:
                style = {"color": colour(places[name]), "ls": stroke(places[name])}
            (self.lines_[name],) = ax.plot(self.margins, values, label=TITLES.get(name) or plain(name), lw=1.6, **style)
        if self.rows is not None:
            shown, few = self.rows, ""
            if len(shown) > MOST:  # evenly spaced ranks, including both ends
                shown = np.sort(shown)[np.linspace(0, len(shown) - 1, MOST).astype(np.intp)]
                few = f": {MOST:,} of {len(self.rows):,}"
            (self.rug_,) = ax.plot(
                shown, np.full(len(shown), -0.2), "|", color=ink(0.7), label=f"margins of the rows{few}"
            )
        ax.axvline(0.0, color=ink(0.2), lw=0.8, zorder=0)
        ax.set(xlabel="margin $m$", ylabel="loss", ylim=(-0.4, CEILING))
        ax.legend()
        return self
