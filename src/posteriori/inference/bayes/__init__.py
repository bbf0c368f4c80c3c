"""Bayesian inference: the Gaussian posterior, its corrections, its evidence, and predictive probabilities."""
