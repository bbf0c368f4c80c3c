"""Figures of [Bishop], chapter 4, of generative models: Gaussian classes and the posterior that follows."""

from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.plots.posteriors.bayes import BayesDisplay

#: The means of the three classes, and their covariances: the first two have the same.
MEANS = ((-1.3, 0.9), (1.2, 1.1), (-0.4, -1.4))
COVARIANCES = (((0.5, 0.15), (0.15, 0.7)), ((0.5, 0.15), (0.15, 0.7)), ((1.4, -0.25), (-0.25, 0.45)))


def bishop_4_11(ax: Any = None, random_state: int | None = 0) -> BayesDisplay:
    """Draw three Gaussian classes, two of them with the same covariance, and their posterior probabilities.

    It teaches where straight and bent boundaries come from. In log p(x | 1) - log p(x | 2) the term quadratic in x
    cancels if the two covariances are equal, and the boundary between those classes is a straight line; it does not
    between others, and their boundaries are conic sections. The model gives every class a covariance of its own.

    Book: [Bishop] Fig. 4.11 and Eq. 4.64-4.70, §4.2.1.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : of the rows, 60 of each class

    Notes
    -----
    The rows of each class are moved and stretched to have exactly the mean and covariance meant, so that the two
    fitted covariances are equal, which those of a plain sample never are.
    """
    rng = np.random.default_rng(random_state)
    pairs = zip(np.array(MEANS), np.array(COVARIANCES), strict=True)
    X = np.vstack([_exactly(rng, 60, mean, covariance) for mean, covariance in pairs])
    y = np.repeat(["C₁", "C₂", "C₃"], 60)
    model = GaussianClassifier(shared=False).fit(X, y)
    display = BayesDisplay.from_estimator(model, X, y, ax=ax)
    for axes in display.axes_:
        axes.set(xlabel="$x_1$", ylabel="$x_2$")
    return display


def _exactly(rng: np.random.Generator, n: int, mean: Array, covariance: Array) -> Array:
    """Draw rows whose own mean and covariance are those given."""
    rows = rng.standard_normal((n, len(mean)))
    rows -= rows.mean(axis=0)
    own = np.linalg.cholesky(rows.T @ rows / n)
    drawn: Array = mean + np.linalg.solve(own, rows.T).T @ np.linalg.cholesky(covariance).T
    return drawn
