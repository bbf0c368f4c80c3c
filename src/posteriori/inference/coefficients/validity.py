"""Which estimates, standard errors and tests of a fit exist, and the reasons for those that do not."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.linalg.scaled_products import in_powers
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote, select
from posteriori.models.infinite_codes import BOTH, DOWN, FINITE, UNDECIDED, UP, limits

#: Relative length of a combination of coefficients along flat directions of the likelihood, up to which it is rounding.
IDENTIFIED = 1e-7
#: The state of an estimate (`Row`).
State = Literal["ok", "infinite", "not identified", "undecided", "aliased"]
#: The state of a coefficient that is not aliased, by its code.
STATES: dict[int, State] = {
    FINITE: "ok", UP: "infinite", DOWN: "infinite", BOTH: "not identified", UNDECIDED: "undecided"
}  # fmt: skip


def why_no_tests(fitted: Fitted) -> str:
    """Return the reason why no test of any coefficient is valid; "" where tests are valid."""
    if fitted.prior == "gaussian":
        return (
            "the coefficients are penalised (prior is not None), so they are biased towards the prior's mean and no "
            "p-value is valid; standard_errors are those of the posterior. Fit with prior=None to test."
        )
    if fitted.status == "not_converged":
        return "the fit did not converge, so its coefficients are not the maximum. Raise max_iter and fit again."
    return ""


def refuse_tests(fitted: Fitted, test: str) -> None:
    """Raise if no p-value of a test is valid."""
    if reason := why_no_tests(fitted):
        raise DataError(f"{test} is refused: {reason}")


def refuse_likelihood(fitted: Fitted, what: str, *, or_times_jeffreys: bool = False) -> None:
    """Raise if differences of the log likelihood have no chi-squared distribution."""
    refuse_tests(fitted, what)
    if fitted.prior == "jeffreys" and not or_times_jeffreys:
        raise DataError(
            f"{what} is refused: the fit maximises the likelihood times Jeffreys' prior, not the likelihood. "
            "Fit with prior=None, or fit the larger model too and use likelihood_ratio_test(small, large, X=, y=), "
            "which is penalised; Wald tests are conservative where the classes are nearly separated."
        )
    if fitted.weights == "sampling":
        raise DataError(
            f"{what} is refused: under weights='sampling' the weighted likelihood is a pseudolikelihood, whose "
            "differences have no chi-squared distribution. Use wald_test, which is robust by default."
        )


def refuse_separated(fitted: Fitted, what: str) -> None:
    """Raise if the maximum is at infinity, naming the columns."""
    if fitted.status == "separated":
        raise DataError(f"{what} is refused: {_separated(fitted)}")


def identified(fitted: Fitted, combinations: Array) -> NDArray[np.bool_]:
    """Return whether combinations (k, m) of coefficients, in the units of the fit, have finite, unique estimates."""
    return _orthogonal(combinations, fitted.information.null)


def unaliased(fitted: Fitted) -> NDArray[np.bool_]:
    """Return whether each of the m coefficients, in the user's units, is unaffected by aliased directions."""
    return _coefficients_orthogonal(fitted, fitted.information.aliased)


def _coefficients_orthogonal(fitted: Fitted, directions: Array) -> NDArray[np.bool_]:
    """Return whether each of the m coefficients is orthogonal to directions (m, a); no (m, m) matrix without any."""
    return _orthogonal(fitted.jacobian, directions) if directions.shape[1] else np.ones(fitted.size, dtype=np.bool_)


def _orthogonal(combinations: Array, directions: Array) -> NDArray[np.bool_]:
    """Return whether each combination (k, m) is orthogonal to directions (m, a), up to rounding."""
    combinations, _ = in_powers(combinations)
    length = np.linalg.norm(combinations, axis=1)
    orthogonal: NDArray[np.bool_] = np.linalg.norm(combinations @ directions, axis=1) <= IDENTIFIED * length
    return orthogonal


def finite_coefficients(fitted: Fitted) -> NDArray[np.bool_]:
    """Return whether each of the m coefficients, in the user's units, has a finite and unique estimate."""
    known = _coefficients_orthogonal(fitted, fitted.information.null)
    return np.asarray(known & (fitted.information.infinite == FINITE))


def estimates(fitted: Fitted) -> Array:
    """Return the m coefficients in the user's units: infinite where they go to infinity, NaN where none is unique."""
    beta = limits(fitted.coefficients, fitted.information.infinite)
    beta[~unaliased(fitted)] = np.nan
    return beta


def states(fitted: Fitted) -> list[State]:
    """Return the state of each of the m coefficients (`Row`)."""
    codes = zip(fitted.information.infinite.tolist(), unaliased(fitted).tolist(), strict=True)
    return [STATES[code] if known else "aliased" for code, known in codes]


def refuse_unidentified(fitted: Fitted, combinations: Array, what: str) -> None:
    """Raise if a combination (k, m) of coefficients in the user's units has no finite, unique estimate."""
    infinite = (combinations != 0) & (fitted.information.infinite != FINITE)
    known = identified(fitted, combinations @ fitted.jacobian) & ~infinite.any(axis=1)
    if known.all():
        return
    concerned = select(fitted.labels, (combinations[~known] != 0).any(axis=0) & ~finite_coefficients(fitted))
    reason = _separated(fitted) if fitted.status == "separated" else _aliased(fitted)
    raise DataError(f"{what} is refused for {quote(concerned)}: {reason}")


def _separated(fitted: Fitted) -> str:
    return (
        f"the classes are separated along the column(s) {_columns(fitted, 'separation')}, so no finite estimate "
        "exists, and nothing can be computed from it. Use prior='jeffreys' (Firth), or "
        "confidence_interval(method='profile')."
    )


def _aliased(fitted: Fitted) -> str:
    return (
        f"the column(s) {_columns(fitted, 'aliased')} are combinations of others, so these coefficients are not "
        "identified. Leave those columns out, or test a combination that is identified."
    )


def _columns(fitted: Fitted, code: str) -> str:
    return quote([name for note in fitted.notes if note.code == code for name in note.columns])
