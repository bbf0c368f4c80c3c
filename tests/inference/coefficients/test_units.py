"""Inference does not depend on the units of columns, as long as the answer itself is a float."""

import warnings

import numpy as np
import pytest

import posteriori as pt

RNG = np.random.default_rng(4)
X = RNG.normal(size=(80, 2))
Y = X[:, 0] + RNG.normal(size=80) > 0


@pytest.fixture(scope="module")
def plain():
    return pt.LogisticRegression().fit(X, Y)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
def test_standard_errors_and_tests_are_those_of_other_units(plain, scale):
    """Variances of coefficients of a column of 1e-160 are infinite; their roots are not."""
    rows = X * np.array([scale, 1.0])
    model = pt.LogisticRegression().fit(rows, Y)
    factor = np.array([1.0, 1.0 / scale, 1.0])
    for kind in ("observed", "robust"):
        np.testing.assert_allclose(model.standard_errors(kind) / factor, plain.standard_errors(kind), rtol=1e-7)
    np.testing.assert_allclose(model.wald_test("x0").statistic, plain.wald_test("x0").statistic, rtol=1e-7)
    found, wanted = model.marginal_effects(rows), plain.marginal_effects(X)
    np.testing.assert_allclose(found.errors / factor[1:], wanted.errors, rtol=1e-7)
    np.testing.assert_allclose(model.predict_interval(rows), plain.predict_interval(X), rtol=1e-7)
    assert "nan" not in model.summary(covariance="robust").to_text()
    assert np.isfinite(model.confidence_interval()).all()
    model.covariance()


@pytest.mark.parametrize("scale", [1e-250, 1e-160, 1e160])
def test_profile_intervals_and_their_tests_are_those_of_other_units(plain, scale):
    rows = X * scale
    model = pt.LogisticRegression().fit(rows, Y)
    bounds = model.confidence_interval(method="profile", X=rows, y=Y) * np.array([[1.0], [scale], [scale]])
    np.testing.assert_allclose(bounds, plain.confidence_interval(method="profile", X=X, y=Y), rtol=1e-7)
    tests, wanted = (
        each.summary(interval="profile", X=x, y=Y).to_frame()["p_value"] for each, x in ((model, rows), (plain, X))
    )
    np.testing.assert_allclose(tests, wanted, rtol=1e-7)


def test_a_duplicate_of_a_tiny_column_has_an_infinite_profile_interval():
    rows = X[:, [0, 0]] * 1e-160
    with pytest.warns(pt.CollinearityWarning):
        model = pt.LogisticRegression().fit(rows, Y)
    bounds = model.confidence_interval(method="profile", X=rows, y=Y)
    assert np.isfinite(bounds[0]).all()
    assert bounds[1:].tolist() == [[-np.inf, np.inf]] * 2


@pytest.mark.parametrize("scale", [1e-300, 1e-160])
def test_a_posterior_of_a_tiny_column_is_summarized(scale):
    wanted = pt.BayesianLogisticRegression().fit(X, Y).summary()
    found = pt.BayesianLogisticRegression().fit(X * np.array([scale, 1.0]), Y).summary()
    np.testing.assert_allclose(found.column("sd")[1] * scale, wanted.column("sd")[1], rtol=1e-4)
    np.testing.assert_allclose(found.column("p_negative"), wanted.column("p_negative"), rtol=1e-3)


def test_an_offset_that_separates_the_classes_leaves_no_pseudo_r2():
    """The null model is then certain of every row."""
    model = pt.LogisticRegression()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model.fit(X, Y, offset=np.where(Y, 800.0, -800.0))
    assert np.isnan(model.pseudo_r2())
    model.summary().to_text()
