"""`DensityDisplay`: the class-conditional densities of a generative model over one or two features."""

from collections.abc import Sequence
from typing import Any, Self

from posteriori.families.marginals import group_of
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import as_frame, pick
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.plots.densities.panel_data import DensityData, Panel
from posteriori.plots.densities.panels import Bars, Contours
from posteriori.plots.shared.canvas import panels_for
from posteriori.plots.shared.coded_rows import model_inside
from posteriori.plots.shared.grids import read_features, read_resolution
from posteriori.plots.shared.signatures import options_of
from posteriori.plots.shared.wording import ROOM, plain


class DensityDisplay:
    """Class-conditional densities p(x | k) of a generative model: curves, bars or contour lines, with the rows.

    For one numeric feature there is one curve per class, for one discrete feature one bar per class and value. For two
    numeric features the contour lines enclose 25, 50, 75 and 95 % of the probability of each class. The other features
    are integrated out exactly: independent features keep their own densities, a Gaussian its own means and covariances.
    Two features of which one is discrete are independent given the class in every model here, and each has its own
    panel.

    Book: [Bishop] Fig. 4.11, §4.2.1; [Jordan] §7.2.1; [Mitchell] §2.4.

    Parameters
    ----------
    panels : contents of each axes
    classes : (K,) names of the classes
    weighted : whether the densities are multiplied by the class priors, pi_k p(x | k)

    Attributes
    ----------
    ax_, axes_, figure_ : matplotlib axes and figure; `ax_` is the first of `axes_`
    lines_ : one per class (a numeric feature)
    bars_ : one container per class (a discrete feature)
    contours_ : one set per class (two features)
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
    def computed(
        cls, model: Any, X: Any, y: Any = None, *, features: Any = None, weighted: bool = False, resolution: int = 200
    ) -> Self:
        """Evaluate the densities without drawing, which `plot` does."""
        resolution = read_resolution(resolution)
        model, rows = model_inside(model, X, y)
        _check_densities(model)
        frame = as_frame(X)
        y = aligned(X, y if frame is None else pick(frame, y), "y")
        data = DensityData.of(model, rows, y, bool(weighted))
        _check_number(features, data.names)
        chosen = read_features(features, data.names)
        kinds = [data.is_discrete(j) for j in chosen]
        if len(chosen) == 2 and not any(kinds):
            panels: list[Panel] = [data.contours(chosen[0], chosen[1], resolution)]
        else:
            _check_independence(data, chosen)
            panels = [data.single(j, discrete, resolution) for j, discrete in zip(chosen, kinds, strict=True)]
        return cls(panels, data.labels.classes, weighted=bool(weighted))

    @classmethod
    @options_of(computed)
    def from_estimator(cls, estimator: Any, X: Any, y: Any = None, *, ax: Any = None, **options: Any) -> Self:
        """Draw the densities of a fitted model.

        Parameters
        ----------
        estimator : fitted GaussianClassifier, NaiveBayes or JointTable, or a TableClassifier with one
        X : (n, d) rows to draw; their range is the range of the figure
        y : (n,) the classes, or the name of a column of X; None to draw the rows without classes
        features : name or number of one feature, or a pair of them; required if the model has more than two
        weighted : whether to draw pi_k p(x | k) in place of p(x | k). The contour lines of all classes are then at the
            same heights, and cross where two classes are equally probable
        resolution : points along each axis
        ax : matplotlib axes, default new ones; for two panels one to divide, or two
        """
        return cls.computed(estimator, X, y, **options).plot(ax)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib axes; for two panels one to divide, or two
        legend : whether to draw a legend
        """
        options = {"figsize": (6.0, 4.2)} if len(self.panels) == 1 else {}
        self.axes_ = panels_for(ax, len(self.panels), **options)
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


def _check_densities(model: Any) -> None:
    """Raise if a model has no class-conditional densities."""
    if not hasattr(model, "density_"):
        raise DataError(
            f"{type(model).__name__} has no class-conditional densities; GaussianClassifier, NaiveBayes and "
            "JointTable have. PosteriorDisplay draws P(class | x) of any classifier."
        )


def _check_number(features: Any, names: Sequence[str]) -> None:
    """Raise if a model has more than two features and none are selected."""
    if features is None and len(names) > 2:
        raise DataError(
            f"the model has {len(names)} columns: name one or two of them by features=; the others are integrated "
            f"out. The columns are {quote(names, most=20)}."
        )


def _check_independence(data: DensityData, chosen: tuple[int, ...]) -> None:
    """Raise if two columns belong to one joint table, which two panels would show as independent."""
    groups = [group_of(data.density, j)[0] for j in chosen]
    if len(chosen) == 2 and groups[0] is groups[1] and groups[0].family.is_joint:
        raise DataError("the columns of a joint table depend on each other: pass one feature.")
