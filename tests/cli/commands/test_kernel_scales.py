"""Kernel models at the prompt: columns of unlike units, and the note about them."""

import json

import pytest


@pytest.mark.slow
def test_on_the_penguins_kernels_need_the_columns_in_standard_deviations_and_the_command_says_so(run, penguins):
    models = "kernel-logistic,kernel-logistic:units=sd,lspc,lspc:units=sd"
    flags = ["--target", "species", "--type", "year=ignore", "--models", models, "--cv", "3", "--json"]
    done = run("compare", penguins, *flags)
    assert done.exit_code == 0, done.stderr
    found = {row["model"]: row for row in json.loads(done.stdout)["comparison"]}
    for name in ("kernel-logistic", "lspc"):
        assert found[name]["accuracy"] < 0.8  # body mass in grams drowns all other columns
        assert found[f"{name}:units=sd"]["accuracy"] > 0.98
        assert found[f"{name}:units=sd"]["log_loss"] < 0.2
        assert f"Note: {name}, in 3 of 3 folds: kernels measure distance in the units of X" in done.stderr
    assert done.stderr.count("column 'body_mass_g'") == 2
    assert "units=sd, in" not in done.stderr


def test_a_fit_says_what_the_kernels_measure_in(run, penguins):
    flags = ["--target", "species", "--type", "year=ignore", "--missing", "drop", "--model", "lspc"]
    plain = run("fit", penguins, *flags)
    assert plain.stdout.count("column 'body_mass_g'") == 1
    assert "Give units='sd'" in plain.stdout
    assert "Fit status: ok" in plain.stdout
    assert run("fit", penguins, *flags, "--strict").exit_code == 0
    scaled = run("fit", penguins, *flags, "--set", "units=sd", "-o", "m")
    assert "standard deviations of the columns" in scaled.stdout
    assert "Note:" not in scaled.stdout
    result = json.loads(run("summary", "m", "--json").stdout)["model"]
    assert result["kernels"]["units"] == "sd"
    assert result["parameters"]["units"] == "sd"


def test_other_units_are_refused_with_the_words_there_are(run, penguins):
    done = run("fit", penguins, "--target", "species", "--missing", "drop", "--model", "lspc", "--set", "units=std")
    assert done.exit_code == 3
    assert "use one of 'data', 'sd'" in done.stderr
