"""`ProjectionDisplay`: rows projected onto the directions in which a linear classifier separates the classes."""

from typing import Any, Self

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.parameters import is_whole
from posteriori.messages.errors import DataError
from posteriori.plots.planes.discriminant_directions import ProjectedRows, project_rows
from posteriori.plots.shared.canvas import axes_for, colour, ink, mark, stroke
from posteriori.plots.shared.rows import Labels

#: Largest number of bins of "auto"; an outlier would otherwise lead to thousands.
MOST_BINS = 60
#: Grid points per direction at which the scores are evaluated to draw the boundaries.
FINE = 400


class ProjectionDisplay:
    """Rows projected onto one direction, as histograms with the threshold, or onto two, as a scatter plot.

    For `FisherDiscriminant` the directions are its own, y = w'x. For any other linear classifier of two classes the
    direction is w and the projection is the signed distance to the boundary, so that the threshold is zero. For more
    classes the directions span the differences of the w_k. Thresholds and boundaries are drawn only if all directions
    are, since the decision depends on all of them.

    Book: [Bishop] Fig. 4.6 and Eq. 4.20-4.30, §4.1.4; Eq. 4.7, §4.1.1.

    Parameters
    ----------
    projected : the projected rows, and the scores as functions of the projections
    components : indices of the one or two directions to draw
    bins : as in `numpy.histogram_bin_edges`; at most 60 for "auto"

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    histograms_ : one per class (one direction)
    thresholds_ : lines where the decision changes (one direction)
    points_, means_ : the rows and class means (two directions)
    boundaries_ : contour lines around the decision regions (two directions)

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 3.0], [3.0, 2.0]], ["a", "a", "b", "b"]
    >>> display = pt.ProjectionDisplay.from_estimator(pt.FisherDiscriminant(shrinkage=0.5).fit(X, y), X, y)
    >>> [float(h.get_data().values.sum()) for h in display.histograms_]
    [2.0, 2.0]
    >>> [round(abs(float(line.get_xdata()[0])), 6) for line in display.thresholds_]
    [0.0]
    """

    def __init__(self, projected: ProjectedRows, components: tuple[int, ...] = (0,), *, bins: Any = "auto") -> None:
        self.projected, self.components, self.bins = projected, components, bins

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, component: Any = None, bins: Any = "auto", ax: Any = None
    ) -> Self:
        """Draw rows projected onto the directions of a fitted classifier.

        Parameters
        ----------
        estimator : FisherDiscriminant, or any classifier with `coef_` and `decision_function`; a TableClassifier too
        X, y : (n, d) rows and (n,) their classes, or the name of a column of X
        component : index of a direction, or a pair of indices; default the first two, or the only one
        bins : as in `numpy.histogram_bin_edges`
        ax : matplotlib axes, default new ones
        """
        projected = project_rows(estimator, X, y)
        return cls(projected, _components(component, projected.values.shape[1]), bins=bins).plot(ax)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib axes
        legend : whether to draw a legend
        """
        ax = axes_for(ax, figsize=(6.0, 4.2))
        self.ax_, self.figure_ = ax, ax.figure
        self.histograms_: list[Any] = []
        self.thresholds_: list[Any] = []
        self.points_: list[Any] = []
        self.means_: list[Any] = []
        self.boundaries_: list[Any] = []
        titles = [self.projected.titles[i] for i in self.components]
        if len(self.components) == 1:
            self._plot_histograms(ax)
            ax.set(xlabel=titles[0], ylabel="rows")
        else:
            self._plot_scatter(ax)
            ax.set(xlabel=titles[0], ylabel=titles[1])
        if legend:
            ax.legend(framealpha=0.8, edgecolor="none")
        return self

    def _plot_histograms(self, ax: Any) -> None:
        p = self.projected
        values = p.values[:, self.components[0]]
        edges = bin_edges(values, self.bins)
        for k, label in enumerate(p.classes):
            counts = np.histogram(values[p.codes == k], edges)[0]
            ax.stairs(counts, edges, fill=True, color=colour(k), alpha=0.25)
            self.histograms_.append(ax.stairs(counts, edges, color=colour(k), ls=stroke(k), lw=1.6, label=label))
        for place in p.thresholds():
            if edges[0] <= place <= edges[-1] or len(p.classes) == 2:
                name = "threshold" if not self.thresholds_ else None
                self.thresholds_.append(ax.axvline(place, color=ink(0.85), lw=1.2, label=name))
        ax.set_ylim(0, None)

    def _plot_scatter(self, ax: Any) -> None:
        p = self.projected
        values, means = p.values[:, list(self.components)], p.means[:, list(self.components)]
        for k, rows in Labels(p.classes, p.codes).groups(len(values)):
            style = {"color": colour(k or 0), "ms": 5, "alpha": 0.55, "mew": 0}
            self.points_ += ax.plot(*values[rows].T, mark(k or 0), label=p.classes[k or 0], **style)
        for k, mean in enumerate(means):
            name = "class means" if k == 0 else None
            self.means_ += ax.plot(*mean, mark(k), color=colour(k), ms=12, mec=ink(1.0), mew=1.4, label=name)
        if p.values.shape[1] == 2:
            self._plot_boundaries(ax)

    def _plot_boundaries(self, ax: Any) -> None:
        """Draw the boundaries of the decision regions, if the decision depends on the two directions alone."""
        p, window = self.projected, (*ax.get_xlim(), *ax.get_ylim())
        across, up = (np.linspace(low, high, FINE) for low, high in (window[:2], window[2:]))
        z = np.stack(np.meshgrid(across, up), axis=-1)[..., np.argsort(self.components)]
        scores = z @ p.slopes.T + p.intercepts
        regions = np.unique(scores.argmax(axis=-1))
        for k in (
            regions if len(regions) > 1 else []
        ):  # the boundary is where its lead over the best other class is zero
            lead = scores[..., k] - np.delete(scores, k, axis=-1).max(axis=-1)
            self.boundaries_.append(ax.contour(across, up, lead, [0.0], colors=[ink(0.75)], linewidths=1.0, zorder=1))
        ax.set(xlim=window[:2], ylim=window[2:])


def bin_edges(values: Array, bins: Any) -> Array:
    """Return the edges of common bins; one bin if all values are a few floats apart, and at most 60 for "auto".

    >>> len(bin_edges(np.array([0.0, 1.0, 2.0, 1e9]), "auto")) <= MOST_BINS + 1
    True
    >>> len(bin_edges(np.array([1e20, np.nextafter(1e20, np.inf)]), "auto"))
    2
    """
    low, high = float(values.min()), float(values.max())
    if ((high - low) or 1.0) < 4 * MOST_BINS * np.spacing(max(abs(low), abs(high))):
        return np.array([np.nextafter(low, -np.inf), np.nextafter(high, np.inf)])
    if isinstance(bins, str):
        low, high = np.quantile(values, [0.25, 0.75])
        few = 2.0 * (high - low) * MOST_BINS <= (values.max() - values.min()) * len(values) ** (1 / 3)
        edges: Array = np.histogram_bin_edges(values, MOST_BINS if few else bins)
        return edges if len(edges) <= MOST_BINS + 1 else np.histogram_bin_edges(values, MOST_BINS)
    chosen: Array = np.histogram_bin_edges(values, bins)
    return chosen


def _components(component: Any, count: int) -> tuple[int, ...]:
    """Return the indices of the directions to draw."""
    if component is None:
        return (0, 1) if count > 1 else (0,)
    chosen = tuple(component) if isinstance(component, list | tuple | np.ndarray) else (component,)
    whole = all(is_whole(i, least=0) and i < count for i in chosen)
    if not whole or len(chosen) not in (1, 2) or len(set(chosen)) < len(chosen):
        there = "only direction 0" if count == 1 else f"directions 0 to {count - 1}"
        raise DataError(f"component={component!r} must be one direction or two different ones; there is {there}.")
    return tuple(int(i) for i in chosen)
