"""`PlaneProjectionDisplay`: rows in the plane, with histograms along the directions of classifiers."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from posteriori.arrays import Array
from posteriori.messages.errors import DataError
from posteriori.plots.planes.boundary_lines import Boundaries
from posteriori.plots.planes.line import Line, PlaneRows
from posteriori.plots.planes.projection import bin_edges
from posteriori.plots.shared.canvas import colour, ink, panels_for
from posteriori.plots.shared.wording import plain

#: Height of the highest bar, as a fraction of the range of the rows.
HIGH = 0.28


class PlaneProjectionDisplay:
    """Rows of two classes in the plane, with their histograms along the direction w of a classifier.

    The title gives Fisher's criterion J(w) = (m_2 - m_1)^2 / (s_1^2 + s_2^2) of the projections w'x/|w|: the squared
    distance of the class means over the within-class scatter. The dashed line is the threshold of the classifier.

    Book: [Bishop] Fig. 4.6 and Eq. 4.20-4.26, §4.1.4.

    Parameters
    ----------
    lines : {name: boundary}
    rows : rows of two features, with classes
    bins : as in `numpy.histogram_bin_edges`

    Attributes
    ----------
    ax_, axes_, figure_ : matplotlib axes and figure; `ax_` is the first of `axes_`
    histograms_ : {name: (2, bins) counts}
    bars_ : the bars, one collection per class and panel
    thresholds_ : one line per panel
    points_ : the rows, one collection per class and panel
    """

    def __init__(self, lines: Mapping[str, Line], rows: PlaneRows, *, bins: Any = 25) -> None:
        self.lines, self.rows, self.bins = dict(lines), rows, bins

    @classmethod
    def from_estimators(cls, estimators: Mapping[str, Any], X: Any, y: Any, *, bins: Any = 25, ax: Any = None) -> Self:
        """Draw the directions of fitted linear classifiers side by side.

        Parameters
        ----------
        estimators : {name: linear classifier of two classes and two features}
        X, y : (n, 2) rows and (n,) their classes
        bins : as in `numpy.histogram_bin_edges`
        ax : matplotlib axes to divide, or one per model; default new ones
        """
        boundaries = Boundaries.of(estimators, X, y)
        if boundaries.rows.labels.codes is None:
            raise DataError("a projection needs the classes of the rows: pass y.")
        return cls(boundaries.lines, boundaries.rows, bins=bins).plot(ax)

    def values(self, name: str) -> Array:
        """Return the projections w'x/|w| of the rows onto the direction of a model, (n,)."""
        line = self.lines[name]
        projected: Array = self.rows.points @ line.w / line.norm
        return projected

    def criterion(self, name: str) -> float:
        """Return Fisher's criterion J(w) for the direction of a model."""
        values, codes = self.values(name), self.rows.labels.codes
        parts = [values[codes == k] for k in (0, 1)]
        within = sum(float(((part - part.mean()) ** 2).sum()) for part in parts)
        return float(parts[1].mean() - parts[0].mean()) ** 2 / within

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib axes to divide into panels, or one per panel
        legend : whether to draw a legend
        """
        self.axes_ = panels_for(ax, len(self.lines), figsize=(5.0 * len(self.lines), 4.8))
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        self.histograms_: dict[str, Array] = {}
        self.bars_: list[Any] = []
        self.thresholds_: list[Any] = []
        self.points_: list[Any] = []
        for name, axes in zip(self.lines, self.axes_, strict=True):
            self.points_ += self.rows.draw(axes, alpha=0.7)
            self._plot_along(axes, name)
            axes.set(xlabel=self.rows.names[0], ylabel=self.rows.names[1], aspect="equal")
            axes.set_title(f"{plain(name)}: $J = {self.criterion(name):.3g}$")
        limits = np.array([(*axes.get_xlim(), *axes.get_ylim()) for axes in self.axes_])
        for axes in self.axes_:  # the same limits, so that distances are comparable
            axes.set(xlim=(limits[:, 0].min(), limits[:, 1].max()), ylim=(limits[:, 2].min(), limits[:, 3].max()))
        if legend:
            self.ax_.legend(frameon=False)
        return self

    def _plot_along(self, ax: Any, name: str) -> None:
        """Draw an axis along w below the rows, with the histograms on it."""
        from matplotlib.collections import PolyCollection

        line, values, codes = self.lines[name], self.values(name), self.rows.labels.codes
        along = line.w / line.norm
        away = np.array([-along[1], along[0]])
        away = away if away[1] < 0 else -away  # below the rows
        across = self.rows.points @ away
        base = across.max() + 0.05 * np.ptp(across)
        edges = bin_edges(values, self.bins)
        counts = np.stack([np.histogram(values[codes == k], edges)[0] for k in (0, 1)]).astype(np.float64)
        self.histograms_[name] = counts
        unit = HIGH * np.ptp(self.rows.points, axis=0).max() / counts.max()
        for k in (0, 1):
            corners = _bars(edges, base, base + unit * counts[k]) @ np.stack([along, away])
            bars = PolyCollection(corners[counts[k] > 0], fc=colour(k), ec=colour(k), alpha=0.45, hatch=("", "////")[k])
            self.bars_.append(ax.add_collection(bars))
        ends = np.array([[edges[0], base], [edges[-1], base]]) @ np.stack([along, away])
        ax.plot(*ends.T, color=ink(0.6), lw=1.0)
        cut, top = -line.w0 / line.norm, base + unit * counts.max()
        segment = np.array([[cut, across.min()], [cut, top]]) @ np.stack([along, away])
        (threshold,) = ax.plot(
            *segment.T, color=ink(0.9), lw=1.4, ls="--", label="threshold" if ax is self.ax_ else None
        )
        self.thresholds_.append(threshold)


def _bars(edges: Array, base: float, tops: Array) -> Array:
    """Return the corners of bars as (along, away), (bins, 4, 2)."""
    left, right, low = edges[:-1], edges[1:], np.full(len(tops), base)
    return np.stack([np.stack(pair, 1) for pair in ((left, low), (left, tops), (right, tops), (right, low))], axis=1)
