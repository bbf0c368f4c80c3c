"""`BayesDisplay`: the class-conditional densities p(x | k) of a generative model beside the posterior P(k | x)."""

from typing import Any, Self

from posteriori.messages.errors import DataError
from posteriori.plots.densities.density import DensityDisplay
from posteriori.plots.posteriors.posterior import PosteriorDisplay
from posteriori.plots.shared.canvas import panels_for


class BayesDisplay:
    """Class-conditional densities on the left, posterior probabilities on the right, by Bayes' rule.

    Book: [Bishop] Fig. 4.11, §4.2.1.

    Parameters
    ----------
    density, posterior : the two Displays, over the same features

    Attributes
    ----------
    ax_, axes_, figure_ : matplotlib axes and figure; `ax_` is the first of the two `axes_`

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0], [2.0], [4.0], [6.0]], ["a", "a", "b", "b"]
    >>> display = BayesDisplay.from_estimator(pt.GaussianClassifier().fit(X, y), X, y)
    >>> [len(part.lines_) for part in (display.density, display.posterior)]
    [2, 2]
    """

    def __init__(self, density: DensityDisplay, posterior: PosteriorDisplay) -> None:
        self.density, self.posterior = density, posterior

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any = None, *, features: Any = None, resolution: int = 200, ax: Any = None
    ) -> Self:
        """Draw the densities and the posterior of a fitted generative model.

        Parameters
        ----------
        estimator : fitted GaussianClassifier or NaiveBayes, or a TableClassifier with one
        X, y : (n, d) rows, and (n,) their classes or None
        features : the one or two features to draw; required if X has more than two
        resolution : points along each axis
        ax : matplotlib axes to divide, or two; default new ones
        """
        density = DensityDisplay.computed(estimator, X, y, features=features, resolution=resolution)
        if len(density.panels) != 1:
            raise DataError("with a discrete feature two features need two panels: pass one feature.")
        posterior = PosteriorDisplay.computed({"": estimator}, X, y, features=features, resolution=resolution)
        return cls(density, posterior).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones."""
        self.axes_ = panels_for(ax, 2, figsize=(10.0, 4.4))
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        self.density.plot(self.axes_[0], legend=False)
        self.posterior.plot(self.axes_[1])
        self.axes_[0].set_title("class-conditional densities $p(x | k)$")
        self.axes_[1].set_title("posterior probabilities $P(k | x)$")
        self.axes_[0].set_xlim(self.axes_[1].get_xlim())
        if len(self.posterior.grid.axes) == 2:
            self.axes_[0].set_ylim(self.axes_[1].get_ylim())
        return self
