"""Options of a sandwich covariance: units of the scores, information in the bread, finite-sample factor."""

from dataclasses import dataclass, fields
from typing import Any

from posteriori.checks.parameters import choice
from posteriori.messages.errors import DataError

#: Kinds of covariance.
KINDS = ("observed", "expected", "robust", "cluster")
#: Kinds that are sandwiches.
SANDWICHES = ("robust", "cluster")
#: Values of the options, by name; `True` is "stata".
OPTIONS = {
    "small_sample": (False, True, "stata", "HC1"),
    "units": ("rows", "trials"),
    "bread": ("observed", "expected"),
}
#: Number of clusters below which a cluster covariance is unreliable: the lower end of "20 to 50" in Cameron & Miller
#: (2015), A Practitioner's Guide to Cluster-Robust Inference, Journal of Human Resources 50, 317-372, §VI.
FEW = 20


@dataclass(frozen=True)
class Sandwich:
    """How a robust or cluster covariance is computed.

    Parameters
    ----------
    small_sample : finite-sample factor; `factor` has the formulas
    units : of grouped data (class counts): outer products of the scores of "rows", or of single "trials"
    bread : the information in the bread, "observed" or "expected"
    """

    small_sample: bool | str = False
    units: str = "rows"
    bread: str = "observed"

    @classmethod
    def pop_from(cls, options: dict[str, Any], kind: str) -> "Sandwich":
        """Remove the options of a sandwich from `options`, check them and return them."""
        values = {each.name: options.pop(each.name) for each in fields(cls) if each.name in options}
        sandwich = cls(**{name: choice(name, value, OPTIONS[name]) for name, value in values.items()})
        if kind not in SANDWICHES and sandwich != cls():
            name = next(name for name, value in values.items() if value != getattr(cls(), name))
            raise DataError(f"{name}= is an option of kind='robust' and kind='cluster', not of kind={kind!r}.")
        return sandwich

    def factor(self, n_rows: float, n_coefficients: int, n_clusters: int | None) -> float:
        """Return the finite-sample factor, with n units, k coefficients and G clusters.

        False : 1
        "stata" : n / (n - 1), or G / (G - 1) with clusters
        "HC1" : n / (n - k), or G / (G - 1) (n - 1) / (n - k) with clusters
        """
        n, k, G = n_rows, n_coefficients, n_clusters
        if not self.small_sample:
            return 1.0
        if self.small_sample != "HC1":
            return _ratio(n, n - 1) if G is None else _ratio(G, G - 1)
        return _ratio(n, n - k) if G is None else _ratio(G, G - 1) * _ratio(n - 1, n - k)

    def sentence(self, n_clusters: int | None) -> str:
        """Return a description of the finite-sample factor."""
        if not self.small_sample:
            return "no finite-sample factor"
        if self.small_sample == "HC1":
            return "factor n/(n - k)" if n_clusters is None else "factor G/(G - 1) x (n - 1)/(n - k)"
        return "factor n/(n - 1)" if n_clusters is None else "factor G/(G - 1)"


def _ratio(above: float, below: float) -> float:
    if below <= 0:
        raise DataError(
            f"the finite-sample factor {above:g}/{below:g} does not exist: there are too few observations for this "
            "number of coefficients. Use small_sample=False."
        )
    return above / below
