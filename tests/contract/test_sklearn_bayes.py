"""scikit-learn's own checks of Bayesian logistic regression, with no expected failures, on what users build."""

import warnings

import numpy as np
import pytest

import posteriori as pt
from tests.contract.instances import parametrize_with_checks

INSTANCES = [
    pt.BayesianLogisticRegression(),
    pt.BayesianLogisticRegression(prior=1.0),
    pt.BayesianLogisticRegression(prior=pt.GaussianPrior(precision=0.5, intercept_precision=0.1, units="sd")),
    pt.BayesianLogisticRegression(prior=2.0, fit_intercept=False),
    pt.BayesianLogisticRegression(prior=1.0, predictive="sampling"),
    pt.LogisticRegression(prior="evidence"),
]


@parametrize_with_checks(INSTANCES)
def test_scikit_learn_finds_nothing_amiss(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


@parametrize_with_checks([pt.OneVsRest(pt.BayesianLogisticRegression(prior=1.0, predictive="quadrature"))])
def test_scikit_learn_finds_nothing_amiss_with_quadrature_on_two_classes_at_a_time(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


@pytest.mark.parametrize("prior", ["evidence", 1.0])
def test_it_works_in_pipelines_and_searches(prior):
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 3))
    y = np.where(X[:, 0] + rng.logistic(size=150) > 0, "up", "down")
    pipe = make_pipeline(StandardScaler(), pt.BayesianLogisticRegression(prior=prior))
    assert cross_val_score(pipe, X, y).mean() > 0.5
