"""The proof that no direction gains on any of some constraints: positive multipliers that annihilate them exactly.

Let l > 0 be multipliers in floats, g = A'l over independent columns, v > 0 weights, and H = A'VA. If H is positive
definite, l - V A H^-1 g annihilates those columns exactly, and it is positive where g'H^-1 g < min l^2 / v, for
(v a'H^-1 g)^2 <= v^2 (a'H^-1 a)(g'H^-1 g) <= v (g'H^-1 g). By Stiemke's lemma no b with A b >= 0 then has A b != 0.

What is bounded are the exact g and H of the exact rows: rounding of sums, of products and of the rows themselves
(Higham, Accuracy and Stability of Numerical Algorithms, section 3.1), and the least eigenvalue of H, by a Cholesky
factor of H less a multiple of the identity that runs to completion (Rump, Verification of positive definiteness, 2006).
"""

from dataclasses import dataclass
from itertools import islice

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from posteriori.arrays import Array, Indices, Mask
from posteriori.fits.existence.exact.barrier import Hyperbolic, iterates, least_spare
from posteriori.fits.existence.exact.pairs import ENTRY, UNIT, Pairs

#: Least eigenvalues of the unit-diagonal H to try to prove.
EIGENVALUES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11)
#: Newton steps on the constraints alone before the proof is given up.
STEPS = 30
#: Part of the bound on g'H^-1 g that may be used: the rest covers the rounding of the bound itself.
SHARE = 0.25
#: What underflow may add to a sum.
UNDERFLOW = 1e-250


def annihilated(pairs: Pairs, selected: Mask, columns: Indices, b: Array) -> bool:
    """Return whether it is proved that positive multipliers annihilate the selected constraints over some columns."""
    if not len(columns):
        return True
    places = (columns, np.arange(len(columns)))
    basis = sp.csc_array((np.ones(len(columns)), places), shape=(pairs.width, len(columns)))
    whole = len(columns) == pairs.width
    for state in islice(iterates(pairs, selected, b, Hyperbolic(), None if whole else basis), STEPS):
        if state.proves_minimum and proves(pairs, selected, columns, state.multipliers, state.curvature):
            return True
        if state.stalled:
            return False
    return False


def proves(pairs: Pairs, selected: Mask, columns: Indices, multipliers: Array, weights: Array) -> bool:
    """Return whether multipliers and weights (m,), positive on the selected constraints, zero elsewhere, prove it."""
    if not ((weights[selected] > 0).all() and (multipliers[selected] > 0).all()):
        return False
    hessian = pairs.gram(weights)[np.ix_(columns, columns)]
    g, size = pairs.combined(multipliers)[columns], pairs.combined(multipliers, absolute=True)[columns]
    combined = Combined(hessian, g, size, int(selected.sum()) + len(pairs.blocks))
    return combined.proves(least_spare(multipliers[selected], weights[selected]))


@dataclass(frozen=True)
class Combined:
    """Sums over constraints in floats: H = A'VA, g = A'l, |A|'l, and the number of terms of the longest sum."""

    hessian: Array
    gradient: Array
    size: Array
    terms: int

    def proves(self, spare: float) -> bool:
        """Return whether g'H^-1 g of the exact sums is proved to be less than some number, the least l^2 / v."""
        diagonal = np.diagonal(self.hessian)
        if not (diagonal.min() > 1e-200 and diagonal.max() < np.inf):
            return False
        root = np.sqrt(diagonal)
        unit = self.hessian / root[:, None] / root
        rounding = (self.terms + 4 * ENTRY + 16) * UNIT
        least = _least_eigenvalue(unit)
        lost = 2.0 * len(root) * rounding / least if least > 0 else np.inf
        if lost > 0.1:
            return False
        error = 1.1 * rounding * self.size + UNDERFLOW
        bound = float(np.linalg.norm((np.abs(self.gradient) + error) / root))
        near = _decrement(unit, self.gradient / root, float(np.linalg.norm(error / root)), least, bound)
        return bool(near**2 < SHARE * spare)


def _decrement(unit: Array, g: Array, error: float, least: float, bound: float) -> float:
    """Return a bound on sqrt(g'H^-1 g) for the exact g.

    Of the computed part x = H^-1 g the residual r is bounded too: g'H^-1 g <= (|H^1/2 x| + |r| / least^1/2)^2.
    """
    crude = float(bound / np.sqrt(least))
    factor, failed = la.lapack.dpotrf(unit, lower=1)
    if failed:
        return float(crude)
    x, _ = la.lapack.dpotrs(factor, g, lower=1)
    product = unit @ x
    slack = (len(x) + 4) * UNIT * (np.abs(unit) @ np.abs(x))
    residual = float(np.linalg.norm(np.abs(g - product) + 2.0 * slack))
    energy = max(float(x @ product) + float(np.abs(x) @ slack) * 2.0 + 1e-300, 0.0)
    return float(min(crude, np.sqrt(energy) + (residual + error) / np.sqrt(least)))


def _least_eigenvalue(unit: Array) -> float:
    """Return a proved lower bound on the least eigenvalue of a unit-diagonal matrix; 0 where none is proved."""
    w = len(unit)
    slack = 2.0 * (w + 2) * w * UNIT
    for eigenvalue in EIGENVALUES:
        if eigenvalue <= 4.0 * slack:
            break
        shifted = unit.copy()
        shifted.flat[:: w + 1] -= eigenvalue
        if not la.lapack.dpotrf(shifted, lower=1, overwrite_a=1)[1]:
            return 0.9 * eigenvalue - slack
    return 0.0
