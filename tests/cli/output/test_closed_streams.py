"""The command with closed streams, characters that cannot be encoded and files that cannot be written."""

import errno
import os
import sys

import click
import numba
import pytest

from posteriori.backends.compiled.compiler import njit
from posteriori.cli import main
from posteriori.cli.failures import end
from posteriori.cli.main import _open_streams
from posteriori.cli.reading.sources import Source
from tests.cli.processes import command, finished

CSV = "größe,😀,y\n1,2,ja\n2,3,nö\n3,1,ja\n4,5,nö\n2,2,ja\n"


@pytest.fixture
def model(run, tmp_path):
    (tmp_path / "d.csv").write_text(CSV, encoding="utf-8")
    assert run("fit", "d.csv", "--target", "y", "--set", "prior=1", "-o", "d.model").exit_code == 0
    return "d.model"


@pytest.mark.slow
def test_letters_that_cannot_be_written_are_shown_as_escapes(model, tmp_path):
    surroundings = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = finished(command("explain", model, "d.csv", "--row", 1), cwd=tmp_path, env=surroundings, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert b"\\U0001f600" in done.stdout


@pytest.mark.slow
def test_results_that_cannot_be_written_are_code_5(model, tmp_path):
    shell = " ".join(f"'{word}'" for word in command("summary", model))
    done = finished(["sh", "-c", f"{shell} >&-"], cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stderr) == (5, b"Error: Bad file descriptor.\n")


def test_streams_that_were_closed_are_there_again(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    _open_streams()
    sys.stderr.write("heard by nobody")
    with sys.stderr, pytest.raises(OSError, match="Bad file descriptor"), sys.stdout as stream:
        stream.write("nothing")


def test_standard_input_that_was_closed_is_an_error_of_reading(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(OSError, match="standard input is closed"), Source("-").opened():
        pass


@pytest.mark.slow
def test_a_reader_of_tables_that_has_enough_is_no_failure(model, tmp_path):
    shell = " ".join(f"'{word}'" for word in command("summary", model))
    script = f"({shell}; echo $? > code) | true"
    done = finished(["sh", "-c", script], cwd=tmp_path, capture_output=True)
    assert (tmp_path / "code").read_text().strip() == "0", done.stderr


def test_an_error_that_nobody_can_hear_keeps_its_code(monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(click, "echo", full)
    assert end(FileNotFoundError(errno.ENOENT, "not there", "none.model"), debug=False) == 5


@pytest.mark.parametrize(("asked", "code"), [(KeyboardInterrupt(), 130), (SystemExit(143), 143)], ids=["int", "term"])
def test_a_signal_that_an_import_made_another_error_of_keeps_its_code(run, monkeypatch, asked, code):
    def broken(name):
        main._stopped.append(asked)
        raise ImportError("initialisation failed")

    monkeypatch.setattr(main, "_stopped", [])
    monkeypatch.setattr(main, "import_module", broken)
    done = run("models")
    assert done.exit_code == code
    assert "initialisation" not in done.stderr


def test_the_package_runs_as_a_module(tmp_path):
    done = finished([sys.executable, "-m", "posteriori", "--version"], cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stdout[:10]) == (0, b"posteriori")


def test_compiled_loops_need_no_place_to_be_kept(monkeypatch):
    from numba.core import caching

    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])

    def twice(x):
        return 2 * x

    with pytest.raises(RuntimeError, match="no locator"):
        numba.njit(cache=True)(twice)
    assert njit(nogil=True, cache=True)(twice)(4) == 8
