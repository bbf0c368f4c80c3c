"""`LearningCurvesDisplay`: the figure of `learning_curves`."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from posteriori.arrays import Array
from posteriori.comparisons.learning_curves import learning_curves
from posteriori.comparisons.learning_curves_result import LearningCurves
from posteriori.comparisons.repeated_scores import CURVES
from posteriori.plots.shared.canvas import axes_for, colour, ink, mark, stroke
from posteriori.plots.shared.signatures import options_of
from posteriori.plots.shared.wording import plain

#: The largest number of sizes for which the axis has one tick each.
MOST_TICKS = 9


class LearningCurvesDisplay:
    """Error against the number of training rows, one curve per model.

    Bands are one standard error over the repeats; if the curves of two models cross, a dotted line marks the size.

    Book: [Mitchell] §4; the figure is that of Ng and Jordan (2002).

    Parameters
    ----------
    sizes : (S,) numbers of training rows
    curves : {name: (S,) means}
    errors : {name: (S,) standard errors}
    metric : name of the metric
    crossing : training rows at which to draw a vertical line, or None

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    lines_, bands_ : lists of artists, in the order of the models
    crossing_line_ : the vertical line, or None

    Examples
    --------
    >>> import numpy as np
    >>> import posteriori as pt
    >>> X, y = np.arange(40.0)[:, None] % 7, np.arange(40) % 7 > np.arange(40) % 3
    >>> display = pt.LearningCurvesDisplay.from_estimators(
    ...     {"gaussian": pt.GaussianClassifier()}, X, y, sizes=[10, 20], repeats=5, random_state=0
    ... )
    >>> display.ax_.get_xscale(), display.sizes
    ('log', (10, 20))
    """

    def __init__(
        self,
        sizes: Sequence[int],
        curves: dict[str, Array],
        errors: dict[str, Array],
        metric: str = "error",
        crossing: float | None = None,
    ) -> None:
        self.sizes, self.curves, self.errors = sizes, curves, errors
        self.metric, self.crossing = metric, crossing

    @classmethod
    def from_curves(cls, curves: LearningCurves, *, metric: str = "error", ax: Any = None, **options: Any) -> Self:
        """Plot the result of `learning_curves`.

        Parameters
        ----------
        curves : the result of `learning_curves`
        metric : "error" | "log_loss" | "brier"
        ax : matplotlib axes
        options : further arguments of `plot`
        """
        means, errors = curves.mean(metric), curves.standard_error(metric)
        failed = curves.failed.sum(axis=1)
        total = curves.repeats * len(curves.sizes)
        names = [
            f"{name} ({count} of {total} fits failed)" if count else name
            for name, count in zip(curves.models, failed, strict=True)
        ]
        crossing = curves.crossing(metric=metric).size if len(names) == 2 else None
        display = cls(
            curves.sizes,
            dict(zip(names, means, strict=True)),
            dict(zip(names, errors, strict=True)),
            CURVES[metric].title(curves.n_classes),
            crossing,
        )
        return display.plot(ax=ax, **options)

    @classmethod
    @options_of(learning_curves)
    def from_estimators(
        cls,
        models: Any,
        X: Any,
        y: Any = None,
        *,
        metric: str = "error",
        ax: Any = None,
        legend: bool = True,
        **options: Any,
    ) -> Self:
        """Compute and plot the learning curves of several models; `options` are those of `learning_curves`."""
        return cls.from_curves(learning_curves(models, X, y, **options), metric=metric, ax=ax, legend=legend)

    @classmethod
    @options_of(from_estimators)
    def from_estimator(cls, estimator: Any, X: Any, y: Any = None, **options: Any) -> Self:
        """Compute and plot the learning curve of one model; `options` are arguments of `from_estimators`."""
        return cls.from_estimators({type(estimator).__name__: estimator}, X, y, **options)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib axes
        legend : whether to draw a legend
        """
        ax = axes_for(ax)
        self.ax_, self.figure_, self.crossing_line_ = ax, ax.figure, None
        self.lines_: list[Any] = []
        self.bands_: list[Any] = []
        sizes = np.asarray(self.sizes, dtype=np.float64)
        for number, (name, curve) in enumerate(self.curves.items(), len(ax.lines)):
            finite = np.where(np.isfinite(curve), curve, np.nan)
            error = np.where(np.isfinite(self.errors[name]), self.errors[name], 0.0)
            hue, style = colour(number), {"ls": stroke(number), "marker": mark(number), "markersize": 4}
            self.lines_ += ax.plot(sizes, finite, color=hue, label=plain(name), **style)
            self.bands_.append(ax.fill_between(sizes, finite - error, finite + error, color=hue, alpha=0.2, lw=0))
        if self.crossing is not None:
            self.crossing_line_ = ax.axvline(self.crossing, color=ink(0.5), lw=1, ls=":")
        ax.set_xscale("log")
        if len(sizes) <= MOST_TICKS:
            ax.set_xticks(sizes, [f"{size:g}" for size in sizes.tolist()])
            ax.set_xticks([], minor=True)
        ax.set_xlabel("training rows")
        ax.set_ylabel(plain(self.metric.replace("_", " ")))
        if legend:
            ax.legend()
        return self
