"""Peak memory of a fit beyond the data: no copy of X is made. Each fit runs in a process of its own."""

import os
import subprocess
import sys
from functools import partial

from benchmarks.job import Limit
from benchmarks.memory_probe import COLUMNS

#: What a fit may take besides X: this share of X, and so many MB for what does not grow with it.
SHARE, FIXED = 0.10, 50.0

#: Makes glibc give freed memory back at once, so that none left over from making the data hides what a fit takes.
RETURN_AT_ONCE = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}


def extra_memory(model: str, rows: int) -> tuple[float, float]:
    """Give the MB a fit took at its peak, and how many it may take."""
    command = [sys.executable, "-m", "benchmarks.memory_probe", model, str(rows)]
    environment = {**os.environ, **RETURN_AT_ONCE}
    found = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return float(found.stdout), SHARE * rows * COLUMNS * 8 / 1e6 + FIXED


JOBS = tuple(
    Limit(
        f"memory-{name}",
        f"peak memory of {model}.fit beyond X, 50 columns float64, row-major",
        1_000_000,
        partial(extra_memory, model),
        "MB",
    )
    for name, model in (
        ("logistic", "LogisticRegression"),
        ("gaussian", "GaussianClassifier"),
        ("naive-bayes", "NaiveBayes"),
    )
)
