"""A note on weights that are taken as frequencies and are not whole numbers."""

import numpy as np

from posteriori.messages.errors import NonIntegerWeightsWarning
from posteriori.messages.notes import Note
from posteriori.tables.memory import MemoryTable

CODE = "fractional-weights"


def fractional_notes(table: MemoryTable, taken: str, remedy: str) -> tuple[Note, ...]:
    """Return a note where weights are not whole numbers: `taken` says how they are taken, `remedy` what to do."""
    given = table.given_weights
    if given is None:
        return ()
    odd = np.abs(given - np.rint(given)) > 1e-7 * np.maximum(given, 1.0)
    if not odd.any():
        return ()
    row = int(odd.argmax())
    message = (
        f"sample_weight: {int(odd.sum())} of {len(given)} weights are not whole numbers, the first at row {row} "
        f"({given[row]:g}), but {taken}"
    )
    return (Note(CODE, message, rows=(row,), remedy=remedy, category=NonIntegerWeightsWarning),)
