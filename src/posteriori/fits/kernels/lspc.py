"""Least-squares probabilistic classification: the closed form, and its leave-one-out error for any penalty."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.engines.select import engine_for
from posteriori.objectives.kernel_design import KernelDesign
from posteriori.sweeps.kernel_sums import NormalSweep
from posteriori.sweeps.leave_one_out import LeaveOneOutSweep, Spectrum
from posteriori.tables.table import Table

#: Penalties that cross-validation tries.
PRECISIONS = 10.0 ** np.arange(-4.0, 2.5, 0.5)
#: Numbers in the sums of all partitions above which blocks are added one after the other, to save memory.
IN_ORDER_FROM = 2**26
#: Eigenvalues, relative to the trace, that are above rounding.
CLEAR = 1e-13


@dataclass(frozen=True)
class Share:
    """The kernels of some classes: combinations of the design's columns, and how they map to all m kernels.

    Parameters
    ----------
    classes : (c,) the classes
    turn : (p, p'): the columns are phi turn; or (p',): which columns of phi they are
    back : (m', p') maps coefficients of those columns to those of the kernels `own`; None for the identity
    own : (m',) numbers of the kernels
    """

    classes: NDArray[np.intp]
    turn: Array | NDArray[np.intp]
    back: Array | None
    own: NDArray[np.intp]


@dataclass(frozen=True)
class NormalEquations:
    """Phi'S Phi (p, p) and Phi'C (p, K) of a design."""

    gram: Array
    cross: Array

    @classmethod
    def of(cls, table: Table, n_classes: int) -> "NormalEquations":
        """Sum them over the rows, block by block; rows that are a matrix already are one block."""
        engine, sweep, whole = engine_for(table), NormalSweep(n_classes), table.whole()
        if whole is not None:
            gram, cross = sweep(whole).parts
            return cls(gram.values, cross.values)  # type: ignore[attr-defined]
        if table.n_columns**2 * table.n_partitions <= IN_ORDER_FROM:
            gram, cross = engine.run(sweep).parts
            return cls(gram.values, cross.values)
        start = np.zeros((table.n_columns, table.n_columns)), np.zeros((table.n_columns, n_classes))

        def add(sums: tuple[Array, Array], block: Any) -> tuple[Array, Array]:
            gram, cross = (part.values for part in sweep(block).parts)  # type: ignore[attr-defined]
            np.add(sums[0], gram, out=sums[0])
            np.add(sums[1], cross, out=sums[1])
            return sums

        return cls(*engine.fold(add, start))

    def of_share(self, share: Share) -> tuple[Array, Array]:
        """Return those of some classes over their own kernels."""
        turn, cross = share.turn, self.cross[:, share.classes]
        if turn.ndim == 2:
            return turn.T @ self.gram @ turn, turn.T @ cross
        return (self.gram, cross) if len(turn) == len(self.gram) else (self.gram[np.ix_(turn, turn)], cross[turn])


def shares_of(design: KernelDesign, members: NDArray[np.bool_] | None, n_classes: int) -> tuple[Share, ...]:
    """Assign the kernels: all to every class, or to each class those of its `members` (m, K).

    Where few columns Z = Phi U stand for the kernels, those of a class are Phi_k = Z U_k', U_k the rows of U of its own
    points. With U_k = Q R they are Z R' up to the orthonormal Q.
    """
    m, p = design.kernel.n_columns, design.table.n_columns
    if members is None:
        return (Share(np.arange(n_classes), np.arange(p), design.vectors, np.arange(m)),)
    shares = []
    for k in range(n_classes):
        own = np.flatnonzero(members[:, k])
        if design.vectors is None:
            shares.append(Share(np.array([k]), own, None, own))
        else:
            Q, R = np.linalg.qr(design.vectors[own])
            shares.append(Share(np.array([k]), R.T, Q, own))
    return tuple(shares)


def solve_lspc(normal: NormalEquations, shares: tuple[Share, ...], precision: float, shape: tuple[int, int]) -> Array:
    """Return theta_y = (Phi'S Phi + precision I)^-1 Phi'pi_y for every class y, (K, m); zero at kernels not its own.

    Book: [Sugiyama] §28.2, before Fig. 28.5.
    """
    theta = np.zeros(shape)
    for share in shares:
        gram, cross = normal.of_share(share)
        a = _solved(gram, cross, precision)
        theta[np.ix_(share.classes, share.own)] = (a if share.back is None else share.back @ a).T
    return theta


def _solved(gram: Array, cross: Array, precision: float) -> Array:
    """Solve (gram + precision I) a = cross.

    Where the precision is below the rounding of the gram, a is zero along directions whose eigenvalue is zero to
    rounding, as in the limit.
    """
    size = float(np.trace(gram))
    if precision > CLEAR * size:
        if not len(gram):
            return cross
        ridged = gram.copy()
        ridged.flat[:: len(gram) + 1] += precision
        factor = la.cholesky(ridged, lower=True, overwrite_a=True, check_finite=False)
        solved: Array = la.cho_solve((factor, True), cross, check_finite=False)
        return solved
    values, vectors = np.linalg.eigh(gram)
    clear = values > CLEAR * size
    return vectors[:, clear] @ ((vectors[:, clear].T @ cross) / (values[clear] + precision)[:, None])


def leave_one_out(design: KernelDesign, normal: NormalEquations, shares: tuple[Share, ...], tried: Array) -> Array:
    """Return the leave-one-out squared error, per unit of weight, of each precision, by one decomposition."""
    spectra = []
    for share in shares:
        gram, cross = normal.of_share(share)
        values, vectors = np.linalg.eigh(gram)
        spectra.append(Spectrum(share.classes, share.turn, np.maximum(values, 0.0), vectors, vectors.T @ cross))
    n_classes = normal.cross.shape[1]
    engine = engine_for(design.table)
    sums = engine.run(LeaveOneOutSweep(tuple(spectra), tried, n_classes)).values
    errors: Array = sums / engine.rows(n_classes).total
    return errors
