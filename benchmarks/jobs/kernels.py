"""LSPC against scikit-learn's Gaussian process classifier, which has the same kernels and no closed form.

Its default keeps the kernel it is given; ``1.0 * RBF(1.0)`` learns size and width, which takes most of its time. On the
toy data of [Sugiyama] kernels on a line have few degrees of freedom, which LSPC uses; in ten columns they have all.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import posteriori as pt
from benchmarks.data import Rows
from benchmarks.job import Contender, Job, Verdict

ROWS = 2000
#: How many more mistakes on fresh rows ours may make than the peer, as a share of them.
MORE_MISTAKES = 0.01
#: Fresh rows to judge by.
FRESH = 10_000


def toy(n: int, seed: int = 26) -> Rows:
    """Draw three classes on a line, about -3, 0 and 3, as the code of [Sugiyama] Fig. 28.5 does."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    return Rows((rng.standard_normal(n) + 3.0 * (y - 1.0))[:, None], y)


def ten_columns(n: int, seed: int = 27) -> Rows:
    """Draw two classes of ten standard normal columns about means of their own."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    means = 0.8 * np.random.default_rng(0).standard_normal((2, 10))
    return Rows(rng.standard_normal((n, 10)) + means[y], y)


def fit_lspc(rows: Rows) -> Any:
    return pt.LSPC().fit(rows.X, rows.y)


def fit_process(rows: Rows, learned: bool) -> Any:
    from sklearn.gaussian_process import GaussianProcessClassifier
    from sklearn.gaussian_process.kernels import RBF

    return GaussianProcessClassifier(1.0 * RBF(1.0) if learned else None).fit(rows.X, rows.y)


def process(learned: bool, **promised: Any) -> Contender:
    name = "scikit-learn GaussianProcessClassifier, kernel " + ("learned" if learned else "fixed")
    return Contender(name, lambda rows: fit_process(rows, learned), **promised)


def no_more_mistakes(draw: Callable[[int, int], Rows]) -> Callable[[Rows, Any, Any], Verdict]:
    """Judge two classifiers by the share of fresh rows they get wrong, and say how far their posteriors are apart."""

    def judge(rows: Rows, ours: Any, theirs: Any) -> Verdict:
        fresh = draw(FRESH, 1)
        mine, yours = (float((model.predict(fresh.X) != fresh.y).mean()) for model in (ours, theirs))
        apart: NDArray[Any] = np.abs(ours.predict_proba(fresh.X) - theirs.predict_proba(fresh.X))
        note = f"{mine:.1%} mistakes on fresh rows against {yours:.1%}; posteriors {apart.mean():.3f} apart on average"
        return Verdict(mine <= yours + MORE_MISTAKES, note)

    return judge


JOBS = (
    Job(
        name="lspc",
        title="fit LSPC on the toy data of the book, one column, three classes",
        rows=ROWS,
        data=toy,
        ours=Contender("posteriori", fit_lspc),
        peers=(process(learned=False, floor=50.0), process(learned=True, floor=50.0, slow=True)),
        judge=no_more_mistakes(toy),
        rounds=1,
    ),
    Job(
        name="lspc-ten-columns",
        title="fit LSPC on ten columns, two classes",
        rows=ROWS,
        data=ten_columns,
        ours=Contender("posteriori", fit_lspc),
        peers=(process(learned=False), process(learned=True, floor=50.0, slow=True)),
        judge=no_more_mistakes(ten_columns),
        rounds=1,
    ),
)
