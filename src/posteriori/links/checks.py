"""Whether a user's functions are a distribution function, its density and its logs, and where they are not."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.messages.errors import DataError

Function = Callable[[Array], Array]

#: Points between the outermost quantiles at which functions are compared, and how far out those quantiles are.
POINTS = 101
OUTERMOST = 1e-3
#: How far from zero a quantile is looked for.
FARTHEST = 1e100
#: How far apart, relative to the largest density, density and slope may be; and logs from logs of F.
AGREES = 1e-5
#: Step of the slope, as part of the spread between quartiles and of the distance from the median.
STEP = 1e-3


@dataclass(frozen=True)
class Functions:
    """What a user gives: F, f, and perhaps the logs of F and 1 - F."""

    cdf: Function
    density: Function
    log_cdf: Function | None
    log_sf: Function | None


def check_functions(given: Functions) -> tuple[float, float]:
    """Refuse functions that do not belong together, saying where; give the median and the spread between quartiles."""
    for name in ("cdf", "density", "log_cdf", "log_sf"):
        function = getattr(given, name)
        if not callable(function) and (function is not None or name in ("cdf", "density")):
            raise DataError(f"Link: {name} must be a function of an array, not {function!r}.")
    outer = quantiles(given.cdf, np.array([OUTERMOST, 0.25, 0.5, 0.75, 1.0 - OUTERMOST]))
    low, lower, middle, upper, high = outer.tolist()
    levels = (np.arange(POINTS) + 0.5) / POINTS
    eta = np.unique(np.concatenate([np.linspace(low, high, POINTS), quantiles(given.cdf, levels)]))
    F = values_of("cdf", given.cdf, eta)
    _refuse_falling(eta, F)
    away = (high - low) * 2.0 ** np.arange(0.0, 40.0, 2.0)
    beyond = np.concatenate([low - away[::-1], [low, high], high + away])
    _refuse_falling(beyond, values_of("cdf", given.cdf, beyond))
    _refuse_other_density(given, eta, STEP * (upper - lower + np.abs(eta - middle)))
    for name, log, share in (("log_cdf", given.log_cdf, F), ("log_sf", given.log_sf, 1.0 - F)):
        if log is not None:
            _refuse_other_log(name, values_of(name, log, eta), share, eta)
    return middle, upper - lower


def values_of(name: str, function: Function, eta: Array) -> Array:
    """Call a user's function, which must give a number for each."""
    with np.errstate(all="ignore"):
        try:
            values = np.asarray(function(eta), dtype=np.float64)
        except (TypeError, ValueError) as problem:
            raise DataError(
                f"Link: {name} must take an array and give one of the same shape; it raised {type(problem).__name__}: "
                f"{problem}. Write it with numpy's functions."
            ) from problem
    if values.shape != eta.shape:
        raise DataError(f"Link: {name} gave shape {values.shape} for an array of shape {eta.shape}; it must keep it.")
    return values


def quantiles(cdf: Function, levels: Array) -> Array:
    """Find where cdf reaches the levels, by bisection.

    >>> quantiles(lambda eta: 1.0 / (1.0 + np.exp(-eta)), np.array([0.25, 0.75])).round(9).tolist()
    [-1.098612289, 1.098612289]
    """
    ends = []
    for towards in (-1.0, 1.0):
        end = np.full(len(levels), towards)
        while True:
            reached = values_of("cdf", cdf, end)
            short = ~(reached < levels) if towards < 0 else ~(reached > levels)
            if not short.any():
                break
            end = np.where(short, 2.0 * end, end)
            if (np.abs(end) > FARTHEST).any():
                far = values_of("cdf", cdf, np.array([towards * 1e12])).item()
                raise DataError(
                    f"Link: cdf({towards * 1e12:g}) is {far:.6g}; a distribution function rises from 0 to 1."
                )
        ends.append(end)
    low, high = ends
    for _ in range(200):
        middle = 0.5 * (low + high)
        below = values_of("cdf", cdf, middle) < levels
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return high


def _refuse_falling(eta: Array, F: Array) -> None:
    outside = ~((F >= 0) & (F <= 1))
    if outside.any():
        at = int(outside.argmax())
        raise DataError(f"Link: cdf({eta[at]:.6g}) is {F[at]:.6g}, no probability.")
    falls = np.diff(F) < -1e-12
    if falls.any():
        at = int(falls.argmax())
        raise DataError(
            f"Link: cdf falls from {F[at]:.6g} at eta = {eta[at]:.6g} to {F[at + 1]:.6g} at {eta[at + 1]:.6g}; a "
            "distribution function never does."
        )


def _refuse_other_density(given: Functions, eta: Array, delta: Array) -> None:
    """Compare f with central differences of F, of fourth order."""
    f = values_of("density", given.density, eta)
    amiss = ~(f >= 0)
    if amiss.any():
        at = int(amiss.argmax())
        raise DataError(f"Link: density({eta[at]:.6g}) is {f[at]:.6g}; a density is never negative.")
    near, far = (
        values_of("cdf", given.cdf, eta + k * delta) - values_of("cdf", given.cdf, eta - k * delta) for k in (1, 2)
    )
    slope = (8.0 * near - far) / (12.0 * delta)
    off = np.abs(f - slope) > AGREES * f.max() + 1e-14 / delta
    if off.any():
        at = int(np.abs(f - slope).argmax())
        raise DataError(
            f"Link: density({eta[at]:.6g}) is {f[at]:.6g}, but the slope of cdf there is {slope[at]:.6g}; they differ "
            f"at {int(off.sum())} of {len(eta)} points. Give the derivative of cdf."
        )


def _refuse_other_log(name: str, log: Array, share: Array, eta: Array) -> None:
    with np.errstate(divide="ignore"):
        known = np.log(share)
    off = ~(np.abs(log - known) <= AGREES * (1.0 + np.abs(known)))
    if off.any():
        at = int(off.argmax())
        whose = "cdf" if name == "log_cdf" else "1 - cdf"
        raise DataError(
            f"Link: {name}({eta[at]:.6g}) is {log[at]:.6g}, but the log of {whose} there is {known[at]:.6g}."
        )
