"""`FourthGram`: scatters with the third and fourth moments about the class means that Ledoit and Wolf ask for."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.statistics.gram import Gram
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class FourthGram(Gram):
    """The within-class scatters of each class, and two matrices of higher moments by which they merge.

    With e = (x - m_k) / scale of the rows of class k: S_ij = sum w e_i e_j, T_ij = sum w e_i^2 e_j and
    F_ij = sum w e_i^2 e_j^2. Moving the mean by a shift changes F by terms in T and S alone, so two sets of
    rows merge exactly, and sum_ij F_ij / (s_i^2 s_j^2) is the sum of |z|^4 in whatever units s are chosen
    at the end.

    Parameters
    ----------
    scale, weight, mean, scatter : as in `Gram`, the scatter (K, d, d)
    third : (K, d, d) sums of w e_i^2 e_j
    fourth : (K, d, d) sums of w e_i^2 e_j^2
    """

    third: Array
    fourth: Array

    @property
    def pooled(self) -> bool:
        """Never: classes whose means move by different shifts cannot share these moments."""
        return False

    def merge(self, other: "FourthGram") -> "FourthGram":  # type: ignore[override]
        """Join two sets of rows: move both to the common means, then add."""
        scale = np.maximum(self.scale, other.scale)
        unit = np.where(scale > 0, scale, 1.0)
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)[:, None]
        shift = other.mean / unit - self.mean / unit
        shift[(self.weight == 0) | (other.weight == 0)] = 0.0
        mean = np.where(self.weight[:, None] == 0, other.mean, self.mean + share * shift * unit)
        mine = self._moved(self.scale / unit, share * shift)
        yours = other._moved(other.scale / unit, (share - 1.0) * shift)
        return FourthGram(scale, weight, mean, *(a + b for a, b in zip(mine, yours, strict=True)))

    def _moved(self, ratio: Array, shift: Array) -> tuple[Array, Array, Array]:
        """Give scatter, third and fourth in units `ratio` times as fine, about means moved by shift (K, d)."""
        square = ratio**2
        S = self.scatter * np.outer(ratio, ratio)
        T = self.third * np.outer(square, ratio)
        F = self.fourth * np.outer(square, square)
        if not shift.any():
            return S, T, F
        w = self.weight[:, None, None]
        a, b = shift[:, :, None], shift[:, None, :]
        variance = np.diagonal(S, axis1=1, axis2=2)
        v, u = variance[:, :, None], variance[:, None, :]
        # sums of e vanish, so of (e_i - a)^2 (e_j - b)^2 only these are left
        fourth = F - 2.0 * (b * T + a * np.swapaxes(T, 1, 2)) + b * b * v + 4.0 * a * b * S + a * a * u
        return S + w * a * b, T - b * v - 2.0 * a * S - w * a * a * b, fourth + w * (a * b) ** 2

    def zero(self) -> "FourthGram":
        """Give the moments of no rows."""
        return FourthGram(*(np.zeros_like(part) for part in vars(self).values()))
