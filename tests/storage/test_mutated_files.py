"""A changed file with right checksums is refused, or gives a model all of whose methods work."""

import copy
import json
import random
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import posteriori as pt
from posteriori.cli.describe import rendered
from posteriori.reports.description import describe
from posteriori.storage.container import Contents, to_bytes
from tests.storage.models import MODELS
from tests.storage.test_hostile_files import parts

OURS = (pt.DataError, pt.ModelFileError, NotFittedError)
KINDS = [
    "logistic, two classes", "softmax against a reference", "through the cloglog link", "noisy-OR", "Bayesian logistic",
    "gaussian, shared", "gaussian, low rank", "naive Bayes of all kinds", "joint table", "least squares", "Fisher",
    "perceptron", "kernel logistic", "LSPC on landmarks", "one versus rest", "table of logistic",
    "costs, rejection and new priors", "table by a formula",
]  # fmt: skip
ODD = [None, True, -1, 3, 10**30, 2.5, 1e300, "", "kernel", [], [[]], {"float": "nan"}, {"tuple": [1]}, {"dict": []}]
#: Methods that take rows.
OF_ROWS = ("predict", "predict_proba", "decision_function", "predict_frame", "log_density", "transform", "votes")


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
    if rng.random() < 0.4 and array.ndim:
        tensors[name] = rng.choice(whole)(array)
    elif array.size:
        odd = [-1, 0, 100, 7] if array.dtype.kind == "i" else [np.nan, np.inf, -1.0, 1e300, 1e-300, 0.0]
        array.reshape(-1)[rng.randrange(array.size)] = rng.choice(odd)
        tensors[name] = array


def calls(model, rows, y):
    """Give everything that a model can be asked, by name."""
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
    if hasattr(model, "partial_fit"):
        named["partial_fit"] = lambda: copy.deepcopy(model).partial_fit(rows, y)
    if hasattr(model, "sample"):
        named["sample"] = lambda: model.sample(3, random_state=0)
    return named


def failures(model, rows, y) -> list[str]:
    """Call everything; list what raised another error than ours, and probabilities that are not finite."""
    found = []
    for name, call in calls(model, rows, y).items():
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answer = call()
        except OURS:
            continue
        except Exception as error:
            found.append(f"{name}: {type(error).__name__}: {error}")
        else:
            if name == "predict_proba" and not np.isfinite(answer).all():
                found.append("predict_proba: not finite")
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_what_loads_works(kind, tmp_path):
    model, rows = MODELS[kind]()
    path, rng = tmp_path / "m", random.Random(kind)
    pt.save(model, path)
    contents, y = parts(path), model.predict(rows)
    assert failures(pt.load(path), rows, y) == []
    for _ in range(25):
        tree, tensors = json.loads(contents.tree), dict(contents.tensors)
        with np.errstate(all="ignore"):
            mutate_numbers(tensors, rng) if tensors and rng.random() < 0.4 else mutate_tree(tree, rng)
        path.write_bytes(to_bytes(Contents(contents.version, contents.kind, json.dumps(tree), tensors)))
        try:
            changed = pt.load(path)
        except pt.ModelFileError:
            continue
        assert failures(changed, rows, y) == [], json.dumps(tree)
