"""``python -m benchmarks.predict_stream [--rows N]``: rows a second and memory of ``posteriori predict`` on a CSV file.

Makes a CSV of twenty numeric columns, fits a logistic regression to its first rows, and predicts all of them with
probabilities in a fresh process. Prints the size of the file, seconds, rows a second and the peak of resident memory,
start-up included. Ten million rows are a file of 2 GB.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv

COLUMNS, PIECE = 20, 100_000
#: Run the command and print the highest mark of its memory, in bytes.
COMMAND = """
import sys
from benchmarks.memory_probe import high_mark
from posteriori.cli.main import main
try:
    main()
finally:
    print(high_mark(), file=sys.stderr)
"""


def make(path: Path, rows: int) -> None:
    """Write the file piece by piece: columns of six decimals, and a class that two of them tell."""
    rng = np.random.default_rng(0)
    names = [f"x{j}" for j in range(COLUMNS)]
    schema = pa.schema([*((name, pa.float64()) for name in names), ("y", pa.string())])
    with csv.CSVWriter(path, schema) as writer:
        for start in range(0, rows, PIECE):
            X = rng.standard_normal((min(PIECE, rows - start), COLUMNS)).round(6)
            y = np.where(X[:, 0] - X[:, 1] + rng.standard_normal(len(X)) > 0, "yes", "no")
            writer.write_table(pa.table([*X.T, y], schema=schema))


def head(path: Path, target: Path, rows: int = 10_000) -> None:
    with path.open("rb") as source:
        target.write_bytes(b"".join(line for line, _ in zip(source, range(rows), strict=False)))


def run(*arguments: object) -> float:
    """Run the command in a fresh process and give its peak of memory in MB."""
    whole = [sys.executable, "-c", COMMAND, *map(str, arguments), "--quiet"]
    done = subprocess.run(whole, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return float(done.stderr.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000_000)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        data, few, model, out = (Path(folder) / name for name in ("data.csv", "few.csv", "model", "out.csv"))
        make(data, rows)
        head(data, few)
        run("fit", few, "--target", "y", "-o", model)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.perf_counter()
        peak = run("predict", model, data, "--proba", "-o", out)
        seconds = time.perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{rows} rows of {COLUMNS} columns, {data.stat().st_size / 1e9:.2f} GB")
        print(f"{seconds:.1f} s ({busy:.1f} s on the processors), {rows / seconds:,.0f} rows a second")
        print(f"peak of memory {peak:.0f} MB")


if __name__ == "__main__":
    main()
