"""Objectives: a table, a link, a prior and units, joined into a function of the coefficients."""
