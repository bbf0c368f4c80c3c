"""`LogDensity`: a user's log density, with the user's derivatives or finite differences."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.numbers import read_numbers
from posteriori.inference.bayes.laplace.finite_differences import FINE, gradient_along, hessian_along, jacobian_along
from posteriori.messages.errors import DataError


@dataclass
class LogDensity:
    """A log density and its derivatives, whose values are checked; -inf where the density is NaN."""

    function: Callable[[Any], Any]
    slope: Callable[[Any], Any] | None
    curve: Callable[[Any], Any] | None
    scalar: bool
    size: int
    evaluations: int = 0

    @classmethod
    def of(cls, function: Any, start: Any, gradient: Any, hessian: Any) -> tuple["LogDensity", Array]:
        """Check a user's functions and start."""
        for name, value in (("log_density", function), ("gradient", gradient), ("hessian", hessian)):
            if not callable(value) and (value is not None or name == "log_density"):
                raise DataError(f"{name} must be a function of z, not {value!r}.")
        z = np.array(read_numbers(start, "start"))
        if z.ndim > 1 or z.size == 0 or not np.isfinite(z).all():
            raise DataError(f"start must be a number or an array of M finite numbers; it has shape {z.shape}: {z}.")
        density = cls(function, gradient, hessian, z.ndim == 0, z.size)
        z = np.atleast_1d(z)
        at = density.value(z)
        if not np.isfinite(at):
            raw = density._call(function, z)
            raise DataError(f"log_density is {raw} at the start {text_of(z)}: start where the density is positive.")
        return density, z

    def value(self, z: Array) -> float:
        """Return log f(z), -inf where it is NaN."""
        self.evaluations += 1
        with np.errstate(all="ignore"):
            value = np.asarray(self._call(self.function, z), dtype=np.float64)
        if value.size != 1:
            raise DataError(f"log_density must return one number; it returned an array of shape {value.shape}.")
        number = float(value.ravel()[0])
        if number == np.inf:
            raise DataError(f"there is no maximum: log_density is infinite at {text_of(z)}.")
        return -np.inf if np.isnan(number) else number

    def gradient(self, z: Array) -> Array:
        """Return the gradient by the user's function."""
        assert self.slope is not None
        return self._derivative("gradient", self.slope, z, (self.size,))

    def along(self, z: Array, directions: Array, levels: int) -> tuple[Array, Array]:
        """Return first and second derivatives along the columns of `directions`."""
        by_user = self.slope is not None
        g = directions.T @ self.gradient(z) if by_user else gradient_along(self.value, z, directions, FINE)
        if self.curve is not None:
            hessian = self._derivative("hessian", self.curve, z, (self.size, self.size))
            H = directions.T @ ((hessian + hessian.T) / 2.0) @ directions
        elif self.slope is not None:
            H = jacobian_along(self.gradient, z, directions, levels)
        else:
            H = hessian_along(self.value, z, directions, levels)
        return g, H

    def _derivative(self, name: str, function: Callable[[Any], Any], z: Array, shape: tuple[int, ...]) -> Array:
        with np.errstate(all="ignore"):
            values = np.asarray(self._call(function, z), dtype=np.float64)
        if self.size == 1 and values.size == 1:
            values = values.reshape(shape)
        if values.shape != shape:
            raise DataError(f"{name} must return an array of shape {shape}; it returned {values.shape}.")
        return values

    def _call(self, function: Callable[[Any], Any], z: Array) -> Any:
        return function(float(z[0])) if self.scalar else function(z.copy())


def text_of(z: Array) -> str:
    """Return a point as text: its first six coordinates."""
    numbers = ", ".join(f"{value:.6g}" for value in z[:6])
    return f"({numbers}{', …' if len(z) > 6 else ''})"
