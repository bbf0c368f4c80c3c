"""The precision of largest evidence against a cross-validated grid: ``python -m benchmarks.evidence_against_grid``.

On ten data sets, `LogisticRegression` with ``prior="evidence"`` and with each of 20 precisions on standardised columns:
log loss by the same five folds, the evidence choosing anew in each of them. The time of the grid is that of its 100
fits; of the evidence, that of its one fit: processor time, on one thread. The table is written to
``benchmarks/evidence_against_grid.md``.
"""

import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import StratifiedKFold

import posteriori as pt

GRID = np.logspace(-3, 3, 20)
FOLDS = 5
CSV = Path(__file__).parents[1] / "tests" / "golden" / "csv"
TABLE = Path(__file__).with_suffix(".md")
#: Files with their target, and the columns that are no features.
FILES = {
    "biopsy": ("class", ()),
    "birthwt": ("low", ("bwt",)),
    "crabs": ("sp", ("sex", "index")),
    "fgl": ("type", ()),
    "iris": ("species", ()),
    "pima_tr": ("type", ()),
    "spam": ("type", ()),
    "vehicle": ("Class", ()),
}


def sets():
    """Yield names, rows and classes of the ten data sets."""
    for name, (target, aside) in FILES.items():
        frame = pd.read_csv(CSV / f"{name}.csv").dropna()
        yield name, frame.drop(columns=[target, *aside]).to_numpy(float), frame[target].to_numpy()
    yield "breast_cancer", *load_breast_cancer(return_X_y=True)
    yield "wine", *load_wine(return_X_y=True)


def model(prior):
    return pt.LogisticRegression(prior=prior, inference=False)


def of_precision(alpha):
    """Give the prior of a precision on standardised columns, the intercept as under the evidence."""
    from posteriori.priors.other_units import CentredPrior

    return CentredPrior(float(alpha))


def log_losses(fitted, X, y):
    logs = fitted.predict_log_proba(X)
    return -logs[np.arange(len(y)), np.searchsorted(fitted.classes_, y)]


def one_set(X, y):
    """Give losses of each row under each precision and under the evidence, times, and the precision chosen."""
    folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y))
    losses, spent = np.empty((len(GRID), len(y))), 0.0
    for i, alpha in enumerate(GRID):
        for train, test in folds:
            began = time.process_time()
            fitted = model(of_precision(alpha)).fit(X[train], y[train])
            spent += time.process_time() - began
            losses[i, test] = log_losses(fitted, X[test], y[test])
    chosen = np.empty(len(y))
    for train, test in folds:
        chosen[test] = log_losses(model("evidence").fit(X[train], y[train]), X[test], y[test])
    own = []
    for _ in range(3):
        began = time.process_time()
        whole = model("evidence").fit(X, y)
        own.append(time.process_time() - began)
    return losses, chosen, spent, float(np.median(own)), float(whole.evidence_.precision[0])


def line(name, X, y):
    losses, chosen, grid_time, own_time, precision = one_set(X, y)
    best = int(losses.mean(axis=1).argmin())
    error = losses[best].std(ddof=1) / np.sqrt(len(y))
    gap = chosen.mean() - losses[best].mean()
    within = "yes" if gap <= error else "no"
    return (
        f"| {name} | {len(y)} x {X.shape[1]}, {len(np.unique(y))} | {precision:.3g} | {GRID[best]:.3g} | "
        f"{chosen.mean():.4f} | {losses[best].mean():.4f} | {error:.4f} | {within} | "
        f"{own_time * 1e3:.0f} ms | {grid_time * 1e3:.0f} ms | 1/{grid_time / own_time:.0f} |"
    )


def table():
    lines = [
        f"{len(GRID)} precisions from {GRID[0]:g} to {GRID[-1]:g} on standardised columns, {FOLDS} folds. Within: the",
        "loss of the evidence exceeds that of the best precision by no more than the standard error of the latter.",
        "",
        "| data | rows x columns, classes | precision by evidence | best of the grid | log loss by evidence | best of "
        "the grid | s.e. | within | time | grid | ratio |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    with warnings.catch_warnings(), pt.options(threads=1):
        warnings.simplefilter("ignore")
        model(1.0).fit(*next(iter(sets()))[1:])  # what is imported at the first fit is nobody's time
        lines += [line(*each) for each in sets()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLE.write_text(table())
    sys.stdout.write(TABLE.read_text())
