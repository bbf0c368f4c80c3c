"""The noisy-OR model in the command."""

import io

import numpy as np
import pandas as pd

import posteriori as pt


def lamps(path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame((rng.random((200, 2)) < 0.5).astype(int), columns=["left", "right"])
    table["colour"] = np.array(["red", "green"])[rng.integers(0, 2, 200)]
    eta = table[["left", "right"]].to_numpy() @ [1.0, 0.5] + 0.1
    table["lit"] = np.where(rng.random(200) < -np.expm1(-eta), "yes", "no")
    table.to_csv(path, index=False)
    return table


def test_it_fits_is_saved_and_predicts(run, tmp_path):
    table = lamps(tmp_path / "lamps.csv")
    done = run("fit", "lamps.csv", "--target", "lit", "--model", "noisy-or", "-o", "some.model")
    assert done.exit_code == 0, done.stderr
    assert "Coefficients (negative log failure probability of yes)" in done.stdout
    model = pt.load("some.model")
    assert isinstance(model.estimator_, pt.NoisyOr)
    answered = pd.read_csv(io.StringIO(run("predict", "some.model", "lamps.csv").stdout))
    assert answered["prediction"].tolist() == model.predict(table).tolist()


def test_settings_reach_it_and_its_errors_are_faults_of_the_data(run, tmp_path):
    table = lamps(tmp_path / "lamps.csv").drop(columns="colour")
    table.to_csv("plain.csv", index=False)
    refused = run("fit", "plain.csv", "--target", "lit", "--model", "noisy-or", "--set", "leak=false")
    assert refused.exit_code == 3
    assert "leak=True" in refused.stderr
    table.assign(left=-1).to_csv("below.csv", index=False)
    below = run("fit", "below.csv", "--target", "lit", "--model", "noisy-or")
    assert below.exit_code == 3
    assert "column 'left': 200 cell(s)" in below.stderr
