"""`PosteriorModel`: a regression with a posterior distribution over its coefficients."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np

from posteriori.arrays import Array
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.designs.units import Units
from posteriori.links.base import LinkFunction
from posteriori.messages.errors import NoCriterionError
from posteriori.models.base import FittedModel
from posteriori.models.linear import LinearView
from posteriori.models.linear_scores import LinearScores
from posteriori.models.posterior.corrected import CorrectedPosterior, interval_shifts
from posteriori.models.posterior.gaussian import GaussianPosterior, log_determinant
from posteriori.models.posterior.precision import ChosenPrecision
from posteriori.models.posterior.rows import averaging, intervals, row_posterior, skewed_intervals
from posteriori.models.posterior.warm_up import WarmUp
from posteriori.solvers.base import Solution
from posteriori.storable import storable
from posteriori.tables.block import Block


class DeferredPosterior(ABC):
    """A corrected posterior that is computed when it is first needed, from rows that it holds until then."""

    @property
    @abstractmethod
    def sampled(self) -> CorrectedPosterior:
        """The corrected posterior."""


@storable
@dataclass(frozen=True, eq=False, kw_only=True)
class PosteriorModel(LinearView, FittedModel):
    """A regression whose probabilities are averages over a posterior.

    Parameters
    ----------
    posterior : the Gaussian at the mode
    correction : the posterior with its mean, covariance and skewness; None where only the Gaussian is known
    link : of the regression
    precision : that the evidence chose for the prior, if it did
    predictive : how probabilities are averaged over the posterior
    seed : of the draws
    n_batches : number of calls of `partial_fit`, that of `fit` included
    warm_up : rows to be fitted again together with later ones
    solution : the certificate of the mode
    log_likelihood : at the mode
    """

    posterior: GaussianPosterior
    correction: CorrectedPosterior | DeferredPosterior | None
    link: LinkFunction
    precision: ChosenPrecision | None
    seed: int
    n_batches: int
    warm_up: WarmUp | None
    solution: Solution
    log_likelihood: float
    predictive: Literal["probit", "quadrature", "sampling"] = "probit"

    @property
    def units(self) -> Units:
        """The units of the fit."""
        return self.posterior.units

    @property
    def linear(self) -> LinearScores:  # type: ignore[override]
        """The scores at the mode."""
        return LinearScores(self.units, self.posterior.w)

    @property
    def n_parameters(self) -> int:
        """(K - 1) p."""
        return (self.n_classes - 1) * self.units.n_coefficients

    @property
    def log_evidence(self) -> float:
        """Log p(rows), by Laplace's approximation; it does not exist if the prior is flat in some direction."""
        if self.posterior.log_evidence is None:
            raise NoCriterionError(
                "log_evidence_ does not exist: the prior is flat in some direction, so the rows have no probability. "
                "Use a proper prior; for a GaussianPrior this means intercept_precision > 0, too."
            )
        return self.posterior.log_evidence

    @property
    def corrected(self) -> CorrectedPosterior | None:
        """The corrected posterior; None after `partial_fit` and in model files of older versions."""
        if isinstance(self.correction, DeferredPosterior):  # replaced, since its rows are not needed after sampling
            object.__setattr__(self, "correction", self.correction.sampled)
        return self.correction  # type: ignore[return-value]

    def for_storage(self) -> Self:
        """Return the model as stored in a file: the posterior is sampled, and there are no rows."""
        return replace(self, correction=self.corrected)

    def scores(self, block: Block) -> Array:
        """Return the posterior means of the linear predictors of a block, (n, q)."""
        return row_posterior(self.posterior, block)[0]

    def log_probabilities(self, block: Block) -> Array:
        """Return log P(class | x) of a block, averaged over the posterior, (n, K)."""
        return averaging(self.predictive, len(self.posterior.w), self.seed)(*row_posterior(self.posterior, block))

    def intervals(self, block: Block, level: float) -> Array:
        """Return equal-tailed credible intervals of the probabilities of a block, (n, K, 2)."""
        if self.corrected is not None:
            return skewed_intervals(self.corrected, block, level, self.seed)
        return intervals(level, len(self.posterior.w), self.seed)(*row_posterior(self.posterior, block))

    def check_parts(self, where: str) -> None:
        """Raise unless posteriors, link and precision are for the model's classes and columns."""
        q, d = 1 if self.n_classes == 2 else self.n_classes, self.columns.n_coefficients
        require.integer(self.seed, f"{where}.seed")
        require.integer(self.n_batches, f"{where}.n_batches", 1)
        if self.link.n_classes != self.n_classes or self.link.n_scores != q:
            fail(f"{where}.link", "is not for the model's classes")
        if len(self.units.scale) != d or len(self.posterior.w) != q:
            fail(f"{where}.posterior", "is not for the model's classes and columns")
        if self.precision is not None and len(self.precision.precision) != d:
            fail(f"{where}.precision", "is not for the model's columns")
        if not np.isfinite(self.log_likelihood):
            fail(f"{where}.log_likelihood", f"is {self.log_likelihood}")
        if self.corrected is not None:
            self._check_corrected(self.corrected, where)
        evidence = self._evidence() if self.n_batches == 1 else None
        if evidence is not None and self.posterior.log_evidence is not None:
            require.close(self.posterior.log_evidence, evidence, f"{where}.posterior.log_evidence",
                          "does not follow from the posterior", rtol=1e-6, atol=1e-6)  # fmt: skip

    def _check_corrected(self, corrected: CorrectedPosterior, where: str) -> None:
        gaussian, own = corrected.gaussian.units, self.units
        if len(corrected.gaussian.w) != len(self.posterior.w):
            fail(f"{where}.correction", "is not for the model's classes")
        if not own.same(gaussian):
            fail(f"{where}.correction", "is in other units than the posterior")
        require.close(corrected.moved, interval_shifts(self.posterior, corrected), f"{where}.correction.moved",
                      "does not follow from the posteriors", rtol=1e-6, atol=1e-6)  # fmt: skip

    def _evidence(self) -> float | None:
        """Compute the evidence by Laplace's approximation; None where a precision is singular to rounding.

        Book: [Bishop] Eq. 4.137, §4.4.1.
        """
        posterior = self.posterior
        determinant = log_determinant(posterior.prior.matrix())
        sizes = np.linalg.svd(posterior.root, compute_uv=False)
        if determinant is None or len(sizes) < posterior.w.size or not sizes.min() > 0:
            return None
        penalty = posterior.prior.value(posterior.w.ravel())
        return float(self.log_likelihood - penalty + 0.5 * determinant + np.log(sizes).sum())
