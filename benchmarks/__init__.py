"""Time and memory against other libraries: ``python -m benchmarks.run``, ratios in one run."""
