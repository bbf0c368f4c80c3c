"""`PerceptronDisplay`: the boundary before and after mistakes that the perceptron learned from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.messages.errors import DataError
from posteriori.plots.planes.boundary import Line, PlaneRows, read_plane_rows
from posteriori.plots.shared.canvas import ink, panels_for
from posteriori.plots.shared.rows import style
from posteriori.plots.shared.wording import ROOM, plain
from posteriori.solvers.ordered.perceptron import PerceptronTrace

#: The length of the arrow w, as a share of the window's width.
ARROW = 0.22


@dataclass(frozen=True)
class Moment:
    """The weights at one time.

    Parameters
    ----------
    title : which time it is
    w : (3,) the weights, intercept first
    earlier : (3,) those before, to be drawn pale; or None
    mistake : number of the row that is about to be learned from; or None
    """

    title: str
    w: Array
    earlier: Array | None = None
    mistake: int | None = None


class PerceptronDisplay:
    """Two panels an update: the boundary with the mistaken row in a circle, and the boundary after learning from it.

    A mistake of class t = ±1 adds t (1, x) to the weights: the boundary turns and moves until the row is on its right
    side, or nearer to it. Other rows may become mistakes by that. The arrow w points to the second class.

    Book: [Bishop] Fig. 4.7 and Eq. 4.55, §4.1.7.

    Parameters
    ----------
    rows : of two columns, with classes
    moments : what to draw, one for each panel

    Attributes
    ----------
    ax_, axes_, figure_ : where it was drawn; `ax_` is the first of `axes_`
    boundaries_ : one for each panel; None where all weights of x are zero, or none of it is to be seen
    arrows_ : w in each panel, or None
    mistakes_ : the circles, or None
    points_ : the rows, a collection a class and panel

    Examples
    --------
    >>> import posteriori as pt
    >>> from posteriori.plots.planes.perceptron import PerceptronDisplay
    >>> X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 0, 0, 1]
    >>> model = pt.Perceptron(trace=True).fit(X, y)
    >>> [ax.get_title() for ax in PerceptronDisplay.from_estimator(model, X, y, steps=[0, 17]).axes_]
    ['before update 1', 'after update 1: 1 mistake', 'before update 18', 'after update 18: no mistakes']
    """

    def __init__(self, rows: PlaneRows, moments: Sequence[Moment]) -> None:
        self.rows, self.moments = rows, tuple(moments)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, steps: Any = None, ax: Any = None) -> Self:
        """Draw updates of a perceptron that was fitted with ``trace=True``.

        Parameters
        ----------
        estimator : fitted Perceptron of two classes over two columns
        X, y : the rows it was fitted on, and their classes
        steps : numbers of the updates from zero, negative ones from the end; by default the last two
        ax : matplotlib axes to divide, or one for each panel; default new ones
        """
        check_is_fitted(estimator)
        trace = getattr(estimator, "trace_", None)
        if not isinstance(trace, PerceptronTrace):
            raise DataError(f"{type(estimator).__name__} kept no updates: fit a Perceptron with trace=True.")
        rows = read_plane_rows(estimator, X, y)
        if trace.before.shape[1:] != (3,):
            raise DataError("the weights are not over the two columns of X: a basis cannot be drawn in the plane.")
        codes = rows.labels.codes
        if codes is None:
            raise DataError("the perceptron learns from rows and their classes: give y.")
        _refuse_others(trace, rows.points, codes)
        moments = [m for step in _chosen(steps, len(trace)) for m in _moments(trace, step, rows.points, codes)]
        return cls(rows, moments).plot(ax)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw on the axes given, else on new ones.

        Parameters
        ----------
        ax : matplotlib axes to divide into panels, or one for each
        legend : whether to name the classes
        """
        count = len(self.moments)
        self.axes_ = panels_for(ax, count, figsize=(3.4 * count, 3.5))
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        self.boundaries_: list[Any] = []
        self.arrows_: list[Any] = []
        self.mistakes_: list[Any] = []
        self.points_: list[Any] = []
        window = self.rows.window()
        for moment, axes in zip(self.moments, self.axes_, strict=True):
            self._plot_rows(axes, moment.mistake)
            if moment.earlier is not None and moment.earlier[1:].any():
                axes.plot(*_line(moment.earlier).within(window).T, color=ink(0.4), ls="--", lw=1.2)
            self._plot_weights(axes, moment.w, window)
            axes.set(xlim=window[:2], ylim=window[2:], xlabel=self.rows.names[0], aspect="equal")
            axes.set_title(moment.title, fontsize="medium")
        self.ax_.set_ylabel(self.rows.names[1])
        if legend:
            self.ax_.legend(fontsize="small")
        return self

    def _plot_rows(self, ax: Any, mistake: int | None) -> None:
        points, labels = self.rows.points, self.rows.labels
        for k, own in labels.groups(len(points)):
            name = None if k is None else plain(labels.classes[k], ROOM)
            self.points_.append(ax.scatter(*points[own].T, label=name, zorder=3, **style(k)))
        circle = None
        if mistake is not None:
            (circle,) = ax.plot(*points[mistake], "o", mfc="none", mec=ink(0.9), ms=14, mew=1.8, zorder=4)
        self.mistakes_.append(circle)

    def _plot_weights(self, ax: Any, w: Array, window: tuple[float, float, float, float]) -> None:
        """Draw the boundary, and w from the middle of what the window shows of it."""
        ends = _line(w).within(window) if w[1:].any() else np.full((2, 2), np.nan)
        if not np.isfinite(ends).all():
            why = "the boundary is further out" if w[1:].any() else "$w = 0$: no boundary yet"
            ax.annotate(why, (0.5, 0.02), xycoords="axes fraction", ha="center", va="bottom")
            self.boundaries_.append(None)
            self.arrows_.append(None)
            return
        line, start = _line(w), ends.mean(axis=0)
        self.boundaries_ += ax.plot(*ends.T, color=ink(0.9), lw=1.8)
        arrow = {"arrowstyle": "-|>", "lw": 2.0, "color": ink(0.9), "shrinkA": 0, "shrinkB": 0, "mutation_scale": 16}
        end = start + ARROW * (window[1] - window[0]) * line.w / line.size
        self.arrows_.append(ax.annotate("", end, start, arrowprops=arrow, zorder=5))


