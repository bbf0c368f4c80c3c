"""A penalised softmax likelihood, with each score's own curvature as a preconditioner of its Hessian."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.links.base import LinkFunction
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.sweeps.kernel_sums import ClassCurvatureSweep

Linear = Callable[[Array], Array]

#: Numbers in the curvatures of all scores above which a single one is used for all.
SHARED_FROM = 2**22


@dataclass(frozen=True)
class Local:
    """The objective at a point; `precondition` applies roughly the inverse of the Hessian, `product` the Hessian."""

    point: Point
    precondition: Linear
    product: Linear


class Classwise(ABC):
    """-log likelihood + precision |w|^2 / 2 over q vectors of p coefficients, which sum to zero where q > 1."""

    link: LinkFunction
    precision: float

    @property
    @abstractmethod
    def n_parameters(self) -> int:
        """Coefficients in all: q p."""

    @abstractmethod
    def about(self, w: Array) -> Local:
        """Return value, gradient and curvature at w."""

    @abstractmethod
    def along(self, w: Array, step: Array, lengths: Array) -> Array:
        """Return the values at w + t step for all lengths t."""

    def level(self, vector: Array) -> Array:
        """Return K vectors, (K p,), without their mean: no probability depends on it, and it is zero at the optimum.

        Along it the Hessian is the precision alone, which the preconditioner does not know: conjugate gradients would
        need additional iterations.
        """
        if self.link.n_scores == 1:
            return vector
        rows = vector.reshape(self.link.n_scores, -1)
        levelled: Array = (rows - rows.mean(axis=0)).ravel()
        return levelled


@dataclass(frozen=True)
class SweptClasswise(Classwise):
    """The objective over the rows of a table, read block by block: the curvatures are sums of x x', (q, p, p)."""

    objective: PenalizedLikelihood
    precision: float

    @property
    def link(self) -> LinkFunction:  # type: ignore[override]
        """The link of the likelihood."""
        return self.objective.link

    @property
    def n_parameters(self) -> int:
        """Coefficients in all: q p."""
        return self.objective.n_parameters

    def along(self, w: Array, step: Array, lengths: Array) -> Array:
        """Return the values at w + t step for all lengths t: one sweep."""
        return self.objective.along(w, step, lengths)

    def about(self, w: Array) -> Local:
        """Sum gradient and curvatures in one sweep, and factor the curvatures."""
        objective = self.objective
        q, p = self.link.n_scores, objective.units.n_coefficients
        shared = q * p**2 > SHARED_FROM
        sweep = ClassCurvatureSweep(self.link, objective.units, w.reshape(q, p), shared=shared)
        slope, blocks = objective.engine.run(sweep).parts
        gradient = self.level(slope.gradient.ravel() + self.precision * w)
        value = slope.value + 0.5 * self.precision * float(w @ w)
        factors = [_factor(block, self.precision) for block in blocks.values]

        def precondition(vector: Array) -> Array:
            rows = zip(factors * q if shared else factors, vector.reshape(q, p), strict=True)
            return self.level(np.concatenate([la.cho_solve((L, True), row, check_finite=False) for L, row in rows]))

        point = Point(w, value, slope.value, gradient, slope.overlap)
        return Local(point, precondition, lambda vector: self.level(objective.product(w, vector)))


@dataclass(frozen=True)
class DenseClasswise(Classwise):
    """The objective over no more rows than columns, F (n, p): curvatures are inverted in the space of the rows.

    (F'D F + c I)^-1 = (I - F'D^1/2 (c I + D^1/2 F F'D^1/2)^-1 D^1/2 F) / c, so that one product F F' serves every
    point, and a point costs one factorisation a score.

    Parameters
    ----------
    features : F (n, p)
    outer : F F' (n, n)
    counts : (n, K)
    """

    link: LinkFunction
    precision: float
    features: Array
    outer: Array
    counts: Array

    @property
    def n_parameters(self) -> int:
        """Coefficients in all: q p."""
        return self.link.n_scores * int(self.features.shape[1])

    def scores(self, w: Array) -> Array:
        """Return F w', (n, q)."""
        return self.features @ w.reshape(self.link.n_scores, -1).T

    def along(self, w: Array, step: Array, lengths: Array) -> Array:
        """Return the values at w + t step for all lengths t: the scores are linear in t."""
        eta, delta = self.scores(w), self.scores(step)
        losses = [self.link.parts(eta + t * delta, self.counts, curvature=False).loss.sum() for t in lengths]
        penalties = [0.5 * self.precision * float(np.sum((w + t * step) ** 2)) for t in lengths]
        values: Array = np.array(losses) + np.array(penalties)
        return values

    def about(self, w: Array) -> Local:
        """Evaluate all rows, and factor an (n, n) matrix for each score."""
        parts = self.link.parts(self.scores(w), self.counts, curvature=True)
        second = parts.curvature
        assert second is not None
        loss = float(parts.loss.sum())
        gradient = self.level(self._back(parts.score) + self.precision * w)
        point = Point(w, loss + 0.5 * self.precision * float(w @ w), loss, gradient, float(parts.odds.min()))
        roots = np.sqrt(np.einsum("nkk->nk", second))
        factors = [self._factor(root) for root in roots.T]

        def precondition(vector: Array) -> Array:
            inner = roots * self.scores(vector)
            solved = [la.cho_solve((L, True), own, check_finite=False) for L, own in zip(factors, inner.T, strict=True)]
            return self.level((vector - self._back(roots * np.column_stack(solved))) / self.precision)

        def product(vector: Array) -> Array:
            products = np.einsum("nab,nb->na", second, self.scores(vector))
            return self.level(self._back(products) + self.precision * vector)

        return Local(point, precondition, product)

    def _back(self, scores: Array) -> Array:
        return (scores.T @ self.features).ravel()

    def _factor(self, root: Array) -> Array:
        inner = root[:, None] * self.outer * root
        return _factor(inner, self.precision)


def _factor(matrix: Array, precision: float) -> Array:
    """Return the lower Cholesky factor of a matrix plus the precision and an allowance for rounding."""
    ridged = matrix.copy()
    ridged.flat[:: len(matrix) + 1] += precision + 1e-15 * float(np.trace(matrix))
    factor: Array = la.cholesky(ridged, lower=True, overwrite_a=True, check_finite=False)
    return factor
