"""Inference about the coefficients of a fit: frequentist (`coefficients`), Bayesian (`bayes`), and its `summaries`."""
