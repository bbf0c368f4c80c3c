"""Rules for regressions: scores, information and posteriors over the same coefficients."""

from typing import Any

import numpy as np

from posteriori.estimators.regression.bayesian_logistic_regression import BayesianLogisticRegression
from posteriori.estimators.regression.link_regression import LinkRegression
from posteriori.estimators.regression.noisy_or import NoisyOr
from posteriori.fits.existence.recession import are_consistent, are_proved, of_classes
from posteriori.fits.information import Information, Sums
from posteriori.inference.bayes.corrected.posterior import METHODS, CorrectedPosterior
from posteriori.inference.bayes.posterior import GaussianPosterior
from posteriori.inference.bayes.warm_up import WarmUp
from posteriori.priors.quadratic import LARGEST as LARGEST_PRECISION
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.trace import Trace
from posteriori.storage import requirements as require
from posteriori.storage.registry import RULES
from posteriori.storage.requirements import fail
from posteriori.storage.rules.bases import coefficient_columns
from posteriori.storage.rules.tables import check_same_units

#: Relative size of a coefficient along a direction that is not rounding, and relative distance of such a direction
#: from the space of directions without finite estimates.
SHOWN, NEAR = 1e-9, 1e-5

# --- linear predictors


@RULES.of(LinkRegression, BayesianLogisticRegression, NoisyOr)
def scores(model: Any, where: str) -> None:
    """Check that scores and link are over the model's columns and classes."""
    n_columns, units, link = coefficient_columns(model, where), model.scores_.units, model.link_
    if len(units.scale) != n_columns:
        fail(f"{where}.scores_", f"is over {len(units.scale)} columns, not {n_columns}")
    if link.n_classes != len(model.classes_) or link.n_scores != len(model.scores_.w):
        fail(f"{where}.link_", "is not for the model's classes and scores")


@RULES.of(NoisyOr)
def noisy_or(model: Any, where: str) -> None:
    """Check that columns are not centred, and that nothing is negative."""
    units, w = model.scores_.units, model.scores_.w
    if units.intercept != model.leak or units.centre.any():
        fail(f"{where}.scores_", "is centred, or has another intercept than the model's leak")
    require.Numbers(0.0, message="a negative coefficient").check(w, w.shape, f"{where}.scores_.w")


@RULES.of(Trace)
def trace(value: Trace, where: str) -> None:
    """Check that there is one set of weights per step."""
    n = len(value.objective)
    if value.weights.ndim not in (2, 3) or not n:
        fail(f"{where}.weights", "is not by step and weight, or empty")
    require.ANY.check(value.weights, (n, *value.weights.shape[1:]), f"{where}.weights")


# --- information


@RULES.of(Sums)
def sums(value: Sums, where: str) -> None:
    """Check that matrices are symmetric, and positive semidefinite where they are sums of squares."""
    for name in ("observed", "expected", "meat", "by_rows"):
        matrix = getattr(value, name)
        if matrix is not None:
            require.close(matrix, matrix.T, f"{where}.{name}", "is not symmetric",
                        rtol=1e-9, atol=1e-9 * float(np.abs(matrix).max(initial=0.0)))  # fmt: skip
        if matrix is not None and name != "observed":  # which is indefinite where the likelihood is not concave
            require.covariances(matrix, f"{where}.{name}")


@RULES.of(Information)
def information(value: Information, where: str) -> None:
    """Check that all parts are over the same coefficients."""
    m, R = len(value.infinite), value.triangle
    if not 0 < value.totals.sum() < np.inf:
        fail(f"{where}.totals", "are not weights of classes")
    for name in ("aliased", "vanished"):
        directions = getattr(value, name)
        require.close(directions.T @ directions, np.eye(directions.shape[1]), f"{where}.{name}",
                    "contains directions that are not orthonormal", atol=1e-6)  # fmt: skip
    if R is not None and (len(R) == 0 or m % len(R) or not np.diagonal(R).all()):
        fail(f"{where}.triangle", "is not for the model's coefficients, or singular")
    if value.sums is not None and len(value.sums.observed) != m:
        fail(f"{where}.sums", f"are over {len(value.sums.observed)} coefficients, not {m}")


