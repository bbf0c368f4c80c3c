"""Priors over coefficients."""
