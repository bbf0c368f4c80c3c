"""Bayesian inference: the posterior, its evidence, predictive probabilities."""
