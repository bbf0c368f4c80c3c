"""Calibration: whether events of predicted probability p occur with frequency p."""

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
    """Return P(class) - 1 for the true class and P(class) for the others, (n, K)."""
    errors, true = np.exp(logs), (np.arange(len(codes)), codes)
    errors[true] = np.expm1(logs[true])  # p - 1, exact near 1
    return errors


def by_rank(keys: Array, bins: int, weights: Array | None = None) -> Codes:
    """Return the bin of each row, (n,): bins of equal size by rank, rows of equal key in one bin (some are empty).

    Parameters
    ----------
    keys : (n,) the values to rank
    bins : the number of bins
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
    """Return the bin of each row, (n,): bins of equal width from 0 to 1, the last closed at both ends.

    >>> by_width(np.array([0.0, 0.5, 1.0]), 2).tolist()
    [0, 1, 1]
    """
    return np.minimum(np.floor(probabilities * bins), bins - 1).astype(np.intp)


def calibration_parts(keys: Array, errors: Array, weights: Array | None = None) -> Array:
    """Return the contribution of each row to the calibration error of one event, (n,) (`calibration_error`).

    Parameters
    ----------
    keys : (n,) increasing in the predicted probability of the event
    errors : (n,) that probability, minus 1 where the event occurred
    weights : (n,) a row of weight k counts as k rows
    """
    total = len(keys) if weights is None else float(weights.sum())
    bins = int(max(1, min(BINS, total // ROWS_PER_BIN)))
    place = by_rank(keys, bins, weights)
    sums = np.bincount(place, errors if weights is None else weights * errors, bins)
    parts: Array = np.sign(sums)[place] * errors
    return parts


def calibration_error(logs: Array, codes: Codes, weights: Array | None = None) -> Array:
    """Return the contribution of each row to the calibration error, averaged over the classes, (n,).

    For each class the rows are sorted by its probability p and cut into up to 10 bins of equally many rows (at least
    20 each, rows of equal p together). The error is the mean over classes of sum_b (n_b / n) |mean of p - frequency
    of the class| over the bins b: for two classes the distance between a reliability diagram and its diagonal. It is
    the mean over rows of (p - [row is of the class]) times the sign of that difference in the row's bin, which is
    what is returned.

    Parameters
    ----------
    logs : (n, K) log probabilities
    codes : (n,) true classes
    weights : (n,) a row of weight k counts as k rows, in the bins and in the mean to take

    Notes
    -----
    Even a perfectly calibrated model has differences by chance, of about 0.8 sqrt(p(1-p)/n_b) per bin, so a small error
    does not prove miscalibration. Compare models on the same rows.

    >>> logs = np.log(np.full((40, 2), 0.5))
    >>> round(calibration_error(logs, np.repeat([0, 1], [30, 10])).mean().item(), 12)
    0.25
    """
    errors = distances(logs, codes)
    parts: list[Array] = [calibration_parts(logs[:, k], errors[:, k], weights) for k in range(errors.shape[1])]
    return np.asarray(np.mean(parts, axis=0))


@dataclass(frozen=True)
class Reliability:
    """Observed frequency against predicted probability of an event, by bin.

    Parameters
    ----------
    forecast : (B,) mean predicted probability of each bin that is not empty, increasing
    share : (B,) frequency of the event in the bin
    weight : (B,) number of rows in the bin, or their weight
    low, high : (B,) Wilson's interval of the frequency, a row of weight k counting as k rows
    level : of that interval
    error : the calibration error of the event, as in `calibration_error`
    spread : (S,) histogram of the predicted probabilities: weight of the rows in S bins of equal width from 0 to 1
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
        """Return a frame with one row per bin, by default of the data's library (pandas, polars, pyarrow)."""
        names = ("forecast", "share", "weight", "low", "high")
        return frame_of({name: getattr(self, name) for name in names}, native=native or self.library)


#: Bins of the histogram of predicted probabilities.
HISTOGRAM_BINS = 25


def reliability(
    probabilities: Array,
    keys: Array,
    errors: Array,
    occurred: NDArray[np.bool_],
    weights: Array | None = None,
    *,
    bins: int = 10,
    strategy: str = "quantile",
    level: float = 0.95,
    library: str | None = None,
) -> Reliability:
    """Compare predicted probabilities of one event with its observed frequency.

    Parameters
    ----------
    probabilities : (n,) of the event
    keys : (n,) values to rank: the probabilities, or their logs, which differ where probabilities round to one
    errors : (n,) the probability, minus 1 where the event occurred
    occurred : (n,) whether it occurred
    weights : (n,) positive; a row of weight k counts as k rows
    bins : largest number of bins
    strategy : "quantile" for bins of equal size, equal probabilities in the same bin; "uniform" for equal width
    level : of the intervals
    library : the frame library of the data, for `Reliability.to_frame`

    Examples
    --------
    >>> p, occurred = np.array([0.2, 0.2, 0.8, 0.8]), np.array([False, True, True, True])
    >>> curve = reliability(p, np.log(p), p - occurred, occurred, bins=2)
    >>> curve.forecast.round(12).tolist(), curve.share.tolist()
    ([0.2, 0.8], [0.5, 1.0])
    """
    weight = np.ones(len(keys)) if weights is None else weights
    place = by_rank(keys, bins, weights) if strategy == "quantile" else by_width(probabilities, bins)
    counted = (np.ones(len(keys)), probabilities, occurred)
    sums: Array = np.stack([np.bincount(place, weight * values, bins) for values in counted])
    total, predicted, observed = sums[:, sums[0] > 0]
    low, high = wilson(observed / total, total, float(ndtri(0.5 + level / 2)))
    error = float(np.average(calibration_parts(keys, errors, weights), weights=weight))
    histogram = np.bincount(by_width(probabilities, HISTOGRAM_BINS), weight, HISTOGRAM_BINS).astype(np.float64)
    return Reliability(predicted / total, observed / total, total, low, high, level, error, histogram, library)
