"""Conversion of Arrow's rarer types to the supported ones."""

from typing import Any


def supported_types(table: Any) -> Any:
    """Convert an Arrow table to the supported types of text and numbers.

    Views of text and bytes become plain columns, decimal numbers float64, run-end encoded columns their values.
    """
    import pyarrow as pa

    for i, field in enumerate(table.schema):
        kind = _supported_type(field.type)
        if kind != field.type:
            column = table.column(i)
            if pa.types.is_run_end_encoded(field.type):
                import pyarrow.compute as pc

                column = pc.run_end_decode(column)
            table = table.set_column(i, field.name, column.cast(kind, safe=False))
    return table


def _supported_type(kind: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_run_end_encoded(kind):
        return _supported_type(kind.value_type)
    if pa.types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, _supported_type(kind.value_type), kind.ordered)
    if pa.types.is_string_view(kind):
        return pa.string()
    if pa.types.is_binary_view(kind):
        return pa.binary()
    if pa.types.is_decimal(kind):
        return pa.float64()
    return kind
