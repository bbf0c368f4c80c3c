"""The decrement that a fit claims, converged or not, recomputed in 60 digits: noisy-OR, kernels, few steps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import posteriori as pt
from tests.fits.certificate.exact_decrement import binary_decrement, kernel_decrement, noisy_or_decrement

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

SEEDS = st.integers(0, 2**32 - 1)
#: What two roundings of a bound may hide.
ROUNDED = 1.0 + 1e-12


def nasty_triggers(seed):
    """Draw columns of triggers, far from zero or nearly twice the same, and weights up to 1e10."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(5, 40)), int(rng.integers(1, 4))
    X = rng.exponential(size=(n, d)) + rng.choice([0.0, 1e3, 1e6])
    if rng.random() < 0.5:
        X = np.column_stack([X, X[:, 0] * (1.0 + 10.0 ** rng.uniform(-12, -3) * rng.random(n))])
    y = rng.integers(0, 2, n)
    y[:2] = [0, 1]
    weights = 10.0 ** rng.uniform(-8, 10, n) if rng.random() < 0.5 else np.ones(n)
    return X, y, weights, bool(rng.integers(0, 2))


@settings(max_examples=25)
@given(seed=SEEDS, max_iter=st.sampled_from([1, 2, 3, 4, 5, None]))
def test_a_noisy_or_claims_no_less_than_its_decrement(seed, max_iter):
    X, y, weights, leak = nasty_triggers(seed)
    model = pt.NoisyOr(leak=leak, max_iter=max_iter).fit(X, y, sample_weight=weights)
    assert noisy_or_decrement(model, X, y, weights) <= ROUNDED * model.solution_.decrement


@pytest.mark.parametrize("seed", range(12))
def test_a_noisy_or_with_too_few_steps_claims_no_less_than_its_decrement(seed):
    X, y, weights, leak = nasty_triggers(seed)
    model = pt.NoisyOr(leak=leak, max_iter=1 + seed % 3).fit(X, y, sample_weight=weights)
    assert noisy_or_decrement(model, X, y, weights) <= ROUNDED * model.solution_.decrement


@pytest.mark.parametrize("max_iter", [1, 3, None])
def test_an_equal_column_leaves_a_bound_and_a_nearly_equal_one_leaves_none(max_iter):
    rng = np.random.default_rng(4)
    X = rng.exponential(size=(30, 2))
    y, weights = np.arange(30) % 2, rng.uniform(0.5, 2.0, 30)
    twice = np.column_stack([X, X[:, 0]])
    model = pt.NoisyOr(max_iter=max_iter).fit(twice, y, sample_weight=weights)
    true = noisy_or_decrement(model, twice, y, weights, without=(3,) if model.theta_[0] > 0 else ())
    assert true <= ROUNDED * model.solution_.decrement < np.inf
    nearly = np.column_stack([X, np.nextafter(X[:, 0], np.where(rng.random(30) < 0.5, 0.0, 9.0))])
    model = pt.NoisyOr(max_iter=max_iter).fit(nearly, y, sample_weight=weights)
    true = noisy_or_decrement(model, nearly, y, weights)
    assert true <= ROUNDED * model.solution_.decrement
    if max_iter is None and (model.theta_[[0, 2]] > 0).all():
        assert model.solution_.decrement == np.inf
        assert model.solution_.converged
        assert "flat to rounding" in model.solution_.reason


@pytest.mark.parametrize("max_iter", [1, None])
def test_a_direction_that_changes_no_likelihood_leaves_a_bound(max_iter):
    # both columns are equal in class 1, and are in as many rows of class 0
    X = np.array([[1.0, 1.0]] * 4 + [[1.0, 0.0]] * 2 + [[0.0, 1.0]] * 2 + [[0.0, 0.0]] * 3)
    y = np.array([1] * 4 + [0] * 7)
    model = pt.NoisyOr(max_iter=max_iter).fit(X, y)
    assert (model.theta_ > 0).all()
    true = noisy_or_decrement(model, X, y, np.ones(11), without=(2,))
    assert true <= ROUNDED * model.solution_.decrement < np.inf


