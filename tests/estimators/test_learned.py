"""What a fit learns is one value: every attribute is read from it, and none can be set."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import posteriori as pt
from posteriori.estimators.base import Classifier
from posteriori.estimators.learned import Learned
from posteriori.models.base import FittedModel
from tests.storage.models import MODELS, TEXT, X

KINDS = [kind for name in pt.__all__ if isinstance(kind := getattr(pt, name), type) and issubclass(kind, Classifier)]
#: One fit of each kind of classifier.
FITS = {
    name: fit for name, fit in MODELS.items()
    if name in ("softmax", "through the cloglog link", "noisy-OR", "Bayesian logistic", "gaussian, shared", "Fisher",
                "naive Bayes of all kinds", "joint table", "least squares", "perceptron", "kernel logistic", "LSPC")
}  # fmt: skip


def attributes(kind):
    return {name: value for base in kind.__mro__ for name, value in vars(base).items() if isinstance(value, Learned)}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_before_a_fit_every_learned_attribute_raises_the_error_of_scikit_learn(kind):
    model = kind()
    assert len(attributes(kind)) > 5
    for name in attributes(kind):
        assert not hasattr(model, name)
        with pytest.raises(NotFittedError):
            getattr(model, name)


@pytest.mark.parametrize("name", FITS)
def test_a_fitted_classifier_holds_its_parameters_and_one_value(name):
    model, _ = FITS[name]()
    assert set(vars(model)) == {*model.get_params(deep=False), "model_"}
    assert isinstance(model.model_, FittedModel)
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.model_.classes = np.array([0, 1])
    for attribute in attributes(type(model)):
        with pytest.raises(AttributeError, match="read from the fitted model"):
            setattr(model, attribute, None)


@pytest.mark.parametrize("name", FITS)
def test_reading_attributes_and_predicting_do_not_change_what_is_predicted(name):
    model, rows = FITS[name]()
    fresh = pickle.loads(pickle.dumps(model))
    for attribute in attributes(type(model)):
        getattr(model, attribute, None)
    for other in (model, copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.decision_function(rows), fresh.decision_function(rows))


def test_a_value_that_the_fit_did_not_compute_is_absent():
    plain, traced = (pt.LogisticRegression(solver="gradient", trace=trace).fit(X, TEXT) for trace in (False, True))
    assert not hasattr(plain, "trace_")
    assert len(traced.trace_.objective) > 1
    sampled = pt.LogisticRegression(weights="sampling").fit(X, TEXT, sample_weight=np.arange(1.0, 61.0))
    assert not hasattr(sampled, "aic_")
    with pytest.raises(pt.DataError, match="weights='sampling'"):
        _ = sampled.aic_
    assert hasattr(plain, "aic_")


@pytest.mark.parametrize(
    "name", ["softmax", "noisy-OR", "Bayesian logistic", "gaussian, shared", "Fisher", "perceptron"]
)
def test_coefficients_cannot_be_changed_in_place(name):
    model, _ = FITS[name]()
    before = model.coef_.copy()
    with pytest.raises(ValueError, match="read-only"):
        model.coef_ *= 2.0
    np.testing.assert_array_equal(model.coef_, before)


def test_a_fit_that_raises_leaves_the_value_of_the_one_before():
    model = pt.GaussianClassifier().fit(X, TEXT)
    before = model.model_
    with pytest.raises(pt.DataError):
        model.fit(np.full((4, 2), np.nan), [0, 1, 0, 1])
    assert model.model_ is before
