"""`LeastSquaresClassifier`: class targets fitted by least squares."""

from typing import Any, Literal

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.parameters import choice, non_negative
from posteriori.estimators.bases.base import Basis
from posteriori.estimators.discriminants.base import LinearDiscriminant
from posteriori.estimators.discriminants.from_scatter import FromScatter
from posteriori.estimators.parameters import parameters
from posteriori.fits.existence.rank import alias_notes
from posteriori.fits.least_squares import fit_least_squares
from posteriori.input.training import Reading
from posteriori.messages.errors import DataError
from posteriori.models.base import InputColumns
from posteriori.models.discriminant import ScatterModel
from posteriori.models.linear_scores import LinearScores
from posteriori.storable import storable
from posteriori.sweeps.least_squares import WithinSummary

TARGETS = ("one-hot", "fisher")


@storable
@parameters()
class LeastSquaresClassifier(FromScatter, LinearDiscriminant):
    """Least squares on class targets: 1-of-K, or Fisher's N/N_k for two classes.

    With T the 1-of-K targets and X~ = (1, X), W = pinv(X~) T minimises |X~ W - T|^2 (plus ``precision`` times the
    squared weights), and x goes to the class with the largest score W'x~. The scores of a row sum to one, but
    they are not probabilities: points that are "too correct" pull the boundary towards them.

    Book: [Bishop] Eq. 4.13-4.17, §4.1.3, and 4.31-4.37, §4.1.5; [Deuschle] §3.4.1; [Jordan] §7.1.

    Parameters
    ----------
    precision : float
        The ridge penalty, added to the sum of squares over rows; in the units of X, without the intercept.
    targets : "one-hot" | "fisher"
        "fisher" (two classes) has targets N/N_1 for ``classes_[1]`` and -N/N_0 for ``classes_[0]``: the weights
        then have the direction of Fisher's discriminant, and the intercept is -w'm with m the mean of all rows.
    basis : None | PolynomialBasis | GaussianBasis | SigmoidBasis | KernelBasis | CustomBasis
        Fixed functions phi of the columns; the scores are then linear in phi; ``coef_`` has one column per function.

    Attributes
    ----------
    classes_ : (K,)
    coef_, intercept_ : (1, d) and (1,) for two classes, of score 1 minus score 0; (K, d) and (K,) for more
    n_parameters_ : (K - 1)(d + 1)
    fit_status_ : "ok" | "aliased"
    fit_notes_ : notes on the fit, for example on columns that are combinations of others
    statistics_ : class weights, class means and the triangular factor of the scatter about them

    Notes
    -----
    The rows are reduced to a triangular factor (the R of a QR factorisation), block by block; for a block of clearly
    independent columns it is the Cholesky factor of the Gram matrix, which is as accurate there and faster. If columns
    are combinations of others the solution is that of least norm, with a `CollinearityWarning`.

    Examples
    --------
    >>> import posteriori as pt
    >>> model = pt.LeastSquaresClassifier().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    >>> model.scores([[1.5], [4.0]]).round(3).tolist()
    [[0.5, 0.5], [-0.5, 1.5]]
    >>> model.coef_.round(3).tolist(), model.intercept_.round(3).tolist()
    ([[0.8]], [-1.2])
    """

    precision: float = 0.0
    targets: Literal["one-hot", "fisher"] = "one-hot"
    basis: Basis | None = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.targets != "fisher"
        return tags

    def _check_parameters(self, n_classes: int) -> None:
        non_negative("precision", self.precision)
        if choice("targets", self.targets, TARGETS) == "fisher" and n_classes != 2:
            raise DataError(
                "Only binary classification is supported. The type of the target is multiclass: targets='fisher' is "
                f"for two classes, not {n_classes}. Use targets='one-hot', or FisherDiscriminant."
            )

    _model_type = ScatterModel

    def _needs_fourth(self) -> bool:
        return False

    def _solve(self, summary: WithinSummary, reading: Reading | None, columns: InputColumns) -> ScatterModel:
        n_classes, two = len(summary.classes), len(summary.classes) == 2
        targets = _fisher_targets(summary.within.weight) if self.targets == "fisher" else np.eye(n_classes)
        fitted = fit_least_squares(summary.within, targets, float(self.precision))
        w = fitted.w[1:] - fitted.w[:1] if two and self.targets == "one-hot" else fitted.w
        determined = "fitted values are. coef_ holds the solution of least norm"
        return ScatterModel(
            classes=summary.classes,
            columns=columns,
            status="aliased" if fitted.aliases else "ok",
            notes=alias_notes(fitted.aliases, summary.schema, fitted.units, determined, "use a precision above zero"),
            linear=LinearScores(fitted.units, w),
            statistics=summary,
        )

    def scores(self, X: Any) -> Array:
        """Return the fitted targets W'x~, (n, K) in the order of ``classes_``; they sum to one.

        Book: [Bishop] Eq. 4.18-4.19, §4.1.3.
        """
        if self.targets == "fisher":
            raise DataError("targets='fisher' has one score, not one per class: use decision_function.")
        difference = self.decision_function(X)
        if difference.ndim == 2:
            return difference
        # s_0 and s_1 from s_1 - s_0 and s_0 + s_1 = 1
        return np.column_stack([0.5 - 0.5 * difference, 0.5 + 0.5 * difference])


def _fisher_targets(weight: Array) -> Array:
    """Return the targets of both classes, (2, 1); 0 for a class without rows."""
    sign = np.array([-1.0, 1.0])
    targets: Array = np.divide(sign * weight.sum(), weight, out=np.zeros(2), where=weight > 0)
    return targets[:, None]
