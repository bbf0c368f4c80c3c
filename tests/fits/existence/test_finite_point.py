"""The finite point of separated classes: its rows fit to 1e-8, what has a limit is there, in few Newton steps."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import posteriori as pt
from posteriori.fits.existence import at_infinity
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


@pytest.mark.parametrize("steps", [3, 8])
def test_the_separating_direction_leads_to_the_probabilities_of_the_limit_too(monkeypatch, steps):
    """Newton's steps go there on few rows; with many classes they may be too many."""
    rows = np.genfromtxt(GOLDEN / "fgl.csv", delimiter=",", skip_header=1, dtype=str)
    X, y = rows[:, :-1].astype(float), rows[:, -1]
    by_newton = fit(X, y)
    monkeypatch.setattr(at_infinity, "SLOW", steps)
    along = fit(X, y)
    assert along.fit_status_ == "separated"
    assert along.solution_.iterations < by_newton.solution_.iterations
    np.testing.assert_allclose(along.predict_proba(X), by_newton.predict_proba(X), atol=2e-8)
