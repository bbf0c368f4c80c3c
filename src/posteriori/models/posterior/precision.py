"""`ChosenPrecision`: the precision of the prior that maximises the evidence."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.priors.other_units import CentredPrior
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class ChosenPrecision:
    """The precision that maximises the evidence, with its certificate.

    Parameters
    ----------
    precision : of each column's weights per standard deviation of the column, (d,)
    precision_data : the same per unit of the column: precision times its variance, (d,)
    intercept_precision : of the predictor of the mean row
    by_column : whether each column has its own precision
    slope : the greatest derivative of the log evidence in the log of a precision that is not at a bound
    bound : (d,) 1 where the precision is at its upper bound, -1 at its lower, 0 between
    log_evidence : at the precision, without multinomial coefficients
    evaluations, sweeps : the cost of the search
    reason : why the search ended, in a sentence
    most_probable : (d,) the precision of largest Laplace evidence; `precision` is greater if a Gaussian posterior is
        required and the posterior there is far from Gaussian: then it maximises a lower bound on the evidence
    excess : Laplace's log evidence minus that bound at `most_probable`; None if it was not computed
    separated : whether the mode at `most_probable` classifies every row correctly
    """

    precision: Array
    precision_data: Array
    intercept_precision: float
    by_column: bool
    slope: float
    bound: NDArray[np.int8]
    log_evidence: float
    evaluations: int
    sweeps: int
    reason: str
    most_probable: Array
    excess: float | None
    separated: bool

    @property
    def raised(self) -> bool:
        """Whether `precision` is not that of largest Laplace evidence, as the posterior there is far from Gaussian."""
        return not np.array_equal(self.precision, self.most_probable)

    @property
    def prior(self) -> CentredPrior:
        """The prior of this precision."""
        return CentredPrior(self.precision if self.by_column else float(self.precision[0]), self.intercept_precision)
