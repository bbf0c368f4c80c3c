"""What the user gave, as checked blocks of rows.

A `Table` has a `Schema` and partitions of `Block`s. The border (`features`, `targets`, `weights`) turns
arrays, frames and sparse matrices into tables; every complaint about the input is worded here.
"""
