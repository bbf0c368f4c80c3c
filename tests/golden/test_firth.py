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
    assert "coef_" not in note.message  # which holds the penalised estimates, not those that do not exist
    assert "prior='jeffreys'" in str(note)
    np.testing.assert_array_equal(cured.coef_, model.coef_)


#: Twice the fall of log likelihood + log det I / 2 where one coefficient is held at zero, R 4.2.2, by optim (BFGS and
#: Nelder-Mead in turn, reltol = 1e-16) over the other three. That of NV is the 6.798 of Heinze & Schemper (2002).
PENALISED_RATIOS = [8.1980135758448, 6.7984572486661, 0.7468285134322, 17.7593174794384]
#: pchisq(PENALISED_RATIOS, 1, lower.tail = FALSE)
PENALISED_P = [4.193627885587e-03, 9.123667547085e-03, 3.874822035664e-01, 2.506867214856e-05]


@pytest.mark.parametrize("reference", [None, True])
def test_a_profile_table_has_the_penalised_likelihood_ratio_tests_of_logistf(reference):
    _, X, y = case_of("firth_endometrial")
    model = pt.LogisticRegression(prior="jeffreys").fit(X, y)
    summary = model.summary(interval="profile", X=X, y=y, reference=reference)
    np.testing.assert_allclose([row.z**2 for row in summary.rows], PENALISED_RATIOS, rtol=1e-7)
    np.testing.assert_allclose([row.p for row in summary.rows], PENALISED_P, rtol=1e-7)
    assert [row.z > 0 for row in summary.rows] == [row.estimate > 0 for row in summary.rows]
    for row in summary.rows:
        assert (row.p < 0.05) == (row.lower > 0 or row.upper < 0)
    assert "P>chi2" in str(summary)
    assert "penalised likelihood-ratio tests (Heinze & Schemper 2002)" in " ".join(summary.foot)
    assert "conservative" not in " ".join(summary.foot)
    assert 'interval="profile"' in " ".join(model.summary().foot)


def test_penalised_tests_of_three_classes_match_their_intervals():
    case = golden("firth_iris_setosa")
    frame = frame_of(case)
    X, y = frame[["sepal_width", "sepal_length"]].iloc[::5], frame[case["target"]].iloc[::5]
    model = pt.LogisticRegression(prior="jeffreys").fit(X, y)
    rows = model.summary(interval="profile", X=X, y=y, level=0.9).rows
    assert len(rows) == 6
    for row in rows:
        assert (row.p < 0.1) == (row.lower > 0 or row.upper < 0)
    least = int(np.argmax([row.p for row in rows]))
    at = model.summary(interval="profile", X=X, y=y, level=1 - rows[least].p).rows[least]  # the limit at zero
    assert min(abs(at.lower), abs(at.upper)) < 1e-6
