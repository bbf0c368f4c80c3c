"""Least squares and Fisher's discriminant by name in the command: scores, no probabilities."""

import io

import pandas as pd
import pytest

import posteriori as pt


@pytest.mark.parametrize(("name", "kind"), [
    ("least-squares", pt.LeastSquaresClassifier),
    ("fisher", pt.FisherDiscriminant),
])  # fmt: skip
def test_they_fit_are_saved_and_predict(run, penguins, name, kind):
    done = run("fit", penguins, "--target", "species", "--model", name, "--missing", "drop", "-o", "some.model")
    assert done.exit_code == 0, done.stderr
    assert "Coefficients (scores by class)" in done.stdout
    model = pt.load("some.model")
    assert isinstance(model.estimator_, kind)
    whole = pd.read_csv(penguins).dropna()
    whole.to_csv("whole.csv", index=False)
    table = pd.read_csv(io.StringIO(run("predict", "some.model", "whole.csv").stdout))
    assert table["prediction"].tolist() == model.predict(whole).tolist()
    assert (table["prediction"] == whole["species"].to_numpy()).mean() > 0.9


@pytest.mark.parametrize("name", ["least-squares", "fisher"])
def test_probabilities_are_refused_as_a_matter_of_usage(run, penguins, name):
    run("fit", penguins, "--target", "species", "--model", name, "--missing", "drop", "-o", "some.model")
    done = run("predict", "some.model", penguins, "--proba")
    assert done.exit_code == 2
    assert "scores but no probabilities" in done.stderr


def test_settings_of_covariances_reach_the_model(run, penguins):
    for settings in ("shrinkage=ledoit-wolf", "estimate=map", "covariance=low-rank"):
        done = run("fit", penguins, "--target", "species", "--model", "lda", "--missing", "drop", "--set", settings)
        assert done.exit_code == 0, done.stderr
        assert settings.split("=")[1] in done.stdout
    refused = run("fit", penguins, "--target", "species", "--model", "lda", "--missing", "drop", "--set", "rank=2")
    assert refused.exit_code == 3
    assert "belongs to covariance='low-rank'" in refused.stderr
