"""``posteriori report`` and the report of ``demo``."""

import json
import os
import re

import numpy as np
import pandas as pd
import pytest

import posteriori as pt
from tests.cli.commands.test_all_models import NAMES, WITHOUT_PROBABILITIES
from tests.reports.pages import Page


def page(path="r.html") -> Page:
    with open(path, encoding="utf-8") as stream:
        found = Page(stream.read())
    found.check()
    return found


@pytest.fixture
def birds(penguins, tmp_path):
    whole = pd.read_csv(tmp_path / penguins).dropna()
    whole.to_csv(tmp_path / "birds.csv", index=False)
    whole[["species", "island", "sex"]].to_csv(tmp_path / "few.csv", index=False)
    return whole


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_every_model_of_the_list_has_a_report(name, run, birds):
    data = "few.csv" if name == "joint-table" else "birds.csv"
    assert run("fit", data, "--target", "sex", "--model", name, "-o", "m", "--quiet").exit_code == 0
    done = run("report", "m", data, "-o", "r.html", "--json", "--quiet", "--cv", "none")
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert not done.stderr
    assert result["command"] == "report"
    assert result["saved"] == "r.html"
    assert result["model"]["name"] == name
    model = pt.load("m")
    assert result["scores"]["accuracy"]["value"] == pytest.approx((model.predict(birds) == birds["sex"]).mean())
    assert ("log_loss" in result["scores"]) == (name not in WITHOUT_PROBABILITIES)
    assert result["data"]["origin"] in ("training", "probably training")
    assert f"Model: {name} (" in page().text


@pytest.mark.slow
def test_json_has_the_documented_fields_and_the_numbers_of_python(run, fitted, penguins):
    done = run("report", fitted, penguins, "-o", "r.html", "--json")
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert set(result) == {
        "schema_version", "command", "title", "model", "data", "scores", "cross_validation", "confusion", "decisions",
        "worst", "saved",
    }  # fmt: skip
    assert set(result["data"]) == {"rows", "scored", "weight", "left_out", "unknown_classes", "gaps", "origin"}
    assert set(result["scores"]["brier"]) == {"value", "se", "low", "high", "baseline"}
    assert set(result["cross_validation"]) == {"folds", "rows", "confusion", "scores"}
    assert set(result["worst"][0]) == {"row", "class", "answer", "probability"}
    direct = pt.report(pt.load(fitted), pd.read_csv(penguins), "species", "direct.html").numbers
    for name in direct["scores"]:
        assert result["scores"][name] == pytest.approx(direct["scores"][name])


def test_without_data_the_model_alone_is_reported(run, fitted):
    done = run("report", fitted, "-o", "r.html")
    assert done.exit_code == 0, done.stderr
    assert "Model: naive-bayes (NaiveBayes). Target: species (" in done.stdout
    assert done.stderr == "Wrote the report to r.html.\n"
    assert "Performance" not in page().text
    assert set(json.loads(run("report", fitted, "-o", "s.html", "--json").stdout)) == {
        "schema_version", "command", "title", "model", "saved"
    }  # fmt: skip


def test_a_regression_has_its_table_and_the_command_to_fit_it_again(run, birds):
    given = ["--target", "sex", "--type", "species=ignore", "--positive", "female", "--set", "prior=1", "-o", "m"]
    assert run("fit", "birds.csv", *given, "--reference", "island=Dream", "--quiet").exit_code == 0
    result = json.loads(run("report", "m", "birds.csv", "-o", "r.html", "--json").stdout)
    assert result["table"]["coefficients"][0]["term"] == "(Intercept)"
    assert result["cross_validation"]["folds"] == 5
    again = re.search(r"posteriori fit DATA .*?-o m", page().text)[0]
    words = again.replace("DATA", "birds.csv").replace("-o m", "-o again").split()[1:]
    assert run(*words, "--quiet").exit_code == 0
    np.testing.assert_allclose(pt.load("again").predict_proba(birds), pt.load("m").predict_proba(birds), rtol=1e-12)


def test_grouped_data_of_a_formula_are_reported_without_naming_the_target_again(run, tmp_path):
    groups = pd.DataFrame({"s": [1, 3, 6, 5], "f": [9, 7, 4, 6], "x": [1.0, 2.0, 3.0, 2.5]})
    groups.to_csv("g.csv", index=False)
    assert run("fit", "g.csv", "--formula", "cbind(s, f) ~ x", "-o", "m", "--quiet").exit_code == 0
    result = json.loads(run("report", "m", "g.csv", "-o", "r.html", "--json", "--cv", "none").stdout)
    log_p = pt.load("m").predict_log_proba(groups)
    expected = -(log_p * groups[["f", "s"]].to_numpy()).sum() / 41
    assert result["scores"]["log_loss"]["value"] == pytest.approx(expected)
    groups.rename(columns={"f": "lost"}).to_csv("other.csv", index=False)
    done = run("report", "m", "other.csv", "-o", "q.html")
    assert done.exit_code == 3
    assert "other.csv: there is no column 'f'" in done.stderr


