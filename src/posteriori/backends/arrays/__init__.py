"""Inner loops in numpy: nothing to compile."""
