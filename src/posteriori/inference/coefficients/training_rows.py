"""The rows of a fit read again: checked to be the same rows, and summed as fit sums them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.engines.base import Engine
from posteriori.fits.information import sum_information
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.sandwich import FEW
from posteriori.input.row_values import with_groups
from posteriori.messages.errors import DataError, FewClustersWarning
from posteriori.messages.user_warning import warn
from posteriori.models.information import Sums
from posteriori.objectives.jeffreys import JeffreysLikelihood
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.objectives.prepare import survey, units_of
from posteriori.priors.quadratic import Quadratic
from posteriori.statistics.group_sums import GroupSums
from posteriori.sweeps.information import GroupScoreSweep
from posteriori.sweeps.reductions import SumSweep
from posteriori.tables.block import Block
from posteriori.tables.memory import table_of
from posteriori.tables.views import WithoutColumns

#: Largest relative difference between the log likelihood of the rows and that of the fit.
SAME = 1e-8


@dataclass(frozen=True)
class Rows:
    """The rows of a fit read again.

    Parameters
    ----------
    engine : over the rows, with the offset in contrasts
    sampling : whether the user's weights are sampling weights
    """

    engine: Engine
    sampling: bool

    def sums(self, fitted: Fitted) -> Sums:
        """Sum the information over the rows; raise if they are not those of the fit."""
        loss, sums = sum_information(self.engine, fitted.link, fitted.units, fitted.w, self.sampling)
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
        engine = self.engine.on(with_groups(self.engine.table, groups))
        sums: GroupSums = engine.run(GroupScoreSweep(fitted.link, fitted.units, fitted.w))
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


def mean_row(engine: Engine) -> Engine:
    """Return a table of one row: the weighted mean of the rows and of the offset."""
    centre = units_of(survey(engine).moments, True).centre
    offset = None
    if engine.rows(2).has_offset:
        sums = engine.view(WithoutColumns()).run(SumSweep(_weighted_offset)).values
        offset = sums[None, :-1] / sums[-1]
    return engine.on(table_of(Block(centre[None], offset=offset), engine.table.schema))


def _weighted_offset(block: Block) -> Array:
    """Return weight times offset of each row, and its weight, (n, q + 1)."""
    assert block.offset is not None
    weights = block.row_weights()[:, None]
    return np.column_stack([weights * block.offset, weights])
