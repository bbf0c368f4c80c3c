"""``posteriori fit``, ``summary`` and ``models``."""

import json
import os
from pathlib import Path

import pandas as pd
import pytest

import posteriori as pt
from posteriori.estimators.catalogue import CATALOGUE, find, make, name_of


def test_fit_shows_types_saves_and_prints_what_was_learned(run, penguins):
    done = run("fit", penguins, "--target", "species", "--model", "naive-bayes", "-o", "m")
    assert done.exit_code == 0
    assert "sex                category (female, male), 11 missing values" in done.stderr
    assert "species            target" in done.stderr
    assert "Saved the model to m." in done.stderr
    assert "Model: naive-bayes (NaiveBayes), target species" in done.stdout
    assert "Training rows: 344" in done.stdout
    assert pt.load("m").classes_.tolist() == ["Adelie", "Chinstrap", "Gentoo"]


@pytest.mark.parametrize("name", [*CATALOGUE, "lda", "qda"])
def test_every_model_of_the_catalogue_fits_saves_and_is_summarised(name, run, penguins):
    binary = find(name) in ("noisy-or", *(n for n, entry in CATALOGUE.items() if entry.kind == "BinaryRegression"))
    target = ("sex", "--type", "species=ignore") if binary else ("species",)
    done = run("fit", penguins, "--target", *target, "--model", name, "--missing", "drop", "-o", "m", "--quiet")
    assert done.exit_code == 0, done.stderr
    summary = run("summary", "m", "--json")
    model = json.loads(summary.stdout)["model"]
    assert model["rows"] == 333
    assert model["rows_left_out"] == 11
    assert CATALOGUE[model["name"]].kind == model["class"]


def test_names_and_aliases_stand_for_settings():
    assert make("qda").shared is False
    assert name_of(make("lda")) == "gaussian"
    assert name_of(make("gaussian-per-class")) == "gaussian-per-class"
    with pytest.raises(pt.DataError, match=r"Did you mean 'logistic'.*gaussian-per-class"):
        make("logistics")


def test_json_has_the_documented_fields_and_the_coefficients_of_the_library(run, penguins):
    done = run("fit", penguins, "--target", "sex", "--missing", "drop", "--set", "prior=1", "--reference",
               "island=Dream", "--positive", "female", "--json")  # fmt: skip
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["schema_version"] == 2
    assert result["command"] == "fit"
    assert result["saved"] is None
    model = result["model"]
    assert set(model) == {
        "name", "class", "parameters", "classes", "target", "rows", "weight", "rows_left_out", "columns",
        "fit_status", "notes", "coefficients", "scale", "around", "formula", "n_parameters",
        "solution", "offset", "table",
    }  # fmt: skip
    assert model["classes"] == ["male", "female"]
    frame = pd.read_csv(penguins).dropna()
    plain = pt.TableClassifier(pt.LogisticRegression(prior=1), reference={"island": "Dream"}).fit(frame, "sex")
    names = ["(intercept)", *plain.get_feature_names_out()]
    wanted = [-plain.estimator_.intercept_[0], *(-plain.estimator_.coef_[0])]
    assert model["coefficients"]["female"] == pytest.approx(dict(zip(names, wanted, strict=True)), rel=1e-9)


def test_weights_types_and_offset_are_taken_from_columns(run, tmp_path):
    rows = ["x,w,o,zip,y"] + [f"{i % 7},{i % 3},{i / 20},0{i % 2}1,{'ab'[(i * 5 % 7) % 2]}" for i in range(40)]
    (tmp_path / "d.csv").write_text("\n".join(rows))
    done = run("fit", "d.csv", "--target", "y", "--weight", "w", "--offset", "o", "--type", "zip=category", "-o", "m")
    assert done.exit_code == 0, done.stderr
    model = pt.load("m")
    assert model.feature_names_in_.tolist() == ["x", "zip"]
    assert model.coding_.columns[1].levels == ("001", "011")
    assert model.weight_ == sum(i % 3 for i in range(40))
    assert model.offset_ == "o"
    assert run("predict", "m", "d.csv").exit_code == 0


def test_notes_are_sentences_on_standard_error_and_strict_makes_them_code_6(run, tmp_path):
    (tmp_path / "d.csv").write_text("x,y\n" + "".join(f"{i},{'ab'[i > 9]}\n" for i in range(20)))
    done = run("fit", "d.csv", "--target", "y", "-o", "m")
    assert done.exit_code == 0
    assert "Note: " in done.stderr
    assert "Warning" not in done.stderr
    assert "Fit status: separated" in done.stdout
    strict = run("fit", "d.csv", "--target", "y", "--strict", "--quiet")
    assert strict.exit_code == 6
    assert strict.stderr.startswith("Error: the fit status is 'separated'")
    assert run("summary", "m", "--strict").exit_code == 6
    assert run("predict", "m", "d.csv", "--strict").exit_code == 6
    assert "Note: " in run("summary", "m").stdout


