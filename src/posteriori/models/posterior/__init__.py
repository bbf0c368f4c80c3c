"""Posteriors of coefficients, and the predictive probabilities that follow from them."""
