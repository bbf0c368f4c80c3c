"""Solvers: how the coefficients are reached. Each is init / step / done on an explicit frozen state."""
