"""Tables: checked rows, in partitions of blocks, with a schema of their columns.

A `Table` has a `Schema` and yields `Block`s. `input/` makes tables of arrays, frames and sparse matrices; engines and
sweeps read them.
"""
