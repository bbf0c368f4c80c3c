"""Decisions around decisions, and what is passed on to the classifier inside."""

import pickle
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

import posteriori as pt
from tests.estimators.wrappers.decision_data import INSIDE, rows

X, y = rows()
COSTS = {
    "go": {"ant": 0.0, "bee": 2.0, "cat": 9.0},
    "ask": {"ant": 1.0, "bee": 1.0, "cat": 1.0},
    "stop": {"ant": 5.0, "bee": 3.0, "cat": 0.0},
}
NEW = [0.7, 0.2, 0.1]
WRAPS = {
    "cost": lambda model: pt.CostSensitive(model, COSTS),
    "reject": lambda model: pt.RejectOption(model, threshold=0.7),
    "shift": lambda model: pt.PriorShift(model, NEW),
}
ALL = [pt.CostSensitive, pt.RejectOption, pt.PriorShift]


def nested(order, model):
    for name in reversed(order):
        model = WRAPS[name](model)
    return model


@pytest.mark.parametrize("name", INSIDE)
def test_the_order_in_which_decisions_are_composed_does_not_matter(name):
    inner = INSIDE[name]()
    wanted = nested(("reject", "cost", "shift"), inner).fit(X, y).predict(X)
    assert set(wanted) == {"go", "ask", "stop", "rejected"}
    for order in permutations(WRAPS):
        found = nested(order, inner).fit(X, y)
        assert found.predict(X).tolist() == wanted.tolist(), order
    p = pt.PriorShift(inner, NEW).fit(X, y).predict_proba(X)
    low = p.max(axis=1) < 0.7
    np.testing.assert_array_equal(wanted == "rejected", low)
    values = np.array([list(row.values()) for row in COSTS.values()])
    best = np.array(["go", "ask", "stop"])[(p @ values.T).argmin(axis=1)]
    np.testing.assert_array_equal(wanted[~low], best[~low])


def test_a_decision_inside_a_pipeline_a_table_or_a_frozen_one_counts_too():
    frame = pd.DataFrame(X, columns=["u", "v", "w"])
    decided = pt.RejectOption(pt.CostSensitive(pt.GaussianClassifier(), COSTS), threshold=0.7)
    wanted = nested(("shift", "reject", "cost"), pt.GaussianClassifier()).fit(frame, y).predict(frame)
    for inner in (
        make_pipeline(decided),
        pt.TableClassifier(decided),
        GridSearchCV(decided, {"threshold": [0.7]}, cv=2),
        FrozenEstimator(clone(decided).fit(frame, y)),
    ):
        shares = pt.GaussianClassifier().fit(frame, y).class_priors_
        model = pt.PriorShift(inner, NEW, shares).fit(frame, y)
        assert model.predict(frame).tolist() == wanted.tolist(), type(inner).__name__


def test_classes_a_table_turns_round_meet_the_right_costs():
    frame, label = pd.DataFrame(X, columns=["u", "v", "w"]), y == "cat"
    costs = {"a": {False: 0, True: 8}, "b": {False: 1, True: 0}}
    plain = pt.PriorShift(pt.CostSensitive(pt.GaussianClassifier(), costs), {False: 0.2, True: 0.8}).fit(frame, label)
    table = pt.TableClassifier(pt.CostSensitive(pt.GaussianClassifier(), costs), positive=False)
    turned = pt.PriorShift(table, {False: 0.2, True: 0.8}).fit(frame, label)
    assert turned.classes_.tolist() == [True, False]
    assert turned.predict(frame).tolist() == plain.predict(frame).tolist()
    cost = pt.CostSensitive(turned).expected_cost(frame)
    np.testing.assert_allclose(cost, pt.CostSensitive(plain).expected_cost(frame), rtol=1e-11)


