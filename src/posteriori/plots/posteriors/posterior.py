"""`PosteriorDisplay`: P(class | x) of fitted classifiers along one or two features."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from posteriori.messages.errors import DataError, DataTypeError
from posteriori.plots.posteriors.curves import STYLES, draw_curves, set_heights
from posteriori.plots.posteriors.regions import PanelArtists, draw_regions
from posteriori.plots.posteriors.surface import Surface, classes_of, surfaces_of
from posteriori.plots.posteriors.titles_and_legend import draw_legend, panels, set_titles
from posteriori.plots.shared.columns import columns_of
from posteriori.plots.shared.grids import Grid, read_features, read_resolution
from posteriori.plots.shared.rows import Labels, labels_of
from posteriori.plots.shared.signatures import options_of


class PosteriorDisplay:
    """P(class | x) along one feature as curves, or over two as a blend of the classes' colours; one panel per model.

    Along one feature there is one curve per class. The rows of two classes are drawn at heights 0 and 1, those of more
    classes in strips below. Thin vertical lines mark where the decision changes. Over two features the lines are
    contours of the posterior (two classes; 0.5 is solid) or decision boundaries (more classes). For a classifier
    without probabilities, the scores are drawn along one feature and the decision regions over two. Regions where a
    vote is ambiguous, or where the decision is a rejection, are hatched.

    Book: [Jordan] Fig. 7.3 and 7.7-7.9, §7.2.1; [Bishop] Fig. 4.11, §4.2.1.

    Parameters
    ----------
    grid : where the models were evaluated, and the values of the fixed features
    surfaces : {name: predictions of the model over the grid}
    labels : the classes of the models and of the rows

    Attributes
    ----------
    axes_ : matplotlib axes, one per model; ax_, figure_ : the first of them, and the figure
    lines_ : curves, by model and class (one feature)
    changes_ : vertical lines where the decision changes (one feature)
    surfaces_ : filled areas, one per model (two features)
    contours_ : contour lines, boundaries and hatched areas (two features)
    points_ : the rows, one collection per class and panel

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"]
    >>> display = pt.PosteriorDisplay.from_estimator(pt.LogisticRegression().fit(X, y), X, y)
    >>> len(display.lines_), round(float(display.changes_[0].get_xdata()[0]), 6)
    (2, 1.5)
    """

    def __init__(self, grid: Grid, surfaces: Mapping[str, Surface], labels: Labels) -> None:
        self.grid, self.surfaces, self.labels = grid, dict(surfaces), labels

    @classmethod
    def computed(
        cls,
        estimators: Mapping[str, Any],
        X: Any,
        y: Any = None,
        *,
        features: Any = None,
        response: str = "auto",
        resolution: int = 200,
        window: Sequence[tuple[float, float]] | None = None,
    ) -> Self:
        """Evaluate the models without drawing, which `plot` does.

        Parameters
        ----------
        estimators : {name: fitted classifier}
        X, y, features, response, resolution : as in `from_estimator`
        window : the range of each feature that varies, default slightly more than that of the rows
        """
        if not isinstance(estimators, Mapping):
            raise DataTypeError(f"models to draw must be a dict {{name: model}}, not {type(estimators).__name__}.")
        models = {str(name): model for name, model in estimators.items()}
        classes = classes_of(models)
        columns = columns_of(X, list(models.values()), y)
        chosen = read_features(features, columns.names)
        grid, surfaces = surfaces_of(models, columns, chosen, read_resolution(resolution), response, classes, window)
        return cls(grid, surfaces, labels_of(X, y, columns.n_rows, classes))

    @classmethod
    @options_of(computed, without=["window"])
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any = None, *, ax: Any = None, name: str | None = None, **options: Any
    ) -> Self:
        """Draw the predictions of a fitted classifier along one or two features.

        Parameters
        ----------
        estimator : a fitted classifier, of this library or of scikit-learn
        X : (n, d) frame, array or sparse matrix; its range is the range of the figure
        y : (n,) the classes, or the name of a column of X; None to draw the rows without classes
        features : the one or two features that vary, by name or number; required if X has more than two. The others
            are fixed at their median (for integers the lower median) or most frequent level, which the title gives
        response : "auto" | "predict_proba" | "scores" | "decision_function" | "predict"
        resolution : points along each axis
        ax : matplotlib axes, default new ones
        name : title, default the name of the classifier
        """
        return cls.computed({_name_of(estimator) if name is None else name: estimator}, X, y, **options).plot(ax)

    @classmethod
    @options_of(computed, without=["window"])
    def from_estimators(
        cls, estimators: Mapping[str, Any], X: Any, y: Any = None, *, ax: Any = None, **options: Any
    ) -> Self:
        """Draw several fitted classifiers of the same classes side by side, over the same features.

        Parameters
        ----------
        estimators : {name: fitted classifier}
        X, y, features, response, resolution : as in `from_estimator`
        ax : matplotlib axes to divide, or one per model; default new ones
        """
        return cls.computed(estimators, X, y, **options).plot(ax)

    def plot(
        self, ax: Any = None, *, classes: Sequence[int] | None = None, together: bool = False, legend: bool | str = True
    ) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib axes to divide into one panel per model, or one axes per model; default new ones
        classes : indices of the classes whose curves are drawn along one feature, default all
        together : whether to draw all models on one axes along one feature, distinguished by line style
        legend : whether to draw a legend, or its location on the axes, such as "upper left"; default beside them
        """
        if together and len(self.grid.axes) == 2:
            raise DataError("together=True needs one feature; over two features each model has its own panel.")
        self.axes_ = panels(ax, 1 if together else len(self.surfaces))
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        shown = self._shown(classes)
        places = self.axes_ * len(self.surfaces) if together else self.axes_
        drawn = [
            self._draw_panel(panel, name, place, shown, together)
            for place, (panel, name) in enumerate(zip(places, self.surfaces, strict=True))
        ]
        for part in ("surfaces", "contours", "points", "lines", "changes"):
            setattr(self, f"{part}_", [artist for panel in drawn for artist in getattr(panel, part)])
        if len(self.grid.axes) == 1:
            set_heights(places, list(self.surfaces.values()), self.labels, shown)
        names = list(self.surfaces)
        set_titles(self.axes_, [""] if together else names, self.grid)
        if legend:
            n_rows = len(self.grid.axes[0].rows)
            draw_legend(self.axes_[-1], self.labels, drawn, n_rows, names if together else [], legend)
        return self

    def _shown(self, classes: Sequence[int] | None) -> list[int]:
        """Check the classes whose curves are drawn."""
        every = range(len(self.labels.classes))
        shown = list(every) if classes is None else list(classes)
        if not shown or any(k not in every for k in shown):
            raise DataError(f"classes={classes!r} must be indices of classes, from 0 to {len(every) - 1}.")
        return shown

    def _draw_panel(self, ax: Any, name: str, place: int, shown: Sequence[int], together: bool) -> PanelArtists:
        """Draw one model."""
        surface = self.surfaces[name]
        if len(self.grid.axes) == 2:
            return draw_regions(ax, self.grid, surface, self.labels)
        line = STYLES[place % len(STYLES)] if together else None
        return draw_curves(ax, self.grid, surface, self.labels, shown, line=line, first=not (together and place))


def _name_of(estimator: Any) -> str:
    """Return the class name of a classifier; of the classifier inside a `TableClassifier`."""
    inner = getattr(estimator, "estimator_", None) if type(estimator).__name__ == "TableClassifier" else None
    return type(estimator if inner is None else inner).__name__
