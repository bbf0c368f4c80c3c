"""What the conjugate priors of Gaussian columns share: checks of their fields, and the mode of the means."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.numbers import read_numbers
from posteriori.checks.parameters import is_number
from posteriori.messages.errors import DataError

#: Weight in rows of the prior mean under ``estimate="map"``.
WEAK_KAPPA = 0.01


@dataclass(frozen=True)
class ConjugatePrior:
    """The normal part of a conjugate prior of d columns: mu | S ~ N(mean, S / kappa), mean (d,)."""

    mean: Array
    kappa: float

    def mode_of_means(self, weight: Array, mean: Array) -> Array:
        """Return the class means at the mode, (K, d), from weights (K, d) or (K, 1) and means of the rows."""
        return self.mean + weight / (self.kappa + weight) * (mean - self.mean)


def check_fields(prior: Any, positive: tuple[str, ...], dimensions: Mapping[str, int]) -> None:
    """Check the fields of a prior, and store them as floats and tuples of floats, which compare and are stored as such.

    Parameters
    ----------
    prior : the frozen prior
    positive : names of the fields that are positive numbers
    dimensions : names of the other fields, finite numbers, with the most dimensions that each may have
    """
    kind = type(prior).__name__
    for name, most in dimensions.items():
        value = getattr(prior, name)
        array = read_numbers(value, f"{kind}: {name}")
        if array.ndim > most or not np.isfinite(array).all():
            raise DataError(f"{kind}: {name}={value!r} must be a finite number, or one per column.")
        object.__setattr__(prior, name, _plain(array))
    for name in positive:
        value = getattr(prior, name)
        if not is_number(value) or not 0 < value < np.inf:
            raise DataError(f"{kind}: {name}={value!r} must be a positive number.")
        object.__setattr__(prior, name, float(value))


def _plain(array: Array) -> Any:
    """Return an array as a float, a tuple, or a tuple of tuples."""
    return tuple(map(_plain, array)) if array.ndim else float(array)
