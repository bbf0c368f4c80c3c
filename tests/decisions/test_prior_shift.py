"""Posteriors under new priors, and priors from rows without labels."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

from posteriori.decisions.prior_shift import estimate_priors, shift

SEEDS = st.integers(0, 2**32 - 1)


def posteriors(rng, n, K, spread=3.0):
    logs = rng.normal(scale=spread, size=(n, K))
    return logs - logsumexp(logs, axis=1, keepdims=True)


def gaussians(rng, n, means, priors, training):
    """Draw rows from Gaussian classes under `priors`, and give their log posteriors under `training`."""
    labels = rng.choice(len(priors), size=n, p=priors)
    x = means[labels] + rng.standard_normal((n, means.shape[1]))
    logs = np.log(training) - 0.5 * ((x[:, None] - means) ** 2).sum(axis=2)
    return logs - logsumexp(logs, axis=1, keepdims=True), labels


@given(seed=SEEDS, K=st.integers(2, 6))
def test_the_shift_is_bayes_rule_with_the_densities_of_training(seed, K):
    rng = np.random.default_rng(seed)
    training, new = rng.dirichlet(np.ones(K)), rng.dirichlet(np.ones(K))
    densities = rng.normal(scale=20.0, size=(30, K))
    old, wanted = densities + np.log(training), densities + np.log(new)
    old, wanted = (logs - logsumexp(logs, axis=1, keepdims=True) for logs in (old, wanted))
    np.testing.assert_allclose(shift(old, training, new), wanted, rtol=1e-11, atol=1e-12)


def test_small_probabilities_are_shifted_without_being_lost():
    logs = np.array([[-2000.0, 0.0]])
    found = shift(logs, np.array([0.5, 0.5]), np.array([0.999, 0.001]))
    with mpmath.workdps(50):
        a, b = mpmath.exp(-2000) * mpmath.mpf(0.999), mpmath.mpf(0.001)
        wanted = [float(mpmath.log(a / (a + b))), float(mpmath.log(b / (a + b)))]
    np.testing.assert_allclose(found, [wanted], rtol=1e-14, atol=1e-300)


def test_a_shift_and_its_inverse_cancel():
    rng = np.random.default_rng(0)
    training, new, logs = np.array([0.2, 0.3, 0.5]), np.array([0.6, 0.3, 0.1]), posteriors(rng, 100, 3)
    np.testing.assert_allclose(shift(shift(logs, training, new), new, training), logs, rtol=1e-12, atol=1e-13)


def test_classes_at_zero_are_never_predicted_and_rows_of_theirs_alone_are_marked():
    logs = np.log([[0.2, 0.3, 0.5], [0.5, 0.25, 0.25]])
    found = np.exp(shift(logs, np.array([0.4, 0.4, 0.2]), np.array([0.5, 0.5, 0.0])))
    np.testing.assert_allclose(found, [[0.4, 0.6, 0.0], [2 / 3, 1 / 3, 0.0]], rtol=1e-14)
    with np.errstate(divide="ignore"):
        alone = np.log(np.array([[0.0, 0.0, 1.0]]))
    assert np.isneginf(shift(alone, np.array([0.4, 0.4, 0.2]), np.array([0.5, 0.5, 0.0]))).all()


@given(seed=SEEDS, K=st.integers(2, 6), n=st.integers(1, 200))
def test_the_estimate_is_certified_and_no_neighbour_is_more_probable(seed, K, n):
    rng = np.random.default_rng(seed)
    training, logs = rng.dirichlet(np.full(K, 3.0)), posteriors(rng, n, K)
    weights = rng.integers(1, 4, n).astype(float)
    found = estimate_priors(logs, training, weights)
    assert found.converged
    assert found.gap <= 1e-8
    assert found.priors.min() >= 0
    assert found.priors.sum() == pytest.approx(1.0, abs=1e-14)

    def likelihood(priors):
        return weights @ np.log(np.exp(logs - np.log(training)) @ priors)

    best = likelihood(found.priors)
    assert found.log_likelihood == pytest.approx(best - likelihood(training), rel=1e-9, abs=1e-9)
    for other in rng.dirichlet(np.ones(K), size=50):
        for near in (1.0, 1e-2, 1e-4):
            assert likelihood((1 - near) * found.priors + near * other) <= best + found.gap + 1e-11 * n


@given(seed=SEEDS)
def test_of_two_classes_the_estimate_is_the_maximum_another_optimiser_finds(seed):
    logs = posteriors(np.random.default_rng(seed), 40, 2, 2.0)
    found = estimate_priors(logs, np.array([0.3, 0.7])).priors[1]
    ratio = np.exp(logs - np.log([0.3, 0.7]))
    other = minimize_scalar(
        lambda t: -np.log((1 - t) * ratio[:, 0] + t * ratio[:, 1]).sum(),
        bounds=(0, 1),
        method="bounded",
        options={"xatol": 1e-12},
    )
    assert found == pytest.approx(other.x, abs=1e-5)


def test_weights_are_copies_and_the_fixed_point_is_that_of_em():
    rng = np.random.default_rng(1)
    training, logs, weights = np.array([0.2, 0.3, 0.5]), posteriors(rng, 80, 3), rng.integers(1, 4, 80)
    found = estimate_priors(logs, training, weights.astype(float))
    copied = estimate_priors(np.repeat(logs, weights, axis=0), training)
    np.testing.assert_allclose(found.priors, copied.priors, atol=1e-7)
    again = np.average(np.exp(shift(logs, training, found.priors)), axis=0, weights=weights)
    np.testing.assert_allclose(again, found.priors, atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_a_simulated_shift_is_recovered_within_its_standard_error(seed):
    rng = np.random.default_rng(seed)
    means, training = 1.5 * rng.standard_normal((3, 4)), np.array([0.6, 0.3, 0.1])
    new, n = np.array([0.1, 0.2, 0.7]), 4000
    logs, _ = gaussians(rng, n, means, new, training)
    found = estimate_priors(logs, training).priors
    ratio = np.exp(logs - np.log(training))
    basis = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])  # priors sum to one
    score = (ratio / (ratio @ found)[:, None]) @ basis
    covariance = basis @ np.linalg.inv(score.T @ score) @ basis.T
    assert (np.abs(found - new) < 4.0 * np.sqrt(np.diag(covariance))).all()
    assert np.abs(found - new).max() < 0.06
    assert np.abs(found - training).max() > 0.4


def test_a_class_that_is_not_there_any_more_goes_to_zero():
    rng = np.random.default_rng(3)
    means, training = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]), np.full(3, 1 / 3)
    logs, _ = gaussians(rng, 1000, means, np.array([0.5, 0.5, 0.0]), training)
    found = estimate_priors(logs, training)
    assert found.converged
    assert found.priors[2] < 0.005


def test_classes_with_proportional_densities_do_not_stop_the_estimate():
    rng = np.random.default_rng(4)
    two = posteriors(rng, 50, 2)
    logs = np.column_stack([two[:, 0], two[:, 1] - np.log(2), two[:, 1] - np.log(2)])
    found = estimate_priors(logs, np.array([0.5, 0.25, 0.25]))
    assert found.converged
    assert found.priors[0] == pytest.approx(estimate_priors(two, np.array([0.5, 0.5])).priors[0], abs=1e-6)


def test_a_class_without_training_prior_stays_at_zero():
    rng = np.random.default_rng(5)
    logs = np.column_stack([posteriors(rng, 50, 2), np.full(50, -np.inf)])
    found = estimate_priors(logs, np.array([0.5, 0.5, 0.0]))
    assert found.priors[2] == 0.0
    assert found.converged
