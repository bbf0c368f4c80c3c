"""`ProjectionDisplay`: rows projected on the directions in which a linear classifier tells classes apart."""

from typing import Any, Self

import numpy as np

from posteriori.arrays import Array
from posteriori.messages.errors import DataError
from posteriori.plots.planes.directions import Projected, project_rows
from posteriori.plots.shared.canvas import axes_for, colour, ink, mark, stroke
from posteriori.plots.shared.rows import Labels
from posteriori.plots.shared.wording import ROOM, plain

#: The most bins that "auto" gives: a row far away would otherwise make thousands of them.
MOST_BINS = 60
#: Points in each direction at which the rule is looked at, to draw its boundaries.
FINE = 400


class ProjectionDisplay:
    """Rows projected on a direction: a histogram a class and the threshold; or on two: a scatter with class means.

    For `FisherDiscriminant` the directions are its own, y = w'x. For any other linear classifier of two classes the
    direction is w and the projection is the signed distance to the boundary, so that the threshold is zero; of more
    classes they span the differences of the w_k. Thresholds and boundaries are drawn where the directions shown are
    all there are, since others take part in the decision too.

    Book: [Bishop] Fig. 4.6 and Eq. 4.20-4.30, §4.1.4; Eq. 4.7, §4.1.1.

    Parameters
    ----------
    projected : the rows in the directions of a classifier, and its rule there
    components : numbers of the one or two directions to draw
    bins : as in `numpy.histogram_bin_edges`; "auto" gives at most 60

    Attributes
    ----------
    ax_, figure_ : where it was drawn
    histograms_ : one for each class, of one direction
    thresholds_ : lines where the decision changes along one direction
    points_, means_ : the rows and the mean of each class, of two directions
    boundaries_ : contour lines about the decision regions of two directions

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

    def __init__(self, projected: Projected, components: tuple[int, ...] = (0,), *, bins: Any = "auto") -> None:
        self.projected, self.components, self.bins = projected, components, bins

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, component: Any = None, bins: Any = "auto", ax: Any = None
    ) -> Self:
        """Project rows on the directions of a fitted classifier, and draw them.

        Parameters
        ----------
        estimator : FisherDiscriminant, or any classifier with `coef_` and `decision_function`; a TableClassifier too
        X, y : (n, d) rows and (n,) their classes, or the name of a column of X
        component : number of a direction, or a pair of them; by default the first two where there are two, else the
            only one
        bins : as in `numpy.histogram_bin_edges`
        ax : matplotlib axes, default new ones
        """
        projected = project_rows(estimator, X, y)
        return cls(projected, _components(component, projected.values.shape[1]), bins=bins).plot(ax)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw on the axes given, else on new ones.

        Parameters
        ----------
        ax : matplotlib axes
        legend : whether to name the classes
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

    def _names(self) -> list[str]:
        return [plain(label, ROOM) for label in self.projected.classes]

    def _plot_histograms(self, ax: Any) -> None:
        p = self.projected
        values = p.values[:, self.components[0]]
        edges = bin_edges(values, self.bins)
        for k, label in enumerate(self._names()):
            counts = np.histogram(values[p.codes == k], edges)[0]
            ax.stairs(counts, edges, fill=True, color=colour(k), alpha=0.25)
            self.histograms_.append(ax.stairs(counts, edges, color=colour(k), ls=stroke(k), lw=1.6, label=label))
        for place in p.thresholds():
            if edges[0] <= place <= edges[-1] or len(p.classes) == 2:
                first = "threshold" if not self.thresholds_ else None
                self.thresholds_.append(ax.axvline(place, color=ink(0.85), lw=1.2, label=first))
        ax.set_ylim(0, None)

    def _plot_scatter(self, ax: Any) -> None:
        p = self.projected
        values, means = p.values[:, list(self.components)], p.means[:, list(self.components)]
        for k, rows in Labels(p.classes, p.codes).groups(len(values)):
            look = {"color": colour(k or 0), "ms": 5, "alpha": 0.55, "mew": 0}
            self.points_ += ax.plot(*values[rows].T, mark(k or 0), label=self._names()[k or 0], **look)
        for k, mean in enumerate(means):
            name = "class means" if k == 0 else None
            self.means_ += ax.plot(*mean, mark(k), color=colour(k), ms=12, mec=ink(1.0), mew=1.4, label=name)
        if p.values.shape[1] == 2:
            self._plot_boundaries(ax)

    def _plot_boundaries(self, ax: Any) -> None:
        """Draw lines between the regions of the rule, where it depends on nothing but the two directions."""
        p, window = self.projected, (*ax.get_xlim(), *ax.get_ylim())
        across, up = (np.linspace(low, high, FINE) for low, high in (window[:2], window[2:]))
        z = np.stack(np.meshgrid(across, up), axis=-1)[..., np.argsort(self.components)]
        scores = z @ p.slopes.T + p.leads
        regions = np.unique(scores.argmax(axis=-1))
        for k in regions if len(regions) > 1 else []:  # its lead over the best other class is zero on its boundary
            lead = scores[..., k] - np.delete(scores, k, axis=-1).max(axis=-1)
            self.boundaries_.append(ax.contour(across, up, lead, [0.0], colors=[ink(0.75)], linewidths=1.0, zorder=1))
        ax.set(xlim=window[:2], ylim=window[2:])


def bin_edges(values: Array, bins: Any) -> Array:
    """Return the edges of common bins, one bin where values are a few floats apart; "auto" gives few enough to see.

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
    given: Array = np.histogram_bin_edges(values, bins)
    return given


def _components(component: Any, count: int) -> tuple[int, ...]:
    """Give the numbers of the directions to draw."""
    if component is None:
        return (0, 1) if count > 1 else (0,)
    chosen = tuple(component) if isinstance(component, list | tuple | np.ndarray) else (component,)
    whole = all(isinstance(i, int | np.integer) and not isinstance(i, bool) and 0 <= i < count for i in chosen)
    if not whole or len(chosen) not in (1, 2) or len(set(chosen)) < len(chosen):
        there = "only direction 0" if count == 1 else f"directions 0 to {count - 1}"
        raise DataError(f"component={component!r} must be one direction or two different ones; there is {there}.")
    return tuple(int(i) for i in chosen)
