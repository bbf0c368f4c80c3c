"""`PosteriorDisplay`: P(class | x) of fitted classifiers along one or two columns, with the rows."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from posteriori.messages.errors import DataError, DataTypeError
from posteriori.plots.posteriors.curves import STYLES, draw_curves, set_heights
from posteriori.plots.posteriors.decoration import draw_legend, panels, set_titles
from posteriori.plots.posteriors.regions import Drawn, draw_regions
from posteriori.plots.posteriors.surface import Surface, classes_of, surfaces_of
from posteriori.plots.shared.columns import columns_of
from posteriori.plots.shared.grids import Grid, read_features, read_resolution
from posteriori.plots.shared.rows import Labels, labels_of


class PosteriorDisplay:
    """P(class | x) along one column as curves, or over two as a blend of the classes' colours, a panel a model.

    Along one column each class has a curve; of two classes the rows stand at 0 and 1, of more in strips below; thin
    vertical lines are where the decision changes. Over two columns lines join points of equal posterior (of two
    classes: 0.5 solid) or are the boundaries of decisions (of more). A classifier without probabilities is drawn by
    its scores along one column and by its regions over two; where a vote leaves the class open, or the
    decision is no class but a rejection, the region is hatched.

    Book: [Jordan] Fig. 7.3 and 7.7-7.9, §7.2.1; [Bishop] Fig. 4.11, §4.2.1.

    Parameters
    ----------
    grid : where the models were asked, and what the other columns were held at
    surfaces : {name: answers of the model over the grid}
    labels : the classes, and those of the rows

    Attributes
    ----------
    axes_ : the axes drawn on, one a model; ax_, figure_ : the first, and its figure
    lines_ : curves, model by model and class by class (one column)
    changes_ : vertical lines where the decision changes (one column)
    surfaces_ : filled areas, one a model (two columns)
    contours_ : lines of equal posterior, boundaries and hatched areas (two columns)
    points_ : the rows, a collection a class and panel

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
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any = None,
        *,
        features: Any = None,
        response: str = "auto",
        resolution: int = 200,
        ax: Any = None,
        name: str | None = None,
    ) -> Self:
        """Ask a fitted classifier along one or two columns, and draw its answers.

        Parameters
        ----------
        estimator : a fitted classifier, of this library or of scikit-learn
        X : (n, d) rows: frame, array or sparse matrix; the figure is as wide as they are
        y : (n,) their classes, or the name of a column of the frame; None to draw the rows without
        features : the column, or two, to vary, by name or number; needed where X has more than two. The others are
            held at their median (of whole numbers one that occurs), or most frequent level, as the title says
        response : "auto" | "predict_proba" | "scores" | "decision_function" | "predict"
        resolution : points along each axis
        ax : matplotlib axes, default new ones
        name : title, default the name of the classifier
        """
        title = _name_of(estimator) if name is None else name
        models = {title: estimator}
        return cls.computed(models, X, y, features=features, response=response, resolution=resolution).plot(ax)

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Any],
        X: Any,
        y: Any = None,
        *,
        features: Any = None,
        response: str = "auto",
        resolution: int = 200,
        ax: Any = None,
    ) -> Self:
        """Draw several fitted classifiers of the same classes side by side, over the same rows and axes.

        Parameters
        ----------
        estimators : {name: fitted classifier}
        X, y, features, response, resolution : as in `from_estimator`
        ax : matplotlib axes to divide, or one for each model; default new ones
        """
        return cls.computed(estimators, X, y, features=features, response=response, resolution=resolution).plot(ax)

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
        """Ask the models and draw nothing yet: `plot` does, as often as it is called.

        Parameters
        ----------
        estimators : {name: fitted classifier}
        X, y, features, response, resolution : as in `from_estimator`
        window : the least and greatest number of each column that varies, default a little more than the rows have
        """
        if not isinstance(estimators, Mapping):
            raise DataTypeError(
                f"models to draw are given by name, {{name: model}}, not as {type(estimators).__name__}."
            )
        models = {str(name): model for name, model in estimators.items()}
        classes = classes_of(models)
        columns = columns_of(X, list(models.values()), y)
        chosen = read_features(features, columns.names)
        grid, surfaces = surfaces_of(models, columns, chosen, read_resolution(resolution), response, classes, window)
        return cls(grid, surfaces, labels_of(X, y, columns.n_rows, classes))

    def plot(
        self, ax: Any = None, *, classes: Sequence[int] | None = None, together: bool = False, legend: bool | str = True
    ) -> Self:
        """Draw on the axes given, else on new ones.

        Parameters
        ----------
        ax : matplotlib axes to divide into a panel a model, or one for each; default new ones
        classes : numbers of the classes whose curves are drawn along one column, default all
        together : whether all models are drawn on one axes, along one column, their lines told apart by style
        legend : whether to name the classes, or where on the axes, such as "upper left"; beside them by default
        """
        if together and len(self.grid.axes) == 2:
            raise DataError("models can be drawn together along one column; over two they need a panel each.")
        self.axes_ = panels(ax, 1 if together else len(self.surfaces))
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        shown = self._shown(classes)
        places = self.axes_ * len(self.surfaces) if together else self.axes_
        drawn = [
            self._panel(panel, name, place, shown, together)
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
        """Check which curves are to be drawn."""
        every = range(len(self.labels.classes))
        shown = list(every) if classes is None else list(classes)
        strange = [k for k in shown if k not in every]
        if strange or not shown:
            raise DataError(f"classes={classes!r} must be numbers of classes, from 0 to {len(every) - 1}.")
        return shown

    def _panel(self, ax: Any, name: str, place: int, shown: Sequence[int], together: bool) -> Drawn:
        """Draw one model."""
        surface = self.surfaces[name]
        if len(self.grid.axes) == 2:
            return draw_regions(ax, self.grid, surface, self.labels)
        line = STYLES[place % len(STYLES)] if together else None
        return draw_curves(ax, self.grid, surface, self.labels, shown, line=line, alone=not (together and place))


def _name_of(estimator: Any) -> str:
    """Name a classifier by its class; a wrapper around a table by what is inside."""
    inside = getattr(estimator, "estimator_", None) if type(estimator).__name__ == "TableClassifier" else None
    return type(estimator if inside is None else inside).__name__
