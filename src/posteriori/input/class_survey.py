"""The classes, the number and the weight of the rows of a fit, from their batches."""

from dataclasses import dataclass
from functools import reduce

import numpy as np

from posteriori.arrays import AnyArray
from posteriori.input.frames.batches import Batch, located
from posteriori.input.frames.row_selection import missing_labels
from posteriori.input.frames.training_rows import TrainingRows
from posteriori.input.targets import distinct_labels, merged_classes, missing_message, refuse_one_class
from posteriori.input.weights import EXPONENTS
from posteriori.messages.errors import DataError


@dataclass(frozen=True)
class ClassSurvey:
    """What the labels and weights of some rows show.

    Parameters
    ----------
    classes : the classes, sorted; None without rows
    n_rows, weight, largest : number of rows, sum of their weights and largest of them
    missing : number of rows without a label
    n_dropped : number of rows left out for missing values
    """

    classes: AnyArray | None = None
    n_rows: int = 0
    weight: float = 0.0
    largest: float = 0.0
    missing: int = 0
    n_dropped: int = 0

    @classmethod
    def of(cls, batch: Batch) -> "ClassSurvey":
        """Return what a batch shows."""
        n_rows, weights = len(batch.frame), batch.weights
        if n_rows == 0:
            return cls(n_dropped=batch.n_dropped)
        without = missing_labels(batch.target, n_rows)
        labels = batch.target.filter((~without).tolist()) if without.any() else batch.target
        return cls(
            None if without.all() else distinct_labels(labels.to_native(), len(labels)),
            n_rows,
            float(n_rows) if weights is None else float(weights.sum()),
            1.0 if weights is None else float(weights.max()),
            int(without.sum()),
            batch.n_dropped,
        )

    def merge(self, other: "ClassSurvey") -> "ClassSurvey":
        """Return what both batches show; raise if their labels are of different types."""
        known = [classes for classes in (self.classes, other.classes) if classes is not None]
        return ClassSurvey(
            merged_classes(*known) if len(known) == 2 else known[0] if known else None,
            self.n_rows + other.n_rows,
            self.weight + other.weight,
            max(self.largest, other.largest),
            self.missing + other.missing,
            self.n_dropped + other.n_dropped,
        )


def survey_classes(rows: TrainingRows) -> tuple[ClassSurvey, tuple[int, ...]]:
    """Return what the labels and weights of all rows show, and the number of rows of each partition."""
    parts = [_survey_partition(rows, partition) for partition in range(rows.n_partitions)]
    return reduce(ClassSurvey.merge, parts), tuple(part.n_rows for part in parts)


def _survey_partition(rows: TrainingRows, partition: int) -> ClassSurvey:
    summary = ClassSurvey()
    for batch in rows.batches(partition):
        with located(rows, partition, batch):
            summary = summary.merge(ClassSurvey.of(batch))
    return summary


def usable_classes(survey: ClassSurvey) -> AnyArray:
    """Return the classes; raise if there are no rows, labels are missing, or weights are out of range."""
    if survey.missing:
        raise DataError(missing_message(survey.missing))
    if survey.classes is None:
        raise DataError("there are no rows to fit: all weights are zero.")
    refuse_one_class(survey.classes, survey.n_rows)
    exponent = int(np.frexp(survey.largest)[1])
    if not EXPONENTS[0] <= exponent <= EXPONENTS[1]:
        raise DataError(
            f"sample_weight: the largest weight is {survey.largest:.3g}; rows read in batches need weights between "
            f"2^{EXPONENTS[0]} and 2^{EXPONENTS[1]}. Multiply all weights by one number."
        )
    return survey.classes
