"""Priors stated in other units than the user's: on standardised columns, or those of an earlier fit."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.priors.evidence import INTERCEPT_PRECISION
from posteriori.priors.gaussian import GaussianPrior
from posteriori.priors.quadratic import LARGEST, Quadratic
from posteriori.priors.weights import Scores


class CentredPrior(GaussianPrior):
    """Independent weights about zero, and an intercept about zero *at the mean row* of the columns.

    In a `GaussianPrior` the intercept is the predictor of the row of zeros, which may be nowhere near the data; here it
    is that of the mean row, so that the prior does not depend on the origin of a column.

    Parameters
    ----------
    precision : scalar | (d,) of the weights
    intercept_precision : of the predictor of the mean row
    units : "sd" for weights per standard deviation of a column, "data" for weights per unit of it
    """

    def __init__(
        self,
        precision: Any,
        intercept_precision: float = INTERCEPT_PRECISION,
        units: Literal["data", "sd"] = "sd",
    ) -> None:
        super().__init__(precision=precision, intercept_precision=intercept_precision, units=units)

    def quadratic(self, n_scores: int, n_columns: int, intercept: bool, sds: Array) -> Quadratic:
        """Return the quadratic, which is to be converted to the units of the fit."""
        diagonal = self._precision(n_scores, n_columns, intercept)
        return CentredQuadratic(np.zeros(diagonal.size), diagonal, sds if self.units == "sd" else None)


@dataclass(frozen=True)
class CentredQuadratic(Quadratic):
    """The quadratic of a `CentredPrior`, diagonal; `sds` are those of the columns, None for weights per unit of them.

    A column without spread has the weight of the units' own scale: its prior stays proper.
    """

    sds: Array | None

    def in_units(self, units: Units, n_scores: int) -> Quadratic:
        """Return the same prior in the units of a fit, whose centre is the mean row."""
        ratio = 1.0 / units.scale
        if self.sds is not None:
            ratio = np.where(self.sds > 0, self.sds, units.scale) / units.scale
        size = np.concatenate([[1.0], ratio]) if units.intercept else ratio
        sizes = np.minimum(np.tile(size, n_scores), np.sqrt(LARGEST))  # the square of a column of 1e-160 underflows
        return Quadratic(self.mean, np.minimum(self.precision * sizes * sizes, LARGEST))


class PosteriorPrior(GaussianPrior):
    """The Gaussian posterior of an earlier fit as a prior, in the units of that fit.

    Book: [Bishop] §4.5.1, where the posterior N(w_MAP, S_N) has the form of the prior N(m_0, S_0).

    Parameters
    ----------
    own : the units of the earlier fit
    w : (q, p) its mode, in them
    matrix : (q p, q p) its precision, in them
    """

    def __init__(self, own: Units, w: Array, matrix: Array) -> None:
        super().__init__(precision=0.0)
        for name, value in (("own", own), ("w", w), ("matrix", matrix)):
            object.__setattr__(self, name, value)

    def resolved(self, link: Scores) -> "PosteriorPrior":
        """Return the prior itself: its coefficients are those of the link."""
        return self

    def quadratic(self, n_scores: int, n_columns: int, intercept: bool, sds: Array) -> Quadratic:
        """Return the quadratic in the units of the earlier fit."""
        return MovedQuadratic(self.w.ravel(), self.matrix, self.own)  # type: ignore[attr-defined]


@dataclass(frozen=True)
class MovedQuadratic(Quadratic):
    """A quadratic over coefficients in units of its own.

    It is converted from those units to others directly: through the user's units, a column whose origin is a million
    standard deviations away would lose twelve digits.
    """

    own: Units

    def in_units(self, units: Units, n_scores: int) -> Quadratic:
        """Return T'precision T about T^-1 mean, T taking coefficients in the new units to those in the old."""
        there = change_of_units(units, self.own)
        back = change_of_units(self.own, units)
        T = np.kron(np.eye(n_scores), there)
        with np.errstate(over="ignore", invalid="ignore"):  # beyond the range of floats the fit does not converge
            mean = self.mean.reshape(n_scores, -1) @ back.T
            return Quadratic(mean.ravel(), T.T @ self.matrix() @ T)


def change_of_units(old: Units, new: Units) -> Array:
    """Return T (p, p) that converts (b, w) from the old units to the new ones.

    eta = b + w'(x - c) / s is b_n + w_n'(x - c_n) / s_n with w_n = w s_n / s and b_n = b + w'(c_n - c) / s.

    >>> old, new = Units(np.array([1.0]), np.array([2.0]), True), Units(np.array([3.0]), np.array([4.0]), True)
    >>> change_of_units(old, new).tolist()
    [[1.0, 1.0], [0.0, 2.0]]
    """
    ratio = new.scale / old.scale
    if not old.intercept:
        return np.diag(ratio)
    T = np.diag(np.concatenate([[1.0], ratio]))
    T[0, 1:] = (new.centre - old.centre) / old.scale
    return T
