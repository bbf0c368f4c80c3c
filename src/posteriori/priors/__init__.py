"""Priors over coefficients: value, gradient, curvature, and how they carry over a change of units."""
