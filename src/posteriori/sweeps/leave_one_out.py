"""The one sweep that leave-one-out of least squares needs: every row predicted without itself, for all penalties."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array, Codes, Indices
from posteriori.statistics.curvature import Total
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block


@dataclass(frozen=True)
class Spectrum:
    """Normal equations of some classes by their eigenvectors: G = V diag(E) V', over columns `turn` makes of phi's.

    Parameters
    ----------
    classes : (c,) the classes it is for
    turn : (p, p') columns phi turn; or (p',) which of phi's columns
    values : E (p',)
    vectors : V (p', p')
    cross : V' Phi'C (p', c) of these classes
    """

    classes: Codes
    turn: Array | Indices
    values: Array
    vectors: Array
    cross: Array

    def turned(self, rows: Array) -> Array:
        """Give the rows in the coordinates of the eigenvectors, (n, p')."""
        own = rows @ self.turn if self.turn.ndim == 2 else rows[:, self.turn]
        return own @ self.vectors


@dataclass(frozen=True)
class LeaveOneOutSweep(Sweep):
    """The sum over rows and classes of s (f_i - c / s)^2, f_i the output at row i of the fit without it.

    With A = Phi'S Phi + lambda I, h = phi'A^-1 phi and f = phi'A^-1 Phi'c of a row of weight s and count c of the
    class, f_i = (f - c h) / (1 - s h): the fit without the row needs no fit (Sherman and Morrison).

    Parameters
    ----------
    spectra : which share out the classes
    precisions : (l,) values of lambda
    n_classes : K
    """

    spectra: tuple[Spectrum, ...]
    precisions: Array
    n_classes: int

    def __call__(self, block: Block) -> Total:
        """Give the sums of a block, one for each precision."""
        counts, weights = block.counts(self.n_classes), block.row_weights()
        total = np.zeros(len(self.precisions))
        for spectrum in self.spectra:
            rows, own = spectrum.turned(block.features), counts[:, spectrum.classes]
            for number, precision in enumerate(self.precisions):
                eased = rows / (spectrum.values + precision)
                h = np.einsum("np,np->n", eased, rows)[:, None]
                out = (eased @ spectrum.cross - own * h) / (1.0 - weights[:, None] * h)
                total[number] += float((weights[:, None] * (out - own / weights[:, None]) ** 2).sum())
        return Total(total)
