"""Kernel logistic regression by the textbook's stochastic gradient ascent, one random row at a time."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.backends.backend import backend_for
from posteriori.bases.gaussian_kernel import GaussianKernel
from posteriori.bases.kernel_centers import Distinct
from posteriori.engines.progress import Progress

#: The step size, the number of steps per row, and the step length that ends the run: [Sugiyama] Fig. 28.2.
RATE, PASSES, TINY = 0.1, 1000, 1e-6
#: Rows whose kernels are computed together.
CHUNK = 256


@dataclass(frozen=True)
class OnlineRun:
    """The end of a run: coefficients (K, m), steps taken, and whether the stopping rule ended it."""

    theta: Array
    steps: int
    stopped: bool


def run_online(kernel: GaussianKernel, distinct: Distinct, precision: float, rng: np.random.RandomState) -> OnlineRun:
    """Start at N(0, 1) and take up to 1,000 n gradient steps of size 0.1, each on the log likelihood of a random row.

    There are n distinct rows, drawn in proportion to their weights. A precision shrinks theta towards zero at each
    step by its share of the penalty. The run ends when a step is shorter than 1e-6. Random numbers go to rows and
    centres in sorted order, so that their own order does not matter.

    Book: [Sugiyama] Fig. 28.1-28.2, §28.1.1, with the normaliser of Fig. 28.1.
    """
    n_classes = distinct.counts.shape[1]
    theta = np.empty((n_classes, kernel.n_columns))
    theta[:, np.lexsort(kernel.centers.T)] = rng.standard_normal(theta.shape)
    order = np.lexsort(distinct.rows.T)
    points, edges = distinct.rows[order], np.cumsum(distinct.counts[order].ravel())
    decay, most, steps = precision / float(edges[-1]), PASSES * len(points), 0
    with Progress(f"of {CHUNK} steps each", -(-most // CHUNK)) as progress:
        while steps < most:
            drawn = np.searchsorted(edges, rng.uniform(0.0, edges[-1], min(CHUNK, most - steps)), side="right")
            rows, codes = np.divmod(np.minimum(drawn, len(edges) - 1), n_classes)
            loops = backend_for(steps * theta.size).kernel_online
            taken = loops.climb(theta, kernel(points[rows]), codes, RATE, decay, TINY)
            steps += progress.tick(taken)
            if taken < len(codes):
                return OnlineRun(theta, steps, stopped=True)
    return OnlineRun(theta, steps, stopped=False)
