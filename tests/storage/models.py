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
    """Return columns of every kind, with missing values."""
    rng = np.random.default_rng(8)
    table = pd.DataFrame(X.copy(), columns=["size", "weight", "age"])
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


def prior(**parameters):
    return pt.GaussianPrior(mean=np.array([0.0, 1.0, -0.0]), **parameters)


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
    **{
        f"through the {link} link": lambda link=link: (pt.BinaryRegression(link=link).fit(X, CODES > 1), X)
        for link in ("logit", "probit", "cloglog", "loglog", "cauchit")
    },
    "through a mixture": lambda: (
        pt.BinaryRegression(link=pt.GaussianMixtureLink([0, 1], [1, 2.5], [3, 1]), prior=1.0).fit(X, CODES > 1),
        X,
    ),
    "cauchit, separated": lambda: (quiet(pt.BinaryRegression(link="cauchit"), X, X[:, 0] > 0), X),
    "noisy-OR": lambda: (pt.NoisyOr().fit(np.abs(X), CODES > 1), np.abs(X)),
    "noisy-OR, no leak, a trigger that never fails": lambda: (
        quiet(pt.NoisyOr(leak=False), np.abs(X) * (X > -1), np.abs(X[:, 0]) * (X[:, 0] > -1) > 0.5),
        np.abs(X),
    ),
    "logistic by gradients, traced": lambda: (pt.LogisticRegression(solver="gradient", trace=True).fit(X, TEXT), X),
    "logistic, on-line": lambda: (
        pt.LogisticRegression(solver="online", random_state=0, trace=True).fit(X, CODES > 1).partial_fit(X, CODES > 1),
        X,
    ),
    "Bayesian logistic": lambda: (pt.BayesianLogisticRegression().fit(X, CODES > 1), X),
    "Bayesian softmax by sampling": lambda: (
        pt.BayesianLogisticRegression(prior="evidence-ard", predictive="sampling", random_state=1).fit(X, TEXT),
        X,
    ),
    "Bayesian logistic, batches, flat intercept": lambda: (
        pt.BayesianLogisticRegression(prior=prior(precision=0.5)).fit(X[:30], TEXT[:30]).partial_fit(X[30:], TEXT[30:]),
        X,
    ),
    "logistic with the prior of largest evidence": lambda: (pt.LogisticRegression(prior="evidence").fit(X, TEXT), X),
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
    "gaussian, low rank, shared": lambda: (pt.GaussianClassifier(covariance="low-rank", rank=1).fit(X, TEXT), X),
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
    "kernel logistic": lambda: (pt.KernelLogisticRegression(bandwidth="cv").fit(X, TEXT), X),
    "kernel logistic, two classes, given centres": lambda: (
        pt.KernelLogisticRegression(centers=X[:5]).fit(X, CODES > 1),
        X,
    ),
    "kernel logistic, in standard deviations": lambda: (pt.KernelLogisticRegression(units="sd").fit(X, TEXT), X),
    "LSPC": lambda: (pt.LSPC(centers="own-class", precision="cv").fit(X, TEXT), X),
    "LSPC on landmarks": lambda: (pt.LSPC(centers=7, random_state=3).fit(X, CODES > 1), X),
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
    "costs, rejection and new priors": lambda: (
        pt.RejectOption(
            pt.CostSensitive(
                pt.PriorShift(pt.LogisticRegression(prior=1.0), {"blue": 0.5, "green": 0.5, "red": 0.0}),
                {"paint": {"blue": 0.0, "green": 2.0, "red": 3.0}, "ask": {"blue": 1.0, "green": 1.0, "red": 1.0}},
            ),
            threshold=0.6,
        ).fit(X, TEXT),
        X,
    ),
    "costs around a fitted table": lambda: (
        pt.CostSensitive(pt.TableClassifier(pt.NaiveBayes()).fit(frame(), TEXT), 1.0 - np.eye(3), ["b", "g", "r"]),
        frame(),
    ),
    "table of new priors": lambda: (
        pt.TableClassifier(pt.PriorShift(pt.NaiveBayes(), [0.2, 0.2, 0.6])).fit(frame(), TEXT),
        frame(),
    ),
    "adapted priors": lambda: (pt.PriorShift(pt.GaussianClassifier()).fit(X, TEXT).adapt(X[:20]), X),
    "priors of a fit": lambda: (pt.PriorShift(pt.OneVsOne(pt.GaussianClassifier()), [0.1, 0.2, 0.7]).fit(X, TEXT), X),
    "average": lambda: (
        pt.ModelAverage([pt.LogisticRegression(prior=1.0), pt.GaussianClassifier()], weights=[2.0, 1.0]).fit(X, TEXT),
        X,
    ),
    "table by a formula": lambda: (
        pt.LogisticRegression.from_formula(
            "bright ~ bs(age, df=4) * C(colour, Treatment('pale')) + poly(weight, 2) + cr(weight, df=3) "
            "+ center(age):tame + C(age > 0) + log(weight**2 + 1)",
            frame().assign(bright=CODES > 1).dropna(),
            prior=1.0,
        ),
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
