"""`NaiveBayes`: columns of any type, independent given the class."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from posteriori.checks.parameters import choice
from posteriori.engines.base import Engine
from posteriori.estimators.generative.base import GenerativeClassifier
from posteriori.estimators.generative.column_families import (
    groups_for,
    index_of,
    read_settings,
    refuse_sparse,
    sized,
)
from posteriori.estimators.generative.column_parameters import ColumnTable
from posteriori.estimators.generative.levels import coded, with_levels
from posteriori.estimators.parameters import parameters
from posteriori.families.gaussian.normal_inverse_gamma import NormalInverseGamma
from posteriori.families.joint_density import Group
from posteriori.input.faults import unseen_note
from posteriori.input.frames.native import installed, native_of
from posteriori.messages.errors import DataError
from posteriori.messages.notes import Note
from posteriori.models.density_shares import centred, log_odds, share_names, shares
from posteriori.models.explanation import Explanation
from posteriori.models.generative_summary import Summary
from posteriori.storable import storable
from posteriori.sweeps.generative import UnseenSweep
from posteriori.tables.table import Table

#: How missing values, and categories that did not occur in training, may be treated.
STRATEGIES = ("marginalize", "error")


@storable
@parameters()
class NaiveBayes(GenerativeClassifier):
    """Naive Bayes for columns of any type: numbers, booleans, categories, with missing values.

    P(k | x) is proportional to P(k) prod_j p(x_j | k), with a family of distributions per column. Missing values are
    left out of the product, in fit and in predict, which is exact marginalisation.

    Book: [Mitchell] Eq. 3-15, §2; [Jordan] §7.2; [Bishop] Eq. 4.81, §4.2.3.

    Parameters
    ----------
    families : "auto" | name or Family | {column or tuple of columns: name or Family}
        Names: "gaussian", "bernoulli", "binomial" (as ``posteriori.Binomial(trials)``), "categorical",
        "multinomial", "poisson", "exponential", "gamma", "beta", "dirichlet". "auto" depends on the column's type:
        booleans are bernoulli, text is categorical, numbers are gaussian (counts are not detected). Columns (names or
        numbers) that are not in a dict are "auto". A tuple of columns is a group: "multinomial", "dirichlet" and
        "gaussian" (with a covariance matrix) are joint densities of the group; any other family applies to each of its
        columns.
    smoothing : float
        Pseudo-rows added to each category of each class (Eq. 7), for bernoulli, categorical and multinomial columns;
        other families ignore it.
    class_smoothing : float
        Pseudo-rows added to each class (Eq. 9).
    estimate : "ml" | "unbiased" | "map" | NormalInverseGamma
        The estimator of Gaussian variances: divide by N, or by N minus the number of means (Eq. 14-15); or the mode
        under a conjugate prior, mu = (kappa m + N x) / (kappa + N) and v = (2 scale + S + kappa N / (kappa + N)
        (x - m)^2) / (2 shape + N + 3), with x and S the mean and sum of squares of a class. For "map" m is the mean of
        the column, kappa 0.01, shape 3/2, and scale half the column's pooled within-class variance, so the result does
        not depend on units.
    shared : False | True | "all"
        Gaussian variances per class and column, per column, or a single one.
    class_priors : (K,) P(k) in the order of ``classes_``, by default the class frequencies
    missing : "marginalize" | "error"
        How to treat missing values.
    unseen : "marginalize" | "error"
        How to treat categories that did not occur in training.

    Attributes
    ----------
    classes_ : (K,)
    class_priors_ : (K,)
    families_ : the fitted family of each column, with its parameters by class
    n_parameters_ : n(J - 1)K for n columns of J categories, 2nK for n Gaussian ones, plus K - 1
    fit_notes_ : notes on the fit, for example that a column has variance zero in a class
    statistics_ : counts, means and scatter, from which the model is computed

    Notes
    -----
    A column of variance zero in one class gets the pooled variance there; a column of variance zero in all classes is
    left out; both with a `DegenerateVarianceWarning`. No constant is added to a variance.

    A group with a missing value in a row is left out of that row's product, except that in predict a Gaussian group
    integrates the missing value out. Sparse matrices are accepted by the families multinomial, bernoulli, poisson and
    gaussian; their absent cells are zeros, not missing values, and X is not made dense.

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

    families: Any = "auto"
    smoothing: float = 1.0
    class_smoothing: float = 0.0
    estimate: str | NormalInverseGamma = "ml"
    shared: bool | str = False
    class_priors: Any = None
    missing: str = "marginalize"
    unseen: str = "marginalize"

    _takes_categories = True
    _takes_sparse = True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "marginalize"
        return tags

    @property
    def families_(self) -> dict[str | int, ColumnTable]:
        """The fitted family of each column, with its parameters by class."""
        check_is_fitted(self)
        return {table.column: table for table in self._tables(range(self.n_features_in_))}

    def table(self, column: str | int) -> ColumnTable:
        """Return the fitted parameters of one column, by class.

        Parameters
        ----------
        column : name or number of the column
        """
        check_is_fitted(self)
        return self._tables([index_of(self.model_.statistics.schema, column)])[0]

    def _tables(self, columns: Iterable[int]) -> list[ColumnTable]:
        """Return the fitted parameters of columns, by number."""
        pairs = zip(self.model_.density.groups, self.model_.density.parameters, strict=True)
        places = {j: (group.family, p, at) for group, p in pairs for at, j in enumerate(group.columns)}
        tables = []
        for j in columns:
            column, (family, parameters, at) = self.model_.statistics.schema.columns[j], places[j]
            values = family.describe(parameters, at)
            native = installed(self.model_.columns.library)
            tables.append(ColumnTable(column.name, family.name, self.classes_, values, column.levels, native))
        return tables

    # --- fitting

    def _takes_missing(self) -> bool:
        return bool(choice("missing", self.missing, STRATEGIES) == "marginalize")

    _fill = "missing='marginalize' uses rows with missing values."

    def _summary_notes(self, summary: Summary) -> list[Note]:
        return []

    def _plan(self, table: Table, before: Summary | None) -> tuple[Table, tuple[Group, ...]]:
        choice("unseen", self.unseen, STRATEGIES)
        if before is None:
            settings = read_settings(self.smoothing, self.shared, self.estimate)
            groups = groups_for(self.families, settings, table.schema)
        else:
            groups = sized(before.groups, table.schema)
        if table.is_sparse:
            refuse_sparse(groups)
            return table, groups
        table = with_levels(table, tuple(sorted(j for g in groups if g.family.takes_levels for j in g.columns)))
        return table, sized(groups, table.schema)

    # --- predicting

    def explain(self, X: Any) -> Explanation:
        """Return the contribution of each column to the log odds of each row.

        The log odds are log prior odds + sum_j log p(x_j | 1) - log p(x_j | 0). For more than two classes the
        contributions are to each log P(k) + sum_j log p(x_j | k), minus their mean over the classes. A missing value
        contributes 0; a group with a joint density has one contribution.

        Book: [Mitchell] Eq. 1-3, §2.2, and 19-22, §3.1; [Jordan] §7.2.2.

        Returns
        -------
        Explanation : ``contributions`` (n, d) for two classes and (n, K, d) for more, ``baseline``, ``names``
        """
        engine = self._rows(X)
        self._check_cells(engine)
        self._explain_nan(engine)  # raises for cells outside the domain of a family
        density = self.model_.density
        parts = engine.map(partial(shares, density))
        names = tuple(str(column.name) for column in self.model_.statistics.schema.columns)
        two, priors = len(self.classes_) == 2, self.model_.log_priors
        return Explanation(
            contributions=log_odds(parts) if two else centred(parts),
            baseline=np.asarray(priors[1] - priors[0]) if two else priors,
            names=share_names(density, names),
            classes=tuple(self.classes_.tolist()),
            native=native_of(X),
        )

    def _coded(self, engine: Engine) -> Engine:
        if engine.table.is_sparse:
            refuse_sparse(self.model_.density.groups)
            return engine.on(engine.table.for_wide_statistics())
        return engine.on(coded(engine.table, self.model_.statistics.schema))

    def _check_cells(self, engine: Engine) -> None:
        """Count unseen categories: categories that did not occur in training; raise if ``unseen="error"``."""
        for group in self.model_.density.groups:
            if not group.family.takes_levels:
                continue
            sizes = tuple(len(values) for values in self.model_.statistics.levels(group))
            tally = engine.run(UnseenSweep(group, sizes))
            if tally.count.any():
                note = unseen_note(engine.table, tally, group.columns)
                if self.unseen == "error":
                    raise DataError(str(note))
                note.warn()
