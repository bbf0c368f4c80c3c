"""Columns that are combinations of others, by the QR factor of the design, relative to each column's own scale."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.linalg.cholesky import FULL_RANK_PIVOT, ScaledCholesky
from posteriori.linalg.subspaces import column_space
from posteriori.messages.errors import CollinearityWarning
from posteriori.messages.notes import Note, quote
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.priors.quadratic import Quadratic
from posteriori.sweeps.sample import TriangleSweep
from posteriori.tables.schema import Schema

#: Part of a column (in units) outside the others' span below which it is an alias: rounding makes less than 1e-15.
ALIAS = 1e-14
#: Aliases whose combinations are printed.
SHOWN = 3
#: Root of the precision of a direction, relative to the largest, that rounding may make.
ROUNDED = 1e-13


@dataclass(frozen=True)
class Alias:
    """A column that equals a combination of columns before it: {column: coefficient}, -1 for the intercept.

    The combination is empty for a column that is constant, and for those beyond the first `SHOWN`.
    """

    column: int
    combination: dict[int, float]


def clearly_full_rank(hessian: Array) -> bool:
    """Return whether a Hessian's Cholesky pivots show that the columns are independent."""
    return ScaledCholesky.of(hessian).is_above(FULL_RANK_PIVOT)


def triangle_of(objective: PenalizedLikelihood) -> Array:
    """Factor the design in units: one sweep."""
    factor: Array = objective.engine.run(TriangleSweep(objective.units)).factor
    return factor


def tolerances(units: Units) -> Array:
    """Return the part of each design column that rounding of the data alone can cause, (p,)."""
    blur = ALIAS + 16 * np.finfo(np.float64).eps * np.abs(units.centre) / units.scale
    return np.concatenate([[ALIAS], blur]) if units.intercept else blur


def find_aliases(factor: Array, units: Units) -> list[Alias]:
    """Return the columns that depend on independent ones before them.

    The combinations of the first few are computed, since no more are printed.
    """
    size = np.linalg.norm(factor, axis=0)
    largest = size.max() if size.size else 0.0
    independent: list[int] = []
    aliases: list[Alias] = []
    basis = np.empty(factor.shape, order="F")
    tolerance = tolerances(units)
    shift = int(units.intercept)
    for j in range(factor.shape[1]):
        own, known = factor[:, j], basis[:, : len(independent)]
        for _ in range(2):  # a single projection leaves rounding of the size of what it removed
            own = own - known @ (known.T @ own)
        rest = float(np.linalg.norm(own))
        if rest <= tolerance[j] * max(size[j], 1e-3 * largest):
            shown = independent if len(aliases) < SHOWN else []
            aliases.append(Alias(j - shift, _combination(factor, shown, j, shift)))
        else:
            basis[:, len(independent)] = own / rest
            independent.append(j)
    return aliases


def _combination(factor: Array, independent: list[int], j: int, shift: int) -> dict[int, float]:
    """Return the coefficients of column j in independent columns before it."""
    if not independent:
        return {}
    share, *_ = np.linalg.lstsq(factor[: j + 1, independent], factor[: j + 1, j], rcond=None)
    return {i - shift: float(c) for i, c in zip(independent, share, strict=True) if abs(c) > 1e-9}


def gauge_of(objective: PenalizedLikelihood, null: Array | None = None) -> Array:
    """Return the directions along which the objective is flat, orthonormal, (q p, m).

    They are the `null` space (p, a) of aliased columns in every score, and the softmax's common shift, without
    directions that the prior penalises.
    """
    q, p = objective.link.n_scores, objective.units.n_coefficients
    candidates = [np.zeros((q * p, 0)) if null is None else np.kron(np.eye(q), null)]
    if q == objective.link.n_classes:  # K vectors: adding one vector to all of them changes no probability
        candidates.append(np.kron(np.ones((q, 1)), np.eye(p)))
    spanning = np.concatenate(candidates, axis=1)
    if not spanning.shape[1]:
        return spanning
    basis = column_space(spanning, 1e-10, relative=True)
    return basis if objective.prior.is_flat else _unpenalized(objective, basis)


