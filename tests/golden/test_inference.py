"""Standard errors, covariances, residuals, influence and effects against R and statsmodels."""

import numpy as np
import pytest

import posteriori as pt
from tests.golden.test_logistic import GLMS, glm, golden, softmax

KINDS = ["observed", "expected"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", GLMS)
def test_standard_errors_are_those_of_glm(name, kind):
    X, y, more, wanted = glm(name)
    model = pt.LogisticRegression().fit(X, y, **more)
    errors = list(wanted[f"se_{kind}_information"].values())
    np.testing.assert_allclose(model.standard_errors(kind), errors, rtol=1e-9)
    np.testing.assert_allclose(model.standard_errors(kind, X=X, y=y, **more), errors, rtol=1e-9)
    assert model.coefficient_labels_ == tuple(wanted["coef"])


@pytest.mark.parametrize("name", GLMS)
def test_covariances_are_those_of_glm(name):
    X, y, more, wanted = glm(name)
    found = pt.LogisticRegression().fit(X, y, **more).covariance("expected")
    known = np.array(wanted["cov_expected_information"])
    size = np.sqrt(np.outer(np.diagonal(known), np.diagonal(known)))
    np.testing.assert_allclose(found / size, known / size, rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", GLMS)
def test_pearson_residuals_sum_to_glms_chi_squared(name):
    X, y, more, wanted = glm(name)
    model = pt.LogisticRegression().fit(X, y, **more)
    assert (model.residuals(X, y, "pearson", **more) ** 2).sum() == pytest.approx(wanted["pearson_chi2"], rel=1e-8)
    assert (model.residuals(X, y, **more) ** 2).sum() == pytest.approx(wanted["deviance"], rel=1e-10)


@pytest.mark.parametrize("parametrization", ["symmetric", "reference"])
@pytest.mark.parametrize("name", ["fgl", "vehicle"])
def test_softmax_standard_errors_are_those_of_mnlogit(name, parametrization):
    X, y, wanted = softmax(name)
    base, labels = wanted["reference_class"], wanted["classes"]
    if parametrization == "reference":
        model = pt.LogisticRegression(parametrization="reference", reference=base).fit(X, y)
    else:  # contrasts are to the first class, so the reference is renamed to come first
        y, labels, base = np.where(y == base, "", y), ["", *(k for k in labels if k != base)], ""
        model = pt.LogisticRegression().fit(X, y)
    errors = np.concatenate([wanted["se"][label] for label in labels if label != base])
    np.testing.assert_allclose(model.standard_errors(), errors, rtol=1e-9)


@pytest.fixture(scope="module")
def birthwt():
    X, y, _, _ = glm("birthwt")
    return X, y, pt.LogisticRegression().fit(X, y), golden("inference_statsmodels")["birthwt"]


def test_sandwiches_are_those_of_statsmodels(birthwt):
    X, y, model, wanted = birthwt
    np.testing.assert_allclose(model.standard_errors("robust"), wanted["se_robust"], rtol=1e-9)
    groups = np.arange(len(y)) % 17
    found = model.standard_errors("cluster", X=X, y=y, groups=groups)
    np.testing.assert_allclose(found, wanted["se_cluster"], rtol=1e-9)


def test_residuals_and_influence_are_those_of_statsmodels(birthwt):
    X, y, model, wanted = birthwt
    for kind, known in wanted["residuals_first10"].items():
        np.testing.assert_allclose(model.residuals(X, y, kind)[:10], known, rtol=1e-9)
    influence = model.influence(X, y)
    np.testing.assert_allclose(influence.leverage[:10], wanted["leverage_first10"], rtol=1e-9)
    np.testing.assert_allclose(influence.cooks_distance[:10], wanted["cooks_distance_first10"], rtol=1e-9)


@pytest.mark.parametrize("at", ["average", "mean"])
def test_marginal_effects_are_those_of_statsmodels(birthwt, at):
    X, _, model, wanted = birthwt
    found = model.marginal_effects(X, at)
    np.testing.assert_allclose(found.effects, wanted[f"margeff_{at}"], rtol=1e-9)
    np.testing.assert_allclose(found.errors, wanted[f"margeff_{at}_se"], rtol=1e-9)


def test_tests_are_those_of_statsmodels(birthwt):
    X, y, model, wanted = birthwt
    assert model.wald_test(["race2", "race3"]).statistic == pytest.approx(wanted["wald_race"], rel=1e-9)
    small = X.drop(columns=["race2", "race3"])
    score = pt.LogisticRegression().fit(small, y).score_test(small, y, X[["race2", "race3"]])
    assert score.statistic == pytest.approx(wanted["score_race"], rel=1e-9)
    assert score.p_value == pytest.approx(wanted["score_race_p"], rel=1e-9)
    assert model.pseudo_r2() == pytest.approx(wanted["mcfadden"], rel=1e-9)
    np.testing.assert_allclose(model.predict_interval(X[:3])[:, 1], wanted["predict_interval_first3"], rtol=1e-9)


def test_softmax_sandwich_and_effects_are_those_of_statsmodels():
    X, y, _ = softmax("fgl")
    wanted = golden("inference_statsmodels")["fgl"]
    model = pt.LogisticRegression().fit(X, y)
    np.testing.assert_allclose(model.standard_errors(), wanted["se_observed"], rtol=1e-9)
    np.testing.assert_allclose(model.standard_errors("robust"), wanted["se_robust"], rtol=1e-9)
    effects = model.marginal_effects(X)
    np.testing.assert_allclose(effects.effects, wanted["margeff"], rtol=1e-9)
    np.testing.assert_allclose(effects.errors, wanted["margeff_se"], rtol=1e-9)
    np.testing.assert_allclose(effects.effects.sum(axis=0), 0.0, atol=1e-15)
