"""Computation of the `CoefficientTable` of a fit."""

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, ndtr

from posteriori.arrays import Array
from posteriori.inference.coefficients.covariance import Covariance, standard_errors
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.intervals import wald_interval
from posteriori.inference.coefficients.pseudo_r2 import mcfadden
from posteriori.inference.coefficients.sandwich import SANDWICHES
from posteriori.inference.coefficients.tests import TestResult, wald_test
from posteriori.inference.coefficients.validity import estimates, refuse_likelihood, states, why_no_tests
from posteriori.inference.summaries.fit_facts import FitFacts
from posteriori.inference.summaries.footnotes import foot_of, grouped
from posteriori.inference.summaries.table import CoefficientTable, Row
from posteriori.messages.errors import DataError
from posteriori.models.information import Information
from posteriori.models.likelihoods import Likelihoods
from posteriori.models.regression import RegressionModel

METHODS = {"none": "Maximum likelihood", "gaussian": "Gaussian prior (MAP)", "jeffreys": "Jeffreys' prior (Firth)"}
#: The same under links that are not canonical, where Jeffreys' prior is not Firth's bias reduction.
NONCANONICAL = {**METHODS, "jeffreys": "Jeffreys' prior"}
#: Kinds of interval.
INTERVALS = ("wald", "profile")


@dataclass(frozen=True)
class SummaryOptions:
    """The options of a summary, and why there are no standard errors, if there are none."""

    level: float
    interval: str
    exponentiate: bool
    without_errors: str = ""


@dataclass(frozen=True)
class ProfileResults:
    """Profile-likelihood intervals of the coefficients, (m, 2), and statistics of the tests that match them, (m,)."""

    bounds: Array
    statistics: Array

    @property
    def of_other_class(self) -> "ProfileResults":
        """The results for the other of two classes."""
        return ProfileResults(-self.bounds[:, ::-1], self.statistics)


def summarize(
    fitted: Fitted,
    title: str,
    model: RegressionModel,
    options: SummaryOptions,
    covariance: Covariance,
    profile: ProfileResults | None,
) -> CoefficientTable:
    """Return the summary of a fit.

    Parameters
    ----------
    fitted : with the contrasts to report (`against`)
    title : the name of the estimator
    model : the fit
    covariance : of those contrasts in the units of the fit; its matrix is None where there is none
    profile : profile-likelihood intervals and tests; None for Wald intervals and tests
    """
    if options.exponentiate and not fitted.link.ratio_name:
        raise DataError(
            f"exponentiate=True: under the {fitted.link.name} link exp(coefficient) is not a ratio of odds or hazards: "
            "leave exponentiate out."
        )
    estimate, missing = estimates(fitted), np.full(fitted.size, np.nan)
    errors = missing if covariance.matrix is None else standard_errors(fitted, covariance.matrix)
    bounds = wald_interval(estimate, errors, options.level) if profile is None else profile.bounds
    if fitted.status == "not_converged":
        errors, bounds = np.full(fitted.size, np.nan), np.full((fitted.size, 2), np.nan)
    tested = not why_no_tests(fitted) and not (options.without_errors and profile is None)
    z = np.full(fitted.size, np.nan)
    if tested:
        with np.errstate(
            divide="ignore", invalid="ignore", over="ignore"
        ):  # standard errors for columns of 1e200 are zero
            wald = estimate / errors
        z = wald if profile is None else np.copysign(np.sqrt(profile.statistics), estimate)
    if options.exponentiate:
        estimate, errors, bounds = _exponentiated(estimate, errors, bounds)
    places = [(term, label) for label in fitted.compared for term in fitted.terms]
    numbers = np.column_stack([estimate, errors, z, 2.0 * ndtr(-np.abs(z)), bounds]).tolist()
    rows = tuple(
        Row(term, label, beta, error, ratio, p, lower, upper, state)
        for (term, label), (beta, error, ratio, p, lower, upper), state in zip(
            places, numbers, states(fitted), strict=True
        )
    )
    facts = facts_of(fitted, title, model, covariance)
    return CoefficientTable(
        facts=facts,
        rows=rows,
        classes=fitted.classes,
        reference=fitted.classes[fitted.reference],
        level=options.level,
        covariance=covariance.kind,
        interval=options.interval,
        exponentiated=options.exponentiate,
        ratio=fitted.link.ratio_name,
        tested=tested,
        foot=(*grouped(facts), *foot_of(fitted, model.solution, options, covariance)),
        notes=tuple(str(note) for note in fitted.notes),
    )


