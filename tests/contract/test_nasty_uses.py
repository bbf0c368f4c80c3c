"""How models are used, and misused, one test an entry: clones, copies, names, threads, interrupts (A1-A14)."""

import copy
import multiprocessing
import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import posteriori as pt
from posteriori.links.logit import Logit

MODELS = {
    "logistic": pt.LogisticRegression(),
    "naive bayes": pt.NaiveBayes(),
    "gaussian": pt.GaussianClassifier(shared=False),
    "least squares": pt.LeastSquaresClassifier(),
    "fisher": pt.FisherDiscriminant(),
    "perceptron": pt.Perceptron(max_iter=5, keep="average"),
}

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())


def rows(n=150, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, (X[:, 0] - X[:, 1] + rng.logistic(size=n) > 0).astype(int)


def fitted(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.ConvergenceWarning)  # a perceptron of rows that overlap
        return clone(model).fit(X, y)


def scores(model, X):
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.decision_function(X)


def in_another_process(stored, X, queue):
    queue.put(scores(pickle.loads(stored), X))


@every_model
def test_a01_a_clone_has_parameters_and_no_fit(model):
    made = clone(fitted(model, *rows()))
    assert made.get_params().keys() == model.get_params().keys()
    assert not [name for name in vars(made) if name.endswith("_")]


@every_model
def test_a02_copies_predict_the_same_bits(model, tmp_path):
    X, y = rows()
    original = fitted(model, X, y)
    joblib.dump(original, tmp_path / "model")
    for twin in (pickle.loads(pickle.dumps(original)), copy.deepcopy(original), joblib.load(tmp_path / "model")):
        np.testing.assert_array_equal(scores(twin, X), scores(original, X))


def test_a02_a_pickle_works_in_another_process():
    X, y = rows()
    model = pt.LogisticRegression().fit(X, y)
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=in_another_process, args=(pickle.dumps(model), X, queue))
    process.start()
    found = queue.get(timeout=120)
    process.join()
    np.testing.assert_array_equal(found, model.predict_proba(X))


@every_model
def test_a03_unknown_parameters_are_refused_and_values_only_by_fit(model):
    made = clone(model)
    with pytest.raises(ValueError, match="Invalid parameter"):
        made.set_params(no_such_parameter=1)
    name = next(iter(made.get_params()))
    nonsense = object()
    made.set_params(**{name: nonsense})
    assert made.get_params()[name] is nonsense
    with pytest.raises((ValueError, TypeError)):
        made.fit(*rows())


@every_model
def test_a04_a05_a06_names_and_numbers_of_columns_are_checked(model):
    X, y = rows()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    named = fitted(model, frame, y)
    for wrong in (frame[["b", "a", "c"]], frame.rename(columns={"b": "z"}), frame.assign(d=1.0)):
        with pytest.raises(pt.DataError, match=r"[Ff]eature names|columns"):
            named.predict(wrong)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        named.predict(X)
    with pytest.raises(pt.DataError, match="X has 1 features, but"):
        fitted(model, X, y).predict(X[:, :1])


@every_model
def test_a07_predicting_comes_after_fitting(model):
    with pytest.raises(NotFittedError):
        clone(model).predict(rows()[0])


@every_model
def test_a08_a_refit_leaves_no_trace_of_the_first(model):
    X, y = rows()
    other, labels = rows(90, 5, seed=2)
    names = np.array(["no", "yes"])[labels]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.ConvergenceWarning)
        again = clone(model).fit(pd.DataFrame(X, columns=["a", "b", "c"]), y).fit(other, names)
    fresh = fitted(model, other, names)
    assert vars(again).keys() == vars(fresh).keys()
    np.testing.assert_array_equal(scores(again, other), scores(fresh, other))


@every_model
def test_a09_a_refit_that_raises_leaves_the_old_fit_whole(model):
    X, y = rows()
    made = fitted(model, X, y)
    before = scores(made, X)
    with pytest.raises(pt.DataError):
        made.fit(np.full((20, 4), np.inf), np.zeros(20))
    np.testing.assert_array_equal(scores(made, X), before)


@every_model
def test_a10_inputs_are_left_as_they_were(model):
    X, y = rows()
    weights = np.linspace(0.5, 2.0, len(y))
    kept = [array.tobytes() for array in (X, y, weights)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.ConvergenceWarning)
        made = clone(model)
        made.fit(X, y) if isinstance(model, pt.Perceptron) else made.fit(X, y, sample_weight=weights)
    made.predict(X)
    scores(made, X)
    assert [array.tobytes() for array in (X, y, weights)] == kept


@every_model
def test_a11_eight_threads_predict_what_one_does(model):
    X, y = rows(4000)
    made = fitted(model, X, y)
    alone = scores(made, X)
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: scores(made, X), range(16)):
            np.testing.assert_array_equal(found, alone)


@every_model
def test_a12_eight_threads_fit_what_one_does(model):
    sets = [rows(500, 4, seed) for seed in range(8)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.ConvergenceWarning)
        alone = [scores(clone(model).fit(X, y), X) for X, y in sets]
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(lambda part: scores(clone(model).fit(*part), part[0]), sets))
    for left, right in zip(alone, together, strict=True):
        np.testing.assert_array_equal(left, right)


@every_model
def test_a13_the_same_bits_from_any_number_of_threads(model):
    X, y = rows(60_000, 8)
    found = []
    for threads in (1, 2, 8, 2):
        with pt.options(threads=threads):
            found.append(scores(fitted(model, X, y), X[:500]))
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])


def test_a14_an_interrupt_is_raised_at_once_and_leaves_the_model_as_it_was(monkeypatch):
    X, y = rows()
    model = pt.LogisticRegression().fit(X, y)
    before = model.coef_.copy()
    calls = []

    def interrupted(self, eta, counts, *, curvature):
        calls.append(1)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Logit, "parts", interrupted)
        with pytest.raises(KeyboardInterrupt):
            model.fit(X[:, :2], y)
    assert len(calls) == 1
    np.testing.assert_array_equal(model.coef_, before)
    np.testing.assert_array_equal(model.predict(X), pt.LogisticRegression().fit(X, y).predict(X))
