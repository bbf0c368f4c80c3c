"""Figures of [Jordan], §7.3.1: logistic regression."""

from dataclasses import replace
from typing import Any

import numpy as np

from posteriori.arrays import Array, Codes
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.estimators.regression.logistic_regression import LogisticRegression
from posteriori.plots.figures.axis_labels import label_features
from posteriori.plots.figures.generated_rows import line_rows
from posteriori.plots.posteriors.posterior import PosteriorDisplay
from posteriori.plots.side_by_side import SideBySideDisplay
from posteriori.priors.gaussian import GaussianPrior

#: Standard deviation of the slope's prior in Fig. 7.12.
SD = 10.0


def jordan_7_11(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw two irregular classes that a straight line separates, with logistic regression and with Gaussian classes.

    It teaches when to model only the posterior. The densities of these classes have no simple form, and the Gaussian
    fit, distorted by clusters far from the boundary, makes errors near it. Logistic regression does not model the
    densities, only the side of a line that the rows are on. The rows are generated to show this; for Gaussian classes
    the comparison is reversed (`posteriori.learning_curves`).

    Book: [Jordan] Fig. 7.11, §7.3.1.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : seed of the rows
    """
    X, y = _odd_shapes(np.random.default_rng(random_state))
    fits = {
        "logistic regression": LogisticRegression(prior=0.01).fit(X, y),  # a prior, as some draws are separated
        "Gaussian, shared covariance": GaussianClassifier().fit(X, y),
    }
    models = {f"{name}: {(model.predict(X) != y).sum()} errors": model for name, model in fits.items()}
    display = PosteriorDisplay.computed(models, X, y).plot(ax)
    return label_features(display, shared=True)


def _odd_shapes(rng: np.random.Generator) -> tuple[Array, Codes]:
    """Generate rows on both sides of a line: a dense group near it and a distant cluster below, three streaks above."""
    near = np.column_stack([rng.uniform(-3.0, 3.0, 60), -rng.exponential(0.45, 60)])
    distant = np.array([2.6, -5.5]) + 0.3 * rng.standard_normal((25, 2))
    up = rng.exponential(1.2, 75)
    streaks = np.column_stack([np.repeat([-2.4, 0.0, 2.2], 25) - 0.3 * up, up])
    X = np.vstack([near, distant, streaks]) + 0.22 * rng.standard_normal((160, 2))
    X[:, 1] += 0.4 * X[:, 0]
    return X, np.repeat([0, 1], [85, 75])


def jordan_7_12(ax: Any = None, random_state: int | None = 0) -> SideBySideDisplay:
    """Draw a logistic regression of the rows of Fig. 7.1, and beside it the fit with the point (1.5, 1) added.

    It teaches how logistic regression differs from least squares (Fig. 7.2): at x = 1.5 the probability of class 1 is
    already near one, so the residual y - mu of the added point, and its influence on the curve, are nearly zero. In
    both panels the slope has a Gaussian prior of standard deviation 10: the classes are completely separated, so the
    likelihood increases without bound with the slope and has no maximum without a prior.

    Book: [Jordan] Fig. 7.12 and Eq. 7.65, §7.3.1.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : accepted for consistency; the rows of this figure are fixed

    Notes
    -----
    The book says that "points that are already classified correctly do not affect the fit". That holds for those far
    from the boundary: rows near it do, on whichever side.
    """
    fits = [LogisticRegression(prior=GaussianPrior(sd=SD)).fit(*line_rows(added)) for added in (0, 1)]
    first, second = "(a) rows of Fig. 7.1", "(b) with (1.5, 1) added"
    display = PosteriorDisplay.computed({"24 rows": fits[0], "and 1 added": fits[1]}, *line_rows(1))
    alone = _without_last(display, "24 rows")
    curves = [surface.values[:, 1] for surface in display.surfaces.values() if surface.values is not None]
    largest = float(np.abs(curves[1] - curves[0]).max())
    captions = {
        first: f"The classes are separated, so the likelihood has\nno maximum; the slope has a N(0, {SD:g}²) prior.",
        second: f"The two fits coincide: their largest\ndifference is {largest:.0e}.",
    }
    options = {"classes": [1], "together": True}
    panels = {first: alone, second: display}
    drawn = SideBySideDisplay(panels, captions, legend="center right", options=options).plot(ax)
    for place, panel in enumerate(drawn.axes_):
        panel.set(ylabel="" if place else "P(Y = 1 | x)", xlabel=panel.get_xlabel().replace("x0", "$x$"))
    return drawn


def _without_last(display: PosteriorDisplay, name: str) -> PosteriorDisplay:
    """Return one model of a Display without the last row."""
    (axis,), labels = display.grid.axes, display.labels
    assert labels.codes is not None
    grid = replace(display.grid, axes=(replace(axis, rows=axis.rows[:-1]),))
    return PosteriorDisplay(grid, {name: display.surfaces[name]}, replace(labels, codes=labels.codes[:-1]))
