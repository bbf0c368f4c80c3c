"""Data frames of any library, through narwhals."""
