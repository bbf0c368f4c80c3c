"""The precision that makes the rows most probable: a search over modes, each from the one before."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from posteriori.arrays import Array
from posteriori.engines.progress import job
from posteriori.inference.bayes.corrected.notes import raised_precision
from posteriori.inference.bayes.evidence.bound import Held, held
from posteriori.inference.bayes.evidence.quadratic import EvidenceModel
from posteriori.inference.bayes.evidence.rows import EvidenceRows
from posteriori.inference.bayes.evidence.search import Slope, search, search_by_column
from posteriori.links.base import LinkFunction
from posteriori.messages.errors import DataError
from posteriori.messages.notes import Note, quote, select
from posteriori.objectives.prepare import objective_of, standard_deviations, survey
from posteriori.priors.evidence import EvidencePrior
from posteriori.priors.other_units import CentredPrior
from posteriori.priors.weights import Weights
from posteriori.solvers.select import DENSE_LIMIT
from posteriori.storable import storable
from posteriori.tables.memory import MemoryTable

#: Least precision on standardised columns: a prior sd of 3,000 in log odds.
LEAST = 1e-7
#: Greatest precision, in units of a quarter of the weight of the rows: weights of it are zero to six digits.
GREATEST = 1e6
#: Sum of weights up to which a log evidence is known to a hundredth.
MOST_WEIGHT = 1e13


@storable
@dataclass(frozen=True)
class ChosenPrecision:
    """The precision that the evidence chose, with the certificate of it.

    Parameters
    ----------
    precision : of each column's weights per standard deviation of the column, (d,)
    precision_data : the same per unit of the column: precision times its variance, (d,)
    intercept_precision : of the predictor of the mean row
    by_column : whether each column had its own
    slope : the greatest derivative of the log evidence in the log of a precision that is not at a bound
    bound : (d,) 1 where the precision is at its upper bound, -1 at its lower, 0 between
    log_evidence : there, without multinomial coefficients
    evaluations, sweeps : what it cost
    reason : why the search ended, in a sentence
    most_probable : (d,) the precision of largest Laplace evidence; `precision` is greater where a Gaussian posterior is
        wanted and none holds there: then it is that of the largest lower bound on the evidence
    excess : nats by which Laplace's log evidence exceeds that bound at `most_probable`; None where nobody asked
    separated : whether the mode at `most_probable` puts every row in its own class
    """

    precision: Array
    precision_data: Array
    intercept_precision: float
    by_column: bool
    slope: float
    bound: NDArray[np.int8]
    log_evidence: float
    evaluations: int
    sweeps: int
    reason: str
    most_probable: Array
    excess: float | None
    separated: bool

    @property
    def raised(self) -> bool:
        """Whether the precision of largest Laplace evidence was not taken, as no Gaussian holds there."""
        return not np.array_equal(self.precision, self.most_probable)

    @property
    def prior(self) -> CentredPrior:
        """The prior chosen."""
        return CentredPrior(self.precision if self.by_column else float(self.precision[0]), self.intercept_precision)

    def notes(self, names: tuple[str | int, ...]) -> tuple[Note, ...]:
        """Say which columns' precision is at a bound, and whether another than that of largest evidence was taken."""
        told: tuple[Note, ...] = ()
        if self.raised and self.excess is not None:
            told = (raised_precision(self.most_probable, self.precision, self.excess, self.separated),)
        if not (self.bound > 0).any() or (self.by_column and not (self.bound > 0).all()):
            return told
        return (
            *told,
            Note(
                code="evidence-bound",
                message=f"the evidence grows with the prior's precision without end, so it was held at "
                f"{self.precision.max():.3g}: the rows are more probable without the column(s) "
                f"{quote(select(names, self.bound > 0))} than with any weight on them.",
                columns=select(names, self.bound > 0),
                remedy="More rows, other columns or another basis may tell more; a fixed precision is prior=….",
            ),
        )


