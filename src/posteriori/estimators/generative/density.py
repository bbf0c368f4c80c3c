"""`DensityClassifier`: predictions, log densities and samples of a classifier with class-conditional densities."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.backends.csr import missing_rows
from posteriori.engines.base import Engine
from posteriori.estimators.base import Classifier, as_given, logs_as_given
from posteriori.families.joint_density import Group, JointDensity
from posteriori.input.faults import refuse_cells
from posteriori.input.frames.native import frame_of
from posteriori.messages.errors import DataError, NotIdentifiedWarning
from posteriori.messages.notes import Note
from posteriori.models.bayes_rule import best, impossible, log_evidence, log_posterior, posterior
from posteriori.models.generative_summary import Summary
from posteriori.statistics.base import Joined
from posteriori.sweeps.generative import CellSweep
from posteriori.tables.block import Block
from posteriori.tables.schema import Schema
from posteriori.tables.table import Table

FILL = "Fill missing values, leave out their rows, or use NaiveBayes, which needs no imputation."


class DensityClassifier(Classifier):
    """A classifier with one density per class, and Bayes' rule.

    P(k | x) = p(x | k) P(k) / sum_j p(x | j) P(j).

    Book: [Bishop] Eq. 4.57 and 4.62, §4.2; [Jordan] §7.2; [Mitchell] §1.
    """

    statistics_: Summary
    density_: JointDensity
    classes_: NDArray[Any]
    class_priors_: Array

    @abstractmethod
    def _takes_missing(self) -> bool:
        """Return whether missing values are marginalised; otherwise they are an error."""

    def _schema(self) -> Schema | None:
        return self.statistics_.schema

    @property
    def _log_priors(self) -> Array:
        with np.errstate(divide="ignore"):  # the log of a prior of zero is -inf
            return np.log(self.class_priors_)

    def _joint(self, block: Block, method: str = "discriminant") -> Array:
        """Return log p(x | k) P(k), up to a term common to the classes; NaN for rows with invalid cells."""
        scores: Array = getattr(self.density_, method)(block.features, block.backend) + self._log_priors
        if not self._takes_missing() and np.isnan(block.features.sum()):
            scores[missing_rows(block.features)] = np.nan
        return scores

    def _log_probabilities(self, block: Block) -> Array:
        logs = log_posterior(self._joint(block))
        logs[impossible(logs)] = self._log_priors
        return logs

    def _mapped(self, engine: Engine, finish: Callable[[Array], NDArray[Any]], instead: Any) -> NDArray[Any]:
        """Apply `finish` to the log joints of the rows; impossible rows get `instead`, with a warning."""
        self._check_cells(engine)
        result: NDArray[Any] = engine.map(lambda block: finish(self._joint(block)))
        first = result if result.ndim == 1 else result[:, 0]
        if np.isnan(first).any():
            self._explain_nan(engine)
        rows = impossible(result)
        if len(rows):
            result[rows] = instead
            _impossible_rows(len(rows)).warn()
        return result

    def _check_cells(self, engine: Engine) -> None:
        """Check the cells before predicting; most classes check the result instead."""

    def _explain_nan(self, engine: Engine) -> None:
        """Raise for the cells that made a score NaN, by column and row."""
        groups = self.density_.groups
        joined: Joined = engine.run(CellSweep(groups, self._takes_missing()))
        self._refuse(engine.table, groups, joined.parts)

    def _refuse(self, table: Table, groups: tuple[Group, ...], tallies: tuple[Any, ...]) -> None:
        for group, tally in zip(groups, tallies, strict=True):
            refuse_cells(table, tally, group.family.domain(), columns=group.columns, remedy=self._remedy())

    def _remedy(self) -> str:
        return "" if self._takes_missing() else FILL

    def _logs(self, X: Any, engine: Engine) -> NDArray[Any]:
        return logs_as_given(X, self._mapped(engine, log_posterior, self._log_priors))

    def _probabilities(self, X: Any, engine: Engine) -> NDArray[Any]:
        return as_given(X, self._mapped(engine, posterior, self.class_priors_))

    def _labels(self, engine: Engine) -> NDArray[Any]:
        codes = self._mapped(engine, best, float(self.class_priors_.argmax()))
        return self.classes_[codes.astype(np.intp)]

    def decision_function(self, X: Any) -> Array:
        """Return the log odds of ``classes_[1]``, (n,), or for more classes log p(x | k) P(k), (n, K).

        The latter up to a term common to all classes of a row.
        """
        joint = self._mapped(self._engine(X), lambda joint: joint, self._log_priors)
        return joint if len(self.classes_) > 2 else joint[:, 1] - joint[:, 0]

    def log_density(self, X: Any) -> Array:
        """Return log p(x) = log sum_k p(x | k) P(k) of each row, (n,): small for unusual rows.

        Missing values are integrated out; a row that is impossible under every class has -inf.
        """
        engine = self._engine(X)
        self._check_cells(engine)
        result = engine.map(lambda block: log_evidence(self._joint(block, "log_density")))
        if not np.isfinite(result).all():
            self._explain_nan(engine)
        return result

    def sample(self, n: int, random_state: Any = None) -> tuple[Any, NDArray[Any]]:
        """Draw rows from the model: the class by its prior, then the columns by its density.

        Parameters
        ----------
        n : number of rows
        random_state : None, a seed, or a numpy RandomState

        Returns
        -------
        X : (n, d), a frame if the model was fitted to one
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


def _impossible_rows(count: int) -> Note:
    return Note(
        "impossible-rows",
        f"{count} row(s) are impossible under every class (density zero): their probabilities are the class priors.",
        remedy="Use smoothing above zero, so that every category has a positive probability.",
        category=NotIdentifiedWarning,
    )
