"""The residual of a Newton step of a kernel model, in twice the working precision, with bounds on its error."""

from dataclasses import dataclass, replace
from typing import Annotated, Self

import numpy as np

from posteriori.arrays import Array
from posteriori.linalg.twofold import column_sums, products_with, two_sum, weighted_sums
from posteriori.links.base import LinkFunction
from posteriori.statistics.base import PEAK, Statistics
from posteriori.sweeps.base import Sweep
from posteriori.sweeps.score_sizes import class_scores
from posteriori.sweeps.twofold import EPS
from posteriori.tables.block import Block


@dataclass(frozen=True)
class ResidualSums(Statistics):
    """A residual high + low (q, m) of the likelihood, without the prior, and sums over rows that bound it.

    Parameters
    ----------
    high, low : (q, m) the sum of k v', v the score after the step, linearized
    kernels : (q, m) bound on the change of that sum by the rounding of the kernels
    curved : s'Hs of the step s
    predictors : bound on the square of the decrement of the rounding of predictors
    near, far : bounds on the decrement of the rounding of scores: squared, of some rows; and of the others
    farthest : bound on the rounding of a predictor
    """

    high: Array
    low: Array
    kernels: Array
    curved: float
    predictors: float
    near: float
    far: float
    farthest: Annotated[float, PEAK]

    def merge(self, other: Self) -> Self:
        """Add; the rounding error of the sum of the high parts is added to the low one."""
        merged = super().merge(other)
        return replace(merged, low=merged.low + two_sum(self.high, other.high)[1])


@dataclass(frozen=True)
class KernelResidual(Sweep):
    """The gradient at theta plus the Hessian times a step, of the likelihood over the kernels of the rows.

    The decrement of an error K'e, with C the curvatures of the rows, is at most sqrt(e'C^-1 e), and at most
    |K'e| / sqrt(precision). An error e of the predictors changes the scores by C e, whose decrement is at most
    sqrt(e'Ce).

    Parameters
    ----------
    link : logit, or softmax with a score for every class
    theta, step : (q, m)
    precision : a lower bound on the Hessian of the penalised likelihood
    dimension : the number of columns of the data
    spread : the largest norm of a centre in units of the bandwidth, where columns are divided by scales, else 0
    """

    link: LinkFunction
    theta: Array
    step: Array
    precision: float
    dimension: int
    spread: float

    def __call__(self, block: Block) -> ResidualSums:
        """Return the sums of a block of kernels."""
        kernels, counts = block.dense(), block.counts(self.link.n_classes)
        doubt = kernel_rounding(kernels, self.dimension, self.spread)
        eta, rest, eta_error = _predictors(kernels, doubt, self.theta)
        delta, delta_rest, delta_error = _predictors(kernels, doubt, self.step)
        _, each, relative = class_scores(self.link, eta, counts)
        score, low = column_sums(each, np.zeros_like(each))
        second = self.link.parts(eta, counts, curvature=True).second
        size = np.abs(second)
        v, slip = two_sum(score, np.einsum("nab,nb->na", second, delta))
        low = low + slip + np.einsum("nab,nb->na", second, rest + delta_rest)
        error = EPS * relative + 8.0 * EPS * np.einsum("nab,nb->na", size, np.abs(delta))
        least = np.einsum("naa->na", second)
        if self.link.n_scores > 1:  # a row's scores sum to zero
            p = np.exp(self.link.log_probabilities(eta))
            low = low - p * (v + low).sum(axis=1, keepdims=True)
            error = error + p * error.sum(axis=1, keepdims=True)
            least = p * counts.sum(axis=1, keepdims=True)
        near, far = self._row_bounds(kernels, error, least)
        change = eta_error + delta_error
        sums = [weighted_sums(kernels, v[:, k], low[:, k]) for k in range(v.shape[1])]
        forms = np.einsum("na,nab,nb->", delta, second, delta)
        return ResidualSums(
            np.stack([high for high, _ in sums]),
            np.stack([error for _, error in sums]),
            np.abs(v).T @ doubt,
            float(forms + 16.0 * EPS * np.einsum("na,nab,nb->", np.abs(delta), size, np.abs(delta))),
            float(np.einsum("na,nab,nb->", change, size, change)),
            near,
            far,
            float(eta_error.max(initial=0.0)),
        )

    def _row_bounds(self, kernels: Array, error: Array, least: Array) -> tuple[float, float]:
        """Bound the decrement of errors of scores by curvature, squared, or by the precision: the smaller for a row."""
        with np.errstate(divide="ignore", invalid="ignore"):
            by_curvature = np.where(error > 0, error**2 / least, 0.0).sum(axis=1)
        by_precision = np.linalg.norm(error, axis=1) * np.linalg.norm(kernels, axis=1) / np.sqrt(self.precision)
        near = by_curvature <= by_precision**2
        return float(by_curvature[near].sum()), float(by_precision[~near].sum())


def kernel_rounding(kernels: Array, dimension: int, spread: float) -> Array:
    """Bound the rounding error of Gaussian kernels exp(-u): their relative error is the absolute error of u.

    A coordinate that was divided by a scale is rounded itself, so that a difference of two may lose digits.
    """
    u = -np.log(np.where(kernels > 0, kernels, 1.0))
    return EPS * kernels * (3.0 + (dimension + 12.0) * u + 2.0 * spread * np.sqrt(2.0 * u))


def _predictors(kernels: Array, doubt: Array, coefficients: Array) -> tuple[Array, Array, Array]:
    """Return kernels times coefficients (q, m), its rounding error, and a bound on the rest of it, (n, q) each."""
    high, low, error = np.empty((3, len(kernels), len(coefficients)))
    for k, own in enumerate(coefficients):
        high[:, k], low[:, k], size = products_with(kernels, own)
        error[:, k] = doubt @ np.abs(own) + (kernels.shape[1] + 4) * EPS**2 * size
    return high, low, error
