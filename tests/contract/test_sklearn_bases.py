"""scikit-learn's own checks, with no expected failures, on every basis and on a model with each of them."""

import warnings

import numpy as np

import posteriori as pt
from posteriori.estimators.bases.base import Basis
from tests.contract.instances import parametrize_with_checks
from tests.laws.discovery import members

BASES = [
    pt.PolynomialBasis(1),
    pt.PolynomialBasis(3),
    pt.GaussianBasis([-1.0, 0.0, 1.0], 0.5),
    pt.SigmoidBasis([0.0, 1.0], [0.5, 2.0]),
    pt.KernelBasis("median", "all"),
    pt.KernelBasis(2.0, 5),
    pt.CustomBasis([np.square]),  # a ufunc: its repr is the same in every process
]


@parametrize_with_checks(BASES)
def test_scikit_learn_finds_nothing_amiss_with_a_basis(estimator, check):
    check(estimator)


MODELS = [
    pt.LogisticRegression(basis=pt.PolynomialBasis(2), prior=1.0),
    pt.LogisticRegression(basis=pt.KernelBasis(1.0, 4), prior=1.0),
    pt.LogisticRegression(basis=pt.SigmoidBasis([0.0], 1.0)),
    pt.LeastSquaresClassifier(basis=pt.KernelBasis("median", 10)),
    pt.Perceptron(basis=pt.GaussianBasis([0.0, 1.0], 1.0), max_iter=50),
]


@parametrize_with_checks(MODELS)
def test_scikit_learn_finds_nothing_amiss_with_a_model_of_a_basis(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # separated and aliased data are part of the checks, and ours to warn of
        check(estimator)


def test_every_basis_found_in_the_package_is_checked():
    assert {type(basis) for basis in BASES} == set(members(Basis))


def test_a_basis_names_its_columns_in_a_pipeline_and_a_grid():
    import pandas as pd
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline

    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(80, 2)), columns=["x", "y"])
    target = frame["x"] * frame["y"] + 0.5 * rng.normal(size=80) > 0
    pipe = (
        make_pipeline(pt.PolynomialBasis(2), pt.LogisticRegression()).set_output(transform="pandas").fit(frame, target)
    )
    assert list(pipe[-1].feature_names_in_) == ["x", "y", "x^2", "x y", "y^2"]
    model = pt.LogisticRegression(basis=pt.PolynomialBasis(1))
    found = GridSearchCV(model, {"basis__degree": [1, 2]}, cv=3).fit(frame, target)
    assert found.best_params_ == {"basis__degree": 2}
