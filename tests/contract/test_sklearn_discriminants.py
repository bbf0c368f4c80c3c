"""scikit-learn's own checks on linear discriminants, with no expected failures, on the instances that users build."""

import warnings

import pytest

import posteriori as pt
from tests.contract.instances import parametrize_with_checks

SQUARES = [
    pt.LeastSquaresClassifier(),
    pt.LeastSquaresClassifier(precision=1.0),
    pt.LeastSquaresClassifier(targets="fisher"),
]
FISHER = [
    pt.FisherDiscriminant(),
    pt.FisherDiscriminant(n_components=1),
    pt.FisherDiscriminant(threshold="midpoint"),
    pt.FisherDiscriminant(threshold="least-error"),
    pt.FisherDiscriminant(shrinkage=0.1),
    pt.FisherDiscriminant(shrinkage="ledoit-wolf"),
    pt.FisherDiscriminant(shrinkage="oas"),
]


@parametrize_with_checks(SQUARES + FISHER)
def test_scikit_learn_finds_nothing_amiss(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # degenerate data are part of the checks, and ours to warn of
        check(estimator)


@pytest.mark.parametrize("model", SQUARES + FISHER, ids=repr)
def test_parameters_of_scikit_learn_are_translated(model):
    with pytest.raises(TypeError, match="corresponds to smoothing"):
        type(model)(alpha=1.0)
