"""Rows read are the rows of the file, or an error names the line where a quote is left open."""

import csv
import io
import random

import pytest

import posteriori as pt
from posteriori.cli.reading import files as reading
from posteriori.cli.reading import text_chunks as chunks
from posteriori.cli.reading.files import Stream, read_table
from posteriori.cli.reading.sources import Source

ROWS = [f"{i * 37 % 11},{'uvw'[i % 3]},{'yes' if i * 7 % 5 % 2 else 'no'}" for i in range(200)]


def text_of(rows, header="a,g,y"):
    return "\n".join([header, *rows]) + "\n"


@pytest.mark.parametrize("column", [0, 1, 2])
def test_a_quote_left_open_in_any_column_is_an_error_that_names_its_line(column, run, tmp_path):
    cells = ROWS[40].split(",")
    cells[column] = '"' + cells[column]
    (tmp_path / "good.csv").write_text(text_of(ROWS))
    (tmp_path / "open.csv").write_text(text_of([*ROWS[:40], ",".join(cells), *ROWS[41:]]))
    assert run("fit", "good.csv", "--target", "y", "--set", "prior=1", "-o", "m").exit_code == 0
    for command in (
        ("fit", "open.csv", "--target", "y", "--set", "prior=1"),
        ("compare", "open.csv", "--target", "y", "--models", "naive-bayes"),
        ("report", "m", "open.csv", "--target", "y", "-o", "r.html"),
        ("predict", "m", "open.csv"),
        ("explain", "m", "open.csv"),
    ):
        done = run(*command)
        assert (done.exit_code, "line 42" in done.stderr) == (3, True), (command, done.stderr)
        assert done.stdout == ""


def test_cells_of_several_lines_are_read_in_any_column(run, tmp_path):
    rows = [f'{row.rpartition(",")[0]},"{i}\n""said"", he"' if i % 9 == 0 else row for i, row in enumerate(ROWS)]
    rows = [f'"{i}\n{i}",{row}' if i % 7 == 0 else f"{i},{row}" for i, row in enumerate(rows)]
    (tmp_path / "d.csv").write_text(text_of(rows, "t,a,g,y"))
    assert read_table(Source("d.csv")).num_rows == 200
    assert sum(table.num_rows for table in Stream(Source("d.csv"), None)) == 200


def test_text_after_the_quote_that_closes_a_cell_is_an_error(run, tmp_path):
    (tmp_path / "d.csv").write_text('a,y\n"1"2,no\n2,yes\n')
    with pytest.raises(pt.DataError, match="opens a cell in line 2, and its closing quote is followed by more text"):
        read_table(Source("d.csv"))
    (tmp_path / "d.csv").write_text('a,y\n1,"no\n2,yes\n3,"no\n4,yes\n')
    with pytest.raises(pt.DataError, match=r"opens a cell in line 2, and its closing quote in line 4"):
        read_table(Source("d.csv"))


def test_a_row_longer_than_a_block_of_arrow_is_predicted(tmp_path):
    (tmp_path / "d.csv").write_text('t,y\na,no\n"' + "u\n" * 2_200_000 + '",yes\nb,no\n')
    assert sum(table.num_rows for table in Stream(Source(str(tmp_path / "d.csv")), None)) == 3


def some_text(rng):
    """Make a text of one to three columns, some cells quoted, and put up to three quotes where they may not belong."""
    end = rng.choice(["\n", "\r\n", "\r"])
    cells = ["7", "w", '""', '"q"', '"a,b"', f'"a{end}b"', '"a ""b"""', "5' 3\"", f'"{end}""c"']
    d = rng.randint(1, 3)
    rows = [",".join(rng.choice(cells) for _ in range(d)) for _ in range(rng.randint(1, 12))]
    text = end.join(["a,b,c"[: 2 * d - 1], *rows]) + rng.choice(["", end])
    for _ in range(rng.randint(0, 3)):
        at = rng.choice([i + 1 for i, letter in enumerate(text) if letter in ",\n\r"])
        at = at if rng.random() < 0.5 else rng.randrange(len(text) + 1)
        text = text[:at] + '"' + text[at:]
    return text


@pytest.mark.parametrize("size", [7, 40, 2**22])
def test_rows_read_are_those_of_strict_csv_or_there_is_an_error(size, tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK", size)
    first = chunks.chunks
    monkeypatch.setattr(reading, "chunks", lambda stream, file, head: first(io.BytesIO(head + stream.read()), file))
    path, read = tmp_path / "d.csv", 0
    for seed in range(250):
        text = some_text(random.Random(seed))
        path.write_bytes(text.encode())
        source = Source(str(path), as_text=("a", "b", "c"))
        try:
            found = read_table(source).num_rows if seed % 2 else sum(t.num_rows for t in Stream(source, None))
        except pt.DataError:
            continue
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
        assert found == len(rows) - 1, (seed, text)
        read += 1
    assert read > 80
