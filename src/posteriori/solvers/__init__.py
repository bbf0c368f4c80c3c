"""Solvers: init, step and done on an explicit state."""