def test_a_trigger_that_never_fails_counts_in_the_decrement():
    X = np.array([[1.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    y = np.array([1, 1, 1, 0, 0, 0])
    for max_iter in (1, 2, None):
        model = pt.NoisyOr(leak=False, max_iter=max_iter).fit(X, y)
        assert model.fit_status_ == "separated"
        assert noisy_or_decrement(model, X, y, np.ones(6)) <= ROUNDED * model.solution_.decrement


def nasty_kernels(seed):
    """Draw few rows, far from zero or nearly equal, weights up to 1e10, and kernels that are nearly singular."""
    rng = np.random.default_rng(seed)
    K = int(rng.integers(2, 4))
    n = int(rng.integers(5, 14 if K == 2 else 9))
    X = rng.standard_normal((n, 2)) * 10.0 ** rng.integers(-2, 3, 2) + rng.choice([0.0, 1e4, 1e8])
    if rng.random() < 0.5:
        X[1::2] = X[: len(X[1::2])] * (1.0 + 1e-9 * rng.random((len(X[1::2]), 2)))
    y = rng.integers(0, K, n)
    y[:K] = np.arange(K)
    weights = 10.0 ** rng.uniform(-8, 10, n) if rng.random() < 0.7 else np.ones(n)
    parameters = {
        "bandwidth": ["median", 1.0, 10.0, 1000.0][rng.integers(0, 4)],
        "precision": float(10.0 ** rng.uniform(-12, 2)),
        "centers": ["all", 4][rng.integers(0, 2)],
        "units": ["data", "sd"][rng.integers(0, 2)],
        "random_state": 0,
    }
    return X, y, weights, parameters


@pytest.mark.parametrize("seed", range(16))
def test_a_kernel_fit_claims_no_less_than_its_decrement(seed):
    X, y, weights, parameters = nasty_kernels(seed)
    model = pt.KernelLogisticRegression(**parameters).fit(X, y, sample_weight=weights)
    assert kernel_decrement(model, X, y, weights) <= ROUNDED * model.solution_.decrement


@pytest.mark.parametrize("seed", [9, 59, 77, 94])
def test_newton_for_kernels_stops_where_rounding_lowers_the_decrement_no_further(seed):
    X, y, weights, parameters = nasty_kernels(seed)
    solution = pt.KernelLogisticRegression(**parameters).fit(X, y, sample_weight=weights).solution_
    assert solution.iterations < 150  # of 200: how early depends on the processor
    assert solution.reason.startswith("no step lowers the Newton decrement")
    assert not solution.converged


def test_an_online_run_claims_no_less_than_its_decrement():
    rng = np.random.default_rng(3)
    X, y, weights = rng.standard_normal((6, 2)) + 1e8, np.arange(6) % 2, 10.0 ** rng.uniform(0, 4, 6)
    run = pt.KernelLogisticRegression(precision=3.0, units="sd", solver="online", random_state=1)
    run.fit(X, y, sample_weight=weights)
    assert kernel_decrement(run, X, y, weights) <= ROUNDED * run.solution_.decrement


@pytest.mark.parametrize("seed", range(4))
def test_offsets_that_leave_no_curvature_to_rounding_leave_no_bound(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((20, 3))
    X[:, 2] = X[:, 0] + 1e-10 * X[:, 2]
    y, offset = np.arange(20) % 2, 300.0 * rng.standard_normal(20)
    model = pt.LogisticRegression().fit(X, y, offset=offset)
    assert binary_decrement(model, X, y, offset=offset) <= ROUNDED * model.solution_.decrement


@pytest.mark.parametrize("link", ["logit", "cloglog", "probit"])
@pytest.mark.parametrize("seed", range(5))
def test_a_regression_with_too_few_steps_claims_no_less_than_its_decrement(link, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((30, 2)) + 10.0 ** rng.uniform(2, 5)
    y, weights = np.arange(30) % 2, 10.0 ** rng.uniform(-6, 6, 30)
    model = pt.BinaryRegression(link=link, max_iter=1 + seed % 2).fit(X, y, sample_weight=weights)
    assert binary_decrement(model, X, y, link=link, weights=weights) <= ROUNDED * model.solution_.decrement
