"""Profile intervals are where a likelihood-ratio test stops rejecting; Wald and predicted ones are by formula."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import expit, ndtri

import posteriori as pt
from tests.golden.test_logistic import HERE, glm, softmax

Z2 = ndtri(0.975) ** 2


def held_deviance(X, y, j, t, **more):
    """Give the deviance with the coefficient of column j held at t: the column becomes part of the offset."""
    rest = np.delete(X, j, axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pt.LogisticRegression().fit(rest, y, offset=more.get("offset", 0.0) + t * X[:, j]).deviance_


@pytest.mark.parametrize("name", ["spector", "birthwt", "beetles"])
def test_a_profile_bound_is_where_the_likelihood_ratio_test_stops_rejecting(name):
    X, y, _, _ = glm(name)
    X = X.to_numpy(float)
    if X.shape[1] == 1:
        X = np.column_stack([X - 1.8, (X - 1.8) ** 2])
    model = pt.LogisticRegression().fit(X, y)
    bounds = model.confidence_interval(method="profile", X=X, y=y)
    for j in range(X.shape[1]):
        for t in bounds[j + 1]:
            assert held_deviance(X, y, j, t) - model.deviance_ == pytest.approx(Z2, abs=1e-6)


def test_the_profile_of_the_intercept_holds_the_intercept_in_the_users_units():
    X, y, _, _ = glm("birthwt")
    X = X.to_numpy(float)
    model = pt.LogisticRegression().fit(X, y)
    for t in model.confidence_interval(0.9, "profile", X=X, y=y)[0]:
        held = pt.LogisticRegression(fit_intercept=False).fit(X, y, offset=np.full(len(X), t))
        assert held.deviance_ - model.deviance_ == pytest.approx(ndtri(0.95) ** 2, abs=1e-6)


def test_softmax_profiles_are_of_the_same_likelihood_in_both_parametrisations():
    X, y, _ = softmax("fgl")
    one = pt.LogisticRegression().fit(X, y)
    two = pt.LogisticRegression(parametrization="reference").fit(X, y)
    bounds = one.confidence_interval(method="profile", X=X, y=y)
    np.testing.assert_allclose(bounds, two.confidence_interval(method="profile", X=X, y=y), rtol=1e-7)
    # held at its bound, the contrast of the second class on the first column costs the quantile squared
    offset = np.zeros((len(X), 3))
    offset[:, 1] = bounds[1, 1] * X[:, 0]
    held = np.zeros((15, 15))
    held[5 + 1, 5 + 1] = held[0 + 1, 0 + 1] = 1e9
    held[6, 1] = held[1, 6] = -1e9  # holds the difference of the two classes' coefficients at zero
    rest = pt.GaussianPrior(precision=held)
    small = pt.LogisticRegression(prior=rest).fit(X, y, offset=offset)
    assert small.deviance_ - one.deviance_ == pytest.approx(Z2, abs=1e-4)


def test_a_column_without_finite_estimate_has_an_interval_that_is_infinite_on_one_side():
    frame = pd.read_csv(HERE / "csv" / "endometrial.csv")
    X, y = frame[["NV", "PI", "EH"]], frame["HG"]
    with pytest.warns(pt.SeparationWarning):
        model = pt.LogisticRegression().fit(X, y)
    bounds = model.confidence_interval(method="profile", X=X, y=y)
    assert bounds[1, 1] == np.inf
    assert held_deviance(X.to_numpy(float), y, 0, bounds[1, 0]) - model.deviance_ == pytest.approx(Z2, abs=1e-6)
    assert np.isfinite(np.delete(bounds.ravel(), 3)).all()
    assert np.isnan(model.confidence_interval()[1]).all()
    assert np.isfinite(np.delete(model.confidence_interval(), 1, axis=0)).all()


def test_finite_coefficients_beside_a_separating_column_have_the_inference_of_the_rows_it_leaves():
    frame = pd.read_csv(HERE / "csv" / "endometrial.csv")
    X, y = frame[["NV", "PI", "EH"]], frame["HG"]
    with pytest.warns(pt.SeparationWarning):
        model = pt.LogisticRegression().fit(X, y)
    left = frame["NV"] == 0
    rest = pt.LogisticRegression().fit(X.loc[left, ["PI", "EH"]], y[left])
    errors = model.standard_errors()
    assert np.isnan(errors[1])
    np.testing.assert_allclose(errors[[0, 2, 3]], rest.standard_errors(), rtol=1e-7)
    bounds = model.confidence_interval(method="profile", X=X, y=y)
    wanted = rest.confidence_interval(method="profile", X=X.loc[left, ["PI", "EH"]], y=y[left])
    np.testing.assert_allclose(bounds[[0, 2, 3]], wanted, rtol=1e-6)
    assert (model.predict_interval(X[~left]) == [0.0, 1.0]).all()
    np.testing.assert_allclose(
        model.predict_interval(X[left]), rest.predict_interval(X.loc[left, ["PI", "EH"]]), rtol=1e-7
    )


def test_completely_separated_classes_leave_one_bound_of_the_slope():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    with pytest.warns(pt.SeparationWarning):
        model = pt.LogisticRegression().fit(X, [0, 0, 1, 1])
    bounds = model.confidence_interval(method="profile", X=X, y=[0, 0, 1, 1])
    assert bounds[1, 1] == np.inf
    slope = bounds[1, 0]
    lead = -1.5 * slope  # by symmetry the best intercept for a slope puts the boundary in the middle
    terms = np.log1p(np.exp(-np.abs(lead + slope * X[:, 0])))
    assert 2.0 * terms.sum() == pytest.approx(Z2, abs=1e-6)
    assert np.isnan(model.standard_errors()).all()


def test_aliased_columns_have_no_bounds_and_the_others_keep_theirs():
    X, y, _, _ = glm("birthwt")
    X = X[["age", "lwt", "smoke"]]
    wide = X.assign(kilograms=X["lwt"] * 0.45)
    with pytest.warns(pt.CollinearityWarning):
        model = pt.LogisticRegression().fit(wide, y)
    plain = pt.LogisticRegression().fit(X, y)
    known = [0, 1, 3]
    np.testing.assert_allclose(model.standard_errors()[known], plain.standard_errors()[known], rtol=1e-8)
    assert np.isnan(model.standard_errors()[[2, 4]]).all()
    bounds = model.confidence_interval(method="profile", X=wide, y=y)
    np.testing.assert_allclose(bounds[known], plain.confidence_interval(method="profile", X=X, y=y)[known], rtol=1e-6)
    assert (bounds[[2, 4]] == [-np.inf, np.inf]).all()
    np.testing.assert_allclose(model.predict_interval(wide[:5]), plain.predict_interval(X[:5]), rtol=1e-8)
    off_the_line = wide[:1].assign(kilograms=1000.0)
    assert (model.predict_interval(off_the_line) == [0.0, 1.0]).all()


def test_predicted_intervals_of_two_classes_are_those_of_the_predictor_through_the_link():
    X, y, more, _ = glm("birthwt_weights_offset")
    model = pt.LogisticRegression().fit(X, y, **more)
    A = np.column_stack([np.ones(len(X)), X])
    eta = model.linear_predictor(X, offset=more["offset"])
    reach = ndtri(0.95) * np.sqrt(np.einsum("ij,jk,ik->i", A, model.covariance(), A))
    found = model.predict_interval(X, 0.9, offset=more["offset"])
    np.testing.assert_allclose(found[:, 1], np.column_stack([expit(eta - reach), expit(eta + reach)]), rtol=1e-9)
    np.testing.assert_allclose(found[:, 0], 1 - found[:, 1, ::-1], rtol=1e-9)


def test_predicted_intervals_of_softmax_are_the_delta_method_on_log_odds():
    X, y, _ = softmax("fgl")
    model = pt.LogisticRegression().fit(X, y)
    found = model.predict_interval(X[:4])
    V = model.covariance()
    base = np.concatenate([np.column_stack([model.intercept_, model.coef_])[k] for k in (1, 2)])
    base -= np.tile(np.concatenate([model.intercept_[:1], model.coef_[0]]), 2)

    def log_odds(c, x):
        eta = np.concatenate([[0.0], c.reshape(2, 5) @ np.concatenate([[1.0], x])])
        p = np.exp(eta - np.logaddexp.reduce(eta))
        return np.log(p / (1 - p))

    for i in range(4):
        steps = 1e-6 * np.eye(10)
        J = np.stack([(log_odds(base + h, X[i]) - log_odds(base - h, X[i])) / 2e-6 for h in steps], axis=1)
        reach = ndtri(0.975) * np.sqrt(np.diagonal(J @ V @ J.T))
        wanted = expit(log_odds(base, X[i])[:, None] + np.column_stack([-reach, reach]))
        np.testing.assert_allclose(found[i], wanted, rtol=1e-6)
    assert ((found[:, :, 0] < model.predict_proba(X[:4])) & (model.predict_proba(X[:4]) < found[:, :, 1])).all()


def test_profiles_under_jeffreys_prior_are_of_the_penalised_likelihood():
    frame = pd.read_csv(HERE / "csv" / "endometrial.csv")
    X, y = frame[["NV", "PI", "EH"]].to_numpy(float), frame["HG"].to_numpy()
    model = pt.LogisticRegression(prior="jeffreys").fit(X, y)
    bounds = model.confidence_interval(method="profile", X=X, y=y)
    A = np.column_stack([np.ones(len(X)), X])

    def penalised(b):
        eta = A @ b
        p = expit(eta)
        return (np.logaddexp(0.0, eta) - y * eta).sum() - 0.5 * np.linalg.slogdet((A.T * (p * (1 - p))) @ A)[1]

    best = np.concatenate([model.intercept_, model.coef_[0]])
    for j in range(4):
        rest = [k for k in range(4) if k != j]
        for t in bounds[j]:
            held = minimize(
                lambda v, j=j, t=t: penalised(np.insert(v, j, t)), best[rest], method="Nelder-Mead",
                options={"xatol": 1e-8, "fatol": 1e-10, "maxiter": 4000, "maxfev": 4000},
            )  # fmt: skip
            assert 2.0 * (held.fun - penalised(best)) == pytest.approx(Z2, abs=1e-5)
    assert model.wald_test("x0").df == 1
    with pytest.raises(pt.DataError, match="the likelihood times Jeffreys' prior"):
        model.score_test(X, y, X[:, 1] ** 2)


def test_an_impossible_level_is_refused():
    X, y, _, _ = glm("spector")
    model = pt.LogisticRegression().fit(X, y)
    with pytest.raises(pt.DataError, match=r"level=95 must lie between 0 and 1"):
        model.confidence_interval(95)
    with pytest.raises(pt.DataError, match="method='bootstrap' is not known"):
        model.confidence_interval(method="bootstrap")
