"""The gradient at some coefficients in twice the working precision, in the user's units."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array, Indices
from posteriori.backends.csr import to_dense
from posteriori.designs.units import Units
from posteriori.linalg.twofold import column_sums, products_with, two_sum, weighted_sums
from posteriori.links.base import LinkFunction
from posteriori.statistics.twofold import Twofold
from posteriori.sweeps.base import Sweep
from posteriori.sweeps.score_sizes import class_scores
from posteriori.tables.block import Block

EPS = float(np.finfo(np.float64).eps)
#: Number of values of dense rows that are processed at a time.
AT_ONCE = 2**17


@dataclass(frozen=True)
class TwofoldSlope(Sweep):
    """The sum over rows of score times (1, x 2^-k) at eta = lead + weights'(x 2^-k), in twice the working precision.

    The predictors and the sums are exact to 1e-30 of their terms; `class_scores` bounds the errors of the scores. An
    error e in a row changes the Newton decrement by at most |e| sqrt(x'H^-1 x), and `doubt` is the sum of those bounds.

    Parameters
    ----------
    link : of the likelihood
    units : those of `whitener`
    lead, weights : (q,) and (q, d) coefficients of the columns times 2^-k
    exponents : (d,) k
    whitener : (m, q p) W with H^-1 = W'W
    """

    link: LinkFunction
    units: Units
    lead: Array
    weights: Array
    exponents: Indices
    whitener: Array

    def __call__(self, block: Block) -> Twofold:
        """Return the sums of a block, some rows at a time."""
        step = max(AT_ONCE // max(block.features.shape[1], 1), 1)
        counts = block.counts(self.link.n_classes)
        whole: Twofold | None = None
        for first in range(0, block.n_rows, step):
            rows = slice(first, first + step)
            offset = None if block.offset is None else block.offset[rows]
            part = self._some(to_dense(block.features[rows]), counts[rows], offset)
            whole = part if whole is None else whole.merge(part)
        assert whole is not None
        return whole

    def _some(self, X: Array, counts: Array, offset: Array | None) -> Twofold:
        scaled = np.ldexp(X, -self.exponents)
        eta, rest, size = self._predictors(scaled, offset)
        _, each, error = class_scores(self.link, eta, counts)
        score, low = column_sums(each, np.zeros_like(each))
        error = EPS * error
        parts = self.link.parts(eta, counts, curvature=True)
        low = low + np.einsum("nab,nb->na", parts.second, rest)
        reach = self._reach(X)
        curvature = np.abs(np.einsum("naa->na", parts.second))
        error = error + curvature * (X.shape[1] + 4) * EPS**2 * size
        sums = [self._pull(scaled, score[:, k], low[:, k]) for k in range(score.shape[1])]
        return Twofold(
            np.stack([high for high, _ in sums]),
            np.stack([error for _, error in sums]),
            float((error * reach).sum()),
            float((curvature * reach**3).sum()),
            float(reach.max(initial=0.0)),
            float((curvature * size**2).sum()),
        )

    def _predictors(self, scaled: Array, offset: Array | None) -> tuple[Array, Array, Array]:
        """Return eta rounded, its rounding error, and the sum of the sizes of its terms, (n, q) each."""
        high, low, size = np.empty((3, len(scaled), len(self.lead)))
        for k, (lead, own) in enumerate(zip(self.lead, self.weights, strict=True)):
            at, rest, terms = products_with(scaled, own)
            at, error = two_sum(at, np.full(len(at), lead))
            rest, terms = rest + error, terms + abs(lead)
            if offset is not None:
                at, error = two_sum(at, offset[:, k])
                rest, terms = rest + error, terms + np.abs(offset[:, k])
            high[:, k], low[:, k] = two_sum(at, rest)
            size[:, k] = terms
        return high, low, size

    def _pull(self, scaled: Array, high: Array, low: Array) -> tuple[Array, Array]:
        """Return the sum of score times (1, x 2^-k), the intercept's place first, with its rounding error, (p,)."""
        rows = np.concatenate([np.ones((len(scaled), 1)), scaled], axis=1)
        return weighted_sums(rows, high, low)

    def _reach(self, X: Array) -> Array:
        """Return sqrt(x'H^-1 x) of every row and score, (n, q)."""
        rows, q = self.units.design(X).dense(), len(self.lead)
        blocks = self.whitener.reshape(len(self.whitener), q, rows.shape[1])
        return np.stack([np.linalg.norm(rows @ blocks[:, k].T, axis=1) for k in range(q)], axis=1)
