"""Figures of [Sugiyama], chapter 28."""

from typing import Any

import numpy as np

from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.estimators.kernels.kernel_logistic_regression import KernelLogisticRegression
from posteriori.estimators.kernels.lspc import LSPC
from posteriori.estimators.regression.logistic_regression import LogisticRegression
from posteriori.plots.curves.losses import LossDisplay
from posteriori.plots.posteriors.posterior import PosteriorDisplay

#: Where the three classes of the book's example lie, each with variance one.
MEANS = (-3.0, 0.0, 3.0)


def sugiyama_28_3(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw the posterior of three classes by kernel logistic regression, beside the true one.

    It teaches that the classes' shapes need not be known: a sum of Gaussian kernels on the 90 rows, put through the
    softmax, comes near the posterior of the three Gaussians that the rows were drawn from. It is near where there are
    rows; beyond them all kernels vanish, and so do the differences between the classes.

    Book: [Sugiyama] Fig. 28.3, Fig. 28.2 and Eq. 28.1, §28.1.1.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : of the rows: 30 of each class, about -3, 0 and 3

    Notes
    -----
    The book goes up the gradient of the likelihood alone, which with as many kernels as rows has no maximum: where it
    ends depends on when it stops. Here a Gaussian prior of precision 0.1, the book's for LSPC, makes one, and it is
    found exactly.
    """
    X, y = _rows(random_state)
    model = KernelLogisticRegression(bandwidth=1.0, precision=0.1).fit(X, y)
    return _beside_the_truth("kernel logistic regression", model, X, y, ax)


def sugiyama_28_6(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw the posterior of three classes by least-squares probabilistic classification, beside the true one.

    It teaches that a linear system a class gives nearly what a softmax over all classes does: compare Fig. 28.3, which
    has the same rows. The price is the rounding: outputs below zero become zero, so there are stretches where a class
    is given no probability at all.

    Book: [Sugiyama] Fig. 28.6, Fig. 28.5 and Eq. 28.5, §28.2.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : of the rows, those of Fig. 28.3

    Notes
    -----
    As the book's code does, and not as its Eq. 28.3, each class has kernels on its own rows alone.
    """
    X, y = _rows(random_state)
    model = LSPC(bandwidth=1.0, precision=0.1, centers="own-class").fit(X, y)
    return _beside_the_truth("LSPC", model, X, y, ax)


def _rows(random_state: int | None) -> tuple[Any, Any]:
    """Draw the book's rows: 30 from each of three Gaussians."""
    rng = np.random.default_rng(random_state)
    y = np.repeat([1, 2, 3], 30)
    return rng.normal(np.repeat(MEANS, 30))[:, None], y


def _beside_the_truth(name: str, model: Any, X: Any, y: Any, ax: Any) -> PosteriorDisplay:
    """Draw a model's curves and those of the Gaussians that the rows came from."""
    places = np.add.outer(MEANS, [-1.0, 1.0]).reshape(-1, 1)  # two rows a class have just those means and variances
    truth = GaussianClassifier().fit(places, np.repeat([1, 2, 3], 2))
    display = PosteriorDisplay.computed({"fitted": model, "truth": truth}, X, y).plot(ax, together=True)
    display.ax_.set(title=f"Posterior by {name}", xlabel="$x$", ylabel="P(class | x)")
    return display


def sugiyama_28_4(ax: Any = None, random_state: int | None = 0) -> LossDisplay:
    """Draw the logistic loss against the margin, beside the 0-1, squared and perceptron losses.

    It teaches why classifiers that look unlike are one idea: each puts something that can be minimised in place of the
    number of mistakes. The squared loss rises again for rows that are "too right", which is how they move the
    boundary of least squares; the perceptron's is flat from the boundary on, so it stops at the first plane
    without mistakes; the logistic one never quite stops rewarding a larger margin, and only linearly
    punishes a wrong one. The ticks are the margins of 60 rows under a logistic regression fitted to them.

    Book: [Sugiyama] Fig. 28.4, §28.1.2; [Deuschle] §3.4.3.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : of the rows
    """
    rng = np.random.default_rng(random_state)
    y = np.repeat([-1, 1], 30)
    X = rng.standard_normal((60, 2)) + 0.7 * y[:, None]
    model = LogisticRegression(prior=1.0).fit(X, y)  # a prior, as some draws are separated
    return LossDisplay.from_estimator(model, X, y, ax=ax)
