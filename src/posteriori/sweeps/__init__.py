"""Sweeps: pure functions from a block of rows to statistics."""
