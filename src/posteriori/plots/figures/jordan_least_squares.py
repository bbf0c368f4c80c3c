"""Figures of [Jordan], §7.1: least squares classification."""

from typing import Any

import numpy as np

from posteriori.estimators.discriminants.least_squares_classifier import LeastSquaresClassifier
from posteriori.plots.figures.axis_labels import label_features
from posteriori.plots.figures.generated_rows import ADDED, line_rows
from posteriori.plots.posteriors.posterior import PosteriorDisplay


def jordan_7_1(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw the least squares line through two classes coded 0 and 1, with one feature.

    It teaches what regression on labels gives: a line that exceeds the range of a probability on both sides, so that
    its height is not the conditional expectation of a label. The decision changes where it crosses 1/2, at the thin
    line.

    Book: [Jordan] Fig. 7.1, §7.1.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : accepted for consistency; the rows of this figure are fixed

    Notes
    -----
    The rows are chosen so that the line agrees with that of the book to two decimals: slope 1.55 (here 1.5537),
    intercept -0.32 (-0.3194), and height 2.01 (2.0112) at x = 1.5.
    """
    X, y = line_rows()
    model = LeastSquaresClassifier().fit(X, y)
    display = PosteriorDisplay.computed({"Least squares on labels 0 and 1": model}, X, y).plot(ax, classes=[1])
    display.ax_.set(xlabel="$x$", ylabel="$y$")
    return display


def jordan_7_2(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw three least squares lines: for the rows of Fig. 7.1, with (1.5, 1) added once, and added five times.

    It teaches that least squares penalises rows too far on the correct side: the first line classifies the point
    correctly and with a large margin, yet each time it is added the line rotates, and the boundary, the thin line where
    the height is 1/2, moves towards it, from 0.527 to 0.543 to 0.576.

    Book: [Jordan] Fig. 7.2, §7.1.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : accepted for consistency; the rows of this figure are fixed

    Notes
    -----
    Slope and intercept go from 1.55 and -0.32 to 1.23 (1.2288) and -0.17 (-0.1674), as in the book, then to 0.86 and
    0.01. The book says that some points near the boundary change sides; here none does, as no row lies between
    0.47 and 0.6.
    """
    names = {"24 rows": 0, "and 1 added": 1, "and 5 added": 5}
    models = {name: LeastSquaresClassifier().fit(*line_rows(added)) for name, added in names.items()}
    display = PosteriorDisplay.computed(models, *line_rows(5)).plot(ax, classes=[1], together=True, legend="upper left")
    display.ax_.set(xlabel="$x$", ylabel="$y$")
    display.ax_.set_title("Rows far on the correct side move the line", fontsize=10)
    display.ax_.annotate(
        "added", (ADDED, 1.0), (ADDED, 0.3), ha="center", arrowprops={"arrowstyle": "->", "color": "0.4", "shrinkB": 6}
    )
    return display


def jordan_7_3(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw a linear classifier of two features: its two decision regions, the boundary, and the training rows.

    It teaches what all classifiers of this chapter have in common, however they are fitted: they divide the feature
    space into one region per class, and linear classifiers do so by hyperplanes, here a line.

    Book: [Jordan] Fig. 7.3, §7.1.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : seed of the rows
    """
    rng = np.random.default_rng(random_state)
    y = np.repeat([0, 1], 30)
    X = rng.standard_normal((60, 2)) @ np.array([[1.0, 0.4], [0.0, 0.8]]) + np.where(y[:, None] == 1, 1.1, -1.1)
    model = LeastSquaresClassifier().fit(X, y)
    display = PosteriorDisplay.computed({"One region per class": model}, X, y).plot(ax)
    return label_features(display)
