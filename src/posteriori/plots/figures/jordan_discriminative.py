"""Figures of [Jordan], §7.3.1: logistic regression."""

from dataclasses import replace
from typing import Any

import numpy as np

from posteriori.arrays import Array, Codes
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.estimators.regression.logistic_regression import LogisticRegression
from posteriori.plots.figures.jordan_rows import line_rows
from posteriori.plots.posteriors.posterior import PosteriorDisplay
from posteriori.plots.side_by_side import SideBySideDisplay
from posteriori.priors.gaussian import GaussianPrior

#: Standard deviation of the slope's prior in Fig. 7.12.
SD = 10.0


def jordan_7_11(ax: Any = None, random_state: int | None = 0) -> PosteriorDisplay:
    """Draw classes of no common shape that a line parts: a logistic regression, and Gaussians of one covariance.

    It teaches when to model the posterior alone. Which densities would describe these classes is hard to say, and the
    Gaussians, bent by clumps far from the boundary, pay for it with mistakes near it. Logistic regression asks
    nothing of the densities: only which side of a line the rows are on. The rows are made for the lesson; on rows that
    Gaussians do describe it is the other way round (`posteriori.learning_curves`).

    Book: [Jordan] Fig. 7.11, §7.3.1.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : of the rows
    """
    X, y = _odd_shapes(np.random.default_rng(random_state))
    fits = {
        "logistic regression": LogisticRegression(prior=0.01).fit(X, y),  # a prior, as some draws are separated
        "Gaussians of one covariance": GaussianClassifier().fit(X, y),
    }
    models = {f"{name}: {(model.predict(X) != y).sum()} mistakes": model for name, model in fits.items()}
    display = PosteriorDisplay.computed(models, X, y).plot(ax)
    for place, panel in enumerate(display.axes_):
        panel.set(xlabel="$x_1$", ylabel="" if place else "$x_2$")
    return display


def _odd_shapes(rng: np.random.Generator) -> tuple[Array, Codes]:
    """Draw rows on both sides of a line: below it a crowd close to it and a far clump, above it three streaks."""
    crowd = np.column_stack([rng.uniform(-3.0, 3.0, 60), -rng.exponential(0.45, 60)])
    clump = np.array([2.6, -5.5]) + 0.3 * rng.standard_normal((25, 2))
    up = rng.exponential(1.2, 75)
    streaks = np.column_stack([np.repeat([-2.4, 0.0, 2.2], 25) - 0.3 * up, up])
    X = np.vstack([crowd, clump, streaks]) + 0.22 * rng.standard_normal((160, 2))
    X[:, 1] += 0.4 * X[:, 0]
    return X, np.repeat([0, 1], [85, 75])


def jordan_7_12(ax: Any = None, random_state: int | None = 0) -> SideBySideDisplay:
    """Draw a logistic regression of the rows of Fig. 7.1, and beside it the fit with the point (1.5, 1) added.

    It teaches how logistic regression differs from least squares (Fig. 7.2): at x = 1.5 the probability of class 1 is
    already next to one, so the residual y - mu of the added point is next to nothing, and so is its pull on the
    curve. In both panels the slope has a Gaussian prior of standard deviation 10: the rows are completely separated, so
    that the likelihood grows without end as the slope does, and without a prior there would be no fit to draw.

    Book: [Jordan] Fig. 7.12 and Eq. 7.65, §7.3.1.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : as of every figure; the rows of this one are fixed

    Notes
    -----
    The book says that "points that are already classified correctly do not affect the fit". That holds for those far
    from the boundary: rows near it do, on whichever side.
    """
    fits = [LogisticRegression(prior=GaussianPrior(sd=SD)).fit(*line_rows(added)) for added in (0, 1)]
    first, second = "(a) the rows of Fig. 7.1", "(b) with (1.5, 1) added"
    display = PosteriorDisplay.computed({"24 rows": fits[0], "and 1 added": fits[1]}, *line_rows(1))
    alone = _without_last(display, "24 rows")
    curves = [surface.values[:, 1] for surface in display.surfaces.values() if surface.values is not None]
    moved = float(np.abs(curves[1] - curves[0]).max())
    captions = {
        first: f"Separated rows: no finite slope is the likeliest.\nDrawn with a prior, slope ~ N(0, {SD:g}²).",
        second: f"Two fits, one curve: they differ\nby {moved:.0e} where they differ most.",
    }
    options = {"classes": [1], "together": True}
    drawn = SideBySideDisplay({first: alone, second: display}, captions, legend="center right", options=options).plot(
        ax
    )
    for place, panel in enumerate(drawn.axes_):
        panel.set(ylabel="" if place else "P(Y = 1 | x)", xlabel=panel.get_xlabel().replace("x0", "$x$"))
    return drawn


def _without_last(display: PosteriorDisplay, name: str) -> PosteriorDisplay:
    """Give one model of a display over the same axis, without the row added last."""
    (axis,), labels = display.grid.axes, display.labels
    assert labels.codes is not None
    grid = replace(display.grid, axes=(replace(axis, rows=axis.rows[:-1]),))
    return PosteriorDisplay(grid, {name: display.surfaces[name]}, replace(labels, codes=labels.codes[:-1]))
