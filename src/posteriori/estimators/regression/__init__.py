"""Regression through a link: logistic, softmax, probit and others, noisy-OR, Bayesian logistic."""
