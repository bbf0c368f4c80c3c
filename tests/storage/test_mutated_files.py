"""A changed file with right checksums is rejected, or gives a model all of whose methods work."""

import copy
import json
import random
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import posteriori as pt
from posteriori.cli.output.description import rendered
from posteriori.reports.description import describe
from posteriori.storage.container import FileContents, to_bytes
from tests.storage.models import CODES, MODELS, RNG, TEXT, X, frame, quiet
from tests.storage.test_hostile_files import parts

OURS = (pt.DataError, pt.ModelFileError, NotFittedError)
ROWS = frame().assign(bright=CODES > 1).dropna()
COUNTS = pt.counts(successes=RNG.binomial(5, 0.4, 60), trials=np.full(60, 5))
#: Fits of kinds that `MODELS` does not have.
MORE = {
    "Jeffreys' prior": lambda: (pt.LogisticRegression(prior="jeffreys").fit(X, CODES > 1), X),
    "sampling weights": lambda: (
        pt.LogisticRegression(weights="sampling").fit(X, TEXT, sample_weight=np.arange(1.0, 61.0)),
        X,
    ),
    "class counts": lambda: (pt.BinaryRegression().fit(X, COUNTS), X),
    "noisy-OR of class counts": lambda: (pt.NoisyOr().fit(np.abs(X), COUNTS), np.abs(X)),
    "aliased columns": lambda: (quiet(pt.LogisticRegression(), np.c_[X, X[:, 0]], TEXT), np.c_[X, X[:, 0]]),
    "no columns": lambda: (pt.LogisticRegression.from_formula("bright ~ 1", ROWS), ROWS),
    "an interaction": lambda: (pt.LogisticRegression.from_formula("bright ~ weight * colour", ROWS, prior=1.0), ROWS),
    "one versus rest of posteriors": lambda: (
        pt.OneVsRest(pt.BayesianLogisticRegression(prior=1.0)).fit(X, TEXT),
        X,
    ),
    "rejection by a posterior": lambda: (
        pt.RejectOption(pt.BayesianLogisticRegression(prior=1.0), threshold=0.7).fit(X, CODES > 1),
        X,
    ),
}
KINDS = [
    *MORE,
    "logistic, two classes", "softmax against a reference", "through the cloglog link", "noisy-OR", "Bayesian logistic",
    "gaussian, shared", "gaussian, low rank", "naive Bayes of all kinds", "joint table", "least squares", "Fisher",
    "perceptron", "kernel logistic", "LSPC on landmarks", "one versus rest", "table of logistic",
    "costs, rejection and new priors", "table by a formula",
]  # fmt: skip
ODD = [None, True, -1, 3, 10**30, 2.5, 1e300, "", "kernel", [], [[]], {"float": "nan"}, {"tuple": [1]}, {"dict": []}]
SIZES = [1e-200, 1e-100, 1e-8, 1.001, 1e8, 1e100, 1e200]
#: Methods that take rows.
OF_ROWS = (
    "predict", "predict_proba", "decision_function", "linear_predictor", "predict_frame", "predict_interval",
    "log_density", "transform", "votes", "signed_distance", "is_rejected", "marginal_effects",
)  # fmt: skip


def places(node, before=()):
    """List the places of all values in a tree."""
    inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [before, *(place for key, value in inside for place in places(value, (*before, key)))]


def at(tree, place):
    for key in place:
        tree = tree[key]
    return tree


def mutate_tree(tree, rng):
    place = rng.choice(places(tree)[1:])
    parent, key = at(tree, place[:-1]), place[-1]
    old = parent[key]
    if rng.random() < 0.2:
        del parent[key]
    elif type(old) in (int, float) and rng.random() < 0.7:
        parent[key] = rng.choice([-old, old + 1, old * 1e6, str(old), [old]])
    elif rng.random() < 0.3:
        parent[key] = copy.deepcopy(at(tree, rng.choice(places(tree)[1:])))
    else:
        parent[key] = copy.deepcopy(rng.choice(ODD))


