"""Laplace's approximation: exact on Gaussians, refused where there is no maximum."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln, log_expit

import posteriori as pt

SEEDS = st.integers(0, 2**32 - 1)
GIVEN = {"nothing": (), "gradient": ("gradient",), "both": ("gradient", "hessian")}


def gaussian(seed, M):
    """Give the log density of a Gaussian with columns of very different width, and what is known of it."""
    rng = np.random.default_rng(seed)
    half = rng.standard_normal((M, M + 2))
    size = 10.0 ** rng.uniform(-2, 2, M)
    A, m = half @ half.T * np.outer(size, size), rng.standard_normal(M) / size
    derivatives = {"gradient": lambda z: -A @ (z - m), "hessian": lambda z: -A}
    return (lambda z: -0.5 * (z - m) @ A @ (z - m) - 17.0), A, m, derivatives


@pytest.mark.parametrize("known", GIVEN)
@given(seed=SEEDS, M=st.integers(1, 5))
def test_a_gaussian_is_its_own_approximation(known, seed, M):
    log_density, A, m, derivatives = gaussian(seed, M)
    found = pt.laplace(log_density, np.zeros(M), **{name: derivatives[name] for name in GIVEN[known]})
    sd = 1.0 / np.sqrt(np.diagonal(A))
    assert np.abs((found.mode - m) / sd).max() < 1e-8
    np.testing.assert_allclose(found.precision * np.outer(sd, sd), A * np.outer(sd, sd), rtol=0, atol=1e-8)
    np.testing.assert_allclose(found.covariance @ found.precision, np.eye(M), rtol=0, atol=1e-7)
    wanted = -17.0 + M / 2 * np.log(2 * np.pi) - 0.5 * np.linalg.slogdet(A)[1]
    assert found.log_normalizer == pytest.approx(wanted, abs=1e-7)


def test_the_example_of_bishop_has_the_mode_where_the_slope_is_zero():
    found = pt.laplace(lambda z: -(z**2) / 2 + log_expit(20 * z + 4), 0.0)  # Fig. 4.14
    (z,) = found.mode
    assert -z + 20 / (1 + math.exp(20 * z + 4)) == pytest.approx(0.0, abs=1e-9)
    p = 1 / (1 + math.exp(-(20 * z + 4)))
    assert found.precision[0, 0] == pytest.approx(1 + 400 * p * (1 - p), rel=1e-8)


@pytest.mark.parametrize("start", [1e-3, 1.0, 50.0, 1e4])
def test_the_normaliser_of_a_gamma_density_is_stirlings_formula(start):
    found = pt.laplace(lambda z: 9 * np.log(z) - z, start)
    stirling = 0.5 * math.log(2 * math.pi * 9) + 9 * math.log(9) - 9
    assert found.log_normalizer == pytest.approx(stirling, abs=1e-8)
    assert abs(found.log_normalizer - gammaln(10)) < 0.01
    assert found.mode[0] == pytest.approx(9.0, rel=1e-9)


def test_derivatives_by_differences_are_good_to_eight_digits_on_a_crooked_density():
    def log_density(z):
        return -100 * (z[1] - z[0] ** 2) ** 2 - (1 - z[0]) ** 2  # Rosenbrock's valley

    found = pt.laplace(log_density, [-1.2, 1.0])
    np.testing.assert_allclose(found.mode, [1.0, 1.0], rtol=1e-8)
    np.testing.assert_allclose(found.precision, [[802.0, -400.0], [-400.0, 200.0]], rtol=1e-8)


def test_a_function_of_a_number_is_called_with_numbers():
    found = pt.laplace(lambda z: 4 * math.log(z) - z if z > 0 else -math.inf, 2)
    assert found.mode.shape == (1,)
    assert found.covariance.shape == (1, 1)
    assert found.covariance[0, 0] == pytest.approx(4.0, rel=1e-8)


def test_draws_have_the_mean_and_covariance_of_the_gaussian():
    log_density, _, m, _ = gaussian(3, 3)
    found = pt.laplace(log_density, np.zeros(3))
    draws = found.sample(200_000, random_state=0)
    assert draws.shape == (200_000, 3)
    sd = np.sqrt(np.diagonal(found.covariance))
    assert np.abs((draws.mean(axis=0) - m) / sd).max() < 0.01
    np.testing.assert_allclose(np.cov(draws.T) / np.outer(sd, sd), found.covariance / np.outer(sd, sd), atol=0.02)
    np.testing.assert_array_equal(found.sample(5, random_state=1), found.sample(5, random_state=1))


REFUSED = {
    "a saddle": (lambda z: z[0] ** 2 - z[1] ** 2, [0.0, 0.0], "rises from it along"),
    "a saddle reached": (lambda z: z[0] ** 2 - z[1] ** 2, [0.0, 5.0], "no maximum"),
    "the minimum between two modes": (lambda z: -((z**2 - 1) ** 2), 0.0, "stationary point but no maximum"),
    "a constant": (lambda z: 0.0 * z, 1.0, "no curvature along"),
    "a ridge": (lambda z: -((z[0] + z[1] - 3) ** 2), [1.0, 7.0], "no curvature along"),
    "a column without effect": (lambda z: -(z[0] ** 2), [1.0, 2.0], "no curvature along"),
    "a line": (lambda z: z, 1.0, "unbounded"),
    "a logarithm": (np.log, 1.0, "no maximum was found"),
    "a maximum at infinity": (log_expit, 0.0, "no maximum was found"),
    "a top flatter than a parabola": (lambda z: -(z**4), 1.0, "no maximum was found"),
    "such a top as the start": (lambda z: -(z**4), 0.0, "no curvature along"),
    "a kink": (lambda z: -abs(z), 1.0, "not smooth"),
    "NaN at the start": (lambda z: np.nan, 0.0, "nan at the start"),
    "zero density at the start": (lambda z: -np.inf, 0.0, "-inf at the start"),
    "infinity": (lambda z: np.inf, 0.0, "infinite at"),
    "no numbers": (lambda z: z, "here", "start must be numbers"),
    "a start that is not finite": (lambda z: z, [np.nan], "finite numbers"),
    "a matrix": (lambda z: z, [[1.0, 2.0]], "a number or an array of M finite numbers"),
    "no start": (lambda z: z, [], "a number or an array of M finite numbers"),
    "many values": (lambda z: z, [1.0, 2.0], "one number"),
    "no function": (3.0, 1.0, "log_density must be a function"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_proper_maximum_is_refused_with_a_sentence(name):
    log_density, start, words = REFUSED[name]
    with pytest.raises(pt.DataError, match=words):
        pt.laplace(log_density, start)


def test_derivatives_of_the_wrong_shape_or_of_another_function_are_refused():
    with pytest.raises(pt.DataError, match=r"gradient must return an array of shape \(2,\)"):
        pt.laplace(lambda z: -z @ z, [1.0, 2.0], gradient=lambda z: 1.0)
    with pytest.raises(pt.DataError, match=r"hessian must return an array of shape \(2, 2\)"):
        pt.laplace(lambda z: -z @ z, [1.0, 2.0], gradient=lambda z: -2 * z, hessian=lambda z: z)
    with pytest.raises(pt.DataError):
        pt.laplace(lambda z: -z @ z, [1.0, 2.0], gradient=lambda z: 2 * z)
