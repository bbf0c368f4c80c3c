"""scikit-learn's own checks, with no expected failures, on the decisions around a classifier and on averages."""

import warnings

from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import posteriori as pt
from tests.contract.instances import parametrize_with_checks

INNER = pt.LogisticRegression(prior=1.0)
DECISIONS = [
    pt.CostSensitive(INNER),
    pt.CostSensitive(GaussianNB()),
    pt.RejectOption(INNER),
    pt.RejectOption(pt.GaussianClassifier(), threshold=0.1, reject_label=-999),
    pt.RejectOption(pt.NaiveBayes(), cost=1.0, reject_label=-999),
    pt.PriorShift(INNER),
    pt.PriorShift(LogisticRegression()),
    pt.ModelAverage([INNER, pt.GaussianClassifier()], weights=[0.25, 0.75]),
    pt.ModelAverage([LogisticRegression()], weights=[1]),
    pt.ModelAverage([pt.BayesianLogisticRegression(prior=1.0), pt.BayesianLogisticRegression(prior=0.1)]),
    pt.CostSensitive(pt.PriorShift(INNER)),
    pt.RejectOption(pt.CostSensitive(pt.PriorShift(pt.GaussianClassifier()))),
    pt.PriorShift(pt.RejectOption(make_pipeline(StandardScaler(), LogisticRegression()))),
    pt.CostSensitive(pt.ModelAverage([INNER, GaussianNB()], weights=[1, 1])),
]


@parametrize_with_checks(DECISIONS)
def test_scikit_learn_finds_nothing_amiss(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # degenerate data are part of the checks, and ours to warn of
        check(estimator)