def _unpenalized(objective: PenalizedLikelihood, basis: Array) -> Array:
    """Return an orthonormal basis of the directions in the span of a basis that the prior does not penalise.

    In the user's units each coefficient's own precision is known to all digits, so that the least of them counts beside
    the largest; of a matrix only what is above the rounding of its largest entry.
    """
    prior, stated = objective.prior, objective.stated
    if stated is not None and stated.precision.ndim == 1:
        roots = np.sqrt(stated.precision / max(float(stated.precision.max()), 1e-300))
        _, sizes, turn = np.linalg.svd(roots[:, None] * _to_data(objective, basis), full_matrices=False)
        return np.asarray(basis @ turn[sizes <= ROUNDED * max(float(sizes.max(initial=0.0)), 1.0)].T)
    values, vectors = np.linalg.eigh(basis.T @ prior.matrix() @ basis)
    largest = max(float(np.abs(prior.precision).max()), 1e-300)
    return np.asarray(basis @ vectors[:, values <= 1e-12 * largest])


def _to_data(objective: PenalizedLikelihood, basis: Array) -> Array:
    """Return directions of the coefficients of the fit, (q p, m), as those of coefficients in the user's units."""
    units = objective.units
    lead, weights = units.to_data(basis.T.reshape(-1, units.n_coefficients))
    columns = np.column_stack([lead, weights]) if units.intercept else weights
    return np.asarray(columns.reshape(basis.shape[1], -1).T)


def with_shift(objective: PenalizedLikelihood, sets_common_shift: bool = True) -> PenalizedLikelihood:
    """Return the objective with the common shift of K vectors in its gauge, where the prior treats all vectors alike.

    The optimal shift is then the mean of the prior's means. In large units the prior's curvature is below the rounding
    of that of the rows, so that no step could find it. Without `sets_common_shift` steps find it, unless it is zero,
    where they begin.
    """
    q, p = objective.link.n_scores, objective.units.n_coefficients
    if q != objective.link.n_classes or objective.prior.is_flat or not _is_even(objective.prior, q):
        return objective
    origin = np.tile(objective.prior.common_shift(np.zeros(q * p), q), q)
    if not sets_common_shift and origin.any():
        return objective
    shift = np.kron(np.full((q, 1), q**-0.5), np.eye(p))
    rest = objective.gauge - shift @ (shift.T @ objective.gauge)
    return replace(objective, gauge=np.concatenate([shift, column_space(rest, 1e-10)], axis=1), origin=origin)


def _is_even(prior: Quadratic, n_scores: int) -> bool:
    """Return whether a prior has the same precision for every vector and none between them."""
    if prior.precision.ndim == 1:
        each = prior.precision.reshape(n_scores, -1)
        return bool((each == each[0]).all())
    p = len(prior.mean) // n_scores
    alike = np.kron(np.eye(n_scores), prior.precision[:p, :p])
    return bool(np.abs(prior.precision - alike).max() <= 1e-12 * np.abs(alike).max())


def alias_notes(
    aliases: Sequence[Alias],
    schema: Schema,
    units: Units,
    identified: str = "probabilities are. coef_ holds the solution of least norm on standardised columns",
    instead: str = "give a prior",
) -> tuple[Note, ...]:
    """Return one note for all aliases: the columns, the combinations of the first few, and what `identified` says."""
    if not aliases:
        return ()
    names = tuple(schema.columns[alias.column].name for alias in aliases if alias.column >= 0)
    sentences = [_equation(alias, schema, units) for alias in aliases[:SHOWN] if alias.column >= 0]
    more = f" and {len(aliases) - SHOWN} more" if len(aliases) > SHOWN else ""
    return (
        Note(
            code="aliased",
            message=f"{len(names)} column(s) are combinations of others ({'; '.join(sentences)}{more}), so their own "
            f"coefficients are not identified; {identified}.",
            columns=names,
            remedy=f"Leave out {quote(list(names), 3)}, or {instead}.",
            category=CollinearityWarning,
        ),
    )


def _equation(alias: Alias, schema: Schema, units: Units) -> str:
    """Format an alias in the user's units: "column 'c' = 2 'a' + 1 'b'"."""
    what = schema.describe(alias.column)
    terms = {i: c for i, c in alias.combination.items() if i >= 0}
    if not terms:
        return f"{what} is constant" if units.intercept else f"{what} is zero throughout"
    scale = units.scale[alias.column]
    shown = [f"{c * scale / units.scale[i]:.4g} x {schema.columns[i].name!r}" for i, c in list(terms.items())[:4]]
    rest = f" and {len(terms) - 4} more" if len(terms) > 4 else ""
    constant = units.centre[alias.column] - sum(c * scale / units.scale[i] * units.centre[i] for i, c in terms.items())
    size = max(abs(units.centre[alias.column]), scale)
    lead = f" + {constant:.4g}" if abs(constant) > 1e-6 * size else ""
    return f"{what} = {' + '.join(shown)}{rest}{lead}"
