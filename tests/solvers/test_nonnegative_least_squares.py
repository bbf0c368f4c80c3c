"""Nonnegative least squares: the conditions of a minimum hold for whatever columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posteriori.solvers.nonnegative_least_squares import nonnegative_least_squares

COLUMNS = {
    "random": lambda rng, m, n: rng.standard_normal((m, n)),
    "whole numbers, many of them equal": lambda rng, m, n: rng.integers(-2, 3, (m, n)).astype(float),
    "zeros and ones": lambda rng, m, n: rng.integers(0, 2, (m, n)).astype(float),
    "of low rank": lambda rng, m, n: rng.standard_normal((m, 2)) @ rng.standard_normal((2, n)),
    "nearly parallel": lambda rng, m, n: rng.standard_normal((m, 1)) + 1e-9 * rng.standard_normal((m, n)),
}


@pytest.mark.parametrize("kind", list(COLUMNS))
@given(seed=st.integers(0, 2**32 - 1), m=st.integers(1, 9), n=st.integers(1, 60))
def test_no_column_lowers_the_residual_and_those_in_use_leave_it_alone(kind, seed, m, n):
    rng = np.random.default_rng(seed)
    A, b = COLUMNS[kind](rng, m, n), rng.integers(-2, 3, m) + rng.integers(0, 2) * rng.standard_normal(m)
    x = nonnegative_least_squares(A, b)
    assert (x >= 0).all()
    slope = A.T @ (b - A @ x)
    size = np.linalg.norm(A, axis=0) * np.linalg.norm(b)
    assert (slope <= 1e-11 * size).all()
    assert (np.abs(slope[x > 0]) <= 1e-11 * size[x > 0]).all()


def test_a_point_of_the_cone_of_the_columns_is_reached():
    rng = np.random.default_rng(0)
    A = rng.standard_normal((40, 150))
    b = A @ np.maximum(rng.standard_normal(150), 0.0)
    assert np.linalg.norm(A @ nonnegative_least_squares(A, b) - b) <= 1e-13 * np.linalg.norm(b)
