"""`LearningCurvesDisplay`: the figure of `learning_curves`."""

from typing import Any, Self

from posteriori.comparisons.learning_curves_result import LearningCurves
from posteriori.comparisons.repeated_scores import CURVES
from posteriori.plots.curves.learning_curves import CurvesDisplay


class LearningCurvesDisplay(CurvesDisplay):
    """Error against training rows, one curve per model, in scikit-learn's Display convention.

    Bands are one standard error over the repeats; if the curves of two models cross, a dotted line marks the size.

    Book: [Mitchell] §4; the figure is that of Ng and Jordan (2002).

    Parameters
    ----------
    sizes : (S,) training rows
    curves : {name: (S,) means}
    errors : {name: (S,) standard errors}
    metric : name of the score
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
    def from_estimator(cls, estimator: Any, X: Any, y: Any = None, **options: Any) -> Self:
        """Compute and plot the learning curve of one model; `options` are arguments of `from_estimators`."""
        return cls.from_estimators({type(estimator).__name__: estimator}, X, y, **options)

    @classmethod
    def from_estimators(
        cls,
        models: Any,
        X: Any,
        y: Any = None,
        *,
        sizes: Any = None,
        repeats: int = 100,
        random_state: Any = None,
        metric: str = "error",
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Compute and plot the learning curves of several models; see `learning_curves`."""
        from posteriori.comparisons.learning_curves import learning_curves

        curves = learning_curves(models, X, y, sizes=sizes, repeats=repeats, random_state=random_state)
        return cls.from_curves(curves, metric=metric, ax=ax, **options)
