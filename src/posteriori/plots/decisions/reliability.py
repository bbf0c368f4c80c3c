"""`ReliabilityDisplay`: whether probabilities are what they say."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from posteriori.checks.parameters import choice
from posteriori.decisions.calibration import Reliability
from posteriori.messages.errors import DataError
from posteriori.plots.decisions.lower_panel import axes_below
from posteriori.plots.decisions.predicted_probabilities import ask, forecasts_given, forecasts_of, several
from posteriori.plots.decisions.reliability_curves import EVENTS, curves_of
from posteriori.plots.shared.canvas import axes_for, colour, ink, mark, stroke
from posteriori.plots.shared.wording import ROOM, plain

#: The most curves whose legend stands on the axes; that of more beside them.
FEW = 4


class ReliabilityDisplay:
    """Observed shares against forecast probabilities: a calibrated model lies on the diagonal.

    Rows are cut into bins by the probability that the model gives an event; a mark is at the mean probability of a
    bin and the share of its rows in which the event came true, with Wilson's interval of that share. Above the
    diagonal events come more often than forecast, below it less often. How the forecasts are spread is drawn below.

    Book: [Sugiyama] ch. 28, introduction: p(y | x) as the reliability of a label.

    Parameters
    ----------
    curves : {class or name of a model: Reliability}
    forecast, observed : the words on the axes

    Attributes
    ----------
    ax_, figure_ : where it was drawn
    histogram_ax_ : the axes of the histogram below, or None
    lines_, histograms_ : {class or name: artist}
    diagonal_ : the line of perfect calibration
    errors_ : {class or name: calibration error}, over up to ten bins of equally many rows, at least 20 each, whatever
        bins are drawn; of two classes, and averaged over more, that of `compare`

    Examples
    --------
    >>> import numpy as np
    >>> import posteriori as pt
    >>> rng = np.random.default_rng(0)
    >>> x = rng.standard_normal(1000)
    >>> y = np.where(x + rng.logistic(size=1000) > 0, "ill", "well")
    >>> model = pt.LogisticRegression().fit(x[:, None], y)
    >>> display = pt.ReliabilityDisplay.from_estimator(model, x[:, None], y, positive="ill", bins=4)
    >>> display.curves["ill"].forecast.round(2).tolist(), display.curves["ill"].share.round(2).tolist()
    ([0.21, 0.38, 0.54, 0.75], [0.22, 0.36, 0.55, 0.75])
    """

    def __init__(
        self, curves: Mapping[Any, Reliability], forecast: str = "forecast probability", observed: str = "share"
    ) -> None:
        self.curves, self.forecast, self.observed = dict(curves), forecast, observed

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        positive: Any = None,
        of: str | None = None,
        bins: int = 10,
        strategy: str = "quantile",
        level: float = 0.95,
        name: str | None = None,
        ax: Any = None,
        **given: Any,
    ) -> Self:
        """Compare the probabilities of a fitted classifier with the classes of some rows, and draw it.

        Parameters
        ----------
        estimator : with ``predict_proba``, of this library or scikit-learn's
        X : (n, d) rows that the model was not fitted to; a frame, an array, a sparse matrix
        y : (n,) their classes, or the name of a column of X
        sample_weight : (n,) or the name of a column; a row of weight k counts as k rows, one of weight zero not at all
        positive : the class whose probability is meant, by default ``classes_[1]`` of two, and of more each in turn
        of : "class" (default) | "top"
            "top" asks whether the most probable class is the true one as often as its probability says.
        bins : how many at most; rows of one probability are never parted
        strategy : "quantile" (bins of equally many rows) | "uniform" (of equal width)
        level : of Wilson's intervals
        name : of the model, for the legend; default the class alone
        ax : matplotlib axes, default new ones; they give up their lowest part to the histogram. On axes that have
            curves already, this is drawn with them
        **given : passed on to the classifier, such as ``offset``
        """
        forecasts = forecasts_of(estimator, ask(X, y, sample_weight, **given))
        curves, *words = curves_of(forecasts, positive, of, bins, strategy, level)
        return cls(_named(curves, name), *words).plot(ax)

    @classmethod
    def from_predictions(
        cls,
        y: Any,
        probabilities: Any,
        classes: Any = None,
        *,
        sample_weight: Any = None,
        positive: Any = None,
        of: str | None = None,
        bins: int = 10,
        strategy: str = "quantile",
        level: float = 0.95,
        name: str | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw probabilities that are there already.

        Parameters
        ----------
        y : (n,) classes
        probabilities : (n, K) a column a class; of two classes also (n,), those of the second
        classes : (K,) the labels of the columns, default the distinct ones of y in order; to be given where y lacks
            some
        sample_weight, positive, of, bins, strategy, level, name, ax : as in `from_estimator`
        """
        forecasts = forecasts_given(y, probabilities, classes, sample_weight)
        curves, *words = curves_of(forecasts, positive, of, bins, strategy, level)
        return cls(_named(curves, name), *words).plot(ax)

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        positive: Any = None,
        of: str | None = None,
        bins: int = 10,
        strategy: str = "quantile",
        level: float = 0.95,
        ax: Any = None,
        **given: Any,
    ) -> Self:
        """Draw several models over one another, a curve each.

        Parameters
        ----------
        estimators : {name: fitted classifier}
        of : by default "class" for two classes or where `positive` is given, otherwise "top"
        X, y, sample_weight, positive, bins, strategy, level, ax, given : as in `from_estimator`
        """
        rows = ask(X, y, sample_weight, **given)
        told = {name: forecasts_of(model, rows) for name, model in several(estimators).items()}
        first = next(iter(told.values()))
        two = all(len(each.classes) == 2 for each in told.values())
        of = ("class" if two or positive is not None else "top") if of is None else choice("of", of, EVENTS)
        if of == "class" and positive is None:
            if not two:
                raise DataError("several models of more than two classes: say which class by positive=, or of='top'.")
            positive = first.labels[1]
        found = {name: curves_of(each, positive, of, bins, strategy, level) for name, each in told.items()}
        curves = {name: next(iter(each.values())) for name, (each, _, _) in found.items()}
        _, forecast, observed = found[next(iter(found))]
        return cls(curves, forecast, observed).plot(ax)

    @property
    def errors_(self) -> dict[Any, float]:
        """The calibration error of each curve."""
        return {name: curve.error for name, curve in self.curves.items()}

    # --- drawing

    def plot(self, ax: Any = None, *, histogram: bool = True) -> Self:
        """Draw on the axes given, else on new ones.

        Parameters
        ----------
        ax : matplotlib axes
        histogram : whether to draw below how the forecasts are spread
        """
        wide = 5.2 if len(self.curves) <= FEW else 7.6
        ax = axes_for(ax, figsize=(wide, 5.8 if histogram else 5.0))
        self.ax_, self.figure_ = ax, ax.figure
        self.lines_: dict[Any, Any] = {}
        self.histograms_: dict[Any, Any] = {}
        self.histogram_ax_ = axes_below(ax) if histogram else None
        before = len(ax.containers)
        label = None if before else "as forecast"
        (self.diagonal_,) = ax.plot([0, 1], [0, 1], color=ink(0.4), lw=1, ls="--", label=label, zorder=1)
        for number, (name, curve) in enumerate(self.curves.items(), before):
            self._curve(number, name, curve)
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), ylabel=self.observed)
        levels = {curve.level for curve in self.curves.values()}
        said = f"bars: Wilson intervals of level {', '.join(f'{level:g}' for level in sorted(levels))}"
        look = {"fontsize": "small", "title": said, "title_fontsize": "x-small"}
        if len(self.curves) > FEW and ax.figure.get_layout_engine() is not None:
            ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), **look)
        else:
            ax.legend(loc="best", framealpha=0.85, **look)
        below = self.histogram_ax_
        if below is None:
            ax.set_xlabel(self.forecast)
        else:
            ax.tick_params(labelbottom=False)
            below.set(xlim=ax.get_xlim(), ylim=(0, None), xlabel=self.forecast, ylabel="rows")
            below.spines[["top", "right"]].set_visible(False)
        return self

    def _curve(self, number: int, name: Any, curve: Reliability) -> None:
        hue = colour(number)
        reach = np.stack([curve.share - curve.low, curve.high - curve.share]).clip(0.0)  # rounding, at 0 and 1
        bars = self.ax_.errorbar(
            curve.forecast, curve.share, reach, color=hue, marker=mark(number), markersize=5, lw=1.3, elinewidth=0.9,
            capsize=2, zorder=3, label=f"{plain(name, ROOM)}: calibration error {curve.error:.3f}",
        )  # fmt: skip
        self.lines_[name] = bars
        if self.histogram_ax_ is not None:
            edges = np.linspace(0, 1, len(curve.spread) + 1)
            fill = {"fill": True, "alpha": 0.35} if len(self.curves) == 1 else {}
            style = {"color": hue, "lw": 1.2, "ls": stroke(number)}
            self.histograms_[name] = self.histogram_ax_.stairs(curve.spread, edges, **style, **fill)


def _named(curves: dict[Any, Reliability], name: str | None) -> dict[Any, Reliability]:
    """Put the name of a model to its curves: of one in place of the class."""
    if name is None:
        return curves
    return {name if len(curves) == 1 else f"{name}, {label}": curve for label, curve in curves.items()}
