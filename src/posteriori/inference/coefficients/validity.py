"""The one place that decides which standard errors and tests a fit allows, and says why not."""

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.linalg.scaled_products import in_powers
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote, select

#: Share of a combination of coefficients along the directions the likelihood cannot see, below which it is rounding.
SEEN = 1e-7


def why_no_tests(fitted: Fitted) -> str:
    """Say why no test of a coefficient holds, whichever the coefficient; nothing where tests do hold."""
    if fitted.prior == "gaussian":
        return (
            "the coefficients are penalised (prior is not None), so they are biased towards the prior's mean and no "
            "p-value holds; standard_errors are those of the posterior. Fit with prior=None to test."
        )
    if fitted.status == "not_converged":
        return "the fit did not converge, so its coefficients are not the maximum. Raise max_iter and fit again."
    return ""


def refuse_tests(fitted: Fitted, test: str) -> None:
    """Raise a `DataError` where no p-value of a test would hold."""
    reason = why_no_tests(fitted)
    if reason:
        raise DataError(f"{test} is refused: {reason}")


def refuse_likelihood(fitted: Fitted, what: str, *, or_times_jeffreys: bool = False) -> None:
    """Raise where differences of the log likelihood have no chi-squared distribution."""
    refuse_tests(fitted, what)
    if fitted.prior == "jeffreys" and not or_times_jeffreys:
        raise DataError(
            f"{what} is refused: the fit maximises the likelihood times Jeffreys' prior, not the likelihood. "
            "Fit with prior=None, or fit the larger model too and use likelihood_ratio_test(small, large, X=, y=), "
            "which is penalised; Wald tests are conservative where the classes are nearly separated."
        )
    if fitted.weights == "sampling":
        raise DataError(
            f"{what} is refused: under weights='sampling' the weighted likelihood is that of no sample, so its "
            "differences have no chi-squared distribution. Use wald_test, which is robust by default."
        )


def refuse_separated(fitted: Fitted, what: str) -> None:
    """Raise where the maximum is at infinity, naming the columns."""
    if fitted.status == "separated":
        raise DataError(f"{what} is refused: {_separated(fitted)}")


def identified(fitted: Fitted, combinations: Array) -> NDArray[np.bool_]:
    """Mark the linear combinations (k, m), in the units of the fit, that have a finite and unique estimate."""
    null, (combinations, _) = fitted.information.null, in_powers(combinations)
    size = np.linalg.norm(combinations, axis=1)
    along = np.linalg.norm(combinations @ null, axis=1)
    marks: NDArray[np.bool_] = along <= SEEN * np.where(size > 0, size, 1.0)
    return marks


def finite_coefficients(fitted: Fitted) -> NDArray[np.bool_]:
    """Mark the m coefficients, in the user's units, that have a finite and unique estimate."""
    marks: NDArray[np.bool_] = identified(fitted, fitted.jacobian) & (fitted.information.infinite == 0)
    return marks


def refuse_unidentified(fitted: Fitted, combinations: Array, what: str) -> None:
    """Raise where a combination (k, m) of coefficients in the user's units has no finite, unique estimate."""
    moved = (np.abs(combinations) > 0) & (fitted.information.infinite != 0)
    known = identified(fitted, combinations @ fitted.jacobian) & ~moved.any(axis=1)
    if known.all():
        return
    concerned = select(fitted.labels, (combinations[~known] != 0).any(axis=0) & ~finite_coefficients(fitted))
    reason = _separated(fitted) if fitted.status == "separated" else _aliased(fitted)
    raise DataError(f"{what} is refused for {quote(concerned)}: {reason}")


def _separated(fitted: Fitted) -> str:
    columns = [name for note in fitted.notes if note.code == "separation" for name in note.columns]
    return (
        f"the classes are separated along the column(s) {quote(columns)}, so no finite estimate exists, and nothing "
        "can be computed from it. Use prior='jeffreys' (Firth), or confidence_interval(method='profile')."
    )


def _aliased(fitted: Fitted) -> str:
    columns = [name for note in fitted.notes if note.code == "aliased" for name in note.columns]
    return (
        f"the column(s) {quote(columns)} are combinations of others, so the data do not tell these coefficients "
        "apart. Leave those columns out, or test a combination that is identified."
    )