def mutate_numbers(tensors, rng):
    name = rng.choice(sorted(tensors))
    array = tensors[name].copy()
    whole = [lambda a: -a, lambda a: a[:-1].copy(), lambda a: a.astype("<f4"), lambda a: a * 0, lambda a: a * 3]
    if array.dtype.kind == "f" and array.ndim and rng.random() < 0.3:
        factor = np.ones(array.shape[-1])
        factor[rng.randrange(len(factor)) if len(factor) else 0 :][:1] = rng.choice(SIZES)
        square = array.ndim == 2 and array.shape[0] == array.shape[1]
        tensors[name] = array * (
            rng.choice(SIZES) if rng.random() < 0.5 else factor * (factor[:, None] if square else 1)
        )
    elif rng.random() < 0.4 and array.ndim:
        tensors[name] = rng.choice(whole)(array)
    elif array.size:
        odd = [-1, 0, 100, 7] if array.dtype.kind == "i" else [np.nan, np.inf, -1.0, 1e300, 1e-300, 0.0]
        array.reshape(-1)[rng.randrange(array.size)] = rng.choice(odd)
        tensors[name] = array


def calls(model, rows, y):
    """Return calls of all methods of a model, by name."""
    few = rows[:4]
    named = {name: lambda name=name: getattr(model, name)(few) for name in OF_ROWS if hasattr(model, name)}
    named |= {"repr": lambda: repr(model), "clone": lambda: clone(model), "params": model.get_params}
    named["describe"] = lambda: rendered(describe(model))
    if hasattr(model, "explain"):
        named["explain"] = lambda: model.explain(few).to_frame()
    if hasattr(model, "summary"):
        named["summary"] = lambda: (model.summary().to_text(), model.summary(exponentiate=True).to_frame())
    if hasattr(model, "standard_errors"):
        named["inference"] = lambda: (model.standard_errors(), model.confidence_interval(), model.pseudo_r2())
        for kind in ("observed", "expected", "robust"):
            named[kind] = lambda kind=kind: (model.covariance(kind), model.summary(covariance=kind).to_latex())
        named["test"] = lambda: model.wald_test(model.coefficient_labels_[-1])
    if hasattr(model, "partial_fit"):
        named["partial_fit"] = lambda: copy.deepcopy(model).partial_fit(rows, y)
    if hasattr(model, "sample"):
        named["sample"] = lambda: model.sample(3, random_state=0)
    return named


def failures(model, rows, y) -> list[str]:
    """Call everything; list what raised another error than ours, and probabilities that are not finite."""
    messages = []
    for name, call in calls(model, rows, y).items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # RuntimeWarning is an error
                answer = call()
        except OURS:
            continue
        except Exception as error:
            messages.append(f"{name}: {type(error).__name__}: {error}")
        else:
            if name == "predict_proba" and not np.isfinite(answer).all():
                messages.append("predict_proba: not finite")
    return messages


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.slow
def test_what_loads_works(kind, tmp_path):
    model, rows = {**MODELS, **MORE}[kind]()
    path, rng = tmp_path / "m", random.Random(kind)
    pt.save(model, path)
    contents, y = parts(path), model.predict(rows)
    assert failures(pt.load(path), rows, y) == []
    for _ in range(25):
        tree, tensors = json.loads(contents.tree), dict(contents.tensors)
        with np.errstate(all="ignore"):
            mutate_numbers(tensors, rng) if tensors and rng.random() < 0.4 else mutate_tree(tree, rng)
        path.write_bytes(to_bytes(FileContents(contents.version, contents.kind, json.dumps(tree), tensors)))
        try:
            changed = pt.load(path)
        except pt.ModelFileError:
            continue
        assert failures(changed, rows, y) == [], json.dumps(tree)
