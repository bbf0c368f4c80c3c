"""What must hold of each storable class for its values to make sense together: shapes, ranges, indices."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.classifiers.base import Classifier
from posteriori.classifiers.column_table import ColumnTable
from posteriori.families.bernoulli import Bernoulli
from posteriori.families.categorical import Categorical, TableParameters
from posteriori.families.gaussian_diagonal import DiagonalGaussian, DiagonalParameters
from posteriori.families.gaussian_full import FullGaussian, FullParameters
from posteriori.families.gaussian_spherical import SphericalGaussian
from posteriori.families.joint import JointDensity
from posteriori.statistics.counts import Counts
from posteriori.statistics.gram import Gram
from posteriori.statistics.moments import Moments
from posteriori.storage.demands import (
    at_most_one,
    distinct,
    finite,
    instance,
    natural,
    not_negative,
    numbers,
    sums_to_one,
    wrong,
)
from posteriori.sweeps.scores import LinearScores
from posteriori.sweeps.summary import Summary
from posteriori.tables.coding import Coded, Coding
from posteriori.tables.schema import Column, Schema
from posteriori.tables.units import Units

#: The parameters and the statistics that belong to each family.
PARTS: dict[type, tuple[type, type]] = {
    DiagonalGaussian: (DiagonalParameters, Moments),
    SphericalGaussian: (DiagonalParameters, Moments),
    FullGaussian: (FullParameters, Gram),
    Categorical: (TableParameters, Counts),
    Bernoulli: (TableParameters, Counts),
}

# --- tables


def column(value: Column, where: str) -> None:
    """Levels belong to categories."""
    if (value.kind == "category") != (value.levels is not None):
        wrong(f"{where}.levels", f"does not go with a column of kind {value.kind!r}")
    if value.levels is not None:
        if value.levels.ndim != 1:
            wrong(f"{where}.levels", "is not a list")
        distinct(value.levels.tolist(), f"{where}.levels")


def schema(value: Schema, where: str) -> None:
    """Columns have names of their own."""
    distinct(value.names, f"{where}.columns")


def coded(value: Coded, where: str) -> None:
    """Positions are among the levels."""
    distinct(value.levels, f"{where}.levels")
    if (value.kind == "number") != (not value.levels) and value.kind != "category":
        wrong(f"{where}.levels", f"does not go with a column of kind {value.kind!r}")
    natural(value.reference, f"{where}.reference")
    if value.reference >= max(len(value.levels), 1):
        wrong(f"{where}.reference", f"is {value.reference} of {len(value.levels)} levels")
    if value.fill is not None and not np.isfinite(value.fill):
        wrong(f"{where}.fill", "is not finite")
    if value.fill is not None and value.levels and value.fill not in range(len(value.levels)):
        wrong(f"{where}.fill", f"is {value.fill} of {len(value.levels)} levels")


def coding(value: Coding, where: str) -> None:
    """Columns in and out have names of their own."""
    distinct(value.names, f"{where}.columns")
    distinct(value.names_out, f"{where}.columns")


def units(value: Units, where: str) -> None:
    """There is a centre and a positive scale for each column."""
    finite(value.scale, (value.scale.size,), f"{where}.scale")
    finite(value.centre, value.scale.shape, f"{where}.centre")
    if not (value.scale > 0).all():
        wrong(f"{where}.scale", "holds a scale that is not positive")


# --- statistics


def counts(value: Counts, where: str) -> None:
    """Ask for finite counts, none negative."""
    not_negative(value.values, value.values.shape, f"{where}.values")
    finite(value.values, value.values.shape, f"{where}.values")


def moments(value: Moments, where: str) -> None:
    """All are by class and column."""
    shape = value.mean.shape
    if len(shape) != 2:
        wrong(f"{where}.mean", "is not by class and column")
    not_negative(value.scale, shape[1:], f"{where}.scale")
    not_negative(value.weight, shape, f"{where}.weight")
    finite(value.mean, shape, f"{where}.mean")
    not_negative(value.scatter, shape, f"{where}.scatter")


def gram(value: Gram, where: str) -> None:
    """One matrix for all classes, or one each."""
    shape = value.mean.shape
    if len(shape) != 2:
        wrong(f"{where}.mean", "is not by class and column")
    not_negative(value.scale, shape[1:], f"{where}.scale")
    not_negative(value.weight, shape[:1], f"{where}.weight")
    finite(value.mean, shape, f"{where}.mean")
    if value.scatter.ndim != 3 or len(value.scatter) not in (1, shape[0]):
        wrong(f"{where}.scatter", f"has shape {value.scatter.shape} for {shape[0]} classes")
    finite(value.scatter, (len(value.scatter), shape[1], shape[1]), f"{where}.scatter")


# --- families


def diagonal(value: DiagonalParameters, where: str) -> None:
    """All are by class and column; a variance may leave the range of numbers, its root may not."""
    shape = value.mean.shape
    if len(shape) != 2:
        wrong(f"{where}.mean", "is not by class and column")
    not_negative(value.scale, shape[1:], f"{where}.scale")
    not_negative(value.variance, shape, f"{where}.variance")
    for name in ("mean", "centre", "root", "log_norm"):
        finite(getattr(value, name), shape, f"{where}.{name}")
    not_negative(value.root, shape, f"{where}.root")
    natural(value.free, f"{where}.free")


def full(value: FullParameters, where: str) -> None:
    """Covariances are symmetric and positive semidefinite."""
    if value.mean.ndim != 2 or value.covariance.ndim != 3:
        wrong(f"{where}.mean", "is not by class and column")
    (n_classes, d), m = value.mean.shape, len(value.covariance)
    if m not in (1, n_classes):
        wrong(f"{where}.covariance", f"has {m} matrices for {n_classes} classes")
    for name, shape in (("mean", (n_classes, d)), ("centre", (n_classes, d)), ("whiten", (m, d, d)),
                        ("colour", (m, d, d)), ("log_norm", (m,)), ("scale", (d,))):  # fmt: skip
        finite(getattr(value, name), shape, f"{where}.{name}")
    numbers(value.covariance, (m, d, d), f"{where}.covariance")
    covariances(value.covariance, f"{where}.covariance")


def covariances(matrices: Any, where: str) -> None:
    """Ask for symmetric matrices without negative eigenvalues, to rounding, column by column's own scale."""
    if not np.isfinite(matrices).all():
        return  # squares of units beyond 1e154 leave the range of numbers; densities do not use them
    if not np.array_equal(matrices, np.swapaxes(matrices, -1, -2)):
        wrong(where, "holds a matrix that is not symmetric")
    diagonals = np.diagonal(matrices, axis1=-2, axis2=-1)
    if (diagonals < 0).any():
        wrong(where, "holds a negative variance")
    sizes = np.sqrt(np.where(diagonals > 0, diagonals, 1.0))
    correlations = matrices / sizes[..., :, None] / sizes[..., None, :]
    if not np.isfinite(correlations).all() or np.linalg.eigvalsh(correlations).min() < -1e-6:
        wrong(where, "holds a matrix that is not positive semidefinite")


