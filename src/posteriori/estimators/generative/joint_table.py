"""`JointTable`: one probability per combination of values."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.checks.parameters import non_negative
from posteriori.engines.base import Engine
from posteriori.engines.select import engine_for
from posteriori.estimators.generative.base import GenerativeClassifier
from posteriori.estimators.generative.levels import coded, with_levels
from posteriori.estimators.parameters import parameters
from posteriori.families.joint_density import Group
from posteriori.families.joint_table import JointTableFamily
from posteriori.messages.errors import DataError, NotIdentifiedWarning
from posteriori.messages.notes import Note, quote
from posteriori.models.generative_summary import Summary
from posteriori.storable import storable
from posteriori.sweeps.generative import CellSweep
from posteriori.tables.table import Table
from posteriori.tables.views import CodedColumns


@storable
@parameters()
class JointTable(GenerativeClassifier):
    """The full joint table of discrete columns: per class, one probability for each combination of their values.

    P(x | k) = (#{x, k} + l) / (#{k} + l C) with C the number of cells, the product of the columns' numbers of
    values. It makes no assumptions, so it needs many rows: n booleans and two classes have 2 (2^n - 1) parameters.
    Its purpose is comparison with `NaiveBayes`, which assumes that columns are independent given the class.

    Book: [Mitchell] §1.1; Eq. 7 and 9, §2.3 for the smoothing.

    Parameters
    ----------
    smoothing : float
        Pseudo-rows added to each cell of each class.
    class_smoothing : float
        Pseudo-rows added to each class.
    max_parameters : int, optional
        Raise for a table with more parameters than this.

    Attributes
    ----------
    classes_ : (K,)
    class_priors_ : (K,)
    n_parameters_ : K (C - 1), a whole number of any size
    fit_notes_ : notes on the fit, for example that there are more parameters than rows
    statistics_ : the counts of the observed cells, from which the model is computed

    Notes
    -----
    Columns are text, booleans or numbers; a boolean column has two values, any other those of the training rows. A
    column of fractional numbers is treated as categorical, too, with a warning, since few of its values occur twice.
    Only observed cells are stored. A row in a cell of probability zero under every class, or with a value that did not
    occur in training, gets the class priors, with a warning that counts such rows. [Mitchell] counts over 3 billion
    parameters for 30 booleans; there are 2 (2^30 - 1) = 2,147,483,646.

    Examples
    --------
    Exclusive or, which no model with independent columns can represent:

    >>> import posteriori as pt
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 2, ["same", "other", "other", "same"] * 2
    >>> model = pt.JointTable().fit(X, y)
    >>> model.n_parameters_, model.predict(X[:4]).tolist()
    (6, ['same', 'other', 'other', 'same'])
    """

    smoothing: float = 0.0
    class_smoothing: float = 0.0
    max_parameters: int | None = None

    _takes_categories = True
    class_priors = None
    _counts_priors = False

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags

    # --- fitting

    def _takes_missing(self) -> bool:
        return False

    def _plan(self, table: Table, before: Summary | None) -> tuple[Table, tuple[Group, ...]]:
        smoothing = non_negative("smoothing", self.smoothing)
        self._refuse_missing(engine_for(table))
        others = tuple(j for j, column in enumerate(table.schema.columns) if column.kind != "boolean")
        table = _with_booleans(with_levels(table, others, any_number=True))
        sizes = tuple(len(column.levels) for column in table.schema.columns)  # type: ignore[arg-type]
        self._refuse_many(2, sizes)  # before the rows are counted: there are at least two classes
        return table, (Group(JointTableFamily(smoothing, sizes), tuple(range(table.n_columns))),)

    def _refuse_missing(self, engine: Engine) -> None:
        """Raise for missing and infinite cells, before cells are coded."""
        group = Group(JointTableFamily(), tuple(range(len(engine.table.schema.columns))))
        self._refuse(engine.table, (group,), engine.run(CellSweep((group,), missing_allowed=False)).parts)

    def _summary_notes(self, summary: Summary) -> list[Note]:
        self._refuse_many(len(summary.classes), summary.groups[0].family.sizes)  # type: ignore[attr-defined]
        fractional = [column.name for column in summary.schema.columns if _is_fractional(column.levels)]
        if not fractional:
            return []
        return [
            Note(
                "fractional-category",
                f"{len(fractional)} column(s) have fractional numbers ({quote(fractional)}), each value is a category.",
                tuple(fractional),
                remedy="Bin them (numpy.digitize), or use NaiveBayes or GaussianClassifier.",
                category=NotIdentifiedWarning,
            )
        ]

    def _refuse_many(self, n_classes: int, sizes: tuple[int, ...]) -> None:
        """Raise for a table with more parameters than allowed."""
        most = self.max_parameters
        if most is None:
            return
        if isinstance(most, bool) or not isinstance(most, int | np.integer) or most < 1:
            raise DataError(f"max_parameters={most!r} must be a whole number from 1 up, or None.")
        count = n_classes * (math.prod(sizes) - 1)
        if count > most:
            raise DataError(
                f"the joint table of {len(sizes)} columns has {count:,} parameters, more than "
                f"max_parameters={most:,}. Leave out columns, or use NaiveBayes, which has few parameters per column."
            )

    # --- predicting

    def _check_cells(self, engine: Engine) -> None:
        """Do nothing: cells are checked before they are coded."""

    def _coded(self, engine: Engine) -> Engine:
        self._refuse_missing(engine)
        return engine.on(coded(engine.table, self.model_.statistics.schema))


def _is_fractional(levels: NDArray[Any] | None) -> bool:
    """Return whether some levels are numbers that are not whole."""
    return levels is not None and levels.dtype.kind == "f" and bool((levels != np.floor(levels)).any())


def _with_booleans(table: Table) -> Table:
    """Return the table with the levels False and True for boolean columns, whether both occur or not."""
    both = np.array([False, True])
    levels = {j: both for j, column in enumerate(table.schema.columns) if column.kind == "boolean"}
    return table.view(CodedColumns(levels)) if levels else table
