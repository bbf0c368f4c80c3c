"""Preconditioned conjugate gradients."""

from collections.abc import Callable

import numpy as np

from posteriori.arrays import Array


def conjugate_gradients(
    product: Callable[[Array], Array],
    precondition: Callable[[Array], Array],
    b: Array,
    *,
    tolerance: float,
    limit: int,
    floor: float = 0.0,
) -> tuple[Array, Array, int]:
    """Solve H x = b with products H v; return x, the residual b - H x and the number of products.

    It ends when the residual, in the norm of the preconditioner, is `tolerance` times that of b, when its length is at
    most `floor`, or after `limit` products. A direction of no positive curvature ends it too: x is then what was solved
    before, or the first direction.

    >>> H = np.array([[4.0, 1.0], [1.0, 3.0]])
    >>> x, residual, products = conjugate_gradients(
    ...     lambda v: H @ v, lambda r: r, np.array([1.0, 2.0]), tolerance=1e-12, limit=10
    ... )
    >>> x.round(6).tolist(), products
    ([0.090909, 0.636364], 2)
    """
    x, residual = np.zeros_like(b), b
    direction = precondition(residual)
    energy, products = float(residual @ direction), 0
    target = tolerance**2 * energy
    while energy > target and np.linalg.norm(residual) > floor and products < limit:
        moved = product(direction)
        products += 1
        curvature = float(direction @ moved)
        if curvature <= 1e-300:
            x = x if x.any() else direction
            break
        length = energy / curvature
        x += length * direction
        residual = residual - length * moved
        preconditioned = precondition(residual)
        energy, before = float(residual @ preconditioned), energy
        direction = preconditioned + energy / before * direction
    return x, residual, products
