"""Gaussian priors of every shape against a minimum found by brute force, and what no prior can be."""

import copy
import pickle

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp

import posteriori as pt
from posteriori.designs.units import Units
from posteriori.priors.gaussian import as_prior

D = 3
RNG = np.random.default_rng(0)
X = RNG.standard_normal((90, D)) * [1.0, 4.0, 0.2] + [0.0, 3.0, -1.0]


def spd(size, seed=1):
    """Give a positive definite matrix."""
    root = np.random.default_rng(seed).standard_normal((size, size))
    return root @ root.T / size + 0.3 * np.eye(size)


def labels(K):
    scores = (X - X.mean(axis=0)) / X.std(axis=0) @ np.random.default_rng(2).standard_normal((D, K))
    return (scores + np.random.default_rng(3).gumbel(size=(90, K))).argmax(axis=1)


def brute_force(y, K, mean, precision, q, weights=None, intercept=True):
    """Minimise -log likelihood + (w - m)'P(w - m)/2 over q vectors, intercept first, by scipy."""
    Z = np.column_stack([np.ones(len(X)), X]) if intercept else X
    p = Z.shape[1]
    T = np.eye(K)[y] * (1.0 if weights is None else weights[:, None])
    total = T.sum(axis=1)

    def full(w):
        W = w.reshape(q, p)
        return W if q == K else np.vstack([np.zeros((K - q, p)), W])

    def objective(w):
        eta = Z @ full(w).T
        log_p = eta - logsumexp(eta, axis=1, keepdims=True)
        off = w - mean
        score = (total[:, None] * np.exp(log_p) - T)[:, K - q :]
        return -(T * log_p).sum() + 0.5 * off @ precision @ off, (score.T @ Z).ravel() + precision @ off

    def hessian(w):
        eta = Z @ full(w).T
        P = np.exp(eta - logsumexp(eta, axis=1, keepdims=True))[:, K - q :]
        C = total[:, None, None] * (P[:, :, None] * np.eye(q) - P[:, :, None] * P[:, None, :])
        return np.einsum("nab,ni,nj->aibj", C, Z, Z).reshape(q * p, q * p) + precision

    found = minimize(objective, np.zeros(q * p), jac=True, hess=hessian, method="trust-ncg", options={"gtol": 1e-10})
    return found.x.reshape(q, p), found.fun


def diagonal(weights, lead=0.0):
    return np.diag(np.concatenate([[lead], weights]))


V = np.array([0.5, 2.0, 30.0])
M = np.array([0.4, -0.2, 1.0])
#: A prior, and its mean and precision over one coefficient vector with the intercept first.
ONE = {
    "scalar": (pt.GaussianPrior(precision=2.0), np.zeros(4), diagonal([2.0] * 3)),
    "scalar mean": (pt.GaussianPrior(mean=0.7, precision=2.0), np.array([0, 0.7, 0.7, 0.7]), diagonal([2.0] * 3)),
    "vector": (pt.GaussianPrior(precision=V), np.zeros(4), diagonal(V)),
    "vector mean": (pt.GaussianPrior(mean=M, precision=V), np.array([0, *M]), diagonal(V)),
    "some flat": (pt.GaussianPrior(mean=M, precision=[0.0, 2.0, 0.0]), np.array([0, *M]), diagonal([0, 2.0, 0])),
    "matrix": (pt.GaussianPrior(mean=M, precision=spd(3)), np.array([0, *M]), np.pad(spd(3), ((1, 0), (1, 0)))),
    "matrix with intercept": (pt.GaussianPrior(mean=[0.3, *M], precision=spd(4)), np.array([0.3, *M]), spd(4)),
    "intercept": (
        pt.GaussianPrior(precision=1.0, intercept_mean=-1.0, intercept_precision=3.0),
        np.array([-1.0, 0, 0, 0]),
        diagonal([1.0] * 3, 3.0),
    ),
    "sd": (pt.GaussianPrior(sd=0.5), np.zeros(4), diagonal([4.0] * 3)),
    "sds": (pt.GaussianPrior(sd=1 / np.sqrt(V)), np.zeros(4), diagonal(V)),
    "units of sd": (
        pt.GaussianPrior(mean=M, precision=V, units="sd"),
        np.array([0, *(M / X.std(axis=0))]),
        diagonal(V * X.std(axis=0) ** 2),
    ),
    "matrix in units of sd": (
        pt.GaussianPrior(precision=spd(3), units="sd"),
        np.zeros(4),
        np.pad(spd(3) * np.outer(X.std(axis=0), X.std(axis=0)), ((1, 0), (1, 0))),
    ),
}


