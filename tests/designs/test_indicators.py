"""Gram matrices by indicator columns are those of the matrix product."""

import numpy as np
import pytest

from posteriori.designs import design
from posteriori.designs.design import DenseDesign
from posteriori.designs.indicators import IndicatorRows


def standardised(X):
    spread = X.std(axis=0)
    return np.column_stack([np.ones(len(X)), (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)])


def mixed_rows(n=300, seed=0):
    """Return numbers, indicators of factors, a rare and a frequent indicator, and a constant, standardised."""
    rng = np.random.default_rng(seed)
    factors = [np.eye(levels)[rng.integers(0, levels, n)][:, 1:] for levels in (30, 12, 7, 2)]
    rare, frequent = np.arange(n) == 5, np.arange(n) != 7
    return standardised(np.column_stack([rng.normal(size=(n, 2)), *factors, rare, frequent, np.zeros(n)]))


def curvature_of(n, q, seed=1):
    p = np.random.default_rng(seed).dirichlet(np.full(q, 0.2), size=n)
    return p[:, :, None] * np.eye(q) - p[:, :, None] * p[:, None, :]


def test_the_hessian_by_indicators_is_that_of_the_matrix_product(monkeypatch):
    Z, C = mixed_rows(), curvature_of(300, 5)
    full = DenseDesign(Z).gram(C)
    monkeypatch.setattr(design, "LARGE", 0.0)
    rows = DenseDesign(Z)
    assert rows.indicators is not None
    fast = rows.gram(C)
    size = np.sqrt(np.maximum(np.diagonal(full), 1e-300))
    assert np.abs((fast - full) / size[:, None] / size)[:, size > 1e-100][size > 1e-100].max() < 1e-13
    assert np.array_equal(fast, fast.T)


@pytest.mark.parametrize("scale", [1.0, 1e-12])
def test_uneven_weights_lose_no_digits_of_a_column(scale):
    Z = mixed_rows()
    w = np.where(np.arange(300) % 3 == 0, 1.0, scale)[:, None]
    fast = IndicatorRows.of(Z).grams(w)[0]
    exact = np.array([[float(np.sum((Z[:, i] * Z[:, j] * w[:, 0]).astype(np.longdouble))) for j in range(Z.shape[1])]
                      for i in range(Z.shape[1])])  # fmt: skip
    size = np.sqrt(np.maximum(np.diagonal(exact), 1e-300))
    errors = np.abs(fast - exact) / np.where(size > 0, size, 1.0)[:, None] / np.where(size > 0, size, 1.0)
    assert errors[size > 1e-100][:, size > 1e-100].max() < 1e-13


def test_rows_without_enough_indicators_have_no_such_structure():
    assert IndicatorRows.of(np.random.default_rng(0).normal(size=(50, 20))) is None
