"""A saved and loaded model is the model that was saved."""

import dataclasses
import datetime
import json

import numpy as np
import pytest
from safetensors import safe_open
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression as Foreign

import posteriori as pt
from posteriori.families.gaussian.diagonal import DiagonalGaussian
from posteriori.storage.catalogue import KINDS
from posteriori.storage.type_hints import hints_of
from tests.storage.models import CODES, LABELS, MODELS, TEXT, X, frame


def same(left, right) -> bool:
    """Compare values part by part, to the bit and to the type."""
    if type(left) is not type(right):
        return False
    if isinstance(left, np.ndarray):
        return left.dtype == right.dtype and left.shape == right.shape and same_cells(left, right)
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if dataclasses.is_dataclass(left) and not isinstance(left, type):
        return all(same(getattr(left, f.name), getattr(right, f.name)) for f in dataclasses.fields(left))
    if isinstance(left, BaseEstimator):
        return same(vars(left), vars(right))
    if isinstance(left, float):
        return np.float64(left).tobytes() == np.float64(right).tobytes()
    return left == right


def same_cells(left, right) -> bool:
    if left.dtype == object:
        return all(map(same, left.ravel().tolist(), right.ravel().tolist()))
    return left.tobytes() == right.tobytes()


def through_file(model, path):
    pt.save(model, path)
    return pt.load(path)


@pytest.mark.parametrize("name", MODELS)
def test_a_loaded_model_predicts_bit_for_bit_and_keeps_all_it_had(name, tmp_path):
    model, rows = MODELS[name]()
    loaded = through_file(model, tmp_path / "m")
    answer = "predict_log_proba" if hasattr(model, "predict_log_proba") else "decision_function"
    assert getattr(loaded, answer)(rows).tobytes() == getattr(model, answer)(rows).tobytes()
    assert loaded.predict(rows).tolist() == model.predict(rows).tolist()
    assert list(vars(loaded)) == list(vars(model))
    assert same(loaded, model)


@pytest.mark.parametrize("name", MODELS)
def test_saving_twice_gives_the_same_bytes(name, tmp_path):
    model, _ = MODELS[name]()
    pt.save(model, tmp_path / "a")
    pt.save(pt.load(tmp_path / "a"), tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_foreign_classifier_inside_is_refused_by_name(tmp_path):
    model = pt.OneVsRest(Foreign()).fit(X, TEXT)
    with pytest.raises(pt.ModelFileError, match=r"estimator is of type sklearn.linear_model._logistic.Logistic"):
        pt.save(model, tmp_path / "m")


@pytest.mark.parametrize("name", LABELS)
def test_labels_keep_their_type(name, tmp_path):
    model = pt.GaussianClassifier().fit(X, LABELS[name])
    loaded = through_file(model, tmp_path / "m")
    assert loaded.classes_.dtype == model.classes_.dtype
    assert loaded.predict(X).tolist() == model.predict(X).tolist()
    assert [type(label) for label in loaded.classes_] == [type(label) for label in model.classes_]


def test_minus_zero_infinity_and_memory_order_are_kept(tmp_path):
    model = pt.GaussianClassifier(class_priors=(0.0, 0.4, 0.6)).fit(X, TEXT)
    model.more_ = np.asfortranarray(model.means_)
    model.more_[0, 0] = -0.0
    model.extra_ = {"a": (-0.0, float("inf"), float("-inf")), 3: [None, True, b"\x00\xff", np.float32(0.1)],
                    "when": datetime.datetime(2020, 1, 2, 3, 4)}  # fmt: skip
    loaded = through_file(model, tmp_path / "m")
    assert same(loaded.extra_, model.extra_)
    assert np.signbit(loaded.more_[0, 0])
    assert loaded.more_.flags.f_contiguous
    assert not loaded.more_.flags.c_contiguous


def test_statistics_survive_so_that_a_loaded_model_goes_on_learning(tmp_path):
    half = pt.NaiveBayes().fit(X[:30], TEXT[:30])
    loaded = through_file(half, tmp_path / "m").partial_fit(X[30:], TEXT[30:])
    whole = half.partial_fit(X[30:], TEXT[30:])
    assert loaded.predict_log_proba(X).tobytes() == whole.predict_log_proba(X).tobytes()


def test_the_file_is_plain_safetensors_without_training_rows(tmp_path):
    rows = frame()
    rows["colour"] = rows["colour"].fillna("dark")
    rows.loc[0, "size"] = 1234.56789
    model = pt.TableClassifier(pt.NaiveBayes()).fit(rows, TEXT)
    pt.save(model, tmp_path / "m")
    with safe_open(tmp_path / "m", "numpy") as file:
        about = json.loads(file.metadata()["posteriori"])
        assert about["format"] == "1"
        assert about["kind"] == "TableClassifier"
        assert sum(file.get_tensor(name).size for name in file.keys()) < rows.size  # noqa: SIM118
    assert np.float64(1234.56789).tobytes() not in (tmp_path / "m").read_bytes()


def test_every_storable_class_has_hints_that_can_be_read():
    for kind in KINDS.values():
        if dataclasses.is_dataclass(kind):
            assert {field.name for field in dataclasses.fields(kind)} <= set(hints_of(kind))


class Own(DiagonalGaussian):
    """A user's own family."""


@pytest.mark.parametrize(
    ("model", "word"),
    [
        (Foreign().fit(X, CODES), "LogisticRegression"),
        (pt.TableClassifier(Foreign()).fit(frame()[["age", "tame"]], CODES), "estimator is of type sklearn"),
        (pt.NaiveBayes(families={0: Own()}).fit(X, CODES), "Own"),
        ({"a": 1}, "dict"),
    ],
)  # fmt: skip
def test_what_cannot_be_stored_without_code_is_refused_by_name(model, word, tmp_path):
    with pytest.raises(pt.ModelFileError, match=word):
        pt.save(model, tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_is_not_fitted_is_not_saved(tmp_path):
    with pytest.raises(NotFittedError):
        pt.save(pt.NaiveBayes(), tmp_path / "m")


def test_a_value_that_holds_itself_is_refused(tmp_path):
    model = pt.GaussianClassifier().fit(X, CODES)
    loop: list = []
    loop.append(loop)
    model.loop_ = loop
    with pytest.raises(pt.ModelFileError, match="nested"):
        pt.save(model, tmp_path / "m")
