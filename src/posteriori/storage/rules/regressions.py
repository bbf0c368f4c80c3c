"""Rules for regressions: scores, information and posteriors over the same coefficients."""

import numpy as np

from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.models.information import Information, Sums
from posteriori.models.posterior.corrected import METHODS, CorrectedPosterior
from posteriori.models.posterior.gaussian import GaussianPosterior
from posteriori.models.posterior.warm_up import WarmUp
from posteriori.priors.quadratic import LARGEST as LARGEST_PRECISION
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.trace import Trace
from posteriori.storage.registry import RULES


@RULES.of(Trace)
def trace(value: Trace, where: str) -> None:
    """Check that there is one set of weights per step."""
    n = len(value.objective)
    if value.weights.ndim not in (2, 3) or not n:
        fail(f"{where}.weights", "is not by step and weight, or empty")
    require.ANY.check(value.weights, (n, *value.weights.shape[1:]), f"{where}.weights")


# --- information


@RULES.of(Sums)
def sums(value: Sums, where: str) -> None:
    """Check that matrices are symmetric, and positive semidefinite where they are sums of squares."""
    for name in ("observed", "expected", "meat", "by_rows"):
        matrix = getattr(value, name)
        if matrix is not None:
            require.close(matrix, matrix.T, f"{where}.{name}", "is not symmetric",
                        rtol=1e-9, atol=1e-9 * float(np.abs(matrix).max(initial=0.0)))  # fmt: skip
        if matrix is not None and name != "observed":  # which is indefinite where the likelihood is not concave
            require.covariances(matrix, f"{where}.{name}")


@RULES.of(Information)
def information(value: Information, where: str) -> None:
    """Check that all parts are over the same coefficients."""
    m, R = len(value.infinite), value.triangle
    if not 0 < value.totals.sum() < np.inf:
        fail(f"{where}.totals", "are not weights of classes")
    for name in ("aliased", "vanished"):
        directions = getattr(value, name)
        require.close(directions.T @ directions, np.eye(directions.shape[1]), f"{where}.{name}",
                    "contains directions that are not orthonormal", atol=1e-6)  # fmt: skip
    if R is not None and (len(R) == 0 or m % len(R) or not np.diagonal(R).all()):
        fail(f"{where}.triangle", "is not for the model's coefficients, or singular")
    if value.sums is not None and len(value.sums.observed) != m:
        fail(f"{where}.sums", f"are over {len(value.sums.observed)} coefficients, not {m}")


# --- posteriors


@RULES.of(Quadratic)
def quadratic(value: Quadratic, where: str) -> None:
    """Check that precisions, one for each coefficient or a matrix, are not negative, and as they are before scaling."""
    shape = (len(value.mean),) * (1 if value.precision.ndim == 1 else 2)
    require.bounded(LARGEST_PRECISION).check(value.precision, shape, f"{where}.precision")
    require.covariances(value.matrix(), f"{where}.precision")
    if value.unscaled is not None:
        matrix, size = value.unscaled
        require.FINITE.check(matrix, shape, f"{where}.unscaled[0]")
        require.FINITE.check(size, shape[:1], f"{where}.unscaled[1]")
        require.close(matrix * size[:, None] * size, value.precision, f"{where}.unscaled", "is not the precision",
                    rtol=1e-9)  # fmt: skip


@RULES.of(GaussianPosterior)
def posterior(value: GaussianPosterior, where: str) -> None:
    """Check that the prior is over the coefficients of the posterior."""
    if len(value.prior.mean) != value.w.size:
        fail(f"{where}.prior", "is not for the coefficients of the posterior")


@RULES.of(CorrectedPosterior)
def corrected(value: CorrectedPosterior, where: str) -> None:
    """Check that there is a third cumulant for each three directions of the Gaussian."""
    r, m = value.gaussian.root.shape
    if len(value.third) != r * (r + 1) * (r + 2) // 6:
        fail(f"{where}.third", f"has {len(value.third)} cumulants for {r} directions")
    # NaN where columns of 1e150 leave the range
    require.Numbers(0.0, message="a negative number").check(np.nan_to_num(value.moved), (m,), f"{where}.moved")
    if value.method not in METHODS:
        fail(f"{where}.method", f"is none of {', '.join(METHODS)}")


@RULES.of(WarmUp)
def warm_up(value: WarmUp, where: str) -> None:
    """Check that there are no rows: a model file has none."""
    if value.rows.ndim != 2 or value.counts.ndim != 2 or len(value.rows) or len(value.counts):
        fail(where, "has rows")
