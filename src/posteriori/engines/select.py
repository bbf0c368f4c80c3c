"""The only place where an engine is chosen."""

from posteriori.engines.base import Engine
from posteriori.engines.memory import MemoryEngine
from posteriori.tables.memory import MemoryTable
from posteriori.tables.table import Table


def engine_for(table: Table) -> Engine:
    """Give the engine that can read this table."""
    if isinstance(table, MemoryTable):
        return MemoryEngine(table)
    raise TypeError(f"no engine reads a {type(table).__name__}")
