"""The notes of a noisy-OR: triggers that never fail, and triggers that are not identified."""

from typing import Any

import numpy as np

from posteriori.arrays import Mask
from posteriori.fits.existence.separation_note import LISTED
from posteriori.messages.errors import CollinearityWarning, SeparationWarning
from posteriori.messages.notes import Note, quote, select
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.sweeps.noisy_or import HasTrigger
from posteriori.sweeps.reductions import MarkedSweep


def certain_note(objective: PenalizedLikelihood, certain: Mask, labels: tuple[Any, ...]) -> Note:
    """Return the note on triggers that never fail, with their rows."""
    table = objective.engine.table
    columns = np.flatnonzero(certain[int(objective.units.intercept) :])
    names = tuple(table.schema.columns[j].name for j in columns)
    rows = [table.row_number(int(row)) for row in objective.engine.run(MarkedSweep(HasTrigger(columns))).rows]
    return Note(
        code="separation",
        message=f"the column(s) {quote(list(names))} are positive in {len(rows)} row(s), all of class {labels[1]!r}: "
        "a trigger that never failed, so its failure probability is 0 and its theta has no finite maximum. theta_ "
        "holds a finite point far out.",
        columns=names,
        rows=tuple(rows[:LISTED]),
        classes=(str(labels[1]),),
        remedy=f"Leave the column(s) out, or gather rows of class {labels[0]!r} that show them.",
        category=SeparationWarning,
    )


def unidentified_notes(objective: PenalizedLikelihood, unidentified: Mask, labels: tuple[Any, ...]) -> tuple[Note, ...]:
    """Return a note on coefficients that can change without changing the likelihood, though columns are independent."""
    if not unidentified.any():
        return ()
    lead = int(objective.units.intercept)
    names = select(objective.engine.table.schema.names, unidentified[lead:])
    leak = " and the leak" if unidentified[:lead].any() else ""
    return (
        Note(
            code="aliased",
            message=f"the theta of {len(names)} column(s) ({quote(list(names))}){leak} is not determined: neither the "
            f"rows of class {labels[1]!r} nor those of class {labels[0]!r} distinguish them. theta_ holds the "
            "solution of least norm on scaled columns.",
            columns=names,
            remedy=f"Leave out {quote(list(names if leak else names[1:]), 3)}.",
            category=CollinearityWarning,
        ),
    )
