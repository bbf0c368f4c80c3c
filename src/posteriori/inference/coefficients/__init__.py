"""Frequentist inference about the coefficients of a `Fitted`: covariances, tests, intervals, effects, influence."""
