"""One-versus-rest: K or K - 1 problems, the regions they leave open, and what is passed on to them."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

import posteriori as pt


def blobs(seed=0, n=90, K=3, apart=3.0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % K
    turn = 2 * np.pi * np.arange(K) / K
    return rng.standard_normal((n, 2)) + apart * np.column_stack([np.cos(turn), np.sin(turn)])[y], y


@pytest.mark.parametrize("rest", ["all", "last"])
def test_two_classes_are_the_classifier_itself(rest):
    X, y = blobs(K=2, apart=1.0)
    names = np.array(["no", "yes"])[y]
    model = pt.OneVsRest(pt.LogisticRegression(), rest=rest).fit(X, names)
    alone = pt.LogisticRegression().fit(X, names)
    assert len(model.estimators_) == 1
    for method in ("predict", "predict_proba", "predict_log_proba", "decision_function"):
        np.testing.assert_array_equal(getattr(model, method)(X), getattr(alone, method)(X))
    np.testing.assert_array_equal(model.votes(X), model.predict(X)[:, None] == ["no", "yes"])
    assert not model.is_ambiguous(X).any()


@pytest.mark.parametrize("rest", ["all", "last"])
def test_votes_are_the_claims_of_the_classifiers(rest):
    X, y = blobs(apart=1.5)
    model = pt.OneVsRest(pt.LogisticRegression(), rest=rest).fit(X, y)
    assert len(model.estimators_) == (3 if rest == "all" else 2)
    claims = np.column_stack([inner.predict(X) for inner in model.estimators_])
    votes = model.votes(X)
    np.testing.assert_array_equal(votes[:, : claims.shape[1]], claims)
    if rest == "last":
        np.testing.assert_array_equal(votes[:, 2], claims.sum(axis=1) == 0)
    ambiguous = votes.sum(axis=1) != 1
    assert ambiguous.any()
    assert not ambiguous.all()
    np.testing.assert_array_equal(model.is_ambiguous(X), ambiguous)
    clear = ~ambiguous
    np.testing.assert_array_equal(model.predict(X)[clear], votes.argmax(axis=1)[clear])
    np.testing.assert_array_equal(model.predict(X), model.decision_function(X).argmax(axis=1))


def test_between_three_lines_no_class_claims_the_middle():
    X, y = blobs(apart=6.0)
    model = pt.OneVsRest(pt.LogisticRegression(prior=1.0)).fit(X, y)
    assert model.votes([[0.0, 0.0]]).tolist() == [[0, 0, 0]]
    assert model.is_ambiguous([[0.0, 0.0]]).all()
    last = pt.OneVsRest(pt.LogisticRegression(prior=1.0), rest="last").fit(X, y)
    assert last.votes([[0.0, 0.0]]).tolist() == [[0, 0, 1]]
    assert last.predict([[0.0, 0.0]]).tolist() == [2]


@pytest.mark.parametrize("rest", ["all", "last"])
@given(seed=st.integers(0, 2**32 - 1))
def test_probabilities_sum_to_one_and_their_largest_is_the_prediction(rest, seed):
    X, y = blobs(seed, apart=1.0)
    model = pt.OneVsRest(pt.LogisticRegression(prior=0.1), rest=rest).fit(X, y)
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0, atol=1e-14)
    np.testing.assert_allclose(np.log(p), model.predict_log_proba(X), atol=1e-12)
    np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))


def test_probabilities_are_claims_over_their_sum_or_odds_against_one():
    X, y = blobs(apart=1.0)
    model = pt.OneVsRest(pt.LogisticRegression()).fit(X, y)
    claims = np.column_stack([inner.predict_proba(X)[:, 1] for inner in model.estimators_])
    np.testing.assert_allclose(model.predict_proba(X), claims / claims.sum(axis=1, keepdims=True), rtol=1e-12)
    last = pt.OneVsRest(pt.LogisticRegression(), rest="last").fit(X, y)
    odds = np.column_stack([p[:, 1] / p[:, 0] for p in (inner.predict_proba(X) for inner in last.estimators_)])
    odds = np.column_stack([odds, np.ones(len(X))])
    np.testing.assert_allclose(last.predict_proba(X), odds / odds.sum(axis=1, keepdims=True), rtol=1e-12)


def test_probabilities_of_zero_in_every_problem_are_shared_out_evenly():
    class Never(KNeighborsClassifier):
        def predict_proba(self, X):
            return np.tile([1.0, 0.0], (len(X), 1))

    X, y = blobs()
    model = pt.OneVsRest(Never()).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X[:2]), 1 / 3)
    sure = pt.OneVsRest(Never(), rest="last").fit(X, y)
    assert sure.predict_proba(X[:2]).tolist() == [[0.0, 0.0, 1.0]] * 2


def test_weights_are_passed_on_and_zero_is_no_row():
    X, y = blobs(apart=1.0)
    weights = np.random.default_rng(1).integers(0, 3, len(y))
    model = pt.OneVsRest(pt.LogisticRegression()).fit(X, y, sample_weight=weights)
    copied = pt.OneVsRest(pt.LogisticRegression()).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(model.predict_proba(X), copied.predict_proba(X), atol=1e-10)
    hidden = np.where(y == 2, 0.0, 1.0)
    assert pt.OneVsRest(pt.LogisticRegression()).fit(X, y, sample_weight=hidden).classes_.tolist() == [0, 1]


def test_weights_for_a_classifier_that_takes_none_are_refused():
    X, y = blobs()
    with pytest.raises(pt.DataError, match="Perceptron takes no sample_weight"):
        pt.OneVsRest(pt.Perceptron()).fit(X, y, sample_weight=np.ones(len(y)))
    with pytest.raises(TypeError, match="enable_metadata_routing"):
        pt.OneVsRest(pt.LogisticRegression()).fit(X, y, offset=np.zeros(len(y)))


def test_metadata_go_where_they_were_asked_for():
    X, y = blobs(apart=1.0)
    weights = np.random.default_rng(2).uniform(0.5, 2.0, len(y))
    wanted = pt.OneVsRest(LogisticRegression()).fit(X, y, sample_weight=weights).predict_proba(X)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = LogisticRegression().set_fit_request(sample_weight=True)
        model = pt.OneVsRest(asking).fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(model.predict_proba(X), wanted)
        with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError, match="sample_weight"):
            pt.OneVsRest(LogisticRegression()).fit(X, y, sample_weight=weights)
        shift = pt.LogisticRegression().set_fit_request(offset=True)
        ignored = pt.OneVsRest(shift).fit(X, y, offset=np.full(len(y), 0.5))
    assert all(inner.takes_offset_ for inner in ignored.estimators_)


def test_classifiers_with_scores_or_labels_only_do():
    X, y = blobs()
    for inner in (LinearSVC(), pt.Perceptron(max_iter=20)):
        model = pt.OneVsRest(inner).fit(X, y)
        assert model.score(X, y) > 0.85
        assert not hasattr(model, "predict_proba")
    assert hasattr(pt.OneVsRest(KNeighborsClassifier()), "predict_proba")
    assert pt.OneVsRest(KNeighborsClassifier()).fit(X, y).score(X, y) > 0.9


def test_frames_keep_their_names():
    X, y = blobs()
    frame = pd.DataFrame(X, columns=["east", "north"])
    model = pt.OneVsRest(pt.GaussianClassifier()).fit(frame, np.array(["a", "b", "c"])[y])
    assert model.feature_names_in_.tolist() == ["east", "north"]
    assert model.n_features_in_ == 2
    assert set(model.predict(frame)) == {"a", "b", "c"}


def test_a_rest_that_is_not_known_is_refused():
    X, y = blobs()
    with pytest.raises(pt.DataError, match="'all', 'last'"):
        pt.OneVsRest(pt.LogisticRegression(), rest="first").fit(X, y)
    with pytest.raises(pt.DataError, match="one class"):
        pt.OneVsRest(pt.LogisticRegression()).fit(X, np.zeros(len(y)))
