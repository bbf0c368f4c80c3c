"""`Crossing`: the training size at which one model overtakes another."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.comparisons.scores_by_size import CURVES

#: Bootstrap samples of the repeats.
SAMPLES = 2000
#: Stands for an infinite difference.
HUGE = 1e300


@dataclass(frozen=True)
class Crossing:
    """Where two mean curves cross for the last time.

    Parameters
    ----------
    metric : what is compared; lower is better
    before, after : the model that is better just below the crossing, and the one that is better from there on.
        Without a crossing both are the model that is better throughout, or None where the two are equal
    size : training rows, between two sizes by a straight line over log m; None where there is no crossing
    low, high : the interval; 0 means below the smallest size tried, infinity above the largest
    level : of the interval
    smallest, largest : the range of sizes tried
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
    def found(self) -> bool:
        """Whether the curves cross in the range."""
        return self.size is not None

    def __str__(self) -> str:
        name = CURVES[self.metric].name if self.metric in CURVES else self.metric
        if self.size is None:
            who = "the two are equal" if self.before is None else f"{self.before} has the lower {name} at both ends"
            return f"none in the range from {self.smallest} to {self.largest} rows: {who}"
        low = f"{self.low:.0f}" if self.low > 0 else f"below {self.smallest}"
        high = f"{self.high:.0f}" if np.isfinite(self.high) else f"above {self.largest}"
        return (
            f"{self.size:.0f} rows ({self.level:.0%} interval: {low} to {high}): {self.before} has the lower {name} "
            f"below, {self.after} above"
        )


def cross(
    first: Array, second: Array, sizes: tuple[int, ...], names: tuple[str, str], metric: str, level: float, seed: int
) -> Crossing:
    """Find the last crossing of two models' mean curves, with a bootstrap interval over the repeats.

    Parameters
    ----------
    first, second : (S, R) scores by size and repeat; NaN where a fit failed
    sizes : (S,) training rows
    names : of the two models
    level : of the interval: the middle part of the crossings of 2,000 resamplings of the repeats. Of a resampled
        curve that ends on the other side, the crossing is beyond the largest size; of one that is on the final side
        from the beginning, below the smallest
    seed : of the resampling
    """
    with np.errstate(invalid="ignore"):
        apart = np.clip(first - second, -HUGE, HUGE)  # a loss may be infinite, and 0 times infinity is no number
    known = ~np.isnan(apart)
    there = known.any(axis=1)
    apart, known = np.where(known, apart, 0.0)[there], known[there].astype(np.float64)
    x = np.log(np.array(sizes, dtype=np.float64))[there]
    ends, n_repeats = (sizes[0], sizes[-1]), apart.shape[1]
    mean = apart.sum(axis=1) / known.sum(axis=1)
    final = _final_side(mean)
    place = _last_change(mean[None], x, final).sum()
    if final == 0 or place == 0:
        leader = None if final == 0 else names[int(final > 0)]
        return Crossing(metric, leader, leader, None, np.nan, np.nan, level, *ends)
    before, after = (names[1], names[0]) if final < 0 else names
    if n_repeats < 2:
        return Crossing(metric, before, after, float(place), 0.0, np.inf, level, *ends)
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(n_repeats, np.full(n_repeats, 1 / n_repeats), size=SAMPLES)
    with np.errstate(invalid="ignore"):
        curves = np.nan_to_num(drawn @ apart.T / (drawn @ known.T))
    places = _last_change(curves, x, final)
    low, high = np.quantile(places, [0.5 - level / 2, 0.5 + level / 2], method="inverted_cdf")
    return Crossing(metric, before, after, float(place), float(low), float(high), level, *ends)


def _final_side(curve: Array) -> float:
    """Give the sign of the last difference that is not zero; 0 where there is none."""
    sides = np.sign(curve[curve != 0])
    return float(sides[-1]) if len(sides) else 0.0


def _last_change(curves: Array, x: Array, final: float) -> Array:
    """Give the size at which each curve (B, S) last comes over to the final side; 0 where always there, inf never.

    >>> _last_change(np.array([[-1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, -1.0]]), np.log([4.0, 16, 64]), 1.0)
    array([ 8.,  0., inf])
    """
    sides = np.sign(curves) * final
    n_sizes = curves.shape[1]
    opposed = sides < 0
    at = n_sizes - 1 - opposed[:, ::-1].argmax(axis=1)  # the last size at which the other model was better
    after = np.minimum(at + 1, n_sizes - 1)
    numbers = np.arange(len(curves))
    left, right = curves[numbers, at], curves[numbers, after]
    with np.errstate(invalid="ignore", divide="ignore"):  # at the last size left is right
        place = np.exp(x[at] + left / (left - right) * (x[after] - x[at]))
    place = np.where(at == n_sizes - 1, np.inf, place)
    changed: Array = np.where(opposed.any(axis=1), place, 0.0)
    return changed
