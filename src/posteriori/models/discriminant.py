"""`ScatterModel` and `PerceptronModel`: linear discriminant functions, which have scores and no probabilities."""

from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from posteriori.arrays import Array
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.models.linear import LinearModel
from posteriori.models.linear_scores import LinearScores
from posteriori.solvers.ordered.perceptron import PerceptronState
from posteriori.solvers.ordered.perceptron_trace import PerceptronTrace
from posteriori.storable import storable
from posteriori.sweeps.least_squares import WithinSummary
from posteriori.tables.block import Block


@dataclass(frozen=True, eq=False, kw_only=True)
class DiscriminantModel(LinearModel):
    """A linear discriminant function: the sign, or the argmax, of the scores is the decision.

    Book: [Bishop] §4.1.1-4.1.2; [Deuschle] §3.3.
    """

    link = None

    @property
    def has_probabilities(self) -> bool:
        """There are scores only."""
        return False

    @property
    def n_scores(self) -> int:
        """1 for two classes, K for more."""
        return 1 if self.n_classes == 2 else self.n_classes

    def log_probabilities(self, block: Block) -> NoReturn:
        """Raise: there are no probabilities."""
        raise AttributeError(f"a {type(self).__name__} has scores, not probabilities")


@storable
@dataclass(frozen=True, eq=False, kw_only=True)
class ScatterModel(DiscriminantModel):
    """A discriminant function computed from class means and the scatter about them.

    Parameters
    ----------
    statistics : class weights, class means and the triangular factor of the scatter
    """

    statistics: WithinSummary

    @property
    def n_parameters(self) -> int:
        """Weights and thresholds, (K - 1)(d + 1)."""
        return (self.n_classes - 1) * self.linear.units.n_coefficients

    def check_parts(self, where: str) -> None:
        """Raise unless statistics and scores are for the model's classes and columns."""
        self.check_linear(self.n_scores, where)
        if not np.array_equal(self.statistics.classes, self.classes):
            fail(f"{where}.statistics.classes", "are not the model's classes")
        if len(self.statistics.schema.columns) != self.columns.n_coefficients:
            fail(f"{where}.statistics.schema", f"is not of {self.columns.n_coefficients} columns")


@storable
@dataclass(frozen=True, eq=False, kw_only=True)
class FisherModel(ScatterModel):
    """Fisher's discriminant: scores, and a projection of the rows.

    Parameters
    ----------
    projection : the directions as rows, in the units of the scores
    eigenvalues : (r,) of S_W^-1 S_B, largest first
    """

    projection: LinearScores
    eigenvalues: Array

    @property
    def scalings(self) -> Array:
        """The directions in the units of X, (d, q)."""
        scalings: Array = self.projection.w[:, 1:].T / self.projection.units.scale[:, None]
        return scalings

    @property
    def ratio(self) -> Array:
        """Each eigenvalue divided by their sum, (q,)."""
        total, first = self.eigenvalues.sum(), self.eigenvalues[: len(self.projection.w)]
        ratio: Array = first / total if total > 0 else np.zeros_like(first)
        return ratio

    @property
    def means(self) -> Array:
        """(K, d) class means."""
        return self.statistics.within.mean

    def check_parts(self, where: str) -> None:
        """Raise unless directions are by column, in the units of the scores."""
        super().check_parts(where)
        w = self.projection.w
        if not self.projection.units.same(self.linear.units):
            fail(f"{where}.projection.units", "are other units than those of the scores")
        if w.shape[1] != self.columns.number + 1 or w[:, 0].any():
            fail(f"{where}.projection.w", "is not by direction and column")
        require.FINITE_NOT_NEGATIVE.check(self.eigenvalues, (len(self.eigenvalues),), f"{where}.eigenvalues")
        if len(self.eigenvalues) < len(w):
            fail(f"{where}.eigenvalues", f"are fewer than the {len(w)} directions")


@storable
@dataclass(frozen=True, eq=False, kw_only=True)
class PerceptronModel(DiscriminantModel):
    """A perceptron: weights, and the state from which it continues.

    Parameters
    ----------
    state : after the last row
    n_iter : number of passes
    converged : whether there was a pass without a mistake
    trace : every update, where they were recorded
    """

    state: PerceptronState
    n_iter: int
    converged: bool
    trace: PerceptronTrace | None = None

    @property
    def n_parameters(self) -> int:
        """The number of weights."""
        return self.linear.w.size

    def check_parts(self, where: str) -> None:
        """Raise unless state and trace are over the same weights as the scores, in the units of X."""
        self.check_linear(self.n_scores, where)
        units, w = self.linear.units, self.linear.w
        if units.centre.any() or (units.scale != 1.0).any() or not units.intercept:
            fail(f"{where}.linear.units", "are not those of the columns")
        require.integer(self.n_iter, f"{where}.n_iter", 1)
        require.FINITE.check(self.state.w, w.shape, f"{where}.state.w")
        shape = np.squeeze(w, 0 if len(w) == 1 else ()).shape
        if self.trace is not None and self.trace.before.shape[1:] != shape:
            fail(f"{where}.trace", "is not for the model's weights")
