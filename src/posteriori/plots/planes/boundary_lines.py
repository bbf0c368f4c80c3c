"""`BoundaryDisplay`: decision boundaries of several linear classifiers, one panel per set of rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from posteriori.messages.errors import DataError
from posteriori.plots.planes.line import Line, PlaneRows, Window, read_line, read_plane_rows
from posteriori.plots.shared.canvas import ink, panels_for, stroke
from posteriori.plots.shared.wording import plain

#: Colours of boundaries, different from those of the classes; None is the colour of text.
HUES = ("#882255", "#117733", None, "#AA4499")


@dataclass(frozen=True)
class Boundaries:
    """The boundaries of several classifiers, and the rows.

    Parameters
    ----------
    lines : {name: boundary}
    rows : rows of two features
    """

    lines: dict[str, Line]
    rows: PlaneRows

    @classmethod
    def of(cls, estimators: Mapping[str, Any], X: Any, y: Any = None) -> "Boundaries":
        """Read the boundaries of fitted linear classifiers of two classes and two features."""
        if not estimators:
            raise DataError("no estimator to draw: pass {name: fitted linear classifier}.")
        rows = read_plane_rows(next(iter(estimators.values())), X, y)
        return cls({name: read_line(model, X, rows.points) for name, model in estimators.items()}, rows)


class BoundaryDisplay:
    """Decision boundaries w'x + w0 = 0 of linear classifiers of two classes, with the rows.

    Book: [Bishop] Fig. 4.4, §4.1.3.

    Parameters
    ----------
    panels : {title: boundaries and rows}, drawn side by side with the same limits

    Attributes
    ----------
    ax_, axes_, figure_ : matplotlib axes and figure; `ax_` is the first of `axes_`
    lines_ : {title: {name: line}}
    points_ : the rows, one collection per class and panel

    Examples
    --------
    >>> import posteriori as pt
    >>> from posteriori.plots.planes.boundary_lines import BoundaryDisplay
    >>> X, y = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]], [0, 0, 1, 1]
    >>> display = BoundaryDisplay.from_estimators({"squares": pt.LeastSquaresClassifier().fit(X, y)}, X, y)
    >>> display.lines_[""]["squares"].get_ydata().round(3).tolist()
    [0.5, 0.5]
    """

    def __init__(self, panels: Mapping[str, Boundaries]) -> None:
        self.panels = dict(panels)

    @classmethod
    def from_estimators(cls, estimators: Mapping[str, Any], X: Any, y: Any = None, *, ax: Any = None) -> Self:
        """Draw the boundaries of fitted classifiers on the same axes.

        Parameters
        ----------
        estimators : {name: linear classifier of two classes and two features}
        X, y : (n, 2) rows, and (n,) their classes or None
        ax : matplotlib axes, default new ones
        """
        return cls({"": Boundaries.of(estimators, X, y)}).plot(ax)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib axes to divide into panels, or one per panel
        legend : whether to draw a legend of classes and boundaries
        """
        if not self.panels:
            raise DataError("no panel to draw.")
        self.axes_ = panels_for(ax, len(self.panels), figsize=(4.6 * len(self.panels), 4.2))
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        self.lines_: dict[str, dict[str, Any]] = {}
        self.points_: list[Any] = []
        window = self._window()
        for (title, panel), axes in zip(self.panels.items(), self.axes_, strict=True):
            self._plot_panel(axes, title, panel, window)
        if legend:
            self.ax_.legend(frameon=True, framealpha=0.85, edgecolor="none", fontsize="small")
        return self

    def _plot_panel(self, ax: Any, title: str, panel: Boundaries, window: Window) -> None:
        self.points_ += panel.rows.draw(ax)
        self.lines_[title] = {}
        for place, (name, line) in enumerate(panel.lines.items()):
            ends = line.clip(window)
            (self.lines_[title][name],) = ax.plot(
                *ends.T, lw=2.0, label=plain(name), color=HUES[place % len(HUES)] or ink(0.9), ls=stroke(place)
            )
        ax.set(xlabel=panel.rows.names[0], ylabel=panel.rows.names[1], title=plain(title))
        ax.set(xlim=window[:2], ylim=window[2:])

    def _window(self) -> Window:
        """Return limits that contain the rows of every panel."""
        first, *others = (panel.rows for panel in self.panels.values())
        return first.window([point for rows in others for point in rows.points], margin=0.08)
