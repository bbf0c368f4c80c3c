"""The class hierarchy: few levels, and no implementation of the methods that every classifier shares twice."""

import pytest
from sklearn.base import BaseEstimator, is_classifier

import posteriori as pt
from posteriori.estimators.base import Classifier
from tests.laws.discovery import members

PUBLIC = [
    value for name in pt.__all__ if isinstance(value := getattr(pt, name), type) and issubclass(value, BaseEstimator)
]
FINAL = ("classification_margins", "margins", "predict_frame", "_adopt", "_noted")


def levels(kind):
    """Return the number of estimator classes of this library from a class up to scikit-learn's base."""
    if not issubclass(kind, BaseEstimator) or not kind.__module__.startswith("posteriori."):
        return 0
    return 1 + max(levels(base) for base in kind.__bases__)


@pytest.mark.parametrize("kind", PUBLIC)
def test_a_public_estimator_has_at_most_four_levels(kind):
    assert levels(kind) <= 4


@pytest.mark.parametrize("kind", [kind for kind in members(Classifier) if kind is not Classifier])
def test_final_methods_are_not_overridden(kind):
    assert not [name for name in FINAL if name in vars(kind)]


@pytest.mark.parametrize("kind", [kind for kind in PUBLIC if issubclass(kind, Classifier)])
def test_every_classifier_has_scores(kind):
    assert is_classifier(kind())
    assert not getattr(kind, "__abstractmethods__", ())
    method = kind.decision_function
    assert not getattr(method, "__isabstractmethod__", False)
