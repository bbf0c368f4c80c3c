"""`ColumnwisePhi`: a function of the distance of every column from every centre; Gaussian functions and sigmoids."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expit

from posteriori.arrays import Array
from posteriori.bases.base import ColumnsPhi, gaussian, numerals
from posteriori.checks.requirements import fail
from posteriori.storable import storable


@dataclass(frozen=True, eq=False)
class ColumnwisePhi(ColumnsPhi):
    """h((x_j - mu) / s) for every column j and centre mu; the columns of phi are ordered by j, then by centre.

    Parameters
    ----------
    centers, widths : (m,)
    n_inputs : the number of columns of x (d)
    """

    word: ClassVar[str]
    centers: Array
    widths: Array
    n_inputs: int

    @property
    def n_columns(self) -> int:
        """One per column and centre."""
        return self.n_inputs * len(self.centers)

    def __call__(self, rows: Array) -> Array:
        """Return phi; differences are divided by the width first, since the square of a small width would underflow."""
        return self.shape((rows[:, :, None] - self.centers) / self.widths).reshape(len(rows), self.n_columns)

    @abstractmethod
    def shape(self, off: Array) -> Array:
        """Return h in the place of its argument."""

    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return names such as ``"gauss(x; 0.5)"``."""
        return tuple(f"{self.word}({name}; {center})" for name in names for center in numerals(self.centers.tolist()))

    def check(self, where: str) -> None:
        """Raise unless there are centres."""
        if not self.centers.size:
            fail(f"{where}.centers", "is empty")


@storable
@dataclass(frozen=True, eq=False)
class ColumnwiseGaussianPhi(ColumnwisePhi):
    """exp(-(x_j - mu)^2 / (2 s^2)) for every column j and centre mu."""

    word = "gauss"

    def shape(self, off: Array) -> Array:
        """Return exp(-u^2 / 2)."""
        return gaussian(off)


@storable
@dataclass(frozen=True, eq=False)
class SigmoidPhi(ColumnwisePhi):
    """1 / (1 + exp(-(x_j - mu) / s)) for every column j and centre mu."""

    word = "sigmoid"

    def shape(self, off: Array) -> Array:
        """Return the sigmoid, in the form in which no exponential overflows."""
        return np.asarray(expit(off, out=off))