def test_a_default_around_a_decision_leaves_it():
    decided = pt.CostSensitive(pt.GaussianClassifier().fit(X, y), COSTS)
    for wrap in ALL:
        np.testing.assert_array_equal(wrap(decided).predict(X), decided.predict(X))
    again = pt.CostSensitive(decided)
    np.testing.assert_array_equal(again.expected_cost(X), decided.expected_cost(X))
    assert again.actions_.tolist() == ["go", "ask", "stop"]
    deep = pt.CostSensitive(make_pipeline(pt.PriorShift(decided)))
    np.testing.assert_array_equal(deep.expected_cost(X), decided.expected_cost(X))
    other = pt.CostSensitive(decided, 1.0 - np.eye(3))
    np.testing.assert_array_equal(other.predict(X), decided.estimator.predict(X))


def test_rejections_within_rejections_add_up():
    inner = pt.RejectOption(pt.GaussianClassifier().fit(X, y), threshold=0.6, reject_label="unsure")
    outer = pt.RejectOption(inner, threshold=0.8)
    p = inner.predict_proba(X).max(axis=1)
    np.testing.assert_array_equal(outer.is_rejected(X), p < 0.8)
    np.testing.assert_array_equal(pt.RejectOption(inner, threshold=0.5).is_rejected(X), p < 0.6)
    found = pt.RejectOption(inner, threshold=0.5).predict(X)
    assert set(found[p < 0.5]) <= {"rejected"}
    assert set(found[(p >= 0.5) & (p < 0.6)]) == {"unsure"}
    with pytest.raises(pt.DataError, match="'ask' is also one of the predictions"):
        pt.RejectOption(pt.CostSensitive(inner, COSTS), threshold=0.5, reject_label="ask").predict(X)


@pytest.mark.parametrize("wrap", [*ALL, lambda model: pt.ModelAverage([model], [1])], ids=lambda w: w.__name__)
def test_pickles_answer_alike_and_clones_know_nothing(wrap):
    model = wrap(pt.GaussianClassifier()).fit(X, y)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    blank = clone(model)
    assert not [name for name in vars(blank) if name.endswith("_")]
    ready = wrap(pt.GaussianClassifier().fit(X, y))
    check_is_fitted(ready)
    np.testing.assert_array_equal(ready.predict(X), model.predict(X))


@pytest.mark.parametrize("wrap", [*ALL, lambda model: pt.ModelAverage([model], [1])], ids=lambda w: w.__name__)
def test_frames_in_names_out(wrap):
    frame = pd.DataFrame(X, columns=["u", "v", "w"])
    model = wrap(pt.GaussianClassifier()).fit(frame, y)
    assert model.feature_names_in_.tolist() == ["u", "v", "w"]
    assert model.n_features_in_ == 3
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["w", "u", "v"]])


@pytest.mark.parametrize("wrap", ALL, ids=lambda w: w.__name__)
def test_sample_weights_reach_the_classifier_inside(wrap):
    weights = np.random.default_rng(0).uniform(0.5, 3.0, len(X))
    wanted = LogisticRegression().fit(X, y, sample_weight=weights).predict_proba(X)
    np.testing.assert_array_equal(wrap(LogisticRegression()).fit(X, y, weights).predict_proba(X), wanted)
    pipe = make_pipeline(LogisticRegression())
    found = wrap(pipe).fit(X, y, logisticregression__sample_weight=weights)
    np.testing.assert_array_equal(found.predict_proba(X), wanted)
    with pytest.raises(ValueError, match=r"Pipeline\.fit does not accept the sample_weight parameter"):
        wrap(pipe).fit(X, y, sample_weight=weights)
    with pytest.raises(pt.DataError, match="KNeighborsClassifier takes no sample_weight"):
        wrap(KNeighborsClassifier()).fit(X, y, sample_weight=weights)
    with pytest.raises(pt.DataTypeError, match="Perceptron has no predict_proba"):
        wrap(Perceptron()).fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("wrap", [*ALL, lambda model: pt.ModelAverage([model], [1])], ids=lambda w: w.__name__)
