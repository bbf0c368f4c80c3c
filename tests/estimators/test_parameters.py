"""`parameters` writes the `__init__` of an estimator."""

import dataclasses
import pickle
from inspect import signature

import pytest
from sklearn.base import clone

import posteriori as pt


def names(kind):
    return list(signature(kind).parameters)


def test_own_parameters_come_before_inherited_ones():
    assert names(pt.LogisticRegression)[:4] == ["prior", "solver", "parametrization", "reference"]
    assert names(pt.BinaryRegression)[:2] == ["link", "prior"]
    assert names(pt.CostSensitive) == ["estimator", "costs", "actions"]
    assert names(pt.OneVsRest) == ["estimator", "rest"]


def test_parameters_are_keyword_only_but_for_the_classifier_inside():
    model = pt.LogisticRegression()
    assert pt.CostSensitive(model, None, ["a", "b"]).actions == ["a", "b"]
    with pytest.raises(TypeError, match="positional"):
        pt.LogisticRegression(1.0)
    with pytest.raises(TypeError, match="positional"):
        pt.OneVsRest(model, "last")
    with pytest.raises(TypeError, match=r"LogisticRegression\.__init__\(\) got an unexpected keyword argument 'foo'"):
        pt.LogisticRegression(foo=1)


def test_attributes_of_a_fit_are_not_there_before_it():
    assert not hasattr(pt.BayesianLogisticRegression(), "posterior_")
    assert not hasattr(pt.OneVsOne(pt.NaiveBayes()), "estimators_")


def test_estimators_are_no_dataclasses_and_copy_as_estimators_do():
    model = pt.BinaryRegression(link="cloglog", prior=2.0)
    assert not dataclasses.is_dataclass(model)
    assert repr(clone(model)) == repr(pickle.loads(pickle.dumps(model))) == repr(model)
