"""Least squares under x >= 0, with the same answer whatever the version of SciPy."""

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: Units of rounding, times the number of rows, below which a column no longer lowers the residual.
ROUNDING = 8
#: Columns that may enter, per column, before the search stops.
MOST = 30


def nonnegative_least_squares(A: Array, b: Array) -> Array:
    """Compute the x >= 0 (n,) at which |A x - b| is least, by an active set method.

    At the minimum A'(b - A x) is zero where x is positive, and positive nowhere.

    Parameters
    ----------
    A : (m, n)
    b : (m,)

    Notes
    -----
    Lawson & Hanson (1974), Solving Least Squares Problems, ch. 23. ``scipy.optimize.nnls`` of SciPy 1.15.0 returns
    other points for about one problem in 300, and reports that their residual is zero.

    Examples
    --------
    >>> nonnegative_least_squares(np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([1.0, 2.0])).round(12).tolist()
    [0.0, 1.5]
    """
    norms = np.linalg.norm(A, axis=0)
    usable = norms > 0
    least = ROUNDING * np.finfo(np.float64).eps * len(A) * float(np.linalg.norm(b))
    if len(A) > A.shape[1]:
        Q, A = la.qr(A, mode="economic")
        b = Q.T @ b
    active = _ActiveSet(A, b)
    for _ in range(MOST * A.shape[1] + 100):
        gain = np.divide(A.T @ active.residual, norms, out=np.zeros_like(norms), where=usable)
        gain[active.columns] = 0.0
        if not (gain > least).any():
            break
        column, before = int(gain.argmax()), np.linalg.norm(active.residual)
        active.enter(column)
        # rounding can undo the gain of a column that nearly depends on the others: wait until another one gains
        usable = norms > 0 if np.linalg.norm(active.residual) < before else usable & (np.arange(len(norms)) != column)
    x = np.zeros(len(norms))
    x[active.columns] = active.x
    return x


class _ActiveSet:
    """The columns of A at which x is positive, with their QR factorization and the residual of their solution."""

    def __init__(self, A: Array, b: Array) -> None:
        self.A, self.b = A, b
        self.columns: list[int] = []
        self.x, self.residual = np.zeros(0), b
        self.Q, self.R = np.eye(len(A)), np.zeros((len(A), 0))

    def enter(self, column: int) -> None:
        """Add a column, drop those whose x would turn negative on the way to the solution, and solve."""
        self._add(column)
        solution = self._solution()
        if solution[-1] <= 0:  # by rounding alone
            self._drop(len(solution) - 1)
            solution = self._solution()
        while (solution <= 0).any():
            below = np.flatnonzero(solution <= 0)
            steps = self.x[below] / (self.x[below] - solution[below])
            self.x = self.x + steps.min() * (solution - self.x)
            self.x[below[steps.argmin()]] = 0.0
            for place in np.flatnonzero(self.x <= 0)[::-1].tolist():
                self._drop(place)
            solution = self._solution()
        self.x = solution
        k = len(solution)
        self.residual = self.Q[:, k:] @ (self.Q[:, k:].T @ self.b)

    def _add(self, column: int) -> None:
        k = len(self.columns)
        inserted = self.A[:, column]
        self.Q, self.R = la.qr_insert(self.Q, self.R, inserted, k, which="col") if k else la.qr(inserted[:, None])
        self.columns.append(column)
        self.x = np.append(self.x, 0.0)

    def _drop(self, place: int) -> None:
        if len(self.columns) > 1:
            self.Q, self.R = la.qr_delete(self.Q, self.R, place, which="col")
        else:
            self.Q, self.R = np.eye(len(self.A)), np.zeros((len(self.A), 0))
        del self.columns[place]
        self.x = np.delete(self.x, place)

    def _solution(self) -> Array:
        k = len(self.columns)
        found: Array = la.solve_triangular(self.R[:k], self.Q[:, :k].T @ self.b) if k else np.zeros(0)
        return found
