"""Corrections to the Laplace approximation: mean, covariance and skewness, by a series or by sampling."""
