"""Rules for a Gaussian posterior and the model that has one: that all parts are over the same coefficients."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.inference.bayes.corrected.posterior import METHODS, CorrectedPosterior
from posteriori.inference.bayes.evidence.choose import ChosenPrecision
from posteriori.inference.bayes.posterior import GaussianPosterior
from posteriori.inference.bayes.warm_up import WarmUp
from posteriori.storage.requirements import finite, moderate, natural, not_negative, numbers, wrong
from posteriori.storage.rules.bases import coefficient_columns
from posteriori.storage.rules.tables import same_units

#: The largest entry of a root of a covariance in the units of a fit, and the largest third cumulant in units of it.
LARGEST_ROOT, LARGEST_CUMULANT = 1e140, 1e100


def posterior(value: GaussianPosterior, where: str) -> None:
    """Mode, root and prior are over the coefficients of the units."""
    if value.w.ndim != 2:
        wrong(f"{where}.w", "is not by score and coefficient")
    finite(value.w, (len(value.w), value.units.n_coefficients), f"{where}.w")
    if value.root.ndim != 2:
        wrong(f"{where}.root", "is not a matrix")
    moderate(value.root, (len(value.root), value.w.size), f"{where}.root", LARGEST_ROOT)
    if len(value.prior.mean) != value.w.size:
        wrong(f"{where}.prior", "is not for the coefficients of the posterior")
    if value.log_evidence is not None and not np.isfinite(value.log_evidence):
        wrong(f"{where}.log_evidence", "is not finite")


def corrected(value: CorrectedPosterior, where: str) -> None:
    """Check that there is a third cumulant for each three directions of the Gaussian."""
    r, m = value.gaussian.root.shape
    moderate(value.third, (r * (r + 1) * (r + 2) // 6,), f"{where}.third", LARGEST_CUMULANT)
    not_negative(np.nan_to_num(value.moved), (m,), f"{where}.moved")  # NaN where columns of 1e150 leave the range
    if value.method not in METHODS:
        wrong(f"{where}.method", f"is none of {', '.join(METHODS)}")
    if value.log_evidence is not None and not np.isfinite(value.log_evidence):
        wrong(f"{where}.log_evidence", "is not finite")


def chosen(value: ChosenPrecision, where: str) -> None:
    """There is a positive precision for each column."""
    d = len(value.precision) if value.precision.ndim == 1 else -1
    finite(value.precision, (d,), f"{where}.precision")
    not_negative(value.precision_data, (d,), f"{where}.precision_data")
    numbers(value.bound, (d,), f"{where}.bound")
    if not (value.precision > 0).all() or not value.intercept_precision > 0:
        wrong(f"{where}.precision", "is not positive")
    finite(value.most_probable, (d,), f"{where}.most_probable")
    if not (value.most_probable > 0).all():
        wrong(f"{where}.most_probable", "is not positive")
    if value.excess is not None and not np.isfinite(value.excess):
        wrong(f"{where}.excess", "is not finite")
    for name in ("evaluations", "sweeps"):
        natural(getattr(value, name), f"{where}.{name}")


def warm_up(value: WarmUp, where: str) -> None:
    """Ask for no rows at all: a model file holds none."""
    if value.rows.ndim != 2 or value.counts.ndim != 2 or len(value.rows) or len(value.counts):
        wrong(where, "holds rows")


def bayesian(model: Any, where: str) -> None:
    """Ask for a posterior over the model's columns and classes, and for its mode in the scores."""
    n_columns, n_scores = coefficient_columns(model, where), 1 if len(model.classes_) == 2 else len(model.classes_)
    known = vars(model).get("corrected_")  # files of older versions have none
    for part in (model.posterior_, *(() if known is None else (known.gaussian,))):
        if len(part.w) != n_scores or len(part.units.scale) != n_columns:
            wrong(where, f"has a {type(part).__name__} that is not for its classes and columns")
    for part in (model.scores_, *(() if known is None else (known.gaussian,))):
        if not same_units(part.units, model.posterior_.units):
            wrong(where, f"has a {type(part).__name__} in other units than the posterior")
    if not np.array_equal(model.scores_.w, model.posterior_.w):
        wrong(f"{where}.scores_.w", "is not the mode of the posterior")
    if model.evidence_ is not None and len(model.evidence_.precision) != n_columns:
        wrong(f"{where}.evidence_", "is not for the model's columns")
    if model.link_.n_classes != len(model.classes_) or model.link_.n_scores != n_scores:
        wrong(f"{where}.link_", "is not for the model's classes")
    natural(model.seed_, f"{where}.seed_")
    natural(model.n_batches_, f"{where}.n_batches_", least=1)


#: By the name of the class.
BAYES_RULES: dict[str, Callable[[Any, str], None]] = {
    "GaussianPosterior": posterior,
    "CorrectedPosterior": corrected,
    "ChosenPrecision": chosen,
    "WarmUp": warm_up,
    "BayesianLogisticRegression": bayesian,
}
