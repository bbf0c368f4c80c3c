"""`KernelLogisticModel` and `LspcModel`: scores that are sums of Gaussian kernels."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array, Mask
from posteriori.bases.gaussian_kernel import GaussianKernel
from posteriori.cached_property import cached_property
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.links.catalogue import canonical_link
from posteriori.links.softmax import Softmax
from posteriori.models.base import FittedModel
from posteriori.models.kernel_scores import KernelScores
from posteriori.solvers.base import Solution
from posteriori.storable import storable
from posteriori.tables.block import Block


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelModel(FittedModel):
    """theta_y'k(x) for every class y.

    Parameters
    ----------
    centers : (m, d)
    coef : (K, m) theta
    bandwidth : of the kernels
    scale : (d,) divisors of the columns in distances, or None
    n_free : number of coefficients that may differ from zero
    cross_validation : the candidates and their errors, by name
    """

    centers: Array
    coef: Array
    bandwidth: float
    scale: Array | None
    n_free: int
    cross_validation: Mapping[str, Array] | None = None

    @property
    def n_parameters(self) -> int:
        """The number of coefficients that may differ from zero."""
        return self.n_free

    @cached_property
    def kernel_scores(self) -> KernelScores:
        """The scores as a function of a block."""
        return KernelScores(GaussianKernel(self.centers, self.bandwidth, self.scale), self.coef)

    def scores(self, block: Block) -> Array:
        """Return theta_y'k(x) of a block, (n, K)."""
        return self.kernel_scores(block)

    def check_kernels(self, where: str) -> None:
        """Raise unless there are centres, and a coefficient of each for every class, whose sums stay finite."""
        m, d = self.centers.shape if self.centers.ndim == 2 else (0, 0)
        if not m:
            fail(f"{where}.centers", "is empty")
        require.FINITE.check(self.centers, (m, self.columns.number), f"{where}.centers")
        require.FINITE.check(self.coef, (self.n_classes, m), f"{where}.coef")
        require.number(self.bandwidth, f"{where}.bandwidth", require.SMALLEST)
        if self.scale is not None:
            require.FINITE_POSITIVE.check(self.scale, (d,), f"{where}.scale")
        if not np.isfinite(2.0 * np.abs(self.coef).sum(axis=1)).all():
            fail(f"{where}.coef", "contains numbers whose sums leave the range of floats")
        require.integer(self.n_free, f"{where}.n_free", 1)
        if self.n_free > self.coef.size:
            fail(f"{where}.n_free", f"is {self.n_free} of {self.coef.size} coefficients")


@storable
@dataclass(frozen=True, eq=False, kw_only=True)
class KernelLogisticModel(KernelModel):
    """Softmax regression on kernels.

    Parameters
    ----------
    solution : the certificate
    """

    solution: Solution

    def log_probabilities(self, block: Block) -> Array:
        """Return log P(class | x) of a block, (n, K)."""
        scores, link = self.scores(block), canonical_link(self.n_classes)
        return link.log_probabilities(scores[:, 1:] - scores[:, :1] if link.n_scores == 1 else scores)

    def check_parts(self, where: str) -> None:
        """Raise unless there are finite coefficients of every centre."""
        self.check_kernels(where)


@storable
@dataclass(frozen=True, eq=False, kw_only=True)
class LspcModel(KernelModel):
    """Least-squares probabilistic classification.

    Parameters
    ----------
    class_priors : (K,) probabilities of rows whose outputs are all rounded to zero
    precision : the penalty
    """

    class_priors: Array
    precision: float

    def rounded(self, block: Block) -> tuple[Array, Mask]:
        """Return the outputs rounded up to zero, up to a factor per row, and the rows where all are zero."""
        scaled, peaks = self.kernel_scores.scaled(block)
        rounded = np.maximum(scaled, 0.0)
        with np.errstate(under="ignore"):
            return rounded, (np.exp(peaks) == 0.0) | ~rounded.any(axis=1)

    def log_probabilities(self, block: Block) -> Array:
        """Return log P(class | x) of a block, (n, K)."""
        rounded, zero = self.rounded(block)
        rounded[zero] = self.class_priors
        with np.errstate(divide="ignore"):
            return Softmax(self.n_classes).log_probabilities(np.log(rounded))

    def check_parts(self, where: str) -> None:
        """Raise unless there are finite coefficients of every centre, and class priors."""
        self.check_kernels(where)
        require.PROBABILITY.check(self.class_priors, (self.n_classes,), f"{where}.class_priors")
        require.sums_to_one(self.class_priors, f"{where}.class_priors")
        require.number(self.precision, f"{where}.precision", require.SMALLEST)
