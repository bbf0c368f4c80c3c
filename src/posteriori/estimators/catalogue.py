"""Models by name, as the command knows them."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Entry:
    """A named model: its class and where that lives, what its name stands for, a sentence about it."""

    kind: str
    home: str
    summary: str
    aliases: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)

    def load(self) -> Any:
        """Import the class."""
        return getattr(import_module(f"posteriori.estimators.{self.home}"), self.kind)


#: The models, in the order they are listed.
CATALOGUE: dict[str, Entry] = {
    "logistic": Entry(
        "LogisticRegression",
        "regression.logistic_regression",
        "log odds linear in the columns; softmax for more than two classes",
        aliases=("softmax",),
    ),
    "probit": Entry(
        "BinaryRegression",
        "regression.binary_regression",
        "a Gaussian threshold on a linear score, two classes; other thresholds by --set link=",
        settings={"link": "probit"},
    ),
    "cloglog": Entry(
        "BinaryRegression",
        "regression.binary_regression",
        "1 - exp(-exp(a linear score)): proportional hazards in grouped time, two classes",
        settings={"link": "cloglog"},
    ),
    "noisy-or": Entry(
        "NoisyOr",
        "regression.noisy_or",
        "causes that each may fail: 1 - exp(-(theta'x + leak)) for columns from zero up, two classes",
    ),
    "bayes-logistic": Entry(
        "BayesianLogisticRegression",
        "regression.bayesian_logistic_regression",
        "logistic regression with error bars on every probability and a prior that the rows choose",
    ),
    "kernel-logistic": Entry(
        "KernelLogisticRegression",
        "kernels.kernel_logistic_regression",
        "log odds that are sums of Gaussian bumps on the rows: curved boundaries; distances in the columns' own "
        "units, or in their spreads (units=sd)",
    ),
    "lspc": Entry(
        "LSPC",
        "kernels.lspc",
        "probabilities that are sums of Gaussian bumps on the rows, by least squares: curved, and fast",
    ),
    "gaussian": Entry(
        "GaussianClassifier",
        "generative.gaussian_classifier",
        "a Gaussian for each class, one covariance for all: linear discriminant analysis",
        aliases=("lda",),
        settings={"shared": True},
    ),
    "gaussian-per-class": Entry(
        "GaussianClassifier",
        "generative.gaussian_classifier",
        "a Gaussian for each class with its own covariance: quadratic discriminant analysis",
        aliases=("qda",),
        settings={"shared": False},
    ),
    "naive-bayes": Entry(
        "NaiveBayes",
        "generative.naive_bayes",
        "columns of any kind, independent given the class; gaps need no cure",
    ),
    "joint-table": Entry(
        "JointTable",
        "generative.joint_table",
        "a probability for each combination of values; for few columns of few values",
    ),
    "least-squares": Entry(
        "LeastSquaresClassifier",
        "discriminants.least_squares_classifier",
        "class targets fitted by least squares; scores that sum to one, no probabilities",
    ),
    "fisher": Entry(
        "FisherDiscriminant",
        "discriminants.fisher_discriminant",
        "the directions that separate the classes best; no probabilities",
    ),
    "perceptron": Entry(
        "Perceptron",
        "discriminants.perceptron",
        "a plane corrected at each mistake until there is none; no probabilities",
    ),
}


def find(name: str) -> str | None:
    """Give the listed name for a name or alias; None where there is none.

    >>> find("lda"), find("forest")
    ('gaussian', None)
    """
    return next((listed for listed, entry in CATALOGUE.items() if name == listed or name in entry.aliases), None)


def unknown(name: str) -> str:
    """Word the error for a model that is not listed, with the list."""
    near = difflib.get_close_matches(name, CATALOGUE, 1, 0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"there is no model {name!r}.{hint} The models are {', '.join(CATALOGUE)}."


def make(name: str, **parameters: Any) -> Any:
    """Build a model by its name, with parameters over those the name stands for."""
    listed = find(name)
    if listed is None:
        from posteriori.messages.errors import DataError

        raise DataError(unknown(name))
    entry = CATALOGUE[listed]
    return entry.load()(**{**entry.settings, **parameters})


def name_of(model: Any) -> str | None:
    """Give the listed name of a model, by its class and settings."""
    for name, entry in CATALOGUE.items():
        if type(model).__name__ == entry.kind and all(
            getattr(model, key, None) == value for key, value in entry.settings.items()
        ):
            return name
    return None
