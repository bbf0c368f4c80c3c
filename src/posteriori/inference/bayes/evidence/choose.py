"""`choose_precision`: the precision of the prior that maximises the evidence."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.special import xlogy

from posteriori.arrays import Array
from posteriori.engines.progress import job
from posteriori.fits.link_regression import likelihood_engine
from posteriori.inference.bayes.corrected.notes import raised_precision
from posteriori.inference.bayes.evidence.bound import Choice, checked
from posteriori.inference.bayes.evidence.rows import EvidenceModel, EvidenceRows, EvidenceSlope
from posteriori.inference.bayes.evidence.search import Bounds, search, search_by_column
from posteriori.links.base import LinkFunction
from posteriori.messages.errors import DataError
from posteriori.messages.notes import Note, quote, select
from posteriori.models.posterior.precision import ChosenPrecision
from posteriori.objectives.prepare import objective_of, standard_deviations, survey
from posteriori.priors.evidence import EvidencePrior
from posteriori.priors.other_units import CentredPrior
from posteriori.priors.weights import Weights
from posteriori.solvers.select import DENSE_LIMIT
from posteriori.tables.table import Table

#: Least precision on standardised columns: a prior sd of 3,000 in log odds.
LEAST = 1e-7
#: Greatest precision, in units of a quarter of the weight of the rows: there weights are zero to six digits.
GREATEST = 1e6
#: Sum of weights up to which the rounding error of a log evidence is below a hundredth.
MOST_WEIGHT = 1e13


def precision_notes(chosen: ChosenPrecision, names: tuple[str | int, ...]) -> tuple[Note, ...]:
    """Return notes on columns whose precision is at its upper bound, and on a precision that was raised."""
    raised: tuple[Note, ...] = ()
    if chosen.raised and chosen.excess is not None:
        raised = (raised_precision(chosen.most_probable, chosen.precision, chosen.excess, chosen.separated),)
    if not (chosen.bound > 0).any() or (chosen.by_column and not (chosen.bound > 0).all()):
        return raised
    columns = select(names, chosen.bound > 0)
    note = Note(
        code="evidence-bound",
        message=f"the evidence increases with the prior's precision without limit, so the precision was set to its "
        f"upper bound {chosen.precision.max():.3g}: the data do not support the column(s) {quote(columns)}.",
        columns=columns,
        remedy="Use more rows, other columns or another basis, or give a fixed precision as prior.",
    )
    return (*raised, note)


def choose_precision(
    table: Table, link: LinkFunction, prior: EvidencePrior, intercept: bool, gaussian: bool = False
) -> tuple[ChosenPrecision, Weights]:
    """Choose the precision on standardised columns by the Laplace evidence; return it with the mode there.

    With `gaussian` the posterior is required to be close to its Gaussian approximation; the link is then the logit or
    the symmetric softmax.
    """
    n_parameters = link.n_scores * (table.n_columns + intercept)
    if n_parameters > DENSE_LIMIT:
        raise DataError(
            f"the evidence needs the Hessian of all {n_parameters} coefficients; the limit is {DENSE_LIMIT}. "
            "Give a number as prior, or fewer columns."
        )
    with job("evidence"):
        engine = likelihood_engine(table, link)
        surveyed = survey(engine)
        start_prior = CentredPrior(1.0, prior.intercept_precision)
        objective = objective_of(surveyed, link, start_prior, intercept, DENSE_LIMIT)
        totals = engine.rows(link.n_classes).weights
        _check_weight(float(totals.sum()))
        d, q = table.n_columns, link.n_scores
        columns = np.arange(d) if prior.by_column else np.zeros(d, dtype=np.intp)
        groups = np.tile(np.concatenate([[-1], columns]) if intercept else columns, q)
        w = np.zeros((q, objective.units.n_coefficients))
        if intercept and (totals > 0).all():
            w[:, 0] = link.start(totals / totals.sum())
        rows = EvidenceRows(objective, groups, w.ravel())
        ceiling = np.inf if engine.rows(link.n_classes).has_offset else -_null_loss(totals, intercept)
        bounds = (float(np.log(LEAST)), float(np.log(GREATEST * max(totals.sum() / 4.0, 1.0))))
        best, reason, rows = _search(rows, bounds, d if prior.by_column else 1, ceiling)
        choice = checked(rows, best, reason, bounds) if gaussian else Choice(best, reason, best.rho, None)
    lead, weights = objective.units.to_data(rows.w.reshape(q, -1))
    if q > 1:  # for every class, the reference included
        lead, weights = link.expand(lead[None])[0], link.expand(weights.T).T
    sds = standard_deviations(surveyed.moments)
    return _chosen(rows, choice, bounds, sds, prior), Weights(weights, lead, (), "the mode")


def _check_weight(total: float) -> None:
    """Raise if the log evidence is so large that rounding hides the differences between priors."""
    if total > MOST_WEIGHT:
        raise DataError(
            f"the weights of the rows sum to {total:.3g}: the log evidence of so many rows is rounded by more than the "
            "choice of a prior changes it. Divide sample_weight by its mean, or give a number as prior."
        )


def _null_loss(totals: Array, intercept: bool) -> float:
    """Return minus the largest log likelihood of a model without columns."""
    p = totals / totals.sum() if intercept else np.full(len(totals), 1.0 / len(totals))
    return -float(xlogy(totals, p).sum())


def _search(
    rows: EvidenceRows, bounds: Bounds, n_groups: int, ceiling: float
) -> tuple[EvidenceSlope, str, EvidenceRows]:
    """Find the best precision for all columns, and from it those of single columns if each has its own.

    The evidence of a model without weights is at most `ceiling`, its largest likelihood; if the maximum is below it,
    the upper bound of the precision, at which all weights vanish, is tried too.
    """
    one = replace(rows, groups=np.where(rows.groups >= 0, 0, -1)) if n_groups > 1 else rows
    start = one.objective.curvature(one.w)
    model = EvidenceModel.of(one.objective.prior, start, one.groups)
    one.sweeps += 1
    common: Callable[[float, float], EvidenceSlope] = lambda rho, tol: one(np.array([rho]), tol)  # noqa: E731
    best, reason = search(common, one.model, model.best(bounds), bounds)
    if best.rho[0] < bounds[1] and best.value < ceiling:
        other = one.restarted(start.w)
        null = other(np.array([bounds[1]]), 1e-8)
        one.evaluations, one.sweeps = other.evaluations, other.sweeps
        if null.value > best.value:
            best, reason, one = null, "the evidence of the model without weights is larger than with any", other
    if n_groups == 1:
        return best, reason, one
    each = replace(one.restarted(one.w), groups=rows.groups)
    return (*search_by_column(each, np.full(n_groups, best.rho[0]), bounds), each)


def _chosen(rows: EvidenceRows, choice: Choice, bounds: Bounds, sds: Array, prior: EvidencePrior) -> ChosenPrecision:
    (low, high), best = bounds, choice.best
    rho = np.broadcast_to(best.rho, sds.shape)
    at = np.where(best.rho >= high, 1, np.where(best.rho <= low, -1, 0))
    interior = np.abs(best.slope[at == 0])
    precision = np.exp(rho)
    with np.errstate(over="ignore"):  # infinite for a column with cells near the largest float
        in_data = precision * sds * sds
    return ChosenPrecision(
        precision=precision,
        precision_data=in_data,
        intercept_precision=prior.intercept_precision,
        by_column=prior.by_column,
        slope=float(interior.max(initial=0.0)),
        bound=np.broadcast_to(at, sds.shape).astype(np.int8),
        log_evidence=best.value,
        evaluations=rows.evaluations,
        sweeps=rows.sweeps,
        reason=choice.reason,
        most_probable=np.exp(np.broadcast_to(choice.first, sds.shape)),
        excess=None if choice.excess is None else choice.excess.excess,
        separated=choice.excess is not None and choice.excess.separated,
    )
