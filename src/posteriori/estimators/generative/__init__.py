"""Generative classifiers: Gaussian classes, naive Bayes, the joint table."""
