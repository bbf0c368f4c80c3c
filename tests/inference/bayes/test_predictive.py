"""Predictive probabilities: the integral against mpmath, limits, symmetry, and sampling against the integral."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_expit, log_softmax

from posteriori.models.posterior.predictive import (
    drawn,
    drawn_intervals,
    drawn_pair,
    integral,
    normal_draws,
    pairwise,
    probit,
)

MEANS = st.floats(-50, 50)
SPREADS = st.floats(0, 30)


def exactly(mu, s):
    """Integrate the logistic function over a Gaussian with twenty digits."""
    with mp.workdps(20):
        mu, s = mp.mpf(mu), mp.mpf(s)
        top = mu  # where the integrand is largest
        for _ in range(100):
            p = 1 / (1 + mp.e**top)
            top += (p - (top - mu) / s**2) / (p * (1 - p) + 1 / s**2)
        ends = sorted({top + s * t for t in range(-14, 15)} | {mp.mpf(4 * t) for t in range(-10, 11)})
        return mp.quad(lambda a: mp.npdf(a, mu, s) / (1 + mp.exp(-a)), ends)


@pytest.mark.parametrize("s", [0.01, 0.3, 1.0, 3.0, 10.0, 100.0])
@pytest.mark.parametrize("mu", [0.0, 0.7, -3.0, 20.0])
def test_the_integral_is_exact_in_both_classes(mu, s):
    smaller = exactly(-abs(mu), s)
    wanted = [float(mp.log(smaller)), float(mp.log1p(-smaller))]
    found = integral(np.array([mu]), np.array([s]))[0]
    for log, exact in zip(found if mu >= 0 else found[::-1], wanted, strict=True):
        assert abs(log - exact) < 1e-11 * max(1.0, -exact)


@pytest.mark.parametrize(("mu", "s"), [(-1000.0, 1.0), (-1000.0, 10.0), (-1000.0, 1e-3), (-300.0, 5.0)])
def test_far_in_the_tail_the_log_is_that_of_a_log_normal_mean(mu, s):
    found = integral(np.array([mu, -mu]), np.array([s, s]))
    assert found[0, 1] == pytest.approx(mu + s * s / 2, rel=1e-13)
    assert found[1, 0] == found[0, 1]
    assert -1e-100 < found[0, 0] <= 0.0


@pytest.mark.parametrize("average", [probit, integral])
@given(mu=MEANS, s=SPREADS)
def test_classes_are_treated_alike_and_sum_to_one(average, mu, s):
    logs = average(np.array([mu, -mu]), np.array([s, s]))
    np.testing.assert_array_equal(logs[0], logs[1, ::-1])
    assert np.exp(logs[0]).sum() == pytest.approx(1.0, abs=1e-14)
    assert (logs[0, 1] - logs[0, 0]) * mu >= 0


@pytest.mark.parametrize("average", [probit, integral])
def test_without_spread_it_is_the_logistic_function_and_with_endless_spread_one_half(average):
    mu = np.array([-900.0, -2.0, 0.0, 3.0])
    np.testing.assert_allclose(average(mu, np.zeros(4))[:, 1], log_expit(mu), rtol=1e-14)
    assert np.abs(np.exp(average(mu[1:], np.full(3, 1e150))) - 0.5).max() < 1e-12
    assert np.isfinite(average(np.array([1e200, -1e200]), np.array([1e200, 1e180]))).all()


@given(mu=MEANS, s=SPREADS)
def test_the_probit_approximation_is_near_the_integral(mu, s):
    found, wanted = (np.exp(f(np.array([mu]), np.array([s]))) for f in (probit, integral))
    assert np.abs(found - wanted).max() < 0.02


def test_sampling_agrees_with_the_integral():
    rng = np.random.default_rng(0)
    mu, s = 3 * rng.standard_normal(200), np.abs(2 * rng.standard_normal(200))
    found = np.exp(drawn_pair(mu, s, normal_draws(1, seed=5)))
    np.testing.assert_allclose(found, np.exp(integral(mu, s)), rtol=0, atol=1e-3)
    np.testing.assert_array_equal(found[:, 1] > found[:, 0], mu > 0)


def predictors(seed, n=50, K=3):
    """Draw means, and variances of differences that belong to a covariance."""
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((n, K, K))
    V = root @ root.transpose(0, 2, 1)
    diagonal = np.einsum("nkk->nk", V)
    return 2 * rng.standard_normal((n, K)), diagonal[:, :, None] + diagonal[:, None, :] - 2 * V, V


@given(seed=st.integers(0, 2**32 - 1))
def test_of_two_of_several_classes_the_approximation_is_that_of_two(seed):
    mu, apart, _ = predictors(seed, K=2)
    wanted = probit(mu[:, 1] - mu[:, 0], np.sqrt(apart[:, 0, 1]))
    np.testing.assert_allclose(pairwise(mu, apart), wanted, rtol=1e-12, atol=1e-14)


@given(seed=st.integers(0, 2**32 - 1))
def test_a_term_common_to_all_classes_has_no_effect_and_zero_variance_is_the_softmax(seed):
    mu, apart, _ = predictors(seed, K=4)
    np.testing.assert_allclose(pairwise(mu + 7.0, apart), pairwise(mu, apart), rtol=0, atol=1e-12)
    np.testing.assert_allclose(pairwise(mu, 0 * apart), log_softmax(mu, axis=1), rtol=0, atol=1e-12)


@pytest.mark.slow
def test_draws_of_several_classes_agree_with_plain_sampling_and_the_approximation_is_near():
    mu, apart, V = predictors(1)
    found = np.exp(drawn(mu, apart, normal_draws(3, seed=0)))
    rng = np.random.default_rng(2)
    draws = np.stack([rng.multivariate_normal(m, v, size=100_000) for m, v in zip(mu, V, strict=True)])
    wanted = np.exp(log_softmax(draws, axis=2)).mean(axis=1)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=0.006)
    approximate, certain = np.exp(pairwise(mu, apart)), np.exp(log_softmax(mu, axis=1))
    assert np.abs(approximate - wanted).mean() < 0.03
    assert np.abs(approximate - wanted).mean() < 0.5 * np.abs(certain - wanted).mean()


def test_intervals_by_draws_nest_and_hold_their_share():
    mu, apart, V = predictors(4)
    draws = normal_draws(3, seed=0)
    narrow, wide = (drawn_intervals(mu, apart, draws, level) for level in (0.5, 0.9))
    assert (wide[..., 0] <= narrow[..., 0]).all()
    assert (wide[..., 1] >= narrow[..., 1]).all()
    rng = np.random.default_rng(0)
    fresh = np.stack([rng.multivariate_normal(m, v, size=20_000) for m, v in zip(mu, V, strict=True)])
    p = np.exp(log_softmax(fresh, axis=2))
    held = ((p >= wide[:, None, :, 0]) & (p <= wide[:, None, :, 1])).mean(axis=1)
    assert np.abs(held - 0.9).max() < 0.02
