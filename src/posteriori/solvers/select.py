"""Choice of the variant of Newton's method by the shape of the problem."""

import numpy as np
from numpy.typing import NDArray

#: Coefficients above which no Hessian is formed.
DENSE_LIMIT = 4000
#: Work of one exact Hessian (rows times squared coefficients) above which a sample comes first.
SAMPLE_FROM = 2e8


def method(solver: str, n_rows: int, n_parameters: int) -> str:
    """Choose "newton", "sampled" or "truncated" for solver "auto" or "irls" and a problem of this shape."""
    if n_parameters > DENSE_LIMIT:
        return "truncated"
    work = n_rows * float(n_parameters) ** 2
    if solver == "irls" or work < SAMPLE_FROM or n_rows < 8 * sample_rows(n_rows, n_parameters):
        return "newton"
    return "sampled"


def sample_rows(n_rows: int, n_parameters: int) -> int:
    """Choose how many rows to sample: so many that their Hessian costs about one sweep, at least 40 per coefficient."""
    return int(max(n_rows * min(0.1, 3.0 / n_parameters), 40 * n_parameters, 5000))


def sample_quota(class_rows: NDArray[np.float64], wanted: int) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return the sample size of each class (all rows of a rare one), and the hash thresholds that yield it.

    >>> sample_quota(np.array([99_000.0, 10.0]), 5000)[0].tolist()
    [5000, 10]
    """
    share = wanted * class_rows / class_rows.sum()
    least = np.minimum(class_rows, max(wanted / (4 * len(class_rows)), 1000))
    quota = np.ceil(np.minimum(np.maximum(share, least), class_rows))
    # the k-th smallest of N hashes is near k/N of their range; five standard deviations more make sure of the quota
    fraction = np.minimum((quota + 5 * np.sqrt(quota) + 5) / np.maximum(class_rows, 1), 1.0)
    threshold = np.where(fraction >= 1.0, np.uint64(2**64 - 1), (fraction * (2.0**64 - 4096)).astype(np.uint64))
    return quota.astype(np.int64), threshold
