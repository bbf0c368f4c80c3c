"""The checks of `save` and `load` accept every model that a fit can make, however unusual its data."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import posteriori as pt

RNG = np.random.default_rng(31)
X = RNG.normal(size=(80, 3))
Y = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + RNG.normal(size=80), [-0.6, 0.6])]
TWO = Y == "b"
COUNTS = RNG.poisson(1.0, size=(80, 4)).astype(float)

DATA = {
    "columns of 1e150 and 1e-150": X * np.array([1e150, 1e-150, 1.0]),
    "columns far from zero": X + np.array([1e9, -1e12, 0.0]),
    "dependent columns": np.c_[X, X[:, 0] + X[:, 1]],
    "a constant column and one of zeros": np.c_[X, np.full(80, 7.0), np.zeros(80)],
    "columns within a class constant": np.c_[X, (Y == "a") * 1.0],
    "whole numbers": np.rint(3 * X),
}
MODELS = {
    "logistic": lambda X: pt.LogisticRegression().fit(X, Y),
    "logistic, two classes": lambda X: pt.LogisticRegression(inference=True).fit(X, TWO),
    "logistic, Jeffreys": lambda X: pt.LogisticRegression(prior="jeffreys").fit(X, TWO),
    "logistic, weights": lambda X: pt.LogisticRegression(weights="sampling").fit(X, TWO, np.linspace(0.1, 3, 80)),
    "logistic, no intercept": lambda X: pt.LogisticRegression(fit_intercept=False, prior=1.0).fit(X, Y),
    "logistic, separated": lambda X: pt.LogisticRegression().fit(X, X[:, 0] > np.median(X[:, 0])),
    "probit": lambda X: pt.BinaryRegression(link="probit").fit(X, TWO),
    "Bayesian": lambda X: pt.BayesianLogisticRegression().fit(X, TWO),
    "gaussian": lambda X: pt.GaussianClassifier().fit(X, Y),
    "gaussian, own": lambda X: pt.GaussianClassifier(shared=False).fit(X, Y, np.full(80, 1e200)),
    "gaussian, oas": lambda X: pt.GaussianClassifier(shrinkage="oas").fit(X, Y),
    "gaussian, low rank": lambda X: pt.GaussianClassifier(covariance="low-rank", shared=False).fit(X, Y),
    "gaussian, map": lambda X: pt.GaussianClassifier(estimate="map", shared=False).fit(X, Y),
    "gaussian, parts": lambda X: (
        pt.GaussianClassifier(covariance="diagonal")
        .partial_fit(X[:30], Y[:30], classes=["a", "b", "c", "never"])
        .partial_fit(X[30:], Y[30:])
    ),
    "naive Bayes": lambda X: pt.NaiveBayes().fit(np.where(RNG.random(X.shape) < 0.1, np.nan, X), Y),
    "naive Bayes, shared": lambda X: pt.NaiveBayes(shared="all", class_smoothing=1.0).fit(X, Y),
    "least squares": lambda X: pt.LeastSquaresClassifier().fit(X, Y),
    "Fisher": lambda X: pt.FisherDiscriminant().fit(X, Y),
    "Fisher, Ledoit-Wolf": lambda X: pt.FisherDiscriminant(shrinkage="ledoit-wolf", threshold="midpoint").fit(X, Y),
    "perceptron": lambda X: pt.Perceptron(max_iter=3, keep="average").fit(X, Y),
    "kernels": lambda X: pt.LSPC(centers=5, units="sd").fit(X, Y),
}


def stored(model, path):
    pt.save(model, path)
    return pt.load(path)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("name", MODELS)
def test_a_model_of_unusual_columns_is_stored(name, data, tmp_path):
    try:
        model = MODELS[name](DATA[data])
    except pt.DataError:
        pytest.skip("this model does not take these columns")
    loaded = stored(model, tmp_path / "m")
    assert loaded.predict(DATA[data]).tolist() == model.predict(DATA[data]).tolist()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", ["multinomial", "bernoulli", "poisson", "gaussian"])
def test_models_of_sparse_columns_are_stored(family, tmp_path):
    rows = sp.csr_array(np.minimum(COUNTS, 1.0) if family == "bernoulli" else COUNTS)
    for model in (pt.NaiveBayes(families=family).fit(rows, Y), pt.LogisticRegression(prior=1.0).fit(rows, Y)):
        np.testing.assert_array_equal(stored(model, tmp_path / "m").predict(rows), model.predict(rows))


@pytest.mark.parametrize("kind", [pt.NaiveBayes, pt.JointTable])
def test_categories_that_come_in_parts_are_stored(kind, tmp_path):
    frame = pd.DataFrame({"g": np.array(list("uvwx"))[np.arange(80) // 20], "t": X[:, 0] > 0})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = kind(smoothing=1.0)
        for part in range(4):
            rows = slice(20 * part, 20 * (part + 1))
            model.partial_fit(frame[rows], Y[rows], classes=["a", "b", "c"])
            stored(model, tmp_path / "m")
        merged = kind(smoothing=1.0).fit(frame[:40], Y[:40]).merge(kind(smoothing=1.0).fit(frame[40:], Y[40:]))
    assert stored(merged, tmp_path / "m").predict(frame).tolist() == model.predict(frame).tolist()


@pytest.mark.parametrize("weights", ["frequency", "sampling"])
@pytest.mark.parametrize("link", ["logit", "probit"])
def test_fits_of_grouped_counts_are_saved_with_their_criteria(link, weights, tmp_path):
    rng = np.random.default_rng(0)
    X, trials = rng.standard_normal((30, 2)), rng.integers(3, 9, 30)
    counts = pt.counts(successes=rng.binomial(trials, 0.4), trials=trials)
    model = pt.BinaryRegression(link=link, weights=weights).fit(X, counts)
    pt.save(model, tmp_path / "grouped")
    loaded = pt.load(tmp_path / "grouped")
    assert (loaded.predict_proba(X) == model.predict_proba(X)).all()
    assert str(loaded.summary()) == str(model.summary())
