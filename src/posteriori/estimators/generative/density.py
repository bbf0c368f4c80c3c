"""`DensityMethods`: predictions, log densities and samples of a classifier with class-conditional densities."""

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.backends.csr import missing_rows
from posteriori.engines.base import Engine
from posteriori.estimators.base import as_given, logs_as_given
from posteriori.estimators.learned import Learned
from posteriori.families.joint_density import Group, JointDensity
from posteriori.input.faults import refuse_cells
from posteriori.input.frames.native import frame_of
from posteriori.messages.errors import DataError, NotIdentifiedWarning
from posteriori.messages.notes import Note
from posteriori.models.bayes_rule import best, impossible, log_evidence, log_posterior, posterior
from posteriori.models.density import DensityModel
from posteriori.models.generative_summary import Summary
from posteriori.statistics.base import Joined
from posteriori.sweeps.generative import CellSweep
from posteriori.sweeps.row_functions import Products, Then
from posteriori.tables.block import Block
from posteriori.tables.table import Table

if TYPE_CHECKING:
    from posteriori.estimators.base import Classifier as Methods  # whose methods the mixin uses
else:
    Methods = object


class DensityMethods(Methods):
    """A mixin: predictions, log densities and samples of a classifier with one density per class, and Bayes' rule.

    P(k | x) = p(x | k) P(k) / sum_j p(x | j) P(j).

    Book: [Bishop] Eq. 4.57 and 4.62, §4.2; [Jordan] §7.2; [Mitchell] §1.
    """

    model_: DensityModel
    statistics_ = Learned[Summary]("statistics")
    density_ = Learned[JointDensity]("density")
    class_priors_ = Learned[Array]("class_priors")

    @abstractmethod
    def _takes_missing(self) -> bool:
        """Return whether missing values are marginalised; otherwise they are an error."""

    @abstractmethod
    def _coded(self, engine: Engine) -> Engine:
        """Return the engine over the rows to predict, coded by the levels of the fit."""

    @abstractmethod
    def _check_cells(self, engine: Engine) -> None:
        """Check the cells before predicting, where the result does not show which are invalid."""

    def _rows(self, X: Any) -> Engine:
        """Check X against the fit and return the engine that reads its rows as the fit did."""
        return self._coded(self._engine(X))

    def _joint(self, block: Block, method: str = "discriminant") -> Array:
        """Return log p(x | k) P(k), up to a term common to the classes; NaN for rows with invalid cells."""
        scores = self.model_.joint(block, method)
        if not self._takes_missing() and np.isnan(block.features.sum()):
            scores[missing_rows(block.features)] = np.nan
        return scores

    def _mapped(self, engine: Engine, finish: Callable[[Array], NDArray[Any]], instead: Any) -> NDArray[Any]:
        """Apply `finish` to the log joints of the rows; impossible rows get `instead`, with a warning."""
        self._check_cells(engine)
        result: NDArray[Any] = engine.map(Then(self._joint, finish))
        first = result if result.ndim == 1 else result[:, 0]
        if np.isnan(first).any():
            self._explain_nan(engine)
        rows = impossible(result)
        if len(rows):
            result[rows] = instead
            _impossible_rows(len(rows)).warn()
        return result

    def _explain_nan(self, engine: Engine) -> None:
        """Raise for the cells that made a score NaN, by column and row."""
        groups = self.model_.density.groups
        joined: Joined = engine.run(CellSweep(groups, self._takes_missing()))
        self._refuse(engine.table, groups, joined.parts)

    def _refuse(self, table: Table, groups: tuple[Group, ...], tallies: tuple[Any, ...]) -> None:
        for group, tally in zip(groups, tallies, strict=True):
            refuse_cells(table, tally, group.family.domain(), columns=group.columns, remedy=self._remedy())

    #: What to do about missing values that are an error.
    _fill = "Fill missing values, leave out their rows, or use NaiveBayes, which needs no imputation."

    def _remedy(self) -> str:
        return "" if self._takes_missing() else self._fill

    def predict_log_proba(self, X: Any) -> NDArray[Any]:
        """Return log P(class | x), (n, K), exact where the probability itself would round to zero."""
        engine = self._rows(X)
        return logs_as_given(X, self._mapped(engine, log_posterior, self.model_.log_priors))

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Return P(class | x), (n, K) in the order of ``classes_``."""
        engine = self._rows(X)
        return as_given(X, self._mapped(engine, posterior, self.model_.class_priors))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        engine = self._rows(X)
        codes = self._mapped(engine, best, float(self.model_.class_priors.argmax()))
        return self.model_.classes[codes.astype(np.intp)]

    def decision_function(self, X: Any) -> Array:
        """Return the log odds of ``classes_[1]``, (n,), or for more classes scores, (n, K).

        The latter are log p(x | k) P(k) up to a term common to all classes of a row; of Gaussian classes that share a
        covariance w_k'x + w_k0.
        """
        engine = self._rows(X)
        joint = self._mapped(engine, np.asarray, self.model_.log_priors)
        if self.model_.n_classes == 2:
            odds: Array = joint[:, 1] - joint[:, 0]
            return odds
        if self.model_.linear_part is None:
            return joint
        coef, intercept = self.model_.linear_part
        linear = engine.map(Products(coef, intercept))
        # the two differ by a term common to the classes; adding its mean keeps the differences accurate
        with np.errstate(all="ignore"):
            shift = np.mean(linear - joint, axis=1, keepdims=True)
        return joint + np.where(np.isfinite(shift), shift, 0.0)

    def log_density(self, X: Any) -> Array:
        """Return log p(x) = log sum_k p(x | k) P(k) of each row, (n,): small for unusual rows.

        Missing values are integrated out; a row that is impossible under every class has -inf.
        """
        engine = self._rows(X)
        self._check_cells(engine)
        result = engine.map(Then(partial(self._joint, method="log_density"), log_evidence))
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
        codes = rng.choice(
            len(self.model_.classes), size=n, p=self.model_.class_priors / self.model_.class_priors.sum()
        )
        schema = self.model_.statistics.schema
        rows = self.model_.density.sample(codes, len(schema.columns), rng)
        cells = {
            column.name: rows[:, j] if column.levels is None else column.levels[rows[:, j].astype(np.intp)]
            for j, column in enumerate(schema.columns)
        }
        library = self.model_.columns.library
        X = np.column_stack(list(cells.values())) if library is None else frame_of(cells, native=library)  # type: ignore[arg-type]
        return X, self.model_.classes[codes]


def _impossible_rows(count: int) -> Note:
    return Note(
        "impossible-rows",
        f"{count} row(s) are impossible under every class (density zero): their probabilities are the class priors.",
        remedy="Use smoothing above zero, so that every category has a positive probability.",
        category=NotIdentifiedWarning,
    )