def tables(value: TableParameters, where: str) -> None:
    """Cells lie end to end, and those of a column sum to one: kernels follow these indices unasked."""
    n_columns, (n_classes, n_cells) = len(value.sizes), value.probability.shape
    not_negative(value.sizes, (n_columns,), f"{where}.sizes")
    if value.sizes.sum() != n_cells or not np.array_equal(value.starts, np.cumsum(value.sizes) - value.sizes):
        wrong(f"{where}.starts", f"points outside the {n_cells} cells, or not at the columns' own")
    at_most_one(value.probability, (n_classes, n_cells), f"{where}.probability")
    seen = value.sizes > 0
    if seen.any():
        sums = np.add.reduceat(value.probability, value.starts[seen], axis=1)
        sums_to_one(sums[..., None], f"{where}.probability")
    numbers(value.log_probability, (n_cells, n_classes), f"{where}.log_probability")
    if not np.allclose(np.exp(value.log_probability.T), value.probability, rtol=1e-9, atol=1e-300):
        wrong(f"{where}.log_probability", "is not the logarithm of the probabilities")


def joint(value: JointDensity, where: str) -> None:
    """Every group has parameters of its family, for its columns."""
    if len(value.groups) != len(value.parameters):
        wrong(f"{where}.parameters", f"has {len(value.parameters)} entries for {len(value.groups)} groups")
    for i, (group, parameters) in enumerate(zip(value.groups, value.parameters, strict=True)):
        instance(parameters, PARTS[type(group.family)][0], f"{where}.parameters[{i}]")
        wide = len(parameters.sizes) if isinstance(parameters, TableParameters) else parameters.mean.shape[1]  # type: ignore[attr-defined]
        if wide != len(group.columns):
            wrong(f"{where}.parameters[{i}]", f"is for {wide} columns, its group has {len(group.columns)}")


