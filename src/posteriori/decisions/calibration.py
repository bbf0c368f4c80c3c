"""Calibration: whether what is forecast with probability p comes true in a share p of the rows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from posteriori.arrays import Array, Codes
from posteriori.decisions.proportions import wilson
from posteriori.input.frames.native import frame_of

#: The most bins of a calibration error, and the fewest rows a bin should have.
BINS, ROWS_PER_BIN = 10, 20


def distances(logs: Array, codes: Codes) -> Array:
    """Give P(class) less 1 for the true class, less 0 for the others, (n, K)."""
    apart = np.exp(logs)
    at = np.arange(len(codes)), codes
    apart[at] = np.expm1(logs[at])  # p - 1, exact near 1
    return apart


def by_rank(keys: Array, bins: int, weights: Array | None = None) -> Codes:
    """Cut rows into bins of equally many by rank; rows of one key are in one bin, so that some may be empty, (n,).

    Parameters
    ----------
    keys : (n,) what they are ranked by
    bins : how many
    weights : (n,) a row of weight k counts as k rows

    >>> by_rank(np.array([0.1, 0.4, 0.4, 0.9]), 2).tolist()
    [0, 0, 0, 1]
    """
    if weights is None:
        before = np.searchsorted(np.sort(keys), keys, side="left")
        return np.asarray(before * bins // len(keys), dtype=np.intp)
    order = np.argsort(keys, kind="stable")
    ranked, upto = keys[order], np.concatenate([[0.0], np.cumsum(weights[order])])
    below = upto[np.searchsorted(ranked, keys, side="left")]
    place: Codes = np.minimum(np.floor_divide(below * bins, upto[-1]), bins - 1).astype(np.intp)
    return place


def by_width(probabilities: Array, bins: int) -> Codes:
    """Cut rows into bins of equal width from 0 to 1, the last with both its ends, (n,).

    >>> by_width(np.array([0.0, 0.5, 1.0]), 2).tolist()
    [0, 1, 1]
    """
    return np.minimum(np.floor(probabilities * bins), bins - 1).astype(np.intp)


def calibration_parts(keys: Array, apart: Array, weights: Array | None = None) -> Array:
    """Give each row's part in the calibration error of one event, (n,): see `calibration_error`.

    Parameters
    ----------
    keys : (n,) what grows with the probability of the event
    apart : (n,) that probability, less 1 where the event came true
    weights : (n,) a row of weight k counts as k rows
    """
    total = len(keys) if weights is None else float(weights.sum())
    bins = int(max(1, min(BINS, total // ROWS_PER_BIN)))
    place = by_rank(keys, bins, weights)
    gaps = np.bincount(place, apart if weights is None else weights * apart, bins)
    parts: Array = np.sign(gaps)[place] * apart
    return parts


def calibration_error(logs: Array, codes: Codes, weights: Array | None = None) -> Array:
    """Give each row's part in the gap between what was forecast and what came, averaged over the classes.

    For each class the rows are sorted by its probability p and cut into up to 10 bins of equally many rows (at least
    20 each, rows of equal p together). The error is the mean over classes of sum_b (n_b / n) |mean of p - share of
    the class| over the bins b: for two classes the distance between a reliability diagram and its diagonal. It is a
    mean over rows of (p - [row is of the class]) times the sign of its bin's gap, which is what is given here, (n,).

    Parameters
    ----------
    logs : (n, K) log probabilities
    codes : (n,) true classes
    weights : (n,) a row of weight k counts as k rows, in the bins and in the mean to be taken

    Notes
    -----
    Even a perfectly calibrated model has gaps by chance, of about 0.8 sqrt(p(1-p)/n_b) a bin, so a small error is no
    proof of miscalibration, and models are to be compared on the same rows.

    >>> logs = np.log(np.full((40, 2), 0.5))
    >>> round(calibration_error(logs, np.repeat([0, 1], [30, 10])).mean().item(), 12)
    0.25
    """
    apart = distances(logs, codes)
    parts = np.zeros(len(apart))
    for k in range(apart.shape[1]):
        parts += calibration_parts(logs[:, k], apart[:, k], weights)
    averaged: Array = parts / apart.shape[1]
    return averaged


@dataclass(frozen=True)
class Reliability:
    """How often an event came true, against how probable it was said to be, bin by bin.

    Parameters
    ----------
    forecast : (B,) mean probability of each bin that has rows, rising
    share : (B,) share of its rows in which the event came true
    weight : (B,) its rows, or their weight
    low, high : (B,) Wilson's interval of the share, a row of weight k counting as k rows
    level : of that interval
    error : the calibration error of the event, as in `calibration_error`
    spread : (S,) weight of the rows by probability, in S bins of equal width from 0 to 1
    library : the frame library of the data, or None
    """

    forecast: Array
    share: Array
    weight: Array
    low: Array
    high: Array
    level: float
    error: float
    spread: Array
    library: str | None = None

    def to_frame(self, native: str | None = None) -> Any:
        """Give a frame, one row a bin: of the library named (pandas, polars, pyarrow), else the data's."""
        names = ("forecast", "share", "weight", "low", "high")
        return frame_of({name: getattr(self, name) for name in names}, native=native or self.library)


#: Bins of equal width in which the forecasts themselves are counted.
SPREAD = 25


def reliability(
    probabilities: Array,
    keys: Array,
    apart: Array,
    came: NDArray[np.bool_],
    weights: Array | None = None,
    *,
    bins: int = 10,
    strategy: str = "quantile",
    level: float = 0.95,
    library: str | None = None,
) -> Reliability:
    """Compare forecasts of one event with what came.

    Parameters
    ----------
    probabilities : (n,) given to the event
    keys : (n,) what rows are ranked by: the probabilities, or their logs, which tell apart what rounds to one
    apart : (n,) that probability, less 1 where the event came true
    came : (n,) whether it came true
    weights : (n,) positive; a row of weight k counts as k rows
    bins : how many, at most
    strategy : "quantile" for bins of equally many rows, those of one probability together; "uniform" of equal width
    level : of the intervals
    library : the frame library of the data, kept for `Reliability.to_frame`

    Examples
    --------
    >>> p, came = np.array([0.2, 0.2, 0.8, 0.8]), np.array([False, True, True, True])
    >>> found = reliability(p, np.log(p), p - came, came, bins=2)
    >>> found.forecast.round(12).tolist(), found.share.tolist()
    ([0.2, 0.8], [0.5, 1.0])
    """
    weight = np.ones(len(keys)) if weights is None else weights
    place = by_rank(keys, bins, weights) if strategy == "quantile" else by_width(probabilities, bins)
    held: Array = np.bincount(place, weight, bins).astype(np.float64, copy=False)
    there = held > 0
    held = held[there]
    forecast = np.bincount(place, weight * probabilities, bins)[there] / held
    share = np.bincount(place, weight * came, bins)[there] / held
    low, high = wilson(share, held, float(ndtri(0.5 + level / 2)))
    error = float(np.average(calibration_parts(keys, apart, weights), weights=weight))
    spread: Array = np.bincount(by_width(probabilities, SPREAD), weight, SPREAD).astype(np.float64, copy=False)
    return Reliability(forecast, share, held, low, high, level, error, spread, library)