def agree(model, wanted, value):
    found = np.column_stack([model.intercept_, model.coef_])
    if len(wanted) < len(found):
        assert not found[0].any()
        found = found[1:]
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-7)
    assert model.solution_.objective == pytest.approx(value, rel=1e-11)


@pytest.mark.parametrize("kind", ONE)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_prior_of_two_classes_has_the_minimum_of_a_brute_force_search(kind, weighted):
    prior, mean, precision = ONE[kind]
    y = labels(2)
    weights = np.random.default_rng(5).integers(1, 4, 90).astype(float) if weighted else None
    if weighted and "units" in kind:
        pytest.skip("the standard deviations are then weighted ones, tried below")
    wanted, value = brute_force(y, 2, mean, precision, 1, weights)
    agree(pt.LogisticRegression(prior=prior).fit(X, y, sample_weight=weights), wanted, value)


@pytest.mark.parametrize("kind", ONE)
@pytest.mark.parametrize("parametrization", ["symmetric", "reference"])
def test_a_prior_of_three_classes_has_the_minimum_of_a_brute_force_search(kind, parametrization):
    prior, mean, precision = ONE[kind]
    y, q = labels(3), 3 if parametrization == "symmetric" else 2
    if parametrization == "symmetric" and kind == "some flat":
        pytest.skip("the common shift of flat weights is then free")
    wanted, value = brute_force(y, 3, np.tile(mean, q), np.kron(np.eye(q), precision), q)
    model = pt.LogisticRegression(prior=prior, parametrization=parametrization).fit(X, y)
    if parametrization == "symmetric" and not precision[0].any():  # a flat intercept is reported summing to zero
        wanted[:, 0] -= wanted[:, 0].mean()
    agree(model, wanted, value)


def test_means_of_each_class_and_a_precision_over_all_of_them():
    y = labels(3)
    mean = np.random.default_rng(7).standard_normal((3, 4))
    precision = spd(12)
    wanted, value = brute_force(y, 3, mean.ravel(), precision, 3)
    agree(pt.LogisticRegression(prior=pt.GaussianPrior(mean=mean, precision=precision)).fit(X, y), wanted, value)
    wanted, value = brute_force(
        y, 3, np.column_stack([np.zeros(3), mean[:, 1:]]).ravel(), np.kron(np.eye(3), diagonal(V)), 3
    )
    wanted[:, 0] -= wanted[:, 0].mean()
    agree(pt.LogisticRegression(prior=pt.GaussianPrior(mean=mean[:, 1:], precision=V)).fit(X, y), wanted, value)