def test_metadata_are_routed_where_they_are_requested(wrap):
    weights = np.random.default_rng(0).uniform(0.5, 3.0, len(X))
    wanted = LogisticRegression().fit(X, y, sample_weight=weights).predict_proba(X)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = LogisticRegression().set_fit_request(sample_weight=True)
        found = wrap(asking).fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(found.predict_proba(X), wanted)
        piped = wrap(make_pipeline(asking)).fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(piped.predict_proba(X), wanted)
        renamed = wrap(LogisticRegression().set_fit_request(sample_weight="heft")).fit(X, y, heft=weights)
        np.testing.assert_array_equal(renamed.predict_proba(X), wanted)
        nested = pt.CostSensitive(wrap(asking)).fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(nested.predict_proba(X), wanted)
        refusing = wrap(LogisticRegression().set_fit_request(sample_weight=False))
        plain = LogisticRegression().fit(X, y).predict_proba(X)
        with pytest.raises(TypeError, match="sample_weight"):
            refusing.fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(refusing.fit(X, y).predict_proba(X), plain)
        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            wrap(LogisticRegression()).fit(X, y, sample_weight=weights)
        scores = cross_validate(wrap(asking), X, y, cv=3, params={"sample_weight": weights}, error_score="raise")
        assert (scores["test_score"] > 0.4).all()


def test_priors_seen_in_fit_are_those_of_the_weights_that_were_routed():
    weights = np.where(y == "ant", 3.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        inner = LogisticRegression().set_fit_request(sample_weight=True)
        found = pt.PriorShift(make_pipeline(StandardScaler().set_fit_request(sample_weight=False), inner), NEW)
        found.fit(X, y, sample_weight=weights)
    shares = np.array([weights[y == label].sum() for label in ("ant", "bee", "cat")]) / weights.sum()
    np.testing.assert_allclose(found.training_priors_, shares)


@pytest.mark.parametrize("wrap", [*WRAPS.values(), lambda model: pt.ModelAverage([model], [1])], ids=[*WRAPS, "mean"])
def test_an_offset_is_passed_on_in_fit_and_in_predict(wrap):
    offset = np.random.default_rng(1).normal(size=(len(X), 3))
    inner = pt.LogisticRegression(prior=1.0).fit(X, y, offset=offset)
    model = wrap(pt.LogisticRegression(prior=1.0)).fit(X, y, offset=offset)
    ready = wrap(inner)
    for method in ("predict", "predict_proba", "predict_log_proba"):
        found = getattr(model, method)(X, offset=offset)
        np.testing.assert_array_equal(found, getattr(ready, method)(X, offset=offset))
    with pytest.raises(pt.DataError, match="offset"):
        model.predict(X)


def test_what_predict_is_given_is_routed_too():
    offset = np.random.default_rng(1).normal(size=(len(X), 3))
    with sklearn.config_context(enable_metadata_routing=True):
        inner = pt.LogisticRegression(prior=1.0).set_fit_request(offset=True)
        for method in ("predict", "predict_proba", "predict_log_proba"):
            inner = getattr(inner, f"set_{method}_request")(offset=True)
        for wrap in WRAPS.values():
            model = wrap(inner).fit(X, y, offset=offset)
            plain = wrap(clone(inner).fit(X, y, offset=offset))
            np.testing.assert_array_equal(model.predict(X, offset=offset), plain.predict(X, offset=offset))
            nested = pt.RejectOption(make_pipeline(wrap(inner)), threshold=0.2).fit(X, y, offset=offset)
            assert nested.predict(X, offset=offset).tolist() == model.predict(X, offset=offset).tolist()


def test_sparse_rows_and_columns_of_text_pass_through():
    import scipy.sparse as sp

    model = pt.CostSensitive(pt.LogisticRegression(prior=1.0), COSTS).fit(sp.csr_matrix(X), y)
    np.testing.assert_array_equal(model.predict(sp.csr_matrix(X)), model.predict(X))
    frame = pd.DataFrame({"kind": np.where(X[:, 0] > 0, "dark", "light"), "size": X[:, 1]})
    table = pt.TableClassifier(pt.RejectOption(pt.NaiveBayes(), threshold=0.5)).fit(frame, y)
    wanted = pt.RejectOption(pt.TableClassifier(pt.NaiveBayes()), threshold=0.5).fit(frame, y)
    np.testing.assert_array_equal(table.predict(frame), wanted.predict(frame))
    assert table.coding_.names_out == ("kind", "size")
