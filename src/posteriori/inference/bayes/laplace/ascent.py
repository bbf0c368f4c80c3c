"""Newton ascent to a maximum of a log density, in coordinates in which the density is about one wide."""

from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from posteriori.arrays import Array
from posteriori.inference.bayes.laplace.finite_differences import COARSE, FINE, Ladder, natural_steps
from posteriori.inference.bayes.laplace.log_density import LogDensity, worded
from posteriori.messages.errors import DataError

#: Newton decrement at a mode: how many standard deviations it may be away before the last step.
NEAR = 1e-7
#: Steps after which a density still rising is taken to have no mode.
MOST = 200
#: Most by which a direction is lengthened at a time, and how often, before the density is called flat along it.
STRETCH, TRIES = 1e3, 3
#: How high a log density may rise above zero and the size of its start before it is called unbounded.
CEILING = 1e10
#: Relative change of the curvature over the last step, above which the mode is not an ordinary one.
SETTLED = 1e-2
#: Distance from the edge of the support, in widths of the density, below which a maximum, or the end of an ascent
#: without one, counts as lying on the edge. Ascents towards an edge end nearer than this on any processor.
MAXIMUM_AT_EDGE, END_AT_EDGE = 1e-3, 0.05


class NoMaximumError(DataError):
    """The ascent ended at `z` without a maximum."""

    def __init__(self, message: str, z: Array) -> None:
        super().__init__(message)
        self.z = z


@dataclass(frozen=True)
class Top:
    """A maximum: where, how high, and the curvature A along the columns of `directions`, about the identity."""

    z: Array
    value: float
    directions: Array
    curvature: Array


def ascend(density: LogDensity, z: Array) -> Top:
    """Return the maximum that Newton's method with a trust region reaches from `z`.

    Raises
    ------
    DataError : where the ascent ends at a point that is no maximum, or on the edge of where the density is positive
    """
    steps = np.diag(_first_steps(density, z))
    try:
        top = _newton(density, z, steps)
    except NoMaximumError as failure:
        _raise_if_on_edge(density, failure.z, END_AT_EDGE * steps)
        raise DataError(str(failure)) from None
    values, V = np.linalg.eigh(top.curvature)
    _raise_if_on_edge(density, top.z, MAXIMUM_AT_EDGE * top.directions @ (V / np.sqrt(values)))
    return top


def _raise_if_on_edge(density: LogDensity, z: Array, steps: Array) -> None:
    """Raise if the density is zero one step away from `z`, on either side along a column of `steps`."""
    for step in steps.T:
        if np.isinf([density.value(z + step), density.value(z - step)]).any():
            raise DataError(
                f"there is no maximum with a Gaussian around it: the ascent ends near {worded(z)}, on the edge of "
                "where the density is positive."
            )


def _newton(density: LogDensity, z: Array, L: Array) -> Top:
    """Take Newton steps within a trust region until the density falls in every direction.

    Each step is taken in coordinates in which the last curvature was the identity. A stationary point that is no
    maximum ends the ascent: the direction in which to leave it would be arbitrary.
    """
    value = density.value(z)
    trust, tries, levels = 1.0, 0, COARSE
    ceiling = CEILING * (1.0 + abs(value))
    for _ in range(MOST):
        if value > ceiling:
            raise DataError(f"there is no maximum: the log density has risen to {value:.3g} at {worded(z)}, unbounded.")
        g, H = density.along(z, L, levels)
        _raise_if_not_finite(g, H, z)
        lengths, V = np.linalg.eigh(-H)
        noise = 64.0 * np.finfo(np.float64).eps * (1.0 + abs(value))
        flat = max(16.0 * noise, 1e-11 * max(float(np.abs(lengths).max()), 1.0))
        c = V.T @ g
        unseen = (np.abs(c) <= 16.0 * noise) & (np.abs(lengths) <= flat)  # neither slope nor curvature: no way to go
        stretch = np.maximum(np.abs(lengths), STRETCH**-2)
        if np.abs(c).max() <= 16.0 * noise and lengths[0] <= flat:  # stationary, and not curved down everywhere
            if lengths[0] < -flat or tries >= TRIES:
                _raise_stationary(density, z, L @ V[:, 0])
            tries += 1
        elif lengths[0] > flat and float(c @ (c / lengths)) <= max(NEAR, noise) ** 2:
            if levels == FINE and (top := _finished(density, z, L, g, H)) is not None:
                higher = _higher(density, top)
                if higher is None:
                    return top
                z, value, trust = higher, density.value(higher), 1.0
                continue
            levels = FINE
            z = z + L @ (V @ (c / lengths))
            value = density.value(z)
        else:
            z, value, trust = _climb(density, z, value, L @ V, (np.where(unseen, 0.0, c), lengths), trust)
            stretch = np.where(unseen, 1.0, stretch)
        L = L @ (V / np.sqrt(stretch))
    raise NoMaximumError(
        f"no maximum was found in {MOST} steps: the log density still rises, or flattens out, at {worded(z)}, where it "
        f"is {value:.6g}. It may be unbounded, have its maximum at infinity, or be flat.",
        z,
    )


def _first_steps(density: LogDensity, z: Array) -> Array:
    if density.curve is None:
        return natural_steps(density.value, z)
    diagonal = np.abs(np.diagonal(density.along(z, np.eye(len(z)), COARSE)[1]))
    return np.where(diagonal > 0, 1.0 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0)), 1.0)


