"""The families by name: a new family is one file and one line here."""

from posteriori.families.base import Family
from posteriori.families.bernoulli import Bernoulli
from posteriori.families.beta import Beta
from posteriori.families.binomial import Binomial
from posteriori.families.categorical import Categorical
from posteriori.families.dirichlet import Dirichlet
from posteriori.families.exponential import Exponential
from posteriori.families.gamma import Gamma
from posteriori.families.gaussian.diagonal import DiagonalGaussian
from posteriori.families.gaussian.joint import JointGaussian
from posteriori.families.multinomial import Multinomial
from posteriori.families.poisson import Poisson

#: Families of naive Bayes columns, by the names that `NaiveBayes` takes.
COLUMN_FAMILIES: dict[str, type[Family]] = {
    "gaussian": DiagonalGaussian,
    "bernoulli": Bernoulli,
    "binomial": Binomial,
    "categorical": Categorical,
    "multinomial": Multinomial,
    "poisson": Poisson,
    "exponential": Exponential,
    "gamma": Gamma,
    "beta": Beta,
    "dirichlet": Dirichlet,
}

#: What a name means for a tuple of columns, where that differs from the family of each column.
GROUP_FAMILIES: dict[str, type[Family]] = {"gaussian": JointGaussian}

#: The default family of each kind of column.
DEFAULTS: dict[str, type[Family]] = {
    family.default_for: family for family in COLUMN_FAMILIES.values() if family.default_for is not None
}
