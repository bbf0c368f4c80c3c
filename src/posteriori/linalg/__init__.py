"""Small dense linear algebra: factors, subspaces, nonnegative least squares, quotients, exact and scaled products."""
