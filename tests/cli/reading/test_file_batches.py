"""Files that may not fit into memory are read in batches; the model and the messages are those of the whole file."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import posteriori as pt
from posteriori.cli.commands.demo import PENGUINS
from posteriori.cli.reading.column_inference import infer_types
from posteriori.cli.reading.file_batches import FileBatches, exceeds_memory
from posteriori.cli.reading.files import read_table
from posteriori.cli.reading.sources import Source

#: Bytes in which no file of these tests fits at once.
LITTLE = 40_000
COLUMNS = [
    ["1", "2", "3"], ["1", "2.5", "3"], ["1", "x", "2.5"], ["0", "true", "1"], ["2", "true", "1"], ["", "NA", ""],
    ["", "1", "NA"], ["", "", "x"], ["2020-01-01", "", "2021-02-03"], ["2020-01-01", "2020-01-01 10:00:00", "x"],
    ["2020-01-01", "2020-01-01 10:00:00", ""], ["2020-01-01 10:00:00", "2020-01-01 10:00:00.5", ""],
    ["10:00:00", "", "1"],
    ["1", "10:00:00", "2"], ["1e400", "1", "x"], ["true", "", "false"], ["true", "x", "1"], ["2.5", "9" * 30, "1"],
    ["a,b", '"q"', "x\ny"], ["2020-01-01T10:00:00Z", "2020-01-01", "1"], ["nan", "1", "inf"],
]  # fmt: skip


def quoted(cell):
    return '"' + cell.replace('"', '""') + '"' if set(cell) & set(',"\n') else cell


def written(tmp_path, columns, repeat=7):
    """Write the columns, each cell several times before the next, so that chunks are of one type."""
    rows = [[quoted(column[i // repeat]) for column in columns] for i in range(3 * repeat)]
    lines = [",".join(f"c{j}" for j in range(len(columns))), *(",".join([*row, "."]) for row in rows)]
    lines[0] += ",end"
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n")
    return Source(str(tmp_path / "data.csv"))


@pytest.mark.parametrize("column", COLUMNS, ids=str)
@pytest.mark.parametrize("size", [10, 60, 10_000])
def test_the_type_of_a_column_is_that_of_the_whole_file(column, size, tmp_path):
    source = written(tmp_path, [column])
    whole = read_table(source)
    file = infer_types(source, size)
    assert file.types == {each.name: each.type for each in whole.schema}
    assert file.n_rows == 21
    parts = [table for _, table in file.tables(file.types)]
    assert pa.concat_tables(parts).equals(whole)


def in_batches(source):
    with pt.options(max_memory=LITTLE):
        return FileBatches.of(source)


def parts_of(batches):
    return [table for partition in range(batches.n_partitions) for table in batches.tables(partition)]


def test_the_batches_of_a_file_are_its_rows(tmp_path):
    source = Source(str(PENGUINS))
    batches = in_batches(source)
    parts = parts_of(batches)
    assert len(parts) > 2
    assert pa.concat_tables(parts).equals(read_table(source))
    assert max(table.nbytes for table in parts) < LITTLE
    assert batches.origin(0, 16) == f"{PENGUINS}, row 17 below the header"


def test_a_parquet_file_is_read_by_row_groups(tmp_path):
    table = read_table(Source(str(PENGUINS)))
    pq.write_table(table, tmp_path / "p.parquet", row_group_size=100)
    batches = in_batches(Source(str(tmp_path / "p.parquet")))
    assert batches.n_partitions == 4
    assert pa.concat_tables(parts_of(batches)).equals(table)
    assert batches.origin(2, 3).endswith("p.parquet, row 204 below the header")
    assert max(part.nbytes for part in parts_of(batches)) < LITTLE


def test_files_of_a_folder_get_one_type_for_each_column(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,a\n2,b\n")
    (tmp_path / "b.csv").write_text("y,x\nc,2.5\n")
    source = Source(str(tmp_path))
    batches = in_batches(source)
    assert pa.concat_tables(parts_of(batches)).equals(read_table(source))
    assert batches.origin(1, 0).endswith("b.csv, row 1 below the header")


def test_small_files_and_standard_input_are_read_whole(tmp_path):
    assert not exceeds_memory(Source(str(PENGUINS)))
    assert not exceeds_memory(Source("-"))
    with pt.options(max_memory=LITTLE):
        assert exceeds_memory(Source(str(PENGUINS)))
        assert not exceeds_memory(Source("-"))


MODELS = [
    ("logistic", ["--missing", "drop"]),
    ("logistic", ["--missing", "indicator", "--weight", "w", "--reference", "most-frequent"]),
    ("naive-bayes", []),
    ("naive-bayes", ["--missing", "drop", "--weight", "w"]),
    ("gaussian", ["--missing", "drop", "--type", "island=ignore", "--type", "sex=ignore"]),
    ("gaussian-per-class", ["--formula", "species ~ bill_length_mm + bill_depth_mm", "--missing", "drop"]),
    ("least-squares", ["--missing", "drop"]),
    ("perceptron", ["--missing", "drop", "--set", "max_iter=3"]),
    ("logistic", ["--formula", "sex ~ species + scale(body_mass_g) + poly(bill_depth_mm, 2)", "--missing", "drop"]),
]  # fmt: skip


@pytest.fixture
def weighted(tmp_path):
    lines = PENGUINS.read_text().splitlines()
    rows = [f"{line},{i % 3}" for i, line in enumerate(lines[1:])]
    (tmp_path / "penguins.csv").write_text("\n".join([f"{lines[0]},w", *rows]) + "\n")
    return "penguins.csv"


def fitted(run, name, output, *arguments, memory=None):
    with pt.options(max_memory=memory):
        return run("fit", name, "-o", output, *arguments)


@pytest.mark.parametrize(("model", "arguments"), MODELS)
def test_the_model_of_batches_is_that_of_the_file(run, weighted, model, arguments):
    target = [] if "--formula" in arguments else ["--target", "species"]
    arguments = ["--model", model, *target, *arguments]
    if "w" not in arguments:
        arguments += ["--type", "w=ignore"]
    whole = fitted(run, weighted, "whole.model", *arguments)
    parts = fitted(run, weighted, "parts.model", *arguments, memory=LITTLE)
    assert whole.exit_code == parts.exit_code == 0, parts.stderr
    one, other = pt.load("whole.model"), pt.load("parts.model")
    for name in ("coef_", "means_"):
        if hasattr(one.estimator_, name):
            np.testing.assert_allclose(
                getattr(other.estimator_, name), getattr(one.estimator_, name), rtol=1e-10, atol=1e-10
            )
    frame = read_table(Source(weighted)).drop_null()
    score = "predict_proba" if hasattr(one, "predict_proba") else "decision_function"
    np.testing.assert_allclose(getattr(other, score)(frame), getattr(one, score)(frame), rtol=0, atol=1e-10)
    assert parts.stderr.replace("parts.model", "whole.model") == whole.stderr
    assert (other.n_rows_, other.weight_, other.n_dropped_) == (one.n_rows_, one.weight_, one.n_dropped_)


def test_the_model_of_row_groups_is_that_of_the_file(run, tmp_path):
    table = read_table(Source(str(PENGUINS)))
    place = table.column_names.index("island")
    table = table.set_column(place, "island", table.column("island").dictionary_encode())
    pq.write_table(table, tmp_path / "p.parquet", row_group_size=77)
    arguments = ["--target", "species", "--missing", "indicator"]
    whole = fitted(run, "p.parquet", "whole.model", *arguments)
    parts = fitted(run, "p.parquet", "parts.model", *arguments, memory=LITTLE)
    assert whole.exit_code == parts.exit_code == 0, parts.stderr
    assert parts.stderr.replace("parts.model", "whole.model") == whole.stderr
    one, other = pt.load("whole.model"), pt.load("parts.model")
    np.testing.assert_allclose(other.predict_proba(table), one.predict_proba(table), rtol=0, atol=1e-10)


FAULTS = [
    ("species", "", ["--missing", "indicator"]),
    ("body_mass_g", "inf", ["--missing", "indicator"]),
    ("body_mass_g", "12x", ["--missing", "indicator"]),
    ("body_mass_g", "0x1f", ["--missing", "indicator"]),
    ("body_mass_g", "03750", ["--missing", "indicator"]),
    ("w", "-2", ["--missing", "indicator", "--weight", "w"]),
    ("w", "", ["--missing", "indicator", "--weight", "w"]),
    ("w", "x", ["--missing", "indicator", "--weight", "w"]),
    ("bill_len", "", []),
    ("sex", "", []),
    ("sex", "", ["--type", "sexx=ignore"]),
    ("sex", "", ["--positive", "Adelie", "--missing", "indicator"]),
    ("sex", "male,male", ["--missing", "indicator"]),
]


@pytest.mark.parametrize(("column", "cell", "arguments"), FAULTS)
def test_messages_on_cells_are_those_of_the_whole_file(run, weighted, tmp_path, column, cell, arguments):
    lines = (tmp_path / weighted).read_text().splitlines()
    names = lines[0].split(",")
    place = names.index(column) if column in names else names.index("bill_length_mm")
    for row in (201, 207, 300):
        cells = lines[row].split(",")
        cells[place] = cell
        lines[row] = ",".join(cells)
    (tmp_path / weighted).write_text("\n".join(lines) + "\n")
    arguments = ["--target", "species", *arguments]
    whole = fitted(run, weighted, "whole.model", *arguments)
    parts = fitted(run, weighted, "parts.model", *arguments, memory=LITTLE)
    assert parts.exit_code == whole.exit_code
    assert parts.stderr.replace("parts.model", "whole.model") == whole.stderr


def test_json_describes_the_same_model(run, weighted):
    arguments = ["--target", "species", "--model", "naive-bayes", "--json", "--quiet"]
    whole, parts = (
        json.loads(fitted(run, weighted, "m.model", *arguments, "--force", memory=memory).stdout)["model"]
        for memory in (None, LITTLE)
    )
    assert parts["classes"] == whole["classes"]
    assert parts.keys() == whole.keys()


def test_a_target_of_two_columns_is_read_whole(run, tmp_path):
    rows = "\n".join(f"{i % 5},{7 - i % 3},{(i * 7) % 11}" for i in range(900))
    (tmp_path / "g.csv").write_text(f"s,f,x\n{rows}\n")
    formula = ["--formula", "cbind(s, f) ~ x"]
    assert fitted(run, "g.csv", "whole.model", *formula).exit_code == 0


def test_rows_in_random_order_need_the_file_in_memory(run, weighted):
    arguments = ["--target", "species", "--missing", "drop", "--set", "solver=online", "--seed", "1"]
    failed = fitted(run, weighted, "m.model", *arguments, memory=LITTLE)
    assert failed.exit_code == 3
    assert "can be read in order only" in failed.stderr


def test_a_file_that_changes_between_two_sweeps_is_an_error(weighted, tmp_path):
    batches = in_batches(Source(str(tmp_path / weighted)))
    assert sum(len(batch.frame) for batch in batches.batches(0)) == batches.n_rows == 344
    with open(tmp_path / weighted, "a") as file:
        file.write((tmp_path / weighted).read_text().splitlines()[-1] + "\n")
    with pytest.raises(OSError, match="changed between two readings"):
        next(batches.batches(0))
