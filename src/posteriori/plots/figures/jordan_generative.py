"""Figures of [Jordan], §7.2.1: Gaussian classes and the posteriors that follow from them."""

from typing import Any

from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.plots.densities.density import DensityDisplay
from posteriori.plots.figures.jordan_rows import gaussian_rows
from posteriori.plots.posteriors.gaussian_posterior import GaussianPosteriorDisplay
from posteriori.plots.side_by_side import SideBySideDisplay

#: Means of the two classes of these figures; class 1 is the upper right one.
MEANS = [(-1.0, -1.0), (1.0, 1.0)]
#: Standard deviations of the two features: alike, as the book has them unlike, and less unlike, where lines need room.
ALIKE, UNLIKE, LESS_UNLIKE = (1.0, 1.0), (0.5, 2.0), (0.8, 1.8)
#: The ends of both axes, the same in all panels.
WINDOW = (-5.0, 5.0)


def jordan_7_5(ax: Any = None, random_state: int | None = 0) -> SideBySideDisplay:
    """Draw contours of two Gaussian classes, with standard deviations 1 and 1, and 0.5 and 2 of the two features.

    It teaches what conditional independence and a shared covariance look like: the classes have contours of one shape,
    circles where the features have one variance, ellipses along the axes where not, about means of their own. The
    densities are those of a classifier fitted to the rows, whose deviations are exactly these.

    Book: [Jordan] Fig. 7.5 and Eq. 7.2-7.3, §7.2.1.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : of the rows

    Notes
    -----
    Eq. 7.5 of the book has (2 pi)^(1/2) for m features; it is (2 pi)^(m/2).
    """
    panels = {}
    for letter, sds in (("a", ALIKE), ("b", UNLIKE)):
        X, y = gaussian_rows(MEANS, sds, random_state)
        model = GaussianClassifier(covariance="diagonal").fit(X, y)
        panels[_title(letter, sds)] = DensityDisplay.computed(model, X, y)
    display = SideBySideDisplay(panels, equal=True).plot(ax)
    _name(display.axes_)
    for panel in display.axes_:
        panel.set(xlim=(-6.5, 6.5), ylim=(-6.5, 6.5))
    return display


def jordan_7_7(ax: Any = None, random_state: int | None = 0) -> SideBySideDisplay:
    """Draw lines of equal posterior of two Gaussian classes that share a covariance, with the line between the means.

    It teaches that the posterior is a function of beta'x, beta = S^-1 (mu_1 - mu_0): lines of equal posterior are
    straight. With S = I (a) they are at right angles to the line between the means, and the solid one, posterior
    1/2, halves it. With unequal deviations (b) they are straight still, but no longer at right angles: the feature
    that varies less counts for more.

    Book: [Jordan] Fig. 7.7 and Eq. 7.7-7.10, §7.2.1.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : of the rows

    Notes
    -----
    The book has right angles again for w = S^-1 x; it is w = S^(-1/2) x.
    """
    panels = {}
    for letter, sds in (("a", ALIKE), ("b", LESS_UNLIKE)):
        X, y = gaussian_rows(MEANS, sds, random_state)
        model = GaussianClassifier(covariance="diagonal").fit(X, y)
        panels[_title(letter, sds)] = GaussianPosteriorDisplay.of({"": model}, X, y, window=(WINDOW, WINDOW))
    display = SideBySideDisplay(panels).plot(ax)
    _name(display.axes_)
    return display


def jordan_7_8(ax: Any = None, random_state: int | None = 0) -> GaussianPosteriorDisplay:
    """Draw the posterior of the same two Gaussian classes under priors P(Y = 1) of 0.9 and of 0.1.

    It teaches what a prior does: it adds log(pi / (1 - pi)) to the log odds, so that every line of equal posterior
    moves by the same step, towards class 0 where class 1 is the likelier (a), towards class 1 where it is not
    (b); no line turns.

    Book: [Jordan] Fig. 7.8 and Eq. 7.8, §7.2.1.

    Parameters
    ----------
    ax : matplotlib axes to divide, or two; default new ones
    random_state : of the rows
    """
    X, y = gaussian_rows(MEANS, ALIKE, random_state)
    models = {
        f"({letter}) π = {prior}": GaussianClassifier(covariance="diagonal", class_priors=[1 - prior, prior]).fit(X, y)
        for letter, prior in (("a", 0.9), ("b", 0.1))
    }
    display = GaussianPosteriorDisplay.of(models, X, y, window=(WINDOW, WINDOW)).plot(ax)
    _name(display.axes_)
    return display


def jordan_7_9(ax: Any = None, random_state: int | None = 0) -> GaussianPosteriorDisplay:
    """Draw the posterior of three Gaussian classes with S = I, and the lines on which two are equally probable.

    It teaches that the softmax is the logistic function between every two classes: the ratio of two posteriors has the
    exponent (beta_k - beta_l)'x, so that they are equal on a line, at right angles to the line between the two
    means. The three lines meet in one point; each is a boundary (solid) up to there, and beyond it the third
    class is more probable than both (dotted).

    Book: [Jordan] Fig. 7.9 and Eq. 7.25-7.29, §7.2.1.

    Parameters
    ----------
    ax : matplotlib axes, default new ones
    random_state : of the rows

    Notes
    -----
    Eq. 7.28 of the book lacks the 1/2 before mu' S^-1 mu, which Eq. 7.27 has.
    """
    X, y = gaussian_rows([(-2.0, -1.0), (2.0, -1.4), (0.3, 2.0)], ALIKE, random_state, n=30)
    model = GaussianClassifier(covariance="spherical").fit(X, y)
    display = GaussianPosteriorDisplay.of({"Three classes, Σ = I": model}, X, y).plot(ax)
    _name(display.axes_)
    return display


def _title(letter: str, sds: tuple[float, float]) -> str:
    return f"({letter}) $\\sigma_1$ = {sds[0]:g}, $\\sigma_2$ = {sds[1]:g}"


def _name(axes: list[Any]) -> None:
    """Name the axes as the book does."""
    for place, ax in enumerate(axes):
        ax.set(xlabel="$x_1$", ylabel="" if place else "$x_2$")
