"""`ModelAverage`: probabilities averaged by evidence or by given weights."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import posteriori as pt
from tests.estimators.wrappers.decision_data import INSIDE, rows

X, y = rows()
METHODS = ("predict", "predict_proba", "predict_log_proba", "decision_function")


def fitted(*names):
    return [INSIDE[name]().fit(X, y) for name in names]


@pytest.mark.parametrize("name", INSIDE)
def test_one_model_at_weight_one_is_that_model_to_the_bit(name):
    model, other = fitted(name, "ours, generative")
    for average in (
        pt.ModelAverage([model], weights=[1]),
        pt.ModelAverage([model], weights=[0.3]),
        pt.ModelAverage([other, model], weights=[0.0, 2.0]),
        pt.ModelAverage([INSIDE[name]()], weights=[1]).fit(X, y),
    ):
        for method in METHODS:
            if hasattr(model, method):
                with np.errstate(divide="ignore"):
                    np.testing.assert_array_equal(getattr(average, method)(X), getattr(model, method)(X))


def test_probabilities_are_averaged_by_weight():
    models = fitted("ours", "theirs, generative", "forest", "pipeline")
    average = pt.ModelAverage(models, weights=[1, 2, 3, 4])
    wanted = sum(w * model.predict_proba(X) for w, model in zip([0.1, 0.2, 0.3, 0.4], models, strict=True))
    np.testing.assert_allclose(average.weights_, [0.1, 0.2, 0.3, 0.4])
    np.testing.assert_allclose(average.predict_proba(X), wanted, rtol=1e-13)
    np.testing.assert_allclose(np.exp(average.predict_log_proba(X)), wanted, rtol=1e-12)
    np.testing.assert_array_equal(average.predict(X), average.classes_[wanted.argmax(axis=1)])
    again = pt.ModelAverage([INSIDE[n]() for n in ("ours", "theirs, generative", "forest", "pipeline")], [1, 2, 3, 4])
    np.testing.assert_allclose(again.fit(X, y).predict_proba(X), wanted, rtol=1e-12)


def test_logs_are_averaged_where_probabilities_vanish():
    models = fitted("ours", "ours, generative")
    far = 400.0 * X[:5]
    logs = [model.predict_log_proba(far) for model in models]
    wanted = logsumexp([logs[0] + np.log(0.25), logs[1] + np.log(0.75)], axis=0)
    assert wanted.min() < -750
    np.testing.assert_allclose(pt.ModelAverage(models, [1, 3]).predict_log_proba(far), wanted, rtol=1e-13, atol=1e-15)


class Evident(GaussianNB):
    """A classifier that knows its evidence."""

    def __init__(self, evidence=0.0):
        super().__init__()
        self.evidence = evidence

    @property
    def log_evidence_(self):
        return self.evidence


def test_evidence_is_normalised_without_overflow():
    models = [Evident(-10_000.0), Evident(-10_000.0 + np.log(3.0)), Evident(-20_000.0)]
    average = pt.ModelAverage(models).fit(X, y)
    np.testing.assert_allclose(average.weights_, [0.25, 0.75, 0.0], rtol=1e-12)
    inside = pt.ModelAverage([make_pipeline(StandardScaler(), Evident(2.0)), pt.CostSensitive(Evident(2.0))])
    np.testing.assert_allclose(inside.fit(X, y).weights_, [0.5, 0.5])


def test_bayesian_models_are_weighed_by_their_evidence():
    models = [pt.BayesianLogisticRegression(prior=precision) for precision in (0.01, 1.0, 100.0)]
    average = pt.ModelAverage(models).fit(X, y == "cat")
    evidence = np.array([clone(model).fit(X, y == "cat").log_evidence_ for model in models])
    np.testing.assert_allclose(average.weights_, np.exp(evidence - logsumexp(evidence)), rtol=1e-9)
    p = [model.predict_proba(X) for model in average.models_]
    np.testing.assert_allclose(average.predict_proba(X), np.tensordot(average.weights_, p, 1), rtol=1e-12)


def test_models_without_evidence_are_named():
    words = r"2 of 3 models have no log_evidence_: models\[0\] \(GaussianClassifier\), models\[2\] \(GaussianNB\)"
    with pytest.raises(pt.DataError, match=words):
        pt.ModelAverage([pt.GaussianClassifier(), Evident(), GaussianNB()]).fit(X, y)
    flat = pt.BayesianLogisticRegression(prior=pt.GaussianPrior(precision=1.0))
    with pytest.raises(
        pt.DataError, match=r"1 of 1 models have no log_evidence_.*The first reports: .*the prior is flat"
    ):
        pt.ModelAverage([flat]).fit(X, y == "cat")
    with pytest.raises(pt.DataError, match=r"log_evidence_ of models\[1\] \(Evident\) is nan"):
        pt.ModelAverage([Evident(), Evident(np.nan)]).fit(X, y)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1.0], "2 numbers, one per model"),
        ([1.0, -1.0], r"1 of 2 are negative, first that of models\[1\] \(LogisticRegression\)"),
        ([np.nan, 1.0], r"not finite, first that of models\[0\]"),
        ([0, 0], "all 2 are zero"),
        ("equal", "'equal' is not known: use 'evidence'"),
        (["a", "b"], "2 numbers"),
        (None, "2 numbers"),
    ],
)
def test_bad_weights_are_refused(weights, words):
    models = fitted("ours, generative", "theirs")
    for average in (pt.ModelAverage(models, weights), pt.ModelAverage([clone(m) for m in models], weights).fit):
        with pytest.raises(pt.DataError, match=words):
            average(X, y) if callable(average) else average.predict(X)


def test_weights_too_large_to_sum_are_shares_all_the_same():
    np.testing.assert_allclose(pt.ModelAverage(fitted("ours", "theirs"), [1e308, 1e308]).weights_, [0.5, 0.5])


def test_other_classes_are_refused_by_name_and_another_order_is_put_right():
    one, two = pt.GaussianClassifier().fit(X, y), pt.GaussianClassifier().fit(X, np.where(y == "cat", "cow", y))
    with pytest.raises(pt.DataError, match=r"models\[1\] \(GaussianClassifier\) has 'ant', 'bee', 'cow'"):
        pt.ModelAverage([one, two], [1, 1]).predict(X)
    frame, label = pd.DataFrame(X, columns=["u", "v", "w"]), y == "cat"
    turned = pt.TableClassifier(pt.GaussianClassifier(), positive=False).fit(frame, label)
    plain = pt.GaussianClassifier().fit(frame, label)
    for weights in ([1, 1], [0, 1]):
        average = pt.ModelAverage([plain, turned], weights)
        np.testing.assert_allclose(average.predict_proba(frame), plain.predict_proba(frame), rtol=1e-12)
        np.testing.assert_array_equal(average.predict(frame), plain.predict(frame))


@pytest.mark.parametrize(
    ("models", "words"),
    [
        ([], "empty"),
        (pt.GaussianClassifier(), "must be a list"),
        ([pt.GaussianClassifier], "not a classifier"),
        (["logistic"], r"models\[0\] is 'logistic'"),
        ([pt.GaussianClassifier(), RidgeClassifier()], "RidgeClassifier has no predict_proba"),
    ],
)
def test_bad_models_are_refused(models, words):
    with pytest.raises(pt.DataError, match=words):
        pt.ModelAverage(models, [1] * (len(models) if isinstance(models, list) else 1)).fit(X, y)


def test_fitted_or_not_is_what_all_the_models_are():
    half = pt.ModelAverage([pt.GaussianClassifier().fit(X, y), GaussianNB()], [1, 1])
    with pytest.raises(NotFittedError):
        half.predict(X)
    half.fit(X, y)
    assert half.models_[0] is not half.models[0]
    assert half.n_features_in_ == 3
    with pytest.raises(NotFittedError):
        clone(half).predict(X)
    assert half.fit_status_ == "ok"
    assert half.fit_notes_ == []


def test_a_refit_that_raises_leaves_the_old_fit_whole():
    average = pt.ModelAverage([pt.GaussianClassifier(), GaussianNB()], [1, 1]).fit(X, y)
    before = dict(vars(average))
    with pytest.raises(ValueError, match="NaN"):
        average.fit(np.full_like(X, np.nan), y)
    assert vars(average) == before


def test_weights_of_rows_go_to_every_model():
    weights = np.random.default_rng(0).uniform(0.5, 3.0, len(X))
    average = pt.ModelAverage([pt.GaussianClassifier(), LogisticRegression()], [1, 1]).fit(X, y, weights)
    wanted = [
        m.fit(X, y, sample_weight=weights).predict_proba(X) for m in (pt.GaussianClassifier(), LogisticRegression())
    ]
    np.testing.assert_allclose(average.predict_proba(X), np.mean(wanted, axis=0), rtol=1e-12)
