"""The sweep of leave-one-out cross-validation of kernel least squares, for all penalties at once."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array, Codes, Indices
from posteriori.statistics.curvature import Total
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block


@dataclass(frozen=True)
class Spectrum:
    """Normal equations of some classes by their eigenvectors: G = V diag(E) V', over linear maps of the columns of phi.

    Parameters
    ----------
    classes : (c,) the classes
    columns : (p, p') a matrix that phi is multiplied by; or (p',) numbers of columns of phi
    values : E (p',)
    vectors : V (p', p')
    cross : V' Phi'C (p', c) of these classes
    """

    classes: Codes
    columns: Array | Indices
    values: Array
    vectors: Array
    cross: Array

    def coordinates(self, rows: Array) -> Array:
        """Return the rows in the coordinates of the eigenvectors, (n, p')."""
        own = rows @ self.columns if self.columns.ndim == 2 else rows[:, self.columns]
        return own @ self.vectors


@dataclass(frozen=True)
class LeaveOneOutSweep(Sweep):
    """The sum over rows and classes of s (f_i - c / s)^2, f_i the output at row i of the fit without it.

    With A = Phi'S Phi + lambda I, h = phi'A^-1 phi and f = phi'A^-1 Phi'c for a row of weight s and count c of the
    class, f_i = (f - c h) / (1 - s h), by the formula of Sherman and Morrison: no second fit is needed.

    Parameters
    ----------
    spectra : each class belongs to one of them
    precisions : (l,) values of lambda
    n_classes : K
    """

    spectra: tuple[Spectrum, ...]
    precisions: Array
    n_classes: int

    def __call__(self, block: Block) -> Total:
        """Return the sums of a block, one per precision."""
        counts, weights = block.counts(self.n_classes), block.row_weights()
        total = np.zeros(len(self.precisions))
        for spectrum in self.spectra:
            rows, own = spectrum.coordinates(block.features), counts[:, spectrum.classes]
            for number, precision in enumerate(self.precisions):
                solved = rows / (spectrum.values + precision)
                h = np.einsum("np,np->n", solved, rows)[:, None]
                out = (solved @ spectrum.cross - own * h) / (1.0 - weights[:, None] * h)
                total[number] += float((weights[:, None] * (out - own / weights[:, None]) ** 2).sum())
        return Total(total)
