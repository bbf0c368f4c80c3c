"""Rules for classifiers: that their parts are for the same columns and classes."""

from typing import Any

import numpy as np

from posteriori.estimators.base import Classifier
from posteriori.estimators.wrappers.decision_wrapper import DecisionWrapper
from posteriori.estimators.wrappers.decomposition import Decomposition
from posteriori.estimators.wrappers.model_average import ModelAverage
from posteriori.fits.information import Information, Sums
from posteriori.input.coding.coding import Coding
from posteriori.input.formula.coding import FormulaCoding
from posteriori.models.linear_scores import LinearScores
from posteriori.priors.quadratic import LARGEST as LARGEST_PRECISION
from posteriori.priors.quadratic import Quadratic
from posteriori.storage.requirements import (
    covariances,
    finite,
    instance,
    moderate,
    natural,
    not_negative,
    numbers,
    wrong,
)
from posteriori.storage.rules.bases import coefficient_columns
from posteriori.storage.rules.densities import levels_of_groups
from posteriori.storage.rules.formulas import formula
from posteriori.storage.rules.solvers import left_behind
from posteriori.storage.rules.tables import columns_of

#: The largest sum over rows: weights are at most 2^200, and their squares are summed.
LARGEST_SUM = 1e250


def scores(value: LinearScores, where: str) -> None:
    """There is a finite coefficient for each column of each score."""
    if value.w.ndim != 2:
        wrong(f"{where}.w", "is not by score and column")
    finite(value.w, (len(value.w), value.units.n_coefficients), f"{where}.w")


