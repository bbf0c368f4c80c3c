"""`GeometryDisplay`: what w, w0 and y(x) of a linear discriminant mean in the plane."""

from typing import Any, Self

import numpy as np

from posteriori.messages.errors import DataError
from posteriori.plots.planes.boundary import Line, PlaneRows, read_line, read_plane_rows
from posteriori.plots.shared.canvas import axes_for, ink
from posteriori.plots.shared.rows import style
from posteriori.plots.shared.wording import ROOM, plain

#: The length of the arrow w, as a share of the window's width.
ARROW = 0.2


class GeometryDisplay:
    """The boundary y(x) = w'x + w0 = 0 of a linear classifier of two classes, and distances to it.

    w is perpendicular to the boundary and points to the second class; the boundary is -w0/|w| from the origin, along w;
    a row x is r = y(x)/|w| from it, and x = x_foot + r w/|w|. Both axes have the same scale, so that right angles
    are right.

    Book: [Bishop] Fig. 4.1 and Eq. 4.4-4.7, §4.1.1.

    Parameters
    ----------
    line : the boundary
    rows : of two columns
    row : number of the row whose distance is shown

    Attributes
    ----------
    ax_, figure_ : where it was drawn
    boundary_ : the line y(x) = 0
    normal_ : the arrow w
    offset_, distance_ : the segments from the boundary to the origin and to the row
    points_ : the rows, a collection a class

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
        estimator : linear, of two classes, over two columns
        X, y : (n, 2) rows, and (n,) their classes or None
        row : number of the row whose distance is shown
        ax : matplotlib axes, default new ones
        """
        rows = read_plane_rows(estimator, X, y)
        if isinstance(row, bool) or not isinstance(row, int | np.integer) or not 0 <= row < len(rows.points):
            raise DataError(f"row={row!r} must be a whole number from 0 to {len(rows.points) - 1}: a row of X.")
        return cls(read_line(estimator, X, rows.points), rows, int(row)).plot(ax)

    @property
    def distance(self) -> float:
        """The signed distance y(x)/|w| of the row."""
        return float(self.line.height(self.rows.points[self.row])) / self.line.size

    def plot(self, ax: Any = None) -> Self:
        """Draw on the axes given, else on new ones."""
        ax = axes_for(ax, figsize=(6.0, 5.2))
        self.ax_, self.figure_ = ax, ax.figure
        line, point, origin = self.line, self.rows.points[self.row], np.zeros(2)
        window = self.rows.window([origin, line.foot(origin), line.foot(point)])
        self.points_ = [
            ax.scatter(*self.rows.points[own].T, label=None if k is None else self._name(k), alpha=0.6, **style(k))
            for k, own in self.rows.labels.groups(len(self.rows.points))
        ]
        (self.boundary_,) = ax.plot(*line.within(window).T, color=ink(0.9), lw=1.8, label="$y(x) = 0$")
        self._plot_offset(ax)
        self._plot_distance(ax, point)
        self._plot_normal(ax, window)
        ax.axhline(0.0, color=ink(0.2), lw=0.8, zorder=0)
        ax.axvline(0.0, color=ink(0.2), lw=0.8, zorder=0)
        ax.set(xlabel=self.rows.names[0], ylabel=self.rows.names[1], xlim=window[:2], ylim=window[2:])
        ax.set_aspect("equal")
        ax.legend(framealpha=0.9, edgecolor="none")
        return self

    def _name(self, k: int) -> str:
        side = "y(x) < 0" if k == 0 else r"y(x) \geq 0"
        return f"{plain(self.rows.labels.classes[k], ROOM)}, ${side}$"

    def _plot_offset(self, ax: Any) -> None:
        """Draw the way from the origin to the boundary."""
        line, foot = self.line, self.line.foot(np.zeros(2))
        (self.offset_,) = ax.plot(*np.vstack([np.zeros(2), foot]).T, color=ink(0.65), ls="--", marker=".", lw=1.4)
        self._write(ax, r"$-w_0/|w| = $" + f"{-line.w0 / line.size:.2f}", 0.5 * foot)

    def _plot_distance(self, ax: Any, point: Any) -> None:
        """Draw the way from the boundary to the row."""
        foot = self.line.foot(point)
        (self.distance_,) = ax.plot(*np.vstack([foot, point]).T, color=ink(0.9), ls=":", lw=1.8)
        ax.plot(*foot, ".", color=ink(0.9), ms=7)
        ax.plot(*point, "o", mfc="none", mec=ink(0.9), ms=12, mew=1.3)
        ax.annotate("$x$", point, (8, 5), textcoords="offset points", fontsize=12)
        self._write(ax, f"$y(x)/|w| = ${self.distance:.2f}", 0.5 * (foot + point))

    def _plot_normal(self, ax: Any, window: tuple[float, float, float, float]) -> None:
        """Draw w on the boundary, at a place that is far from the other two lines."""
        line, (first, last) = self.line, self.line.within(window)
        feet = line.foot(np.stack([np.zeros(2), self.rows.points[self.row]]))
        places = first + np.linspace(0.2, 0.8, 13)[:, None] * (last - first)
        apart = np.linalg.norm(places[:, None] - feet, axis=2).min(axis=1)
        start = places[apart.argmax()]
        end = start + ARROW * (window[1] - window[0]) * line.w / line.size
        arrow = {"arrowstyle": "-|>", "lw": 2.0, "color": ink(0.9), "shrinkA": 0, "shrinkB": 0, "mutation_scale": 16}
        self.normal_ = ax.annotate("", end, start, arrowprops=arrow)
        ax.annotate("$w$", end, (5, 3), textcoords="offset points", fontsize=13)

    def _write(self, ax: Any, text: str, place: Any) -> None:
        """Write along a segment that runs along w, a little beside it."""
        along = self.line.w / self.line.size * (-1.0 if self.line.w[0] < 0 else 1.0)
        beside = 11.0 * np.array([-along[1], along[0]])
        turned = {"rotation": np.degrees(np.arctan2(along[1], along[0])), "ha": "center", "va": "center"}
        back = {"boxstyle": "square,pad=0.1", "fc": ink(0.0), "ec": "none", "alpha": 0.8}
        ax.annotate(text, place, beside, textcoords="offset points", bbox=back, **turned)
