"""One-versus-one: duels, their circles, and probabilities coupled from pairs."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression

import posteriori as pt
from posteriori.decisions.coupling import couple
from tests.estimators.wrappers.test_one_vs_rest import blobs


def pairs_of(p):
    """Give r_ij = p_i / (p_i + p_j)."""
    return p[..., :, None] / (p[..., :, None] + p[..., None, :])


@given(seed=st.integers(0, 2**32 - 1), K=st.integers(2, 8), evenness=st.sampled_from([0.05, 1.0, 10.0]))
def test_coupling_gives_back_the_probabilities_of_consistent_pairs(seed, K, evenness):
    p = np.random.default_rng(seed).dirichlet(np.full(K, evenness), 50)
    p = (p + 1e-30) / (p + 1e-30).sum(axis=1, keepdims=True)
    found = couple(pairs_of(p))
    np.testing.assert_allclose(found, p, rtol=0, atol=1e-10)
    assert (found >= 0).all()


@pytest.mark.parametrize("seed", range(5))
def test_coupling_is_the_minimum_of_its_misfit(seed):
    rng = np.random.default_rng(seed)
    r = np.triu(rng.uniform(size=(4, 4)), 1)
    r = r + np.tril(1 - r.T, -1)

    def misfit(p):
        apart = (r.T * p[:, None] - r * p[None, :]) ** 2
        return apart.sum() - np.trace(apart)

    found = couple(r[None])[0]
    other = minimize(
        misfit, np.full(4, 0.25), bounds=[(0, 1)] * 4, constraints={"type": "eq", "fun": lambda p: p.sum() - 1},
        tol=1e-15,
    )  # fmt: skip
    assert misfit(found) <= other.fun + 1e-15
    np.testing.assert_allclose(found, other.x, atol=1e-6)


def test_certain_pairs_couple_to_a_certain_class_or_go_round_evenly():
    order = np.triu(np.ones((3, 3)), 1)
    assert couple(order[None]).tolist() == [[1.0, 0.0, 0.0]]
    circle = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    np.testing.assert_allclose(couple(circle[None]), 1 / 3, rtol=1e-14)
    assert couple(np.empty((0, 3, 3))).shape == (0, 3)


def test_many_rows_couple_as_each_does():
    p = np.random.default_rng(0).dirichlet(np.ones(4), 30_000)
    r = pairs_of(p)
    np.testing.assert_array_equal(couple(r)[::3000], np.vstack([couple(row[None]) for row in r[::3000]]))


def test_two_classes_are_the_classifier_itself():
    X, y = blobs(K=2, apart=1.0)
    model, alone = pt.OneVsOne(pt.LogisticRegression()).fit(X, y), pt.LogisticRegression().fit(X, y)
    for method in ("predict", "predict_proba", "predict_log_proba", "decision_function"):
        np.testing.assert_array_equal(getattr(model, method)(X), getattr(alone, method)(X))
    assert not model.is_ambiguous(X).any()


def test_each_classifier_sees_the_rows_of_its_pair_alone():
    X, y = blobs(K=4)
    names = np.array(["ant", "bee", "cat", "dog"])[y]
    model = pt.OneVsOne(pt.LogisticRegression(prior=1.0)).fit(X, names)
    assert model.pairs_.tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    for (i, j), inner in zip(model.pairs_, model.estimators_, strict=True):
        rows = (y == i) | (y == j)
        alone = pt.LogisticRegression(prior=1.0).fit(X[rows], names[rows])
        assert inner.classes_.tolist() == model.classes_[[i, j]].tolist()
        np.testing.assert_array_equal(inner.coef_, alone.coef_)


def test_votes_count_the_duels_won():
    X, y = blobs(K=4, apart=1.5)
    model = pt.OneVsOne(pt.LogisticRegression(prior=0.1)).fit(X, y)
    votes = model.votes(X)
    assert (votes.sum(axis=1) == 6).all()
    wins = np.zeros_like(votes)
    for inner in model.estimators_:
        np.add.at(wins, (np.arange(len(X)), inner.predict(X)), 1)
    np.testing.assert_array_equal(votes, wins)
    np.testing.assert_array_equal(model.predict(X), model.decision_function(X).argmax(axis=1))
    clear = ~model.is_ambiguous(X)
    np.testing.assert_array_equal(clear, votes.max(axis=1) == 3)
    np.testing.assert_array_equal(model.predict(X)[clear], votes.argmax(axis=1)[clear])


class Duel(ClassifierMixin, BaseEstimator):
    """Says what a table of winners says, whatever the rows."""

    def __init__(self, winners=None):
        self.winners = winners

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.n_features_in_ = np.shape(X)[1]
        return self

    def predict(self, X):
        return np.full(len(X), self.winners[tuple(self.classes_.tolist())])


@pytest.mark.parametrize(
    ("winners", "ambiguous"),
    [
        ({(0, 1): 0, (0, 2): 0, (1, 2): 1}, False),
        ({(0, 1): 0, (1, 2): 1, (0, 2): 2}, True),
    ],
)
def test_votes_that_go_round_in_a_circle_are_ambiguous(winners, ambiguous):
    X, y = blobs()
    model = pt.OneVsOne(Duel(winners)).fit(X, y)
    assert model.is_ambiguous(X).tolist() == [ambiguous] * len(X)
    assert not hasattr(model, "predict_proba")


def test_a_circle_below_a_class_that_leads_by_votes_is_ambiguous():
    # 0 beats 1, 2, 3 and loses to 4; it leads 3 to 2, 2, 2, 1, but not everyone
    winners = {(0, 1): 0, (0, 2): 0, (0, 3): 0, (0, 4): 4, (1, 2): 1, (1, 3): 3, (1, 4): 1, (2, 3): 2, (2, 4): 2,
               (3, 4): 3}  # fmt: skip
    X, y = blobs(K=5, n=100)
    model = pt.OneVsOne(Duel(winners)).fit(X, y)
    assert model.votes(X[:1]).tolist() == [[3, 2, 2, 2, 1]]
    assert model.predict(X[:1]).tolist() == [0]
    assert model.is_ambiguous(X[:1]).all()


def test_coupled_probabilities_are_near_those_of_the_true_model():
    X, y = blobs(n=3000, apart=1.0)
    coupled, whole = pt.OneVsOne(pt.LogisticRegression()).fit(X, y), pt.LogisticRegression().fit(X, y)
    p = coupled.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0, atol=1e-14)
    assert np.abs(p - whole.predict_proba(X)).max() < 0.05
    np.testing.assert_array_equal(np.exp(coupled.predict_log_proba(X)).round(12), p.round(12))


def test_weights_are_split_with_the_rows():
    X, y = blobs(apart=1.0)
    weights = np.random.default_rng(1).integers(0, 3, len(y))
    for inner in (pt.LogisticRegression(), LogisticRegression(tol=1e-10, max_iter=1000)):
        model = pt.OneVsOne(inner).fit(X, y, sample_weight=weights)
        copied = pt.OneVsOne(inner).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
        np.testing.assert_allclose(model.predict_proba(X), copied.predict_proba(X), atol=1e-5)


def test_frames_of_text_reach_classifiers_that_take_them():
    frame = pd.DataFrame({"colour": list("abcabc") * 5, "size": np.arange(30.0) % 6})
    y = np.array(list("xxyyzz") * 5)
    model = pt.OneVsOne(pt.NaiveBayes()).fit(frame, y)
    assert (model.predict(frame) == y).all()
    assert model.feature_names_in_.tolist() == ["colour", "size"]
    whole = pt.TableClassifier(pt.OneVsOne(pt.NaiveBayes())).fit(frame, y)
    assert whole.get_feature_names_out().tolist() == ["colour", "size"]
    assert whole.fit_status_ == "ok"
    assert whole.estimator_.n_parameters_ == sum(inner.n_parameters_ for inner in model.estimators_)


@pytest.mark.parametrize("kind", [pt.OneVsOne, pt.OneVsRest])
def test_an_identifier_as_target_is_refused_before_any_fit(kind):
    with pytest.raises(pt.DataError, match=r"'y' has 50000 classes: .* would make \d+ fits. Is y an identifier"):
        kind(pt.GaussianClassifier()).fit(np.zeros((50000, 1)), np.arange(50000))