def _line(w: Array) -> Line:
    return Line(w[1:], float(w[0]))


def _chosen(steps: Any, count: int) -> list[int]:
    """Give the numbers of the updates to draw."""
    if count == 0:
        raise DataError("there was no update to draw.")
    wanted = list(range(max(count - 2, 0), count)) if steps is None else list(np.atleast_1d(steps).tolist())
    for step in wanted:
        if isinstance(step, bool) or not isinstance(step, int) or not -count <= step < count:
            raise DataError(f"steps: there is no update {step!r}; they are numbered from 0 to {count - 1}.")
    if not wanted:
        raise DataError("steps names no update.")
    return [step % count for step in wanted]


def _moments(trace: PerceptronTrace, step: int, points: Array, codes: NDArray[np.intp]) -> list[Moment]:
    update = trace[step]
    wrong = int(((2.0 * codes - 1.0) * _line(update.after).height(points) <= 0).sum())
    left = "no mistakes" if wrong == 0 else "1 mistake" if wrong == 1 else f"{wrong} mistakes"
    after = Moment(f"after update {step + 1}: {left}", update.after, earlier=update.before)
    return [Moment(f"before update {step + 1}", update.before, mistake=update.row), after]


def _refuse_others(trace: PerceptronTrace, points: Array, codes: NDArray[np.intp]) -> None:
    """Refuse rows that the updates cannot have come from: a step is a multiple of t (1, x)."""
    fits = len(trace) == 0 or int(trace.row.max()) < len(points)
    if fits:
        steps = trace.after - trace.before
        signs = 2.0 * codes[trace.row] - 1.0
        rate = steps[:, :1] * signs[:, None]
        rows = np.column_stack([np.ones(len(trace)), points[trace.row]]) * signs[:, None] * rate
        size = np.abs(trace.before) + np.abs(trace.after) + np.abs(rows)  # what rounding is relative to
        fits = bool((rate > 0).all() and (np.abs(steps - rows) <= 1e-9 * size).all())
    if not fits:
        raise DataError("X and y are not the rows that the perceptron was fitted on: its updates do not fit them.")
