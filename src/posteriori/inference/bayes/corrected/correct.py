"""From Laplace's Gaussian to a `CorrectedPosterior`: by a series where that is enough, else by draws."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from posteriori.arrays import Array
from posteriori.engines.base import Engine
from posteriori.engines.blas import single_threaded_blas
from posteriori.inference.bayes.corrected.bridge import log_normalizer
from posteriori.inference.bayes.corrected.expansion import Cumulants, expand
from posteriori.inference.bayes.corrected.hamiltonian import sample
from posteriori.inference.bayes.corrected.pearson import quantile
from posteriori.inference.bayes.corrected.posterior import CorrectedPosterior, ordered
from posteriori.inference.bayes.corrected.whitened import WhitenedPosterior
from posteriori.inference.bayes.posterior import GaussianPosterior
from posteriori.tables.memory import MemoryTable

#: Coefficients beyond which third cumulants are not kept, and multiplications beyond which they are not summed.
LARGEST, SUMS = 64, 2**33
#: Standard deviations up to which bounds moved by the series are within a tenth of one of where they belong.
MILD = 0.4
#: Numbers in the predictors and their slopes beyond which the posterior is not sampled: a second or two.
SAMPLED = 2**15
#: Least variance that the series may give, in units of Laplace's.
LEAST = 0.25


@dataclass(frozen=True)
class Unsampled:
    """A posterior that the series is too short for, with the few rows from which it is sampled once it is asked for.

    Parameters
    ----------
    laplace : the Gaussian at the mode
    series : what the series gives
    target : the rows
    """

    laplace: GaussianPosterior
    series: CorrectedPosterior
    target: WhitenedPosterior

    @cached_property
    def sampled(self) -> CorrectedPosterior:
        """The posterior by draws, the same for the same rows; by the series where the chains do not settle."""
        with single_threaded_blas(), np.errstate(all="ignore"):
            drawn = sample(self.target)
            if drawn is None:
                return self.series
            found = _cumulants(drawn, log_normalizer(self.target, drawn))
        return _corrected(self.laplace, found, "draws")


def correct(engine: Engine, posterior: GaussianPosterior) -> CorrectedPosterior | Unsampled | None:
    """Return the posterior with its mean, covariance and skewness; None where that is out of reach.

    The series in derivatives at the mode costs one reading of the rows. Where it moves a bound of a 95 % interval by
    more than `MILD` standard deviations, it is too short; then draws are made, if the rows are few enough.
    """
    (q, _), r, n_rows = posterior.w.shape, len(posterior.root), engine.table.n_rows
    if r > LARGEST or n_rows * max(q, 2) * r**3 > SUMS:
        return None
    found = _corrected(posterior, expand(engine, posterior), "series")
    if moved_between_classes(posterior, found).max(initial=0.0) <= MILD:
        return found
    found = replace(found, method="series, too short")
    if n_rows * q * (r + 10) > SAMPLED:
        return found
    assert isinstance(engine.table, MemoryTable)
    return Unsampled(posterior, found, WhitenedPosterior.of(engine.table.block(0, n_rows), posterior))


def _cumulants(drawn: Array, log_z: float) -> Cumulants:
    """Return the cumulants of draws (…, r)."""
    z = drawn.reshape(-1, drawn.shape[-1])
    r, mean = z.shape[1], z.mean(axis=0)
    apart = z - mean
    third = np.zeros((r, r * r))
    for part in np.array_split(apart, max(len(z) * r * r // 2**22, 1)):
        third += part.T @ (part[:, :, None] * part[:, None, :]).reshape(len(part), -1)
    return Cumulants(mean, apart.T @ apart / len(z), third.reshape(r, r, r) / len(z), log_z)


def _corrected(posterior: GaussianPosterior, found: Cumulants, method: str) -> CorrectedPosterior:
    """Carry cumulants of z over to the coefficients."""
    values, vectors = np.linalg.eigh(found.covariance)
    R = np.sqrt(np.maximum(values, LEAST))[:, None] * vectors.T  # a short series may give a covariance that is none
    back = np.linalg.inv(R)
    third = np.einsum("ijk,ia,jb,kc->abc", found.third, back, back, back, optimize=True)
    moved = posterior.w + (found.mean @ posterior.root).reshape(posterior.w.shape)
    gaussian = replace(posterior, w=moved, root=R @ posterior.root)
    known = posterior.log_evidence
    evidence = None if known is None else known + found.log_normalizer
    made = CorrectedPosterior(gaussian, third[ordered(len(R))], method, np.zeros(0), evidence)
    return replace(made, moved=most_moved(posterior, made))


def most_moved(before: GaussianPosterior, after: CorrectedPosterior) -> Array:
    """Return the most that a bound of a 95 % interval of each coefficient moved, in Laplace's sd, (m,)."""
    return _moved(before, after, np.eye(before.w.size))


def moved_between_classes(before: GaussianPosterior, after: CorrectedPosterior) -> Array:
    """Return the same of each coefficient or of its difference from another class's, whichever moved more, (m,).

    Each of K vectors shares with the others what the prior alone decides, which hides how far their differences move.
    """
    K, p = before.w.shape
    most = after.moved.reshape(K, p).copy()
    for a, b in combinations(range(K), 2):
        apart = np.kron(np.eye(K)[a] - np.eye(K)[b], np.eye(p))
        most[[a, b]] = np.maximum(most[[a, b]], _moved(before, after, apart))
    return most.ravel()


def _moved(before: GaussianPosterior, after: CorrectedPosterior, change: Array) -> Array:
    """Return the most that a bound of combinations (k, m) of the coefficients moved, (k,)."""
    skewness, laplace = after.skewness(change), before.sd_of(change)
    sd = np.maximum(laplace, 1e-300)
    shift, spread = change @ (after.gaussian.mean - before.mean), after.gaussian.sd_of(change)
    apart = [np.abs(shift + quantile(p, skewness) * spread - quantile(p, 0 * sd) * sd) for p in (0.025, 0.975)]
    return np.where(laplace > 0, np.maximum(*apart) / sd, 0.0)
