"""`FisherDiscriminant`: the directions that separate the classes best, and a threshold on them."""

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.metaestimators import available_if

from posteriori.checks.parameters import choice
from posteriori.engines.select import engine_for
from posteriori.estimators.base import as_given
from posteriori.estimators.discriminants.class_means import WithinClassifier
from posteriori.estimators.parameters import parameters
from posteriori.families.degenerate_notes import left_out, singular
from posteriori.families.gaussian.covariances import read_shrinkage
from posteriori.families.gaussian.shrinkage import pooled_amount
from posteriori.fits.fisher import NEVER, Projection, least_error_cut, project
from posteriori.input.training import Reading
from posteriori.messages.errors import DataError
from posteriori.messages.notes import Note
from posteriori.models.linear_scores import LinearScores
from posteriori.storable import storable
from posteriori.sweeps.least_squares import WithinSummary
from posteriori.tables.memory import MemoryTable

THRESHOLDS = ("gaussian", "midpoint", "least-error")


def _through_statistics(model: "FisherDiscriminant") -> bool:
    if model.threshold == "least-error":
        raise AttributeError("threshold='least-error' looks at all rows at once: there are no parts to add up.")
    return True


@storable
@parameters()
class FisherDiscriminant(ClassNamePrefixFeaturesOutMixin, TransformerMixin, WithinClassifier):
    """Fisher's linear discriminant: a classifier, and a transformer onto at most K - 1 directions.

    The directions W maximise Tr{(W'S_W W)^-1 W'S_B W}, with S_W the scatter within classes and S_B that of the
    class means: the leading generalised eigenvectors of (S_B, S_W). For two classes w is proportional to
    S_W^-1 (m_1 - m_0), and points to ``classes_[1]``. A row goes to the nearest projected class mean.

    Book: [Bishop] Eq. 4.20-4.30, §4.1.4, and 4.40-4.51, §4.1.6.

    Parameters
    ----------
    n_components : int
        How many directions to keep, by default all: K - 1, or fewer where the class means span less.
    threshold : "gaussian" | "midpoint" | "least-error"
        Where to cut between projected means: where Gaussians of a pooled variance, with the classes' shares as
        priors, are equally probable; halfway; or (two classes) where the fewest training rows are wrong.
    shrinkage : None | float | "ledoit-wolf" | "oas"
        Shrinks S_W toward independent columns, as in `GaussianClassifier`.

    Attributes
    ----------
    classes_ : (K,)
    scalings_ : (d, q) the directions as columns v, with v'S_W v = N - K
    eigenvalues_ : of S_W^-1 S_B, largest first
    explained_variance_ratio_ : (q,) the share of each direction in the sum of the eigenvalues
    means_ : (K, d) class means
    coef_, intercept_ : (1, d) and (1,) for two classes, (K, d) and (K,) for more
    n_parameters_ : of the weights and thresholds, (K - 1)(d + 1)
    fit_notes_ : what the fit has to say, such as that S_W is singular

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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.threshold != "least-error"
        tags.classifier_tags.poor_score = (
            self.n_components is not None
        )  # few directions may not tell many classes apart
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _check_parameters(self, n_classes: int) -> None:
        read_shrinkage(self.shrinkage)
        if choice("threshold", self.threshold, THRESHOLDS) == "least-error" and n_classes != 2:
            raise DataError(
                "Only binary classification is supported. The type of the target is multiclass: "
                f"threshold='least-error' is one cut on one direction, for two classes, not {n_classes}."
            )
        given = self.n_components
        if given is None:
            return
        whole = isinstance(given, int | np.integer) and not isinstance(given, bool)
        if not whole or not 1 <= given < n_classes:
            raise DataError(f"n_components={given!r} must be a whole number from 1 to K - 1 = {n_classes - 1}.")

    def _needs_fourth(self) -> bool:
        return self.shrinkage == "ledoit-wolf"

    @available_if(_through_statistics)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows; after all parts the answer is that of one fit on all rows."""
        return super().partial_fit(X, y, classes, sample_weight)

    @available_if(_through_statistics)
    def merge(self, other: Any) -> Self:
        """Give a new model: the one a fit on the rows of both would have given."""
        return super().merge(other)

    def _solve(self, summary: WithinSummary, reading: Reading | None = None) -> tuple[tuple[Note, ...], dict[str, Any]]:
        amount = pooled_amount(read_shrinkage(self.shrinkage), summary.within, summary.fourth)
        found = project(summary.within, self.n_components, amount)
        scores = self._scores(found, reading)
        lead, weights = scores.units.to_data(scores.w)
        lead = np.where(np.abs(lead) < 0.5 * NEVER, lead, np.copysign(np.inf, lead))
        names, q = summary.schema.names, found.directions.shape[1]
        scalings, unit = found.scalings, found.units.scale[:, None]
        return left_out(~found.part.varies, names) + singular([found.part], names, ()), {
            "classes_": summary.classes,
            "coef_": weights,
            "intercept_": lead,
            "scores_": scores,
            "scalings_": scalings,
            "eigenvalues_": found.eigenvalues,
            "explained_variance_ratio_": found.ratio,
            "means_": summary.within.mean,
            "projection_": LinearScores(found.units, np.vstack([np.zeros(q), scalings * unit]).T),
            "statistics_": summary,
            "n_parameters_": (len(summary.classes) - 1) * (len(names) + 1),
            "fit_status_": "ok",
        }

    def _scores(self, found: Projection, reading: Reading | None) -> LinearScores:
        """Give the linear scores whose sign, or argmax, is the decision."""
        w = found.scores(priors=self.threshold == "gaussian")
        if len(w) > 2:
            return LinearScores(found.units, w)
        w = w[1:] - w[:1]
        if self.threshold == "least-error":
            assert reading is not None
            w[0, 0] = -_cut(reading.table, LinearScores(found.units, np.column_stack([[0.0], w[:, 1:]])), -w[0, 0])
        return LinearScores(found.units, w)

    # --- as a transformer

    @property
    def _n_features_out(self) -> int:
        return int(self.scalings_.shape[1])

    def transform(self, X: Any) -> NDArray[Any]:
        """Give the rows projected onto the directions, (n, q): W'(x - m) with m the mean of all rows."""
        engine = self._engine(X)
        return as_given(X, self._map(engine, self.projection_))


def _cut(table: MemoryTable, along: LinearScores, near: float) -> float:
    """Read the rows once more and give the cut with the fewest mistakes."""
    projected = engine_for(table).map(along)[:, 0]
    kept = slice(None) if table.kept is None else table.kept
    assert table.targets is not None
    weights = np.ones(len(projected)) if table.weights is None else table.weights[kept]
    return least_error_cut(projected, table.targets[kept], weights, near)
