"""Fitted models of every storable kind, small."""

import datetime
import warnings

import numpy as np
import pandas as pd

import posteriori as pt

RNG = np.random.default_rng(7)
X = RNG.normal(size=(60, 3))
CODES = np.digitize(X[:, 0] + RNG.normal(size=60), [-0.5, 0.5])
TEXT = np.array(["blue", "green", "red"])[CODES]


def frame() -> pd.DataFrame:
    """Give columns of every kind, with gaps."""
    rng = np.random.default_rng(8)
    table = pd.DataFrame(X, columns=["size", "weight", "age"])
    table["colour"] = np.array(["dark", "light", "pale"])[rng.integers(3, size=60)]
    table["tame"] = rng.random(60) < 0.5
    table.loc[3, "colour"] = None
    table.loc[[5, 6], "size"] = np.nan
    return table


def quiet(model, *data, **more):
    """Fit without the warnings that small data deserve."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(*data, **more)


def prior(**given):
    return pt.GaussianPrior(mean=np.array([0.0, 1.0, -0.0]), **given)


MODELS = {
    "logistic, two classes": lambda: (pt.LogisticRegression().fit(X, CODES > 1), X),
    "softmax": lambda: (pt.LogisticRegression().fit(X, TEXT), X),
    "softmax against a reference": lambda: (
        pt.LogisticRegression(parametrization="reference", reference="green").fit(X, TEXT),
        X,
    ),
    "logistic with a prior": lambda: (
        pt.LogisticRegression(prior=prior(sd=np.array([1.0, 2.0, 3.0]))).fit(X, TEXT),
        X,
    ),
    "logistic, separated": lambda: (quiet(pt.LogisticRegression(), X, X[:, 0] > 0), X),
    "gaussian, shared": lambda: (pt.GaussianClassifier().fit(X, TEXT), X),
    "gaussian, own": lambda: (pt.GaussianClassifier(shared=False).fit(X, TEXT), X),
    "gaussian, diagonal": lambda: (pt.GaussianClassifier(covariance="diagonal").fit(X, TEXT), X),
    "gaussian, spherical": lambda: (
        pt.GaussianClassifier(covariance="spherical", shared=False, class_priors=[0.2, 0.3, 0.5]).fit(X, TEXT),
        X,
    ),
    "gaussian, singular": lambda: (quiet(pt.GaussianClassifier(), np.c_[X, X[:, :1]], TEXT), np.c_[X, X[:, :1]]),
    "gaussian, Ledoit-Wolf": lambda: (pt.GaussianClassifier(shrinkage="ledoit-wolf").fit(X, TEXT), X),
    "gaussian, shrunk, own": lambda: (pt.GaussianClassifier(shrinkage=0.1, shared=False).fit(X, TEXT), X),
    "gaussian, low rank": lambda: (quiet(pt.GaussianClassifier(covariance="low-rank", shared=False), X, TEXT), X),
    "gaussian, prior": lambda: (
        pt.GaussianClassifier(estimate=pt.NormalInverseWishart([0.0, 1.0, 2.0], 1.0, 5.0, np.eye(3))).fit(X, TEXT),
        X,
    ),
    "least squares": lambda: (pt.LeastSquaresClassifier(precision=0.5).fit(X, TEXT), X),
    "least squares, aliased": lambda: (quiet(pt.LeastSquaresClassifier(), np.c_[X, X[:, 0]], TEXT), np.c_[X, X[:, 0]]),
    "least squares, Fisher's targets": lambda: (pt.LeastSquaresClassifier(targets="fisher").fit(X, CODES > 1), X),
    "Fisher": lambda: (pt.FisherDiscriminant().fit(X, TEXT), X),
    "Fisher, shrunk": lambda: (pt.FisherDiscriminant(shrinkage="ledoit-wolf", n_components=1).fit(X, TEXT), X),
    "Fisher, least error": lambda: (pt.FisherDiscriminant(threshold="least-error").fit(X, CODES > 1), X),
    "naive Bayes of numbers": lambda: (pt.NaiveBayes().fit(X, TEXT), X),
    "naive Bayes of all kinds": lambda: (pt.NaiveBayes().fit(frame(), TEXT), frame()),
    "naive Bayes, families by name": lambda: (
        pt.NaiveBayes(families={"tame": "categorical", ("size"): "gaussian"}).fit(frame(), TEXT),
        frame(),
    ),
    "perceptron": lambda: (quiet(pt.Perceptron(max_iter=5, trace=True), X, TEXT), X),
    "perceptron, two classes, pocket": lambda: (quiet(pt.Perceptron(max_iter=5, keep="pocket"), X, CODES > 1), X),
    "joint table": lambda: (
        quiet(pt.JointTable(), frame()[["colour", "tame"]].dropna(), TEXT[frame()["colour"].notna()]),
        frame()[["colour", "tame"]].dropna(),
    ),
    "joint table, smoothed, wide": lambda: (
        quiet(pt.JointTable(smoothing=0.1), X[:, :1].round() + np.arange(80), TEXT),
        X[:, :1].round() + np.arange(80),
    ),
    "one versus rest": lambda: (pt.OneVsRest(pt.LogisticRegression(prior=1.0), rest="last").fit(X, TEXT), X),
    "one versus one": lambda: (pt.OneVsOne(pt.GaussianClassifier()).fit(X, TEXT), X),
    "table of one versus one": lambda: (
        pt.TableClassifier(pt.OneVsOne(pt.NaiveBayes())).fit(frame()[["size", "tame"]], TEXT),
        frame()[["size", "tame"]],
    ),
    "table of logistic": lambda: (
        quiet(pt.TableClassifier(pt.LogisticRegression(prior=1.0), missing="indicator"), frame(), TEXT),
        frame(),
    ),
    "table of naive Bayes": lambda: (pt.TableClassifier(pt.NaiveBayes()).fit(frame(), TEXT), frame()),
    "table, positive class turned": lambda: (
        pt.TableClassifier(pt.GaussianClassifier(), positive=False, missing="drop").fit(frame(), CODES > 1),
        frame().dropna(),
    ),
    "table of an array": lambda: (pt.TableClassifier(pt.GaussianClassifier()).fit(X, TEXT), X),
}

DATES = np.array(["2020-01-01", "2020-06-01", "2021-01-01"], dtype="datetime64[D]")
LABELS = {
    "text": TEXT,
    "wide text": TEXT.astype("<U40"),
    "objects": TEXT.astype(object),
    "bytes": TEXT.astype("S"),
    "bool": CODES > 1,
    "int8": CODES.astype(np.int8),
    "uint64": CODES.astype(np.uint64),
    "float32": CODES.astype(np.float32),
    "datetime64": DATES[CODES],
    "dates": np.array([datetime.date(2020, 1, 1 + code) for code in CODES], dtype=object),
    "odd characters": np.array(["\x1b[31m", "\N{SNOWMAN}", 'quote " and \\'])[CODES],
}
