"""`RegressionModel` and `NoisyOrModel`: fitted regressions through a link."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.cached_property import cached_property
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.links.base import LinkFunction
from posteriori.links.noisy_or import NoisyOrLink
from posteriori.messages.errors import NoCriterionError
from posteriori.models.infinite_checks import check_infinite, check_separated
from posteriori.models.information import Information
from posteriori.models.likelihoods import Likelihoods, loss_without_columns
from posteriori.models.linear import LinearModel
from posteriori.models.linear_scores import InvalidCellsError
from posteriori.models.posterior.precision import ChosenPrecision
from posteriori.solvers.base import Solution
from posteriori.solvers.newton.bounded import BoundedSolution
from posteriori.solvers.ordered.online_pass import OnlineState
from posteriori.solvers.trace import Trace
from posteriori.storable import storable
from posteriori.sweeps.noisy_or import negative_cells
from posteriori.tables.block import Block


@storable
@dataclass(frozen=True, eq=False, kw_only=True)
class RegressionModel(LinearModel):
    """A regression through a link: coefficients of maximum (penalised) likelihood, and what inference needs.

    Parameters
    ----------
    link : the link
    information : the curvature of the likelihood
    likelihoods : of the fit and of the models it is compared with
    solution : the certificate
    infinite : (1, p) or (K, p) codes of the coefficients, as ``infinite_`` has them
    takes_offset : whether the rows had an offset
    weights : the meaning of the weights of the rows
    precision : that the evidence chose for the prior, if it did
    state : from which `partial_fit` continues, if it can
    trace : the iterates, where they were recorded
    """

    link: LinkFunction
    information: Information
    likelihoods: Likelihoods
    solution: Solution
    infinite: NDArray[np.int8]
    takes_offset: bool
    weights: Literal["frequency", "sampling"]
    precision: ChosenPrecision | None = None
    state: OnlineState | None = None
    trace: Trace | None = None

    @property
    def n_parameters(self) -> int:
        """(K - 1) p."""
        return (self.n_classes - 1) * self.linear.units.n_coefficients

    @property
    def n_iter(self) -> int:
        """Iterations of the solver, and evaluations of the evidence."""
        return self.solution.iterations + (0 if self.precision is None else self.precision.evaluations)

    @property
    def aic(self) -> float:
        """Akaike's information criterion."""
        self._refuse_sampling("aic_")
        return self.likelihoods.aic(self.information.n_free)

    @property
    def bic(self) -> float:
        """The Bayesian information criterion; it counts rows by their frequencies, as nobs() in R."""
        self._refuse_sampling("bic_")
        known = self.information
        n = float(known.totals.sum()) if known.n_copies is None else known.n_copies  # files of old versions have none
        return self.likelihoods.bic(known.n_free, n)

    def _refuse_sampling(self, name: str) -> None:
        if self.weights == "sampling":
            raise NoCriterionError(
                f"{name} does not exist: under weights='sampling' the weighted likelihood is not that of a sample. "
                "Compare models by wald_test, or by cross-validation (posteriori.compare)."
            )

    def expanded(self, scores: Array) -> Array:
        """Return the scores of the link, (n, q), as (n,) for two classes and (n, K) for more."""
        return scores[:, 0] if self.n_classes == 2 else self.link.expand(scores)

    def log_probabilities(self, block: Block) -> Array:
        """Return log P(class | x) of a block, (n, K)."""
        return self.link.log_probabilities(self.linear(block))

    def check_parts(self, where: str) -> None:
        """Raise unless scores, link, information, likelihoods, trace and state are for the same coefficients."""
        _check_link(self, where)
        self._check_information(where)
        check_separated(self, where)
        check_infinite(self.infinite, self.information, self.linear.units, self.link, where)
        self._check_likelihoods(where)
        shape = self.infinite.shape if self.n_classes > 2 else self.infinite.shape[1:]
        if self.trace is not None and self.trace.weights.shape[1:] != shape:
            fail(f"{where}.trace", "is not for the model's weights")
        if self.state is not None and self.state.w.shape != self.linear.w.shape:
            fail(f"{where}.state", "is not for the model's weights")

    def _check_information(self, where: str) -> None:
        known, (n_scores, p), K = self.information, self.linear.w.shape, self.n_classes
        if len(known.infinite) != (K - 1) * p or len(known.totals) != K:
            fail(f"{where}.information", "is not for the model's classes and columns")
        if known.prior is not None and len(known.prior.mean) != n_scores * p:
            fail(f"{where}.information.prior", "is not for the model's coefficients")
        if known.n_free != len(known.infinite) - known.aliased.shape[1]:
            fail(f"{where}.information.n_free", "does not follow from the coefficients that are aliased")
        sampling = self.weights == "sampling"
        total = float(known.totals.sum())
        mean = total / known.n_rows if known.one_class_per_row else known.scale
        require.close(known.scale, mean if sampling else 1.0, f"{where}.information.scale",
                      "does not follow from the weights", rtol=1e-9)  # fmt: skip
        if known.one_class_per_row and known.n_copies is not None:
            require.close(known.n_copies, float(known.n_rows) if sampling else total, f"{where}.information.n_copies",
                          "does not follow from the weights", rtol=1e-9)  # fmt: skip

    def _check_likelihoods(self, where: str) -> None:
        """Raise unless all losses are those of one fit.

        The loss of the model without columns has a closed form where there is no offset.
        """
        known, likelihoods = self.information, self.likelihoods
        require.number(likelihoods.null_loss, f"{where}.likelihoods.null_loss")
        likelihoods.check_fit(known.loss, known.one_class_per_row, where)
        if not self.takes_offset:
            null = loss_without_columns(self.link, known.totals, self.linear.units.intercept)
            require.close(likelihoods.null_loss, null, f"{where}.likelihoods.null_loss",
                          "does not follow from the weights of the classes", rtol=1e-6, atol=1e-6)  # fmt: skip
        if not known.jeffreys:
            penalty = 0.0 if known.prior is None else known.prior.value(self.linear.w.ravel())
            require.close(self.solution.objective, known.loss + penalty, f"{where}.solution.objective",
                          "does not follow from the loss", rtol=1e-6, atol=1e-6)  # fmt: skip


