"""Sums and products in twice the working precision: a number is an unevaluated sum of a float and its rounding error.

Dekker (1971), Numer. Math. 18, 224-242, for the product; Ogita, Rump and Oishi (2005), SIAM J. Sci. Comput. 26,
1955-1988, for sums. Every operation rounds once and none is fused, so the results do not depend on the processor.
"""

import numpy as np

from posteriori.arrays import Array

#: Splits a float into two halves of 26 bits.
_SPLIT = 134217729.0


def two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """Return a + b, rounded, and its rounding error.

    >>> two_sum(np.array([1.0]), np.array([1e-20]))
    (array([1.]), array([1.e-20]))
    """
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def two_product(a: Array, b: Array) -> tuple[Array, Array]:
    """Return a b, rounded, and its rounding error; both factors below 1e292, their product above 1e-290.

    >>> two_product(np.array([1.0 + 2.0**-52]), np.array([1.0 + 2.0**-52]))[1] == 2.0**-104
    array([ True])
    """
    product = a * b
    high_a, high_b = _high(a), _high(b)
    low_a, low_b = a - high_a, b - high_b
    return product, low_a * low_b - (((product - high_a * high_b) - low_a * high_b) - high_a * low_b)


def column_sums(high: Array, low: Array) -> tuple[Array, Array]:
    """Return the sums over the first axis of high + low, pairwise, with their rounding errors."""
    rest = low.sum(axis=0)
    if not len(high):
        return rest, rest
    while len(high) > 1:
        half = len(high) // 2
        if len(high) % 2:
            head, error = two_sum(high[0], high[-1])
            high = np.concatenate([head[None], high[1:-1]])
            rest = rest + error
        high, errors = two_sum(high[:half], high[half:])
        rest = rest + errors.sum(axis=0)
    return two_sum(high[0], rest)


def products_with(rows: Array, vector: Array) -> tuple[Array, Array, Array]:
    """Return rows (n, d) times a vector (d,), the rounding errors, and the sums of the products' sizes, (n,) each."""
    high, low = two_product(rows, vector)
    return *column_sums(high.T, low.T), np.abs(high).sum(axis=1)


def weighted_sums(rows: Array, high: Array, low: Array) -> tuple[Array, Array]:
    """Return the sum over rows (n, d) of high + low, (n,), times the row, and its rounding error, (d,) each."""
    products, errors = two_product(rows, high[:, None])
    return column_sums(products, errors + rows * low[:, None])


def _high(a: Array) -> Array:
    scaled = _SPLIT * a
    return scaled - (scaled - a)
