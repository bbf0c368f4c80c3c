"""`CoefficientDisplay`: a forest plot of coefficients with intervals."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.messages.errors import DataError
from posteriori.plots.coefficients.estimates import ALIASED, INFINITE, NOT_IDENTIFIED, UNDECIDED, Estimates
from posteriori.plots.coefficients.estimates_of_models import estimates_of
from posteriori.plots.shared.canvas import axes_for, colour, ink, mark
from posteriori.plots.shared.wording import ROOM, plain

#: Text in place of an estimate that does not exist or cannot be drawn.
NOT_FINITE, BEYOND = "no finite estimate", "beyond floating-point range"
#: Text by state, for estimates that tend to neither side.
UNDIRECTED = {ALIASED: "not identified", NOT_IDENTIFIED: "not identified", UNDECIDED: NOT_FINITE}


class CoefficientDisplay:
    """A forest plot: the estimate and interval of each coefficient, with a line at no effect.

    A coefficient without a finite estimate (separation) is drawn as an arrow in its direction, or as arrows to both
    sides if it is not identified; an aliased column is labelled as such. None of them is drawn as a number. With more
    than two classes, each class has its own colour and marker. Models without standard errors have no intervals, as
    the note below the axis says.

    Book: [Jordan] §7.3.1; [Mitchell] §3.1.

    Parameters
    ----------
    estimates : coefficients and intervals

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    points_, intervals_ : {class: artist}
    arrows_, words_ : for estimates and bounds that are not finite: markers at the edge, and text
    null_ : the line of no effect, at 0, or at 1 for ratios
    foot_ : the note on the method of the intervals

    Examples
    --------
    >>> import posteriori as pt
    >>> dose = [[1.6907], [1.7242], [1.7552], [1.7842], [1.8113], [1.8369], [1.8610], [1.8839]]
    >>> y = pt.counts(successes=[6, 13, 18, 28, 52, 53, 61, 60], trials=[59, 60, 62, 56, 63, 59, 62, 60])
    >>> display = pt.CoefficientDisplay.from_estimator(pt.LogisticRegression().fit(dose, y))
    >>> display.estimates.terms, display.estimates.values.round(2).tolist(), display.estimates.lower.round(2).tolist()
    (('x0',), [34.27], [28.56])
    """

    def __init__(self, estimates: Estimates) -> None:
        self.estimates = estimates

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        y: Any = None,
        *,
        level: float = 0.95,
        exponentiate: bool = False,
        covariance: str | None = None,
        interval: str = "wald",
        reference: Any = None,
        terms: Sequence[str] | None = None,
        intercept: bool = False,
        ax: Any = None,
        **rows: Any,
    ) -> Self:
        """Draw the coefficients of a fitted classifier.

        Parameters
        ----------
        estimator : with ``summary()``, ``as_linear()`` or ``coef_``; also in a `TableClassifier`, a pipeline or
            a decision wrapper. ``as_linear()`` is drawn as log odds relative to the reference
        X, y : rows of the fit, if the intervals need them, as for ``summary()``
        level : level of the intervals
        exponentiate : whether to draw odds ratios (cloglog: hazard ratios), on a log scale
        covariance : None | "observed" | "expected" | "robust" | "cluster", as for ``summary()``
        interval : "wald" | "profile" (needs the rows)
        reference : the reference class
        terms : the columns to draw, in this order, default all; a column of a frame stands for all its levels
        intercept : whether to draw the intercept
        ax : matplotlib axes, default new ones, with a height by the number of coefficients
        rows : sample_weight=, offset=, groups= of the fit, in addition to X and y
        """
        choice("exponentiate", exponentiate, (True, False))
        choice("intercept", intercept, (True, False))
        rows = {name: value for name, value in {"X": X, "y": y}.items() if value is not None} | rows
        estimates = estimates_of(
            estimator, level=level, exponentiate=exponentiate, covariance=covariance, interval=interval,
            reference=reference, rows=rows,
        )  # fmt: skip
        return cls(estimates.select(terms, intercept)).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones."""
        estimates = self.estimates
        terms, labels = list(dict.fromkeys(estimates.terms)), list(dict.fromkeys(estimates.labels))
        if len(set(zip(estimates.terms, estimates.labels, strict=True))) < len(estimates.terms):
            raise DataError("two coefficients have the same name and class: rename one of the columns.")
        each = 0.3 if len(labels) == 1 else 0.1 + 0.17 * len(labels)
        ax = axes_for(ax, figsize=(6.4, 1.1 + each * max(len(terms), 2) + (0.3 if len(labels) > 1 else 0.0)))
        self.ax_, self.figure_ = ax, ax.figure
        self.points_: dict[Any, Any] = {}
        self.intervals_: dict[Any, Any] = {}
        self.arrows_: list[Any] = []
        self.words_: list[Any] = []
        if estimates.exponentiated:
            ax.set_xscale("log")
        self._limits = _limits(estimates)
        self.null_ = ax.axvline(1.0 if estimates.exponentiated else 0.0, color=ink(0.4), lw=1, zorder=1)
        shifts = np.linspace(-1, 1, len(labels)) * min(0.12 * (len(labels) - 1), 0.34) if len(labels) > 1 else [0.0]
        for number, label in enumerate(labels):
            at = np.array([i for i, own in enumerate(estimates.labels) if own == label])
            height = np.array([terms.index(estimates.terms[i]) for i in at]) + shifts[number]
            self._draw_class(number, label, at, height)
        self._finish(terms, labels)
        return self

    def _draw_class(self, number: int, label: Any, at: NDArray[np.intp], height: Array) -> None:
        """Draw the coefficients of one class."""
        estimates, ax, hue = self.estimates, self.ax_, colour(number)
        values, lower, upper = estimates.values[at], estimates.lower[at], estimates.upper[at]
        states = np.array([estimates.states[i] for i in at])
        shown = (states == "ok") & _drawable(values, estimates.exponentiated)
        style = {"color": hue, "linestyle": "none", "marker": mark(number), "markersize": 5.5, "zorder": 3}
        (self.points_[label],) = ax.plot(values[shown], height[shown], label=plain(label, ROOM), **style)
        bounded = ~(np.isnan(lower) | np.isnan(upper)) & (states != ALIASED)
        ends = [self._ends(lower, bounded, height, hue), self._ends(upper, bounded, height, hue)]
        self.intervals_[label] = ax.hlines(height[bounded], ends[0][bounded], ends[1][bounded], color=hue, lw=1.6)
        null = 1.0 if estimates.exponentiated else 0.0
        for i in np.flatnonzero(~shown):
            if states[i] in UNDIRECTED:
                self._annotate(UNDIRECTED[states[i]], null, height[i], "center", hue)
                for side in (0, 1) if states[i] != ALIASED else ():
                    self._arrow(side, height[i], hue, bool(bounded[i]))
                continue
            side = int(values[i] > null)
            self._arrow(side, height[i], hue, bool(bounded[i]))
            words = NOT_FINITE if states[i] == INFINITE else BEYOND
            inner = ends[1 - side][i] if bounded[i] else self._limits[side]  # next to its bound, else at the arrow
            self._annotate(words, inner, height[i], "right" if side else "left", hue)

    def _ends(self, bounds: Array, bounded: NDArray[np.bool_], height: Array, hue: str) -> Array:
        """Return the ends of the interval lines: the bounds, or the edge with an arrow if a bound is not finite."""
        ratios = self.estimates.exponentiated
        there, side = _drawable(bounds, ratios), (bounds > float(ratios)).astype(np.intp)
        for i in np.flatnonzero(bounded & ~there):
            self._arrow(int(side[i]), height[i], hue, False)
        return np.where(there, bounds, np.asarray(self._limits)[side])

    def _arrow(self, side: int, height: float, hue: str, drawn: bool) -> None:
        if not drawn:  # an interval that is unbounded on this side has its own arrow
            (arrow,) = self.ax_.plot(
                [self._limits[side]], [height], marker=">" if side else "<", color=hue, markersize=7, zorder=3,
                clip_on=False,
            )  # fmt: skip
            self.arrows_.append(arrow)

    def _annotate(self, words: str, x: float, height: float, align: str, hue: str) -> None:
        """Write text in place of a number that cannot be drawn."""
        shift = {"right": -9, "left": 9, "center": 0}[align]
        text = self.ax_.annotate(
            words, (x, height), (shift, 0), textcoords="offset points", ha=align, va="center", color=hue,
            fontsize="small", style="italic", zorder=2, bbox={"fc": ink(0.0), "ec": "none", "pad": 1.0},
        )  # fmt: skip
        self.words_.append(text)

    def _finish(self, terms: list[str], labels: list[Any]) -> None:
        ax, estimates = self.ax_, self.estimates
        ax.set_yticks(range(len(terms)), [plain(term, ROOM) for term in terms])
        ax.set(ylim=(len(terms) - 0.5, -0.5), xlim=self._limits, xlabel=plain(estimates.scale))
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(axis="y", length=0, pad=8)  # beside arrows at the edge
        ax.set_axisbelow(True)
        ax.grid(axis="y", color=ink(0.07), lw=0.8)
        if estimates.exponentiated:
            _ticks(ax, *self._limits)
        else:
            ax.locator_params(axis="x", nbins=7)
        if len(labels) > 1:
            location = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "ncols": min(len(labels), 4)}
            ax.legend(frameon=False, fontsize="small", **location)
        self.foot_ = ax.annotate(
            plain(estimates.foot), (0.5, 0.0), (0, -3), xycoords=ax.xaxis.label, textcoords="offset points",
            ha="center", va="top", fontsize="x-small", color=ink(0.65),
        )  # fmt: skip


