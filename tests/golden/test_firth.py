"""Jeffreys' prior against brglm2: Firth's bias-reduced estimates, their standard errors and likelihoods."""

import numpy as np
import pytest

import posteriori as pt
from tests.golden.test_logistic import frame_of, golden

CASES = {"firth_endometrial": slice(None), "firth_iris_setosa": slice(0, 100)}


def case_of(name):
    case = golden(name)
    frame = frame_of(case).iloc[CASES[name]]
    assert len(frame) == case["n_rows"]
    return (
        case["results"]["logit"],
        frame[case["features"]],
        (frame[case["target"]] == case["positive_class"]).to_numpy(),
    )


@pytest.mark.parametrize("name", CASES)
def test_estimates_are_those_of_brglm(name):
    wanted, X, y = case_of(name)
    model = pt.LogisticRegression(prior="jeffreys").fit(X, y)
    coef, se = np.array(list(wanted["coef"].values())), np.array(list(wanted["se"].values()))
    found = np.concatenate([model.intercept_, model.coef_[0]])
    assert np.abs((found - coef) / se).max() < 1e-6
    np.testing.assert_allclose(model.standard_errors("expected"), se, rtol=1e-6)
    np.testing.assert_allclose(model.predict_proba(X)[:10, 1], wanted["fitted_first10"], rtol=1e-6)


@pytest.mark.parametrize("name", CASES)
def test_likelihoods_are_those_of_brglm(name):
    wanted, X, y = case_of(name)
    model = pt.LogisticRegression(prior="jeffreys").fit(X, y)
    assert model.log_likelihood_ == pytest.approx(wanted["loglik"], abs=1e-7)
    assert -model.solution_.objective == pytest.approx(wanted["penalised_loglik"], abs=1e-9)
    assert model.deviance_ == pytest.approx(wanted["deviance"], abs=1e-7)


@pytest.mark.parametrize("name", CASES)
def test_separated_classes_are_cured_without_a_warning(name):
    _, X, y = case_of(name)
    model = pt.LogisticRegression(prior="jeffreys").fit(X, y)
    assert (model.fit_status_, model.fit_notes_) == ("ok", [])
    assert model.solution_.converged
    cured = pt.LogisticRegression(on_separation="jeffreys").fit(X, y)
    assert cured.fit_status_ == "ok"
    (note,) = cured.fit_notes_
    assert note.code == "separation-cured"
    assert "prior='jeffreys'" in str(note)
    np.testing.assert_array_equal(cured.coef_, model.coef_)
