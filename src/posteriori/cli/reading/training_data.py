"""The data of a fit: a table in memory, or files in batches if they may not fit into memory."""

from dataclasses import dataclass
from typing import Any

from posteriori.cli.reading.file_batches import FileBatches, exceeds_memory
from posteriori.cli.reading.files import read_table
from posteriori.cli.reading.infinite_cells import InfiniteCells
from posteriori.cli.reading.reserved_columns import ReservedColumns
from posteriori.cli.reading.sources import Source


@dataclass(frozen=True)
class TrainingData:
    """Rows to fit to, read once and checked.

    Parameters
    ----------
    name : of the files
    rows : an Arrow table, or batches
    n_rows : number of rows
    missing : number of missing cells of each column
    labels : the distinct labels
    infinite : the infinite cells of the features
    """

    name: str
    rows: Any
    n_rows: int
    missing: dict[str, int]
    labels: list[Any]
    infinite: InfiniteCells

    def only(self, names: list[str]) -> Any:
        """Return some of the columns."""
        return self.rows.only(names) if isinstance(self.rows, FileBatches) else self.rows.select(names)


def read_training_data(
    data: str, types: dict[str, str], reserved: dict[str, str | None], options: dict[str, Any], check_infinite: bool
) -> TrainingData:
    """Read the data of a fit, with the columns named by options checked.

    A target that a formula computes, such as cbind(successes, failures), is no column, and needs a table in memory.

    Parameters
    ----------
    data : a file, a folder, a glob or ``-``
    types : {column: type} of ``--type``
    reserved : {"target", "weight", "offset": the column, or None}
    options : of the command
    check_infinite : whether all columns but those reserved or ignored are features, in which infinite cells are counted
    """
    source = Source.to_learn_from(data, types, options)
    computed = options["formula"] is not None and "(" in str(reserved["target"])
    in_batches = not computed and exceeds_memory(source)
    rows: Any = FileBatches.of(source) if in_batches else read_table(source)
    checks = ReservedColumns.of(source.name, rows.schema, reserved, types, options, options["missing"])
    features = [name for name in rows.schema.names if name not in reserved.values() and types.get(name) != "ignore"]
    infinite = InfiniteCells(tuple(features if check_infinite else ()))
    missing = dict.fromkeys(rows.schema.names, 0)
    for table in _tables(rows):
        infinite.add(table, checks.n_rows)
        for name, column in zip(table.column_names, table.columns, strict=True):
            missing[name] += column.null_count
        checks.add(table)
    checks.refuse()
    return TrainingData(source.name, rows, checks.n_rows, missing, list(checks.labels), infinite)


def _tables(rows: Any) -> Any:
    if not isinstance(rows, FileBatches):
        return [rows]
    return (table for partition in range(rows.n_partitions) for table in rows.tables(partition))
