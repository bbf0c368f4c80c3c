"""The finite point of separated classes: its rows fit to 1e-8, what has a limit is there, in few Newton steps."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import posteriori as pt
from posteriori.fits.existence import at_infinity, limiting_likelihood, several_classes
from tests.fits.existence.ill_scaled import UNITS, ill_scaled
from tests.fits.existence.test_existence import categorical

GOLDEN = Path(__file__).parents[2] / "golden" / "csv"


def fit(X, y, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.NotIdentifiedWarning)
        warnings.simplefilter("ignore", pt.CollinearityWarning)
        return pt.LogisticRegression(**settings).fit(X, y)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_many_classes_take_few_steps_and_reach_the_limit(seed):
    X, y = categorical(np.random.default_rng(seed), 400, 6, 7)
    model, other = fit(X, y), fit(X, y, parametrization="reference")
    assert model.fit_status_ == "separated"
    assert model.solution_.iterations <= 18
    log_p = model.predict_log_proba(X)[np.arange(len(y)), y]
    assert -10.0 < log_p.min() < -1.0  # not all rows are separated, and those have the limit as their probability
    np.testing.assert_allclose(other.predict_log_proba(X)[np.arange(len(y)), y], log_p, atol=1e-7)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("parametrization", ["symmetric", "reference"])
def test_classes_that_overlap_beside_a_separated_one_are_fitted_as_on_their_own(seed, parametrization):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((150, 4)), rng.integers(0, 3, 150)
    X[y == 2, 0] = rng.integers(5, 8, (y == 2).sum())
    weights = rng.integers(1, 4, 150).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.SeparationWarning)
        model = pt.LogisticRegression(parametrization=parametrization).fit(X, y, sample_weight=weights)
    two = y < 2
    alone = pt.LogisticRegression().fit(X[two], y[two], sample_weight=weights[two])
    p = model.predict_proba(X[two])
    assert p[:, 2].max() < 1e-8
    assert model.predict_proba(X[~two])[:, 2].min() > 1 - 1e-8
    np.testing.assert_allclose(p[:, 1], alone.predict_proba(X[two])[:, 1], atol=1e-7)


def test_rows_of_weight_zero_change_nothing():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 2)), rng.integers(0, 3, 60)
    X[y == 2, 0] = rng.integers(5, 8, (y == 2).sum())
    weights = (rng.random(60) < 0.8).astype(float)
    kept = weights > 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.SeparationWarning)
        model = pt.LogisticRegression().fit(X, y, sample_weight=weights)
        without = pt.LogisticRegression().fit(X[kept], y[kept])
    assert model.fit_status_ == "separated"
    np.testing.assert_allclose(model.predict_proba(X), without.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_columns_of_1e_304_overflow_in_their_coefficients_alone(fit_intercept):
    X, y = 1e-304 * np.array([[-2.0, 1.0], [-1.0, 2.0], [1.0, -1.0], [2.0, 0.0]]), np.array([0, 0, 1, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.SeparationWarning)
        model = pt.BinaryRegression(link="cauchit", fit_intercept=fit_intercept).fit(X, y)
    assert np.isfinite(model.intercept_).all()
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], y, atol=1e-6)


def test_weights_of_many_orders_of_magnitude_overflow_nowhere():
    X = [[-2, -2], [-2, -2], [-1, -2], [1, -1], [-1, 2], [-1, 2], [1, 0], [1, 1]]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", pt.SeparationWarning)
        model = pt.LogisticRegression().fit(
            np.array(X, dtype=float), [0, 1, 2, 3, 0, 0, 1, 3], sample_weight=[1e-10, 1, 1, 1, 1, 1e10, 1e-10, 1]
        )
    assert model.fit_status_ == "separated"
    assert np.isfinite(model.predict_proba(np.array(X, dtype=float))).all()


def glass():
    rows = np.genfromtxt(GOLDEN / "fgl.csv", delimiter=",", skip_header=1, dtype=str)
    return rows[:, :-1].astype(float), rows[:, -1]


def star(seed=0, n=240, K=7):
    """Return indicators of two factors, and classes of which most overlap with the first alone, and only in part."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 6, n), rng.integers(0, 4, n)
    y = np.where(rng.random(n) < 0.6, 0, 1 + (a + rng.integers(0, 2, n)) % (K - 1))
    return np.column_stack([np.eye(6)[a][:, 1:], np.eye(4)[b][:, 1:]]), y


