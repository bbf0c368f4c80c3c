"""Inference about fitted models: coefficients, Bayesian posteriors, summaries."""
