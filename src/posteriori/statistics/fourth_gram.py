"""`FourthGram`: scatters with third and fourth moments about the class means, for Ledoit and Wolf's shrinkage."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.requirements import fail
from posteriori.linalg.powers_of_two import nonzero
from posteriori.statistics.gram import Gram
from posteriori.statistics.merged_means import merge_means
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class FourthGram(Gram):
    """The scatter matrix of each class, and two matrices of higher moments.

    With e = (x - m_k) / scale of the rows of class k: S_ij = sum w e_i e_j, T_ij = sum w e_i^2 e_j and
    F_ij = sum w e_i^2 e_j^2. Moving the mean by a shift changes F by terms in T and S alone, so two sets of
    rows merge exactly, and sum_ij F_ij / (s_i^2 s_j^2) is the sum of |z|^4 for any units s chosen later.

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
        """False: classes whose means move by different shifts cannot share these moments."""
        return False

    def merge(self, other: "FourthGram") -> "FourthGram":  # type: ignore[override]
        """Combine two sets of rows: move both to the common means, then add."""
        scale = np.maximum(self.scale, other.scale)
        unit = nonzero(scale)
        merged = merge_means((self.weight, other.weight), (self.mean, other.mean), unit)
        mine = self._about(self.scale / unit, merged.proportion * merged.shift)
        yours = other._about(other.scale / unit, (merged.proportion - 1.0) * merged.shift)
        return FourthGram(scale, merged.weight, merged.mean, *(a + b for a, b in zip(mine, yours, strict=True)))

    def _about(self, ratio: Array, shift: Array) -> tuple[Array, Array, Array]:
        """Return scatter, third and fourth moments in units 1 / `ratio` as large, about means moved by shift (K, d)."""
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
        # the sum of e is zero, so only these terms of (e_i - a)^2 (e_j - b)^2 remain
        fourth = F - 2.0 * (b * T + a * np.swapaxes(T, 1, 2)) + b * b * v + 4.0 * a * b * S + a * a * u
        return S + w * a * b, T - b * v - 2.0 * a * S - w * a * a * b, fourth + w * (a * b) ** 2

    def check(self, where: str) -> None:
        """Raise unless moments are those of rows in units of the scale."""
        most = 2.0**16 * self.weight[:, None, None]
        if (np.abs(self.third) > most).any() or (self.fourth > most).any():
            fail(f"{where}.fourth", "is larger than the weights allow")
