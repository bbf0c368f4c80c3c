"""Gaussian classes against R's MASS::lda and MASS::qda, and the closed forms of the books."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import posteriori as pt

HERE = Path(__file__).parent
CASES = ["iris", "pima_tr", "crabs"]
ESTIMATES = ["ml", "unbiased"]


def load(case):
    golden = json.loads((HERE / "data" / f"lda_qda_{case}.json").read_text())
    frame = pd.read_csv(HERE / "csv" / golden["data"])
    y = frame["sp"] + frame["sex"] if golden["target"] == "group" else frame[golden["target"]]
    return frame[golden["features"]], y.to_numpy(str), golden["results"]


def close(found, wanted):
    np.testing.assert_allclose(found, np.array(wanted, float), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("case", CASES)
def test_shared_covariance_agrees_with_lda(case, estimate):
    X, y, wanted = load(case)
    model = pt.GaussianClassifier(estimate=estimate).fit(X, y)
    assert model.classes_.tolist() == wanted["classes"]
    close(model.class_priors_, wanted["priors"])
    close(model.means_, wanted["means"])
    close(model.covariance_, wanted[f"pooled_cov_{estimate}"])
    close(model.predict_proba(X[:20]), wanted[estimate]["posterior_first20"])
    assert model.score(X, y) == pytest.approx(wanted[estimate]["train_accuracy"], abs=1e-12)


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("case", CASES)
def test_linear_weights_agree_with_the_discriminants(case, estimate):
    X, y, wanted = load(case)
    model = pt.GaussianClassifier(estimate=estimate).fit(X, y)
    coef, intercept = (
        np.array(wanted[estimate]["coef_per_class"]),
        np.array(wanted[estimate]["intercept_per_class"]),
    )
    form = model.as_linear()
    close(form.coef, coef)
    close(form.intercept, intercept)
    if len(model.classes_) == 2:
        coef, intercept = coef[1:] - coef[:1], intercept[1:] - intercept[:1]
    close(model.coef_, coef)
    close(model.intercept_, intercept)
    scores = X.to_numpy() @ coef.T + intercept
    close(model.decision_function(X), scores[:, 0] if len(model.classes_) == 2 else scores)


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("case", CASES)
def test_a_covariance_each_agrees_with_qda(case, estimate):
    X, y, wanted = load(case)
    model = pt.GaussianClassifier(shared=False, estimate=estimate).fit(X, y)
    close(model.predict_proba(X[:20]), wanted["qda"][estimate]["posterior_first20"])
    assert model.score(X, y) == pytest.approx(wanted["qda"][estimate]["train_accuracy"], abs=1e-12)
    if estimate == "ml":
        for k, name in enumerate(model.classes_):
            close(model.covariances_[k], wanted["qda"]["class_cov_ml"][name])
    else:
        close(np.linalg.slogdet(model.covariances_)[1], wanted["qda"]["mass_qda_ldet"])


@pytest.mark.parametrize("case", CASES)
def test_a_shared_diagonal_covariance_agrees_with_the_book(case):
    X, y, wanted = load(case)
    model = pt.GaussianClassifier(covariance="diagonal").fit(X, y)
    close(np.diag(model.covariance_), wanted["shared_diagonal_ml"]["variances"])
    close(model.predict_proba(X[:20]), wanted["shared_diagonal_ml"]["posterior_first20"])
    assert model.score(X, y) == pytest.approx(wanted["shared_diagonal_ml"]["train_accuracy"], abs=1e-12)
    bayes = pt.NaiveBayes(shared=True).fit(X, y)
    close(bayes.predict_proba(X), model.predict_proba(X))
