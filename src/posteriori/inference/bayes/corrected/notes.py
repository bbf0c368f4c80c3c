"""Notes of a fit whose Laplace approximation is inaccurate."""

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.inference.bayes.corrected.correct import MILD, DeferredSampling, shifts_between_classes
from posteriori.inference.bayes.corrected.estimate import LaplaceErrors
from posteriori.inference.bayes.laplace_error import Excess
from posteriori.messages.notes import Note, quote, select
from posteriori.models.posterior.corrected import CorrectedPosterior
from posteriori.models.posterior.gaussian import GaussianPosterior

#: Error of the log evidence, in nats, above which there is a note.
EVIDENCE = 0.5
#: Shift of bounds, in standard deviations, above which the series is too inaccurate to report its size.
FAR = 2.0
REMEDY = "A stronger prior, such as pt.GaussianPrior(sd=2.5, units='sd'), or more rows make the Gaussian accurate."


def inaccurate(
    corrected: CorrectedPosterior | DeferredSampling | LaplaceErrors,
    before: GaussianPosterior,
    names: tuple[str | int, ...],
) -> tuple[Note, ...]:
    """Return a note if intervals shift by more than `MILD`, or the log evidence by more than `EVIDENCE`."""
    sentences = []
    errors = corrected.series if isinstance(corrected, DeferredSampling) else corrected
    shifts = shifts_between_classes(before, errors) if isinstance(errors, CorrectedPosterior) else errors.moved
    columns = select(names, _by_column(shifts > MILD, before))
    if (shifts > MILD).any():
        sentences.append(f"{_bounds(float(shifts.max()), columns, len(before.w))} {_consequence(corrected)}")
    laplace, log_evidence = before.log_evidence, errors.log_evidence
    if laplace is not None and log_evidence is not None and abs(log_evidence - laplace) > EVIDENCE:
        sentences.append(f"log_evidence_ is Laplace's, {laplace:.4g}; {_log_evidence(errors)}.")
    return (Note("laplace-inaccurate", " ".join(sentences), columns, remedy=REMEDY),) if sentences else ()


def raised_precision(best: Array, chosen: Array, excess: float, separated: bool) -> Note:
    """Return the note that the precisions `chosen` (d,) differ from those of largest Laplace evidence (d,)."""
    one = best[0] == best.min() == best.max()
    before = f"{best[0]:.3g}" if one else f"{best.min():.3g} to {best.max():.3g}"
    after = f"{chosen[0]:.3g}" if one else f"{np.max(chosen / best):.3g} times that"
    weak = (
        "the columns separate the classes, so a weak prior fits well" if separated else "the data favour a weak prior"
    )
    return Note(
        code="laplace-inaccurate",
        message=f"{weak}, and at the precision of largest Laplace evidence, {before} on standardised columns, the "
        f"posterior is far from Gaussian: {_excess(excess)}. The precision used is {after}, which maximises the lower "
        "bound on the evidence from the Gaussian approximation.",
        remedy="Predicted probabilities are conservative; LogisticRegression(prior='evidence') uses the mode only.",
    )


def not_corrected(excess: Excess) -> Note:
    """Return the note of a posterior that is far from Gaussian and too large to be corrected."""
    why = "the columns separate the classes and the prior is weak" if excess.separated else "the prior is weak"
    return Note(
        "laplace-inaccurate",
        f"{why}, so the posterior is far from Gaussian, and there are too many rows or coefficients to correct it: "
        f"{_excess(excess.excess)}. Standard deviations and intervals are inaccurate, and predicted probabilities too "
        "close to equal.",
        remedy=REMEDY,
    )


def narrowed_to_gaussian() -> Note:
    """Return the note of a `partial_fit` whose posterior was not Gaussian before further rows."""
    return Note(
        "laplace-inaccurate",
        "The posterior was not Gaussian before these rows, and only its Gaussian approximation represents the earlier "
        "rows: means, standard deviations and intervals are inaccurate until there are many rows.",
        remedy="Fit to all rows at once.",
    )


def _by_column(marks: NDArray[np.bool_], posterior: GaussianPosterior) -> NDArray[np.bool_]:
    """Return whether the coefficient of a column is marked for any class, (d,)."""
    columns: NDArray[np.bool_] = np.logical_or.reduce(marks.reshape(len(posterior.w), -1), axis=0)
    return columns[int(posterior.units.intercept) :]


def _bounds(largest: float, columns: tuple[str | int, ...], n_scores: int) -> str:
    of = f"the coefficients of {quote(columns)}" if columns else "the intercept"
    of += " or of their differences between classes" if n_scores > 1 else ""
    size = f"more than {FAR:g}" if largest > FAR else f"up to about {largest:.1g}"
    return (
        f"The posterior is not Gaussian: the 95 % intervals of {of} differ from those of Laplace's approximation by "
        f"{size} standard deviations."
    )


def _log_evidence(errors: CorrectedPosterior | LaplaceErrors) -> str:
    if errors.moved.max() > FAR:
        return "it is inaccurate, and the first terms beyond it are too large to estimate its error"
    return f"with the first terms beyond it the log evidence is about {errors.log_evidence:.4g}"


def _consequence(corrected: CorrectedPosterior | DeferredSampling | LaplaceErrors) -> str:
    if isinstance(corrected, LaplaceErrors):
        return (
            "There are too many rows or coefficients to correct them: summary() and predict_interval() have those of "
            "Laplace's approximation."
        )
    used = "summary() and predict_interval() use the mean, covariance and skewness"
    if isinstance(corrected, DeferredSampling):
        return f"{used} of draws from the posterior; predict_proba averages over the Gaussian."
    return (
        f"{used} by the first terms beyond it, which are not enough here (errors of about a third of that remain); "
        "there are too many rows or coefficients to sample."
    )


def _excess(excess: float) -> str:
    return (
        f"from its mode to draws of the Gaussian approximation the log posterior falls on average by {excess:.3g} more "
        "than it would if it were Gaussian"
    )
