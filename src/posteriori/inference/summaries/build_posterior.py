"""Computation of a `PosteriorSummary`: of vectors or contrasts, with footnotes."""

from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.levels import tail
from posteriori.inference.coefficients.fitted import INTERCEPT
from posteriori.inference.summaries.posterior_table import PosteriorSummary
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.models.posterior.corrected import METHODS, CorrectedPosterior
from posteriori.models.posterior.gaussian import GaussianPosterior
from posteriori.models.posterior.pearson import below, quantile
from posteriori.models.posterior.precision import ChosenPrecision
from posteriori.solvers.base import Solution


def summarize_posterior(
    posterior: GaussianPosterior,
    corrected: CorrectedPosterior | None,
    classes: tuple[Any, ...],
    names: tuple[str, ...],
    level: float,
    exponentiate: bool,
    reference: Any,
    facts: dict[str, Any],
    foot: tuple[str, ...],
    notes: tuple[str, ...],
) -> PosteriorSummary:
    """Return the summary of a posterior: of its vectors, or of their contrasts to a reference class."""
    if reference is not None and reference not in classes:
        raise DataError(f"reference={reference!r} is not one of the classes {quote(list(classes))}.")
    A, labels = _contrasts(len(posterior.w), classes, reference)
    if len(classes) == 2:
        reference = classes[0] if labels[0] == classes[1] else classes[1]
    terms = ((INTERCEPT,) if posterior.units.intercept else ()) + names
    combinations = np.kron(A, np.eye(len(terms))).astype(np.float64, copy=False)
    numbers = _numbers(posterior, corrected, combinations, level, exponentiate)
    repeated = tuple(label for label in labels for _ in terms)
    return PosteriorSummary(terms * len(labels), repeated, numbers, level, facts, foot, notes, reference, exponentiate)


def _numbers(
    posterior: GaussianPosterior, corrected: CorrectedPosterior | None, A: Array, level: float, exponentiate: bool
) -> Array:
    """Return the columns of the summary for combinations A (k, m) of coefficients, (k, 8)."""
    mode, skewness = A @ posterior.mean, np.zeros(len(A))
    gaussian = posterior
    if corrected is not None:
        gaussian, skewness = corrected.gaussian, corrected.skewness(A)
    mean, sd = A @ gaussian.mean, gaussian.sd_of(A)
    p = tail(level)
    low, middle, high = (mean + sd * quantile(p, skewness) for p in (p, 0.5, 1.0 - p))
    with np.errstate(divide="ignore", invalid="ignore"):
        negative = np.where(sd > 0, below(-mean / sd, skewness), (mean < 0).astype(np.float64))
    prior_mean, prior_sd = A @ posterior.prior_mean, posterior.prior_sd_of(A)
    if not exponentiate:
        return np.column_stack([mode, mean, sd, low, high, negative, prior_mean, prior_sd])
    with np.errstate(over="ignore"):
        ratio, median, lower, upper, prior_median = (np.exp(each) for each in (mode, middle, low, high, prior_mean))
        sd, prior_sd = _log_normal_sd(mean, sd), _log_normal_sd(prior_mean, prior_sd)
        return np.column_stack([ratio, median, sd, lower, upper, negative, prior_median, prior_sd])


def foot_of_posterior(
    solution: Solution, chosen: ChosenPrecision | None, corrected: CorrectedPosterior | None
) -> tuple[str, ...]:
    """Return the footnotes of a summary: the approximation, the certificate of the mode, and the prior."""
    if corrected is None:
        source = (
            "Means, standard deviations and intervals are from Laplace's approximation, a Gaussian centred at the mode"
        )
    else:
        source = f"Means, standard deviations and intervals are from {METHODS[corrected.method]}"
    certificate = (
        f"{source}. Certificate of the mode: Newton decrement {solution.decrement:.1e} (no linear combination of "
        "coefficients is further from the mode than that many standard deviations)."
    )
    if chosen is None:
        return (certificate,)
    precision = "one per column" if chosen.by_column else f"{chosen.precision[0]:.4g}"
    which = "maximises the Laplace evidence"
    if chosen.raised:
        which = "does not maximise the Laplace evidence, because the posterior at its maximum is far from Gaussian"
    return certificate, f"Prior precision on standardised columns ({precision}): it {which}; {chosen.reason}."


def _contrasts(n_scores: int, classes: tuple[Any, ...], reference: Any) -> tuple[Array, list[Any]]:
    if n_scores == 1:
        reversed_ = reference is not None and reference == classes[1]
        return np.array([[-1.0 if reversed_ else 1.0]]), [classes[0] if reversed_ else classes[1]]
    if reference is None:
        return np.eye(n_scores), list(classes)
    k = list(classes).index(reference)
    A = np.eye(n_scores)
    A[:, k] -= 1.0
    return np.delete(A, k, axis=0), [label for label in classes if label != reference]


def _log_normal_sd(mean: Array, sd: Array) -> Array:
    """Return the standard deviation of exp of a normal variable."""
    return np.exp(mean + 0.5 * sd * sd) * np.sqrt(np.expm1(sd * sd))
