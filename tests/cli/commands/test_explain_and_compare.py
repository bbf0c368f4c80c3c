"""``posteriori explain`` and ``compare``, formulas and links of ``fit``, and shell completion."""

import io
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.shell_completion import ShellComplete

import posteriori as pt
from posteriori.cli.main import program

BIRTHS = Path(__file__).parents[2] / "golden" / "csv" / "birthwt.csv"


@pytest.fixture
def births(run, tmp_path):
    """Fit low birth weight by a formula."""
    (tmp_path / "births.csv").write_bytes(BIRTHS.read_bytes())
    done = run("fit", "births.csv", "--formula", "low ~ age * smoke + C(race)", "-o", "b.model", "--quiet")
    assert done.exit_code == 0, done.stderr
    return "b.model"


def test_a_row_is_explained_by_its_largest_contributions_first(run, births):
    done = run("explain", births, "births.csv", "--row", "3")
    assert done.exit_code == 0
    model, row = pt.load(births), pd.read_csv(BIRTHS).iloc[[2]]
    told = model.explain(row)
    words = [line.split()[0] for line in done.stdout.splitlines() if line and line[0] not in " ─"]
    assert words == ["Row", "(baseline)", *(name for name, _ in told.top(0)), "total"]
    assert f"{told.total[0]:.6g}" in done.stdout
    assert done.stdout.split()[:3] == ["Row", "3:", f"{model.predict(row)[0]},"]


def test_all_rows_are_explained_as_csv(run, births):
    table = pd.read_csv(io.StringIO(run("explain", births, "births.csv", "--quiet").stdout))
    told = pt.load(births).explain(pd.read_csv(BIRTHS))
    assert table.columns.tolist() == ["row", "prediction", "baseline", *told.names, "total"]
    np.testing.assert_allclose(table["total"], told.total, rtol=1e-12)
    assert table["row"].tolist() == list(range(1, 190))


def test_explanations_of_more_classes_and_as_json(run, penguins, fitted):
    table = pd.read_csv(io.StringIO(run("explain", fitted, penguins, "--quiet").stdout))
    assert table["class"].tolist()[:4] == ["Adelie", "Chinstrap", "Gentoo", "Adelie"]
    result = json.loads(run("explain", fitted, penguins, "--row", "2", "--json").stdout)
    assert (result["schema_version"], result["command"]) == (2, "explain")
    (row,) = result["rows"]
    assert row["row"] == 2
    for label in result["classes"]:
        parts = row["contributions"][label]
        assert list(parts) == result["columns"]
        assert row["baseline"][label] + sum(parts.values()) == pytest.approx(row["total"][label])
    assert sum(row["probabilities"].values()) == pytest.approx(1)


def test_explanations_that_cannot_be_given_are_refused(run, penguins, births):
    done = run("explain", births, "births.csv", "--row", "190")
    assert done.exit_code == 3
    assert "there is no row 190: the data have 189 rows" in done.stderr
    assert run("explain", births, "births.csv", "--row", "0").exit_code == 2
    assert run("fit", penguins, "--target", "species", "--model", "qda", "--missing", "drop", "-o", "q").exit_code == 0
    pd.read_csv(penguins).dropna().to_csv("whole.csv", index=False)
    done = run("explain", "q", "whole.csv")
    assert done.exit_code == 2
    assert "quadratic" in done.stderr
    assert "Those of --model gaussian are." in done.stderr


def test_compare_ends_with_the_best_and_what_is_within_noise_of_it(run, penguins):
    done = run("compare", penguins, "--target", "species", "--models", "logistic:prior=1,gaussian,naive-bayes")
    assert done.exit_code == 0, done.stderr
    assert "11 of 344 rows were dropped because of missing values" in done.stderr
    losses = [(match[1], float(match[2])) for match in re.finditer(r"│ (\S+) +│ +([\d.]+) ±", done.stdout)]
    assert {name for name, _ in losses} == {"logistic:prior=1", "gaussian", "naive-bayes"}
    assert [loss for _, loss in losses] == sorted(loss for _, loss in losses)
    last = done.stdout.splitlines()[-1]
    assert re.fullmatch(
        rf"Best: {losses[0][0]} \(log loss [\d.]+ ± [\d.]+\); not significantly different from the best: .+", last
    )
    quiet = run("compare", penguins, "--target", "species", "--models", "gaussian,naive-bayes", "--quiet")
    assert quiet.stdout.startswith("Best: gaussian (")
    assert quiet.stderr == ""


def test_compare_gives_json_and_is_the_comparison_of_the_library(run, penguins):
    done = run("compare", penguins, "--target", "species", "--models", "gaussian,naive-bayes", "--json", "--seed", "4")
    result = json.loads(done.stdout)
    whole = pd.read_csv(penguins).dropna()
    models = {"gaussian": pt.GaussianClassifier(), "naive-bayes": pt.NaiveBayes()}
    plain = pt.compare(models, whole, "species", random_state=4)
    assert result["best"] == plain.best
    assert result["rows"] == 333
    assert result["verdict"] == plain.verdict
    frame = plain.to_frame("pandas").set_index("model")
    for row in result["comparison"]:
        assert row["log_loss"] == pytest.approx(frame.loc[row["model"], "log_loss"], rel=1e-9)


