"""Errors of Laplace's intervals with too many coefficients for `expand`: the same series by random probes."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.engines.base import Engine
from posteriori.inference.bayes.corrected.expansion import CELLS, slopes_of
from posteriori.models.posterior.gaussian import GaussianPosterior
from posteriori.models.posterior.pearson import quantile
from posteriori.statistics.base import Joined
from posteriori.statistics.curvature import Total
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block

#: Random directions by which sums over two indices of the third derivatives are estimated.
PROBES = 8
#: Greatest number of multiplications: a second or two.
SUMS = 2**33
#: Least variance taken from the series, in units of that of Laplace.
LEAST = 0.25


@dataclass(frozen=True)
class LaplaceErrors:
    """Errors of Laplace's intervals and log evidence for a posterior that is not corrected.

    Parameters
    ----------
    moved : (m,) the larger shift of the bounds of a 95 % interval by the series, in Laplace's standard deviations
    log_evidence : that of Laplace, corrected; None where the prior is flat
    """

    moved: Array
    log_evidence: float | None


def estimate(engine: Engine, posterior: GaussianPosterior) -> LaplaceErrors | None:
    """Return the shifts of intervals by the series of `expand`, from two passes; None where that is too expensive.

    Contractions of the third derivatives over two indices, as in |L3(u, ., .)|^2, are means over random signs v of
    |L3(u, v, .)|^2 (Hutchinson 1990), which avoids storing r^3 numbers.
    """
    (q, _), r = posterior.w.shape, len(posterior.root)
    if engine.n_rows * max(q, 2) * r * r * (PROBES + 2) > SUMS:
        return None
    lead, fourth = (part.values for part in engine.run(LeadSweep(posterior)).parts)
    along = posterior.in_root(np.eye(posterior.w.size))
    length = np.linalg.norm(along, axis=1)
    units = along / np.maximum(length, 1e-300)[:, None]
    signs = np.random.default_rng(0).choice([-1.0, 1.0], size=(PROBES, r))
    cubes, slices = (part.values for part in engine.run(SliceSweep(posterior, units, np.vstack([signs, lead]))).parts)
    squares = np.square(slices[:-1] @ units.T).sum(axis=1).mean(axis=0)
    bilinear = ((units @ (fourth + slices[-1])) * units).sum(axis=1)
    sd = np.sqrt(np.maximum(1.0 + 0.5 * (bilinear + squares), LEAST))
    shifts = [
        np.abs(0.5 * units @ lead + quantile(p, cubes / sd**3) * sd - quantile(p, 0.0 * sd)) for p in (0.025, 0.975)
    ]
    correction = np.trace(fourth) / 8.0 + lead @ lead / 8.0 + np.square(slices[:-1]).sum() / PROBES / 12.0
    laplace = posterior.log_evidence
    corrected = None if laplace is None else laplace + float(correction)
    return LaplaceErrors(np.where(length > 0, np.maximum(*shifts), 0.0), corrected)


@dataclass(frozen=True)
class LeadSweep(Sweep):
    """L3_ijj (r,) and L4_ijkk (r, r) of the log likelihood in z."""

    posterior: GaussianPosterior

    def __call__(self, block: Block) -> Joined:
        """Return the two sums over a block."""
        p, centred, totals = slopes_of(self.posterior, block)
        (n, r), step = centred.shape[1:], max(CELLS // centred[:, 0].size, 1)
        lead, fourth = np.zeros(r), np.zeros((r, r))
        for first in range(0, n, step):
            rows = slice(first, first + step)
            c, weight = centred[:, rows], p[:, rows] * totals[rows]
            gram = np.einsum("knr,jnr->nkj", c, c, optimize=True)
            squares = np.einsum("nkk->kn", gram)
            lead -= np.einsum("kn,knr->r", weight * squares, c, optimize=True)
            form = (p[:, rows] * squares).sum(axis=0) * weight
            between = 2.0 * gram * weight.T[:, :, None] * p[:, rows].T[:, None, :]
            mixed = np.einsum("nkj,jnr->knr", between, c, optimize=True)
            own = c * (weight * squares - form)[:, :, None] - mixed
            fourth -= np.tensordot(own, c, axes=([0, 1], [0, 1]))
        return Joined((Total(lead), Total(fourth)))


@dataclass(frozen=True)
class SliceSweep(Sweep):
    """L3(u, u, u) for units u (m, r), and L3(v, ., .) for probes v (k, r): (m,) and (k, r, r)."""

    posterior: GaussianPosterior
    units: Array
    probes: Array

    def __call__(self, block: Block) -> Joined:
        """Return the two sums over a block."""
        p, centred, totals = slopes_of(self.posterior, block)
        flat, weight = centred.reshape(-1, centred.shape[2]), (p * totals).ravel()
        cubes, slices = np.zeros(len(self.units)), np.zeros((len(self.probes), flat.shape[1], flat.shape[1]))
        step = max(CELLS // flat.shape[1], 1)
        for first in range(0, len(flat), step):
            c, w = flat[first : first + step], weight[first : first + step]
            cubes -= w @ (c @ self.units.T) ** 3
            for k, probe in enumerate(self.probes):
                slices[k] -= (c * (w * (c @ probe))[:, None]).T @ c
        return Joined((Total(cubes), Total(slices)))
