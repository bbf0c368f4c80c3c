"""Wald and score tests of hypotheses about the coefficients of one fit."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.linalg as la
from scipy.special import chdtrc

from posteriori.arrays import Array
from posteriori.engines.base import Engine
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.validity import (
    refuse_likelihood,
    refuse_separated,
    refuse_tests,
    refuse_unidentified,
)
from posteriori.inference.inverse_information import InverseInformation
from posteriori.inference.numbers import small
from posteriori.input.frames.native import frame_of
from posteriori.input.row_values import with_extra
from posteriori.linalg.cholesky import INDEPENDENT_PIVOT, ScaledCholesky
from posteriori.linalg.scaled_products import congruence
from posteriori.messages.errors import DataError
from posteriori.sweeps.information import ScoreTestSweep


@dataclass(frozen=True)
class TestResult:
    """A test statistic that is chi-squared distributed under the null hypothesis.

    Examples
    --------
    >>> round(TestResult("Wald test", 3.841458820694124, 1).p_value, 12)
    0.05
    """

    __test__ = False  # not a test case, though pytest would take it for one by its name

    name: str
    statistic: float
    df: int
    native: str | None = field(default=None, repr=False, compare=False)

    @property
    def p_value(self) -> float:
        """The probability of a statistic at least this large under the null hypothesis."""
        return float(chdtrc(self.df, self.statistic))

    def __repr__(self) -> str:
        p_value = small(self.p_value)
        relation = "" if p_value.startswith("<") else "="
        return f"{self.name}: statistic={self.statistic:.6g}, df={self.df}, p_value{relation}{p_value or 'nan'}"

    def to_frame(self, native: str | None = None) -> Any:
        """Return a frame of one row."""
        values = {"test": self.name, "statistic": self.statistic, "df": self.df, "p_value": float(self.p_value)}
        return frame_of({name: np.array([value]) for name, value in values.items()}, native=native or self.native)


def wald_test(fitted: Fitted, covariance: Callable[[], Array], R: Any, r: Any) -> TestResult:
    """Test R beta = r by (R b - r)' (R V R')^-1 (R b - r); `covariance` computes V in the units of the fit."""
    refuse_tests(fitted, "a Wald test")
    matrix = fitted.restrictions(R)
    refuse_unidentified(fitted, matrix, "a Wald test")
    try:
        value = np.broadcast_to(np.asarray(r, dtype=np.float64), (len(matrix),))
    except ValueError:
        raise DataError(f"r has shape {np.shape(r)}, expected a number or {len(matrix)}, one per row of R.") from None
    variance, sizes = congruence(matrix @ fitted.jacobian, covariance())
    difference = (matrix @ fitted.coefficients - value) / sizes
    return TestResult("Wald test", _quadratic(variance, difference, "the rows of R"), len(matrix))


def _quadratic(variance: Array, difference: Array, what: str) -> float:
    """Return difference' variance^-1 difference; raise if the variance is singular to rounding."""
    factor = ScaledCholesky.of(variance)
    if not factor.is_above(INDEPENDENT_PIVOT):
        raise DataError(
            f"{what} are linearly dependent, so there are fewer independent conditions than rows: leave some out."
        )
    scaled = la.solve_triangular(factor.lower, difference / factor.size, lower=True, check_finite=False)
    with np.errstate(over="ignore"):  # a statistic beyond the range of floats is infinite, and its p-value zero
        return float(scaled @ scaled)


def score_test(fitted: Fitted, engine: Engine, extra: Array) -> TestResult:
    """Test whether further columns (n, e) have any effect, without fitting the larger model (Rao 1948).

    g' I^-1 g with g the gradient and I the expected information of the larger model at the estimates of the smaller.
    """
    refuse_likelihood(fitted, "a score test")
    refuse_separated(fitted, "a score test")
    sd = extra.std(axis=0)
    constant = sd <= 1e-12 * np.abs(extra).max(axis=0)
    if constant.any() and fitted.units.intercept:
        raise DataError(f"score_test: column {int(constant.argmax())} of extra is constant.")
    z = (extra - extra.mean(axis=0)) / sd if fitted.units.intercept else extra / np.abs(extra).max(axis=0)
    sweep = ScoreTestSweep(fitted.link, fitted.units, fitted.w)
    gradient, information = (part.values for part in engine.on(with_extra(engine.table, z)).run(sweep).parts)
    q, p, e = len(fitted.w), fitted.units.n_coefficients, extra.shape[1]
    places = np.arange(q * (p + e)).reshape(q, p + e)
    own, added = places[:, :p].ravel(), places[:, p:].ravel()
    inverse = InverseInformation.of(information[np.ix_(own, own)], fitted.information.null, fitted.labels).matrix
    across = information[np.ix_(added, own)]
    variance = information[np.ix_(added, added)] - across @ inverse @ across.T
    remaining = np.diagonal(variance) / np.diagonal(information)[added]
    if (remaining < 1e-10).any():
        column = int(np.argmin(remaining)) % e
        raise DataError(f"score_test: column {column} of extra is a combination of the model's columns.")
    score = gradient.ravel()[added] - across @ inverse @ gradient.ravel()[own]
    return TestResult("score test", _quadratic(variance, score, "the columns of extra"), q * e)
