"""`Crossing`: the training size at which one model overtakes another."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.comparisons.repeated_scores import CURVES

#: Number of bootstrap samples of the repeats, and what replaces an infinite difference.
SAMPLES, HUGE = 2000, 1e300


@dataclass(frozen=True)
class Crossing:
    """The last crossing of two mean curves.

    Parameters
    ----------
    metric : what is compared; lower is better
    before, after : the model that is better just below the crossing, and the one that is better above it.
        Without a crossing both are the model that is better throughout, or None if the two are equal
    size : training rows, interpolated linearly in log m; None if there is no crossing
    low, high : the interval; 0 means below the smallest size, infinity above the largest
    level : of the interval
    smallest, largest : the range of sizes
    """

    metric: str
    before: str | None
    after: str | None
    size: float | None
    low: float
    high: float
    level: float
    smallest: int
    largest: int

    @property
    def exists(self) -> bool:
        """Whether the curves cross within the range of sizes."""
        return self.size is not None

    @property
    def found(self) -> bool:
        """Alias of `exists`."""
        return self.exists

    def __str__(self) -> str:
        name = CURVES[self.metric].name if self.metric in CURVES else self.metric
        if self.size is None:
            leader = "the two are equal" if self.before is None else f"{self.before} has the lower {name} at both ends"
            return f"none in the range from {self.smallest} to {self.largest} rows: {leader}"
        low = f"{self.low:.0f}" if self.low > 0 else f"below {self.smallest}"
        high = f"{self.high:.0f}" if np.isfinite(self.high) else f"above {self.largest}"
        return (
            f"{self.size:.0f} rows ({self.level:.0%} interval: {low} to {high}): {self.before} has the lower {name} "
            f"below, {self.after} above"
        )


def find_crossing(
    first: Array, second: Array, sizes: tuple[int, ...], names: tuple[str, str], metric: str, level: float, seed: int
) -> Crossing:
    """Find the last crossing of two models' mean curves, with a bootstrap interval over the repeats.

    Parameters
    ----------
    first, second : (S, R) scores by size and repeat; NaN where a fit failed
    sizes : (S,) training rows
    names : of the two models
    level : of the interval, which contains the central crossings of 2,000 bootstrap samples of the repeats. If a
        sampled curve ends on the other side, its crossing is above the largest size; if it never changes sides, its
        crossing is below the smallest
    seed : of the resampling
    """
    with np.errstate(invalid="ignore"):
        differences = np.clip(first - second, -HUGE, HUGE)  # losses may be infinite, and 0 times infinity is NaN
    known = ~np.isnan(differences)
    scored = known.any(axis=1)
    differences, known = np.where(known, differences, 0.0)[scored], known[scored].astype(np.float64)
    x = np.log(np.array(sizes, dtype=np.float64))[scored]
    ends, n_repeats = (sizes[0], sizes[-1]), differences.shape[1]
    mean = differences.sum(axis=1) / known.sum(axis=1)
    final = _final_sign(mean)
    size = _last_change(mean[None], x, final).sum()
    if final == 0 or size == 0:
        leader = None if final == 0 else names[int(final > 0)]
        return Crossing(metric, leader, leader, None, np.nan, np.nan, level, *ends)
    before, after = (names[1], names[0]) if final < 0 else names
    if n_repeats < 2:
        return Crossing(metric, before, after, float(size), 0.0, np.inf, level, *ends)
    rng = np.random.default_rng(seed)
    samples = rng.multinomial(n_repeats, np.full(n_repeats, 1 / n_repeats), size=SAMPLES)
    with np.errstate(invalid="ignore"):
        curves = np.nan_to_num(samples @ differences.T / (samples @ known.T))
    crossings = _last_change(curves, x, final)
    low, high = np.quantile(crossings, [0.5 - level / 2, 0.5 + level / 2], method="inverted_cdf")
    return Crossing(metric, before, after, float(size), float(low), float(high), level, *ends)


def _final_sign(curve: Array) -> float:
    """Return the sign of the last non-zero difference, or 0."""
    signs = np.sign(curve[curve != 0])
    return float(signs[-1]) if len(signs) else 0.0


def _last_change(curves: Array, x: Array, final: float) -> Array:
    """Return the size at which each curve (B, S) last changes to the final sign.

    It is 0 if the curve always has that sign, and infinity if it ends with the other.

    >>> _last_change(np.array([[-1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, -1.0]]), np.log([4.0, 16, 64]), 1.0)
    array([ 8.,  0., inf])
    """
    n_sizes = curves.shape[1]
    opposed = np.sign(curves) * final < 0
    at = n_sizes - 1 - opposed[:, ::-1].argmax(axis=1)  # the last size at which the other model was better
    after = np.minimum(at + 1, n_sizes - 1)
    numbers = np.arange(len(curves))
    y0, y1 = curves[numbers, at], curves[numbers, after]
    with np.errstate(invalid="ignore", divide="ignore"):  # at the last size both are the same point
        size = np.exp(x[at] + y0 / (y0 - y1) * (x[after] - x[at]))
    size = np.where(at == n_sizes - 1, np.inf, size)
    crossings: Array = np.where(opposed.any(axis=1), size, 0.0)
    return crossings
