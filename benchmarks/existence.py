"""``python -m benchmarks.existence``: what deciding whether a maximum exists costs a fit without a prior.

Each fit is timed beside the same fit under a prior of precision 1e-9 on the slopes, which has a maximum for any rows,
so that nothing is decided. The last fits are of separated classes, where existence is refuted and a finite point found.
"""

import time
import warnings
from collections.abc import Callable
from typing import Any

import click
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

import posteriori as pt

Rows = tuple[Any, NDArray[Any]]


def linear(n: int, d: int, n_classes: int) -> Rows:
    """Draw correlated columns and classes by a linear model."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    X[:, 1:] += 0.5 * X[:, :-1]
    scores = X @ rng.standard_normal((d, n_classes)) * 0.7 / np.sqrt(d)
    return X, np.asarray((scores + rng.gumbel(size=(n, n_classes))).argmax(axis=1))


def dummies(n: int, levels: tuple[int, ...]) -> Rows:
    """Draw categories as sparse columns of zeros and ones."""
    rng = np.random.default_rng(0)
    columns = [np.eye(k)[rng.integers(0, k, n)][:, 1:] for k in levels]
    X = np.column_stack(columns)
    return sp.csr_array(X), (rng.random(n) < 1 / (1 + np.exp(-X @ rng.standard_normal(X.shape[1]) / 2))).astype(int)


def grouped(n: int, d: int) -> Rows:
    """Draw counts of two classes."""
    rng = np.random.default_rng(0)
    X, trials = rng.standard_normal((n, d)), rng.integers(1, 30, n)
    wins = rng.binomial(trials, 1 / (1 + np.exp(-0.3 * X.sum(axis=1))))
    return X, np.column_stack([trials - wins, wins]).astype(np.float64)


def many_classes(n: int, n_columns: int, n_classes: int) -> Rows:
    """Draw dummies of categories some of which some classes never have: the classes are separated."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, n)
    columns = []
    for _ in range(n_columns):
        k = int(rng.integers(2, 5))
        columns.append(np.eye(k)[[rng.choice(k, p=p) for p in rng.dirichlet(np.full(k, 0.25), n_classes)[y]]][:, 1:])
    return np.column_stack(columns), y


#: Name, rows, link, and how often each is fitted.
JOBS: tuple[tuple[str, Callable[[], Rows], str, int], ...] = (
    ("200 x 3", lambda: linear(200, 3, 2), "logit", 100),
    ("1,000 x 10", lambda: linear(1000, 10, 2), "logit", 100),
    ("1,000 x 10, 3 classes", lambda: linear(1000, 10, 3), "logit", 50),
    ("1,000 x 10, probit", lambda: linear(1000, 10, 2), "probit", 50),
    ("1,000 x 10, cloglog", lambda: linear(1000, 10, 2), "cloglog", 50),
    ("500 x 5, grouped", lambda: grouped(500, 5), "logit", 100),
    ("10,000 x 20", lambda: linear(10_000, 20, 2), "logit", 20),
    ("20,000 x 61, sparse dummies", lambda: dummies(20_000, (5, 10, 20, 30)), "logit", 10),
    ("1,000,000 x 50", lambda: linear(1_000_000, 50, 2), "logit", 3),
    ("separated: 1,000 x 30, 8 classes", lambda: many_classes(1000, 15, 8), "logit", 1),
    ("separated: 2,000 x 70, 15 classes", lambda: many_classes(2000, 35, 15), "logit", 1),
)


def best(fit: Callable[[], Any], times: int) -> float:
    """Return the shortest of several times in milliseconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        fit()
        taken.append(time.perf_counter() - start)
    return 1e3 * min(taken)


@click.command()
@click.option("--only", default="", help="Jobs whose name has this in it.")
def main(only: str) -> None:
    """Time fits without a prior and with a negligible one."""
    warnings.simplefilter("ignore")
    click.echo(f"{'rows':36s}{'no prior':>12s}{'prior 1e-9':>12s}{'ratio':>8s}  status")
    for name, make, link, times in JOBS:
        if only not in name:
            continue
        X, y = make()

        def model(prior: float | None, link: str = link) -> Any:
            return (
                pt.LogisticRegression(prior=prior) if link == "logit" else pt.BinaryRegression(link=link, prior=prior)
            )

        status = model(None).fit(X, y).fit_status_
        flat = best(lambda X=X, y=y, model=model: model(None).fit(X, y), times)  # type: ignore[misc]
        held = best(lambda X=X, y=y, model=model: model(1e-9).fit(X, y), times)  # type: ignore[misc]
        click.echo(f"{name:36s}{flat:9.2f} ms{held:9.2f} ms{flat / held:8.2f}  {status}")


if __name__ == "__main__":
    main()
