"""`NaiveBayes`: columns of any kind, independent given the class."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.classifiers.column_families import coded, families_of, family_for, grouped, index_of
from posteriori.classifiers.column_table import ColumnTable
from posteriori.classifiers.dictionaries import with_dictionaries
from posteriori.classifiers.generative import GenerativeClassifier
from posteriori.engines.base import Engine
from posteriori.engines.select import engine_for
from posteriori.families.base import Family
from posteriori.families.gaussian_scale import ESTIMATES
from posteriori.families.joint import Group, JointDensity
from posteriori.families.table import Settings
from posteriori.sweeps.generative import UnseenSweep
from posteriori.sweeps.summary import Summary
from posteriori.tables.complaints import choice, non_negative, unseen_note
from posteriori.tables.errors import DataError
from posteriori.tables.features import Features, read_features
from posteriori.tables.schema import Schema
from posteriori.tables.table import MemoryTable

Array = NDArray[np.float64]

#: The family of a column of which nothing is said, by its kind.
AUTO = {"boolean": "bernoulli", "category": "categorical", "number": "gaussian"}
#: What may be done about gaps and about categories that training never showed.
ANSWERS = ("marginalize", "error")


class NaiveBayes(GenerativeClassifier):
    """Naive Bayes over columns of any kind: numbers, truth values, categories, with gaps.

    P(k | x) is proportional to P(k) prod_j p(x_j | k), each column following its own family. A missing cell
    is left out of the product, in fit and in predict, which marginalises it exactly.

    Book: [Mitchell] Eq. 3-15, §2; [Jordan] §7.2; [Bishop] Eq. 4.81, §4.2.3.

    Parameters
    ----------
    families : "auto" | name | {column: name or Family}
        Names: "gaussian", "bernoulli", "categorical". "auto" goes by the column's type: truth values are
        bernoulli, text is categorical, numbers are gaussian. Columns a dict leaves out are "auto".
    smoothing : float
        Imagined rows in each category of each class (Eq. 7).
    class_smoothing : float
        Imagined rows in each class (Eq. 9).
    estimate : "ml" | "unbiased"
        Of Gaussian variances: divide by N, or by N less the means taken (Eq. 14-15).
    shared : False | True | "all"
        Gaussian variances for each class and column, one a column, or a single one.
    class_priors : (K,) P(k) in the order of ``classes_``, by default as counted
    missing : "marginalize" | "error"
    unseen : "marginalize" | "error"
        What to do about categories that training never showed.

    Attributes
    ----------
    classes_ : (K,)
    class_priors_ : (K,)
    families_ : the fitted family of every column, with its parameters by class
    n_parameters_ : n(J - 1)K for n columns of J categories, 2nK for n Gaussian ones, plus K - 1
    fit_notes_ : what the fit has to say, such as that a class shows no spread in a column
    statistics_ : counts, means and scatters: all that was kept of the rows

    Notes
    -----
    A class without spread in a column takes the column's pooled variance; a column without any spread is left
    out; each with a `DegenerateVarianceWarning`. No constant is added to a variance.

    Examples
    --------
    >>> import pandas as pd
    >>> import posteriori as pt
    >>> X = pd.DataFrame({"color": ["red", "red", "green", "green", None], "size": [1, 2, 4, None, 6]})
    >>> model = pt.NaiveBayes().fit(X, ["a", "a", "b", "b", "b"])
    >>> model.table("color")["probability"].tolist()
    [[0.25, 0.75], [0.75, 0.25]]
    >>> model.predict(X).tolist()
    ['a', 'a', 'b', 'b', 'b']
    """

    _takes_categories = True

    def __init__(
        self,
        *,
        families: Any = "auto",
        smoothing: float = 1.0,
        class_smoothing: float = 0.0,
        estimate: str = "ml",
        shared: bool | str = False,
        class_priors: Any = None,
        missing: str = "marginalize",
        unseen: str = "marginalize",
    ) -> None:
        self.families = families
        self.smoothing = smoothing
        self.class_smoothing = class_smoothing
        self.estimate = estimate
        self.shared = shared
        self.class_priors = class_priors
        self.missing = missing
        self.unseen = unseen

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "marginalize"
        return tags

    def table(self, column: str | int) -> ColumnTable:
        """Give the fitted parameters of one column, by class.

        Parameters
        ----------
        column : its name, or its number
        """
        schema = self.statistics_.schema
        found: ColumnTable = self.families_[schema.columns[index_of(schema, column)].name]
        return found

    # --- learning

    def _takes_gaps(self) -> bool:
        return bool(choice("missing", self.missing, ANSWERS) == "marginalize")

    def _cure(self) -> str:
        return "" if self._takes_gaps() else "missing='marginalize' uses rows with gaps."

    def _smoothing_of_classes(self) -> float:
        return non_negative("class_smoothing", self.class_smoothing)

    def _plan(self, table: MemoryTable, before: Summary | None) -> tuple[MemoryTable, tuple[Group, ...]]:
        choice("unseen", self.unseen, ANSWERS)
        families = self._families(table.schema) if before is None else families_of(before)
        table = with_dictionaries(table, tuple(j for j, family in enumerate(families) if family.takes_levels))
        return table, grouped(families, table.schema)

    def _families(self, schema: Schema) -> list[Family]:
        """Give every column its family."""
        settings = Settings(
            non_negative("smoothing", self.smoothing),
            choice("shared", self.shared, (False, True, "all")),
            choice("estimate", self.estimate, ESTIMATES),
        )
        named: dict[int, Any] = {}
        if isinstance(self.families, Mapping):
            named = {index_of(schema, key): value for key, value in self.families.items()}
        elif self.families != "auto":
            named = dict.fromkeys(range(len(schema.columns)), self.families)
        families = []
        for j, column in enumerate(schema.columns):
            family = family_for(named.get(j, AUTO[column.kind]), settings)
            if column.kind == "category" and not family.takes_levels:
                raise DataError(
                    f"{schema.describe(j)} holds text, and family {family.name!r} takes {family.domain()}: "
                    "give it the family 'categorical', or give the column as numbers."
                )
            families.append(family)
        return families

    def _attributes(self, summary: Summary, density: JointDensity, priors: Array) -> dict[str, Any]:
        tables = {}
        for group, parameters in zip(density.groups, density.parameters, strict=True):
            for at, j in enumerate(group.columns):
                column = summary.schema.columns[j]
                values = group.family.describe(parameters, at)
                tables[j] = ColumnTable(column.name, group.family.name, summary.classes, values, column.levels)
        return {"families_": {tables[j].column: tables[j] for j in sorted(tables)}}

    # --- predicting

    def _engine(self, X: Any, offset: Any = None) -> Engine:
        check_is_fitted(self)
        schema = self.statistics_.schema
        features = read_features(self, X, categories=True, schema=schema)
        return engine_for(MemoryTable(coded(features, schema)))

    def _check_cells(self, engine: Engine) -> None:
        """Count the categories that training never showed; refuse them if so wished."""
        features: Features = engine.table.features  # type: ignore[attr-defined]
        for group in self.density_.groups:
            if not group.family.takes_levels:
                continue
            sizes = tuple(len(values) for values in self.statistics_.levels(group))
            tally = engine.run(UnseenSweep(group, sizes))
            if tally.count.any():
                note = unseen_note(engine.table.schema, features, tally, group.columns)
                if self.unseen == "error":
                    raise DataError(str(note))
                note.warn(stacklevel=6)
