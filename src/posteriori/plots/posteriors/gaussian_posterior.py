"""`GaussianPosteriorDisplay`: the posterior over two features, with the Gaussian class densities."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Self

import numpy as np

from posteriori.arrays import Array
from posteriori.messages.errors import DataError
from posteriori.plots.posteriors.posterior import PosteriorDisplay
from posteriori.plots.posteriors.surface import Surface
from posteriori.plots.shared.canvas import colour
from posteriori.plots.shared.grids import Grid
from posteriori.plots.shared.rows import Labels

#: Mahalanobis distances from the mean of the ellipses drawn.
DISTANCES = (1.0, 2.0)


@dataclass(frozen=True, eq=False)
class Gaussians:
    """The parameters of a Gaussian classifier of two features.

    Parameters
    ----------
    means : (K, 2)
    covariances : (K, 2, 2)
    coef, intercept : (K, 2) and (K,), of the scores; None if the classes have different covariances
    """

    means: Array
    covariances: Array
    coef: Array | None = None
    intercept: Array | None = None

    @classmethod
    def of(cls, model: Any) -> "Gaussians":
        """Read the parameters of a fitted `GaussianClassifier` of two features."""
        if np.shape(getattr(model, "means_", ()))[1:] != (2,):
            raise DataError("the figure needs a fitted GaussianClassifier of two features.")
        n_classes = len(model.means_)
        if not model.shared:
            return cls(model.means_, np.asarray(model.covariances_))
        coef, intercept = model.coef_, model.intercept_
        if n_classes == 2:  # one score, that of the second class minus that of the first
            coef, intercept = np.vstack([np.zeros((1, 2)), coef]), np.append(0.0, intercept)
        return cls(model.means_, np.repeat(model.covariance_[None], n_classes, axis=0), coef, intercept)

    def ellipse(self, k: int, distance: float) -> Array:
        """Return points (m, 2) at a Mahalanobis distance from the mean of a class."""
        angle = np.linspace(0.0, 2.0 * np.pi, 181)
        circle = np.column_stack([np.cos(angle), np.sin(angle)])
        points: Array = self.means[k] + distance * circle @ np.linalg.cholesky(self.covariances[k]).T
        return points

    def line(self, k: int, other: int) -> tuple[Array, Array]:
        """Return a point and the direction of the line on which two classes are equally probable.

        Book: [Jordan] Eq. 7.27, §7.2.1.
        """
        assert self.coef is not None
        assert self.intercept is not None
        w, w0 = self.coef[k] - self.coef[other], self.intercept[k] - self.intercept[other]
        return -w0 * w / (w @ w), np.array([-w[1], w[0]])


class GaussianPosteriorDisplay(PosteriorDisplay):
    """The posterior of Gaussian classes, with ellipses at 1 and 2 standard deviations and dotted lines between means.

    Both axes have the same scale. For three or more classes that share a covariance, the line on which two classes are
    equally probable continues as a dotted line where a third is more probable.

    Book: [Jordan] Fig. 7.7-7.9, §7.2.1.

    Parameters
    ----------
    grid, surfaces, labels : as for `PosteriorDisplay`
    gaussians : parameters of each model, in the order of `surfaces`

    Attributes
    ----------
    ellipses_ : one line per model, class and distance
    joints_ : the dotted lines between means
    equals_ : the lines on which two of three or more classes are equally probable

    Examples
    --------
    >>> import posteriori as pt
    >>> from posteriori.plots.posteriors.gaussian_posterior import GaussianPosteriorDisplay
    >>> X, y = [[0.0, 0.0], [2.0, 0.0], [1.0, 2.0], [5.0, 2.0], [7.0, 2.0], [6.0, 4.0]], [0, 0, 0, 1, 1, 1]
    >>> display = GaussianPosteriorDisplay.of({"shared": pt.GaussianClassifier().fit(X, y)}, X, y).plot()
    >>> display.joints_[0].get_xdata().tolist()
    [1.0, 6.0]
    """

    def __init__(
        self, grid: Grid, surfaces: Mapping[str, Surface], labels: Labels, gaussians: Sequence[Gaussians] = ()
    ) -> None:
        super().__init__(grid, surfaces, labels)
        self.gaussians = tuple(gaussians)

    @classmethod
    def of(cls, estimators: Mapping[str, Any], X: Any, y: Any = None, **options: Any) -> Self:
        """Evaluate fitted Gaussian classifiers of two features; nothing is drawn until `plot`.

        Parameters
        ----------
        estimators : {name: fitted GaussianClassifier}
        X, y : (n, 2) rows and their classes
        options : resolution, window, as for `PosteriorDisplay.computed`
        """
        gaussians = tuple(Gaussians.of(model) for model in estimators.values())
        display = cls.computed(estimators, X, y, **options)
        display.gaussians = gaussians
        return display

    def plot(self, ax: Any = None, **options: Any) -> Self:
        """Draw on the given axes, one to divide or one per model, or on new ones."""
        super().plot(ax, **options)
        self.ellipses_: list[Any] = []
        self.joints_: list[Any] = []
        self.equals_: list[Any] = []
        for panel, gaussians in zip(self.axes_, self.gaussians, strict=True):
            for k in range(len(gaussians.means)):
                self.ellipses_ += [
                    panel.plot(*gaussians.ellipse(k, distance).T, color=colour(k), lw=1.3)[0] for distance in DISTANCES
                ]
            self._join(panel, gaussians)
            panel.set_aspect("equal")
        return self

    def _join(self, ax: Any, gaussians: Gaussians) -> None:
        """Draw dotted lines between the means of classes, and the lines on which two classes are equally probable."""
        for one, other in combinations(range(len(gaussians.means)), 2):
            ends = gaussians.means[[one, other]]
            self.joints_ += ax.plot(*ends.T, ":", color="0.2", lw=1.6, marker="+", markersize=9, mew=1.6, zorder=4)
            if len(gaussians.means) > 2 and gaussians.coef is not None:
                point, along = gaussians.line(one, other)
                self.equals_.append(ax.axline(point, point + along, color="0.4", lw=0.9, ls=(0, (1, 3)), zorder=1))
