"""`GenerativeClassifier`: base class of classifiers that estimate p(x | class) and P(class) in one sweep."""

from abc import abstractmethod
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.backends.csr import to_dense
from posteriori.checks.parameters import non_negative, read_priors
from posteriori.engines.blas import single_threaded_blas
from posteriori.engines.select import engine_for
from posteriori.estimators.base import Classifier
from posteriori.estimators.from_statistics import FromStatistics
from posteriori.estimators.generative.density import DensityMethods
from posteriori.families.base import Family
from posteriori.families.joint_density import Group, JointDensity
from posteriori.input.faults import refuse_subnormal
from posteriori.input.training import Reading, read_training
from posteriori.messages.errors import DataError
from posteriori.messages.notes import Note
from posteriori.models.base import InputColumns
from posteriori.models.density import DensityModel
from posteriori.models.generative_summary import Summary
from posteriori.models.linear_form import LinearForm
from posteriori.sweeps.generative import CellSweep, GenerativeSweep
from posteriori.tables.block import Block
from posteriori.tables.table import Table


class GenerativeClassifier(FromStatistics, DensityMethods, Classifier):
    """A classifier that estimates the density of each class in one sweep over the rows.

    Subclasses choose the families of the columns.

    Book: [Bishop] §4.2; [Jordan] §7.2; [Mitchell] §2.
    """

    class_priors: Any

    class_smoothing: Any

    _model_type: ClassVar[type[DensityModel]] = DensityModel
    #: Whether the book counts the class priors among the parameters.
    _counts_priors: ClassVar[bool] = True

    @abstractmethod
    def _plan(self, table: Table, before: Summary | None) -> tuple[Table, tuple[Group, ...]]:
        """Check the parameters, choose the family of each column, and code categories."""

    # --- fitting

    def _summarize(
        self, X: Any, y: Any, sample_weight: Any, classes: Any = None, before: Summary | None = None
    ) -> tuple[Summary, Reading]:
        reading = read_training(
            self,
            X,
            y,
            sample_weight,
            sparse=self._takes_sparse,
            categories=self._takes_categories,
            classes=classes,
            known_names=before is not None,
            by_pairs=False,
        )
        table, groups = self._plan(reading.table.for_wide_statistics(), before)
        sweep = GenerativeSweep(groups, reading.targets.n_classes, self._takes_missing())
        joined = engine_for(table).run(sweep)
        self._refuse(table, groups, joined.parts[1::2])
        return Summary(reading.targets.classes, table.schema, groups, joined.parts[0], joined.parts[2::2]), reading

    def _learn(self, summary: Summary, noted: dict[str, Any], reading: Reading | None = None) -> Self:
        priors = self._priors(summary)
        parts = list(zip(summary.groups, summary.statistics, strict=True))
        with single_threaded_blas():  # small matrices
            density = JointDensity(summary.groups, tuple(group.family.estimate(part) for group, part in parts))
        notes = self._summary_notes(summary)
        for group, part in parts:
            refuse_subnormal(summary.schema, getattr(part, "scale", np.empty(0)), group.columns)
            if type(group.family).notes is not Family.notes:  # collecting the names of 50,000 columns takes time
                names = tuple(summary.schema.columns[j].name for j in group.columns)
                notes += group.family.notes(part, names, summary.classes)
        return self._hold(
            self._model_type(
                classes=summary.classes,
                columns=InputColumns.of(noted),
                status="not_converged" if any(note.code == "not-converged" for note in notes) else "ok",
                notes=tuple(notes),
                statistics=summary,
                density=density,
                class_priors=priors,
                prior_parameters=self._prior_parameters(len(priors)),
            )
        )

    @abstractmethod
    def _summary_notes(self, summary: Summary) -> list[Note]:
        """Return notes on the statistics as a whole, which precede those of the families; raise if there are none."""

    def _prior_parameters(self, n_classes: int) -> int:
        """Count the free parameters of the class priors: none if they are a parameter, or the book leaves them out."""
        return n_classes - 1 if self._counts_priors and self.class_priors is None else 0

    def _priors(self, summary: Summary) -> Array:
        """Return (N_k + l) / (N + l K), or the parameter ``class_priors``. Book: [Mitchell] Eq. 8-9, §2.3."""
        if self.class_priors is not None:
            return read_priors(self.class_priors, len(summary.classes))
        weight = summary.weight.values + non_negative("class_smoothing", self.class_smoothing)
        priors: Array = weight / weight.sum()
        return priors

    # --- linear form

    def as_linear(self) -> LinearForm:
        """Return the posterior as a softmax of scores that are linear in sufficient statistics T(x).

        Book: [Mitchell] Eq. 22, §3.1; [Jordan] §7.2.
        """
        check_is_fitted(self)
        self.model_.refuse_quadratic("linear form")
        coefs, intercept = [], self.model_.log_priors
        titles: list[str] = []
        for group, parameters in zip(self.model_.density.groups, self.model_.density.parameters, strict=True):
            names = tuple(self._title(j) for j in group.columns)
            with np.errstate(all="ignore"):
                part = group.family.linear(parameters, names, self.model_.statistics.levels(group))
            if part is None:
                raise DataError(
                    f"the posterior is not linear in the statistics of family {group.family.name!r}: "
                    f"{group.family.not_linear}"
                )
            if not (np.isfinite(part.coef).all() and np.isfinite(part.intercept).all()):
                raise DataError(
                    f"a coefficient of the statistics of family {group.family.name!r} is beyond the range of floats: "
                    "use other units for the columns."
                )
            coefs.append(part.coef)
            intercept = intercept + part.intercept
            titles += part.names
        return LinearForm(np.hstack(coefs), intercept, tuple(titles), self._statistic)

    def _title(self, column: int) -> str:
        name = self.model_.statistics.schema.columns[column].name
        return name if isinstance(name, str) else f"x{name}"

    def _statistic(self, X: Any) -> Array:
        """Return T(x) of rows; raise for missing values."""
        engine, groups = self._rows(X), self.model_.density.groups
        self._refuse(engine.table, groups, engine.run(CellSweep(groups, missing_allowed=False)).parts)
        return engine.map(partial(_statistics, groups))


def _statistics(groups: tuple[Group, ...], block: Block) -> Array:
    """Return the sufficient statistics T(x) of the rows of a block, group by group."""
    return np.hstack([group.family.statistic(to_dense(group.pick(block.features))) for group in groups])
