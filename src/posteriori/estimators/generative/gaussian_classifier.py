"""`GaussianClassifier`: Gaussian classes, with linear or quadratic boundaries."""

from dataclasses import field
from functools import partial
from typing import Any

from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.engines.base import Engine
from posteriori.estimators.generative.base import GenerativeClassifier
from posteriori.estimators.learned import Learned
from posteriori.estimators.linear import LinearMethods, explain, signed_distance
from posteriori.estimators.parameters import parameters
from posteriori.families.gaussian.covariances import COVARIANCES, covariance_family
from posteriori.families.gaussian.normal_inverse_wishart import NormalInverseWishart
from posteriori.families.joint_density import Group
from posteriori.messages.notes import Note
from posteriori.models.density import GaussianModel
from posteriori.models.generative_summary import Summary
from posteriori.storable import storable
from posteriori.tables.block import Block
from posteriori.tables.table import Table


@storable
@parameters()
class GaussianClassifier(LinearMethods, GenerativeClassifier):
    """Gaussian classes: linear boundaries if they share a covariance (LDA), quadratic ones otherwise (QDA).

    p(x | k) = N(x; mu_k, S). With a shared S the posterior is a softmax of w_k'x + w_k0 with w_k = S^-1 mu_k and
    w_k0 = -mu_k'S^-1 mu_k / 2 + log P(k).

    Book: [Bishop] Eq. 4.64-4.80, §4.2.1-4.2.2; [Jordan] Eq. 7.5-7.28, §7.2.1; [Deuschle] §3.5.2.

    Parameters
    ----------
    covariance : "full" | "diagonal" | "spherical" | "low-rank"
        Low rank is L L' plus a diagonal, with L of `rank` columns, fitted by its likelihood.
    shared : bool
        Whether the classes share the covariance.
    estimate : "ml" | "unbiased" | "map" | NormalInverseWishart
        Divide scatters by N (or N_k), or by N - K (or N_k - 1); or the mode under a conjugate prior. The prior of
        "map" counts as 0.01 rows at the mean of all rows and d + 2 rows of independent columns with the pooled
        within-class variances, so the result does not depend on units; see `NormalInverseWishart` for the formula.
        Diagonal and spherical covariances have a `NormalInverseGamma` prior, also for "map"; low-rank ones have none.
    shrinkage : None | float | "ledoit-wolf" | "oas"
        The intensity a in S = D ((1 - a) R + a I) D, with R the correlations and D the standard deviations within
        classes: shrinkage toward the identity on standardised columns. "ledoit-wolf" and "oas" estimate it from the
        data, per class if each class has its own covariance.
    rank : int, number of common factors of a low-rank covariance, default 1
    class_priors : (K,) P(k) in the order of ``classes_``, by default the class frequencies

    Attributes
    ----------
    classes_ : (K,)
    class_priors_ : (K,)
    means_ : (K, d)
    covariance_ : (d, d) if shared
    covariances_ : (K, d, d) if not
    coef_, intercept_ : of the linear scores, if shared; one row for two classes, else one row per class
    n_parameters_ : M(M + 5)/2 + 1 for two classes that share a full covariance of M columns
    fit_notes_ : notes on the fit, for example that a covariance is singular
    statistics_ : class weights, means and scatter matrices, from which the model is computed

    Notes
    -----
    A singular covariance is inverted on its range, and a class of variance zero gets the pooled covariance, both
    with a `DegenerateVarianceWarning`. Any ``shrinkage`` above zero, or a prior, makes covariances regular.

    Examples
    --------
    >>> import posteriori as pt
    >>> model = pt.GaussianClassifier().fit([[0.0], [2.0], [4.0], [6.0]], ["a", "a", "b", "b"])
    >>> model.means_.ravel().tolist(), model.covariance_.item()
    ([1.0, 5.0], 1.0)
    >>> model.coef_.item(), model.intercept_.item()
    (4.0, -12.0)
    >>> model.predict_proba([[3.0]]).tolist()
    [[0.5, 0.5]]
    """

    covariance: str = "full"
    shared: bool = True
    estimate: str | NormalInverseWishart = "ml"
    shrinkage: float | str | None = None
    rank: int | None = None
    class_priors: Any = None

    @property
    def _takes_sparse(self) -> bool:  # type: ignore[override]
        """Sparse rows are accepted if the columns are independent given the class."""
        return self.covariance in COVARIANCES and COVARIANCES[self.covariance].takes_sparse

    _model_type = GaussianModel

    model_: GaussianModel = field(init=False)
    means_ = Learned[Array]("means")
    covariance_ = Learned[Array]("covariance")
    covariances_ = Learned[Array]("covariances")

    class_smoothing = 0.0

    def _coded(self, engine: Engine) -> Engine:
        return engine

    def _check_cells(self, engine: Engine) -> None:
        """Do nothing: invalid cells show in the result."""

    def _summary_notes(self, summary: Summary) -> list[Note]:
        return []

    def _takes_missing(self) -> bool:
        return False

    def _plan(self, table: Table, before: Summary | None) -> tuple[Table, tuple[Group, ...]]:
        family = covariance_family(self.covariance, self.shared, self.estimate, self.shrinkage, self.rank)
        return table, (Group(family, tuple(range(table.n_columns))),)

    def mahalanobis(self, X: Any) -> Array:
        """Return the squared distance (x - mu_k)'S_k^-1 (x - mu_k) of each row to each class mean, (n, K).

        Book: [Jordan] §7.2.1, footnote 1.
        """
        engine = self._engine(X)
        ((group,), (parameters,)) = self.model_.density.groups, self.model_.density.parameters
        family = group.family
        result = engine.map(partial(_distances, family, parameters))
        self._explain_nan(engine)
        return result

    explain = explain

    def signed_distance(self, X: Any) -> Array:
        """Return the distance of each row to the boundary, which is a plane only if the covariance is shared.

        Book: [Bishop] Eq. 4.7, §4.1.1, and 4.10, §4.1.2.
        """
        check_is_fitted(self)
        self.model_.refuse_quadratic("distance to a plane")
        return signed_distance(self, X)


def _distances(family: Any, parameters: Any, block: Block) -> Array:
    """Return the squared Mahalanobis distances of the rows of a block to each class, (n, K)."""
    distances: Array = family.distances(parameters, block.dense(), block.backend)
    return distances
