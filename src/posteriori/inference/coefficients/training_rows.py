"""The rows of a fit read again: checked to be the same rows, and summed as fit sums them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.numbers import read_numbers
from posteriori.engines.base import Engine
from posteriori.fits.information import sum_information
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.sandwich import FEW
from posteriori.input.classes.missing_labels import missing_marks
from posteriori.input.weights import RowWeights, read_weights
from posteriori.messages.errors import DataError, DataTypeError, FewClustersWarning
from posteriori.messages.user_warning import warn
from posteriori.models.information import Sums
from posteriori.objectives.jeffreys import JeffreysLikelihood
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.objectives.prepare import survey, units_of
from posteriori.priors.quadratic import Quadratic
from posteriori.statistics.group_sums import GroupSums
from posteriori.sweeps.information import GroupScoreSweep
from posteriori.tables.features import Features
from posteriori.tables.memory import MemoryTable

#: Largest relative difference between the log likelihood of the rows and that of the fit.
SAME = 1e-8


@dataclass(frozen=True)
class Rows:
    """The rows of a fit read again.

    Parameters
    ----------
    engine : over the rows, with the offset in contrasts
    weights : of the rows
    """

    engine: Engine
    weights: RowWeights

    def sums(self, fitted: Fitted) -> Sums:
        """Sum the information over the rows; raise if they are not those of the fit."""
        loss, sums = sum_information(self.engine, fitted.link, fitted.units, fitted.w, self.weights)
        refuse_other_rows(fitted, loss)
        return sums

    def objective(self, fitted: Fitted) -> PenalizedLikelihood:
        """Return the objective of the fit as a function of the contrasts; raise if the rows are not its rows."""
        flat = Quadratic(np.zeros(fitted.size), np.zeros(fitted.size))
        objective = PenalizedLikelihood(self.engine, fitted.link, fitted.units, flat, fitted.information.aliased)
        refuse_other_rows(fitted, objective.slope(fitted.w.ravel()).loss)
        return JeffreysLikelihood.of(objective) if fitted.prior == "jeffreys" else objective

    def clusters(self, fitted: Fitted, groups: Any) -> GroupSums:
        """Sum the scores of each group; warn if there are few groups."""
        codes = read_groups(groups, self.engine.table)
        sweep = GroupScoreSweep(fitted.link, fitted.units, fitted.w, codes)
        sums: GroupSums = self.engine.run(sweep)
        if len(sums.keys) < 2:
            raise DataError("groups: all rows are of one group; a cluster covariance needs at least two.")
        warn_of_few(len(sums.keys), fitted.size)
        return sums


def warn_of_few(n_clusters: int, n_coefficients: int) -> None:
    """Warn if there are too few clusters for a cluster covariance to be reliable."""
    singular = n_clusters <= n_coefficients
    if n_clusters >= FEW and not singular:
        return
    rank = ", and the covariance is singular, as it has no more clusters than coefficients" if singular else ""
    warn(
        f"kind='cluster': there are {n_clusters} clusters for {n_coefficients} coefficients. With fewer than about "
        f"{FEW} clusters the standard errors tend to be too small{rank}. Use small_sample='HC1' at least, and do not "
        "rely on p-values near the significance level.",
        FewClustersWarning,
    )


def refuse_other_rows(fitted: Fitted, loss: float) -> None:
    """Raise if the log likelihood of the rows is not that of the fit."""
    own = fitted.information.loss
    if not abs(loss - own) <= SAME * max(abs(own), np.finfo(np.float64).tiny):
        raise DataError(
            f"the data are not those of the fit: their log likelihood is {-loss:.10g}, that of the fit {-own:.10g}. "
            "Give the X, y, sample_weight and offset of the fit."
        )


def read_groups(groups: Any, table: Any) -> NDArray[np.int64]:
    """Check group labels, one per input row, and return the codes of the rows of positive weight."""
    if groups is None:
        raise DataError("a cluster covariance needs groups=, the group of each row.")
    try:
        labels = np.asanyarray(groups)  # so that a mask is not lost
    except ValueError as error:  # sequences of several lengths
        raise DataTypeError(f"groups must hold one label for each row: {error}.") from None
    n_rows = table.features.n_rows
    if labels.shape != (n_rows,):
        raise DataError(f"groups has shape {labels.shape}, expected {(n_rows,)}: the group of each row.")
    missing = missing_marks(labels)
    if missing.any():
        raise DataError(
            f"groups: {int(missing.sum())} are missing, the first in row {int(missing.argmax())}. Put each row that "
            "belongs to no group into a group of its own, or fit without those rows."
        )
    try:
        _, codes = np.unique(np.asarray(labels), return_inverse=True)
    except TypeError as error:
        raise DataTypeError(f"groups must be labels of one type, text or numbers: {error}.") from None
    return (codes if table.positive_rows is None else codes[table.positive_rows]).astype(np.int64)


def read_extra(extra: Any, table: MemoryTable) -> Array:
    """Check further columns, one line per input row, and return those of the rows of positive weight."""
    dense = extra.toarray() if hasattr(extra, "toarray") else extra
    values = read_numbers(dense, "score_test: extra")
    values = values[:, None] if values.ndim == 1 else values
    if values.ndim != 2 or len(values) != table.features.n_rows or not values.shape[1]:
        raise DataError(
            f"score_test: extra has shape {values.shape}, expected one or more columns of {table.features.n_rows} rows."
        )
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values).all(axis=1)))
        raise DataError(f"score_test: extra has values that are not finite, the first in row {row}.")
    return values if table.positive_rows is None else values[table.positive_rows]


def placed(values: Array, engine: Engine, fill: float) -> Array:
    """Return values of the rows of positive weight in the order of all input rows, with `fill` for the others."""
    table = engine.table
    assert isinstance(table, MemoryTable)
    if table.positive_rows is None:
        return values
    whole = np.full((table.features.n_rows, *values.shape[1:]), fill)
    whole[table.positive_rows] = values
    return whole


def weighted(table: MemoryTable, sample_weight: Any) -> MemoryTable:
    """Return rows to predict with weights, without the rows of weight zero."""
    weights = read_weights(sample_weight, table.features.n_rows)
    assert weights is not None
    return replace(table, weights=weights, positive_rows=None if weights.all() else np.flatnonzero(weights))


def mean_row(table: MemoryTable) -> MemoryTable:
    """Return a table of one row: the weighted mean of the rows and of the offset."""
    centre = units_of(survey(table).moments, True).centre
    rows = slice(None) if table.positive_rows is None else table.positive_rows
    weights = None if table.weights is None else table.weights[rows]
    offset = None if table.offset is None else np.average(table.offset[rows], axis=0, weights=weights)[None]
    return MemoryTable(Features(centre[None], table.schema), offset=offset)
