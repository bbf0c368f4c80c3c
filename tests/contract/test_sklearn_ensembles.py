"""scikit-learn's own checks, with no expected failures, on the perceptron, the joint table and the meta-classifiers."""

import warnings

from sklearn.linear_model import LogisticRegression, RidgeClassifier

import posteriori as pt
from tests.contract.instances import parametrize_with_checks

PERCEPTRONS = [
    pt.Perceptron(),
    pt.Perceptron(order="shuffled", max_iter=50),
    pt.Perceptron(keep="pocket", max_iter=50),
    pt.Perceptron(keep="average", rate=0.1, trace=True, max_iter=50),
]
TABLES = [
    pt.JointTable(),
    pt.JointTable(smoothing=1.0, class_smoothing=1.0),
]
DECOMPOSITIONS = [
    pt.OneVsRest(pt.LogisticRegression(prior=1.0)),
    pt.OneVsRest(pt.LogisticRegression(prior=1.0), rest="last"),
    pt.OneVsRest(pt.Perceptron(max_iter=50)),
    pt.OneVsRest(LogisticRegression()),
    pt.OneVsOne(pt.LogisticRegression(prior=1.0)),
    pt.OneVsOne(pt.GaussianClassifier()),
    pt.OneVsOne(pt.Perceptron(max_iter=50)),
    pt.OneVsOne(RidgeClassifier()),
]


@parametrize_with_checks(PERCEPTRONS + TABLES + DECOMPOSITIONS)
def test_scikit_learn_finds_nothing_amiss(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # degenerate data are part of the checks, and ours to warn of
        check(estimator)
