"""The choices of a sandwich covariance: unit of the scores, information in the bread, finite-sample factor."""

from dataclasses import dataclass, fields
from typing import Any

from posteriori.checks.parameters import choice
from posteriori.messages.errors import DataError

#: Kinds of covariance.
KINDS = ("observed", "expected", "robust", "cluster")
#: Those that are sandwiches.
SANDWICHES = ("robust", "cluster")
#: Values of the options, by name; `True` is "stata".
OPTIONS = {
    "small_sample": (False, True, "stata", "HC1"),
    "units": ("rows", "trials"),
    "bread": ("observed", "expected"),
}
#: Clusters below which a cluster covariance is unreliable: the lower end of "20 to 50" in Cameron & Miller (2015),
#: A Practitioner's Guide to Cluster-Robust Inference, Journal of Human Resources 50, 317-372, §VI.
FEW = 20


@dataclass(frozen=True)
class Sandwich:
    """How a robust or cluster covariance is computed.

    Parameters
    ----------
    small_sample : finite-sample factor; `factor` has the formulas
    units : of grouped data (class counts), whose scores are squared: those of "rows", or of single "trials"
    bread : the information in the bread, "observed" or "expected"
    """

    small_sample: bool | str = False
    units: str = "rows"
    bread: str = "observed"

    @classmethod
    def taken_from(cls, options: dict[str, Any], kind: str) -> "Sandwich":
        """Remove the options of a sandwich from `options`, check them and return them."""
        given = {each.name: options.pop(each.name) for each in fields(cls) if each.name in options}
        made = cls(**{name: choice(name, value, OPTIONS[name]) for name, value in given.items()})
        if kind not in SANDWICHES and made != cls():
            named = next(name for name, value in given.items() if value != getattr(cls(), name))
            raise DataError(f"{named}= is an option of kind='robust' and kind='cluster', not of kind={kind!r}.")
        return made

    def factor(self, n_rows: float, n_coefficients: int, n_clusters: int | None) -> float:
        """Return the finite-sample factor: 1, or with n units, k coefficients and G clusters as follows.

        "stata" : n / (n - 1), or G / (G - 1) with clusters
        "HC1" : n / (n - k), or G / (G - 1) (n - 1) / (n - k) with clusters
        """
        n, k = n_rows, n_coefficients
        if not self.small_sample:
            return 1.0
        if self.small_sample != "HC1":
            units = n if n_clusters is None else n_clusters
            return _ratio(units, units - 1)
        if n_clusters is None:
            return _ratio(n, n - k)
        return _ratio(n_clusters, n_clusters - 1) * _ratio(n - 1, n - k)

    def sentence(self, n_clusters: int | None) -> str:
        """Describe the finite-sample factor in a phrase."""
        if not self.small_sample:
            return "no finite-sample factor"
        clustered = n_clusters is not None
        if self.small_sample == "HC1":
            return f"factor {'G/(G - 1) x (n - 1)/(n - k)' if clustered else 'n/(n - k)'}"
        return f"factor {'G/(G - 1)' if clustered else 'n/(n - 1)'}"


def _ratio(above: float, below: float) -> float:
    if below <= 0:
        raise DataError(
            f"the finite-sample factor {above:g}/{below:g} does not exist: there are too few observations for that "
            "many coefficients. Use small_sample=False."
        )
    return above / below
