"""Inner loops in numpy, which need no compiler."""
