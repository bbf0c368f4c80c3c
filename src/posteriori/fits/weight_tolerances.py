"""The tolerances that follow from the weight of all rows."""

import numpy as np

from posteriori.statistics.row_summary import RowSummary

#: The largest mean weight that can be a frequency: floats count exactly up to here.
LARGEST_COUNT = 2.0**53


def for_weights(rows: RowSummary, decrement: float) -> float:
    """Return a limit on the decrement for rows of mean weight m: the same for m in [1, 2^53], else times sqrt(m).

    A decrement is in standard errors, which depend on the unit of weights. Weights of mean 1 to 2^53 are taken for
    frequencies, so the standard errors are those of the rows as weighted. Weights of mean below one are less than one
    row each, and floats do not count beyond 2^53: such weights are relative. The limit is then that of the same rows
    with weights of mean one, so that a common factor of the weights does not decide whether a fit converged.
    """
    mean = rows.total / rows.n_rows
    return decrement if 1.0 <= mean <= LARGEST_COUNT else float(decrement * np.sqrt(mean))


def reachable(rows: RowSummary, tol: float) -> float:
    """Return the tolerance of a solver: rounding of a sum of weights W moves its decrements by eps sqrt(W)."""
    return float(max(tol, 64 * np.finfo(np.float64).eps * np.sqrt(rows.total)))
