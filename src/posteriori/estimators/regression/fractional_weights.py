"""A note on frequency weights that are not whole numbers."""

import numpy as np

from posteriori.messages.errors import NonIntegerWeightsWarning
from posteriori.messages.notes import Note
from posteriori.tables.memory import MemoryTable

CODE = "fractional-weights"


def fractional_notes(table: MemoryTable, meaning: str, remedy: str) -> tuple[Note, ...]:
    """Return a note if weights are not whole numbers; its text ends in `meaning`, its advice is `remedy`."""
    weights = np.zeros(0) if table.given_weights is None else table.given_weights
    fractional = np.abs(weights - np.rint(weights)) > 1e-7 * np.maximum(weights, 1.0)
    if not fractional.any():
        return ()
    row = int(fractional.argmax())
    message = (
        f"sample_weight: {int(fractional.sum())} of {len(weights)} weights are not whole numbers, the first at row "
        f"{row} ({weights[row]:g}), but {meaning}"
    )
    return (Note(CODE, message, rows=(row,), remedy=remedy, category=NonIntegerWeightsWarning),)
