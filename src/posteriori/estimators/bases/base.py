"""`Basis`: fixed basis functions as scikit-learn transformers and as `basis=` of linear models."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from posteriori.bases.base import Phi
from posteriori.engines.select import engine_for
from posteriori.estimators.learned import replace_learned
from posteriori.input.faults import refuse_not_finite
from posteriori.input.features import read_table
from posteriori.input.training import Ledger
from posteriori.messages.errors import DataError
from posteriori.sweeps.row_functions import AllFeatures
from posteriori.tables.features import mapped_schema
from posteriori.tables.table import Table
from posteriori.tables.views import Mapped


class Basis(TransformerMixin, BaseEstimator, ABC):
    """Fixed basis functions phi(x): a scikit-learn transformer, and the parameter ``basis`` of linear models.

    A model w'phi(x) + b is linear in phi and nonlinear in x. The constant phi_0 = 1 is the intercept of the model, so
    no basis contains it. Within a fit phi is computed block by block: phi(X) is never stored.

    Book: [Bishop] §4.3.1, Fig. 4.12; [Deuschle] §3.3.3; [Sugiyama] §28.1.
    """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @abstractmethod
    def bind(self, table: Table) -> Phi:
        """Check the parameters and return phi for the columns (and for `KernelBasis` the rows) of a table."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit to the number of columns, and for `KernelBasis` choose the centres among the rows.

        Parameters
        ----------
        X : (n, d) array or frame of finite numbers
        y : not used
        """
        ledger = Ledger()
        table = read_table(self, X, ledger=ledger)
        refuse_not_finite(table)
        phi = self.bind(table)
        mapped_schema(phi, table.schema)  # raises for two columns of one name
        replace_learned(self, **vars(ledger), phi_=phi)
        return self

    def transform(self, X: Any) -> NDArray[Any]:
        """Return phi of each row, (n, p)."""
        check_is_fitted(self)
        table = read_table(self, X)
        refuse_not_finite(table)
        mapped = table.view(Mapped(self.phi_))
        result = engine_for(mapped).map(
            AllFeatures(np.float32 if getattr(X, "dtype", None) == np.float32 else np.float64)
        )
        if not np.isfinite(result).all():
            refuse_not_finite(mapped)
        return result

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the columns of phi, such as ``"x^2"``, from those of the columns of x."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        return np.array(self.phi_.titles([str(name) for name in names]), dtype=object)


def bound(basis: Any, table: Table, known: Phi | None = None) -> tuple[Table, Phi | None]:
    """Return the table of phi(x) for a model with this ``basis``, and phi (None without a basis).

    `known` is the phi of earlier rows of the same model.
    """
    if basis is None:
        return table, None
    if not isinstance(basis, Basis):
        raise DataError(
            f"basis must be None or one of {', '.join(sorted(_names(Basis)))}, not {basis!r}. Put other transformers "
            "before the model in a scikit-learn Pipeline."
        )
    phi = basis.bind(table) if known is None else known
    return table.view(Mapped(phi)), phi


def same(one: Phi | None, other: Phi | None) -> bool:
    """Return whether two phi are the same function, so that statistics of their columns may be merged."""
    if one is None or other is None:
        return one is other
    mine, yours = vars(one), vars(other)
    return type(one) is type(other) and all(np.array_equal(mine[name], yours[name]) for name in mine)


def _names(kind: type) -> set[str]:
    from posteriori.estimators.bases import custom, gaussian, kernel, polynomial, sigmoid

    homes = (polynomial, gaussian, sigmoid, kernel, custom)
    return {name for home in homes for name, value in vars(home).items()
            if isinstance(value, type) and issubclass(value, kind) and value is not kind}  # fmt: skip
