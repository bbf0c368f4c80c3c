"""Newton ascent to a maximum of a log density, in coordinates in which its curvature is about the identity."""

from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from posteriori.arrays import Array
from posteriori.inference.bayes.laplace.finite_differences import COARSE, FINE, Ladder, natural_steps
from posteriori.inference.bayes.laplace.log_density import LogDensity, text_of
from posteriori.messages.errors import DataError

#: Largest Newton decrement before the last step: the distance from the mode in standard deviations.
NEAR = 1e-7
#: Largest number of steps.
MOST = 200
#: Largest stretch of a direction per step, and number of stretches before the density is considered flat along it.
STRETCH, TRIES = 1e3, 3
#: Height of the log density, in units of one plus its size at the start, above which it is considered unbounded.
CEILING = 1e10
#: Largest relative change of the curvature over the last step at a regular maximum.
CHANGE = 1e-2
#: Distance from the edge of the support, in widths of the density, below which a maximum, or the end of an ascent
#: without one, is on the edge. Ascents towards an edge end nearer than this on all processors.
MAXIMUM_AT_EDGE, END_AT_EDGE = 1e-3, 0.05


class NoMaximumError(DataError):
    """The ascent ended at `z` without a maximum."""

    def __init__(self, message: str, z: Array) -> None:
        super().__init__(message)
        self.z = z


@dataclass(frozen=True)
class Top:
    """A maximum z, its value, and the curvature A along the columns of `directions`, close to the identity."""

    z: Array
    value: float
    directions: Array
    curvature: Array


