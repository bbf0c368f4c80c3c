"""`GaussianPrior`: a Gaussian prior on coefficients."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.numbers import read_numbers
from posteriori.messages.errors import DataError
from posteriori.priors.evidence import EVIDENCE_PRIORS, EvidencePrior
from posteriori.priors.jeffreys import JeffreysPrior
from posteriori.priors.quadratic import Quadratic
from posteriori.priors.weights import Scores, Weights, read_weights_of
from posteriori.storable import storable


@storable
@dataclass(frozen=True, eq=False)
class GaussianPrior:
    """A Gaussian prior over coefficients: any mean, any precision.

    The penalty is (w - mean)' precision (w - mean) / 2, in the sum form: it is added to minus the log
    likelihood of all rows, never divided by their number. So precision = 1/C of scikit-learn, n lambda of
    glmnet (without standardisation), n alpha of glum.

    Book: [Mitchell] Eq. 26, §3.3; [Bishop] Eq. 4.140, §4.5.1.

    Parameters
    ----------
    mean : scalar | (d,) | (d+1,) | (K, d) | (K, d+1)
        With d+1 entries the intercept comes first. `around` makes it another model's weights.
    precision : scalar | (d,) | (d, d) | (d+1, d+1) | (K(d+1), K(d+1))
        Scalars, vectors and (d, d) matrices concern the weights of each class, not the intercept; larger ones
        have the intercept first, class by class.
    sd : scalar | (d,)
        Standard deviations instead of precisions.
    intercept_mean, intercept_precision : the intercept's own prior, flat by default
    units : "data" for coefficients per unit of a column, "sd" for coefficients per standard deviation of it

    Notes
    -----
    With two classes there is one coefficient vector and one penalty. [Mitchell] Eq. 29 penalises K - 1
    vectors, which is a different model from the K-vector penalty; ``parametrization`` chooses.

    Examples
    --------
    >>> GaussianPrior(sd=2.0).precision
    0.25
    """

    mean: Any = 0.0
    precision: Any = None
    _: KW_ONLY
    sd: Any = None
    intercept_mean: float = 0.0
    intercept_precision: float = 0.0
    units: Literal["data", "sd"] = "data"

    def __post_init__(self) -> None:
        """Check the fields, and store a precision in place of standard deviations."""
        if (self.precision is None) == (self.sd is None):
            raise DataError("GaussianPrior needs one of precision and sd.")
        if self.units not in ("data", "sd"):
            raise DataError(f"units must be 'data' or 'sd', not {self.units!r}.")
        if self.sd is not None and np.min(self.sd) <= 0:
            raise DataError("GaussianPrior: every sd must be positive.")
        precision = _checked(1.0 / np.square(self.sd) if self.precision is None else self.precision, "precision")
        if (np.ndim(precision) < 2 and np.min(precision) < 0) or not 0 <= self.intercept_precision < np.inf:
            raise DataError("GaussianPrior: a precision is negative; it must be zero or positive.")
        checked = {
            "mean": self.mean if isinstance(self.mean, Weights) else _checked(self.mean, "mean"),
            "precision": precision,
            "intercept_mean": float(self.intercept_mean),
            "intercept_precision": float(self.intercept_precision),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @classmethod
    def around(cls, model: Any, precision: Any, *, intercept_precision: float = 0.0) -> "GaussianPrior":
        """Return the prior whose mean is another model's weights: with few data the fit stays near that model.

        The penalty is (w - w_m)' precision (w - w_m) / 2 with w_m the weights of the model. As the precision falls
        to zero the fit becomes plain maximum likelihood; as it rises, w becomes w_m. The intercept's mean is the
        model's too, but its prior is flat unless `intercept_precision` is positive: with both large, the fit gives the
        model's own probabilities.

        Book: [Mitchell] Eq. 22, §3.1, and 26, §3.3; [Jordan] §7.2-7.3.

        Parameters
        ----------
        model : a fitted linear model, a generative model with ``as_linear``, its linear form, or (coef, intercept)
        precision : as for a `GaussianPrior`
        intercept_precision : of the intercept, around the model's

        Notes
        -----
        Two classes have one weight vector, so of a linear form's two rows the second less the first is taken. With
        more classes and ``parametrization="reference"`` the reference's row is taken from the others; with
        "symmetric" the mean of all rows is, which changes no probability. The form must be over the columns of
        the regression: x itself, T(x) from ``as_linear().transform``, or its basis.

        Examples
        --------
        >>> import posteriori as pt
        >>> X, y = [[0.0], [2.0], [4.0], [6.0]], ["a", "a", "b", "b"]
        >>> gaussian = pt.GaussianClassifier().fit(X, y)
        >>> prior = pt.GaussianPrior.around(gaussian.as_linear(), precision=1e6)
        >>> pt.LogisticRegression(prior=prior).fit(X, y).coef_.round(3).tolist(), gaussian.coef_.tolist()
        ([[4.0]], [[4.0]])
        """
        return cls(read_weights_of(model, "prior's model"), precision, intercept_precision=intercept_precision)

    def resolved(self, link: Scores) -> "GaussianPrior":
        """Return the prior of a model of this link: another model's weights become those of the link's scores."""
        if not isinstance(self.mean, Weights):
            return self
        return GaussianPrior(
            self.mean.contrasted(link),
            self.precision,
            intercept_precision=self.intercept_precision,
            units=self.units,
        )

    def quadratic(self, n_scores: int, n_columns: int, intercept: bool, sds: Array) -> Quadratic:
        """Return the prior on the flattened coefficients (q p,) in the user's units.

        `sds` are the columns' standard deviations, for ``units="sd"``.
        """
        mean = self._mean(n_scores, n_columns, intercept)
        precision = self._precision(n_scores, n_columns, intercept)
        if self.units == "sd":  # a weight per sd is the weight per unit times sd
            size = np.tile(np.concatenate([[1.0], sds]) if intercept else sds, n_scores)
            mean = mean / size
            with np.errstate(over="ignore", under="ignore", invalid="ignore"):
                whole = precision * np.outer(size, size) if precision.ndim == 2 else precision * size * size
            return Quadratic(mean, whole, unscaled=(precision, size))
        return Quadratic(mean, precision)

    def _mean(self, q: int, d: int, intercept: bool) -> Array:
        if isinstance(self.mean, Weights):
            rows = self.mean.over(d)
            return (rows if intercept else rows[:, 1:]).ravel()
        mean = np.asarray(self.mean, dtype=np.float64)
        full = np.zeros((q, d + 1))
        full[:, 0] = self.intercept_mean
        if mean.shape in ((), (d,), (q, d)):
            full[:, 1:] = mean
        elif mean.shape in ((d + 1,), (q, d + 1)):
            full[:] = mean
        else:
            raise DataError(
                f"the prior's mean has shape {mean.shape}; for {d} columns and {q} coefficient vector(s) it may be a "
                f"number, {(d,)}, {(d + 1,)}, {(q, d)} or {(q, d + 1)}."
            )
        return (full if intercept else full[:, 1:]).ravel()

    def _precision(self, q: int, d: int, intercept: bool) -> Array:
        precision = np.asarray(self.precision, dtype=np.float64)
        p = d + 1
        if precision.shape in ((), (d,)):
            diagonal = np.empty((q, p))
            diagonal[:, 0] = self.intercept_precision
            diagonal[:, 1:] = precision
            return (diagonal if intercept else diagonal[:, 1:]).ravel()
        if precision.shape == (d, d):
            one = np.zeros((p, p))
            one[0, 0] = self.intercept_precision
            one[1:, 1:] = precision
            whole = np.kron(np.eye(q), one).astype(np.float64)
        elif precision.shape == (p, p):
            whole = np.kron(np.eye(q), precision).astype(np.float64)
        elif precision.shape == (q * p, q * p):
            whole = precision
        else:
            raise DataError(
                f"the prior's precision has shape {precision.shape}; for {d} columns and {q} coefficient vector(s) it "
                f"may be a number, {(d,)}, {(d, d)}, {(p, p)} or {(q * p, q * p)}."
            )
        if intercept:
            return whole
        weights = np.arange(q * p).reshape(q, p)[:, 1:].ravel()
        return whole[np.ix_(weights, weights)]


def _checked(values: Any, name: str) -> Any:
    array = read_numbers(values, f"the prior's {name}")
    if not np.isfinite(array).all():
        raise DataError(f"the prior's {name} must be finite.")
    if array.ndim == 2 and name == "precision":
        if array.shape[0] != array.shape[1] or not np.allclose(array, array.T, rtol=1e-10, atol=0):
            raise DataError(f"the prior's precision matrix of shape {array.shape} must be square and symmetric.")
        if np.linalg.eigvalsh(array).min() < -1e-10 * max(np.abs(array).max(), 1e-300):
            raise DataError(
                "the prior's precision matrix has a negative eigenvalue; it must be positive semi-definite."
            )
    return float(array) if array.ndim == 0 else array


def as_prior(prior: Any) -> GaussianPrior | JeffreysPrior | EvidencePrior | None:
    """Read the `prior` parameter: None, a number (precision of every weight but the intercept), a prior, its name."""
    if prior is None or isinstance(prior, GaussianPrior | JeffreysPrior):
        return prior
    if isinstance(prior, str) and prior == "jeffreys":
        return JeffreysPrior()
    if isinstance(prior, str) and prior in EVIDENCE_PRIORS:
        return EVIDENCE_PRIORS[prior]
    if isinstance(prior, int | float | np.number) and not isinstance(prior, bool):
        if not 0 <= prior < np.inf:
            raise DataError(f"prior={prior} is no precision: it must be zero or positive, and finite.")
        return GaussianPrior(precision=float(prior)) if prior > 0 else None
    names = ", ".join(map(repr, ("jeffreys", *EVIDENCE_PRIORS)))
    raise DataError(f"prior must be None, a number (the precision), a GaussianPrior or one of {names}, not {prior!r}.")
