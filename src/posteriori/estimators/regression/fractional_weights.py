"""A note on frequency weights that are not whole numbers."""

from posteriori.engines.base import Engine
from posteriori.messages.errors import NonIntegerWeightsWarning
from posteriori.messages.notes import Note
from posteriori.statistics.invalid_cells import InvalidCells
from posteriori.statistics.row_summary import RowSummary
from posteriori.sweeps.row_summary import FractionalSweep
from posteriori.tables.views import WithoutColumns

CODE = "fractional-weights"


def fractional_notes(engine: Engine, rows: RowSummary, meaning: str, remedy: str) -> tuple[Note, ...]:
    """Return a note if weights are not whole numbers; its text ends in `meaning`, its advice is `remedy`."""
    if not rows.has_weights:
        return ()
    fractional: InvalidCells = engine.view(WithoutColumns()).run(FractionalSweep())
    count = int(fractional.count[0])
    if not count:
        return ()
    first = int(fractional.first_row[0])
    row = engine.table.row_number(first)
    message = (
        f"sample_weight: {count} of {rows.n_rows} weights are not whole numbers, the first at "
        f"{engine.table.origin(first)} ({fractional.first_value[0]:g}), but {meaning}"
    )
    return (Note(CODE, message, rows=(row,), remedy=remedy, category=NonIntegerWeightsWarning),)
