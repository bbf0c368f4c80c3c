"""Models side by side."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression as Foreign
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import KFold

import posteriori as pt
from posteriori.comparisons.folds import stratified
from posteriori.comparisons.metrics import METRICS

RNG = np.random.default_rng(5)
X = RNG.normal(size=(90, 2))
Y = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + 0.5 * RNG.normal(size=90), [-0.5, 0.5])]


def test_scores_are_those_of_scikit_learn_on_the_same_folds():
    folds = list(KFold(5).split(X))
    result = pt.compare({"g": pt.GaussianClassifier()}, X, Y, cv=KFold(5), metrics=["log_loss", "accuracy", "brier"])
    probabilities = np.empty((90, 3))
    for train, held in folds:
        probabilities[held] = pt.GaussianClassifier().fit(X[train], Y[train]).predict_proba(X[held])
    (standing,) = result.standings
    assert standing.scores["log_loss"] == pytest.approx(log_loss(Y, probabilities), rel=1e-12)
    predicted = np.array(["a", "b", "c"])[probabilities.argmax(axis=1)]
    assert standing.scores["accuracy"] == pytest.approx(accuracy_score(Y, predicted))
    hot = (Y[:, None] == np.array(["a", "b", "c"])).astype(float)
    assert standing.scores["brier"] == pytest.approx(np.square(hot - probabilities).sum(axis=1).mean())
    losses = -np.log(probabilities[hot == 1])
    assert standing.errors["log_loss"] == pytest.approx(losses.std(ddof=1) / np.sqrt(90))


def test_the_best_is_the_one_with_the_lowest_loss_and_foreign_models_may_compete():
    noise = np.random.default_rng(0).normal(size=(90, 1))
    models = {"good": pt.LogisticRegression(prior=0.1), "other": Foreign(), "flat": pt.LogisticRegression(prior=1e6)}
    result = pt.compare(models, np.c_[X, noise], Y, random_state=1)
    scores = {standing.name: standing.scores["log_loss"] for standing in result.standings}
    assert result.best == min(scores, key=scores.get) != "flat"
    by_accuracy = pt.compare(models, X, Y, metrics=["accuracy"], random_state=1)
    right = {standing.name: standing.scores["accuracy"] for standing in by_accuracy.standings}
    assert by_accuracy.best == max(right, key=right.get)


def test_every_training_part_has_every_class_and_a_lone_row_is_never_held_out():
    codes = np.array([0] * 20 + [1] * 9 + [2] * 2 + [3])
    folds = stratified(codes, 5, random_state=0)
    held_out = np.concatenate([held for _, held in folds])
    assert sorted(held_out.tolist()) == list(range(31))
    for train, held in folds:
        assert set(codes[train]) == {0, 1, 2, 3}
        assert not set(train) & set(held)
        assert 3 <= (codes[held] == 0).sum() <= 5


def test_rare_classes_never_give_nan():
    labels = Y.copy().astype("<U4")
    labels[:2], labels[2] = "rare", "lone"
    result = pt.compare([pt.GaussianClassifier(), pt.LogisticRegression(prior=1.0)], X, labels, random_state=0)
    for standing in result.standings:
        assert np.isfinite(list(standing.scores.values())).all()
        assert np.isfinite(list(standing.errors.values())).all()


def test_a_class_that_training_lacks_costs_infinitely_much_but_is_not_nan():
    labels = np.array(["a"] * 30 + ["b"] * 30 + ["c"] * 30)
    folds = [(np.arange(60), np.arange(60, 90)), (np.arange(30, 90), np.arange(30))]
    (standing,) = pt.compare([pt.GaussianClassifier()], X, labels, cv=folds).standings
    assert standing.scores["log_loss"] == np.inf
    assert standing.errors["log_loss"] == np.inf
    assert standing.scores["accuracy"] == 0


def test_the_seed_decides_the_folds():
    losses = [pt.compare([pt.GaussianClassifier()], X, Y, random_state=seed).standings[0].scores for seed in (1, 1, 2)]
    assert losses[0] == losses[1] != losses[2]


def test_warnings_of_the_folds_are_said_once_with_their_number():
    apart = np.r_[np.zeros(20), np.ones(20)]
    columns = np.c_[apart * 10 + np.linspace(0, 1, 40)]
    with pytest.warns(pt.SeparationWarning, match="logit, in 4 of 4 folds: ") as said:
        pt.compare({"logit": pt.LogisticRegression()}, columns, apart.astype(int), cv=4)
    assert len(said) == 1


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_frames_are_compared_through_a_table_classifier(library):
    frame = library({"x": X[:, 0], "word": np.where(X[:, 1] > 0, "up", "down"), "y": Y})
    result = pt.compare([pt.NaiveBayes(), pt.LogisticRegression(prior=1.0)], frame, "y", cv=3, random_state=0)
    table = result.to_frame()
    assert type(table) is type(frame)
    assert list(table["model"]) == ["NaiveBayes", "LogisticRegression"]
    assert result.to_frame("pyarrow").column_names[:3] == ["model", "log_loss", "log_loss_se"]


def test_the_text_is_a_table_with_a_line_a_model():
    result = pt.compare([pt.GaussianClassifier(), pt.GaussianClassifier(shared=False)], X, Y, cv=3, random_state=0)
    text = str(result)
    assert "GaussianClassifier 2" in text
    assert "3-fold cross-validation, 90 rows" in text
    assert f"{result.standings[0].scores['log_loss']:.4f} ±" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metrics": ["auc"]}, "'log_loss', 'accuracy', 'brier'"),
        ({"cv": 1}, "cv must be from 2 to"),
        ({"cv": 1000}, "cv must be from 2 to"),
        ({"cv": "five"}, "cv must be a number"),
        ({"models": []}, "at least one"),
    ],
)
def test_what_cannot_be_compared_is_refused(arguments, message):
    arguments = {"models": [pt.GaussianClassifier()], **arguments}
    with pytest.raises(pt.DataError, match=message):
        pt.compare(arguments.pop("models"), X, Y, **arguments)


def test_the_brier_score_of_a_near_certain_row_keeps_its_digits():
    logs = np.array([[np.log1p(-1e-12), np.log(1e-12)]])
    assert METRICS["brier"].score(logs, np.array([0])) == pytest.approx(2e-24, rel=1e-9)


def test_models_without_probabilities_are_compared_by_accuracy_alone():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0]])
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    models = {"squares": pt.LeastSquaresClassifier(), "gaussian": pt.GaussianClassifier()}
    result = pt.compare(models, X, y, cv=2, random_state=0)
    assert all(set(standing.scores) == {"accuracy"} for standing in result.standings)
    assert min(standing.scores["accuracy"] for standing in result.standings) > 0.7
    with pytest.raises(pt.DataError, match=r"'squares' give\(s\) no probabilities"):
        pt.compare(models, X, y, cv=2, metrics=["log_loss"])
