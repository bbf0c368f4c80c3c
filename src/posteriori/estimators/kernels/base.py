"""What classifiers made of Gaussian kernels share: centres, bandwidth, scores and margins."""

from dataclasses import dataclass
from typing import Any

from posteriori.arrays import Array
from posteriori.bases.distances import MOST_MEASURED
from posteriori.bases.gaussian_kernel import GaussianKernel, measured
from posteriori.bases.kernel_centers import (
    Distinct,
    distinct_rows,
    given_centers,
    landmarks,
    read_centers_parameter,
    seed_of,
)
from posteriori.checks.parameters import choice
from posteriori.estimators.base import Classifier
from posteriori.fits.bandwidth import check_apart, median_bandwidth, read_bandwidth
from posteriori.fits.kernels.scales import dominating_notes, scale_of, standard_deviations
from posteriori.input.faults import refuse_not_finite
from posteriori.input.frames.alignment import aligned
from posteriori.input.training import Reading, read_training
from posteriori.messages.notes import Note
from posteriori.models.kernel_scores import KernelScores
from posteriori.models.margins import margins_of
from posteriori.objectives.kernel_design import KernelDesign, on_all, on_landmarks, refuse_many

#: What distances are measured in: the columns as they are, or each in its standard deviation.
UNITS = ("data", "sd")


@dataclass(frozen=True)
class Ground:
    """What a fit stands on before a bandwidth is chosen.

    Parameters
    ----------
    reading : what came over the border
    centers : (m, d)
    distinct : the distinct rows, where they are the centres or the bandwidth is cross-validated; else None
    on_all : whether the centres are the distinct rows
    bandwidth : the one given or of the median rule
    notes : on that, and on the units
    scale : (d,) what the columns are measured in; None for their own units
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
        """How many classes there are."""
        return self.reading.targets.n_classes

    def kernel(self, bandwidth: float) -> GaussianKernel:
        """Give the kernels on the centres."""
        return GaussianKernel(self.centers, bandwidth, self.scale)

    def design(self, bandwidth: float) -> KernelDesign:
        """Give the kernels of the rows as the fit reads them."""
        check_apart(bandwidth, self.kernel(bandwidth).scaled_centers)
        if self.on_all:
            assert self.distinct is not None
            return on_all(self.distinct, bandwidth, self.scale)
        table = self.reading.table if self.distinct is None else self.distinct.table()
        return on_landmarks(table, self.centers, bandwidth, self.scale)


class KernelClassifier(Classifier):
    """A classifier whose scores are sums of Gaussian kernels: theta_y'k(x) for every class y.

    ``coef_`` is (K, m), over ``centers_`` (m, d). The centres are rows of the training data, or points the user gave,
    and a model file holds them. ``scale_`` (d,) is what columns are divided by where distances are measured, or None.
    """

    coef_: Array
    centers_: Array
    bandwidth_: float
    scale_: Array | None

    #: The words that ``centers`` may be.
    _center_words: tuple[str, ...] = ("all",)

    bandwidth: Any
    centers: Any
    random_state: Any
    units: Any

    def _read(self, X: Any, y: Any, sample_weight: Any, *, validated: bool) -> Ground:
        """Check what fit was given, and choose the centres; `validated` says that something is cross-validated."""
        asked, width = read_centers_parameter(self.centers, self._center_words), read_bandwidth(self.bandwidth)
        units = choice("units", self.units, UNITS)
        reading = read_training(self, X, y, sample_weight, allow_counts=True)
        table = reading.table
        refuse_not_finite(table)
        sds = standard_deviations(table)
        scale, notes = (scale_of(sds), ()) if units == "sd" else (None, dominating_notes(table, sds))
        if isinstance(asked, int):
            chosen = landmarks(table, asked, seed_of(self.random_state))
            asked = "all" if len(chosen) < asked else chosen
        elif not isinstance(asked, str):
            asked = given_centers(asked, table)
        everywhere = isinstance(asked, str)
        distinct = None
        if everywhere or validated or width == "cv":
            distinct = distinct_rows(table, reading.targets.n_classes)
        if isinstance(asked, str):
            assert distinct is not None
            refuse_many(len(distinct.rows))
            asked = distinct.rows
        if isinstance(width, str):
            rows = landmarks(table, MOST_MEASURED, None) if distinct is None else distinct.rows
            width, more = median_bandwidth(rows if scale is None else measured(rows, rows[0], scale))
            notes = (*notes, *more)
        return Ground(reading, asked, distinct, everywhere, width, notes, scale)

    def _scores(self) -> KernelScores:
        scale = vars(self).get("scale_")  # files from before there were units have none
        return KernelScores(GaussianKernel(self.centers_, self.bandwidth_, scale), self.coef_)

    def decision_function(self, X: Any) -> Array:
        """Give the scores: (n,) for two classes, positive for ``classes_[1]``; (n, K) for more."""
        raise NotImplementedError

    def margins(self, X: Any, y: Any) -> Array:
        """Give how far each row is on the right side: t f(x), or its class's score less the best other's, (n,).

        Book: [Sugiyama] §28.1.2; [Deuschle] §3.4.3.
        """
        return margins_of(self.decision_function(X), aligned(X, y, "y"), self.classes_)
