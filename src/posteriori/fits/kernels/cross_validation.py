"""The bandwidth of kernel logistic regression by cross-validation."""

from collections.abc import Callable

import numpy as np

from posteriori.arrays import Array, Mask
from posteriori.bases.gaussian_kernel import GaussianKernel
from posteriori.bases.kernel_centers import Distinct, folds_of
from posteriori.engines.select import engine_for
from posteriori.fits.bandwidth import bandwidth_grid
from posteriori.fits.kernels.kernel_logistic import score_precision, solve_columns
from posteriori.links.base import LinkFunction
from posteriori.objectives.kernel_classwise import DenseClasswise
from posteriori.objectives.kernel_design import on_all
from posteriori.solvers.newton.kernel_newton import ClasswiseNewton
from posteriori.sweeps.row_functions import Products
from posteriori.tables.table import Table
from posteriori.tables.views import Mapped

FOLDS = 5
#: Why all rows are needed in one place.
ALL_ROWS = "Cross-validating the bandwidth needs all rows in one place."
#: The Newton decrement that is enough to compare bandwidths.
LOOSE_TOL = 1e-3
#: The curvature relative to the precision above which the solution in the space of the rows loses digits.
STIFF = 1e9


def cross_validate(
    distinct: Distinct,
    centers: Array | None,
    link: LinkFunction,
    precision: float,
    median: float,
    scale: Array | None = None,
) -> tuple[Array, Array]:
    """Return the bandwidths tried, and the cross-validated mean log loss of each.

    Distinct rows are assigned to five folds by their hashes, and each fold is predicted from the others. Centres are
    the same in all folds: they have no labels.

    Parameters
    ----------
    distinct : the rows with their class counts
    centers : (m, d) landmarks, or None for all distinct rows
    median : the bandwidth of the median rule, which the grid is about
    scale : (d,) units of the columns and the bandwidths; None for the units of the data
    """
    bandwidths = bandwidth_grid(median)
    folds = folds_of(distinct.rows, min(FOLDS, len(distinct.rows)))
    losses = []
    for bandwidth in bandwidths.tolist():
        predict = _predictor(distinct, centers, bandwidth, scale, link, score_precision(link, precision))
        parts = [(folds == fold, predict(folds == fold)) for fold in np.unique(folds)]
        loss = [link.parts(eta, distinct.counts[out], curvature=False).loss.sum() for out, eta in parts]
        losses.append(float(np.sum(loss)) / float(distinct.counts.sum()))
    return bandwidths, np.array(losses)


def _predictor(
    distinct: Distinct,
    centers: Array | None,
    bandwidth: float,
    scale: Array | None,
    link: LinkFunction,
    precision: float,
) -> Callable[[Mask], Array]:
    """Return a function that predicts the scores of the marked rows from all others."""
    if centers is not None:
        kernel = GaussianKernel(centers, bandwidth, scale)
        return lambda out: _from_table(
            lambda mask: distinct.some(mask).table().view(Mapped(kernel)), out, link, precision
        )
    design = on_all(distinct, bandwidth, scale)
    outer = None if design.matrix is None else design.matrix @ design.matrix.T
    if design.matrix is not None and outer is not None and np.trace(outer) * distinct.counts.max() < STIFF * precision:
        matrix = design.matrix
        return lambda out: _from_matrix(matrix, outer, distinct.counts, out, link, precision)
    columns = Distinct(engine_for(design.table).collect(ALL_ROWS).features, distinct.counts)
    return lambda out: _from_table(lambda mask: columns.some(mask).table(), out, link, precision)


def _from_table(table_of: Callable[[Mask], Table], out: Mask, link: LinkFunction, precision: float) -> Array:
    state, _, _ = solve_columns(engine_for(table_of(~out)), None, link, precision, LOOSE_TOL)
    a = (state.point.w + state.step).reshape(link.n_scores, -1)
    return engine_for(table_of(out)).map(Products(a))


def _from_matrix(matrix: Array, outer: Array, counts: Array, out: Mask, link: LinkFunction, precision: float) -> Array:
    """Predict in the space of the rows: a fold has fewer rows than kernels, and one product serves all folds."""
    rest = ~out
    classwise = DenseClasswise(link, precision, matrix[rest], outer[np.ix_(rest, rest)], counts[rest])
    state, _ = ClasswiseNewton(LOOSE_TOL).solve(classwise, np.zeros(classwise.n_parameters))
    return matrix[out] @ (state.point.w + state.step).reshape(link.n_scores, -1).T
