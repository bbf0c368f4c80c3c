"""Every error in a data file ends with exit code 3 and a message with its position."""

import sys

import pandas as pd
import pytest

HEAD = b"a,b\n"
GOOD = b"a,b\n1,x\n2,y\n3,y\n4,x\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (HEAD, "no rows"),
        (b"a,b\n1,x\n2\n", "line 3: 1 cell(s), but the header has 2"),
        (b'a,b\n"1\n2",x\n2,y,z\n', "line 4: 3 cell(s), but the header has 2"),
        (b"a;b\n1;x\n2;y\n", "has one column; did you mean --delimiter ';'"),
        (b"a;b\n1,5;x\n2,5;y\n", "has one column"),
        (b"a,a,b\n1,1,x\n2,2,y\n", "more than one column called 'a'"),
        (b",a,b\n0,1,x\n1,2,y\n", "column 1 has no name"),
        ("a,b\n1,x\n2,y\n".encode("utf-16"), "use --encoding utf-16"),
        ("a,b\n1,é\n2,y\n".encode("latin-1"), "byte 6 (line 2) is invalid"),
        (b"a,b\n1,x\n\0,y\n", "NUL character in line 3"),
        (b"a,b\n1,x\n2,x\n", "target 'b' has one class ('x', 2 rows)"),
        (b'a,b\n"1,5",x\n"2,5",y\n', "--decimal ','"),
        (HEAD + b"".join(b"%d,x\n" % i for i in range(50)) + b"7o,y\n", "'7o' in row 51"),
        (b"a,b\n1,x\n2,\n3,y\n", "1 missing label(s)"),
        (b"a,b\n2020-01-01,x\n2020-01-02,y\n", "column 'a' is of type Date"),
        (b"b\nx\ny\n", "column"),
    ],
    ids=range(18),
)
def test_a_fault_is_code_3_with_a_sentence(content, message, run, tmp_path):
    (tmp_path / "d.csv").write_bytes(content)
    done = run("fit", "d.csv", "--target", "b", "--set", "prior=1")
    assert done.exit_code == 3, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (b"\xef\xbb\xbf" + GOOD, []),
        (GOOD.replace(b"\n", b"\r\n"), []),
        (GOOD.decode().encode("utf-16"), ["--encoding", "utf-16"]),
        (GOOD.replace(b"y", b"\xe9"), ["--encoding", "latin-1"]),
        (GOOD.replace(b",", b";"), ["--delimiter", ";"]),
        (b"a;b\n1,0;x\n2,0;y\n3,0;y\n4,0;x\n", ["--delimiter", ";", "--decimal", ","]),
    ],
    ids=["byte order mark", "carriage returns", "utf-16", "latin-1", "semicolons", "decimal commas"],
)
def test_the_same_rows_are_read_from_every_dialect(content, options, run, tmp_path):
    (tmp_path / "plain.csv").write_bytes(GOOD)
    (tmp_path / "d.csv").write_bytes(content)
    plain = run("fit", "plain.csv", "--target", "b", "--set", "prior=1")
    done = run("fit", "d.csv", "--target", "b", "--set", "prior=1", *options)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.replace("\xe9", "y") == plain.stdout


def test_tabs_divide_a_tsv_file(run, tmp_path):
    (tmp_path / "d.tsv").write_bytes(GOOD.replace(b",", b"\t"))
    assert run("fit", "d.tsv", "--target", "b", "--set", "prior=1").exit_code == 0


@pytest.mark.parametrize(
    "options", [["--encoding", "klingon"], ["--delimiter", "ab"], ["--decimal", ","], ["--delimiter", "é"]]
)
def test_dialects_that_do_not_exist_are_mistakes_of_usage(options, run, tmp_path):
    (tmp_path / "d.csv").write_bytes(GOOD)
    assert run("fit", "d.csv", "--target", "b", *options).exit_code == 2


def test_files_that_are_not_there_or_of_no_known_kind(run, tmp_path):
    assert run("fit", "none.csv", "--target", "b").exit_code == 5
    assert run("fit", ".", "--target", "b").exit_code == 5
    (tmp_path / "d.xls").write_bytes(GOOD)
    done = run("fit", "d.xls", "--target", "b")
    assert done.exit_code == 2
    assert ".csv, .tsv, .parquet" in done.stderr


def test_a_broken_parquet_file_is_code_3(run, tmp_path):
    pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet(tmp_path / "d.parquet")
    whole = (tmp_path / "d.parquet").read_bytes()
    for content in (b"junk", whole[:-20], b""):
        (tmp_path / "d.parquet").write_bytes(content)
        done = run("fit", "d.parquet", "--target", "b")
        assert done.exit_code == 3, content
        assert "Parquet" in done.stderr


def test_without_pyarrow_the_message_says_what_to_install(run, tmp_path, monkeypatch):
    (tmp_path / "d.csv").write_bytes(GOOD)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = run("fit", "d.csv", "--target", "b")
    assert done.exit_code == 5
    assert "pip install 'posteriori[data]'" in done.stderr


def test_codes_with_zeros_in_front_are_noted_when_they_are_read_as_numbers(run, tmp_path):
    rows = [f"{zip_code:05d},{i % 7},{'a' if i % 3 else 'b'}" for i, zip_code in enumerate([1234, 94110, 2139] * 10)]
    (tmp_path / "d.csv").write_text("\n".join(["zip,x,y", *rows]) + "\n")
    said = "column 'zip' is read as numbers, but 20 cell(s) have a leading zero, such as '01234', which is read as 1234"
    done = run("fit", "d.csv", "--target", "y")
    assert done.exit_code == 0
    assert said in done.stderr
    assert "--type zip=category" in done.stderr
    assert "column 'x'" not in done.stderr
    assert said in run("compare", "d.csv", "--target", "y", "--models", "gaussian", "--cv", "2").stderr
    for silent in (["--quiet"], ["--type", "zip=number"], ["--type", "zip=ignore"]):
        assert "leading zero" not in run("fit", "d.csv", "--target", "y", *silent).stderr
    done = run("fit", "d.csv", "--target", "y", "--type", "zip=category")
    assert "leading zero" not in done.stderr
    assert "category (01234, 02139, 94110; reference: 01234)" in done.stderr


@pytest.mark.parametrize("cell", ["abc", '"1,5"'])
def test_odd_cells_of_a_column_that_is_ignored_stop_nothing(cell, run, tmp_path):
    rows = [f"{i % 7},{cell if i == 20 or cell != 'abc' else i % 50},{'ab'[i % 2]}" for i in range(100)]
    (tmp_path / "d.csv").write_text("\n".join(["x,odd,y", *rows]) + "\n")
    assert run("fit", "d.csv", "--target", "y", "--set", "prior=1").exit_code == 3
    done = run("fit", "d.csv", "--target", "y", "--set", "prior=1", "--type", "odd=ignore")
    assert done.exit_code == 0, done.stderr
    done = run("compare", "d.csv", "--target", "y", "--models", "naive-bayes", "--type", "odd=ignore")
    assert done.exit_code == 0, done.stderr
