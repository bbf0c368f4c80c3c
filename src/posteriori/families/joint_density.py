"""`JointDensity`: the class-conditional density of a whole row, as a product over groups of columns."""

import operator
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import scipy.sparse as sp

from posteriori.arrays import Array, Codes
from posteriori.backends.backend import Backend
from posteriori.backends.csr import is_sparse
from posteriori.cached_property import cached_property
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.families.base import Family, Parameters
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Group:
    """Some columns and the family they follow."""

    family: Family
    columns: tuple[int, ...]

    def pick(self, rows: Any) -> Any:
        """Return the group's columns of some rows; a view if they are all columns in order."""
        if self._in_order and len(self.columns) == rows.shape[1]:
            return rows
        if is_sparse(rows):
            return sp.csr_array(rows[:, list(self.columns)])
        return np.take(rows, self.columns, axis=1)  # indexing would return a transposed layout

    @cached_property
    def _in_order(self) -> bool:
        return self.columns == tuple(range(len(self.columns)))


@storable
@dataclass(frozen=True)
class JointDensity:
    """Fitted groups: dependent within, independent between, given the class.

    log p(x | k) = sum over groups g of log p_g(x_g | k).

    Book: [Mitchell] Eq. 1-3, §2.2; [Jordan] Fig. 7.4(b), §7.2.

    Parameters
    ----------
    groups : the groups of columns
    parameters : the fitted parameters of each
    """

    groups: tuple[Group, ...]
    parameters: tuple[Parameters, ...]

    def log_density(self, rows: Array, backend: Backend) -> Array:
        """Return log p(x | k), (n, K)."""
        return self._sum("log_density", rows, backend)

    def discriminant(self, rows: Array, backend: Backend) -> Array:
        """Return log p(x | k) up to a term common to all classes, (n, K)."""
        return self._sum("discriminant", rows, backend)

    def _sum(self, method: str, rows: Array, backend: Backend) -> Array:
        pairs = zip(self.groups, self.parameters, strict=True)
        scores = (getattr(group.family, method)(parameters, group.pick(rows), backend) for group, parameters in pairs)
        return np.asarray(reduce(operator.iadd, scores))

    def sample(self, codes: Codes, n_columns: int, rng: np.random.Generator) -> Array:
        """Draw a row for each class code, (n, d)."""
        rows = np.empty((len(codes), n_columns))
        for group, parameters in zip(self.groups, self.parameters, strict=True):
            rows[:, group.columns] = group.family.sample(parameters, codes, rng)
        return rows

    def valid_row(self, n_columns: int) -> Array:
        """Return a row (1, d) that is valid for every family."""
        row = np.zeros((1, n_columns))
        for group in self.groups:
            row[:, group.columns] = group.family.valid_value(len(group.columns))
        return row

    @property
    def n_parameters(self) -> int:
        """The number of free parameters of all groups."""
        return sum(g.family.n_parameters(p) for g, p in zip(self.groups, self.parameters, strict=True))

    def check(self, where: str) -> None:
        """Raise unless every group has parameters of its family."""
        if len(self.groups) != len(self.parameters):
            fail(f"{where}.parameters", f"has {len(self.parameters)} entries for {len(self.groups)} groups")
        for i, (group, parameters) in enumerate(zip(self.groups, self.parameters, strict=True)):
            require.instance(parameters, group.family.parameters_type, f"{where}.parameters[{i}]")