@RULES.of(LinkRegression)
def link_regression(model: Any, where: str) -> None:
    """Check that information, trace and state are over the model's columns and classes."""
    known, (n_scores, p), K = model.information_, model.scores_.w.shape, len(model.classes_)
    if len(known.infinite) != (K - 1) * p or len(known.totals) != K:
        fail(f"{where}.information_", "is not for the model's classes and columns")
    if known.pairs is not None:
        require.CODE.check(known.pairs, (K * (K - 1) // 2, p), f"{where}.information_.pairs")
    if known.prior is not None and len(known.prior.mean) != n_scores * p:
        fail(f"{where}.information_.prior", "is not for the model's coefficients")
    shape = model.infinite_.shape
    if hasattr(model, "trace_") and model.trace_.weights.shape[1:] != (shape if K > 2 else shape[1:]):
        fail(f"{where}.trace_", "is not for the model's weights")
    if hasattr(model, "state_") and model.state_.w.shape != model.scores_.w.shape:
        fail(f"{where}.state_", "is not for the model's weights")


# --- infinite estimates


@RULES.of(LinkRegression, NoisyOr)
def separated(model: Any, where: str) -> None:
    """Check that there are infinite estimates where the classes are separated, and nowhere else."""
    if model.infinite_.any() != (model.fit_status_ == "separated"):
        what = "marks" if model.infinite_.any() else "does not mark"
        fail(f"{where}.infinite_", f"{what} infinite estimates, and the fit is {model.fit_status_!r}")
    if (model.solution_.overlap is False) != (model.fit_status_ == "separated"):
        fail(f"{where}.solution_.overlap", f"is {model.solution_.overlap}, and the fit is {model.fit_status_!r}")


@RULES.of(NoisyOr)
def infinite_triggers(model: Any, where: str) -> None:
    """Check that coefficients marked as infinite are above zero."""
    marks = model.infinite_[0, 1 - int(model.scores_.units.intercept) :].astype(np.bool_)
    if model.infinite_[0].sum() != marks.sum() or not (model.scores_.w[0, marks] > 0).all():
        fail(f"{where}.infinite_", "marks coefficients that are zero, or that the model does not have")


@RULES.of(LinkRegression)
def infinite_estimates(model: Any, where: str) -> None:
    """Check that infinite estimates by class, by contrast and by pair of classes are those of one recession cone."""
    known, units, K = model.information_, model.scores_.units, len(model.classes_)
    marks, reference = model.infinite_, getattr(model.link_, "reference", None)
    if marks[:, : 1 - units.intercept].any() or (reference is not None and K > 2 and marks[reference].any()):
        fail(f"{where}.infinite_", "marks coefficients that the model does not have")
    own = marks[:, 1 - units.intercept :]
    if K == 2 and not np.array_equal(own[0], known.infinite):
        fail(f"{where}.infinite_", "is not that of the information")
    symmetric, pairs, reference = len(model.scores_.w) == K, known.pairs, reference or 0
    if pairs is not None and K > 2 and not are_consistent(own, pairs, reference, symmetric=symmetric):
        fail(f"{where}.infinite_", "does not follow from the pairs of classes")
    if known.directions is not None:
        _check_directions(model, own, of_classes(K, reference, symmetric=symmetric), f"{where}.information_.directions")


def _check_directions(model: Any, own: Any, combinations: Any, where: str) -> None:
    """Raise unless stored directions show the codes of infinite estimates, and are those without finite estimates."""
    known, T = model.information_, model.scores_.units.jacobian()
    if known.pairs is None or not known.directions.shape[1]:
        fail(where, "are there without codes, or are none")
    for codes, each in zip((own, known.pairs), combinations, strict=True):
        if not are_proved(codes, each, T, known.directions, SHOWN):
            fail(f"{where}", "have other signs than the infinite estimates")
    rest = known.directions - known.null @ (known.null.T @ known.directions)
    if (np.abs(rest).max(axis=0) > NEAR * np.abs(known.directions).max(axis=0)).any():
        fail(where, "are not among those without finite estimates")


# --- posteriors


@RULES.of(Quadratic)
def quadratic(value: Quadratic, where: str) -> None:
    """Check that precisions, one for each coefficient or a matrix, are not negative, and as they are before scaling."""
    shape = (len(value.mean),) * (1 if value.precision.ndim == 1 else 2)
    require.bounded(LARGEST_PRECISION).check(value.precision, shape, f"{where}.precision")
    require.covariances(value.matrix(), f"{where}.precision")
    if value.unscaled is not None:
        matrix, size = value.unscaled
        require.FINITE.check(matrix, shape, f"{where}.unscaled[0]")
        require.FINITE.check(size, shape[:1], f"{where}.unscaled[1]")
        require.close(matrix * size[:, None] * size, value.precision, f"{where}.unscaled", "is not the precision",
                    rtol=1e-9)  # fmt: skip


@RULES.of(GaussianPosterior)
def posterior(value: GaussianPosterior, where: str) -> None:
    """Check that the prior is over the coefficients of the posterior."""
    if len(value.prior.mean) != value.w.size:
        fail(f"{where}.prior", "is not for the coefficients of the posterior")


@RULES.of(CorrectedPosterior)
def corrected(value: CorrectedPosterior, where: str) -> None:
    """Check that there is a third cumulant for each three directions of the Gaussian."""
    r, m = value.gaussian.root.shape
    if len(value.third) != r * (r + 1) * (r + 2) // 6:
        fail(f"{where}.third", f"has {len(value.third)} cumulants for {r} directions")
    # NaN where columns of 1e150 leave the range
    require.Numbers(0.0, message="a negative number").check(np.nan_to_num(value.moved), (m,), f"{where}.moved")
    if value.method not in METHODS:
        fail(f"{where}.method", f"is none of {', '.join(METHODS)}")


@RULES.of(WarmUp)
def warm_up(value: WarmUp, where: str) -> None:
    """Check that there are no rows: a model file has none."""
    if value.rows.ndim != 2 or value.counts.ndim != 2 or len(value.rows) or len(value.counts):
        fail(where, "has rows")


@RULES.of(BayesianLogisticRegression)
def bayesian(model: Any, where: str) -> None:
    """Check that posterior and scores are over the same coefficients, with the mode in the scores."""
    n_scores = 1 if len(model.classes_) == 2 else len(model.classes_)
    corrected = vars(model).get("corrected_")  # files of older versions have none
    for part in (model.posterior_, *(() if corrected is None else (corrected.gaussian,))):
        if len(part.w) != n_scores:
            fail(where, f"has a {type(part).__name__} that is not for its classes")
        check_same_units(part.units, model.scores_.units, f"{where}, a {type(part).__name__},")
    if not np.array_equal(model.scores_.w, model.posterior_.w):
        fail(f"{where}.scores_.w", "is not the mode of the posterior")
    if model.evidence_ is not None and len(model.evidence_.precision) != len(model.scores_.units.scale):
        fail(f"{where}.evidence_", "is not for the model's columns")
