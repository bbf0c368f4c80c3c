"""Columns that nearly depend on each other: fitted, warned of, and right to the digits that are left."""

import warnings

import mpmath
import numpy as np
import pytest

import posteriori as pt

EPS = np.finfo(float).eps


def reference(X, y):
    """Give the fitted probabilities by Newton in 50 digits."""
    with mpmath.workdps(50):
        Z = mpmath.matrix([[1, *map(float, row)] for row in X])
        n, p = Z.rows, Z.cols
        w = mpmath.zeros(p, 1)
        for _ in range(60):
            mu = [1 / (1 + mpmath.exp(-eta)) for eta in Z * w]
            weighted = mpmath.matrix([[Z[i, j] * mu[i] * (1 - mu[i]) for j in range(p)] for i in range(n)])
            step = mpmath.lu_solve(weighted.T * Z, Z.T * mpmath.matrix([int(y[i]) - mu[i] for i in range(n)]))
            w += step
            if mpmath.norm(Z * step, mpmath.inf) < mpmath.mpf(10) ** -25:
                return np.array([float(value) for value in mu])
    raise AssertionError("no convergence")


def condition(X):
    Z = np.column_stack([np.full(len(X), 1.0), (X - X.mean(axis=0)) / X.std(axis=0)])
    values = np.linalg.svd(Z, compute_uv=False)
    return values[0] / values[-1]


def twins(gap, n=50, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(n)
    X = np.column_stack([x, x + gap * rng.standard_normal(n), rng.standard_normal(n)])
    return X, rng.random(n) < 1 / (1 + np.exp(-x))


def powers(degree, n=80):
    x = np.linspace(-9, -3, n)
    y = np.random.default_rng(0).random(n) < 0.5 + 0.3 * np.sin(2 * x)
    return np.column_stack([x**k for k in range(1, degree + 1)]), y


@pytest.mark.parametrize("gap", [1e-5, 1e-6])
def test_columns_that_lose_few_digits_are_fitted_without_a_warning(gap):
    X, y = twins(gap)
    model = pt.LogisticRegression().fit(X, y)
    assert (model.fit_status_, model.fit_notes_) == ("ok", [])
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], reference(X, y), atol=4 * EPS * condition(X))


@pytest.mark.parametrize("gap", [1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 3e-14])
def test_nearly_dependent_columns_are_fitted_with_a_warning(gap):
    X, y = twins(gap)
    with pytest.warns(pt.CollinearityWarning, match=r"condition number .* digits") as caught:
        model = pt.LogisticRegression().fit(X, y)
    assert len(caught) == 1
    assert model.fit_status_ == "ok"
    assert model.solution_.converged
    assert model.solution_.overlap is True
    (note,) = model.fit_notes_
    assert note.code == "nearly-collinear"
    assert note.columns == (0, 1)
    said = float(note.message.split("columns is ")[1].split(",")[0])
    assert said == pytest.approx(condition(X), rel=0.5)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], reference(X, y), atol=4 * EPS * condition(X))


@pytest.mark.parametrize("degree", [6, 8, 10])
def test_a_polynomial_like_filip_is_right_to_the_digits_left(degree):
    X, y = powers(degree)
    loses = condition(X) > 1e7
    if loses:
        with pytest.warns(pt.NotIdentifiedWarning) as caught:
            model = pt.LogisticRegression().fit(X, y)
        assert any("nearly dependent" in str(each.message) for each in caught)
    else:
        model = pt.LogisticRegression().fit(X, y)
    assert loses == (degree > 6)
    # the exact proof of the highest degree takes many times the work of the fit, so it is not made unasked
    decided = not any(note.code == "existence-not-decided" for note in model.fit_notes_)
    assert model.solution_.overlap is (True if decided else None)
    assert decided or degree == 10
    assert pt.separation(X, y).kind == "none"
    assert model.fit_status_ == "ok"
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], reference(X, y), atol=4 * EPS * condition(X))