@storable
@dataclass(frozen=True, eq=False, kw_only=True)
class NoisyOrModel(LinearModel):
    """A noisy-OR: the linear scores are theta'x + leak.

    Parameters
    ----------
    likelihoods : of the fit and of the models it is compared with
    solution : the certificate
    certain : (p,) the triggers that never fail, which have no finite theta, the leak first if there is one
    n_trials : rows, or the sum of their counts, by weight
    """

    likelihoods: Likelihoods
    solution: BoundedSolution
    certain: NDArray[np.bool_]
    n_trials: float

    link = NoisyOrLink()

    @property
    def n_parameters(self) -> int:
        """The number of triggers, and one for the leak."""
        return self.linear.units.n_coefficients

    @property
    def theta(self) -> Array:
        """(d,)."""
        return np.asarray(self.coef[0])

    @cached_property
    def failure_probabilities(self) -> Array:
        """Xi = exp(-theta), (d,)."""
        return np.exp(-self.theta)

    @property
    def leak(self) -> float:
        """The theta of the leak, 0 without one."""
        return float(self.intercept[0])

    @property
    def infinite(self) -> NDArray[np.int8]:
        """(1, d + 1) 1 for coefficients without a finite estimate, the leak first."""
        leak = self.linear.units.intercept
        return (self.certain if leak else np.concatenate([[False], self.certain]))[None].astype(np.int8)

    @property
    def aic(self) -> float:
        """Akaike's information criterion."""
        return self.likelihoods.aic(self.n_parameters)

    @property
    def bic(self) -> float:
        """The Bayesian information criterion."""
        return self.likelihoods.bic(self.n_parameters, self.n_trials)

    def scores(self, block: Block) -> Array:
        """Return theta'x + leak of a block, (n, 1); raise for negative cells."""
        _refuse_negative(block)
        return super().scores(block)

    def contributions(self, block: Block) -> Array:
        """Return the contribution of each column to the scores of a block, (n, 1, d); raise for negative cells."""
        _refuse_negative(block)
        return super().contributions(block)

    def log_probabilities(self, block: Block) -> Array:
        """Return log P(class | x) of a block, (n, 2)."""
        logs: Array = self.link.log_probabilities(self.scores(block))
        return logs

    def check_parts(self, where: str) -> None:
        """Raise unless columns are not centred, nothing is negative, and the loss is that of the solution."""
        _check_link(self, where)
        units, w = self.linear.units, self.linear.w
        if units.centre.any():
            fail(f"{where}.linear", "is centred")
        require.Numbers(0.0, message="a negative coefficient").check(w, w.shape, f"{where}.linear.w")
        if self.certain.shape != (units.n_coefficients,):
            fail(f"{where}.certain", "is not for the model's coefficients")
        if not (w[0, self.certain] > 0).all():
            fail(f"{where}.certain", "marks coefficients that are zero")
        check_separated(self, where)
        require.number(self.n_trials, f"{where}.n_trials", require.SMALLEST)
        self.likelihoods.check_fit(self.solution.objective, False, where)


def _check_link(model: RegressionModel | NoisyOrModel, where: str) -> None:
    """Raise unless link and scores are for the model's classes."""
    if model.link.n_classes != model.n_classes:
        fail(f"{where}.link", "is not for the model's classes")
    model.check_linear(model.link.n_scores, where)


def _refuse_negative(block: Block) -> None:
    tally = negative_cells(block)
    if tally.count.any():
        raise InvalidCellsError(tally, "zero or positive", "Leave out or correct those rows.")
