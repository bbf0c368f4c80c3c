"""`LinearModel`: a model whose scores are linear in the columns, or in basis functions of them."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.cached_property import cached_property
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.links.base import LinkFunction
from posteriori.models.base import FittedModel
from posteriori.models.linear_scores import LinearScores, contributions
from posteriori.tables.block import Block

#: Relative difference of coefficients beyond which they are other ones; rounding on other processors is far below.
TOLERANCE = 1e-9

#: Minus the intercept of a class without rows, which is never predicted. An infinite one would give NaN when
#: multiplied by zero.
NEVER = 1e300


def read_only(array: Array) -> Array:
    """Return an array that cannot be written to: ``coef_ *= 2`` would change a model, and raise afterwards."""
    view = array.view()
    view.flags.writeable = False
    return view


class LinearView:
    """A mixin: what follows from linear scores and their link.

    `rounded` are (q,) intercepts and (q, d) weights in the user's units, where the certificate is of these rather than
    of `linear`, from which they differ by rounding.
    """

    linear: LinearScores
    rounded: tuple[Array, Array] | None = None
    link: LinkFunction | None

    @cached_property
    def _in_user_units(self) -> tuple[Array, Array]:
        """Intercepts and weights: of one score for two classes, else by class."""
        intercept, weights = self.linear.units.to_data(self.linear.w) if self.rounded is None else self.rounded
        if self.link is None:
            intercept = np.where(np.abs(intercept) < 0.5 * NEVER, intercept, np.copysign(np.inf, intercept))
        return read_only(self._by_class(intercept[:, None])[:, 0]), read_only(self._by_class(weights))

    def _by_class(self, rows: Array) -> Array:
        """Return rows (q, m) of the scores as those of the classes: one row for two classes, else one for each."""
        return rows if self.link is None or self.link.n_scores == 1 else self.link.expand(rows.T).T

    @property
    def intercept(self) -> Array:
        """(1,) for two classes, (K,) for more."""
        return self._in_user_units[0]

    @property
    def coef(self) -> Array:
        """(1, d) for two classes, (K, d) for more."""
        return self._in_user_units[1]

    def contributions(self, block: Block) -> Array:
        """Return the contribution of each column to the scores of a block, (n, q, d)."""
        return contributions(block, self.origin[0], self.coef)

    @property
    def origin(self) -> tuple[Array, Array]:
        """The row (d,) from which contributions of columns are measured, and its scores, (1,) or (K,)."""
        units, scores = self.linear.units, self.linear.w[:, 0]
        if not units.intercept:
            return np.zeros(self.coef.shape[1]), np.asarray(self.intercept, dtype=np.float64)
        return units.centre, self._by_class(scores[:, None])[:, 0]


@dataclass(frozen=True, eq=False, kw_only=True)
class LinearModel(LinearView, FittedModel):
    """Scores eta = b + w'x, and where there is a link, probabilities.

    Parameters
    ----------
    linear : the scores, in the units of the fit
    rounded : as of `LinearView`
    """

    linear: LinearScores
    rounded: tuple[Array, Array] | None = None

    def scores(self, block: Block) -> Array:
        """Return the linear predictors of a block, (n, q)."""
        return self.linear(block)

    def check_linear(self, n_scores: int, where: str) -> None:
        """Raise unless there is a finite coefficient of each column, or function of the basis, for each score."""
        units, d = self.linear.units, self.columns.n_coefficients
        if len(units.scale) != d:
            fail(f"{where}.linear", f"is over {len(units.scale)} columns, not {d}")
        require.FINITE.check(self.linear.w, (n_scores, units.n_coefficients), f"{where}.linear.w")
        if self.rounded is None:
            return
        for name, rounded, plain, far in zip(
            ("intercept", "coef"), self.rounded, units.to_data(self.linear.w), (self._reach(), 0.0), strict=True
        ):
            require.ANY.check(rounded, plain.shape, f"{where}.{name}")
            require.close(rounded, plain, f"{where}.{name}", "does not follow from what predictions are made of",
                          rtol=TOLERANCE, atol=TOLERANCE * far)  # fmt: skip

    def _reach(self) -> float:
        """Return the size that the error of an intercept is relative to: the terms of which it is a difference."""
        units = self.linear.units
        if not units.intercept:
            return 0.0
        size = float(np.abs(self.linear.w[:, 1:] / units.scale * units.centre).sum(axis=1).max(initial=0.0))
        return size if np.isfinite(size) else 0.0
