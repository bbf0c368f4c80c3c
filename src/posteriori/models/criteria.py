"""Akaike's and the Bayesian information criterion."""

import numpy as np


def information_criteria(log_likelihood: float, n_parameters: float, n: float) -> dict[str, float]:
    """Return AIC = 2 (k - log L) and BIC = k log n - 2 log L as attributes; `n` counts rows by their frequencies.

    >>> information_criteria(-10.0, 2, 100.0)["aic_"]
    24.0
    """
    aic, bic = 2.0 * (n_parameters - log_likelihood), n_parameters * np.log(n) - 2.0 * log_likelihood
    return {"aic_": aic, "bic_": float(bic)}
