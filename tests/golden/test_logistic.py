"""Logistic and softmax regression against R's glm, glmnet and exact Newton optima."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import posteriori as pt
from posteriori.fits.existence.separation import separation

HERE = Path(__file__).parent
#: Data that may not be copied into the project lie beside it, where there are any.
ELSEWHERE = HERE.parents[2] / "shared" / "data"
GLMS = ["beetles", "biopsy", "birthwt", "birthwt_weights_offset", "esoph", "liver", "pima_tr", "spector"]
SOLVERS = ["auto", "irls", "gradient", "conjugate-gradient", "online"]


def golden(name):
    return json.loads((HERE / "data" / f"{name}.json").read_text())


def frame_of(case):
    path = HERE / "csv" / case["data"]
    if not path.exists():
        path = ELSEWHERE / case["data"]
    if not path.exists():
        pytest.skip(f"{case['data']} is not part of the project")
    frame = pd.read_csv(path)
    if case["data"] == "birthwt.csv":
        frame = frame.assign(race2=(frame["race"] == 2) * 1.0, race3=(frame["race"] == 3) * 1.0)
    if case["data"] == "esoph.csv":
        frame = frame.assign(total=frame["ncases"] + frame["ncontrols"])
    return frame.dropna(subset=[*case["features"], case["target"]])


def glm(name):
    """Give X, y, and what else fit takes, of a glm case."""
    case = golden(f"glm_{name}")
    frame = frame_of(case)
    assert len(frame) == case["n_rows"]
    more = {}
    if case["trials_column"]:
        y = pt.counts(successes=frame[case["target"]], trials=frame[case["trials_column"]])
    else:
        y = (frame[case["target"]] == case["positive_class"]).to_numpy()
    if case["prior_weights"]:
        more["sample_weight"] = 1.0 + np.arange(len(frame)) % 3
    if case["offset"]:
        more["offset"] = -0.01 * frame["lwt"].to_numpy(float)
    return frame[case["features"]], y, more, case["results"]["logit"]


def coefficients(model):
    return np.column_stack([model.intercept_, model.coef_])


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", GLMS)
def test_coefficients_are_those_of_glm(name, solver):
    X, y, more, wanted = glm(name)
    model = pt.LogisticRegression(solver=solver, random_state=0).fit(X, y, **more)
    error = np.array(list(wanted["se_observed_information"].values()))
    off = np.abs(coefficients(model)[0] - list(wanted["coef"].values())) / error
    assert off.max() < 1e-7
    assert model.fit_status_ == "ok"
    assert model.solution_.converged
    assert model.solution_.overlap is True


@pytest.mark.parametrize("name", GLMS)
def test_deviances_and_aic_are_those_of_glm(name):
    X, y, more, wanted = glm(name)
    model = pt.LogisticRegression().fit(X, y, **more)
    assert model.deviance_ == pytest.approx(wanted["deviance"], rel=1e-10)
    assert model.null_deviance_ == pytest.approx(wanted["null_deviance"], rel=1e-10)
    assert model.aic_ == pytest.approx(wanted["aic"], rel=1e-10)


@pytest.mark.parametrize("name", GLMS)
def test_fitted_probabilities_are_those_of_glm(name):
    X, y, more, wanted = glm(name)
    model = pt.LogisticRegression().fit(X, y, **more)
    offset = more.get("offset")
    first = None if offset is None else offset[:10]
    fitted = model.predict_proba(X[:10], offset=first)[:, 1]
    np.testing.assert_allclose(fitted, wanted["fitted_first10"], rtol=1e-8)
    eta = model.linear_predictor(X[:10], offset=first)
    np.testing.assert_allclose(eta, wanted["linear_predictor_first10"], rtol=1e-8, atol=1e-8)


def test_grouped_likelihood_has_the_binomial_coefficients_and_weights_have_not():
    X, y, more, wanted = glm("beetles")
    model = pt.LogisticRegression().fit(X, y)
    assert model.log_likelihood_ == pytest.approx(2 - wanted["aic"] / 2, rel=1e-12)
    X, y, more, wanted = glm("birthwt_weights_offset")
    model = pt.LogisticRegression().fit(X, y, **more)
    assert model.log_likelihood_ == pytest.approx(wanted["loglik_kernel"], rel=1e-12)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", ["biopsy", "spam"])
@pytest.mark.parametrize("number", [0, 1])
def test_a_prior_of_one_precision_is_ridge_regression(name, number, solver):
    case = golden(f"ridge_{name}")
    frame = frame_of(case)
    X = frame[case["features"]].to_numpy(float)
    if "standardised: " in case["preprocessing"]:
        X = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    y = (frame[case["target"]] == case["positive_class"]).to_numpy()
    wanted = case["results"][number]
    model = pt.LogisticRegression(prior=wanted["lambda_sum_form"], solver=solver, random_state=0).fit(X, y)
    np.testing.assert_allclose(coefficients(model)[0], list(wanted["coef"].values()), rtol=0, atol=1e-6)
    np.testing.assert_allclose(coefficients(model)[0], list(wanted["glmnet_coef"].values()), rtol=0, atol=1e-6)
    np.testing.assert_allclose(model.predict_proba(X[:10])[:, 1], wanted["fitted_first10"], atol=1e-8)
    assert model.solution_.objective / len(X) == pytest.approx(wanted["objective_mean_form"], rel=1e-12)


def softmax(name):
    case = golden(f"softmax_{name}")
    frame, wanted = frame_of(case), case["results"]
    frame = frame[frame[case["target"]].isin(wanted["classes"])]
    assert len(frame) == case["n_rows"]
    X = frame[case["features"]].to_numpy(float)
    Z = (X - wanted["feature_means"]) / wanted["feature_sds"]
    return Z, frame[case["target"]].to_numpy(str), wanted


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("parametrization", ["symmetric", "reference"])
@pytest.mark.parametrize("name", ["fgl", "vehicle"])
def test_softmax_coefficients_are_those_of_mnlogit(name, parametrization, solver):
    X, y, wanted = softmax(name)
    reference = wanted["reference_class"] if parametrization == "reference" else None
    given = {"parametrization": parametrization, "reference": reference, "solver": solver, "random_state": 0}
    model = pt.LogisticRegression(**given).fit(X, y)
    assert model.classes_.tolist() == wanted["classes"]
    found = coefficients(model)
    against = found - found[wanted["classes"].index(wanted["reference_class"])]
    for k, label in enumerate(wanted["classes"]):
        if label == wanted["reference_class"]:
            assert parametrization == "symmetric" or not found[k].any()
        else:
            off = np.abs(against[k] - wanted["coef"][label]) / wanted["se"][label]
            assert off.max() < 1e-7
    if parametrization == "symmetric":
        np.testing.assert_allclose(found.sum(axis=0), 0.0, atol=1e-9 * np.abs(found).max())
    assert model.log_likelihood_ == pytest.approx(wanted["loglik"], rel=1e-12)
    assert model.null_log_likelihood_ == pytest.approx(wanted["loglik_null"], rel=1e-12)
    assert model.deviance_ == pytest.approx(wanted["deviance"], rel=1e-12)
    assert model.aic_ == pytest.approx(wanted["aic"], rel=1e-12)
    np.testing.assert_allclose(model.predict_proba(X[:10]), wanted["posterior_first10"], atol=1e-9)
    assert model.score(X, y) == pytest.approx(wanted["train_accuracy"])


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", ["fgl", "vehicle"])
def test_softmax_ridge_penalises_all_classes(name, solver):
    X, y, wanted = softmax(name)
    for ridge in wanted["ridge"]:
        model = pt.LogisticRegression(prior=ridge["lambda_sum_form"], solver=solver, random_state=0).fit(X, y)
        found = coefficients(model)
        for k, label in enumerate(wanted["classes"]):
            np.testing.assert_allclose(found[k], ridge["coef_all_classes"][label], rtol=0, atol=1e-6)
        assert model.solution_.objective == pytest.approx(ridge["objective_sum_form"], rel=1e-12)
        np.testing.assert_allclose(model.predict_proba(X[:10]), ridge["posterior_first10"], atol=1e-8)


def test_softmax_of_the_textbook():
    book = golden("textbook")["results"]["deuschle_softmax"]
    from posteriori.links.softmax import Softmax

    p = np.exp(Softmax(3).log_probabilities(np.array([book["z"]])))[0]
    np.testing.assert_allclose(p, book["softmax"], rtol=1e-14)
    np.testing.assert_allclose(p, book["published"], atol=5e-4)


def test_softmax_of_scores_that_overflow():
    from posteriori.links.softmax import Softmax

    for case in golden("textbook")["results"]["softmax_overflow"]:
        log_p = Softmax(len(case["z"])).log_probabilities(np.array([case["z"]], float))[0]
        np.testing.assert_allclose(np.exp(log_p), case["softmax"], rtol=1e-13, atol=1e-300)


VERDICTS = {"complete": "complete", "quasi-complete": "quasi", "overlap (finite MLE)": "none"}


@pytest.mark.parametrize("number", range(6))
def test_separation_is_found_where_it_is(number):
    case = golden("separation")["results"][number]
    frame = frame_of(case)
    if "and" in case["preprocessing"]:
        frame = frame[frame["species"].isin(case["preprocessing"].replace(" rows", "").split(" and "))]
    assert len(frame) == case["n_rows"]
    y = (frame[case["target"]] == case["positive_class"]).to_numpy()
    found = separation(frame[case["features"]], y)
    assert found.kind == VERDICTS[case["verdict"]]
    infinite = {name for name, sign in case["recession_direction_signs"].items() if sign.endswith("inf")}
    assert infinite - {"(Intercept)"} <= set(found.columns)
    if found.kind == "quasi":
        assert set(found.columns) == infinite
    if found.kind == "complete":
        assert len(found.rows) == len(frame)


def test_the_endometrial_fit_warns_and_names_nv():
    case = golden("separation")["results"][0]
    frame = frame_of(case)
    with pytest.warns(pt.SeparationWarning, match="'NV'") as caught:
        model = pt.LogisticRegression().fit(frame[case["features"]], frame["HG"])
    assert len(caught) == 1
    assert model.fit_status_ == "separated"
    assert model.fit_notes_[0].columns == ("NV",)
    assert model.solution_.overlap is False
    logs = model.predict_log_proba(frame[case["features"]])
    assert np.isfinite(logs).all()
    # the other coefficients are those of the rows that NV does not tell apart
    rest = frame[frame["NV"] == 0]
    bare = pt.LogisticRegression().fit(rest[["PI", "EH"]], rest["HG"])
    np.testing.assert_allclose(model.coef_[0, 1:], bare.coef_[0], rtol=1e-6)