@pytest.mark.parametrize("gap", [1e-6, 1e-9, 1e-11])
def test_standard_errors_and_intervals_are_those_of_the_same_span_well_conditioned(gap):
    X, y = twins(gap)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.CollinearityWarning)
        model = pt.LogisticRegression().fit(X, y)
    turned = np.column_stack([X[:, 0], (X[:, 1] - X[:, 0]) / gap, X[:, 2]])
    plain = pt.LogisticRegression().fit(turned, y)
    T = np.array([[1, 0, 0, 0], [0, 1, -1 / gap, 0], [0, 0, 1 / gap, 0], [0, 0, 0, 1]])
    rtol = 16 * EPS * condition(X)
    for kind in ("observed", "robust"):
        wanted = np.sqrt(np.diagonal(T @ plain.covariance(kind) @ T.T))
        np.testing.assert_allclose(model.standard_errors(kind), wanted, rtol=rtol)
    np.testing.assert_allclose(model.predict_interval(X), plain.predict_interval(turned), atol=rtol)
    # each coefficient of the nearly dependent pair has an interval, however wide
    bounds = model.confidence_interval(method="profile", X=X, y=y)
    assert np.isfinite(np.asarray(bounds)).all()


def test_the_condition_number_does_not_depend_on_units():
    X, y = twins(1e-9)
    with pytest.warns(pt.CollinearityWarning):
        first = pt.LogisticRegression().fit(X, y)
    with pytest.warns(pt.CollinearityWarning):
        other = pt.LogisticRegression().fit(X * [2.0**20, 2.0**-20, 1.0], y)
    assert first.fit_notes_[0].message == other.fit_notes_[0].message


def test_softmax_of_nearly_dependent_columns_converges():
    X, _ = twins(1e-9, n=90)
    y = np.random.default_rng(1).integers(0, 3, 90)
    with pytest.warns(pt.CollinearityWarning, match="nearly dependent"):
        model = pt.LogisticRegression().fit(X, y)
    assert (model.fit_status_, model.solution_.converged) == ("ok", True)
    with pytest.warns(pt.CollinearityWarning):
        other = pt.LogisticRegression(parametrization="reference").fit(X, y)
    np.testing.assert_allclose(other.predict_proba(X), model.predict_proba(X), atol=4 * EPS * condition(X))
    np.testing.assert_allclose(model.coef_.sum(axis=0), 0, atol=1e-6 * np.abs(model.coef_).max())


def test_a_prior_identifies_nearly_dependent_columns_without_a_warning():
    X, y = twins(1e-10)
    model = pt.LogisticRegression(prior=1.0).fit(X, y)
    assert (model.fit_status_, model.fit_notes_) == ("ok", [])
    double = pt.LogisticRegression(prior=1.0).fit(np.column_stack([X[:, 0], X[:, 0], X[:, 2]]), y)
    np.testing.assert_allclose(model.predict_proba(X), double.predict_proba(X), atol=1e-8)


def test_separation_is_detected_among_nearly_dependent_columns():
    X, _ = twins(1e-9)
    y = X[:, 0] > 0
    with pytest.warns(pt.NotIdentifiedWarning) as caught:
        model = pt.LogisticRegression().fit(X, y)
    assert {warning.category for warning in caught} == {pt.SeparationWarning, pt.CollinearityWarning}
    assert model.fit_status_ == "separated"
    assert np.exp(model.predict_log_proba(X))[np.arange(50), y.astype(int)].min() > 1 - 1e-7


def test_jeffreys_prior_takes_nearly_dependent_columns():
    X, y = twins(1e-9)
    with pytest.warns(pt.CollinearityWarning, match="nearly dependent"):
        model = pt.LogisticRegression(prior="jeffreys").fit(X, y)
    assert (model.fit_status_, model.solution_.converged) == ("ok", True)
    turned = np.column_stack([X[:, 0], (X[:, 1] - X[:, 0]) * 1e9, X[:, 2]])  # the same span, well conditioned
    plain = pt.LogisticRegression(prior="jeffreys").fit(turned, y)
    np.testing.assert_allclose(model.predict_proba(X), plain.predict_proba(turned), atol=4 * EPS * condition(X))


@pytest.mark.slow
def test_many_rows_fitted_from_a_sample_lose_no_digits():
    rng = np.random.default_rng(2)
    n, d = 60_000, 60
    X = rng.standard_normal((n, d))
    X[:, 1] = X[:, 0] + 1e-9 * X[:, 1]
    y = rng.random(n) < 1 / (1 + np.exp(-0.3 * X[:, 2]))
    with pytest.warns(pt.CollinearityWarning, match="nearly dependent"):
        model = pt.LogisticRegression().fit(X, y)
    assert (model.fit_status_, model.solution_.converged) == ("ok", True)
    turned = X.copy()
    turned[:, 1] = (X[:, 1] - X[:, 0]) * 1e9
    plain = pt.LogisticRegression().fit(turned, y)
    close = np.abs(model.predict_proba(X[:500]) - plain.predict_proba(turned[:500])).max()
    assert close < 4 * EPS * condition(X[:2000])
