"""Figures of [Sugiyama], chapter 28."""

from typing import Any

import numpy as np

from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.estimators.kernels.kernel_logistic_regression import KernelLogisticRegression
from posteriori.estimators.kernels.lspc import LSPC
from posteriori.estimators.regression.logistic_regression import LogisticRegression
from posteriori.plots.curves.losses import LossDisplay
from posteriori.plots.posteriors.posterior import PosteriorDisplay

#: Means of the three classes of the book's example, each with variance one.
MEANS = (-3.0, 0.0, 3.0)


def sugiyama_28_3(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw the posterior of three classes by kernel logistic regression, with the true posterior.

    It teaches that the class densities need not be known: the softmax of sums of Gaussian kernels at the 90 rows
    approximates the posterior of the three Gaussians from which the rows were drawn. The approximation is good where
    there are rows; far from them all kernels vanish, and with them the differences between the classes.

    Book: [Sugiyama] Fig. 28.3, Fig. 28.2 and Eq. 28.1, §28.1.1.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : seed of the rows: 30 of each class, around -3, 0 and 3

    Notes
    -----
    The book follows the gradient of the likelihood alone, which with as many kernels as rows has no maximum, so that
    its result depends on the number of steps. Here a Gaussian prior of precision 0.1, the book's for LSPC, ensures a
    maximum.
    """
    X, y = _rows(random_state)
    model = KernelLogisticRegression(bandwidth=1.0, precision=0.1).fit(X, y)
    return _with_true_posterior("kernel logistic regression", model, X, y, ax)


def sugiyama_28_6(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw the posterior of three classes by least-squares probabilistic classification, with the true posterior.

    It teaches that solving one linear system per class gives nearly the same result as a softmax over all classes:
    compare Fig. 28.3, which has the same rows. The price is that negative outputs are rounded up to zero, so that a
    class has probability zero over some intervals.

    Book: [Sugiyama] Fig. 28.6, Fig. 28.5 and Eq. 28.5, §28.2.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : seed of the rows, those of Fig. 28.3

    Notes
    -----
    As in the book's code, and unlike its Eq. 28.3, each class has kernels at its own rows only.
    """
    X, y = _rows(random_state)
    model = LSPC(bandwidth=1.0, precision=0.1, centers="own-class").fit(X, y)
    return _with_true_posterior("LSPC", model, X, y, ax)


def _rows(random_state: int | None) -> tuple[Any, Any]:
    """Generate the rows of the book: 30 from each of three Gaussians."""
    rng = np.random.default_rng(random_state)
    y = np.repeat([1, 2, 3], 30)
    return rng.normal(np.repeat(MEANS, 30))[:, None], y


def _with_true_posterior(name: str, model: Any, X: Any, y: Any, ax: Any) -> PosteriorDisplay:
    """Draw the posterior of a model and of the Gaussians that generated the rows."""
    # two rows per class have exactly those means and variances
    places = np.add.outer(MEANS, [-1.0, 1.0]).reshape(-1, 1)
    truth = GaussianClassifier().fit(places, np.repeat([1, 2, 3], 2))
    display = PosteriorDisplay.computed({"fitted": model, "true": truth}, X, y).plot(ax, together=True)
    display.ax_.set(title=f"Posterior by {name}", xlabel="$x$", ylabel="P(class | x)")
    return display


def sugiyama_28_4(ax: Any = None, random_state: int | None = 0) -> LossDisplay:
    """Draw the logistic loss as a function of the margin, with the 0-1, squared and perceptron losses.

    It teaches what different classifiers have in common: each minimises a surrogate for the number of errors. The
    squared loss increases again for rows far on the correct side, which therefore move the boundary of least squares.
    The perceptron loss is zero on the correct side, so the perceptron stops at the first plane without errors. The
    logistic loss decreases with every increase of the margin, and grows only linearly on the wrong side. The ticks are
    the margins of 60 rows under a logistic regression fitted to them.

    Book: [Sugiyama] Fig. 28.4, §28.1.2; [Deuschle] §3.4.3.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : seed of the rows
    """
    rng = np.random.default_rng(random_state)
    y = np.repeat([-1, 1], 30)
    X = rng.standard_normal((60, 2)) + 0.7 * y[:, None]
    model = LogisticRegression(prior=1.0).fit(X, y)  # a prior, as some draws are separated
    return LossDisplay.from_estimator(model, X, y, ax=ax)
