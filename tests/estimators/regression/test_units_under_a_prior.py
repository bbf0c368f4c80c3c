"""A prior in the units of the columns, whatever those are: the maximum is reached and the certificate holds."""

import numpy as np
import pandas as pd
import pytest

import posteriori as pt

X = np.random.default_rng(11).normal(size=(90, 2))


def labels(K):
    noise = np.random.default_rng(K).logistic(size=90)
    return np.digitize(X[:, 0] + noise, np.linspace(-1, 1, K + 1)[1:-1])


@pytest.mark.parametrize("K", [2, 3, 5])
@pytest.mark.parametrize("unit", [1e-160, 1e-9, 1e-3, 1e5, 1e6, 1e9, 1e18, 1e60])
def test_a_unit_and_the_prior_that_goes_with_it_change_no_probability(K, unit):
    y = labels(K)
    found = pt.LogisticRegression(prior=1.0).fit(X * unit, y)
    same = pt.LogisticRegression(prior=unit**-2.0 if unit > 1e-100 else 1e250).fit(X, y)
    assert found.fit_status_ == same.fit_status_ == "ok"
    assert found.solution_.converged
    np.testing.assert_allclose(found.predict_proba(X * unit), same.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("intercept_precision", [0.0, 2.0])
@pytest.mark.parametrize("unit", [1.0, 1e3, 1e6, 1e9])
def test_the_vectors_of_the_classes_sum_to_zero_where_the_prior_treats_them_alike(unit, intercept_precision):
    y = labels(3)
    prior = pt.GaussianPrior(precision=1.0, intercept_precision=intercept_precision)
    found = pt.LogisticRegression(prior=prior).fit(X * [unit, 1.0], y)
    assert found.fit_status_ == "ok"
    assert abs(found.coef_.sum(axis=0) * [unit, 1.0]).max() < 1e-8
    assert abs(found.intercept_.sum()) < 1e-8


@pytest.mark.parametrize("solver", ["auto", "irls", "gradient", "conjugate-gradient"])
def test_every_solver_finds_the_maximum_of_three_classes_beside_a_large_column(solver):
    y = labels(3)
    wanted = pt.LogisticRegression(prior=1.0).fit(X * [1e6, 1.0], y)
    found = pt.LogisticRegression(prior=1.0, solver=solver).fit(X * [1e6, 1.0], y)
    assert found.fit_status_ == "ok"
    np.testing.assert_allclose(found.predict_proba(X * [1e6, 1.0]), wanted.predict_proba(X * [1e6, 1.0]), atol=1e-7)


def test_a_prior_that_tells_the_classes_apart_is_not_made_even():
    y = labels(3)
    mean = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.5]])
    found = pt.LogisticRegression(prior=pt.GaussianPrior(mean, 1.0)).fit(X, y)
    np.testing.assert_allclose(found.coef_.sum(axis=0), mean.sum(axis=0), atol=1e-8)


def test_a_start_far_from_zero_sum_leads_to_the_same_maximum():
    y = labels(3)
    prior = pt.GaussianPrior(precision=1.0, intercept_precision=1.0)
    wanted = pt.LogisticRegression(prior=prior).fit(X, y)
    begun = pt.LogisticRegression(prior=prior).fit(X + 3.0, y)
    start = (begun.coef_ + 7.0, begun.intercept_)
    found = pt.LogisticRegression(prior=prior).fit(X, y, start=start)
    np.testing.assert_allclose(found.coef_, wanted.coef_, atol=1e-8)
    np.testing.assert_allclose(found.intercept_, wanted.intercept_, atol=1e-8)


def test_standard_errors_of_three_classes_beside_a_large_column_are_those_of_the_small_one():
    y = labels(3)
    large = pt.LogisticRegression(prior=1.0).fit(X * [1e6, 1.0], y)
    small = pt.LogisticRegression(prior=pt.GaussianPrior(precision=[1e-12, 1.0])).fit(X, y)
    sizes = np.array([1.0, 1e6, 1.0] * 2)
    np.testing.assert_allclose(large.standard_errors() * sizes, small.standard_errors(), rtol=1e-6)


@pytest.mark.parametrize("unit", [1e-200, 1.0, 1e200])
def test_signed_distances_are_in_the_units_of_the_columns(unit):
    for K in (2, 3):
        y = labels(K)
        wanted = pt.GaussianClassifier().fit(X, y).signed_distance(X)
        found = pt.GaussianClassifier().fit(X * unit, y).signed_distance(X * unit)
        np.testing.assert_allclose(found, wanted * unit, rtol=1e-9)


def test_sparse_columns_of_pandas_and_numbers_of_rare_types_are_read_as_what_they_hold():
    y = labels(3)
    wanted = pt.LogisticRegression(prior=1.0).fit(X, y).predict_proba(X)
    rare = {
        "sparse": pd.DataFrame({"a": pd.arrays.SparseArray(X[:, 0]), "b": pd.arrays.SparseArray(X[:, 1])}),
        "swapped": pd.DataFrame({"a": X[:, 0].astype(">f8"), "b": X[:, 1]}),
        "long": pd.DataFrame(X.astype(np.longdouble), columns=["a", "b"]),
    }
    for frame in rare.values():
        kinds = frame.dtypes.tolist()
        for model in (pt.LogisticRegression(prior=1.0), pt.TableClassifier(pt.LogisticRegression(prior=1.0))):
            np.testing.assert_allclose(model.fit(frame, y).predict_proba(frame), wanted, atol=1e-12)
        assert frame.dtypes.tolist() == kinds


@pytest.mark.parametrize("intercept_precision", [0.0, 0.1])
@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("scales", [(1e-200, 1.0), (1e200, 1.0), (1e-160, 1e160), (1e-300, 1e300)])
def test_a_prior_per_standard_deviation_holds_at_the_ends_of_the_floats(scales, K, intercept_precision):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((40, 2)), rng.integers(0, K, 40)
    prior = pt.GaussianPrior(sd=2.5, units="sd", intercept_precision=intercept_precision)
    model = pt.LogisticRegression(prior=prior).fit(X * scales, y)
    wanted = pt.LogisticRegression(prior=prior).fit(X, y).predict_proba(X)
    assert (model.fit_status_, model.solution_.converged) == ("ok", True)
    np.testing.assert_allclose(model.predict_proba(X * scales), wanted, rtol=0, atol=1e-8)
