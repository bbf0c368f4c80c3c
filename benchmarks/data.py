"""The data of the jobs: made from fixed seeds, the last set kept so that jobs in a row share it."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.special import expit


class Rows(NamedTuple):
    """Features and classes."""

    X: Any
    y: NDArray[np.intp]


@lru_cache(maxsize=1)
def two_classes(n: int, d: int = 50, neighbours: float = 0.5) -> Rows:
    """Give columns correlated with their neighbours, as those of real tables are, and classes of a logistic model.

    Each column has variance one; `neighbours` is its correlation with the next. Independent columns (0.0) are the
    easiest case there is for methods that know no curvature, such as L-BFGS.
    """
    rng = np.random.default_rng(20)
    X = rng.standard_normal((n, d))
    for j in range(1, d if neighbours else 0):
        X[:, j] = neighbours * X[:, j - 1] + np.sqrt(1.0 - neighbours**2) * X[:, j]
    w = rng.standard_normal(d) * 0.3
    return Rows(X, (rng.random(n) < expit(X @ w - 0.5)).astype(np.intp))


def independent_two_classes(n: int) -> Rows:
    """Give independent standard normal columns and classes of a logistic model."""
    return two_classes(n, neighbours=0.0)


@lru_cache(maxsize=1)
def softmax_classes(n: int, d: int = 50, n_classes: int = 10) -> Rows:
    """Give independent standard normal columns and classes drawn from a softmax model."""
    rng = np.random.default_rng(21)
    X = rng.standard_normal((n, d))
    eta = X @ rng.standard_normal((d, n_classes)) * 0.3
    # the largest of scores with Gumbel noise is a draw from their softmax
    return Rows(X, (eta + rng.gumbel(size=eta.shape)).argmax(axis=1))


@lru_cache(maxsize=1)
def sparse_classes(n: int, d: int = 50_000, filled: int = 68) -> Rows:
    """Give CSR rows with so many cells filled, some columns much oftener than others, as words are."""
    rng = np.random.default_rng(22)
    columns = (d * rng.random((n, filled)) ** 3).astype(np.int32)  # columns met twice in a row add up
    cells = np.abs(rng.standard_normal((n, filled)))
    X = sp.csr_array((cells.ravel(), columns.ravel(), np.arange(n + 1) * filled), shape=(n, d))
    X.sum_duplicates()
    w = rng.standard_normal(d) * (rng.random(d) < 0.2)
    return Rows(X, (rng.random(n) < expit(X @ w)).astype(np.intp))


@lru_cache(maxsize=1)
def gaussian_classes(n: int, d: int = 50, n_classes: int = 10) -> Rows:
    """Give Gaussian classes about means of their own, with one dense covariance."""
    rng = np.random.default_rng(23)
    y = rng.integers(n_classes, size=n)
    X = rng.standard_normal((n, d)) @ (np.eye(d) + 0.2 * rng.standard_normal((d, d)))
    X += (0.5 * rng.standard_normal((n_classes, d)))[y]
    return Rows(X, y)


@lru_cache(maxsize=1)
def categories(n: int, d: int = 30, n_levels: int = 10, n_classes: int = 10) -> Rows:
    """Give columns of categories 0, 1, …, each class with a table of its own."""
    rng = np.random.default_rng(24)
    y = rng.integers(n_classes, size=n)
    X = np.empty((n, d), dtype=np.int64)
    for j in range(d):
        steps = rng.dirichlet(np.full(n_levels, 2.0), size=n_classes).cumsum(axis=1)
        X[:, j] = (rng.random(n)[:, None] > steps[y, :-1]).sum(axis=1)
    return Rows(X, y)


@lru_cache(maxsize=1)
def breast_cancer(n: int) -> Rows:
    """Give the Wisconsin breast cancer set that comes with scikit-learn, 569 x 30, in its own units."""
    from sklearn.datasets import load_breast_cancer

    X, y = load_breast_cancer(return_X_y=True)
    return Rows(np.ascontiguousarray(X[:n]), y[:n])
