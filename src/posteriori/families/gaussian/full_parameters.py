"""`FullParameters`: the means and covariance matrices of Gaussian classes, and their marginals."""

from dataclasses import dataclass, replace

import numpy as np

from posteriori.arrays import Array, Indices
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.families.base import Parameters
from posteriori.families.gaussian.variances import LOG_2PI
from posteriori.families.gaussian.whitening import Whitening, whiten
from posteriori.linalg.powers_of_two import nonzero
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class FullParameters(Parameters):
    """Means and covariances in the units of the data, and the numbers that log densities are computed from.

    Parameters
    ----------
    mean : (K, d) in the units of the data
    covariance : (m, d, d) in the units of the data; m is 1 if the classes share it, else K
    scale : (d,) powers of two
    centre : (K, d) means in units of scale
    whiten, colour : (m, d, d) roots of the inverse covariance and of the covariance, in those units
    log_norm : (m,) the log density at the mean
    """

    mean: Array
    covariance: Array
    scale: Array
    centre: Array
    whiten: Array
    colour: Array
    log_norm: Array

    def _log_norm(self, unit: Array) -> Array:
        """Return the log density at the mean, (m,), on the range of each covariance."""
        sd = np.linalg.norm(self.colour, axis=-1)
        lengths = np.linalg.norm(self.whiten * sd[:, :, None], axis=-2)  # roots of the inverse eigenvalues
        logs: Array = np.log(nonzero(lengths)).sum(axis=1) - np.log(np.where(sd > 0, sd * unit, 1.0)).sum(axis=1)
        logs -= 0.5 * LOG_2PI * (lengths > 0).sum(axis=1)
        return logs

    def check(self, where: str) -> None:
        """Raise unless densities are computed from the covariances, by roots that are inverses of each other."""
        if len(self.covariance) not in (1, len(self.mean)):
            fail(f"{where}.covariance", f"has {len(self.covariance)} matrices for {len(self.mean)} classes")
        unit, sd = nonzero(self.scale), nonzero(np.linalg.norm(self.colour, axis=-1))
        root = self.colour / sd[..., None]
        correlation, finite = root @ np.swapaxes(root, -1, -2), np.isfinite(self.covariance)
        size = unit * sd
        shown = self.covariance / size[:, :, None] / size[:, None, :]
        require.close(np.where(finite, shown, correlation), correlation, f"{where}.covariance",
                    "does not follow from the colour", atol=1e-7)  # fmt: skip
        if (np.abs(correlation * size[:, :, None] * size[:, None, :])[~finite] < 1e300).any():
            fail(f"{where}.covariance", "is infinite, and those of the densities are not")
        product = np.swapaxes(self.whiten, -1, -2) @ self.colour  # 1 for each direction with spread, else 0
        identity = np.eye(product.shape[-1]) * (np.diagonal(product, axis1=-2, axis2=-1) > 0.5)[:, None, :]
        require.close(product, identity, f"{where}.whiten", "is not the inverse of the colour", rtol=1e-5, atol=1e-6)
        require.close(self.log_norm, self._log_norm(unit), f"{where}.log_norm", "does not follow from the covariances",
                    rtol=1e-6, atol=1e-6 * len(unit))  # fmt: skip


def marginal(parameters: FullParameters, columns: Indices) -> FullParameters:
    """Return the parameters of some of the columns: their means and the covariances between them."""
    p, pick = parameters, np.ix_(columns, columns)
    parts = [whiten((colour @ colour.T)[pick], np.zeros(len(columns))) for colour in p.colour]
    whitening, colour, log_norm = stacked(parts, nonzero(p.scale[columns]))
    return replace(
        p,
        mean=p.mean[:, columns],
        covariance=p.covariance[:, columns][:, :, columns],
        scale=p.scale[columns],
        centre=p.centre[:, columns],
        whiten=whitening,
        colour=colour,
        log_norm=log_norm,
    )


def stacked(parts: list[Whitening], scale: Array) -> tuple[Array, Array, Array]:
    """Return the whitening matrices and their inverses, (m, d, d), and the log densities at the mean, (m,)."""
    norms = [-0.5 * (q.rank * LOG_2PI + q.log_determinant) - np.log(scale[q.varies]).sum() for q in parts]
    return np.stack([q.whiten for q in parts]), np.stack([q.colour for q in parts]), np.array(norms)
