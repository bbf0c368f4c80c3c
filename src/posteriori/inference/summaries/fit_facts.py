"""`FitFacts`: the numbers of a fit as a whole that a summary shows."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, kw_only=True)
class FitFacts:
    """The fit as a whole.

    `n_observations` counts trials of grouped data and frequency weights; `n_rows` the rows they came in. Degrees of
    freedom belong to the deviances: they count grouped rows once, as R does, and a row of frequency k as k rows.
    NaN where a number is not valid. With robust and cluster covariances `wald_statistic` and `wald_p_value` test
    all columns together, in place of `lr_p_value`. `n_excluded` rows were left out because of missing values. Log
    likelihoods of grouped data include the logs of the binomial coefficients, `log_coefficients`; `pseudo_r2` is
    computed from the likelihoods without them.
    """

    model: str
    log_likelihood: float
    null_log_likelihood: float
    deviance: float
    null_deviance: float
    aic: float
    bic: float
    link: str
    method: str
    status: str
    n_rows: int
    n_observations: float
    df_model: int
    df_null: float
    df_residual: float
    pseudo_r2: float
    lr_p_value: float
    iterations: int
    weights: str = "frequency"
    n_clusters: int | None = None
    wald_statistic: float = np.nan
    wald_p_value: float = np.nan
    n_excluded: int = 0
    log_coefficients: float = 0.0
