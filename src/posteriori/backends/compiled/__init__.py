"""Inner loops compiled by numba: one pass over each row, no temporaries."""
