"""How long a new process takes to be of use: the command's help, and a first small fit."""

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from benchmarks.job import Limit

#: Processes started; the median of their times is taken, after one that warms the disk.
STARTS = 7

FIRST_FIT = """
import sys
import posteriori as pt
pt.LogisticRegression(prior=1.0).fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
print(sum(name.split(".")[0] in ("numba", "llvmlite") for name in sys.modules))
"""


def seconds_of(command: list[str]) -> float:
    """Give the median seconds of a command; it must end well."""
    times = []
    for _ in range(STARTS + 1):
        started = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - started)
    return median(times[1:])


def help_seconds(rows: int) -> tuple[float, float]:
    program = Path(sys.executable).with_name("posteriori" + (".exe" if os.name == "nt" else ""))
    return seconds_of([str(program), "--help"]), 0.25


def first_fit_seconds(rows: int) -> tuple[float, None]:
    """Time import and a fit of four rows; most of it is importing scikit-learn."""
    return seconds_of([sys.executable, "-c", FIRST_FIT]), None


def compiler_modules(rows: int) -> tuple[float, float]:
    """Count the modules of the compiler that a small fit loads: it compiles nothing if there are none."""
    found = subprocess.run([sys.executable, "-c", FIRST_FIT], check=True, capture_output=True, text=True)
    return float(found.stdout), 0.0


JOBS = (
    Limit("help", "posteriori --help, from start to end", 0, help_seconds, "s"),
    Limit("first-fit", "a new process: import, fit four rows, end", 0, first_fit_seconds, "s"),
    Limit("first-fit-compiler", "compiler modules that a first small fit loads", 0, compiler_modules, "modules"),
)
