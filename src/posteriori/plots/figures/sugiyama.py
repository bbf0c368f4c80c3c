"""Figures of [Sugiyama], chapter 28."""

from typing import Any

import numpy as np

from posteriori.classifiers.logistic_regression import LogisticRegression
from posteriori.plots.losses import LossDisplay


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
