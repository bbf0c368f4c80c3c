"""Stored decisions and averages: whatever a file contains, it loads well or is rejected."""

import json

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression as Foreign

import posteriori as pt
from posteriori.storage.container import FileContents, to_bytes
from tests.storage.models import MODELS, TEXT, X
from tests.storage.test_hostile_files import assert_rejected, forged, loads_or_is_rejected, mutate, parts

NAMES = ["costs, rejection and new priors", "adapted priors", "priors of a fit", "average"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_random_changes_with_right_checksums_load_well_or_are_refused(name, tmp_path):
    model, rows = MODELS[name]()
    path = tmp_path / "m"
    pt.save(model, path)
    contents, rng = parts(path), np.random.default_rng(2)
    outcomes = []
    for _ in range(150):
        tree = json.loads(contents.tree)
        mutate(tree, rng)
        path.write_bytes(to_bytes(FileContents(contents.version, contents.kind, json.dumps(tree), contents.tensors)))
        outcomes.append(loads_or_is_rejected(path, rows))
        if outcomes[-1]:
            pt.load(path).predict(rows)
    assert outcomes.count(False) > 75
    for _ in range(60):
        tensors = {key: array.copy() for key, array in contents.tensors.items()}
        array = tensors[sorted(tensors)[int(rng.integers(len(tensors)))]].reshape(-1)
        odd = [-1, 0, 7] if array.dtype.kind == "i" else [np.nan, np.inf, -1.0, 1e300, 0.0]
        if array.size:
            array[int(rng.integers(array.size))] = rng.choice(odd)
        path.write_bytes(to_bytes(FileContents(contents.version, contents.kind, contents.tree, tensors)))
        loads_or_is_rejected(path, rows)


@pytest.mark.parametrize(
    ("model", "change", "words"),
    [
        (pt.RejectOption(pt.GaussianClassifier(), threshold=0.5), ("threshold", 7.5), "from 0 to 1"),
        (pt.RejectOption(pt.GaussianClassifier(), threshold=0.5), ("reject_label", "red"), "one of the predictions"),
        (pt.PriorShift(pt.GaussianClassifier(), [0.5, 0.25, 0.25]), ("class_priors", [1, 1, 1]), "sum to 3"),
        (pt.CostSensitive(pt.GaussianClassifier(), [[0, 1, 2]], ["a"]), ("actions", []), "list of names"),
        (pt.ModelAverage([pt.GaussianClassifier()], [1.0]), ("weights", [-1.0]), "negative"),
        (pt.ModelAverage([pt.GaussianClassifier()], [1.0]), ("weights", "evidence"), "log_evidence_"),
    ],
)
def test_forged_parameters_are_named(model, change, words, tmp_path):
    pt.save(model.fit(X, TEXT), tmp_path / "m")
    kind, (name, value) = type(model).__name__, change

    def forge(tree, _):
        tree[kind]["parameters"][name] = value

    forged(tmp_path / "m", forge)
    assert_rejected(tmp_path / "m", words)


def test_foreign_classifiers_and_pipelines_inside_are_refused_by_name(tmp_path):
    foreign = Foreign().fit(X, TEXT)
    for model in (
        pt.CostSensitive(foreign),
        pt.RejectOption(foreign),
        pt.PriorShift(foreign),
        pt.RejectOption(pt.CostSensitive(foreign)),
    ):
        with pytest.raises(pt.ModelFileError, match=r"estimator is of type sklearn\.linear_model\._logistic"):
            pt.save(model, tmp_path / "m")
    with pytest.raises(pt.ModelFileError, match=r"models\[0\] is of type sklearn"):
        pt.save(pt.ModelAverage([foreign], [1]), tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


def test_decisions_inside_others_are_stored(tmp_path):
    for model in (
        pt.OneVsRest(pt.PriorShift(pt.LogisticRegression(prior=1.0), [0.9, 0.1])),
        pt.CostSensitive(pt.ModelAverage([pt.GaussianClassifier(), pt.NaiveBayes()], [1, 2]), 1 - np.eye(3)),
        pt.PriorShift(pt.TableClassifier(pt.GaussianClassifier()), [0.1, 0.2, 0.7]),
    ):
        pt.save(model.fit(X, TEXT), tmp_path / "m")
        np.testing.assert_array_equal(pt.load(tmp_path / "m").predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("value", ["boolean", None, {"NoisyOr": {"parameters": {}, "learned": {}}}])
@pytest.mark.parametrize(
    "model",
    [
        pt.RejectOption(pt.GaussianClassifier()), pt.ModelAverage([pt.GaussianClassifier()], [1.0]),
        pt.OneVsOne(pt.GaussianClassifier()), pt.OneVsRest(pt.GaussianClassifier()),
        pt.TableClassifier(pt.GaussianClassifier()),
    ],
    ids=lambda model: type(model).__name__,
)  # fmt: skip
def test_a_classifier_inside_is_of_the_kind_that_the_parameters_name(model, value, tmp_path):
    """Tags of scikit-learn are those of the parameters: predictions of such a file ended in an AttributeError."""
    model = clone(model)
    pt.save(model.fit(X, TEXT), tmp_path / "m")

    def change(tree, _):
        ((_, body),) = tree.items()
        name = "models" if "models" in body["parameters"] else "estimator"
        body["parameters"][name] = [value] if name == "models" else value

    forged(tmp_path / "m", change)
    assert_rejected(tmp_path / "m")
