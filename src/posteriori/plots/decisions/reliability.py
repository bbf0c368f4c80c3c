"""`ReliabilityDisplay`: whether a classifier is calibrated."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from posteriori.checks.parameters import choice
from posteriori.decisions.calibration import Reliability
from posteriori.messages.errors import DataError
from posteriori.plots.decisions.decision_display import CurvesDisplay
from posteriori.plots.decisions.histogram_axes import axes_below
from posteriori.plots.decisions.predicted_probabilities import PredictedProbabilities
from posteriori.plots.decisions.reliability_curves import EVENTS, curves_of, read_options
from posteriori.plots.shared.canvas import axes_for, colour, ink, mark, stroke
from posteriori.plots.shared.wording import ROOM, plain

#: The most curves for which the legend is placed on the axes; for more it is placed beside them.
FEW = 4


class ReliabilityDisplay(CurvesDisplay):
    """Observed frequencies against predicted probabilities: a calibrated model lies on the diagonal.

    Rows are binned by the predicted probability of an event. Each mark is at the mean predicted probability of a bin
    and the observed frequency of the event in it, with a Wilson interval. Above the diagonal the event is more
    frequent than predicted, below it less frequent. The histogram below shows the distribution of the predicted
    probabilities.

    Book: [Sugiyama] ch. 28, introduction: p(y | x) as the reliability of a label.

    Parameters
    ----------
    curves : {class or name of a model: Reliability}
    predicted_label, observed_label : labels of the x and y axes

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    histogram_ax_ : the axes of the histogram, or None
    lines_, histograms_ : {class or name: artist}
    diagonal_ : the line of perfect calibration
    errors_ : {class or name: calibration error}, computed over up to ten bins of equally many rows, at least 20 in
        each, whatever bins are drawn; for two classes, and averaged over more, it is that of `compare`

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
        self,
        curves: Mapping[Any, Reliability],
        predicted_label: str = "predicted probability",
        observed_label: str = "observed frequency",
    ) -> None:
        self.curves, self.predicted_label, self.observed_label = dict(curves), predicted_label, observed_label

    @classmethod
    def computed(
        cls,
        predicted: PredictedProbabilities,
        *_: Any,
        positive: Any = None,
        of: str | None = None,
        bins: int = 10,
        strategy: str = "quantile",
        level: float = 0.95,
        name: str | None = None,
    ) -> Self:
        """Compute the curves of one model.

        Parameters
        ----------
        predicted : predicted probabilities and true classes
        positive : the class whose probability is drawn; default ``classes_[1]`` of two classes, each class of more
        of : "class" (default) | "top"
            "top" draws how often the most probable class is the true one. For several models the default is "top" if
            some have more than two classes and `positive` is not passed.
        bins : maximum number of bins; rows of equal probability are in one bin
        strategy : "quantile" (bins of equally many rows) | "uniform" (bins of equal width)
        level : level of the Wilson intervals
        name : name of the model in the legend; default the class alone
        """
        curves, *labels = curves_of(predicted, positive, of, read_options(bins, strategy, level))
        if name is not None:
            curves = {name if len(curves) == 1 else f"{name}, {label}": curve for label, curve in curves.items()}
        return cls(curves, *labels)

    @classmethod
    def common_options(
        cls, predicted: Mapping[str, PredictedProbabilities], options: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the event: the same class for all models, or "top" if there are more than two and none is named."""
        binary = all(len(each.classes) == 2 for each in predicted.values())
        positive, of = options.get("positive"), options.get("of")
        of = ("class" if binary or positive is not None else "top") if of is None else choice("of", of, EVENTS)
        if of == "class" and positive is None:
            if not binary:
                raise DataError("some models have more than two classes: name the class by positive=, or use of='top'.")
            positive = next(iter(predicted.values())).labels[1]
        return {"positive": positive, "of": of}

    @classmethod
    def together(cls, displays: Sequence[Self]) -> Self:
        """Return one Display with the curves of several, and the labels of the first."""
        curves = {name: curve for display in displays for name, curve in display.curves.items()}
        return cls(curves, displays[0].predicted_label, displays[0].observed_label)

    @property
    def errors_(self) -> dict[Any, float]:
        """The calibration error of each curve."""
        return {name: curve.error for name, curve in self.curves.items()}

    def plot(self, ax: Any = None, *, histogram: bool = True) -> Self:
        """Draw on the axes `ax`, or on new ones.

        Parameters
        ----------
        ax : matplotlib axes
        histogram : whether to draw the distribution of the predicted probabilities below
        """
        width = 5.2 if len(self.curves) <= FEW else 7.6
        ax = axes_for(ax, figsize=(width, 5.8 if histogram else 5.0))
        self.ax_, self.figure_ = ax, ax.figure
        self.lines_: dict[Any, Any] = {}
        self.histograms_: dict[Any, Any] = {}
        self.histogram_ax_ = axes_below(ax) if histogram else None
        before = len(ax.containers)  # curves that are already on the axes
        label = None if before else "perfectly calibrated"
        (self.diagonal_,) = ax.plot([0, 1], [0, 1], color=ink(0.4), lw=1, ls="--", label=label, zorder=1)
        for number, (name, curve) in enumerate(self.curves.items(), before):
            self._draw_curve(number, name, curve)
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), ylabel=self.observed_label)
        self._draw_legend()
        below = self.histogram_ax_
        if below is None:
            ax.set_xlabel(self.predicted_label)
        else:
            ax.tick_params(labelbottom=False)
            below.set(xlim=ax.get_xlim(), ylim=(0, None), xlabel=self.predicted_label, ylabel="count")
            below.spines[["top", "right"]].set_visible(False)
        return self

    def _draw_legend(self) -> None:
        levels = sorted({curve.level for curve in self.curves.values()})
        title = f"{', '.join(f'{100 * level:g}%' for level in levels)} Wilson intervals"
        style = {"fontsize": "small", "title": title, "title_fontsize": "x-small"}
        if len(self.curves) > FEW and self.figure_.get_layout_engine() is not None:
            self.ax_.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), **style)
        else:
            self.ax_.legend(loc="best", framealpha=0.85, **style)

    def _draw_curve(self, number: int, name: Any, curve: Reliability) -> None:
        hue = colour(number)
        lengths = np.stack([curve.share - curve.low, curve.high - curve.share]).clip(0.0)  # rounding, at 0 and 1
        self.lines_[name] = self.ax_.errorbar(
            curve.forecast, curve.share, lengths, color=hue, marker=mark(number), markersize=5, lw=1.3, elinewidth=0.9,
            capsize=2, zorder=3, label=f"{plain(name, ROOM)}: calibration error {curve.error:.3f}",
        )  # fmt: skip
        if self.histogram_ax_ is not None:
            edges = np.linspace(0, 1, len(curve.spread) + 1)
            fill = {"fill": True, "alpha": 0.35} if len(self.curves) == 1 else {}
            style = {"color": hue, "lw": 1.2, "ls": stroke(number)}
            self.histograms_[name] = self.histogram_ax_.stairs(curve.spread, edges, **style, **fill)
