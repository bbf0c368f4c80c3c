"""The normaliser of a posterior from draws of it: bridge sampling against a Gaussian."""

import numpy as np
from scipy.special import expit, logsumexp

from posteriori.arrays import Array
from posteriori.inference.bayes.corrected.whitened import WhitenedPosterior

#: Draws of the posterior used, and of the Gaussian.
DRAWS = 4096


def log_normalizer(target: WhitenedPosterior, drawn: Array) -> float:
    """Return log of the integral of the posterior density over that of its Gaussian at the mode, both 1 at the mode.

    With l the log density less that of a Gaussian of the mean and covariance of the draws, the estimate solves
    sum over draws of the posterior of logistic(log Z - l) = sum over draws of the Gaussian of logistic(l - log Z)
    (Meng & Wong, Statistica Sinica 6, 1996).
    """
    r = target.size
    whole = drawn.reshape(-1, r)
    mean, factor = whole.mean(axis=0), np.linalg.cholesky(np.atleast_2d(np.cov(whole.T)))
    some = whole[:: max(len(whole) // DRAWS, 1)][:DRAWS]
    normal = np.random.default_rng(1).standard_normal((len(some), r))
    own = np.linalg.solve(factor, (some - mean).T).T
    log_det = float(np.log(np.diagonal(factor)).sum())
    of_draws = target.value(some) + 0.5 * np.square(own).sum(axis=1) + log_det
    of_normal = target.value(mean + normal @ factor.T) + 0.5 * np.square(normal).sum(axis=1) + log_det
    found = float(logsumexp(of_normal) - np.log(len(normal)))
    for _ in range(50):
        upper, lower = expit(of_normal - found).mean(), expit(found - of_draws).mean()
        found += float(np.log(upper) - np.log(lower))
    return found
