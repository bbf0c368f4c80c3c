"""Traces: the way of every solver, from its start to its solution, in the user's units."""

import warnings

import numpy as np
import pytest
from scipy.special import log_softmax

import posteriori as pt
from posteriori.solvers.catalogue import SOLVERS
from posteriori.solvers.select import method


def rows(K=2, n=150, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2)) * [1.0, 40.0] + [0.0, 300.0]
    y = ((X - [0.0, 300.0]) / [1.0, 40.0] @ rng.standard_normal((2, K)) + rng.gumbel(size=(n, K))).argmax(axis=1)
    return X, y


def parts(weights, X, y, precision=0.0):
    """Give objective and gradient at the weights of one step, all classes."""
    K = int(y.max()) + 1
    W = np.vstack([np.zeros_like(weights), weights]) if weights.ndim == 1 else weights
    phi = np.column_stack([np.ones(len(X)), X])
    logs = log_softmax(phi @ W.T, axis=1)
    held = precision * np.array([0.0, 1.0, 1.0])
    own = W[1:] if weights.ndim == 1 else W
    gradient = (np.exp(logs) - np.eye(K)[y]).T @ phi
    gradient = (gradient[1:] if weights.ndim == 1 else gradient) + held * own
    value = -logs[np.arange(len(y)), y].sum() + 0.5 * (held * own**2).sum()
    return value, float(np.linalg.norm(gradient))


@pytest.mark.parametrize("precision", [None, 3.0])
@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("solver", SOLVERS)
def test_every_entry_is_the_objective_at_its_weights_and_the_last_is_the_solution(solver, K, precision):
    X, y = rows(K)
    model = pt.LogisticRegression(solver=solver, prior=precision, trace=True, random_state=0).fit(X, y)
    trace = model.trace_
    assert trace.weights.shape == ((len(trace), 3) if K == 2 else (len(trace), 3, 3))
    assert len(trace) == model.n_iter_ + 1
    assert trace.objective[-1] == model.solution_.objective
    for step in trace:
        value, norm = parts(step.weights, X, y, precision or 0.0)
        assert step.objective == pytest.approx(value, rel=1e-11)
        assert step.gradient_norm == pytest.approx(norm, rel=1e-5, abs=1e-8 * trace.gradient_norm[0])
    assert trace.step.tolist() == list(range(len(trace)))
    assert trace.rate[0] == 0.0
    whole = np.column_stack([model.intercept_, model.coef_])
    np.testing.assert_allclose(trace.weights[-1], whole[0] if K == 2 else whole, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("solver", ["gradient", "conjugate-gradient", "online"])
def test_the_last_weights_of_a_first_order_trace_are_the_coefficients(solver):
    X, y = rows()
    model = pt.LogisticRegression(solver=solver, trace=True, random_state=0).fit(X, y)
    assert (model.trace_.weights[-1] == [*model.intercept_, *model.coef_[0]]).all()


def test_newtons_steps_are_whole_ones():
    X, y = rows()
    trace = pt.LogisticRegression(solver="irls", trace=True).fit(X, y).trace_
    assert trace.rate[1:].tolist() == [1.0] * (len(trace) - 1)


def test_the_reference_class_has_zero_weights_in_the_trace():
    X, y = rows(3)
    trace = pt.LogisticRegression(parametrization="reference", reference=1, trace=True).fit(X, y).trace_
    assert not trace.weights[:, 1].any()
    assert trace.weights[-1, [0, 2]].all()


def test_without_an_intercept_its_place_is_zero():
    X, y = rows()
    trace = pt.LogisticRegression(fit_intercept=False, solver="gradient", trace=True).fit(X, y).trace_
    assert trace.weights.shape == (len(trace), 3)
    assert not trace.weights[:, 0].any()


def test_there_is_no_trace_unless_requested():
    X, y = rows()
    model = pt.LogisticRegression(trace=True).fit(X, y)
    assert hasattr(model, "trace_")
    assert not hasattr(model.set_params(trace=False).fit(X, y), "trace_")
    with pytest.raises(pt.DataError, match="trace='all'"):
        pt.LogisticRegression(trace="all").fit(X, y)


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_trace_of_separated_classes_ends_at_the_finite_point(solver):
    X, _ = rows()
    with pytest.warns(pt.SeparationWarning):
        model = pt.LogisticRegression(solver=solver, trace=True, random_state=0).fit(X, X[:, 0] > 0)
    assert model.trace_.objective[-1] == model.solution_.objective
    np.testing.assert_allclose(model.trace_.weights[-1], [*model.intercept_, *model.coef_[0]], rtol=1e-9)


def test_large_tables_and_jeffreys_prior_leave_a_trace_too():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100_000, 50))
    y = X[:, 0] + rng.logistic(size=100_000) > 0
    assert method("auto", *X.shape) == "sampled"
    for model in (pt.LogisticRegression(trace=True).fit(X, y), pt.LogisticRegression(prior="jeffreys", trace=True)):
        fitted = model if hasattr(model, "coef_") else model.fit(X[:200, :2], y[:200])
        assert fitted.trace_.objective[-1] == fitted.solution_.objective
        assert (np.diff(fitted.trace_.objective) <= 1e-9 * fitted.trace_.objective[0]).all()


def test_a_start_that_leads_nowhere_leaves_no_trace():
    X, y = rows()
    far = (np.array([[300.0, 300.0]]), np.array([0.0]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trace = pt.LogisticRegression(trace=True).fit(X, y, start=far).trace_
    assert trace.objective[-1] <= trace.objective.min() + 1e-9


def test_partial_fit_adds_an_entry_a_call():
    X, y = rows()
    model = pt.LogisticRegression(solver="online", trace=True)
    for first in range(0, 150, 50):
        model.partial_fit(X[first : first + 50], y[first : first + 50])
    assert len(model.trace_) == 3
    np.testing.assert_allclose(model.trace_.weights[-1], [*model.intercept_, *model.coef_[0]], rtol=1e-12)
    assert (np.diff(model.trace_.rate) < 0).all()


@pytest.mark.parametrize("K", [2, 3])
def test_a_trace_becomes_a_frame(K):
    X, y = rows(K)
    trace = pt.LogisticRegression(solver="gradient", trace=True).fit(X, y).trace_
    frame = trace.to_frame("pandas")
    assert list(frame.columns[:4]) == ["step", "objective", "gradient_norm", "rate"]
    assert frame.columns[4] == ("weights[0]" if K == 2 else "weights[0,0]")
    assert frame.shape == (len(trace), 4 + (3 if K == 2 else 9))
    assert (frame["objective"].to_numpy() == trace.objective).all()


@pytest.mark.parametrize("solver", ["irls", "gradient", "online"])
def test_the_norm_of_a_gradient_of_large_columns_does_not_overflow(solver):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = X[:, 0] + rng.normal(size=60) > 0
    norms = [
        pt.LogisticRegression(solver=solver, trace=True, random_state=0).fit(X * unit, y).trace_.gradient_norm[0]
        for unit in (1e100, 1e200)
    ]
    np.testing.assert_allclose(norms[1] / norms[0], 1e100)