def with_ridge(X, y, precision, steps=60):
    """Return the probabilities of softmax vectors with a tiny ridge, by plain Newton steps."""
    Z = np.column_stack([np.ones(len(X)), X])
    K, p = y.max() + 1, Z.shape[1]
    w = np.zeros((K, p))

    def loss(w):
        eta = Z @ w.T
        return float((np.log(np.exp(eta - eta.max(1, keepdims=True)).sum(1)) + eta.max(1) - eta[np.arange(len(y)), y])
                     .sum() + precision * (w * w).sum() / 2)  # fmt: skip

    for _ in range(steps):
        eta = Z @ w.T
        P = np.exp(eta - eta.max(1, keepdims=True))
        P /= P.sum(1, keepdims=True)
        gradient = (P - np.eye(K)[y]).T @ Z + precision * w
        C = P[:, :, None] * np.eye(K) - P[:, :, None] * P[:, None, :]
        hessian = np.einsum("nab,ni,nj->aibj", C, Z, Z, optimize=True).reshape(K * p, K * p)
        step = -np.linalg.solve(hessian + precision * np.eye(K * p), gradient.ravel()).reshape(K, p)
        length = 1.0
        while loss(w + length * step) > loss(w) and length > 1e-6:
            length /= 2
        w = w + length * step
    return P


@pytest.mark.parametrize("seed", range(2))
def test_probabilities_are_the_limit_of_those_with_a_vanishing_ridge(seed):
    X, y = star(seed)
    model = fit(X, y)
    assert model.fit_status_ == "separated"
    np.testing.assert_allclose(model.predict_proba(X), with_ridge(X, y, 1e-7), atol=2e-5)


@pytest.mark.parametrize("data", [glass, star])
def test_coefficients_of_several_separated_classes_depend_on_the_data_alone(data):
    """Not on the order of rows, columns or classes, on repeated rows, on the solver, or on the start."""
    X, y = data()
    rng = np.random.default_rng(1)
    model = fit(X, y)
    scale = np.abs(model.coef_).max()

    def same(other, coef):
        assert other.fit_status_ == "separated"
        np.testing.assert_allclose(coef, model.coef_, atol=1e-6 * scale)

    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    other = fit(X[rows], y[rows])
    same(other, other.coef_)
    other = fit(X[:, columns], y)
    same(other, other.coef_[:, np.argsort(columns)])
    other = fit(X, y, solver="gradient", max_iter=30)
    same(other, other.coef_)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.SeparationWarning)
        other = pt.LogisticRegression().fit(X, y, start=pt.LogisticRegression(prior=1.0).fit(X, y))
    same(other, other.coef_)
    numbers = np.unique(y, return_inverse=True)[1]
    other = fit(X, numbers.max() - numbers)
    same(other, other.coef_[::-1])
    np.testing.assert_allclose(other.predict_proba(X)[:, ::-1], model.predict_proba(X), atol=1e-9)
    other = fit(X, y, parametrization="reference")
    np.testing.assert_allclose(other.predict_proba(X), model.predict_proba(X), atol=1e-9)


def test_repeated_rows_and_weights_give_the_same_coefficients():
    X, y = star(2)
    weights = np.random.default_rng(0).integers(1, 4, len(y))
    model = fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.SeparationWarning)
        other = pt.LogisticRegression().fit(X, y, sample_weight=weights.astype(float))
    np.testing.assert_allclose(other.predict_proba(X), model.predict_proba(X), atol=1e-9)


def test_the_misfit_of_separated_rows_is_1e_8():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    model = fit(10.0 * np.eye(3)[y] + rng.standard_normal((60, 3)), y)
    X = model.predict_proba(10.0 * np.eye(3)[y] + np.random.default_rng(0).standard_normal((60, 3)))
    misfit = np.delete(X, 0, axis=1)[y == 0].sum() + np.delete(X, 1, axis=1)[y == 1].sum() + X[y == 2, :2].sum()
    assert misfit == pytest.approx(1e-8, rel=1e-6)


