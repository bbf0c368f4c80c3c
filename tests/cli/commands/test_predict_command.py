"""``posteriori predict`` and ``demo``."""

import io
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import posteriori as pt


def test_predictions_are_those_of_the_library_to_the_last_digit(run, penguins, fitted):
    done = run("predict", fitted, penguins, "--proba")
    assert done.exit_code == 0
    table = pd.read_csv(io.StringIO(done.stdout), dtype=str)  # pandas 2 rounds the last digit of numbers
    model = pt.load(fitted)
    rows = pd.read_csv(penguins)
    assert table.columns.tolist() == ["prediction", "Adelie", "Chinstrap", "Gentoo"]
    assert table["prediction"].tolist() == model.predict(rows).tolist()
    np.testing.assert_array_equal(table.iloc[:, 1:].astype(float), model.predict_proba(rows))


def test_columns_may_be_in_any_order_and_extra_ones_are_noted(run, penguins, fitted):
    plain = run("predict", fitted, penguins)
    frame = pd.read_csv(penguins)
    frame[frame.columns[::-1]].assign(extra=1).to_csv("turned.csv", index=False)
    done = run("predict", fitted, "turned.csv")
    assert done.stdout == plain.stdout
    assert "ignored 2 column(s) that the model does not use: 'species', 'extra'" in done.stderr
    assert run("predict", fitted, "turned.csv", "--quiet").stderr == ""


def test_missing_columns_are_code_3(run, penguins, fitted):
    pd.read_csv(penguins).drop(columns=["sex", "year"]).to_csv("less.csv", index=False)
    done = run("predict", fitted, "less.csv")
    assert done.exit_code == 3
    assert "2 column(s)" in done.stderr
    assert "'sex', 'year'" in done.stderr


def test_output_goes_to_csv_or_parquet_whole(run, penguins, fitted, tmp_path):
    text = run("predict", fitted, penguins, "--proba").stdout
    assert run("predict", fitted, penguins, "--proba", "-o", "out.csv").stdout == ""
    assert (tmp_path / "out.csv").read_text() == text
    assert run("predict", fitted, penguins, "--proba", "-o", "out.parquet").exit_code == 0
    assert pq.read_table("out.parquet").num_rows == 344
    assert run("predict", fitted, penguins, "-o", "out.csv").exit_code == 5
    assert (tmp_path / "out.csv").read_text() == text
    assert run("predict", fitted, penguins, "-o", "out.csv", "--force").exit_code == 0
    assert run("predict", fitted, penguins, "-o", "out.xls").exit_code == 2
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".posteriori")]


def test_parquet_and_standard_input_are_read_like_csv(run, penguins, fitted):
    plain = run("predict", fitted, penguins).stdout
    pd.read_csv(penguins).to_parquet("p.parquet")
    assert run("predict", fitted, "p.parquet").stdout == plain
    assert run("predict", fitted, "-", given=Path(penguins).read_bytes()).stdout == plain
    assert run("predict", fitted, "-", given=Path("p.parquet").read_bytes()).stdout == plain


def test_json_holds_predictions_and_probabilities(run, penguins, fitted):
    result = json.loads(run("predict", fitted, penguins, "--proba", "--json").stdout)
    assert result["schema_version"] == 2
    assert result["rows"] == len(result["predictions"]) == len(result["probabilities"]) == 344
    assert result["classes"] == ["Adelie", "Chinstrap", "Gentoo"]
    saved = json.loads(run("predict", fitted, penguins, "--json", "-o", "o.csv").stdout)
    assert saved["saved"] == "o.csv"
    assert "predictions" not in saved


def test_a_category_that_looks_like_a_number_in_new_data_stays_a_category(run, tmp_path):
    (tmp_path / "d.csv").write_text(
        "code,y\n" + "".join(f"{c},{y}\n" for c, y in zip("71A71A71", "abaabaab", strict=True))
    )
    assert run("fit", "d.csv", "--target", "y", "--model", "naive-bayes", "-o", "m").exit_code == 0
    (tmp_path / "n.csv").write_text("code\n7\n1\n")
    done = run("predict", "m", "n.csv")
    assert done.exit_code == 0
    assert "Note" not in done.stderr


def test_a_model_saved_by_the_library_predicts_too(run, penguins):
    frame = pd.read_csv(penguins).dropna()
    numbers = frame[["bill_length_mm", "body_mass_g"]]
    pt.save(pt.GaussianClassifier().fit(numbers, frame["species"]), "bare.model")
    frame.to_csv("whole.csv", index=False)
    done = run("predict", "bare.model", "whole.csv", "--quiet")
    assert done.stdout.split()[1:] == pt.load("bare.model").predict(numbers).tolist()
    assert run("summary", "bare.model").exit_code == 0
    frame[["body_mass_g"]].to_csv("less.csv", index=False)
    assert run("predict", "bare.model", "less.csv").exit_code == 3


def test_levels_not_seen_are_a_note_for_naive_bayes_and_an_error_for_linear_models(run, penguins, fitted):
    frame = pd.read_csv(penguins).dropna()
    frame.assign(island="Atlantis").to_csv("new.csv", index=False)
    done = run("predict", fitted, "new.csv")
    assert done.exit_code == 0
    assert "Atlantis" in done.stderr
    run("fit", penguins, "--target", "species", "--missing", "drop", "--set", "prior=1", "-o", "linear")
    done = run("predict", "linear", "new.csv")
    assert done.exit_code == 3
    assert "column 'island' has 'Atlantis' in 333 row(s)" in done.stderr


@pytest.mark.parametrize(("model", "data", "code"), [("none", "penguins.csv", 5), ("nb.model", "none.csv", 5)])
def test_files_that_are_not_there_are_code_5(model, data, code, run, fitted):
    assert run("predict", model, data).exit_code == code


def test_a_damaged_model_is_code_4(run, penguins, fitted, tmp_path):
    whole = bytearray((tmp_path / fitted).read_bytes())
    whole[len(whole) // 2] ^= 4
    (tmp_path / fitted).write_bytes(whole)
    done = run("predict", fitted, penguins)
    assert done.exit_code == 4
    assert "damaged" in done.stderr


@pytest.mark.slow
def test_demo_compares_saves_predicts_and_says_what_next(run, tmp_path):
    done = run("demo", "-o", "demo.model")
    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    best = [line for line in lines if line.startswith("Best: ")]
    assert len(best) == 1
    losses = {match[1]: float(match[2]) for match in re.finditer(r"│ (\S+) +│ +([\d.]+) ±", done.stdout)}
    assert set(losses) == {"logistic", "gaussian", "naive-bayes"}
    assert best[0].startswith(f"Best: {min(losses, key=losses.get)}, ")
    assert lines[lines.index(best[0]) - 1].startswith("└")
    assert "P(Adelie)" in done.stdout
    assert pt.load(tmp_path / "demo.model").target_ == "species"
    following = [line.split()[1:] for line in lines if line.startswith("  posteriori ")]
    assert len(following) == 4
    for arguments in following:
        assert run(*arguments).exit_code == 0, arguments
    assert run("demo", "-o", "demo.model").exit_code == 5


@pytest.mark.slow
def test_demo_gives_json_and_is_the_same_twice(run):
    first, second = (json.loads(run("demo", "--json").stdout) for _ in range(2))
    for result in (first, second):
        result.pop("saved")
        result.pop("report")
        for row in result["comparison"]:
            assert row.pop("fit_seconds") > 0
            assert row.pop("predict_seconds") > 0
    assert first == second
    assert first["best"] in [row["model"] for row in first["comparison"]]
    assert run("demo", "--quiet").stdout.startswith("Best: ")