def choose_precision(
    table: MemoryTable, link: LinkFunction, prior: EvidencePrior, intercept: bool, gaussian: bool = False
) -> tuple[ChosenPrecision, Weights]:
    """Choose the precision on standardised columns by the Laplace evidence; give it with the mode found there.

    With `gaussian` not only the mode is wanted but a Gaussian about it, and the precision is one at which it holds; the
    link is then the logit or the symmetric softmax.
    """
    n_parameters = link.n_scores * (table.n_columns + intercept)
    if n_parameters > DENSE_LIMIT:
        raise DataError(
            f"the evidence needs the curvature in all {n_parameters} coefficients, and there is room for "
            f"{DENSE_LIMIT}. Give a number as prior, or fewer columns."
        )
    with job("evidence"):
        table = replace(table, offset=link.contrast_offset(table.offset))
        table = table.counted(2) if link.n_classes == 2 else table
        surveyed = survey(table)
        start_prior = CentredPrior(1.0, prior.intercept_precision)
        objective = objective_of(surveyed, link, start_prior, intercept, DENSE_LIMIT)
        _, totals = table.class_sizes(link.n_classes)
        _check_weight(float(totals.sum()))
        d, q = table.n_columns, link.n_scores
        columns = np.arange(d) if prior.by_column else np.zeros(d, dtype=np.intp)
        groups = np.tile(np.concatenate([[-1], columns]) if intercept else columns, q)
        w = np.zeros((q, objective.units.n_coefficients))
        if intercept and (totals > 0).all():
            w[:, 0] = link.start(totals / totals.sum())
        rows = EvidenceRows(objective, groups, w.ravel())
        ceiling = np.inf if table.offset is not None else -_null_loss(totals, intercept)
        bounds = (float(np.log(LEAST)), float(np.log(GREATEST * max(totals.sum() / 4.0, 1.0))))
        best, reason, rows = _searched(rows, bounds, d if prior.by_column else 1, ceiling)
        looked = held(rows, best, reason, bounds) if gaussian else Held(best, reason, best.rho, None)
    lead, weights = objective.units.to_data(rows.w.reshape(q, -1))
    if q > 1:  # for every class, the reference included
        lead, weights = link.expand(lead[None])[0], link.expand(weights.T).T
    sds = standard_deviations(surveyed.moments)
    return _chosen(rows, looked, bounds, sds, prior), Weights(weights, lead, (), "the mode")


def _check_weight(total: float) -> None:
    """Raise if the log evidence is so large that rounding hides the differences between priors."""
    if total > MOST_WEIGHT:
        raise DataError(
            f"the weights of the rows sum to {total:.3g}: the log evidence of so many rows is rounded by more than the "
            "choice of a prior changes it. Divide sample_weight by its mean, or give a number as prior."
        )


def _null_loss(totals: Array, intercept: bool) -> float:
    """Give minus the largest log likelihood of a model without columns."""
    share = totals / totals.sum() if intercept else np.full(len(totals), 1.0 / len(totals))
    return -float(xlogy(totals, share).sum())


def _searched(
    rows: EvidenceRows, bounds: tuple[float, float], n_groups: int, ceiling: float
) -> tuple[Slope, str, EvidenceRows]:
    """Find the best precision for all columns; then, where each has its own, theirs from there.

    Without columns no evidence is above `ceiling`, the likelihood of the best model that has none; where the top found
    is below it, the bound at which all weights vanish is tried too.
    """
    one = replace(rows, groups=np.where(rows.groups >= 0, 0, -1)) if n_groups > 1 else rows
    start = one.objective.curvature(one.w)
    model = EvidenceModel.of(one.objective.prior, start, one.groups)
    one.sweeps += 1
    common: Callable[[float, float], Slope] = lambda rho, tol: one(np.array([rho]), tol)  # noqa: E731
    best, reason = search(common, one.model, model.best(bounds), bounds)
    if best.rho[0] < bounds[1] and best.value < ceiling:
        other = one.afresh(start.w)
        nothing = other(np.array([bounds[1]]), 1e-8)
        one.evaluations, one.sweeps = other.evaluations, other.sweeps
        if nothing.value > best.value:
            best, reason, one = nothing, "without any weights the rows are more probable than with the best", other
    if n_groups == 1:
        return best, reason, one
    each = replace(one.afresh(one.w), groups=rows.groups)
    return (*search_by_column(each, np.full(n_groups, best.rho[0]), bounds), each)


def _chosen(
    rows: EvidenceRows, looked: Held, bounds: tuple[float, float], sds: Array, prior: EvidencePrior
) -> ChosenPrecision:
    (low, high), best = bounds, looked.best
    rho = np.broadcast_to(best.rho, sds.shape)
    at = np.where(best.rho >= high, 1, np.where(best.rho <= low, -1, 0))
    inside = np.abs(best.slope[at == 0])
    precision = np.exp(rho)
    with np.errstate(over="ignore"):  # of a column with cells near the largest float it is infinite
        in_data = precision * sds * sds
    return ChosenPrecision(
        precision=precision,
        precision_data=in_data,
        intercept_precision=prior.intercept_precision,
        by_column=prior.by_column,
        slope=float(inside.max(initial=0.0)),
        bound=np.broadcast_to(at, sds.shape).astype(np.int8),
        log_evidence=best.value,
        evaluations=rows.evaluations,
        sweeps=rows.sweeps,
        reason=looked.reason,
        most_probable=np.exp(np.broadcast_to(looked.first, sds.shape)),
        excess=None if looked.excess is None else looked.excess.excess,
        separated=looked.excess is not None and looked.excess.separated,
    )
