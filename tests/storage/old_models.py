"""Small models of every kind, written once to `old_files` and read by every later version.

``python -m tests.storage.old_models`` writes those that are not there yet, with what they answer, by the program as
it is. A file that is there is never written again: what it holds is what some version wrote.
"""

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

import posteriori as pt
from posteriori.estimators.catalogue import CATALOGUE, make

FOLDER = Path(__file__).parent / "old_files"
ANSWERS = FOLDER / "answers.json"

RNG = np.random.default_rng(70)
X = RNG.normal(size=(24, 2)).round(3)
CODES = np.digitize(X[:, 0] + RNG.normal(size=24), [-0.5, 0.5])
TEXT, TWO = np.array(["blue", "green", "red"])[CODES], CODES > 1
COUNTS = np.column_stack([RNG.poisson(2.0, 24), RNG.binomial(5, 0.4, 24)]).astype(float)
PARTS = RNG.dirichlet([1.0, 2.0, 3.0], 24).round(3) + 0.001
PARTS /= PARTS.sum(axis=1, keepdims=True)
FRAME = pd.DataFrame(
    {
        "size": X[:, 0],
        "age": X[:, 1],
        "colour": np.array(["dark", "pale"])[RNG.integers(2, size=24)],
        "tame": X[:, 1] > 0,
    }
)
COSTS = {"paint": {"blue": 0.0, "green": 2.0, "red": 3.0}, "ask": {"blue": 1.0, "green": 1.0, "red": 1.0}}
PRIOR = pt.GaussianPrior(mean=np.array([0.0, 1.0]), sd=np.array([1.0, 2.0]))
MIXTURE = pt.GaussianMixtureLink([0, 1], [1, 2.5], [3, 1])
WISHART = pt.NormalInverseWishart([0.0, 1.0], 1.0, 5.0, np.eye(2))


def of_the_command(name):
    """Fit a model by its name, as the command does."""
    two = name in ("probit", "cloglog", "noisy-or")
    table = FRAME[["colour", "tame"]] if name == "joint-table" else FRAME.assign(size=FRAME["size"].abs().round(3))
    table = table.assign(age=FRAME["age"].abs()) if name == "noisy-or" else table
    return pt.TableClassifier(make(name)).fit(table, TWO if two else TEXT), table


def families():
    """Fit naive Bayes with a column, or some, of each family."""
    columns = np.column_stack([COUNTS, np.abs(X) + 0.1, PARTS[:, 0], PARTS, X, TWO, COUNTS])
    named = {0: "poisson", 1: pt.Binomial(5), 2: "gamma", 3: "exponential", 4: "beta", (5, 6, 7): "dirichlet",
             (8, 9): "gaussian", 10: "bernoulli", (11, 12): "multinomial"}  # fmt: skip
    return pt.NaiveBayes(families=named).fit(columns, TEXT), columns


def on_basis(basis):
    return pt.LogisticRegression(basis=basis, prior=1.0).fit(X, TWO), X


def of_formula():
    formula = "bright ~ bs(age, df=4) * C(colour, Treatment('pale')) + center(age):tame + log(size**2 + 1)"
    return pt.LogisticRegression.from_formula(formula, FRAME.assign(bright=TWO), prior=1.0), FRAME