def _drawable(values: Array, ratios: bool) -> NDArray[np.bool_]:
    """Return which numbers can be drawn on the axis."""
    finite: NDArray[np.bool_] = np.isfinite(values) & (values > 0) if ratios else np.isfinite(values)
    return finite


def _limits(estimates: Estimates) -> tuple[float, float]:
    """Return the limits of the axis, which include all estimates, bounds and the line of no effect."""
    known = [estimates.values[np.array(estimates.states) == "ok"], estimates.lower, estimates.upper]
    numbers = np.concatenate([part[_drawable(part, estimates.exponentiated)] for part in known])
    if estimates.exponentiated:
        numbers = np.log(numbers)
    low, high = min(0.0, numbers.min(initial=0.0)), max(0.0, numbers.max(initial=0.0))
    margin = 0.08 * (high - low) if high > low else 1.0
    low, high = low - margin, high + margin
    return (float(np.exp(low)), float(np.exp(high))) if estimates.exponentiated else (low, high)


def _ticks(ax: Any, low: float, high: float) -> None:
    """Label a log axis with plain numbers, more of them if it is short."""
    from matplotlib import ticker

    decades = np.log10(high / low)
    locator: Any = ticker.LogLocator(subs=(1.0, 2.0, 5.0) if decades < 2.5 else (1.0,))
    if decades < 0.6:  # evenly spaced from 1, since there are few powers of ten
        step = float(np.diff(ticker.MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(low, high))[0])
        ticks = 1.0 + step * np.arange(np.ceil((low - 1.0) / step), (high - 1.0) / step + 1e-9)
        locator = ticker.FixedLocator(ticks.tolist())
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:.6g}"))
    ax.xaxis.set_minor_formatter(ticker.NullFormatter())
    ax.xaxis.set_minor_locator(ticker.NullLocator())
