"""Solvers and their certificate: the decrement is what it says, every way reaches the same optimum."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import expit, softmax

import posteriori as pt
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.objectives.penalized import Point
from posteriori.solvers.base import Solver, solution_of
from posteriori.solvers.catalogue import check_solver
from posteriori.solvers.newton.quasi_newton import QuasiNewton, QuasiNewtonState
from posteriori.solvers.select import SAMPLE_FROM, method, sample_quota, sample_rows


def rows(n, d, K=2, seed=0, signal=0.3):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    scores = X @ rng.standard_normal((d, K)) * signal + rng.gumbel(size=(n, K))
    return X, scores.argmax(axis=1)


def derivatives(model, X, y, precision=0.0):
    """Give gradient and Hessian of the penalised loss at a fit of two classes, in the user's units."""
    Z = np.column_stack([np.ones(len(X)), X])
    w = np.concatenate([model.intercept_, model.coef_[0]])
    held = np.concatenate([[0.0], np.full(X.shape[1], precision)])
    p = expit(Z @ w)
    return Z.T @ (p - y) + held * w, (Z * (p * (1 - p))[:, None]).T @ Z + np.diag(held)


def large():
    """Give rows enough for the sampled way."""
    X, y = rows(100_000, 50, signal=0.1)
    assert method("auto", len(X), 51) == "sampled"
    return X, y


def skewed():
    """Give correlated columns with long tails, one class ten times as frequent as the other."""
    rng = np.random.default_rng(7)
    X = np.exp(0.4 * (rng.standard_normal((120_000, 40)) + rng.standard_normal((120_000, 1))))
    return X, (0.3 * X @ rng.standard_normal(40) / 6 + rng.logistic(size=len(X)) > 2.5).astype(int)


CASES = {
    "newton": (rows(500, 4), {}),
    "newton with a prior": (rows(500, 4), {"prior": 2.0}),
    "sampled": (large(), {}),
    "sampled with a prior": (large(), {"prior": 2.0}),
    "sampled from skewed columns": (skewed(), {}),
}


@pytest.mark.parametrize("kind", CASES)
@pytest.mark.slow
def test_the_decrement_is_the_one_claimed(kind):
    (X, y), parameters = CASES[kind]
    model = pt.LogisticRegression(**parameters).fit(X, y)
    gradient, hessian = derivatives(model, X, y, parameters.get("prior", 0.0))
    decrement = np.sqrt(gradient @ np.linalg.solve(hessian, gradient))
    assert model.solution_.converged
    assert model.solution_.decrement <= 1e-8
    # rounding of a sum of n residuals moves the exact one by about eps sqrt(n) more
    assert decrement <= 1.5 * model.solution_.decrement + 1e-10


@pytest.mark.parametrize("tol", [1e-1, 1e-3, 1e-5])
def test_the_tolerance_is_reached(tol):
    (X, y), _ = CASES["sampled"]
    model = pt.LogisticRegression(tol=tol).fit(X, y)
    gradient, hessian = derivatives(model, X, y)
    assert np.sqrt(gradient @ np.linalg.solve(hessian, gradient)) <= 1.5 * tol
    assert model.solution_.decrement <= tol


@pytest.mark.parametrize("kind", [kind for kind in CASES if kind.startswith("sampled")])
@pytest.mark.slow
def test_the_sampled_method_reaches_the_optimum_of_irls(kind):
    (X, y), parameters = CASES[kind]
    auto = pt.LogisticRegression(**parameters).fit(X, y)
    irls = pt.LogisticRegression(solver="irls", **parameters).fit(X, y)
    assert auto.solution_.sweeps != irls.solution_.sweeps
    _, hessian = derivatives(irls, X, y, parameters.get("prior", 0.0))
    off = np.concatenate([auto.intercept_ - irls.intercept_, (auto.coef_ - irls.coef_)[0]])
    # no linear combination of coefficients is further than this many standard errors away
    assert np.sqrt(off @ hessian @ off) <= 1e-8
    np.testing.assert_allclose(auto.predict_proba(X[:1000]), irls.predict_proba(X[:1000]), rtol=0, atol=1e-10)
    assert auto.solution_.objective == pytest.approx(irls.solution_.objective, rel=1e-14)


@pytest.mark.slow
def test_the_sampled_method_of_softmax_reaches_the_optimum_of_irls():
    X, y = rows(60_000, 19, K=4, signal=0.2)
    assert method("auto", len(X), 80) == "sampled"
    auto, irls = pt.LogisticRegression().fit(X, y), pt.LogisticRegression(solver="irls").fit(X, y)
    assert auto.solution_.sweeps != irls.solution_.sweeps
    np.testing.assert_allclose(auto.predict_proba(X[:1000]), irls.predict_proba(X[:1000]), rtol=0, atol=1e-10)
    P = softmax(X @ auto.coef_.T + auto.intercept_, axis=1)
    np.testing.assert_allclose(P.sum(axis=0), np.bincount(y), atol=1e-5)


def test_the_sampled_method_does_not_depend_on_the_order_of_the_rows():
    (X, y), _ = CASES["sampled"]
    order = np.argsort(y, kind="stable")  # sorted by class, as many files are
    plain, sorted_ = pt.LogisticRegression().fit(X, y), pt.LogisticRegression().fit(X[order], y[order])
    np.testing.assert_allclose(sorted_.predict_proba(X[:1000]), plain.predict_proba(X[:1000]), rtol=0, atol=1e-10)


