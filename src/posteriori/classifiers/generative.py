"""What generative classifiers share: p(x | class) and P(class) from one sweep, then Bayes' rule."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Self

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from posteriori.classifiers.base import Classifier, as_given, logs_as_given
from posteriori.classifiers.bayes_rule import best, impossible, log_evidence, log_posterior, posterior
from posteriori.classifiers.linear_form import LinearForm
from posteriori.engines.base import Engine
from posteriori.engines.select import engine_for
from posteriori.families.joint import Group, JointDensity
from posteriori.statistics.base import Joined
from posteriori.sweeps.generative import CellSweep, GenerativeSweep
from posteriori.sweeps.summary import Summary
from posteriori.tables.block import Block
from posteriori.tables.border import read_training
from posteriori.tables.complaints import read_priors, refuse_cells, refuse_subnormal, refuse_unknown_classes
from posteriori.tables.errors import DataError, NotIdentifiedWarning
from posteriori.tables.frames import frame_of
from posteriori.tables.notes import Note
from posteriori.tables.schema import Schema
from posteriori.tables.table import MemoryTable, Table

Array = NDArray[np.float64]


class GenerativeClassifier(Classifier):
    """A classifier that models each class's rows and turns them round by Bayes' rule.

    P(k | x) = p(x | k) P(k) / sum_j p(x | j) P(j). Concrete ones say which families the columns follow.

    Book: [Bishop] Eq. 4.57 and 4.62, §4.2; [Jordan] §7.2; [Mitchell] Eq. 1, §1.
    """

    class_priors: Any
    statistics_: Summary
    density_: JointDensity
    classes_: NDArray[Any]
    class_priors_: Array

    @abstractmethod
    def _plan(self, table: MemoryTable, before: Summary | None) -> tuple[MemoryTable, tuple[Group, ...]]:
        """Check the parameters, give each column its family, and code what must be coded."""

    @abstractmethod
    def _takes_gaps(self) -> bool:
        """Whether missing cells are marginalised rather than refused."""

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
            known = None if classes is None else np.unique(np.asarray(classes))
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
            categories=self._takes_categories,
            classes=classes,
            known_names=before is not None,
        )
        table, groups = self._plan(reading.table, before)
        n_classes, gaps = reading.targets.n_classes, self._takes_gaps()
        joined = engine_for(table).run(GenerativeSweep(groups, n_classes, table.size, gaps))
        self._refuse(table, groups, joined.parts[1::2])
        summary = Summary(reading.targets.classes, table.schema, groups, joined.parts[0], joined.parts[2::2])
        return summary, {**reading.noted, "frame_library_": _library(X, table.schema)}

    def _learn(self, summary: Summary, noted: dict[str, Any]) -> Self:
        """Estimate everything from the statistics."""
        priors = self._priors(summary)
        parts = list(zip(summary.groups, summary.statistics, strict=True))
        density = JointDensity(summary.groups, tuple(group.family.estimate(part) for group, part in parts))
        notes: list[Note] = []
        for group, part in parts:
            refuse_subnormal(summary.schema, getattr(part, "scale", np.empty(0)), group.columns)
            names = tuple(summary.schema.columns[j].name for j in group.columns)
            notes += group.family.notes(part, names, summary.classes)
        free = density.n_parameters + (len(priors) - 1 if self.class_priors is None else 0)
        learned = {
            "classes_": summary.classes,
            "class_priors_": priors,
            "statistics_": summary,
            "density_": density,
            "n_parameters_": free,
            "fit_status_": "ok",
        }
        return self._adopt(tuple(notes), **noted, **learned, **self._attributes(summary, density, priors))

    def _priors(self, summary: Summary) -> Array:
        """Give (N_k + l) / (N + l K), or the priors given. Book: [Mitchell] Eq. 8-9, §2.3."""
        if self.class_priors is not None:
            return read_priors(self.class_priors, len(summary.classes))
        weight = summary.weight.values + self._smoothing_of_classes()
        priors: Array = weight / weight.sum()
        return priors

    # --- predicting

    def _schema(self) -> Schema | None:
        return self.statistics_.schema

    @property
    def _log_priors(self) -> Array:
        with np.errstate(divide="ignore"):  # a class of prior zero is never predicted
            return np.log(self.class_priors_)

    def _joint(self, block: Block, size: int, method: str = "discriminant") -> Array:
        """Give log p(x | k) P(k), up to a term common to the classes; NaN for rows that must be refused."""
        scores: Array = getattr(self.density_, method)(block.features, size) + self._log_priors
        if not self._takes_gaps() and np.isnan(block.features.sum()):
            scores[np.isnan(block.features).any(axis=1)] = np.nan
        return scores

    def _log_probabilities(self, block: Block) -> Array:
        logs = log_posterior(self._joint(block, block.features.size))
        logs[impossible(logs)] = self._log_priors
        return logs

    def _mapped(self, engine: Engine, finish: Callable[[Array], NDArray[Any]], instead: Any) -> NDArray[Any]:
        """Map rows to what `finish` makes of their scores; impossible rows get `instead`, with a warning."""
        self._check_cells(engine)
        size = engine.table.size
        result: NDArray[Any] = engine.map(lambda block: finish(self._joint(block, size)))
        first = result if result.ndim == 1 else result[:, 0]
        if np.isnan(first).any():
            self._explain_nan(engine)
        lost = impossible(result)
        if len(lost):
            result[lost] = instead
            _impossible_rows(len(lost)).warn(stacklevel=5)
        return result

    def _check_cells(self, engine: Engine) -> None:
        """Look at the cells before predicting; most models learn all they need from the result."""

    def _explain_nan(self, engine: Engine) -> None:
        """Find the cells that made a score NaN, and refuse them by name."""
        groups = self.density_.groups
        joined: Joined = engine.run(CellSweep(groups, self._takes_gaps()))
        self._refuse(engine.table, groups, joined.parts)

    def _refuse(self, table: Table, groups: tuple[Group, ...], tallies: tuple[Any, ...]) -> None:
        for group, tally in zip(groups, tallies, strict=True):
            refuse_cells(table, tally, group.family.domain(), columns=group.columns, cure=self._cure())

    def _cure(self) -> str:
        return (
            "" if self._takes_gaps() else "Fill the gaps, leave their rows out, or use NaiveBayes, which can use them."
        )

    def _logs(self, X: Any, engine: Engine) -> NDArray[Any]:
        return logs_as_given(X, self._mapped(engine, log_posterior, self._log_priors))

    def _probabilities(self, X: Any, engine: Engine) -> NDArray[Any]:
        return as_given(X, self._mapped(engine, posterior, self.class_priors_))

    def _labels(self, engine: Engine) -> NDArray[Any]:
        codes = self._mapped(engine, best, float(self.class_priors_.argmax()))
        labels: NDArray[Any] = self.classes_[codes.astype(np.intp)]
        return labels

    def decision_function(self, X: Any) -> Array:
        """Give the log odds of ``classes_[1]``, (n,), or for more classes log p(x | k) P(k), (n, K).

        The latter up to a term that is the same for all classes of a row.
        """
        joint = self._mapped(self._engine(X), lambda joint: joint, self._log_priors)
        return joint if len(self.classes_) > 2 else joint[:, 1] - joint[:, 0]

    def log_density(self, X: Any) -> Array:
        """Give log p(x) = log sum_k p(x | k) P(k) of each row, (n,): small for odd rows.

        A missing cell is integrated out; a row impossible under every class has -inf.
        """
        engine = self._engine(X)
        self._check_cells(engine)
        size = engine.table.size
        result = engine.map(lambda block: log_evidence(self._joint(block, size, "log_density")))
        if not np.isfinite(result).all():
            self._explain_nan(engine)
        return result

    def sample(self, n: int, random_state: Any = None) -> tuple[Any, NDArray[Any]]:
        """Draw rows from the model: the class by its prior, then the columns by its density.

        Parameters
        ----------
        n : how many rows
        random_state : None, a seed, or a numpy RandomState

        Returns
        -------
        X : (n, d), a frame where the model was fitted on one
        y : (n,) classes
        """
        check_is_fitted(self)
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
            raise DataError(f"sample needs a whole number of rows from 1 up, not {n!r}.")
        rng = np.random.default_rng(check_random_state(random_state).randint(0, 2**31 - 1, size=4))
        codes = rng.choice(len(self.classes_), size=n, p=self.class_priors_ / self.class_priors_.sum())
        schema = self.statistics_.schema
        rows = self.density_.sample(codes, len(schema.columns), rng)
        cells = {
            column.name: rows[:, j] if column.levels is None else column.levels[rows[:, j].astype(np.intp)]
            for j, column in enumerate(schema.columns)
        }
        library = getattr(self, "frame_library_", None)
        X = np.column_stack(list(cells.values())) if library is None else frame_of(cells, native=library)  # type: ignore[arg-type]
        return X, self.classes_[codes]

    def as_linear(self) -> LinearForm:
        """Give the posterior as a softmax of weights over sufficient statistics T(x).

        Book: [Mitchell] Eq. 22, §3.1; [Jordan] §7.2.
        """
        check_is_fitted(self)
        coefs, intercept = [], self._log_priors
        titles: list[str] = []
        for group, parameters in zip(self.density_.groups, self.density_.parameters, strict=True):
            names = tuple(self._title(j) for j in group.columns)
            part = group.family.linear(parameters, names, self.statistics_.levels(group))
            if part is None:
                raise DataError(self._not_linear(group))
            coefs.append(part.coef)
            intercept = intercept + part.intercept
            titles += part.names
        return LinearForm(np.hstack(coefs), intercept, tuple(titles), self._statistic)

    def _not_linear(self, group: Group) -> str:
        return (
            f"the posterior is not linear in the statistics of family {group.family.name!r}: a probability "
            "of zero has no weight. Smoothing above zero gives it one."
        )

    def _title(self, column: int) -> str:
        name = self.statistics_.schema.columns[column].name
        return name if isinstance(name, str) else f"x{name}"

    def _statistic(self, X: Any) -> Array:
        """Give T(x) of some rows; a gap has none."""
        engine = self._engine(X)
        groups = self.density_.groups
        joined: Joined = engine.run(CellSweep(groups, gaps=False))
        self._refuse(engine.table, groups, joined.parts)
        return engine.map(lambda block: np.hstack([g.family.statistic(g.pick(block.features)) for g in groups]))


def _library(X: Any, schema: Schema) -> str | None:
    """Name the library of the frame that X is, or None."""
    frame = nw.from_native(X, eager_only=True, pass_through=True) if schema.named else None
    return str(frame.implementation.value) if isinstance(frame, nw.DataFrame) else None


def _impossible_rows(count: int) -> Note:
    return Note(
        "impossible-rows",
        f"{count} row(s) are impossible under every class (a probability of zero in each): they were given "
        "the class priors.",
        cure="Smoothing above zero gives every category a chance.",
        category=NotIdentifiedWarning,
    )
