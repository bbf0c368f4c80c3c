"""Tables of several files as one: columns by name, types widened where nothing is lost."""

from typing import Any

from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote


def joined(tables: list[Any], names: list[str]) -> Any:
    """Put tables one below the other; `names` says which file each came from, for messages."""
    import pyarrow as pa

    first = tables[0]
    if len(tables) == 1:
        return first
    for table, name in zip(tables[1:], names[1:], strict=True):
        for here, there, file in ((table, first, name), (first, table, names[0])):
            absent = [column for column in there.column_names if column not in here.column_names]
            if absent:
                raise DataError(f"{file} lacks the column(s) {quote(absent)} that other files have.")
    schema = pa.schema(
        [(column, _type(column, [table.schema.field(column).type for table in tables], names))
         for column in first.column_names]
    )  # fmt: skip
    return pa.concat_tables([_cast(table, schema, name) for table, name in zip(tables, names, strict=True)])


def _cast(table: Any, schema: Any, name: str) -> Any:
    """Give a table of the types of a schema; whole numbers beyond 2^53 among fractions are rounded to these."""
    import pyarrow as pa

    try:
        columns = [table.column(f.name).cast(f.type, safe=not pa.types.is_floating(f.type)) for f in schema]
    except pa.ArrowInvalid as error:
        raise DataError(f"{name}: {str(error).splitlines()[0]}") from None
    return pa.table(columns, schema=schema)


def _type(column: str, types: list[Any], names: list[str]) -> Any:
    """Give the type that holds a column of every file, or say which files disagree."""
    import pyarrow as pa

    known = {str(kind): (kind, name) for kind, name in zip(types, names, strict=True) if not pa.types.is_null(kind)}
    kinds = [kind for kind, _ in known.values()]
    if len(kinds) <= 1:
        return kinds[0] if kinds else pa.null()
    if all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in kinds):
        return pa.int64() if all(pa.types.is_integer(kind) for kind in kinds) else pa.float64()
    if all(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_dictionary(kind) for kind in kinds
    ):
        return pa.string()
    (one, first), (other, second) = list(known.values())[:2]
    raise DataError(
        f"column {column!r} is of type {one} in {first} and of type {other} in {second}; give it one type in all "
        f"files, or say --type {column}=category."
    )
