"""`KernelClassifier`: base class of classifiers on Gaussian kernels: centres, bandwidth, units and scores."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from posteriori.arrays import Array
from posteriori.bases.distances import MOST_MEASURED
from posteriori.bases.gaussian_kernel import GaussianKernel, measured
from posteriori.bases.kernel_centers import (
    Distinct,
    distinct_rows,
    given_centers,
    read_centers_parameter,
    seed_of,
)
from posteriori.checks.parameters import choice
from posteriori.engines.select import engine_for
from posteriori.estimators.base import Classifier, ProbabilityMethods
from posteriori.estimators.learned import Learned
from posteriori.fits.bandwidth import check_apart, median_bandwidth, read_bandwidth
from posteriori.fits.kernels.scales import dominating_notes, scale_of, standard_deviations
from posteriori.input.faults import refuse_not_finite
from posteriori.input.training import Reading, read_training
from posteriori.messages.notes import Note
from posteriori.models.kernel import KernelModel
from posteriori.objectives.kernel_design import KernelDesign, on_all, on_landmarks, refuse_many
from posteriori.sweeps.landmarks import LandmarkSweep
from posteriori.tables.block import Block

#: Units of distances: the columns as they are, or each divided by its standard deviation.
UNITS = ("data", "sd")
#: Why all rows are needed in one place, and what to do where that is impossible.
ALL_ROWS = "Kernels on all points need all rows in one place: pass centers= as a number of landmarks."


@dataclass(frozen=True)
class KernelProblem:
    """The input of a fit before a bandwidth is chosen by cross-validation.

    Parameters
    ----------
    reading : the checked rows
    centers : (m, d)
    distinct : the distinct rows, if they are the centres or the bandwidth is cross-validated; else None
    on_all : whether the centres are the distinct rows
    bandwidth : the parameter, or that of the median rule
    notes : on the bandwidth and on the units
    scale : (d,) divisors of the columns; None for their own units
    """

    reading: Reading
    centers: Array
    distinct: Distinct | None
    on_all: bool
    bandwidth: float
    notes: tuple[Note, ...]
    scale: Array | None = None

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return self.reading.targets.n_classes

    def kernel(self, bandwidth: float) -> GaussianKernel:
        """Return the kernels on the centres."""
        return GaussianKernel(self.centers, bandwidth, self.scale)

    def design(self, bandwidth: float) -> KernelDesign:
        """Return the kernels between rows and centres as the fit uses them."""
        check_apart(bandwidth, self.kernel(bandwidth).scaled_centers)
        if self.on_all:
            assert self.distinct is not None
            return on_all(self.distinct, bandwidth, self.scale)
        table = self.reading.table if self.distinct is None else self.distinct.table()
        return on_landmarks(table, self.centers, bandwidth, self.scale)


class KernelClassifier(ProbabilityMethods, Classifier):
    """A classifier whose scores are sums of Gaussian kernels: theta_y'k(x) for every class y.

    ``coef_`` is (K, m) for ``centers_`` (m, d), which are training rows or the points of the parameter ``centers``, and
    are stored in model files. ``scale_`` (d,) are the divisors of the columns in distances, or None.
    """

    model_: KernelModel
    coef_ = Learned[Array]("coef")
    centers_ = Learned[Array]("centers")
    bandwidth_ = Learned[float]("bandwidth")
    scale_ = Learned[Array | None]("scale")
    cross_validation_ = Learned[Mapping[str, Array]]("cross_validation", optional=True)

    #: The texts that ``centers`` may be.
    _center_options: tuple[str, ...] = ("all",)

    bandwidth: Any
    centers: Any
    random_state: Any
    units: Any

    def _read(self, X: Any, y: Any, sample_weight: Any, *, validated: bool) -> KernelProblem:
        """Check the input of `fit` and choose the centres; `validated`: another parameter is cross-validated."""
        centers, width = read_centers_parameter(self.centers, self._center_options), read_bandwidth(self.bandwidth)
        units = choice("units", self.units, UNITS)
        reading = read_training(self, X, y, sample_weight, allow_counts=True)
        table, engine = reading.table, engine_for(reading.table)
        refuse_not_finite(table)
        sds = standard_deviations(engine)
        scale, notes = (scale_of(sds), ()) if units == "sd" else (None, dominating_notes(table.schema, sds))
        if isinstance(centers, int):
            points = engine.run(LandmarkSweep(centers, seed_of(self.random_state))).in_order()
            centers = "all" if len(points) < centers else points
        elif not isinstance(centers, str):
            centers = given_centers(centers, table)
        on_all, distinct = isinstance(centers, str), None
        if on_all or validated or width == "cv":
            distinct = distinct_rows(engine.collect(ALL_ROWS), reading.targets.n_classes)
        if isinstance(centers, str):
            assert distinct is not None
            refuse_many(len(distinct.rows))
            centers = distinct.rows
        if isinstance(width, str):
            rows = engine.run(LandmarkSweep(MOST_MEASURED)).in_order() if distinct is None else distinct.rows
            width, more = median_bandwidth(rows if scale is None else measured(rows, rows[0], scale))
            notes = (*notes, *more)
        return KernelProblem(reading, centers, distinct, on_all, width, notes, scale)

    def _log_probabilities(self, block: Block) -> Array:
        return self.model_.log_probabilities(block)
