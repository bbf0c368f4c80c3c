"""``posteriori predict --costs`` and ``--reject``."""

import json

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import posteriori as pt

COSTS = "action,Gentoo,Adelie,Chinstrap\nrelease,9,0,1\nkeep,0,4,4\nask a keeper,0.5,0.5,0.5\n"


@pytest.fixture
def costs(tmp_path):
    (tmp_path / "costs.csv").write_text(COSTS)
    return "costs.csv"


def predictions(done):
    assert done.exit_code == 0, done.stderr
    return [line.split(",")[0] for line in done.stdout.splitlines()[1:]]


def test_costs_give_the_actions_of_the_library(run, penguins, fitted, costs):
    found = predictions(run("predict", fitted, penguins, "--costs", costs, "--quiet"))
    table = pd.read_csv(costs, index_col=0)
    wanted = pt.CostSensitive(pt.load(fitted), table).predict(pd.read_csv(penguins))
    assert found == wanted.tolist()
    assert set(found) == {"release", "keep", "ask a keeper"}


def test_probabilities_stay_those_of_the_classes(run, penguins, fitted, costs):
    plain = run("predict", fitted, penguins, "--proba", "--quiet").stdout
    decided = run("predict", fitted, penguins, "--proba", "--costs", costs, "--reject", "0.9", "--quiet").stdout
    assert plain.splitlines()[0] == decided.splitlines()[0]
    cells = [[line.split(",", 1)[1] for line in text.splitlines()] for text in (plain, decided)]
    assert cells[0] == cells[1]


def test_rejection_marks_the_rows_below_the_level(run, penguins, fitted):
    found = predictions(run("predict", fitted, penguins, "--reject", "0.99", "--quiet"))
    model, rows = pt.load(fitted), pd.read_csv(penguins)
    wanted = np.where(model.predict_proba(rows).max(axis=1) < 0.99, "rejected", model.predict(rows))
    assert found == wanted.tolist()
    assert 0 < found.count("rejected") < len(found)
    plain = run("predict", fitted, penguins, "--quiet").stdout
    assert run("predict", fitted, penguins, "--reject", "0", "--quiet").stdout == plain


def test_costs_and_rejection_go_together(run, penguins, fitted, costs):
    found = predictions(run("predict", fitted, penguins, "--costs", costs, "--reject", "0.99", "--quiet"))
    rejected = predictions(run("predict", fitted, penguins, "--reject", "0.99", "--quiet"))
    assert [answer == "rejected" for answer in found] == [answer == "rejected" for answer in rejected]
    assert {"release", "keep", "rejected"} <= set(found)


def test_numbers_are_rejected_as_minus_one_and_actions_that_are_classes_stay_numbers(run, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=80)})
    frame["y"] = (frame["x"] + rng.normal(size=80) > 0).astype(int)
    frame.to_csv("d.csv", index=False)
    assert run("fit", "d.csv", "--target", "y", "-o", "m").exit_code == 0
    assert set(predictions(run("predict", "m", "d.csv", "--reject", "0.7", "--quiet"))) == {"-1", "0", "1"}
    (tmp_path / "c.csv").write_text("a,0,1\n1,3,0\n0,0,1\n")
    done = run("predict", "m", "d.csv", "--costs", "c.csv", "--json", "--quiet")
    assert set(json.loads(done.stdout)["predictions"]) == {0, 1}
    (tmp_path / "mixed.csv").write_text("a,0,1\n1,3,0\n0,0,1\nask,0.4,0.4\n")
    assert run("predict", "m", "d.csv", "--costs", "mixed.csv", "-o", "o.parquet", "--quiet").exit_code == 0
    assert set(pq.read_table("o.parquet")["prediction"].to_pylist()) == {"0", "1", "ask"}


def test_truth_values_are_rejected_as_text(run):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=80)})
    pt.save(pt.GaussianClassifier().fit(frame, frame["x"] + rng.normal(size=80) > 0), "m")
    frame.to_csv("d.csv", index=False)
    assert run("predict", "m", "d.csv", "--reject", "0.7", "-o", "o.parquet", "--quiet").exit_code == 0
    assert set(pq.read_table("o.parquet")["prediction"].to_pylist()) == {"True", "False", "rejected"}


def test_where_minus_one_is_a_class_rejection_is_text(run):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=80)})
    pt.save(pt.GaussianClassifier().fit(frame, np.where(frame["x"] + rng.normal(size=80) > 0, 1, -1)), "m")
    frame.to_csv("d.csv", index=False)
    assert set(predictions(run("predict", "m", "d.csv", "--reject", "0.7", "--quiet"))) == {"-1", "1", "rejected"}


