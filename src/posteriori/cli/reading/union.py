"""Tables of several files concatenated: columns matched by name, types widened where nothing is lost."""

from typing import Any

from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote


def concatenate(tables: list[Any], names: list[str]) -> Any:
    """Concatenate the rows of tables; `names` are their files, for messages."""
    import pyarrow as pa

    if len(tables) == 1:
        return tables[0]
    schema = common_schema([table.schema for table in tables], names)
    return pa.concat_tables([cast_table(table, schema, name) for table, name in zip(tables, names, strict=True)])


def common_schema(schemas: list[Any], names: list[str]) -> Any:
    """Return the columns of the first file, each with a type for all files; raise if a file lacks one."""
    import pyarrow as pa

    first = schemas[0]
    if len(schemas) == 1:
        return first
    for schema, name in zip(schemas[1:], names[1:], strict=True):
        for one, other, file in ((schema, first, name), (first, schema, names[0])):
            absent = [column for column in other.names if column not in one.names]
            if absent:
                raise DataError(f"{file} lacks the column(s) {quote(absent)} of other files.")
    return pa.schema(
        [(column, _type(column, [schema.field(column).type for schema in schemas], names)) for column in first.names]
    )


def cast_table(table: Any, schema: Any, name: str) -> Any:
    """Convert a table to a schema; whole numbers beyond 2^53 in a column with fractions are rounded."""
    import pyarrow as pa

    try:
        columns = [table.column(f.name).cast(f.type, safe=not pa.types.is_floating(f.type)) for f in schema]
    except pa.ArrowInvalid as error:
        raise DataError(f"{name}: {str(error).splitlines()[0]}") from None
    return pa.table(columns, schema=schema)


def _type(column: str, types: list[Any], names: list[str]) -> Any:
    """Return the common type of a column in all files; raise if there is none."""
    import pyarrow as pa

    known = {str(kind): (kind, name) for kind, name in zip(types, names, strict=True) if not pa.types.is_null(kind)}
    kinds = [kind for kind, _ in known.values()]
    if len(kinds) <= 1:
        return kinds[0] if kinds else pa.null()
    if all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in kinds):
        return pa.int64() if all(pa.types.is_integer(kind) for kind in kinds) else pa.float64()
    if all(pa.types.is_string(k) or pa.types.is_large_string(k) or pa.types.is_dictionary(k) for k in kinds):
        return pa.string()
    (one, first), (other, second) = list(known.values())[:2]
    raise DataError(
        f"column {column!r} is of type {one} in {first} and of type {other} in {second}; use one type in all files, "
        f"or declare --type {column}=category."
    )
