"""`DensityModel`: a density per class and Bayes' rule; `GaussianModel`: with one Gaussian per class."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from posteriori.arrays import Array
from posteriori.cached_property import cached_property
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.families.gaussian.full_parameters import FullParameters
from posteriori.families.joint_density import JointDensity
from posteriori.messages.errors import DataError
from posteriori.models.base import FittedModel
from posteriori.models.bayes_rule import impossible, log_posterior
from posteriori.models.density_checks import check_density
from posteriori.models.generative_summary import Summary
from posteriori.models.linear import read_only
from posteriori.models.linear_scores import contributions
from posteriori.storable import storable
from posteriori.tables.block import Block
from posteriori.tables.schema import Schema


@storable
@dataclass(frozen=True, eq=False, kw_only=True)
class DensityModel(FittedModel):
    """P(k | x) = p(x | k) P(k) / sum_j p(x | j) P(j).

    Book: [Bishop] Eq. 4.57 and 4.62, §4.2; [Jordan] §7.2; [Mitchell] §1.

    Parameters
    ----------
    statistics : of the rows, from which the densities are estimated
    density : p(x | k)
    class_priors : (K,) P(k)
    prior_parameters : the number of free parameters of the class priors, 0 where they were given
    """

    statistics: Summary
    density: JointDensity
    class_priors: Array
    prior_parameters: int

    @property
    def n_parameters(self) -> int:
        """Those of the densities and of the class priors."""
        return self.density.n_parameters + self.prior_parameters

    #: Weights and intercepts of linear scores, if there are such.
    linear_part: ClassVar[tuple[Array, Array] | None] = None

    @property
    def schema(self) -> Schema:
        """The columns, with the levels by which those of new rows are coded."""
        return self.statistics.schema

    def refuse_quadratic(self, what: str) -> None:
        """Do nothing: whether scores are linear in statistics of the rows depends on the families."""

    @cached_property
    def log_priors(self) -> Array:
        """(K,) log P(k)."""
        with np.errstate(divide="ignore"):  # the log of a prior of zero is -inf
            return np.log(self.class_priors)

    def joint(self, block: Block, method: str = "discriminant") -> Array:
        """Return log p(x | k) P(k) of a block, (n, K), up to a term common to the classes."""
        scores: Array = getattr(self.density, method)(block.features, block.backend) + self.log_priors
        return scores

    def scores(self, block: Block) -> Array:
        """Return log p(x | k) P(k) of a block, (n, K), up to a term common to the classes."""
        return self.joint(block)

    def log_probabilities(self, block: Block) -> Array:
        """Return log P(class | x) of a block, (n, K); of rows that are impossible under every class the log priors."""
        logs = log_posterior(self.joint(block))
        logs[impossible(logs)] = self.log_priors
        return logs

    def valid_row(self) -> Array:
        """Return a row (1, d) of cells that are valid for every family."""
        return self.density.valid_row(self.columns.number)

    def check_parts(self, where: str) -> None:
        """Raise unless statistics and densities are for the same classes and groups, which have each column once."""
        d, statistics, density = self.columns.number, self.statistics, self.density
        for name, groups in (("density", density.groups), ("statistics", statistics.groups)):
            columns = sorted(j for group in groups for j in group.columns)
            if len(columns) != d or any(j != at for at, j in enumerate(columns)):
                fail(f"{where}.{name}.groups", f"do not have each of the {d} columns once")
        if repr(density.groups) != repr(statistics.groups):
            fail(f"{where}.statistics.groups", "are not those of the densities")
        if not np.array_equal(statistics.classes, self.classes):
            fail(f"{where}.statistics.classes", "are not the model's classes")
        if len(statistics.schema.columns) != d:
            fail(f"{where}.statistics.schema", f"is not of {d} columns")
        if self.columns.names is not None and statistics.schema.names != tuple(self.columns.names):
            fail(f"{where}.columns.names", "are not those of the columns")
        require.PROBABILITY.check(self.class_priors, (self.n_classes,), f"{where}.class_priors")
        require.sums_to_one(self.class_priors, f"{where}.class_priors")
        if self.prior_parameters not in (0, self.n_classes - 1):
            fail(f"{where}.prior_parameters", f"is {self.prior_parameters}")
        check_density(statistics, density, where)


@storable
@dataclass(frozen=True, eq=False, kw_only=True)
class GaussianModel(DensityModel):
    """One Gaussian per class; with a covariance that all classes share, linear scores."""

    @property
    def means(self) -> Array:
        """(K, d)."""
        (parameters,) = self.density.parameters
        means: Array = parameters.mean  # type: ignore[attr-defined]
        return means

    @property
    def covariance(self) -> Array:
        """The covariance shared by all classes, (d, d)."""
        matrix: Array = self._matrices(shared=True)[0]
        return matrix

    @property
    def covariances(self) -> Array:
        """The covariance of each class, (K, d, d)."""
        return self._matrices(shared=False)

    @property
    def shared(self) -> bool:
        """Whether all classes share a covariance."""
        return bool(self.density.groups[0].family.shared)  # type: ignore[attr-defined]

    def _matrices(self, shared: bool) -> Array:
        if self.shared is not shared:
            raise AttributeError(f"the model was not fitted with shared={shared}")
        (parameters,) = self.density.parameters
        if isinstance(parameters, FullParameters):
            return parameters.covariance
        variance = parameters.variance  # type: ignore[attr-defined]
        return np.stack([np.diag(v) for v in (variance[:1] if shared else variance)])

    @cached_property
    def linear_part(self) -> tuple[Array, Array] | None:  # type: ignore[override]
        """Weights and intercepts: of one score for two classes, else by class; None where scores are quadratic."""
        ((group,), (parameters,)) = self.density.groups, self.density.parameters
        part = group.family.linear(parameters, group.columns, ()) if self.shared else None
        if part is None:
            return None
        with np.errstate(divide="ignore", invalid="ignore"):
            coef, intercept = part.coef, part.intercept + np.log(self.class_priors)
            if self.n_classes == 2:
                coef, intercept = coef[1:] - coef[:1], intercept[1:] - intercept[:1]
        return read_only(coef), read_only(intercept)

    @property
    def coef(self) -> Array | None:
        """(1, d) for two classes, (K, d) for more; None where scores are quadratic."""
        return None if self.linear_part is None else self.linear_part[0]

    @property
    def intercept(self) -> Array | None:
        """(1,) for two classes, (K,) for more; None where scores are quadratic."""
        return None if self.linear_part is None else self.linear_part[1]

    def contributions(self, block: Block) -> Array:
        """Return the contribution of each column to the linear scores of a block, (n, q, d)."""
        assert self.coef is not None
        return contributions(block, self.origin[0], self.coef)

    def refuse_quadratic(self, what: str) -> None:
        """Raise if scores are quadratic, so that there is none of `what`."""
        if self.linear_part is None:
            why = "the posterior is quadratic in x, since each class has its own covariance"
            raise DataError(f"{why}: there is no {what}. Use shared=True.")

    @property
    def origin(self) -> tuple[Array, Array]:
        """The row (d,) of zeros, from which contributions of columns are measured, and its scores, (1,) or (K,)."""
        self.refuse_quadratic("contribution of one column")
        assert self.linear_part is not None
        coef, intercept = self.linear_part
        return np.zeros(coef.shape[1]), np.asarray(intercept, dtype=np.float64)
