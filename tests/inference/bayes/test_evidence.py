"""The evidence: its slope against differences, its top against a grid, and what happens at the bounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_wine

import posteriori as pt
from posteriori.engines.select import engine_for
from posteriori.input.training import read_training
from posteriori.objectives.evidence import evidence_at
from posteriori.objectives.prepare import objective_of, survey
from posteriori.priors.other_units import CentredPrior
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.newton.newton import Newton
from posteriori.solvers.select import DENSE_LIMIT


def rows(seed, n=80, d=3, K=2):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * [1.0, 10.0, 0.1][:d] + 5.0
    scores = (X - 5.0) / [1.0, 10.0, 0.1][:d] @ rng.standard_normal((d, K)) + rng.gumbel(size=(n, K))
    y = scores.argmax(axis=1)
    y[:K] = np.arange(K)
    return X, y


def evidence(link_of, X, y, rho, groups_of):
    """Give the evidence at log precisions rho, the mode being found to rounding."""
    table = read_training(pt.LogisticRegression(), X, y).table
    link = link_of(int(y.max()) + 1)
    objective = objective_of(survey(engine_for(table)), link, CentredPrior(1.0), True, DENSE_LIMIT)
    groups = np.tile(groups_of, link.n_scores)
    precision = np.where(groups >= 0, np.exp(rho)[groups], 0.01)
    objective = type(objective)(
        objective.engine, link, objective.units, Quadratic(np.zeros(precision.size), precision), objective.gauge
    )
    state, _ = Newton(1e-11).solve(objective, np.zeros(precision.size))
    return evidence_at(objective, state.point, groups)


def softmax_or_logit(K):
    from posteriori.links.logit import Logit
    from posteriori.links.softmax import Softmax

    return Logit() if K == 2 else Softmax(K)


@pytest.mark.parametrize("K", [2, 3])
@given(seed=st.integers(0, 2**32 - 1), first=st.floats(-3, 3), second=st.floats(-3, 3))
@pytest.mark.slow
def test_the_slope_is_the_derivative_of_the_value(K, seed, first, second):
    X, y = rows(seed, K=K)
    groups, rho, h = np.array([-1, 0, 1, 1]), np.array([first, second]), 1e-4
    found = evidence(softmax_or_logit, X, y, rho, groups)
    for g in (0, 1):
        step = h * np.eye(2)[g]
        ahead, behind = (evidence(softmax_or_logit, X, y, rho + t * step, groups).value for t in (1, -1))
        assert found.slope[g] == pytest.approx((ahead - behind) / (2 * h), abs=2e-6)


@given(seed=st.integers(0, 2**32 - 1))
def test_the_slope_under_a_link_that_is_not_canonical_is_the_derivative_too(seed):
    from posteriori.links.probit import Probit

    X, y = rows(seed)
    groups, rho, h = np.array([-1, 0, 1, 1]), np.array([0.3, -0.5]), 1e-4
    found = evidence(lambda K: Probit(), X, y, rho, groups)
    for g in (0, 1):
        step = h * np.eye(2)[g]
        ahead, behind = (evidence(lambda K: Probit(), X, y, rho + t * step, groups).value for t in (1, -1))
        assert found.slope[g] == pytest.approx((ahead - behind) / (2 * h), abs=2e-6)


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine])
def test_the_precision_chosen_is_the_best_of_a_grid_and_its_slope_is_zero(load):
    X, y = load(return_X_y=True)
    chosen = pt.LogisticRegression(prior="evidence").fit(X, y).evidence_
    assert chosen.slope < 1e-9
    assert not chosen.raised
    Z = (X - X.mean(axis=0)) / X.std(axis=0)  # a float prior is per unit of the column: here a standard deviation
    grid = chosen.precision[0] * np.exp(np.linspace(-4, 4, 9))
    found = [pt.BayesianLogisticRegression(prior=float(alpha)).fit(Z, y).log_evidence_ for alpha in grid]
    assert int(np.argmax(found)) == 4
    assert found[4] == pytest.approx(chosen.log_evidence, abs=1e-7)


def test_a_gaussian_that_holds_leaves_the_precision_of_largest_evidence_alone():
    X, y = load_breast_cancer(return_X_y=True)
    model = pt.BayesianLogisticRegression().fit(X, y)
    assert not model.evidence_.raised
    assert ["95 % intervals" in note.message for note in model.fit_notes_] == [True]  # no note on the precision
    assert model.evidence_.slope < 1e-9
    assert model.log_evidence_ == pytest.approx(model.evidence_.log_evidence, abs=1e-7)
    np.testing.assert_array_equal(model.evidence_.precision, model.evidence_.most_probable)


def test_both_units_are_reported_and_logistic_regression_finds_the_same_mode():
    X, y = rows(3)
    model = pt.BayesianLogisticRegression().fit(X, y)
    np.testing.assert_allclose(model.evidence_.precision_data, model.evidence_.precision * X.var(axis=0), rtol=1e-12)
    plain = pt.LogisticRegression(prior="evidence").fit(X, y)
    np.testing.assert_allclose(plain.coef_, model.coef_, rtol=1e-9)
    np.testing.assert_allclose(plain.intercept_, model.intercept_, rtol=1e-9)
    np.testing.assert_allclose(plain.covariance(), model.posterior_.covariance, rtol=1e-6)
    np.testing.assert_array_equal(plain.evidence_.precision, model.evidence_.precision)


def test_it_serves_every_link_and_parametrisation():
    X, y = rows(4, n=150, K=3)
    for model in (
        pt.LogisticRegression(prior="evidence", parametrization="reference", reference=1),
        pt.LogisticRegression(prior="evidence", fit_intercept=False),
    ):
        assert model.fit(X, y).evidence_.slope < 1e-9
    for link in ("probit", "cloglog"):
        model = pt.BinaryRegression(link=link, prior="evidence").fit(X, y > 0)
        assert model.evidence_.slope < 1e-6
        assert model.fit_status_ == "ok"


def test_uninformative_columns_have_the_greatest_precision_and_a_note_without_a_warning():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((100, 5)), rng.integers(0, 2, 100)
    model = pt.BayesianLogisticRegression().fit(X, y)
    assert (model.evidence_.bound == 1).all()
    assert np.abs(model.coef_).max() < 1e-5
    (note,) = model.fit_notes_
    assert note.code == "evidence-bound"
    assert "without limit" in note.message
    assert model.fit_status_ == "ok"


def test_a_precision_for_each_column_finds_those_that_matter():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((400, 6)) * 10.0 ** np.arange(6)
    y = X[:, 0] - X[:, 3] / 1e3 + rng.logistic(size=400) > 0
    model = pt.BayesianLogisticRegression(prior="evidence-ard").fit(X, y)
    relevant = model.evidence_.precision < 10
    assert relevant.tolist() == [True, False, False, True, False, False]
    assert model.log_evidence_ > pt.BayesianLogisticRegression().fit(X, y).log_evidence_
    assert model.evidence_.slope < 1e-9


def test_the_evidence_prefers_the_columns_that_made_the_rows():
    rng = np.random.default_rng(1)
    X = rng.uniform(-2, 2, (300, 1))
    y = rng.random(300) < 1 / (1 + np.exp(-(3 - 3 * X[:, 0] ** 2)))
    line, parabola = (
        pt.BayesianLogisticRegression(basis=pt.PolynomialBasis(degree)).fit(X, y).log_evidence_ for degree in (1, 2)
    )
    assert parabola > line + 50
    noise = np.column_stack([X, X**2, rng.standard_normal((300, 8))])
    assert parabola > pt.BayesianLogisticRegression().fit(noise, y).log_evidence_ + 3


def test_names_that_are_no_prior_are_answered_with_the_list():
    X, y = rows(0)
    for model in (pt.LogisticRegression(prior="evidence "), pt.BayesianLogisticRegression(prior="jeffreys")):
        with pytest.raises(pt.DataError, match="'evidence', 'evidence-ard'"):
            model.fit(X, y)
    with pytest.raises(pt.DataError, match="partial_fit"):
        pt.LogisticRegression(prior="evidence", solver="online").partial_fit(X, y)
