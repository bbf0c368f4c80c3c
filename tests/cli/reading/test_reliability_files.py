"""Damaged and hostile data files: one test for each of the errors F1-F19, F25 and F26."""

import io
import os
import signal
import sys
import time
from pathlib import Path
from subprocess import PIPE

import numpy as np
import pandas as pd
import pytest

import posteriori as pt
from posteriori.cli.reading import files as reading
from posteriori.cli.reading import text_chunks as chunks
from posteriori.cli.reading.sources import Source
from tests.cli.processes import command, finished, started

GOOD = "a,b\n1,x\n2,y\n3,y\n4,x\n"


@pytest.fixture
def fit(run, tmp_path):
    """Write a file and fit a regression with a prior to it."""

    def call(content, *options, target="b"):
        (tmp_path / "d.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
        return run("fit", "d.csv", "--target", target, "--set", "prior=1", *options)

    return call


def refused(done, *words, code=3):
    """Check that a run ended with an exit code, an error message with these words, no result and no traceback."""
    assert done.exit_code == code, done.stderr
    for word in words:
        assert word in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_f01_a_column_that_is_not_there_is_answered_with_the_nearest_names(run, penguins, fitted):
    refused(run("fit", penguins, "--target", "specis"), "there is no column 'specis'", "Did you mean 'species'")
    pd.read_csv(penguins).rename(columns={"island": "islands"}).to_csv("n.csv", index=False)
    refused(run("predict", fitted, "n.csv"), "'island'", "Did you mean 'islands'")


def test_f02_an_empty_file_and_a_header_alone_have_no_rows(fit):
    refused(fit(""), "is empty: no header and no rows")
    refused(fit("a,b\n"), "has no rows below its header of 2 column(s)")


def test_f03_a_byte_order_mark_is_not_part_of_the_first_name(fit, run):
    done = fit(b"\xef\xbb\xbf" + GOOD.encode(), "-o", "m")
    assert done.exit_code == 0
    assert pt.load("m").feature_names_in_.tolist() == ["a"]
    assert run("predict", "m", "d.csv").exit_code == 0


def test_f04_other_encodings_are_named_with_the_byte(fit, run):
    refused(fit(GOOD.encode("utf-16")), "byte order mark", "--encoding utf-16")
    refused(fit("a,b\n1,x\n2,é\n3,é\n4,x\n".encode("latin-1")), "byte 10 (line 3)", "--encoding latin-1")
    assert fit(GOOD.encode("utf-16"), "--encoding", "utf-16", "-o", "m").exit_code == 0
    refused(run("predict", "m", "d.csv"), "--encoding utf-16")


@pytest.mark.parametrize(("mark", "hint"), [(";", "';'"), ("\t", "$'\\t'"), ("|", "'|'")])
def test_f05_a_wrong_delimiter_is_guessed_from_the_header(fit, mark, hint):
    refused(fit(GOOD.replace(",", mark)), f"has one column; did you mean --delimiter {hint}?")
    assert fit(GOOD.replace(",", mark), "--delimiter", mark).exit_code == 0


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_f06_line_ends_of_every_kind_and_quoted_line_breaks_are_read_right(fit, run, newline):
    text = 'a,"b\nc",b\n1,"u\nv",x\n2,"w",y\n3,"u\nv",y\n4,"w",x\n'
    assert fit(text.replace("\n", newline), "-o", "m", "--quiet").exit_code == 0
    model = pt.load("m")
    assert model.coding_.columns[1].levels == (f"u{newline}v", "w")
    predicted = run("predict", "m", "d.csv", "--quiet").stdout.splitlines()
    assert len(predicted) == 5
    refused(fit(b"a,b\n1,x\n\0,y\n"), "NUL character in line 3")


def test_f07_a_ragged_row_is_named_by_line_and_cells(fit, run):
    refused(fit("a,b\n1,x\n2\n3,y\n"), "line 3: 1 cell(s), but the header has 2")
    refused(fit('a,b\n"1\n1",x\n2,y,z\n'), "line 4: 3 cell(s), but the header has 2")
    assert fit(GOOD, "-o", "m").exit_code == 0
    Path("n.csv").write_text("a\n1\n2,3\n")
    refused(run("predict", "m", "n.csv"), "line 3: 2 cell(s), but the header has 1")


def test_f08_names_that_occur_twice_are_refused(fit, run):
    refused(fit("a,a,b\n1,2,x\n2,3,y\n"), "more than one column called 'a'")
    assert fit(GOOD, "-o", "m").exit_code == 0
    Path("n.csv").write_text("a,a\n1,2\n")
    refused(run("predict", "m", "n.csv"), "more than one column called 'a'")


def test_f09_text_deep_in_a_column_of_numbers_is_found_with_row_and_value(fit, run, monkeypatch):
    rows = "".join(f"{i % 10},{'xy'[i % 2]}\n" for i in range(20_000))
    refused(fit(f"a,b\n{rows}oops,x\n"), "'oops' in row 20001", "--type a=category")
    assert fit(GOOD, "-o", "m").exit_code == 0
    monkeypatch.setattr(chunks, "CHUNK", 2**14)
    Path("n.csv").write_text(f"a,b\n{rows}oops,x\n")
    refused(run("predict", "m", "n.csv", "-o", "out.csv"), "'oops' in row 20001 below the header (line 20002)")
    assert not Path("out.csv").exists()


def test_f10_decimal_commas_and_thousands_are_told_apart(fit, run):
    commas = 'a,b\n"1,5",x\n"2,5",y\n"3,5",y\n"4,5",x\n'
    refused(fit(commas), "decimal comma, such as '1,5'", "--decimal ','")
    refused(fit('a,b\n"1,200,300",x\n"2,100,000",y\n'), "comma between thousands")
    assert fit(commas.replace(",", ";").replace('"1;5"', '"1,5"'), "--delimiter", ";", "--type", "a=category",
               "--set", "prior=2").exit_code == 0  # fmt: skip
    assert fit(GOOD, "-o", "m").exit_code == 0
    Path("n.csv").write_text('a\n"1,5"\n')
    refused(run("predict", "m", "n.csv"), "'1,5' in row 1", "--decimal ','")


@pytest.mark.slow
def test_f11_a_file_is_predicted_piece_by_piece_in_bounded_memory(run, fit, tmp_path):
    assert fit(GOOD, "-o", "m").exit_code == 0
    peaks = []
    for megabytes in (1, 24):
        line = b"1.2345678901234567,x\n"
        (tmp_path / "large.csv").write_bytes(b"a,b\n" + line * (megabytes * 2**20 // len(line)))
        code = (
            "import resource, sys; from posteriori.cli.main import program\n"
            "try: program.main(sys.argv[1:], 'posteriori')\n"
            "except SystemExit as end: assert end.code == 0\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        done = finished(
            [sys.executable, "-c", code, "predict", "m", "large.csv", "-o", "out.csv", "--force", "--quiet"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        peaks.append(int(done.stdout) * (1 if sys.platform == "darwin" else 1024))
    assert len(Path("out.csv").read_bytes().splitlines()) == 24 * 2**20 // len(line) + 1
    assert peaks[1] - peaks[0] < 150 * 2**20


@pytest.mark.parametrize("change", ["grows", "is cut", "is replaced"])
def test_f12_a_file_that_changes_while_it_is_read_is_an_error_of_reading(tmp_path, change, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK", 2**18)
    path = tmp_path / "d.csv"
    path.write_text("a\n" + "1\n" * 1_500_000)
    stream = iter(reading.Stream(Source(str(path)), ("a",), ("a",)))
    next(stream)
    if change == "grows":
        with path.open("a") as file:
            file.write("2\n")
    elif change == "is cut":
        os.truncate(path, 2**21)
    else:
        (tmp_path / "new").write_text("a\n1\n")
        os.replace(tmp_path / "new", path)
    with pytest.raises(OSError, match="changed while it was being read"):
        list(stream)


def test_f13_a_target_of_one_class_is_refused_with_its_name(fit):
    refused(fit("a,b\n1,x\n2,x\n"), "target 'b' has one class ('x', 2 rows)")


def test_f14_extra_columns_are_noted_and_missing_ones_refused(run, penguins, fitted):
    frame = pd.read_csv(penguins)
    frame.assign(extra=1).to_csv("n.csv", index=False)
    done = run("predict", fitted, "n.csv")
    assert done.exit_code == 0
    assert "ignored 2 column(s) that the model does not use: 'species', 'extra'" in done.stderr
    frame.drop(columns="sex").to_csv("n.csv", index=False)
    refused(run("predict", fitted, "n.csv"), "'sex'")


@pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")
def test_f15_where_nothing_can_be_written_is_found_before_fitting(run, tmp_path, fitted):
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o500)
    targets = ["folder-that-is-not-there/m", str(tmp_path)]
    if os.geteuid() != 0:  # root may write everywhere
        targets.append(str(locked / "m"))
    for target in targets:
        refused(run("fit", "no-such.csv", "--target", "b", "-o", target), code=5)
        output = "folder-that-is-not-there/x.csv" if target == str(tmp_path) else f"{target}.csv"
        refused(run("predict", fitted, "no-such.csv", "-o", output), code=5)
    locked.chmod(0o700)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full device")
@pytest.mark.slow
def test_f16_a_full_disk_is_code_5_on_standard_output_too(run, tmp_path, fitted, penguins):
    with open("/dev/full", "w") as full:
        done = finished(
            command("predict", fitted, penguins, "--proba"), stdout=full, stderr=PIPE, text=True, check=False
        )
    assert done.returncode == 5
    assert "space" in done.stderr
    assert "Traceback" not in done.stderr
    done = run("predict", fitted, penguins, "-o", "/dev/full")
    assert done.exit_code == 5
    done = run("fit", penguins, "--target", "species", "--model", "naive-bayes", "-o", "/dev/full")
    assert done.exit_code == 5
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".posteriori")]


def test_f16_a_disk_that_fills_while_predictions_are_written_leaves_the_old_file(run, fitted, penguins, monkeypatch):
    Path("out.csv").write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    refused(run("predict", fitted, penguins, "-o", "out.csv", "--force"), "No space left", code=5)
    assert Path("out.csv").read_text() == "old"
    assert not [path for path in Path().iterdir() if path.name.startswith(".posteriori")]


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
@pytest.mark.slow
def test_f17_a_kill_in_mid_write_leaves_the_old_file_and_what_it_left_is_swept(tmp_path, fitted):
    code = (
        "import os, signal, sys\n"
        "from posteriori.storage.atomic import replacing\n"
        "with replacing(sys.argv[1]) as stream:\n"
        "    stream.write(b'half'); stream.flush(); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    before = (tmp_path / fitted).read_bytes()
    done = finished([sys.executable, "-c", code, str(tmp_path / fitted)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / fitted).read_bytes() == before
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".posteriori")]
    pt.save(pt.load(tmp_path / fitted), tmp_path / fitted)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".posteriori")]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.slow
def test_f18_an_interrupt_while_predictions_are_written_leaves_no_file(number, code, tmp_path, fitted, penguins):
    rows = (tmp_path / penguins).read_text().splitlines(keepends=True)
    with started(command("predict", fitted, "-", "-o", "out.csv"), stdin=PIPE, stderr=PIPE, text=True) as process:
        process.stdin.write("".join(rows[:50]))
        process.stdin.flush()
        deadline = time.monotonic() + 60
        while not [path for path in tmp_path.iterdir() if path.name.startswith(".posteriori")]:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(0.5)  # it now waits for more rows, its output begun
        process.send_signal(number)
        assert process.wait(20) == code
        assert "Traceback" not in process.stderr.read()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["nb.model", "penguins.csv"]


@pytest.mark.slow
def test_f19_a_reader_that_has_enough_is_no_failure(tmp_path, fitted, penguins):
    rows = (tmp_path / penguins).read_bytes().splitlines(keepends=True)
    (tmp_path / "many.csv").write_bytes(rows[0] + b"".join(rows[1:]) * 60)
    with started(command("predict", fitted, "many.csv", "--proba", "--quiet"), stdout=PIPE, stderr=PIPE) as process:
        assert process.stdout.readline().startswith(b"prediction")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_f25_text_that_a_spreadsheet_would_run_begins_with_an_apostrophe(fit, run):
    labels = ["=1+2", "@SUM(A1)", "+1-1", "-2+3", "\tx", "plain"]
    rows = "".join(f'{i},"{labels[i % 6]}"\n' for i in range(60))
    assert fit(f"a,b\n{rows}", "-o", "m", "--quiet").exit_code == 0
    safe = pd.read_csv(io.StringIO(run("predict", "m", "d.csv", "--proba", "--quiet").stdout))
    raw = pd.read_csv(io.StringIO(run("predict", "m", "d.csv", "--proba", "--raw", "--quiet").stdout))
    assert set(safe["prediction"]) <= {f"'{label}" for label in labels[:5]} | {"plain"}
    assert sorted(safe.columns) == sorted(["prediction", "plain", *(f"'{label}" for label in labels[:5])])
    assert set(raw["prediction"]) <= set(labels)
    np.testing.assert_array_equal(safe.iloc[:, 1:], raw.iloc[:, 1:])
    run("predict", "m", "d.csv", "-o", "o.parquet")
    assert set(pd.read_parquet("o.parquet")["prediction"]) <= set(labels)


def test_f25_numbers_are_never_prefixed(fit, run):
    rows = "".join(f"{i},{(-1) ** (i % 3)}\n" for i in range(30))
    assert fit(f"a,b\n{rows}", "-o", "m", "--quiet").exit_code == 0
    lines = run("predict", "m", "d.csv", "--proba", "--quiet").stdout.splitlines()
    assert lines[0] == "prediction,-1,1"
    assert {line.split(",")[0] for line in lines[1:]} <= {"-1", "1"}


def test_f26_escape_codes_are_shown_and_not_obeyed(fit, run):
    rows = "".join(f"{i % 4},{'u' if i % 2 else 'v'}\x1b[0m,{'x' if i % 3 else 'y'}\x1b]0;t\x07\n" for i in range(24))
    done = fit(f"\x1b[31mred,c\x1b[2J,b\n{rows}", "-o", "m")
    assert done.exit_code == 0
    more = [run("summary", "m"), run("explain", "m", "d.csv", "--row", "1"), run("fit", "d.csv", "--target", "\x1b[5m")]
    for text in (done, *more):
        assert "\x1b" not in text.stdout + text.stderr
    assert "\\x1b[31mred" in done.stdout
