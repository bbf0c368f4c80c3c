"""Which columns are combinations of others: read from the triangle, relative to each column's own scale."""

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

#: Part of a column (in units) that must be its own for it not to be an alias: rounding leaves less than 1e-15.
ALIAS = 1e-14
#: How many aliases are spelt out.
SHOWN = 3


@dataclass(frozen=True)
class Alias:
    """A column that equals a combination of columns before it: {column: coefficient}, -1 for the intercept.

    The combination is empty for a column that is constant, and for those beyond the first `SHOWN`.
    """

    column: int
    combination: dict[int, float]


def clearly_full_rank(hessian: Array) -> bool:
    """Say whether a Hessian's Cholesky pivots leave no doubt that the columns are independent."""
    return ScaledCholesky.of(hessian).is_above(FULL_RANK_PIVOT)


def triangle_of(objective: PenalizedLikelihood) -> Array:
    """Factor the design in units: one sweep."""
    factor: Array = objective.engine.run(TriangleSweep(objective.units)).factor
    return factor


def tolerances(units: Units) -> Array:
    """Give the part of each design column that rounding of the data alone can make, (p,)."""
    blur = ALIAS + 16 * np.finfo(np.float64).eps * np.abs(units.centre) / units.scale
    return np.concatenate([[ALIAS], blur]) if units.intercept else blur


def find_aliases(factor: Array, units: Units) -> list[Alias]:
    """Go through the columns in order and list those that depend on the ones kept before them.

    What the first few equal is found; of the others only that they depend, which is all that is said of them.
    """
    size = np.linalg.norm(factor, axis=0)
    largest = size.max() if size.size else 0.0
    kept: list[int] = []
    aliases: list[Alias] = []
    basis = np.empty(factor.shape, order="F")
    tolerance = tolerances(units)
    shift = int(units.intercept)
    for j in range(factor.shape[1]):
        own, known = factor[:, j], basis[:, : len(kept)]
        for _ in range(2):  # once leaves rounding of the size of what was taken away
            own = own - known @ (known.T @ own)
        rest = float(np.linalg.norm(own))
        if rest <= tolerance[j] * max(size[j], 1e-3 * largest):
            shown = kept if len(aliases) < SHOWN else []
            aliases.append(Alias(j - shift, _combination(factor, shown, j, shift)))
        else:
            basis[:, len(kept)] = own / rest
            kept.append(j)
    return aliases


def _combination(factor: Array, kept: list[int], j: int, shift: int) -> dict[int, float]:
    """Give the coefficients of column j in the columns kept before it."""
    if not kept:
        return {}
    share, *_ = np.linalg.lstsq(factor[: j + 1, kept], factor[: j + 1, j], rcond=None)
    return {i - shift: float(c) for i, c in zip(kept, share, strict=True) if abs(c) > 1e-9}


def gauge_of(objective: PenalizedLikelihood, null: Array) -> Array:
    """Give the directions along which the objective is flat: aliases in every score, the softmax's common shift.

    Those that the prior holds are not flat and are left out.
    """
    q, p = objective.link.n_scores, objective.units.n_coefficients
    candidates = [np.kron(np.eye(q), null)]
    if q == objective.link.n_classes:  # K vectors: adding one vector to all of them changes no probability
        candidates.append(np.kron(np.ones((q, 1)), np.eye(p)))
    spanning = np.concatenate(candidates, axis=1)
    if not spanning.shape[1]:
        return spanning
    basis = column_space(spanning, 1e-10, relative=True)
    if objective.prior.is_flat:
        return basis
    held = basis.T @ objective.prior.matrix() @ basis
    values, vectors = np.linalg.eigh(held)
    flat: Array = basis @ vectors[:, values <= 1e-12 * max(float(np.abs(objective.prior.precision).max()), 1e-300)]
    return flat


def with_shift(objective: PenalizedLikelihood, levels: bool = True) -> PenalizedLikelihood:
    """Give the objective with the common shift of K vectors in its gauge, where the prior treats all vectors alike.

    Such a prior alone decides the shift, and puts it at the mean of its means. In large units its curvature there is
    lost in the rounding of that of the rows, so that no step could find what is known beforehand. Without `levels`
    steps are to find it, unless they begin there, at zero.
    """
    q, p = objective.link.n_scores, objective.units.n_coefficients
    if q != objective.link.n_classes or objective.prior.is_flat or not _is_even(objective.prior, q):
        return objective
    origin = np.tile(objective.prior.common_shift(np.zeros(q * p), q), q)
    if not levels and origin.any():
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
    held: str = "probabilities are. coef_ holds the solution of least norm on standardised columns",
    instead: str = "give a prior",
) -> tuple[Note, ...]:
    """Word one note for all aliases: which columns, what the first few equal, and what is held of them."""
    if not aliases:
        return ()
    names = tuple(schema.columns[alias.column].name for alias in aliases if alias.column >= 0)
    sentences = [_equation(alias, schema, units) for alias in aliases[:SHOWN] if alias.column >= 0]
    more = f" and {len(aliases) - SHOWN} more" if len(aliases) > SHOWN else ""
    return (
        Note(
            code="aliased",
            message=f"{len(names)} column(s) are combinations of others ({'; '.join(sentences)}{more}), so their own "
            f"coefficients are not identified; {held}.",
            columns=names,
            remedy=f"Leave out {quote(list(names), 3)}, or {instead}.",
            category=CollinearityWarning,
        ),
    )


def _equation(alias: Alias, schema: Schema, units: Units) -> str:
    """Word an alias in the user's units: "column 'c' = 2 'a' + 1 'b'"."""
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
