"""`ComparisonDisplay`: scores of models with confidence intervals."""

from typing import Any, Self

import numpy as np

from posteriori.arrays import Array
from posteriori.plots.shared.canvas import axes_for, ink
from posteriori.plots.shared.wording import ROOM, plain


class ComparisonDisplay:
    """The score of each model with its confidence interval, best on top.

    Drawn by ``pt.compare(...).plot()``. Models that do not differ significantly from the best are drawn solid, the
    others hollow.

    Parameters
    ----------
    names : names of the models, best first
    scores, lows, highs : (models,) scores and bounds of their intervals
    metric : name of the metric
    close : (models,) whether each model is not significantly different from the best

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    bars_ : the error bars, one per model

    Examples
    --------
    >>> import numpy as np
    >>> from posteriori.plots.curves.comparison import ComparisonDisplay
    >>> scores = np.array([0.3, 0.5])
    >>> display = ComparisonDisplay(("a", "b"), scores, scores - 0.1, scores + 0.1, "log_loss", (True, False))
    >>> display.plot().ax_.get_xlabel()
    'log loss'
    """

    def __init__(
        self, names: tuple[str, ...], scores: Array, lows: Array, highs: Array, metric: str, close: tuple[bool, ...]
    ) -> None:
        self.names, self.metric, self.close = names, metric, close
        self.scores, self.lows, self.highs = scores, lows, highs

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones."""
        ax = axes_for(ax, figsize=(6.4, 1.2 + 0.4 * len(self.names)))
        self.ax_, self.figure_, self.bars_ = ax, ax.figure, []
        for place, (score, low, high, close) in enumerate(
            zip(self.scores, self.lows, self.highs, self.close, strict=True)
        ):
            if not np.isfinite(score):
                ax.annotate("infinite", (1.0, place), xycoords=("axes fraction", "data"), ha="right", va="center")
                continue
            reach = [[score - low], [high - score if np.isfinite(high) else 0.0]]  # a single row has no bound
            bar = ax.errorbar(
                [score], [place], xerr=reach, fmt="o", color="C0", mfc="C0" if close else ink(0.0), capsize=3
            )
            self.bars_.append(bar)
        ax.set_yticks(range(len(self.names)), [plain(name, ROOM) for name in self.names])
        ax.set_ylim(len(self.names) - 0.5, -0.5)
        ax.set_xlabel(plain(self.metric.replace("_", " ")))
        return self
