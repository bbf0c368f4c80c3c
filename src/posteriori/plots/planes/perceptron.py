"""`PerceptronDisplay`: the decision boundary before and after updates of the perceptron."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.messages.errors import DataError
from posteriori.plots.planes.line import Line, PlaneRows, Window, draw_normal, read_plane_rows
from posteriori.plots.shared.canvas import ink, panels_for
from posteriori.solvers.ordered.perceptron_trace import PerceptronTrace

#: Length of the arrow w, as a fraction of the width of the window.
ARROW = 0.22


@dataclass(frozen=True)
class WeightsPanel:
    """The weights before or after an update, drawn in one panel.

    Parameters
    ----------
    title : title of the panel
    w : (3,) the weights, intercept first
    previous : (3,) the weights before the update, drawn pale; or None
    misclassified : index of the misclassified row of the update; or None
    """

    title: str
    w: Array
    previous: Array | None = None
    misclassified: int | None = None


class PerceptronDisplay:
    """Two panels per update: the boundary with the misclassified row circled, and the boundary after the update.

    A misclassified row of class t = ±1 adds t (1, x) to the weights, which moves the boundary so that the row is on the
    correct side or nearer to it. Other rows may become misclassified. The arrow w points to the second class.

    Book: [Bishop] Fig. 4.7 and Eq. 4.55, §4.1.7.

    Parameters
    ----------
    rows : rows of two features, with classes
    panels : the weights drawn in each panel

    Attributes
    ----------
    ax_, axes_, figure_ : matplotlib axes and figure; `ax_` is the first of `axes_`
    boundaries_ : one per panel; None if w is zero, or the boundary is outside the panel
    arrows_ : w in each panel, or None
    mistakes_ : the circles, or None
    points_ : the rows, one collection per class and panel

    Examples
    --------
    >>> import posteriori as pt
    >>> from posteriori.plots.planes.perceptron import PerceptronDisplay
    >>> X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 0, 0, 1]
    >>> model = pt.Perceptron(trace=True).fit(X, y)
    >>> [ax.get_title() for ax in PerceptronDisplay.from_estimator(model, X, y, steps=[0, 17]).axes_]
    ['before update 1', 'after update 1: 1 error', 'before update 18', 'after update 18: no errors']
    """

    def __init__(self, rows: PlaneRows, panels: Sequence[WeightsPanel]) -> None:
        self.rows, self.panels = rows, tuple(panels)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, steps: Any = None, ax: Any = None) -> Self:
        """Draw updates of a perceptron that was fitted with ``trace=True``.

        Parameters
        ----------
        estimator : fitted Perceptron of two classes and two features
        X, y : the rows it was fitted to, and their classes
        steps : indices of the updates, negative ones from the end; default the last two
        ax : matplotlib axes to divide, or one per panel; default new ones
        """
        check_is_fitted(estimator)
        trace = getattr(estimator, "trace_", None)
        if not isinstance(trace, PerceptronTrace):
            raise DataError(
                f"{type(estimator).__name__} has no trace of its updates: fit a Perceptron with trace=True."
            )
        rows = read_plane_rows(estimator, X, y)
        if trace.before.shape[1:] != (3,):
            raise DataError("the weights are not those of the two columns of X: a basis cannot be drawn in the plane.")
        codes = rows.labels.codes
        if codes is None:
            raise DataError("the updates need the classes of the rows: pass y.")
        _check_rows(trace, rows.points, codes)
        panels = [panel for step in _chosen(steps, len(trace)) for panel in _panels(trace, step, rows.points, codes)]
        return cls(rows, panels).plot(ax)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib axes to divide into panels, or one per panel
        legend : whether to draw a legend
        """
        count = len(self.panels)
        self.axes_ = panels_for(ax, count, figsize=(3.4 * count, 3.5))
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        self.boundaries_: list[Any] = []
        self.arrows_: list[Any] = []
        self.mistakes_: list[Any] = []
        self.points_: list[Any] = []
        window = self.rows.window()
        for panel, axes in zip(self.panels, self.axes_, strict=True):
            self._plot_rows(axes, panel.misclassified)
            if panel.previous is not None and panel.previous[1:].any():
                axes.plot(*_line(panel.previous).clip(window).T, color=ink(0.4), ls="--", lw=1.2)
            self._plot_weights(axes, panel.w, window)
            axes.set(xlim=window[:2], ylim=window[2:], xlabel=self.rows.names[0], aspect="equal")
            axes.set_title(panel.title, fontsize="medium")
        self.ax_.set_ylabel(self.rows.names[1])
        if legend:
            self.ax_.legend(fontsize="small")
        return self

    def _plot_rows(self, ax: Any, misclassified: int | None) -> None:
        self.points_ += self.rows.draw(ax, zorder=3)
        circle = None
        if misclassified is not None:
            (circle,) = ax.plot(
                *self.rows.points[misclassified], "o", mfc="none", mec=ink(0.9), ms=14, mew=1.8, zorder=4
            )
        self.mistakes_.append(circle)

    def _plot_weights(self, ax: Any, w: Array, window: Window) -> None:
        """Draw the boundary, and w from the middle of its part in the window."""
        ends = _line(w).clip(window) if w[1:].any() else np.full((2, 2), np.nan)
        if not np.isfinite(ends).all():
            note = "the boundary is outside" if w[1:].any() else "$w = 0$: no boundary yet"
            ax.annotate(note, (0.5, 0.02), xycoords="axes fraction", ha="center", va="bottom")
            self.boundaries_.append(None)
            self.arrows_.append(None)
            return
        line, start = _line(w), ends.mean(axis=0)
        self.boundaries_ += ax.plot(*ends.T, color=ink(0.9), lw=1.8)
        self.arrows_.append(draw_normal(ax, line, start, ARROW * (window[1] - window[0]), zorder=5)[0])


