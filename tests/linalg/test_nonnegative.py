"""The small problems under bounds that a bounded Newton step is made of, against other solvers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog, nnls

from posteriori.designs.units import Units
from posteriori.engines.select import engine_for
from posteriori.linalg.nonnegative import least_norm, nonnegative_minimum, undetermined
from posteriori.linalg.subspaces import flat_directions
from posteriori.links.noisy_or import NoisyOrLink
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.newton.bounded import BoundedNewton, bounded_solution
from posteriori.tables.features import Features
from posteriori.tables.memory import MemoryTable
from posteriori.tables.schema import numbered

SEEDS = st.integers(0, 2**32 - 1)


@given(seed=SEEDS, p=st.integers(1, 25))
def test_a_nonnegative_minimum_is_that_of_nonnegative_least_squares(seed, p):
    rng = np.random.default_rng(seed)
    A, t = rng.standard_normal((p + 5, p)), rng.standard_normal(p + 5)
    wanted, _ = nnls(A, t)
    for free in (np.ones(p, bool), np.zeros(p, bool), rng.random(p) < 0.5):
        found = nonnegative_minimum(A.T @ A, -A.T @ t, free)
        np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=1e-9)
        assert ((found == 0) == (wanted == 0)).all()


@given(seed=SEEDS)
def test_positive_pairs_that_make_blocks_go_round_in_circles_still_end(seed):
    rng = np.random.default_rng(seed)
    A = np.abs(rng.standard_normal((12, 10))) + 3.0  # nearly parallel columns
    b = -A.T @ np.abs(rng.standard_normal(12))
    H = A.T @ A
    v = nonnegative_minimum(H, b, np.ones(10, bool))
    slope, size = H @ v + b, np.abs(H) @ v + np.abs(b)
    assert (v >= 0).all()
    assert (slope >= -1e-10 * size).all()
    assert (np.abs(slope[v > 0]) <= 1e-10 * size[v > 0]).all()


@given(seed=SEEDS)
def test_the_least_norm_is_in_the_plane_above_the_bounds_and_shorter_than_any_other(seed):
    rng = np.random.default_rng(seed)
    null = np.linalg.qr(rng.standard_normal((6, 3)))[0]
    v = np.abs(rng.standard_normal(6)) * (rng.random(6) < 0.6)
    found = least_norm(v, null)
    moved = found - v
    np.testing.assert_allclose(moved, null @ (null.T @ moved), atol=1e-9)
    assert (found >= 0).all()
    assert found @ (v - found) >= -1e-9  # the angle to any other point is not acute
    for _ in range(5):
        other = linprog(rng.standard_normal(3), A_ub=-null, b_ub=v, bounds=(-10, 10)).x
        assert found @ (v + null @ other - found) >= -1e-8


@given(seed=SEEDS)
def test_a_coordinate_is_undetermined_where_a_programme_finds_two_values_of_it(seed):
    rng = np.random.default_rng(seed)
    B = rng.integers(0, 2, (3, 6)).astype(float)
    B[0] = 1.0  # so that the set is bounded
    v = rng.integers(0, 3, 6) * (rng.random(6) < 0.5).astype(float)
    v[0] += 1.0
    _, values, rows = np.linalg.svd(B)
    null = rows[int((values > 1e-9).sum()) :].T
    ends = [[linprog(sign * np.eye(6)[j], A_eq=B, b_eq=B @ v).fun * sign for sign in (1, -1)] for j in range(6)]
    wanted = [high - low > 1e-6 for low, high in ends]
    assert undetermined(v, null).tolist() == wanted


def test_flat_directions_are_those_of_dependent_columns():
    rng = np.random.default_rng(0)
    A = rng.standard_normal((50, 3))
    A = np.column_stack([A, A[:, 0] - 2.0 * A[:, 1]])
    A /= np.linalg.norm(A, axis=0)
    flat = flat_directions(A.T @ A)
    assert flat.shape == (4, 1)
    np.testing.assert_allclose(A @ flat, 0.0, atol=1e-6)
    assert flat_directions(A[:, :3].T @ A[:, :3]).shape == (3, 0)
    assert flat_directions(np.zeros((0, 0))).shape == (0, 0)


def objective_of(X, y):
    table = MemoryTable(Features(X, numbered(X.shape[1])), y)
    p = X.shape[1]
    units = Units(np.zeros(p), np.ones(p), False)
    return PenalizedLikelihood(
        engine_for(table), NoisyOrLink(), units, Quadratic(np.zeros(p), np.zeros(p)), np.zeros((p, 0))
    )


def test_fixed_coefficients_stay_and_the_certificate_counts_the_free():
    rng = np.random.default_rng(3)
    X = rng.gamma(1.0, 1.0, (80, 4))
    y = (rng.random(80) < -np.expm1(-X @ [0.5, 0.2, 0.0, 0.0])).astype(int)
    objective = objective_of(X, y)
    held = np.array([False, True, False, False])
    state, reason = BoundedNewton(held, 1e-8).solve(objective, np.array([0.3, 0.25, 0.3, 0.3]))
    solution = bounded_solution(state, reason, 1e-8)
    assert state.point.w[1] == 0.25
    assert solution.converged
    assert solution.n_free == (state.point.w > 0).sum()
    gradient = objective.slope(state.point.w).gradient[~held]
    above = state.point.w[~held] > 0
    assert np.abs(gradient[above]).max() < 1e-6
    assert (gradient[~above] > -1e-6).all()


def test_a_start_far_out_comes_back_without_leaving_the_domain():
    rng = np.random.default_rng(4)
    X = np.column_stack([np.ones(100), rng.gamma(1.0, 1.0, 100)])
    y = (rng.random(100) < 0.3).astype(int)
    objective = objective_of(X, y)
    ends = [
        BoundedNewton(np.zeros(2, bool), 1e-8).solve(objective, start)[0]
        for start in (np.array([8.0, 8.0]), np.array([1e-9, 1e-9]), np.array([0.5, 0.0]))
    ]
    for end in ends:
        assert end.decrement <= 1e-8
        np.testing.assert_allclose(end.point.w, ends[0].point.w, rtol=0, atol=1e-7)


def test_a_curvature_beyond_floats_is_said():
    objective = objective_of(np.array([[1e-200], [1.0]]), np.array([1, 0]))
    with np.errstate(all="ignore"):
        state, reason = BoundedNewton(np.zeros(1, bool), 1e-8).solve(objective, np.array([1.0]))
    assert "beyond the range" in reason
    assert state.decrement == np.inf
    assert bounded_solution(state, reason, 1e-8).gap == pytest.approx(np.inf)
