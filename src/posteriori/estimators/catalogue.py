"""Models by name, for the command."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from posteriori.messages.errors import DataError


@dataclass(frozen=True)
class Entry:
    """A named model: its class, one sentence on it, other names, and the parameters that its name stands for."""

    kind: str
    summary: str
    aliases: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)

    def load(self) -> Any:
        """Import the class."""
        return getattr(import_module("posteriori"), self.kind)


#: The models, in the order of lists.
CATALOGUE: dict[str, Entry] = {
    "logistic": Entry(
        "LogisticRegression", "log odds linear in the columns; softmax for more than two classes", aliases=("softmax",)
    ),
    "probit": Entry(
        "BinaryRegression",
        "a linear score with a Gaussian threshold, two classes; other links by --set link=",
        settings={"link": "probit"},
    ),
    "cloglog": Entry(
        "BinaryRegression",
        "1 - exp(-exp(a linear score)): proportional hazards for grouped times, two classes",
        settings={"link": "cloglog"},
    ),
    "noisy-or": Entry(
        "NoisyOr", "causes that can each fail: 1 - exp(-(theta'x + leak)) for non-negative columns, two classes"
    ),
    "bayes-logistic": Entry(
        "BayesianLogisticRegression",
        "logistic regression with a posterior, credible intervals and a prior precision estimated from the rows",
    ),
    "kernel-logistic": Entry(
        "KernelLogisticRegression",
        "log odds that are sums of Gaussian kernels on the rows: curved boundaries; distances in the units of the "
        "columns, or in their standard deviations (units=sd)",
    ),
    "lspc": Entry(
        "LSPC", "probabilities that are sums of Gaussian kernels on the rows, by least squares: curved boundaries, fast"
    ),
    "gaussian": Entry(
        "GaussianClassifier",
        "a Gaussian per class with a shared covariance: linear discriminant analysis",
        aliases=("lda",),
        settings={"shared": True},
    ),
    "gaussian-per-class": Entry(
        "GaussianClassifier",
        "a Gaussian per class with its own covariance: quadratic discriminant analysis",
        aliases=("qda",),
        settings={"shared": False},
    ),
    "naive-bayes": Entry("NaiveBayes", "columns of any type, independent given the class; no imputation needed"),
    "joint-table": Entry("JointTable", "a probability per combination of values; for few columns with few values"),
    "least-squares": Entry(
        "LeastSquaresClassifier", "class targets fitted by least squares; scores that sum to one, no probabilities"
    ),
    "fisher": Entry("FisherDiscriminant", "the directions that separate the classes best; no probabilities"),
    "perceptron": Entry(
        "Perceptron", "a plane corrected at each misclassified row until there is none; no probabilities"
    ),
}


def find(name: str) -> str | None:
    """Return the name of a model for a name or alias; None if there is none.

    >>> find("lda"), find("forest")
    ('gaussian', None)
    """
    return next((key for key, entry in CATALOGUE.items() if name == key or name in entry.aliases), None)


def unknown(name: str) -> str:
    """Return the error message for an unknown name, with the known ones."""
    near = difflib.get_close_matches(name, CATALOGUE, 1, 0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"there is no model {name!r}.{hint} The models are {', '.join(CATALOGUE)}."


def make(name: str, **parameters: Any) -> Any:
    """Create a model by name; `parameters` replace those that the name stands for."""
    key = find(name)
    if key is None:
        raise DataError(unknown(name))
    entry = CATALOGUE[key]
    return entry.load()(**{**entry.settings, **parameters})


def name_of(model: Any) -> str | None:
    """Return the name of a model, by its class and parameters; None if it has none."""
    for name, entry in CATALOGUE.items():
        if type(model).__name__ == entry.kind and all(
            getattr(model, key, None) == value for key, value in entry.settings.items()
        ):
            return name
    return None
