"""scikit-learn's own checks, with no expected failures, on the instances that users build."""

import warnings

import numpy as np
import pytest

import posteriori as pt
from tests.contract.instances import parametrize_with_checks

GAUSSIAN = [
    pt.GaussianClassifier(covariance=covariance, shared=shared, estimate=estimate)
    for covariance in ("full", "diagonal", "spherical")
    for shared in (True, False)
    for estimate in ("ml", "unbiased", "map")
] + [
    pt.GaussianClassifier(shared=shared, **more)
    for shared in (True, False)
    for more in (
        {"shrinkage": 0.1},
        {"shrinkage": "ledoit-wolf"},
        {"shrinkage": "oas"},
        {"covariance": "low-rank"},
        {"covariance": "low-rank", "rank": 2, "estimate": "unbiased"},
    )
]
BAYES = [
    pt.NaiveBayes(),
    pt.NaiveBayes(families="gaussian"),
    pt.NaiveBayes(shared=True),
    pt.NaiveBayes(shared="all"),
    pt.NaiveBayes(estimate="unbiased", class_smoothing=1.0),
    pt.NaiveBayes(missing="error"),
    pt.NaiveBayes(estimate="map"),
    pt.NaiveBayes(estimate="map", shared="all"),
    pt.NaiveBayes(estimate=pt.NormalInverseGamma(0.0, 1.0, 2.0, 1.0)),
]


@parametrize_with_checks(GAUSSIAN + BAYES)
def test_scikit_learn_finds_nothing_amiss(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # degenerate data are part of the checks, and ours to warn of
        check(estimator)


@pytest.mark.parametrize("families", ["bernoulli", "categorical", "multinomial", "poisson", pt.Binomial(3)], ids=str)
def test_families_of_few_values_fit_clone_and_pickle(families):
    import pickle

    from sklearn.base import clone

    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (60, 4)), rng.integers(0, 3, 60)
    model = clone(pt.NaiveBayes(families=families)).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict_proba(X) == model.predict_proba(X)).all()
    assert (clone(model).fit(X, y).predict_proba(X) == model.predict_proba(X)).all()
