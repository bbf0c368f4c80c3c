"""Rules for the exponential families of naive Bayes: their parameters and statistics."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.families.affine import AffineParameters
from posteriori.families.beta import BetaParameters
from posteriori.families.binomial import Binomial
from posteriori.families.dirichlet import DirichletParameters
from posteriori.families.gamma import GammaParameters
from posteriori.families.gaussian.normal_inverse_gamma import NormalInverseGamma
from posteriori.families.multinomial import MultinomialParameters
from posteriori.messages.errors import DataError
from posteriori.statistics.log_means import LogMeans
from posteriori.statistics.means import Means
from posteriori.storage.requirements import (
    at_most_one,
    finite,
    natural,
    not_negative,
    numbers,
    sums_of_weights,
    sums_to_one,
    wrong,
)


def affine(value: AffineParameters, where: str) -> None:
    """Weights are by class and column, and means are not negative."""
    _by_class_and_column(value.mean, f"{where}.mean")
    not_negative(value.mean, value.mean.shape, f"{where}.mean")
    for name in ("mean", "coef", "level", "bar", "bar_level"):
        finite(getattr(value, name), value.mean.shape, f"{where}.{name}")


def multinomial(value: MultinomialParameters, where: str) -> None:
    """Probabilities sum to one over the columns, and the weights are their logarithms."""
    affine(value, where)
    at_most_one(value.mean, value.mean.shape, f"{where}.mean")
    sums_to_one(value.mean, f"{where}.mean")
    some = value.mean > 0
    if not np.allclose(np.exp(value.coef[some]), value.mean[some], rtol=1e-9) or not np.array_equal(value.bar, ~some):
        wrong(f"{where}.coef", "is not the logarithm of the probabilities")
    natural(value.total, f"{where}.total")


def gamma(value: GammaParameters, where: str) -> None:
    """Shapes are positive, infinite where a column was left out."""
    _by_class_and_column(value.mean, f"{where}.mean")
    finite(value.mean, value.mean.shape, f"{where}.mean")
    not_negative(value.mean, value.mean.shape, f"{where}.mean")
    _positive(value.shape, value.mean.shape, f"{where}.shape")


def beta(value: BetaParameters, where: str) -> None:
    """Both are positive, infinite where a column was left out."""
    _by_class_and_column(value.alpha, f"{where}.alpha")
    _positive(value.alpha, value.alpha.shape, f"{where}.alpha")
    _positive(value.beta, value.alpha.shape, f"{where}.beta")


def dirichlet(value: DirichletParameters, where: str) -> None:
    """Parameters are positive."""
    _by_class_and_column(value.alpha, f"{where}.alpha")
    _positive(value.alpha, value.alpha.shape, f"{where}.alpha")


def means(value: Means, where: str) -> None:
    """Weights and means are by class and statistic."""
    _by_class_and_column(value.mean, f"{where}.mean")
    sums_of_weights(value.weight, value.mean.shape, f"{where}.weight")
    finite(value.mean, value.mean.shape, f"{where}.mean")


def log_means(value: LogMeans, where: str) -> None:
    """Lags are not negative."""
    _by_class_and_column(value.mean, f"{where}.mean")
    for name in ("weight", "mean", "lag"):
        not_negative(getattr(value, name), value.mean.shape, f"{where}.{name}")
        finite(getattr(value, name), value.mean.shape, f"{where}.{name}")
    sums_of_weights(value.weight, value.mean.shape, f"{where}.weight")
    if (value.lag > 2000.0).any():  # logarithms of floats are between -745 and 710
        wrong(f"{where}.lag", "is larger than any difference of logarithms")


def binomial(value: Binomial, where: str) -> None:
    """There is a trial at least."""
    natural(value.trials, f"{where}.trials", least=1)


def prior(value: NormalInverseGamma, where: str) -> None:
    """Ask what the constructor asks."""
    try:
        NormalInverseGamma(value.mean, value.kappa, value.shape, value.scale)
    except DataError as error:
        wrong(where, f"cannot be ({error})")


def _by_class_and_column(array: Any, where: str) -> None:
    if not isinstance(array, np.ndarray) or array.ndim != 2:
        wrong(where, "is not by class and column")


def _positive(array: Any, shape: tuple[int, ...], where: str) -> None:
    numbers(array, shape, where)
    if not (array > 0).all():
        wrong(where, "holds numbers that are not positive")


#: By the name of the class.
FAMILY_RULES: dict[str, Callable[[Any, str], None]] = {
    "AffineParameters": affine,
    "MultinomialParameters": multinomial,
    "GammaParameters": gamma,
    "BetaParameters": beta,
    "DirichletParameters": dirichlet,
    "Means": means,
    "LogMeans": log_means,
    "Binomial": binomial,
    "NormalInverseGamma": prior,
}
