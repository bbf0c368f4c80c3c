"""Simulation-based calibration of the Laplace posterior: ``python -m benchmarks.laplace_calibration``.

Coefficients are drawn from the prior, rows from the coefficients, and the rank of each true coefficient among draws
from the posterior is noted. Were the posterior exact, ranks would be uniform (Talts et al. 2018), and an interval of
95 % would hold the truth in 95 % of the runs. The table is written to ``benchmarks/laplace_calibration.md``.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.special import expit
from scipy.stats import chisquare

import posteriori as pt

COLUMNS, RUNS, DRAWS, BINS = 5, 600, 99, 10
RATIOS = (1, 2, 5, 10, 20, 50, 200)
SDS = (0.5, 1.0, 2.0)
TABLE = Path(__file__).with_suffix(".md")


def one_run(rng, n, sd):
    """Give the rank of each true coefficient among draws, and how many sds of the posterior it is from the mean."""
    truth = sd * rng.standard_normal(COLUMNS + 1)
    X = rng.standard_normal((n, COLUMNS))
    y = rng.random(n) < expit(truth[0] + X @ truth[1:])
    prior = pt.GaussianPrior(precision=sd**-2, intercept_precision=sd**-2)
    # of few rows some show one class only, which fit refuses and partial_fit takes
    model = pt.BayesianLogisticRegression(prior=prior).partial_fit(X, y, classes=[False, True])
    draws = model.posterior_.sample(DRAWS, random_state=int(rng.integers(2**31)))
    return (draws < truth).sum(axis=0), (truth - model.posterior_.mean) / model.posterior_.sd


def cell(rng, n, sd):
    """Give the chi-squared p-value of the ranks, the coverages, and whether calibration holds."""
    found = [one_run(rng, n, sd) for _ in range(RUNS)]
    ranks, away = (np.array(each) for each in zip(*found, strict=True))
    # one coefficient a run: those of one posterior are not independent
    one = ranks[np.arange(RUNS), np.arange(RUNS) % (COLUMNS + 1)]
    p = chisquare(np.bincount(one * BINS // (DRAWS + 1), minlength=BINS)).pvalue
    half, most = (np.abs(away) < 0.6745).mean(), (np.abs(away) < 1.96).mean()
    return p, half, most


def table(seed=0):
    rng = np.random.default_rng(seed)
    lines = [
        f"{RUNS} runs a line, {COLUMNS} columns, an intercept, prior N(0, sd^2) on each, {DRAWS} draws; seed {seed}.",
        "Holds: p-value of uniform ranks above 0.01, and both coverages within two points of nominal.",
        "",
        "| prior sd | n/d | n | p-value of uniform ranks | coverage of 50 % | coverage of 95 % | holds |",
        "|---|---|---|---|---|---|---|",
    ]
    for sd in SDS:
        for ratio in RATIOS:
            n = ratio * COLUMNS
            p, half, most = cell(rng, n, sd)
            holds = p > 0.01 and abs(half - 0.5) < 0.02 and abs(most - 0.95) < 0.02
            lines.append(f"| {sd} | {ratio} | {n} | {p:.3f} | {half:.1%} | {most:.1%} | {'yes' if holds else 'no'} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLE.write_text(table())
    sys.stdout.write(TABLE.read_text())
