"""Validation of sample weights and offsets."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.checks.numbers import read_numbers
from posteriori.messages.errors import DataError

#: Range of the binary exponent of the largest weight, so that sums of squares and products do not overflow.
EXPONENTS = (-200, 200)


def read_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """Check weights: one per row, finite, not negative, not all zero; a number applies to all rows.

    If the largest weight is above 2^200 or below 2^-200, all are multiplied by the power of two that brings it there.
    Fits without a prior do not depend on the unit of the weights; with one, the data or the prior have no effect.
    """
    if sample_weight is None:
        return None
    weights = read_numbers(sample_weight, "sample_weight")
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.ndim != 1:
        raise DataError("Sample weights must be 1D array or scalar")
    if len(weights) != n_rows:
        raise DataError(f"sample_weight.shape == {weights.shape}, expected {(n_rows,)}! Pass one weight per row.")
    refuse_weights(weights)
    if not (weights > 0).any():
        raise DataError(f"sample_weight: all {n_rows} weights are zero, so there are no rows to fit.")
    return in_range(weights, "sample_weight: the weights")


def refuse_weights(weights: NDArray[np.float64]) -> None:
    """Raise if weights are not finite, or negative."""
    for bad, word in ((~np.isfinite(weights), "not finite"), (weights < 0, "negative")):
        if bad.any():
            first = int(np.argmax(bad))
            raise DataError(
                f"sample_weight: {int(bad.sum())} of {len(weights)} weights are {word}, the first at row {first} "
                f"({weights[first]:g}). Weights must be zero or positive numbers."
            )


def in_range(weights: NDArray[np.float64], what: str) -> NDArray[np.float64]:
    """Return weights (n,) or counts (n, K) times a power of two that brings the largest within `EXPONENTS`.

    >>> in_range(np.array([2.0**-1070, 3.0 * 2.0**-1070]), "the weights") * 2.0**200
    array([0.25, 0.75])
    """
    exponent = int(np.frexp(weights.max())[1])
    shift = min(max(exponent, EXPONENTS[0]), EXPONENTS[1]) - exponent
    if not shift:
        return weights
    scaled = np.ldexp(weights, shift)
    lost = int(((scaled == 0) & (weights > 0)).sum())
    if lost:
        raise DataError(
            f"{what} range from {weights[weights > 0].min():.3g} to {weights.max():.3g}, beyond the precision of "
            f"floating-point sums: {lost} of them would count as zero. Drop those rows, or increase their weights."
        )
    return scaled


def read_offset(offset: Any, n_rows: int, n_scores: int) -> NDArray[np.float64] | None:
    """Check an offset, (n,) for two classes, (n, K) for more, finite; return it as (n, q)."""
    if offset is None:
        return None
    values = read_numbers(offset, "offset")
    if values.ndim <= 1 and n_scores == 1:
        values = np.broadcast_to(values, (n_rows,)).reshape(-1, 1) if values.ndim == 0 else values.reshape(-1, 1)
    if values.shape != (n_rows, n_scores):
        expected = (n_rows,) if n_scores == 1 else (n_rows, n_scores)
        raise DataError(f"offset has shape {np.shape(offset)}, expected {expected}: one number per row and score.")
    bad = ~np.isfinite(values).all(axis=1)
    if bad.any():
        raise DataError(f"offset: {int(bad.sum())} rows are not finite, the first is row {int(np.argmax(bad))}.")
    return values
