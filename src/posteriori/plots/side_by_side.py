"""`SideBySideDisplay`: several Displays in one figure, one panel each."""

from collections.abc import Mapping
from typing import Any, Self

from posteriori.plots.shared.canvas import panels_for


class SideBySideDisplay:
    """Several Displays in one row, each with a title and optionally a caption.

    Parameters
    ----------
    displays : {title: Display}, each drawn by its ``plot(ax, legend=…)``
    captions : {title: text below the panel}
    equal : whether both axes of every panel have the same scale
    legend : whether the last panel has a legend, or its location
    options : other arguments of every Display's ``plot``

    Attributes
    ----------
    axes_ : matplotlib axes, one per Display; ax_, figure_ : the first of them, and the figure

    Examples
    --------
    >>> import posteriori as pt
    >>> from posteriori.plots.side_by_side import SideBySideDisplay
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    >>> parts = {name: pt.PosteriorDisplay.computed({"": model.fit(X, y)}, X, y) for name, model in
    ...          {"logit": pt.LogisticRegression(), "probit": pt.BinaryRegression()}.items()}
    >>> [ax.get_title() for ax in SideBySideDisplay(parts).plot().axes_]
    ['logit', 'probit']
    """

    def __init__(
        self,
        displays: Mapping[str, Any],
        captions: Mapping[str, str] | None = None,
        *,
        equal: bool = False,
        legend: bool | str = True,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.displays, self.captions = dict(displays), dict(captions or {})
        self.equal, self.legend, self.options = equal, legend, dict(options or {})

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, one to divide or one per Display, or on new ones."""
        self.axes_ = panels_for(ax, len(self.displays))
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        for panel, (title, display) in zip(self.axes_, self.displays.items(), strict=True):
            display.plot(panel, legend=self.legend if panel is self.axes_[-1] else False, **self.options)
            panel.set_title(title, fontsize=10)
            if self.equal:
                panel.set_aspect("equal")
            if title in self.captions:
                panel.set_xlabel(f"{panel.get_xlabel()}\n\n{self.captions[title]}")
        return self
