"""`TraceDisplay`: how near a solver was to its end after each step."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.estimators.wrappers.layers import layers
from posteriori.messages.errors import DataError
from posteriori.plots.shared.canvas import axes_for, colour, mark, stroke
from posteriori.plots.shared.wording import plain


class TraceDisplay:
    """The objective above its least value, by step, on a log scale: one line a fit.

    Newton's method falls off a cliff, gradients go down a slope, on-line steps along a rough one.

    Book: [Mitchell] §3.2; [Jordan] §7.3.1.

    Parameters
    ----------
    gaps : {name: (m,) objective above `least` after each step}
    least : the objective that gaps are measured from

    Attributes
    ----------
    ax_, figure_ : where it was drawn
    lines_ : what was drawn, in the order of the fits

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    >>> fits = {name: pt.LogisticRegression(solver=name, trace=True).fit(X, y) for name in ("irls", "gradient")}
    >>> display = pt.TraceDisplay.from_estimators(fits)
    >>> [len(line.get_xdata()) == len(fits[line.get_label()].trace_) for line in display.lines_]
    [True, True]
    """

    def __init__(self, gaps: Mapping[str, Array], least: float) -> None:
        self.gaps, self.least = gaps, least

    @classmethod
    def from_estimator(cls, estimator: Any, *, least: float | None = None, ax: Any = None, name: str = "") -> Self:
        """Draw the trace of one fit.

        Parameters
        ----------
        estimator : fitted with ``trace=True``; in a table, a pipeline or a search too
        least : the objective to measure from, default the least on the way
        ax : matplotlib axes, default new ones
        name : of the line, default the solver's
        """
        solver = str(getattr(_traced(estimator), "solver", "fit"))
        return cls.from_estimators({name or solver: estimator}, least=least, ax=ax)

    @classmethod
    def from_estimators(cls, estimators: Mapping[str, Any], *, least: float | None = None, ax: Any = None) -> Self:
        """Draw the traces of several fits to the same rows, measured from the least objective that any reached.

        Parameters
        ----------
        estimators : {name: fitted with ``trace=True``}
        least, ax : as in `from_estimator`
        """
        values = {name: _objective(estimator, name) for name, estimator in estimators.items()}
        if not values:
            raise DataError("there is no estimator to draw the trace of: give {name: fitted estimator}.")
        lowest = min(float(np.nanmin(value)) for value in values.values()) if least is None else float(least)
        return cls({name: value - lowest for name, value in values.items()}, lowest).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the axes given, else on new ones. A gap of zero, or below `least`, is left out of its line."""
        ax = axes_for(ax)
        self.ax_, self.figure_, self.lines_ = ax, ax.figure, []
        for number, (name, gap) in enumerate(self.gaps.items(), len(ax.lines)):
            shown = np.where(gap > 0, gap, np.nan)
            look = {"color": colour(number), "ls": stroke(number), "marker": mark(number) if len(gap) < 100 else ""}
            (line,) = ax.plot(np.arange(len(gap)), shown, markersize=4, label=plain(name), **look)
            self.lines_.append(line)
        ax.set_yscale("log")
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.set_xlabel("step")
        ax.set_ylabel("objective above its least value")
        ax.legend()
        return self


def _traced(estimator: Any) -> Any:
    """Return the outermost layer with a trace, else the innermost classifier."""
    stack = [layer.model for layer in layers(estimator)]
    return next((model for model in stack if hasattr(model, "trace_")), stack[-1])


def _objective(estimator: Any, name: str) -> Array:
    check_is_fitted(estimator)
    trace = getattr(_traced(estimator), "trace_", None)
    if trace is None or not hasattr(trace, "objective"):
        raise DataError(f"{name!r} has no trace of its objective: fit with trace=True.")
    return np.asarray(trace.objective, dtype=np.float64)
