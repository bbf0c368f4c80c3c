"""``python -m benchmarks.memory_probe MODEL ROWS``: print the MB that one fit takes at its peak.

That is the highest mark of the process less what it holds once the data are made. Making them leaves hardly a
higher mark than they are themselves, and what it leaves counts against the fit. Libraries and compiled kernels are
loaded by a small fit before, since they do not grow with the data.
"""

import resource
import sys
from pathlib import Path

import numpy as np
import psutil

import posteriori as pt

COLUMNS = 50
#: Rows of the small fit: enough that the compiled kernels are the ones it takes.
WARM_ROWS = 30_000
STATUS = Path("/proc/self/status")


def made(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Make normal columns and two classes that overlap, without temporaries of the size of X."""
    rng = np.random.default_rng(25)
    X = np.empty((rows, COLUMNS))
    rng.standard_normal(out=X)
    score = rng.standard_normal(rows)
    score *= 2.0
    score += X[:, 0]
    return X, (score > 0).astype(np.int64)


def high_mark() -> float:
    """Give the most memory this process has had, in MB."""
    if STATUS.exists():  # Linux; what getrusage tells there is inherited from the parent process
        lines = dict(line.split(":", 1) for line in STATUS.read_text().splitlines() if ":" in line)
        return int(lines["VmHWM"].split()[0]) * 1024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def main() -> None:
    """Measure the model and rows named on the command line."""
    model, rows = getattr(pt, sys.argv[1]), int(sys.argv[2])
    model().fit(*made(WARM_ROWS))
    X, y = made(rows)
    before = psutil.Process().memory_info().rss / 1e6
    model().fit(X, y)
    print(high_mark() - before)


if __name__ == "__main__":
    main()
