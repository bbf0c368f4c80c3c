"""The noisy-OR against a constrained optimum found by other means."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import posteriori as pt

HERE = Path(__file__).parent


def birthwt(frame):
    marks = {"ptl1": frame["ptl"] > 0, "race2": frame["race"] == 2, "race3": frame["race"] == 3}
    return pd.concat([frame[["smoke", "ht", "ui"]], pd.DataFrame(marks).astype(int)], axis=1)


def spam(frame):
    return (frame[["make", "our", "remove", "free", "money", "credit", "hp", "meeting"]] > 0).astype(int)


def pima(frame):
    return pd.DataFrame(
        {
            "npreg/10": frame["npreg"] / 10,
            "glu/100": frame["glu"] / 100,
            "bmi/10": frame["bmi"] / 10,
            "ped": frame["ped"],
            "age/10": frame["age"] / 10,
        }
    )


COLUMNS = {"noisy_or_birthwt": birthwt, "noisy_or_spam": spam, "exp_linear_pima_tr": pima}


def load(case):
    golden = json.loads((HERE / "data" / f"{case}.json").read_text())
    frame = pd.read_csv(HERE / "csv" / golden["data"])
    X, y = COLUMNS[case](frame), frame[golden["target"]].to_numpy()
    assert ["leak", *X.columns] == golden["features"]
    return X, y, golden


@pytest.mark.parametrize("case", COLUMNS)
def test_theta_likelihood_and_probabilities_agree(case):
    X, y, golden = load(case)
    wanted = golden["results"]
    model = pt.NoisyOr().fit(X, y)
    assert model.classes_[1] == golden["positive_class"]
    assert (model.fit_status_, model.solution_.converged, model.fit_notes_) == ("ok", True, [])
    theta = np.array(list(wanted["theta"].values()))
    np.testing.assert_allclose([model.leak_, *model.theta_], theta, rtol=0, atol=1e-12)
    assert ((model.theta_ == 0) == (theta[1:] == 0)).all()
    failures = np.array(list(wanted["failure_probability_xi"].values()))
    np.testing.assert_allclose(model.failure_probabilities_, failures[1:], rtol=0, atol=1e-12)
    assert model.log_likelihood_ == pytest.approx(wanted["loglik"], abs=1e-9)
    np.testing.assert_allclose(model.predict_proba(X)[:20, 1], wanted["prob_first20"], rtol=0, atol=1e-12)


@pytest.mark.parametrize("case", COLUMNS)
def test_a_column_of_ones_does_what_the_leak_does(case):
    X, y, golden = load(case)
    ones = X.assign(leak=1.0)
    model = pt.NoisyOr(leak=False).fit(ones, y)
    wanted = [*list(golden["results"]["theta"].values())[1:], golden["results"]["theta"]["leak"]]
    np.testing.assert_allclose(model.theta_, wanted, rtol=0, atol=1e-12)
    assert (model.leak_, model.n_parameters_) == (0.0, ones.shape[1])


@pytest.mark.parametrize("case", COLUMNS)
def test_the_conditions_of_karush_kuhn_and_tucker_hold_where_the_golden_gradient_says(case):
    X, y, golden = load(case)
    model = pt.NoisyOr().fit(X, y)
    Z = np.column_stack([np.ones(len(X)), X])
    eta = Z @ np.array([model.leak_, *model.theta_])
    gradient = Z.T @ np.where(y == model.classes_[1], 1.0 / np.expm1(eta), -1.0)
    wanted = np.array(list(golden["results"]["loglik_gradient"].values()))
    np.testing.assert_allclose(gradient, wanted, rtol=1e-9, atol=1e-9)
