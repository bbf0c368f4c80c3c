"""Naive Bayes against R's e1071 and exact Bayes' rule, with text, numbers and gaps."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import posteriori as pt

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared" / "data"
CASES = [path.stem for path in sorted((HERE / "data").glob("nb_*.json"))]


def load(case):
    golden = json.loads((HERE / "data" / f"{case}.json").read_text())
    path = HERE / "csv" / golden["data"]
    if not path.exists():
        path = SHARED / golden["data"]
    if not path.exists():
        pytest.skip(f"{golden['data']} is not at hand")
    frame = pd.read_csv(path, dtype=dict.fromkeys(golden["categorical_features"], str), keep_default_na=False,
                        na_values=[""])  # fmt: skip
    if case.endswith("_complete"):
        frame = frame.dropna()
    assert len(frame) == golden["n_rows"]
    X = frame[golden["numeric_features"] + golden["categorical_features"]]
    return X.reset_index(drop=True), frame[golden["target"]].to_numpy(str), golden["results"]


def pairs():
    for case in CASES:
        results = json.loads((HERE / "data" / f"{case}.json").read_text())["results"]
        for key in results:
            if key.startswith("laplace"):
                yield case, key


VARIANTS = list(pairs())


def close(found, wanted):
    wanted = np.array([[-np.inf if x is None else x for x in row] for row in wanted], float)
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-10)


def build(variant, **others):
    estimate = "unbiased" if variant.endswith("sd_unbiased") else "ml"
    return pt.NaiveBayes(smoothing=float(variant[7]), estimate=estimate, **others)


@pytest.mark.filterwarnings("ignore::posteriori.NotIdentifiedWarning")
@pytest.mark.parametrize(("case", "variant"), VARIANTS)
def test_posteriors_and_tables_agree(case, variant):
    X, y, results = load(case)
    wanted = results[variant]
    model = build(variant).fit(X, y)
    assert model.classes_.tolist() == results["classes"]
    close(model.class_priors_[None], [results["priors"]])
    close(model.predict_proba(X[:20]), wanted["posterior_first20"])
    assert model.score(X, y) == pytest.approx(wanted["train_accuracy"], abs=1e-12)
    for column, table in wanted.get("tables", {}).items():
        assert model.table(column).levels.tolist() == results["levels"][column]
        close(model.table(column)["probability"], table)
    for column, table in wanted.get("gaussian", {}).items():
        close(
            [model.table(column)["mean"], np.sqrt(model.table(column)["variance"])],
            [table["mean"], table["sd"]],
        )


@pytest.mark.parametrize(("case", "variant"), VARIANTS)
def test_log_joints_agree(case, variant):
    X, y, results = load(case)
    model = build(variant).fit(X, y)
    wanted = np.array([[-np.inf if x is None else x for x in row] for row in results[variant]["log_joint_first20"]])
    evidence = np.logaddexp.reduce(wanted, axis=1)
    np.testing.assert_allclose(model.log_density(X[:20]), evidence, rtol=1e-10)
    logs = model.predict_log_proba(X[:20])
    np.testing.assert_allclose(logs, wanted - evidence[:, None], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(("case", "variant"), [pair for pair in VARIANTS if "laplace1" in pair[1]])
def test_a_smoothed_prior_agrees(case, variant):
    X, y, results = load(case)
    if "smoothed_prior" not in results[variant]:
        pytest.skip("this case has no smoothed prior")
    model = build(variant, class_smoothing=1.0).fit(X, y)
    close(model.class_priors_[None], [results[variant]["smoothed_prior"]])
    close(model.predict_proba(X[:20]), results[variant]["posterior_smoothed_prior_first20"])


def test_numbers_declared_categorical_agree_with_text():
    X, y, results = load("nb_birthwt_mixed")
    columns = ["race", "smoke", "ht", "ui"]
    as_numbers = X.astype(dict.fromkeys(columns, float))
    model = pt.NaiveBayes(families=dict.fromkeys(columns, "categorical")).fit(as_numbers, y)
    close(model.predict_proba(as_numbers[:20]), results["laplace1_sd_ml"]["posterior_first20"])
    array = pt.NaiveBayes(families=dict.fromkeys(range(2, 6), "categorical")).fit(as_numbers.to_numpy(), y)
    close(array.predict_proba(as_numbers.to_numpy()[:20]), results["laplace1_sd_ml"]["posterior_first20"])
