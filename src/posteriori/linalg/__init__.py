"""Small dense linear algebra: factors, subspaces, nonnegative least squares, exact and scaled products."""
