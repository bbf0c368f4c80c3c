"""Fisher's directions: those that maximise the scatter between classes relative to that within classes."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.families.gaussian.variances import ROUNDINGS
from posteriori.families.gaussian.whitening import Whitening, whiten_triangle
from posteriori.models.linear import NEVER
from posteriori.statistics.within_scatter import WithinScatter

#: Distance of the class means along a direction, relative to the first, below which it is rounding.
NEGLIGIBLE = 1e-10


@dataclass(frozen=True)
class Projection:
    """The leading generalised eigenvectors of (S_B, S_W).

    Parameters
    ----------
    units : the mean of all rows, and powers of two
    directions : (d, q) columns v in those units with v'S v = 1, S = S_W / N
    eigenvalues : (r,) of S_W^-1 S_B, all that are not zero, largest first
    means : (K, q) class means, projected
    share : (K,) class frequencies
    within : (N - K) / N: what turns S into the unbiased covariance
    part : the whitening of S; it marks columns without variance
    """

    units: Units
    directions: Array
    eigenvalues: Array
    means: Array
    share: Array
    within: float
    part: Whitening

    @property
    def scalings(self) -> Array:
        """The directions in the user's units, with v'S_W v = N - K, (d, q)."""
        unbiased = np.sqrt(self.within) if self.within > 0 else 1.0
        return self.directions * unbiased / self.units.scale[:, None]

    def scores(self, priors: bool) -> Array:
        """Return linear scores (K, d + 1) that are largest for the nearest projected mean, with log priors or without.

        c_k'v - |c_k|^2 / 2 + log P(k), for v = W'(x - m) and c_k = W'(m_k - m).

        Book: [Bishop] Eq. 4.68-4.70, §4.2.1, in the projection.
        """
        occurs = self.share > 0
        lead = -0.5 * (self.means**2).sum(axis=1)
        if priors:
            lead += np.log(np.where(occurs, self.share, 1.0))
        lead[~occurs] = -NEVER
        return np.column_stack([lead, self.means @ self.directions.T])


def project(within: WithinScatter, n_components: int | None, shrinkage: float = 0.0) -> Projection:
    """Compute the directions that maximise Tr{(W'S_W W)^-1 W'S_B W}, at most K - 1 of them.

    In columns whitened by S_W the eigenvectors are the singular vectors of the class means, so neither S_B nor
    a product with S_W^-1 is formed. A singular S_W is inverted on its range.

    Book: [Bishop] Eq. 4.40-4.51, §4.1.6.

    Notes
    -----
    [Bishop] §4.1.6 speaks of eigenvectors of S_B; they are those of S_W^-1 S_B.
    """
    scale = np.where(within.scale > 0, within.scale, 1.0)
    weight, total = within.weight, float(within.weight.sum())
    means = within.mean / scale
    share = weight / total
    centre = share @ means
    away = np.where(weight[:, None] > 0, means - centre, 0.0)
    floor = (ROUNDINGS * np.abs(means).max(axis=0)) ** 2
    part = whiten_triangle(within.factor, total, floor, shrinkage)
    _, size, rows = la.svd(np.sqrt(share)[:, None] * away @ part.whiten, full_matrices=False, check_finite=False)
    most = min(int((weight > 0).sum()) - 1, len(scale))
    rank = max(int((size[:most] > NEGLIGIBLE * size[0]).sum()), 1)
    n_directions = rank if n_components is None else min(n_components, rank)
    directions = part.whiten @ rows[:n_directions].T
    directions = directions * _signs(away @ directions)
    return Projection(
        units=Units(centre * scale, scale, intercept=True),
        directions=directions,
        eigenvalues=size[:rank] ** 2,
        means=away @ directions,
        share=share,
        within=(total - float((weight > 0).sum())) / total,
        part=part,
    )


def _signs(means: Array) -> Array:
    """Return the signs that make the projection of the furthest class mean positive; of two classes the last one."""
    if len(means) == 2:
        return np.where(means[1] < 0, -1.0, 1.0)
    furthest = means[np.abs(means).argmax(axis=0), np.arange(means.shape[1])]
    return np.where(furthest < 0, -1.0, 1.0)


def least_error_cut(along: Array, codes: NDArray[np.intp], weights: Array, near: float) -> float:
    """Return the threshold on projections (n,) with the least misclassified weight, class 1 lying above it.

    Thresholds are halfway between neighbouring projections; of several equally good ones it is that nearest to `near`.

    >>> least_error_cut(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0, 0, 1, 1]), np.ones(4), 0.0)
    1.5
    """
    values, place = np.unique(along, return_inverse=True)
    below = [np.cumsum(np.bincount(place, weights * (codes == k), len(values))) for k in (0, 1)]
    errors = np.concatenate([[below[0][-1]], below[1] + below[0][-1] - below[0]])
    ends = 0.5 * max(float(values[-1] - values[0]), 1.0)
    cuts = np.concatenate([[values[0] - ends], 0.5 * (values[1:] + values[:-1]), [values[-1] + ends]])
    slack = 1e-12 * float(weights.sum())
    best = np.flatnonzero(errors <= errors.min() + slack)
    return float(cuts[best[np.abs(cuts[best] - near).argmin()]])
