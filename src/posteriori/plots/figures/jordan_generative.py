"""Figures of [Jordan], §7.2.1: Gaussian classes and their posteriors."""

from collections.abc import Callable
from typing import Any

from posteriori.arrays import Array, Codes
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.plots.densities.density import DensityDisplay
from posteriori.plots.figures.axis_labels import label_features
from posteriori.plots.figures.generated_rows import gaussian_rows
from posteriori.plots.posteriors.gaussian_posterior import GaussianPosteriorDisplay
from posteriori.plots.side_by_side import SideBySideDisplay

#: Means of the two classes of these figures; class 1 is the upper right one.
MEANS = [(-1.0, -1.0), (1.0, 1.0)]
#: Standard deviations of the two features: equal, unequal as in the book, and less unequal for panels of many lines.
EQUAL, UNEQUAL, LESS_UNEQUAL = (1.0, 1.0), (0.5, 2.0), (0.8, 1.8)
#: The ends of both axes, the same in all panels.
WINDOW = (-5.0, 5.0)


def jordan_7_5(ax: Any = None, random_state: int | None = 0) -> SideBySideDisplay:
    """Draw contours of two Gaussian classes whose features have standard deviations 1 and 1, and 0.5 and 2.

    It teaches what conditional independence and a shared covariance look like: the contours of both classes have the
    same shape, circles if the features have equal variances and otherwise axis-aligned ellipses, around different
    means. The densities are those of a classifier fitted to rows with exactly these standard deviations.

    Book: [Jordan] Fig. 7.5 and Eq. 7.2-7.3, §7.2.1.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : seed of the rows

    Notes
    -----
    Eq. 7.5 of the book has (2 pi)^(1/2) for m features; it is (2 pi)^(m/2).
    """
    display = _two_panels(DensityDisplay.computed, UNEQUAL, random_state, equal=True).plot(ax)
    for panel in display.axes_:
        panel.set(xlim=(-6.5, 6.5), ylim=(-6.5, 6.5))
    return label_features(display, shared=True)


def jordan_7_7(ax: Any = None, random_state: int | None = 0) -> SideBySideDisplay:
    """Draw contours of the posterior of two Gaussian classes with a shared covariance, with the line between the means.

    It teaches that the posterior is a function of beta'x, beta = S^-1 (mu_1 - mu_0), so that its contours are straight
    lines. With S = I (a) they are perpendicular to the line between the means, and the solid one, posterior 1/2,
    bisects it. With unequal standard deviations (b) they are still straight but not perpendicular: the feature with the
    smaller variance has the larger weight.

    Book: [Jordan] Fig. 7.7 and Eq. 7.7-7.10, §7.2.1.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : seed of the rows

    Notes
    -----
    The book says that the lines are perpendicular again for w = S^-1 x; it should be w = S^(-1/2) x.
    """
    display = _two_panels(_posterior, LESS_UNEQUAL, random_state).plot(ax)
    return label_features(display, shared=True)


def jordan_7_8(ax: Any = None, random_state: int | None = 0) -> GaussianPosteriorDisplay:
    """Draw the posterior of the same two Gaussian classes under priors P(Y = 1) of 0.9 and of 0.1.

    It teaches the effect of a prior: it adds log(pi / (1 - pi)) to the log odds, which shifts all contours by the same
    distance without rotating them, towards class 0 if class 1 has the larger prior (a), otherwise towards class 1 (b).

    Book: [Jordan] Fig. 7.8 and Eq. 7.8, §7.2.1.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : seed of the rows
    """
    X, y = gaussian_rows(MEANS, EQUAL, random_state)
    models = {
        f"({letter}) π = {prior}": GaussianClassifier(covariance="diagonal", class_priors=[1 - prior, prior]).fit(X, y)
        for letter, prior in (("a", 0.9), ("b", 0.1))
    }
    display = GaussianPosteriorDisplay.of(models, X, y, window=(WINDOW, WINDOW)).plot(ax)
    return label_features(display, shared=True)


def jordan_7_9(ax: Any = None, random_state: int | None = 0) -> GaussianPosteriorDisplay:
    """Draw the posterior of three Gaussian classes with S = I, and the lines on which two are equally probable.

    It teaches that the softmax is the logistic function between every two classes: the log ratio of two posteriors is
    linear in x with coefficients beta_k - beta_l, so that they are equal on a line perpendicular to the line between
    the two means. The three lines meet in one point. Each is a boundary (solid) up to that point; beyond it the third
    class is more probable than both (dotted).

    Book: [Jordan] Fig. 7.9 and Eq. 7.25-7.29, §7.2.1.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : seed of the rows

    Notes
    -----
    Eq. 7.28 of the book lacks the factor 1/2 of mu' S^-1 mu, which Eq. 7.27 has.
    """
    X, y = gaussian_rows([(-2.0, -1.0), (2.0, -1.4), (0.3, 2.0)], EQUAL, random_state, n=30)
    model = GaussianClassifier(covariance="spherical").fit(X, y)
    display = GaussianPosteriorDisplay.of({"Three classes, Σ = I": model}, X, y).plot(ax)
    return label_features(display, shared=True)


def _posterior(model: GaussianClassifier, X: Array, y: Codes) -> GaussianPosteriorDisplay:
    return GaussianPosteriorDisplay.of({"": model}, X, y, window=(WINDOW, WINDOW))


def _two_panels(
    display: Callable[..., Any], unequal: tuple[float, float], random_state: int | None, **options: Any
) -> SideBySideDisplay:
    """Return a Display of the classes with equal and with unequal standard deviations, side by side."""
    panels = {}
    for letter, sds in (("a", EQUAL), ("b", unequal)):
        X, y = gaussian_rows(MEANS, sds, random_state)
        title = f"({letter}) $\\sigma_1$ = {sds[0]:g}, $\\sigma_2$ = {sds[1]:g}"
        panels[title] = display(GaussianClassifier(covariance="diagonal").fit(X, y), X, y)
    return SideBySideDisplay(panels, **options)
