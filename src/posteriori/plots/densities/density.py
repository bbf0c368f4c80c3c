"""`DensityDisplay`: the class-conditional densities of a generative model over one or two of its columns."""

from collections.abc import Sequence
from typing import Any, Self

from posteriori.families.marginals import group_of
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import as_frame, pick
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.plots.densities.panels import Bars, Contours
from posteriori.plots.densities.source import Panel, Source
from posteriori.plots.shared.canvas import panels_for
from posteriori.plots.shared.coded_rows import model_inside
from posteriori.plots.shared.grids import read_features, read_resolution
from posteriori.plots.shared.wording import ROOM, plain


class DensityDisplay:
    """Class-conditional densities p(x | k) of a generative model: curves, bars or contour lines, with the rows.

    One column of numbers: a curve a class. One discrete column: a bar for each class and value. Two columns of
    numbers: contour lines that hold 25, 50, 75 and 95 % of each class. Of a model with more columns the others are
    integrated out exactly: for independent columns that leaves each its own density, of a Gaussian its own means and
    covariances. Two columns of which one is discrete are independent given the class in every model here, and
    have a panel each.

    Book: [Bishop] Fig. 4.11, §4.2.1; [Jordan] §7.2.1; [Mitchell] §2.4.

    Parameters
    ----------
    panels : what to draw, one for each axes
    classes : (K,) names of the classes
    weighted : whether the densities are times the class priors, pi_k p(x | k)

    Attributes
    ----------
    ax_, axes_, figure_ : where it was drawn; `ax_` is the first of `axes_`
    lines_ : one for each class, of a column of numbers
    bars_ : one container for each class, of a discrete column
    contours_ : one set for each class, of two columns
    points_ : the rows

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0], [2.0], [4.0], [6.0]], ["a", "a", "b", "b"]
    >>> display = pt.DensityDisplay.from_estimator(pt.GaussianClassifier().fit(X, y), X, y)
    >>> [round(float(line.get_ydata().max()), 4) for line in display.lines_]
    [0.3989, 0.3989]
    """

    def __init__(self, panels: Sequence[Panel], classes: Sequence[str], *, weighted: bool = False) -> None:
        self.panels, self.weighted = tuple(panels), weighted
        self.classes = tuple(plain(label, ROOM) for label in classes)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any = None,
        *,
        features: Any = None,
        weighted: bool = False,
        resolution: int = 200,
        ax: Any = None,
    ) -> Self:
        """Draw the densities that a fitted model has learned.

        Parameters
        ----------
        estimator : fitted GaussianClassifier, NaiveBayes or JointTable, or a TableClassifier around one
        X : (n, d) rows to draw with them; their range is the range drawn
        y : (n,) classes of the rows, or the name of a column of X; None draws them without
        features : name or number of one column, or a pair of them; needed where the model has more than two
        weighted : draw pi_k p(x | k) in place of p(x | k); contour lines then stand at the same heights for all
            classes, so that lines of one height cross where two classes are equally probable
        resolution : points of the grid, in each direction
        ax : matplotlib axes, default new ones; for two panels one to divide, or two
        """
        options = {"features": features, "weighted": weighted, "resolution": resolution}
        return cls.computed(estimator, X, y, **options).plot(ax)

    @classmethod
    def computed(
        cls,
        estimator: Any,
        X: Any,
        y: Any = None,
        *,
        features: Any = None,
        weighted: bool = False,
        resolution: int = 200,
    ) -> Self:
        """Evaluate the densities and draw nothing yet: `plot` does, as often as it is called."""
        resolution = read_resolution(resolution)
        model, rows = model_inside(estimator, X, y)
        _refuse_others(model)
        frame = as_frame(X)
        y = aligned(X, y if frame is None else pick(frame, y), "y")
        source = Source.of(model, rows, y, bool(weighted))
        _refuse_many(features, source.names)
        chosen = read_features(features, source.names)
        kinds = [source.is_discrete(j) for j in chosen]
        if len(chosen) == 2 and not any(kinds):
            panels: list[Panel] = [source.contours(chosen[0], chosen[1], resolution)]
        else:
            _refuse_dependent(source, chosen)
            panels = [source.alone(j, discrete, resolution) for j, discrete in zip(chosen, kinds, strict=True)]
        return cls(panels, source.labels.classes, weighted=bool(weighted))

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw on the axes given, else on new ones.

        Parameters
        ----------
        ax : matplotlib axes; where there are two panels, one axes to divide or two
        legend : whether to name the classes
        """
        wide = {"figsize": (6.0, 4.2)} if len(self.panels) == 1 else {}
        self.axes_ = panels_for(ax, len(self.panels), **wide)
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        drawn = [panel.draw(axes, self.classes) for panel, axes in zip(self.panels, self.axes_, strict=True)]
        for kind in ("lines", "bars", "contours", "points"):
            setattr(self, f"{kind}_", [artist for artists in drawn for artist in artists.get(kind, [])])
        for panel, axes in zip(self.panels, self.axes_, strict=True):
            if not isinstance(panel, Contours):
                letter = "P" if isinstance(panel, Bars) or panel.steps else "p"
                axes.set_ylabel(rf"$\pi_k\,{letter}(x \mid k)$" if self.weighted else rf"${letter}(x \mid k)$")
        if legend:
            above = {"loc": "upper center", "ncols": 2, "fontsize": "small"} if isinstance(self.panels[0], Bars) else {}
            self.ax_.legend(framealpha=0.8, edgecolor="none", **above)
        return self


def _refuse_others(model: Any) -> None:
    """Refuse models without class-conditional densities."""
    if not hasattr(model, "density_"):
        raise DataError(
            f"{type(model).__name__} has no class-conditional densities; GaussianClassifier, NaiveBayes and "
            "JointTable have. PosteriorDisplay draws P(class | x) of any classifier."
        )


def _refuse_many(features: Any, names: Sequence[str]) -> None:
    """Ask for one or two columns where there are more."""
    if features is None and len(names) > 2:
        raise DataError(
            f"the model has {len(names)} columns: name one or two of them by features=, and the others are integrated "
            f"out. The columns are {quote(names, most=20)}."
        )


def _refuse_dependent(source: Source, chosen: tuple[int, ...]) -> None:
    """Refuse a pair of columns of one joint table, which two panels would show as if they were independent."""
    groups = [group_of(source.density, j)[0] for j in chosen]
    if len(chosen) == 2 and groups[0] is groups[1] and groups[0].family.is_joint:
        raise DataError("the columns of a joint table depend on each other: give one feature.")
