"""scikit-learn's own checks of classifiers made of kernels, with no expected failures, on the instances users build."""

import warnings

import pytest

import posteriori as pt
from tests.contract.instances import parametrize_with_checks

LOGISTIC = [
    pt.KernelLogisticRegression(),
    pt.KernelLogisticRegression(bandwidth=1.0, precision=1.0),
    pt.KernelLogisticRegression(bandwidth="cv"),
    pt.KernelLogisticRegression(centers=10),
    pt.KernelLogisticRegression(precision=0.0, solver="online"),
    pt.KernelLogisticRegression(units="sd"),
    pt.KernelLogisticRegression(bandwidth="cv", centers=10, units="sd"),
]
SQUARES = [
    pt.LSPC(),
    pt.LSPC(centers="own-class"),
    pt.LSPC(bandwidth="cv", precision="cv"),
    pt.LSPC(bandwidth="cv", precision="cv", centers="own-class"),
    pt.LSPC(centers=10),
    pt.LSPC(units="sd"),
    pt.LSPC(bandwidth="cv", precision="cv", centers="own-class", units="sd"),
]


@parametrize_with_checks(LOGISTIC + SQUARES)
def test_scikit_learn_finds_nothing_amiss(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # degenerate data are part of the checks, and ours to warn of
        check(estimator)


@pytest.mark.parametrize("model", [LOGISTIC[0], SQUARES[0]], ids=repr)
def test_parameters_of_scikit_learn_are_translated(model):
    with pytest.raises(TypeError, match="corresponds to sample_weight"):
        type(model)(class_weight="balanced")
