"""``posteriori summary`` of logistic models."""

import json
import math

import pandas as pd
import pytest

import posteriori as pt


@pytest.fixture
def births(run, tmp_path):
    rows = [(age, smoke, "yes" if (age * 7 + 11 * (smoke == "yes")) % 10 > 5 else "no")
            for age in range(20, 40) for smoke in ("no", "yes")]  # fmt: skip
    pd.DataFrame(rows, columns=["age", "smoke", "low"]).to_csv(tmp_path / "births.csv", index=False)
    assert run("fit", "births.csv", "--target", "low", "-o", "m", "--quiet").exit_code == 0
    return "m"


def test_a_logistic_model_is_shown_with_standard_errors_and_tests(run, births):
    text = run("summary", births).stdout
    assert "Model: logistic (LogisticRegression), target low" in text
    assert str(pt.load(births).summary()) in text
    assert "P>|z|" in text
    assert "Status:                            ok" in text


def test_exponentiate_gives_odds_ratios(run, births):
    assert "odds ratio" in run("summary", births, "--exponentiate").stdout
    plain, ratios = (
        json.loads(run("summary", births, "--json", *more).stdout)["table"]["coefficients"]
        for more in ((), ("--exponentiate",))
    )
    assert [row["term"] for row in plain] == ["(Intercept)", "age", "smoke=yes"]
    assert [row["estimate"] for row in ratios] == pytest.approx([math.exp(row["estimate"]) for row in plain])


def test_exponentiate_is_refused_for_models_without_log_odds(run, fitted):
    done = run("summary", fitted, "--exponentiate")
    assert done.exit_code != 0
    assert "--exponentiate needs a logistic model" in done.stderr
    assert "NaiveBayes" in done.stderr


def test_the_positive_class_is_the_one_described(run, births):
    assert run("fit", "births.csv", "--target", "low", "--positive", "no", "-o", "n", "--quiet").exit_code == 0
    text = run("summary", "n").stdout
    assert "low = no (reference yes)" in text
