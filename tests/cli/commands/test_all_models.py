"""Every model of the list in every command: fit, predict, summary, explain."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

import posteriori as pt
from posteriori.estimators.catalogue import CATALOGUE

#: The names users may rely on, in the order of the documentation, and the other names of some.
NAMES = ("logistic", "probit", "cloglog", "noisy-or", "kernel-logistic", "lspc", "bayes-logistic", "gaussian",
         "gaussian-per-class", "naive-bayes", "joint-table", "least-squares", "fisher", "perceptron")  # fmt: skip
ALIASES = {"lda": "gaussian", "qda": "gaussian-per-class"}
TWO_CLASSES = ("probit", "cloglog", "noisy-or")
WITHOUT_PROBABILITIES = ("least-squares", "fisher", "perceptron")
#: Models whose score is no sum over columns.
UNEXPLAINED = ("kernel-logistic", "lspc", "joint-table", "gaussian-per-class")
#: What the coefficients of two classes are of, and what `--exponentiate` makes of them.
TITLES = {
    "logistic": "Coefficients (log odds of female)",
    "probit": "Coefficients (female on the probit scale)",
    "cloglog": "Coefficients (log hazards of female)",
    "noisy-or": "Coefficients (negative log failure probability of female)",
    "bayes-logistic": "Coefficients (log odds of female)",
    "gaussian": "Coefficients (log odds of female)",
    "least-squares": "Coefficients (score of female)",
    "fisher": "Coefficients (score of female)",
    "perceptron": "Coefficients (score of female)",
    "kernel-logistic": "Kernels: Gaussian, on 333 centers, bandwidth",
    "lspc": "Kernels: Gaussian, on 333 centers, bandwidth",
}
RATIOS = {"logistic": "odds ratio", "bayes-logistic": "odds ratio", "cloglog": "hazard ratio"}


@pytest.fixture
def birds(penguins, tmp_path):
    """Return the penguins without missing values, two discrete columns of them, and the first three rows."""
    whole = pd.read_csv(tmp_path / penguins).dropna()
    whole.to_csv(tmp_path / "birds.csv", index=False)
    whole.head(3).to_csv(tmp_path / "new.csv", index=False)
    whole[["species", "island", "sex"]].to_csv(tmp_path / "few.csv", index=False)
    return whole


def fit(run, name, target, *more):
    data = "few.csv" if name == "joint-table" else "birds.csv"
    return run("fit", data, "--target", target, "--model", name, "-o", "m", "--force", *more)


@pytest.mark.parametrize("name", [*NAMES, *ALIASES])
@pytest.mark.slow
def test_a_model_by_its_name_is_fitted_saved_and_asked(name, run, birds):
    done = fit(run, name, "sex", "--positive", "female")
    assert done.exit_code == 0, done.stderr
    listed = ALIASES.get(name, name)
    assert f"Model: {listed} ({CATALOGUE[listed].kind}), target sex" in done.stdout
    assert "Classes: male, female" in done.stdout
    assert TITLES.get(listed, "Fit status: ") in done.stdout
    model = pt.load("m")
    result = run("predict", "m", "new.csv", "--quiet", *(() if listed in WITHOUT_PROBABILITIES else ("--proba",)))
    assert result.exit_code == 0, result.stderr
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["prediction"] for row in rows] == model.predict(birds.head(3)).tolist()
    if listed not in WITHOUT_PROBABILITIES:
        p = np.array([[float(row["male"]), float(row["female"])] for row in rows])
        np.testing.assert_allclose(p, model.predict_proba(birds.head(3)), rtol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_of_three_classes_is_fitted_or_refused_with_a_sentence(name, run, birds):
    done = fit(run, name, "species", "--quiet")
    if name in TWO_CLASSES:
        assert done.exit_code == 3
        assert "is for two classes, not 3" in done.stderr
    else:
        assert done.exit_code == 0, done.stderr
        assert "Classes: Adelie, Chinstrap, Gentoo" in done.stdout
        assert "log odds of" not in done.stdout


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_its_summary_is_shown_and_ratios_are_given_only_where_there_are_such(name, run, birds):
    fit(run, name, "sex", "--positive", "female", "--quiet")
    shown = run("summary", "m")
    assert shown.exit_code == 0, shown.stderr
    assert f"Model: {name} (" in shown.stdout
    assert "status:" in shown.stdout.lower()
    payload = json.loads(run("summary", "m", "--json").stdout)["model"]
    assert payload["name"] == name
    assert payload["classes"] == ["male", "female"]
    if "coefficients" in payload:
        assert list(payload["coefficients"]) == ["female"]
        assert payload["scale"] in TITLES[name]
    ratios = run("summary", "m", "--exponentiate")
    if name in RATIOS:
        assert ratios.exit_code == 0, ratios.stderr
        assert RATIOS[name] in ratios.stdout
        assert "sex = female (reference male)" in ratios.stdout
    else:
        assert ratios.exit_code == 3
        message = (
            "under the probit link exp(coefficient) is not a ratio" if name == "probit" else "--exponentiate needs"
        )
        assert message in ratios.stderr


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_a_prediction_is_taken_apart_or_the_model_says_why_not(name, run, birds):
    fit(run, name, "sex", "--positive", "female", "--quiet")
    done = run("explain", "m", "new.csv", "--row", "1", "--quiet")
    assert done.exit_code == (2 if name in UNEXPLAINED else 0), done.stderr
    if name in UNEXPLAINED:
        assert not done.stdout
        return
    assert TITLES.get(name, "(log odds of female)").split("(", 1)[1].rstrip(")") in done.stdout
    limit = {"cloglog": "-0.366513", "noisy-or": "0.693147"}.get(name)
    assert ("female is the more probable class if the total exceeds" in done.stdout) == (limit is not None)
    assert limit is None or f"exceeds {limit}." in done.stdout
    row = json.loads(run("explain", "m", "new.csv", "--row", "1", "--json", "--quiet").stdout)["rows"][0]
    assert row["total"] == pytest.approx(row["baseline"] + sum(row["contributions"].values()))


def test_the_list_of_models_has_every_name_and_alias(run):
    listed = json.loads(run("models", "--json").stdout)["models"]
    assert sorted(model["name"] for model in listed) == sorted(NAMES)
    aliases = {alias: model["name"] for model in listed for alias in model["aliases"]}
    assert ALIASES.items() <= aliases.items()
    text = run("models").stdout
    assert all(f"\n{name}" in f"\n{text}" for name in NAMES)
    assert "gaussian (alias lda): " in text


def test_the_positive_class_is_the_one_that_an_asymmetric_link_describes(run, birds):
    columns = ["bill_depth_mm", "year"]
    for name, inner in {"cloglog": pt.BinaryRegression(link="cloglog"), "noisy-or": pt.NoisyOr()}.items():
        fit(run, name, "sex", "--positive", "female", "--quiet", *(
            f"--type={column}=ignore" for column in birds.columns if column not in (*columns, "sex")))  # fmt: skip
        direct = inner.fit(birds[columns], (birds["sex"] == "female").to_numpy())
        np.testing.assert_allclose(pt.load("m").predict_proba(birds), direct.predict_proba(birds[columns]), rtol=1e-9)
        np.testing.assert_allclose(pt.load("m").coef_, direct.coef_, rtol=1e-7)


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        (["--model", "logistic", "--link", "cloglog"], 0, "Model: cloglog (BinaryRegression)"),
        (["--link", "loglog"], 0, "Coefficients (male on the log-log scale)"),
        (["--link", "cauchit"], 0, "Coefficients (male on the cauchit scale)"),
        (["--link", "logit"], 0, "Model: logistic (LogisticRegression)"),
        (["--model", "probit", "--link", "probit"], 0, "Model: probit (BinaryRegression)"),
        (["--model", "probit", "--link", "cloglog"], 2, "--model probit and --link cloglog name two links: leave one"),
        (["--link", "probit", "--set", "link=cloglog"], 2, "--set link=cloglog and --link probit name two links"),
        (["--model", "noisy-or", "--link", "probit"], 2, "--link is an option of the models logistic, probit, cloglog"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_link_goes_with_a_model_that_does_not_say_otherwise(given, code, message, run, birds):
    done = run("fit", "birds.csv", "--target", "sex", "--type", "species=ignore", *given, "--quiet")
    assert done.exit_code == code, done.stderr
    assert message in done.stdout + done.stderr