def test_a_limit_that_takes_too_many_steps_is_reported(monkeypatch):
    X, y = star()
    monkeypatch.setattr(limiting_likelihood, "STEPS", 2)
    monkeypatch.setattr(at_infinity, "NEWTON_STEPS", 1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = pt.LogisticRegression().fit(X, y)
    sentences = [str(each.message) for each in caught if issubclass(each.category, pt.ConvergenceWarning)]
    assert len(sentences) == 1
    assert re.search(r"last iterate, not the limit.*not reached in 40.*prior='jeffreys' or prior=1.0", sentences[0])
    assert model.fit_status_ == "separated"
    assert "last iterate" in model.solution_.reason
    assert np.isfinite(model.predict_proba(X)).all()


def test_without_room_for_the_central_direction_the_probabilities_are_the_same(monkeypatch):
    X, y = star()
    model = fit(X, y)
    monkeypatch.setattr(several_classes, "ENTRIES", 0)
    monkeypatch.setattr(at_infinity, "MANY", 0)
    other = fit(X, y)
    assert "depends on the search" in other.solution_.reason
    np.testing.assert_allclose(other.predict_proba(X), model.predict_proba(X), atol=2e-8)


def test_many_classes_that_overlap_with_one_alone_take_few_newton_steps():
    """With 20 classes and 30 columns, the time of a fit is that of a few Hessians."""
    rng = np.random.default_rng(3)
    n, K = 500, 20
    codes = [rng.integers(0, levels, n) for levels in (14, 10, 8)]
    y = np.where(rng.random(n) < 0.9, 0, rng.integers(1, K, n))
    X = np.column_stack([np.eye(c.max() + 1)[c][:, 1:] for c in codes])
    model = fit(X, y)
    assert model.fit_status_ == "separated"
    assert model.solution_.iterations < 40
    assert model.predict_proba(X)[:, 0].mean() == pytest.approx((y == 0).mean(), abs=1e-6)


@pytest.mark.parametrize("parametrization", ["symmetric", "reference"])
def test_columns_with_a_prior_beside_one_that_separates_have_its_maximum(parametrization):
    """The common shift of all vectors is not flat there: the prior determines it."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((80, 3)), rng.integers(0, 3, 80)
    X[y == 2, 0] += 20.0
    prior = pt.GaussianPrior(precision=[0.0, 1.0, 1.0])
    model = fit(X, y, prior=prior, parametrization=parametrization)
    rows = rng.permutation(80)
    other = fit(X[rows], y[rows], prior=prior, parametrization=parametrization)
    assert model.fit_status_ == "separated"
    assert [note.code for note in model.fit_notes_] == ["separation"]
    np.testing.assert_allclose(other.coef_, model.coef_, atol=1e-6 * np.abs(model.coef_).max())
    weak = fit(X, y, prior=pt.GaussianPrior(precision=[1e-8, 1.0, 1.0]), parametrization=parametrization)
    np.testing.assert_allclose(model.predict_proba(X), weak.predict_proba(X), atol=1e-4)


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize("seed", range(6))
def test_no_units_of_columns_make_the_finite_point_worse_than_fits_with_a_weak_prior(units, seed):
    X, y, settings = ill_scaled(seed, units)
    weights = 10.0 ** np.random.default_rng(seed).uniform(-3, 3, len(y)) if seed > 3 else np.ones(len(y))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = pt.LogisticRegression(**settings).fit(X, y, sample_weight=weights)
        weak = [
            pt.LogisticRegression(prior=pt.GaussianPrior(sd=sd, units="sd"), **settings).fit(
                X, y, sample_weight=weights
            )
            for sd in (10.0, 1e4)
        ]
    assert model.fit_status_ == "separated"
    assert max(model.null_log_likelihood_, *(fit.log_likelihood_ for fit in weak)) - 1e-6 <= model.log_likelihood_ <= 0
    assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.parametrize(
    "units", UNITS[:-2]
)  # nearly dependent columns have coefficients of which predictors lose digits
@pytest.mark.parametrize("seed", range(3))
def test_in_any_units_probabilities_do_not_depend_on_the_order_of_rows_columns_or_classes(units, seed):
    X, y, settings = ill_scaled(seed, units)
    P = fit(X, y, **settings).predict_proba(X)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    atol = 2e-8
    np.testing.assert_allclose(fit(X[rows], y[rows], **settings).predict_proba(X), P, atol=atol)
    np.testing.assert_allclose(fit(X[:, columns], y, **settings).predict_proba(X[:, columns]), P, atol=atol)
    np.testing.assert_allclose(fit(X, y.max() - y, **settings).predict_proba(X)[:, ::-1], P, atol=atol)


@pytest.mark.parametrize("classes", [2, 3])
def test_nothing_bounds_the_distance_to_an_optimum_at_infinity(classes):
    X, y = np.arange(12.0)[:, None], np.arange(12) * classes // 12
    for settings in ({}, {"solver": "gradient"}):
        solution = fit(X, y, **settings).solution_
        assert (solution.decrement, solution.gap, solution.converged) == (np.inf, np.inf, False)
        assert fit(X, y, prior=1.0).solution_.decrement < 1e-8


@pytest.mark.parametrize("link", ["probit", "cloglog", "loglog", "cauchit"])
def test_nothing_bounds_the_distance_to_an_optimum_at_infinity_under_any_link(link):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.SeparationWarning)
        solution = pt.BinaryRegression(link=link).fit(np.arange(12.0)[:, None], np.arange(12) > 5).solution_
    assert (solution.decrement, solution.gap, solution.converged) == (np.inf, np.inf, False)