def test_nothing_is_overwritten_without_force(run, penguins, fitted):
    before = Path(fitted).read_bytes()
    again = ("fit", penguins, "--target", "species", "--model", "lda", "--missing", "drop", "-o", fitted, "--quiet")
    done = run(*again)
    assert done.exit_code == 5
    assert "--force" in done.stderr
    assert Path(fitted).read_bytes() == before
    assert run(*again, "--force").exit_code == 0
    assert Path(fitted).read_bytes() != before


def test_where_nothing_can_be_written_is_found_out_before_anything_is_read(run, tmp_path):
    (tmp_path / "folder").mkdir()
    for target in ("folder", "nowhere/m", "/dev/null"):
        done = run("fit", "no-such-file.csv", "--target", "y", "-o", target)
        assert done.exit_code == 5
        assert target in done.stderr
        assert "no-such-file" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--model", "forest"], 2, "there is no model 'forest'. The models are logistic, "),
        (["--set", "C=2"], 2, "prior=0.5 in posteriori"),
        (["--set", "depth=2"], 2, "logistic has no parameter 'depth'; its parameters "),
        (["--set", "prior"], 2, "not of the form NAME=VALUE"),
        (["--missing", "drop", "--set", "tol=high"], 3, "tol='high' must be"),
        (["--missing", "drop", "--set", "solver=magic"], 3, "'auto', 'irls'"),
        (["--model", "lda", "--offset", "year"], 2, "takes no offset"),
        (["--type", "sex=float"], 2, "number, boolean, category"),
        (["--type", "sexx=number"], 3, "no column 'sexx'. Did you mean 'sex'"),
        (["--weight", "wait"], 3, "no column 'wait'"),
        (["--positive", "Adelie", "--missing", "drop"], 3, "must be one of two classes"),
        (["--reference", "island=Atlantis"], 3, "no level 'Atlantis'"),
        (["--missing", "guess"], 2, "guess"),
        ([], 3, "'sex' 11"),
        (["--link", "probit", "--model", "lda"], 2, "--link is an option of the models logistic"),
        (["--link", "log"], 2, "The links are logit, probit, cloglog, loglog, cauchit"),
        (["--formula", "species ~ year + nothing"], 3, "there is no column 'nothing'"),
        (["--formula", "sex ~ year"], 2, "--target is 'species' and the formula's target 'sex'"),
        (["--formula", "species ~ __import__('os')"], 3, "there is no function '__import__'"),
        (["--formula", "species ~ (year"], 3, "cannot be parsed"),
        (["--nonsense"], 2, "nonsense"),
    ],
)
def test_mistakes_end_with_a_sentence_and_a_code(arguments, code, message, run, penguins):
    done = run("fit", penguins, "--target", "species", *arguments)
    assert done.exit_code == code, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_target_that_is_not_there_is_answered_with_the_nearest_names(run, penguins):
    done = run("fit", penguins, "--target", "specie")
    assert done.exit_code == 3
    assert "Did you mean 'species'" in done.stderr


def test_debug_shows_the_traceback(run, penguins):
    done = run("fit", penguins, "--target", "specie", "--debug")
    assert done.exit_code == 3
    assert "Traceback" in done.stderr


def test_seed_is_not_passed_over_in_silence(run, penguins):
    done = run("fit", penguins, "--target", "species", "--model", "naive-bayes", "--seed", "1")
    assert "--seed has no effect" in done.stderr


def test_escape_codes_in_names_are_shown_not_obeyed(run, tmp_path):
    (tmp_path / "d.csv").write_text("\x1b[31mred,y\n1,a\x1b[0m\n2,b\n3,a\x1b[0m\n1,b\n")
    done = run("fit", "d.csv", "--target", "y", "--set", "prior=1")
    assert done.exit_code == 0
    assert "\x1b" not in done.stdout + done.stderr
    assert "\\x1b[31mred" in done.stdout


def test_summary_shows_what_each_kind_of_model_learned(run, penguins, fitted):
    text = run("summary", fitted).stdout
    for words in ("Class priors", "island: categorical", "bill_length_mm: gaussian", "Fit status: ok", "0.984252"):
        assert words in text
    run("fit", penguins, "--target", "species", "--model", "gaussian", "--missing", "drop", "-o", "g")
    text = run("summary", "g").stdout
    for words in ("Class means", "Coefficients", "island=Dream", "(11 dropped because of missing values)"):
        assert words in text
    assert run("summary", "g", "--quiet").stdout == "ok\n"


def test_summary_of_what_is_no_model_is_code_4_and_of_nothing_code_5(run, tmp_path):
    (tmp_path / "junk").write_bytes(os.urandom(100))
    assert run("summary", "junk").exit_code == 4
    assert run("summary", "nothing").exit_code == 5
    assert run("summary", ".").exit_code == 5


def test_models_lists_the_catalogue(run):
    assert "gaussian (alias lda)" in run("models").stdout
    listed = json.loads(run("models", "--json").stdout)["models"]
    assert [entry["name"] for entry in listed] == list(CATALOGUE)
    assert "prior" in listed[0]["parameters"]
