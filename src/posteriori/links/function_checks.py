"""Checks that a user's functions are a distribution function, its density and its logs."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.messages.errors import DataError

Function = Callable[[Array], Array]

#: Number of points between the outermost quantiles at which functions are compared, the level of those quantiles, and a
#: bound on them.
POINTS, OUTERMOST, FARTHEST = 101, 1e-3, 1e100
#: Tolerance of density and slope, relative to the largest density, and of logs and logs of F; and the step of the
#: slope, as part of the interquartile range and of the distance from the median.
TOLERANCE, STEP = 1e-5, 1e-3


@dataclass(frozen=True)
class DistributionFunctions:
    """The functions F, f, and optionally the logs of F and 1 - F."""

    cdf: Function
    density: Function
    log_cdf: Function | None
    log_sf: Function | None


def check_functions(functions: DistributionFunctions) -> tuple[float, float]:
    """Raise if the functions are inconsistent, and where; return the median and the interquartile range."""
    for name in ("cdf", "density", "log_cdf", "log_sf"):
        function = getattr(functions, name)
        if not callable(function) and (function is not None or name in ("cdf", "density")):
            raise DataError(f"Link: {name} must be a function of an array, not {function!r}.")
    outer = quantiles(functions.cdf, np.array([OUTERMOST, 0.25, 0.5, 0.75, 1.0 - OUTERMOST]))
    low, lower, median, upper, high = outer.tolist()
    levels = (np.arange(POINTS) + 0.5) / POINTS
    eta = np.unique(np.concatenate([np.linspace(low, high, POINTS), quantiles(functions.cdf, levels)]))
    F = values_of("cdf", functions.cdf, eta)
    _check_rises(eta, F)
    away = (high - low) * 2.0 ** np.arange(0.0, 40.0, 2.0)
    beyond = np.concatenate([low - away[::-1], [low, high], high + away])
    _check_rises(beyond, values_of("cdf", functions.cdf, beyond))
    _check_density(functions, eta, STEP * (upper - lower + np.abs(eta - median)))
    for name, log, p in (("log_cdf", functions.log_cdf, F), ("log_sf", functions.log_sf, 1.0 - F)):
        if log is not None:
            _check_log(name, values_of(name, log, eta), p, eta)
    return median, upper - lower


def values_of(name: str, function: Function, eta: Array) -> Array:
    """Return a user's function of an array, which must have the same shape."""
    with np.errstate(all="ignore"):
        try:
            values = np.asarray(function(eta), dtype=np.float64)
        except (TypeError, ValueError) as problem:
            raise DataError(
                f"Link: {name} must accept an array and return one of the same shape; it raised "
                f"{type(problem).__name__}: {problem}. Write it with numpy's functions."
            ) from problem
    if values.shape != eta.shape:
        raise DataError(
            f"Link: {name} returned shape {values.shape} for an array of shape {eta.shape}; the shapes must be equal."
        )
    return values


def quantiles(cdf: Function, levels: Array) -> Array:
    """Return the quantiles of cdf at the levels, by bisection.

    >>> quantiles(lambda eta: 1.0 / (1.0 + np.exp(-eta)), np.array([0.25, 0.75])).round(9).tolist()
    [-1.098612289, 1.098612289]
    """
    low, high = _bracket(cdf, levels, -1.0), _bracket(cdf, levels, 1.0)
    for _ in range(200):
        middle = 0.5 * (low + high)
        below = values_of("cdf", cdf, middle) < levels
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return high


def _bracket(cdf: Function, levels: Array, towards: float) -> Array:
    """Return points below (towards = -1) or above (towards = 1) the quantiles."""
    end = np.full(len(levels), towards)
    while True:
        reached = values_of("cdf", cdf, end)
        short = ~(reached < levels) if towards < 0 else ~(reached > levels)
        if not short.any():
            return end
        end = np.where(short, 2.0 * end, end)
        if (np.abs(end) > FARTHEST).any():
            far = values_of("cdf", cdf, np.array([towards * 1e12])).item()
            raise DataError(f"Link: cdf({towards * 1e12:g}) is {far:.6g}; a distribution function rises from 0 to 1.")


def _check_rises(eta: Array, F: Array) -> None:
    outside = ~((F >= 0) & (F <= 1))
    if outside.any():
        at = int(outside.argmax())
        raise DataError(f"Link: cdf({eta[at]:.6g}) is {F[at]:.6g}, which is not a probability.")
    falls = np.diff(F) < -1e-12
    if falls.any():
        at = int(falls.argmax())
        raise DataError(
            f"Link: cdf decreases from {F[at]:.6g} at eta = {eta[at]:.6g} to {F[at + 1]:.6g} at {eta[at + 1]:.6g}; a "
            "distribution function never decreases."
        )


def _check_density(functions: DistributionFunctions, eta: Array, delta: Array) -> None:
    """Compare f with fourth-order central differences of F."""
    f = values_of("density", functions.density, eta)
    negative = ~(f >= 0)
    if negative.any():
        at = int(negative.argmax())
        raise DataError(f"Link: density({eta[at]:.6g}) is {f[at]:.6g}; a density is never negative.")
    near, far = (
        values_of("cdf", functions.cdf, eta + k * delta) - values_of("cdf", functions.cdf, eta - k * delta)
        for k in (1, 2)
    )
    slope = (8.0 * near - far) / (12.0 * delta)
    differs = np.abs(f - slope) > TOLERANCE * f.max() + 1e-14 / delta
    if differs.any():
        at = int(np.abs(f - slope).argmax())
        raise DataError(
            f"Link: density({eta[at]:.6g}) is {f[at]:.6g}, but the slope of cdf there is {slope[at]:.6g}; they differ "
            f"at {int(differs.sum())} of {len(eta)} points. density must be the derivative of cdf."
        )


def _check_log(name: str, log: Array, p: Array, eta: Array) -> None:
    with np.errstate(divide="ignore"):
        expected = np.log(p)
    differs = ~(np.abs(log - expected) <= TOLERANCE * (1.0 + np.abs(expected)))
    if differs.any():
        at = int(differs.argmax())
        argument = "cdf" if name == "log_cdf" else "1 - cdf"
        raise DataError(
            f"Link: {name}({eta[at]:.6g}) is {log[at]:.6g}, but the log of {argument} there is {expected[at]:.6g}."
        )