def logistic(model: Any, where: str) -> None:
    """Ask that scores, link and information are over the model's columns and classes."""
    n_columns = coefficient_columns(model, where)
    if len(model.scores_.units.scale) != n_columns:
        wrong(f"{where}.scores_", f"is over {len(model.scores_.units.scale)} columns, not {n_columns}")
    if model.link_.n_classes != len(model.classes_) or model.link_.n_scores != len(model.scores_.w):
        wrong(f"{where}.link_", "is not for the model's classes and scores")
    known, n_scores = model.information_, len(model.scores_.w)
    p = model.scores_.units.n_coefficients
    if len(known.infinite) != (len(model.classes_) - 1) * p or len(known.totals) != len(model.classes_):
        wrong(f"{where}.information_", "is not for the model's classes and columns")
    if known.pairs is not None and known.pairs.shape != (len(model.classes_) * (len(model.classes_) - 1) // 2, p):
        wrong(f"{where}.information_.pairs", "is not for the model's pairs of classes and columns")
    if known.prior is not None and len(known.prior.mean) != n_scores * p:
        wrong(f"{where}.information_.prior", "is not for the model's coefficients")
    natural(model.n_iter_, f"{where}.n_iter_")
    _infinite(model, where)
    left_behind(model, where)


def _infinite(model: Any, where: str) -> None:
    """Ask that what has no finite estimate is the same in coefficients and contrasts, and said by the status."""
    marks, known = model.infinite_, model.information_.infinite
    numbers(marks, (len(model.coef_), model.coef_.shape[1] + 1), f"{where}.infinite_")
    if not np.isin(marks, range(-1, 4)).all():
        wrong(f"{where}.infinite_", "holds codes that are not from -1 to 3")
    own = marks[0, 1 - int(model.scores_.units.intercept) :] if len(model.classes_) == 2 else known
    if not np.array_equal(own, known) or marks.any() != known.any():
        wrong(f"{where}.infinite_", "is not that of the information")
    if marks.any() and model.fit_status_ != "separated":
        wrong(
            f"{where}.infinite_", f"marks coefficients without a finite estimate, and the fit is {model.fit_status_!r}"
        )


def information(value: Information, where: str) -> None:
    """Ask that all parts are over the same coefficients, and the sums symmetric."""
    m = len(value.infinite)
    natural(value.n_rows, f"{where}.n_rows", least=1)
    natural(value.n_free, f"{where}.n_free")
    if value.n_free > m:
        wrong(f"{where}.n_free", f"is {value.n_free} of {m} coefficients")
    finite(np.array([value.loss, value.scale]), (2,), f"{where}.loss and scale")
    not_negative(value.totals, (len(value.totals),), f"{where}.totals")
    finite(value.totals, value.totals.shape, f"{where}.totals")
    if not value.scale > 0 or not 0 < value.totals.sum() < np.inf:
        wrong(f"{where}.totals", "are no weights of classes")
    for name in ("aliased", "vanished"):
        directions = getattr(value, name)
        finite(directions, (m, *directions.shape[1:2]), f"{where}.{name}")
        if not np.allclose(directions.T @ directions, np.eye(directions.shape[1]), rtol=0, atol=1e-6):
            wrong(f"{where}.{name}", "holds directions that are not orthonormal")
    for name in ("infinite", "pairs"):
        codes = getattr(value, name)
        if codes is not None and not (np.issubdtype(codes.dtype, np.integer) and ((codes >= -1) & (codes <= 3)).all()):
            wrong(f"{where}.{name}", "are not codes from -1 to 3")
    if value.triangle is not None:
        finite(value.triangle, (len(value.triangle), len(value.triangle)), f"{where}.triangle")
        if len(value.triangle) == 0 or m % len(value.triangle) or not np.diagonal(value.triangle).all():
            wrong(f"{where}.triangle", "is not for the model's coefficients, or singular")
    if value.n_copies is not None:
        finite(np.array([value.n_copies]), (1,), f"{where}.n_copies")
    if value.sums is not None:
        _sums(value.sums, m, f"{where}.sums")


def _sums(value: Sums, m: int, where: str) -> None:
    """Ask for symmetric matrices over the coefficients, positive semidefinite where they are sums of squares."""
    for name in ("observed", "expected", "meat", "by_rows"):
        matrix = getattr(value, name)
        if name == "by_rows" and matrix is None:
            continue
        moderate(matrix, (m, m), f"{where}.{name}", LARGEST_SUM)
        if not np.allclose(matrix, matrix.T, rtol=1e-9, atol=1e-9 * float(np.abs(matrix).max(initial=0.0))):
            wrong(f"{where}.{name}", "is not symmetric")
        if name != "observed":  # which has negative eigenvalues where the likelihood is not concave
            covariances(matrix, f"{where}.{name}")


def quadratic(value: Quadratic, where: str) -> None:
    """Ask for a precision of each coefficient, or of each pair."""
    n = len(value.mean)
    finite(value.mean, (n,), f"{where}.mean")
    moderate(value.precision, (n,) * max(1, min(value.precision.ndim, 2)), f"{where}.precision", LARGEST_PRECISION)


def generative(model: Any, where: str) -> None:
    """Ask that groups have each column once, and that statistics and densities are for the same classes and groups."""
    for name in ("density_", "statistics_"):
        listed = sorted(j for group in getattr(model, name).groups for j in group.columns)
        if len(listed) != model.n_features_in_ or any(j != at for at, j in enumerate(listed)):
            wrong(f"{where}.{name}.groups", f"do not have each of the {model.n_features_in_} columns once")
    if repr(model.density_.groups) != repr(model.statistics_.groups):
        wrong(f"{where}.statistics_.groups", "are not those of the densities")
    if not np.array_equal(model.statistics_.classes, model.classes_):
        wrong(f"{where}.statistics_.classes", "are not the model's classes")
    if len(model.statistics_.schema.columns) != model.n_features_in_:
        wrong(f"{where}.statistics_.schema", f"is not of {model.n_features_in_} columns")
    levels_of_groups(model.statistics_, model.density_, where)
    names = vars(model).get("feature_names_in_")
    if names is not None and model.statistics_.schema.names != tuple(names):
        wrong(f"{where}.feature_names_in_", "are not those of the columns")


def table_classifier(model: Any, where: str) -> None:
    """Ask for a formula of our grammar, and that the columns coded are those the classifier inside was fitted on."""
    formula(model.formula, f"{where}.formula")
    if not any(name.endswith("_") for name in vars(model)):
        return  # the pattern inside a decision has nothing but parameters
    kinds = (Classifier, Decomposition, DecisionWrapper, ModelAverage)
    instance(getattr(model, "estimator_", None), kinds, f"{where}.estimator_")
    inner = model.estimator_
    if not hasattr(inner, "classes_"):
        wrong(f"{where}.estimator_", "is not fitted")
    if sorted(np.asarray(model.order_).tolist()) != list(range(len(inner.classes_))):
        wrong(f"{where}.order_", "is not an order of the classes")
    if not np.array_equal(model.classes_, inner.classes_[model.order_]):
        wrong(f"{where}.classes_", "are not those of the classifier inside")
    for name in ("target_", "offset_"):
        instance(getattr(model, name), (str, type(None)), f"{where}.{name}")
    if model.offset_ is not None and not getattr(inner, "takes_offset_", False):
        wrong(f"{where}.offset_", "names an offset for a model without one")
    natural(model.n_rows_, f"{where}.n_rows_", least=1)
    natural(model.n_features_in_, f"{where}.n_features_in_")
    natural(model.n_dropped_, f"{where}.n_dropped_")
    if model.coding_ is None:
        return
    instance(model.coding_, (Coding, FormulaCoding), f"{where}.coding_")
    columns_of(model.coding_, int(inner.n_features_in_), f"{where}.coding_")
    names = getattr(inner, "feature_names_in_", None)
    if (() if names is None else tuple(names)) != model.coding_.names_out:
        wrong(f"{where}.estimator_.feature_names_in_", "are not the columns that the coding gives")
    if tuple(model.feature_names_in_) != model.coding_.names:
        wrong(f"{where}.feature_names_in_", "are not the columns of the coding")