def test_the_usual_models_are_compared_where_none_are_named(run, births):
    done = run(
        "compare", "births.csv", "--target", "low", "--type", "bwt=ignore", "--type", "race=category", "--cv", "2"
    )
    assert done.exit_code == 0, done.stderr
    kernels = "kernel-logistic:units=sd", "lspc:units=sd"
    for name in ("logistic", "gaussian", "gaussian-per-class", "naive-bayes", *kernels):
        assert f"│ {name} " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--target", "lows"], 3, "Did you mean 'low'"),
        (["--target", "low", "--models", "forest"], 2, "there is no model 'forest'"),
        (["--target", "low", "--models", "logistic,logistic"], 2, "listed twice"),
        (["--target", "low", "--models", ","], 2, "at least one model"),
        (["--target", "low", "--models", "logistic:C=1"], 2, "prior=1.0"),
        (["--target", "low", "--models", "logistic:prior"], 2, "NAME=VALUE"),
        (["--target", "low", "--cv", "1"], 2, "--cv"),
        ([], 2, "--target"),
    ],
)
def test_mistakes_in_a_comparison_end_with_a_sentence_and_a_code(arguments, code, message, run, births):
    done = run("compare", "births.csv", *arguments)
    assert done.exit_code == code, done.stderr
    assert message in done.stderr
    assert done.stdout == ""


def test_a_formula_and_a_link_reach_the_model(run, births):
    frame = pd.read_csv(BIRTHS)
    model = pt.load(births)
    plain = pt.LogisticRegression.from_formula("low ~ age * smoke + C(race)", frame)
    np.testing.assert_allclose(model.predict_proba(frame), plain.predict_proba(frame), atol=1e-12)
    done = run("fit", "births.csv", "--formula", "low ~ bs(age, df=4) + lwt", "--link", "cloglog", "-o", "c", "--quiet")
    assert done.exit_code == 0, done.stderr
    plain = pt.BinaryRegression.from_formula("low ~ bs(age, df=4) + lwt", frame, link="cloglog")
    np.testing.assert_allclose(pt.load("c").predict_proba(frame), plain.predict_proba(frame), atol=1e-12)
    told = run("predict", births, "births.csv", "--proba", "--quiet").stdout
    table = pd.read_csv(io.StringIO(told), dtype=str)  # pandas 2 rounds the last digit of numbers
    np.testing.assert_array_equal(table.iloc[:, 1:].astype(float), model.predict_proba(frame))
    assert run("fit", "births.csv", "--formula", "age + lwt", "--quiet").exit_code == 2


def test_identifiers_and_dates_are_refused_until_they_are_left_out(run, tmp_path):
    rows = "".join(f"P{i:03},2020-01-{1 + i % 28:02},{i % 7},{'ab'[(i * 5 % 7) % 2]}\n" for i in range(40))
    (tmp_path / "d.csv").write_text("patient,seen,x,y\n" + rows)
    done = run("fit", "d.csv", "--target", "y", "--type", "seen=ignore")
    assert done.exit_code == 3
    assert "column 'patient' has a different value in every row (40 distinct" in done.stderr
    done = run("fit", "d.csv", "--target", "y", "--type", "patient=ignore")
    assert done.exit_code == 3
    assert "column 'seen' is of type Date" in done.stderr
    done = run("fit", "d.csv", "--target", "y", "--type", "patient=ignore", "--type", "seen=ignore")
    assert done.exit_code == 0
    assert "patient  not used" in done.stderr


@pytest.mark.parametrize(
    ("words", "begun", "wanted"),
    [
        ([], "co", ["compare"]),
        (["fit", "births.csv", "--model"], "naive", ["naive-bayes"]),
        (["fit", "births.csv", "--target"], "lo", ["low"]),
        (["fit", "births.csv"], "--weig", ["--weight"]),
        (["fit", "none.csv", "--target"], "", []),
    ],
)
def test_the_shell_is_offered_commands_models_and_columns(words, begun, wanted, births, monkeypatch):
    monkeypatch.setenv("COMP_WORDS", " ".join(["posteriori", *words, begun]))
    complete = ShellComplete(program, {}, "posteriori", "_POSTERIORI_COMPLETE")
    assert [item.value for item in complete.get_completions(words, begun)] == wanted


def test_columns_whose_names_are_taken_lose_nothing(run, tmp_path):
    rows = [f"{i % 5},{i * 3 % 7},{'ab'[i * 5 % 3 % 2]}" for i in range(30)]
    (tmp_path / "d.csv").write_text("\n".join(["total,total_,y", *rows]) + "\n")
    assert run("fit", "d.csv", "--target", "y", "--set", "prior=1", "-o", "m").exit_code == 0
    done = run("explain", "m", "d.csv")
    told = pd.read_csv(io.StringIO(done.stdout))
    assert told.columns.tolist() == ["row", "prediction", "baseline", "total_", "total__", "total"]
    parts = told["baseline"] + told["total_"] + told["total__"]
    pd.testing.assert_series_equal(parts, told["total"], check_names=False)
