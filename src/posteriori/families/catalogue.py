"""The families by name: a new one is a file and a line here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from posteriori.families.base import Family
from posteriori.families.bernoulli import Bernoulli
from posteriori.families.beta import Beta
from posteriori.families.categorical import Categorical
from posteriori.families.dirichlet import Dirichlet
from posteriori.families.exponential import Exponential
from posteriori.families.gamma import Gamma
from posteriori.families.gaussian.diagonal import DiagonalGaussian
from posteriori.families.gaussian.joint import JointGaussian
from posteriori.families.gaussian.normal_inverse_gamma import NormalInverseGamma
from posteriori.families.multinomial import Multinomial
from posteriori.families.poisson import Poisson
from posteriori.messages.errors import DataError


@dataclass(frozen=True)
class Settings:
    """What a classifier can tell a family it names: each takes what concerns it."""

    smoothing: float = 1.0
    shared: bool | str = False
    estimate: Any = "ml"


def _binomial(settings: Settings) -> Family:
    raise DataError(
        "family 'binomial' needs the number of trials: give posteriori.Binomial(trials=…) in place of the name."
    )


def _joint_gaussian(settings: Settings) -> Family:
    if isinstance(settings.estimate, NormalInverseGamma):
        raise DataError(
            "a NormalInverseGamma is a prior of single columns, and a group of Gaussian columns has a covariance "
            "matrix: use estimate='map' with it, or give the columns one by one."
        )
    return JointGaussian(bool(settings.shared), settings.estimate)


#: Families of naive Bayes columns, by the names that `NaiveBayes` takes.
COLUMN_FAMILIES: dict[str, Callable[[Settings], Family]] = {
    "gaussian": lambda settings: DiagonalGaussian(settings.shared, settings.estimate),
    "bernoulli": lambda settings: Bernoulli(settings.smoothing),
    "binomial": _binomial,
    "categorical": lambda settings: Categorical(settings.smoothing),
    "multinomial": lambda settings: Multinomial(settings.smoothing),
    "poisson": lambda settings: Poisson(),
    "exponential": lambda settings: Exponential(),
    "gamma": lambda settings: Gamma(),
    "beta": lambda settings: Beta(),
    "dirichlet": lambda settings: Dirichlet(),
}

#: What a name means for a tuple of columns, where that is not the same for each of them.
GROUP_FAMILIES: dict[str, Callable[[Settings], Family]] = {"gaussian": _joint_gaussian}