MODELS = {
    **{name: lambda name=name: of_the_command(name) for name in CATALOGUE},
    "softmax-prior": lambda: (pt.LogisticRegression(prior=PRIOR).fit(X, TEXT), X),
    "logistic-separated": lambda: (pt.LogisticRegression().fit(X, X[:, 0] > 0), X),
    "logistic-evidence": lambda: (pt.LogisticRegression(prior="evidence").fit(X, TEXT), X),
    "logistic-online": lambda: (
        pt.LogisticRegression(solver="online", random_state=0, trace=True).fit(X, TWO).partial_fit(X, TWO),
        X,
    ),
    **{
        f"through-{link}": lambda link=link: (pt.BinaryRegression(link=link).fit(X, TWO), X)
        for link in ("logit", "loglog", "cauchit")
    },
    "through-mixture": lambda: (pt.BinaryRegression(link=MIXTURE, prior=1.0).fit(X, TWO), X),
    "bayes-softmax-ard": lambda: (
        pt.BayesianLogisticRegression(prior="evidence-ard", predictive="sampling", random_state=1).fit(X, TEXT),
        X,
    ),
    "bayes-batches": lambda: (
        pt.BayesianLogisticRegression(prior=PRIOR).fit(X[:12], TEXT[:12]).partial_fit(X[12:], TEXT[12:]),
        X,
    ),
    "noisy-or-no-leak": lambda: (pt.NoisyOr(leak=False).fit(np.abs(X), X[:, 0] > -9.0 * (CODES > 0)), np.abs(X)),
    "kernel-logistic-cv": lambda: (pt.KernelLogisticRegression(bandwidth="cv").fit(X, TEXT), X),
    "kernel-logistic-landmarks": lambda: (pt.KernelLogisticRegression(centers=X[:5]).fit(X, TWO), X),
    "lspc-own-class-cv": lambda: (pt.LSPC(centers="own-class", precision="cv").fit(X, TEXT), X),
    "lspc-landmarks": lambda: (pt.LSPC(centers=7, random_state=3).fit(X, TWO), X),
    "gaussian-low-rank": lambda: (pt.GaussianClassifier(covariance="low-rank", rank=1).fit(X, TEXT), X),
    "gaussian-ledoit-wolf": lambda: (pt.GaussianClassifier(shrinkage="ledoit-wolf").fit(X, TEXT), X),
    "gaussian-wishart": lambda: (pt.GaussianClassifier(estimate=WISHART).fit(X, TEXT), X),
    "gaussian-spherical": lambda: (pt.GaussianClassifier(covariance="spherical", shared=False).fit(X, TEXT), X),
    "naive-bayes-families": families,
    "naive-bayes-gamma-prior": lambda: (
        pt.NaiveBayes(estimate=pt.NormalInverseGamma(0.0, 1.0, 2.0, 1.0), shared=True).fit(X, TEXT),
        X,
    ),
    "least-squares-fisher": lambda: (pt.LeastSquaresClassifier(targets="fisher").fit(X, TWO), X),
    "least-squares-aliased": lambda: (pt.LeastSquaresClassifier().fit(np.c_[X, X[:, 0]], TEXT), np.c_[X, X[:, 0]]),
    "fisher-shrunk": lambda: (pt.FisherDiscriminant(shrinkage="ledoit-wolf", n_components=1).fit(X, TEXT), X),
    "fisher-least-error": lambda: (pt.FisherDiscriminant(threshold="least-error").fit(X, TWO), X),
    "perceptron-traced": lambda: (pt.Perceptron(max_iter=2, trace=True).fit(X[:8], TEXT[:8]), X),
    "perceptron-pocket": lambda: (pt.Perceptron(max_iter=5, keep="pocket").fit(X, TWO), X),
    "basis-polynomial": lambda: on_basis(pt.PolynomialBasis(2)),
    "basis-gaussian": lambda: on_basis(pt.GaussianBasis([0.0, 1.0], 0.5)),
    "basis-gaussian-points": lambda: on_basis(pt.GaussianBasis(X[:4], 0.5)),
    "basis-sigmoid": lambda: on_basis(pt.SigmoidBasis([0.0, 1.0], 0.5)),
    "basis-kernel": lambda: on_basis(pt.KernelBasis("median", 6)),
    "one-vs-rest": lambda: (pt.OneVsRest(pt.LogisticRegression(prior=1.0), rest="last").fit(X, TEXT), X),
    "one-vs-one": lambda: (pt.OneVsOne(pt.GaussianClassifier()).fit(X, TEXT), X),
    "decisions": lambda: (
        pt.RejectOption(pt.CostSensitive(pt.PriorShift(pt.NaiveBayes(), [0.2, 0.3, 0.5]), COSTS), threshold=0.6).fit(
            X, TEXT
        ),
        X,
    ),
    "adapted-priors": lambda: (pt.PriorShift(pt.GaussianClassifier()).fit(X, TEXT).adapt(X[:12]), X),
    "average": lambda: (pt.ModelAverage([pt.NaiveBayes(), pt.GaussianClassifier()], weights=[2, 1]).fit(X, TEXT), X),
    "formula": of_formula,
}


def answers_of(model, rows):
    """Return the predictions of a model, and its log probabilities or scores."""
    how = "predict_log_proba" if hasattr(model, "predict_log_proba") else "decision_function"
    return {"predictions": model.predict(rows).tolist(), "method": how, "values": getattr(model, how)(rows).tolist()}


def write() -> None:
    """Write the models that are not there yet, and their answers about a few rows."""
    answers = json.loads(ANSWERS.read_text()) if ANSWERS.exists() else {}
    for name, fit in MODELS.items():
        path = FOLDER / f"{name}.posteriori"
        if path.exists():
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model, rows = fit()
        few = rows[:4]
        table = {"rows": few.tolist()} if isinstance(few, np.ndarray) else {"columns": few.to_dict("list")}
        pt.save(model, path)
        answers[name] = {**table, **answers_of(pt.load(path), few)}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(answers[name])}" for name in sorted(answers))
    ANSWERS.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    write()
