"""`Likelihoods`: the likelihoods of a fit, of the model without columns, and of the saturated model."""

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from posteriori.arrays import Array
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.links.base import LinkFunction
from posteriori.storable import storable

#: Relative error of a sum of logarithms over rows, which is known to the accuracy of the point it was computed at.
ROUNDING = 1e-6


@storable
@dataclass(frozen=True)
class Likelihoods:
    """Log likelihoods and deviances, as R reports them.

    The deviance is twice the log likelihood below the saturated model's. For grouped counts the binomial (or
    multinomial) coefficients are part of the likelihood, each as often as its row's weight says.

    Parameters
    ----------
    loss : minus the log likelihood of the fit, without these coefficients
    null_loss : that of the model without columns
    saturated : minus that of the saturated model, 0 where each row has one class
    constant : the log of the coefficients

    Examples
    --------
    >>> Likelihoods(10.0, 12.0, 0.0, 0.0).aic(2)
    24.0
    """

    loss: float
    null_loss: float
    saturated: float
    constant: float

    @property
    def log_likelihood(self) -> float:
        """Of the fit."""
        return self.constant - self.loss

    @property
    def null_log_likelihood(self) -> float:
        """Of the model without columns."""
        return self.constant - self.null_loss

    @property
    def deviance(self) -> float:
        """Of the fit."""
        return 2.0 * (self.saturated + self.loss)

    @property
    def null_deviance(self) -> float:
        """Of the model without columns."""
        return 2.0 * (self.saturated + self.null_loss)

    def aic(self, n_parameters: float) -> float:
        """Return Akaike's information criterion, 2 (k - log L)."""
        return 2.0 * (n_parameters - self.log_likelihood)

    def bic(self, n_parameters: float, n: float) -> float:
        """Return the Bayesian information criterion, k log n - 2 log L; `n` counts rows by their frequencies."""
        return float(n_parameters * np.log(n) - 2.0 * self.log_likelihood)

    def check(self, where: str) -> None:
        """Raise unless the losses are finite, and the coefficients are counts of arrangements."""
        for name in ("loss", "saturated", "constant"):
            require.number(getattr(self, name), f"{where}.{name}")
        slack = ROUNDING * max(1.0, abs(self.loss))
        if self.saturated > slack or self.saturated + self.loss < -slack:
            fail(f"{where}.saturated", "is not between the loss and zero")
        if self.constant < -slack or self.constant > max(-self.saturated, 0.0) + slack:
            fail(f"{where}.constant", "is not between zero and the saturated likelihood")

    def check_fit(self, loss: float, one_class_per_row: bool, where: str) -> None:
        """Raise unless the loss is that of the solution, and nothing is added to it where each row has one class."""
        require.close(self.loss, loss, f"{where}.likelihoods.loss", "is not that of the solution",
                      rtol=ROUNDING, atol=ROUNDING)  # fmt: skip
        if one_class_per_row and (self.saturated != 0.0 or self.constant != 0.0):
            fail(f"{where}.likelihoods", "has coefficients, and each row has one class")


def loss_without_columns(link: LinkFunction, totals: Array, intercept: bool) -> float:
    """Return the loss of the model without columns or offset, from the weight of each class (K,)."""
    if intercept:
        return -float(xlogy(totals, totals / totals.sum()).sum())
    return -float(totals @ link.log_probabilities(np.zeros((1, link.n_scores)))[0])