def test_target_title_weight_and_values_can_be_given(run, fitted, penguins, tmp_path):
    data = pd.read_csv(tmp_path / penguins).rename(columns={"species": "kind"})
    data.insert(0, "w", 1.0 + np.arange(len(data)) % 3)
    data.to_csv(tmp_path / "new.csv", index=False)
    assert run("report", fitted, "new.csv", "-o", "r.html").exit_code == 3
    given = ["--target", "kind", "--weight", "w", "--title", "My <birds>", "--values", "--json"]
    done = run("report", fitted, "new.csv", "-o", "r.html", *given)
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["data"]["weight"] == data["w"].sum()
    assert result["title"] == "My <birds>"
    text = page().text
    assert "My <birds>" in text
    assert "bill_length_mm" in text.partition("Largest errors")[2].partition("P(true class)")[0]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nb.model"], 2, "Missing option"),
        (["nb.model", "-o", "r.html", "--target", "species"], 2, "--target needs DATA"),
        (["nb.model", "-o", "r.html", "--values"], 2, "--values needs DATA"),
        (["nb.model", "penguins.csv", "-o", "r.html", "--cv", "1"], 2, "not auto, none or a number"),
        (["nb.model", "penguins.csv", "-o", "r.html", "--cv", "many"], 2, "not auto, none or a number"),
        (["nb.model", "penguins.csv", "-o", "r.html", "--target", "specie"], 3, "Did you mean 'species'"),
        (
            ["nb.model", "penguins.csv", "-o", "r.html", "--weight", "island"],
            3,
            "is a feature of the model, so it cannot be its weight",
        ),
        (
            ["nb.model", "penguins.csv", "-o", "r.html", "--target", "sex"],
            3,
            "is a feature of the model, so it cannot be its target",
        ),
        (["nb.model", "empty.csv", "-o", "r.html"], 3, "no rows"),
        (["other.csv", "penguins.csv", "-o", "r.html"], 4, "model file"),
        (["none.model", "penguins.csv", "-o", "r.html"], 5, "none.model"),
        (["nb.model", "none.csv", "-o", "r.html"], 5, "none.csv"),
        (["nb.model", "penguins.csv", "-o", "none/r.html"], 5, "folder does not exist"),
        (["nb.model", "penguins.csv", "-o", "there.html"], 5, "use --force"),
        (["nb.model", "penguins.csv", "-o", "/dev/full"], 5, "device"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_failures_end_with_a_sentence_and_a_code(arguments, code, said, run, fitted, penguins, tmp_path):
    (tmp_path / "empty.csv").write_text((tmp_path / penguins).read_text().partition("\n")[0] + "\n")
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    (tmp_path / "there.html").write_text("mine")
    done = run("report", *arguments)
    assert done.exit_code == code, done.stderr
    assert said in done.stderr
    assert not done.stdout
    assert not os.path.exists("r.html")
    assert (tmp_path / "there.html").read_text() == "mine"


def test_force_replaces_the_report(run, fitted):
    with open("r.html", "w", encoding="utf-8") as stream:
        stream.write("old")
    assert run("report", fitted, "-o", "r.html", "--force").exit_code == 0
    page()


def test_strict_ends_with_code_6_after_the_report_of_a_fit_that_is_not_ok(run, birds, tmp_path):
    birds.assign(heavy=np.where(birds["body_mass_g"] > 4000, "yes", "no")).to_csv(tmp_path / "b.csv", index=False)
    assert run("fit", "b.csv", "--target", "heavy", "-o", "m", "--quiet").exit_code == 0
    done = run("report", "m", "b.csv", "-o", "r.html", "--strict")
    assert done.exit_code == 6
    assert "separated" in page().text


def test_a_model_of_an_array_needs_the_target_named(run, birds, tmp_path):
    columns = ["bill_length_mm", "bill_depth_mm"]
    pt.save(pt.GaussianClassifier().fit(birds[columns], birds["species"]), "g.model")
    done = run("report", "g.model", "birds.csv", "-o", "r.html")
    assert done.exit_code == 2
    assert "give --target COL" in done.stderr
    result = json.loads(run("report", "g.model", "birds.csv", "-o", "r.html", "--target", "species", "--json").stdout)
    direct = pt.load("g.model").score(birds[columns], birds["species"])
    assert result["scores"]["accuracy"]["value"] == pytest.approx(direct)


@pytest.mark.slow
def test_standard_input_and_folders_are_read(run, fitted, penguins, tmp_path):
    text = (tmp_path / penguins).read_text()
    one = json.loads(run("report", fitted, penguins, "-o", "a.html", "--json", "--cv", "none").stdout)
    piped = json.loads(run("report", fitted, "-", "-o", "b.html", "--json", "--cv", "none", given=text).stdout)
    assert piped["scores"] == one["scores"]


def test_the_packages_that_are_not_there_are_named(run, fitted, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = run("report", fitted, "-o", "r.html")
    assert done.exit_code == 5
    assert "reports need matplotlib: pip install 'posteriori[report]'." in done.stderr
    demo = run("demo", "-o", "d.model", "--quiet")
    assert demo.exit_code == 0, demo.stderr
    assert not os.path.exists("d.html")


def test_a_model_file_of_the_demo_is_never_replaced_by_its_report(run, tmp_path):
    assert run("demo", "-o", "birds.html", "--quiet", "--strict").exit_code == 0
    assert pt.load(tmp_path / "birds.html").target_ == "species"
    assert (tmp_path / "birds-report.html").read_text().startswith("<!")


@pytest.mark.slow
def test_the_demo_writes_a_report_beside_its_model_and_names_it(run):
    done = run("demo", "-o", "d.model", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["report"] == "d.html"
    assert "The Palmer penguins" in page("d.html").text
    os.remove("d.model")
    done = run("demo", "-o", "d.model")
    assert done.exit_code == 5
    assert "d.html" in done.stderr
    assert not os.path.exists("d.model")
    assert "plots: d.html" in run("demo", "-o", "d.model", "--force").stdout
