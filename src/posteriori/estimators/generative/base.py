"""What generative classifiers share in learning: p(x | class) and P(class) from one sweep."""

from abc import abstractmethod
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.backends.csr import to_dense
from posteriori.checks.parameters import read_priors
from posteriori.engines.blas import single_threaded_blas
from posteriori.engines.select import engine_for
from posteriori.estimators.generative.density import DensityClassifier
from posteriori.families.base import Family
from posteriori.families.joint_density import Group, JointDensity
from posteriori.input.classes.later_calls import refuse_unknown_classes
from posteriori.input.faults import refuse_subnormal
from posteriori.input.targets import read_classes
from posteriori.input.training import read_training
from posteriori.messages.errors import DataError
from posteriori.messages.notes import Note
from posteriori.models.generative_summary import Summary
from posteriori.models.linear_form import LinearForm
from posteriori.statistics.base import Joined
from posteriori.sweeps.generative import CellSweep, GenerativeSweep
from posteriori.tables.memory import MemoryTable


class GenerativeClassifier(DensityClassifier):
    """A classifier that learns each class's density from one sweep over the rows.

    Concrete ones say which families the columns follow.

    Book: [Bishop] §4.2; [Jordan] §7.2; [Mitchell] §2.
    """

    class_priors: Any

    @abstractmethod
    def _plan(self, table: MemoryTable, before: Summary | None) -> tuple[MemoryTable, tuple[Group, ...]]:
        """Check the parameters, give each column its family, and code what must be coded."""

    def _smoothing_of_classes(self) -> float:
        """Give the number of imagined rows of each class."""
        return 0.0

    def _attributes(self, summary: Summary, density: JointDensity, priors: Array) -> dict[str, Any]:
        """Give what a fit learns besides."""
        return {}

    # --- learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows and their classes.

        Parameters
        ----------
        X : (n, d) rows
        y : (n,) classes
        sample_weight : (n,) weights; zero is the same as leaving the row out

        Returns
        -------
        The fitted classifier itself
        """
        summary, noted = self._summarize(X, y, sample_weight)
        return self._learn(summary, noted)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows; after all parts the answer is that of one fit on all rows.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`
        classes : all classes there will be, in the first call; by default those of the first call's y
        """
        if not hasattr(self, "statistics_"):
            known = None if classes is None else read_classes(classes)
            summary, noted = self._summarize(X, y, sample_weight, classes=known)
            return self._learn(summary, noted)
        refuse_unknown_classes(classes, self.classes_)
        part, _ = self._summarize(X, y, sample_weight, classes=self.classes_, before=self.statistics_)
        return self._learn(self.statistics_.merge(part), self._noted())

    def merge(self, other: Any) -> Self:
        """Give a new model: the one a fit on the rows of both would have given."""
        check_is_fitted(self)
        if type(other) is not type(self) or repr(other.get_params()) != repr(self.get_params()):
            raise DataError(f"{self!r} merges only with a model of the same kind and parameters, not {other!r}.")
        check_is_fitted(other)
        whole: Self = clone(self)
        return whole._learn(self.statistics_.merge(other.statistics_), self._noted())

    def _noted(self) -> dict[str, Any]:
        names = ("n_features_in_", "feature_names_in_", "frame_library_")
        return {name: getattr(self, name) for name in names if hasattr(self, name)}

    def _summarize(
        self, X: Any, y: Any, sample_weight: Any, classes: Any = None, before: Summary | None = None
    ) -> tuple[Summary, dict[str, Any]]:
        """Read the rows once and keep their statistics."""
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
        table, groups = self._plan(replace(reading.table, long_blocks=True), before)
        n_classes, gaps = reading.targets.n_classes, self._takes_gaps()
        joined = engine_for(table).run(GenerativeSweep(groups, n_classes, table.size, gaps))
        self._refuse(table, groups, joined.parts[1::2])
        summary = Summary(reading.targets.classes, table.schema, groups, joined.parts[0], joined.parts[2::2])
        return summary, {"frame_library_": None, **reading.noted}

    def _learn(self, summary: Summary, noted: dict[str, Any]) -> Self:
        """Estimate everything from the statistics."""
        priors = self._priors(summary)
        parts = list(zip(summary.groups, summary.statistics, strict=True))
        with single_threaded_blas():  # small matrices
            density = JointDensity(summary.groups, tuple(group.family.estimate(part) for group, part in parts))
        notes = self._notes(summary)
        for group, part in parts:
            refuse_subnormal(summary.schema, getattr(part, "scale", np.empty(0)), group.columns)
            if type(group.family).notes is not Family.notes:  # names of 50,000 columns take their time
                names = tuple(summary.schema.columns[j].name for j in group.columns)
                notes += group.family.notes(part, names, summary.classes)
        learned = {
            "classes_": summary.classes,
            "class_priors_": priors,
            "statistics_": summary,
            "density_": density,
            "n_parameters_": self._n_parameters(density, len(priors)),
            "fit_status_": "ok",
        }
        return self._adopt(tuple(notes), **noted, **learned, **self._attributes(summary, density, priors))

    def _notes(self, summary: Summary) -> list[Note]:
        """Say what the statistics as a whole ask to be said, before the families have theirs."""
        return []

    def _n_parameters(self, density: JointDensity, n_classes: int) -> int:
        """Count the free parameters: the densities', and the class priors unless they were given."""
        return density.n_parameters + (n_classes - 1 if self.class_priors is None else 0)

    def _priors(self, summary: Summary) -> Array:
        """Give (N_k + l) / (N + l K), or the priors given. Book: [Mitchell] Eq. 8-9, §2.3."""
        if self.class_priors is not None:
            return read_priors(self.class_priors, len(summary.classes))
        weight = summary.weight.values + self._smoothing_of_classes()
        priors: Array = weight / weight.sum()
        return priors

    # --- as weights

    def as_linear(self) -> LinearForm:
        """Give the posterior as a softmax of weights over sufficient statistics T(x).

        Book: [Mitchell] Eq. 22, §3.1; [Jordan] §7.2.
        """
        check_is_fitted(self)
        coefs, intercept = [], self._log_priors
        titles: list[str] = []
        for group, parameters in zip(self.density_.groups, self.density_.parameters, strict=True):
            names = tuple(self._title(j) for j in group.columns)
            with np.errstate(all="ignore"):
                part = group.family.linear(parameters, names, self.statistics_.levels(group))
            if part is None:
                raise DataError(self._not_linear(group))
            if not (np.isfinite(part.coef).all() and np.isfinite(part.intercept).all()):
                raise DataError(
                    f"a weight over the statistics of family {group.family.name!r} is above all floats: "
                    "give the columns in other units."
                )
            coefs.append(part.coef)
            intercept = intercept + part.intercept
            titles += part.names
        return LinearForm(np.hstack(coefs), intercept, tuple(titles), self._statistic)

    def _not_linear(self, group: Group) -> str:
        return (
            f"the posterior is not linear in the statistics of family {group.family.name!r}: {group.family.not_linear}"
        )

    def _title(self, column: int) -> str:
        name = self.statistics_.schema.columns[column].name
        return name if isinstance(name, str) else f"x{name}"

    def _statistic(self, X: Any) -> Array:
        """Give T(x) of some rows; a gap has none."""
        engine = self._engine(X)
        groups = self.density_.groups
        joined: Joined = engine.run(CellSweep(groups, missing_allowed=False))
        self._refuse(engine.table, groups, joined.parts)
        return engine.map(
            lambda block: np.hstack([g.family.statistic(to_dense(g.pick(block.features))) for g in groups])
        )
