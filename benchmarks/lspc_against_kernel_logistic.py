"""``python -m benchmarks.lspc_against_kernel_logistic``: how near LSPC is to kernel logistic regression.

On the toy data of [Sugiyama] (bandwidth 1, penalty 0.1) the book finds "almost the same solution"; this prints the
largest difference of the posterior on its grid. Then both are fitted to 20,000 rows with 300 landmarks, each in a
process of its own, and the seconds and the memory at the peak are printed.
"""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

import posteriori as pt
from benchmarks.memory_probe import high_mark

DATA = Path(__file__).parents[1] / "tests" / "golden" / "csv" / "sugiyama_toy.csv"
GRID = np.linspace(-5.0, 5.0, 100)[:, None]
ROWS, COLUMNS, CLASSES, LANDMARKS = 20_000, 10, 3, 300
#: What a fit on landmarks may take, in MB.
LIMIT = 2000.0


def difference(centers: str) -> tuple[float, float, float]:
    """Give the largest and the mean difference of the posterior on the grid, and the point of the largest."""
    toy = pd.read_csv(DATA)
    X, y = toy[["x"]].to_numpy(), toy["y"].to_numpy()
    logistic = pt.KernelLogisticRegression(bandwidth=1.0, precision=0.1).fit(X, y)
    squares = pt.LSPC(bandwidth=1.0, precision=0.1, centers=centers).fit(X, y)
    apart = np.abs(logistic.predict_proba(GRID) - squares.predict_proba(GRID))
    return float(apart.max()), float(apart.mean()), float(GRID[apart.max(axis=1).argmax(), 0])


def probe(name: str) -> None:
    """Fit one model on landmarks and print seconds and MB."""
    rng = np.random.default_rng(28)
    y = np.arange(ROWS) % CLASSES
    X = rng.standard_normal((ROWS, COLUMNS)) + 0.8 * rng.standard_normal((CLASSES, COLUMNS))[y]
    started = time.perf_counter()
    model = getattr(pt, name)(centers=LANDMARKS).fit(X, y)
    seconds = time.perf_counter() - started
    model.predict_proba(X)
    print(seconds, high_mark())


def main() -> None:
    for centers in ("all", "own-class"):
        largest, mean, where = difference(centers)
        print(
            f"toy data, LSPC with centers={centers!r}: the posterior differs from that of kernel logistic regression "
            f"by at most {largest:.4f} (at x = {where:.2f}), by {mean:.4f} on average"
        )
    for name in ("KernelLogisticRegression", "LSPC"):
        command = [sys.executable, "-m", "benchmarks.lspc_against_kernel_logistic", name]
        seconds, memory = map(float, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
        mark = "within" if memory < LIMIT else "BEYOND"
        print(
            f"{name}(centers={LANDMARKS}), {ROWS:,} rows of {COLUMNS} columns, {CLASSES} classes: fit in "
            f"{seconds:.1f} s; the process, prediction included, peaks at {memory:.0f} MB, {mark} {LIMIT:.0f} MB"
        )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        probe(sys.argv[1])
    else:
        main()
