"""`SegmentDisplay`: decision regions and a line segment between two points."""

from typing import Any, Self

import numpy as np

from posteriori.arrays import Array
from posteriori.messages.errors import DataError
from posteriori.plots.posteriors.posterior import PosteriorDisplay


class SegmentDisplay(PosteriorDisplay):
    """The decision regions of a classifier over two features, with the segment from x_A to x_B.

    The regions of a linear classifier are convex: if x_A and x_B are in a region, so is every c x_A + (1 - c) x_B.

    Book: [Bishop] Fig. 4.3 and Eq. 4.11-4.12, §4.1.2.

    Attributes
    ----------
    segment_ : the line from x_A to x_B
    ends_, between_ : x_A and x_B, and the marked point between them
    ax_, axes_, figure_, surfaces_, contours_, points_ : as for `PosteriorDisplay`

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]] * 2, ["a", "b", "c"] * 2
    >>> model = pt.LeastSquaresClassifier().fit(X, y)
    >>> display = SegmentDisplay.between(model, X, y, ends=[[2.0, 0.0], [1.5, -0.5]])
    >>> display.segment_.get_xdata().tolist()
    [2.0, 1.5]
    """

    ends: Array

    @classmethod
    def between(
        cls, estimator: Any, X: Any, y: Any = None, *, ends: Any, resolution: int = 300, ax: Any = None
    ) -> Self:
        """Draw the regions of a fitted classifier and the segment between two points.

        Parameters
        ----------
        estimator : a fitted classifier of two features
        X, y : (n, 2) rows, and (n,) their classes or None
        ends : (2, 2) the two points
        resolution : points along each axis
        ax : matplotlib axes, default new ones
        """
        display = cls.computed({"": estimator}, X, y, response="predict", resolution=resolution)
        display.ends = np.asarray(ends, dtype=np.float64)
        if display.ends.shape != (2, 2):
            raise DataError(f"ends must be two points of the plane, (2, 2); got shape {display.ends.shape}.")
        return display.plot(ax)

    def plot(self, ax: Any = None, **options: Any) -> Self:
        """Draw on the given axes, or on new ones; options as for `PosteriorDisplay.plot`."""
        super().plot(ax, **options)
        ax, (first, last) = self.ax_, self.ends
        middle = 0.55 * first + 0.45 * last
        (self.segment_,) = ax.plot(*self.ends.T, color="0.1", lw=1.8, zorder=4)
        (self.ends_,) = ax.plot(*self.ends.T, "o", color="0.1", ms=6, zorder=5)
        (self.between_,) = ax.plot(*middle, "o", mfc="white", mec="0.1", ms=7, zorder=5)
        for name, place in (("$x_A$", first), ("$x_B$", last), (r"$\hat{x}$", middle)):
            ax.annotate(name, place, (0, 9), textcoords="offset points", ha="center", fontsize=12, zorder=6)
        return self
