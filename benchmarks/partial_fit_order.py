"""How much the order of batches matters to the sequential posterior: ``python -m benchmarks.partial_fit_order``.

The 200 rows of pima_tr in ten batches, in ten random orders, through `BayesianLogisticRegression.partial_fit`: the
largest difference between any two orders, and to the fit of all rows at once, in the predicted probability of any
row. While rows are fewer than 50 for each coefficient they are kept, and the order does not matter; the last line
shows what it would cost to keep only a Gaussian from the first batch on. The table is written to
``benchmarks/partial_fit_order.md``.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

import posteriori as pt

ORDERS, BATCHES = 10, 10
CSV = Path(__file__).parents[1] / "tests" / "golden" / "csv" / "pima_tr.csv"
TABLE = Path(__file__).with_suffix(".md")


def read():
    frame = pd.read_csv(CSV)
    return frame.drop(columns="type").to_numpy(float), frame["type"].to_numpy()


def differences(prior, begin):
    """Give the range of each row's probability over the orders, and the distances to the fit of all rows at once."""
    X, y = read()
    found = []
    for seed in range(ORDERS):
        first, *others = np.array_split(np.random.default_rng(seed).permutation(len(y)), BATCHES)
        model = getattr(pt.BayesianLogisticRegression(prior=prior), begin)(X[first], y[first])
        for part in others:
            model.partial_fit(X[part], y[part])
        found.append(model.predict_proba(X)[:, 1])
    whole = pt.BayesianLogisticRegression(prior=prior).fit(X, y).predict_proba(X)[:, 1]
    return np.ptp(found, axis=0), np.abs(np.array(found) - whole)


def table():
    lines = [
        f"{ORDERS} random orders of pima_tr in {BATCHES} batches; differences of a predicted probability.",
        "",
        "| prior | first batch by | largest between orders | mean | largest to all rows at once |",
        "|---|---|---|---|---|",
    ]
    unit = pt.GaussianPrior(precision=1.0, intercept_precision=0.01, units="sd")
    for name, prior, begin in (
        ('"evidence"', "evidence", "partial_fit"),
        ("1.0", 1.0, "partial_fit"),
        ("1.0 on standardised columns", unit, "fit"),
    ):
        between, away = differences(prior, begin)
        lines.append(f"| {name} | {begin} | {between.max():.2g} | {between.mean():.2g} | {away.max():.2g} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLE.write_text(table())
    sys.stdout.write(TABLE.read_text())
