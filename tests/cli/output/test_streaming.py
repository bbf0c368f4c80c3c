"""Data in batches, folders, globs and pipes give the same predictions as data read whole."""

import io
import threading
from pathlib import Path
from subprocess import PIPE

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import posteriori as pt
from posteriori.cli.reading import files as reading
from posteriori.cli.reading import text_chunks as chunks
from posteriori.cli.reading.sources import Source
from tests.cli.processes import command, started


@pytest.mark.parametrize("size", [50, 333, 10_000])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_chunks_end_where_rows_end_and_lose_nothing(size, ending):
    rows = [f'{i},"a {i}{ending}b ""q""",x' if i % 7 == 0 else f"{i},plain,5' 3" for i in range(300)]
    text = ending.join(["n,t,s", *rows]) + ending
    found = list(chunks.chunks(io.BytesIO(text.encode()), Source("d.csv"), size=size))
    assert b"".join(chunk.data for chunk in found).decode() == text
    tables = [pd.read_csv(io.BytesIO(chunk.data), header=None) for chunk in found]
    assert sum(map(len, tables)) == 301
    lines = [text[: text.index(chunk.text)].count("\n" if "\n" in ending else "\r") for chunk in found]
    assert [chunk.line for chunk in found] == lines


def test_a_stray_quote_inside_a_cell_does_not_join_the_rows_after_it():
    text = "n,t\n" + "".join(f"{i},{'5' if i == 3 else 'x'}{chr(34) if i == 3 else ''}\n" for i in range(500))
    found = list(chunks.chunks(io.BytesIO(text.encode()), Source("d.csv"), size=100))
    assert len(found) > 10
    assert all(chunk.data.endswith(b"\n") for chunk in found)


def test_a_quote_that_is_never_closed_is_an_error_with_its_line(monkeypatch):
    monkeypatch.setattr(chunks, "LONGEST", 10_000)
    text = "n,t\n1,a\n2," + '"' + "x\n" * 20_000
    with pytest.raises(pt.DataError, match="begins in line 3 has no end"):
        list(chunks.chunks(io.BytesIO(text.encode()), Source("d.csv"), size=100))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1", "utf-8-sig"])
def test_characters_are_whole_wherever_blocks_end(encoding):
    text = "n,t\n" + "éü\n" * 400
    found = chunks.chunks(io.BytesIO(text.encode(encoding)), Source("d.csv", encoding=encoding), size=7)
    assert b"".join(chunk.data for chunk in found).decode() == text


def test_a_byte_that_cannot_be_read_is_counted_from_the_beginning_of_the_file():
    data = b"n,t\n" + b"1,a\n" * 1000 + b"2,\xff\n"
    with pytest.raises(pt.DataError, match=r"byte 4006 \(line 1002\)"):
        list(chunks.chunks(io.BytesIO(data), Source("d.csv"), size=64))


def test_predictions_do_not_depend_on_the_size_of_the_pieces(run, penguins, fitted, monkeypatch):
    def same(text):
        result = pd.read_csv(io.StringIO(text))
        assert result["prediction"].tolist() == whole["prediction"].tolist()
        np.testing.assert_allclose(result.iloc[:, 1:], whole.iloc[:, 1:], rtol=1e-12)

    plain = run("predict", fitted, penguins, "--proba", "--quiet").stdout
    whole = pd.read_csv(io.StringIO(plain))
    monkeypatch.setattr(chunks, "CHUNK", 700)
    monkeypatch.setattr(reading, "ROWS", 13)
    first = chunks.chunks
    monkeypatch.setattr(reading, "chunks", lambda stream, file, head: first(io.BytesIO(head + stream.read()), file))
    same(run("predict", fitted, penguins, "--proba", "--quiet").stdout)
    pd.read_csv(penguins).to_parquet("p.parquet")
    same(run("predict", fitted, "p.parquet", "--proba", "--quiet").stdout)
    done = run("predict", fitted, penguins, "--proba", "-o", "o.csv")
    assert "Wrote 344 predictions" in done.stderr
    assert done.stderr.count("Note") == 1
    same(Path("o.csv").read_text())


def test_an_error_deep_in_the_file_says_which_rows_and_a_warning_is_said_once(run, penguins, fitted, monkeypatch):
    first = chunks.chunks
    monkeypatch.setattr(chunks, "CHUNK", 700)
    monkeypatch.setattr(reading, "chunks", lambda stream, file, head: first(io.BytesIO(head + stream.read()), file))
    run("fit", penguins, "--target", "species", "--missing", "drop", "--set", "prior=1", "-o", "lr", "--quiet")
    frame = pd.read_csv(penguins).dropna()
    frame.iloc[300, frame.columns.get_loc("island")] = "Atlantis"
    frame.to_csv("n.csv", index=False)
    done = run("predict", "lr", "n.csv", "-o", "o.csv")
    assert done.exit_code == 3
    assert ", rows 2" in done.stderr
    assert "'Atlantis' in 1 row(s)" in done.stderr
    frame.assign(island="Atlantis").to_csv("n.csv", index=False)
    done = run("predict", fitted, "n.csv")
    assert done.exit_code == 0
    assert done.stderr.count("Atlantis") == 1
    assert "more note(s) of this kind" in done.stderr