def _climb(
    density: LogDensity, z: Array, value: float, ways: Array, model: tuple[Array, Array], trust: float
) -> tuple[Array, float, float]:
    """Take the best step of the quadratic model within the trust region, shortened until the density rises."""
    c, lengths = model
    for _ in range(60):
        step = _within(c, lengths, trust)
        promised = float(c @ step - 0.5 * (lengths * step) @ step)
        there = z + ways @ step
        found = density.value(there)
        gain, size = found - value, float(np.linalg.norm(step))
        noise = 8.0 * np.finfo(np.float64).eps * (1.0 + abs(value))
        if gain > 1e-4 * promised or (promised < 100.0 * noise and gain >= -noise):
            grown = 3.0 * trust if gain > 0.7 * promised and size > 0.9 * trust else trust
            # in the next coordinates a unit is what the curvature says, no longer that of these
            scaled = float(np.linalg.norm(step * np.sqrt(np.maximum(np.abs(lengths), STRETCH**-2))))
            return there, found, grown * max(scaled / max(size, 1e-300), 1e-8)
        trust = min(trust, size) / 4.0
    raise NoMaximumError(
        f"no step from {worded(z)} increases the log density, though its slope there is not zero: the log density is "
        "not smooth, or the derivatives given are not its own.",
        z,
    )


def _within(c: Array, lengths: Array, trust: float) -> Array:
    """Maximise c's - s'diag(lengths)s / 2 over |s| <= trust."""

    def step(shift: float) -> Array:
        return c / (lengths + shift)

    low = max(0.0, -float(lengths[0])) + 1e-12 * max(float(np.abs(lengths).max()), float(np.abs(c).max()) / trust)
    if lengths[0] > 0 and np.linalg.norm(step(0.0)) <= trust:
        return step(0.0)
    if np.linalg.norm(step(low)) <= trust:  # hardly any slope along the direction of least curvature
        return step(low)
    high = low + float(np.linalg.norm(c)) / trust
    for _ in range(100):
        middle = np.sqrt(low * high) if low > 0 else (low + high) / 2.0
        low, high = (middle, high) if np.linalg.norm(step(middle)) > trust else (low, middle)
    return step(high)


def _finished(density: LogDensity, z: Array, L: Array, g: Array, H: Array) -> Top | None:
    """Take the last Newton step; return the maximum, or None where the curvature has not settled.

    At a maximum flatter than any parabola, or at infinity, Newton's steps shrink and the curvature with them.
    """
    z = z + L @ np.linalg.solve(-H, g)
    value = density.value(z)
    _, after = density.along(z, L, FINE)
    if not np.isfinite(value) or not np.isfinite(after).all():
        return None
    if np.abs(after - H).max() > SETTLED * np.abs(H).max() or np.linalg.eigvalsh(-after)[0] <= 0:
        return None
    if density.curve is None:
        _raise_if_kinked(density, z, L, after)
    return Top(z, value, L, -after)


def _raise_if_kinked(density: LogDensity, z: Array, L: Array, H: Array) -> None:
    """Raise if the second differences of the density depend on their step."""
    near, ladder = L / 16.0, Ladder(COARSE)
    value = np.asarray(density.value(z))
    for i, way in enumerate(near.T):
        second = float(ladder.second(lambda t, way=way: np.asarray(density.value(z + t * way)), value, 1.0)) * 256.0  # type: ignore[misc]
        noise = 1e5 * np.finfo(np.float64).eps * (1.0 + abs(float(value)))  # differences so near are less exact
        if abs(second - H[i, i]) > 10.0 * SETTLED * abs(H[i, i]) + noise:
            raise NoMaximumError(
                f"the log density is not smooth at its maximum {worded(z)}: its second difference along "
                f"{worded(way / np.linalg.norm(way))} depends on the step, so no Gaussian approximates it.",
                z,
            )


def _higher(density: LogDensity, top: Top) -> Array | None:
    """Return a higher point one standard deviation away along an axis of the curvature, or None."""
    values, V = np.linalg.eigh(top.curvature)
    ways = (top.directions @ (V / np.sqrt(values))).T
    noise = 64.0 * np.finfo(np.float64).eps * abs(top.value)
    for way in (*ways, *-ways):
        if density.value(top.z + way) > top.value + noise:
            higher: Array = top.z + way
            return higher
    return None


def _raise_if_not_finite(g: Array, H: Array, z: Array) -> None:
    if not (np.isfinite(g).all() and np.isfinite(H).all()):
        raise NoMaximumError(
            f"the derivatives of log_density are not finite at {worded(z)}: it is not smooth there, so no Gaussian "
            "approximates it.",
            z,
        )


def _raise_stationary(density: LogDensity, z: Array, direction: Array) -> NoReturn:
    way = worded(direction / np.linalg.norm(direction))
    value = density.value(z)
    near = max(density.value(z + t * direction) for t in (-1.0, -0.1, -0.01, 0.01, 0.1, 1.0))
    if near > value + 8.0 * np.finfo(np.float64).eps * (1.0 + abs(value)):
        raise NoMaximumError(
            f"{worded(z)} is a stationary point but no maximum: the log density rises from it along {way}. Start "
            "elsewhere.",
            z,
        )
    raise NoMaximumError(
        f"{worded(z)} is a stationary point but no proper maximum: the log density has no curvature along {way}, so "
        "no Gaussian approximates it.",
        z,
    )
