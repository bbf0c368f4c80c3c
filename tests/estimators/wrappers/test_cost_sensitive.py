"""`CostSensitive`: the action of least expected cost, around any classifier."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import posteriori as pt
from tests.estimators.wrappers.decision_data import INSIDE, rows

SEEDS = st.integers(0, 2**32 - 1)
X, y = rows()
MODEL = pt.LogisticRegression(prior=1.0).fit(X, y)
TWO = pt.LogisticRegression(prior=1.0).fit(X, y == "cat")
TABLE = {
    "go": {"ant": 0.0, "bee": 4.0, "cat": 9.0},
    "ask": {"ant": 1.0, "bee": 1.0, "cat": 1.0},
    "stop": {"ant": 5.0, "bee": 3.0, "cat": 0.0},
}
VALUES = np.array([[0.0, 4.0, 9.0], [1.0, 1.0, 1.0], [5.0, 3.0, 0.0]])


@pytest.mark.parametrize("name", INSIDE)
@pytest.mark.parametrize("K", [2, 3, 5])
def test_no_costs_change_nothing_and_zero_one_costs_give_argmax(name, K):
    X, y = rows(K)
    inner = INSIDE[name]().fit(X, y)
    for model in (pt.CostSensitive(inner), pt.CostSensitive(INSIDE[name]()).fit(X, y)):
        np.testing.assert_array_equal(model.predict(X), inner.predict(X))
        np.testing.assert_array_equal(model.predict_proba(X), inner.predict_proba(X))
        assert model.predict(X).dtype == inner.predict(X).dtype
        assert model.actions_.tolist() == model.classes_.tolist() == inner.classes_.tolist()
        np.testing.assert_array_equal(model.costs_, 1.0 - np.eye(K))
    explicit = pt.CostSensitive(inner, 1.0 - np.eye(K))
    np.testing.assert_array_equal(explicit.predict(X), inner.classes_[inner.predict_proba(X).argmax(axis=1)])
    np.testing.assert_allclose(explicit.expected_cost(X), 1.0 - inner.predict_proba(X), atol=1e-14)


@pytest.mark.parametrize("name", INSIDE)
def test_around_any_classifier_the_action_is_the_cheapest(name):
    inner = INSIDE[name]().fit(X, y)
    model = pt.CostSensitive(inner, TABLE)
    wanted = inner.predict_proba(X) @ VALUES.T
    np.testing.assert_allclose(model.expected_cost(X), wanted, rtol=1e-12)
    assert model.expected_cost(X).shape == (len(X), 3)
    best = np.take_along_axis(wanted, model.expected_cost(X).argmin(axis=1)[:, None], axis=1)[:, 0]
    taken = wanted[np.arange(len(X)), [["go", "ask", "stop"].index(action) for action in model.predict(X)]]
    np.testing.assert_allclose(taken, best, rtol=1e-12)


@given(seed=SEEDS)
def test_a_number_added_to_the_costs_of_a_class_changes_no_action(seed):
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 50, (4, 3)).astype(float)
    names = ["a", "b", "c", "d"]
    plain = pt.CostSensitive(MODEL, costs, names).predict(X)
    np.testing.assert_array_equal(pt.CostSensitive(MODEL, costs + rng.integers(0, 99, 3), names).predict(X), plain)
    scaled = pt.CostSensitive(MODEL, costs * 4.0, names).predict(X)
    np.testing.assert_array_equal(scaled, plain)


FORMS = {
    "mapping, classes in another order": (
        {action: dict(reversed(row.items())) for action, row in TABLE.items()},
        None,
    ),
    "array": (VALUES, ["go", "ask", "stop"]),
    "list of lists": (VALUES.tolist(), ("go", "ask", "stop")),
    "pandas, index": (pd.DataFrame(TABLE).T[["cat", "ant", "bee"]], None),
    "pandas, first column": (pd.DataFrame(TABLE).T.rename_axis("action").reset_index(), None),
    "pandas, named by actions": (pd.DataFrame(TABLE).T.reset_index(drop=True), ["go", "ask", "stop"]),
    "polars": (pl.DataFrame(pd.DataFrame(TABLE).T.rename_axis("action").reset_index().to_dict("list")), None),
    "arrow": (pa.table(pd.DataFrame(TABLE).T.rename_axis("action").reset_index().to_dict("list")), None),
    "polars, named by actions": (pl.DataFrame(pd.DataFrame(TABLE).T.to_dict("list")), ["go", "ask", "stop"]),
    "mapping, with the order": (dict(reversed(TABLE.items())), ["go", "ask", "stop"]),
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_of_the_costs_is_the_same_table(name):
    costs, actions = FORMS[name]
    model = pt.CostSensitive(MODEL, costs, actions)
    assert model.actions_.tolist() == ["go", "ask", "stop"]
    np.testing.assert_array_equal(model.costs_, VALUES)
    np.testing.assert_array_equal(model.predict(X), pt.CostSensitive(MODEL, TABLE).predict(X))


def test_classes_that_are_no_text_are_found_by_their_text_in_frames():
    numbers = pt.LogisticRegression(prior=1.0).fit(X, (y == "cat").astype(int))
    frame = pd.DataFrame([[0, 7], [2, 0]], index=[0, 1], columns=[0, 1])
    named = pd.DataFrame({"action": [0, 1], 0: [0, 2], 1: [7, 0]})
    text = pl.DataFrame({"action": [0, 1], "1": [7, 0], "0": [0, 2]})
    for costs in (frame, named, text, {0: {0: 0, 1: 7}, 1: {1: 0, 0: 2}}):
        model = pt.CostSensitive(numbers, costs)
        assert model.costs_.tolist() == [[0.0, 7.0], [2.0, 0.0]]
        assert model.predict(X).dtype == numbers.classes_.dtype
    truth = pt.CostSensitive(TWO, {"a": {"True": 1, "False": 0}, "b": {True: 0, False: 2}})
    assert truth.costs_.tolist() == [[0.0, 1.0], [2.0, 0.0]]


def test_actions_of_several_types_keep_them():
    numbers = pt.LogisticRegression(prior=1.0).fit(X, (y == "cat").astype(int))
    model = pt.CostSensitive(numbers, [[0, 1], [1, 0], [0.2, 0.2]], [0, 1, "ask a person"])
    assert model.actions_.dtype == object
    assert {type(action) for action in model.predict(X)} == {int, str}
    assert 0 < model.score(X, (y == "cat").astype(int)) < 1
    weights = np.arange(len(X))
    right = model.predict(X) == (y == "cat").astype(int).astype(object)
    assert model.score(X, (y == "cat").astype(int), weights) == pytest.approx(np.average(right, weights=weights))


def test_ties_go_to_the_first_action():
    same = pt.CostSensitive(MODEL, {"b": dict.fromkeys(MODEL.classes_, 1), "a": dict.fromkeys(MODEL.classes_, 1)})
    assert set(same.predict(X)) == {"b"}
    assert set(same.set_params(actions=["a", "b"]).predict(X)) == {"a"}


def test_the_threshold_follows_from_the_costs():
    costs = [[0.0, 9.0], [1.0, 0.0]]
    model = pt.CostSensitive(TWO, costs)
    assert model.threshold_ == pytest.approx(0.1)
    np.testing.assert_array_equal(model.predict(X), TWO.predict_proba(X)[:, 1] > 0.1)
    assert pt.CostSensitive(TWO).threshold_ == 0.5
    with pytest.raises(AttributeError, match="two classes and two actions, not 3 classes and 3 actions"):
        _ = pt.CostSensitive(MODEL, TABLE).threshold_
    assert not hasattr(pt.CostSensitive(MODEL, TABLE), "threshold_")


def test_the_sign_or_the_largest_score_is_the_action():
    model = pt.CostSensitive(TWO, [[0.0, 9.0], [1.0, 0.0]])
    np.testing.assert_array_equal(model.decision_function(X) > 0, model.predict(X))
    three = pt.CostSensitive(MODEL, VALUES)
    np.testing.assert_array_equal(three.actions_[three.decision_function(X).argmax(axis=1)], three.predict(X))
    assert not hasattr(pt.CostSensitive(TWO, [[0, 1], [1, 0], [0.2, 0.2]], ["a", "b", "c"]), "decision_function")
    np.testing.assert_array_equal(pt.CostSensitive(TWO).decision_function(X), TWO.decision_function(X))


CLASSES = {"ant": 0.0, "bee": 1.0, "cat": 1.0}


@pytest.mark.parametrize(
    ("costs", "actions", "words"),
    [
        ({"go": {"ant": 1, "bee": 1}}, None, r"action 'go' lack 1 of the 3 classes: 'cat'"),
        ({"go": {**CLASSES, "bat": 1}}, None, r"name 1 unknown class\(es\): 'bat'\. Did you mean 'cat'"),
        ({"go": {"ant": 1, "bee": 1, "cats": 1}}, None, r"lack 1 .* 'cat'.*'cats'\. Did you mean 'cat'"),
        (
            {"go": {**CLASSES, "ant": np.nan}},
            None,
            "1 of 3 are NaN, the first is that of action 'go'",
        ),
        ({"go": {**CLASSES, "ant": None}}, None, "NaN"),
        ({"go": {**CLASSES, "ant": np.inf}}, None, "not finite"),
        ({"go": {**CLASSES, "ant": -1.0}}, None, "negative.* add the same number"),
        ({"go": {**CLASSES, "ant": 1e308}}, None, "overflow"),
        ({"go": {**CLASSES, "ant": "a"}}, None, "must be numbers"),
        ({"go": [1, 2, 3]}, None, r"costs\['go'\] is a list, not {class: cost}"),
        ({}, None, "empty"),
        (np.ones((3, 2)), None, r"shape \(3, 2\), expected \(actions, 3\)"),
        (np.ones(3), None, r"shape \(3,\)"),
        (np.ones((2, 3)), None, "2 rows for 3 classes: name the actions"),
        (np.ones((2, 3)), ["a"], "1 names for 2 rows"),
        (np.ones((2, 3)), ["a", "a"], "more than one action called 'a'"),
        (np.ones((2, 3)), "ab", "list of names"),
        (np.ones((2, 3)), [["a"], ["b"]], "must be text or a number"),
        ([[1, 2, 3], [1, 2]], None, "different lengths"),
        (np.ones((0, 3)), None, "shape"),
        ([["a", "b", "c"]], ["x"], "must be numbers"),
        ("costs.csv", None, "must be numbers"),
        (TABLE, ["go", "aks", "stop"], "'aks', which is not in costs. Did you mean 'ask'"),
        (TABLE, ["go", "ask"], "lacks 'stop'"),
        (pd.DataFrame(columns=["ant", "bee", "cat"], dtype=float), None, "without rows"),
        (pd.DataFrame(VALUES, columns=["ant", "bee", "cow"], index=[*"abc"]), None, "'cat'.*'cow'"),
        (None, ["a", "b"], "2 names for 3 rows"),
    ],
)
def test_bad_costs_are_refused_by_name_at_fit_and_at_predict(costs, actions, words):
    with pytest.raises(pt.DataError, match=words):
        pt.CostSensitive(pt.GaussianClassifier(), costs, actions).fit(X, y)
    with pytest.raises(pt.DataError, match=words):
        pt.CostSensitive(MODEL, costs, actions).predict(X)


def test_a_classifier_without_probabilities_is_refused_by_name():
    for inner in (RidgeClassifier(), pt.Perceptron(max_iter=5)):
        with pytest.raises(pt.DataTypeError, match=f"{type(inner).__name__} has no predict_proba"):
            pt.CostSensitive(inner).fit(X, y)


def test_a_classifier_that_gives_no_probabilities_for_a_row_is_refused():
    class Odd(LogisticRegression):
        def predict_proba(self, X):
            p = super().predict_proba(X)
            p[3] = np.nan
            return p

    with pytest.raises(pt.DataError, match=r"Odd returned .* not finite for 1 row\(s\), first in row 3"):
        pt.CostSensitive(Odd().fit(X, y), TABLE).predict(X)


def test_fitted_or_not_is_what_the_classifier_inside_is():
    blank = pt.CostSensitive(pt.GaussianClassifier(), TABLE)
    for ask in (blank.predict, blank.predict_proba, blank.expected_cost):
        with pytest.raises(NotFittedError, match="CostSensitive"):
            ask(X)
    for name in ("classes_", "actions_", "costs_", "n_features_in_", "feature_names_in_"):
        assert not hasattr(blank, name)
    ready = pt.CostSensitive(MODEL, TABLE)
    assert not hasattr(ready, "estimator_")
    assert ready.n_features_in_ == 3
    ready.predict(X)
    other = ready.fit(X[:80, :2], y[:80])
    assert other.estimator_ is not MODEL
    assert other.n_features_in_ == 2
    assert MODEL.n_features_in_ == 3
    with pytest.raises(NotFittedError):
        clone(ready).predict(X)


def test_a_refit_that_raises_leaves_the_old_fit_whole():
    model = pt.CostSensitive(pt.GaussianClassifier(), TABLE).fit(X, y)
    before = dict(vars(model))
    wanted = model.predict(X)
    for bad in ((X, y == "cat"), (X[:, :2], y[:-1]), (np.full_like(X, np.nan), y)):
        with pytest.raises(ValueError, match=r"."):
            model.fit(*bad)
        assert vars(model) == before
    np.testing.assert_array_equal(model.predict(X), wanted)


def test_in_pipelines_searches_and_cross_validation():
    pipe = make_pipeline(StandardScaler(), pt.CostSensitive(LogisticRegression(), TABLE)).fit(X, y)
    wanted = pt.CostSensitive(make_pipeline(StandardScaler(), LogisticRegression()), TABLE).fit(X, y)
    np.testing.assert_array_equal(pipe.predict(X), wanted.predict(X))
    search = GridSearchCV(pt.CostSensitive(LogisticRegression()), {"estimator__C": [0.1, 1.0]}, cv=3).fit(X, y)
    assert search.best_params_["estimator__C"] == search.best_estimator_.estimator_.C
    assert cross_val_score(pt.CostSensitive(LogisticRegression()), X, y, cv=3).min() > 0.4


def test_costs_may_be_set_anew_without_a_new_fit():
    model = pt.CostSensitive(pt.GaussianClassifier()).fit(X, y)
    model.set_params(costs=TABLE)
    assert set(model.predict(X)) <= set(TABLE)


def test_frames_of_costs_are_stored_as_numbers(tmp_path):
    frame = pd.DataFrame(TABLE).T
    pt.save(pt.CostSensitive(MODEL, frame), tmp_path / "m")
    loaded = pt.load(tmp_path / "m")
    assert loaded.costs == TABLE
    np.testing.assert_array_equal(loaded.predict(X), pt.CostSensitive(MODEL, frame).predict(X))
    with pytest.raises(pt.ModelFileError, match=r"estimator is of type sklearn\.linear_model"):
        pt.save(pt.CostSensitive(LogisticRegression().fit(X, y), TABLE), tmp_path / "n")


def test_inputs_are_never_changed():
    costs, rows = VALUES.copy(), X.copy()
    pt.CostSensitive(MODEL, costs).predict(rows)
    np.testing.assert_array_equal(costs, VALUES)
    np.testing.assert_array_equal(rows, X)
