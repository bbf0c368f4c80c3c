"""Start-up: nothing heavy before it is needed, and the ways a process ends."""

import os
import resource
import signal
import subprocess
import sys
import time
from importlib.metadata import version

import pytest

import posteriori
from posteriori.cli.demo import PENGUINS

HEAVY = ("numpy", "scipy", "sklearn", "numba", "pandas", "polars", "pyarrow", "narwhals", "rich", "safetensors")
CODE = """
import sys
from posteriori.cli.main import program
try:
    program.main({arguments}, "posteriori")
except SystemExit as end:
    assert end.code == 0, end.code
print([name for name in {heavy} if name in sys.modules], file=sys.stderr)
"""


def imported(arguments: list[str]) -> str:
    code = CODE.format(arguments=arguments, heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stderr.strip()


@pytest.mark.parametrize("arguments", [["--help"], ["fit", "--help"], ["predict", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments):
    assert imported(arguments) == "[]"


def test_importing_the_package_imports_nothing_heavy():
    code = f"import posteriori, sys; dir(posteriori); print([n for n in {HEAVY} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_help_takes_less_than_a_quarter_of_a_second():
    """Measured as time on the processor, so that a busy machine does not fail it."""
    seconds = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command("--help"), capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(seconds) < 0.25


def test_every_public_name_is_there_and_others_are_not():
    for name in posteriori.__all__:
        assert getattr(posteriori, name) is not None
    assert set(posteriori.__all__) <= set(dir(posteriori))
    assert posteriori.__version__ == version("posteriori")
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = posteriori.Nothing


def test_a_public_function_is_not_hidden_by_a_package_of_its_name():
    code = "import posteriori.comparisons.compare, posteriori as pt; assert callable(pt.compare), pt.compare"
    subprocess.run([sys.executable, "-c", code], check=True)


def command(*arguments) -> list[str]:
    return [sys.executable, "-c", "from posteriori.cli.main import main; main()", *map(str, arguments)]


def test_a_reader_that_has_enough_ends_the_command_quietly(tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("x,y\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(60_000)))
    model = tmp_path / "m"
    subprocess.run(
        command("fit", rows, "--target", "y", "--model", "lda", "-o", model), check=True, capture_output=True
    )
    with subprocess.Popen(
        command("predict", model, rows, "--proba", "--quiet"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline().startswith(b"prediction")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full device")
def test_a_full_disk_at_standard_output_is_exit_code_5():
    with open("/dev/full", "w") as full:
        done = subprocess.run(command("models"), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 5
    assert "space" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_with_its_code_and_leaves_no_file(number, code, tmp_path):
    with subprocess.Popen(
        command("fit", "-", "--target", "species", "-o", tmp_path / "m"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        process.stdin.write(PENGUINS.read_text()[:100])
        process.stdin.flush()
        time.sleep(3)  # it now waits for the rest of the rows
        process.send_signal(number)
        assert process.wait(20) == code
        assert "Traceback" not in process.stderr.read()
    assert list(tmp_path.iterdir()) == []
