"""Rules for classifiers: that their parts are for the same columns and classes."""

from typing import Any

import numpy as np

from posteriori.classifiers.base import Classifier
from posteriori.classifiers.column_table import ColumnTable
from posteriori.classifiers.decomposition import Decomposition
from posteriori.classifiers.model_average import ModelAverage
from posteriori.classifiers.wrapper import Wrapper
from posteriori.families.joint import JointDensity
from posteriori.inference.information import Information
from posteriori.priors.base import Quadratic
from posteriori.storage.basis_rules import coefficient_columns
from posteriori.storage.demands import finite, instance, natural, not_negative, numbers, wrong
from posteriori.storage.formula_rules import formula
from posteriori.storage.rules_tables import columns_of
from posteriori.storage.solver_rules import left_behind
from posteriori.sweeps.scores import LinearScores
from posteriori.sweeps.summary import Summary
from posteriori.tables.coding import Coding
from posteriori.tables.formula_coding import FormulaCoding


def scores(value: LinearScores, where: str) -> None:
    """There is a finite coefficient for each column of each score."""
    if value.w.ndim != 2:
        wrong(f"{where}.w", "is not by score and column")
    finite(value.w, (len(value.w), value.units.n_coefficients), f"{where}.w")


def logistic(model: Any, where: str) -> None:
    """Scores are over the model's columns."""
    finite(model.coef_, model.coef_.shape, f"{where}.coef_")
    finite(model.intercept_, model.intercept_.shape, f"{where}.intercept_")
    instance(getattr(model, "scores_", None), LinearScores, f"{where}.scores_")
    instance(getattr(model, "takes_offset_", None), bool, f"{where}.takes_offset_")
    n_columns = coefficient_columns(model, where)
    if len(model.scores_.units.scale) != n_columns:
        wrong(f"{where}.scores_", f"is over {len(model.scores_.units.scale)} columns, not {n_columns}")
    if model.link_.n_classes != len(model.classes_) or model.link_.n_scores != len(model.scores_.w):
        wrong(f"{where}.link_", "is not for the model's classes and scores")
    instance(getattr(model, "information_", None), Information, f"{where}.information_")
    known, n_scores = model.information_, len(model.scores_.w)
    p = model.scores_.units.n_coefficients
    if len(known.infinite) != (len(model.classes_) - 1) * p or len(known.totals) != len(model.classes_):
        wrong(f"{where}.information_", "is not for the model's classes and columns")
    if known.pairs is not None and known.pairs.shape != (len(model.classes_) * (len(model.classes_) - 1) // 2, p):
        wrong(f"{where}.information_.pairs", "is not for the model's pairs of classes and columns")
    if known.prior is not None and len(known.prior.mean) != n_scores * p:
        wrong(f"{where}.information_.prior", "is not for the model's coefficients")
    left_behind(model, where)


def information(value: Information, where: str) -> None:
    """Ask that all parts are over the same coefficients, and the sums symmetric."""
    m = len(value.infinite)
    natural(value.n_rows, f"{where}.n_rows", least=1)
    natural(value.n_free, f"{where}.n_free")
    finite(np.array([value.loss, value.scale]), (2,), f"{where}.loss and scale")
    not_negative(value.totals, (len(value.totals),), f"{where}.totals")
    for name in ("aliased", "vanished"):
        directions = getattr(value, name)
        finite(directions, (m, *directions.shape[1:2]), f"{where}.{name}")
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
    if value.sums is None:
        return
    for name in ("observed", "expected", "meat", "by_rows"):
        matrix = getattr(value.sums, name)
        if name == "by_rows" and matrix is None:
            continue
        finite(matrix, (m, m), f"{where}.sums.{name}")
        if not np.allclose(matrix, matrix.T, rtol=1e-9, atol=1e-9 * float(np.abs(matrix).max(initial=0.0))):
            wrong(f"{where}.sums.{name}", "is not symmetric")


def quadratic(value: Quadratic, where: str) -> None:
    """Ask for a precision of each coefficient, or of each pair."""
    n = len(value.mean)
    finite(value.mean, (n,), f"{where}.mean")
    finite(value.precision, (n,) * max(1, min(value.precision.ndim, 2)), f"{where}.precision")


def generative(model: Any, where: str) -> None:
    """Ask that groups share out the columns, and that statistics and densities are for the classes."""
    for name, kind in (("density_", JointDensity), ("statistics_", Summary)):
        instance(getattr(model, name, None), kind, f"{where}.{name}")
        listed = sorted(j for group in getattr(model, name).groups for j in group.columns)
        if len(listed) != model.n_features_in_ or any(j != at for at, j in enumerate(listed)):
            wrong(f"{where}.{name}.groups", f"do not have each of the {model.n_features_in_} columns once")
    if not np.array_equal(model.statistics_.classes, model.classes_):
        wrong(f"{where}.statistics_.classes", "are not the model's classes")
    if len(model.statistics_.schema.columns) != model.n_features_in_:
        wrong(f"{where}.statistics_.schema", f"is not of {model.n_features_in_} columns")
    n_classes = len(model.classes_)
    if "means_" in vars(model):
        numbers(model.means_, (n_classes, model.n_features_in_), f"{where}.means_")
    for name, table in vars(model).get("families_", {}).items():
        instance(table, ColumnTable, f"{where}.families_[{name!r}]")


def table_classifier(model: Any, where: str) -> None:
    """Ask for a formula of our grammar, and that the columns coded are those the classifier inside was fitted on."""
    formula(model.formula, f"{where}.formula")
    if not any(name.endswith("_") for name in vars(model)):
        return  # the pattern inside a decision has nothing but parameters
    kinds = (Classifier, Decomposition, Wrapper, ModelAverage)
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
    natural(model.n_dropped_, f"{where}.n_dropped_")
    if model.coding_ is None:
        return
    instance(model.coding_, (Coding, FormulaCoding), f"{where}.coding_")
    columns_of(model.coding_, int(inner.n_features_in_), f"{where}.coding_")
    if tuple(model.feature_names_in_) != model.coding_.names:
        wrong(f"{where}.feature_names_in_", "are not the columns of the coding")
