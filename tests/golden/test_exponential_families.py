"""Poisson, gamma and multinomial naive Bayes against exact results and the textbook's dice."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax

import posteriori as pt
from posteriori.backends.backend import ARRAYS

HERE = Path(__file__).parent


def load(case):
    golden = json.loads((HERE / "data" / f"{case}.json").read_text())
    frame = pd.read_csv(HERE / "csv" / golden["data"])[[*golden["features"], golden["target"]]].dropna()
    assert len(frame) == golden["n_rows"]
    X = frame[golden["features"]] - (1 if case == "poisson_nb_biopsy" else 0)
    return X, frame[golden["target"]].to_numpy(str), golden["results"]


def check(model, X, y, results):
    assert model.classes_.tolist() == results["classes"]
    np.testing.assert_allclose(model.class_priors_, results["priors"], rtol=1e-14)
    wanted = np.array(results["log_joint_first20"])
    np.testing.assert_allclose(model.predict_proba(X[:20]), results["posterior_first20"], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(model.log_density(X[:20]), np.logaddexp.reduce(wanted, axis=1), rtol=1e-10)
    logs = wanted - np.logaddexp.reduce(wanted, axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_log_proba(X[:20]), logs, rtol=1e-10, atol=1e-10)
    assert model.score(X, y) == pytest.approx(results["train_accuracy"], abs=1e-12)
    own = model.log_density(X) + model.predict_log_proba(X)[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    assert own.sum() == pytest.approx(results["joint_loglik"], rel=1e-10)


def test_poisson_columns_agree():
    X, y, results = load("poisson_nb_biopsy")
    model = pt.NaiveBayes(families="poisson").fit(X, y)
    check(model, X, y, results)
    rates = np.column_stack([model.table(name)["rate"] for name in X])
    np.testing.assert_allclose(rates, results["rates"], rtol=1e-12)
    form = model.as_linear()
    np.testing.assert_allclose(form.coef, results["linear_coef"], rtol=1e-10)
    np.testing.assert_allclose(form.intercept, results["linear_intercept"], rtol=1e-10)


@pytest.mark.parametrize("case", ["gamma_nb_iris", "gamma_nb_pima_tr"])
def test_gamma_columns_agree(case):
    X, y, results = load(case)
    model = pt.NaiveBayes(families="gamma").fit(X, y)
    check(model, X, y, results)
    for name in ("shape", "scale"):
        found = np.column_stack([model.table(column)[name] for column in X])
        np.testing.assert_allclose(found, results[name], rtol=1e-11)
    form = model.as_linear()
    scores = form.transform(X) @ form.coef.T + form.intercept
    np.testing.assert_allclose(softmax(scores, axis=1), model.predict_proba(X), atol=1e-10)


def test_deuschles_dice():
    results = json.loads((HERE / "data" / "textbook.json").read_text())["results"]["deuschle_dice"]
    faces = [f"face {i}" for i in range(1, 7)]
    rolls = pd.DataFrame(10 * np.array([results["die1"], results["die2"]]), columns=faces)
    model = pt.NaiveBayes(families="multinomial", smoothing=0.0, class_priors=results["prior"])
    model.fit(rolls.round(), ["Die 1", "Die 2"])
    seen = pd.DataFrame([results["counts"]], columns=faces, dtype=float)
    group, parameters = model.density_.groups[0], model.density_.parameters[0]
    scores = np.exp(group.family.discriminant(parameters, seen.to_numpy(), ARRAYS)[0]) * results["prior"]
    np.testing.assert_allclose(scores, [3.84e-9, 1.008e-8], rtol=1e-12)
    np.testing.assert_allclose(model.predict_proba(seen)[0], results["posterior"], rtol=1e-12)
    assert np.exp(model.log_density(seen)) == pytest.approx(sum(results["joint_with_coefficient"]), rel=1e-12)
    assert model.predict(seen).tolist() == ["Die 2"]
