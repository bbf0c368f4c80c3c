"""On-line learning by `partial_fit`: each row is visited once, and the state is stored between calls."""

from dataclasses import replace

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.engines.base import Engine
from posteriori.engines.progress import job
from posteriori.fits.likelihoods import likelihoods_of
from posteriori.fits.link_regression import Regression, Settings, likelihood_engine
from posteriori.fits.maximize import Maximum
from posteriori.links.base import LinkFunction
from posteriori.messages.errors import ConvergenceWarning, DataError
from posteriori.messages.notes import Note
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.objectives.prepare import Surveyed, survey, units_of
from posteriori.priors.gaussian import GaussianPrior
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.base import Solution
from posteriori.solvers.ordered.online_pass import OnlinePass, OnlineState, backend_after, step_lengths
from posteriori.solvers.trace import Recorder
from posteriori.solvers.user_units import units_of_data, weights_in_data
from posteriori.tables.table import Table


def fit_stream(
    table: Table, link: LinkFunction, prior: GaussianPrior | None, settings: Settings, state: OnlineState | None
) -> tuple[Regression, OnlineState]:
    """Visit the rows once, in their order, from the state after earlier calls (None for the first).

    The prior counts once in all: after t rows its part of a step is 1 / t. With a rate, columns are in the user's
    units and the steps are those of [Jordan] Eq. 7.65. Without one, the rows of the first call determine centre and
    scale of the columns and the first step, and steps are shortened where a row would overshoot.
    """
    with job("partial_fit"):
        engine = likelihood_engine(table, link)
        surveyed, totals, n_rows = survey(engine), engine.rows(link.n_classes).weights, engine.n_rows
        before = _initial_state(surveyed, link, settings, totals) if state is None else state
        quadratic = _prior(prior, link, before.units)
        cap = np.inf if settings.rate is not None else link.inverse_curvature
        backend = backend_after(before.rows + n_rows, before.w.size)
        after = surveyed.engine.fold(OnlinePass(link, quadratic, 0.0, cap, backend), before)
        if not (np.isfinite(after.w).all() and np.isfinite(after.average).all()):
            raise DataError(
                f"steps of rate {before.rate:g} left the range of floats within these {n_rows} rows; the model "
                "is unchanged. Use a smaller rate, or None."
            )
        return _evaluated(engine, link, quadratic, after, totals, settings), after


def state_after(fitted: Regression, settings: Settings) -> OnlineState:
    """Return the state from which `fit_stream` continues after a fit."""
    units, w = fitted.units, fitted.w
    rows = fitted.maximum.solution.iterations * fitted.maximum.objective.n_rows
    if settings.rate is not None:
        w = weights_in_data(units, w)
        return OnlineState(w, w, rows, float(settings.rate), units_of_data(units))
    mean_weight = float(fitted.totals.sum()) / fitted.maximum.objective.n_rows
    return OnlineState(w, w, rows, _safe_rate(fitted.link, units, mean_weight), units)


def _initial_state(surveyed: Surveyed, link: LinkFunction, settings: Settings, totals: Array) -> OnlineState:
    """Return the state before any row: weights of zero."""
    units = units_of(surveyed.moments, settings.intercept)
    if surveyed.engine.n_rows == 1:  # a single row has no standard deviation: use its size
        size = surveyed.moments.scale
        units = Units(np.zeros(len(size)), np.where(size > 0, size, 1.0), settings.intercept)
    if settings.rate is not None:
        units = units_of_data(units)
    nothing = np.zeros((link.n_scores, units.n_coefficients))
    mean_weight = float(totals.sum()) / surveyed.engine.n_rows
    rate = _safe_rate(link, units, mean_weight) if settings.rate is None else float(settings.rate)
    return OnlineState(nothing, nothing, 0, rate, units)


def _safe_rate(link: LinkFunction, units: Units, mean_weight: float) -> float:
    """Return a quarter of the inverse of the largest curvature of a row of mean weight one standard deviation away."""
    return 0.25 * link.inverse_curvature / (units.n_coefficients * mean_weight)


def _prior(prior: GaussianPrior | None, link: LinkFunction, units: Units) -> Quadratic:
    q, d = link.n_scores, len(units.scale)
    if prior is None:
        size = q * units.n_coefficients
        return Quadratic(np.zeros(size), np.zeros(size))
    if prior.units == "sd":
        raise DataError(
            "the prior is stated per standard deviation (units='sd'), which rows that come in calls have none of: give "
            "it with units='data', or use fit."
        )
    return prior.resolved(link).quadratic(q, d, units.intercept, np.ones(d)).in_units(units, q)


def _evaluated(
    engine: Engine, link: LinkFunction, prior: Quadratic, state: OnlineState, totals: Array, settings: Settings
) -> Regression:
    """Return the regression whose coefficients are the average of the weights, evaluated on the rows of this call."""
    flat = np.zeros((state.w.size, 0))
    objective = PenalizedLikelihood(engine, link, state.units, prior, flat)
    point = objective.slope(state.average.ravel())
    solution = Solution(
        objective=point.value, decrement=np.inf, gap=np.inf, overlap=None, sweeps=2, iterations=1, converged=False,
        reason=f"on-line steps over {state.rows} rows, each seen once: nothing certifies an optimum",
    )  # fmt: skip
    note = Note(
        "on-line",
        f"the model was taught by partial_fit, row by row ({state.rows} so far): its weights are near the optimum of "
        "those rows, not at it. Likelihoods and solution_ are those of the last call's rows.",
        remedy="fit on all rows gives the optimum and its standard errors.",
        category=ConvergenceWarning,
    )
    maximum = Maximum(point, objective, solution, "not_converged", (note,))
    likelihoods = likelihoods_of(engine, link, point.loss, totals, settings.intercept)
    fitted = Regression(maximum, likelihoods, totals, state.average)
    if not settings.trace:
        return fitted
    recorder = Recorder(objective)
    recorder.write(objective, point, float(step_lengths(state.rate, state.rows - 1, 1)[0]))
    return replace(fitted, trace=recorder.trace())