def _line(w: Array) -> Line:
    return Line(w[1:], float(w[0]))


def _chosen(steps: Any, count: int) -> list[int]:
    """Return the indices of the updates to draw."""
    if count == 0:
        raise DataError("the fit made no update that could be drawn.")
    wanted = list(range(max(count - 2, 0), count)) if steps is None else list(np.atleast_1d(steps).tolist())
    for step in wanted:
        if isinstance(step, bool) or not isinstance(step, int) or not -count <= step < count:
            raise DataError(f"steps: there is no update {step!r}; they are numbered from 0 to {count - 1}.")
    if not wanted:
        raise DataError("steps is empty: pass the index of an update.")
    return [step % count for step in wanted]


def _panels(trace: PerceptronTrace, step: int, points: Array, codes: NDArray[np.intp]) -> list[WeightsPanel]:
    """Return the panels before and after an update."""
    update = trace[step]
    wrong = int(((2.0 * codes - 1.0) * _line(update.after).height(points) <= 0).sum())
    count = "no errors" if wrong == 0 else "1 error" if wrong == 1 else f"{wrong} errors"
    after = WeightsPanel(f"after update {step + 1}: {count}", update.after, previous=update.before)
    return [WeightsPanel(f"before update {step + 1}", update.before, misclassified=update.row), after]


def _check_rows(trace: PerceptronTrace, points: Array, codes: NDArray[np.intp]) -> None:
    """Raise if the updates do not follow from the rows; each is a multiple of t (1, x)."""
    consistent = len(trace) == 0 or int(trace.row.max()) < len(points)
    if consistent:
        steps = trace.after - trace.before
        signs = 2.0 * codes[trace.row] - 1.0
        rate = steps[:, :1] * signs[:, None]
        rows = np.column_stack([np.ones(len(trace)), points[trace.row]]) * signs[:, None] * rate
        size = np.abs(trace.before) + np.abs(trace.after) + np.abs(rows)  # the scale of rounding errors
        consistent = bool((rate > 0).all() and (np.abs(steps - rows) <= 1e-9 * size).all())
    if not consistent:
        raise DataError(
            "X and y are not the rows that the perceptron was fitted to: its updates do not follow from them."
        )
