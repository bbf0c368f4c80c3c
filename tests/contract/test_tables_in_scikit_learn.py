"""Edges of frames and of the command that users meet."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from click.testing import CliRunner

import posteriori as pt
from posteriori.cli.main import program

X = np.linspace(0, 1, 20)
Y = ["a", "b"] * 10
TWICE = {
    "pandas": pd.DataFrame(np.c_[X, X], columns=["x", "x"]),
    "numbered": pd.DataFrame(np.c_[X, X], columns=[1, 1]),
    "pyarrow": pa.table([X, X], names=["x", "x"]),
}


def table(**settings):
    return pt.TableClassifier(pt.LogisticRegression(prior=1.0), **settings)


@pytest.mark.parametrize("library", TWICE)
@pytest.mark.parametrize("model", [table(), pt.LogisticRegression(prior=1.0), pt.NaiveBayes()], ids=repr)
def test_two_columns_of_one_name_are_refused_by_name(model, library):
    with pytest.raises(pt.DataError, match=r"more than one column is called '(x|1)'"):
        model.fit(TWICE[library], Y)


@pytest.mark.parametrize(
    "value", [datetime.date(2020, 1, 1), datetime.time(1, 2), datetime.datetime(2020, 1, 1, 3)], ids=str
)
def test_dates_and_times_as_objects_are_refused_until_declared(value):
    other = value.replace(minute=7) if hasattr(value, "minute") else value.replace(day=7)
    frame = pd.DataFrame({"x": X, "when": pd.Series([value, other] * 10, dtype=object)})
    with pytest.raises(pt.DataError, match=r"column 'when' has dates or times, such as .*types={'when': 'ignore'}"):
        table().fit(frame, Y)
    assert table(types={"when": "category"}).fit(frame, Y).n_features_in_ == 2


def test_categories_that_are_intervals_or_numbers_keep_their_order():
    frame = pd.DataFrame({"bin": pd.cut(X, [-1, 0.5, 2]), "n": pd.Categorical([10, 9] * 10, [10, 9], ordered=True)})
    model = table().fit(frame, Y)
    assert model.get_feature_names_out().tolist() == ["bin=(0.5, 2.0]", "n=9"]
    assert model.predict_proba(frame).shape == (20, 2)


def test_a_frame_without_columns_and_a_reference_for_numbers_are_told_as_such():
    with pytest.raises(pt.DataError, match="there are no columns to fit: the frame has none besides"):
        table().fit(pd.DataFrame({"y": Y}), "y")
    with pytest.raises(pt.DataError, match="column 'x' is numeric and has no reference level"):
        table(reference={"x": "1"}).fit(pd.DataFrame({"x": X}), Y)


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_column_is_not_target_and_weight_at_once(library):
    frame = library({"x": X, "y": np.arange(20) % 2})
    with pytest.raises(pt.DataError, match="column 'y' has two roles"):
        table().fit(frame, "y", sample_weight="y")


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_whole_numbers_beyond_two_to_the_53rd_are_rounded_not_refused(library):
    whole = (np.arange(20, dtype=np.int64) * 7 % 11) * 10**15 + 2**60
    model = table().fit(library({"x": whole}), Y)
    assert (model.predict_proba(library({"x": whole})) == model.predict_proba(pd.DataFrame({"x": whole * 1.0}))).all()


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "\n".join(f"{x:.3f},{i % 3},{y}" for i, (x, y) in enumerate(zip(X, Y, strict=True)))
    (tmp_path / "d.csv").write_text(f"x,a=b,y\n{rows}\n")

    def call(*arguments):
        return CliRunner().invoke(program, [str(argument) for argument in arguments])

    return call


@pytest.mark.parametrize("command", ["fit", "compare"])
def test_a_type_that_does_not_exist_is_a_mistake_of_usage(run, command):
    done = run(command, "d.csv", "--target", "y", "--type", "x=float")
    assert done.exit_code == 2
    assert "unknown type 'float'; the types are number, boolean, category, ignore." in done.stderr


def test_the_column_of_a_type_may_hold_an_equals_sign(run):
    done = run("fit", "d.csv", "--target", "y", "--type", "a=b=category", "--set", "prior=1")
    assert done.exit_code == 0
    assert "a=b=2" in done.stdout


def test_a_device_to_write_to_is_a_fault_of_writing_in_predict_too(run):
    assert run("fit", "d.csv", "--target", "y", "--set", "prior=1", "-o", "m").exit_code == 0
    done = run("predict", "m", "d.csv", "-o", "/dev/full")
    assert (done.exit_code, "device" in done.stderr) == (5, True)
    assert run("predict", "m", "d.csv", "-o", "out.txt").exit_code == 2


def test_a_seed_that_changes_nothing_is_not_spoken_of_in_quiet(run):
    words = ["fit", "d.csv", "--target", "y", "--model", "gaussian", "--seed", "1"]
    assert "--seed has no effect" in run(*words).stderr
    assert not run(*words, "--quiet").stderr


def test_files_of_whole_numbers_and_of_fractions_are_joined_however_large_the_numbers(run, tmp_path):
    (tmp_path / "many").mkdir()
    for name, row in (("1.csv", f"{2**60},u"), ("2.csv", "0.5,v")):
        (tmp_path / "many" / name).write_text("x,y\n" + f"{row}\n" * 5)
    done = run("fit", "many", "--target", "y", "--model", "gaussian")
    assert (done.exit_code, done.stderr.count("10 rows")) == (0, 1)
