"""The families by name: a new one is a file and a line here."""

from collections.abc import Callable
from dataclasses import dataclass

from posteriori.families.base import Family
from posteriori.families.bernoulli import Bernoulli
from posteriori.families.categorical import Categorical
from posteriori.families.gaussian_diagonal import DiagonalGaussian
from posteriori.families.gaussian_full import FullGaussian
from posteriori.families.gaussian_spherical import SphericalGaussian


@dataclass(frozen=True)
class Settings:
    """What a classifier can tell a family it names: each takes what concerns it."""

    smoothing: float = 1.0
    shared: bool | str = False
    estimate: str = "ml"


#: Families of naive Bayes columns, by the names that `NaiveBayes` takes.
COLUMN_FAMILIES: dict[str, Callable[[Settings], Family]] = {
    "gaussian": lambda settings: DiagonalGaussian(settings.shared, settings.estimate),
    "bernoulli": lambda settings: Bernoulli(settings.smoothing),
    "categorical": lambda settings: Categorical(settings.smoothing),
}

#: Covariance structures, by the names that `GaussianClassifier` takes.
COVARIANCES: dict[str, Callable[[Settings], Family]] = {
    "full": lambda settings: FullGaussian(bool(settings.shared), settings.estimate),
    "diagonal": lambda settings: DiagonalGaussian(bool(settings.shared), settings.estimate),
    "spherical": lambda settings: SphericalGaussian(bool(settings.shared), settings.estimate),
}
