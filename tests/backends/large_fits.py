"""Predictions of models of a table that is large enough for compiled kernels."""

import warnings

import numpy as np

import posteriori as pt

N_ROWS, N_COLUMNS = 11_000, 100
MODELS = {
    "logistic": pt.LogisticRegression(),
    "gaussian": pt.GaussianClassifier(),
    "naive_bayes": pt.NaiveBayes(),
    "perceptron": pt.Perceptron(max_iter=2),
    "online": pt.LogisticRegression(solver="online", max_iter=2, random_state=0),
}


def predictions():
    """Return the probabilities of every model, or its scores where it has none, by name."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((N_ROWS, N_COLUMNS))
    y = X[:, :4].sum(axis=1) + rng.logistic(size=N_ROWS) > 0
    results = {}
    for name, model in MODELS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pt.ConvergenceWarning)
            model.fit(X, y)
        predict = getattr(model, "predict_proba", None) or model.decision_function
        results[name] = predict(X)
    return results