def summary(value: Summary, where: str) -> None:
    """Every group has statistics of its family, for all classes."""
    n_classes = len(value.classes)
    not_negative(value.weight.values, (n_classes,), f"{where}.weight")
    if len(value.groups) != len(value.statistics):
        wrong(f"{where}.statistics", f"has {len(value.statistics)} entries for {len(value.groups)} groups")
    for i, (group, part) in enumerate(zip(value.groups, value.statistics, strict=True)):
        instance(part, PARTS[type(group.family)][1], f"{where}.statistics[{i}]")
        array = part.values if isinstance(part, Counts) else part.mean  # type: ignore[attr-defined]
        if len(array) != n_classes:
            wrong(f"{where}.statistics[{i}]", f"is for {len(array)} classes, not {n_classes}")
        wide = len(group.columns) if isinstance(part, Counts) else array.shape[1]
        if wide != len(group.columns):
            wrong(f"{where}.statistics[{i}]", f"is for {wide} columns, its group has {len(group.columns)}")


# --- classifiers


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
    if len(model.scores_.units.scale) != model.n_features_in_:
        wrong(
            f"{where}.scores_",
            f"is over {len(model.scores_.units.scale)} columns, not {model.n_features_in_}",
        )
    if model.link_.n_classes != len(model.classes_) or model.link_.n_scores != len(model.scores_.w):
        wrong(f"{where}.link_", "is not for the model's classes and scores")


def generative(model: Any, where: str) -> None:
    """Ask that groups share out the columns, and that statistics and densities are for the classes."""
    for name, kind in (("density_", JointDensity), ("statistics_", Summary)):
        instance(getattr(model, name, None), kind, f"{where}.{name}")
        shared_out = [j for group in getattr(model, name).groups for j in group.columns]
        if sorted(shared_out) != list(range(model.n_features_in_)):
            wrong(f"{where}.{name}.groups", f"does not share out the {model.n_features_in_} columns")
    if not np.array_equal(model.statistics_.classes, model.classes_):
        wrong(f"{where}.statistics_.classes", "are not the model's classes")
    if len(model.statistics_.schema.columns) != model.n_features_in_:
        wrong(f"{where}.statistics_.schema", f"is not of {model.n_features_in_} columns")
    n_classes = len(model.classes_)
    if "means_" in vars(model):
        numbers(model.means_, (n_classes, model.n_features_in_), f"{where}.means_")
    for name, table in vars(model).get("families_", {}).items():
        instance(table, ColumnTable, f"{where}.families_[{name!r}]")


def column_table(value: ColumnTable, where: str) -> None:
    """Parameters are by class."""
    for name, array in value.parameters.items():
        if len(array) != len(value.classes):
            wrong(f"{where}.{name}", f"is for {len(array)} classes, not {len(value.classes)}")


def table_classifier(model: Any, where: str) -> None:
    """Ask that the columns coded are those the classifier inside was fitted on."""
    instance(getattr(model, "estimator_", None), Classifier, f"{where}.estimator_")
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
    instance(model.coding_, Coding, f"{where}.coding_")
    if len(model.coding_.names_out) != inner.n_features_in_:
        wrong(
            f"{where}.coding_",
            f"gives {len(model.coding_.names_out)} columns, the model takes {inner.n_features_in_}",
        )
    if tuple(model.feature_names_in_) != model.coding_.names:
        wrong(f"{where}.feature_names_in_", "are not the columns of the coding")


#: By the name of the class.
RULES: dict[str, Callable[[Any, str], None]] = {
    "Column": column,
    "Schema": schema,
    "Coded": coded,
    "Coding": coding,
    "Units": units,
    "Counts": counts,
    "Moments": moments,
    "Gram": gram,
    "DiagonalParameters": diagonal,
    "FullParameters": full,
    "TableParameters": tables,
    "ColumnTable": column_table,
    "JointDensity": joint,
    "Summary": summary,
    "LinearScores": scores,
    "LogisticRegression": logistic,
    "GaussianClassifier": generative,
    "NaiveBayes": generative,
    "TableClassifier": table_classifier,
}