# --- numbers


def _exponentiated(estimate: Array, errors: Array, bounds: Array) -> tuple[Array, Array, Array]:
    """Return ratios, their standard errors by the delta method, and the exponentials of the bounds."""
    with np.errstate(over="ignore"):
        ratios = np.exp(estimate)
        return ratios, ratios * errors, np.exp(bounds)


def facts_of(fitted: Fitted, title: str, model: RegressionModel, covariance: Covariance) -> FitFacts:
    """Return the numbers of the fit as a whole, NaN where they are not valid."""
    information, contrasts = fitted.information, len(fitted.compared)
    constants = contrasts * int(fitted.units.intercept)
    df_model = information.n_free - constants
    without_likelihood = fitted.prior != "none" or fitted.weights == "sampling"
    wald, sandwich = _wald_of_all(fitted, covariance), covariance.kind in SANDWICHES
    likelihoods = model.likelihoods
    return FitFacts(
        model=title,
        log_likelihood=likelihoods.log_likelihood,
        null_log_likelihood=likelihoods.null_log_likelihood,
        deviance=likelihoods.deviance,
        null_deviance=likelihoods.null_deviance,
        aic=np.nan if without_likelihood else model.aic,
        bic=np.nan if without_likelihood else model.bic,
        link=fitted.link.name,
        method=(METHODS if fitted.link.is_canonical else NONCANONICAL)[fitted.prior],
        status=fitted.status,
        n_rows=information.n_rows,
        n_observations=_observations(information),
        df_model=df_model,
        df_null=contrasts * _copies(fitted) - constants,
        df_residual=contrasts * _copies(fitted) - information.n_free,
        log_coefficients=likelihoods.constant,
        pseudo_r2=mcfadden(likelihoods),
        lr_p_value=np.nan if sandwich else _ratio_p_value(fitted, likelihoods, df_model),
        iterations=model.solution.iterations,
        weights=fitted.weights,
        n_clusters=covariance.n_clusters,
        wald_statistic=np.nan if wald is None else wald.statistic,
        wald_p_value=np.nan if wald is None else wald.p_value,
    )


def _observations(information: Information) -> float:
    """Return the number of trials, frequencies included, without the rounding of a division by sampling weights."""
    trials = float(information.totals.sum()) / information.scale
    whole = round(trials)
    return float(whole) if abs(trials - whole) <= 1e-9 * whole else trials


def _copies(fitted: Fitted) -> float:
    """Return the number of rows, counting frequency weights."""
    information = fitted.information
    return information.n_rows if information.n_copies is None else information.n_copies


def _wald_of_all(fitted: Fitted, covariance: Covariance) -> TestResult | None:
    """Return the Wald test of all columns with a sandwich covariance, in place of the likelihood-ratio test.

    None where the likelihood-ratio test is valid, or no test is: with fewer clusters than columns.
    """
    matrix, p = covariance.matrix, len(fitted.terms)
    lead = int(fitted.units.intercept)
    columns = [j for j in range(fitted.size) if j % p >= lead]
    if covariance.kind not in SANDWICHES or matrix is None or not columns:
        return None
    if covariance.n_clusters is not None and covariance.n_clusters <= len(columns):
        return None
    try:
        return wald_test(fitted, lambda: matrix, np.eye(fitted.size)[columns], 0.0)
    except DataError:
        return None


def _ratio_p_value(fitted: Fitted, likelihoods: Likelihoods, df: int) -> float:
    """Return the p-value of the likelihood-ratio test of all columns, NaN where it is not valid."""
    try:
        refuse_likelihood(fitted, "a likelihood-ratio test")
    except DataError:
        return np.nan
    gain = 2.0 * (likelihoods.log_likelihood - likelihoods.null_log_likelihood)
    return float(chdtrc(df, max(gain, 0.0))) if df > 0 else np.nan
