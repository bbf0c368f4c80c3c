"""Posteriors that are not Gaussian: corrections to the Laplace approximation."""
