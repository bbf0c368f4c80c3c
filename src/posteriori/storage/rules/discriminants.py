"""Rules for least squares, Fisher's discriminant, and the covariances of few parameters."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.families.gaussian.low_rank import LowRankParameters
from posteriori.families.gaussian.normal_inverse_wishart import NormalInverseWishart
from posteriori.messages.errors import DataError
from posteriori.statistics.fourth_gram import FourthGram
from posteriori.statistics.within_scatter import WithinScatter
from posteriori.storage.requirements import finite, instance, not_negative, scaled, sums_of_weights, wrong
from posteriori.storage.rules.bases import coefficient_columns
from posteriori.storage.rules.densities import full
from posteriori.storage.rules.tables import gram, same_units
from posteriori.sweeps.least_squares import WithinSummary


def within(value: WithinScatter, where: str) -> None:
    """Means are by class and column, and the factor is a triangle."""
    shape = value.mean.shape
    if len(shape) != 2:
        wrong(f"{where}.mean", "is not by class and column")
    not_negative(value.scale, shape[1:], f"{where}.scale")
    sums_of_weights(value.weight, shape[:1], f"{where}.weight")
    finite(value.mean, shape, f"{where}.mean")
    finite(value.factor, (min(len(value.factor), shape[1]), shape[1]), f"{where}.factor")
    scaled(value, where)
    if ((value.factor**2).sum(axis=0) / 256.0 > value.weight.sum()).any():
        wrong(f"{where}.factor", "is larger than the weights allow")
    if np.tril(value.factor, -1).any():
        wrong(f"{where}.factor", "is not upper triangular")
    if not value.weight.any():
        wrong(f"{where}.weight", "is zero for every class")


def fourth(value: FourthGram, where: str) -> None:
    """Each class has its own moments."""
    gram(value, where)
    n_classes, d = value.mean.shape
    for name in ("scatter", "third", "fourth"):
        finite(getattr(value, name), (n_classes, d, d), f"{where}.{name}")
    not_negative(value.fourth, (n_classes, d, d), f"{where}.fourth")
    most = value.weight[:, None, None]
    if (np.abs(value.third) / 2.0**16 > most).any() or (value.fourth / 2.0**16 > most).any():
        wrong(f"{where}.fourth", "is larger than the weights allow")


def within_summary(value: WithinSummary, where: str) -> None:
    """Statistics are for the classes and columns named."""
    shape = (len(value.classes), len(value.schema.columns))
    if value.within.mean.shape != shape:
        wrong(f"{where}.within", f"is for classes and columns {value.within.mean.shape}, not {shape}")
    for part in value.fourth:
        instance(part, FourthGram, f"{where}.fourth")
        if part.mean.shape != shape:  # type: ignore[attr-defined]
            wrong(f"{where}.fourth", f"is not for classes and columns {shape}")


def low_rank(value: LowRankParameters, where: str) -> None:
    """Ask for parts that make up the covariance."""
    full(value, where)
    (m, d), q = value.covariance.shape[:2], value.loadings.shape[-1]
    for name, shape in (("precision_root", (m, d)), ("directions", (m, d, q)), ("sizes", (m, q))):
        finite(getattr(value, name), shape, f"{where}.{name}")
    not_negative(value.noise, (m, d), f"{where}.noise")
    if value.loadings.shape != (m, d, q) or (value.sizes < 1.0 - 1e-9).any():
        wrong(f"{where}.loadings", "do not go with the covariance")
    precision = np.einsum("mir,mjr->mij", value.whiten, value.whiten)
    inner = np.eye(d) + np.einsum("miq,mq,mjq->mij", value.directions, 1.0 / value.sizes - 1.0, value.directions)
    if not np.allclose(
        value.precision_root[:, :, None] * inner * value.precision_root[:, None, :], precision, rtol=1e-6, atol=1e-9
    ):
        wrong(f"{where}.directions", "do not belong to the covariance")


def wishart(value: NormalInverseWishart, where: str) -> None:
    """Ask for what its constructor asks for."""
    try:
        NormalInverseWishart(value.mean, value.kappa, value.df, value.scale)
    except (DataError, TypeError, ValueError) as error:
        wrong(where, f"cannot be ({error})")


def discriminant(model: Any, where: str) -> None:
    """Ask that scores and statistics are over the model's columns and classes."""
    shape = (1 if len(model.classes_) == 2 else len(model.classes_), coefficient_columns(model, where) + 1)
    finite(model.scores_.w, shape, f"{where}.scores_.w")
    if not np.array_equal(model.statistics_.classes, model.classes_):
        wrong(f"{where}.statistics_.classes", "are not the model's classes")
    if len(model.statistics_.schema.columns) != shape[1] - 1:
        wrong(f"{where}.statistics_.schema", f"is not of {shape[1] - 1} columns")
    if bool(model.statistics_.fourth) != model._needs_fourth():
        wrong(f"{where}.statistics_.fourth", "does not go with the shrinkage")


def fisher(model: Any, where: str) -> None:
    """Ask that directions are by column, with an eigenvalue each, in the units of the scores."""
    discriminant(model, where)
    projection = model.projection_
    if not same_units(projection.units, model.scores_.units):
        wrong(f"{where}.projection_.units", "are not those of the scores")
    if projection.w.shape[1] != model.n_features_in_ + 1 or projection.w[:, 0].any():
        wrong(f"{where}.projection_.w", "is not by direction and column")
    not_negative(model.eigenvalues_, (model.eigenvalues_.size,), f"{where}.eigenvalues_")
    finite(model.eigenvalues_, (model.eigenvalues_.size,), f"{where}.eigenvalues_")


#: By the name of the class.
DISCRIMINANT_RULES: dict[str, Callable[[Any, str], None]] = {
    "WithinScatter": within,
    "FourthGram": fourth,
    "WithinSummary": within_summary,
    "LowRankParameters": low_rank,
    "NormalInverseWishart": wishart,
    "LeastSquaresClassifier": discriminant,
    "FisherDiscriminant": fisher,
}
