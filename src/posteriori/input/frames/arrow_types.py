"""Arrow's rarer types as the usual ones that hold the same values."""

from typing import Any


def usual(table: Any) -> Any:
    """Give an Arrow table whose text and numbers are of types that every later step knows.

    Text and bytes in views become plain, decimal numbers float64, runs the values themselves; categories stay.
    """
    import pyarrow as pa

    for i, field in enumerate(table.schema):
        kind = _usual_type(field.type)
        if kind != field.type:
            column = table.column(i)
            if pa.types.is_run_end_encoded(field.type):
                import pyarrow.compute as pc

                column = pc.run_end_decode(column)
            table = table.set_column(i, field.name, column.cast(kind, safe=False))
    return table


def _usual_type(kind: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_run_end_encoded(kind):
        return _usual_type(kind.value_type)
    if pa.types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, _usual_type(kind.value_type), kind.ordered)
    if pa.types.is_string_view(kind):
        return pa.string()
    if pa.types.is_binary_view(kind):
        return pa.binary()
    if pa.types.is_decimal(kind):
        return pa.float64()
    return kind