@pytest.mark.parametrize("kind", ["scalar", "vector mean", "matrix", "matrix with intercept"])
def test_without_an_intercept_its_part_of_the_prior_is_left_out(kind):
    prior, mean, precision = ONE[kind]
    y = labels(2)
    wanted, value = brute_force(y, 2, mean[1:], precision[1:, 1:], 1, intercept=False)
    model = pt.LogisticRegression(prior=prior, fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(model.coef_, wanted, rtol=1e-6, atol=1e-7)
    assert model.solution_.objective == pytest.approx(value, rel=1e-11)


def test_units_of_sd_are_weighted_like_the_rows():
    y, weights = labels(2), np.random.default_rng(5).integers(1, 4, 90)
    prior = pt.GaussianPrior(precision=V, units="sd")
    weighted = pt.LogisticRegression(prior=prior).fit(X, y, sample_weight=weights)
    copied = pt.LogisticRegression(prior=prior).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(weighted.coef_, copied.coef_, rtol=1e-8)


def test_a_number_is_the_precision_of_every_weight():
    y = labels(2)
    number = pt.LogisticRegression(prior=2.0).fit(X, y)
    prior = pt.LogisticRegression(prior=pt.GaussianPrior(precision=2.0)).fit(X, y)
    np.testing.assert_array_equal(number.coef_, prior.coef_)
    assert as_prior(None) is None
    assert as_prior(0) is None


def test_a_strong_prior_holds_the_weights_at_its_mean():
    model = pt.LogisticRegression(prior=pt.GaussianPrior(mean=M, precision=1e12)).fit(X, labels(2))
    np.testing.assert_allclose(model.coef_[0], M, atol=1e-8)


def test_no_prior_is_the_limit_of_weak_ones():
    y = labels(2)
    weak = pt.LogisticRegression(prior=1e-10).fit(X, y)
    np.testing.assert_allclose(weak.coef_, pt.LogisticRegression().fit(X, y).coef_, rtol=1e-7)


REFUSED = {
    "nothing": ({}, "one of precision and sd"),
    "both": ({"precision": 1.0, "sd": 1.0}, "one of precision and sd"),
    "negative": ({"precision": -1.0}, "negative"),
    "a negative one": ({"precision": [1.0, -1.0]}, "negative"),
    "sd zero": ({"sd": 0.0}, "sd must be positive"),
    "nan": ({"precision": np.nan}, "precision must be finite"),
    "mean inf": ({"mean": np.inf, "precision": 1.0}, "mean must be finite"),
    "not symmetric": ({"precision": [[1.0, 0.5], [0.0, 1.0]]}, "square and symmetric"),
    "not square": ({"precision": np.ones((2, 3))}, "square and symmetric"),
    "indefinite": ({"precision": [[1.0, 2.0], [2.0, 1.0]]}, "negative eigenvalue"),
    "units": ({"precision": 1.0, "units": "miles"}, "units must be 'data' or 'sd', not 'miles'"),
    "intercept": ({"precision": 1.0, "intercept_precision": -1.0}, "negative"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_no_prior_can_be_is_refused(kind):
    given, said = REFUSED[kind]
    with pytest.raises(pt.DataError, match=said):
        pt.GaussianPrior(**given)


@pytest.mark.parametrize("name", ["mean", "precision"])
def test_a_prior_of_another_number_of_columns_is_refused_with_the_shapes_there_are(name):
    prior = pt.GaussianPrior(**{"precision": 1.0, name: np.ones(7)})
    with pytest.raises(pt.DataError, match=rf"the prior's {name} has shape \(7,\); for 3 columns and 1 coefficient"):
        pt.LogisticRegression(prior=prior).fit(X, labels(2))


@pytest.mark.parametrize("prior", [-1.0, np.nan, np.inf, "ridge", True, [1.0]])
def test_a_prior_that_is_none_is_refused_in_fit(prior):
    with pytest.raises(pt.DataError, match="prior"):
        pt.LogisticRegression(prior=prior).fit(X, labels(2))


@pytest.mark.parametrize("kind", ONE)
def test_a_prior_survives_copies_and_pickles(kind):
    prior = ONE[kind][0]
    for other in (copy.deepcopy(prior), pickle.loads(pickle.dumps(prior))):
        np.testing.assert_array_equal(other.mean, prior.mean)
        np.testing.assert_array_equal(other.precision, prior.precision)
        assert other.units == prior.units


@pytest.mark.parametrize("kind", ONE)
@pytest.mark.parametrize("intercept", [True, False])
def test_a_prior_converted_to_other_units_gives_the_same_penalty(kind, intercept):
    units = Units(np.array([1.0, -2.0, 0.5]) * intercept, np.array([0.1, 3.0, 7.0]), intercept)
    quadratic = ONE[kind][0].quadratic(2, D, intercept, X.std(axis=0))
    converted = quadratic.in_units(units, 2)
    w = np.random.default_rng(0).standard_normal((2, D + intercept))
    lead, weights = units.to_data(w)
    data = np.column_stack([lead, weights]) if intercept else weights
    assert converted.value(w.ravel()) == pytest.approx(quadratic.value(data.ravel()), rel=1e-12)
    h = 1e-6 * np.eye(w.size)
    slope = [(converted.value(w.ravel() + e) - converted.value(w.ravel() - e)) / 2e-6 for e in h]
    np.testing.assert_allclose(converted.gradient(w.ravel()), slope, rtol=1e-5, atol=1e-6 * np.abs(slope).max())
    np.testing.assert_allclose(converted.matrix() @ w.ravel(), converted.times(w.ravel()), rtol=1e-12, atol=1e-12)
