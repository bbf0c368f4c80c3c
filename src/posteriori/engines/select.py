"""The choice of an engine for a table."""

from posteriori.engines.base import Engine
from posteriori.engines.local import LocalEngine
from posteriori.tables.table import Table

#: Engines of tables that threads of this process cannot read, by the class of the table.
ENGINES: dict[type[Table], type[Engine]] = {}


def engine_for(table: Table) -> Engine:
    """Return an engine that can read the table: that of its class, or threads of this process."""
    kind: type[Engine] = next((ENGINES[base] for base in type(table.root).__mro__ if base in ENGINES), LocalEngine)
    return kind(table)
