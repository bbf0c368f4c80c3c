"""Inner loops compiled by numba: one pass over the rows, without temporary arrays."""
