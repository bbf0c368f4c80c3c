"""Correction of Laplace's Gaussian to a `CorrectedPosterior`: by a series where accurate, else by sampling."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from posteriori.arrays import Array
from posteriori.engines.base import Engine
from posteriori.engines.blas import single_threaded_blas
from posteriori.inference.bayes.corrected.expansion import Cumulants, expand
from posteriori.inference.bayes.corrected.sampling import log_normalizer, sample
from posteriori.inference.bayes.corrected.whitened import WhitenedPosterior
from posteriori.models.posterior.corrected import CorrectedPosterior, interval_shifts, ordered, shifts_of
from posteriori.models.posterior.gaussian import GaussianPosterior
from posteriori.models.posterior.model import DeferredPosterior

#: Greatest number of coefficients for which third cumulants are stored, and of multiplications to compute them.
LARGEST, SUMS = 64, 2**33
#: Shift of bounds, in standard deviations, up to which the series is accurate to a tenth of a standard deviation.
MILD = 0.4
#: Cost of an evaluation (numbers in the predictors and their slopes) up to which sampling takes a second or two.
SAMPLED = 2**15
#: Least variance taken from the series, in units of that of Laplace.
LEAST = 0.25


@dataclass(frozen=True)
class DeferredSampling(DeferredPosterior):
    """A posterior for which the series is inaccurate, with the rows from which it is sampled on first use.

    Parameters
    ----------
    laplace : the Gaussian at the mode
    series : the posterior by the series
    target : the log posterior of the rows
    """

    laplace: GaussianPosterior
    series: CorrectedPosterior
    target: WhitenedPosterior

    @cached_property
    def sampled(self) -> CorrectedPosterior:
        """The posterior by draws, the same for the same rows; by the series where the chains do not converge."""
        with single_threaded_blas(), np.errstate(all="ignore"):
            draws = sample(self.target)
            if draws is None:
                return self.series
            cumulants = _cumulants(draws, log_normalizer(self.target, draws))
        return from_cumulants(self.laplace, cumulants, "draws")


def correct(engine: Engine, posterior: GaussianPosterior) -> CorrectedPosterior | DeferredSampling | None:
    """Return the posterior with its mean, covariance and skewness; None where that is too expensive.

    The series in derivatives at the mode takes one pass over the data. It is inaccurate where it shifts a bound of a
    95 % interval by more than `MILD` standard deviations; then the posterior is sampled, if the rows are few enough.
    """
    (q, _), r, n_rows = posterior.w.shape, len(posterior.root), engine.n_rows
    if r > LARGEST or n_rows * max(q, 2) * r**3 > SUMS:
        return None
    series = from_cumulants(posterior, expand(engine, posterior), "series")
    if shifts_between_classes(posterior, series).max(initial=0.0) <= MILD:
        return series
    series = replace(series, method="series, too short")
    if n_rows * q * (r + 10) > SAMPLED:
        return series
    rows = engine.collect("Sampling the posterior needs all rows in one place.")
    return DeferredSampling(posterior, series, WhitenedPosterior.of(rows, posterior))


def _cumulants(draws: Array, log_z: float) -> Cumulants:
    """Return the cumulants of draws (…, r)."""
    z = draws.reshape(-1, draws.shape[-1])
    r, mean = z.shape[1], z.mean(axis=0)
    centred = z - mean
    third = np.zeros((r, r * r))
    for part in np.array_split(centred, max(len(z) * r * r // 2**22, 1)):
        third += part.T @ (part[:, :, None] * part[:, None, :]).reshape(len(part), -1)
    return Cumulants(mean, centred.T @ centred / len(z), third.reshape(r, r, r) / len(z), log_z)


def from_cumulants(posterior: GaussianPosterior, cumulants: Cumulants, method: str) -> CorrectedPosterior:
    """Return the posterior of the coefficients with the cumulants of z."""
    values, vectors = np.linalg.eigh(cumulants.covariance)
    R = np.sqrt(np.maximum(values, LEAST))[:, None] * vectors.T  # that of an inaccurate series may be indefinite
    back = np.linalg.inv(R)
    third = np.einsum("ijk,ia,jb,kc->abc", cumulants.third, back, back, back, optimize=True)
    mean = posterior.w + (cumulants.mean @ posterior.root).reshape(posterior.w.shape)
    gaussian = replace(posterior, w=mean, root=R @ posterior.root)
    laplace = posterior.log_evidence
    evidence = None if laplace is None else laplace + cumulants.log_normalizer
    corrected = CorrectedPosterior(gaussian, third[ordered(len(R))], method, np.zeros(0), evidence)
    return replace(corrected, moved=interval_shifts(posterior, corrected))


def shifts_between_classes(before: GaussianPosterior, after: CorrectedPosterior) -> Array:
    """Return the largest shift of each coefficient and of its differences from those of other classes, (m,).

    The K vectors have a component in common that only the prior determines; it masks the shifts of differences.
    """
    K, p = before.w.shape
    largest = after.moved.reshape(K, p).copy()
    for a, b in combinations(range(K), 2):
        difference = np.kron(np.eye(K)[a] - np.eye(K)[b], np.eye(p))
        largest[[a, b]] = np.maximum(largest[[a, b]], shifts_of(before, after, difference))
    return largest.ravel()
