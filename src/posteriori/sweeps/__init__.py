"""Sweeps: pure functions from parameters and a block of rows to statistics."""
