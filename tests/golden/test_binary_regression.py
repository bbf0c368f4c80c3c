"""Regression through every link against R's glm, and Firth's estimates through the logit."""

import numpy as np
import pytest

import posteriori as pt
from tests.golden.test_firth import CASES as FIRTH
from tests.golden.test_firth import case_of
from tests.golden.test_logistic import GLMS, glm, golden

CASES = [(name, link) for name in GLMS for link in golden(f"glm_{name}")["results"]]


def fitted(name, link, **parameters):
    X, y, more, _ = glm(name)
    model = pt.BinaryRegression(link=link, **parameters).fit(X, y, **more)
    return X, y, more, model, golden(f"glm_{name}")["results"][link]


def values(found):
    return np.array(list(found.values()))


def test_every_link_but_the_log_log_has_golden_results():
    assert {link for _, link in CASES} == {"logit", "probit", "cloglog", "cauchit"}


@pytest.mark.parametrize("solver", ["auto", "irls"])
@pytest.mark.parametrize(("name", "link"), CASES)
def test_coefficients_are_those_of_glm(name, link, solver):
    _, _, _, model, wanted = fitted(name, link, solver=solver)
    error = values(wanted["se_observed_information"])
    found = np.concatenate([model.intercept_, model.coef_[0]])
    assert np.abs((found - values(wanted["coef"])) / error).max() < 1e-9
    assert model.fit_status_ == "ok"
    assert model.solution_.overlap is True
    assert model.coefficient_labels_ == tuple(wanted["coef"])


@pytest.mark.parametrize(("name", "link"), CASES)
def test_both_informations_are_those_of_glm(name, link):
    X, y, more, model, wanted = fitted(name, link)
    for kind in ("observed", "expected"):
        errors = values(wanted[f"se_{kind}_information"])
        np.testing.assert_allclose(model.standard_errors(kind), errors, rtol=1e-9)
        np.testing.assert_allclose(model.standard_errors(kind, X=X, y=y, **more), errors, rtol=1e-9)
    known = np.array(wanted["cov_expected_information"])
    size = np.sqrt(np.outer(np.diagonal(known), np.diagonal(known)))
    np.testing.assert_allclose(model.covariance("expected") / size, known / size, rtol=0, atol=1e-10)


@pytest.mark.parametrize(("name", "link"), CASES)
def test_deviances_likelihoods_and_fitted_values_are_those_of_glm(name, link):
    X, y, more, model, wanted = fitted(name, link)
    assert model.deviance_ == pytest.approx(wanted["deviance"], rel=1e-10)
    assert model.null_deviance_ == pytest.approx(wanted["null_deviance"], rel=1e-10)
    assert model.aic_ == pytest.approx(wanted["aic"], rel=1e-10)
    offset = {"offset": more["offset"]} if "offset" in more else {}
    shown = {key: value[:10] for key, value in offset.items()}
    np.testing.assert_allclose(model.predict_proba(X[:10], **shown)[:, 1], wanted["fitted_first10"], rtol=1e-9)
    np.testing.assert_allclose(
        model.linear_predictor(X[:10], **shown), wanted["linear_predictor_first10"], rtol=1e-9, atol=1e-9
    )
    assert (model.residuals(X, y, "pearson", **more) ** 2).sum() == pytest.approx(wanted["pearson_chi2"], rel=1e-8)
    assert (model.residuals(X, y, **more) ** 2).sum() == pytest.approx(wanted["deviance"], rel=1e-10)


@pytest.mark.parametrize(("link", "deviance"), [("logit", 11.2322), ("probit", 10.1198), ("cloglog", 3.4464)])
def test_beetles_have_the_deviances_of_the_books(link, deviance):
    assert round(fitted("beetles", link)[3].deviance_, 4) == deviance


@pytest.mark.parametrize("name", FIRTH)
def test_firths_estimates_through_the_logit_are_those_of_brglm(name):
    wanted, X, y = case_of(name)
    model = pt.BinaryRegression(link="logit", prior="jeffreys").fit(X, y)
    se = values(wanted["se"])
    found = np.concatenate([model.intercept_, model.coef_[0]])
    assert np.abs((found - values(wanted["coef"])) / se).max() < 1e-6
    np.testing.assert_allclose(model.standard_errors(), se, rtol=1e-6)
    assert -model.solution_.objective == pytest.approx(wanted["penalised_loglik"], abs=1e-9)


@pytest.mark.parametrize("name", FIRTH)
@pytest.mark.parametrize("link", ["probit", "cloglog"])
def test_jeffreys_prior_through_other_links_is_a_maximum_that_bias_reduction_is_not(name, link):
    results = golden(name)["results"]
    if link not in results:
        pytest.skip(f"no results through {link}")
    _, X, y = case_of(name)
    model = pt.BinaryRegression(link=link, prior="jeffreys").fit(X, y)
    assert model.fit_status_ == "ok"
    assert -model.solution_.objective > results[link]["penalised_loglik"]
