"""The choice of an engine for a table."""

from posteriori.engines.base import Engine
from posteriori.engines.memory import MemoryEngine
from posteriori.tables.memory import MemoryTable
from posteriori.tables.table import Table


def engine_for(table: Table) -> Engine:
    """Return an engine that can read the table."""
    if isinstance(table, MemoryTable):
        return MemoryEngine(table)
    raise TypeError(f"no engine reads a {type(table).__name__}")