def test_a_folder_and_a_glob_are_read_in_the_order_of_their_names(run, penguins, fitted, tmp_path):
    frame = pd.read_csv(penguins)
    (tmp_path / "parts").mkdir()
    frame.iloc[:100].to_csv("parts/a.csv", index=False)
    frame.iloc[100:250][frame.columns[::-1]].to_parquet("parts/b.parquet")
    frame.iloc[250:].to_csv("parts/c.tsv", index=False, sep="\t")
    (tmp_path / "parts" / "readme.txt").write_text("not data")
    (tmp_path / "parts" / ".hidden.csv").write_text("a\n")
    plain = pd.read_csv(io.StringIO(run("predict", fitted, penguins, "--proba", "--quiet").stdout))
    for name in ("parts", "parts/*"):
        result = pd.read_csv(io.StringIO(run("predict", fitted, name, "--proba", "--quiet").stdout))
        np.testing.assert_allclose(result.iloc[:, 1:], plain.iloc[:, 1:], rtol=1e-12)
    options = ("--target", "species", "--model", "naive-bayes", "--quiet")
    assert run("fit", "parts", *options).stdout == run("fit", penguins, *options).stdout
    done = run("fit", "parts/*.xls", "--target", "species")
    assert done.exit_code == 5
    assert "matches this pattern" in done.stderr
    (tmp_path / "empty").mkdir()
    assert run("fit", "empty", "--target", "species").exit_code == 5


def test_files_that_disagree_are_named(run, penguins, tmp_path):
    (tmp_path / "p").mkdir()
    Path("p/a.csv").write_text("x,y\n1,a\n2,b\n")
    Path("p/b.csv").write_text("y\na\n")
    done = run("fit", "p", "--target", "y")
    assert done.exit_code == 3
    assert "b.csv lacks the column(s) 'x'" in done.stderr
    Path("p/b.csv").write_text("x,y\nred,a\n")
    done = run("fit", "p", "--target", "y")
    assert done.exit_code == 3
    assert "column 'x' is of type int64 in" in done.stderr
    Path("p/b.csv").write_text("x,y\n2.5,a\n,b\n")
    assert run("fit", "p", "--target", "y", "--model", "naive-bayes", "--quiet").exit_code == 0


@pytest.mark.slow
def test_standard_input_is_predicted_before_it_ends(fitted, penguins, tmp_path):
    header, *rows = (tmp_path / penguins).read_text().splitlines(keepends=True)
    with started(command("predict", fitted, "-", "--quiet"), stdin=PIPE, stdout=PIPE, text=True) as process:
        result, begun = [], threading.Event()

        def read():
            result.append(process.stdout.readline())
            begun.set()
            result.extend(process.stdout.read().splitlines())

        reader = threading.Thread(target=read)
        reader.start()
        process.stdin.write(header)
        while not begun.is_set():  # the first predictions come while rows are still being given
            process.stdin.write("".join(rows))
        process.stdin.close()
        reader.join(60)
    assert result[0] == "prediction\n"
    assert (len(result) - 1) % 344 == 0
    assert len(result) > 344


@pytest.mark.parametrize("model", [["--model", "naive-bayes"], ["--set", "prior=1", "--missing", "drop"],
                                   ["--model", "lda", "--missing", "drop"]])  # fmt: skip
def test_the_command_and_the_library_give_the_same_probabilities(run, penguins, model):
    assert run("fit", penguins, "--target", "species", *model, "-o", "m", "--quiet").exit_code == 0
    frame = pd.read_csv(penguins)
    frame = frame if "naive-bayes" in model else frame.dropna()
    frame.to_csv("n.csv", index=False)
    estimator = {"naive-bayes": pt.NaiveBayes(), "prior=1": pt.LogisticRegression(prior=1),
                 "lda": pt.GaussianClassifier()}[model[1]]  # fmt: skip
    plain = pt.TableClassifier(estimator, missing="auto" if "naive-bayes" in model else "drop").fit(
        pd.read_csv(penguins), "species"
    )
    result = pd.read_csv(io.StringIO(run("predict", "m", "n.csv", "--proba", "--quiet").stdout))
    np.testing.assert_allclose(result.iloc[:, 1:], plain.predict_proba(frame), rtol=0, atol=1e-12)
    np.testing.assert_allclose(pt.load("m").predict_proba(frame), plain.predict_proba(frame), rtol=0, atol=1e-12)


def test_numbers_are_read_as_numbers_from_every_piece(tmp_path):
    (tmp_path / "d.csv").write_text("a,b\n1,x\n2.5,y\n,7\n")
    (table,) = reading.Stream(Source(str(tmp_path / "d.csv")), ("b", "a"), ("a",), ("b",))
    assert table.schema.types == [pa.string(), pa.float64()]
    assert table.to_pydict() == {"b": ["x", "y", "7"], "a": [1.0, 2.5, None]}
