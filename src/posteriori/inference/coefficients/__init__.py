"""Frequentist inference about coefficients: covariances, tests, intervals, effects, influence."""
