"""What no classifier's answer may depend on, and what must not happen to its inputs or its old fit."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import posteriori as pt
from posteriori.estimators.base import Classifier
from posteriori.estimators.discriminants.base import LinearDiscriminant
from tests.laws.discovery import members


@dataclass(frozen=True)
class Case:
    """A classifier, the cells it takes, and whether the units of a column may matter."""

    model: Any
    cells: str = "number"
    unit_free: bool = True
    classes: int = 3
    symmetric: bool = True  # whether the classes may change sides
    origin_free: bool = True  # whether the zero of a column may be anywhere

    def __repr__(self):
        return f"{self.model!r}-{self.classes}"

    def data(self, seed, n=90, d=3):
        """Draw rows whose classes overlap."""
        rng = np.random.default_rng(seed)
        y = rng.permutation(np.arange(n) % self.classes)
        X = rng.standard_normal((n, d)) + 0.5 * y[:, None] * rng.standard_normal(d)
        if self.cells == "bit":
            X = (X > 0.3).astype(float)
        if self.cells == "positive":
            X = np.abs(X)
        if self.cells == "category":
            X = np.clip(np.floor(X + 2), 0, 4)
        return X, y

    def fit(self, X, y, **more):
        return clone(self.model).fit(X, y, **more)


CASES = [
    Case(pt.LogisticRegression(), classes=2),
    Case(pt.LogisticRegression()),
    Case(pt.LogisticRegression(prior=1.0), classes=2, unit_free=False),
    Case(pt.LogisticRegression(prior=pt.GaussianPrior(precision=1.0, units="sd"))),
    Case(pt.LogisticRegression(parametrization="reference", solver="irls")),
    Case(pt.BinaryRegression(), classes=2),
    Case(pt.BinaryRegression(link="cloglog"), classes=2, symmetric=False),
    Case(pt.BinaryRegression(link="loglog", solver="irls"), classes=2, symmetric=False),
    Case(pt.BinaryRegression(link="cauchit"), classes=2),
    Case(pt.BinaryRegression(link=pt.GaussianMixtureLink([0, 1], [1, 3], [3, 1])), classes=2, symmetric=False),
    Case(pt.NoisyOr(), cells="positive", classes=2, symmetric=False, origin_free=False),
    Case(pt.NoisyOr(leak=False), cells="positive", classes=2, symmetric=False, origin_free=False),
    Case(pt.LogisticRegression(solver="gradient", tol=1e-11), classes=2),
    Case(pt.LogisticRegression(solver="conjugate-gradient", tol=1e-11)),
    Case(pt.LogisticRegression(solver="online", tol=1e-11, random_state=0), classes=2),
    Case(pt.BayesianLogisticRegression()),
    Case(pt.BayesianLogisticRegression(predictive="quadrature"), classes=2),
    Case(pt.BayesianLogisticRegression(prior=1.0), classes=2, unit_free=False),
    Case(pt.LogisticRegression(prior="evidence"), classes=2),
    Case(pt.KernelLogisticRegression(), unit_free=False),
    Case(pt.KernelLogisticRegression(bandwidth=1.0), unit_free=False, classes=2),
    Case(pt.LSPC(), unit_free=False),
    Case(pt.LSPC(bandwidth=1.0, centers="own-class"), unit_free=False, classes=2),
    Case(pt.GaussianClassifier()),
    Case(pt.GaussianClassifier(shared=False), classes=2),
    Case(pt.GaussianClassifier(covariance="diagonal")),
    Case(pt.GaussianClassifier(covariance="spherical", shared=False), unit_free=False),
    Case(pt.GaussianClassifier(shrinkage="ledoit-wolf"), classes=2),
    Case(pt.GaussianClassifier(shrinkage="oas", shared=False)),
    Case(pt.GaussianClassifier(estimate="map", shared=False)),
    Case(pt.NaiveBayes()),
    Case(pt.NaiveBayes(shared=True, estimate="unbiased"), classes=2),
    Case(pt.NaiveBayes(families="bernoulli"), cells="bit", unit_free=False),
    Case(pt.NaiveBayes(families="categorical"), cells="category", unit_free=False),
    Case(pt.JointTable(), cells="bit", unit_free=False),
    Case(pt.JointTable(smoothing=0.5, class_smoothing=1.0), cells="bit", unit_free=False, classes=2),
]
SEEDS = st.integers(0, 2**32 - 1)
every_case = pytest.mark.parametrize("case", CASES, ids=repr)
a_few = settings(max_examples=8)  # data sets for each of many models, most of which share the code under a law


def close(found, wanted, atol=1e-10):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=atol)


def test_every_classifier_of_the_package_is_tested_by_the_laws():
    public = {kind for kind in members(Classifier) if kind.__name__ in pt.__all__}
    public = {kind for kind in public if not issubclass(kind, LinearDiscriminant)}  # these have no probabilities
    assert public == {type(case.model) for case in CASES}


@every_case
@a_few
@given(seed=SEEDS)
def test_weight_two_equals_two_copies(case, seed):
    X, y = case.data(seed)
    repeats = np.random.default_rng(seed).integers(1, 4, len(y))
    weighted = case.fit(X, y, sample_weight=repeats)
    copied = case.fit(np.repeat(X, repeats, axis=0), np.repeat(y, repeats))
    close(weighted.predict_proba(X), copied.predict_proba(X))


@every_case
@a_few
@given(seed=SEEDS)
def test_zero_weight_equals_no_row(case, seed):
    X, y = case.data(seed)
    rng = np.random.default_rng(seed)
    weights = rng.uniform(0.5, 2.0, len(y)) * (rng.random(len(y)) < 0.8)
    kept = weights > 0
    X[~kept] = X[~kept] + (1.0 if case.cells == "bit" else 1000.0)
    held, left = case.fit(X, y, sample_weight=weights), case.fit(X[kept], y[kept], sample_weight=weights[kept])
    np.testing.assert_array_equal(held.predict_proba(X[kept]), left.predict_proba(X[kept]))
    np.testing.assert_array_equal(held.predict_log_proba(X[kept]), left.predict_log_proba(X[kept]))


@every_case
def test_zero_weight_hides_cells_and_labels_that_would_be_rejected(case):
    X, y = case.data(0)
    X, y = np.vstack([X, np.full((2, 3), np.inf)]), np.concatenate([y, [77, 78]])
    weights = np.ones(len(y))
    weights[-2:] = 0.0
    held, left = case.fit(X, y, sample_weight=weights), case.fit(X[:-2], y[:-2], sample_weight=weights[:-2])
    assert held.classes_.tolist() == left.classes_.tolist()
    np.testing.assert_array_equal(held.predict_proba(X[:-2]), left.predict_proba(X[:-2]))


@every_case
@a_few
@given(seed=SEEDS)
def test_the_order_of_rows_changes_nothing(case, seed):
    X, y = case.data(seed)
    order = np.random.default_rng(seed).permutation(len(y))
    close(case.fit(X[order], y[order]).predict_proba(X), case.fit(X, y).predict_proba(X))


@every_case
@a_few
@given(seed=SEEDS)
def test_the_order_of_columns_changes_nothing(case, seed):
    X, y = case.data(seed)
    order = np.random.default_rng(seed).permutation(X.shape[1])
    model, turned = case.fit(X, y), case.fit(X[:, order], y)
    close(turned.predict_proba(X[:, order]), model.predict_proba(X))
    if hasattr(model, "coef_") and not hasattr(model, "centers_"):  # theirs is over centres
        close(turned.coef_, model.coef_[:, order], atol=1e-8 * np.abs(model.coef_).max())


@every_case
@a_few
@given(seed=SEEDS)
def test_new_names_for_the_labels_change_nothing_but_the_names(case, seed):
    X, y = case.data(seed)
    model = case.fit(X, y)
    names = np.array(["ant", "bee", "cat"])[: case.classes]
    renamed = case.fit(X, names[y])
    assert renamed.classes_.tolist() == names.tolist()
    np.testing.assert_array_equal(renamed.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(renamed.predict(X), names[model.predict(X)])
    if case.symmetric and getattr(case.model, "parametrization", "symmetric") == "symmetric":
        backwards = case.fit(X, case.classes - 1 - y)
        close(backwards.predict_proba(X)[:, ::-1], model.predict_proba(X))


@every_case
@a_few
@given(seed=SEEDS, scale=st.sampled_from([2.0**-40, 3.7, 1e-9, 1e9]), shift=st.sampled_from([0.0, 1.0, -100.0]))
def test_the_units_of_a_column_change_nothing(case, seed, scale, shift):
    if not case.unit_free:
        return
    X, y = case.data(seed)
    other = X.copy()
    other[:, 1] = (X[:, 1] + shift * case.origin_free) * scale
    model, turned = case.fit(X, y), case.fit(other, y)
    close(turned.predict_proba(other), model.predict_proba(X))
    if hasattr(model, "coef_"):
        mine, yours = turned.coef_[:, 1] * scale, model.coef_[:, 1]
        if len(mine) > 1:  # S^-1 mu_k moves with the origin, by the same for all classes
            mine, yours = mine - mine[0], yours - yours[0]
        close(mine, yours, atol=1e-8 * np.abs(model.coef_).max())


@every_case
def test_a_refit_that_raises_leaves_the_old_fit_whole(case):
    X, y = case.data(0)
    model = case.fit(X, y)
    before = dict(vars(model))
    frozen = pickle.dumps(model)
    bad = X.copy()
    bad[7, 1] = np.inf
    wide = np.hstack([X, X])
    for again in (
        lambda: model.fit(bad, y),
        lambda: model.fit(X, np.zeros(len(y))),
        lambda: model.fit(wide, y[:-1]),
        lambda: model.fit(wide, y, sample_weight=-np.ones(len(y))),
        lambda: model.fit(X[:0], y[:0]),
    ):
        with pytest.raises(pt.DataError):
            again()
        assert vars(model).keys() == before.keys()
        assert all(vars(model)[name] is value for name, value in before.items())
    assert pickle.dumps(model) == frozen


@every_case
def test_a_refit_leaves_no_trace_of_the_first_fit(case):
    X, y = case.data(0)
    model = case.fit(X, y)
    other, labels = case.data(1, d=2)
    again, fresh = model.fit(other, labels), case.fit(other, labels)
    assert vars(again).keys() == vars(fresh).keys()
    np.testing.assert_array_equal(again.predict_proba(other), fresh.predict_proba(other))


@every_case
def test_copies_and_pickles_predict_the_same_bits_and_clones_know_nothing(case):
    X, y = case.data(0)
    model = case.fit(X, y)
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        for method in ("predict_proba", "predict_log_proba", "predict", "decision_function"):
            np.testing.assert_array_equal(getattr(other, method)(X), getattr(model, method)(X))
    blank = clone(model)
    assert not [name for name in vars(blank) if name.endswith("_")]
    assert repr(blank.get_params()) == repr(case.model.get_params())


@every_case
def test_inputs_are_never_changed(case):
    X, y = case.data(0)
    weights = np.random.default_rng(0).uniform(0, 2, len(y))
    given = (X.copy(), y.copy(), weights.copy())
    model = case.fit(X, y, sample_weight=weights)
    for method in ("predict_proba", "predict_log_proba", "predict", "decision_function"):
        getattr(model, method)(X)
    for mine, yours in zip((X, y, weights), given, strict=True):
        np.testing.assert_array_equal(mine, yours)


@every_case
def test_eight_threads_predict_on_one_model_the_bits_of_one(case):
    X, y = case.data(0, n=300)
    model = case.fit(X, y)
    wanted = model.predict_proba(X)
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: model.predict_proba(X), range(64)):
            np.testing.assert_array_equal(found, wanted)


@every_case
def test_eight_threads_fit_their_own_models_to_the_bits_of_one(case):
    X, y = case.data(0)
    wanted = case.fit(X, y).predict_log_proba(X)
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: case.fit(X, y).predict_log_proba(X), range(16)):
            np.testing.assert_array_equal(found, wanted)


@every_case
@a_few
@given(seed=SEEDS)
def test_probabilities_sum_to_one_and_agree_with_their_logs_and_the_prediction(case, seed):
    X, y = case.data(seed)
    model = case.fit(X, y)
    p, logs = model.predict_proba(X), model.predict_log_proba(X)
    close(p.sum(axis=1), 1.0, atol=1e-14)
    np.testing.assert_allclose(p, np.exp(logs), rtol=1e-12)
    np.testing.assert_array_equal(model.predict(X), model.classes_[p.argmax(axis=1)])


@every_case
@a_few
@given(seed=SEEDS)
def test_a_row_is_answered_without_regard_to_its_neighbours(case, seed):
    X, y = case.data(seed)
    model = case.fit(X, y)
    whole = model.predict_log_proba(X)
    single = np.vstack([model.predict_log_proba(X[i : i + 1]) for i in range(0, len(X), 9)])
    np.testing.assert_allclose(single, whole[::9], rtol=1e-12, atol=1e-13)