def test_a_saved_decision_predicts_too(run, penguins, fitted, costs):
    wanted = run("predict", fitted, penguins, "--costs", costs, "--reject", "0.99", "--quiet").stdout
    table = pd.read_csv(costs, index_col=0)
    pt.save(pt.RejectOption(pt.CostSensitive(pt.load(fitted), table), threshold=0.99), "decided.model")
    assert run("predict", "decided.model", penguins, "--quiet").stdout == wanted


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no costs"),
        ("action,Adelie,Chinstrap,Gentoo\n", "has no costs"),
        ("action\nkeep\n", "has one column"),
        ("action,Adelie,Chinstrap\nkeep,1,2\n", "lack 1 of the 3 classes: 'Gentoo'"),
        ("action,Adelie,Chinstrap,Gento\nkeep,1,2,3\n", "Did you mean 'Gentoo'"),
        ("action,Adelie,Chinstrap,Gentoo\nkeep,1,2\n", "line 2: 3 cell(s), but the header has 4"),
        ("action,Adelie,Chinstrap,Gentoo\nkeep,1,,2\n", "the cost of 'keep' under class 'Chinstrap' is missing"),
        ("action,Adelie,Chinstrap,Gentoo\nkeep,1,two,2\n", "is 'two', which is not a number"),
        ("action,Adelie,Chinstrap,Gentoo\nkeep,1,1_0,2\n", "is '1_0', which is not a number"),
        ("action,Adelie,Chinstrap,Gentoo\nkeep,1,nan,2\n", "NaN, the first is that of action 'keep'"),
        ("action,Adelie,Chinstrap,Gentoo\nkeep,1,-1,2\n", "negative"),
        ("action,Adelie,Chinstrap,Gentoo\nkeep,1,inf,2\n", "not finite"),
        ("action,Adelie,Chinstrap,Gentoo\nkeep,1,1,2\nkeep,1,1,2\n", "line 3: the action 'keep' occurs twice"),
        ("action,Adelie,Chinstrap,Gentoo\n,1,1,2\n", "line 2: the first cell names no action"),
        ("action,Adelie,Chinstrap,Gentoo,Gentoo\nkeep,1,1,2,2\n", "more than one column is called 'Gentoo'"),
    ],
)
def test_a_bad_file_of_costs_is_code_3_and_says_where(text, words, run, penguins, fitted, tmp_path):
    (tmp_path / "c.csv").write_text(text)
    done = run("predict", fitted, penguins, "--costs", "c.csv", "-o", "out.csv")
    assert done.exit_code == 3, done.stderr
    assert words in done.stderr
    assert "c.csv" in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "out.csv").exists()


def test_other_faults_have_their_codes(run, penguins, fitted, tmp_path):
    assert run("predict", fitted, penguins, "--costs", "none.csv").exit_code == 5
    assert run("predict", fitted, penguins, "--reject", "1.5").exit_code == 2
    assert run("predict", fitted, penguins, "--reject", "nan").exit_code == 2
    (tmp_path / "latin.csv").write_bytes("action,Adelie,Chinstrap,Gentoo\nk\xe4fig,1,1,2\n".encode("latin-1"))
    assert run("predict", fitted, penguins, "--costs", "latin.csv").exit_code == 3
    args = ("fit", penguins, "--target", "species", "--model", "fisher", "--missing", "drop", "-o", "f")
    assert run(*args).exit_code == 0
    for flag in (("--reject", "0.5"), ("--costs", "c.csv")):
        done = run("predict", "f", penguins, *flag)
        assert done.exit_code == 2
        assert f"leave out {flag[0]}" in done.stderr


def test_what_a_terminal_would_obey_and_what_a_spreadsheet_would_run_is_escaped(run, penguins, fitted, tmp_path):
    (tmp_path / "c.csv").write_text("a,Adelie,Chinstrap,Gent\x1b[31moo\nkeep,1,1,1\n")
    done = run("predict", fitted, penguins, "--costs", "c.csv")
    assert done.exit_code == 3
    assert "\x1b" not in done.stderr
    (tmp_path / "c.csv").write_text("\N{ZERO WIDTH NO-BREAK SPACE},Adelie,Chinstrap,Gentoo\n=1+2,1,1,1\n")
    assert set(predictions(run("predict", fitted, penguins, "--costs", "c.csv", "--quiet"))) == {"'=1+2"}
