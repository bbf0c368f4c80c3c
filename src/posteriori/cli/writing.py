"""Predictions as CSV or Parquet, written whole or not at all."""

import csv
import io
from typing import Any


def csv_text(columns: dict[str, list[Any]]) -> str:
    """Lay columns out as CSV; numbers with all their digits."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return stream.getvalue()


def write_columns(columns: dict[str, list[Any]], path: str) -> None:
    """Write columns to a file, of the kind its name says."""
    from posteriori.storage.atomic import replacing

    with replacing(path) as stream:
        if path.lower().endswith(".parquet"):
            import pyarrow as pa
            import pyarrow.parquet as pq

            pq.write_table(pa.table(columns), stream)
        else:
            stream.write(csv_text(columns).encode())
