"""`FisherDiscriminant`: the directions that separate the classes best, and a threshold on them."""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.engines.select import engine_for
from posteriori.estimators.base import as_given
from posteriori.estimators.discriminants.base import LinearDiscriminant
from posteriori.estimators.discriminants.from_scatter import FromScatter
from posteriori.estimators.learned import Learned
from posteriori.estimators.parameters import parameters
from posteriori.families.degenerate_notes import left_out, singular
from posteriori.families.gaussian.covariances import read_shrinkage
from posteriori.families.gaussian.shrinkage import pooled_amount
from posteriori.fits.fisher import Projection, least_error_cut, project
from posteriori.input.training import Reading
from posteriori.messages.errors import DataError
from posteriori.models.base import InputColumns
from posteriori.models.discriminant import FisherModel
from posteriori.models.linear_scores import LinearScores
from posteriori.storable import storable
from posteriori.sweeps.least_squares import WithinSummary
from posteriori.tables.block import Block
from posteriori.tables.table import Table

THRESHOLDS = ("gaussian", "midpoint", "least-error")


@storable
@parameters()
class FisherDiscriminant(ClassNamePrefixFeaturesOutMixin, TransformerMixin, FromScatter, LinearDiscriminant):
    """Fisher's linear discriminant: a classifier, and a transformer onto at most K - 1 directions.

    The directions W maximise Tr{(W'S_W W)^-1 W'S_B W}, with S_W the scatter within classes and S_B that of the
    class means: the leading generalised eigenvectors of (S_B, S_W). For two classes w is proportional to
    S_W^-1 (m_1 - m_0), and points to ``classes_[1]``. A row goes to the nearest projected class mean.

    Book: [Bishop] Eq. 4.20-4.30, §4.1.4, and 4.40-4.51, §4.1.6.

    Parameters
    ----------
    n_components : int
        The number of directions, by default all: K - 1, or fewer if the class means span fewer dimensions.
    threshold : "gaussian" | "midpoint" | "least-error"
        The threshold between the projected class means: where Gaussians of a pooled variance, with the class
        frequencies as priors, are equally probable; halfway; or (two classes) where the fewest training rows are
        misclassified.
    shrinkage : None | float | "ledoit-wolf" | "oas"
        Shrinks S_W toward independent columns, as in `GaussianClassifier`.

    Attributes
    ----------
    classes_ : (K,)
    scalings_ : (d, q) the directions as columns v, with v'S_W v = N - K
    eigenvalues_ : of S_W^-1 S_B, largest first
    explained_variance_ratio_ : (q,) each eigenvalue divided by their sum
    means_ : (K, d) class means
    coef_, intercept_ : (1, d) and (1,) for two classes, (K, d) and (K,) for more
    n_parameters_ : of the weights and thresholds, (K - 1)(d + 1)
    fit_notes_ : notes on the fit, for example that S_W is singular

    Notes
    -----
    With all directions and the Gaussian threshold the decisions are those of `GaussianClassifier()`. A singular
    S_W is inverted on its range, with a `DegenerateVarianceWarning`; any shrinkage makes it regular. [Bishop]
    §4.1.6 speaks of eigenvectors of S_B; they are those of S_W^-1 S_B.

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 3.0], [3.0, 2.0]], ["a", "a", "b", "b"]
    >>> model = pt.FisherDiscriminant(shrinkage=0.5).fit(X, y)
    >>> model.transform([[1.5, 1.5], [4.0, 4.0]]).round(3).ravel().tolist()
    [0.0, 7.071]
    >>> model.predict([[1.0, 1.0], [4.0, 4.0]]).tolist()
    ['a', 'b']
    """

    n_components: int | None = None
    threshold: Literal["gaussian", "midpoint", "least-error"] = "gaussian"
    shrinkage: float | str | None = None

    _model_type = FisherModel

    model_: FisherModel = field(init=False)
    scalings_ = Learned[Array]("scalings")
    eigenvalues_ = Learned[Array]("eigenvalues")
    explained_variance_ratio_ = Learned[Array]("ratio")
    means_ = Learned[Array]("means")
    projection_ = Learned[LinearScores]("projection")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.threshold != "least-error"
        tags.classifier_tags.poor_score = self.n_components is not None  # few directions may not separate many classes
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _check_parameters(self, n_classes: int) -> None:
        read_shrinkage(self.shrinkage)
        if choice("threshold", self.threshold, THRESHOLDS) == "least-error" and n_classes != 2:
            raise DataError(
                "Only binary classification is supported. The type of the target is multiclass: "
                f"threshold='least-error' is a threshold on one direction, for two classes, not {n_classes}."
            )
        q = self.n_components
        whole = isinstance(q, int | np.integer) and not isinstance(q, bool)
        if q is not None and not (whole and 1 <= q < n_classes):
            raise DataError(f"n_components={q!r} must be a whole number from 1 to K - 1 = {n_classes - 1}.")

    def _needs_fourth(self) -> bool:
        return self.shrinkage == "ledoit-wolf"

    @property
    def _needs_all_rows(self) -> str:  # type: ignore[override]
        return "threshold='least-error' needs all rows at once" if self.threshold == "least-error" else ""

    def _solve(self, summary: WithinSummary, reading: Reading | None, columns: InputColumns) -> FisherModel:
        amount = pooled_amount(read_shrinkage(self.shrinkage), summary.within, summary.fourth)
        projection = project(summary.within, self.n_components, amount)
        names, q = summary.schema.names, projection.directions.shape[1]
        directions = projection.scalings * projection.units.scale[:, None]
        return FisherModel(
            classes=summary.classes,
            columns=columns,
            status="ok",
            notes=left_out(~projection.part.varies, names) + singular([projection.part], names, ()),
            linear=self._scores(projection, reading),
            statistics=summary,
            projection=LinearScores(projection.units, np.vstack([np.zeros(q), directions]).T),
            eigenvalues=projection.eigenvalues,
        )

    def _scores(self, projection: Projection, reading: Reading | None) -> LinearScores:
        """Return the linear scores whose sign, or argmax, is the decision."""
        w, units = projection.scores(priors=self.threshold == "gaussian"), projection.units
        if len(w) > 2:
            return LinearScores(units, w)
        w = w[1:] - w[:1]
        if self.threshold == "least-error":
            assert reading is not None
            w[0, 0] = -_least_error(reading.table, LinearScores(units, np.column_stack([[0.0], w[:, 1:]])), -w[0, 0])
        return LinearScores(units, w)

    # --- as a transformer

    @property
    def _n_features_out(self) -> int:
        return len(self.model_.projection.w)

    def transform(self, X: Any) -> NDArray[Any]:
        """Return the rows projected onto the directions, (n, q): W'(x - m) with m the mean of all rows."""
        return as_given(X, self._map(self._engine(X), self.model_.projection))


@dataclass(frozen=True)
class _Projected:
    """The projection, the class and the weight of every row of a block, (n, 3)."""

    along: LinearScores

    def __call__(self, block: Block) -> Array:
        return np.column_stack([self.along(block)[:, 0], block.codes(), block.row_weights()])


def _least_error(table: Table, along: LinearScores, near: float) -> float:
    """Read the rows again and return the threshold with the fewest misclassified rows, closest to `near`."""
    projected, codes, weights = engine_for(table).map(_Projected(along)).T
    return least_error_cut(projected, codes.astype(np.intp), weights, near)
