"""The walk through the classifiers that wrap one another."""

import inspect

import pandas as pd
import pytest
from sklearn.base import BaseEstimator, is_classifier
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import posteriori as pt
from posteriori.estimators.wrappers.decision_rules import decide, outcomes, rejected
from posteriori.estimators.wrappers.decision_wrapper import DecisionWrapper
from posteriori.estimators.wrappers.layers import Layer, innermost, is_frozen, layers, table_in
from tests.estimators.wrappers.decision_data import rows
from tests.laws.discovery import members

X, y = rows()
#: Every classifier of the package that wraps one other, and the kind of its layer.
AROUND_ONE = {
    kind: "table" if kind is pt.TableClassifier else "decision"
    for kind in members(BaseEstimator)
    if "_storable" in vars(kind)  # not a base class
    and "estimator" in inspect.signature(kind).parameters
    and kind not in (pt.OneVsRest, pt.OneVsOne)
}
FOREIGN = {
    "pipeline": make_pipeline,
    "search": lambda model: GridSearchCV(model, {}, cv=2),
    "frozen": FrozenEstimator,
}


def kinds(model):
    return [layer.kind for layer in layers(model)]


def test_every_wrapper_of_one_classifier_is_discovered():
    assert {kind.__name__ for kind in AROUND_ONE} == {"CostSensitive", "PriorShift", "RejectOption", "TableClassifier"}
    assert {kind for kind, name in AROUND_ONE.items() if name == "decision"} == set(members(DecisionWrapper)) - {
        DecisionWrapper
    }


@pytest.mark.parametrize("wrap", AROUND_ONE, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("other", FOREIGN)
def test_layers_lists_every_wrapper_outermost_first(wrap, other):
    inner = wrap(pt.GaussianClassifier()).fit(X, y)
    outer = FOREIGN[other](inner).fit(X, y)
    assert kinds(inner) == [AROUND_ONE[wrap], "classifier"]
    assert kinds(outer) == [other, AROUND_ONE[wrap], "classifier"]
    assert layers(outer)[0] == Layer(outer, other)
    assert isinstance(innermost(outer), pt.GaussianClassifier)
    assert is_frozen(outer) == (other == "frozen")
    for twice, kind in AROUND_ONE.items():
        model = twice(outer).fit(X, y)
        assert kinds(model) == [kind, other, AROUND_ONE[wrap], "classifier"]
        assert layers(model)[-1].model.classes_.tolist() == model.classes_.tolist()


@pytest.mark.parametrize("wrap", AROUND_ONE, ids=lambda kind: kind.__name__)
def test_decisions_reach_through_every_wrapper(wrap):
    rejecting = pt.RejectOption(pt.GaussianClassifier(), threshold=0.7)
    model = wrap(rejecting).fit(X, y)
    p = model.predict_proba(X)
    assert decide(model, p).tolist() == model.predict(X).tolist()
    assert rejected(model, p).tolist() == (p.max(axis=1) < 0.7).tolist()
    assert outcomes(model).tolist() == model.classes_.tolist()


def test_only_a_table_has_a_coding():
    frame = pd.DataFrame(X, columns=["u", "v", "w"])
    model = pt.RejectOption(pt.TableClassifier(pt.NaiveBayes()), threshold=0.6).fit(frame, y)
    decision, table, classifier = layers(model)
    assert decision.coding is None
    assert classifier.coding is None
    assert table.coding.names_out == ("u", "v", "w")
    assert [layer.decision for layer in (decision, table, classifier)] == [True, False, False]
    assert table_in(model) is model.estimator_


@pytest.mark.parametrize(
    "model",
    [pt.OneVsRest(pt.NaiveBayes()), pt.OneVsOne(pt.NaiveBayes()), pt.ModelAverage([pt.NaiveBayes()])],
    ids=lambda model: type(model).__name__,
)
def test_a_classifier_around_several_ends_the_walk(model):
    assert is_classifier(model)
    assert layers(model) == (Layer(model, "classifier"),)


def test_a_table_and_a_search_wrap_nothing_before_their_fit():
    table = pt.TableClassifier(pt.NaiveBayes())
    assert kinds(table) == ["table"]
    assert kinds(GridSearchCV(table, {}, cv=2)) == ["classifier"]
    assert kinds(pt.CostSensitive(pt.NaiveBayes())) == ["decision", "classifier"]
