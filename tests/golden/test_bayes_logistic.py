"""Bayesian logistic regression against a Laplace approximation in mpmath: mode, covariance, evidence, predictive."""

import numpy as np
import pytest

import posteriori as pt
from tests.golden.test_logistic import frame_of, golden

CASES = ["bayes_logistic_pima_tr", "bayes_logistic_spector"]


def case_of(name):
    """Give results, rows standardised as the case says, classes, and the prior as one over (intercept, weights)."""
    case = golden(name)
    frame = frame_of(case)
    assert len(frame) == case["n_rows"]
    X = frame[case["features"]]
    X = (X - X.mean()) / X.std(ddof=1)
    y = (frame[case["target"]] == case["positive_class"]).to_numpy()
    prior = pt.GaussianPrior(mean=case["prior"]["m0"], precision=np.linalg.inv(case["prior"]["S0"]))
    return case["results"], X, y, prior


@pytest.mark.parametrize("name", CASES)
def test_mode_and_covariance_are_those_of_the_case(name):
    wanted, X, y, prior = case_of(name)
    model = pt.BayesianLogisticRegression(prior=prior).fit(X, y)
    np.testing.assert_allclose(model.posterior_.mean, wanted["w_map"], rtol=0, atol=1e-8)
    np.testing.assert_allclose(np.concatenate([model.intercept_, model.coef_[0]]), wanted["w_map"], rtol=0, atol=1e-8)
    np.testing.assert_allclose(model.posterior_.covariance, wanted["S_N"], rtol=0, atol=1e-8)


@pytest.mark.parametrize("name", CASES)
def test_evidence_and_likelihood_are_those_of_the_case(name):
    wanted, X, y, prior = case_of(name)
    model = pt.BayesianLogisticRegression(prior=prior).fit(X, y)
    assert model.log_evidence_ == pytest.approx(wanted["log_evidence_laplace"], abs=1e-8)
    assert model.log_likelihood_ == pytest.approx(wanted["log_lik_at_map"], abs=1e-8)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    ("predictive", "key", "within"),
    [("probit", "predictive_kappa_first20", 1e-8), ("quadrature", "predictive_quadrature_first20", 1e-9)],
)
def test_predictive_probabilities_are_those_of_the_case(name, predictive, key, within):
    wanted, X, y, prior = case_of(name)
    model = pt.BayesianLogisticRegression(prior=prior, predictive=predictive).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X[:20])[:, 1], wanted[key], rtol=0, atol=within)
    np.testing.assert_allclose(model.linear_predictor(X[:20]), wanted["mu_a_first20"], rtol=0, atol=1e-8)


@pytest.mark.parametrize("name", CASES)
def test_the_laplace_function_finds_the_same_from_the_log_density_alone(name):
    from scipy.special import log_expit

    wanted, X, y, prior = case_of(name)
    rows, signs = np.column_stack([np.ones(len(X)), X]), np.where(y, 1.0, -1.0)
    P, m0 = prior.precision, prior.mean
    constant = 0.5 * np.linalg.slogdet(P)[1] - len(m0) / 2 * np.log(2 * np.pi)

    def log_density(w):
        return log_expit(signs * (rows @ w)).sum() - 0.5 * (w - m0) @ P @ (w - m0) + constant

    found = pt.laplace(log_density, np.zeros(len(m0)))
    np.testing.assert_allclose(found.mode, wanted["w_map"], rtol=0, atol=1e-8)
    np.testing.assert_allclose(found.covariance, wanted["S_N"], rtol=1e-7, atol=1e-9)
    assert found.log_normalizer == pytest.approx(wanted["log_evidence_laplace"], abs=1e-7)
