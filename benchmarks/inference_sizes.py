"""Sizes of tests and coverage of intervals by simulation: ``python -m benchmarks.inference_sizes``.

Rows are drawn anew in each run from a logistic model of three columns, the last of which has no effect. A test of
level 5 % should reject that in 5 % of the runs, and an interval of level 95 % hold the true coefficient in 95 %.
The table is written to ``benchmarks/inference_sizes.md``.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.special import expit

import posteriori as pt

RUNS, ROWS = 1000, 200
TRUTH = np.array([-0.3, 0.8, -0.5, 0.0])  # the intercept first
TABLE = Path(__file__).with_suffix(".md")


def draw(rng):
    X = rng.standard_normal((ROWS, 3))
    return X, (rng.random(ROWS) < expit(TRUTH[0] + X @ TRUTH[1:])).astype(int)


def one_run(rng):
    """Give whether each test rejects, and whether each interval holds the truth in each coefficient."""
    X, y = draw(rng)
    large, small = pt.LogisticRegression().fit(X, y), pt.LogisticRegression().fit(X[:, :2], y)
    tests = (
        large.wald_test("x2"),
        pt.likelihood_ratio_test(small, large),
        small.score_test(X[:, :2], y, X[:, 2]),
    )
    intervals = (large.confidence_interval(), large.confidence_interval(method="profile", X=X, y=y))
    held = [(bounds[:, 0] <= TRUTH) & (bounds[:, 1] >= TRUTH) for bounds in intervals]
    return [test.p_value < 0.05 for test in tests], held


def simulate(runs=RUNS, seed=0):
    """Give the share of rejections of the three tests, and the coverages (2, 4) of the two intervals."""
    rng = np.random.default_rng(seed)
    found = [one_run(rng) for _ in range(runs)]
    return np.mean([run[0] for run in found], axis=0), np.mean([run[1] for run in found], axis=0)


def table(sizes, covered):
    lines = [
        f"{RUNS} runs of {ROWS} rows, three columns; seed 0.",
        "",
        "| test of level 5 % | rejections |",
        "|---|---|",
    ]
    lines += [
        f"| {name} | {size:.1%} |" for name, size in zip(("Wald", "likelihood ratio", "score"), sizes, strict=True)
    ]
    lines += ["", "| interval of level 95 % | intercept | x0 | x1 | x2 |", "|---|---|---|---|---|"]
    lines += [
        f"| {name} | {' | '.join(f'{share:.1%}' for share in shares)} |"
        for name, shares in zip(("Wald", "profile"), covered, strict=True)
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLE.write_text(table(*simulate()))
    sys.stdout.write(TABLE.read_text())
