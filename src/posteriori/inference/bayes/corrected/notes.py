"""What a fit says where Laplace's Gaussian is not accurate."""

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.inference.bayes.corrected.correct import MILD, Unsampled, moved_between_classes
from posteriori.inference.bayes.corrected.estimate import Uncorrected
from posteriori.inference.bayes.corrected.posterior import CorrectedPosterior
from posteriori.inference.bayes.laplace_error import Excess
from posteriori.inference.bayes.posterior import GaussianPosterior
from posteriori.messages.notes import Note, quote, select

#: Nats by which the log evidence must be off to be told of.
EVIDENCE = 0.5
#: Standard deviations beyond which the series says that bounds are off, and no longer by how much.
FAR = 2.0
REMEDY = "A stronger prior, such as pt.GaussianPrior(sd=2.5, units='sd'), or more rows make the Gaussian accurate."


def inaccurate(
    known: CorrectedPosterior | Unsampled | Uncorrected, before: GaussianPosterior, names: tuple[str | int, ...]
) -> tuple[Note, ...]:
    """Return a note where intervals move by more than `MILD`, or the log evidence by more than `EVIDENCE`."""
    told = []
    found = known.series if isinstance(known, Unsampled) else known
    moved = moved_between_classes(before, found) if isinstance(found, CorrectedPosterior) else found.moved
    far = moved > MILD
    if far.any():
        told.append(f"{_bounds(moved, before, names)} {_what_is_done(known)}")
    if found.log_evidence is not None and before.log_evidence is not None:
        apart = found.log_evidence - before.log_evidence
        if abs(apart) > EVIDENCE:
            told.append(f"log_evidence_ is Laplace's, {before.log_evidence:.4g}; {_beyond(found)}.")
    columns = select(names, _by_column(far, before))
    return (Note("laplace-inaccurate", " ".join(told), columns, remedy=REMEDY),) if told else ()


def raised_precision(first: Array, taken: Array, excess: float, separated: bool) -> Note:
    """Return the note that another precision was taken than that of largest Laplace evidence, and why; (d,) each."""
    one = first[0] == first.min() == first.max()
    before = f"{first[0]:.3g}" if one else f"{first.min():.3g} to {first.max():.3g}"
    after = f"{taken[0]:.3g}" if one else f"{np.max(taken / first):.3g} times that"
    why = (
        "the columns separate the classes, so the rows stay as probable under ever weaker priors, and"
        if separated
        else "the rows would have a weak prior, and"
    )
    return Note(
        code="laplace-inaccurate",
        message=f"{why} at the precision of largest Laplace evidence, {before} on standardised columns, the posterior "
        f"is no Gaussian: {_lost(excess)}. The precision taken is {after}, where the lower bound on the evidence that "
        "the Gaussian gives is largest.",
        remedy="The probabilities are cautious; LogisticRegression(prior='evidence') gives those at the mode alone.",
    )


def not_corrected(excess: Excess) -> Note:
    """Return the note of a posterior that is far from Gaussian and too large to be corrected."""
    why = "the columns separate the classes and the prior is weak" if excess.separated else "the prior is weak"
    return Note(
        "laplace-inaccurate",
        f"{why}, so the posterior is far from Gaussian, and there are too many rows or coefficients to correct it: "
        f"{_lost(excess.excess)}. Standard deviations and intervals are inaccurate, and probabilities too near to "
        "even.",
        remedy=REMEDY,
    )


def narrowed_to_gaussian() -> Note:
    """Return the note of a stream whose posterior was not Gaussian before further rows came."""
    return Note(
        "laplace-inaccurate",
        "The posterior was not Gaussian when further rows came, and only its Gaussian is kept of the rows before: "
        "means, standard deviations and intervals are inaccurate until rows are many.",
        remedy="Fit to all rows at once.",
    )


def _by_column(marks: NDArray[np.bool_], posterior: GaussianPosterior) -> NDArray[np.bool_]:
    """Return whether any class's coefficient of a column is marked, (d,)."""
    of_columns: NDArray[np.bool_] = np.logical_or.reduce(marks.reshape(len(posterior.w), -1), axis=0)
    return of_columns[int(posterior.units.intercept) :]


def _bounds(moved: Array, before: GaussianPosterior, names: tuple[str | int, ...]) -> str:
    columns = select(names, _by_column(moved > MILD, before))
    of = f"the coefficients of {quote(columns)}" if columns else "the intercept"
    of += " or of their differences between classes" if len(before.w) > 1 else ""
    most = float(moved.max())
    far = f"more than {FAR:g}" if most > FAR else f"up to about {most:.1g}"
    return (
        f"The posterior is not Gaussian: the 95 % intervals of {of} differ from those of Laplace's approximation by "
        f"{far} standard deviations."
    )


def _beyond(found: CorrectedPosterior | Uncorrected) -> str:
    if found.moved.max() > FAR:
        return "it is inaccurate, and the first terms beyond it are too large to say by how much"
    return f"with the first terms beyond it the log evidence is about {found.log_evidence:.4g}"


def _what_is_done(known: CorrectedPosterior | Unsampled | Uncorrected) -> str:
    if isinstance(known, Uncorrected):
        return (
            "There are too many rows or coefficients to correct them: summary() and predict_interval() have those of "
            "Laplace's approximation."
        )
    used = "summary() and predict_interval() use the mean, covariance and skewness"
    if isinstance(known, Unsampled):
        return f"{used} of draws from the posterior; predict_proba averages over the Gaussian."
    return (
        f"{used} by the first terms beyond it, which are not enough here (errors of about a third of that remain); "
        "there are too many rows or coefficients to sample."
    )


def _lost(excess: float) -> str:
    return (
        f"from its mode to a draw of the Gaussian about it the log posterior falls by {excess:.3g} more than a "
        "Gaussian's would"
    )
