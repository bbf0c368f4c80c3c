"""Figures of [Bishop], chapter 4: Gaussian classes and their posterior."""

from typing import Any

import numpy as np

from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.plots.figures.axis_labels import label_features
from posteriori.plots.figures.generated_rows import whitened_rows
from posteriori.plots.posteriors.bayes import BayesDisplay

#: The means of the three classes, and their covariances, of which the first two are equal.
MEANS = ((-1.3, 0.9), (1.2, 1.1), (-0.4, -1.4))
COVARIANCES = (((0.5, 0.15), (0.15, 0.7)), ((0.5, 0.15), (0.15, 0.7)), ((1.4, -0.25), (-0.25, 0.45)))


def bishop_4_11(ax: Any = None, random_state: int | None = 0) -> BayesDisplay:
    """Draw three Gaussian classes, two of them with the same covariance, and their posterior probabilities.

    It teaches when boundaries are linear or quadratic. In log p(x | 1) - log p(x | 2) the quadratic term cancels if the
    two covariances are equal, so the boundary between those classes is a straight line. Otherwise it does not cancel,
    and the boundary is a conic section. The model estimates one covariance per class.

    Book: [Bishop] Fig. 4.11 and Eq. 4.64-4.70, §4.2.1.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : seed of the rows, 60 of each class

    Notes
    -----
    The rows of each class are transformed to have exactly the given mean and covariance, so that the two fitted
    covariances are equal, as those of an ordinary sample never are.
    """
    rng = np.random.default_rng(random_state)
    pairs = zip(np.array(MEANS), np.array(COVARIANCES), strict=True)
    X = np.vstack([mean + whitened_rows(rng, 60) @ np.linalg.cholesky(covariance).T for mean, covariance in pairs])
    y = np.repeat(["C₁", "C₂", "C₃"], 60)
    model = GaussianClassifier(shared=False).fit(X, y)
    display = BayesDisplay.from_estimator(model, X, y, ax=ax)
    return label_features(display)