@pytest.mark.slow
def test_the_sampled_method_accepts_weights_counts_and_offsets():
    X, y = large()
    rng = np.random.default_rng(1)
    weights, offset = rng.integers(0, 3, len(y)).astype(float), 0.3 * rng.standard_normal(len(y))
    found = [
        pt.LogisticRegression(solver=solver)
        .fit(X, y, sample_weight=weights, offset=offset)
        .predict_proba(X[:500], offset=offset[:500])
        for solver in ("auto", "irls")
    ]
    np.testing.assert_allclose(found[0], found[1], rtol=0, atol=1e-10)
    counts = np.eye(2)[y] * weights[:, None]
    grouped = pt.LogisticRegression().fit(X, counts, offset=offset).predict_proba(X[:500], offset=offset[:500])
    np.testing.assert_allclose(grouped, found[0], rtol=0, atol=1e-10)


def test_a_sample_that_its_first_part_separates_does_not_lead_astray():
    X, y = rows(60_000, 59, signal=0.4)
    auto, irls = pt.LogisticRegression().fit(X, y), pt.LogisticRegression(solver="irls").fit(X, y)
    assert auto.fit_status_ == "ok"
    np.testing.assert_allclose(auto.predict_proba(X[:1000]), irls.predict_proba(X[:1000]), rtol=0, atol=1e-10)


def test_a_rare_class_is_in_the_sample_whole():
    X, _ = large()
    rare = np.zeros(len(X), int)
    rare[np.random.default_rng(0).choice(len(X), 200, replace=False)] = 1
    model = pt.LogisticRegression().fit(X, rare)
    assert abs(model.predict_proba(X)[:, 1].sum() - 200) < 1e-6
    quota, threshold = sample_quota(np.array([59_800.0, 200.0]), 5000)
    assert quota[1] == 200
    assert threshold[1] == 2**64 - 1


# --- choosing


def test_the_method_depends_on_the_shape_alone():
    assert method("auto", 1000, 10) == "newton"
    assert method("irls", 10**6, 60) == "newton"
    assert method("auto", 10**6, 51) == "sampled"
    assert method("auto", 10**6, 5000) == "truncated"
    assert SAMPLE_FROM < 10**6 * 51**2
    assert sample_rows(10**6, 51) < 10**6 / 8


def test_an_unknown_solver_is_refused_with_the_list_of_those_there_are():
    assert check_solver("auto") == "auto"
    with pytest.raises(pt.DataError, match=r"solver='lbfgs' is none of 'auto', 'irls'"):
        check_solver("lbfgs")


# --- pieces


def test_a_factor_solves_and_knows_when_it_cannot_see_everything():
    rng = np.random.default_rng(0)
    root = rng.standard_normal((6, 4)) * [1.0, 1e-8, 1e8, 1.0]
    H = root.T @ root
    factor = SymmetricFactor.of(H)
    assert factor.nonsingular
    x = rng.standard_normal(4) / [1.0, 1e-8, 1e8, 1.0]
    np.testing.assert_allclose(factor.solve(H @ x), x, rtol=1e-9)
    double = np.block([[H, H], [H, H]])
    blind = SymmetricFactor.of(double)
    assert not blind.nonsingular
    solved = blind.solve(double @ np.concatenate([x, x]))
    np.testing.assert_allclose(double @ solved, double @ np.concatenate([x, x]), rtol=1e-7)


def test_the_gap_bounds_the_distance_to_the_minimum():
    X, y = rows(300, 3)
    best = pt.LogisticRegression().fit(X, y).solution_.objective
    with pytest.warns(pt.ConvergenceWarning):
        early = pt.LogisticRegression(max_iter=2).fit(X, y).solution_
    assert 0 <= early.objective - best <= early.gap


def test_a_solution_says_why_it_stopped():
    class Counting(Solver):
        tol, max_iter = 1e-3, 3

        def init(self, objective, start):
            return _State(1.0, 0)

        def step(self, objective, state):
            return _State(state.decrement / 10 if objective else state.decrement, state.iterations + 1)

    state, reason = Counting().solve(True, None)
    assert state.iterations == 3
    assert "within the tolerance" in reason
    state, reason = Counting().solve(False, None)
    assert "limit of 3 iterations" in reason
    assert not solution_of(state, reason, 1e-3).converged


class _State:
    stalled, nonsingular, sweeps = "", True, 0

    def __init__(self, decrement, iterations):
        self.decrement, self.iterations = decrement, iterations
        self.point = type("P", (), {"value": 0.0})()


def test_a_last_step_without_an_evaluation_says_so_and_proves_no_more_overlap_than_before():
    (X, y), _ = CASES["sampled"]
    assert "not evaluated" in pt.LogisticRegression().fit(X, y).solution_.reason
    point = Point(np.zeros(2), 1.0, 1.0, np.array([1e-8, 0.0]), odds=3e-15)
    before = QuasiNewtonState(
        point=point,
        factor=SymmetricFactor.of(np.eye(2)),
        decrement=5e-8,
        sweeps=6,
        iterations=5,
        rates=(0.02, 0.03, 0.01),
    )
    solver = QuasiNewton(before.factor, tol=1e-8)
    after = solver.last(SimpleNamespace(fixed=lambda w: w), before)
    assert after.predicted
    assert after.decrement == pytest.approx(0.06 * before.decrement)
    assert after.point.odds / after.decrement**2 == pytest.approx(point.odds / before.decrement**2)
    slow = replace(before, rates=(0.02, 0.3, 0.01))
    assert solver.last(SimpleNamespace(fixed=lambda w: w), slow) is slow
