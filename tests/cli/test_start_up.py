"""Start-up: nothing heavy before it is needed, and the ways a process ends."""

import os
import resource
import signal
import sys
import time
from contextlib import ExitStack
from importlib.metadata import version
from subprocess import PIPE

import pytest

import posteriori
from posteriori.cli.commands.demo import PENGUINS
from tests.cli.processes import command, finished, started

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
    done = finished([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stderr.strip()


@pytest.mark.parametrize("arguments", [["--help"], ["fit", "--help"], ["predict", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments):
    assert imported(arguments) == "[]"


def test_importing_the_package_imports_nothing_heavy():
    code = f"import posteriori, sys; dir(posteriori); print([n for n in {HEAVY} if n in sys.modules])"
    done = finished([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_help_takes_less_than_a_quarter_of_a_second():
    """Measured as time on the processor, so that a busy machine does not fail it."""
    seconds = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        finished(command("--help"), capture_output=True, check=True)
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


@pytest.mark.slow
def test_a_public_function_is_not_hidden_by_a_package_of_its_name():
    code = "import posteriori.comparisons.compare, posteriori as pt; assert callable(pt.compare), pt.compare"
    finished([sys.executable, "-c", code], check=True)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full device")
@pytest.mark.slow
def test_a_full_disk_at_standard_output_is_exit_code_5():
    with open("/dev/full", "w") as full:
        done = finished(command("models"), stdout=full, stderr=PIPE, text=True, check=False)
    assert done.returncode == 5
    assert "space" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_an_interrupt_ends_with_its_code_and_leaves_no_file(tmp_path):
    codes = {signal.SIGINT: 130, signal.SIGTERM: 143}
    fit = command("fit", "-", "--target", "species", "-o", tmp_path / "m")
    pipes = {"stdin": PIPE, "stdout": PIPE, "stderr": PIPE, "text": True}
    with ExitStack() as stack:
        processes = {number: stack.enter_context(started(fit, **pipes)) for number in codes}
        for process in processes.values():
            process.stdin.write(PENGUINS.read_text()[:100])
            process.stdin.flush()
        time.sleep(3)  # they now wait for the rest of the rows
        for number, process in processes.items():
            process.send_signal(number)
            assert process.wait(20) == codes[number]
            assert "Traceback" not in process.stderr.read()
    assert list(tmp_path.iterdir()) == []
