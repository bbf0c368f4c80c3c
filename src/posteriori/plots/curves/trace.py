"""`TraceDisplay`: convergence of a solver, step by step."""

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
    """The objective minus its minimum, by step, on a log scale: one line per fit.

    Newton's method converges quadratically (the curve bends down), gradient methods linearly (a straight line), and
    on-line steps irregularly.

    Book: [Mitchell] §3.2; [Jordan] §7.3.1.

    Parameters
    ----------
    gaps : {name: (m,) objective minus `least` after each step}
    least : the minimum of the objective

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    lines_ : list of lines, in the order of the fits

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
        estimator : fitted with ``trace=True``; also in a `TableClassifier`, a pipeline or a search
        least : the minimum of the objective, default the smallest value in the trace
        ax : matplotlib axes, default new ones
        name : name of the line, default that of the solver
        """
        solver = str(getattr(_traced(estimator), "solver", "fit"))
        return cls.from_estimators({name or solver: estimator}, least=least, ax=ax)

    @classmethod
    def from_estimators(cls, estimators: Mapping[str, Any], *, least: float | None = None, ax: Any = None) -> Self:
        """Draw the traces of several fits to the same rows, above the smallest objective that any of them reached.

        Parameters
        ----------
        estimators : {name: fitted with ``trace=True``}
        least, ax : as in `from_estimator`
        """
        values = {name: _objective(estimator, name) for name, estimator in estimators.items()}
        if not values:
            raise DataError("no estimator to draw the trace of: pass {name: fitted estimator}.")
        lowest = min(float(np.nanmin(value)) for value in values.values()) if least is None else float(least)
        return cls({name: value - lowest for name, value in values.items()}, lowest).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones; objectives at or below `least` are left out."""
        ax = axes_for(ax)
        self.ax_, self.figure_, self.lines_ = ax, ax.figure, []
        for number, (name, gap) in enumerate(self.gaps.items(), len(ax.lines)):
            shown = np.where(gap > 0, gap, np.nan)
            style = {"color": colour(number), "ls": stroke(number), "marker": mark(number) if len(gap) < 100 else ""}
            (line,) = ax.plot(np.arange(len(gap)), shown, markersize=4, label=plain(name), **style)
            self.lines_.append(line)
        ax.set_yscale("log")
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.set_xlabel("step")
        ax.set_ylabel("objective minus its minimum")
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
        raise DataError(f"{name!r} has no trace of its objective: fit it with trace=True.")
    return np.asarray(trace.objective, dtype=np.float64)
