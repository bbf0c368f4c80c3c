"""From a posterior to its `PosteriorSummary`: vectors or contrasts, odds or log odds, and the words below."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.inference.evidence import ChosenPrecision
from posteriori.inference.fitted import INTERCEPT
from posteriori.inference.intervals import quantile
from posteriori.inference.posterior import GaussianPosterior
from posteriori.inference.posterior_summary import PosteriorSummary
from posteriori.solvers.base import Solution
from posteriori.tables.errors import DataError
from posteriori.tables.notes import listed

Array = NDArray[np.float64]


def summarize_posterior(
    posterior: GaussianPosterior,
    classes: tuple[Any, ...],
    names: tuple[str, ...],
    level: float,
    exponentiate: bool,
    reference: Any,
    facts: dict[str, Any],
    foot: tuple[str, ...],
    notes: tuple[str, ...],
) -> PosteriorSummary:
    """Give the summary of a posterior: of its vectors, or of their differences to a reference class."""
    if reference is not None and reference not in classes:
        raise DataError(f"reference={reference!r} is none of the classes {listed(list(classes))}.")
    A, labels = _contrasts(len(posterior.w), classes, reference)
    if len(classes) == 2:
        reference = classes[0] if labels[0] == classes[1] else classes[1]
    terms = ((INTERCEPT,) if posterior.units.intercept else ()) + names
    numbers = _numbers(posterior, np.kron(A, np.eye(len(terms))).astype(np.float64, copy=False), level, exponentiate)
    every = tuple(label for label in labels for _ in terms)
    return PosteriorSummary(terms * len(labels), every, numbers, level, facts, foot, notes, reference, exponentiate)


def _numbers(posterior: GaussianPosterior, change: Array, level: float, exponentiate: bool) -> Array:
    """Give mean, sd, bounds, and the prior's mean and sd of combinations (k, m) of coefficients, (k, 6)."""
    mean, sd = change @ posterior.mean, np.sqrt(np.einsum("ij,jk,ik->i", change, posterior.covariance, change))
    prior_mean, prior_sd = change @ posterior.prior_mean, posterior.prior_sd_of(change)
    reach = quantile(level) * sd
    numbers = np.column_stack([mean, sd, mean - reach, mean + reach, prior_mean, prior_sd])
    if exponentiate:
        with np.errstate(over="ignore"):
            numbers = np.exp(numbers)
            numbers[:, 1], numbers[:, 5] = _log_normal_sd(mean, sd), _log_normal_sd(prior_mean, prior_sd)
    return numbers


def foot_of_posterior(solution: Solution, chosen: ChosenPrecision | None) -> tuple[str, ...]:
    """Give the sentences below a summary: how near the mode is, and how the prior came about."""
    certificate = (
        f"Laplace approximation at the mode; certificate: Newton decrement {solution.decrement:.1e} (no combination of "
        "coefficients is further from the mode than that many standard deviations)."
    )
    if chosen is None:
        return (certificate,)
    each = "one a column" if chosen.by_column else f"{chosen.precision[0]:.4g}"
    if chosen.raised:
        how = "is not the one of largest Laplace evidence, at which no Gaussian holds"
    else:
        how = "is the one of largest evidence"
    return certificate, f"The prior's precision on standardised columns ({each}) {how}: {chosen.reason}."


def _contrasts(n_scores: int, classes: tuple[Any, ...], reference: Any) -> tuple[Array, list[Any]]:
    if n_scores == 1:
        turned = reference is not None and reference == classes[1]
        return np.array([[-1.0 if turned else 1.0]]), [classes[0] if turned else classes[1]]
    if reference is None:
        return np.eye(n_scores), list(classes)
    at = list(classes).index(reference)
    A = np.eye(n_scores)
    A[:, at] -= 1.0
    return np.delete(A, at, axis=0), [label for label in classes if label != reference]


def _log_normal_sd(mean: Array, sd: Array) -> Array:
    """Give the standard deviation of exp of a normal variable."""
    spread: Array = np.exp(mean + 0.5 * sd * sd) * np.sqrt(np.expm1(sd * sd))
    return spread
