"""Edges of decisions, comparisons and the Laplace approximation."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import posteriori as pt

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
Y = np.where(X[:, 0] + RNG.normal(size=60) > 0, "yes", "no")


@pytest.mark.parametrize(
    ("log_density", "start"),
    [
        (lambda z: -z if z >= 0 else -np.inf, 1.0),
        (lambda z: z if 0 <= z <= 1 else -np.inf, 0.5),
        (lambda z: -z[0] - z[1] ** 2 if z[0] >= 0 else -np.inf, [1.0, 1.0]),
        (lambda z: -z[0] - (z[1] - 1) ** 2 if z[0] >= 0 else -np.inf, [1.0, 2.0]),
        (lambda z: 3 * z[0] - (z[1] - 0.3 * z[0]) ** 2 if z[0] <= 1.7 else -np.inf, [0.3, 2.0]),
        (lambda z: np.log(z[0]) - z[0] - z[1] if z[1] >= 0 else -np.inf, [1.0, 1.0]),
        (lambda z: -((z[0] - 3) ** 2) - (z[1] - 3) ** 2 if z[0] + z[1] <= 2 else -np.inf, [0.0, 0.0]),
        (lambda z: z[0] + z[1] if z @ z <= 1 else -np.inf, [0.1, 0.0]),
        (lambda z: -0.5 * np.log(z * (1 - z)), 0.3),
    ],
    ids=[
        "exponential",
        "rising to the edge",
        "two dimensions",
        "curved along the edge",
        "correlated",
        "log in one, edge in the other",
        "oblique edge",
        "disc",
        "pole on the edge",
    ],
)
def test_a_density_whose_top_is_on_its_edge_is_refused_without_a_warning_of_numpy(log_density, start):
    with pytest.raises(pt.DataError, match="edge of the region where the density is positive"):
        pt.laplace(log_density, start)


def test_priors_in_a_series_are_read_by_its_index():
    model = pt.LogisticRegression(prior=1.0).fit(X, Y)
    named = pd.Series([0.9, 0.1], index=["yes", "no"])
    wanted = pt.PriorShift(model, {"yes": 0.9, "no": 0.1}).predict_proba(X)
    assert (pt.PriorShift(model, named).predict_proba(X) == wanted).all()
    assert (pt.PriorShift(model, pd.Series([0.1, 0.9])).predict_proba(X) == wanted).all()  # only numbered: in order
    with pytest.raises(pt.DataError, match="lack 1 of the 2 classes: 'no'"):
        pt.PriorShift(model, pd.Series([0.9, 0.1], index=["yes", "nay"])).predict_proba(X)


def test_priors_set_after_adapting_are_in_force():
    shifted = pt.PriorShift(pt.LogisticRegression(prior=1.0).fit(X, Y)).adapt(X[:10])
    adapted = shifted.class_priors_
    shifted.set_params(estimator__prior=1.0)
    assert (shifted.class_priors_ == adapted).all()
    assert shifted.set_params(class_priors=[0.25, 0.75]).class_priors_.tolist() == [0.25, 0.75]


@pytest.mark.parametrize(
    "around",
    [
        lambda inner: pt.CostSensitive(inner, [[0, 2], [1, 0]]),
        lambda inner: pt.RejectOption(inner, threshold=0.6),
        lambda inner: pt.PriorShift(inner, [0.5, 0.5]),
        lambda inner: pt.ModelAverage([inner], weights=[1]),
        pt.OneVsRest,
    ],
    ids=["costs", "rejection", "prior shift", "average", "one-versus-rest"],
)
def test_a_pipeline_that_ends_in_a_classifier_around_another_is_scored_where_metadata_are_routed(around):
    weights = RNG.random(60)
    with sklearn.config_context(enable_metadata_routing=True):
        inner = pt.LogisticRegression(prior=1.0).set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        model = around(inner)
        pipeline = make_pipeline(scaler, model).fit(X, Y, sample_weight=weights)
        plain = pipeline.score(X, Y)
        assert plain == np.mean(pipeline.predict(X) == Y)
        search = GridSearchCV(pipeline, {"standardscaler__with_mean": [True]}, cv=2).fit(X, Y, sample_weight=weights)
        assert np.isfinite(search.best_score_)
        weighed = np.average(pipeline.predict(X) == Y, weights=weights)
        assert pipeline.score(X, Y, sample_weight=weights) == pytest.approx(weighed, rel=1e-15)
        assert model.get_metadata_routing().consumes("score", {"sample_weight"}) == {"sample_weight"}
        model.set_score_request(sample_weight=False)
        assert not model.get_metadata_routing().consumes("score", {"sample_weight"})


def test_the_smoothed_prior_of_a_class_that_training_lacks_leaves_the_other_odds_as_they_are():
    labels = np.array(["a"] * 20 + ["b"] * 20 + ["c"] * 20)
    rows = np.arange(60)
    folds = [(rows[:40], rows[40:]), (rows[rows % 2 == 0], rows[rows % 2 == 1])]
    with pytest.warns(pt.NotIdentifiedWarning, match="in 1 of 2 folds: 1 of 3 classes are absent"):
        (standing,) = pt.compare([pt.GaussianClassifier()], X, labels, cv=folds).standings
    assert standing.by_fold["log_loss"][0] == pytest.approx(np.log(43), rel=1e-14)
    p = pt.GaussianClassifier().fit(X[:40], labels[:40]).predict_proba(X[40:]) * 42 / 43
    assert standing.by_fold["brier"][0] == pytest.approx(((p**2).sum(axis=1) + (42 / 43) ** 2).mean(), rel=1e-12)


def test_averaged_logs_and_probabilities_agree_in_single_precision():
    rows = (5.0 * X).astype(np.float32)
    labels = np.where(X[:, 0] > 0, "yes", "no")
    models = [pt.GaussianClassifier().fit(rows, labels), pt.NaiveBayes().fit(rows, labels)]
    average = pt.ModelAverage(models, weights=[1, 1])
    p, logs = average.predict_proba(rows), average.predict_log_proba(rows)
    assert p.dtype == logs.dtype == np.float32
    assert (logs[p > 0.5] == np.log(p[p > 0.5])).all()
