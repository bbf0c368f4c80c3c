"""`LinearForm`: a generative model as a linear model in its sufficient statistics."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from posteriori.arrays import Array


@dataclass(frozen=True)
class LinearForm:
    """Scores coef'T(x) + intercept whose softmax is the model's posterior; log priors are in the intercept.

    Book: [Mitchell] Eq. 22, §3.1; [Jordan] Eq. 7.8 and 7.27, §7.2.1, 7.35, §7.2.2, and 7.47-7.50,
    §7.2.3.

    Notes
    -----
    [Jordan] Eq. 7.45-7.50 assume equal priors, and in 7.47 the sign of eta_0 - eta_1 is reversed.

    Parameters
    ----------
    coef : (K, p)
    intercept : (K,)
    feature_names : names of the p statistics T(x)
    """

    coef: Array
    intercept: Array
    feature_names: tuple[str, ...]
    _statistics: Callable[[Any], Array] = field(repr=False, compare=False)

    def transform(self, X: Any) -> Array:
        """Return T(x) of rows, (n, p)."""
        return self._statistics(X)
