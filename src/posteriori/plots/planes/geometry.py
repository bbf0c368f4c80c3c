"""`GeometryDisplay`: the geometry of a linear discriminant: w, w0 and y(x) in the plane."""

from typing import Any, Self

import numpy as np

from posteriori.checks.parameters import is_whole
from posteriori.messages.errors import DataError
from posteriori.plots.planes.line import Line, PlaneRows, Window, draw_normal, read_line, read_plane_rows
from posteriori.plots.shared.canvas import axes_for, ink

#: Length of the arrow w, as a fraction of the width of the window.
ARROW = 0.2
#: The sides of the boundary, which the legend names after the classes.
SIDES = (", $y(x) < 0$", r", $y(x) \geq 0$")


class GeometryDisplay:
    """The boundary y(x) = w'x + w0 = 0 of a linear classifier of two classes, and distances to it.

    w is perpendicular to the boundary and points to the second class. Along w, the boundary is at distance -w0/|w| from
    the origin, and a row x at distance r = y(x)/|w| from the boundary: x = x_foot + r w/|w|. Both axes have the same
    scale.

    Book: [Bishop] Fig. 4.1 and Eq. 4.4-4.7, §4.1.1.

    Parameters
    ----------
    line : the boundary
    rows : rows of two features
    row : index of the row whose distance is drawn

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    boundary_ : the line y(x) = 0
    normal_ : the arrow w
    offset_, distance_ : the segments from the boundary to the origin and to the row
    points_ : the rows, one collection per class

    Examples
    --------
    >>> import numpy as np
    >>> import posteriori as pt
    >>> from posteriori.plots.planes.geometry import GeometryDisplay
    >>> X, y = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 4.0], [4.0, 4.0]]), [0, 0, 1, 1]
    >>> model = pt.LeastSquaresClassifier().fit(X, y)
    >>> display = GeometryDisplay.from_estimator(model, X, y, row=3)
    >>> ends = np.column_stack(display.distance_.get_data())
    >>> bool(np.isclose(np.hypot(*(ends[1] - ends[0])), model.signed_distance(X)[3]))
    True
    """

    def __init__(self, line: Line, rows: PlaneRows, row: int = 0) -> None:
        self.line, self.rows, self.row = line, rows, row

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any = None, *, row: int = 0, ax: Any = None) -> Self:
        """Draw the boundary of a fitted linear classifier.

        Parameters
        ----------
        estimator : linear classifier of two classes and two features
        X, y : (n, 2) rows, and (n,) their classes or None
        row : index of the row whose distance is drawn
        ax : matplotlib axes, default new ones
        """
        rows = read_plane_rows(estimator, X, y)
        if not is_whole(row, least=0) or row >= len(rows.points):
            raise DataError(f"row={row!r} must be the index of a row of X, from 0 to {len(rows.points) - 1}.")
        return cls(read_line(estimator, X, rows.points), rows, int(row)).plot(ax)

    @property
    def distance(self) -> float:
        """The signed distance y(x)/|w| of the row."""
        return float(self.line.height(self.rows.points[self.row])) / self.line.norm

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones."""
        ax = axes_for(ax, figsize=(6.0, 5.2))
        self.ax_, self.figure_ = ax, ax.figure
        line, point, origin = self.line, self.rows.points[self.row], np.zeros(2)
        window = self.rows.window([origin, line.foot(origin), line.foot(point)])
        self.points_ = self.rows.draw(ax, SIDES, alpha=0.6)
        (self.boundary_,) = ax.plot(*line.clip(window).T, color=ink(0.9), lw=1.8, label="$y(x) = 0$")
        self._plot_offset(ax)
        self._plot_distance(ax, point)
        self._plot_normal(ax, window)
        ax.axhline(0.0, color=ink(0.2), lw=0.8, zorder=0)
        ax.axvline(0.0, color=ink(0.2), lw=0.8, zorder=0)
        ax.set(xlabel=self.rows.names[0], ylabel=self.rows.names[1], xlim=window[:2], ylim=window[2:])
        ax.set_aspect("equal")
        ax.legend(framealpha=0.9, edgecolor="none")
        return self

    def _plot_offset(self, ax: Any) -> None:
        """Draw the segment from the origin to the boundary."""
        line, foot = self.line, self.line.foot(np.zeros(2))
        (self.offset_,) = ax.plot(*np.vstack([np.zeros(2), foot]).T, color=ink(0.65), ls="--", marker=".", lw=1.4)
        self._annotate(ax, r"$-w_0/|w| = $" + f"{-line.w0 / line.norm:.2f}", 0.5 * foot)

    def _plot_distance(self, ax: Any, point: Any) -> None:
        """Draw the segment from the boundary to the row."""
        foot = self.line.foot(point)
        (self.distance_,) = ax.plot(*np.vstack([foot, point]).T, color=ink(0.9), ls=":", lw=1.8)
        ax.plot(*foot, ".", color=ink(0.9), ms=7)
        ax.plot(*point, "o", mfc="none", mec=ink(0.9), ms=12, mew=1.3)
        ax.annotate("$x$", point, (8, 5), textcoords="offset points", fontsize=12)
        self._annotate(ax, f"$y(x)/|w| = ${self.distance:.2f}", 0.5 * (foot + point))

    def _plot_normal(self, ax: Any, window: Window) -> None:
        """Draw w on the boundary, away from the other two segments."""
        line, (first, last) = self.line, self.line.clip(window)
        feet = line.foot(np.stack([np.zeros(2), self.rows.points[self.row]]))
        places = first + np.linspace(0.2, 0.8, 13)[:, None] * (last - first)
        apart = np.linalg.norm(places[:, None] - feet, axis=2).min(axis=1)
        start = places[apart.argmax()]
        self.normal_, end = draw_normal(ax, line, start, ARROW * (window[1] - window[0]))
        ax.annotate("$w$", end, (5, 3), textcoords="offset points", fontsize=13)

    def _annotate(self, ax: Any, text: str, place: Any) -> None:
        """Write text beside a segment in the direction of w."""
        along = self.line.w / self.line.norm * (-1.0 if self.line.w[0] < 0 else 1.0)
        beside = 11.0 * np.array([-along[1], along[0]])
        rotation = {"rotation": np.degrees(np.arctan2(along[1], along[0])), "ha": "center", "va": "center"}
        box = {"boxstyle": "square,pad=0.1", "fc": ink(0.0), "ec": "none", "alpha": 0.8}
        ax.annotate(text, place, beside, textcoords="offset points", bbox=box, **rotation)