def ascend(density: LogDensity, z: Array) -> Top:
    """Return the maximum that Newton's method with a trust region reaches from `z`.

    Raises
    ------
    DataError : if the ascent ends at a point that is not a maximum, or on the edge of the support
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
                f"there is no maximum with a Gaussian approximation: the ascent ends near {text_of(z)}, on the edge "
                "of the region where the density is positive."
            )


def _newton(density: LogDensity, z: Array, L: Array) -> Top:
    """Take Newton steps within a trust region until the density falls in every direction.

    Each step is in coordinates in which the previous curvature is the identity. A stationary point that is not a
    maximum ends the ascent, because a direction to leave it would be arbitrary.
    """
    value = density.value(z)
    trust, tries, levels = 1.0, 0, COARSE
    ceiling = CEILING * (1.0 + abs(value))
    for _ in range(MOST):
        if value > ceiling:
            raise DataError(
                f"there is no maximum: the log density has risen to {value:.3g} at {text_of(z)}, unbounded."
            )
        g, H = density.along(z, L, levels)
        _raise_if_not_finite(g, H, z)
        lengths, V = np.linalg.eigh(-H)
        noise = 64.0 * np.finfo(np.float64).eps * (1.0 + abs(value))
        flat = max(16.0 * noise, 1e-11 * max(float(np.abs(lengths).max()), 1.0))
        c = V.T @ g
        flat_axes = (np.abs(c) <= 16.0 * noise) & (np.abs(lengths) <= flat)  # neither slope nor curvature
        stretch = np.maximum(np.abs(lengths), STRETCH**-2)
        if np.abs(c).max() <= 16.0 * noise and lengths[0] <= flat:  # stationary, and not concave
            if lengths[0] < -flat or tries >= TRIES:
                _raise_stationary(density, z, L @ V[:, 0])
            tries += 1
        elif lengths[0] > flat and float(c @ (c / lengths)) <= max(NEAR, noise) ** 2:
            if levels == FINE and (top := _final(density, z, L, g, H)) is not None:
                higher = _higher(density, top)
                if higher is None:
                    return top
                z, value, trust = higher, density.value(higher), 1.0
                continue
            levels = FINE
            z = z + L @ (V @ (c / lengths))
            value = density.value(z)
        else:
            z, value, trust = _climb(density, z, value, L @ V, (np.where(flat_axes, 0.0, c), lengths), trust)
            stretch = np.where(flat_axes, 1.0, stretch)
        L = L @ (V / np.sqrt(stretch))
    raise NoMaximumError(
        f"no maximum was found in {MOST} steps: the log density still rises, or flattens out, at {text_of(z)}, where "
        f"it is {value:.6g}. It may be unbounded, have its maximum at infinity, or be flat.",
        z,
    )


def _first_steps(density: LogDensity, z: Array) -> Array:
    if density.curve is None:
        return natural_steps(density.value, z)
    diagonal = np.abs(np.diagonal(density.along(z, np.eye(len(z)), COARSE)[1]))
    return np.where(diagonal > 0, 1.0 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0)), 1.0)


def _climb(
    density: LogDensity, z: Array, value: float, axes: Array, model: tuple[Array, Array], trust: float
) -> tuple[Array, float, float]:
    """Take the best step of the quadratic model within the trust region, shortened until the density increases."""
    c, lengths = model
    for _ in range(60):
        step = _within(c, lengths, trust)
        predicted = float(c @ step - 0.5 * (lengths * step) @ step)
        there = z + axes @ step
        new_value = density.value(there)
        gain, size = new_value - value, float(np.linalg.norm(step))
        noise = 8.0 * np.finfo(np.float64).eps * (1.0 + abs(value))
        if gain > 1e-4 * predicted or (predicted < 100.0 * noise and gain >= -noise):
            grown = 3.0 * trust if gain > 0.7 * predicted and size > 0.9 * trust else trust
            # the trust radius in the coordinates of the next step, whose unit is the new curvature
            scaled = float(np.linalg.norm(step * np.sqrt(np.maximum(np.abs(lengths), STRETCH**-2))))
            return there, new_value, grown * max(scaled / max(size, 1e-300), 1e-8)
        trust = min(trust, size) / 4.0
    raise NoMaximumError(
        f"no step from {text_of(z)} increases the log density, though its slope there is not zero: the log density is "
        "not smooth, or gradient= and hessian= are not its derivatives.",
        z,
    )


def _within(c: Array, lengths: Array, trust: float) -> Array:
    """Maximise c's - s'diag(lengths)s / 2 over |s| <= trust."""

    def step(shift: float) -> Array:
        return c / (lengths + shift)

    low = max(0.0, -float(lengths[0])) + 1e-12 * max(float(np.abs(lengths).max()), float(np.abs(c).max()) / trust)
    if lengths[0] > 0 and np.linalg.norm(step(0.0)) <= trust:
        return step(0.0)
    if np.linalg.norm(step(low)) <= trust:  # almost no slope along the direction of least curvature
        return step(low)
    high = low + float(np.linalg.norm(c)) / trust
    for _ in range(100):
        middle = np.sqrt(low * high) if low > 0 else (low + high) / 2.0
        low, high = (middle, high) if np.linalg.norm(step(middle)) > trust else (low, middle)
    return step(high)


def _final(density: LogDensity, z: Array, L: Array, g: Array, H: Array) -> Top | None:
    """Take the last Newton step; return the maximum, or None if the curvature has not converged.

    Near a maximum without quadratic term, or at infinity, Newton steps become small and the curvature keeps decreasing.
    """
    z = z + L @ np.linalg.solve(-H, g)
    value = density.value(z)
    _, after = density.along(z, L, FINE)
    if not np.isfinite(value) or not np.isfinite(after).all():
        return None
    if np.abs(after - H).max() > CHANGE * np.abs(H).max() or np.linalg.eigvalsh(-after)[0] <= 0:
        return None
    if density.curve is None:
        _raise_if_kinked(density, z, L, after)
    return Top(z, value, L, -after)


def _raise_if_kinked(density: LogDensity, z: Array, L: Array, H: Array) -> None:
    """Raise if second differences of the density depend on the step."""
    near, ladder = L / 16.0, Ladder(COARSE)
    value = np.asarray(density.value(z))
    for i, axis in enumerate(near.T):
        second = float(ladder.second(lambda t, axis=axis: np.asarray(density.value(z + t * axis)), value, 1.0)) * 256.0  # type: ignore[misc]
        noise = 1e5 * np.finfo(np.float64).eps * (1.0 + abs(float(value)))  # rounding of differences with small steps
        if abs(second - H[i, i]) > 10.0 * CHANGE * abs(H[i, i]) + noise:
            raise NoMaximumError(
                f"the log density is not smooth at its maximum {text_of(z)}: its second difference along "
                f"{text_of(axis / np.linalg.norm(axis))} depends on the step, so no Gaussian approximates it.",
                z,
            )


def _higher(density: LogDensity, top: Top) -> Array | None:
    """Return a higher point one standard deviation away along an axis of the curvature, or None."""
    values, V = np.linalg.eigh(top.curvature)
    axes = (top.directions @ (V / np.sqrt(values))).T
    noise = 64.0 * np.finfo(np.float64).eps * abs(top.value)
    for axis in (*axes, *-axes):
        if density.value(top.z + axis) > top.value + noise:
            higher: Array = top.z + axis
            return higher
    return None


def _raise_if_not_finite(g: Array, H: Array, z: Array) -> None:
    if not (np.isfinite(g).all() and np.isfinite(H).all()):
        raise NoMaximumError(
            f"the derivatives of log_density are not finite at {text_of(z)}: it is not smooth there, so no Gaussian "
            "approximates it.",
            z,
        )


def _raise_stationary(density: LogDensity, z: Array, direction: Array) -> NoReturn:
    axis = text_of(direction / np.linalg.norm(direction))
    value = density.value(z)
    near = max(density.value(z + t * direction) for t in (-1.0, -0.1, -0.01, 0.01, 0.1, 1.0))
    if near > value + 8.0 * np.finfo(np.float64).eps * (1.0 + abs(value)):
        raise NoMaximumError(
            f"{text_of(z)} is a stationary point but no maximum: the log density rises from it along {axis}. Start "
            "elsewhere.",
            z,
        )
    raise NoMaximumError(
        f"{text_of(z)} is a stationary point but no strict maximum: the log density has no curvature along {axis}, so "
        "no Gaussian approximates it.",
        z,
    )
